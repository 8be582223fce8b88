/* SPDX-License-Identifier: MIT */
/*
 * Reports what a run never tried: a description that is wrong there looks the same as one that is
 * right. Each is a warning, an object of JSON, and with --strict part of an error.
 */
#include "check_core.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/warnings.h"

static const char *const whats[] = { "never moved", "never selected", "never true", "never false",
                                     NULL };
const struct rep_field core_untried_fields[] = {
    { "what", REP_WORD,
      .about =
          "a register that never changed, an element of a vector that no selector chose while a "
          "counter counted, or a condition that never was true, or never false",
      .words = whats },
    { "name", REP_TEXT, .about = "the register, element[2], or the text of the condition" },
    { "called", REP_TEXT, .about = "the name of the element, if it has one", .flags = REP_MAYBE },
    { "line", REP_COUNT, .about = "of the description" },
    { .name = NULL },
};

static uint32_t line_of(struct described *d, const struct pc_core_place *p)
{
    const yaml_node_t *item;

    switch (p->what) {
    case PC_CORE_LET:
        return described_line(d->let_node[p->item]);
    case PC_CORE_VECTOR:
        item = cli_yaml_item(&d->yaml, d->vector_node[p->item], p->part);
        return described_line(item ? item : d->vector_node[p->item]);
    case PC_CORE_WHEN:
    case PC_CORE_VALUE:
        return described_line(d->rule_node[d->reg_node[p->item].first_rule + p->part].of);
    case PC_CORE_CHECK_WHEN:
    case PC_CORE_CHECK_THAT:
        return described_line(d->check_node[p->item]);
    default:
        return described_line(d->reg_node[p->item].of);
    }
}

/* "event[2]", or the text as the description has it. */
static char *name_of(const struct core_run *run, const struct pc_core_untried *u)
{
    char text[300];

    if (u->what != PC_CORE_NEVER_CHOSEN)
        return cli_copy(u->text, u->length);
    const int n = snprintf(text, sizeof text, "%.200s[%zu]", run->d.vector[u->place.item].name,
                           u->place.part);
    return cli_copy(text, (size_t)n);
}

/* Rules of several registers, by `for`, may have one condition. */
static bool is_known(const struct core_run *run, unsigned what, const char *name)
{
    for (size_t i = 0; i < run->untried_count; i++)
        if (run->untried[i].what == what && strcmp(run->untried[i].name, name) == 0)
            return true;
    return false;
}

static void take(void *ctx, const struct pc_core_untried *u)
{
    struct core_run *run = ctx;
    struct pc_core_figures f;
    void *array = run->untried;

    if (u->what == PC_CORE_NEVER_MOVED) {
        pc_core_get_register(run->d.core, u->place.item, &f);
        if (f.compared == 0 && run->d.reg[u->place.item].is)
            return; /* that is told */
    }
    char *name = name_of(run, u);
    if (name && is_known(run, u->what, name)) {
        free(name);
        return;
    }
    if (!name ||
        !cli_grow(&array, &run->untried_capacity, run->untried_count + 1, sizeof *run->untried)) {
        free(name);
        run->no_memory = true;
        return;
    }
    const char *const *called =
        u->what == PC_CORE_NEVER_CHOSEN ? run->d.vector[u->place.item].called : NULL;
    run->untried = array;
    run->untried[run->untried_count++] =
        (struct core_untried){ .what = u->what,
                               .name = name,
                               .called = called ? called[u->place.part] : NULL,
                               .line = line_of(&run->d, &u->place) };
}

int core_untried_find(struct core_run *run)
{
    if (run->stopped)
        return CLI_OK;
    pc_core_get_untried(run->d.core, take, run);
    return run->no_memory ? cli_no_memory() : CLI_OK;
}

/* ---- warnings ---- */

/* Most often the polarity of the reset is the other one. */
void check_warn_reset(const char *path, uint64_t edges, uint64_t in_reset, const char *reset)
{
    char total[40];

    if (edges == 0 || in_reset == edges || edges - in_reset > edges / 10)
        return;
    snprintf(total, sizeof total, "%s", cli_grouped(edges));
    cli_warning(1912, "%s: %s of %s edges are in reset, where %s holds: is that its polarity?",
                path, cli_grouped(in_reset), total, reset);
}

static uint64_t warn_rules(const struct core_run *run, size_t reg)
{
    const struct described *d = &run->d;
    uint64_t told = 0;

    for (size_t k = 0; k < d->reg[reg].rules; k++) {
        if (pc_core_rule_acted(d->core, reg, k) > 0)
            continue;
        told++;
        cli_warning(1902, "%s: a rule of %s never held: line %" PRIu32, run->path, d->reg[reg].name,
                    described_line(d->rule_node[d->reg_node[reg].first_rule + k].of));
    }
    return told;
}

static void warn_untried(const struct core_run *run, const struct core_untried *u)
{
    if (u->what == PC_CORE_NEVER_MOVED)
        cli_warning(1909, "%s: register %s never moved: line %" PRIu32, run->path, u->name,
                    u->line);
    else if (u->what == PC_CORE_NEVER_CHOSEN)
        cli_warning(1910, "%s: %s%s%s%s was never selected while a counter counted: line %" PRIu32,
                    run->path, u->name, u->called ? " (" : "", u->called ? u->called : "",
                    u->called ? ")" : "", u->line);
    else
        cli_warning(1911, "%s: the condition %s was %s: line %" PRIu32, run->path, u->name,
                    whats[u->what], u->line);
}

uint64_t core_untried_warn(const struct core_run *run)
{
    const struct described *d = &run->d;
    uint64_t told = run->untried_count;
    struct pc_core_figures f;

    check_warn_reset(run->path, run->counts.edges, run->counts.in_reset, d->desc.reset);
    for (size_t i = 0; i < d->desc.regs; i++) {
        pc_core_get_register(d->core, i, &f);
        if (f.compared == 0 && d->reg[i].is) {
            told++;
            cli_warning(1901, "%s: register %s was never compared", run->path, d->reg[i].name);
        }
        told += warn_rules(run, i);
    }
    for (size_t i = 0; i < d->desc.checks; i++) {
        pc_core_get_check(d->core, i, &f);
        if (f.compared > 0)
            continue;
        told++;
        cli_warning(1903, "%s: the check \"%s\" was never evaluated", run->path, d->check[i].name);
    }
    for (size_t i = 0; i < run->untried_count; i++)
        warn_untried(run, &run->untried[i]);
    return told;
}

/* ---- reports ---- */

void core_untried_put(struct rep *rep, unsigned list, const struct core_run *run)
{
    for (size_t i = 0; i < run->untried_count; i++) {
        const struct core_untried *u = &run->untried[i];
        rep_row(rep, list,
                REP_CELLS(rep_text(whats[u->what]), rep_text(u->name),
                          u->called ? rep_text(u->called) : rep_absent(), rep_count(u->line)));
    }
}

void core_untried_drop(struct core_run *run)
{
    for (size_t i = 0; i < run->untried_count; i++)
        free(run->untried[i].name);
    free(run->untried);
}
