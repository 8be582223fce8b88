/* SPDX-License-Identifier: MIT */
/* --expect 'ddr.read.latency.p99 < 200': names of figures after the name of their bus. */
#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

#include "text/regs_text.h"

/* Looks for a figure of that name. */
struct search {
    const char *name;
    const struct bus_item *item;
    size_t found, buses; /* how often it was, of how many buses */
    const struct bus_item *last;
    struct rep_cell value;
    bool bounded;
    struct pc_bound bound;
};

/* An index of VHDL, "(0)", is [0] in a formula. */
static bool is_spelled(const char *bus, const char *name, size_t size)
{
    size_t i = 0;

    while (i < size && (bus[i] == name[i] || (bus[i] == '(' && name[i] == '[') ||
                        (bus[i] == ')' && name[i] == ']')))
        i++;
    return i == size;
}

/* "tb.ddr.read.latency.p99", or an end of it at a dot. */
static bool is_named(const char *name, const char *bus, const struct bus_figure *f)
{
    const size_t n = strlen(name);
    char figure[128];

    snprintf(figure, sizeof figure, "%s%s%s", f->part, f->part[0] ? "." : "", f->name);
    const size_t m = strlen(figure);
    if (n < m + 2 || name[n - m - 1] != '.' || strcmp(name + n - m, figure) != 0)
        return false;
    const size_t of_bus = n - m - 1, whole = strlen(bus);
    return whole >= of_bus && is_spelled(bus + whole - of_bus, name, of_bus) &&
           (whole == of_bus || bus[whole - of_bus - 1] == '.');
}

/* By its name, or another one that it has. */
static bool is_of_item(const char *name, const struct bus_item *item, const struct bus_figure *f)
{
    bool is = is_named(name, item->name, f);

    for (size_t i = 0; item->proof && !is && i < item->proof->aliases; i++)
        is = is_named(name, item->proof->alias[i], f);
    return is;
}

static bool look(void *ctx, const struct bus_figure *f)
{
    struct search *s = ctx;

    if (!is_of_item(s->name, s->item, f))
        return true;
    s->found++;
    s->buses += s->last != s->item && !(s->last && bus_may_be_same(s->last, s->item));
    s->last = s->item;
    s->value = f->value;
    s->bounded = f->bounded;
    s->bound = f->bound;
    return true;
}

/* "stuck" alone: how many buses are. */
static bool is_all_stuck(const struct bus_run *run, struct search *s)
{
    struct pc_bus_end end;
    uint64_t stuck = 0;

    if (strcmp(s->name, "stuck") != 0)
        return false;
    for (size_t i = 0; i < run->items; i++)
        if (run->item[i].bus) {
            pc_bus_get_end(run->item[i].bus, &end);
            stuck += end.stuck;
        }
    s->found = s->buses = 1;
    s->value = rep_count(stuck);
    return true;
}

static void search(const struct bus_run *run, struct search *s)
{
    if (is_all_stuck(run, s))
        return;
    for (size_t i = 0; i < run->items; i++) {
        s->item = &run->item[i];
        bus_each_figure(run, s->item, look, s);
    }
}

/* ---- names that there are not ---- */

struct names {
    char **name;
    size_t count, capacity;
    const struct bus_item *item;
};

static bool collect(void *ctx, const struct bus_figure *f)
{
    struct names *n = ctx;
    void *array = n->name;
    const size_t size = strlen(n->item->name) + strlen(f->part) + strlen(f->name) + 3;
    char *name =
        cli_grow(&array, &n->capacity, n->count + 2, sizeof *n->name) ? malloc(size) : NULL;

    n->name = array;
    if (!name)
        return false;
    snprintf(name, size, "%s.%s%s%s", n->item->name, f->part, f->part[0] ? "." : "", f->name);
    n->name[n->count++] = name;
    n->name[n->count] = NULL;
    return true;
}

static void near_figures(const struct bus_run *run, const char *wanted, char *out, size_t size)
{
    struct names n = { .name = NULL };

    out[0] = '\0';
    for (size_t i = 0; i < run->items; i++) {
        n.item = &run->item[i];
        bus_each_figure(run, n.item, collect, &n);
    }
    if (n.count > 0)
        cli_near(wanted, (const char *const *)n.name, out, size);
    for (size_t i = 0; i < n.count; i++)
        free(n.name[i]);
    free(n.name);
}

static int no_figure(const struct bus_run *run, const struct search *s)
{
    struct pc_error err;
    char near[200];

    near_figures(run, s->name, near, sizeof near);
    if (s->buses > 1)
        cli_fail(&err, 1839, "%s is a figure of %zu buses: say more of its name", s->name,
                 s->buses);
    else
        cli_fail(&err, 1838, "no bus has a figure %s", s->name);
    if (s->buses == 0 && near[0])
        snprintf(err.hint, sizeof err.hint, "did you mean %s?", near);
    return cli_error(&err, "--expect", NULL);
}

int bus_check_expectations(struct bus_run *run)
{
    const struct cli_expectations *e = &run->o->expect;

    for (size_t i = 0; i < e->sides.count; i++)
        for (size_t k = 0; k < e->sides.metric[i].info.events; k++) {
            struct search s = { .name = e->sides.metric[i].info.event[k] };
            search(run, &s);
            if (s.buses != 1)
                return no_figure(run, &s);
        }
    return CLI_OK;
}

/* ---- verdicts ---- */

struct verdict {
    struct pc_metric_value side[2];
    enum cli_verdict is;
    const char *why;
};

/* A figure, or of one that is not final its bounds. */
enum which { AS_IT_IS, AT_LEAST, AT_MOST, WHICH };

static struct pc_metric_input value_of(const struct bus_run *run, const char *name,
                                       enum which which, bool *bounded)
{
    struct search s = { .name = name };
    struct pc_metric_input in = { .state = PC_VALUE_EXACT };

    search(run, &s);
    *bounded = *bounded || s.bounded;
    if (s.bounded && which == AT_LEAST)
        in.value = s.bound.least;
    else if (s.bounded && which == AT_MOST)
        in.value = cli_beyond(s.bound.most);
    else if (s.value.what == REP_IS_COUNT)
        in.value = (double)s.value.as.count;
    else if (s.value.what == REP_IS_MINUS)
        in.value = -(double)s.value.as.count;
    else if (s.value.what == REP_IS_NUMBER)
        in.value = s.value.as.number;
    else
        in.state = PC_VALUE_UNMEASURED;
    return in;
}

static void evaluate(const struct bus_run *run, const struct cli_metric *m, enum which which,
                     struct pc_metric_value *out, bool *bounded)
{
    struct pc_metric_input *in = calloc(m->info.events + 1, sizeof *in);
    struct cli_open_inputs open = { .count = 0 };

    *out = (struct pc_metric_value){ .state = PC_VALUE_UNMEASURED };
    for (size_t n = 0; in && n < m->info.events; n++) {
        const enum which least = which == AS_IT_IS ? AS_IT_IS : AT_LEAST;
        bool within = false;
        in[n] = value_of(run, m->info.event[n], least, &within);
        *bounded = *bounded || within;
        if (!within || which == AS_IT_IS)
            continue;
        if (open.count == CLI_MOST_OPEN) {
            in[n].state = PC_VALUE_UNMEASURED;
            continue;
        }
        open.number[open.count] = n;
        open.most[open.count++] = value_of(run, m->info.event[n], AT_MOST, &within).value;
    }
    if (in)
        cli_value_within(m, in, &open, which == AT_MOST, 0, 0, out);
    free(in);
}

static void judge(const struct bus_run *run, size_t i, struct verdict *v)
{
    const struct cli_expectations *e = &run->o->expect;
    struct pc_metric_value side[WHICH][2];
    bool bounded = false;

    for (unsigned w = 0; w < WHICH; w++)
        for (unsigned k = 0; k < 2; k++)
            evaluate(run, &e->sides.metric[2 * i + k], (enum which)w, &side[w][k], &bounded);
    *v = (struct verdict){ .side = { side[AS_IT_IS][0], side[AS_IT_IS][1] } };
    v->is = cli_verdict_of(&e->item[i], v->side);
    v->why = v->is == CLI_NOT_KNOWN ? v->side[0].why[0] ? v->side[0].why : v->side[1].why : "";
    if (!bounded)
        return;
    const char *note =
        cli_verdict_bounded(&e->item[i], side[AT_LEAST], side[AT_MOST], v->side, &v->is);
    if (v->is != CLI_NOT_KNOWN)
        v->why = note;
}

static struct rep_cell side_cell(const struct pc_metric_value *side)
{
    return side->state == PC_VALUE_UNMEASURED ? rep_null() : rep_exact(side->value);
}

void bus_put_expectations(struct bus_run *run, unsigned field)
{
    struct verdict v;

    for (size_t i = 0; i < run->o->expect.texts; i++) {
        judge(run, i, &v);
        run->unmet |= v.is != CLI_MET;
        rep_row(run->report, field,
                REP_CELLS(rep_text(run->o->expect.item[i].text), rep_text(cli_verdict_name(v.is)),
                          side_cell(&v.side[0]), side_cell(&v.side[1]), rep_text(v.why)));
    }
}
