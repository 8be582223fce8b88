/* SPDX-License-Identifier: MIT */
/*
 * Conformance, "The PCOUNTER signals": what SIG_STATUS shows, what the trailer holds, and how
 * the pulses of PGRAPH arrive.  The trailer is typed here a second time from the document.
 * Not here: synchronisation between domains (sync.c), USER and PERIODIC (generators.c).
 */
#include "support.h"

#include <string.h>

static bool is_nv40(const struct rig *rig)
{
    return rig->chip->layout == PC_LAYOUT_NV40;
}

/* Does the document put a signal of the unit at this trailer offset? */
static bool trailer_drives(const struct pc_chip *chip, unsigned offset)
{
    if (!chip_has(chip, PC_F_DOM_FLAGS)) /* NV10:NV20 */
        return offset == 0x1f;
    if (!chip_has(chip, PC_F_DOM_EVENTS)) /* NV20:NV40 */
        return offset >= 0x1d;
    if (!chip_has(chip, PC_F_PERIODIC)) /* NV40:G84 */
        return offset >= 0x0e;
    return offset >= 0x0c; /* G84:GF100 */
}

static bool unit_drives(const struct pc_chip *chip, unsigned dom, unsigned sig)
{
    const struct pc_domain_info *d = &chip->domain[dom];

    if (sig >= d->trailer_base && sig < d->size && trailer_drives(chip, sig - d->trailer_base))
        return true;
    return d->user[0] == (int)sig || d->user[1] == (int)sig || chip->pm_trigger_raw == (int)sig;
}

static unsigned pm_trigger(const struct rig *rig, unsigned dom)
{
    if (rig->chip->pm_trigger_raw >= 0)
        return (unsigned)rig->chip->pm_trigger_raw;
    return rig->chip->domain[dom].trailer_base + (is_nv40(rig) ? 0x0fu : 0x1du);
}

/* Verifies with random levels that each status bit is its own signal's, that the unit's signals
 * cannot be driven from outside and that absent signals are 0.  PC.SIG.1, PC.SIG.2, PC.SIG.3,
 * PC.SIG.5, PC.TRAIL.6, PC.TRAIL.11, D-06, D-30 */
static void status_shows_every_signal(struct rig *rig)
{
    struct test_rng rng = test_rng_start(0x51, NULL);
    unsigned size = rig->chip->domain[rig->dom].size;

    for (unsigned turn = 0; turn < 4; turn++) {
        for (unsigned w = 0; w < PC_SIG_WORDS; w++)
            rig->raw[rig->dom][w] = turn == 0 ? UINT64_MAX : test_rand(&rng);
        rig_step(rig, 1);
        for (unsigned s = 0; s < PC_MAX_SIGNALS; s++) {
            bool level = rig->raw[rig->dom][s / 64] >> s % 64 & 1;
            bool expected = s < size && !unit_drives(rig->chip, rig->dom, s) && level;
            if (!sig_status_address(rig->chip, rig->dom, s / 32))
                continue; /* D-04 */
            if (rig_signal(rig, rig->dom, s) != expected)
                fail_msg("signal %02x is %d", s, !expected);
        }
    }
}

/* Verifies that the status stands still until the next cycle of the domain.  PC.SIG.4, D-61 */
static void status_is_of_the_last_completed_cycle(struct rig *rig)
{
    unsigned sig = rig_raw(rig, 3);

    rig_set(rig, rig->dom, sig, true);
    assert_false(rig_signal(rig, rig->dom, sig));
    rig_step(rig, 1);
    assert_true(rig_signal(rig, rig->dom, sig));
    rig_set(rig, rig->dom, sig, false);
    assert_true(rig_signal(rig, rig->dom, sig));
    rig_step(rig, 1);
    assert_false(rig_signal(rig, rig->dom, sig));
}

/* Verifies that selecting a signal beyond the domain's size counts nothing.  PC.SIG.5, D-30 */
static void absent_signals_count_nothing(struct rig *rig)
{
    unsigned size = rig->chip->domain[rig->dom].size;

    if (size == PC_MAX_SIGNALS)
        skip(); /* nothing is absent */
    rig_start_single(rig, 0, 0, 0);
    rig_select(rig, EVENT_SRC, size, 0xff, 0, 0);
    rig_write(rig, EVENT_OP, OP_ARG0 | OP_ARG1);
    rig_write(rig, START_OP, OP_ONE);
    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        rig->raw[rig->dom][w] = UINT64_MAX;
    rig_set(rig, rig->dom, rig_raw(rig, LINE_X), false);
    rig_write(rig, PRE_OP, OP_ONE);
    rig_step(rig, 8);
    assert_int_equal(rig_single_state(rig), COUNTING);
    assert_int_equal(rig_count(rig, CTR_EVENT), 0);
}

/* Is there no such signal?  Beyond the domain, or EVENT or FLAG of a domain that there is not. */
static bool is_missing(const struct rig *rig, unsigned signal)
{
    if (signal >= rig->chip->domain[rig->dom].size)
        return true;
    for (unsigned d = rig->chip->domains; rig->chip->layout == PC_LAYOUT_NV40 && d < 8; d++)
        if (signal == event_slot(rig, rig->dom, d) || signal == flag_slot(rig, rig->dom, d))
            return true;
    return false;
}

/* Verifies that every selection of a signal that does not exist is reported, with the first of
 * them, and no other selection.  PC.DIAG.6, D-30, D-60 */
static void missing_signals_are_reported(struct rig *rig)
{
    static const enum reg sources[] = { PRE_SRC,     START_SRC,   EVENT_SRC, STOP_SRC,
                                        SETFLAG_SRC, CLRFLAG_SRC, SPEC_SRC };

    for (unsigned i = 0; i < sizeof sources / sizeof sources[0]; i++)
        for (unsigned s = 0; s < PC_MAX_SIGNALS && reg_address(rig->chip, sources[i], rig->dom);
             s++)
            for (unsigned place = 0; place < (sources[i] == SPEC_SRC ? 2 : 4); place++) {
                const bool missing = is_missing(rig, s);
                pc_unit_reset(rig->unit);
                assert_int_equal(pc_unit_no_signal(rig->unit, rig->dom), -1);
                rig_write(rig, sources[i], (uint32_t)s << (8 * place));
                assert_int_equal(pc_unit_no_signal(rig->unit, rig->dom), missing ? (int)s : -1);
                assert_int_equal(
                    (pc_unit_diagnostics(rig->unit, rig->dom) & PC_DIAG_NO_SIGNAL) != 0, missing);
                rig_write(rig, sources[i], 0xffffffff); /* the first one is kept */
                if (missing)
                    assert_int_equal(pc_unit_no_signal(rig->unit, rig->dom), s);
                rig_write(rig, sources[i], 0);
                assert_int_equal(pc_unit_no_signal(rig->unit, rig->dom) >= 0,
                                 missing || is_missing(rig, 0xff));
            }
}

/* Verifies that what is written to a domain that the chip lacks is reported, and that a 0 is not:
 * it reads so anyway.  PC.DIAG.7, PC.REG.5, D-60 */
static void writes_to_missing_domains_are_reported(struct rig *rig)
{
    if (rig->chip->domains == PC_MAX_DOMAINS)
        skip();
    const uint32_t address = 0xa440 + 4 * rig->chip->domains;

    pc_unit_write(rig->unit, address, 0);
    assert_false(pc_unit_diagnostics(rig->unit, 0) & PC_DIAG_NO_DOMAIN);
    pc_unit_write(rig->unit, address, 1);
    assert_true(pc_unit_diagnostics(rig->unit, 0) & PC_DIAG_NO_DOMAIN);
    assert_false(pc_unit_diagnostics(rig->unit, 0) & PC_DIAG_NO_SIGNAL);
    assert_int_equal(pc_unit_read(rig->unit, address), 0);
}

/* Verifies where PM_TRIGGER is and that a pulse is one cycle of each domain, whenever that comes.
 * PC.TRAIL.9, PC.TRIGGER.1, D-34 */
static void pm_trigger_is_one_cycle_in_each_domain(struct rig *rig)
{
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    for (unsigned d = 0; d < rig->chip->domains; d++) {
        rig_edges(rig, 1u << d);
        assert_true(rig_signal(rig, d, pm_trigger(rig, d)));
        rig_edges(rig, 1u << d);
        assert_false(rig_signal(rig, d, pm_trigger(rig, d)));
    }
    rig_step_all(rig, 1);
    for (unsigned d = 0; d < rig->chip->domains; d++)
        assert_false(rig_signal(rig, d, pm_trigger(rig, d)));
}

/* Verifies that a delayed pulse arrives after so many of the domain's own cycles.  PC.TRIGGER.2,
 * D-34 */
static void delayed_pulse_counts_own_cycles(struct rig *rig)
{
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 3);
    for (unsigned d = 0; d < rig->chip->domains; d++)
        for (unsigned cycle = 0; cycle < 6; cycle++) {
            rig_edges(rig, 1u << d);
            assert_int_equal(rig_signal(rig, d, pm_trigger(rig, d)), cycle == 3);
        }
}

/* Verifies the longest latency that an option can ask for.  PC.TRIGGER.2, D-34 */
static void longest_delay(struct rig *rig)
{
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 63);
    for (unsigned cycle = 0; cycle < 70; cycle++) {
        rig_step(rig, 1);
        assert_int_equal(rig_signal(rig, rig->dom, pm_trigger(rig, rig->dom)), cycle == 63);
    }
}

/* Verifies that pulses on their way at the same time all arrive, and that two for one cycle are
 * one. PC.TRIGGER.1, PC.TRIGGER.2, D-34 */
static void pulses_on_their_way_all_arrive(struct rig *rig)
{
    static const char seen[] = "1011010";

    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 2);
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 2);
    pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 5);
    for (unsigned cycle = 0; cycle < sizeof seen - 1; cycle++) {
        if (cycle == 1) /* two cycles from now: the fourth of all */
            pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 2);
        rig_step(rig, 1);
        assert_int_equal(rig_signal(rig, rig->dom, pm_trigger(rig, rig->dom)), seen[cycle] == '1');
    }
}

/* Verifies that WRCACHE_FLUSH is base+0e for one cycle and leaves the other signals alone.
 * PC.TRAIL.8, PC.TRIGGER.1, D-34 */
static void wrcache_flush_is_one_cycle(struct rig *rig)
{
    unsigned base = rig->chip->domain[rig->dom].trailer_base;

    pc_unit_pulse(rig->unit, PC_PULSE_WRCACHE_FLUSH, 0);
    rig_step(rig, 1);
    for (unsigned s = 0; s < base + 0x20; s++)
        assert_int_equal(rig_signal(rig, rig->dom, s), s == base + 0x0e);
    rig_step(rig, 1);
    assert_false(rig_signal(rig, rig->dom, base + 0x0e));
}

/* Verifies that chips before G84 have no WRCACHE_FLUSH: their base+0e stays what it was.
 * PC.TRAIL.6, PC.TRAIL.8 */
static void wrcache_flush_is_absent_before_g84(struct rig *rig)
{
    pc_unit_pulse(rig->unit, PC_PULSE_WRCACHE_FLUSH, 0);
    rig_step(rig, 1);
    for (unsigned s = 0; s < rig->chip->domain[rig->dom].size; s++)
        assert_false(rig_signal(rig, rig->dom, s));
}

/* All FLAG slots of all viewers after a domain's FLAG has been set and has travelled. */
static void check_flag_slots(struct rig *rig, unsigned set)
{
    unsigned slots = is_nv40(rig) ? 8 : rig->chip->domains;

    for (unsigned viewer = 0; viewer < rig->chip->domains; viewer++)
        for (unsigned d = 0; d < slots; d++)
            if (rig_signal(rig, viewer, flag_slot(rig, viewer, d)) != (d == set))
                fail_msg("FLAG of domain %u set: slot %u of domain %u is wrong", set, d, viewer);
}

/* Verifies that each domain's FLAG stands in its own slot of every domain and nowhere else.
 * PC.TRAIL.2, PC.TRAIL.3, PC.TRAIL.5, PC.TRAIL.10, D-29, D-60 */
static void flags_stand_in_their_slots(struct rig *rig)
{
    for (unsigned d = 0; d < rig->chip->domains; d++) {
        rig_restart(rig);
        rig_write_dom(rig, d, SETFLAG_OP, OP_ONE);
        rig_write_dom(rig, d, PRE_OP, OP_ZERO); /* leaves INACTIVE, where the FLAG is frozen */
        rig_step_all(rig, 8);
        check_flag_slots(rig, d);
    }
}

/* Verifies that each domain's EVENT stands in its own slot of every domain and nowhere else.
 * PC.TRAIL.4, PC.TRAIL.10, D-60 */
static void events_stand_in_their_slots(struct rig *rig)
{
    for (unsigned d = 0; d < rig->chip->domains; d++) {
        rig_restart(rig);
        rig_write_dom(rig, d, EVENT_OP, OP_ONE);
        rig_step_all(rig, 4);
        for (unsigned viewer = 0; viewer < rig->chip->domains; viewer++)
            for (unsigned slot = 0; slot < 8; slot++)
                assert_int_equal(rig_signal(rig, viewer, event_slot(rig, viewer, slot)), slot == d);
    }
}

/* Verifies that slots of absent domains are 0 even when every present one drives its own.
 * PC.TRAIL.10, PC.REG.5, D-60 */
static void absent_domains_drive_nothing(struct rig *rig)
{
    memset(rig->raw, 0xff, sizeof rig->raw);
    for (unsigned d = 0; d < 8; d++) { /* a driver writes all eight slots */
        pc_unit_write(rig->unit, 0xa4a0 + 4 * d, OP_ONE);
        pc_unit_write(rig->unit, 0xa500 + 4 * d, OP_ONE);
        pc_unit_write(rig->unit, 0xa420 + 4 * d, OP_ZERO);
    }
    rig_step_all(rig, 8);
    for (unsigned viewer = 0; viewer < rig->chip->domains; viewer++)
        for (unsigned d = 0; d < 8; d++) {
            bool present = d < rig->chip->domains;
            assert_int_equal(rig_signal(rig, viewer, event_slot(rig, viewer, d)), present);
            assert_int_equal(rig_signal(rig, viewer, flag_slot(rig, viewer, d)), present);
        }
}

/* Verifies that levels reach their own domain only.  PC.SIG.1 */
static void levels_belong_to_their_domain(struct rig *rig)
{
    for (unsigned d = 0; d < rig->chip->domains; d++) {
        memset(rig->raw, 0, sizeof rig->raw);
        rig_set(rig, d, rig_raw_dom(rig, d, 5), true);
        rig_step_all(rig, 1);
        for (unsigned other = 0; other < rig->chip->domains; other++)
            assert_int_equal(rig_signal(rig, other, rig_raw_dom(rig, other, 5)), other == d);
    }
}

int main(void)
{
    static const struct conform_case cases[] = {
        { .name = "status_shows_every_signal",
          .run = status_shows_every_signal,
          .flags = CASE_EVERY_CHIP },
        CASE(status_is_of_the_last_completed_cycle),
        CASE(absent_signals_count_nothing),
        CASE(missing_signals_are_reported),
        { .name = "writes_to_missing_domains_are_reported",
          .run = writes_to_missing_domains_are_reported,
          .need = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT | CASE_EVERY_CHIP },
        { .name = "pm_trigger_is_one_cycle_in_each_domain",
          .run = pm_trigger_is_one_cycle_in_each_domain,
          .flags = CASE_UNIT | CASE_EVERY_CHIP },
        { .name = "delayed_pulse_counts_own_cycles",
          .run = delayed_pulse_counts_own_cycles,
          .flags = CASE_UNIT },
        CASE(longest_delay),
        CASE(pulses_on_their_way_all_arrive),
        CASE_ON(wrcache_flush_is_one_cycle, PC_F_PERIODIC),
        CASE_NOT(wrcache_flush_is_absent_before_g84, 0, PC_F_PERIODIC),
        { .name = "flags_stand_in_their_slots",
          .run = flags_stand_in_their_slots,
          .flags = CASE_UNIT | CASE_EVERY_CHIP },
        { .name = "events_stand_in_their_slots",
          .run = events_stand_in_their_slots,
          .need = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT | CASE_EVERY_CHIP },
        { .name = "absent_domains_drive_nothing",
          .run = absent_domains_drive_nothing,
          .need = PC_F_DOM_EVENTS,
          .flags = CASE_UNIT | CASE_EVERY_CHIP },
        { .name = "levels_belong_to_their_domain",
          .run = levels_belong_to_their_domain,
          .flags = CASE_UNIT },
    };

    return conform_run("signals", cases, sizeof cases / sizeof cases[0]);
}
