/* SPDX-License-Identifier: MIT */
/* State machines and levels against lists of all cycles, which are searched word by word as
 * the definitions of measure.h say. */
#include "heap.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 6, WORDS = 12, CYCLES = BLOCKS * WORDS * 64, WIDTH = 5, SLOTS = 1 << WIDTH };

/* --- what happens --- */

struct planes {
    uint64_t value[64][WORDS], unknown[64][WORDS];
    const uint64_t *values[64], *unknowns[64];
};

/* All cycles, one after the other: a value, -1: unknown. */
struct history {
    int at[CYCLES];
    size_t cycles;
};

static void put(struct planes *p, unsigned width, uint64_t c, uint64_t value, uint64_t unknown)
{
    for (unsigned k = 0; k < width; k++) {
        p->value[k][c / 64] |= (value >> k & 1 & ~(unknown >> k & 1)) << c % 64;
        p->unknown[k][c / 64] |= (unknown >> k & 1) << c % 64;
    }
}

static void clear(struct planes *p)
{
    memset(p, 0, sizeof *p);
    for (unsigned k = 0; k < 64; k++) {
        p->values[k] = p->value[k];
        p->unknowns[k] = p->unknown[k];
    }
}

/* A vector that stays for a while and then is another one; the begin is unknown at times. */
static void fill(struct planes *p, struct history *h, struct test_rng *rng, uint64_t cycles,
                 unsigned stay)
{
    uint64_t value = test_rand(rng) % SLOTS, unknown = test_rand_below(rng, 2);

    clear(p);
    for (uint64_t c = 0; c < cycles; c++) {
        if (test_rand_below(rng, stay) == 0) {
            value = test_rand_below(rng, 3) ? test_rand_below(rng, SLOTS) : value ^ 1;
            unknown = test_rand_below(rng, 6) ? 0 : 1 + test_rand_below(rng, SLOTS - 1);
        }
        put(p, WIDTH, c, value, unknown);
        h->at[h->cycles++] = unknown ? -1 : (int)value;
    }
}

/* --- states --- */

/* What the definitions make of the cycles from `from` on. */
struct want {
    uint64_t visits[SLOTS], cycles[SLOTS], shortest[SLOTS], longest[SLOTS], count[SLOTS][SLOTS];
    uint64_t unknown, unknown_runs, transitions;
};

static void find(const struct history *h, size_t from, struct want *w)
{
    memset(w, 0, sizeof *w);
    for (size_t i = from; i < h->cycles; i++) {
        const int now = h->at[i], before = i > 0 ? h->at[i - 1] : -2;
        w->unknown += now == -1;
        w->unknown_runs += now == -1 && before != -1;
        if (now < 0)
            continue;
        w->cycles[now]++;
        w->visits[now] += now != before; /* a stay of a part before is not its visit */
        if (before >= 0 && before != now) {
            w->count[before][now]++;
            w->transitions++;
        }
    }
    for (size_t i = 0; i < h->cycles; i++) {
        size_t n = 1;
        while (i + n < h->cycles && h->at[i + n] == h->at[i])
            n++;
        const int v = h->at[i];
        if (v >= 0 && (w->shortest[v] == 0 || n < w->shortest[v]))
            w->shortest[v] = n;
        if (v >= 0 && n > w->longest[v])
            w->longest[v] = n;
        i += n - 1;
    }
}

static void compare(const struct pc_states *s, const struct history *h, size_t from, bool part)
{
    static struct want w;
    struct pc_states_figures f;
    struct pc_states_state one;
    struct pc_states_pair t;
    uint64_t values[SLOTS];
    size_t pairs = 0, there = 0;

    find(h, from, &w);
    pc_states_get_figures(s, part, &f);
    assert_int_equal(f.cycles, h->cycles - from);
    assert_int_equal(f.unknown, w.unknown);
    assert_int_equal(f.unknown_runs, w.unknown_runs);
    assert_int_equal(f.transitions, w.transitions);
    for (size_t i = 0; pc_states_at(s, part, i, &one); i++) {
        const uint64_t v = values[i] = one.value.low;
        uint64_t leaves = 0;
        there++;
        for (unsigned k = 0; k < SLOTS; k++)
            leaves += w.count[v][k];
        assert_int_equal(one.value.high, 0);
        assert_int_equal(one.visits, w.visits[v]);
        assert_int_equal(one.cycles, w.cycles[v]);
        assert_int_equal(one.leaves, leaves);
        assert_int_equal(one.shortest, part ? 0 : w.shortest[v]);
        assert_int_equal(one.longest, part ? 0 : w.longest[v]);
    }
    assert_int_equal(there, f.states);
    for (; pc_states_transition(s, part, pairs, &t); pairs++)
        assert_int_equal(t.count, w.count[values[t.from]][values[t.to]]);
    assert_int_equal(pairs, f.pairs);
    if (f.last == PC_STATES_UNKNOWN)
        assert_true(h->cycles == 0 || h->at[h->cycles - 1] == -1);
    else
        assert_int_equal(values[f.last], h->at[h->cycles - 1]);
}

/* Pieces of stays, put together again. */
struct pieces {
    uint64_t next;
    int at[CYCLES]; /* numbers of states */
};

static void take_piece(void *ctx, uint64_t first, uint64_t cycles, size_t state)
{
    struct pieces *p = ctx;

    assert_int_equal(first, p->next);
    p->next += cycles;
    for (uint64_t i = first; i < p->next; i++)
        p->at[i] = state == PC_STATES_UNKNOWN ? -1 : (int)state;
}

static void states(void **state)
{
    static struct planes p;
    static struct history h;
    static struct pieces pieces;
    struct test_rng rng = test_rng_start(1804, NULL);
    struct pc_error err;

    (void)state;
    for (unsigned k = 0; k < 120; k++) {
        const struct pc_states_desc desc = { .width = WIDTH, .stay = take_piece, .ctx = &pieces };
        struct pc_states *s;
        size_t from = 0;
        h.cycles = pieces.next = 0;
        test_ok(pc_states_create(&desc, &s, &err), &err);
        for (unsigned b = 0; b < BLOCKS; b++) {
            const uint64_t cycles = test_rand_below(&rng, 64 * WORDS + 1);
            fill(&p, &h, &rng, cycles, 1 + test_rand_below(&rng, k % 3 ? 9 : 300));
            test_ok(pc_states_add(s, p.values, p.unknowns, cycles, &err), &err);
            compare(s, &h, from, true);
            if (test_rand_below(&rng, 2)) {
                pc_states_next(s);
                from = h.cycles;
            }
        }
        compare(s, &h, 0, false);
        assert_int_equal(pieces.next, h.cycles);
        for (size_t i = 0; i < h.cycles; i++) {
            struct pc_states_state one;
            assert_int_equal(pieces.at[i] == -1, h.at[i] == -1);
            if (h.at[i] >= 0) {
                assert_true(pc_states_at(s, false, (size_t)pieces.at[i], &one));
                assert_int_equal(one.value.low, h.at[i]);
            }
        }
        pc_states_destroy(s);
    }
}

/* A signed vector has negative states; too many are told. */
static void limits(void **state)
{
    static struct planes p;
    struct pc_states *s = NULL;
    struct pc_states_state one;
    struct pc_error err = { 0 };

    (void)state;
    clear(&p);
    for (unsigned c = 0; c < 64; c++)
        put(&p, 8, c, c % 8 + 0xfc, 0);
    test_ok(pc_states_create(&(struct pc_states_desc){ .width = 8, .is_signed = true }, &s, &err),
            &err);
    test_ok(pc_states_add(s, p.values, p.unknowns, 64, &err), &err);
    assert_true(pc_states_at(s, false, 0, &one));
    assert_int_equal((int64_t)one.value.low, -4);
    assert_int_equal(one.value.high, -1);
    pc_states_destroy(s);
    for (unsigned k = 0; k < 2; k++) {
        const struct pc_states_desc desc = { .width = 8,
                                             .most_states = k ? 0 : 7,
                                             .most_transitions = k ? 7 : 0 };
        test_ok(pc_states_create(&desc, &s, &err), &err);
        test_ok(pc_states_add(s, p.values, p.unknowns, 7, &err), &err);
        assert_int_equal(pc_states_add(s, p.values, p.unknowns, 64, &err), PC_ELIMIT);
        assert_int_equal(err.code, 1805);
        pc_states_destroy(s);
    }
    assert_int_equal(pc_states_create(&(struct pc_states_desc){ .width = 0 }, &s, &err), PC_EINPUT);
    assert_int_equal(pc_states_create(&(struct pc_states_desc){ .width = 65 }, &s, &err),
                     PC_EINPUT);
    assert_int_equal(err.code, 1800);
}

/* --- levels --- */

enum { IN = 0, WIDE = 1, OUT = 4, UNTIL = 5, RESET = 6, USED = 7 };

/* The level after a cycle as the definition says; below 0: it cannot be. */
static int64_t step(int64_t level, int64_t start, unsigned bits)
{
    if (bits >> RESET & 1)
        return start;
    if (bits >> UNTIL & 1)
        level = start;
    return level + (bits >> IN & 1) + (bits >> WIDE & 7) - (bits >> OUT & 1);
}

static void expect_dist(struct pc_dist *dist, const int64_t *level, size_t n, struct pc_error *err)
{
    struct pc_dist_figures f;
    struct pc_wide value;
    uint64_t times, all = 0;

    test_ok(pc_dist_get_figures(dist, &f, err), err);
    for (size_t i = 0; pc_dist_value(dist, i, &value, &times); i++) {
        uint64_t found = 0;
        for (size_t k = 0; k < n; k++)
            found += level[k] == (int64_t)value.low;
        assert_int_equal(found, times);
        all += times;
    }
    assert_int_equal(all, n);
}

/* Events of a cycle: much comes seldom, and nothing goes out of what is empty, but at times. */
static unsigned some_events(struct test_rng *rng, int64_t level, unsigned k)
{
    unsigned bits = test_rand_below(rng, 1 << USED);

    if (test_rand_below(rng, 5))
        bits &= 1u << IN | 1u << OUT;
    if (k % 3 == 0) /* the common case: one in, one out */
        bits &= ~(7u << WIDE);
    if (k % 4 && level < 1)
        bits &= ~(1u << OUT);
    return k % 2 ? bits : bits & ~(1u << UNTIL);
}

struct run {
    int64_t level[CYCLES];
    size_t n, from; /* cycles, and those before the part */
    uint64_t full, above, first_above;
    int64_t start, capacity, now;
    uint64_t bad; /* the cycle of the block that cannot be; UINT64_MAX: none */
};

static void make_block(struct run *r, struct planes *p, struct test_rng *rng, uint64_t cycles,
                       unsigned k)
{
    clear(p);
    for (uint64_t c = 0; c < cycles; c++) {
        const unsigned bits = some_events(rng, r->now, k);
        const int64_t next = step(r->now, r->start, bits);
        put(p, USED, c, bits, 0);
        if (next < 0) {
            r->bad = c;
            return;
        }
        r->now = r->level[r->n++] = next;
        r->full += r->capacity > 0 && next >= r->capacity;
        if (r->capacity > 0 && next > r->capacity) {
            r->above++;
            r->first_above = r->first_above == UINT64_MAX ? r->n - 1 : r->first_above;
        }
    }
}

static void check(struct run *r, struct pc_level *l, struct pc_error *err)
{
    struct pc_level_figures f;

    pc_level_get_figures(l, &f);
    assert_int_equal(f.now, r->now);
    assert_int_equal(f.cycles, r->n - r->from);
    assert_int_equal(f.full, r->full);
    assert_int_equal(f.above, r->above);
    assert_int_equal(f.first_above, r->first_above);
    expect_dist(pc_level_dist(l), r->level + r->from, r->n - r->from, err);
    pc_level_next(l);
    r->from = r->n;
    r->full = r->above = 0;
}

/* Returns whether it fell below 0, as it had to. */
static bool fell(struct test_rng *rng, unsigned k)
{
    static struct planes p;
    static struct run r;
    const struct pc_level_desc desc = { .start = k % 4, .capacity = k % 3 ? 3 : 0 };
    const struct pc_level_term term[3] = { { &p.values[WIDE], 3, false },
                                           { &p.values[IN], 1, false },
                                           { &p.values[OUT], 1, true } };
    struct pc_error err;
    struct pc_level *l;
    uint64_t at = 0;

    r = (struct run){ .start = k % 4,
                      .capacity = (int64_t)desc.capacity,
                      .now = k % 4,
                      .first_above = UINT64_MAX,
                      .bad = UINT64_MAX };
    test_ok(pc_level_create(&desc, &l, &err), &err);
    for (unsigned b = 0; b < BLOCKS && r.bad == UINT64_MAX; b++) {
        const uint64_t cycles = test_rand_below(rng, 64 * WORDS + 1);
        make_block(&r, &p, rng, cycles, k);
        const struct pc_level_block block = { cycles, term + (k % 3 == 0), k % 3 ? 3 : 2,
                                              k % 2 ? p.value[UNTIL] : NULL, p.value[RESET] };
        const enum pc_status status = pc_level_add(l, &block, &at, &err);
        if (r.bad != UINT64_MAX) {
            assert_int_equal(status, PC_EINPUT);
            assert_int_equal(err.code, 1804);
            assert_int_equal(at, r.bad);
        } else {
            test_ok(status, &err);
            check(&r, l, &err);
        }
    }
    pc_level_destroy(l);
    return r.bad != UINT64_MAX;
}

static void levels(void **state)
{
    struct test_rng rng = test_rng_start(1805, NULL);
    unsigned below = 0;

    (void)state;
    for (unsigned k = 0; k < 100; k++)
        below += fell(&rng, k);
    assert_in_range(below, 10, 90);
}

static void large_levels(void **state)
{
    const uint64_t ones[2] = { UINT64_MAX, UINT64_MAX }, *wide[64];
    const struct pc_level_term term[2] = { { wide, 64, false }, { wide, 64, true } };
    struct pc_level_block block = { .cycles = 2, .term = term, .terms = 1 };
    struct pc_error err = { 0 };
    struct pc_level *l = NULL;
    uint64_t at = 9;

    (void)state;
    for (unsigned k = 0; k < 64; k++)
        wide[k] = ones;
    assert_int_equal(pc_level_create(&(struct pc_level_desc){ .start = UINT64_MAX }, &l, &err),
                     PC_ELIMIT);
    test_ok(pc_level_create(&(struct pc_level_desc){ .start = 1 }, &l, &err), &err);
    assert_int_equal(pc_level_add(l, &block, &at, &err), PC_ELIMIT);
    assert_int_equal(err.code, 1808);
    assert_int_equal(at, 0);
    block.terms = 2; /* 1 + (2^64 - 1) needs more than 64 bits before what goes out */
    assert_int_equal(pc_level_add(l, &block, &at, &err), PC_ELIMIT);
    pc_level_destroy(l);
    const struct pc_level_term twice[3] = { term[0], term[1], term[1] };
    block = (struct pc_level_block){ .cycles = 1, .term = twice, .terms = 3 };
    test_ok(pc_level_create(&(struct pc_level_desc){ .start = 0 }, &l, &err), &err);
    assert_int_equal(pc_level_add(l, &block, &at, &err), PC_EINPUT); /* more out than 64 bits */
    assert_int_equal(err.code, 1804);
    pc_level_destroy(l);
}

/* --- memory --- */

static enum pc_status all_of_it(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    static struct planes p;
    const struct pc_level_term term = { p.values, 1, false };
    const struct pc_level_block block = { .cycles = 64 * WORDS, .term = &term, .terms = 1 };
    struct pc_states *s = NULL;
    struct pc_level *l = NULL;
    uint64_t at;

    (void)ctx;
    clear(&p);
    for (uint64_t c = 0; c < 64 * WORDS; c++)
        put(&p, 16, c, c * c, 0);
    enum pc_status status =
        pc_states_create(&(struct pc_states_desc){ .alloc = alloc, .width = 16 }, &s, err);
    if (status == PC_OK)
        status = pc_states_add(s, p.values, p.unknowns, 64 * WORDS, err);
    if (status == PC_OK)
        status = pc_level_create(&(struct pc_level_desc){ .alloc = alloc }, &l, err);
    if (status == PC_OK)
        status = pc_level_add(l, &block, &at, err);
    if (status == PC_OK) {
        struct pc_dist_figures f;
        status = pc_dist_get_figures(pc_level_dist(l), &f, err);
    }
    pc_states_destroy(s);
    pc_level_destroy(l);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    test_refuse_each(all_of_it, NULL, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states),       cmocka_unit_test(limits),          cmocka_unit_test(levels),
        cmocka_unit_test(large_levels), cmocka_unit_test(memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
