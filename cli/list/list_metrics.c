/* SPDX-License-Identifier: MIT */
/*
 * pcounter list metrics: configurations that documents and drivers count with, joined by name
 * to the formulas that are known or the user's (-M of stat and plan).
 */
#include "list.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 12, INPUTS = 4 };

/* "START 0x28293d3e/0xf888 EVENT ..." of what is given; src and op by themselves for programs. */
static void inputs_text(const struct pc_metric_row *m, char all[200], char cell[8][WORD])
{
    int n = 0;

    all[0] = '\0';
    for (unsigned i = 0; i < INPUTS; i++) {
        bool src = m->src_given >> i & 1, op = m->op_given >> i & 1;
        cell[2 * i][0] = cell[2 * i + 1][0] = '\0';
        if (src)
            snprintf(cell[2 * i], WORD, "0x%08x", (unsigned)m->src[i]);
        if (op)
            snprintf(cell[2 * i + 1], WORD, "0x%04x", (unsigned)m->op[i]);
        if (src || op)
            n += snprintf(all + n, (size_t)(200 - n), "%s%s %s/%s", n ? " " : "",
                          pc_input_name((enum pc_input_id)i), src ? cell[2 * i] : "?",
                          op ? cell[2 * i + 1] : "?");
    }
}

/* The user's formulas, and those of a chip, kept from row to row. */
struct formulas {
    const struct list_request *r;
    struct cli_metrics own; /* read once: standard input can be among the files */
    char chip[16];
    struct cli_metrics set;
};

static int open_formulas(struct formulas *f, const char *chip)
{
    if (strcmp(f->chip, chip) == 0 && f->set.sets > 0)
        return CLI_OK;
    static const struct cli_metric_options no_files;
    cli_metrics_close(&f->set);
    snprintf(f->chip, sizeof f->chip, "%s", chip);
    return cli_metrics_open("list", &no_files, chip[0] ? chip : NULL, &f->set);
}

static bool find_in(const struct cli_metrics *m, const char *name, struct pc_metric *out)
{
    size_t found;

    for (size_t s = 0; s < m->sets; s++)
        if (pc_metrics_find(m->source[s].set, name, &found, NULL) == PC_OK)
            return pc_metrics_at(m->source[s].set, found, out);
    return false;
}

/* The user's come first. */
static bool find_formula(const struct formulas *f, const char *name, struct pc_metric *out)
{
    return find_in(&f->own, name, out) || find_in(&f->set, name, out);
}

static bool row_wanted(const struct list_request *r, const struct pc_metric_row *m)
{
    return list_on_chip(r, m->chips) && list_wanted(r, m->name, m->name);
}

static int config_row(struct list_table *t, struct formulas *f, const struct pc_metric_row *m)
{
    char domain[16], inputs[200], cell[8][WORD], chip[16];
    struct pc_metric formula = { .unit = "", .formula = "" };

    snprintf(chip, sizeof chip, "%.*s", (int)strcspn(m->chips, " "), m->chips);
    int code = open_formulas(f, f->r->chip ? f->r->chip->name : chip);
    if (code)
        return code;
    (void)find_formula(f, m->name, &formula);
    list_domain_text(m->set, m->domain, domain);
    inputs_text(m, inputs, cell);
    const char *mode = m->ctr_mode[0] ? m->ctr_mode : "?";
    const char *read = m->result[0] ? m->result : "?";
    const char *person[] = { m->name,
                             domain,
                             mode,
                             inputs,
                             read,
                             m->chips,
                             formula.unit[0] ? formula.unit : "-",
                             formula.formula[0] ? formula.formula : "-",
                             m->mux[0] ? m->mux : "-" };
    const char *program[] = {
        m->chips,  m->name, domain,       m->ctr_mode,    cell[0],
        cell[1],   cell[2], cell[3],      cell[4],        cell[5],
        cell[6],   cell[7], m->mux,       m->result,      pc_confidence_name(m->confidence),
        m->origin, m->note, formula.unit, formula.formula
    };
    list_table_row(t, t->r->text ? person : program);
    return CLI_OK;
}

/* Returns true if there is a configuration of that name, which has the formula in its row. */
static bool has_row(const struct list_request *r, const char *name)
{
    struct pc_metric_row m;

    for (size_t i = 0; pc_metric_row_at(i, &m); i++)
        if (list_on_chip(r, m.chips) && strcmp(m.name, name) == 0)
            return true;
    return false;
}

/* Formulas over several events, or of the user's: no configuration of their own. */
static void formula_rows(struct list_table *t, const struct formulas *f,
                         const struct cli_metrics *metrics)
{
    const struct list_request *r = f->r;
    const char *chip = r->chip ? r->chip->name : "", *origin;
    struct pc_metric m, of_user;

    for (size_t i = 0; cli_metrics_at(metrics, i, &m, &origin); i++) {
        const bool replaced = metrics == &f->set && find_in(&f->own, m.name, &of_user);
        if (replaced || !list_wanted(r, m.name, m.name) || has_row(r, m.name))
            continue;
        bool known = strcmp(origin, "known") == 0;
        const char *person[] = { m.name, "-",       "-", "-", "-", r->chip ? chip : "-",
                                 m.unit, m.formula, "-" };
        const char *program[] = { chip,
                                  m.name,
                                  "",
                                  "",
                                  "",
                                  "",
                                  "",
                                  "",
                                  "",
                                  "",
                                  "",
                                  "",
                                  "",
                                  "",
                                  known ? "" : "user",
                                  known ? "name and events" : origin,
                                  "",
                                  m.unit,
                                  m.formula };
        list_table_row(t, t->r->text ? person : program);
    }
}

/* Nothing is printed where nothing matches. */
static bool any_wanted(const struct formulas *f)
{
    const struct cli_metrics *const metrics[] = { &f->own, &f->set };
    struct pc_metric_row row;
    struct pc_metric m;
    const char *origin;

    for (size_t i = 0; pc_metric_row_at(i, &row); i++)
        if (row_wanted(f->r, &row))
            return true;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; cli_metrics_at(metrics[k], i, &m, &origin); i++)
            if (list_wanted(f->r, m.name, m.name))
                return true;
    return false;
}

static int print_metrics(struct formulas *f)
{
    static const char *const titles[] = { "METRIC", "DOM",  "MODE",    "SRC/OP", "READ",
                                          "CHIPS",  "UNIT", "FORMULA", "MUX" };
    static const int widths[] = { -34, -5, -8, -52, -20, -20, -5, -40, -1 };
    const struct list_request *r = f->r;
    struct list_table t = { r, titles, widths, 9, 0, NULL };
    struct pc_metric_row m;
    const char *chip = r->chip ? r->chip->name : "";
    int code = open_formulas(f, chip);

    if (code == CLI_OK && !any_wanted(f))
        return list_table_none(&t, list_none(r, "metric"));
    if (code)
        return code;
    list_table_begin(&t);
    for (size_t i = 0; pc_metric_row_at(i, &m) && code == CLI_OK; i++)
        if (row_wanted(r, &m))
            code = config_row(&t, f, &m);
    if (code == CLI_OK)
        code = open_formulas(f, chip);
    if (code)
        return list_table_fail(&t, code);
    formula_rows(&t, f, &f->own);
    formula_rows(&t, f, &f->set);
    return list_table_end(&t, "metric");
}

int list_metrics(const struct list_request *r)
{
    struct formulas f = { .r = r };
    int code = cli_metrics_open("list", &r->metrics, NULL, &f.own);

    if (code == CLI_OK)
        code = print_metrics(&f);
    cli_metrics_close(&f.own);
    cli_metrics_close(&f.set);
    return code;
}
