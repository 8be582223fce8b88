/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Input selection": the eight steps from four sources to an input, for each of
 * the six inputs on every generation.
 *
 * probe() finds the value of an input in one cycle through the single mode machine, which all
 * chips have: PRE, START and STOP move the state, EVENT counts, SETFLAG and CLRFLAG move the
 * FLAG.  The expected value comes from the steps, written down again in expected().
 * Not here: SWAP and UNK8 (quad.c), loops of EVENT through itself (sync.c).
 */
#include "support.h"

enum input { IN_PRE, IN_START, IN_EVENT, IN_STOP, IN_SETFLAG, IN_CLRFLAG, IN_COUNT };

static const enum reg op_reg[IN_COUNT] = { PRE_OP,  START_OP,   EVENT_OP,
                                           STOP_OP, SETFLAG_OP, CLRFLAG_OP };

/* Levels of the four sources of the input, bit k for SRC[k], in three cycles. */
struct levels {
    unsigned older, before, now;
};

/* Selects four free signals as the sources of the input; everything else sees a 0. */
static void select_sources(struct rig *rig, enum input in, unsigned sig[4])
{
    unsigned z = rig_raw(rig, LINE_ZERO);
    static const enum reg own[IN_COUNT] = { PRE_SRC,  START_SRC,   EVENT_SRC,
                                            STOP_SRC, SETFLAG_SRC, CLRFLAG_SRC };

    for (unsigned k = 0; k < 4; k++)
        sig[k] = rig_raw(rig, LINE_SPARE + k);
    rig_select(rig, PRE_SRC, z, z, z, z);
    rig_select(rig, START_SRC, z, z, z, z);
    rig_select(rig, EVENT_SRC, z, z, z, z);
    rig_select(rig, STOP_SRC, z, z, z, z);
    if (in < IN_SETFLAG || chip_has(rig->chip, PC_F_OWN_FLAG_SRC)) {
        if (chip_has(rig->chip, PC_F_OWN_FLAG_SRC)) {
            rig_select(rig, SETFLAG_SRC, z, z, z, z);
            rig_select(rig, CLRFLAG_SRC, z, z, z, z);
        }
        rig_select(rig, own[in], sig[0], sig[1], sig[2], sig[3]);
    } else if (in == IN_SETFLAG) { /* START_SRC2, START_SRC3, PRE_SRC0, PRE_SRC1 */
        rig_select(rig, START_SRC, z, z, sig[0], sig[1]);
        rig_select(rig, PRE_SRC, sig[2], sig[3], z, z);
    } else { /* PRE_SRC2, PRE_SRC3, START_SRC0, START_SRC1 */
        rig_select(rig, PRE_SRC, z, z, sig[0], sig[1]);
        rig_select(rig, START_SRC, sig[2], sig[3], z, z);
    }
}

static void cycle(struct rig *rig, const unsigned sig[4], unsigned levels)
{
    for (unsigned k = 0; k < 4; k++)
        rig_set(rig, rig->dom, sig[k], levels >> k & 1);
    rig_step(rig, 1);
}

/* The machine waits for the input: others are constants that lead there and then stay. */
static void set_operations(struct rig *rig, enum input in, uint32_t op)
{
    rig_write(rig, START_OP, in == IN_EVENT || in == IN_STOP ? OP_ONE : OP_ZERO);
    rig_write(rig, EVENT_OP, OP_ZERO);
    rig_write(rig, STOP_OP, OP_ZERO);
    rig_write(rig, SETFLAG_OP, in == IN_CLRFLAG ? OP_ONE : OP_ZERO);
    rig_write(rig, CLRFLAG_OP, OP_ZERO);
    if (in != IN_PRE)
        rig_write(rig, op_reg[in], op);
}

static bool outcome(struct rig *rig, enum input in)
{
    switch (in) {
    case IN_PRE:
        return rig_single_state(rig) == WAIT_START;
    case IN_START:
        return rig_single_state(rig) == COUNTING;
    case IN_EVENT:
        return rig_count(rig, CTR_EVENT) == 1;
    case IN_STOP:
        return rig_single_state(rig) == INACTIVE;
    default:
        rig_write(rig, THRESHOLD, 0); /* freeze, and let the two cycles pass */
        rig_step(rig, 2);
        return in == IN_SETFLAG ? rig_flag(rig) : !rig_flag(rig);
    }
}

/* Value of the input in the cycle of `now`. */
static bool probe(struct rig *rig, enum input in, uint32_t op, struct levels levels)
{
    /* cycles from the start to the one that looks at the input */
    static const unsigned lead[IN_COUNT] = { 1, 2, 3, 3, 1, 1 };
    unsigned sig[4];

    select_sources(rig, in, sig);
    set_operations(rig, in, op);
    cycle(rig, sig, levels.older);
    rig_write(rig, PRE_OP, in == IN_PRE ? op : in < IN_SETFLAG ? OP_ONE : OP_ZERO);
    for (unsigned i = 0; i < lead[in]; i++)
        cycle(rig, sig, i + 1 == lead[in] ? levels.before : levels.older);
    cycle(rig, sig, levels.now);
    return outcome(rig, in);
}

/* The eight steps. */
static bool expected(const struct pc_chip *chip, enum input in, uint32_t op, struct levels levels,
                     bool setflag)
{
    bool chained = in == IN_EVENT || in == IN_STOP;
    bool arg[4];

    for (unsigned k = 0; k < 4; k++)
        arg[k] = levels.now >> k & 1;
    if (op >> 16 & 1)
        arg[0] = levels.before & 1;
    if (op >> 17 & 1)
        arg[1] = levels.before >> 1 & 1;
    if (chip_has(chip, PC_F_ARG23_DELAY)) {
        if (op >> (chained ? 19 : 18) & 1)
            arg[2] = levels.before & 1;
        if (op >> (chained ? 20 : 19) & 1)
            arg[3] = levels.before >> 1 & 1;
    }
    if (chip_has(chip, PC_F_SETFLAG_ARG) && chained && op >> 18 & 1)
        arg[3] = setflag;
    return op >> (arg[0] | arg[1] << 1 | arg[2] << 2 | arg[3] << 3) & 1;
}

static void check(struct rig *rig, enum input in, uint32_t op, struct levels levels)
{
    bool want = expected(rig->chip, in, op, levels, false);

    if (probe(rig, in, op, levels) != want)
        fail_msg("%s %06" PRIx32 ", sources %x %x %x: not %d", reg_name(op_reg[in]), op,
                 levels.older, levels.before, levels.now, want);
}

/* Verifies for each input that each argument is its source, and bit i of the table the value.
 * PC.IN.1, PC.IN.2, PC.IN.8, PC.IN.11, PC.IN.13, D-01 */
static void arguments_are_the_sources(struct rig *rig)
{
    for (unsigned in = 0; in < IN_COUNT; in++)
        for (unsigned now = 0; now < 16; now++) {
            check(rig, (enum input)in, OP_ARG0, (struct levels){ 15, 15, now });
            check(rig, (enum input)in, OP_ARG1, (struct levels){ 15, 0, now });
            check(rig, (enum input)in, OP_ARG2, (struct levels){ 0, 15, now });
            check(rig, (enum input)in, OP_ARG3, (struct levels){ 0, 0, now });
            check(rig, (enum input)in, 1u << now, (struct levels){ 0, 0, now });
            check(rig, (enum input)in, 0xffffu & ~(1u << now), (struct levels){ 0, 0, now });
        }
}

/* Which argument bit 16 to 20 replaces, and by which delayed source; -1: the bit does nothing. */
static void replaced(const struct rig *rig, enum input in, unsigned bit, int *arg, int *source)
{
    bool chained = in == IN_EVENT || in == IN_STOP;
    bool g92 = chip_has(rig->chip, PC_F_ARG23_DELAY);

    *arg = *source = -1;
    if (bit == 16 || bit == 17)
        *arg = *source = (int)bit - 16;
    else if (g92 && bit == (chained ? 19 : 18))
        *arg = 2, *source = 0;
    else if (g92 && bit == (chained ? 20 : 19))
        *arg = 3, *source = 1;
}

/* Verifies with one bit of 16 to 20 at a time which argument it delays, by exactly one cycle.
 * PC.IN.3, PC.IN.4, PC.IN.5, PC.IN.6, PC.IN.17, D-12 */
static void each_bit_delays_its_argument(struct rig *rig)
{
    static const uint32_t pick[] = { OP_ARG0, OP_ARG1, OP_ARG2, OP_ARG3 };

    for (unsigned in = 0; in < IN_COUNT; in++)
        for (unsigned bit = 16; bit <= 20; bit++)
            for (int arg = 0; arg < 4; arg++)
                for (unsigned high = 0; high < 3; high++) {
                    int moved, source;
                    unsigned seen = 2; /* which of older, before, now the argument is */
                    bool chain = bit == 18 && (in == IN_EVENT || in == IN_STOP);

                    if (chain && arg == 3 && chip_has(rig->chip, PC_F_SETFLAG_ARG))
                        continue; /* setflag_chains */
                    replaced(rig, (enum input)in, bit, &moved, &source);
                    unsigned src = (unsigned)arg;
                    if (moved == arg)
                        src = (unsigned)source, seen = 1;
                    unsigned one = 1u << src;
                    struct levels l = { high == 0 ? one : 0, high == 1 ? one : 0,
                                        high == 2 ? one : 0 };
                    if (probe(rig, (enum input)in, pick[arg] | 1u << bit, l) != (high == seen))
                        fail_msg("%s bit %u, argument %d, high in cycle %u", reg_name(op_reg[in]),
                                 bit, arg, high);
                }
}

/* Verifies random operations with all bits against the eight steps.  PC.IN.1, PC.IN.2, PC.IN.3,
 * PC.IN.4, PC.IN.5, PC.IN.6, PC.IN.8, D-01, D-12 */
static void random_operations_follow_the_steps(struct rig *rig)
{
    struct test_rng rng = test_rng_start(0x1a, NULL);

    for (unsigned i = 0; i < 300; i++) {
        struct levels l = { test_rand(&rng) & 15, test_rand(&rng) & 15, test_rand(&rng) & 15 };
        enum input in = (enum input)test_rand_below(&rng, IN_COUNT);
        uint32_t op = (uint32_t)test_rand(&rng) & 0x1fffff;
        check(rig, in, op, l);
    }
}

/* Verifies all 65,536 truth tables with all 16 arguments; own EVENT shows the value.  PC.IN.8,
 * PC.SYNC.1 */
static void all_truth_tables(struct rig *rig)
{
    unsigned all = (1u << rig->chip->domains) - 1, sig[PC_MAX_DOMAINS][4];

    for (unsigned d = 0; d < rig->chip->domains; d++) {
        for (unsigned k = 0; k < 4; k++)
            sig[d][k] = rig_raw_dom(rig, d, k);
        rig_write_dom(rig, d, EVENT_SRC,
                      sig[d][0] | sig[d][1] << 8 | sig[d][2] << 16 | sig[d][3] << 24);
    }
    for (unsigned table = 0; table < 0x10000; table += rig->chip->domains) {
        for (unsigned d = 0; d < rig->chip->domains; d++)
            rig_write_dom(rig, d, EVENT_OP, table + d);
        for (unsigned i = 0; i < 16; i++) {
            for (unsigned d = 0; d < rig->chip->domains; d++)
                for (unsigned k = 0; k < 4; k++)
                    rig_set(rig, d, sig[d][k], i >> k & 1);
            rig_edges(rig, all);
            for (unsigned d = 0; d < rig->chip->domains; d++)
                if (rig_signal(rig, d, event_slot(rig, d, d)) != ((table + d) >> i & 1))
                    fail_msg("table %04x, arguments %x", table + d, i);
        }
    }
}

/* Sources of SETFLAG and of the chained input are all different: 7 signals. */
static bool probe_chain(struct rig *rig, enum input in, uint32_t op, uint32_t setflag_op,
                        struct levels l, unsigned setflag)
{
    unsigned sig[4], flag[4];

    for (unsigned k = 0; k < 4; k++)
        flag[k] = rig_raw(rig, k);
    select_sources(rig, in, sig);
    rig_select(rig, START_SRC, rig_raw(rig, LINE_ZERO), rig_raw(rig, LINE_ZERO), flag[0], flag[1]);
    rig_select(rig, PRE_SRC, flag[2], flag[3], rig_raw(rig, LINE_ZERO), rig_raw(rig, LINE_ZERO));
    set_operations(rig, in, op);
    rig_write(rig, SETFLAG_OP, setflag_op);
    rig_write(rig, PRE_OP, OP_ONE);
    cycle(rig, sig, l.older);
    cycle(rig, sig, l.older);
    cycle(rig, sig, l.before);
    for (unsigned k = 0; k < 4; k++)
        rig_set(rig, rig->dom, flag[k], setflag >> k & 1);
    cycle(rig, sig, l.now);
    for (unsigned k = 0; k < 4; k++)
        rig_set(rig, rig->dom, flag[k], false);
    return outcome(rig, in);
}

/* Verifies that bit 18 makes SETFLAG of the same cycle argument 3 of EVENT and STOP: 7-input
 * operations.  PC.IN.7, PC.IN.1, D-22 */
static void setflag_chains(struct rig *rig)
{
    struct test_rng rng = test_rng_start(0x7f, NULL);

    for (unsigned i = 0; i < 200; i++) {
        struct levels l = { test_rand(&rng) & 15, test_rand(&rng) & 15, test_rand(&rng) & 15 };
        enum input in = i & 1 ? IN_STOP : IN_EVENT;
        uint32_t op = (uint32_t)test_rand(&rng) & 0x1fffff;
        uint32_t setflag_op = (uint32_t)test_rand(&rng) & 0xffff;
        unsigned levels = test_rand(&rng) & 15;
        bool setflag = setflag_op >> levels & 1;

        if (i < 64) /* argument 3 alone, with and without the bit that G92 has for it */
            op = OP_ARG3 | 1u << 18 | (i & 2 ? 1u << 20 : 0);
        if (probe_chain(rig, in, op, setflag_op, l, levels) !=
            expected(rig->chip, in, op, l, setflag))
            fail_msg("%s %06" PRIx32 " with SETFLAG %d", reg_name(op_reg[in]), op, setflag);
    }
}

/* Verifies that before NV30 bit 18 chains nothing.  PC.IN.7, PC.IN.17 */
static void setflag_does_not_chain_before_nv30(struct rig *rig)
{
    rig_start_single(rig, 0, 0, 0);
    rig_write(rig, SETFLAG_OP, OP_ONE);
    rig_write(rig, EVENT_OP, OP_ARG3 | 1u << 18);
    rig_write(rig, STOP_OP, OP_ARG3 | 1u << 18);
    rig_write(rig, PRE_OP, OP_ONE);
    rig_play(rig, ". . s . .");
    assert_int_equal(rig_single_state(rig), COUNTING);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 2);
    assert_int_equal(rig_count(rig, CTR_EVENT), 0);
}

/* Counts of EVENT in the next two cycles, seen through one-cycle quad periods. */
static void expect_events(struct rig *rig, unsigned first, unsigned second)
{
    rig_step(rig, 1);
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    rig_step(rig, 1);
    assert_int_equal(rig_count(rig, CTR_CYCLES), 1);
    assert_int_equal(rig_count(rig, CTR_EVENT), first);
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    rig_step(rig, 1);
    assert_int_equal(rig_count(rig, CTR_EVENT), second);
}

/* Verifies that in the first cycle after power-up a delayed argument is 0, though its source is 1.
 * PC.IN.9, D-20 */
static void delays_are_zero_at_power_up(struct rig *rig)
{
    for (unsigned bit = 16; bit <= 17; bit++) {
        rig_restart(rig);
        rig_wire(rig);
        rig_select(rig, EVENT_SRC, rig_raw(rig, LINE_E), rig_raw(rig, LINE_E), 0, 0);
        rig_write(rig, EVENT_OP, (bit == 16 ? OP_ARG0 : OP_ARG1) | 1u << bit);
        rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
        rig_line(rig, LINE_E, true);
        expect_events(rig, 0, 1);
    }
}

/* Verifies that after a rewrite of SRC the delayed argument shows the old selection for one cycle.
 * PC.IN.10, D-19 */
static void delays_sit_behind_the_selector(struct rig *rig)
{
    unsigned high = rig_raw(rig, LINE_E), low = rig_raw(rig, LINE_ZERO);

    rig_start_quad(rig, SIMPLE);
    rig_write(rig, EVENT_OP, OP_ARG0 | 1u << 16);
    rig_set(rig, rig->dom, high, true);
    rig_step(rig, 3);
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    rig_select(rig, EVENT_SRC, low, low, low, low);
    expect_events(rig, 1, 0);
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    rig_select(rig, EVENT_SRC, high, low, low, low);
    expect_events(rig, 0, 1);
}

/* Verifies that the delay flops run while the machine is INACTIVE and across a change of mode.
 * PC.IN.9, D-20 */
static void delays_run_in_every_mode(struct rig *rig)
{
    rig_wire(rig);
    rig_write(rig, EVENT_OP, OP_ARG0 | 1u << 16);
    rig_line(rig, LINE_E, true);
    rig_step(rig, 1); /* single mode, INACTIVE */
    rig_line(rig, LINE_E, false);
    rig_ctrl(rig, MODE_QUAD, SIMPLE, 0);
    expect_events(rig, 1, 0);
}

/* Verifies the sixteen bits of SRC_STATUS one source at a time, before any delay.  PC.IN.12, D-61
 */
static void src_status_shows_the_sources(struct rig *rig)
{
    static const enum reg src[] = { PRE_SRC, START_SRC, EVENT_SRC, STOP_SRC };
    static const enum reg op[] = { PRE_OP, START_OP, EVENT_OP, STOP_OP };
    unsigned high = rig_raw(rig, 1), low = rig_raw(rig, LINE_ZERO);

    for (unsigned r = 0; r < 4; r++)
        rig_write(rig, op[r], OP_ARG0 | 3u << 16);
    rig_set(rig, rig->dom, high, true);
    for (unsigned bit = 0; bit < 16; bit++) {
        for (unsigned r = 0; r < 4; r++) {
            unsigned s[4];
            for (unsigned k = 0; k < 4; k++)
                s[k] = bit == 4 * r + k ? high : low;
            rig_select(rig, src[r], s[0], s[1], s[2], s[3]);
        }
        rig_step(rig, 1);
        assert_int_equal(rig_read(rig, SRC_STATUS), 1u << bit);
    }
    rig_set(rig, rig->dom, high, false);
    rig_step(rig, 1);
    assert_int_equal(rig_read(rig, SRC_STATUS), 0);
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE(arguments_are_the_sources),
        CASE(each_bit_delays_its_argument),
        CASE(random_operations_follow_the_steps),
        { .name = "all_truth_tables",
          .run = all_truth_tables,
          .need = PC_F_ARG23_DELAY,
          .lack = PC_F_USER,
          .flags = CASE_UNIT,
          .domains = 8 },
        CASE_ON(setflag_chains, PC_F_SETFLAG_ARG),
        CASE_NOT(setflag_does_not_chain_before_nv30, 0, PC_F_SETFLAG_ARG),
        CASE_ON(delays_are_zero_at_power_up, PC_F_QUAD),
        CASE_ON(delays_sit_behind_the_selector, PC_F_QUAD),
        CASE_ON(delays_run_in_every_mode, PC_F_QUAD),
        CASE_ON(src_status_shows_the_sources, PC_F_DOM_EVENTS),
    };

    return conform_run("inputs", cases, sizeof cases / sizeof cases[0]);
}
