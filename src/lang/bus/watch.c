/* SPDX-License-Identifier: MIT */
/*
 * Watches the bits of buses, clocks and resets at each timestamp.  Clocks with the same edges are
 * one class: all begin in one, which is split where only some of its members rise.
 */
#include "lang/bus/list.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    EDGES = 4096,      /* of a clock, that are watched at least */
    MOVES = 64,        /* of a handshake */
    MOST_MOVES = 8192, /* of a bit, that are kept */
    MOST_STAMPS = 1 << 20,
    LEAST_CHANGES = 1 << 19, /* of all bits, that are kept at most; for each bus there are */
    BUS_CHANGES = 128,       /* more */
    MOST_CLASSES = 256,      /* of clocks */
    CODE_BITS = 4,           /* at most that many bits has a handshake; */
    PAYLOAD_BITS = 2         /* of more these are watched */
};

/* ---- which bits ---- */

static uint64_t id_of(const struct pc_bus_signal *s, uint32_t bit)
{
    return (uint64_t)s->net << 32 | bit;
}

static void want(struct pc_bus_list *list, size_t signal, uint32_t bit, const struct bus_bit *as)
{
    struct bus_watch *w = &list->watch;

    if (list->no_memory ||
        !pc_grow(&list->alloc, (void **)&w->bit, &w->bit_capacity, w->bits + 1, sizeof *w->bit)) {
        list->no_memory = true;
        return;
    }
    w->bit[w->bits] = *as;
    w->bit[w->bits].id = id_of(&list->f.signal[signal], bit);
    w->bit[w->bits].signal = signal;
    w->bit[w->bits++].bit = bit;
}

static void want_candidate(struct pc_bus_list *list, const struct bus_candidate *c)
{
    struct pc_bus_role r;
    struct bus_bit as = { .class = BUS_NO_CLASS };

    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++) {
        if (c->role[i] == SIZE_MAX || (r.most > CODE_BITS && r.use == PC_BUS_FOR_NOTHING))
            continue;
        const size_t signal = list->f.reading[c->role[i]].signal;
        const struct pc_bus_signal *s = &list->f.signal[signal];
        for (uint32_t lane = 0; lane < (c->lanes ? c->lanes : 1); lane++) {
            uint32_t width, first = bus_lane_bit(s, c->lanes, lane, &width);
            as.valid = r.most == 1 && r.needed;
            if (r.most > CODE_BITS && width > PAYLOAD_BITS)
                width = PAYLOAD_BITS;
            for (uint32_t k = 0; k < width; k++)
                want(list, signal, first + k, &as);
        }
    }
}

static int by_id(const void *a, const void *b)
{
    const struct bus_bit *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/* Sorts the bits; one that is several things is all of them. */
static void join(struct bus_watch *w)
{
    size_t kept = 0;

    if (w->bits > 0)
        qsort(w->bit, w->bits, sizeof *w->bit, by_id);
    for (size_t i = 0; i < w->bits; i++) {
        struct bus_bit *last = kept > 0 ? &w->bit[kept - 1] : NULL;
        if (!last || last->id != w->bit[i].id) {
            w->bit[kept++] = w->bit[i];
            continue;
        }
        last->reset = last->reset || w->bit[i].reset;
        last->valid = last->valid || w->bit[i].valid;
        if (last->class == BUS_NO_CLASS)
            last->class = w->bit[i].class;
    }
    w->bits = kept;
}

size_t pc_bus_watched(const struct pc_bus_list *list, size_t signal, uint32_t bit)
{
    const struct bus_watch *w = &list->watch;
    const uint64_t id = id_of(&list->f.signal[signal], bit);
    size_t low = 0, high = w->bits;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (w->bit[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->bits && w->bit[low].id == id ? low : SIZE_MAX;
}

static struct bus_class *add_class(struct pc_bus_list *list)
{
    struct bus_watch *w = &list->watch;

    if (!pc_grow(&list->alloc, (void **)&w->class, &w->class_capacity, w->classes + 1,
                 sizeof *w->class)) {
        list->no_memory = true;
        return NULL;
    }
    w->class[w->classes] = (struct bus_class){ .members = 0 };
    return &w->class[w->classes++];
}

bool pc_bus_watch_open(struct pc_bus_list *list)
{
    struct bus_watch *w = &list->watch;
    const struct bus_bit clock = { .class = 0 }, reset = { .class = BUS_NO_CLASS, .reset = true };

    for (size_t i = 0; i < list->f.candidates; i++)
        if (!list->f.candidate[i].taken)
            want_candidate(list, &list->f.candidate[i]);
    for (size_t i = 0; i < list->f.clocks && list->entries > 0; i++)
        want(list, list->f.clock[i].signal, 0, list->f.clock[i].is_reset ? &reset : &clock);
    if (list->no_memory)
        return false;
    join(w);
    for (size_t i = 0; i < list->f.clocks && list->entries > 0; i++)
        list->f.clock[i].bit = pc_bus_watched(list, list->f.clock[i].signal, 0);
    struct bus_class *first = add_class(list);
    for (size_t i = 0; first && i < w->bits; i++) {
        first->members += w->bit[i].class == 0;
        w->unmoved += w->bit[i].valid;
    }
    w->most_changes = LEAST_CHANGES + BUS_CHANGES * list->entries;
    const size_t words = (w->bits + 63) / 64;
    w->value = pc_calloc(&list->alloc, words + 1, sizeof *w->value);
    w->unknown = pc_calloc(&list->alloc, words + 1, sizeof *w->unknown);
    for (size_t i = 0; w->unknown && i < words; i++)
        w->unknown[i] = i < w->bits / 64 ? UINT64_MAX : (UINT64_C(1) << w->bits % 64) - 1;
    return first && w->value && w->unknown;
}

void pc_bus_watch_close(struct pc_bus_list *list)
{
    const struct pc_alloc *a = &list->alloc;
    struct bus_watch *w = &list->watch;
    const size_t words = (w->bits + 63) / 64, stamps = w->stamps / 64 + 1;

    for (size_t k = 0; k < w->classes; k++) {
        pc_free(a, w->class[k].rise, w->class[k].capacity * sizeof(uint32_t));
        pc_free(a, w->class[k].at, stamps * sizeof(uint64_t));
        pc_free(a, w->class[k].before, stamps * sizeof(uint32_t));
    }
    pc_free(a, w->class, w->class_capacity * sizeof *w->class);
    pc_free(a, w->value, (words + 1) * sizeof *w->value);
    pc_free(a, w->unknown, (words + 1) * sizeof *w->unknown);
    pc_free(a, w->time, w->time_capacity * sizeof *w->time);
    pc_free(a, w->change, w->change_capacity * sizeof *w->change);
    pc_free(a, w->first, (w->bits + 1) * sizeof *w->first);
    pc_free(a, w->resets, stamps * sizeof *w->resets);
    pc_free(a, w->bit, w->bit_capacity * sizeof *w->bit);
    *w = (struct bus_watch){ .bits = 0 };
}

enum pc_status pc_bus_list_bit(const struct pc_bus_list *list, size_t i, struct pc_bus_bit *out)
{
    if (i >= list->watch.bits)
        return PC_END;
    *out = (struct pc_bus_bit){ list->watch.bit[i].signal, list->watch.bit[i].bit };
    return PC_OK;
}

/* ---- a timestamp ---- */

static void add_rise(struct pc_bus_list *list, struct bus_class *k, uint32_t stamp)
{
    if (!pc_grow(&list->alloc, (void **)&k->rise, &k->capacity, k->rises + 1, sizeof *k->rise)) {
        list->no_memory = true;
        return;
    }
    k->rise[k->rises++] = stamp;
    if (k->rises > list->watch.most_rises)
        list->watch.most_rises = k->rises;
}

/* Makes a class for those of the class that rise now, with the edges of before; NULL: there is
 * none. */
static struct bus_class *split(struct pc_bus_list *list, size_t from)
{
    struct bus_class *k = list->watch.classes < MOST_CLASSES ? add_class(list) : NULL,
                     *old = &list->watch.class[from];

    if (!k || old->rises == 0)
        return k;
    if (!pc_grow(&list->alloc, (void **)&k->rise, &k->capacity, old->rises, sizeof *k->rise)) {
        list->no_memory = true;
        return NULL;
    }
    memcpy(k->rise, old->rise, old->rises * sizeof *k->rise);
    k->rises = old->rises;
    return k;
}

/* Calls for each bit that rises now and is a clock; what is known to be 0 before and 1 now. */
static void look_at_clocks(struct pc_bus_list *list, const uint64_t *value, const uint64_t *unknown,
                           uint32_t stamp)
{
    struct bus_watch *w = &list->watch;
    const size_t words = (w->bits + 63) / 64, known = w->classes;
    uint32_t into[MOST_CLASSES];

    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < words; i++) {
            uint64_t rises = value[i] & ~unknown[i] & ~w->value[i] & ~w->unknown[i];
            for (; rises; rises &= rises - 1) {
                struct bus_bit *b = &w->bit[64 * i + (size_t)__builtin_ctzll(rises)];
                if (b->class == BUS_NO_CLASS)
                    continue;
                if (pass == 0)
                    w->class[b->class].rose++;
                else if (into[b->class] != b->class)
                    b->class = into[b->class];
            }
        }
        for (size_t k = 0; k < known && pass == 0 && !list->no_memory; k++) {
            const size_t rose = w->class[k].rose;
            into[k] = (uint32_t)k;
            w->class[k].rose = 0;
            if (rose == 0)
                continue;
            struct bus_class *to = rose == w->class[k].members ? &w->class[k] : split(list, k);
            into[k] = to ? (uint32_t)(to - w->class) : BUS_NO_CLASS;
            if (to != &w->class[k])
                w->class[k].members -= rose;
            if (to && to != &w->class[k])
                to->members = rose;
            if (to)
                add_rise(list, to, stamp);
        }
    }
}

static void look_at_bits(struct pc_bus_list *list, const uint64_t *value, const uint64_t *unknown,
                         uint32_t stamp)
{
    struct bus_watch *w = &list->watch;
    const size_t words = (w->bits + 63) / 64;

    for (size_t i = 0; i < words && !list->no_memory; i++) {
        const uint64_t is = value[i] & ~unknown[i];
        uint64_t moved = (is ^ w->value[i]) | (unknown[i] ^ w->unknown[i]);
        const uint64_t known = moved & ~unknown[i] & ~w->unknown[i];
        for (; moved; moved &= moved - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(moved);
            struct bus_bit *b = &w->bit[64 * i + k];
            if (b->class != BUS_NO_CLASS || b->moves >= MOST_MOVES)
                continue;
            if (!pc_grow(&list->alloc, (void **)&w->change, &w->change_capacity, w->changes + 1,
                         sizeof *w->change)) {
                list->no_memory = true;
                return;
            }
            const unsigned level = (unsigned)(is >> k & 1) | (unsigned)(unknown[i] >> k & 1) << 1;
            w->change[w->changes++] = (struct bus_change){ .bit = (uint32_t)(64 * i + k),
                                                           .stamp = stamp & 0x3fffffff,
                                                           .value = level & 3 };
            b->moves += (uint32_t)(known >> k & 1);
            w->unmoved -= (known >> k & 1) && b->valid && b->moves == MOVES;
        }
        w->value[i] = is;
        w->unknown[i] = unknown[i];
    }
}

enum pc_status pc_bus_watch(struct pc_bus_list *list, uint64_t time, const uint64_t *value,
                            const uint64_t *unknown, enum pc_bus_evidence *out,
                            struct pc_error *err)
{
    struct bus_watch *w = &list->watch;
    const uint32_t stamp = (uint32_t)w->stamps;

    *out = PC_BUS_FULL;
    if (w->changes >= w->most_changes || w->stamps >= MOST_STAMPS)
        return PC_OK;
    if (!pc_grow(&list->alloc, (void **)&w->time, &w->time_capacity, w->stamps + 1,
                 sizeof *w->time))
        return pc_fail(err, 100, "no memory to find buses");
    w->time[w->stamps++] = time;
    look_at_clocks(list, value, unknown, stamp);
    look_at_bits(list, value, unknown, stamp);
    if (list->no_memory)
        return pc_fail(err, 100, "no memory to find buses");
    *out = w->most_rises < EDGES ? PC_BUS_TOO_LITTLE : w->unmoved > 0 ? PC_BUS_SOME : PC_BUS_ENOUGH;
    return PC_OK;
}

/* ---- all of them ---- */

/* Sorts changes in the order of their bits. */
static bool sort_changes(struct pc_bus_list *list)
{
    struct bus_watch *w = &list->watch;
    struct bus_change *sorted = pc_calloc(&list->alloc, w->changes + 1, sizeof *sorted);

    w->first = pc_calloc(&list->alloc, w->bits + 1, sizeof *w->first);
    if (!sorted || !w->first) {
        pc_free(&list->alloc, sorted, (w->changes + 1) * sizeof *sorted);
        return false;
    }
    for (size_t i = 0; i < w->changes; i++)
        w->first[w->change[i].bit]++;
    for (size_t b = 0, sum = 0; b <= w->bits; b++) {
        const size_t here = w->first[b];
        w->first[b] = sum;
        sum += here;
    }
    for (size_t i = 0; i < w->changes; i++)
        sorted[w->first[w->change[i].bit]++] = w->change[i];
    for (size_t b = w->bits; b > 0; b--)
        w->first[b] = w->first[b - 1];
    w->first[0] = 0;
    pc_free(&list->alloc, w->change, w->change_capacity * sizeof *w->change);
    w->change = sorted;
    w->change_capacity = w->changes + 1;
    return true;
}

static bool settle_class(struct pc_bus_list *list, struct bus_class *k)
{
    const struct bus_watch *w = &list->watch;
    const size_t words = w->stamps / 64 + 1;
    uint64_t least = UINT64_MAX, most = 0;

    k->at = pc_calloc(&list->alloc, words, sizeof *k->at);
    k->before = pc_calloc(&list->alloc, words, sizeof *k->before);
    if (!k->at || !k->before)
        return false;
    for (size_t i = 0; i < k->rises; i++) {
        k->at[k->rise[i] / 64] |= UINT64_C(1) << k->rise[i] % 64;
        if (i == 0)
            continue;
        const uint64_t period = w->time[k->rise[i]] - w->time[k->rise[i - 1]];
        least = period < least ? period : least;
        most = period > most ? period : most;
    }
    for (size_t i = 1; i < words; i++)
        k->before[i] = k->before[i - 1] + (uint32_t)__builtin_popcountll(k->at[i - 1]);
    k->regular = k->rises > 2 && most - least <= least / 2;
    return true;
}

/* A signal that moves more often is not a reset. */
static bool is_quiet_reset(const struct bus_bit *b)
{
    return b->reset && b->moves <= MOVES;
}

bool pc_bus_watch_settle(struct pc_bus_list *list)
{
    struct bus_watch *w = &list->watch;
    bool done = sort_changes(list);

    w->resets = pc_calloc(&list->alloc, w->stamps / 64 + 1, sizeof *w->resets);
    for (size_t k = 0; done && k < w->classes; k++)
        done = settle_class(list, &w->class[k]);
    for (size_t b = 0; done && w->resets && b < w->bits; b++)
        for (size_t i = w->first[b]; is_quiet_reset(&w->bit[b]) && i < w->first[b + 1]; i++)
            w->resets[w->change[i].stamp / 64] |= UINT64_C(1) << w->change[i].stamp % 64;
    return done && w->resets;
}
