/* SPDX-License-Identifier: MIT */
/* The largest value: a difference that it would explain had the rule acted, at each bit. */
#include "planes.h"

#include <stdlib.h>
#include <string.h>

enum { GO, V, P };
static const struct signal signals[] = { { "go", 1 }, { "v", 8 }, { "p", 8 }, { NULL, 0 } };
static const struct pc_core_rule rules[] = {
    { .when = "go", .action = PC_CORE_MAX, .value = "v" },
};
static const struct pc_core_register regs[] = { { "p", 8, "p", NULL, rules, 1 } };
static const struct pc_core_desc desc = { .reg = regs, .regs = 1 };

/* Before AT the register is `before`; then it is `design`, although the rule does not act. */
enum { AT = 200 };
static const struct {
    uint64_t before, v, design;
    bool explained;
} cases[] = {
    { 100, 200, 200, true },  { 100, 101, 101, true },  { 101, 102, 102, true },
    { 127, 128, 128, true },  { 0, 255, 255, true },    { 128, 127, 127, false },
    { 101, 100, 100, false }, { 102, 101, 101, false }, { 100, 200, 201, false },
};

struct seen {
    struct pc_core *core;
    struct pc_core_cause cause;
    char but_for[20];
    uint64_t at;
    unsigned told;
};

static bool differs(void *ctx, const struct pc_core_difference *difference)
{
    struct seen *seen = ctx;

    assert_int_equal(difference->edge, seen->at + 1);
    pc_core_find_cause(seen->core, 0, &seen->cause, seen->but_for, sizeof seen->but_for);
    seen->told++;
    return true;
}

static void had_it_acted(void **state)
{
    struct design *d = calloc(1, sizeof *d);

    (void)state;
    assert_non_null(d);
    d->signal = signals;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t t = 0; t < CYCLES; t++) {
            d->value[V][t] = cases[i].v;
            d->value[P][t] = t > AT ? cases[i].design : cases[i].before;
        }
        struct seen seen = { .core = design_core(d, &desc), .at = AT };
        const struct pc_core_watch watch = { .differs = differs, .ctx = &seen };
        d->watch = &watch;
        design_run(d, seen.core, NULL);
        assert_int_equal(seen.told, 1);
        if ((seen.cause.what == PC_CORE_AS_IF_ALONE) != cases[i].explained)
            fail_msg("case %zu: cause %d", i, (int)seen.cause.what);
        assert_string_equal(seen.but_for, cases[i].explained ? "go" : "");
        pc_core_destroy(seen.core);
    }
    free(d);
}

/* A value so wide that it is evaluated a word of cycles at a time looks back over words, too. */
static void had_a_wide_one_acted(void **state)
{
    static const struct pc_core_rule wide_rules[] = {
        { .when = "go", .action = PC_CORE_MAX, .value = "(~4096'd0 != 0) ? prev(v) : 8'd0" },
    };
    static const struct pc_core_register wide_regs[] = { { "p", 8, "p", NULL, wide_rules, 1 } };
    static const struct pc_core_desc wide = { .reg = wide_regs, .regs = 1 };
    enum { FIRST = 192 }; /* of a word */
    struct design *d = calloc(1, sizeof *d);
    struct seen seen = { .at = FIRST };
    const struct pc_core_watch watch = { .differs = differs, .ctx = &seen };

    (void)state;
    assert_non_null(d);
    d->signal = signals;
    d->watch = &watch;
    for (size_t t = 0; t < CYCLES; t++) {
        d->value[V][t] = t == FIRST - 1 ? 200 : 3;
        d->value[P][t] = t > FIRST ? 200 : 100;
    }
    seen.core = design_core(d, &wide);
    design_run(d, seen.core, NULL);
    assert_int_equal(seen.told, 1);
    assert_int_equal(seen.cause.what, PC_CORE_AS_IF_ALONE);
    assert_string_equal(seen.but_for, "go");
    pc_core_destroy(seen.core);
    free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(had_it_acted),
                                        cmocka_unit_test(had_a_wide_one_acted) };

    return cmocka_run_group_tests_name("core_peak", tests, NULL, NULL);
}
