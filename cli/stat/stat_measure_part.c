/* SPDX-License-Identifier: MIT */
/*
 * The results of --value, --latency, --states and --level: of all cycles, or with -I of an
 * interval, whose figures are reported and then added to those of all.  A latency belongs to the
 * interval in which it completes.
 */
#include "stat_machine.h"

#include <string.h>

/* --- distributions --- */

/* It sorts its values, which takes memory; from here on it has it. */
static int find_figures(struct stat_dist *d)
{
    struct pc_error err;

    return pc_dist_get_figures(d->dist, &d->f, &err) ? cli_error(&err, NULL, NULL) : CLI_OK;
}

static int find_both(struct stat_out *out)
{
    const int code = out->dist.dist ? find_figures(&out->dist) : CLI_OK;

    return code || !out->outstanding.dist ? code : find_figures(&out->outstanding);
}

/* --- intervals --- */

int stat_measure_begin_parts(struct stat_job *j)
{
    struct pc_error err;

    for (size_t i = 0; i < j->measures.count; i++) {
        struct stat_measure *m = &j->measures.item[i];
        struct stat_out *sum = &m->sum;
        if (m->kind == STAT_STATES)
            continue;
        if (pc_dist_create(NULL, m->kind == STAT_VALUE && m->piece[0].is_signed, &sum->dist.dist,
                           &err) ||
            (m->kind == STAT_LATENCY && pc_dist_create(NULL, false, &sum->outstanding.dist, &err)))
            return cli_error(&err, NULL, NULL);
    }
    return CLI_OK;
}

/* Takes those of a level. */
static int take_level(struct stat_measure *m)
{
    struct stat_out *out = &m->out;
    struct pc_level_figures f;

    pc_level_get_figures(m->level, &f);
    out->dist.dist = pc_level_dist(m->level);
    out->full = f.full;
    out->above = f.above;
    out->tainted[0] = m->tainted;
    return find_both(out);
}

/* Takes the results counted so far; `part`: of an interval. */
static int take(struct stat_measure *m, bool part)
{
    struct stat_out *out = &m->out;
    struct pc_latency_figures f;

    *out = (struct stat_out){ .cycles = m->cycles, .ends = m->ends };
    if (m->kind == STAT_STATES)
        return stat_machine_take(m, part);
    if (m->kind == STAT_LEVEL)
        return take_level(m);
    if (m->kind == STAT_VALUE) {
        out->dist.dist = pc_values_dist(m->values);
        out->unknown = pc_values_unknown(m->values);
        return find_both(out);
    }
    pc_latency_get_figures(m->latency, &f);
    out->dist.dist = pc_latency_dist(m->latency);
    out->outstanding.dist = pc_latency_outstanding(m->latency);
    out->started = f.started;
    out->completed = f.completed;
    out->unfinished = f.unfinished;
    out->aborted = f.aborted;
    out->ages = pc_latency_open_ages(m->latency);
    out->orphans = f.orphans;
    out->unknown_id = f.unknown_id;
    out->most = f.most_outstanding;
    for (unsigned k = 0; k < 2; k++)
        out->tainted[k] = m->piece[k].tainted;
    return find_both(out);
}

int stat_measure_interval(struct stat_job *j)
{
    const bool part = j->o->interval.text != NULL;
    int code = CLI_OK;

    for (size_t i = 0; i < j->measures.count && code == CLI_OK; i++)
        code = take(&j->measures.item[i], part);
    return code;
}

static void add(struct stat_out *sum, const struct stat_out *out)
{
    const bool any = sum->ends.any;

    sum->cycles += out->cycles;
    sum->unknown += out->unknown;
    sum->started += out->started;
    sum->completed += out->completed;
    sum->unfinished = out->unfinished;
    sum->aborted += out->aborted;
    sum->ages = out->ages;
    sum->orphans += out->orphans;
    sum->unknown_id += out->unknown_id;
    sum->full += out->full;
    sum->above += out->above;
    sum->most = out->most > sum->most ? out->most : sum->most;
    for (unsigned k = 0; k < 2; k++)
        sum->tainted[k] += out->tainted[k];
    if (out->ends.any)
        sum->ends =
            (struct stat_ends){ true, any ? sum->ends.first : out->ends.first, out->ends.last };
    if (sum->dist.dist)
        pc_dist_add_all(sum->dist.dist, out->dist.dist);
    if (sum->outstanding.dist)
        pc_dist_add_all(sum->outstanding.dist, out->outstanding.dist);
}

void stat_measure_next(struct stat_job *j)
{
    for (size_t i = 0; i < j->measures.count; i++) {
        struct stat_measure *m = &j->measures.item[i];
        add(&m->sum, &m->out);
        m->cycles = 0;
        m->ends = (struct stat_ends){ .any = false };
        m->piece[0].tainted = m->piece[1].tainted = m->tainted = 0;
        if (m->values)
            pc_values_next(m->values);
        if (m->latency)
            pc_latency_next(m->latency);
        if (m->level)
            pc_level_next(m->level);
        if (m->machine)
            stat_machine_next(m);
    }
}

int stat_measure_sums(struct stat_job *j)
{
    int code = CLI_OK;

    for (size_t i = 0; i < j->measures.count && code == CLI_OK; i++) {
        struct stat_measure *m = &j->measures.item[i];
        m->out = m->sum;
        code = m->machine ? stat_machine_take(m, false) : find_both(&m->out);
    }
    return code;
}

/* --- the end --- */

static void warn(const struct stat_job *j, const struct stat_measure *m, const struct stat_dist *d)
{
    if (d->dist && !d->f.complete)
        cli_warning(1811,
                    "%s: %s has more than %zu different values: its percentiles are not known",
                    j->path, m->name, PC_DIST_DISTINCT);
}

static void warn_above(const struct stat_job *j, const struct stat_measure *m)
{
    struct pc_level_figures f;

    pc_level_get_figures(m->level, &f);
    if (m->out.above > 0)
        cli_warning(1813,
                    "%s: %s is above its capacity of %s in %s, for the first time at edge %s "
                    "(counted from 0)",
                    j->path, m->name, cli_grouped(m->capacity), cli_count(m->out.above, "cycle"),
                    cli_grouped(j->window.first + f.first_above));
}

static int finish_ids(const struct stat_job *j, const struct stat_measure *m)
{
    struct pc_latency_figures f;
    struct stat_dist d;
    uint64_t id;
    int code = CLI_OK;

    for (size_t n = 0; code == CLI_OK && (d.dist = pc_latency_of_id(m->latency, n, &id)); n++) {
        code = find_figures(&d);
        if (code == CLI_OK)
            warn(j, m, &d);
    }
    pc_latency_get_figures(m->latency, &f);
    if (m->pieces > STAT_START_ID && !f.all_ids)
        cli_warning(1812, "%s: %s has more than %zu identifiers: the others are not listed by id",
                    j->path, m->name, f.ids);
    return code;
}

int stat_measure_end(struct stat_job *j, double unit)
{
    struct stat_measures *all = &j->measures;
    int code = j->o->interval.text ? stat_measure_sums(j) : stat_measure_interval(j);

    for (size_t i = 0; i < all->count && code == CLI_OK; i++) {
        struct stat_measure *m = &all->item[i];
        if (all->even && all->period > 0)
            m->cycle_seconds = (double)all->period * unit;
        warn(j, m, &m->out.dist);
        warn(j, m, &m->out.outstanding);
        if (m->kind == STAT_LATENCY)
            code = finish_ids(j, m);
        if (m->kind == STAT_LEVEL)
            warn_above(j, m);
    }
    return code;
}
