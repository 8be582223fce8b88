/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Single event mode": what ends a run before its last STOP, and what does not;
 * the order of several writes between two cycles.
 */
#include "support.h"

static const enum reg aborting[] = { PRE_SRC,     START_SRC,   EVENT_SRC, STOP_SRC, SETFLAG_SRC,
                                     CLRFLAG_SRC, START_OP,    EVENT_OP,  STOP_OP,  SETFLAG_OP,
                                     CLRFLAG_OP,  SPEC_SRC,    CTR_PRE,   CTR_STOP, THRESHOLD,
                                     CTRL,        THRESHOLD_HI };
/* "Any CTR register": of these nothing is kept. */
static const enum reg counters[] = { CTR_CYCLES, CTR_CYCLES_HI, CTR_CYCLES_ALT, CTR_CYCLES_ALT_HI,
                                     CTR_EVENT,  CTR_EVENT_HI,  CTR_START,      CTR_START_HI };
static const enum reg harmless[] = { PRE_OP,        USER_TRIGGER,       SRC_STATUS,
                                     GCTRL,         RECORD_CHAN,        RECORD_DMA,
                                     RECORD_START,  RECORD_LIMIT,       QUAD_ACK_TRIGGER,
                                     RECORD_STATUS, RECORD_ADDRESS_HIGH };
enum {
    ABORTING = sizeof aborting / sizeof aborting[0],
    COUNTERS = sizeof counters / sizeof counters[0],
    HARMLESS = sizeof harmless / sizeof harmless[0]
};

static bool exists(const struct rig *rig, enum reg reg)
{
    return reg_address(rig->chip, reg, rig->dom) != 0;
}

/* COUNTING since two cycles with one event, two more periods to come. */
static void start_counting(struct rig *rig)
{
    rig_start_single(rig, 0, 2, 0);
    rig_play(rig, "p s e .");
    assert_int_equal(rig_single_state(rig), COUNTING);
}

/* Writes the value that is there. */
static void expect_abort(struct rig *rig, enum reg reg)
{
    if (!exists(rig, reg))
        return;
    start_counting(rig);
    rig_write(rig, reg, rig_read(rig, reg));
    assert_int_equal(rig_single_state(rig), COUNTING);
    rig_play(rig, "ex");
    if (rig_single_state(rig) != INACTIVE)
        fail_msg("%s does not abort", reg_name(reg));
    assert_int_equal(rig_count(rig, CTR_CYCLES), 2);
    assert_int_equal(rig_count(rig, CTR_EVENT), 1);
    assert_int_equal(rig_count(rig, CTR_START), 0);
    rig_play(rig, "psex psex psex");
    assert_int_equal(rig_single_state(rig), INACTIVE);
}

/* Verifies that writing even the same value to any configuration register ends the run, and that
 * its cycle does not count.  PC.SINGLE.15, PC.REG.8, D-45 */
static void config_writes_abort(struct rig *rig)
{
    for (unsigned i = 0; i < ABORTING; i++)
        expect_abort(rig, aborting[i]);
}

/* Verifies that so does writing any counter, of which nothing is kept.  PC.SINGLE.15, PC.REG.12,
 * D-45a */
static void counter_writes_abort(struct rig *rig)
{
    for (unsigned i = 0; i < COUNTERS; i++) {
        expect_abort(rig, counters[i]);
        if (!exists(rig, counters[i]))
            continue;
        uint32_t before = rig_read(rig, counters[i]);
        rig_write(rig, counters[i], UINT32_MAX);
        rig_step(rig, 1);
        assert_int_equal(rig_read(rig, counters[i]), before);
    }
}

/* Verifies the switch: only what is kept then aborts.  PC.SINGLE.15, D-45a */
static void counter_writes_do_not_abort_with_the_switch(struct rig *rig)
{
    rig_option(rig, "D-45a", "writable");
    expect_abort(rig, CTR_PRE);
    expect_abort(rig, CTR_STOP);
    for (unsigned i = 0; i < COUNTERS; i++) {
        if (!exists(rig, counters[i]))
            continue;
        start_counting(rig);
        rig_write(rig, counters[i], 0);
        rig_play(rig, "e");
        assert_int_equal(rig_single_state(rig), COUNTING);
        assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    }
}

/* Verifies that they abort in the waiting states, too.  PC.SINGLE.15, D-45 */
static void config_writes_abort_while_waiting(struct rig *rig)
{
    for (unsigned i = 0; i < ABORTING; i++) {
        if (!exists(rig, aborting[i]))
            continue;
        rig_start_single(rig, 0, 0, 0);
        rig_write(rig, aborting[i], rig_read(rig, aborting[i]));
        rig_play(rig, "p");
        assert_int_equal(rig_single_state(rig), INACTIVE);
        rig_start_single(rig, 0, 0, 0);
        rig_play(rig, "p");
        rig_write(rig, aborting[i], rig_read(rig, aborting[i]));
        rig_play(rig, "s");
        assert_int_equal(rig_single_state(rig), INACTIVE);
    }
}

/* Verifies that the other registers do not disturb a run.  PC.SINGLE.16, PC.SINGLE.14, D-44, D-45
 */
static void other_writes_do_not_abort(struct rig *rig)
{
    for (unsigned i = 0; i < HARMLESS; i++) {
        if (!exists(rig, harmless[i]))
            continue;
        start_counting(rig);
        rig_write(rig, harmless[i], harmless[i] == PRE_OP ? OP_ARG0 : 0);
        rig_play(rig, "e");
        if (rig_single_state(rig) != COUNTING)
            fail_msg("%s aborts", reg_name(harmless[i]));
        rig_play(rig, "x");
        assert_int_equal(rig_single_state(rig), WAIT_START);
        assert_int_equal(rig_count(rig, CTR_CYCLES), 4);
        assert_int_equal(rig_count(rig, CTR_EVENT), 2);
    }
}

/* Verifies that addresses without a register do not disturb a run.  PC.SINGLE.16, PC.REG.5 */
static void undecoded_writes_do_not_abort(struct rig *rig)
{
    start_counting(rig);
    pc_unit_write(rig->unit, 0xa000, 0xffffffff);
    pc_unit_write(rig->unit, 0xaffc, 0xffffffff);
    rig_play(rig, "e");
    assert_int_equal(rig_single_state(rig), COUNTING);
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
}

/* Brings every domain to COUNTING on one clock. */
static void all_counting(struct rig *rig)
{
    for (rig->dom = 0; rig->dom < rig->chip->domains; rig->dom++) {
        rig_wire(rig);
        rig_write(rig, START_OP, OP_ONE);
        rig_write(rig, STOP_OP, OP_ZERO);
    }
    for (rig->dom = 0; rig->dom < rig->chip->domains; rig->dom++)
        rig_write(rig, PRE_OP, OP_ONE);
    rig_step_all(rig, 4);
    for (rig->dom = 0; rig->dom < rig->chip->domains; rig->dom++)
        assert_int_equal(rig_single_state(rig), COUNTING);
}

/* Verifies that a domain's registers abort that domain alone.  PC.SINGLE.15, D-45 */
static void aborts_stay_in_their_domain(struct rig *rig)
{
    for (unsigned i = 0; i < ABORTING; i++) {
        rig->dom = 1;
        if (!exists(rig, aborting[i]) || !reg_per_domain(rig->chip, aborting[i]))
            continue;
        all_counting(rig);
        rig_write_dom(rig, 1, aborting[i], rig_read_dom(rig, 1, aborting[i]));
        rig_step_all(rig, 1);
        for (rig->dom = 0; rig->dom < rig->chip->domains; rig->dom++)
            assert_int_equal(rig_single_state(rig), rig->dom == 1 ? INACTIVE : COUNTING);
    }
}

/* Verifies that the one CTRL of nv10 ends both domains, each in its own next cycle.  PC.SINGLE.17,
 * D-45 */
static void shared_ctrl_aborts_both_domains(struct rig *rig)
{
    all_counting(rig);
    pc_unit_write(rig->unit, 0xa73c, pc_unit_read(rig->unit, 0xa73c));
    rig_edges(rig, 1);
    rig->dom = 0;
    assert_int_equal(rig_single_state(rig), INACTIVE);
    rig->dom = 1;
    assert_int_equal(rig_single_state(rig), COUNTING);
    rig_edges(rig, 2);
    assert_int_equal(rig_single_state(rig), INACTIVE);
}

/* Verifies that PRE_OP and then a configuration write end INACTIVE, with the counters that the
 * start left.  PC.SINGLE.20, PC.SINGLE.1, PC.REG.9, D-17a */
static void start_then_config_is_inactive(struct rig *rig)
{
    rig_start_single(rig, 0, 0, 0);
    rig_play(rig, "p s e x");
    rig_write(rig, CTR_PRE, 6);
    rig_play(rig, ".");
    rig_write(rig, PRE_OP, OP_ONE);
    rig_write(rig, THRESHOLD, 0);
    rig_play(rig, "p p");
    assert_int_equal(rig_single_state(rig), INACTIVE);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 0);
    assert_int_equal(rig_count(rig, CTR_EVENT), 0);
    assert_int_equal(rig_count(rig, CTR_START), 0);
    assert_int_equal(rig_read(rig, CTR_PRE), 6);
}

/* Verifies that from COUNTING the same two writes only abort: the start was none, and the counters
 * stay.  PC.SINGLE.14, PC.SINGLE.20, PC.REG.9, D-17a, D-44 */
static void ignored_start_then_config_keeps_the_values(struct rig *rig)
{
    start_counting(rig);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_write(rig, THRESHOLD, 0);
    rig_play(rig, "e .");
    assert_int_equal(rig_single_state(rig), INACTIVE);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 2);
    assert_int_equal(rig_count(rig, CTR_EVENT), 1);
    assert_int_equal(rig_read(rig, CTR_STOP), 2);
}

/* Verifies that a configuration write and then PRE_OP end started, from INACTIVE and from COUNTING.
 * PC.SINGLE.20, PC.REG.9, D-17a */
static void config_then_start_is_started(struct rig *rig)
{
    rig_wire(rig);
    rig_write(rig, THRESHOLD, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, "p");
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
    rig_play(rig, "p s e");
    assert_int_equal(rig_single_state(rig), COUNTING);
    rig_write(rig, THRESHOLD, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, "pe");
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 0);
    assert_int_equal(rig_count(rig, CTR_EVENT), 0);
}

/* Verifies longer sequences: the last write of the gap decides.  PC.SINGLE.20, PC.REG.9, D-17a */
static void the_last_write_decides(struct rig *rig)
{
    rig_wire(rig);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_write(rig, THRESHOLD, 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ".");
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
    rig_write(rig, PRE_OP, OP_ARG0); /* ignored: not INACTIVE */
    rig_write(rig, THRESHOLD, 0);
    rig_play(rig, ".");
    assert_int_equal(rig_single_state(rig), INACTIVE);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ".");
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
}

/* Verifies that initial values written before PRE_OP in the same gap are the ones loaded. PC.CTR.7,
 * PC.REG.8, PC.REG.9, D-17a, D-46 */
static void initial_values_of_the_same_gap(struct rig *rig)
{
    start_counting(rig);
    rig_write(rig, CTR_PRE, 7);
    rig_write(rig, CTR_STOP, 9);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ".");
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
    assert_int_equal(rig_read(rig, CTR_PRE), 7);
    assert_int_equal(rig_read(rig, CTR_STOP), 9);
}

/* Verifies that a domain whose clock stands keeps its writes for its next cycle.  PC.REG.8, D-17a
 */
static void writes_wait_for_the_domains_clock(struct rig *rig)
{
    rig->dom = 1;
    rig_wire(rig);
    rig_write(rig, PRE_OP, OP_ARG0);
    for (unsigned i = 0; i < 5; i++)
        rig_edges(rig, 1);
    assert_int_equal(rig_single_state(rig), INACTIVE);
    rig_edges(rig, 2);
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE(config_writes_abort),
        CASE(counter_writes_abort),
        CASE(counter_writes_do_not_abort_with_the_switch),
        CASE(config_writes_abort_while_waiting),
        CASE(other_writes_do_not_abort),
        CASE(undecoded_writes_do_not_abort),
        { .name = "aborts_stay_in_their_domain",
          .run = aborts_stay_in_their_domain,
          .need = PC_F_DOM_FLAGS,
          .flags = CASE_UNIT,
          .domains = 2 },
        { .name = "shared_ctrl_aborts_both_domains",
          .run = shared_ctrl_aborts_both_domains,
          .need = PC_F_DOM_FLAGS,
          .lack = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT },
        CASE(start_then_config_is_inactive),
        CASE(ignored_start_then_config_keeps_the_values),
        CASE(config_then_start_is_started),
        CASE(the_last_write_decides),
        CASE(initial_values_of_the_same_gap),
        { .name = "writes_wait_for_the_domains_clock",
          .run = writes_wait_for_the_domains_clock,
          .flags = CASE_UNIT,
          .domains = 2 },
    };

    return conform_run("aborts", cases, sizeof cases / sizeof cases[0]);
}
