/* SPDX-License-Identifier: MIT */
/*
 * What a difference looks like: the design makes one mistake at one edge, and the cause that is
 * found is that mistake, with its rule and its bits.
 */
#include "planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WE, INC, TEN, WD, REG, X, P, PICK };
static const struct signal signals[] = { { "we", 1 },  { "inc", 1 },  { "ten", 1 },
                                         { "wd", 32 }, { "r", 32 },   { "x", 1 },
                                         { "p", 1 },   { "pick", 2 }, { NULL, 0 } };
enum { SETS, ADDS, ADDS_TEN };
static const struct pc_core_rule rules[] = {
    { .when = "we", .action = PC_CORE_SET, .value = "wd" },
    { .when = "v[pick]", .action = PC_CORE_ADD, .value = "1", .go_on = true },
    { .when = "ten & prev(x)", .action = PC_CORE_ADD, .value = "10" },
};
/* What looks back is right after a cause was looked for, which looks back, too. */
static const struct pc_core_rule back[] = {
    { .action = PC_CORE_SET, .value = "prev(x) ^ x" },
};
static const struct pc_core_register regs[] = { { "r", 32, "r", "7", rules, 3 },
                                                { "p", 1, "p", "0", back, 1 } };
/* Picked is `inc` until the mistake, then `we`; never `ten`. */
static const char *const elements[] = { "ten", "inc", "we" };
static const char *const called[] = { "tens", "incs", "writes" };
static const struct pc_core_vector vectors[] = { { "v", elements, 3, called } };
static const struct pc_core_desc desc = { .reg = regs, .regs = 2, .vector = vectors, .vectors = 1 };

/* At edge AT the register is `before`, these rules act, and then the design has `design`. */
enum { AT = 777, PART = 800 };
struct mistake {
    uint32_t before, wd;
    bool we, inc, ten;
    uint32_t design;
    struct pc_core_cause want;
};

#define C(what_) .what = PC_CORE_AS_IF_##what_
static const struct mistake mistakes[] = {
    { 0x12345678, 0xffff9abc, true, false, false, 0x12349abc, { C(KEPT), .hi = 31, .lo = 16 } },
    { 0x12345678, 0xffff9abc, true, false, false, 0xffff5678, { C(KEPT), .hi = 15, .lo = 0 } },
    { 0x12345678, 0xff9a9aff, true, false, false, 0xff3456ff, { C(KEPT), .hi = 23, .lo = 8 } },
    { 0x12345678, 0xffff9abc, true, false, false, 0x12345678, { C(NONE) } },
    { 0x12345678, 0, false, true, false, 0x12345678, { C(NONE) } },
    { 0x12345678, 0, false, true, false, 0x1234567b, { C(ADDED), .rule = ADDS, .added = 3 } },
    { 0x12345678, 0xffff9abc, true, false, false, 0xfffe9abc, { C(BIT), .rule = SETS, .lo = 16 } },
    { 0x12345678, 0xffff9abc, true, false, false, 0x7fff9abc, { C(BIT), .rule = SETS, .lo = 31 } },
    { 0x0000ffff, 0, false, true, false, 0, { C(NO_CARRY), .rule = ADDS, .lo = 16 } },
    { 0x12345678, 0, false, false, false, 0x12345682, { C(ALONE), .rule = ADDS_TEN } },
    { 0x12345678, 0, false, false, false, 0x99345682, { .what = PC_CORE_NO_CAUSE } },
    /* two rules add: one of them is missing, or adds something else beside the other, or carries */
    { 0x12345678, 0, false, true, true, 0x12345682, { C(WITHOUT), .rule = ADDS } },
    { 0x12345678, 0, false, true, true, 0x12345679, { C(ONLY), .rule = ADDS } },
    { 0x12345678, 0, false, true, true, 0x12345684, { C(ADDED), .rule = ADDS, .added = 2 } },
    { 0x12345678, 0, false, true, true, 0x1234567d, { C(ADDED), .rule = ADDS_TEN, .added = 4 } },
    { 0x0000fffa, 0, false, true, true, 0x00000005, { C(NO_CARRY), .rule = ADDS_TEN, .lo = 16 } },
    { 0x0000ffff, 0, false, true, true, 0x0000000a, { C(NO_CARRY), .rule = ADDS, .lo = 16 } },
};

struct seen {
    struct pc_core *core;
    struct pc_core_cause cause;
    uint64_t edge;
    unsigned told, backs;
    char picked[40]; /* the element of the rule that adds, and what it was */
};

static bool differs(void *ctx, const struct pc_core_difference *difference)
{
    struct seen *seen = ctx;
    struct pc_core_cause cause;
    struct pc_core_value value;
    const char *name;
    char but_for[100];

    if (difference->item == 1) { /* a cause is looked for, and what comes next looks back as well */
        pc_core_find_cause(seen->core, 1, &cause, but_for, sizeof but_for);
        seen->backs++;
    } else if (seen->told++ == 0) {
        seen->edge = difference->edge;
        pc_core_find_cause(seen->core, 0, &seen->cause, but_for, sizeof but_for);
        for (size_t i = 0; pc_core_term(seen->core, 0, ADDS, i, &name, &value); i++)
            if (strncmp(name, "v[", 2) == 0)
                snprintf(seen->picked, sizeof seen->picked, "%s %u", name,
                         (unsigned)value.value[0]);
    }
    return true;
}

static void never_chosen(void *ctx, const struct pc_core_untried *untried)
{
    unsigned *never = ctx;

    if (untried->what == PC_CORE_NEVER_CHOSEN)
        *never |= 1u << untried->place.part;
}

/* The register before AT is what it was set to at AT - 3; after it is as the mistake leaves it. */
static void make(struct design *d, const struct mistake *m)
{
    memset(d->value, 0, sizeof d->value);
    memset(d->unknown, 0, sizeof d->unknown);
    d->signal = signals;
    for (size_t t = 0; t < CYCLES; t++) {
        d->value[INC][t] = t % 3 == 0 && t + 3 < AT; /* as it works most of the time */
        d->value[REG][t] = t <= AT - 3 ? (t == 0 ? 7 : d->value[REG][t - 1] + d->value[INC][t - 1])
                           : t <= AT   ? m->before
                                       : m->design;
    }
    for (size_t t = 0; t < CYCLES; t++)
        d->value[PICK][t] = t <= AT ? 1 : 2;
    for (size_t t = 1; t < CYCLES; t++) {
        d->value[X][t] = t * t % 7 < 3;
        d->value[P][t] = (t > 1 ? d->value[X][t - 2] : 0) ^ d->value[X][t - 1];
    }
    for (size_t t = PART + 1; t < CYCLES; t++)
        d->value[REG][t] +=
            10; /* in the first cycle of a part, which looks back into the one before */
    d->value[TEN][PART] = d->value[X][PART - 1];
    assert_int_equal(d->value[TEN][PART], 1);
    d->value[P][AT + 1] ^= 1; /* for one cycle, as it is set in each */
    d->value[WE][AT - 3] = 1;
    d->value[WD][AT - 3] = m->before;
    d->value[WE][AT] = m->we;
    d->value[WD][AT] = m->wd;
    d->value[INC][AT] = m->inc;
    d->value[TEN][AT] = m->ten;
}

static void turn(struct design *d, size_t from, size_t cycles)
{
    uint32_t plane = 0;

    memset(d->plane, 0, sizeof d->plane);
    for (size_t i = 0; signals[i].name; i++)
        for (uint32_t b = 0; b < signals[i].width; b++, plane++)
            for (size_t t = 0; t < cycles; t++)
                d->plane[plane][t / 64] |= (d->value[i][from + t] >> b & 1) << t % 64;
}

static void each_mistake_is_named(void **state)
{
    struct design *d = calloc(1, sizeof *d);
    const uint64_t *value[PLANES], *unknown[PLANES];
    struct pc_error err;

    (void)state;
    assert_non_null(d);
    for (size_t i = 0; i < PLANES; i++) {
        value[i] = d->plane[i];
        unknown[i] = d->dark[i];
    }
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        const struct mistake *m = &mistakes[i];
        make(d, m);
        struct seen seen = { .core = design_core(d, &desc) };
        const struct pc_core_watch watch = { .differs = differs, .ctx = &seen };
        for (size_t at = 0; at < CYCLES; at += PART) {
            turn(d, at, PART);
            test_ok(pc_core_run(seen.core, PART, value, unknown, &watch, &err), &err);
        }
        if (seen.told != 1 || seen.edge != AT + 1 || seen.cause.what != m->want.what ||
            (m->want.what != PC_CORE_NO_CAUSE && m->want.what != PC_CORE_AS_IF_NONE &&
             m->want.what != PC_CORE_AS_IF_KEPT && seen.cause.rule != m->want.rule) ||
            (m->want.what == PC_CORE_AS_IF_ADDED && seen.cause.added != m->want.added) ||
            (m->want.what >= PC_CORE_AS_IF_KEPT && seen.cause.lo != m->want.lo) ||
            (m->want.what == PC_CORE_AS_IF_KEPT && seen.cause.hi != m->want.hi))
            fail_msg("mistake %zu: told %u, edge %u, cause %d, rule %zu, hi %u, lo %u, added %d", i,
                     seen.told, (unsigned)seen.edge, (int)seen.cause.what, seen.cause.rule,
                     seen.cause.hi, seen.cause.lo, (int)seen.cause.added);
        assert_string_equal(seen.picked, m->inc ? "v[1] (incs) 1" : "v[1] (incs) 0");
        assert_int_equal(seen.backs, 1);
        unsigned never = 0;
        pc_core_get_untried(seen.core, never_chosen, &never);
        assert_int_equal(never, 1);
        pc_core_destroy(seen.core);
    }
    free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_mistake_is_named) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
