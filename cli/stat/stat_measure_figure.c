/* SPDX-License-Identifier: MIT */
/*
 * The results of --value, --latency, --states and --level as figures with names: rows of CSV, and
 * words of formulas.
 */
#include "report/report_dist.h"
#include "stat_machine.h"

#include <string.h>

static void set_text(struct stat_figure *f, const char *text)
{
    snprintf(f->text, sizeof f->text, "%s", text);
    f->known = true;
}

static void set_wide(struct stat_figure *f, struct pc_wide value)
{
    char text[PC_WIDE_TEXT];

    pc_wide_text(value, text);
    set_text(f, text);
    f->number = pc_wide_double(value);
}

static void set_count(struct stat_figure *f, uint64_t value)
{
    set_wide(f, (struct pc_wide){ .low = value });
}

static void set_number(struct stat_figure *f, double value)
{
    char text[PC_WIDE_TEXT];

    snprintf(text, sizeof text, "%.15g", value);
    set_text(f, text);
    f->number = value;
}

/* --- distributions --- */

enum { DISTINCT = REP_DIST_CELLS, DIST_FIGURES };

static void dist_figure(const struct stat_dist *dist, size_t i, struct stat_figure *out)
{
    const struct pc_dist_figures *f = &dist->f;

    if (i == REP_DIST_COUNT || (i == DISTINCT && f->complete))
        set_count(out, i == REP_DIST_COUNT ? f->count : f->distinct);
    else if (i == REP_DIST_SUM)
        set_wide(out, f->sum);
    else if (f->count == 0)
        return;
    else if (i == REP_DIST_MEAN)
        set_number(out, f->mean);
    else if (i == REP_DIST_MIN || i == REP_DIST_MAX)
        set_wide(out, i == REP_DIST_MIN ? f->min : f->max);
    else if (f->complete && i != DISTINCT)
        set_wide(out, f->rank[i - REP_DIST_RANK]);
}

/* Returns whether transactions in flight at the end may change the figure. */
static void bound_figure(const struct stat_out *o, size_t i, struct stat_figure *out)
{
    struct pc_dist_bounds b;

    if (!o->ages || !o->dist.dist || i < REP_DIST_MIN || i > REP_DIST_MAX ||
        !pc_dist_get_bounds(o->dist.dist, o->ages, &b) || b.open == 0)
        return;
    out->bounded = true;
    out->bound = i == REP_DIST_MIN    ? b.min
                 : i == REP_DIST_MEAN ? b.mean
                 : i == REP_DIST_MAX  ? b.max
                                      : b.rank[i - REP_DIST_RANK];
}

/* "NAMEp99" of one after a prefix. */
static void name_dist(struct stat_figure *out, const char *prefix, size_t i, const char *unit)
{
    snprintf(out->name, sizeof out->name, "%s%s", prefix,
             i == DISTINCT ? "distinct" : rep_dist_name((unsigned)i));
    out->unit = i == REP_DIST_COUNT || i == DISTINCT ? "count" : unit;
}

/* --- values --- */

static struct pc_wide wide_of(uint64_t value, bool is_signed)
{
    return (struct pc_wide){ .low = value, .high = is_signed && value >> 63 ? -1 : 0 };
}

static struct pc_wide minus(struct pc_wide a, struct pc_wide b)
{
    return (struct pc_wide){ .low = a.low - b.low, .high = a.high - b.high - (a.low < b.low) };
}

static bool value_figure(const struct stat_measure *m, size_t i, struct stat_figure *out)
{
    static const char *const names[] = { "first", "last", "delta" };
    const bool is_signed = m->piece[0].is_signed;

    if (i == 0) {
        snprintf(out->name, sizeof out->name, "unknown");
        out->unit = "count";
        set_count(out, m->out.unknown);
        return true;
    }
    i--;
    if (i < DIST_FIGURES) {
        name_dist(out, "", i, "");
        dist_figure(&m->out.dist, i, out);
        return true;
    }
    i -= DIST_FIGURES;
    if (i >= sizeof names / sizeof names[0])
        return false;
    snprintf(out->name, sizeof out->name, "%s", names[i]);
    out->unit = "";
    const struct pc_wide first = wide_of(m->out.ends.first, is_signed),
                         last = wide_of(m->out.ends.last, is_signed);
    if (m->out.ends.any)
        set_wide(out, i == 0 ? first : i == 1 ? last : minus(last, first));
    return true;
}

/* --- latencies --- */

static bool latency_figure(const struct stat_measure *m, size_t i, struct stat_figure *out)
{
    static const char *const names[] = { "started", "completed",  "aborted",   "unfinished",
                                         "orphans", "unknown_id", "throughput" };
    enum { COUNTS = 6, OWN };
    const struct stat_out *o = &m->out;
    const uint64_t counts[] = { o->started,    o->completed, o->aborted,
                                o->unfinished, o->orphans,   o->unknown_id };
    if (i < OWN) {
        snprintf(out->name, sizeof out->name, "%s", names[i]);
        out->unit = i < COUNTS ? "count" : "count/cycle";
        if (i < COUNTS)
            set_count(out, counts[i]);
        else if (o->cycles > 0)
            set_number(out, (double)o->completed / (double)o->cycles);
        return true;
    }
    i -= OWN;
    if (i < DIST_FIGURES) {
        name_dist(out, "", i, "cycles");
        dist_figure(&m->out.dist, i, out);
        bound_figure(o, i, out);
        return true;
    }
    i -= DIST_FIGURES;
    if (i >= DIST_FIGURES)
        return false;
    name_dist(out, "outstanding.", i, "count");
    if (i == REP_DIST_MAX) /* after a cycle; the distribution is of what was open before each */
        set_count(out, o->most);
    else
        dist_figure(&m->out.outstanding, i, out);
    return true;
}

/* --- levels --- */

static bool level_figure(const struct stat_measure *m, size_t i, struct stat_figure *out)
{
    static const char *const names[] = { "full", "full_cycles" };
    const uint64_t count = m->out.dist.f.count;

    if (i < DIST_FIGURES) {
        name_dist(out, "", i, "");
        dist_figure(&m->out.dist, i, out);
        return true;
    }
    i -= DIST_FIGURES;
    if (i >= sizeof names / sizeof names[0])
        return false;
    snprintf(out->name, sizeof out->name, "%s", names[i]);
    out->unit = i == 0 ? "ratio" : "cycles";
    if (m->capacity > 0 && i == 1)
        set_count(out, m->out.full);
    else if (m->capacity > 0 && count > 0)
        set_number(out, (double)m->out.full / (double)count);
    return true;
}

/* --- any of them --- */

bool stat_figure_at(const struct stat_measure *m, size_t i, struct stat_figure *out)
{
    *out = (struct stat_figure){ .known = false };
    switch (m->kind) {
    case STAT_VALUE:
        return value_figure(m, i, out);
    case STAT_LATENCY:
        return latency_figure(m, i, out);
    case STAT_STATES:
        return stat_machine_figure(m, i, out);
    default:
        return level_figure(m, i, out);
    }
}

bool stat_measure_tainted(const struct stat_measure *m)
{
    return m->out.unknown > 0 || m->out.tainted[0] > 0 || m->out.tainted[1] > 0 ||
           m->out.unknown_id > 0;
}

/* --- columns --- */

static const char *const columns[][4] = { [STAT_VALUE] = { "mean", "p99", "max" },
                                          [STAT_LATENCY] = { "completed", "mean", "p99", "max" },
                                          [STAT_STATES] = { "transitions" },
                                          [STAT_LEVEL] = { "mean", "p99", "max" } };

static bool find_figure(const struct stat_measure *m, const char *name, struct stat_figure *out)
{
    for (size_t i = 0; stat_figure_at(m, i, out); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

bool stat_measure_column(const struct stat_measures *all, size_t i, struct stat_column *out)
{
    for (size_t n = 0; n < all->count; n++) {
        const struct stat_measure *m = &all->item[n];
        for (unsigned k = 0; k < 4 && columns[m->kind][k]; k++) {
            if (i-- > 0)
                continue;
            out->of = m;
            snprintf(out->name, sizeof out->name, "%s.%s", m->name, columns[m->kind][k]);
            return find_figure(m, columns[m->kind][k], &out->f);
        }
    }
    return false;
}

/* --- formulas --- */

enum { MOST_FIGURES = 64 }; /* of a measurement */

/* One more figure of a state; false: there is no memory for it. */
static bool want(struct stat_measures *all, const struct stat_wanted *wanted, size_t *out)
{
    void *array = all->wanted;
    struct stat_wanted *new =
        cli_one_more(&array, &all->wanted_capacity, &all->wanteds, sizeof *new);

    all->wanted = array;
    if (!new)
        return false;
    *new = *wanted;
    *out = STAT_WANTED + all->wanteds - 1;
    return true;
}

bool stat_figure_find(struct stat_measures *all, const char *name, size_t *out)
{
    struct stat_wanted wanted;
    struct stat_figure f;

    for (size_t i = 0; i < all->count; i++) {
        const struct stat_measure *m = &all->item[i];
        const size_t n = strlen(m->name);
        if (strncmp(name, m->name, n) != 0 || name[n] != '.')
            continue;
        wanted.item = i;
        if (m->machine && stat_machine_find(m, name + n + 1, &wanted))
            return want(all, &wanted, out);
        for (size_t k = 0; k < MOST_FIGURES && stat_figure_at(m, k, &f); k++)
            if (strcmp(f.name, name + n + 1) == 0) {
                *out = STAT_FIGURES + i * MOST_FIGURES + k;
                return true;
            }
    }
    return false;
}

/* The measurement of a figure of a formula. */
static const struct stat_measure *measure_of(const struct stat_measures *all, size_t number)
{
    const size_t item = number >= STAT_WANTED ? all->wanted[number - STAT_WANTED].item
                                              : (number - STAT_FIGURES) / MOST_FIGURES;

    return &all->item[item];
}

bool stat_figure_is_of_states(const struct stat_measures *all, size_t number)
{
    return number >= STAT_FIGURES && number < STAT_CYCLES &&
           measure_of(all, number)->kind == STAT_STATES;
}

void stat_figure_of(const struct stat_measures *all, size_t number, struct stat_figure *out,
                    bool *tainted)
{
    const struct stat_measure *m = measure_of(all, number);

    if (number >= STAT_WANTED)
        stat_machine_figure_of(m, &all->wanted[number - STAT_WANTED], out);
    else
        stat_figure_at(m, (number - STAT_FIGURES) % MOST_FIGURES, out);
    *tainted = stat_measure_tainted(m);
}
