/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "The EVENT and FLAG signals": own signals directly, others' through a
 * synchroniser.  The loop of EVENT through itself stands in own_event.c.  Domains run on one clock
 * or on clocks with a ratio; the position of a pulse that a faster domain sees is bounded, not
 * pinned, where the document leaves it open.
 */
#include "support.h"

#include <string.h>

enum kind { KIND_EVENT, KIND_FLAG };

/* The source domain gets its letters and leaves INACTIVE, so that its FLAG moves. */
static void prepare(struct rig *rig, unsigned source)
{
    rig_restart(rig);
    rig->dom = source;
    rig_wire(rig);
    rig_write(rig, PRE_OP, OP_ZERO);
    rig_step_all(rig, 1);
}

static unsigned slot_of(const struct rig *rig, enum kind kind, unsigned viewer, unsigned dom)
{
    return kind == KIND_EVENT ? event_slot(rig, viewer, dom) : flag_slot(rig, viewer, dom);
}

/* The next levels: EVENT, or FLAG by setting and clearing it. */
static void drive(struct rig *rig, enum kind kind, bool level)
{
    if (kind == KIND_EVENT) {
        rig_line(rig, LINE_E, level);
    } else {
        rig_line(rig, LINE_F, level);
        rig_line(rig, LINE_C, !level);
    }
}

/* Plays levels in the source on a common clock and checks what the viewer sees in each cycle. */
static void expect_view(struct rig *rig, enum kind kind, unsigned viewer, const char *levels,
                        const char *seen)
{
    unsigned slot = slot_of(rig, kind, viewer, rig->dom);
    char got[40] = "";
    size_t n = strlen(seen);

    assert_true(n < sizeof got);
    for (size_t i = 0; i < n; i++) {
        drive(rig, kind, i < strlen(levels) && levels[i] == '1');
        rig_step_all(rig, 1);
        got[i] = rig_signal(rig, viewer, slot) ? '1' : '0';
    }
    assert_string_equal(got, seen);
}

static void for_each_pair(struct rig *rig, void (*check)(struct rig *rig, unsigned x, unsigned y))
{
    for (unsigned x = 0; x < rig->chip->domains; x++)
        for (unsigned y = 0; y < rig->chip->domains; y++)
            if (x != y)
                check(rig, x, y);
}

static void continuous_event(struct rig *rig, unsigned x, unsigned y)
{
    prepare(rig, x);
    expect_view(rig, KIND_EVENT, y, "1", "00100000");
    expect_view(rig, KIND_EVENT, y, "1101", "00110100");
    expect_view(rig, KIND_EVENT, x, "1101", "11010000");
}

/* Verifies that EVENT at X shows at X in its own and at X+2 in other domains of one clock.
 * PC.SYNC.1, PC.SYNC.5, PC.SYNC.11, D-26, D-28 */
static void event_shows_two_cycles_later_elsewhere(struct rig *rig)
{
    for_each_pair(rig, continuous_event);
}

static void continuous_flag(struct rig *rig, unsigned x, unsigned y)
{
    prepare(rig, x);
    expect_view(rig, KIND_FLAG, x, "1", "00100000");
    expect_view(rig, KIND_FLAG, y, "1", "00001000");
    expect_view(rig, KIND_FLAG, y, "1101", "000011010");
}

/* Verifies that a FLAG set at X shows at X+2 in its own and at X+4 in other domains of one clock.
 * PC.SYNC.2, PC.SYNC.4, PC.SYNC.5, PC.SYNC.11, D-23, D-26 */
static void flag_shows_four_cycles_later_elsewhere(struct rig *rig)
{
    for_each_pair(rig, continuous_flag);
}

static void random_delay(struct rig *rig, enum kind kind, unsigned x, unsigned y)
{
    struct test_rng rng = test_rng_start(0x5c, NULL);
    unsigned own = 0;

    prepare(rig, x);
    for (unsigned t = 0; t < 100; t++) {
        drive(rig, kind, test_rand(&rng) & 1);
        rig_step_all(rig, 1);
        own = own << 1 | (unsigned)rig_signal(rig, x, slot_of(rig, kind, x, x));
        assert_int_equal(rig_signal(rig, y, slot_of(rig, kind, y, x)), own >> 2 & 1);
    }
}

/* Verifies on random levels that the other domain's view is the own slot of two cycles ago.
 * PC.SYNC.4, PC.SYNC.5, D-26 */
static void flag_view_is_the_slot_of_two_cycles_ago(struct rig *rig)
{
    random_delay(rig, KIND_FLAG, 0, rig->chip->domains - 1);
    random_delay(rig, KIND_FLAG, 1, 0);
}

/* Verifies the same of EVENT.  PC.SYNC.5, D-26 */
static void event_view_is_the_slot_of_two_cycles_ago(struct rig *rig)
{
    random_delay(rig, KIND_EVENT, 0, rig->chip->domains - 1);
    random_delay(rig, KIND_EVENT, 1, 0);
}

static void pulse_event(struct rig *rig, unsigned x, unsigned y)
{
    prepare(rig, x);
    rig_write_dom(rig, y, CTRL, CTRL_EVENT_PULSE);
    expect_view(rig, KIND_EVENT, y, "1", "00010000");
    expect_view(rig, KIND_EVENT, y, "11111", "0001000000");
    expect_view(rig, KIND_EVENT, y, "10110001", "0001010000100");
}

/* Verifies that PULSE shows a rise of EVENT at X as one cycle at X+3, however long it lasts.
 * PC.SYNC.8, PC.SYNC.11, D-27 */
static void pulse_shows_rising_edges_of_event(struct rig *rig)
{
    for_each_pair(rig, pulse_event);
}

static void pulse_flag(struct rig *rig, unsigned x, unsigned y)
{
    prepare(rig, x);
    rig_write_dom(rig, y, CTRL, CTRL_FLAG_PULSE);
    expect_view(rig, KIND_FLAG, y, "1", "0000010000");
    expect_view(rig, KIND_FLAG, y, "11111", "000001000000");
}

/* Verifies that PULSE shows a FLAG set at X, so rising at X+2, as one cycle at X+5.  PC.SYNC.8,
 * D-23, D-27 */
static void pulse_shows_rising_edges_of_flag(struct rig *rig)
{
    for_each_pair(rig, pulse_flag);
}

static void register_flag(struct rig *rig, unsigned x, unsigned y)
{
    prepare(rig, x);
    rig_option(rig, "D-26", "register");
    expect_view(rig, KIND_FLAG, x, "1", "00100000");
    expect_view(rig, KIND_FLAG, y, "1", "00010000");
    expect_view(rig, KIND_FLAG, y, "1101", "000110100");
}

/* Verifies the switch of D-26: others see the FLAG register of two own clocks ago, a cycle earlier
 * than the signal; the own slot stays the signal.  PC.SYNC.3, PC.SYNC.4, PC.SYNC.5, D-26, D-94 */
static void flag_register_by_option(struct rig *rig)
{
    for_each_pair(rig, register_flag);
}

static void register_pulse(struct rig *rig, unsigned x, unsigned y)
{
    prepare(rig, x);
    rig_option(rig, "D-26", "register");
    rig_write_dom(rig, y, CTRL, CTRL_FLAG_PULSE);
    expect_view(rig, KIND_FLAG, y, "1", "0000100000");
    expect_view(rig, KIND_FLAG, y, "11111", "000010000000");
    continuous_event(rig, x, y);
}

/* Verifies the same in PULSE, and that EVENT has no register.  PC.SYNC.8, D-26, D-27, D-94 */
static void flag_register_pulses_by_option(struct rig *rig)
{
    for_each_pair(rig, register_pulse);
}

static void separate(struct rig *rig, unsigned x, unsigned y)
{
    prepare(rig, x);
    rig_write_dom(rig, y, CTRL, CTRL_EVENT_PULSE);
    expect_view(rig, KIND_EVENT, y, "111", "0001000000");
    expect_view(rig, KIND_FLAG, y, "111", "0000111000");
    rig_write_dom(rig, y, CTRL, CTRL_FLAG_PULSE);
    expect_view(rig, KIND_EVENT, y, "111", "0011100000");
    expect_view(rig, KIND_FLAG, y, "111", "0000010000");
}

/* Verifies that each import switch works on its kind alone.  PC.SYNC.10 */
static void import_switches_are_separate(struct rig *rig)
{
    for_each_pair(rig, separate);
}

/* Verifies that the switches of one domain do not touch what another imports.  PC.SYNC.10,
 * PC.CTRL.4 */
static void import_switches_belong_to_the_destination(struct rig *rig)
{
    prepare(rig, 0);
    rig_write_dom(rig, 1, CTRL, CTRL_EVENT_PULSE | CTRL_FLAG_PULSE);
    expect_view(rig, KIND_EVENT, 2, "111", "0011100000");
    expect_view(rig, KIND_FLAG, 2, "111", "0000111000");
}

/* Verifies that own signals stay direct in PULSE mode.  PC.SYNC.3, D-28 */
static void own_signals_ignore_the_import_mode(struct rig *rig)
{
    for (unsigned x = 0; x < rig->chip->domains; x++) {
        rig_restart(rig);
        rig->dom = x;
        rig_wire(rig);
        rig_write(rig, CTRL, CTRL_EVENT_PULSE | CTRL_FLAG_PULSE);
        rig_write(rig, PRE_OP, OP_ZERO);
        rig_step_all(rig, 1);
        expect_view(rig, KIND_EVENT, x, "1101", "11010000");
        expect_view(rig, KIND_FLAG, x, "1101", "00110100");
    }
}

/* Clocks by period, in a common unit; both have an edge at instant 0. */
struct ratio {
    unsigned x, y;
};

/*
 * Levels of the source change at its edges: '1' and '0' a cycle, then 0.  Counts the viewer's
 * cycles that see 1; *first is the instant of the first of them, *runs how many stretches.
 */
static unsigned watch(struct rig *rig, enum kind kind, unsigned y, struct ratio clocks,
                      const char *levels, unsigned *first, unsigned *runs)
{
    unsigned x = rig->dom, seen = 0, slot = slot_of(rig, kind, y, x);
    unsigned end = (unsigned)(strlen(levels) + 8) * clocks.x + 8 * clocks.y;
    size_t cycle = 0;
    bool last = false;

    *runs = 0;
    for (unsigned now = 0; now < end; now++) {
        uint32_t edges = (now % clocks.x == 0 ? 1u << x : 0) | (now % clocks.y == 0 ? 1u << y : 0);
        if (edges & 1u << x) {
            drive(rig, kind, cycle < strlen(levels) && levels[cycle] == '1');
            cycle++;
        }
        if (edges)
            rig_edges(rig, edges);
        if (!(edges & 1u << y))
            continue;
        bool level = rig_signal(rig, y, slot);
        if (level && !last && (*runs)++ == 0)
            *first = now;
        seen += level;
        last = level;
    }
    return seen;
}

static void slower_loses(struct rig *rig, enum kind kind)
{
    static const char *const pulse_at[] = { "00001", "000001", "0000001", "00000001" };
    unsigned delay = kind == KIND_EVENT ? 0 : 2; /* from the input to the own slot */

    for (unsigned i = 0; i < 4; i++) {
        unsigned first = 0, runs;
        prepare(rig, 0);
        unsigned seen = watch(rig, kind, 1, (struct ratio){ 1, 4 }, pulse_at[i], &first, &runs);
        bool meets_an_edge = (4 + i + delay) % 4 == 0;
        assert_int_equal(seen, meets_an_edge ? 1 : 0);
        if (meets_an_edge)
            assert_int_equal(first, 4 + i + delay + 8); /* two own clocks later */
    }
}

/* Verifies that a domain four times slower sees a one-clock FLAG only if it meets its edge.
 * PC.SYNC.4, PC.SYNC.6, D-26 */
static void slower_domain_loses_flag_pulses(struct rig *rig)
{
    slower_loses(rig, KIND_FLAG);
}

/* Verifies the same of EVENT in CONTINUOUS.  PC.SYNC.5, PC.SYNC.6, D-26 */
static void slower_domain_loses_event_pulses(struct rig *rig)
{
    slower_loses(rig, KIND_EVENT);
}

static void faster_sees_many(struct rig *rig, enum kind kind)
{
    unsigned delay = kind == KIND_EVENT ? 0 : 2;

    for (unsigned ratio = 2; ratio <= 5; ratio++) {
        unsigned first = 0, runs, at = (3 + delay) * ratio; /* instant of the own slot's cycle */
        prepare(rig, 0);
        unsigned seen = watch(rig, kind, 1, (struct ratio){ ratio, 1 }, "0001", &first, &runs);
        assert_int_equal(seen, ratio);
        assert_int_equal(runs, 1);
        assert_in_range(first, at + 2 - (ratio - 1), at + 2);
    }
}

/* Verifies that a faster domain sees a one-clock FLAG for as many clocks as it is faster.
 * PC.SYNC.4, PC.SYNC.7, D-26 */
static void faster_domain_sees_flag_pulses_longer(struct rig *rig)
{
    faster_sees_many(rig, KIND_FLAG);
}

/* Verifies the same of EVENT in CONTINUOUS.  PC.SYNC.5, PC.SYNC.7, D-26 */
static void faster_domain_sees_event_pulses_longer(struct rig *rig)
{
    faster_sees_many(rig, KIND_EVENT);
}

static void one_pulse_a_rise(struct rig *rig, enum kind kind, struct ratio clocks)
{
    static const char far_apart[] = "0001000000000000000111000000000000000001";
    unsigned first = 0, runs;

    prepare(rig, 0);
    rig_write_dom(rig, 1, CTRL, CTRL_EVENT_PULSE | CTRL_FLAG_PULSE);
    unsigned seen = watch(rig, kind, 1, clocks, far_apart, &first, &runs);
    assert_int_equal(seen, 3);
    assert_int_equal(runs, 3);
}

/* Verifies at many clock ratios that PULSE gives exactly one cycle for each rising edge. PC.SYNC.8,
 * D-27 */
static void pulse_is_one_cycle_at_any_ratio(struct rig *rig)
{
    static const struct ratio clocks[] = { { 1, 1 }, { 1, 4 }, { 4, 1 }, { 2, 3 },
                                           { 3, 2 }, { 7, 1 }, { 1, 7 }, { 5, 4 } };

    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        one_pulse_a_rise(rig, KIND_EVENT, clocks[i]);
        one_pulse_a_rise(rig, KIND_FLAG, clocks[i]);
    }
}

/* Verifies that two rises inside one clock of the destination cancel, and that a third shows.
 * PC.SYNC.9, D-27 */
static void two_rises_in_one_clock_cancel(struct rig *rig)
{
    unsigned first = 0, runs;

    prepare(rig, 0);
    rig_write_dom(rig, 1, CTRL, CTRL_EVENT_PULSE);
    assert_int_equal(watch(rig, KIND_EVENT, 1, (struct ratio){ 1, 8 }, "010100", &first, &runs), 0);
    prepare(rig, 0);
    rig_write_dom(rig, 1, CTRL, CTRL_EVENT_PULSE);
    assert_int_equal(watch(rig, KIND_EVENT, 1, (struct ratio){ 1, 8 }, "0101010", &first, &runs),
                     1);
}

int main(void)
{
#define UNIT_ON(fn, wanted)                                                                        \
    {                                                                                              \
        .name = #fn, .run = fn, .need = (wanted), .flags = CASE_UNIT, .domains = 2                 \
    }
    static const struct conform_case cases[] = {
        UNIT_ON(event_shows_two_cycles_later_elsewhere, PC_F_DOM_EVENTS),
        UNIT_ON(flag_shows_four_cycles_later_elsewhere, PC_F_DOM_FLAGS),
        UNIT_ON(flag_view_is_the_slot_of_two_cycles_ago, PC_F_DOM_FLAGS),
        UNIT_ON(event_view_is_the_slot_of_two_cycles_ago, PC_F_DOM_EVENTS),
        UNIT_ON(pulse_shows_rising_edges_of_event, PC_F_PULSE_IMPORT),
        UNIT_ON(pulse_shows_rising_edges_of_flag, PC_F_PULSE_IMPORT),
        UNIT_ON(flag_register_by_option, PC_F_DOM_FLAGS),
        UNIT_ON(flag_register_pulses_by_option, PC_F_PULSE_IMPORT),
        UNIT_ON(import_switches_are_separate, PC_F_PULSE_IMPORT),
        UNIT_ON(import_switches_belong_to_the_destination, PC_F_PULSE_IMPORT),
        UNIT_ON(own_signals_ignore_the_import_mode, PC_F_PULSE_IMPORT),
        UNIT_ON(slower_domain_loses_flag_pulses, PC_F_DOM_FLAGS),
        UNIT_ON(slower_domain_loses_event_pulses, PC_F_DOM_EVENTS),
        UNIT_ON(faster_domain_sees_flag_pulses_longer, PC_F_DOM_FLAGS),
        UNIT_ON(faster_domain_sees_event_pulses_longer, PC_F_DOM_EVENTS),
        UNIT_ON(pulse_is_one_cycle_at_any_ratio, PC_F_PULSE_IMPORT),
        UNIT_ON(two_rises_in_one_clock_cancel, PC_F_PULSE_IMPORT),
    };

    return conform_run("sync", cases, sizeof cases / sizeof cases[0]);
}
