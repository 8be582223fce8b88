/* SPDX-License-Identifier: MIT */
/* State machines out of planes: stays of a vector, and from which value it went to which. */
#include "lang/measure/runs.h"
#include "lang/measure/wide.h"

#include "base/alloc.h"
#include "base/error.h"

enum { MOST_STATES = 4096, MOST_TRANSITIONS = 65536, FIRST_SLOTS = 256 };

struct state {
    uint64_t value;
    uint64_t visits, cycles, leaves, shortest, longest; /* of stays that are over */
    struct {
        uint64_t visits, cycles, leaves;
    } past; /* of parts before this one */
};

struct pair {
    uint32_t from, to;
    uint64_t count, past;
};

/* Open addressing: the number of an entry + 1, 0: free. */
struct table {
    uint32_t *slot;
    size_t slots; /* a power of two */
};

struct pc_states {
    struct pc_states_desc desc;
    struct pc_alloc alloc;
    struct pc_states_figures figures, past;
    struct state *state;
    struct pair *pair;
    size_t state_capacity, pair_capacity;
    struct table of_value, of_pair;
    uint64_t stay; /* cycles of the stay of now */
    bool any;      /* there was a cycle */
};

enum pc_status pc_states_create(const struct pc_states_desc *desc, struct pc_states **out,
                                struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(desc->alloc);

    if (desc->width == 0 || desc->width > PC_VALUES_WIDTH)
        return pc_fail(err, 1800, "a state has 1 to %d bits, not %u", PC_VALUES_WIDTH, desc->width);
    struct pc_states *s = pc_calloc(&a, 1, sizeof *s);
    if (!s)
        return pc_fail(err, 100, "no memory for states");
    s->desc = *desc;
    s->alloc = a;
    s->figures.last = PC_STATES_UNKNOWN;
    if (desc->most_states == 0 || desc->most_states > MOST_STATES)
        s->desc.most_states = MOST_STATES;
    if (desc->most_transitions == 0)
        s->desc.most_transitions = MOST_TRANSITIONS;
    *out = s;
    return PC_OK;
}

void pc_states_destroy(struct pc_states *s)
{
    if (!s)
        return;
    const struct pc_alloc a = s->alloc;
    pc_free(&a, s->state, s->state_capacity * sizeof *s->state);
    pc_free(&a, s->pair, s->pair_capacity * sizeof *s->pair);
    pc_free(&a, s->of_value.slot, s->of_value.slots * sizeof *s->of_value.slot);
    pc_free(&a, s->of_pair.slot, s->of_pair.slots * sizeof *s->of_pair.slot);
    pc_free(&a, s, sizeof *s);
}

/* ---- tables ---- */

static size_t place_of(const struct table *t, uint64_t key)
{
    return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (t->slots - 1);
}

static uint64_t key_of(const struct pair *p)
{
    return (uint64_t)p->from << 32 | p->to;
}

/* Makes room for one more of `used` entries; their keys are put in again. */
static bool grow(struct pc_states *s, struct table *t, size_t used)
{
    if (2 * (used + 1) <= t->slots)
        return true;
    struct table next = { .slots = t->slots ? 2 * t->slots : FIRST_SLOTS };
    next.slot = pc_calloc(&s->alloc, next.slots, sizeof *next.slot);
    if (!next.slot)
        return false;
    for (size_t i = 0; i < used; i++) {
        size_t at = place_of(&next, t == &s->of_value ? s->state[i].value : key_of(&s->pair[i]));
        while (next.slot[at] != 0)
            at = (at + 1) & (next.slots - 1);
        next.slot[at] = (uint32_t)i + 1;
    }
    pc_free(&s->alloc, t->slot, t->slots * sizeof *t->slot);
    *t = next;
    return true;
}

static enum pc_status new_state(struct pc_states *s, uint64_t value, size_t *out,
                                struct pc_error *err)
{
    const size_t n = s->figures.states;

    if (n == s->desc.most_states)
        return pc_fail(err, 1805, "the vector has more than %zu different values", n);
    if (!grow(s, &s->of_value, n) ||
        !pc_grow(&s->alloc, (void **)&s->state, &s->state_capacity, n + 1, sizeof *s->state))
        return pc_fail(err, 100, "no memory for states");
    size_t at = place_of(&s->of_value, value);
    while (s->of_value.slot[at] != 0)
        at = (at + 1) & (s->of_value.slots - 1);
    s->of_value.slot[at] = (uint32_t)n + 1;
    s->state[n] = (struct state){ .value = value };
    s->figures.states++;
    *out = n;
    return PC_OK;
}

static enum pc_status find_state(struct pc_states *s, uint64_t value, size_t *out,
                                 struct pc_error *err)
{
    const struct table *t = &s->of_value;

    for (size_t at = t->slots ? place_of(t, value) : 0; t->slots && t->slot[at] != 0;
         at = (at + 1) & (t->slots - 1))
        if (s->state[t->slot[at] - 1].value == value) {
            *out = t->slot[at] - 1;
            return PC_OK;
        }
    return new_state(s, value, out, err);
}

static enum pc_status add_transition(struct pc_states *s, size_t from, size_t to,
                                     struct pc_error *err)
{
    const struct pair new = { .from = (uint32_t)from, .to = (uint32_t)to, .count = 1 };
    const size_t n = s->figures.pairs;
    struct table *t = &s->of_pair;

    s->figures.transitions++;
    s->state[from].leaves++;
    for (size_t at = t->slots ? place_of(t, key_of(&new)) : 0; t->slots && t->slot[at] != 0;
         at = (at + 1) & (t->slots - 1)) {
        struct pair *p = &s->pair[t->slot[at] - 1];
        if (p->from == from && p->to == to) {
            p->count++;
            return PC_OK;
        }
    }
    if (n == s->desc.most_transitions)
        return pc_fail(err, 1805, "the vector has more than %zu different transitions", n);
    if (!grow(s, t, n) ||
        !pc_grow(&s->alloc, (void **)&s->pair, &s->pair_capacity, n + 1, sizeof *s->pair))
        return pc_fail(err, 100, "no memory for transitions");
    size_t at = place_of(t, key_of(&new));
    while (t->slot[at] != 0)
        at = (at + 1) & (t->slots - 1);
    t->slot[at] = (uint32_t)n + 1;
    s->pair[n] = new;
    s->figures.pairs++;
    return PC_OK;
}

/* ---- stays ---- */

static void end_stay(struct pc_states *s)
{
    if (s->figures.last == PC_STATES_UNKNOWN)
        return;
    struct state *now = &s->state[s->figures.last];
    now->longest = s->stay > now->longest ? s->stay : now->longest;
    now->shortest = now->shortest == 0 || s->stay < now->shortest ? s->stay : now->shortest;
}

/* Ends the stay of now and begins another one, of a value or of an unknown bit. */
static enum pc_status turn(struct pc_states *s, uint64_t value, bool unknown, struct pc_error *err)
{
    const size_t last = s->figures.last;
    size_t next = PC_STATES_UNKNOWN;
    enum pc_status status = PC_OK;

    if (!unknown)
        status = find_state(s, value, &next, err);
    if (status)
        return status;
    end_stay(s);
    if (next == PC_STATES_UNKNOWN)
        s->figures.unknown_runs++;
    else
        s->state[next].visits++;
    if (last != PC_STATES_UNKNOWN && next != PC_STATES_UNKNOWN)
        status = add_transition(s, last, next, err);
    s->figures.last = next;
    s->stay = 0;
    s->any = true;
    return status;
}

/* Adds cycles to the stay of now. */
static void go_on(struct pc_states *s, uint64_t cycles)
{
    if (cycles == 0)
        return;
    if (s->desc.stay)
        s->desc.stay(s->desc.ctx, s->figures.cycles, cycles, s->figures.last);
    s->stay += cycles;
    s->figures.cycles += cycles;
    if (s->figures.last == PC_STATES_UNKNOWN)
        s->figures.unknown += cycles;
    else
        s->state[s->figures.last].cycles += cycles;
}

/* Returns whether the stay of now goes on with this value. */
static bool is_same(const struct pc_states *s, uint64_t value, bool unknown)
{
    const size_t last = s->figures.last;

    if (!s->any || unknown != (last == PC_STATES_UNKNOWN))
        return false;
    return unknown || s->state[last].value == value;
}

enum pc_status pc_states_add(struct pc_states *s, const uint64_t *const *value,
                             const uint64_t *const *unknown, uint64_t cycles, struct pc_error *err)
{
    const struct pc_runs r = { s->desc.width, s->desc.is_signed, value, unknown };
    uint64_t done = 0;

    for (size_t w = 0; w < (cycles + 63) / 64; w++) {
        const unsigned end = cycles - 64 * w < 64 ? (unsigned)(cycles - 64 * w) : 64;
        for (uint64_t changed = pc_runs_changes(&r, w) & pc_bits_between(0, end); changed != 0;
             changed &= changed - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(changed);
            bool none;
            const uint64_t now = pc_runs_value(&r, w, bit, &none);
            if (is_same(s, now, none))
                continue;
            go_on(s, 64 * w + bit - done);
            done = 64 * w + bit;
            const enum pc_status status = turn(s, now, none, err);
            if (status)
                return status;
        }
    }
    go_on(s, cycles - done);
    return PC_OK;
}

/* ---- figures ---- */

void pc_states_get_figures(const struct pc_states *s, bool part, struct pc_states_figures *out)
{
    *out = s->figures;
    if (!part)
        return;
    out->cycles -= s->past.cycles;
    out->unknown -= s->past.unknown;
    out->unknown_runs -= s->past.unknown_runs;
    out->transitions -= s->past.transitions;
}

bool pc_states_at(const struct pc_states *s, bool part, size_t i, struct pc_states_state *out)
{
    if (i >= s->figures.states)
        return false;
    const struct state *from = &s->state[i];
    *out = (struct pc_states_state){ .value = pc_wide_of(from->value, s->desc.is_signed),
                                     .visits = from->visits,
                                     .cycles = from->cycles,
                                     .leaves = from->leaves };
    if (part) {
        out->visits -= from->past.visits;
        out->cycles -= from->past.cycles;
        out->leaves -= from->past.leaves;
        return true;
    }
    out->shortest = from->shortest;
    out->longest = from->longest;
    if (i == s->figures.last && (out->shortest == 0 || s->stay < out->shortest))
        out->shortest = s->stay;
    if (i == s->figures.last && s->stay > out->longest)
        out->longest = s->stay;
    return true;
}

bool pc_states_transition(const struct pc_states *s, bool part, size_t i,
                          struct pc_states_pair *out)
{
    if (i >= s->figures.pairs)
        return false;
    const struct pair *p = &s->pair[i];
    *out = (struct pc_states_pair){ p->from, p->to, part ? p->count - p->past : p->count };
    return true;
}

void pc_states_next(struct pc_states *s)
{
    s->past = s->figures;
    for (size_t i = 0; i < s->figures.states; i++) {
        struct state *now = &s->state[i];
        now->past.visits = now->visits;
        now->past.cycles = now->cycles;
        now->past.leaves = now->leaves;
    }
    for (size_t i = 0; i < s->figures.pairs; i++)
        s->pair[i].past = s->pair[i].count;
}
