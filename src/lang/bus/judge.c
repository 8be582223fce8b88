/* SPDX-License-Identifier: MIT */
/* Judges all buses of the list by what was watched. */
#include "lang/bus/proof.h"

#include "base/error.h"

#include <string.h>

enum { CODE_BITS = 4, FEW = 8, EDGES = 16 };

/* ---- numbers ---- */

/* A vector's value over time: by how much it changes. */
struct steps {
    uint64_t changes, same, forward, step;
    uint64_t last;
    bool any;
};

static void add_value(struct steps *s, uint64_t value, uint32_t width)
{
    const uint64_t mask = width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0),
                   step = (value - s->last) & mask;

    if (s->any && step != 0) {
        /* a highest bit that toggles makes the same step up and down */
        s->same += s->changes > 0 && step == s->step && step != mask / 2 + 1;
        s->forward += step <= mask / 4;
        s->step = step;
        s->changes++;
    }
    s->last = value;
    s->any = true;
}

/* Returns true if it is a number that counts. Lanes of handshakes go up and down. */
static bool is_count(const struct steps *s, uint32_t width)
{
    return (s->changes > 2 && (s->same + 1) * 10 >= s->changes * 9) ||
           (s->changes >= FEW && width >= 3 && s->forward == s->changes);
}

/* Finds the next timestamp at which a bit of the vector changes; false: none does. */
static bool next_stamp(const struct bus_watch *w, const size_t *bit, const size_t *at,
                       uint32_t width, uint32_t *out)
{
    bool any = false;

    for (uint32_t k = 0; k < width; k++)
        if (at[k] < w->first[bit[k] + 1] && (!any || w->change[at[k]].stamp < *out)) {
            *out = w->change[at[k]].stamp;
            any = true;
        }
    return any;
}

static bool vector_counts(const struct pc_bus_list *list, size_t signal)
{
    const struct bus_watch *w = &list->watch;
    const uint32_t width = list->f.signal[signal].width;
    size_t bit[64], at[64];
    struct steps steps = { .changes = 0 };
    uint64_t value = 0, unknown = 0;
    uint32_t stamp = 0;

    for (uint32_t k = 0; k < width; k++) {
        bit[k] = pc_bus_watched(list, signal, k);
        if (bit[k] == SIZE_MAX)
            return false;
        at[k] = w->first[bit[k]];
    }
    while (next_stamp(w, bit, at, width, &stamp)) {
        for (uint32_t k = 0; k < width; k++) {
            if (at[k] == w->first[bit[k] + 1] || w->change[at[k]].stamp != stamp)
                continue;
            const uint64_t is = w->change[at[k]++].value;
            value = (value & ~(UINT64_C(1) << k)) | (is & 1) << k;
            unknown = (unknown & ~(UINT64_C(1) << k)) | (is >> 1) << k;
        }
        if (unknown == 0)
            add_value(&steps, value, width);
    }
    return is_count(&steps, width);
}

/* Returns true if a vector of its lanes is one. */
static bool counts(const struct pc_bus_list *list, const struct bus_candidate *c)
{
    struct pc_bus_role r;

    for (size_t i = 0; c->lanes && pc_bus_role_at(c->protocol, i, &r); i++)
        if (c->role[i] != SIZE_MAX && r.most == 1 && r.needed) {
            const size_t signal = list->f.reading[c->role[i]].signal;
            if (list->f.signal[signal].width == c->lanes && vector_counts(list, signal))
                return true;
        }
    return false;
}

/* Returns true if one of its handshakes is not connected: never known, in that many edges. */
static bool is_open(const struct pc_bus_list *list, const struct bus_candidate *c, uint32_t lane)
{
    const struct bus_watch *w = &list->watch;
    struct pc_bus_role r;

    for (size_t i = 0; w->most_rises >= EDGES && pc_bus_role_at(c->protocol, i, &r); i++) {
        if (c->role[i] == SIZE_MAX || r.most != 1 || !r.needed)
            continue;
        const size_t signal = list->f.reading[c->role[i]].signal;
        uint32_t width;
        const size_t bit = pc_bus_watched(
            list, signal, bus_lane_bit(&list->f.signal[signal], c->lanes, lane, &width));
        bool known = bit == SIZE_MAX;
        for (size_t n = known ? 0 : w->first[bit]; !known && n < w->first[bit + 1]; n++)
            known = w->change[n].value < 2;
        if (!known && w->bit[bit].class == BUS_NO_CLASS)
            return true;
    }
    return false;
}

/* ---- values ---- */

static uint64_t mix(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Returns a number for what its handshakes did all the time; 0: fewer than two of them moved. */
static uint64_t values_of(const struct bus_subject *s)
{
    const struct bus_watch *w = &s->list->watch;
    uint64_t hash = 1;
    unsigned moving = 0;
    struct pc_bus_role r;

    for (size_t i = 0; pc_bus_role_at(s->c->protocol, i, &r); i++) {
        if (s->c->role[i] == SIZE_MAX || r.most > CODE_BITS)
            continue;
        const size_t signal = s->list->f.reading[s->c->role[i]].signal;
        uint32_t width,
            first = bus_lane_bit(&s->list->f.signal[signal], s->c->lanes, s->entry->lane, &width);
        hash = mix(hash, i + 1);
        hash = mix(hash, s->list->f.reading[s->c->role[i]].inverted);
        for (uint32_t k = 0; k < width; k++) {
            const size_t bit = pc_bus_watched(s->list, signal, first + k);
            moving += bit != SIZE_MAX && w->bit[bit].moves >= FEW;
            for (size_t n = w->first[bit]; n < w->first[bit + 1]; n++)
                hash = mix(hash, (uint64_t)w->change[n].stamp << 2 | w->change[n].value);
        }
    }
    return moving >= 2 ? hash | 1 : 0;
}

/* ---- a bus ---- */

static void take_bits(struct bus_subject *s)
{
    struct pc_bus_role r;

    s->bits = 0;
    for (size_t i = 0; pc_bus_role_at(s->c->protocol, i, &r); i++) {
        if (s->c->role[i] == SIZE_MAX)
            continue;
        const size_t signal = s->list->f.reading[s->c->role[i]].signal;
        uint32_t width,
            first = bus_lane_bit(&s->list->f.signal[signal], s->c->lanes, s->entry->lane, &width);
        for (uint32_t k = 0; k < width && k < CODE_BITS && s->bits < BUS_SUBJECT_BITS; k++) {
            const size_t bit = pc_bus_watched(s->list, signal, first + k);
            if (bit != SIZE_MAX)
                s->bit[s->bits++] = bit;
        }
    }
}

static bool judge(struct bus_subject *s)
{
    take_bits(s);
    s->entry->values = values_of(s);
    const uint32_t class = pc_bus_prove_clock(s);
    return class == BUS_NO_CLASS || pc_bus_prove_reset(s, &s->list->watch.class[class], class);
}

/* ---- what other buses say ---- */

/* Counts for each reset the buses that have it, and those that transfer while it is active. */
struct votes {
    uint32_t *holds, *takes;
};

static bool is_doubted(const struct bus_entry *e)
{
    return e->unsure && e->proof.unsure_of_reset && e->proof.reset == PC_BUS_RESET_TAKES;
}

static void count_votes(const struct pc_bus_list *list, struct votes *v)
{
    for (size_t i = 0; i < list->entries; i++) {
        const struct bus_entry *e = &list->entry[i];
        if (!e->counts && !e->unsure && e->reset != SIZE_MAX)
            v->holds[list->f.clock[e->reset].bit]++;
        if (!e->counts && is_doubted(e))
            v->takes[list->f.clock[e->pair[0]].bit]++;
    }
}

/* A reset of more buses is also that of those that transfer in it. */
static void use_votes(struct pc_bus_list *list, const struct votes *v)
{
    for (size_t i = 0; i < list->entries; i++) {
        struct bus_entry *e = &list->entry[i];
        if (e->counts || !is_doubted(e))
            continue;
        const size_t bit = list->f.clock[e->pair[0]].bit;
        if (v->holds[bit] <= v->takes[bit])
            continue;
        e->proof.reset = PC_BUS_RESET_OF_OTHERS;
        e->proof.unsure_of_reset = false;
        e->unsure = NULL;
        e->reset = e->pair[0];
        e->pair[0] = SIZE_MAX;
    }
}

static bool vote(struct pc_bus_list *list)
{
    const size_t bits = list->watch.bits + 1;
    struct votes v = { pc_calloc(&list->alloc, bits, sizeof *v.holds),
                       pc_calloc(&list->alloc, bits, sizeof *v.takes) };
    const bool done = v.holds && v.takes;

    if (done) {
        count_votes(list, &v);
        use_votes(list, &v);
    }
    pc_free(&list->alloc, v.holds, bits * sizeof *v.holds);
    pc_free(&list->alloc, v.takes, bits * sizeof *v.takes);
    return done;
}

enum pc_status pc_bus_judge(struct pc_bus_list *list, struct pc_error *err)
{
    struct bus_subject s = { .list = list };
    bool done = list->entries == 0 || pc_bus_watch_settle(list);

    s.rank = pc_calloc(&list->alloc, list->watch.classes + 1, sizeof *s.rank);
    done = done && s.rank;
    for (size_t i = 0; done && i < list->entries; i++) {
        s.entry = &list->entry[i];
        s.c = &list->f.candidate[s.entry->candidate];
        if (s.entry->lane > 0 && list->entry[i - 1].candidate == s.entry->candidate)
            s.entry->counts = list->entry[i - 1].counts;
        else
            s.entry->counts = counts(list, s.c) || is_open(list, s.c, s.entry->lane);
        if (!s.entry->counts)
            done = judge(&s);
    }
    pc_free(&list->alloc, s.rank, (list->watch.classes + 1) * sizeof *s.rank);
    done = done && vote(list);
    if (done)
        pc_bus_list_make(list);
    pc_bus_watch_close(list);
    return done && !list->no_memory && !list->f.no_memory
               ? PC_OK
               : pc_fail(err, 100, "no memory to find buses");
}
