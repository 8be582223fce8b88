/* SPDX-License-Identifier: MIT */
/*
 * The rules over a design that C calculates: registers as the design shows them (all cycles at
 * once) and the same ones hidden (cycle by cycle) agree, in blocks of any size; what is changed in
 * the design is found at its edge, and unknown inputs never make a difference.
 */
#include "heap.h"
#include "planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RST, EV, WE, RE, ADDR, WDATA, CNT, SEL, WIDE, PEAK, LAST };
static const struct signal signals[] = {
    { "rst", 1 }, { "ev", 4 },  { "we", 1 },    { "re", 1 },   { "addr", 2 }, { "wd", 8 },
    { "cnt", 6 }, { "sel", 2 }, { "wide", 40 }, { "peak", 6 }, { "last", 1 }, { NULL, 0 }
};

/* The rules of each register; names of hidden registers begin with h. */
static const struct pc_core_rule cnt_rules[] = {
    { .when = "we & addr == 0", .action = PC_CORE_SET, .value = "wd" },
    { .when = "re & addr == 0", .action = PC_CORE_SET, .value = "ev[sel]" },
    { .when = "cnt == 6'h3f", .action = PC_CORE_KEEP },
    { .when = "ev[sel]", .action = PC_CORE_ADD, .value = "1" },
};
static const struct pc_core_rule sel_rules[] = {
    { .when = "we & addr == 1", .action = PC_CORE_SET, .value = "wd" },
};
static const struct pc_core_rule wide_rules[] = {
    { .action = PC_CORE_ADD, .value = "countones(ev) - 1", .go_on = true },
    { .when = "we & addr == 2",
      .action = PC_CORE_SET,
      .value = "wd",
      .sliced = true,
      .hi = 35,
      .lo = 28 },
    { .when = "rise(ev[3])",
      .action = PC_CORE_SET,
      .value = "1",
      .sliced = true,
      .hi = 0,
      .lo = 0 },
};
static const struct pc_core_rule peak_rules[] = {
    { .when = "we & addr == 3", .action = PC_CORE_SET, .value = "cnt" },
    { .action = PC_CORE_MAX, .value = "cnt" },
};
static const struct pc_core_rule last_rules[] = {
    { .action = PC_CORE_SET, .value = "prev(ev[0]) ^ ev[1]" },
};
#define RULES(r) (r), sizeof(r) / sizeof *(r)

static const struct pc_core_rule hcnt_rules[] = {
    { .when = "we & addr == 0", .action = PC_CORE_SET, .value = "wd" },
    { .when = "re & addr == 0", .action = PC_CORE_SET, .value = "ev[hsel]" },
    { .when = "hcnt == 6'h3f", .action = PC_CORE_KEEP },
    { .when = "hevent", .action = PC_CORE_ADD, .value = "1" },
};
static const struct pc_core_rule hpeak_rules[] = {
    { .when = "we & addr == 3", .action = PC_CORE_SET, .value = "hcnt" },
    { .action = PC_CORE_MAX, .value = "hcnt" },
};

/* One needs the next one. */
static const struct pc_core_let lets[] = { { "hevent", "hpicked" }, { "hpicked", "hv[hsel]" } };
/* Each needs a register that is hidden. */
static const char *const picks[] = { "hsel == 0 & ev[0]", "hsel == 1 & ev[1]", "hsel == 2 & ev[2]",
                                     "hsel == 3 & ev[3]" };
static const struct pc_core_vector vectors[] = { { "hv", picks, 4, NULL } };
static const struct pc_core_register regs[] = {
    { "cnt", 6, "cnt", "5", RULES(cnt_rules) },     { "sel", 2, "sel", "1", RULES(sel_rules) },
    { "wide", 40, "wide", "0", RULES(wide_rules) }, { "peak", 6, "peak", "0", RULES(peak_rules) },
    { "last", 1, "last", "0", RULES(last_rules) },  { "hcnt", 6, NULL, "5", RULES(hcnt_rules) },
    { "hsel", 2, NULL, "1", RULES(sel_rules) },     { "hwide", 40, NULL, "0", RULES(wide_rules) },
    { "hpeak", 6, NULL, "0", RULES(hpeak_rules) },  { "hlast", 1, NULL, "0", RULES(last_rules) },
};
enum { SHOWN = 5 };
static const struct pc_core_check checks[] = {
    { "cnt", NULL, "hcnt == cnt" },    { "sel", NULL, "hsel == sel" },
    { "wide", NULL, "hwide == wide" }, { "peak", NULL, "hpeak == peak" },
    { "last", NULL, "hlast == last" },
};
static const struct pc_core_desc whole = { .reset = "rst",
                                           .let = lets,
                                           .lets = 2,
                                           .vector = vectors,
                                           .vectors = 1,
                                           .reg = regs,
                                           .regs = 10,
                                           .check = checks,
                                           .checks = 5 };

static void make(struct design *d, struct test_rng *rng)
{
    static const uint64_t reset[] = { 5, 1, 0, 0, 0 };

    memset(d->unknown, 0, sizeof d->unknown);
    d->signal = signals;
    for (size_t t = 0; t < CYCLES; t++) {
        const uint64_t r = test_rand(rng);
        d->value[RST][t] = t < 3 || r % 700 == 0;
        d->value[EV][t] = r >> 12 & 15;
        d->value[WE][t] = (r >> 16 & 15) == 0;
        d->value[RE][t] = (r >> 20 & 15) == 0;
        d->value[ADDR][t] = r >> 24 & 3;
        d->value[WDATA][t] = r >> 32 & 255;
        if (t == 0 || d->value[RST][t - 1]) {
            for (int i = CNT; i <= LAST; i++)
                d->value[i][t] = reset[i - CNT];
            continue;
        }
        const size_t p = t - 1;
        const uint64_t ev = d->value[EV][p], we = d->value[WE][p], addr = d->value[ADDR][p];
        const uint64_t wd = d->value[WDATA][p], cnt = d->value[CNT][p], sel = d->value[SEL][p];
        const uint64_t on = ev >> sel & 1;
        const bool fresh = p == 0 || d->value[RST][p - 1];
        const uint64_t before = fresh ? 0 : d->value[EV][p - 1];
        d->value[CNT][t] = we && addr == 0                ? wd & 63
                           : d->value[RE][p] && addr == 0 ? on
                           : cnt == 63                    ? 63
                                                          : cnt + on;
        d->value[SEL][t] = we && addr == 1 ? wd & 3 : sel;
        uint64_t wide = d->value[WIDE][p] + (uint64_t)__builtin_popcountll(ev) - 1;
        if (we && addr == 2)
            wide = (wide & ~(UINT64_C(255) << 28)) | wd << 28;
        else if (ev >> 3 & ~(before >> 3) & 1)
            wide |= 1;
        d->value[WIDE][t] = wide & ((UINT64_C(1) << 40) - 1);
        const uint64_t peak = d->value[PEAK][p];
        d->value[PEAK][t] = we && addr == 3 ? cnt : peak > cnt ? peak : cnt;
        d->value[LAST][t] = (before ^ ev >> 1) & 1;
    }
}

static void all_agree(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    uint64_t seed;
    struct test_rng rng = test_rng_start(7, &seed);

    (void)state;
    assert_non_null(d);
    for (int round = 0; round < 12; round++) {
        make(d, &rng);
        struct pc_core *core = design_core(d, &whole);
        struct pc_core_counts counts;
        design_run(d, core, round ? &rng : NULL);
        pc_core_get_counts(core, &counts);
        if (d->differences || d->checks)
            fail_msg("seed %llu, round %d: first at edge %llu", (unsigned long long)seed, round,
                     (unsigned long long)d->first);
        assert_int_equal(counts.edges, CYCLES);
        assert_int_equal(counts.compared, SHOWN * (CYCLES - counts.in_reset));
        for (size_t i = 0; i < 10; i++)
            for (size_t k = 0; k < regs[i].rules; k++)
                assert_true(pc_core_rule_acted(core, i, k) > 0);
        for (size_t i = 0; i < SHOWN; i++)
            for (size_t k = 0; k < regs[i].rules; k++)
                assert_int_equal(pc_core_rule_acted(core, i, k),
                                 pc_core_rule_acted(core, i + SHOWN, k));
        pc_core_destroy(core);
    }
    free(d);
}

/* A register is wrong from one edge on by 1: it is told once, there. */
static void a_fault_is_found_at_its_edge(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    uint64_t seed;
    struct test_rng rng = test_rng_start(11, &seed);

    (void)state;
    assert_non_null(d);
    for (int round = 0; round < 20; round++) {
        make(d, &rng);
        const size_t at = 10 + test_rand(&rng) % (CYCLES - 20);
        size_t end = at;
        while (end < CYCLES && !d->value[RST][end - 1] &&
               !(d->value[WE][end - 1] && d->value[ADDR][end - 1] == 2))
            d->value[WIDE][end++] ^= UINT64_C(1) << 30;
        if (end == at)
            continue;
        struct pc_core *core = design_core(d, &whole);
        design_run(d, core, &rng);
        assert_int_equal(d->first, at);
        /* one, but for a carry that the wrong bit lets through or takes */
        assert_in_range(d->differences, 1, 4);
        pc_core_destroy(core);
    }
    free(d);
}

/* The edge of the last write of `sel` before a difference at `at`; CYCLES: none since the reset. */
static size_t written_before(const struct design *d, size_t at)
{
    for (size_t t = at; t-- > 0;) {
        if (d->value[RST][t])
            return CYCLES;
        if (d->value[WE][t] && d->value[ADDR][t] == 1)
            return t;
    }
    return CYCLES;
}

/* With a difference comes the last write since the reset, wherever parts of the run begin. */
static void the_last_write_is_told(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    uint64_t seed;
    struct test_rng rng = test_rng_start(17, &seed);
    unsigned written = 0, never = 0;

    (void)state;
    assert_non_null(d);
    for (int round = 0; round < 60; round++) {
        make(d, &rng);
        const size_t at = 10 + test_rand(&rng) % (CYCLES - 20);
        for (size_t end = at; end < CYCLES && !d->value[RST][end - 1] &&
                              !(d->value[WE][end - 1] && d->value[ADDR][end - 1] == 1);
             end++)
            d->value[SEL][end] ^= 2;
        struct pc_core *core = design_core(d, &whole);
        design_run(d, core, &rng);
        for (size_t i = 0; i < d->tolds; i++) {
            const struct told *told = &d->told[i];
            if (told->item != 1)
                continue;
            const size_t write = written_before(d, (size_t)told->edge);
            assert_int_equal(told->written, write != CYCLES);
            written += told->written;
            never += !told->written;
            if (told->written) {
                assert_int_equal(told->written_edge, write);
                assert_int_equal(told->written_value, d->value[WDATA][write] & 3);
            }
        }
        pc_core_destroy(core);
    }
    assert_true(written > 20 && never > 1);
    free(d);
}

static void unknown_inputs_make_no_difference(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    uint64_t seed;
    struct test_rng rng = test_rng_start(13, &seed);

    (void)state;
    assert_non_null(d);
    for (int round = 0; round < 20; round++) {
        make(d, &rng);
        for (int i = 0; i < 200; i++)
            d->unknown[EV + test_rand(&rng) % (WDATA - EV + 1)][test_rand(&rng) % CYCLES] |=
                test_rand(&rng);
        struct pc_core *core = design_core(d, &whole);
        struct pc_core_counts counts;
        design_run(d, core, &rng);
        pc_core_get_counts(core, &counts);
        if (d->differences || d->checks)
            fail_msg("seed %llu, round %d: first at edge %llu", (unsigned long long)seed, round,
                     (unsigned long long)d->first);
        assert_true(counts.unknown > 100);
        assert_true(counts.compared > 3 * CYCLES);
        pc_core_destroy(core);
    }
    free(d);
}

/* Made, resolved and run with memory that runs out at any place; sizes that are given back are
 * right. */
static enum pc_status use_memory(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    struct design *d = ctx;
    const struct pc_core_watch watch = { .differs = NULL };
    const uint64_t *value[PLANES], *unknown[PLANES];
    struct pc_core_desc desc = whole;
    struct pc_core_place place;
    struct pc_core *core = NULL;

    desc.alloc = alloc;
    for (size_t i = 0; i < PLANES; i++) {
        value[i] = d->plane[i];
        unknown[i] = d->dark[i];
    }
    enum pc_status status = pc_core_create(&desc, &core, &place, err);
    if (status == PC_OK)
        status = pc_core_resolve(core, design_look_up, d, &place, err);
    for (int part = 0; part < 2 && status == PC_OK; part++)
        status = pc_core_run(core, CYCLES, value, unknown, &watch, err);
    pc_core_destroy(core);
    return status;
}

static void memory_runs_out(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    struct test_rng rng = test_rng_start(19, NULL);

    (void)state;
    assert_non_null(d);
    make(d, &rng);
    struct pc_core *core = design_core(d, &whole);
    design_run(d, core, NULL); /* the planes of the whole run stay */
    pc_core_destroy(core);
    test_refuse_each(use_memory, d, 50);
    free(d);
}

/* --- what contradicts itself --- */

/* what -1: any place */
static void expect(const struct pc_core_desc *desc, unsigned code, int what)
{
    struct design *d = calloc(1, sizeof *d);
    struct pc_core_place place = { PC_CORE_NOWHERE, 0, 0 };
    struct pc_core *core = NULL;
    struct pc_error err = { .code = 0 };

    assert_non_null(d);
    d->signal = signals;
    enum pc_status status = pc_core_create(desc, &core, &place, &err);
    if (status == PC_OK)
        status = pc_core_resolve(core, design_look_up, d, &place, &err);
    assert_int_not_equal(status, PC_OK);
    if (err.code != code || (what >= 0 && (int)place.what != what))
        fail_msg("code %u at %d: %s", err.code, (int)place.what, err.text);
    pc_core_destroy(core);
    free(d);
}

#define REGISTER(...) (&(struct pc_core_register){ __VA_ARGS__ })
#define DESC(...)     (&(struct pc_core_desc){ __VA_ARGS__ })

/* Verifies that lets have up to 2^20 bits: 256 of 4,096. */
static void lets_of_too_many_bits(void **state)
{
    enum { LETS = 257 };
    static struct pc_core_let wide[LETS];
    static char name[LETS][8];
    static const struct pc_core_register reg = { "sel", 2, "sel", "0", RULES(sel_rules) };

    (void)state;
    for (size_t i = 0; i < LETS; i++) {
        snprintf(name[i], sizeof name[i], "l%zu", i);
        wide[i] = (struct pc_core_let){ name[i], "4096'h1" };
    }
    expect(DESC(.let = wide, .lets = LETS, .reg = &reg, .regs = 1), 1904, -1);
}

static void contradictions_are_errors(void **state)
{
    static const struct pc_core_let circle[] = { { "x", "y" }, { "y", "z[0]" }, { "z", "{x, x}" } };
    static const struct pc_core_register twice[] = { { "x", 2, "sel", "0", RULES(sel_rules) },
                                                     { "y", 2, "sel", "0", RULES(sel_rules) } };
    static const struct pc_core_register same[] = { { "x", 2, "sel", "0", RULES(sel_rules) },
                                                    { "x", 6, "cnt", "0", RULES(sel_rules) } };
    static const struct pc_core_rule vector_when = { .when = "ev", .action = PC_CORE_KEEP };
    static const struct pc_core_rule outside = { .when = "sel[2]", .action = PC_CORE_KEEP };

    static const char *const events[] = { "ev", "hcnt[0]" };
    static const char *const called[] = { "q", "q" }, *const as_register[] = { "r", "sel" };
    static const struct pc_core_vector elements = { "v", events, 2, called };
    static const struct pc_core_vector registers = { "v", events, 2, as_register };

    (void)state;
    expect(DESC(.vector = &elements, .vectors = 1, .reg = regs, .regs = 1), 1905, PC_CORE_VECTOR);
    expect(DESC(.vector = &registers, .vectors = 1,
                .reg = REGISTER("sel", 2, "sel", "0", RULES(sel_rules)), .regs = 1),
           1905, -1);
    expect(DESC(.reg = REGISTER("x", 3, "cnt", "8", RULES(sel_rules)), .regs = 1), 1905,
           PC_CORE_RESET_VALUE);
    expect(DESC(.let = circle, .lets = 3, .reg = regs, .regs = 1), 1906, PC_CORE_LET);
    expect(DESC(.reg = twice, .regs = 2), 1905, PC_CORE_IS);
    expect(DESC(.reg = same, .regs = 2), 1905, PC_CORE_WIDTH_OF);
    expect(DESC(.reg = REGISTER("x", 7, "cnt", "0", RULES(sel_rules)), .regs = 1), 1905,
           PC_CORE_IS);
    expect(DESC(.reg = REGISTER("x", 0, "cnt", "0", RULES(sel_rules)), .regs = 1), 1904,
           PC_CORE_WIDTH_OF);
    expect(DESC(.reg = REGISTER("x", 5000, NULL, "0", RULES(sel_rules)), .regs = 1), 1904,
           PC_CORE_WIDTH_OF);
    expect(DESC(.reg = REGISTER("x", 6, "cnt", "0", NULL, 0), .regs = 1), 1905, PC_CORE_WIDTH_OF);
    expect(DESC(.reg = REGISTER("x", 6, "cnt + 1", "0", RULES(sel_rules)), .regs = 1), 1905,
           PC_CORE_IS);
    expect(DESC(.reg = REGISTER("x", 6, "cnt", "ev", RULES(sel_rules)), .regs = 1), 1905,
           PC_CORE_RESET_VALUE);
    expect(DESC(.reg = REGISTER("x", 6, "cnt", "0", &vector_when, 1), .regs = 1), 306,
           PC_CORE_WHEN);
    expect(DESC(.reg = (struct pc_core_register[]){ { "sel", 2, "sel", "0", &outside, 1 } },
                .regs = 1),
           1906, PC_CORE_WHEN);
    expect(DESC(.reset = "hcnt == 0", .let = lets, .lets = 2, .vector = vectors, .vectors = 1,
                .reg = regs, .regs = 10),
           1906, PC_CORE_RESET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_agree),
        cmocka_unit_test(a_fault_is_found_at_its_edge),
        cmocka_unit_test(the_last_write_is_told),
        cmocka_unit_test(unknown_inputs_make_no_difference),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(contradictions_are_errors),
        cmocka_unit_test(lets_of_too_many_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
