/* SPDX-License-Identifier: MIT */
/* Conformance, "Quad event mode": EMPTY, VALID, OVERFLOW, acknowledges, and changes of mode. */
#include "support.h"

static void ack(struct rig *rig)
{
    bool nv10 = rig->chip->layout == PC_LAYOUT_NV10;

    rig_write(rig, QUAD_ACK_TRIGGER, nv10 ? 1u << 8 * rig->dom : 1);
}

static void expect_state(struct rig *rig, enum quad_state state)
{
    assert_int_equal(rig_quad_state(rig), state);
}

/* Brings the state up by that many swaps from EMPTY. */
static void start_with_swaps(struct rig *rig, unsigned swaps)
{
    rig_start_quad(rig, SIMPLE);
    rig_repeat(rig, "w", swaps);
}

/* Verifies that swaps move EMPTY, VALID, OVERFLOW and stay there.  PC.QUAD.8, PC.CTRL.6 */
static void swaps_bump_up(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    expect_state(rig, EMPTY);
    rig_play(rig, ". w .");
    expect_state(rig, VALID);
    rig_play(rig, "w");
    expect_state(rig, OVERFLOW);
    rig_play(rig, "w w");
    expect_state(rig, OVERFLOW);
}

/* Verifies that acks move OVERFLOW, VALID, EMPTY and stay there.  PC.QUAD.9, PC.CTRL.6 */
static void acks_bump_down(struct rig *rig)
{
    start_with_swaps(rig, 4);
    expect_state(rig, OVERFLOW);
    ack(rig);
    expect_state(rig, OVERFLOW); /* not before the next cycle */
    rig_play(rig, ".");
    expect_state(rig, VALID);
    ack(rig);
    rig_play(rig, ".");
    expect_state(rig, EMPTY);
    ack(rig);
    rig_play(rig, ".");
    expect_state(rig, EMPTY);
}

/* Verifies that nothing happens when the bit is 0, whatever the others are.  PC.QUAD.9, PC.QUAD.10
 */
static void other_bits_do_not_acknowledge(struct rig *rig)
{
    bool nv10 = rig->chip->layout == PC_LAYOUT_NV10;
    uint32_t bit = nv10 ? 1u << 8 * rig->dom : 1;

    start_with_swaps(rig, 2);
    rig_write(rig, QUAD_ACK_TRIGGER, ~bit);
    rig_write(rig, QUAD_ACK_TRIGGER, 0);
    rig_play(rig, ".");
    expect_state(rig, OVERFLOW);
    assert_int_equal(rig_read(rig, QUAD_ACK_TRIGGER), 0);
}

/* Verifies that two acks between two cycles count twice.  PC.QUAD.11, PC.REG.9, D-17a */
static void two_acks_in_one_gap(struct rig *rig)
{
    start_with_swaps(rig, 2);
    ack(rig);
    ack(rig);
    rig_play(rig, ".");
    expect_state(rig, EMPTY);
}

/* Verifies that an ack acts before the swap of its cycle: fresh values are not acknowledged away.
 * PC.QUAD.11, D-55 */
static void ack_comes_before_the_swap_of_its_cycle(struct rig *rig)
{
    start_with_swaps(rig, 0);
    ack(rig); /* EMPTY stays EMPTY, then the swap makes it VALID */
    rig_play(rig, "e w");
    expect_state(rig, VALID);
    ack(rig);
    rig_play(rig, "ew");
    expect_state(rig, VALID);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 1);
    rig_play(rig, "w");
    expect_state(rig, OVERFLOW);
    ack(rig);
    rig_play(rig, "w");
    expect_state(rig, OVERFLOW); /* to VALID, and up again */
}

/* Verifies that a swap copies in OVERFLOW as in any state.  PC.QUAD.12, D-55 */
static void swaps_copy_in_overflow(struct rig *rig)
{
    start_with_swaps(rig, 3);
    expect_state(rig, OVERFLOW);
    rig_play(rig, "e e . w");
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 4);
    rig_play(rig, "e w");
    assert_int_equal(rig_count(rig, CTR_EVENT), 1);
}

static void overflow_everywhere(struct rig *rig)
{
    for (rig->dom = 0; rig->dom < rig->chip->domains; rig->dom++)
        rig_start_quad(rig, SIMPLE);
    for (unsigned i = 0; i < 2; i++) {
        pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
        rig_step_all(rig, 1);
    }
}

/* Verifies bits 0 and 8 of the ack that nv10 shares, apart and together.  PC.QUAD.10, D-02 */
static void shared_ack_has_a_bit_a_domain(struct rig *rig)
{
    static const struct {
        uint32_t value;
        enum quad_state after[2];
    } acks[] = { { 0x001, { VALID, OVERFLOW } },
                 { 0x100, { OVERFLOW, VALID } },
                 { 0x101, { VALID, VALID } },
                 { 0xfffffefe, { OVERFLOW, OVERFLOW } } };

    for (unsigned i = 0; i < 4; i++) {
        rig_restart(rig);
        overflow_everywhere(rig);
        pc_unit_write(rig->unit, 0xa738, acks[i].value);
        rig_step_all(rig, 1);
        for (rig->dom = 0; rig->dom < 2; rig->dom++)
            expect_state(rig, acks[i].after[rig->dom]);
    }
}

/* Verifies that an ack to one domain leaves the others.  PC.QUAD.9, PC.CTRL.4 */
static void acks_stay_in_their_domain(struct rig *rig)
{
    overflow_everywhere(rig);
    rig->dom = 1;
    ack(rig);
    rig_step_all(rig, 1);
    for (rig->dom = 0; rig->dom < rig->chip->domains; rig->dom++)
        expect_state(rig, rig->dom == 1 ? VALID : OVERFLOW);
}

/* Verifies that swaps do nothing in single mode, and that the state is kept and can be acknowledged
 * there.  PC.QUAD.14, D-56 */
static void state_is_kept_in_single_mode(struct rig *rig)
{
    start_with_swaps(rig, 1);
    rig_play(rig, "e e w"); /* OVERFLOW, 3 cycles with 2 events */
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_play(rig, "e w w");
    expect_state(rig, OVERFLOW);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 3);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    ack(rig);
    rig_play(rig, ".");
    expect_state(rig, VALID);
    ack(rig);
    rig_play(rig, "w");
    expect_state(rig, EMPTY);
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    rig_play(rig, "w");
    expect_state(rig, VALID);
}

/* Verifies the same in record mode.  PC.QUAD.14, D-56 */
static void state_is_kept_in_record_mode(struct rig *rig)
{
    start_with_swaps(rig, 2);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    rig_play(rig, "w w");
    expect_state(rig, OVERFLOW);
    ack(rig);
    rig_play(rig, "w");
    expect_state(rig, VALID);
}

/* Verifies that visible counters outlive the way to single mode until a start.  PC.QUAD.13, D-49 */
static void visible_counters_outlive_the_mode(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "psex psex . w");
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_play(rig, "psex psex");
    assert_int_equal(rig_count(rig, CTR_CYCLES), 3);
    assert_int_equal(rig_count(rig, CTR_START), 2);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    assert_int_equal(rig_count(rig, CTR_PRE), 2);
    assert_int_equal(rig_count(rig, CTR_STOP), 2);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ".");
    assert_int_equal(rig_count(rig, CTR_CYCLES), 0);
    assert_int_equal(rig_count(rig, CTR_EVENT), 0);
}

/* Verifies that shadows outlive single mode: the first swap afterwards has a mixed period.
 * PC.QUAD.13, D-49 */
static void shadows_outlive_the_mode(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e e .");
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    rig_play(rig, "psex psex psex psex");
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    rig_play(rig, "e . w");
    assert_int_equal(rig_count(rig, CTR_CYCLES), 5);
    assert_int_equal(rig_count(rig, CTR_EVENT), 3);
    assert_int_equal(rig_count(rig, CTR_PRE), 0);
}

/* Verifies that a run of single mode is aborted by entering quad mode.  PC.QUAD.13, PC.SINGLE.15,
 * D-49 */
static void entering_quad_mode_aborts_a_run(struct rig *rig)
{
    rig_start_single(rig, 0, 0, 0);
    rig_play(rig, "p s e e");
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    rig_play(rig, "x");
    assert_int_equal(rig_single_state(rig), INACTIVE);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    rig_play(rig, "w");
    assert_int_equal(rig_count(rig, CTR_EVENT), 0);
    assert_int_equal(rig_count(rig, CTR_STOP), 1);
}

/* Verifies that the mode bits of nv10 belong to their domains.  PC.CTRL.1, D-58 */
static void mode_bits_are_per_domain(struct rig *rig)
{
    for (unsigned quad = 0; quad < 2; quad++) {
        rig_restart(rig);
        pc_unit_write(rig->unit, 0xa73c, 1u << (16 + 2 * quad));
        pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
        rig_step_all(rig, 1);
        for (rig->dom = 0; rig->dom < 2; rig->dom++)
            expect_state(rig, rig->dom == quad ? VALID : EMPTY);
    }
}

/* Verifies that a swap in VALID or OVERFLOW is reported as a lost period, and no other.  PC.DIAG.3,
 * D-55 */
static void lost_periods_are_reported(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, ". w .");
    ack(rig);
    rig_play(rig, "w");
    assert_false(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_SWAP_LOST);
    rig_play(rig, "w");
    assert_true(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_SWAP_LOST);
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE_ON(swaps_bump_up, PC_F_QUAD),
        CASE_ON(acks_bump_down, PC_F_QUAD),
        CASE_ON(other_bits_do_not_acknowledge, PC_F_QUAD),
        CASE_ON(two_acks_in_one_gap, PC_F_QUAD),
        CASE_ON(ack_comes_before_the_swap_of_its_cycle, PC_F_QUAD),
        CASE_ON(swaps_copy_in_overflow, PC_F_QUAD),
        { .name = "shared_ack_has_a_bit_a_domain",
          .run = shared_ack_has_a_bit_a_domain,
          .need = PC_F_QUAD,
          .lack = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT },
        { .name = "acks_stay_in_their_domain",
          .run = acks_stay_in_their_domain,
          .need = PC_F_QUAD,
          .flags = CASE_UNIT },
        CASE_ON(state_is_kept_in_single_mode, PC_F_QUAD),
        CASE_ON(state_is_kept_in_record_mode, PC_F_RECORD),
        CASE_ON(visible_counters_outlive_the_mode, PC_F_QUAD),
        CASE_ON(shadows_outlive_the_mode, PC_F_QUAD),
        CASE_ON(entering_quad_mode_aborts_a_run, PC_F_QUAD),
        { .name = "mode_bits_are_per_domain",
          .run = mode_bits_are_per_domain,
          .need = PC_F_QUAD,
          .lack = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT },
        CASE_ON(lost_periods_are_reported, PC_F_QUAD),
    };

    return conform_run("quad_state", cases, sizeof cases / sizeof cases[0]);
}
