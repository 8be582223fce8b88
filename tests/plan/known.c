/* SPDX-License-Identifier: MIT */
/* Plans that can be counted by hand: each conflict that the hardware has, and its words. */
#include "case.h"
#include "lang/plan/plan.h"

#include <stdio.h>
#include <string.h>

static struct plan_case c;

static struct pc_plan *plan_it(size_t passes)
{
    struct pc_plan_request r = { .chip = c.chip, .event = c.event, .events = c.events };
    struct pc_plan *plan = NULL;
    struct pc_error err;

    test_ok(pc_plan_create(NULL, &r, &plan, &err), &err);
    check_plan(&c, plan);
    assert_int_equal(pc_plan_passes(plan), passes);
    assert_int_equal(pc_plan_bound(plan), passes);
    return plan;
}

static void begin(const char *chip)
{
    case_begin(&c, pc_chip_find(chip));
}

static void expect_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}

/* Checks the two passes, in either order. */
static void expect_reason(struct pc_plan *plan, const char *part)
{
    char text[400], pair[400];
    bool found = false;

    pc_plan_why(plan, 0, 1, text, sizeof text);
    found = strstr(text, part) != NULL;
    for (size_t a = 0; a < c.events; a++)
        for (size_t b = a + 1; b < c.events; b++)
            found |= pc_plan_conflict(plan, a, b, pair, sizeof pair) && strstr(pair, part);
    if (!found)
        fail_msg("\"%s\" is not in \"%s\", nor is it a conflict", part, text);
    pc_plan_destroy(plan);
    case_end(&c);
}

static void expect_why(struct pc_plan *plan, const char *part)
{
    char text[400];

    pc_plan_why(plan, 0, 1, text, sizeof text);
    expect_text(text, part);
    pc_plan_destroy(plan);
    case_end(&c);
}

/* Four counters a domain (PC.QUAD.1); before NV30 one. */
static void counters(void **state)
{
    (void)state;
    begin("G92");
    for (unsigned i = 0; i < 9; i++)
        case_event(&c, "e", 1, "s10 & s11");
    struct pc_plan *plan = plan_it(3);
    expect_text(pc_plan_bound_reason(plan), "9 events for domain 1: 4 counters a pass");
    expect_why(plan, "8 events for domain 1, which has 4 counters");
    begin("NV20");
    case_event(&c, "a", 0, "s10");
    case_event(&c, "b", 1, "s10");
    pc_plan_destroy(plan_it(1));
    case_event(&c, "c", 1, "s11");
    plan = plan_it(2);
    expect_why(plan, "both need the counter EVENT of domain 1");
}

/* One CTR_MODE a domain: EVENT_B4 and EVENT_B6 exclude each other, in one domain. */
static void counter_modes(void **state)
{
    static const uint32_t bits[6] = { 1, 2, 3, 4, 5, 6 };
    (void)state;
    for (unsigned second = 1; second < 3; second++) {
        begin("G92");
        for (unsigned i = 0; i < 2; i++) {
            struct pc_plan_event *e = case_event(&c, i ? "b6" : "b4", i ? second : 1, "1");
            e->sum_bits = i ? 6 : 4;
            memcpy(e->sum, bits, sizeof bits);
        }
        struct pc_plan *plan = plan_it(second == 1 ? 2 : 1);
        if (second == 1) {
            expect_why(plan, "domain 1 has one CTR_MODE: EVENT_B4 or EXTRA_B4 for b4, "
                             "EVENT_B6 or EXTRA_B6_EVENT_B2 for b6");
        } else {
            pc_plan_destroy(plan);
            case_end(&c);
        }
    }
}

/* A number for one counter, in cycles of a condition: what the compiler proves can be planned. */
static void numbers_on_every_chip(void **state)
{
    static const char *const conditions[] = { "1", "s02", "s00 & s01 & s10 & s11 & s12",
                                              "s08 & s09 & s0a & s0b & s0c & s0d & s0e" };
    const struct pc_chip *chip;
    struct pc_chip_domain d;
    unsigned planned = 0, refused = 0;

    (void)state;
    for (size_t k = 0; (chip = pc_chip_at(k)) != NULL; k++)
        for (unsigned i = 0; pc_chip_get_domain(chip, 0, &d) && i < 4 * 3 * 4; i++) {
            const unsigned slot = i % 4, bits = 2 + 2 * (i / 4 % 3);
            struct pc_compile_request r = { .chip = chip };
            struct pc_program program;
            struct pc_plan *plan = NULL;
            case_begin(&c, chip);
            struct pc_plan_event *e = case_event(&c, "n", 0, conditions[i / 12]);
            e->slots = 1u << slot;
            e->sum_bits = bits;
            for (unsigned s = 0; s < bits; s++)
                e->sum[s] = s;
            r.mode = chip->features & PC_F_QUAD ? PC_COUNT_QUAD : PC_COUNT_SINGLE;
            r.input[slot] = e->expr;
            r.number[slot].bits = bits;
            memcpy(r.number[slot].signal, e->sum, sizeof e->sum);
            bool proven = pc_compile(&r, &program, NULL) == PC_OK &&
                          (r.mode == PC_COUNT_QUAD || slot == PC_SLOT_EVENT);
            struct pc_plan_request wanted = { .chip = chip, .event = c.event, .events = 1 };
            if ((pc_plan_create(NULL, &wanted, &plan, NULL) == PC_OK) != proven)
                fail_msg("%s: %u bits at counter %u iff %s", chip->name, bits, slot, c.text[0]);
            if (plan)
                check_plan(&c, plan);
            planned += proven;
            refused += !proven;
            pc_plan_destroy(plan);
            case_end(&c);
        }
    print_message("%u numbers planned, %u refused\n", planned, refused);
    assert_true(planned > 100 && refused > 100);
}

/* Two numbers in one domain: KEPLER_5 has a counter for each (PC.GF.32). */
static void two_numbers(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        begin(k % 2 ? "GK104" : "G92");
        for (unsigned n = 0; n < 2; n++) {
            struct pc_plan_event *e = case_event(&c, n ? "b" : "a", 1, k / 2 ? "s02" : "1");
            e->sum_bits = 6;
            for (unsigned i = 0; i < 6; i++)
                e->sum[i] = 0x10 * (n + 1) + i;
        }
        pc_plan_destroy(plan_it(k % 2 ? 1 : 2));
        case_end(&c);
    }
}

/*
 * START_SRC is the number of EVENT_B4 (PC.MODE.2): START counts only what those four can say. A
 * number of every cycle can be in START instead, by EXTRA_B4 (PC.MODE.4), and EVENT counts.
 */
static void start_of_b4(void **state)
{
    (void)state;
    for (unsigned inside = 0; inside < 3; inside++) {
        begin("G92");
        struct pc_plan_event *e = case_event(&c, "n", 1, inside == 2 ? "1" : "s20");
        for (unsigned i = 0; i < 4; i++)
            e->sum[i] = 0x10 + i;
        e->sum_bits = 4;
        case_event(&c, "a", 1, "s20");
        case_event(&c, "b", 1, "s21");
        case_event(&c, "c", 1, inside == 1 ? "s11 & !s13" : "s11 & !s14");
        struct pc_plan *plan = plan_it(inside ? 1 : 2);
        if (!inside) {
            expect_reason(plan, "the number of n is START_SRC[0..3], and CTR_EVENT counts it");
            continue;
        }
        pc_plan_destroy(plan);
        case_end(&c);
    }
}

/* EVENT_SRC[2..3] are the upper bits of EVENT_B6 (PC.MODE.3): its condition has two sources. */
static void event_of_b6(void **state)
{
    struct pc_error err;

    (void)state;
    begin("G92");
    struct pc_plan_event *e = case_event(&c, "n", 1, "s01 & s02");
    for (unsigned i = 0; i < 6; i++)
        e->sum[i] = 0x10 + i;
    e->sum_bits = 6;
    test_ok(pc_plan_check(c.chip, e, false, &err), &err);
    e->expr = case_expr(&c, "s01 & s02 & s14");
    test_ok(pc_plan_check(c.chip, e, false, &err), &err);
    e->expr = case_expr(&c, "s01 & s02 & s03");
    assert_int_equal(pc_plan_check(c.chip, e, false, &err), PC_OK); /* SETFLAG helps */
    e->expr = case_expr(&c, "(s01 ? s02 : s03) ^ (s04 ? s05 : s06)");
    assert_int_equal(pc_plan_check(c.chip, e, false, &err), PC_EUNFIT);
    assert_int_equal(err.code, 344);
    expect_text(err.text, "START_SRC[0..3] and EVENT_SRC[2..3] are the bits of its number");
    e->sum_bits = 4; /* EVENT_B4 leaves EVENT its four sources */
    assert_int_equal(pc_plan_check(c.chip, e, false, &err), PC_EUNFIT);
    e->expr = case_expr(&c, "s01 & s02 & s03 & s04");
    assert_int_equal(pc_plan_check(c.chip, e, false, &err), PC_OK);
    case_end(&c);
}

/* The same, beside others: what EVENT_B6 reads no counter can have, in words. */
static void beside_b6(void **state)
{
    (void)state;
    begin("G92");
    struct pc_plan_event *e = case_event(&c, "n", 1, "s01");
    for (unsigned i = 0; i < 6; i++)
        e->sum[i] = 0x10 + i;
    e->sum_bits = 6;
    case_event(&c, "a", 1, "s20")->slots = 1u << PC_SLOT_START;
    expect_reason(plan_it(2),
                  "the number of n is START_SRC[0..3] and EVENT_SRC[2..3], and CTR_EVENT "
                  "counts it");
    begin("G92");
    e = case_event(&c, "n", 1, "s01");
    for (unsigned i = 0; i < 6; i++)
        e->sum[i] = 0x10 + i;
    e->sum_bits = 6;
    case_event(&c, "a", 1, "s10")->slots = 1u << PC_SLOT_EVENT;
    expect_reason(plan_it(2), "both need the counter EVENT of domain 1");
}

/* Shared registers: other values conflict, other fields do not. */
static void muxes(void **state)
{
    struct pc_plan_mux m;
    (void)state;
    begin("G92");
    case_event(&c, "a", 1, "s10");
    case_mux(&c, "0x40708c", 0x0000000f, 1);
    case_event(&c, "b", 2, "s10");
    case_mux(&c, "0x40708c", 0x000f0000, 0x30000);
    struct pc_plan *plan = plan_it(1);
    assert_true(pc_plan_mux_at(plan, 0, 0, &m));
    assert_int_equal(m.mask, 0x000f000f);
    assert_int_equal(m.value, 0x00030001);
    assert_false(pc_plan_mux_at(plan, 0, 1, &m));
    pc_plan_destroy(plan);
    case_event(&c, "c", 0, "s10");
    case_mux(&c, "0x40708c", 0x000f0000, 0x20000);
    plan = plan_it(2);
    expect_why(plan, "bits 0xf0000 of 0x40708c are 0x20000 for c and 0x30000 for b");
}

/* A value that is not known is apart from all others, its own register's other bits are not. */
static void unknown_mux(void **state)
{
    struct pc_plan_mux m;
    (void)state;
    begin("G92");
    case_event(&c, "a", 1, "s10");
    case_mux(&c, "0x408e50", 0x0000ffff, 0);
    c.mux[0][0].unknown = true;
    case_event(&c, "b", 1, "s11");
    case_mux(&c, "0x408e50", 0xffff0000, 0x10000);
    struct pc_plan *plan = plan_it(1);
    assert_true(pc_plan_mux_at(plan, 0, 0, &m));
    assert_true(m.unknown);
    assert_int_equal(m.mask, 0xffffffff);
    pc_plan_destroy(plan);
    c.mux[1][0].mask = UINT32_MAX;
    c.mux[1][0].value = 0;
    expect_why(plan_it(2), "the value of 0x408e50 for a is not known, and b also sets it");
}

/* A register of all units against one of them, unless the event says that one itself. */
static void broadcast(void **state)
{
    (void)state;
    begin("GF100");
    case_event(&c, "a", 0, "s10");
    case_mux(&c, "TPC[*].X", UINT32_MAX, 0);
    case_mux(&c, "TPC[0].X", UINT32_MAX, 3);
    case_event(&c, "b", 0, "s11");
    case_mux(&c, "TPC[0].X", UINT32_MAX, 3);
    pc_plan_destroy(plan_it(1));
    case_event(&c, "c", 0, "s12");
    case_mux(&c, "TPC[1].X", UINT32_MAX, 3);
    expect_why(plan_it(2), "TPC[*].X is 0x0 for a, TPC[1].X 0x3 for c");
}

/* NV10:NV40: one CTRL, so one CTR_MODE for both domains (D-58). */
static void shared_ctrl(void **state)
{
    static const char *const names[] = { "NV34", "NV40" };

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        begin(names[k]);
        struct pc_plan_event *e = case_event(&c, "n", 0, "1");
        for (unsigned i = 0; i < 4; i++)
            e->sum[i] = 0x10 + i;
        e->sum_bits = 4;
        for (unsigned i = 0; i < 4; i++)
            case_event(&c, "e", 1, "s01");
        struct pc_plan *plan = plan_it(k == 0 ? 2 : 1); /* CTR_EVENT of domain 1 adds numbers too */
        if (k == 0) {
            expect_reason(plan,
                          "CTRL is one for all domains of NV34, and CTR_MODE EVENT_B4 for n leaves "
                          "3 counters there");
            continue;
        }
        pc_plan_destroy(plan);
        case_end(&c);
    }
}

/* NV30+: SETFLAG and CLRFLAG look at sources of PRE and START; before, at their own. */
static void flags(void **state)
{
    char flag[64];
    (void)state;
    begin("G92");
    int at = pc_chip_signal_position(c.chip, 1, PC_SIG_DOM_FLAG, 1);
    assert_true(at > 0);
    snprintf(flag, sizeof flag, "s%02x", (unsigned)at);
    struct pc_plan_event *e = case_event(&c, "f", 1, flag);
    e->setflag = case_expr(&c, "s01 & s02 & s03 & s04");
    e->clrflag = case_expr(&c, "s05 & s06 & s07 & s08");
    case_event(&c, "a", 1, "s20 & s21");
    case_event(&c, "b", 1, "s22 & s23");
    case_event(&c, "c", 1, "s24 & s25");
    struct pc_plan *plan = plan_it(2);
    expect_why(plan, "SETFLAG and CLRFLAG look at sources of PRE and START");
}

static void groups(void **state)
{
    struct pc_plan_request r = { 0 };
    struct pc_plan *plan = NULL;
    struct pc_error err;

    (void)state;
    begin("G92");
    for (unsigned i = 0; i < 6; i++)
        case_event(&c, "e", 1, "s01")->group = 1 + i / 3; /* 3 + 3 of 4 */
    case_event(&c, "single", 1, "s02");
    pc_plan_destroy(plan_it(2));
    c.event[6].group = 1;
    c.event[5].group = 1;
    r = (struct pc_plan_request){ .chip = c.chip, .event = c.event, .events = c.events };
    assert_int_equal(pc_plan_create(NULL, &r, &plan, &err), PC_EUNFIT);
    assert_int_equal(err.code, 1502);
    expect_text(err.text, "5 events for domain 1, which has 4 counters");
    assert_null(plan);
    case_end(&c);
}

/*
 * Five pairs in a ring, each apart from the next by a register of its own: no three are all apart,
 * so the bound says two passes, and only trying shows that an odd ring takes three.
 */
static void odd_ring(void **state)
{
    static const char *const reg[] = { "R0", "R1", "R2", "R3", "R4" };

    (void)state;
    begin("G92");
    for (unsigned i = 0; i < 10; i++) {
        case_event(&c, "e", i / 2, "s01");
        case_mux(&c, reg[i / 2], UINT32_MAX, 1);
        case_mux(&c, reg[(i / 2 + 4) % 5], UINT32_MAX, 2);
    }
    struct pc_plan *plan = plan_it(3);
    assert_string_equal(pc_plan_bound_reason(plan), "all ways to do with one pass less were tried");
    pc_plan_destroy(plan);
    case_end(&c);
    begin("G92"); /* four of a ring of four fit into two */
    for (unsigned i = 0; i < 8; i++) {
        case_event(&c, "e", i / 2, "s01");
        case_mux(&c, reg[i / 2], UINT32_MAX, 1);
        case_mux(&c, reg[(i / 2 + 3) % 4], UINT32_MAX, 2);
    }
    pc_plan_destroy(plan_it(2));
    case_end(&c);
}

/* Nothing of the plan is left to chance or to the clock. */
static void same_again(void **state)
{
    struct test_rng rng = test_rng_start(5, &(uint64_t){ 0 });
    static const struct case_taste taste = { .domains = 3, .mux = 50, .sum = 10, .group = 10 };
    struct pc_plan *plan[2];
    struct pc_error err;

    (void)state;
    case_random(&c, &rng, pc_chip_find("GT215"), 60, &taste);
    struct pc_plan_request r = { .chip = c.chip, .event = c.event, .events = c.events };
    for (unsigned i = 0; i < 2; i++)
        test_ok(pc_plan_create(NULL, &r, &plan[i], &err), &err);
    assert_int_equal(plan[0]->attempts, plan[1]->attempts);
    for (size_t n = 0; n < c.events; n++) {
        struct pc_plan_place a = pc_plan_place_of(plan[0], n), b = pc_plan_place_of(plan[1], n);
        assert_memory_equal(&a, &b, sizeof a);
    }
    for (unsigned i = 0; i < 2; i++)
        pc_plan_destroy(plan[i]);
    case_end(&c);
}

/* Free wires: domains are alike, and any event goes anywhere. */
static void free_wires(void **state)
{
    struct pc_plan *plan = NULL;
    struct pc_error err;

    (void)state;
    begin("MCP77");
    for (unsigned i = 0; i < 40; i++) {
        char text[64];
        snprintf(text, sizeof text, "s%02x & s%02x & s%02x & s%02x", 4 * i, 4 * i + 1, 4 * i + 2,
                 4 * i + 3);
        case_event(&c, "e", 0, text)->domains = UINT64_MAX;
    }
    struct pc_plan_request r = {
        .chip = c.chip, .event = c.event, .events = c.events, .free_wires = true
    };
    test_ok(pc_plan_create(NULL, &r, &plan, &err), &err);
    /* 7 domains of 4 counters, but one has 12 signals: 27 a pass */
    assert_int_equal(pc_plan_passes(plan), 2);
    for (unsigned q = 0; q < 2; q++) {
        struct pc_plan_domain d;
        unsigned small = 0;
        for (unsigned k = 0; pc_plan_domain_at(plan, q, 4, &d) && k < 4; k++)
            small += d.event[k] >= 0;
        assert_in_range(small, 0, 3);
    }
    pc_plan_destroy(plan);
    case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters),    cmocka_unit_test(counter_modes),
        cmocka_unit_test(start_of_b4), cmocka_unit_test(event_of_b6),
        cmocka_unit_test(muxes),       cmocka_unit_test(broadcast),
        cmocka_unit_test(shared_ctrl), cmocka_unit_test(flags),
        cmocka_unit_test(groups),      cmocka_unit_test(same_again),
        cmocka_unit_test(free_wires),  cmocka_unit_test(unknown_mux),
        cmocka_unit_test(beside_b6),   cmocka_unit_test(odd_ring),
        cmocka_unit_test(two_numbers), cmocka_unit_test(numbers_on_every_chip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
