/* SPDX-License-Identifier: MIT */
/*
 * The clock of a bus: the one whose edges are at the timestamps at which its signals change.  Of
 * several the one with the fewest edges explains most; where that may be chance names decide.
 */
#include "lang/bus/proof.h"

#include <string.h>

enum { FEW_DELAYS = 3, PERCENT = 98 };

/* ---- what changes ---- */

void pc_delays_add(struct pc_delays *d, uint64_t delay, uint64_t slack)
{
    size_t i = 0;

    while (i < d->different &&
           (delay > d->delay[i] ? delay - d->delay[i] : d->delay[i] - delay) > slack)
        i++;
    d->all++;
    if (i == PC_DELAYS)
        return;
    if (i == d->different) {
        d->delay[d->different++] = delay;
        d->count[i] = 0;
    }
    d->count[i]++;
}

uint64_t pc_delays_most(const struct pc_delays *d, uint64_t *delay)
{
    uint64_t most = 0;

    for (size_t i = 0; i < d->different; i++)
        if (d->count[i] > most) {
            most = d->count[i];
            if (delay)
                *delay = d->delay[i];
        }
    return most;
}

/* A first change of each delay says nothing: whatever it is, it is one. */
static void take_delays(struct bus_rank *r, const struct pc_delays *d,
                        const struct pc_delays *ahead)
{
    uint64_t most[FEW_DELAYS] = { 0 }, few = 0, firsts = 0;
    const uint64_t before = ahead->all == d->all ? pc_delays_most(ahead, NULL) : 0;

    for (size_t i = 0; i < d->different; i++) {
        uint64_t count = d->count[i];
        for (size_t k = 0; k < FEW_DELAYS; k++)
            if (count > most[k]) {
                const uint64_t less = most[k];
                most[k] = count;
                count = less;
            }
    }
    for (size_t k = 0; k < FEW_DELAYS; k++) {
        few += most[k];
        firsts += most[k] > 0;
    }
    if (d->all > 0) {
        r->late[0] += (before > most[0] ? before : most[0]) - 1;
        r->of[0] += d->all - 1;
        r->late[1] += few - firsts;
        r->of[1] += d->all - firsts;
    }
}

/* Counts changes of a bit from known to known, but where a reset changes. */
static void tally_bit(struct bus_subject *s, size_t bit, const struct bus_class *k,
                      struct bus_rank *r)
{
    const struct bus_watch *w = &s->list->watch;
    struct pc_delays delays = { .all = 0 }, ahead = { .all = 0 };
    unsigned before = 2;
    size_t cycle = 0;

    for (size_t i = w->first[bit]; i < w->first[bit + 1]; i++) {
        const uint32_t stamp = w->change[i].stamp;
        const bool known = before < 2 && w->change[i].value < 2;
        before = w->change[i].value;
        if (!known || (w->resets[stamp / 64] >> stamp % 64 & 1))
            continue;
        const size_t rises = bus_rises_before(k, stamp) + bus_rises_at(k, stamp);
        if (rises == 0)
            continue;
        const uint64_t delay = w->time[stamp] - w->time[k->rise[rises - 1]];
        r->again += rises == cycle;
        cycle = rises;
        r->changes++;
        r->hits += delay == 0;
        pc_delays_add(&delays, delay, 0);
        if (rises < k->rises)
            pc_delays_add(&ahead, w->time[k->rise[rises]] - w->time[stamp], 0);
        else
            ahead.all++; /* none comes after the last edge: as all that were before */
    }
    take_delays(r, &delays, &ahead);
    s->moves = delays.all > s->moves ? delays.all : s->moves;
}

static void tally(struct bus_subject *s)
{
    const struct bus_watch *w = &s->list->watch;

    s->moves = 0;
    for (size_t k = 0; k < w->classes; k++)
        for (size_t i = 0; w->class[k].rises > 0 && i < s->bits; i++)
            tally_bit(s, s->bit[i], &w->class[k], &s -> rank[k]);
}

/* ---- what names say ---- */

static bool is_better(const struct bus_rank *a, const struct bus_rank *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->fit > b->fit;
}

static bool rank_near(void *ctx, const struct bus_near *near)
{
    struct bus_subject *s = ctx;
    const struct bus_clock *clock = &s->list->f.clock[near->clock];
    const uint32_t class = s->list->watch.bit[clock->bit].class;
    struct bus_rank now = { near->clock, near->distance, near->fit, 0, 0, { 0 }, { 0 }, 0 };

    if (class == BUS_NO_CLASS || !is_better(&now, &s->rank[class]))
        return true;
    if (s->is_alias && s->rank[class].clock != SIZE_MAX) /* its own name says where it is */
        now.clock = s->rank[class].clock;
    s->rank[class] = now;
    return true;
}

/* Clocks that are in no scope around it, by the first name of each. */
static void rank_others(struct bus_subject *s)
{
    const struct bus_finder *f = &s->list->f;

    for (size_t i = 0; i < f->clocks; i++) {
        const uint32_t class =
            f->clock[i].is_reset ? BUS_NO_CLASS : s->list->watch.bit[f->clock[i].bit].class;
        if (class != BUS_NO_CLASS && s->rank[class].clock == SIZE_MAX)
            s->rank[class].clock = i;
    }
}

static void rank_all(struct bus_subject *s)
{
    for (size_t k = 0; k < s->list->watch.classes; k++)
        s->rank[k] = (struct bus_rank){ .clock = SIZE_MAX, .distance = BUS_FAR };
    s->is_alias = false;
    pc_bus_each_near(&s->list->f, s->c, false, rank_near, s);
    s->is_alias = true;
    for (size_t a = s->c->aliases; a != SIZE_MAX; a = s->list->f.candidate[a].alias)
        pc_bus_each_near(&s->list->f, &s->list->f.candidate[a], false, rank_near, s);
    rank_others(s);
}

/* ---- the choice ---- */

static bool is_most(uint64_t part, uint64_t whole)
{
    return whole > 0 && part * 100 >= whole * PERCENT;
}

/* Level 0: it explains the changes; 1, 2: they are as long after its edges, or one of a few times.
 */
static bool explains(const struct bus_rank *r, unsigned level)
{
    return level == 0 ? is_most(r->hits, r->changes)
                      : is_most(r->late[level - 1], r->of[level - 1]);
}

/*
 * Returns true unless it may be chance that what changes at edges of the faster clock does so at
 * those of the slower one alone. One in a hundred is not chance.
 */
static bool is_proven(const struct bus_subject *s, const struct bus_class *slow,
                      const struct bus_class *fast)
{
    double chance = 1;

    for (uint64_t i = 0; i < s->moves && chance > 0.01; i++)
        chance *= (double)slow->rises / (double)fast->rises;
    return slow->regular && chance <= 0.01;
}

static uint32_t be_unsure(struct bus_subject *s, uint32_t a, uint32_t b, const char *why)
{
    s->entry->unsure = why;
    s->entry->clock = s->rank[a].clock;
    s->entry->pair[0] = s->rank[a].clock;
    s->entry->pair[1] = b == BUS_NO_CLASS ? SIZE_MAX : s->rank[b].clock;
    return a;
}

/* Returns the one of those at this distance, or of all, that the data or the names prefer. */
static uint32_t choose(struct bus_subject *s, unsigned distance, unsigned level)
{
    const struct bus_watch *w = &s->list->watch;
    uint32_t best = BUS_NO_CLASS, rival = BUS_NO_CLASS;

    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t k = 0; k < w->classes; k++) {
            const struct bus_rank *r = &s->rank[k];
            if (w->class[k].rises == 0 || k == best || !explains(r, level) ||
                (distance != BUS_FAR && r->distance != distance))
                continue;
            if (pass == 0) {
                if (best == BUS_NO_CLASS || w->class[k].rises < w->class[best].rises)
                    best = k;
            } else if (is_proven(s, &w->class[best], &w -> class[k]) ||
                       is_better(&s->rank[best], r)) {
                continue;
            } else if (is_better(r, &s->rank[best])) {
                best = k;
                rival = BUS_NO_CLASS;
            } else {
                rival = k;
            }
        }
    return rival == BUS_NO_CLASS
               ? best
               : be_unsure(s, best, rival, "both clocks explain its changes, and differ");
}

static uint32_t of_distance(struct bus_subject *s, unsigned level)
{
    unsigned next = 0, last = 0;

    for (bool more = true; more; last = next + 1) {
        more = false;
        for (size_t k = 0; k < s->list->watch.classes; k++) {
            const unsigned d = s->rank[k].distance;
            if (d != BUS_FAR && d >= last && (!more || d < next)) {
                next = d;
                more = true;
            }
        }
        const uint32_t found = more ? choose(s, next, level) : BUS_NO_CLASS;
        if (found != BUS_NO_CLASS)
            return found;
    }
    return BUS_NO_CLASS;
}

/* No data: the one clock of the nearest scope that has some. */
static uint32_t of_names(struct bus_subject *s)
{
    const struct bus_watch *w = &s->list->watch;
    uint32_t best = BUS_NO_CLASS, rival = BUS_NO_CLASS;

    for (uint32_t k = 0; k < w->classes; k++) {
        if (w->class[k].rises == 0 || s->rank[k].clock == SIZE_MAX)
            continue;
        if (best == BUS_NO_CLASS || s->rank[k].distance < s->rank[best].distance) {
            best = k;
            rival = BUS_NO_CLASS;
        } else if (s->rank[k].distance == s->rank[best].distance) {
            rival = k;
        }
    }
    return rival == BUS_NO_CLASS
               ? best
               : be_unsure(s, best, rival, "it does not move, and there are several clocks");
}

/* Returns true if bits change once a cycle, except for a few. */
static bool may_clock(const struct bus_rank *r)
{
    return r->again * 4 <= r->changes;
}

/* Returns the two that explain most; a clock that there is alone is the one. */
static uint32_t contradicted(struct bus_subject *s)
{
    const struct bus_watch *w = &s->list->watch;
    uint32_t best = BUS_NO_CLASS, second = BUS_NO_CLASS;

    for (uint32_t k = 0; k < w->classes; k++) {
        if (w->class[k].rises == 0)
            continue;
        if (best == BUS_NO_CLASS || s->rank[k].hits > s->rank[best].hits) {
            second = best;
            best = k;
        } else if (second == BUS_NO_CLASS || s->rank[k].hits > s->rank[second].hits) {
            second = k;
        }
    }
    return best == BUS_NO_CLASS || (second == BUS_NO_CLASS && may_clock(&s->rank[best]))
               ? best
               : be_unsure(s, best, second, "no clock explains its changes");
}

static uint32_t find_class(struct bus_subject *s)
{
    uint32_t found = BUS_NO_CLASS;

    if (s->moves == 0)
        return of_names(s);
    for (unsigned step = 0; step < 5 && found == BUS_NO_CLASS; step++) {
        static const struct {
            bool far;
            unsigned level;
        } steps[] = { { false, 0 }, { false, 1 }, { true, 0 }, { false, 2 }, { true, 1 } };
        found = steps[step].far ? choose(s, BUS_FAR, steps[step].level)
                                : of_distance(s, steps[step].level);
    }
    return found == BUS_NO_CLASS ? contradicted(s) : found;
}

/* Keeps what is reported of it, and of the one that comes next. */
static void take_proof(struct bus_subject *s, uint32_t class)
{
    const struct bus_watch *w = &s->list->watch;
    struct pc_bus_proof *p = &s->entry->proof;
    const struct bus_rank *r = &s->rank[class];
    uint32_t other = BUS_NO_CLASS;

    p->changes = r->changes;
    p->explained = r->hits;
    if (r->hits < r->changes && (explains(r, 1) || explains(r, 2)))
        p->explained = r->changes;
    for (uint32_t k = 0; k < w->classes; k++) {
        if (w->class[k].rises == 0)
            continue;
        p->clocks++;
        if (k != class && (other == BUS_NO_CLASS || s->rank[k].hits > s->rank[other].hits))
            other = k;
    }
    p->edges = w->class[class].rises;
    if (other == BUS_NO_CLASS)
        return;
    s->entry->other = s->rank[other].clock;
    p->other_explained = s->rank[other].hits;
}

uint32_t pc_bus_prove_clock(struct bus_subject *s)
{
    rank_all(s);
    tally(s);
    const uint32_t class = find_class(s);
    if (class == BUS_NO_CLASS)
        return class;
    s->entry->clock = s->rank[class].clock;
    take_proof(s, class);
    return class;
}
