/* SPDX-License-Identifier: MIT */
/*
 * Edges of two captures in the order of time.  An edge belongs to one of the other capture if that
 * is of its signal, has its value, and is not further away than the jitter.  Of those that are left
 * two of one side, one after the other and back, are a pulse; two of both sides with one value are
 * an edge that moved.
 */
#include "diff/diff_align.h"

#include <stdlib.h>
#include <string.h>

const char *const align_kinds[] = { "other level",   "moved",      "other value",  "extra pulse",
                                    "missing pulse", "extra edge", "missing edge", NULL };

enum { WAITING = 8 }; /* edges of a signal within one jitter: more are told as they are */

/* An edge, at a time of the first capture, and the value of its side before it. */
struct step {
    struct align_edge edge;
    uint64_t was, was_unknown;
};
struct waiting {
    struct step step[WAITING];
    size_t count;
};
/* A signal of both sides. */
struct pair {
    struct waiting waiting[2];
    struct step held;              /* an edge that belongs to none */
    int held_side;                 /* -1: there is none */
    uint64_t value[2], unknown[2]; /* levels of the sides */
    bool other;                    /* levels at the start differ so far */
};
struct match {
    struct align_result *r;
    const struct align_shift *s;
    const struct align_names *n;
    struct pair *pair;
    int64_t start, settled; /* the begin of both; edges up to `settled` are only levels */
    int64_t end;            /* of both, once it is known; INT64_MAX */
    bool no_memory;
};

/* --- differences --- */

static void tell(struct match *m, struct align_difference d)
{
    struct align_result *r = m->r;
    struct align_count *c = &r->count[d.signal];

    c->of[d.kind]++;
    r->differences++;
    if (!c->any || d.before < c->first.before)
        c->first = d;
    c->any = true;
    if (r->kept == ALIGN_KEPT)
        return;
    if (r->kept == r->capacity) {
        const size_t capacity = r->capacity ? 2 * r->capacity : 64;
        void *more = realloc(r->difference, capacity * sizeof *r->difference);
        m->no_memory |= !more;
        if (!more)
            return;
        r->difference = more;
        r->capacity = capacity;
    }
    r->difference[r->kept++] = d;
}

static struct align_difference difference(const struct match *m, enum align_kind kind,
                                          const struct align_edge *e)
{
    return (struct align_difference){ .kind = kind,
                                      .signal = e->signal,
                                      .before = e->time,
                                      .after = e->time + m->s->shift,
                                      .value = e->value,
                                      .unknown = e->unknown };
}

/* Edges near the ends may have their other half outside. */
static bool is_near_end(const struct match *m, const struct align_edge *e)
{
    return e->time <= m->settled + m->s->jitter ||
           (m->end != INT64_MAX && e->time >= m->end - m->s->jitter);
}

static void tell_held(struct match *m, struct pair *p)
{
    const struct align_edge *e = &p->held.edge;

    if (p->held_side >= 0 && !is_near_end(m, e))
        tell(m, difference(m, p->held_side ? ALIGN_EXTRA_EDGE : ALIGN_MISSING_EDGE, e));
    p->held_side = -1;
}

/* Tells what two edges that follow each other are together: d is of the first one. One of them that
 * is not near an end is enough: it belongs to none of the other side. */
static void tell_two(struct match *m, struct pair *p, const struct align_edge *e,
                     struct align_difference d)
{
    if (!is_near_end(m, e) || !is_near_end(m, &p->held.edge))
        tell(m, d);
    p->held_side = -1;
}

/* An edge of a side belongs to none. */
static void alone(struct match *m, struct pair *p, int side, const struct step *now)
{
    const struct align_edge *e = &now->edge, *held = &p->held.edge;
    const bool any = p->held_side >= 0;

    if (any && p->held_side != side && held->value == e->value && held->unknown == e->unknown) {
        const struct align_edge *before = side ? held : e, *after = side ? e : held;
        struct align_difference d = difference(m, ALIGN_MOVED, before);
        d.after = after->time + m->s->shift;
        d.length = after->time - before->time;
        tell_two(m, p, e, d);
        return;
    }
    if (any && p->held_side != side && e->time - held->time <= m->s->jitter &&
        held->time - e->time <= m->s->jitter) {
        struct align_difference d = difference(m, ALIGN_VALUE, side ? held : e);
        const struct align_edge *after = side ? e : held;
        d.after = after->time + m->s->shift;
        d.value = after->value;
        d.unknown = after->unknown;
        tell_two(m, p, e, d);
        return;
    }
    if (any && p->held_side == side && p->held.was == e->value &&
        p->held.was_unknown == e->unknown) {
        struct align_difference d =
            difference(m, side ? ALIGN_EXTRA_PULSE : ALIGN_MISSING_PULSE, held);
        d.length = e->time - held->time;
        tell_two(m, p, e, d);
        return;
    }
    tell_held(m, p);
    p->held = *now;
    p->held_side = side;
}

/* --- matching --- */

static void drop_first(struct waiting *w)
{
    w->count--;
    memmove(&w->step[0], &w->step[1], w->count * sizeof w->step[0]);
}

static void expire_first(struct match *m, struct pair *p, int side)
{
    const struct step first = p->waiting[side].step[0];

    drop_first(&p->waiting[side]);
    alone(m, p, side, &first);
}

/* Edges that have waited for longer than the jitter, oldest first. */
static void expire(struct match *m, struct pair *p, int64_t now)
{
    for (;;) {
        int side = -1;
        for (int k = 0; k < 2; k++)
            if (p->waiting[k].count > 0 && p->waiting[k].step[0].edge.time < now - m->s->jitter &&
                (side < 0 || p->waiting[k].step[0].edge.time < p->waiting[side].step[0].edge.time))
                side = k;
        if (side < 0)
            return;
        expire_first(m, p, side);
    }
}

static void take(struct match *m, int side, const struct step *now)
{
    const struct align_edge *e = &now->edge;
    struct pair *p = &m->pair[e->signal];
    struct waiting *other = &p->waiting[!side], *own = &p->waiting[side];
    struct align_count *c = &m->r->count[e->signal];
    size_t at = 0;

    *(side ? &c->after : &c->before) += 1;
    expire(m, p, e->time);
    while (at < other->count &&
           (other->step[at].edge.value != e->value || other->step[at].edge.unknown != e->unknown))
        at++;
    if (at == other->count) {
        if (own->count == WAITING)
            expire_first(m, p, side);
        own->step[own->count++] = *now;
        return;
    }
    const int64_t skew = e->time - other->step[at].edge.time;
    while (at-- > 0) /* those before it belong to none */
        expire_first(m, p, !side);
    while (own->count > 0)
        expire_first(m, p, side);
    drop_first(other);
    tell_held(m, p);
    c->matched++;
    c->skew = skew > c->skew ? skew : c->skew;
}

/* Levels are the same again, or not, until the begin is over. */
static void settle(struct match *m, int side, const struct align_edge *e)
{
    struct pair *p = &m->pair[e->signal];

    p->value[side] = e->value;
    p->unknown[side] = e->unknown;
    if (p->value[0] == p->value[1] && p->unknown[0] == p->unknown[1])
        p->other = false;
}

/* --- all of it --- */

static void begin_levels(struct match *m)
{
    for (uint32_t i = 0; i < m->n->signals; i++) {
        struct pair *p = &m->pair[i];
        p->other = p->value[0] != p->value[1] || p->unknown[0] != p->unknown[1];
    }
}

/* A signal whose levels never became the same near the begin. */
static void tell_levels(struct match *m)
{
    for (uint32_t i = 0; i < m->n->signals; i++) {
        if (!m->pair[i].other)
            continue;
        const struct align_edge e = { m->settled, i, m->pair[i].value[1], m->pair[i].unknown[1] };
        tell(m, difference(m, ALIGN_LEVEL, &e));
        m->pair[i].other = false;
    }
}

/* An edge of a side in its turn. */
static void take_turn(struct match *m, int side, const struct align_edge *e, bool *begun,
                      bool *told)
{
    if (e->time > m->settled && !*begun) {
        begin_levels(m);
        *begun = true;
    }
    if (e->time > m->settled + m->s->jitter && !*told) {
        tell_levels(m);
        *told = true;
    }
    const struct step now = { *e, m->pair[e->signal].value[side],
                              m->pair[e->signal].unknown[side] };
    settle(m, side, e);
    if (e->time > m->settled)
        take(m, side, &now);
}

static int next_of(const struct match *m, struct align_side *s, int side, struct align_edge *e)
{
    const int code = align_side_next(s, e);

    if (side)
        e->time -= m->s->shift;
    return code;
}

/* The first edges, and the levels at the first timestamps. */
static int begin(struct match *m, struct align_side side[2], struct align_edge e[2])
{
    int code = CLI_OK;

    for (int k = 0; k < 2 && code == CLI_OK; k++) {
        code = next_of(m, &side[k], k, &e[k]);
        for (uint32_t i = 0; code == CLI_OK && i < m->n->signals; i++) {
            m->pair[i].value[k] = side[k].initial[i].value;
            m->pair[i].unknown[k] = side[k].initial[i].unknown;
            m->pair[i].held_side = -1;
        }
    }
    const int64_t first = side[1].first - m->s->shift;
    m->start = side[0].first > first ? side[0].first : first;
    m->settled = m->start + m->s->jitter;
    return code;
}

/* One that has ended: what is later is outside of it. */
static void find_end(struct match *m, const struct align_side side[2])
{
    for (int k = 0; k < 2; k++) {
        const int64_t last = side[k].last - (k ? m->s->shift : 0);
        if (side[k].ended && last < m->end)
            m->end = last;
    }
}

static int run(struct match *m, struct align_side side[2])
{
    struct align_edge e[2];
    bool begun = false, told = false;
    int code = begin(m, side, e);

    while (code == CLI_OK && (e[0].signal != UINT32_MAX || e[1].signal != UINT32_MAX)) {
        const int k = e[0].signal == UINT32_MAX   ? 1
                      : e[1].signal == UINT32_MAX ? 0
                                                  : e[1].time < e[0].time;
        find_end(m, side);
        if (e[k].time > m->end)
            break;
        take_turn(m, k, &e[k], &begun, &told);
        code = next_of(m, &side[k], k, &e[k]);
    }
    find_end(m, side);
    if (code == CLI_OK && !begun)
        begin_levels(m);
    if (code == CLI_OK && !told && m->end > m->start)
        tell_levels(m);
    for (uint32_t i = 0; i < m->n->signals && code == CLI_OK; i++) {
        expire(m, &m->pair[i], INT64_MAX);
        tell_held(m, &m->pair[i]);
    }
    return code;
}

static int by_time(const void *a, const void *b)
{
    const struct align_difference *x = a, *y = b;

    if (x->before != y->before)
        return x->before < y->before ? -1 : 1;
    return (x->signal > y->signal) - (x->signal < y->signal);
}

int align_match(struct align_result *r, const struct align_shift *s, const struct align_names *n,
                struct align_side side[2])
{
    struct match m = { .r = r, .s = s, .n = n, .end = INT64_MAX };

    m.pair = calloc(n->signals + 1, sizeof *m.pair);
    r->count = calloc(n->signals + 1, sizeof *r->count);
    int code = m.pair && r->count ? run(&m, side) : cli_no_memory();
    free(m.pair);
    if (code == CLI_OK && m.no_memory)
        code = cli_no_memory();
    if (code)
        return code;
    r->from = m.start;
    r->to = m.end;
    if (r->kept > 0)
        qsort(r->difference, r->kept, sizeof *r->difference, by_time);
    if (m.end > m.start)
        return CLI_OK;
    struct pc_error err;
    cli_fail(&err, 1705, "at this shift the captures have no time in common");
    return cli_error(&err, NULL, NULL);
}

void align_free_result(struct align_result *r)
{
    free(r->count);
    free(r->difference);
}
