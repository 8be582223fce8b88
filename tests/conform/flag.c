/* SPDX-License-Identifier: MIT */
/* Conformance, "The flag": what sets, clears, freezes and shows it. */
#include "support.h"

#include <string.h>

/* Wires the letters and leaves INACTIVE for good: PRE never comes. */
static void start_waiting(struct rig *rig)
{
    rig_wire(rig);
    rig_write(rig, PRE_OP, OP_ZERO);
    rig_play(rig, ".");
}

/* Plays the tokens and checks the FLAG signal of each cycle, "0011". */
static void expect_flag(struct rig *rig, const char *tokens, const char *seen)
{
    char got[40] = "", token[8];
    size_t n = 0;

    while (*tokens) {
        size_t length = strcspn(tokens, " ");
        assert_true(length < sizeof token && n + 1 < sizeof got);
        snprintf(token, sizeof token, "%.*s", (int)length, tokens);
        rig_play(rig, token);
        got[n++] = rig_flag(rig) ? '1' : '0';
        tokens += length;
        tokens += strspn(tokens, " ");
    }
    assert_string_equal(got, seen);
}

/* Verifies set, keep and clear, each two cycles late.  PC.FLAG.2, PC.FLAG.3, PC.FLAG.4, PC.SYNC.2,
 * D-23 */
static void set_and_clear_show_two_cycles_later(struct rig *rig)
{
    start_waiting(rig);
    expect_flag(rig, "f . . . . c . . .", "001111100");
    expect_flag(rig, "f c . . .", "00100");
    expect_flag(rig, "f c f c . . .", "0010100");
}

/* Verifies that setting a set FLAG and clearing a clear one change nothing.  PC.FLAG.1, PC.FLAG.2,
 * PC.FLAG.3 */
static void repeated_inputs_change_nothing(struct rig *rig)
{
    start_waiting(rig);
    expect_flag(rig, "c c . f f f . . .", "000001111");
    expect_flag(rig, "f . c c c . .", "1111000");
}

/* Verifies that CLRFLAG wins over SETFLAG in the same cycle.  PC.FLAG.1, D-16 */
static void clear_wins_over_set(struct rig *rig)
{
    start_waiting(rig);
    expect_flag(rig, "fc . . .", "0000");
    expect_flag(rig, "f . . fc . . .", "0011100");
    expect_flag(rig, "fc f . . .", "00011");
}

/* Verifies that SETFLAG and CLRFLAG are ignored in single mode INACTIVE.  PC.FLAG.5, D-24 */
static void inactive_freezes(struct rig *rig)
{
    rig_wire(rig); /* INACTIVE since power-up */
    expect_flag(rig, "f f . . .", "00000");
    rig_write(rig, PRE_OP, OP_ZERO);
    expect_flag(rig, ". f . . .", "00011");
    rig_write(rig, THRESHOLD, 0); /* aborts */
    expect_flag(rig, "c c . . .", "11111");
}

/* Verifies that a change just before the freeze still reaches the signal.  PC.FLAG.4, PC.FLAG.5,
 * D-24 */
static void signal_settles_after_the_freeze(struct rig *rig)
{
    start_waiting(rig);
    rig_play(rig, "f");
    rig_write(rig, THRESHOLD, 0);
    expect_flag(rig, "c . . .", "0111");
}

/* Verifies that the last STOP cycle still moves the FLAG and the next one does not.  PC.FLAG.5,
 * PC.SINGLE.8 */
static void freeze_begins_after_the_last_stop(struct rig *rig)
{
    rig_start_single(rig, 0, 0, 0);
    rig_play(rig, "p s");
    expect_flag(rig, "fx c . .", "0011");
    assert_int_equal(rig_single_state(rig), INACTIVE);
}

/* Verifies that a start clears the FLAG, and ignores SETFLAG in its cycle.  PC.FLAG.6, PC.FLAG.4,
 * D-25 */
static void start_clears(struct rig *rig)
{
    start_waiting(rig);
    rig_play(rig, "f . .");
    rig_write(rig, THRESHOLD, 0);
    expect_flag(rig, ". . .", "111");
    rig_write(rig, PRE_OP, OP_ZERO);
    expect_flag(rig, "f . . .", "1100");
    expect_flag(rig, "f . . .", "0011");
}

/* Verifies that PRE_OP outside INACTIVE does not clear it.  PC.FLAG.6, PC.SINGLE.14, D-44 */
static void ignored_start_does_not_clear(struct rig *rig)
{
    start_waiting(rig);
    rig_play(rig, "f . .");
    rig_write(rig, PRE_OP, OP_ZERO);
    expect_flag(rig, ". . . .", "1111");
}

/* Verifies that the FLAG follows its inputs in every state of single mode but INACTIVE.  PC.FLAG.2,
 * PC.FLAG.4 */
static void all_active_states_follow(struct rig *rig)
{
    rig_start_single(rig, 0, 1, 0);
    expect_flag(rig, "f c . .", "0010"); /* WAIT_PRE */
    expect_flag(rig, "p f c . .", "00010");
    assert_int_equal(rig_single_state(rig), WAIT_START);
    expect_flag(rig, "s f c . .", "00010");
    assert_int_equal(rig_single_state(rig), COUNTING);
    expect_flag(rig, "x f . . .", "00011");
    assert_int_equal(rig_single_state(rig), WAIT_START);
}

/* Verifies that in quad mode the FLAG always follows.  PC.FLAG.7, D-25 */
static void quad_mode_follows(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    expect_flag(rig, "f . . . c . . .", "00111100");
}

/* Verifies that swaps and acks leave the FLAG alone.  PC.FLAG.7, D-25 */
static void swap_and_ack_do_not_clear(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    expect_flag(rig, "f . . w w . .", "0011111");
    rig_write(rig, QUAD_ACK_TRIGGER,
              1u << 8 * (rig->chip->layout == PC_LAYOUT_NV10 ? rig->dom : 0));
    expect_flag(rig, ". . . .", "1111");
}

/* Verifies that a change of mode leaves the FLAG alone.  PC.FLAG.7, D-25, D-49 */
static void mode_change_does_not_clear(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_play(rig, "f . .");
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, 0);
    expect_flag(rig, "c . . .", "1111"); /* INACTIVE: frozen */
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    expect_flag(rig, ". . . c . . .", "1111100");
}

/* Verifies that in record mode the FLAG follows.  PC.FLAG.7, D-25 */
static void record_mode_follows(struct rig *rig)
{
    rig_wire(rig);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, 0);
    expect_flag(rig, "f . . . c . . .", "00111100");
}

/* Verifies random histories against the rule, two cycles late.  PC.FLAG.1, PC.FLAG.2, PC.FLAG.3,
 * PC.FLAG.4 */
static void random_histories(struct rig *rig)
{
    static const char *const tokens[] = { ".", "f", "c", "fc" };
    struct test_rng rng = test_rng_start(0xf1, NULL);
    unsigned flag = 0; /* bit 0: after this cycle, bit 2: what the signal shows */

    start_waiting(rig);
    for (unsigned t = 0; t < 300; t++) {
        unsigned i = test_rand_below(&rng, 4);
        bool now = i & 2 ? false : i & 1 ? true : flag & 1;
        rig_play(rig, tokens[i]);
        flag = flag << 1 | now;
        assert_int_equal(rig_flag(rig), flag >> 2 & 1);
    }
}

/* Verifies that SETFLAG sees the current EVENT, too: the flag it sets, and STOP that is chained to
 * it.  PC.SYNC.1, PC.SYNC.12, PC.IN.7, D-21, D-22 */
static void setflag_sees_the_current_event(struct rig *rig)
{
    unsigned own = event_slot(rig, rig->dom, rig->dom), zero = rig_raw(rig, LINE_ZERO);

    rig_start_quad(rig, SIMPLE);
    rig_select(rig, START_SRC, zero, zero, own, zero); /* SETFLAG's SRC[0] */
    rig_write(rig, SETFLAG_OP, OP_ARG0);
    rig_write(rig, CLRFLAG_OP, OP_ZERO);
    rig_write(rig, STOP_OP, OP_ARG3 | 1 << 18);
    rig_play(rig, ". . w e");
    assert_false(rig_flag(rig));
    rig_play(rig, ".");
    assert_false(rig_flag(rig));
    rig_play(rig, ".");
    assert_true(rig_flag(rig)); /* two cycles after EVENT */
    rig_play(rig, "w e e w");
    assert_int_equal(rig_count(rig, CTR_STOP), 2);
    rig_play(rig, "e w");
    assert_int_equal(rig_count(rig, CTR_STOP), 1);
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE(set_and_clear_show_two_cycles_later),
        CASE(repeated_inputs_change_nothing),
        CASE(clear_wins_over_set),
        CASE(inactive_freezes),
        CASE(signal_settles_after_the_freeze),
        CASE(freeze_begins_after_the_last_stop),
        CASE(start_clears),
        CASE(ignored_start_does_not_clear),
        CASE(all_active_states_follow),
        CASE_ON(quad_mode_follows, PC_F_QUAD),
        CASE_ON(swap_and_ack_do_not_clear, PC_F_QUAD),
        CASE_ON(mode_change_does_not_clear, PC_F_QUAD),
        CASE_ON(record_mode_follows, PC_F_RECORD),
        CASE(random_histories),
        CASE_ON(setflag_sees_the_current_event, PC_F_DOM_EVENTS),
    };

    return conform_run("flag", cases, sizeof cases / sizeof cases[0]);
}
