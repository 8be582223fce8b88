/* SPDX-License-Identifier: MIT */
/* The counts of `pcounter stat`: of an interval, and of all of them. */
#include "stat_count.h"
#include "text/ones.h"

#include <inttypes.h>

int stat_settle(struct stat_job *j)
{
    for (size_t n = 0; n < j->events; n++) {
        struct stat_event *e = &j->event[n];
        if (!j->chip)
            e->value = e->popcount;
        if (e->state == STAT_EXACT && e->value != e->popcount)
            return cli_error_at(337, &e->place, 1, NULL,
                                "%s: the model counts %" PRIu64 ", the expression %" PRIu64,
                                e->name, e->value, e->popcount);
        if (e->state == STAT_EXACT && e->tainted)
            e->state = STAT_TAINTED;
    }
    return CLI_OK;
}

/*
 * An interval's count is that of the expression, which the unit's count of all confirms in the end;
 * with --engine step the unit has also counted it.  It is then part of the sum.
 */
static int tell_interval(struct stat_count *c, const struct stat_interval *interval)
{
    for (size_t n = 0; !c->j->o->step && n < c->j->events; n++)
        c->j->event[n].value = c->j->event[n].popcount;
    int code = stat_settle(c->j);
    if (code == CLI_OK)
        code = stat_measure_interval(c->j);
    if (code)
        return code;
    stat_report_interval(c->report, interval);
    stat_measure_next(c->j);
    for (size_t n = 0; n < c->j->events; n++) {
        struct stat_event *e = &c->j->event[n];
        e->sum.value += c->j->o->step ? e->value : 0;
        e->sum.tainted += e->tainted;
        e->sum.popcount += e->popcount;
        if (e->state > e->sum.state && e->state != STAT_TAINTED)
            e->sum.state = e->state;
        e->value = e->tainted = e->popcount = 0;
        e->state = STAT_EXACT;
    }
    return CLI_OK;
}

int stat_tell_empty(struct stat_count *c)
{
    struct stat_interval interval;
    int code = CLI_OK;

    while (code == CLI_OK && stat_timeline_empty(c->timeline, &interval))
        code = tell_interval(c, &interval);
    return code;
}

int stat_end_interval(struct stat_count *c, uint64_t end)
{
    struct stat_interval interval;
    stat_timeline_next(c->timeline, end, &interval);
    const int code = tell_interval(c, &interval);
    return code ? code : stat_tell_empty(c);
}

int stat_end_last(struct stat_count *c, bool partial)
{
    struct stat_interval interval;
    stat_timeline_last(c->timeline, c->start + c->cycles, &interval);
    interval.partial = partial;
    int code = tell_interval(c, &interval);
    while (code == CLI_OK && stat_timeline_rest(c->timeline, &interval))
        code = tell_interval(c, &interval);
    for (size_t n = 0; n < c->j->events; n++) {
        struct stat_event *e = &c->j->event[n];
        e->value = e->sum.value;
        e->tainted = e->sum.tainted;
        e->popcount = e->sum.popcount;
        e->state = e->sum.state;
    }
    return code ? code : stat_settle(c->j);
}

void stat_take_sums(struct stat_count *c)
{
    for (size_t n = 0; n < c->j->events; n++) {
        struct stat_event *e = &c->j->event[n];
        e->popcount = e->sum.popcount;
        e->value = c->j->o->step ? e->sum.value : e->popcount; /* as its rows have it */
        e->tainted = e->sum.tainted;
        e->state = e->sum.state == STAT_EXACT && e->tainted ? STAT_TAINTED : e->sum.state;
    }
    (void)!stat_measure_sums(c->j); /* without memory, which was told, figures are empty */
}

static uint64_t ones_between(const uint64_t *words, uint64_t from, uint64_t to)
{
    const uint64_t first = UINT64_MAX << from % 64, last = UINT64_MAX >> (63 - (to - 1) % 64);
    const size_t begin = (size_t)(from / 64), end = (size_t)((to - 1) / 64);

    if (begin == end)
        return cli_ones(words[begin] & first & last);
    return cli_ones(words[begin] & first) + cli_ones(words[end] & last) +
           pc_plane_ones(words + begin + 1, end - begin - 1);
}

void stat_add_ones(struct stat_count *c, const struct stat_stretch *s, uint64_t from, uint64_t to)
{
    for (size_t n = 0; n < c->j->events; n++) {
        struct stat_event *e = &c->j->event[n];
        for (uint32_t b = 0; b < (e->wire ? e->bits : 1); b++)
            e->popcount += ones_between(s->bits + (e->plane + b) * s->stride + s->lead, from, to)
                           << b;
        if (s->looked && s->tainted[n])
            e->tainted += ones_between(s->taint + n * s->stride + s->lead, from, to);
    }
}
