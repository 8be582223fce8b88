/* SPDX-License-Identifier: MIT */
/* Conformance, "The EVENT and FLAG signals": an EVENT that depends on itself, and the one value
 * that SETFLAG has in a cycle. */
#include "support.h"

static bool loop_seen(const struct rig *rig)
{
    return pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_COMB_LOOP;
}

static void expect_toggling_event(struct rig *rig)
{
    for (unsigned t = 0; t < 6; t++) {
        rig_step(rig, 1);
        assert_int_equal(rig_event(rig), t % 2 == 0);
    }
}

/* Verifies that EVENT inverting itself takes the last cycle's value and that this is reported.
 * PC.SYNC.12, PC.DIAG.1, D-21 */
static void event_loop_takes_the_last_value(struct rig *rig)
{
    static const uint32_t inverted[] = { 0x5555, 0x3333, 0x0f0f, 0x00ff };
    unsigned own = event_slot(rig, rig->dom, rig->dom), zero = rig_raw(rig, LINE_ZERO);

    for (unsigned arg = 0; arg < 4; arg++) {
        unsigned s[4] = { zero, zero, zero, zero };
        s[arg] = own;
        rig_restart(rig);
        assert_false(loop_seen(rig));
        rig_select(rig, EVENT_SRC, s[0], s[1], s[2], s[3]);
        rig_write(rig, EVENT_OP, inverted[arg]);
        expect_toggling_event(rig);
        assert_true(loop_seen(rig));
    }
}

/* Verifies the loop through the SETFLAG chain, and that SETFLAG is a loop only if chained.
 * PC.SYNC.12, PC.IN.7, PC.DIAG.1, D-21, D-22 */
static void event_loop_through_setflag(struct rig *rig)
{
    unsigned own = event_slot(rig, rig->dom, rig->dom), zero = rig_raw(rig, LINE_ZERO);

    rig_select(rig, START_SRC, zero, zero, own, zero);
    rig_write(rig, SETFLAG_OP, 0x5555);
    rig_write(rig, EVENT_OP, OP_ZERO);
    rig_step(rig, 3);
    assert_false(loop_seen(rig));
    rig_write(rig, EVENT_OP, OP_ARG3 | 1 << 18);
    expect_toggling_event(rig);
    assert_true(loop_seen(rig));
}

/*
 * Verifies that SETFLAG has one value a cycle: where EVENT takes it, EVENT, STOP and the flag all
 * see the one that was made of the last cycle's EVENT, whatever EVENT's table makes of it; where
 * EVENT does not take it, all see that of the current one.
 * PC.SYNC.13, PC.IN.7, D-21a
 */
static void setflag_has_one_value(struct rig *rig)
{
    static const struct {
        uint32_t event_op; /* of the SETFLAG chain, or of EVENT_SRC[0] */
        bool takes, toggles;
    } cases[] = { { OP_ARG3 | 1 << 18, true, true },
                  { OP_ARG0 | 1 << 18, true, false },
                  { OP_ARG0, false, false } };
    unsigned own = event_slot(rig, rig->dom, rig->dom), zero = rig_raw(rig, LINE_ZERO);

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig_restart(rig);
        rig_start_quad(rig, SIMPLE);
        rig_select(rig, EVENT_SRC, rig_raw(rig, LINE_E), zero, zero, zero);
        rig_select(rig, START_SRC, zero, zero, own, zero);
        rig_write(rig, SETFLAG_OP, 0x5555); /* not EVENT */
        rig_write(rig, EVENT_OP, cases[i].event_op);
        rig_write(rig, STOP_OP, OP_ARG3 | 1 << 18);
        rig_step(rig, 1);
        bool before = rig_event(rig);
        for (unsigned t = 0; t < 8; t++) {
            struct pc_unit_inputs in;
            rig_line(rig, LINE_E, t >> 1 & 1);
            rig_step(rig, 1);
            pc_unit_get_inputs(rig->unit, rig->dom, &in);
            assert_int_equal(in.event, cases[i].toggles ? !before : t >> 1 & 1);
            assert_int_equal(in.setflag, !(cases[i].takes ? before : in.event));
            assert_int_equal(in.stop, in.setflag);
            before = in.event;
        }
        assert_int_equal(loop_seen(rig), cases[i].takes);
    }
}

/* Verifies that EVENT through a delayed argument is no loop: it is the text's last cycle.
 * PC.SYNC.12, PC.IN.3, D-21 */
static void delayed_own_event_is_no_loop(struct rig *rig)
{
    unsigned own = event_slot(rig, rig->dom, rig->dom), zero = rig_raw(rig, LINE_ZERO);

    rig_select(rig, EVENT_SRC, own, zero, zero, zero);
    rig_write(rig, EVENT_OP, OP_ZERO | 1 << 16);
    rig_step(rig, 2);
    rig_write(rig, EVENT_OP, 0x5555 | 1 << 16);
    expect_toggling_event(rig);
    assert_false(loop_seen(rig));
}

/* Verifies that inputs other than EVENT see its current value, loop or not.  PC.SYNC.1, PC.SYNC.12,
 * D-21, D-28 */
static void others_see_the_current_event(struct rig *rig)
{
    unsigned own = event_slot(rig, rig->dom, rig->dom), zero = rig_raw(rig, LINE_ZERO);

    rig_start_quad(rig, SIMPLE);
    rig_select(rig, START_SRC, own, zero, zero, zero);
    rig_select(rig, STOP_SRC, own, zero, zero, zero);
    rig_play(rig, "e . e e . e w"); /* nothing of the previous cycles is left over */
    assert_int_equal(rig_count(rig, CTR_EVENT), 4);
    assert_int_equal(rig_count(rig, CTR_START), 4);
    assert_int_equal(rig_count(rig, CTR_STOP), 4);
    rig_play(rig, "e w");
    assert_int_equal(rig_count(rig, CTR_START), 1);
    assert_false(loop_seen(rig));
    rig_select(rig, EVENT_SRC, own, zero, zero, zero);
    rig_write(rig, EVENT_OP, 0x5555); /* EVENT toggles */
    rig_play(rig, "w");
    bool event = rig_event(rig);
    for (unsigned t = 0; t < 4; t++) {
        rig_play(rig, "w");
        assert_int_equal(rig_count(rig, CTR_EVENT), event);
        assert_int_equal(rig_count(rig, CTR_START), event);
        assert_int_equal(rig_count(rig, CTR_STOP), event);
        assert_int_equal(rig_event(rig), !event);
        event = !event;
    }
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE_ON(event_loop_takes_the_last_value, PC_F_DOM_EVENTS),
        CASE_ON(event_loop_through_setflag, PC_F_DOM_EVENTS),
        CASE_ON(setflag_has_one_value, PC_F_DOM_EVENTS),
        CASE_ON(delayed_own_event_is_no_loop, PC_F_DOM_EVENTS),
        CASE_ON(others_see_the_current_event, PC_F_DOM_EVENTS),
    };

    return conform_run("own_event", cases, sizeof cases / sizeof cases[0]);
}
