/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Counters" and "Special counter modes": what is added to which counter.
 * Not here: the ends of the counters, which no test can reach by stepping; see tests/model.
 */
#include "support.h"

/* START_SRC0..3 and EVENT_SRC0..3 are signals 0..7 of the domain: value = START | EVENT << 4. */
static void wire_integers(struct rig *rig)
{
    rig_wire(rig);
    rig_select(rig, START_SRC, rig_raw(rig, 0), rig_raw(rig, 1), rig_raw(rig, 2), rig_raw(rig, 3));
    rig_select(rig, EVENT_SRC, rig_raw(rig, 4), rig_raw(rig, 5), rig_raw(rig, 6), rig_raw(rig, 7));
    rig_select(rig, PRE_SRC, rig_raw(rig, 8), rig_raw(rig, 8), rig_raw(rig, 8), rig_raw(rig, 8));
    rig_select(rig, STOP_SRC, rig_raw(rig, 9), rig_raw(rig, 9), rig_raw(rig, 9), rig_raw(rig, 9));
}

static void cycle(struct rig *rig, unsigned sources)
{
    for (unsigned k = 0; k < 8; k++)
        rig_line(rig, k, sources >> k & 1);
    rig_step(rig, 1);
}

static unsigned b4(unsigned sources)
{
    return sources & 15;
}

static unsigned b2(unsigned sources)
{
    return sources >> 4 & 3;
}

static unsigned b6(unsigned sources)
{
    return (sources & 15) | (sources >> 6 & 3) << 4;
}

/* Quad mode with the integers; START and EVENT operations as given. */
static void start_quad(struct rig *rig, enum ctr_mode ctr, uint32_t start_op, uint32_t event_op)
{
    rig_start_quad(rig, ctr);
    wire_integers(rig);
    rig_write(rig, START_OP, start_op);
    rig_write(rig, EVENT_OP, event_op);
}

static void swap(struct rig *rig)
{
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    cycle(rig, 0);
}

/* Expected additions of one cycle in quad mode. */
static void add_quad(enum ctr_mode ctr, unsigned sources, bool start, bool event,
                     unsigned *ctr_start, unsigned *ctr_event)
{
    *ctr_start += ctr == EXTRA_B4 ? b4(sources) : ctr == EXTRA_B6_EVENT_B2 ? b6(sources) : start;
    if (ctr == EXTRA_B6_EVENT_B2)
        *ctr_event += b2(sources);
    else if (event)
        *ctr_event += ctr == EVENT_B4 ? b4(sources) : ctr == EVENT_B6 ? b6(sources) : 1;
}

/* All 256 source levels, one cycle each, with the inputs at constants or following a source. */
static void check_quad(struct rig *rig, enum ctr_mode ctr)
{
    static const uint32_t ops[] = { OP_ZERO, OP_ONE, OP_ARG0 };

    for (unsigned s = 0; s < 3; s++)
        for (unsigned e = 0; e < 3; e++) {
            unsigned start = 0, event = 0;
            rig_restart(rig);
            start_quad(rig, ctr, ops[s], ops[e]);
            swap(rig);
            start = ops[s] == OP_ONE && ctr <= EVENT_B6; /* the swap's own cycle, all sources 0 */
            event = ops[e] == OP_ONE && (ctr == SIMPLE || ctr == EXTRA_B4);
            for (unsigned sources = 0; sources < 256; sources++) {
                bool start_in = ops[s] >> (sources & 15) & 1;
                bool event_in = ops[e] >> (sources >> 4 & 15) & 1;
                cycle(rig, sources);
                add_quad(ctr, sources, start_in, event_in, &start, &event);
            }
            swap(rig);
            assert_int_equal(rig_count(rig, CTR_CYCLES), 257);
            assert_int_equal(rig_count(rig, CTR_START), start);
            assert_int_equal(rig_count(rig, CTR_EVENT), event);
            assert_int_equal(rig_count(rig, CTR_PRE), 0);
            assert_int_equal(rig_count(rig, CTR_STOP), 0);
        }
}

/* Verifies SIMPLE in quad mode over all levels of the sources.  PC.MODE.1, PC.QUAD.1 */
static void quad_simple(struct rig *rig)
{
    check_quad(rig, SIMPLE);
}

/* Verifies EVENT_B4 in quad mode: gated by EVENT, START beside it counts plainly.  PC.MODE.2,
 * PC.MODE.8, D-38 */
static void quad_event_b4(struct rig *rig)
{
    check_quad(rig, EVENT_B4);
}

/* Verifies EVENT_B6 in quad mode and the order of its six bits.  PC.MODE.3, PC.MODE.8, D-38 */
static void quad_event_b6(struct rig *rig)
{
    check_quad(rig, EVENT_B6);
}

/* Verifies EXTRA_B4 in quad mode: CTR_START takes the integer whatever START is.  PC.MODE.4,
 * PC.MODE.8, D-39 */
static void quad_extra_b4(struct rig *rig)
{
    check_quad(rig, EXTRA_B4);
}

/* Verifies EXTRA_B6_EVENT_B2 in quad mode: both integers every clock, whatever the inputs are.
 * PC.MODE.5, PC.MODE.8, D-39 */
static void quad_extra_b6_event_b2(struct rig *rig)
{
    check_quad(rig, EXTRA_B6_EVENT_B2);
}

/* Verifies that in integer modes PRE and STOP count plainly.  PC.MODE.8, D-38 */
static void quad_pre_and_stop_beside_integers(struct rig *rig)
{
    unsigned last = chip_has(rig->chip, PC_F_WIDE_MODES) ? EXTRA_B6_EVENT_B2 : EVENT_B4;

    for (unsigned ctr = SIMPLE; ctr <= last; ctr++) {
        rig_restart(rig);
        start_quad(rig, (enum ctr_mode)ctr, OP_ONE, OP_ONE);
        for (unsigned i = 0; i < 10; i++) {
            rig_line(rig, 8, i < 3);
            rig_line(rig, 9, i < 7);
            cycle(rig, 0xff);
        }
        swap(rig);
        assert_int_equal(rig_count(rig, CTR_PRE), 3);
        assert_int_equal(rig_count(rig, CTR_STOP), 7);
    }
}

/* Verifies each integer's bits one by one.  PC.MODE.2, PC.MODE.3, PC.MODE.4, PC.MODE.5 */
static void integer_bits_have_their_weights(struct rig *rig)
{
    for (unsigned ctr = EVENT_B4; ctr <= EXTRA_B6_EVENT_B2; ctr++)
        for (unsigned k = 0; k < 8; k++) {
            unsigned start = 0, event = 0;
            rig_restart(rig);
            start_quad(rig, (enum ctr_mode)ctr, OP_ZERO, OP_ONE);
            for (unsigned i = 0; i < 3; i++) {
                cycle(rig, 1u << k);
                add_quad((enum ctr_mode)ctr, 1u << k, false, true, &start, &event);
            }
            swap(rig);
            assert_int_equal(rig_count(rig, CTR_START), start);
            assert_int_equal(rig_count(rig, CTR_EVENT), event);
        }
}

/* Single mode in COUNTING as CTRL has it; STOP, signal 9, ends a period. */
static void begin_counting(struct rig *rig, uint32_t event_op)
{
    wire_integers(rig);
    rig_write(rig, START_OP, OP_ONE);
    rig_write(rig, EVENT_OP, event_op);
    rig_write(rig, CTR_STOP, 1);
    rig_write(rig, PRE_OP, OP_ONE);
    cycle(rig, 0xff); /* the start, PRE and START: nothing of this counts */
    cycle(rig, 0xff);
    cycle(rig, 0xff);
    assert_int_equal(rig_single_state(rig), COUNTING);
}

static void start_counting(struct rig *rig, enum ctr_mode ctr, uint32_t event_op, uint32_t ctrl)
{
    rig_ctrl(rig, MODE_SINGLE, ctr, ctrl);
    begin_counting(rig, event_op);
}

/* Verifies SIMPLE and the EVENT modes in single mode over all levels of the sources.  PC.MODE.1,
 * PC.MODE.2, PC.MODE.3, D-38 */
static void single_event_modes(struct rig *rig)
{
    unsigned last = chip_has(rig->chip, PC_F_WIDE_MODES) ? EVENT_B6 : EVENT_B4;
    static const uint32_t ops[] = { OP_ZERO, OP_ONE, OP_ARG1 };

    for (unsigned ctr = SIMPLE; ctr <= last; ctr++)
        for (unsigned e = 0; e < 3; e++) {
            unsigned start = 0, event = 0;
            start_counting(rig, (enum ctr_mode)ctr, ops[e], 0);
            for (unsigned sources = 0; sources < 256; sources++) {
                cycle(rig, sources);
                add_quad((enum ctr_mode)ctr, sources, false, ops[e] >> (sources >> 4) & 1, &start,
                         &event);
            }
            assert_int_equal(rig_count(rig, CTR_EVENT), event);
            assert_int_equal(rig_count(rig, CTR_CYCLES), 256);
            assert_int_equal(rig_read(rig, CTR_PRE), 0);
        }
}

static void close_period(struct rig *rig, unsigned sources)
{
    rig_line(rig, 9, true);
    cycle(rig, sources);
    rig_line(rig, 9, false);
}

/* Verifies that EXTRA modes sum in CTR_PRE over the COUNTING cycles of all periods, and only there,
 * even with ONE.  PC.MODE.4, PC.MODE.5, PC.MODE.6, D-39 */
static void single_extra_modes(struct rig *rig)
{
    for (unsigned ctr = EXTRA_B4; ctr <= EXTRA_B6_EVENT_B2; ctr++) {
        bool wide = ctr == EXTRA_B6_EVENT_B2;
        unsigned first = wide ? b6(0xb9) : b4(0xb9), second = wide ? b6(0x5e) : b4(0x5e);

        start_counting(rig, (enum ctr_mode)ctr, OP_ZERO, 0);
        assert_int_equal(rig_read(rig, CTR_PRE), 0);
        cycle(rig, 0xb9);
        assert_int_equal(rig_read(rig, CTR_PRE), first);
        close_period(rig, 0xb9); /* the STOP cycle counts */
        assert_int_equal(rig_single_state(rig), WAIT_START);
        assert_int_equal(rig_read(rig, CTR_PRE), 2 * first);
        assert_int_equal(rig_count(rig, CTR_EVENT), wide ? 2 * b2(0xb9) : 0);
        cycle(rig, 0xff); /* START: does not count */
        assert_int_equal(rig_read(rig, CTR_PRE), 2 * first);
        assert_int_equal(rig_count(rig, CTR_EVENT), 0);
        close_period(rig, 0x5e);
        assert_int_equal(rig_single_state(rig), INACTIVE);
        cycle(rig, 0xff);
        assert_int_equal(rig_read(rig, CTR_PRE), 2 * first + second);
        assert_int_equal(rig_count(rig, CTR_EVENT), wide ? b2(0x5e) : 0);
        assert_int_equal(rig_count(rig, CTR_START), 2);
    }
}

/* Verifies that EXTRA_B4 leaves CTR_EVENT to EVENT in single mode.  PC.MODE.4, D-39 */
static void single_extra_b4_counts_events(struct rig *rig)
{
    start_counting(rig, EXTRA_B4, OP_ARG0, 0);
    for (unsigned i = 0; i < 10; i++)
        cycle(rig, i < 4 ? 0x1f : 0x0f);
    assert_int_equal(rig_count(rig, CTR_EVENT), 4);
    assert_int_equal(rig_read(rig, CTR_PRE), 150);
}

/* Verifies that the countdown of CTR_PRE is over before EXTRA counting begins at 0.  PC.MODE.4,
 * PC.SINGLE.3 */
static void single_extra_begins_at_zero(struct rig *rig)
{
    wire_integers(rig);
    rig_write(rig, CTR_PRE, 2);
    rig_ctrl(rig, MODE_SINGLE, EXTRA_B4, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    cycle(rig, 0x0f);
    for (unsigned left = 2; left > 0; left--) {
        assert_int_equal(rig_read(rig, CTR_PRE), left);
        cycle(rig, 0x0f); /* waiting adds nothing */
        assert_int_equal(rig_read(rig, CTR_PRE), left);
        rig_line(rig, 8, true);
        cycle(rig, 0x0f);
        rig_line(rig, 8, false);
    }
    assert_int_equal(rig_read(rig, CTR_PRE), 0);
    rig_line(rig, 8, true);
    cycle(rig, 0x0f);
    assert_int_equal(rig_single_state(rig), WAIT_START);
    assert_int_equal(rig_read(rig, CTR_PRE), 0);
    cycle(rig, 0x0f); /* START_OP picks source 0 */
    assert_int_equal(rig_single_state(rig), COUNTING);
    cycle(rig, 0x07);
    assert_int_equal(rig_read(rig, CTR_PRE), 7);
}

/* Verifies that with ALL the integer sums of CTR_EVENT go on, and that THRESHOLD compares them.
 * PC.MODE.2, PC.SINGLE.6, PC.SINGLE.10 */
static void single_sums_and_threshold(struct rig *rig)
{
    rig_write(rig, THRESHOLD, 16);
    start_counting(rig, EVENT_B4, OP_ONE, CTRL_ALL);
    cycle(rig, 7);
    close_period(rig, 8); /* 15 */
    assert_int_equal(rig_count(rig, CTR_START), 0);
    cycle(rig, 0xff);
    close_period(rig, 1); /* 16 */
    assert_int_equal(rig_count(rig, CTR_EVENT), 16);
    assert_int_equal(rig_count(rig, CTR_START), 1);
}

/* CTR_MODE 5 to 7 over 6 cycles of EVENT in 11 of START; EVENT counts `events` of them. */
static void check_reserved_modes(struct rig *rig, unsigned events)
{
    for (unsigned ctr = 5; ctr < 8; ctr++) {
        rig_restart(rig);
        assert_false(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_CTR_MODE);
        start_quad(rig, (enum ctr_mode)ctr, OP_ARG0, OP_ARG0);
        for (unsigned i = 0; i < 20; i++)
            cycle(rig, i < 6 ? 0xff : i < 11 ? 0x0f : 0xe0);
        swap(rig);
        assert_int_equal(rig_count(rig, CTR_EVENT), events);
        assert_int_equal(rig_count(rig, CTR_START), 11);
        assert_true(pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_CTR_MODE);
    }
}

/* Verifies that CTR_MODE 5 to 7 count as SIMPLE and are reported.  PC.MODE.7, PC.DIAG.2, D-40 */
static void reserved_modes_count_as_simple(struct rig *rig)
{
    check_reserved_modes(rig, 6);
}

/* Verifies the switch of D-40, which leaves the documented modes alone.  PC.MODE.7, D-40, D-94 */
static void reserved_modes_by_option(struct rig *rig)
{
    rig_option(rig, "D-40", "none");
    check_reserved_modes(rig, 0);
    check_quad(rig, SIMPLE);
    rig_option(rig, "D-40", "simple");
    check_reserved_modes(rig, 6);
}

/* Verifies that the one CTR_MODE of nv10 works in both domains.  PC.CTRL.2, D-58 */
static void shared_ctr_mode_serves_both_domains(struct rig *rig)
{
    for (unsigned mode = 0; mode < 2; mode++) {
        pc_unit_write(rig->unit, 0xa73c, mode << 2);
        for (rig->dom = 0; rig->dom < 2; rig->dom++) {
            begin_counting(rig, OP_ONE);
            cycle(rig, 13);
            assert_int_equal(rig_count(rig, CTR_EVENT), mode ? 13 : 1);
        }
    }
}

/* Verifies that sums far beyond 16 bits are exact in the low word.  PC.CTR.2, PC.CTR.3, PC.MODE.2
 */
static void sums_are_wider_than_16_bits(struct rig *rig)
{
    start_counting(rig, EVENT_B4, OP_ONE, 0);
    for (unsigned i = 0; i < 5000; i++)
        cycle(rig, 15);
    assert_int_equal(rig_count(rig, CTR_EVENT), 75000);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 5000);
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE_ON(quad_simple, PC_F_QUAD),
        CASE_ON(quad_event_b4, PC_F_QUAD),
        CASE_ON(quad_event_b6, PC_F_WIDE_MODES),
        CASE_ON(quad_extra_b4, PC_F_WIDE_MODES),
        CASE_ON(quad_extra_b6_event_b2, PC_F_WIDE_MODES),
        CASE_ON(quad_pre_and_stop_beside_integers, PC_F_QUAD),
        CASE_ON(integer_bits_have_their_weights, PC_F_WIDE_MODES),
        CASE(single_event_modes),
        CASE_ON(single_extra_modes, PC_F_WIDE_MODES),
        CASE_ON(single_extra_b4_counts_events, PC_F_WIDE_MODES),
        CASE_ON(single_extra_begins_at_zero, PC_F_WIDE_MODES),
        CASE_ON(single_sums_and_threshold, PC_F_PERIOD_ALL),
        CASE_ON(reserved_modes_count_as_simple, PC_F_WIDE_MODES),
        CASE_ON(reserved_modes_by_option, PC_F_WIDE_MODES),
        { .name = "shared_ctr_mode_serves_both_domains",
          .run = shared_ctr_mode_serves_both_domains,
          .need = PC_F_DOM_FLAGS,
          .lack = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT },
        { .name = "sums_are_wider_than_16_bits",
          .run = sums_are_wider_than_16_bits,
          .flags = CASE_UNIT },
    };

    return conform_run("counters", cases, sizeof cases / sizeof cases[0]);
}
