/* SPDX-License-Identifier: MIT */
/*
 * Conformance, GF100+: MODE HALTED and MODE SINGLE.  Single mode has triggers of its own here:
 * no write but those begins or aborts anything.
 */
#include "gf100.h"

/* Every register of the domain that configures something, but CTRL. */
static const uint32_t config[] = {
    GF_PRE_SRC,  GF_PRE_OP,    GF_START_SRC,  GF_START_OP,   GF_EVENT_SRC, GF_EVENT_OP,
    GF_STOP_SRC, GF_STOP_OP,   GF_SETFLAG_OP, GF_CLRFLAG_OP, GF_SWAP_SRC,  GF_CTR_PRE,
    GF_CTR_STOP, GF_THRESHOLD, GF_QUAD_ACK,   GF_FILTER,     GF_VSTATUS,   GF_UNK74,
};
enum { CONFIG = sizeof config / sizeof config[0] };

static uint32_t flag_of(const struct gf *gf)
{
    return gf_read(gf, GF_STATE) >> 4 & 1;
}

/* Verifies a whole run: PRE n+1 times, periods, threshold, INACTIVE after the last STOP.
 * PC.GF.23, PC.SINGLE.3, PC.SINGLE.4, PC.SINGLE.7, PC.SINGLE.8, PC.SINGLE.10, PC.SINGLE.11, D-62 */
static void a_whole_run(struct gf *gf)
{
    gf_write(gf, GF_THRESHOLD, 2);
    gf_start_single(gf, 1, 1, 0);
    gf_play(gf, "s e p . p");
    assert_int_equal(gf_single_state(gf), GF_WAIT_START);
    gf_play(gf, "e s e . ex");
    gf_expect(gf, 3, 0, 1, 2, 0);
    assert_int_equal(gf_single_state(gf), GF_WAIT_START);
    gf_play(gf, "s e x");
    gf_expect(gf, 2, 0, 1, 1, 0);
    assert_int_equal(gf_single_state(gf), GF_INACTIVE);
    gf_play(gf, "p s e x");
    gf_expect(gf, 2, 0, 1, 1, 0);
}

/* Verifies that EVENT_CTR_PERIOD is bit 6: with ALL, CTR_EVENT is the sum over the periods.
 * PC.GF.29, PC.SINGLE.5, PC.SINGLE.6 */
static void event_ctr_period_is_bit_6(struct gf *gf)
{
    gf_start_single(gf, 0, 1, GF_ALL);
    gf_play(gf, "p s e e x . s e x");
    assert_int_equal(gf_read(gf, GF_CTR_EVENT), 3);
}

/* Verifies that any value starts, and the running counters of quad mode stay.  PC.GF.23, D-49,
 * D-62 */
static void any_value_begins(struct gf *gf)
{
    static const uint32_t values[] = { 0, 1, 0x80000000, 0xffffffff };

    for (unsigned i = 0; i < 4; i++) {
        gf_ctrl(gf, GF_SINGLE, GF_SIMPLE, 0);
        gf_write(gf, GF_SINGLE_ABORT, 0);
        gf_play(gf, ".");
        gf_write(gf, GF_CYCLES_NEXT, 77);
        gf_write(gf, GF_SINGLE_BEGIN, values[i]);
        assert_int_equal(gf_single_state(gf), GF_INACTIVE); /* a write acts in the next cycle */
        gf_play(gf, ".");
        assert_int_equal(gf_single_state(gf), GF_WAIT_PRE);
        assert_int_equal(gf_read(gf, GF_CYCLES_NEXT), 77);
        assert_int_equal(gf_read(gf, GF_SINGLE_BEGIN), 0);
    }
}

/* Verifies that the start takes its cycle, loads the initial values and clears the others.
 * PC.GF.23, PC.SINGLE.1, PC.SINGLE.2, D-17a */
static void begin_takes_its_cycle(struct gf *gf)
{
    gf_start_single(gf, 0, 0, 0);
    gf_play(gf, "p s e x");
    gf_write(gf, GF_CTR_PRE, 5);
    gf_write(gf, GF_CTR_STOP, 6);
    gf_write(gf, GF_SINGLE_BEGIN, 0);
    gf_play(gf, "psex");
    gf_expect(gf, 0, 5, 0, 0, 6);
    assert_int_equal(gf_single_state(gf), GF_WAIT_PRE);
}

/* Verifies that BEGIN does nothing in WAIT_PRE, WAIT_START and COUNTING.  PC.GF.28, D-62 */
static void begin_outside_inactive_does_nothing(struct gf *gf)
{
    gf_start_single(gf, 1, 0, 0);
    gf_play(gf, "p");
    gf_write(gf, GF_SINGLE_BEGIN, 1);
    gf_play(gf, "p"); /* would be 1 again if it had started */
    assert_int_equal(gf_single_state(gf), GF_WAIT_START);
    gf_write(gf, GF_SINGLE_BEGIN, 1);
    gf_play(gf, "s");
    assert_int_equal(gf_single_state(gf), GF_COUNTING);
    gf_write(gf, GF_SINGLE_BEGIN, 1);
    gf_play(gf, "e e");
    gf_expect(gf, 2, 0, 0, 2, 0);
}

/* Verifies that BEGIN does nothing in the other modes.  PC.GF.28, D-62 */
static void begin_in_other_modes_does_nothing(struct gf *gf)
{
    for (unsigned mode = 0; mode < 8; mode++) {
        if (mode == GF_SINGLE)
            continue;
        pc_unit_reset(gf->unit);
        gf_ctrl(gf, mode, GF_SIMPLE, 0);
        gf_write(gf, GF_SINGLE_BEGIN, 1);
        gf_step(gf, 2);
        assert_int_equal(gf_single_state(gf), GF_INACTIVE);
        gf_ctrl(gf, GF_SINGLE, GF_SIMPLE, 0); /* nor later */
        gf_step(gf, 2);
        assert_int_equal(gf_single_state(gf), GF_INACTIVE);
    }
}

/* Verifies that ABORT ends every state and leaves the counters.  PC.GF.26, D-62 */
static void abort_ends_every_state(struct gf *gf)
{
    static const char *const way[] = { ".", "p", "p s e" };

    for (unsigned i = 0; i < 3; i++) {
        gf_start_single(gf, 0, 3, 0);
        gf_play(gf, way[i]);
        assert_int_equal(gf_single_state(gf), GF_WAIT_PRE + i);
        gf_write(gf, GF_SINGLE_ABORT, i);
        assert_int_equal(gf_single_state(gf), GF_WAIT_PRE + i); /* acts in the next cycle */
        gf_play(gf, "psex");
        assert_int_equal(gf_single_state(gf), GF_INACTIVE);
        gf_play(gf, "psex psex");
        assert_int_equal(gf_single_state(gf), GF_INACTIVE);
    }
    gf_expect(gf, 1, 0, 0, 1, 3);
}

/* Verifies that of BEGIN and ABORT in one gap the later one decides.  PC.GF.27, D-17a */
static void the_later_trigger_decides(struct gf *gf)
{
    gf_ctrl(gf, GF_SINGLE, GF_SIMPLE, 0);
    gf_write(gf, GF_SINGLE_BEGIN, 1);
    gf_write(gf, GF_SINGLE_ABORT, 1);
    gf_play(gf, ".");
    assert_int_equal(gf_single_state(gf), GF_INACTIVE);
    gf_write(gf, GF_SINGLE_ABORT, 1);
    gf_write(gf, GF_SINGLE_BEGIN, 1);
    gf_play(gf, ".");
    assert_int_equal(gf_single_state(gf), GF_WAIT_PRE);
    gf_start_single(gf, 0, 0, 0);
    gf_play(gf, "p s e");
    gf_write(gf, GF_SINGLE_ABORT, 1);
    gf_write(gf, GF_SINGLE_BEGIN, 1);
    gf_play(gf, ".");
    assert_int_equal(gf_single_state(gf), GF_WAIT_PRE);
    gf_expect(gf, 0, 0, 0, 0, 0);
}

/* Verifies that no configuration write aborts, in any state.  PC.GF.25, D-62 */
static void config_writes_do_not_abort(struct gf *gf)
{
    static const char *const way[] = { ".", "p", "p s" };

    for (unsigned i = 0; i < 3; i++)
        for (unsigned r = 0; r < CONFIG; r++) {
            pc_unit_reset(gf->unit);
            gf_start_single(gf, 0, 3, 0);
            gf_play(gf, way[i]);
            gf_write(gf, config[r], gf_read(gf, config[r]));
            gf_play(gf, ".");
            assert_int_equal(gf_single_state(gf), GF_WAIT_PRE + i);
        }
}

/* Verifies the same for CTRL, as long as it stays in SINGLE.  PC.GF.25, D-62 */
static void ctrl_writes_do_not_abort(struct gf *gf)
{
    gf_start_single(gf, 0, 0, 0);
    gf_play(gf, "p s");
    gf_ctrl(gf, GF_SINGLE, GF_EVENT_B4, GF_ALL);
    gf_play(gf, "e se x");
    gf_expect(gf, 3, 0, 1, 1, 0); /* EVENT_B4: 0 and then 1 */
}

/* Verifies that PRE_OP starts nothing in single mode, and swaps nothing in quad mode.  PC.GF.24,
 * PC.QUAD.7, D-62 */
static void pre_op_has_no_strobe(struct gf *gf)
{
    gf_ctrl(gf, GF_SINGLE, GF_SIMPLE, 0);
    gf_write(gf, GF_PRE_OP, GF_OP_ONE);
    gf_step(gf, 2);
    assert_int_equal(gf_single_state(gf), GF_INACTIVE);
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "e");
    gf_write(gf, GF_PRE_OP, GF_OP_ONE);
    gf_play(gf, "e .");
    gf_expect(gf, 0, 0, 0, 0, 0);
    assert_int_equal(gf_quad_state(gf), GF_EMPTY);
    assert_int_equal(gf_read(gf, GF_PRE_NEXT), 2);
}

/* Verifies CTR_MODE in single mode: EXTRA_B4 adds to CTR_PRE while COUNTING, where START is 1.
 * PC.GF.31, PC.MODE.4, D-39, D-63 */
static void extra_b4_needs_start(struct gf *gf)
{
    gf_start_single(gf, 0, 0, GF_EXTRA_B4 << 3);
    gf_write(gf, GF_START_OP, GF_OP_ARG0 | GF_OP_ARG2); /* START_SRC[2] is letter f */
    gf_play(gf, "p s e f s sf . ex");
    gf_expect(gf, 6, 4 + 1 + 5, 1, 2, 0);
    gf_start_single(gf, 0, 0, GF_EXTRA_B4 << 3);
    gf_play(gf, "p s f f x"); /* START is letter s alone: the sum is 4, and START is 0 */
    gf_expect(gf, 3, 0, 1, 0, 0);
}

/* ---- the flag ---- */

/* Verifies that a start clears FLAG and INACTIVE freezes it.  PC.GF.23, PC.FLAG.5, PC.FLAG.6 */
static void start_clears_and_inactive_freezes_the_flag(struct gf *gf)
{
    gf_start_single(gf, 0, 0, 0);
    gf_play(gf, "f");
    assert_int_equal(flag_of(gf), 1);
    gf_write(gf, GF_SINGLE_ABORT, 1);
    gf_play(gf, "c c");
    assert_int_equal(flag_of(gf), 1);
    gf_write(gf, GF_SINGLE_BEGIN, 1);
    gf_play(gf, "f");
    assert_int_equal(flag_of(gf), 0);
    gf_play(gf, "f");
    assert_int_equal(flag_of(gf), 1);
}

/* Verifies that HALTED freezes FLAG, and its signal settles.  PC.GF.22, D-25 */
static void halted_freezes_the_flag(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "f");
    gf_ctrl(gf, GF_HALTED, GF_SIMPLE, 0);
    gf_play(gf, "c");
    assert_false(gf_signal(gf, gf_at(gf, GF_AT_FLAG) - gf->dom));
    gf_play(gf, "c c");
    assert_int_equal(flag_of(gf), 1);
    assert_true(gf_signal(gf, gf_at(gf, GF_AT_FLAG) - gf->dom));
    gf_ctrl(gf, GF_QUAD, GF_SIMPLE, 0);
    gf_play(gf, "c");
    assert_int_equal(flag_of(gf), 0);
    gf_ctrl(gf, GF_HALTED, GF_SIMPLE, 0);
    gf_play(gf, "f f");
    assert_int_equal(flag_of(gf), 0);
}

/* Verifies the switch of D-25: in HALTED, too, FLAG follows SETFLAG and CLRFLAG.  PC.GF.22, D-94 */
static void halted_flag_by_option(struct gf *gf)
{
    gf_option(gf, "gf100-halted-flag", "follows");
    gf_start_quad(gf, GF_SIMPLE);
    gf_ctrl(gf, GF_HALTED, GF_SIMPLE, 0);
    gf_play(gf, "f");
    assert_int_equal(flag_of(gf), 1);
    gf_play(gf, "c");
    assert_int_equal(flag_of(gf), 0);
}

/* ---- HALTED and the modes that are only stored ---- */

static void nothing_counts(struct gf *gf, unsigned mode)
{
    gf_wire(gf);
    gf_write(gf, GF_CYCLES_NEXT, 5);
    gf_write(gf, GF_EVENT_NEXT, 6);
    gf_ctrl(gf, mode, GF_SIMPLE, 0);
    gf_play(gf, "psex psexw psex w");
    gf_expect(gf, 0, 0, 0, 0, 0);
    assert_int_equal(gf_read(gf, GF_CYCLES_NEXT), 5);
    assert_int_equal(gf_read(gf, GF_EVENT_NEXT), 6);
    assert_int_equal(gf_read(gf, GF_PRE_NEXT), 0);
    assert_int_equal(gf_quad_state(gf), GF_EMPTY);
    assert_int_equal(gf_single_state(gf), GF_INACTIVE);
    assert_int_equal(gf_read(gf, GF_CTRL) & 7, mode);
}

/* Verifies that HALTED, the power-up mode, counts nothing and swaps nothing, though inputs and
 * signals live.  PC.GF.22, PC.QUAD.14 */
static void halted_counts_nothing(struct gf *gf)
{
    nothing_counts(gf, GF_HALTED);
    assert_int_equal(pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_MODE, 0);
    gf_line(gf, GF_E, true);
    gf_step(gf, 1);
    assert_true(gf_signal(gf, gf_at(gf, GF_AT_EVENT) - gf->dom));
}

/* Verifies that modes 3, 4, 6 and 7 are stored and count nothing; but for 7, which is known to be
 * the null mode, the unit says so.  PC.GF.36, PC.DIAG.2, D-41, D-75 */
static void other_modes_are_only_stored(struct gf *gf)
{
    static const unsigned modes[] = { GF_RECORD_C, GF_MODE_4, 6, 7 };

    for (unsigned i = 0; i < 4; i++) {
        pc_unit_reset(gf->unit);
        nothing_counts(gf, modes[i]);
        bool said = pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_MODE;
        assert_int_equal(said, modes[i] != 7);
    }
}

/* Verifies the switch of D-75: MODE 5 is stored like 3 and 4.  PC.GF.36, D-75, D-94 */
static void stream_out_by_option(struct gf *gf)
{
    gf_option(gf, "gf100-stream-out", "off");
    nothing_counts(gf, 5);
    assert_true(pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_MODE);
}

/* Verifies that leaving SINGLE keeps its state and coming back goes on: U-017.
 * PC.GF.47, D-49 */
static void single_state_waits_in_other_modes(struct gf *gf)
{
    gf_start_single(gf, 0, 0, 0);
    gf_play(gf, "p s e");
    gf_ctrl(gf, GF_HALTED, GF_SIMPLE, 0);
    gf_play(gf, "e e x x");
    assert_int_equal(gf_single_state(gf), GF_COUNTING);
    gf_ctrl(gf, GF_SINGLE, GF_SIMPLE, 0);
    gf_play(gf, "e x");
    gf_expect(gf, 3, 0, 1, 2, 0);
    assert_int_equal(gf_single_state(gf), GF_INACTIVE);
}

/* Verifies that CTR_MODE 6, which adds to CTR_PRE in quad mode, leaves it alone in single mode:
 * U-023.  PC.GF.33, D-64, D-94 */
static void no_mode_adds_to_pre_while_counting(struct gf *gf)
{
    gf_option(gf, "gf100-ctr-modes", "on");
    gf_start_quad(gf, 6);
    gf_play(gf, "p pe w");
    gf_expect(gf, 2, 2, 0, 1, 0);
    gf_start_single(gf, 0, 1, 6u << 3);
    gf_play(gf, "p s pe pe . x");
    gf_expect(gf, 4, 0, 1, 2, 0);
}

/* Verifies VSTATUS of the domain and of the set, as U-014 reads them: what the mode does.
 * PC.GF.38 */
static void vstatus_follows_the_mode(struct gf *gf)
{
    enum { IDLE = 0, BUSY = 1, WAITING = 3, HALTED = 7 };
    static const struct {
        const char *way;
        unsigned status, set;
    } steps[] = {
        { ".", WAITING, BUSY }, { "p", WAITING, BUSY }, { "s", BUSY, BUSY }, { "x", IDLE, IDLE }
    };

    assert_int_equal(gf_read(gf, GF_VSTATUS), HALTED);
    assert_int_equal(gf_read_set(gf, GF_DSET_VSTATUS_0), IDLE);
    gf_write(gf, GF_VSTATUS, 0x1ff);
    gf_start_single(gf, 0, 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        gf_play(gf, steps[i].way);
        assert_int_equal(gf_read(gf, GF_VSTATUS), 0x100 | steps[i].status);
        assert_int_equal(gf_read_set(gf, GF_DSET_VSTATUS_0), steps[i].set);
        for (unsigned d = 0; d < gf->chip.domains; d++)
            assert_int_equal(gf_read_set(gf, GF_DSET_VSTATUS_1) >> 4 * d & 15,
                             d == gf->dom ? steps[i].status : HALTED);
    }
    gf_ctrl(gf, GF_QUAD, GF_SIMPLE, 0);
    gf_play(gf, ".");
    assert_int_equal(gf_read(gf, GF_VSTATUS), 0x100 | BUSY);
}

int main(void)
{
    static const struct gf_case cases[] = {
        GF_CASE(a_whole_run),
        GF_CASE(event_ctr_period_is_bit_6),
        GF_CASE(any_value_begins),
        GF_CASE(begin_takes_its_cycle),
        GF_CASE(begin_outside_inactive_does_nothing),
        GF_CASE(begin_in_other_modes_does_nothing),
        GF_CASE(abort_ends_every_state),
        GF_CASE(the_later_trigger_decides),
        GF_CASE(config_writes_do_not_abort),
        GF_CASE(ctrl_writes_do_not_abort),
        GF_CASE(pre_op_has_no_strobe),
        GF_CASE(extra_b4_needs_start),
        GF_CASE(start_clears_and_inactive_freezes_the_flag),
        GF_CASE(halted_freezes_the_flag),
        GF_CASE(halted_flag_by_option),
        GF_CASE(halted_counts_nothing),
        GF_CASE(other_modes_are_only_stored),
        GF_CASE(stream_out_by_option),
        GF_CASE(single_state_waits_in_other_modes),
        GF_CASE_SET(no_mode_adds_to_pre_while_counting, 0),
        GF_CASE(vstatus_follows_the_mode),
    };

    return gf_run("gf100_single", cases, sizeof cases / sizeof cases[0]);
}
