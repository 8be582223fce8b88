/* SPDX-License-Identifier: MIT */
/*
 * What is told beside a difference: other registers at its edge, their last writes, and what
 * another description makes of it, wherever the edge is in a part; and differences that are taken
 * over. The design adds 2 where one description adds 1, and answers `seen`, which it does not show,
 * with its lowest bit inverted.
 */
#include "planes.h"

#include <stdlib.h>
#include <string.h>

enum { RST, UP, WE, WD, CNT, OUT, GHOST, ODD };
static const struct signal signals[] = { { "rst", 1 },   { "up", 1 },  { "we", 1 },
                                         { "wd", 8 },    { "cnt", 8 }, { "out", 4 },
                                         { "ghost", 1 }, { "odd", 1 }, { NULL, 0 } };

static const struct pc_core_rule one_rules[] = {
    { .when = "we", .action = PC_CORE_SET, .value = "wd" },
    { .when = "up", .action = PC_CORE_ADD, .value = "step" },
};
static const struct pc_core_rule seen_rules[] = {
    { .when = "up", .action = PC_CORE_ADD, .value = "1" },
};
static const struct pc_core_register regs[] = {
    { "cnt", 8, "cnt", "0", one_rules, 2 },
    { "seen", 4, NULL, "0", seen_rules, 1 },
};
static const struct pc_core_let by_1 = { "step", "1" }, by_2 = { "step", "1 + ghost" };
static const struct pc_core_check plain = { "out", "odd", "out == seen" },
                                  inverted = { "out", "odd", "out == (seen ^ 1)" };
static const struct pc_core_desc one = { .reset = "rst",
                                         .let = &by_1,
                                         .lets = 1,
                                         .reg = regs,
                                         .regs = 2,
                                         .check = &plain,
                                         .checks = 1 },
                                 other = { .reset = "rst",
                                           .let = &by_2,
                                           .lets = 1,
                                           .reg = regs,
                                           .regs = 2,
                                           .check = &inverted,
                                           .checks = 1 };

struct run {
    struct design d;
    struct pc_core *core, *other;
    uint64_t told, taken, checks;
    uint64_t seen[CYCLES], wrote[CYCLES]; /* wrote: 1 + the edge of the last write before */
    bool takes_all;
};

static void make(struct run *r, struct test_rng *rng)
{
    struct design *d = &r->d;

    memset(d->unknown, 0, sizeof d->unknown);
    d->signal = signals;
    for (size_t t = 0; t < CYCLES; t++) {
        const uint64_t x = test_rand(rng);
        d->value[RST][t] = t < 2 || x % 500 == 0;
        d->value[UP][t] = x >> 10 & 1;
        d->value[WE][t] = (x >> 12 & 31) == 0;
        d->value[WD][t] = x >> 20 & 255;
        d->value[ODD][t] = (x >> 30 & 3) == 0;
        d->value[GHOST][t] = 1; /* unknown, the other description does not know what it adds */
        d->unknown[GHOST][t] = (x >> 32 & 7) == 0;
        const bool reset = t == 0 || d->value[RST][t - 1];
        r->seen[t] = reset ? 0 : (r->seen[t - 1] + d->value[UP][t - 1]) & 15;
        r->wrote[t] = reset ? 0 : d->value[WE][t - 1] ? t : r->wrote[t - 1];
        d->value[CNT][t] = reset ? 0
                           : d->value[WE][t - 1]
                               ? d->value[WD][t - 1]
                               : (d->value[CNT][t - 1] + 2 * d->value[UP][t - 1]) & 255;
        d->value[OUT][t] = r->seen[t] ^ 1;
    }
}

static uint64_t number(const struct pc_core_value *v)
{
    assert_int_equal(v->unknown[0], 0);
    return v->value[0];
}

static void look_around(struct run *r, const struct pc_core_difference *d)
{
    const uint64_t t = d->edge;
    struct pc_core_value v;
    uint64_t edge;

    pc_core_get_value(r->core, 0, true, &v);
    assert_int_equal(number(&v), r->d.value[CNT][t - 1]);
    pc_core_get_value(r->core, 0, false, &v);
    assert_int_equal(number(&v), r->d.value[CNT][t]);
    pc_core_get_value(r->core, 1, false, &v);
    assert_int_equal(number(&v), r->seen[t]);
    pc_core_get_model(r->core, 1, &v);
    assert_int_equal(number(&v), r->seen[t]);
    assert_int_equal(pc_core_get_write(r->core, 0, &edge, &v), r->wrote[t] != 0);
    if (r->wrote[t]) {
        assert_int_equal(edge, r->wrote[t] - 1);
        assert_int_equal(number(&v), r->d.value[WD][r->wrote[t] - 1]);
    }
}

static bool differs(void *ctx, const struct pc_core_difference *d)
{
    struct run *r = ctx;
    const uint64_t t = d->edge;
    struct pc_core_value v;

    look_around(r, d);
    if (d->of_check) {
        r->checks++;
        assert_int_equal(r->d.value[ODD][t], 1);
        assert_int_equal(pc_core_check_otherwise(r->core, r->other, 0), PC_CORE_HOLDS);
        return true;
    }
    r->told++;
    assert_int_equal(r->d.value[UP][t - 1] && !r->d.value[WE][t - 1], 1);
    pc_core_get_model(r->core, 0, &v);
    assert_int_equal(number(&v), (r->d.value[CNT][t - 1] + 1) & 255);
    const bool known = !r->d.unknown[GHOST][t - 1];
    assert_int_equal(pc_core_otherwise(r->core, r->other, 0, &v), known);
    if (known)
        assert_int_equal(number(&v), r->d.value[CNT][t]);
    return true;
}

static bool takes(void *ctx, const struct pc_core_difference *d)
{
    struct run *r = ctx;

    if (!r->takes_all && d->edge % 3 != 0)
        return false;
    r->taken++;
    return true;
}

/* Returns edges at which the design's counter is not what the description has, and its checks. */
static uint64_t count(const struct run *r, uint64_t *checks)
{
    uint64_t n = 0;

    *checks = 0;
    for (size_t t = 2; t < CYCLES; t++) {
        const bool runs = !r->d.value[RST][t];
        n += runs && !r->d.value[RST][t - 1] && r->d.value[UP][t - 1] && !r->d.value[WE][t - 1];
        *checks += runs && r->d.value[ODD][t];
    }
    return n;
}

static void differences_are_explained(void **state)
{
    struct run *r = calloc(1, sizeof *r);
    uint64_t seed, checks;
    struct test_rng rng = test_rng_start(19, &seed);
    const struct pc_core_watch watch = { .differs = differs, .takes = takes, .ctx = r };
    struct pc_core_figures f;
    struct pc_core_value v;

    (void)state;
    assert_non_null(r);
    for (int round = 0; round < 12; round++) {
        make(r, &rng);
        r->d.watch = &watch;
        r->core = design_core(&r->d, &one);
        r->other = design_core(&r->d, &other);
        r->told = r->taken = r->checks = 0;
        r->takes_all = round == 11;
        design_run(&r->d, r->core, round ? &rng : NULL);
        const uint64_t wrong = count(r, &checks);
        assert_int_equal(r->told + r->taken, wrong);
        assert_int_equal(r->checks, checks);
        assert_true(r->taken > 100 && (r->takes_all || r->told > 100));
        pc_core_get_register(r->core, 0, &f);
        assert_int_equal(f.differences, r->told);
        pc_core_get_last(r->core, 1, &v);
        assert_int_equal(number(&v), r->d.value[RST][CYCLES - 1]
                                         ? 0
                                         : (r->seen[CYCLES - 1] + r->d.value[UP][CYCLES - 1]) & 15);
        pc_core_destroy(r->core);
        pc_core_destroy(r->other);
    }
    free(r);
}

/* Verifies that what is taken over is neither compared nor a difference. */
static void what_is_taken_is_not_compared(void **state)
{
    struct run *r = calloc(1, sizeof *r);
    uint64_t seed;
    struct test_rng rng = test_rng_start(23, &seed);
    const struct pc_core_watch all = { .differs = differs, .takes = takes, .ctx = r },
                               none = { .differs = differs, .ctx = r };
    struct pc_core_figures taken, told;

    (void)state;
    assert_non_null(r);
    make(r, &rng);
    r->takes_all = true;
    r->d.watch = &all;
    r->core = design_core(&r->d, &one);
    r->other = design_core(&r->d, &other);
    design_run(&r->d, r->core, &rng);
    pc_core_get_register(r->core, 0, &taken);
    pc_core_destroy(r->core);
    r->d.watch = &none;
    r->core = design_core(&r->d, &one);
    design_run(&r->d, r->core, &rng);
    pc_core_get_register(r->core, 0, &told);
    assert_int_equal(taken.differences, 0);
    assert_int_equal(told.differences, r->told);
    assert_int_equal(taken.compared + r->taken, told.compared);
    pc_core_destroy(r->core);
    pc_core_destroy(r->other);
    free(r);
}

static bool tells_unknown(void *ctx, const struct pc_core_difference *d)
{
    struct run *r = ctx;

    if (!d->of_check)
        return true;
    r->checks++;
    assert_int_equal(d->design.unknown[0], r->d.unknown[OUT][d->edge]);
    return true;
}

/* Verifies that an answer with an unknown bit fails where that is asked for, and else is no
 * verdict.
 */
static void unknown_answers_fail(void **state)
{
    struct run *r = calloc(1, sizeof *r);
    uint64_t seed, looked = 0;
    struct test_rng rng = test_rng_start(29, &seed);
    const struct pc_core_watch watch = { .differs = tells_unknown, .ctx = r };
    struct pc_core_desc desc = other; /* with it no answer is wrong */
    struct pc_core_figures f;

    (void)state;
    assert_non_null(r);
    for (int answers = 0; answers < 2; answers++) {
        uint64_t unknown = 0;
        make(r, &rng);
        looked = 0;
        for (size_t t = 0; t < CYCLES; t++) {
            r->d.unknown[OUT][t] = t % 7 == 0 ? 1 : t % 11 == 0 ? 6 : 0;
            looked += r->d.value[ODD][t] && !r->d.value[RST][t] && t > 1;
            unknown += r->d.value[ODD][t] && !r->d.value[RST][t] && t > 1 && r->d.unknown[OUT][t];
        }
        desc.answers = answers;
        r->d.watch = &watch;
        r->checks = 0;
        r->core = design_core(&r->d, &desc);
        design_run(&r->d, r->core, &rng);
        pc_core_get_check(r->core, 0, &f);
        assert_true(unknown > 50);
        assert_int_equal(r->checks, answers ? unknown : 0);
        assert_int_equal(f.compared, answers ? looked : looked - unknown);
        assert_int_equal(f.unknown, answers ? 0 : unknown);
        pc_core_destroy(r->core);
    }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_answers_fail),
        cmocka_unit_test(differences_are_explained),
        cmocka_unit_test(what_is_taken_is_not_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
