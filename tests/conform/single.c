/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "Single event mode": the four states, periods, thresholds and what the counters
 * hold in each of them.  What ends a run early stands in aborts.c.
 */
#include "support.h"

#include <string.h>

/* Plays one token a cycle and checks the state after each: I, P, S or C. */
static void expect_states(struct rig *rig, const char *tokens, const char *states)
{
    char token[8];

    for (; *states; states++) {
        size_t length = strcspn(tokens, " ");
        assert_true(length > 0 && length < sizeof token);
        memcpy(token, tokens, length);
        token[length] = '\0';
        rig_play(rig, token);
        char got = "IPSC"[rig_single_state(rig)];
        if (got != *states)
            fail_msg("after \"%s\": state %c, not %c", token, got, *states);
        tokens += length;
        tokens += strspn(tokens, " ");
    }
}

static void expect_counts(const struct rig *rig, unsigned cycles, unsigned event, unsigned start)
{
    assert_int_equal(rig_count(rig, CTR_CYCLES), cycles);
    assert_int_equal(rig_count(rig, CTR_CYCLES_ALT), cycles);
    assert_int_equal(rig_count(rig, CTR_EVENT), event);
    assert_int_equal(rig_count(rig, CTR_START), start);
}

/* Verifies the whole walk with one period, counters visible on the way.  PC.SINGLE.1, PC.SINGLE.4,
 * PC.SINGLE.7, PC.SINGLE.8, PC.SINGLE.11, PC.SINGLE.19, PC.CTRL.5, PC.CTR.1, D-11, D-42, D-43 */
static void one_period(struct rig *rig)
{
    rig_start_single(rig, 0, 0, 0);
    expect_states(rig, ". e p e", "PPSS");
    expect_counts(rig, 0, 0, 0);
    expect_states(rig, "se", "C"); /* the START cycle does not count */
    expect_counts(rig, 0, 0, 0);
    expect_states(rig, "e .", "CC");
    expect_counts(rig, 2, 1, 0);
    expect_states(rig, "ex", "I"); /* the STOP cycle does */
    expect_counts(rig, 3, 2, 1);
}

/* Verifies that PRE is looked at from the cycle after the start.  PC.SINGLE.2, D-17a */
static void start_takes_its_cycle(struct rig *rig)
{
    rig_wire(rig);
    rig_write(rig, PRE_OP, OP_ARG0);
    expect_states(rig, "p . p .", "PPSS");
}

/* Verifies that an initial value n needs n+1 ones on PRE, counted down.  PC.SINGLE.3, PC.CTR.6,
 * PC.CTR.7, D-46 */
static void pre_needs_one_more_than_its_value(struct rig *rig)
{
    for (unsigned n = 0; n < 5; n++) {
        rig_start_single(rig, n, 0, 0);
        for (unsigned i = 0; i < n; i++) {
            assert_int_equal(rig_read(rig, CTR_PRE), n - i);
            expect_states(rig, ". p .", "PPP");
        }
        assert_int_equal(rig_read(rig, CTR_PRE), 0);
        expect_states(rig, "p", "S");
        assert_int_equal(rig_read(rig, CTR_PRE), 0);
    }
}

/* Verifies that an initial value n gives n+1 periods, counted down by STOP.  PC.SINGLE.8, PC.CTR.6,
 * PC.CTR.7, D-46 */
static void stop_gives_one_more_period_than_its_value(struct rig *rig)
{
    for (unsigned n = 0; n < 5; n++) {
        rig_start_single(rig, 0, n, 0);
        expect_states(rig, "p", "S");
        for (unsigned i = 0; i < n; i++) {
            assert_int_equal(rig_read(rig, CTR_STOP), n - i);
            expect_states(rig, "s . x .", "CCSS");
        }
        assert_int_equal(rig_read(rig, CTR_STOP), 0);
        expect_states(rig, "s x s", "CII");
        assert_int_equal(rig_read(rig, CTR_STOP), 0);
        assert_int_equal(rig_count(rig, CTR_START), n + 1);
    }
}

/* Verifies that initial values use all 32 bits.  PC.CTR.2, PC.CTR.3, PC.CTR.6, D-46 */
static void initial_values_are_32_bits(struct rig *rig)
{
    rig_start_single(rig, 0xffffffff, 0xfedcba98, 0);
    assert_int_equal(rig_read(rig, CTR_PRE), 0xffffffff);
    assert_int_equal(rig_read(rig, CTR_STOP), 0xfedcba98);
    rig_play(rig, "p p");
    assert_int_equal(rig_read(rig, CTR_PRE), 0xfffffffd);
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
}

/* Verifies that writing an initial value leaves the current one, and serves the following starts.
 * PC.CTR.6, PC.CTR.7, D-46 */
static void initial_values_are_hidden_and_last(struct rig *rig)
{
    rig_write(rig, CTR_PRE, 2);
    rig_write(rig, CTR_STOP, 3);
    rig_step(rig, 1);
    assert_int_equal(rig_read(rig, CTR_PRE), 0);
    assert_int_equal(rig_read(rig, CTR_STOP), 0);
    rig_wire(rig);
    for (unsigned turn = 0; turn < 2; turn++) {
        rig_write(rig, PRE_OP, OP_ARG0);
        expect_states(rig, ". p p p s x s", "PPPSCSC");
        assert_int_equal(rig_read(rig, CTR_STOP), 2);
        rig_write(rig, THRESHOLD, 0);
        expect_states(rig, ".", "I");
        assert_int_equal(rig_read(rig, CTR_STOP), 2);
    }
}

/* Verifies that they serve the next start also after a run that came to its end.  PC.CTR.7,
 * PC.SINGLE.1, D-46 */
static void initial_values_outlive_a_whole_run(struct rig *rig)
{
    rig_start_single(rig, 1, 1, 0);
    expect_states(rig, "p p s x s x", "PSCSCI");
    rig_write(rig, PRE_OP, OP_ARG0);
    expect_states(rig, ". p p s x s x", "PPSCSCI");
}

/* Verifies that constant 1 on all inputs advances one state a cycle: periods of one cycle.
 * PC.SINGLE.9, PC.SINGLE.2, D-43 */
static void inputs_are_levels(struct rig *rig)
{
    rig_start_single(rig, 1, 2, 0);
    expect_states(rig, "pesx pesx pesx pesx pesx pesx pesx pesx pesx", "PSCSCSCII");
    expect_counts(rig, 1, 1, 3);
}

/* Verifies that an input counts only in the state that looks at it.  PC.SINGLE.9, PC.SINGLE.12 */
static void inputs_matter_in_their_state_only(struct rig *rig)
{
    rig_start_single(rig, 0, 1, 0);
    expect_states(rig, "sx sex p px pex s ps ps x px", "PPSSSCCCSS");
    assert_int_equal(rig_read(rig, CTR_PRE), 0);
    expect_counts(rig, 3, 0, 1);
}

/* Verifies that START again and again in one period does not restart it.  PC.SINGLE.4, PC.SINGLE.11
 */
static void start_in_a_period_is_ignored(struct rig *rig)
{
    rig_start_single(rig, 0, 0, 0);
    rig_play(rig, "p s se se s sx");
    expect_counts(rig, 4, 2, 1);
}

/* Verifies that with ONE each START clears CTR_EVENT, and CTR_CYCLES is of the last period.
 * PC.SINGLE.5, PC.SINGLE.11, PC.SINGLE.12, D-48 */
static void event_counter_of_one_period(struct rig *rig)
{
    rig_start_single(rig, 0, 2, 0);
    rig_play(rig, "p e s e e e x");
    expect_counts(rig, 4, 3, 1);
    rig_play(rig, "e e e"); /* between periods: kept, not counted */
    expect_counts(rig, 4, 3, 1);
    rig_play(rig, "s");
    expect_counts(rig, 0, 0, 1);
    rig_play(rig, "e x s . ex");
    expect_counts(rig, 2, 1, 3);
}

/* Verifies that with ALL CTR_EVENT sums up and CTR_CYCLES still is of the last period. PC.SINGLE.6,
 * PC.SINGLE.11, PC.SINGLE.12 */
static void event_counter_of_all_periods(struct rig *rig)
{
    rig_start_single(rig, 0, 2, CTRL_ALL);
    rig_play(rig, "p e s e e e x e se e x");
    expect_counts(rig, 2, 4, 2);
    rig_play(rig, "s . . ex");
    expect_counts(rig, 3, 5, 3);
}

/* Verifies that NV10:NV15 clear at each START even if CTRL is written with ALL.  PC.SINGLE.5 */
static void first_version_knows_only_one(struct rig *rig)
{
    rig_wire(rig);
    rig_write(rig, CTR_STOP, 1);
    pc_unit_write(rig->unit, 0xa73c, 0x100);
    assert_int_equal(pc_unit_read(rig->unit, 0xa73c), 0);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, ". p s e e x s e x");
    expect_counts(rig, 2, 1, 2);
}

/* Verifies that the EVENT_CTR_PERIOD bits of nv10 belong to their domains.  PC.SINGLE.6, PC.CTRL.1,
 * D-58 */
static void period_bits_are_per_domain(struct rig *rig)
{
    pc_unit_write(rig->unit, 0xa73c, 1u << (8 + 1)); /* domain 1 only */
    for (rig->dom = 0; rig->dom < 2; rig->dom++) {
        rig_wire(rig);
        rig_write(rig, CTR_STOP, 1);
        rig_write(rig, PRE_OP, OP_ARG0);
        rig_play(rig, ". p s e e x s e x");
        expect_counts(rig, 2, rig->dom == 0 ? 1 : 3, 2);
    }
}

/* Verifies that a period counts in CTR_START from CTR_EVENT = THRESHOLD on, its STOP cycle
 * included.  PC.SINGLE.10, D-47 */
static void threshold_is_reached_at_equality(struct rig *rig)
{
    for (unsigned threshold = 0; threshold < 5; threshold++) {
        rig_write(rig, THRESHOLD, threshold);
        rig_start_single(rig, 0, 3, 0);
        rig_play(rig, "p s . x s x s e x s e ex"); /* 0, 0, 1 and 2 events */
        static const unsigned reached[] = { 4, 2, 1, 0, 0 };
        assert_int_equal(rig_count(rig, CTR_START), reached[threshold]);
    }
}

/* Verifies that with ALL the sum so far is compared.  PC.SINGLE.6, PC.SINGLE.10, D-47 */
static void threshold_with_all_periods(struct rig *rig)
{
    rig_write(rig, THRESHOLD, 3);
    rig_start_single(rig, 0, 3, CTRL_ALL);
    rig_play(rig, "p s ex s ex s ex s x"); /* 1, 2, 3, 3 */
    assert_int_equal(rig_count(rig, CTR_START), 2);
}

/* Verifies that the comparison is unsigned in 32 bits.  PC.SINGLE.18, D-47 */
static void threshold_is_unsigned(struct rig *rig)
{
    rig_write(rig, THRESHOLD, 0x80000000);
    rig_start_single(rig, 0, 0, 0);
    rig_play(rig, "p s e ex");
    assert_int_equal(rig_count(rig, CTR_START), 0);
}

/* Verifies that THRESHOLD_HI takes part.  PC.SINGLE.18, PC.CTR.2, D-47 */
static void threshold_is_40_bits(struct rig *rig)
{
    for (unsigned bit = 0; bit < 8; bit++) {
        rig_write(rig, THRESHOLD, 0);
        rig_write(rig, THRESHOLD_HI, 1u << bit);
        rig_start_single(rig, 0, 0, 0);
        rig_play(rig, "p s e ex");
        assert_int_equal(rig_count(rig, CTR_START), 0);
    }
}

/* Verifies that values stay after the end, whatever the inputs do, until the next start.
 * PC.SINGLE.13, PC.SINGLE.1, D-48 */
static void values_stay_after_the_end(struct rig *rig)
{
    rig_start_single(rig, 0, 0, 0);
    rig_play(rig, "p s e e x");
    for (unsigned i = 0; i < 8; i++) {
        rig_play(rig, "psex psexfc");
        expect_counts(rig, 3, 2, 1);
        assert_int_equal(rig_single_state(rig), INACTIVE);
    }
    rig_write(rig, PRE_OP, OP_ARG0);
    expect_counts(rig, 3, 2, 1);
    rig_play(rig, "pe");
    expect_counts(rig, 0, 0, 0);
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
}

/* Verifies that PRE_OP written while waiting or counting is no start, but its table applies.
 * PC.SINGLE.14, D-44 */
static void pre_op_outside_inactive_starts_nothing(struct rig *rig)
{
    rig_start_single(rig, 3, 1, 0);
    rig_play(rig, "p");
    assert_int_equal(rig_read(rig, CTR_PRE), 2);
    rig_write(rig, PRE_OP, OP_ONE);
    expect_states(rig, ". . . .", "PPSS");
    rig_write(rig, PRE_OP, OP_ZERO);
    expect_states(rig, ". s e", "SCC");
    rig_write(rig, PRE_OP, OP_ONE);
    expect_states(rig, "e e x s x", "CCSCI");
    expect_counts(rig, 1, 0, 2);
}

/* Verifies that the last cycle of PRE may hold START, which is then not seen.  PC.SINGLE.9 */
static void start_with_the_last_pre_is_not_seen(struct rig *rig)
{
    rig_start_single(rig, 0, 0, 0);
    expect_states(rig, "ps . s", "SSC");
}

/* Verifies a long run against a plain model of the states, with random inputs.  PC.SINGLE.3,
 * PC.SINGLE.4, PC.SINGLE.7, PC.SINGLE.10, PC.SINGLE.11 */
static void random_walk(struct rig *rig)
{
    struct test_rng rng = test_rng_start(0x51, NULL);
    unsigned pre = 3, stop = 10, cycles = 0, events = 0, starts = 0, threshold = 4;
    enum single_state state = WAIT_PRE;

    rig_write(rig, THRESHOLD, threshold);
    rig_start_single(rig, pre, stop, 0);
    for (unsigned t = 0; t < 400; t++) {
        uint64_t r = test_rand(&rng);
        bool p = r & 1, s = (r & 6) == 0, e = r & 8, x = (r & 0x70) == 0;
        char token[8];
        snprintf(token, sizeof token, ".%s%s%s%s", p ? "p" : "", s ? "s" : "", e ? "e" : "",
                 x ? "x" : "");
        rig_play(rig, token);
        if (state == WAIT_PRE) {
            if (p && pre-- == 0)
                state = WAIT_START, pre = 0;
        } else if (state == WAIT_START) {
            if (s)
                state = COUNTING, cycles = events = 0;
        } else if (state == COUNTING) {
            cycles++;
            events += e;
            if (x) {
                starts += events >= threshold;
                state = stop == 0 ? INACTIVE : WAIT_START;
                stop -= stop > 0;
            }
        }
        assert_int_equal(rig_single_state(rig), state);
        expect_counts(rig, cycles, events, starts);
        assert_int_equal(rig_read(rig, CTR_PRE), pre);
        assert_int_equal(rig_read(rig, CTR_STOP), stop);
    }
    assert_int_equal(state, INACTIVE);
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE(one_period),
        CASE(start_takes_its_cycle),
        CASE(pre_needs_one_more_than_its_value),
        CASE(stop_gives_one_more_period_than_its_value),
        CASE(initial_values_are_32_bits),
        CASE(initial_values_are_hidden_and_last),
        CASE(initial_values_outlive_a_whole_run),
        CASE(inputs_are_levels),
        CASE(inputs_matter_in_their_state_only),
        CASE(start_in_a_period_is_ignored),
        CASE(event_counter_of_one_period),
        CASE_ON(event_counter_of_all_periods, PC_F_PERIOD_ALL),
        CASE_NOT(first_version_knows_only_one, 0, PC_F_PERIOD_ALL),
        { .name = "period_bits_are_per_domain",
          .run = period_bits_are_per_domain,
          .need = PC_F_DOM_FLAGS,
          .lack = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT },
        CASE(threshold_is_reached_at_equality),
        CASE_ON(threshold_with_all_periods, PC_F_PERIOD_ALL),
        CASE(threshold_is_unsigned),
        CASE_ON(threshold_is_40_bits, PC_F_CTR40),
        CASE(values_stay_after_the_end),
        CASE(pre_op_outside_inactive_starts_nothing),
        CASE(start_with_the_last_pre_is_not_seen),
        CASE(random_walk),
    };

    return conform_run("single", cases, sizeof cases / sizeof cases[0]);
}
