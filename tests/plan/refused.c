/* SPDX-License-Identifier: MIT */
/* What cannot be planned: requests that make no sense, events that no chip counts, their codes. */
#include "case.h"

#include <stdio.h>
#include <string.h>

static struct plan_case c;

/* A plan of the request fails with this code and leaves nothing. */
static void refuses(const struct pc_plan_request *r, unsigned code)
{
    struct pc_plan *plan = NULL;
    struct pc_error err = { .code = 0 };

    assert_int_not_equal(pc_plan_create(NULL, r, &plan, &err), PC_OK);
    if (err.code != code)
        fail_msg("%u instead of %u: %s", err.code, code, err.text);
    assert_null(plan);
    assert_int_equal(pc_plan_create(NULL, r, &plan, NULL), err.status); /* without a place for it */
}

/* The event of the case is refused, alone and as the second of a plan, which is its line then. */
static void refuses_event(const char *chip, const struct pc_plan_event *e, unsigned code)
{
    const struct pc_plan_event both[2] = {
        { .name = "fine", .domains = 1, .expr = case_expr(&c, "s01") }, *e
    };
    const struct pc_plan_request r = { .chip = pc_chip_find(chip), .event = both, .events = 2 };
    struct pc_plan *plan = NULL;
    struct pc_error err = { .code = 0 };

    assert_int_not_equal(pc_plan_check(r.chip, e, false, &err), PC_OK);
    if (err.code != code)
        fail_msg("%s: %u instead of %u: %s", chip, err.code, code, err.text);
    assert_int_not_equal(pc_plan_create(NULL, &r, &plan, &err), PC_OK);
    assert_int_equal(err.code, code);
    assert_int_equal(err.line, 2);
    assert_null(plan);
}

static void requests(void **state)
{
    static struct pc_plan_event many[PC_PLAN_EVENTS + 1];
    const struct pc_chip *none = NULL, *unknown = NULL;

    (void)state;
    refuses(NULL, 400);
    refuses(&(struct pc_plan_request){ .chip = NULL }, 400);
    refuses(&(struct pc_plan_request){ .chip = pc_chip_find("G92"), .events = 1 }, 400);
    refuses(&(struct pc_plan_request){ .chip = pc_chip_find("G92"),
                                       .event = many,
                                       .events = PC_PLAN_EVENTS + 1 },
            1504);
    for (size_t i = 0; i < pc_chip_count(); i++) {
        struct pc_chip_domain d;
        const struct pc_chip *chip = pc_chip_at(i);
        if (chip->layout == PC_LAYOUT_NONE)
            none = chip;
        else if (!pc_chip_get_domain(chip, 0, &d))
            unknown = chip;
    }
    assert_true(none || unknown);
    if (none)
        refuses(&(struct pc_plan_request){ .chip = none }, 323);
    if (unknown)
        refuses(&(struct pc_plan_request){ .chip = unknown }, 323);
}

static void events(void **state)
{
    struct pc_expr *raw = NULL;
    struct pc_error err;

    (void)state;
    case_begin(&c, pc_chip_find("G92"));
    struct pc_plan_event e = { .name = "e", .domains = 2 };
    refuses_event("G92", &e, 307);
    test_ok(pc_expr_parse(NULL, "s01", &raw, &err), &err);
    e.expr = raw;
    refuses_event("G92", &e, 307);
    pc_expr_free(raw);
    e.expr = case_expr(&c, "s100");
    refuses_event("G92", &e, 342);
    e.expr = case_expr(&c, "s01");
    e.domains = UINT64_C(1) << 8;
    refuses_event("G92", &e, 340);
    e.domains = 0;
    refuses_event("G92", &e, 340);
    e.domains = 2;
    for (unsigned bits = 1; bits < 9; bits++) {
        e.sum_bits = bits;
        if (bits == 2) /* EXTRA_B6_EVENT_B2 adds them in every cycle */
            refuses_event("G92", &e, 345);
        else if (bits != 4 && bits != 6)
            refuses_event("G92", &e, 341);
    }
    e.sum_bits = 4;
    e.sum[3] = 0x100;
    refuses_event("G92", &e, 342);
    e.sum_bits = 6;
    e.sum[3] = 1;
    refuses_event("NV34", &e, 345); /* EVENT_B6 came later */
    e.sum_bits = 0;
    char other[16];
    snprintf(other, sizeof other, "s%02x",
             (unsigned)pc_chip_signal_position(pc_chip_find("G92"), 1, PC_SIG_DOM_EVENT, 3));
    e.expr = case_expr(&c, other);
    refuses_event("G92", &e, 1503);
    snprintf(other, sizeof other, "s%02x",
             (unsigned)pc_chip_signal_position(pc_chip_find("G92"), 1, PC_SIG_DOM_FLAG, 3));
    e.expr = case_expr(&c, other);
    refuses_event("G92", &e, 1503);
    case_end(&c);
}

static void fixed_modes(void **state)
{
    static const int16_t none[] = { INT16_MIN, -7, PC_MAX_SIGNALS, INT16_MAX };
    struct pc_plan_fixed fixed = { .ctr_mode = "SIMPLE" };
    struct pc_plan_event e = { .name = "e", .domains = 2, .fixed = &fixed };

    (void)state;
    case_begin(&c, pc_chip_find("G92"));
    for (size_t i = 0; i < PC_PLAN_SLOTS; i++)
        for (size_t k = 0; k < 4; k++)
            fixed.pinned[i][k] = PC_NO_SIGNAL;
    fixed.input[PC_SLOT_EVENT] = case_expr(&c, "s01");
    assert_int_equal(pc_plan_check(c.chip, &e, false, NULL), PC_OK);
    fixed.ctr_mode = NULL; /* SIMPLE */
    assert_int_equal(pc_plan_check(c.chip, &e, false, NULL), PC_OK);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        fixed.pinned[PC_SLOT_START][1] = none[i];
        refuses_event("G92", &e, 342);
    }
    fixed.pinned[PC_SLOT_START][1] = PC_MAX_SIGNALS - 1;
    assert_int_equal(pc_plan_check(c.chip, &e, false, NULL), PC_OK);
    fixed.ctr_mode = "EVENT_B7";
    refuses_event("G92", &e, 1500);
    fixed.ctr_mode = "5";
    refuses_event("G92", &e, 345);
    fixed.ctr_mode = "EVENT_B6";
    refuses_event("NV34", &e, 345);
    case_end(&c);
}

/* Without a CTR_MODE it is SIMPLE's, with the signals that are pinned. */
static void no_mode_is_simple(void **state)
{
    struct pc_plan_fixed fixed = { .ctr_mode = NULL };
    const struct pc_plan_event e = { .name = "e", .domains = 2, .fixed = &fixed };
    const struct pc_plan_request r = { .chip = pc_chip_find("G92"), .event = &e, .events = 1 };
    struct pc_program program[2];
    struct pc_error err;

    (void)state;
    case_begin(&c, r.chip);
    memset(fixed.pinned, 0xff, sizeof fixed.pinned); /* PC_NO_SIGNAL */
    fixed.pinned[PC_SLOT_START][1] = 0x2a;
    fixed.input[PC_SLOT_EVENT] = case_expr(&c, "s01");
    for (size_t i = 0; i < 2; i++) {
        struct pc_plan *plan;
        fixed.ctr_mode = i ? "SIMPLE" : NULL;
        memset(&program[i], 0, sizeof program[i]);
        test_ok(pc_plan_create(NULL, &r, &plan, &err), &err);
        test_ok(pc_plan_compile(plan, 0, 1, &program[i], &err), &err);
        pc_plan_destroy(plan);
    }
    assert_int_equal(program[0].source[PC_INPUT_START][1], 0x2a);
    assert_int_equal(program[0].writes, program[1].writes);
    assert_memory_equal(program[0].write, program[1].write,
                        program[0].writes * sizeof program[0].write[0]);
    case_end(&c);
}

/* An event is called something where the caller gives it no name. */
static void unnamed(void **state)
{
    struct pc_plan_event e = { .domains = 0 };
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_plan_check(pc_chip_find("G92"), &e, false, &err), PC_EARG);
    assert_string_equal(err.text, "G92 has no such domain for an event");
}

static void swap_both_ways(void **state)
{
    struct pc_plan_request r = { .chip = pc_chip_find("G92"), .keep_swap = true };
    struct pc_plan *plan = NULL;
    struct pc_error err;

    (void)state;
    test_ok(pc_plan_create(NULL, &r, &plan, &err), &err);
    pc_plan_destroy(plan);
    r.swap = PC_SIG_PM_TRIGGER;
    refuses(&r, 393);
}

/* Asked for what a plan does not have, it says so and leaves the answer alone. */
static void outside(void **state)
{
    struct pc_plan *plan = NULL;
    struct pc_plan_domain domain = { .ctr_mode = "mine" };
    struct pc_plan_mux mux = { .reg = "mine" };
    struct pc_program program = { .ctrl = 1234 };
    struct pc_error err;
    char text[100] = "x";

    (void)state;
    case_begin(&c, pc_chip_find("G92"));
    case_event(&c, "a", 1, "s10");
    case_mux(&c, "R", 1, 1);
    struct pc_plan_request r = { .chip = c.chip, .event = c.event, .events = 1 };
    test_ok(pc_plan_create(NULL, &r, &plan, &err), &err);
    assert_int_equal(pc_plan_passes(plan), 1);
    assert_false(pc_plan_domain_at(plan, 1, 1, &domain));
    assert_false(pc_plan_domain_at(plan, 0, 8, &domain));
    assert_false(pc_plan_domain_at(plan, 0, 2, &domain)); /* nothing is counted there */
    assert_string_equal(domain.ctr_mode, "mine");
    assert_false(pc_plan_mux_at(plan, 1, 0, &mux));
    assert_false(pc_plan_mux_at(plan, 0, 1, &mux));
    assert_string_equal(mux.reg, "mine");
    assert_int_equal(pc_plan_compile(plan, 1, 1, &program, &err), PC_EARG);
    assert_int_equal(pc_plan_compile(plan, 0, 8, &program, &err), PC_EARG);
    assert_int_equal(program.ctrl, 1234);
    assert_false(pc_plan_conflict(plan, 0, 1, text, sizeof text));
    assert_string_equal(text, "");
    strcpy(text, "x");
    pc_plan_why(plan, 0, 0, text, sizeof text);
    assert_string_equal(text, "");
    pc_plan_destroy(plan);
    r.free_wires = true;
    test_ok(pc_plan_create(NULL, &r, &plan, &err), &err);
    assert_true(pc_plan_domain_at(plan, 0, 1, &domain));
    assert_int_equal(pc_plan_compile(plan, 0, 1, &program, &err), PC_EARG);
    pc_plan_destroy(plan);
    case_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests),    cmocka_unit_test(events),
        cmocka_unit_test(fixed_modes), cmocka_unit_test(no_mode_is_simple),
        cmocka_unit_test(unnamed),     cmocka_unit_test(swap_both_ways),
        cmocka_unit_test(outside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
