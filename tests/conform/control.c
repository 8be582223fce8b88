/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Control registers": bits without an effect, modes a chip does not have, and
 * that the control registers of domains do not mix.  What the modes do stands in their chapters.
 */
#include "support.h"

/* Verifies that the TV-out bits are stored and that counting is the same with them.  PC.CTRL.3,
 * D-59 */
static void tvout_bits_do_not_touch_the_counters(struct rig *rig)
{
    for (uint32_t bits = 0; bits < 4; bits++) {
        pc_unit_write(rig->unit, 0xa73c, bits);
        rig_start_single(rig, 0, 0, 0);
        assert_int_equal(pc_unit_read(rig->unit, 0xa73c) & 3, bits);
        rig_play(rig, "p s e . ex");
        assert_int_equal(rig_count(rig, CTR_EVENT), 2);
        assert_int_equal(rig_count(rig, CTR_CYCLES), 3);
    }
}

/* Verifies that who looks at the TV-out port sees whose it is, and which of the debug signals were
 * chosen.  PC.CTRL.9, D-59 */
static void tvout_port(struct rig *rig)
{
    assert_int_equal(pc_unit_tvout(rig->unit), -1);
    for (uint32_t bits = 0; bits < 4; bits++) {
        pc_unit_write(rig->unit, 0xa73c, bits);
        assert_int_equal(pc_unit_tvout(rig->unit), bits & 2 ? (int)(bits & 1) : -1);
    }
}

/* Verifies that chips without the bits leave the port alone.  PC.CTRL.9 */
static void no_tvout_port(struct rig *rig)
{
    rig_write(rig, CTRL, 3);
    assert_int_equal(pc_unit_tvout(rig->unit), -1);
}

/* Verifies that bits 16 and 30 are stored where they exist and change nothing in any mode.
 * PC.CTRL.8, D-52 */
static void unknown_bits_do_not_touch_the_counters(struct rig *rig)
{
    uint32_t unknown = 1u << 16 | (chip_has(rig->chip, PC_F_CTRL30) ? 1u << 30 : 0);

    rig_start_single(rig, 0, 0, unknown);
    assert_int_equal(rig_read(rig, CTRL) & unknown, unknown);
    rig_play(rig, "p s e . ex");
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    rig_start_quad(rig, SIMPLE);
    rig_ctrl(rig, MODE_QUAD, SIMPLE, unknown);
    rig_play(rig, "e p e w");
    assert_int_equal(rig_read(rig, CTRL) & unknown, unknown);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    assert_int_equal(rig_count(rig, CTR_PRE), 1);
}

/* A mode that the chip lacks, entered from quad mode with a period under way. */
static void check_missing_mode(struct rig *rig, unsigned mode)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e e w e");
    assert_false(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_MODE);
    rig_write(rig, CTRL, mode);
    assert_int_equal(rig_read(rig, CTRL) & 3, mode);
    rig_play(rig, "psex psexw psex");
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, "psex psex");
    assert_int_equal(rig_single_state(rig), INACTIVE);
    assert_int_equal(rig_quad_state(rig), VALID);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 2);
    assert_int_equal(rig->packets, 0);
    assert_true(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_MODE);
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    rig_play(rig, "e w"); /* the shadows were frozen: w e before, e after */
    assert_int_equal(rig_count(rig, CTR_CYCLES), 3);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
}

/* Verifies that MODE 3 counts nothing, swaps nothing and freezes what there is.  PC.CTRL.7,
 * PC.DIAG.2, D-41 */
static void mode_3_counts_nothing(struct rig *rig)
{
    check_missing_mode(rig, 3);
}

/* Verifies the same of MODE 2 before G84.  PC.CTRL.7, PC.DIAG.2, D-41 */
static void record_mode_counts_nothing_before_g84(struct rig *rig)
{
    check_missing_mode(rig, 2);
}

/* Verifies the switch of D-41: MODE 3 is quad mode then, and still reported; an even one that the
 * chip lacks counts nothing.  PC.CTRL.7, PC.DIAG.2, D-41, D-94 */
static void mode_3_is_quad_by_option(struct rig *rig)
{
    rig_option(rig, "D-41", "quad");
    rig_start_quad(rig, SIMPLE);
    rig_write(rig, CTRL, 3);
    rig_play(rig, "e e p w");
    assert_int_equal(rig_read(rig, CTRL) & 3, 3);
    assert_int_equal(rig_quad_state(rig), VALID);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 3);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    assert_int_equal(rig_count(rig, CTR_PRE), 1);
    assert_true(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_MODE);
    if (!chip_has(rig->chip, PC_F_RECORD)) {
        rig_restart(rig);
        check_missing_mode(rig, 2);
    }
    rig_option(rig, "D-41", "frozen");
    rig_restart(rig);
    check_missing_mode(rig, 3);
}

/* Verifies that domains of the nv40 layout keep their own mode, counter mode and period.  PC.CTRL.4
 */
static void domains_have_their_own_control(struct rig *rig)
{
    uint32_t value[PC_MAX_DOMAINS];

    for (unsigned d = 0; d < rig->chip->domains; d++) {
        value[d] = d % 2 | (d % 5) << 4 | (d & 4 ? CTRL_ALL : 0) |
                   (d & 2 ? CTRL_FLAG_PULSE : CTRL_EVENT_PULSE);
        rig_write_dom(rig, d, CTRL, value[d]);
    }
    rig_step_all(rig, 2);
    for (unsigned d = 0; d < rig->chip->domains; d++)
        assert_int_equal(rig_read_dom(rig, d, CTRL), value[d]);
}

/* Verifies that one domain in each mode works at the same time as the other.  PC.CTRL.1, PC.CTRL.4,
 * PC.CHIP.4 */
static void domains_work_in_different_modes(struct rig *rig)
{
    rig->dom = 1;
    rig_start_quad(rig, SIMPLE);
    rig->dom = 0;
    rig_start_single(rig, 0, 0, 0);
    for (unsigned d = 0; d < 2; d++) {
        rig_set(rig, d, rig_raw_dom(rig, d, LINE_P), true);
        rig_set(rig, d, rig_raw_dom(rig, d, LINE_S), true);
        rig_set(rig, d, rig_raw_dom(rig, d, LINE_E), true);
    }
    rig_step_all(rig, 7);
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    rig_step_all(rig, 1);
    assert_int_equal(rig_single_state(rig), COUNTING);
    assert_int_equal(rig_count(rig, CTR_EVENT), 6); /* of 8: PRE and START took one each */
    rig->dom = 1;
    assert_int_equal(rig_quad_state(rig), VALID);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 7);
    assert_int_equal(rig_count(rig, CTR_PRE), 7);
}

/* Verifies the fields of both domains' states in the one CTRL of nv10.  PC.CTRL.1, PC.CTRL.5, D-58
 */
static void state_fields_of_the_shared_control(struct rig *rig)
{
    for (unsigned d = 0; d < rig->chip->domains; d++) {
        rig_restart(rig);
        rig->dom = d;
        rig_start_single(rig, 0, 0, 0);
        for (unsigned state = WAIT_PRE; state <= COUNTING; state++) {
            assert_int_equal(pc_unit_read(rig->unit, 0xa73c), state << (3 + 2 * d));
            rig_play(rig, "ps");
        }
    }
}

/* Verifies the fields of the states in CTRL of the nv40 layout.  PC.CTRL.5, PC.CTRL.6 */
static void state_fields_of_the_domains_control(struct rig *rig)
{
    static const uint32_t quad[] = { 0x00000001, 0x01000001, 0x03000001 };

    rig_start_single(rig, 0, 0, 0);
    for (unsigned state = WAIT_PRE; state <= COUNTING; state++) {
        assert_int_equal(rig_read(rig, CTRL), state << 28);
        rig_play(rig, "ps");
    }
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, ".");
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(rig_read(rig, CTRL), quad[i]);
        rig_play(rig, "w");
    }
}

/* Verifies that status bits written to CTRL do not stick.  PC.CTRL.5, PC.CTRL.6, PC.REG.4 */
static void status_fields_are_read_only(struct rig *rig)
{
    uint32_t address = reg_address(rig->chip, CTRL, rig->dom);
    bool nv10 = rig->chip->layout == PC_LAYOUT_NV10;

    pc_unit_write(rig->unit, address, nv10 ? 0x0f000078 : 0x33000000);
    assert_int_equal(pc_unit_read(rig->unit, address), 0);
    rig_step(rig, 1);
    assert_int_equal(pc_unit_read(rig->unit, address), 0);
}

/* Verifies that GCTRL changes no counter of single and quad mode.  PC.GCTRL.1, D-90 */
static void gctrl_leaves_the_other_modes(struct rig *rig)
{
    rig_write(rig, GCTRL, 0xffffffff);
    assert_int_equal(rig_read(rig, GCTRL), 0x11);
    rig_start_single(rig, 0, 0, 0);
    rig_play(rig, "p s e e x");
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "e e . w");
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 3);
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE_NOT(tvout_bits_do_not_touch_the_counters, 0, PC_F_DOM_EVENTS),
        CASE_NOT(tvout_port, 0, PC_F_DOM_EVENTS),
        CASE_ON(no_tvout_port, PC_F_DOM_EVENTS),
        CASE_ON(unknown_bits_do_not_touch_the_counters, PC_F_DOM_EVENTS),
        CASE_ON(mode_3_counts_nothing, PC_F_DOM_EVENTS),
        CASE_NOT(record_mode_counts_nothing_before_g84, PC_F_DOM_EVENTS, PC_F_RECORD),
        CASE_ON(mode_3_is_quad_by_option, PC_F_DOM_EVENTS),
        { .name = "domains_have_their_own_control",
          .run = domains_have_their_own_control,
          .need = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT },
        { .name = "domains_work_in_different_modes",
          .run = domains_work_in_different_modes,
          .need = PC_F_QUAD,
          .flags = CASE_UNIT,
          .domains = 2 },
        { .name = "state_fields_of_the_shared_control",
          .run = state_fields_of_the_shared_control,
          .lack = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT },
        CASE_ON(state_fields_of_the_domains_control, PC_F_DOM_EVENTS),
        CASE(status_fields_are_read_only),
        CASE_ON(gctrl_leaves_the_other_modes, PC_F_RECORD),
    };

    return conform_run("control", cases, sizeof cases / sizeof cases[0]);
}
