/* SPDX-License-Identifier: MIT */
/*
 * Random scripts for the second witness, biased to what is interesting: sources in the
 * trailer, feedback through FLAG and EVENT, small counts, several writes in one gap between
 * two cycles, domains whose clocks have little in common.
 *
 * Not generated: record mode (MODE 2 of G84-) and stream-out (MODE 5 of GF100-), which the
 * Verilog does not restate.
 */
#include "rtl.h"

#include <inttypes.h>
#include <string.h>

enum { POOL = 6 }; /* raw signals of a domain that move */

struct script {
    const struct pc_chip *chip;
    unsigned generation;
    struct test_rng *rng;
    struct rtl_text *out;
    uint32_t active; /* domains whose clock runs */
    uint8_t pool[PC_MAX_DOMAINS][POOL];
    uint8_t density[PC_MAX_DOMAINS][POOL]; /* a signal moves in density of 16 instants */
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    unsigned period[PC_MAX_DOMAINS], phase[PC_MAX_DOMAINS];
};

static uint32_t below(struct script *s, uint32_t limit)
{
    return test_rand_below(s->rng, limit);
}

static bool chance(struct script *s, uint32_t percent)
{
    return below(s, 100) < percent;
}

static uint32_t word(struct script *s)
{
    return (uint32_t)(test_rand(s->rng) >> 32);
}

static void write_reg(struct script *s, uint32_t address, uint32_t value)
{
    if (address != 0)
        rtl_add(s->out, "w %04" PRIx32 " %08" PRIx32 "\n", address, value);
}

static unsigned any_domain(struct script *s)
{
    if (chance(s, 5)) /* idle, or not even there */
        return below(s, s->chip->layout == PC_LAYOUT_NV10 ? 2 : PC_MAX_DOMAINS);
    for (;;) {
        unsigned d = below(s, s->chip->domains);
        if (s->active >> d & 1)
            return d;
    }
}

/* ---- values ---- */

static uint32_t position(struct script *s, unsigned d, enum pc_signal_kind kind, unsigned index)
{
    int at = pc_chip_signal_position(s->chip, d, kind, index);

    return at < 0 ? below(s, PC_MAX_SIGNALS) : (uint32_t)at;
}

static uint32_t signal(struct script *s, unsigned d)
{
    static const enum pc_signal_kind pulses[] = { PC_SIG_PM_TRIGGER, PC_SIG_WRCACHE_FLUSH,
                                                  PC_SIG_PERIODIC, PC_SIG_ZERO };
    uint32_t r = below(s, 100);

    if (r < 40)
        return s->pool[d][below(s, POOL)];
    if (r < 53)
        return position(s, d, PC_SIG_DOM_FLAG, d);
    if (r < 64)
        return position(s, d, PC_SIG_DOM_EVENT, d);
    if (r < 73)
        return position(s, d, PC_SIG_DOM_FLAG, any_domain(s));
    if (r < 82)
        return position(s, d, PC_SIG_DOM_EVENT, any_domain(s));
    if (r < 91)
        return position(s, d, pulses[below(s, 4)], 0);
    if (r < 95)
        return position(s, d, PC_SIG_USER, below(s, s->generation >= RTL_GF100 ? 4 : 2));
    return below(s, PC_MAX_SIGNALS);
}

static uint32_t sources(struct script *s, unsigned d)
{
    uint32_t value = 0;

    if (d >= s->chip->domains)
        return word(s);
    for (unsigned i = 0; i < 4; i++)
        value |= signal(s, d) << 8 * i;
    return value;
}

static uint32_t operation(struct script *s)
{
    static const uint16_t useful[] = { 0xaaaa, 0x5555, 0xffff, 0x0000, 0x8888, 0x2222, 0x0202,
                                       0x4444, 0xeeee, 0x6666, 0xf0f0, 0xff00, 0xcccc, 0xfffe };
    uint32_t op =
        chance(s, 55) ? useful[below(s, sizeof useful / sizeof useful[0])] : word(s) >> 16;

    if (chance(s, 45))
        op |= word(s) & 0x1f0000;
    if (chance(s, 5))
        op |= word(s) & 0xffe00000;
    return op;
}

static uint32_t ctrl_nv10(struct script *s)
{
    uint32_t value = word(s) & 0x307;

    if (chance(s, 50)) /* DOM0_MODE, DOM1_MODE */
        value |= word(s) & 0x50000;
    if (chance(s, 10))
        value |= word(s);
    return value;
}

static uint32_t ctrl_nv40(struct script *s)
{
    uint32_t mode = chance(s, 50) ? 0 : chance(s, 92) ? 1 : s->generation < RTL_G84 ? 2 : 3;
    uint32_t ctr_mode = chance(s, 90) ? below(s, 5) : below(s, 8);
    uint32_t value = mode | ctr_mode << 4 | (word(s) & 0x12900);

    if (chance(s, 40))
        value |= 1u << 21; /* PERIODIC_PERIOD: the shortest */
    if (chance(s, 10)) {
        value |= word(s) & ~3u;
    }
    return value;
}

static uint32_t ctrl_gf100(struct script *s)
{
    static const uint8_t others[] = { 0, 3, 4, 6, 7 };
    uint32_t mode = chance(s, 50) ? 1 : chance(s, 85) ? 2 : others[below(s, 5)];
    uint32_t ctr_mode = chance(s, 70) ? below(s, 5) : below(s, 8);
    uint32_t value = mode | ctr_mode << 3 | (word(s) & 0x1c0);

    if (chance(s, 40))
        value |= 1u << 21; /* PERIODIC_PERIOD: the shortest */
    if (chance(s, 10))
        value |= word(s) & ~7u;
    return value;
}

static uint32_t ctrl(struct script *s)
{
    if (s->chip->layout == PC_LAYOUT_GF100)
        return ctrl_gf100(s);
    return s->chip->layout == PC_LAYOUT_NV10 ? ctrl_nv10(s) : ctrl_nv40(s);
}

/* ---- writes ---- */

/* A register whose write aborts single mode, or with luck does nothing at all. */
static void write_config(struct script *s, unsigned d)
{
    static const enum rtl_reg counter[] = { RTL_CTR_CYCLES, RTL_CTR_EVENT, RTL_CTR_START,
                                            RTL_CTR_CYCLES_HI, RTL_CTR_CYCLES_ALT };
    static const enum rtl_reg small[] = { RTL_CTR_PRE, RTL_CTR_STOP, RTL_THRESHOLD,
                                          RTL_THRESHOLD_HI };
    uint32_t r = below(s, 100);
    enum rtl_reg reg;

    if (r < 30) {
        reg = (enum rtl_reg)(RTL_PRE_SRC + below(s, 6));
        write_reg(s, rtl_address(s->chip, reg, d), sources(s, d));
    } else if (r < 60) {
        reg = (enum rtl_reg)(RTL_START_OP + below(s, 5));
        write_reg(s, rtl_address(s->chip, reg, d), operation(s));
    } else if (r < 75) {
        write_reg(s, rtl_address(s->chip, small[below(s, 4)], d), below(s, chance(s, 80) ? 5 : 40));
    } else if (r < 82) {
        write_reg(s, rtl_address(s->chip, RTL_SPEC_SRC, d), sources(s, d));
    } else if (r < 85) { /* D-45a */
        write_reg(s, rtl_address(s->chip, counter[below(s, 5)], d), word(s));
    } else {
        write_reg(s, rtl_address(s->chip, RTL_CTRL, d), ctrl(s));
    }
}

/* What starts single mode, or swaps; on GF100- single mode has triggers of its own. */
static void write_start(struct script *s, unsigned d)
{
    if (s->chip->layout == PC_LAYOUT_GF100 && chance(s, 80))
        write_reg(s, rtl_address(s->chip, chance(s, 75) ? RTL_SINGLE_BEGIN : RTL_SINGLE_ABORT, d),
                  word(s));
    else
        write_reg(s, rtl_address(s->chip, RTL_PRE_OP, d), operation(s));
}

static void write_ack(struct script *s, unsigned d)
{
    static const uint32_t some[] = { 0x001, 0x100, 0x000 };

    write_reg(s, rtl_address(s->chip, RTL_QUAD_ACK, d),
              chance(s, 60)   ? 0x101
              : chance(s, 75) ? some[below(s, 3)]
                              : word(s));
}

/* Registers that nothing but their masks makes interesting: shared ones, and GF100's unknown. */
static void write_stored(struct script *s, unsigned d)
{
    static const uint16_t shared[] = { 0xa7a0, 0xa7a4 };
    static const uint16_t unknown[] = { 0x074, 0x0c0, 0x0c4, 0x0c8, 0x0cc,
                                        0x0d0, 0x0d4, 0x0d8, 0x0dc, 0x100 };

    if (s->chip->layout == PC_LAYOUT_NV40)
        write_reg(s, shared[below(s, 2)], word(s));
    else if (s->chip->layout == PC_LAYOUT_GF100 && chance(s, 70))
        write_reg(s, 0x200 * d + unknown[below(s, sizeof unknown / sizeof unknown[0])], word(s));
    else if (s->chip->layout == PC_LAYOUT_GF100)
        write_reg(s, 0x8000 + (chance(s, 50) ? 0x18 : 4 * below(s, 8)), word(s) & ~0x10u);
}

/* GF100-: a running counter near its end, or anything but CTRL in the blocks. */
static void write_anywhere_gf100(struct script *s)
{
    uint32_t address = 4 * below(s, s->chip->domains * 0x80);

    if (chance(s, 50))
        write_reg(
            s, rtl_address(s->chip, (enum rtl_reg)(RTL_CYCLES_NEXT + below(s, 6)), any_domain(s)),
            chance(s, 50) ? 0xffffffff - below(s, 40) : word(s));
    else if (chance(s, 10))
        write_reg(s, 0x8000 + 4 * below(s, 8), word(s) & ~0x10u);
    else if (address % 0x200 != rtl_address(s->chip, RTL_CTRL, 0))
        write_reg(s, address, word(s));
}

/* Anywhere in the range; not CTRL, so that no record mode comes about. */
static void write_anywhere(struct script *s)
{
    uint32_t address = 0xa400 + 4 * below(s, 0x140);

    if (s->chip->layout == PC_LAYOUT_GF100)
        write_anywhere_gf100(s);
    else if (address != 0xa73c && (address < 0xa7c0 || address >= 0xa7e0))
        write_reg(s, address, word(s));
}

static void write_user(struct script *s, unsigned d)
{
    write_reg(s, rtl_address(s->chip, RTL_USER_TRIGGER, d),
              below(s, s->generation >= RTL_GF100 ? 256 : 16));
}

static void one_write(struct script *s)
{
    unsigned d = any_domain(s);
    uint32_t r = below(s, 100);

    if (r < 30) {
        write_start(s, d);
    } else if (r < 55) {
        write_config(s, d);
    } else if (r < 75) {
        write_ack(s, d);
    } else if (r < 85) {
        write_user(s, d);
    } else if (r < 90 && s->generation >= RTL_G84) {
        write_reg(s, rtl_gctrl(s->chip), chance(s, 70) ? 0 : word(s));
    } else {
        write_anywhere(s);
    }
}

static uint32_t any_address(struct script *s)
{
    if (s->chip->layout != PC_LAYOUT_GF100)
        return 0xa400 + 4 * below(s, 0x140);
    if (chance(s, 10))
        return 0x8000 + 4 * below(s, 8);
    return 0x200 * below(s, s->chip->domains) + 4 * below(s, 0x44);
}

/* Several writes between two cycles, and what a read says before the next one (D-17a). */
static void writes_in_a_gap(struct script *s)
{
    unsigned d = any_domain(s);

    switch (below(s, 6)) {
    case 0:
        write_start(s, d);
        write_config(s, d);
        break;
    case 1:
        write_config(s, d);
        write_start(s, d);
        break;
    case 2:
        write_ack(s, d);
        write_ack(s, d);
        break;
    case 3:
        write_start(s, d);
        break;
    default:
        for (uint32_t n = 1 + below(s, 4); n > 0; n--)
            one_write(s);
    }
    if (chance(s, 30)) {
        uint32_t address = rtl_address(s->chip, chance(s, 85) ? RTL_CTRL : RTL_RECORD_STATUS, d);
        if (address == 0 || d >= s->chip->domains || chance(s, 35))
            address = any_address(s);
        rtl_add(s->out, "c %04" PRIx32 " 0\n", address);
    }
}

/* All registers of a domain in any order, PRE_OP now and then last. */
static void configure(struct script *s, unsigned d)
{
    for (enum rtl_reg reg = RTL_PRE_SRC; reg <= RTL_CLRFLAG_SRC; reg++)
        write_reg(s, rtl_address(s->chip, reg, d), sources(s, d));
    for (enum rtl_reg reg = RTL_PRE_OP; reg <= RTL_CLRFLAG_OP; reg++)
        write_reg(s, rtl_address(s->chip, reg, d), operation(s));
    write_reg(s, rtl_address(s->chip, RTL_CTR_PRE, d), below(s, 4));
    write_reg(s, rtl_address(s->chip, RTL_CTR_STOP, d), below(s, 4));
    write_reg(s, rtl_address(s->chip, RTL_THRESHOLD, d), below(s, 8));
    if (chance(s, 20))
        write_reg(s, rtl_address(s->chip, RTL_THRESHOLD_HI, d), below(s, 2));
    if (chance(s, 70))
        write_reg(s, rtl_address(s->chip, RTL_SPEC_SRC, d), sources(s, d));
    if (chance(s, 30))
        write_user(s, d);
    if (chance(s, 30))
        write_stored(s, d);
    write_reg(s, rtl_address(s->chip, RTL_CTRL, d), ctrl(s));
    if (chance(s, 80))
        write_start(s, d);
}

/* ---- time ---- */

static void choose_domains(struct script *s, unsigned limit)
{
    unsigned wanted = chance(s, 35) ? 1 : chance(s, 70) ? 2 : 1 + below(s, PC_MAX_DOMAINS);
    bool equal = chance(s, 30);

    if (limit > s->chip->domains)
        limit = s->chip->domains;
    if (wanted > limit)
        wanted = limit;
    while (wanted > 0) {
        unsigned d = below(s, s->chip->domains);
        if (s->active >> d & 1)
            continue;
        s->active |= 1u << d;
        s->period[d] = equal ? 1 : 1 + below(s, 7);
        s->phase[d] = below(s, s->period[d]);
        wanted--;
    }
    for (unsigned d = 0; d < s->chip->domains; d++)
        for (unsigned i = 0; i < POOL; i++) {
            bool inside = chance(s, 85);
            s->pool[d][i] = (uint8_t)below(s, inside ? s->chip->domain[d].size : PC_MAX_SIGNALS);
            s->density[d][i] = (uint8_t)(chance(s, 50) ? 8 : 1 + below(s, 4));
        }
}

static void move_signals(struct script *s, unsigned d)
{
    bool moved = false;
    unsigned top = PC_SIG_WORDS - 1;

    for (unsigned i = 0; i < POOL; i++)
        if (below(s, 16) < s->density[d][i]) {
            s->raw[d][s->pool[d][i] / 64] ^= (uint64_t)1 << s->pool[d][i] % 64;
            moved = true;
        }
    if (!moved)
        return;
    while (top > 0 && s->raw[d][top] == 0)
        top--;
    rtl_add(s->out, "s %u %" PRIx64, d, s->raw[d][top]);
    while (top-- > 0)
        rtl_add(s->out, "%016" PRIx64, s->raw[d][top]);
    rtl_add(s->out, "\n");
}

static uint32_t edges_at(const struct script *s, unsigned time)
{
    uint32_t mask = 0;

    for (unsigned d = 0; d < s->chip->domains; d++)
        if ((s->active >> d & 1) && time % s->period[d] == s->phase[d])
            mask |= 1u << d;
    return mask;
}

static void run(struct script *s, unsigned count)
{
    for (unsigned time = 0; count > 0; time++) {
        uint32_t mask = edges_at(s, time);
        if (mask == 0)
            continue;
        for (unsigned d = 0; d < s->chip->domains; d++)
            if ((mask >> d & 1) && chance(s, 75))
                move_signals(s, d);
        if (chance(s, 12))
            writes_in_a_gap(s);
        if (chance(s, 7))
            rtl_add(s->out, "p %u %u\n", (unsigned)chance(s, 25), chance(s, 60) ? 0 : below(s, 4));
        rtl_add(s->out, "e %02" PRIx32 " 1\n", mask);
        if (--count % 16 == 0)
            rtl_add(s->out, "d %02" PRIx32 "\n", s->active);
    }
}

/* Long stretches of constant inputs: the only way to see PERIODIC, 400h cycles at the least.
 * The second reset comes about when the pulse does. */
static void run_long(struct script *s)
{
    for (unsigned part = 0; part < 2; part++) {
        for (unsigned d = 0; d < s->chip->domains; d++)
            if ((s->active >> d & 1) && part == 0)
                write_reg(s, rtl_address(s->chip, RTL_CTRL, d), (ctrl(s) & ~0xe00000u) | 1u << 21);
        write_reg(s, rtl_gctrl(s->chip), 0x10);
        rtl_add(s->out, "e %02" PRIx32 " %u\n", s->active, 1 + below(s, 3));
        write_reg(s, rtl_gctrl(s->chip), 0);
        rtl_add(s->out, "e %02" PRIx32 " %u\n", s->active, 0x3fe + below(s, 3));
        if (chance(s, 50))
            write_reg(s, rtl_gctrl(s->chip), 0x10);
        rtl_add(s->out, "e %02" PRIx32 " 1\n", s->active);
        write_reg(s, rtl_gctrl(s->chip), 0);
        run(s, 6);
    }
}

void rtl_generate(struct rtl_text *out, const struct pc_chip *chip, struct test_rng *rng,
                  unsigned number)
{
    struct script s = { .chip = chip, .generation = rtl_generation(chip), .rng = rng, .out = out };

    bool long_run = s.generation >= RTL_G84 && number % 125 == 7;

    choose_domains(&s, long_run ? 2 : PC_MAX_DOMAINS);
    rtl_add(out, "m %u\nx\n", number);
    if (chance(&s, 20)) /* some cycles on power-up values */
        run(&s, 3);
    for (unsigned d = 0; d < chip->domains; d++)
        if (s.active >> d & 1)
            configure(&s, d);
    if (long_run)
        run_long(&s);
    else
        run(&s, 25 + below(&s, 40));
    rtl_add(out, "d %02" PRIx32 "\na %02" PRIx32 "\n%s", s.active, s.active,
            number % 8 == 0 ? "r\n" : "");
}
