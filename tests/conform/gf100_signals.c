/* SPDX-License-Identifier: MIT */
/*
 * Conformance, GF100+: the signals that the unit drives itself (trailer, USER, PERIODIC), how
 * EVENT and FLAG reach the other domains of the set, and what SWAP_SRC can select.
 */
#include "gf100.h"

static const struct {
    unsigned at;
    enum pc_signal_kind kind;
    unsigned index;
} trailer[] = {
    { 0x27, PC_SIG_USER, 0 },      { 0x28, PC_SIG_USER, 1 },      { 0x29, PC_SIG_USER, 2 },
    { 0x2a, PC_SIG_USER, 3 },      { 0x2c, PC_SIG_PAUSED, 0 },    { 0x2d, PC_SIG_PM_TRIGGER, 0 },
    { 0x2e, PC_SIG_PERIODIC, 0 },  { 0x2f, PC_SIG_ZERO, 0 },      { 0x30, PC_SIG_DOM_EVENT, 7 },
    { 0x31, PC_SIG_DOM_EVENT, 6 }, { 0x32, PC_SIG_DOM_EVENT, 5 }, { 0x33, PC_SIG_DOM_EVENT, 4 },
    { 0x34, PC_SIG_DOM_EVENT, 3 }, { 0x35, PC_SIG_DOM_EVENT, 2 }, { 0x36, PC_SIG_DOM_EVENT, 1 },
    { 0x37, PC_SIG_DOM_EVENT, 0 }, { 0x38, PC_SIG_DOM_FLAG, 7 },  { 0x39, PC_SIG_DOM_FLAG, 6 },
    { 0x3a, PC_SIG_DOM_FLAG, 5 },  { 0x3b, PC_SIG_DOM_FLAG, 4 },  { 0x3c, PC_SIG_DOM_FLAG, 3 },
    { 0x3d, PC_SIG_DOM_FLAG, 2 },  { 0x3e, PC_SIG_DOM_FLAG, 1 },  { 0x3f, PC_SIG_DOM_FLAG, 0 },
};
enum { TRAILER = sizeof trailer / sizeof trailer[0] };

static void everything_high(struct gf *gf)
{
    for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
        gf_set(gf, gf->dom, s, true);
}

/* Verifies that the chip table puts the trailer where the document has it.  PC.GF.10, PC.GF.11,
 * D-13, D-15 */
static void trailer_positions(struct gf *gf)
{
    assert_int_equal(gf_at(gf, 0x40), gf->chip.domain[gf->dom].size);
    assert_int_equal(gf_at(gf, 0) % 0x20, 0);
    for (unsigned i = 0; i < TRAILER; i++) {
        struct pc_signal_info info = pc_chip_signal(&gf->chip, gf->dom, gf_at(gf, trailer[i].at));
        assert_int_equal(info.kind, trailer[i].kind);
        assert_int_equal(info.index, trailer[i].index);
    }
}

/* Verifies that levels from outside reach every signal but those that the unit drives, which are
 * all 0 here, and those beyond the domain.  PC.GF.10, PC.GF.11, PC.GF.14, PC.SIG.5, PC.TRAIL.11,
 * D-30, D-60 */
static void outside_levels_stop_at_the_trailer(struct gf *gf)
{
    everything_high(gf);
    gf_step(gf, 3);
    for (unsigned s = 0; s < PC_MAX_SIGNALS; s++) {
        bool driven = false;
        for (unsigned i = 0; i < TRAILER; i++)
            driven |= s == gf_at(gf, trailer[i].at);
        assert_int_equal(gf_signal(gf, s), !driven && s < gf->chip.domain[gf->dom].size);
    }
}

/* Verifies that PM_TRIGGER is base+2d, for exactly one cycle, and that WRCACHE_FLUSH has no
 * place.  PC.GF.10, D-13, D-34 */
static void pm_trigger_is_one_cycle(struct gf *gf)
{
    gf_play(gf, "w");
    assert_true(gf_signal(gf, gf_at(gf, GF_AT_PM_TRIGGER)));
    gf_play(gf, ".");
    assert_false(gf_signal(gf, gf_at(gf, GF_AT_PM_TRIGGER)));
    pc_unit_pulse(gf->unit, PC_PULSE_WRCACHE_FLUSH, 0);
    gf_play(gf, ".");
    for (unsigned i = 0; i < TRAILER; i++)
        assert_false(gf_signal(gf, gf_at(gf, trailer[i].at)));
}

/* ---- USER ---- */

static unsigned users(const struct gf *gf)
{
    unsigned all = 0;

    for (unsigned u = 0; u < 4; u++)
        all |= (unsigned)gf_signal(gf, gf_at(gf, GF_AT_USER + u)) << u;
    return all;
}

/* Verifies values and pulses of the four USER signals, for all 256 words.  PC.GF.12, PC.GF.13,
 * D-32 */
static void user_values_and_pulses(struct gf *gf)
{
    for (unsigned word = 0; word < 256; word++) {
        unsigned value = word & 15, pulse = word >> 4;
        gf_write(gf, GF_USER_TRIGGER, word);
        gf_step(gf, 1);
        assert_int_equal(users(gf), value);
        gf_step(gf, 1);
        assert_int_equal(users(gf), value & ~pulse);
        assert_int_equal(gf_read(gf, GF_USER_TRIGGER) & 15, value & ~pulse);
        gf_step(gf, 2);
        assert_int_equal(users(gf), value & ~pulse);
    }
}

/* Verifies that USER_TRIGGER keeps eight bits, and its own domain only.  PC.GF.12, PC.GF.13, D-32
 */
static void user_is_its_own_domains(struct gf *gf)
{
    gf_write(gf, GF_USER_TRIGGER, 0xffffff0f);
    gf_step_all(gf, 2);
    assert_int_equal(gf_read(gf, GF_USER_TRIGGER), 0x0f);
    for (unsigned d = 0; d < gf->chip.domains; d++)
        assert_int_equal(gf_read_dom(gf, d, GF_USER_TRIGGER), d == gf->dom ? 0x0f : 0);
}

/* Verifies that the pulse bits read back.  PC.GF.13, D-32 */
static void user_pulse_bits_read_back(struct gf *gf)
{
    gf_write(gf, GF_USER_TRIGGER, 0x50);
    assert_int_equal(gf_read(gf, GF_USER_TRIGGER) >> 4, 5);
    gf_step(gf, 3);
    assert_int_equal(gf_read(gf, GF_USER_TRIGGER), 0x50);
}

/* ---- PERIODIC ---- */

static unsigned long long next_pulse(struct gf *gf, unsigned long long limit)
{
    for (unsigned long long n = 1; n <= limit; n++) {
        gf_step(gf, 1);
        if (gf_signal(gf, gf_at(gf, GF_AT_PERIODIC)))
            return n;
    }
    return 0;
}

/* Verifies the periods of the settings, at base+2e.  PC.GF.10, PC.PERIODIC.1, PC.PERIODIC.2, D-31
 */
static void periodic_periods(struct gf *gf)
{
    gf_ctrl(gf, GF_HALTED, 0, 0);
    assert_int_equal(next_pulse(gf, 0x500), 0);
    for (unsigned n = 1; n <= 3; n++) {
        gf_write(gf, GF_CTRL, n * GF_PERIODIC);
        assert_true(next_pulse(gf, 0x200u << n) > 0);
        assert_int_equal(next_pulse(gf, 0x10000), 0x200u << n);
    }
}

/* Verifies that PERIODIC_RESET of the set holds 0 in all its domains, and where the first pulse
 * comes.  PC.GF.16, PC.PERIODIC.3, PC.PERIODIC.4, D-31 */
static void periodic_reset_is_the_sets(struct gf *gf)
{
    for (unsigned d = 0; d < gf->chip.domains; d++)
        gf_write_dom(gf, d, GF_CTRL, GF_PERIODIC);
    gf_step_all(gf, 100);
    gf_write_set(gf, GF_DSET_CTRL, GF_PERIODIC_RESET);
    gf_step_all(gf, 0x400);
    gf_write_set(gf, GF_DSET_CTRL, 0);
    for (unsigned t = 1; t <= 0x400; t++) {
        gf_step_all(gf, 1);
        for (unsigned d = 0; d < gf->chip.domains; d++) {
            unsigned at = gf->chip.domain[d].trailer_base + GF_AT_PERIODIC;
            assert_int_equal(gf_signal_dom(gf, d, at), t == 0x400);
        }
    }
}

/* Verifies that a change of the setting goes on with the running generator, in any mode.
 * PC.PERIODIC.5, PC.PERIODIC.6, D-31 */
static void periodic_setting_does_not_restart(struct gf *gf)
{
    gf_ctrl(gf, GF_HALTED, 0, GF_PERIODIC);
    gf_step(gf, 0x300);
    gf_ctrl(gf, GF_QUAD, 0, 2 * GF_PERIODIC);
    assert_int_equal(next_pulse(gf, 0x800), 0x500);
    gf_ctrl(gf, GF_SINGLE, 0, 0);
    gf_step(gf, 0x200);
    gf_ctrl(gf, GF_SINGLE, 0, GF_PERIODIC);
    assert_int_equal(next_pulse(gf, 0x400), 0x200);
}

/* ---- EVENT and FLAG between the domains of a set ---- */

static unsigned seen_at(const struct gf *gf, unsigned viewer, unsigned trailer_at)
{
    return gf_signal_dom(gf, viewer, gf->chip.domain[viewer].trailer_base + trailer_at);
}

/* Drives EVENT and FLAG of domain 0 and returns what domain 1 sees, cycle by cycle, lowest bit
 * first: EVENT in *event, FLAG in *flag. */
static void watch(struct gf *gf, uint32_t import, unsigned *event, unsigned *flag)
{
    pc_unit_reset(gf->unit);
    gf->dom = 0;
    gf_wire(gf);
    gf_write(gf, GF_CTRL, GF_QUAD);
    gf_write_dom(gf, 1, GF_CTRL, GF_QUAD | import);
    gf_step_all(gf, 8);
    *event = *flag = 0;
    for (unsigned t = 0; t < 16; t++) {
        gf_line(gf, GF_E, t >= 2 && t < 5);
        gf_line(gf, GF_F, t == 2);
        gf_line(gf, GF_C, t == 6);
        gf_step_all(gf, 1);
        assert_int_equal(seen_at(gf, 0, GF_AT_EVENT), t >= 2 && t < 5);
        assert_int_equal(seen_at(gf, 0, GF_AT_FLAG), t >= 4 && t < 8);
        *event |= seen_at(gf, 1, GF_AT_EVENT) << t;
        *flag |= seen_at(gf, 1, GF_AT_FLAG) << t;
    }
}

/* Verifies CONTINUOUS and PULSE at their bits: 7 for EVENT, 8 for FLAG; a domain's own are seen
 * directly.  PC.GF.11, PC.GF.15, PC.SYNC.3, PC.SYNC.5, PC.SYNC.8, PC.SYNC.10, D-26, D-27 */
static void import_modes(struct gf *gf)
{
    unsigned event, flag;

    watch(gf, 0, &event, &flag);
    assert_int_equal(event, 7u << 4);
    assert_int_equal(flag, 15u << 6);
    watch(gf, GF_EVENT_PULSE, &event, &flag);
    assert_int_equal(event, 0x20);
    assert_int_equal(flag, 15u << 6);
    watch(gf, GF_FLAG_PULSE, &event, &flag);
    assert_int_equal(event, 7u << 4);
    assert_int_equal(flag, 0x80);
}

/* Verifies that every domain sees every other one's EVENT at its slot.  PC.GF.11, D-26 */
static void event_slots_of_all_domains(struct gf *gf)
{
    for (unsigned from = 0; from < gf->chip.domains; from++) {
        pc_unit_reset(gf->unit);
        gf_write_dom(gf, from, GF_EVENT_OP, GF_OP_ONE);
        gf_step_all(gf, 4);
        for (unsigned d = 0; d < gf->chip.domains; d++)
            for (unsigned slot = 0; slot < 8; slot++)
                assert_int_equal(seen_at(gf, d, GF_AT_EVENT - slot), slot == from);
    }
}

/* ---- SWAP_SRC ---- */

static bool swaps(struct gf *gf)
{
    enum gf_quad before = gf_quad_state(gf);
    uint32_t next = gf_read(gf, GF_CYCLES_NEXT);

    gf_step(gf, 1);
    bool swapped = gf_read(gf, GF_CYCLES_NEXT) != next + 1;
    assert_int_equal(gf_quad_state(gf) != before, swapped && before != GF_OVERFLOW);
    return swapped;
}

/* Verifies that SWAP_SRC can select every ordinary signal, each alone.  PC.GF.21 */
static void swap_src_takes_any_signal(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_write(gf, GF_EVENT_OP, GF_OP_ZERO); /* or its slot would swap, too */
    gf_step(gf, 2);
    for (unsigned s = 0; s < PC_MAX_SIGNALS; s++) {
        bool ordinary = pc_chip_signal(&gf->chip, gf->dom, s).kind == PC_SIG_RAW;
        everything_high(gf);
        gf_write(gf, GF_SWAP_SRC, s);
        assert_int_equal(swaps(gf), ordinary);
        gf_set(gf, gf->dom, s, false);
        gf_step(gf, 1);
        assert_false(swaps(gf));
    }
}

/* Verifies the swaps of real drivers: a USER_0 pulse, and the trigger at base+2d.  PC.GF.21,
 * PC.GF.12, D-13, D-34 */
static void swap_by_user_0_and_by_trigger(struct gf *gf)
{
    gf_start_quad(gf, GF_SIMPLE);
    gf_write(gf, GF_SWAP_SRC, gf_at(gf, GF_AT_USER));
    gf_play(gf, "e e .");
    gf_write(gf, GF_USER_TRIGGER, 0x11);
    assert_true(swaps(gf));
    assert_int_equal(gf_read(gf, GF_CTR_EVENT), 2);
    assert_int_equal(gf_read(gf, GF_CTR_CYCLES), 3);
    for (unsigned n = 0; n < 5; n++)
        assert_false(swaps(gf));
    gf_write(gf, GF_SWAP_SRC, gf_at(gf, GF_AT_PM_TRIGGER));
    gf_play(gf, "e . w");
    gf_expect(gf, 8, 0, 0, 1, 0);
}

/* Verifies that e7 is harmless: no signal, but USER_0 of a domain of 100h.  PC.GF.21, D-30, D-86 */
static void swap_src_of_no_signal_never_swaps(struct gf *gf)
{
    bool user_0 = gf->chip.domain[gf->dom].size == 0x100;
    unsigned e7 = gf->chip.domain[gf->dom].size > 0xe7 && !user_0;

    gf_start_quad(gf, GF_SIMPLE);
    gf_write(gf, GF_SWAP_SRC, 0xffffffe7);
    assert_int_equal(gf_read(gf, GF_SWAP_SRC), 0xe7);
    everything_high(gf);
    assert_int_equal(swaps(gf), e7);
    gf_write(gf, GF_USER_TRIGGER, 0x11);
    assert_int_equal(swaps(gf), user_0 || e7);
}

/* Verifies that SWAP_SRC powers up as signal 0, and there is no UNK8 here.  PC.GF.21, D-50 */
static void swap_src_powers_up_as_signal_0(struct gf *gf)
{
    struct pc_unit_inputs in;

    gf_ctrl(gf, GF_QUAD, GF_SIMPLE, 0);
    gf_play(gf, "w");
    assert_int_equal(gf_quad_state(gf), GF_EMPTY);
    gf_set(gf, gf->dom, 0, true);
    gf_step(gf, 1);
    assert_int_equal(gf_quad_state(gf), GF_VALID);
    pc_unit_get_inputs(gf->unit, gf->dom, &in);
    assert_true(in.swap);
    assert_false(in.unk8);
}

int main(void)
{
    static const struct gf_case cases[] = {
        GF_CASE(trailer_positions),
        GF_CASE(outside_levels_stop_at_the_trailer),
        GF_CASE(pm_trigger_is_one_cycle),
        GF_CASE(user_values_and_pulses),
        GF_CASE(user_is_its_own_domains),
        GF_CASE(user_pulse_bits_read_back),
        GF_CASE_SET(periodic_periods, 0),
        GF_CASE_SET(periodic_reset_is_the_sets, 0),
        GF_CASE_SET(periodic_setting_does_not_restart, 0),
        GF_CASE_SET(import_modes, 2),
        GF_CASE_SET(event_slots_of_all_domains, 0),
        GF_CASE(swap_src_takes_any_signal),
        GF_CASE(swap_by_user_0_and_by_trigger),
        GF_CASE(swap_src_of_no_signal_never_swaps),
        GF_CASE(swap_src_powers_up_as_signal_0),
    };

    return gf_run("gf100_signals", cases, sizeof cases / sizeof cases[0]);
}
