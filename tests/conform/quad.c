/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Quad event mode": four counters, shadows, and what swaps them.
 * The state machine of EMPTY, VALID and OVERFLOW stands in quad_state.c.
 */
#include "support.h"

static void expect_counts(const struct rig *rig, unsigned cycles, unsigned pre, unsigned start,
                          unsigned event, unsigned stop)
{
    assert_int_equal(rig_count(rig, CTR_CYCLES), cycles);
    assert_int_equal(rig_count(rig, CTR_CYCLES_ALT), cycles);
    assert_int_equal(rig_count(rig, CTR_PRE), pre);
    assert_int_equal(rig_count(rig, CTR_START), start);
    assert_int_equal(rig_count(rig, CTR_EVENT), event);
    assert_int_equal(rig_count(rig, CTR_STOP), stop);
}

/* Verifies that the four inputs and the cycles count, each in its counter.  PC.QUAD.1, PC.QUAD.15,
 * PC.CTR.1, D-42 */
static void four_events_and_cycles(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "p ps pse psex psex . . e w");
    expect_counts(rig, 8, 5, 4, 4, 2);
}

/* Verifies that shadows are invisible: registers show the period before the last swap.  PC.QUAD.2
 */
static void registers_show_the_period_before_the_swap(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "psex psex psex");
    expect_counts(rig, 0, 0, 0, 0, 0);
    rig_play(rig, "w");
    expect_counts(rig, 3, 3, 3, 3, 3);
    rig_play(rig, "e e e e");
    expect_counts(rig, 3, 3, 3, 3, 3);
    rig_play(rig, "w");
    expect_counts(rig, 5, 0, 0, 4, 0);
}

/* Verifies that events of the swap's cycle, and the cycle itself, belong to the next period.
 * PC.QUAD.3, D-53 */
static void swap_counts_for_next_period(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "psex . psexw");
    expect_counts(rig, 2, 1, 1, 1, 1);
    rig_play(rig, ". . w");
    expect_counts(rig, 3, 1, 1, 1, 1);
    rig_play(rig, "w");
    expect_counts(rig, 1, 0, 0, 0, 0);
}

/* Verifies that SWAP held at 1 swaps in every cycle: periods of one cycle.  PC.QUAD.4, D-53 */
static void swap_is_a_level(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e e ew");
    expect_counts(rig, 2, 0, 0, 2, 0);
    rig_play(rig, "xw");
    expect_counts(rig, 1, 0, 0, 1, 0);
    rig_play(rig, "pw");
    expect_counts(rig, 1, 0, 0, 0, 1);
    rig_play(rig, "sw");
    expect_counts(rig, 1, 1, 0, 0, 0);
    rig_play(rig, "w");
    expect_counts(rig, 1, 0, 1, 0, 0);
}

/* Verifies the same with SWAP on an ordinary signal, any of the domain's.  PC.IN.15, PC.QUAD.4,
 * D-07 */
static void swap_can_be_any_signal(struct rig *rig)
{
    for (unsigned sig = 0; sig < rig->chip->domain[rig->dom].size; sig++) {
        if (pc_chip_signal(rig->chip, rig->dom, sig).kind != PC_SIG_RAW)
            continue;
        rig_restart(rig);
        rig_start_quad(rig, SIMPLE);
        rig_write(rig, EVENT_OP, OP_ONE);
        rig_write(rig, SPEC_SRC, sig);
        rig_play(rig, ". . . w . ."); /* PM_TRIGGER is not selected any more */
        expect_counts(rig, 0, 0, 0, 0, 0);
        rig_set(rig, rig->dom, sig, true);
        rig_step(rig, 1);
        assert_int_equal(rig_count(rig, CTR_EVENT), 6);
        rig_step(rig, 1);
        assert_int_equal(rig_count(rig, CTR_EVENT), 1);
    }
}

/* Verifies that a domain can swap on its own EVENT and FLAG.  PC.IN.15, PC.SYNC.3 */
static void swap_on_own_event_and_flag(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_write(rig, SPEC_SRC, event_slot(rig, rig->dom, rig->dom));
    rig_play(rig, "p p e");
    expect_counts(rig, 2, 2, 0, 0, 0);
    rig_write(rig, SPEC_SRC, flag_slot(rig, rig->dom, rig->dom));
    rig_play(rig, "f .");
    expect_counts(rig, 2, 2, 0, 0, 0);
    rig_play(rig, ".");
    expect_counts(rig, 3, 0, 0, 1, 0);
}

/* Verifies that SPEC_SRC powers up on PM_TRIGGER, as drivers rely on.  PC.IN.15, PC.REG.6, D-33 */
static void swap_powers_up_on_pm_trigger(struct rig *rig)
{
    assert_int_equal(rig_read(rig, SPEC_SRC), rig->chip->domain[rig->dom].trailer_base + 0x0fu);
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e e w");
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
}

/* Verifies that before G84 PM_TRIGGER swaps and the place of SPEC_SRC does nothing.  PC.IN.14,
 * D-07, D-33 */
static void swap_is_hardwired_before_g84(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    if (rig->chip->layout == PC_LAYOUT_NV40)
        pc_unit_write(rig->unit, 0xa560 + 4 * rig->dom, rig_raw(rig, LINE_E));
    rig_play(rig, "e e e w");
    expect_counts(rig, 3, 0, 0, 3, 0);
}

/* Verifies that UNK8 is the signal of bits 8 to 15, and not that of SWAP.  PC.IN.16, D-35 */
static void unk8_is_selected(struct rig *rig)
{
    struct pc_unit_inputs in;

    for (unsigned level = 0; level < 2; level++) {
        rig_write(rig, SPEC_SRC, rig_raw(rig, LINE_P) | rig_raw(rig, LINE_E) << 8);
        rig_line(rig, LINE_P, !level);
        rig_line(rig, LINE_E, level);
        rig_step(rig, 1);
        pc_unit_get_inputs(rig->unit, rig->dom, &in);
        assert_int_equal(in.unk8, level);
        assert_int_equal(in.swap, !level);
    }
}

/* Verifies that before NV30 there is no SWAP, also while PM_TRIGGER is 1.  PC.IN.14, PC.CHIP.6 */
static void no_swap_before_nv30(struct rig *rig)
{
    struct pc_unit_inputs in;

    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    rig_step(rig, 1);
    pc_unit_get_inputs(rig->unit, rig->dom, &in);
    assert_false(in.swap);
}

/* Verifies that UNK8 changes nothing, whatever it selects.  PC.IN.16, D-35 */
static void unk8_has_no_effect(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_write(rig, SPEC_SRC, rig_read(rig, SPEC_SRC) | rig_raw(rig, LINE_E) << 8);
    rig_play(rig, "e . pe sx . w");
    expect_counts(rig, 5, 1, 1, 2, 1);
    rig_play(rig, "e e");
    assert_int_equal(rig_quad_state(rig), VALID);
}

/* Verifies that writing PRE_OP swaps in the next cycle, with the new operation already valid.
 * PC.QUAD.5, PC.REG.8, D-54 */
static void pre_op_write_swaps(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e pe e");
    rig_write(rig, PRE_OP, OP_ONE);
    expect_counts(rig, 0, 0, 0, 0, 0);
    rig_play(rig, ".");
    expect_counts(rig, 3, 1, 0, 3, 0);
    assert_int_equal(rig_quad_state(rig), VALID);
    rig_play(rig, ".");
    rig_write(rig, PRE_OP, OP_ONE);
    rig_play(rig, ".");
    expect_counts(rig, 2, 2, 0, 0, 0);
}

/* Verifies that the mode counts in which PRE_OP is written, and that of the cycle: U-008.
 * PC.QUAD.5, D-54 */
static void pre_op_swaps_where_both_are_quad(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e");
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    rig_play(rig, "e");
    expect_counts(rig, 0, 0, 0, 0, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_play(rig, ".");
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    rig_play(rig, "e");
    assert_int_not_equal(rig_quad_state(rig), VALID);
}

/* Verifies that two writes with cycles between them bracket exactly these cycles.  PC.QUAD.5, D-54
 */
static void two_pre_op_writes_bracket_a_time(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, ". . .");
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_step(rig, 1000);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_step(rig, 1);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 1000);
}

/* Verifies that several PRE_OP writes in one gap, or one with SWAP, are one swap.  PC.QUAD.6,
 * PC.REG.9, D-17a, D-54 */
static void swaps_of_one_cycle_merge(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e e");
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ".");
    assert_int_equal(rig_quad_state(rig), VALID);
    expect_counts(rig, 2, 0, 0, 2, 0);
    rig_write(rig, QUAD_ACK_TRIGGER, 1);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, "w");
    assert_int_equal(rig_quad_state(rig), VALID);
    expect_counts(rig, 1, 0, 0, 0, 0);
}

/* Verifies that PRE_OP of another domain does not swap this one.  PC.QUAD.5 */
static void pre_op_swaps_its_own_domain(struct rig *rig)
{
    for (rig->dom = 0; rig->dom < 2; rig->dom++)
        rig_start_quad(rig, SIMPLE);
    rig_write_dom(rig, 1, PRE_OP, OP_ARG0);
    rig_step_all(rig, 1);
    rig->dom = 0;
    assert_int_equal(rig_quad_state(rig), EMPTY);
    rig->dom = 1;
    assert_int_equal(rig_quad_state(rig), VALID);
}

/* Verifies that before G84 writing PRE_OP does not swap, but its operation applies.  PC.QUAD.7,
 * D-44 */
static void pre_op_does_not_swap_before_g84(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e e");
    rig_write(rig, PRE_OP, OP_ONE);
    rig_play(rig, ". .");
    assert_int_equal(rig_quad_state(rig), EMPTY);
    expect_counts(rig, 0, 0, 0, 0, 0);
    rig_play(rig, "w");
    expect_counts(rig, 4, 2, 0, 2, 0);
}

/* Verifies that configuration writes do not stop the counters: there is no INACTIVE.  PC.QUAD.15 */
static void config_writes_do_not_stop(struct rig *rig)
{
    static const enum reg regs[] = { PRE_SRC,  START_SRC, EVENT_SRC,  STOP_SRC,   START_OP,
                                     EVENT_OP, STOP_OP,   SETFLAG_OP, CLRFLAG_OP, CTR_PRE,
                                     CTR_STOP, THRESHOLD, CTRL };

    rig_start_quad(rig, SIMPLE);
    for (unsigned i = 0; i < sizeof regs / sizeof regs[0]; i++) {
        rig_write(rig, regs[i], rig_read(rig, regs[i]));
        rig_play(rig, "psex");
    }
    rig_play(rig, "w");
    expect_counts(rig, 13, 13, 13, 13, 13);
}

/* Verifies that CTR_PRE and CTR_STOP writes set initial values and leave the copies.  PC.CTR.6,
 * PC.CTR.7, D-57 */
static void initial_values_do_not_touch_the_copies(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "px px w");
    rig_write(rig, CTR_PRE, 77);
    rig_write(rig, CTR_STOP, 88);
    rig_play(rig, ".");
    expect_counts(rig, 2, 2, 0, 0, 2);
    rig_play(rig, "w");
    expect_counts(rig, 2, 0, 0, 0, 0);
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ".");
    assert_int_equal(rig_read(rig, CTR_PRE), 77);
    assert_int_equal(rig_read(rig, CTR_STOP), 88);
}

/* Verifies random inputs and swaps against a plain sum.  PC.QUAD.1, PC.QUAD.2, PC.QUAD.3, PC.QUAD.4
 */
static void random_periods(struct rig *rig)
{
    struct test_rng rng = test_rng_start(0x9d, NULL);
    unsigned shadow[5] = { 0 }, visible[5] = { 0 }; /* cycles, pre, start, event, stop */

    rig_start_quad(rig, SIMPLE);
    for (unsigned t = 0; t < 300; t++) {
        uint64_t r = test_rand(&rng);
        bool in[5] = { true, r & 1, r & 2, r & 4, r & 8 }, swap = (r & 0x70) == 0;
        char token[8];
        snprintf(token, sizeof token, ".%s%s%s%s%s", in[1] ? "p" : "", in[2] ? "s" : "",
                 in[3] ? "e" : "", in[4] ? "x" : "", swap ? "w" : "");
        rig_play(rig, token);
        for (unsigned i = 0; i < 5; i++) {
            if (swap)
                visible[i] = shadow[i], shadow[i] = 0;
            shadow[i] += in[i];
        }
        expect_counts(rig, visible[0], visible[1], visible[2], visible[3], visible[4]);
    }
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE_ON(four_events_and_cycles, PC_F_QUAD),
        CASE_ON(registers_show_the_period_before_the_swap, PC_F_QUAD),
        CASE_ON(swap_counts_for_next_period, PC_F_QUAD),
        CASE_ON(swap_is_a_level, PC_F_QUAD),
        CASE_ON(swap_can_be_any_signal, PC_F_SWAP_SRC),
        CASE_ON(swap_on_own_event_and_flag, PC_F_SWAP_SRC),
        CASE_ON(swap_powers_up_on_pm_trigger, PC_F_SWAP_SRC),
        CASE_NOT(swap_is_hardwired_before_g84, PC_F_QUAD, PC_F_SWAP_SRC),
        CASE_ON(unk8_is_selected, PC_F_SWAP_SRC),
        CASE_NOT(no_swap_before_nv30, 0, PC_F_QUAD),
        CASE_ON(unk8_has_no_effect, PC_F_SWAP_SRC),
        CASE_ON(pre_op_write_swaps, PC_F_PREOP_SWAP),
        CASE_ON(pre_op_swaps_where_both_are_quad, PC_F_PREOP_SWAP),
        CASE_ON(two_pre_op_writes_bracket_a_time, PC_F_PREOP_SWAP),
        CASE_ON(swaps_of_one_cycle_merge, PC_F_PREOP_SWAP),
        { .name = "pre_op_swaps_its_own_domain",
          .run = pre_op_swaps_its_own_domain,
          .need = PC_F_PREOP_SWAP,
          .flags = CASE_UNIT,
          .domains = 2 },
        CASE_NOT(pre_op_does_not_swap_before_g84, PC_F_QUAD, PC_F_PREOP_SWAP),
        CASE_ON(config_writes_do_not_stop, PC_F_QUAD),
        CASE_ON(initial_values_do_not_touch_the_copies, PC_F_QUAD),
        CASE_ON(random_periods, PC_F_QUAD),
    };

    return conform_run("quad", cases, sizeof cases / sizeof cases[0]);
}
