/* SPDX-License-Identifier: MIT */
/*
 * Registers that the design shows and whose value after a reset is not known: nothing is compared
 * until rules have set all of it; and descriptions that are refused.
 */
#include "planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RST, EV, WE, WD, CNT, LAST };
static const struct signal signals[] = { { "rst", 1 }, { "ev", 1 },   { "we", 1 }, { "wd", 8 },
                                         { "cnt", 8 }, { "last", 1 }, { NULL, 0 } };
static const struct pc_core_rule cnt_rules[] = {
    { .when = "we", .action = PC_CORE_SET, .value = "wd" },
    { .when = "ev", .action = PC_CORE_ADD, .value = "1" },
};
static const struct pc_core_rule last_rules[] = { { .action = PC_CORE_SET, .value = "prev(ev)" } };
static const struct pc_core_register regs[] = { { "cnt", 8, "cnt", NULL, cnt_rules, 2 },
                                                { "last", 1, "last", NULL, last_rules, 1 } };
static const struct pc_core_desc desc = { .reset = "rst", .reg = regs, .regs = 2 };

enum { AT = 1500, GAP = 1000, NEXT = GAP + 40 };

/* After a reset the registers have any value; `between`: also at edge GAP, until it is written at
 * NEXT. */
static void make(struct design *d, struct test_rng *rng, bool between)
{
    memset(d->unknown, 0, sizeof d->unknown);
    d->signal = signals;
    for (size_t t = 0; t < CYCLES; t++) {
        const uint64_t r = test_rand(rng);
        const bool quiet = t >= GAP - 2 && t < NEXT;
        d->value[RST][t] = t < 3 || (t >= 2000 && t < 2004);
        d->value[EV][t] = t == AT || (r & 1 && !quiet);
        d->value[WE][t] = t == NEXT || (r >> 1 & 63) == 0;
        d->value[WE][t] &= !quiet && t != AT;
        d->value[WD][t] = r >> 8 & 255;
        if (t == 0 || d->value[RST][t - 1]) {
            d->value[CNT][t] = r >> 16 & 255;
            d->value[LAST][t] = r >> 24 & 1;
            continue;
        }
        const size_t p = t - 1;
        const bool fresh = p == 0 || d->value[RST][p - 1] || (between && p == GAP);
        d->value[CNT][t] =
            d->value[WE][p] ? d->value[WD][p] : (d->value[CNT][p] + d->value[EV][p]) & 255;
        d->value[LAST][t] = fresh ? 0 : d->value[EV][p - 1];
        if (between && t == GAP)
            d->value[CNT][t] ^= 0x55;
    }
}

/* Counts the edges out of reset at which cnt is known, as it was written since the reset. */
static uint64_t known(const struct design *d, bool between)
{
    bool is_known = false;
    uint64_t count = 0;

    for (size_t t = 0; t < CYCLES; t++) {
        is_known &= !(between && t == GAP);
        count += is_known && !d->value[RST][t];
        is_known = !d->value[RST][t] && (is_known || d->value[WE][t]);
    }
    return count;
}

static void nothing_is_compared_until_it_is_written(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    struct test_rng rng = test_rng_start(77, NULL);
    struct pc_core_figures figures;

    (void)state;
    assert_non_null(d);
    for (unsigned turn = 0; turn < 4; turn++) {
        make(d, &rng, false);
        struct pc_core *core = design_core(d, &desc);
        design_run(d, core, turn ? &rng : NULL);
        assert_int_equal(d->differences, 0);
        pc_core_get_register(core, 0, &figures);
        assert_int_equal(figures.compared, known(d, false));
        pc_core_get_register(core, 1, &figures); /* is set in each cycle */
        assert_int_equal(figures.compared, CYCLES - 3 - 1 - 4 - 1);
        pc_core_destroy(core);
    }
    free(d);
}

static void what_differs_is_told_with_its_write(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    struct test_rng rng = test_rng_start(78, NULL);
    size_t written = AT;

    (void)state;
    assert_non_null(d);
    make(d, &rng, false);
    for (size_t t = AT + 1; t < 2000 && (t == AT + 1 || !d->value[WE][t - 1]); t++)
        d->value[CNT][t] = (d->value[CNT][t] + 3) & 255;
    while (!d->value[WE][written])
        written--;
    struct pc_core *core = design_core(d, &desc);
    for (unsigned turn = 0; turn < 2; turn++) {
        design_run(d, core, turn ? &rng : NULL);
        assert_int_equal(d->differences, 1); /* from there on the design's value goes on */
        assert_int_equal(d->told[0].edge, AT + 1 + turn * CYCLES);
        assert_true(d->told[0].written);
        assert_int_equal(d->told[0].written_edge, written + turn * CYCLES);
        assert_int_equal(d->told[0].written_value, d->value[WD][written]);
    }
    pc_core_destroy(core);
    free(d);
}

struct asked {
    struct pc_core *core;
    struct pc_core_cause cause;
    uint64_t edge;
    unsigned told;
};

static bool takes_cause(void *ctx, const struct pc_core_difference *difference)
{
    struct asked *a = ctx;
    char but_for[40];

    a->edge = difference->edge;
    a->told++;
    pc_core_find_cause(a->core, difference->item, &a->cause, but_for, sizeof but_for);
    return true;
}

static void what_would_explain_it_is_found(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    struct test_rng rng = test_rng_start(79, NULL);

    (void)state;
    assert_non_null(d);
    make(d, &rng, false);
    for (size_t t = AT + 1; t < 2000 && (t == AT + 1 || !d->value[WE][t - 1]); t++)
        d->value[CNT][t] = (d->value[CNT][t] + 3) & 255;
    struct asked a = { .core = design_core(d, &desc) };
    const struct pc_core_watch watch = { .differs = takes_cause, .ctx = &a };
    d->watch = &watch;
    design_run(d, a.core, NULL);
    assert_int_equal(a.told, 1);
    assert_int_equal(a.edge, AT + 1);
    assert_int_equal(a.cause.what, PC_CORE_AS_IF_ADDED);
    assert_int_equal(a.cause.rule, 1);
    assert_int_equal(a.cause.added, 4);
    pc_core_destroy(a.core);
    free(d);
}

static bool stop(void *ctx, const struct pc_core_difference *difference)
{
    (void)ctx;
    fail_msg("register %zu differs at edge %u", difference->item, (unsigned)difference->edge);
    return false;
}

static bool at_gap(void *ctx, uint64_t edge)
{
    (void)ctx;
    return edge == GAP || edge == 0;
}

static void a_reset_between_two_edges_makes_it_unknown(void **state)
{
    static const struct pc_core_watch watch = { .differs = stop, .reset_between = at_gap };
    struct design *d = calloc(1, sizeof *d);
    struct test_rng rng = test_rng_start(80, NULL);
    struct pc_core_figures figures;
    struct pc_core_counts counts;

    (void)state;
    assert_non_null(d);
    make(d, &rng, true);
    d->watch = &watch;
    for (unsigned turn = 0; turn < 3; turn++) {
        struct pc_core *core = design_core(d, &desc);
        design_run(d, core, turn ? &rng : NULL);
        pc_core_get_register(core, 0, &figures);
        assert_int_equal(figures.compared, known(d, true));
        pc_core_get_counts(core, &counts);
        assert_int_equal(counts.resets_between, 1);
        pc_core_destroy(core);
    }
    free(d);
}

/* --- what is refused --- */

static const struct pc_core_rule keeps[] = { { .action = PC_CORE_KEEP } };

static void descriptions_that_are_refused(void **state)
{
    static const struct pc_core_rule no_value[] = { { .when = "we", .action = PC_CORE_ADD } };
    static const struct pc_core_register no_value_reg[] = { { "r", 8, "cnt", "0", no_value, 1 } };
    static const struct pc_core_register many_rules[] = {
        { "r", 8, "cnt", "0", keeps, PC_CORE_RULES }, { "s", 8, "cnt", "0", keeps, 1 }
    };
    static const struct pc_core_register large_reset[] = { { "r", 8, "cnt", "256", keeps, 1 } };
    static const struct pc_core_register no_number[] = { { "r", 8, "cnt", "ev", keeps, 1 } };
    static const struct pc_core_register twice[] = { { "r", 8, "cnt", "0", keeps, 1 },
                                                     { "r", 8, NULL, "0", keeps, 1 } };
    static const struct pc_core_check nothing[] = { { "c", NULL, NULL } };
    static const struct pc_core_let circle[] = { { "a", "b & ev" }, { "b", "ev | a" } };
    static const struct {
        struct pc_core_desc desc;
        unsigned code;
        enum pc_core_text what;
        const char *says;
    } cases[] = {
        { { .reg = no_value_reg, .regs = 1 }, 1905, PC_CORE_VALUE, "and not with what" },
        { { .reg = many_rules, .regs = 2 },
          1904,
          PC_CORE_NOWHERE,
          "there are 65537 rules; at most 65536 can be described" },
        { { .reg = large_reset, .regs = 1 },
          1905,
          PC_CORE_RESET_VALUE,
          "the reset value of r has 9 bits, and r has 8" },
        { { .reg = no_number, .regs = 1 },
          1905,
          PC_CORE_RESET_VALUE,
          "the reset value of r is a number, or none" },
        { { .reg = twice, .regs = 2 }, 1905, PC_CORE_WIDTH_OF, "two things are called r" },
        { { .check = nothing, .checks = 1 },
          1905,
          PC_CORE_CHECK_THAT,
          "the check has nothing that must hold" },
        { { .let = circle, .lets = 2 }, 1906, PC_CORE_LET, "a circle" },
    };
    struct design *d = calloc(1, sizeof *d);

    (void)state;
    assert_non_null(d);
    d->signal = signals;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_core_place place = { PC_CORE_NOWHERE, 0, 0 };
        struct pc_core *core = NULL;
        struct pc_error err = { .code = 0 };
        enum pc_status status = pc_core_create(&cases[i].desc, &core, &place, &err);
        if (status == PC_OK)
            status = pc_core_resolve(core, design_look_up, d, &place, &err);
        if (status == PC_OK || err.code != cases[i].code || place.what != cases[i].what ||
            !strstr(err.text, cases[i].says))
            fail_msg("case %zu: %u in %d: %s", i, err.code, (int)place.what, err.text);
        pc_core_destroy(core);
        core = NULL;
        enum pc_status alone = pc_core_create(&cases[i].desc, &core, NULL, NULL);
        if (alone == PC_OK)
            alone = pc_core_resolve(core, design_look_up, d, NULL, NULL);
        assert_int_equal(alone, status); /* without a place for either */
        pc_core_destroy(core);
    }
    free(d);
}

static void more_bits_than_can_be(void **state)
{
    enum { MANY = 257 };
    struct pc_core_register *reg = calloc(MANY, sizeof *reg);
    char(*name)[8] = calloc(MANY, sizeof *name);
    struct design *d = calloc(1, sizeof *d);
    const struct pc_core_desc all = { .reg = reg, .regs = MANY };
    struct pc_core *core = NULL;
    struct pc_error err;

    (void)state;
    assert_true(reg && name && d);
    d->signal = signals;
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof name[i], "r%u", i);
        reg[i] = (struct pc_core_register){ name[i], PC_CORE_WIDTH, NULL, "0", keeps, 1 };
    }
    test_ok(pc_core_create(&all, &core, NULL, &err), &err);
    assert_int_equal(pc_core_resolve(core, design_look_up, d, NULL, &err), PC_ELIMIT);
    assert_int_equal(err.code, 1904);
    assert_string_equal(err.text, "the registers have more than 1048576 bits");
    pc_core_destroy(core);
    free(reg);
    free(name);
    free(d);
}

/* Names are looked up once, before the first run. */
static void the_order_of_calls(void **state)
{
    static const struct pc_core_watch watch = { .differs = stop };
    struct design *d = calloc(1, sizeof *d);
    struct pc_core *core = NULL;
    uint32_t wires[8];
    size_t count;
    bool is_signed;
    struct pc_error err;

    (void)state;
    assert_non_null(d);
    d->signal = signals;
    test_ok(pc_core_create(&desc, &core, NULL, &err), &err);
    assert_int_equal(pc_core_run(core, 1, NULL, NULL, &watch, &err), PC_EARG);
    assert_int_equal(err.code, 307);
    assert_int_equal(pc_core_find(core, "cnt", wires, 8, &count, &is_signed, &err), PC_ENOENT);
    test_ok(pc_core_resolve(core, design_look_up, d, NULL, &err), &err);
    assert_int_equal(pc_core_resolve(core, design_look_up, d, NULL, &err), PC_EARG);
    assert_int_equal(err.code, 307);
    test_ok(pc_core_find(core, "cnt", wires, 8, &count, &is_signed, &err), &err);
    assert_int_equal(count, 8);
    test_ok(pc_core_find(core, "cnt[6:2]", wires, 8, &count, &is_signed, &err), &err);
    assert_int_equal(count, 5);
    assert_int_equal(pc_core_find(core, "cnt[8]", wires, 8, &count, &is_signed, &err), PC_EINPUT);
    assert_int_equal(pc_core_find(core, "cnt[2:6]", wires, 8, &count, &is_signed, &err), PC_EINPUT);
    assert_int_equal(pc_core_find(core, "cnt[x]", wires, 8, &count, &is_signed, &err), PC_ENOENT);
    assert_int_equal(pc_core_find(core, "", wires, 8, &count, &is_signed, &err), PC_ENOENT);
    pc_core_destroy(core);
    pc_core_destroy(NULL);
    free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_compared_until_it_is_written),
        cmocka_unit_test(what_differs_is_told_with_its_write),
        cmocka_unit_test(what_would_explain_it_is_found),
        cmocka_unit_test(a_reset_between_two_edges_makes_it_unknown),
        cmocka_unit_test(descriptions_that_are_refused),
        cmocka_unit_test(more_bits_than_can_be),
        cmocka_unit_test(the_order_of_calls),
    };

    return cmocka_run_group_tests_name("core/shown", tests, NULL, NULL);
}
