/* SPDX-License-Identifier: MIT */
/*
 * A register that a condition names, were it another value: the values with which the rules make
 * what the design shows, and the register of the same kind that is one of them.
 */
#include "planes.h"

#include <stdlib.h>
#include <string.h>

enum { CNT, WANT, SEL0, SEL1, SEL2, SEL3, OTHER, MODE, MODE2, WIDE0, WIDE1, SHOWN, HIDDEN = SHOWN };
static const struct signal signals[] = {
    { "cnt", 8 },    { "want", 6 }, { "sel0", 6 },  { "sel1", 6 },  { "sel2", 6 },  { "sel3", 5 },
    { "other0", 6 }, { "mode", 6 }, { "mode2", 6 }, { "wide0", 7 }, { "wide1", 7 }, { NULL, 0 },
};
static const struct pc_core_rule counts[] = {
    { .when = "sel0 == want | mode == want | wide0 == 7'd16", .action = PC_CORE_ADD, .value = "1" },
};
/* They keep their values. The last two are hidden: one is read, and the other one is not. */
static const struct pc_core_rule keeps[] = { { .action = PC_CORE_KEEP } };
static const struct pc_core_rule sets[] = { { .action = PC_CORE_SET, .value = "9" } };
static const struct pc_core_register regs[] = {
    { "cnt", 8, "cnt", NULL, counts, 1 },      { "want_", 6, "want", NULL, keeps, 1 },
    { "sel0", 6, "sel0", NULL, keeps, 1 },     { "sel1", 6, "sel1", NULL, keeps, 1 },
    { "sel2", 6, "sel2", NULL, keeps, 1 },     { "sel3", 5, "sel3", NULL, keeps, 1 },
    { "other0", 6, "other0", NULL, keeps, 1 }, { "mode", 6, "mode", NULL, keeps, 1 },
    { "mode2", 6, "mode2", NULL, keeps, 1 },   { "wide0", 7, "wide0", NULL, keeps, 1 },
    { "wide1", 7, "wide1", NULL, keeps, 1 },   { "sel4", 6, NULL, NULL, sets, 1 },
    { "sel5", 6, NULL, NULL, keeps, 1 },
};
static const struct pc_core_check checks[] = { { "hidden", NULL, "sel4 == 9" } };
static const struct pc_core_desc desc = { .reg = regs, .regs = 13, .check = checks, .checks = 1 };
#define NONE SIZE_MAX

/* At edge AT the design counts, although none of the three conditions holds. */
enum { AT = 200 };
static const struct {
    uint64_t want, value[SHOWN]; /* from SEL0 on */
    int unknown;                 /* a signal, or 0 */
    uint64_t inverted;           /* of sel0 */
    size_t as;
} cases[] = {
    { 5, { [SEL0] = 1, [SEL1] = 5, [SEL2] = 7 }, 0, 1 << 2, SEL1 },
    { 5, { [SEL0] = 7, [SEL1] = 7, [SEL2] = 5 }, 0, 1 << 1, SEL2 },
    { 5, { [SEL0] = 1, [SEL1] = 5, [SEL2] = 5 }, 0, 1 << 2, SEL1 },
    { 5, { [SEL0] = 2, [SEL1] = 1, [SEL2] = 4 }, 0, 0, NONE },
    { 63, { [SEL0] = 31, [SEL1] = 1, [SEL2] = 63 }, 0, 1 << 5, SEL2 },
    { 5, { [SEL0] = 1, [SEL3] = 5 }, 0, 1 << 2, NONE },               /* narrower */
    { 5, { [SEL0] = 1, [OTHER] = 5, [MODE2] = 5 }, 0, 1 << 2, NONE }, /* of another name */
    { 0, { [SEL0] = 1, [SEL1] = 1, [SEL2] = 1, [SEL3] = 1, [MODE] = 1 }, 0, 1, NONE },
    { 0, { [SEL0] = 1, [SEL1] = 1, [SEL3] = 1, [MODE] = 1 }, SEL2, 1, NONE }, /* not known */
    { 9, { [SEL0] = 1, [SEL1] = 1 }, 0, 1 << 3, HIDDEN },
};

struct seen {
    struct pc_core *core;
    struct pc_core_instead instead[3];
    unsigned told;
};

static bool differs(void *ctx, const struct pc_core_difference *difference)
{
    struct seen *seen = ctx;
    struct pc_core_instead none;

    if (difference->of_check || seen->told++ > 0)
        return true;
    assert_int_equal(difference->item, CNT);
    assert_int_equal(difference->edge, AT + 1);
    for (size_t i = 0; i < 3; i++)
        assert_true(pc_core_find_instead(seen->core, CNT, i, &seen->instead[i]));
    assert_false(pc_core_find_instead(seen->core, CNT, 3, &none));
    assert_false(pc_core_find_instead(seen->core, SEL0, 0, &none)); /* it has no rules */
    return true;
}

static void another_value(void **state)
{
    struct design *d = calloc(1, sizeof *d);

    (void)state;
    assert_non_null(d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(d, 0, sizeof *d);
        d->signal = signals;
        for (size_t t = 0; t < CYCLES; t++) {
            for (int s = SEL0; s < SHOWN; s++)
                d->value[s][t] = cases[i].value[s];
            d->value[WANT][t] = cases[i].want;
            d->value[CNT][t] = t > AT;
            if (cases[i].unknown)
                d->unknown[cases[i].unknown][t] = 63;
        }
        struct seen seen = { .core = design_core(d, &desc) };
        const struct pc_core_watch watch = { .differs = differs, .ctx = &seen };
        d->watch = &watch;
        design_run(d, seen.core, NULL);
        assert_int_equal(seen.told, 1);
        const struct pc_core_instead *sel = &seen.instead[0], *mode = &seen.instead[1],
                                     *wide = &seen.instead[2];
        if (sel->reg != SEL0 || sel->values != UINT64_C(1) << cases[i].want || sel->alone != 0 ||
            sel->inverted != cases[i].inverted || sel->as != cases[i].as)
            fail_msg("case %zu: %zu, values %llx, inverted %llx, as %zu", i, sel->reg,
                     (unsigned long long)sel->values, (unsigned long long)sel->inverted, sel->as);
        /* its name has no number, and it is another number of the same name */
        assert_int_equal(mode->reg, MODE);
        assert_int_equal(mode->values, UINT64_C(1) << cases[i].want);
        assert_true(mode->as == NONE);
        /* too wide for a list of values */
        assert_int_equal(wide->reg, WIDE0);
        assert_int_equal(wide->values, 0);
        assert_int_equal(wide->inverted, 1 << 4);
        assert_int_equal(wide->alone, 1 << 4);
        assert_true(wide->as == NONE);
        pc_core_destroy(seen.core);
    }
    free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(another_value) };

    return cmocka_run_group_tests_name("core_instead", tests, NULL, NULL);
}
