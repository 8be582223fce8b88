/* SPDX-License-Identifier: MIT */
/*
 * Conformance, GF100+: MODE QUAD.  Visible and running counters, what swaps and acks them, and
 * what each CTR_MODE adds.
 */
#include "gf100.h"

#include <string.h>

static void expect_next(const struct gf *gf, unsigned cycles, unsigned pre, unsigned start,
                        unsigned event, unsigned stop)
{
    assert_int_equal(gf_read(gf, GF_CYCLES_NEXT), cycles);
    assert_int_equal(gf_read(gf, 0x078), cycles);
    assert_int_equal(gf_read(gf, GF_PRE_NEXT), pre);
    assert_int_equal(gf_read(gf, GF_START_NEXT), start);
    assert_int_equal(gf_read(gf, GF_EVENT_NEXT), event);
    assert_int_equal(gf_read(gf, GF_STOP_NEXT), stop);
}

/* Verifies that the running counters are live and the visible ones show the period before the
 * last swap, whose own cycle belongs to the next period.  PC.GF.29, PC.GF.30, PC.QUAD.1,
 * PC.QUAD.2, PC.QUAD.3, D-53 */
static void running_and_visible(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "p ps pse psex");
    expect_next(gf, 4, 4, 3, 2, 1);
    gf_expect(gf, 0, 0, 0, 0, 0);
    gf_play(gf, "xw");
    gf_expect(gf, 4, 4, 3, 2, 1);
    expect_next(gf, 1, 0, 0, 0, 1);
    gf_play(gf, "e");
    gf_expect(gf, 4, 4, 3, 2, 1);
    expect_next(gf, 2, 0, 0, 1, 1);
}

/* Verifies that SWAP is a level: each cycle of it swaps.  PC.GF.29, PC.QUAD.4, D-53 */
static void swap_is_a_level(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "e e e ew pw");
    gf_expect(gf, 1, 0, 0, 1, 0);
    expect_next(gf, 1, 1, 0, 0, 0);
    assert_int_equal(gf_quad_state(gf), GF_OVERFLOW);
}

/* Verifies EMPTY, VALID and OVERFLOW, and that copies go on in OVERFLOW.  PC.GF.29, PC.QUAD.8,
 * PC.QUAD.9, PC.QUAD.12, D-55 */
static void states_and_acks(struct gf *gf)
{
    static const enum gf_quad up[] = { GF_VALID, GF_OVERFLOW, GF_OVERFLOW };
    static const enum gf_quad down[] = { GF_VALID, GF_EMPTY, GF_EMPTY };

    gf_start_quad(gf, GF_SIMPLE);
    for (unsigned i = 0; i < 3; i++) {
        gf_play(gf, "e w");
        assert_int_equal(gf_quad_state(gf), up[i]);
        assert_int_equal(gf_read(gf, GF_STATE) >> 2 & 3, up[i]);
        assert_int_equal(gf_read(gf, GF_CTR_EVENT), 1);
    }
    for (unsigned i = 0; i < 3; i++) {
        gf_write(gf, GF_QUAD_ACK, 0xfffffffe); /* bit 0 alone acts */
        gf_write(gf, GF_QUAD_ACK, 1);
        gf_play(gf, ".");
        assert_int_equal(gf_quad_state(gf), down[i]);
    }
}

/* Verifies that two acks in one gap are two, and an ack precedes the swap of its cycle.
 * PC.QUAD.11, PC.REG.9, D-17a, D-55 */
static void acks_of_one_gap(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "w w");
    gf_write(gf, GF_QUAD_ACK, 1);
    gf_write(gf, GF_QUAD_ACK, 1);
    gf_play(gf, ".");
    assert_int_equal(gf_quad_state(gf), GF_EMPTY);
    gf_play(gf, "w");
    gf_write(gf, GF_QUAD_ACK, 1);
    gf_play(gf, "w");
    assert_int_equal(gf_quad_state(gf), GF_VALID);
}

/* Verifies that the running counters take what is written, and count on from there.  PC.GF.30 */
static void running_counters_are_writable(struct gf *gf)
{
    static const uint32_t next[] = { GF_CYCLES_NEXT, GF_PRE_NEXT, GF_START_NEXT, GF_EVENT_NEXT,
                                     GF_STOP_NEXT };

    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "psex psex");
    for (unsigned i = 0; i < 5; i++) {
        gf_write(gf, next[i], 100 * (i + 1));
        assert_int_equal(gf_read(gf, next[i]), 100 * (i + 1)); /* at once */
    }
    gf_play(gf, "psex");
    expect_next(gf, 101, 201, 301, 401, 501);
    gf_play(gf, "w");
    gf_expect(gf, 101, 201, 301, 401, 501);
}

/* Verifies that a write in the gap before a swap is in the period that the swap closes.
 * PC.GF.30, D-17a */
static void a_write_precedes_the_swap(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "e");
    gf_write(gf, GF_EVENT_NEXT, 40);
    gf_play(gf, "ew");
    gf_expect(gf, 1, 0, 0, 40, 0);
    expect_next(gf, 1, 0, 0, 1, 0);
}

/* Verifies that every counter stays at its end.  PC.GF.30, PC.CTR.3, PC.CTR.4, PC.DIAG.5, D-37 */
static void counters_saturate(struct gf *gf)
{
    static const uint32_t next[] = { GF_CYCLES_NEXT, GF_PRE_NEXT, GF_START_NEXT, GF_EVENT_NEXT,
                                     GF_STOP_NEXT };

    gf_start_quad(gf, GF_EVENT_B4);
    for (unsigned i = 0; i < 5; i++)
        gf_write(gf, next[i], 0xfffffffe);
    gf_play(gf, "psxfe psxfe psxfe");
    expect_next(gf, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff);
    assert_int_not_equal(pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_SATURATED, 0);
}

/* Verifies that both sets of counters and QUAD_STATE outlive a change of mode, and acks work in
 * every mode.  PC.GF.29, PC.QUAD.13, PC.QUAD.14, D-49, D-56 */
static void counters_outlive_a_mode_change(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "e e w x x w p");
    gf_ctrl(gf, GF_HALTED, GF_SIMPLE, 0);
    gf_play(gf, "psexw psexw");
    gf_expect(gf, 3, 0, 0, 0, 2);
    expect_next(gf, 2, 1, 0, 0, 0);
    assert_int_equal(gf_quad_state(gf), GF_OVERFLOW);
    gf_write(gf, GF_QUAD_ACK, 1);
    gf_play(gf, ".");
    assert_int_equal(gf_quad_state(gf), GF_VALID);
    gf_ctrl(gf, GF_QUAD, GF_SIMPLE, 0);
    gf_play(gf, "p");
    expect_next(gf, 3, 2, 0, 0, 0);
}

/* Verifies that a lost period is reported.  PC.DIAG.3, D-55 */
static void lost_periods_are_reported(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_play(gf, "w");
    assert_int_equal(pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_SWAP_LOST, 0);
    gf_play(gf, "w");
    assert_int_not_equal(pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_SWAP_LOST, 0);
}

static bool swap_missed(struct gf *gf, unsigned source, uint32_t trigger)
{
    const unsigned before = pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_NO_SWAP;

    assert_int_equal(before, 0);
    gf_write(gf, GF_SWAP_SRC, source);
    gf_write(gf, GF_USER_TRIGGER, trigger);
    const bool missed = pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_NO_SWAP;
    pc_unit_reset(gf->unit);
    gf_ctrl(gf, GF_QUAD, GF_SIMPLE, 0);
    return missed;
}

/* Verifies that a pulse of USER_TRIGGER that cannot swap is reported: with SWAP_SRC on an input or
 * on nothing, in quad mode.  PC.DIAG.8, D-30 */
static void a_pulse_that_swaps_nothing_is_reported(struct gf *gf)
{
    const unsigned end = gf->chip.domain[gf->dom].size;

    gf_ctrl(gf, GF_QUAD, GF_SIMPLE, 0);
    for (unsigned user = 0; user < 4; user++)
        assert_false(swap_missed(gf, gf_at(gf, GF_AT_USER + user), 0x11));
    assert_true(swap_missed(gf, gf_raw(gf, 0), 0x11));
    assert_true(swap_missed(gf, gf_raw(gf, 0), 0x80));
    assert_false(swap_missed(gf, gf_raw(gf, 0), 0x0f));
    if (end <= 0xff) {
        assert_true(swap_missed(gf, end, 0x10));
        assert_true(swap_missed(gf, 0xff, 0x10));
    }
    gf_ctrl(gf, GF_SINGLE, GF_SIMPLE, 0);
    assert_false(swap_missed(gf, gf_raw(gf, 0), 0x11));
}

/* ---- CTR_MODE ---- */

struct sums {
    unsigned pre, start, event, stop;
};
enum { EVENT_NOTHING = 8 }; /* no CTR_MODE: reserved ones under the switch of D-40 */

/* The bits of `sources` at the given positions, first one lowest. */
static unsigned gather(unsigned sources, unsigned count, const unsigned *at)
{
    unsigned value = 0;

    for (unsigned i = 0; i < count; i++)
        value |= (sources >> at[i] & 1u) << i;
    return value;
}

/* PRE_SRC is 0-3, START_SRC 4-7, EVENT_SRC 8-11, STOP_SRC 12-15. */
static const unsigned b6[] = { 4, 5, 6, 7, 10, 11 }, b2[] = { 8, 9 };
static const unsigned i1[] = { 13, 14, 15, 1, 2, 3 }, i2[] = { 8, 9, 10, 11, 4, 5 };
static const unsigned i3[] = { 0, 1, 2, 3, 4, 5 };

static struct sums expected(unsigned ctr_mode, const struct pc_unit_inputs *in, unsigned sources)
{
    struct sums add = { in->pre, in->start, in->event, in->stop };

    switch (ctr_mode) {
    case GF_EVENT_B4:
        add.event = in->event ? gather(sources, 4, b6) : 0;
        break;
    case GF_EVENT_B6:
        add.event = in->event ? gather(sources, 6, b6) : 0;
        break;
    case GF_EXTRA_B4:
        add.start = in->start ? gather(sources, 4, b6) : 0;
        break;
    case GF_EXTRA_B6_EVENT_B2:
        add.start = in->start ? gather(sources, 6, b6) : 0;
        add.event = in->event ? gather(sources, 2, b2) : 0;
        break;
    case 5:
        add.pre = in->pre ? gather(sources, 6, i1) : 0;
        add.event = in->event ? gather(sources, 6, i2) : 0;
        add.start = add.stop = 0;
        break;
    case 6:
        add.pre = in->pre ? gather(sources, 6, i3) : 0;
        add.start = 0;
        break;
    case 7:
        add.event = in->start ? gather(sources, 4, i2) : 0;
        add.start = 0;
        break;
    case EVENT_NOTHING:
        add.event = 0;
        break;
    default:
        break;
    }
    return add;
}

/* Plays random levels in CTR_MODE `mode` and expects what `like` adds. */
static void recount(struct gf *gf, unsigned mode, unsigned like)
{
    struct test_rng rng = test_rng_start(0xb6 + mode, NULL);
    struct sums sum = { 0, 0, 0, 0 };

    pc_unit_reset(gf->unit);
    gf_write(gf, GF_SWAP_SRC, gf_at(gf, GF_AT_ZERO));
    for (unsigned i = 0; i < 4; i++) {
        gf_write(gf, GF_PRE_SRC + 8 * i,
                 gf_four(gf_raw(gf, 4 * i), gf_raw(gf, 4 * i + 1), gf_raw(gf, 4 * i + 2),
                         gf_raw(gf, 4 * i + 3)));
        gf_write(gf, GF_PRE_OP + 8 * i, (uint32_t)test_rand(&rng) & 0x1bffff);
    }
    gf_ctrl(gf, GF_QUAD, mode, 0);
    for (unsigned t = 0; t < 200; t++) {
        struct pc_unit_inputs in;
        unsigned sources = (unsigned)(test_rand(&rng) >> 20) & 0xffff;
        for (unsigned i = 0; i < 16; i++)
            gf_line(gf, i, sources >> i & 1);
        gf_step(gf, 1);
        pc_unit_get_inputs(gf->unit, gf->dom, &in);
        struct sums add = expected(like, &in, sources);
        sum.pre += add.pre, sum.start += add.start, sum.event += add.event, sum.stop += add.stop;
        expect_next(gf, t + 1, sum.pre, sum.start, sum.event, sum.stop);
    }
}

/* Verifies CTR_MODE 0 to 4 in bits 3 to 5; the sums of 3 and 4 need their input.  PC.GF.29,
 * PC.GF.31, PC.MODE.1, PC.MODE.2, PC.MODE.3, PC.MODE.8, D-38, D-63 */
static void documented_counter_modes(struct gf *gf)
{
    for (unsigned mode = 0; mode <= 4; mode++) {
        recount(gf, mode, mode);
        assert_int_equal(pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_CTR_MODE, 0);
    }
}

/* Verifies CTR_MODE 5, 6 and 7 on Kepler, where driver traces fix what they add; on Fermi they
 * are SIMPLE, and reported.  PC.GF.32, PC.GF.33, PC.GF.34, PC.GF.35, PC.DIAG.2, D-64 */
static void traced_counter_modes(struct gf *gf)
{
    bool kepler = gf->whole->order >= pc_chip_find("GK104")->order;

    for (unsigned mode = 5; mode <= 7; mode++) {
        recount(gf, mode, kepler ? mode : GF_SIMPLE);
        assert_int_equal((pc_unit_diagnostics(gf->unit, gf->dom) & PC_DIAG_CTR_MODE) != 0, !kepler);
    }
}

/* Verifies the switch of D-64 both ways.  PC.GF.35, D-64, D-94 */
static void counter_modes_by_option(struct gf *gf)
{
    for (unsigned mode = 5; mode <= 7; mode++) {
        gf_option(gf, "gf100-ctr-modes", "on");
        recount(gf, mode, mode);
        gf_option(gf, "gf100-ctr-modes", "off");
        recount(gf, mode, GF_SIMPLE);
    }
}

/* Verifies the switch of D-40, where 5 to 7 are reserved.  PC.GF.29, D-40, D-94 */
static void reserved_modes_by_option(struct gf *gf)
{
    gf_option(gf, "gf100-ctr-modes", "off");
    gf_option(gf, "ctr-mode-reserved", "none");
    for (unsigned mode = 5; mode <= 7; mode++)
        recount(gf, mode, EVENT_NOTHING);
    recount(gf, GF_SIMPLE, GF_SIMPLE);
    gf_option(gf, "ctr-mode-reserved", "simple");
    recount(gf, 5, GF_SIMPLE);
}

/* Verifies the figures of the driver traces: a constant 1 counts as CYCLES does, and mode 5 with
 * PRE and STOP constant adds nothing of their own.  PC.GF.32, D-38, D-64 */
static void figures_of_the_traces(struct gf *gf)
{
    gf_option(gf, "gf100-ctr-modes", "on");
    gf_start_quad(gf, 5);
    for (uint32_t src = GF_PRE_SRC; src <= GF_STOP_SRC; src += 8) {
        gf_write(gf, src, 0x01010101u * gf_at(gf, GF_AT_ZERO));
        gf_write(gf, src + 4, GF_OP_ONE);
    }
    gf_step(gf, 1000);
    expect_next(gf, 1000, 0, 0, 0, 0);
    gf_ctrl(gf, GF_QUAD, GF_EVENT_B4, 0);
    gf_write(gf, GF_CYCLES_NEXT, 0);
    gf_step(gf, 1000);
    expect_next(gf, 1000, 1000, 1000, 0, 1000);
}

int main(void)
{
    static const struct gf_case cases[] = {
        GF_CASE(running_and_visible),
        GF_CASE(swap_is_a_level),
        GF_CASE(states_and_acks),
        GF_CASE(acks_of_one_gap),
        GF_CASE(running_counters_are_writable),
        GF_CASE(a_write_precedes_the_swap),
        GF_CASE(counters_saturate),
        GF_CASE(counters_outlive_a_mode_change),
        GF_CASE(lost_periods_are_reported),
        GF_CASE(a_pulse_that_swaps_nothing_is_reported),
        GF_CASE(documented_counter_modes),
        GF_CASE(traced_counter_modes),
        GF_CASE_SET(counter_modes_by_option, 0),
        GF_CASE_SET(reserved_modes_by_option, 0),
        GF_CASE_SET(figures_of_the_traces, 0),
    };

    return gf_run("gf100_quad", cases, sizeof cases / sizeof cases[0]);
}
