/* SPDX-License-Identifier: MIT */
/*
 * Conformance, GF100+: from signals to inputs.  Operations with their own bit positions, the
 * sources of the flag, SRC_STATUS and STATE.  Trailer and import stand in gf100_signals.c.
 */
#include "gf100.h"

#include <string.h>

enum input { IN_PRE, IN_START, IN_EVENT, IN_STOP, IN_SETFLAG, IN_CLRFLAG, INPUTS };

static const uint32_t op_offset[INPUTS] = { GF_PRE_OP,  GF_START_OP,   GF_EVENT_OP,
                                            GF_STOP_OP, GF_SETFLAG_OP, GF_CLRFLAG_OP };
/* Argument a of an input is source `source[input][a]` of PRE_SRC[0..3], START_SRC, EVENT_SRC,
 * STOP_SRC. */
static const unsigned source[INPUTS][4] = {
    { 0, 1, 2, 3 },     { 4, 5, 6, 7 }, { 8, 9, 10, 11 },
    { 12, 13, 14, 15 }, { 6, 7, 0, 1 }, { 2, 3, 4, 5 },
};

/* The sixteen sources on sixteen ordinary signals, in order. */
static void select_sixteen(struct gf *gf)
{
    for (unsigned i = 0; i < 4; i++)
        gf_write(gf, GF_PRE_SRC + 8 * i,
                 gf_four(gf_raw(gf, 4 * i), gf_raw(gf, 4 * i + 1), gf_raw(gf, 4 * i + 2),
                         gf_raw(gf, 4 * i + 3)));
}

/* One cycle with the sixteen sources at these levels. */
static void drive(struct gf *gf, unsigned sources)
{
    for (unsigned i = 0; i < 16; i++)
        gf_line(gf, i, sources >> i & 1);
    gf_step(gf, 1);
}

static bool input_of(const struct gf *gf, enum input input)
{
    struct pc_unit_inputs in;

    pc_unit_get_inputs(gf->unit, gf->dom, &in);
    const bool now[INPUTS] = { in.pre, in.start, in.event, in.stop, in.setflag, in.clrflag };
    return now[input];
}

/* Verifies that each argument is the source that the document names, one at a time.  PC.GF.17,
 * PC.IN.1, PC.IN.2, PC.IN.8 */
static void arguments_are_the_sources(struct gf *gf)
{
    static const unsigned pick[4] = { GF_OP_ARG0, GF_OP_ARG1, GF_OP_ARG2, GF_OP_ARG3 };

    select_sixteen(gf);
    for (unsigned arg = 0; arg < 4; arg++) {
        for (unsigned i = 0; i < INPUTS; i++)
            gf_write(gf, op_offset[i], pick[arg]);
        for (unsigned s = 0; s < 16; s++) {
            drive(gf, 1u << s);
            for (unsigned i = 0; i < INPUTS; i++)
                assert_int_equal(input_of(gf, (enum input)i), source[i][arg] == s);
        }
    }
}

/* Checks that `bit` of all six operations makes the argument the source `late` of a cycle ago. */
static void expect_late(struct gf *gf, unsigned bit, unsigned op, unsigned late)
{
    select_sixteen(gf);
    for (unsigned i = 0; i < INPUTS; i++)
        gf_write(gf, op_offset[i], op | 1u << bit);
    for (unsigned s = 0; s < 16; s++) {
        drive(gf, 0);
        drive(gf, 1u << s);
        for (unsigned i = 0; i < INPUTS; i++)
            assert_false(input_of(gf, (enum input)i));
        drive(gf, 0xffff & ~(1u << s));
        for (unsigned i = 0; i < INPUTS; i++)
            assert_int_equal(input_of(gf, (enum input)i), source[i][late] == s);
    }
}

/* Verifies bits 16 and 17: arguments 0 and 1 a cycle late.  PC.GF.17, PC.IN.3, PC.IN.4 */
static void bits_16_and_17_delay(struct gf *gf)
{
    expect_late(gf, 16, GF_OP_ARG0, 0);
    expect_late(gf, 17, GF_OP_ARG1, 1);
}

/* Verifies bit 19: argument 2 is source 0 a cycle late, for all six inputs.  PC.GF.18, D-12 */
static void bit_19_is_source_0_late(struct gf *gf)
{
    expect_late(gf, 19, GF_OP_ARG2, 0);
}

/* Verifies bit 20: argument 3 is source 1 a cycle late, for all six inputs.  PC.GF.19, D-12 */
static void bit_20_is_source_1_late(struct gf *gf)
{
    expect_late(gf, 20, GF_OP_ARG3, 1);
}

/* Verifies that bit 18 is stored and does nothing on PRE, START, SETFLAG and CLRFLAG.  PC.GF.17,
 * D-12 */
static void bit_18_is_unused_on_four_inputs(struct gf *gf)
{
    static const enum input four[] = { IN_PRE, IN_START, IN_SETFLAG, IN_CLRFLAG };
    static const unsigned pick[4] = { GF_OP_ARG0, GF_OP_ARG1, GF_OP_ARG2, GF_OP_ARG3 };

    select_sixteen(gf);
    for (unsigned arg = 0; arg < 4; arg++) {
        for (unsigned i = 0; i < 4; i++) {
            gf_write(gf, op_offset[four[i]], pick[arg] | 1u << 18);
            assert_int_equal(gf_read(gf, op_offset[four[i]]), pick[arg] | 1u << 18);
        }
        for (unsigned s = 0; s < 16; s++) {
            drive(gf, 0xffff & ~(1u << s));
            drive(gf, 1u << s);
            for (unsigned i = 0; i < 4; i++)
                assert_int_equal(input_of(gf, four[i]), source[four[i]][arg] == s);
        }
    }
}

/* Verifies that bit 18 of EVENT and STOP puts SETFLAG of the same cycle in argument 3, whatever
 * bit 20 says.  PC.GF.17, PC.GF.19, PC.IN.7, D-12, D-22 */
static void bit_18_of_event_and_stop_is_setflag(struct gf *gf)
{
    select_sixteen(gf);
    gf_write(gf, GF_SETFLAG_OP, GF_OP_ARG0);
    for (unsigned also = 0; also < 2; also++) {
        gf_write(gf, GF_EVENT_OP, GF_OP_ARG3 | 1u << 18 | also << 20);
        gf_write(gf, GF_STOP_OP, GF_OP_ARG3 | 1u << 18 | also << 20);
        for (unsigned s = 0; s < 16; s++) {
            drive(gf, 0xffff & ~(1u << s));
            drive(gf, 1u << s);
            assert_int_equal(input_of(gf, IN_EVENT), s == source[IN_SETFLAG][0]);
            assert_int_equal(input_of(gf, IN_STOP), s == source[IN_SETFLAG][0]);
        }
    }
}

/* ---- the document's eight steps once more, for random histories ---- */

static bool expected_input(enum input input, const uint32_t op[INPUTS], unsigned now,
                           unsigned before)
{
    const unsigned *from = source[input];
    unsigned args = 0;

    for (unsigned a = 0; a < 4; a++) {
        bool late = op[input] >> (a < 2 ? 16 + a : 17 + a) & 1;
        unsigned level = late ? before >> from[a % 2] & 1 : now >> from[a] & 1;
        args |= level << a;
    }
    bool chained = (input == IN_EVENT || input == IN_STOP) && op[input] >> 18 & 1;
    if (chained && expected_input(IN_SETFLAG, op, now, before))
        args |= 8;
    else if (chained)
        args &= 7;
    return op[input] >> args & 1;
}

/* Verifies all six inputs against the steps of the document, with random operations and levels.
 * PC.GF.17, PC.GF.18, PC.GF.19, D-12, D-20 */
static void random_operations(struct gf *gf)
{
    struct test_rng rng = test_rng_start(0x6f1, NULL);
    uint32_t op[INPUTS] = { 0 };
    unsigned before = 0;

    select_sixteen(gf);
    for (unsigned t = 0; t < 600; t++) {
        for (unsigned i = 0; i < INPUTS && t % 8 == 0; i++) {
            op[i] = (uint32_t)test_rand(&rng) & 0x1fffff;
            gf_write(gf, op_offset[i], op[i]);
        }
        unsigned now = (unsigned)(test_rand(&rng) >> 20) & 0xffff;
        drive(gf, now);
        for (unsigned i = 0; i < INPUTS; i++)
            if (input_of(gf, (enum input)i) != expected_input((enum input)i, op, now, before))
                fail_msg("cycle %u: input %u with %06" PRIx32 " of %04x after %04x", t, i, op[i],
                         now, before);
        before = now;
    }
}

/* Verifies SRC_STATUS: the sixteen sources, then those of SETFLAG and of CLRFLAG, before any
 * delay.  PC.GF.20, PC.IN.12, D-61 */
static void src_status_shows_the_flag_sources(struct gf *gf)
{
    struct test_rng rng = test_rng_start(0x6f2, NULL);

    select_sixteen(gf);
    for (unsigned i = 0; i < INPUTS; i++)
        gf_write(gf, op_offset[i], 0x1f0000);
    for (unsigned t = 0; t < 100; t++) {
        unsigned now = (unsigned)(test_rand(&rng) >> 20) & 0xffff;
        uint32_t want = now;
        for (unsigned a = 0; a < 4; a++) {
            want |= (now >> source[IN_SETFLAG][a] & 1u) << (16 + a);
            want |= (now >> source[IN_CLRFLAG][a] & 1u) << (20 + a);
        }
        drive(gf, now);
        assert_int_equal(gf_read(gf, GF_SRC_STATUS), want);
    }
}

/* Verifies that the delay flops are after the selectors.  PC.IN.10, D-19 */
static void flops_are_behind_the_selectors(struct gf *gf)
{
    select_sixteen(gf);
    gf_write(gf, GF_EVENT_OP, GF_OP_ARG2 | 1u << 19);
    drive(gf, 1u << 8);
    gf_write(gf, GF_EVENT_SRC, gf_four(gf_raw(gf, 20), 0, 0, 0));
    drive(gf, 0);
    assert_true(input_of(gf, IN_EVENT)); /* still the old selection */
    drive(gf, 1u << 8);
    assert_false(input_of(gf, IN_EVENT));
}

/* Verifies STATE: the sources, SWAP and the four inputs of the last cycle.  PC.GF.37 */
static void state_shows_the_inputs(struct gf *gf)
{
    struct test_rng rng = test_rng_start(0x6f3, NULL);

    select_sixteen(gf);
    gf_write(gf, GF_SWAP_SRC, gf_raw(gf, 16));
    gf_ctrl(gf, GF_QUAD, GF_SIMPLE, 0);
    for (unsigned i = 0; i < 4; i++)
        gf_write(gf, op_offset[i], 0x6996 | 1u << 16); /* parity, argument 0 late */
    for (unsigned t = 0; t < 200; t++) {
        unsigned now = (unsigned)(test_rand(&rng) >> 20) & 0x1ffff;
        uint32_t want = (now >> 8 & 15) << 8 | (now >> 12 & 15) << 16 | (now >> 2 & 3) << 20 |
                        (now >> 6 & 3) << 22 | now >> 16 << 12;
        gf_line(gf, 16, now >> 16);
        drive(gf, now);
        want |= (uint32_t)input_of(gf, IN_EVENT) << 24 | (uint32_t)input_of(gf, IN_PRE) << 25;
        want |= (uint32_t)input_of(gf, IN_START) << 26 | (uint32_t)input_of(gf, IN_STOP) << 27;
        assert_int_equal(gf_read(gf, GF_STATE) & 0x0fff1f00, want);
    }
}

/* Verifies the rest of STATE: both machines, the two flops of FLAG, and the toggle of EVENT.
 * PC.GF.37, D-23, D-27 */
static void state_shows_the_flops(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "f");
    assert_int_equal(gf_read(gf, GF_STATE) >> 4 & 3, 1); /* FLAG_NEXT */
    gf_play(gf, ".");
    assert_int_equal(gf_read(gf, GF_STATE) >> 4 & 3, 3);
    assert_false(gf_signal(gf, gf_at(gf, GF_AT_FLAG) - gf->dom)); /* visible a cycle later */
    gf_play(gf, "c");
    assert_int_equal(gf_read(gf, GF_STATE) >> 4 & 3, 2);
    uint32_t toggle = gf_read(gf, GF_STATE) >> 7 & 1;
    gf_play(gf, "e e");
    assert_int_equal(gf_read(gf, GF_STATE) >> 7 & 1, !toggle);
    gf_play(gf, ". e");
    assert_int_equal(gf_read(gf, GF_STATE) >> 7 & 1, toggle);
    gf_play(gf, "w w");
    assert_int_equal(gf_read(gf, GF_STATE) & 0xf, GF_OVERFLOW << 2);
    gf_ctrl(gf, GF_SINGLE, GF_SIMPLE, 0);
    gf_write(gf, GF_SINGLE_BEGIN, 0);
    gf_play(gf, ". p");
    assert_int_equal(gf_read(gf, GF_STATE) & 0xf, GF_OVERFLOW << 2 | GF_WAIT_START);
    gf_write(gf, GF_STATE, 0xffffffff);
    assert_int_equal(gf_read(gf, GF_STATE) & 0xf, GF_OVERFLOW << 2 | GF_WAIT_START);
}

int main(void)
{
    static const struct gf_case cases[] = {
        GF_CASE(arguments_are_the_sources),
        GF_CASE(bits_16_and_17_delay),
        GF_CASE(bit_19_is_source_0_late),
        GF_CASE(bit_20_is_source_1_late),
        GF_CASE(bit_18_is_unused_on_four_inputs),
        GF_CASE(bit_18_of_event_and_stop_is_setflag),
        GF_CASE(random_operations),
        GF_CASE(src_status_shows_the_flag_sources),
        GF_CASE(flops_are_behind_the_selectors),
        GF_CASE(state_shows_the_inputs),
        GF_CASE(state_shows_the_flops),
    };

    return gf_run("gf100_inputs", cases, sizeof cases / sizeof cases[0]);
}
