/* SPDX-License-Identifier: MIT */
/*
 * Plays a stimulus on the library through its public interface and writes the log that the
 * test bench writes for the Verilog.
 */
#include "rtl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DIGEST_WORDS = 8 };

struct player {
    const struct pc_chip *chip;
    struct pc_unit *unit;
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    uint64_t digest[PC_MAX_DOMAINS][DIGEST_WORDS];
    uint64_t instants;
    struct rtl_text *log;
};

/* Where the library has what the stimulus calls `address`. */
static uint32_t mmio(const struct player *p, uint32_t address)
{
    bool set = address >= 0x8000;

    if (p->chip->layout != PC_LAYOUT_GF100)
        return address;
    if (rtl_set(p->chip) == PC_SET_HUB)
        return set ? 0x1be000 + address % 0x8000 : 0x1b0000 + address;
    return set ? 0x1b8000 + address % 0x8000 : 0x180000 + address;
}

static uint32_t read_at(const struct player *p, uint32_t address)
{
    return pc_unit_read(p->unit, mmio(p, address));
}

static uint32_t reg(const struct player *p, enum rtl_reg r, unsigned d)
{
    uint32_t address = rtl_address(p->chip, r, d);

    return address == 0 ? 0 : read_at(p, address);
}

static uint64_t wide(const struct player *p, enum rtl_reg low, enum rtl_reg high, unsigned d)
{
    return reg(p, low, d) | (uint64_t)reg(p, high, d) << 32;
}

/* SINGLE_STATE << 18 | QUAD_STATE << 16 | SRC_STATUS */
static uint64_t states(const struct player *p, unsigned d)
{
    uint32_t ctrl = reg(p, RTL_CTRL, d);

    if (p->chip->layout == PC_LAYOUT_NV10)
        return (ctrl >> (3 + 2 * d) & 3) << 18 | (ctrl >> (24 + 2 * d) & 3) << 16;
    return (ctrl >> 28 & 3) << 18 | (ctrl >> 24 & 3) << 16 | (reg(p, RTL_SRC_STATUS, d) & 0xffff);
}

/* The stored fields of CTRL, NV10's moved to where NV40 has them. */
static uint32_t ctrl_stored(const struct player *p, unsigned d, uint32_t ctrl)
{
    if (p->chip->layout != PC_LAYOUT_NV10)
        return ctrl & ~0x33000000u;
    return (ctrl >> (16 + 2 * d) & 1) | (ctrl >> 2 & 1) << 4 | (ctrl >> (8 + d) & 1) << 8;
}

/* SIG_STATUS[i]: NV10 splits it in two, and domain 1 has no 6 and 7 (D-04). */
static uint32_t sig_status(const struct player *p, unsigned d, unsigned i)
{
    uint32_t base = rtl_address(p->chip, RTL_SIG_STATUS, d);

    if (p->chip->layout != PC_LAYOUT_NV10)
        return read_at(p, base + 4 * i);
    if (d == 1 && i >= 6)
        return 0;
    return read_at(p, base + 0x200 * (i / 4) + 4 * (i % 4));
}

static uint64_t swapped(uint32_t value)
{
    return value << 16 | value >> 16;
}

/* GF100-: the running counters are visible, too; mixed as in pcounter_tb.v. */
static void add_running(const struct player *p, unsigned d, uint64_t *seen)
{
    seen[0] ^= (uint64_t)reg(p, RTL_START_NEXT, d) << 8;
    seen[1] |= (uint64_t)reg(p, RTL_EVENT_NEXT, d) << 32;
    seen[2] |= (uint64_t)reg(p, RTL_CYCLES_NEXT, d) << 32;
    seen[3] ^= swapped(reg(p, RTL_PRE_NEXT, d)) | swapped(reg(p, RTL_STOP_NEXT, d)) << 32;
}

/* The running sum of pcounter_tb.v: rotate 512 bits by 7, add what is visible. */
static void digest_cycle(struct player *p, unsigned d)
{
    uint64_t seen[DIGEST_WORDS] = {
        wide(p, RTL_CTR_START, RTL_CTR_START_HI, d) | states(p, d) << 40,
        wide(p, RTL_CTR_EVENT, RTL_CTR_EVENT_HI, d),
        wide(p, RTL_CTR_CYCLES, RTL_CTR_CYCLES_HI, d),
        wide(p, RTL_CTR_PRE, RTL_CTR_STOP, d),
    };
    uint64_t *digest = p->digest[d], top = digest[DIGEST_WORDS - 1] >> 57, carry = 0;

    if (p->chip->layout == PC_LAYOUT_GF100)
        add_running(p, d, seen);
    for (unsigned i = 0; i < 8; i++)
        seen[4 + i / 2] |= (uint64_t)sig_status(p, d, i) << i % 2 * 32;
    for (unsigned i = 0; i < DIGEST_WORDS; i++) {
        uint64_t rotated = digest[i] << 7 | top;
        top = digest[i] >> 57;
        digest[i] = rotated + seen[i] + carry;
        carry = carry ? digest[i] <= rotated : digest[i] < rotated;
    }
}

static uint32_t fold(const uint64_t *digest)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < DIGEST_WORDS; i++)
        all ^= digest[i];
    return (uint32_t)(all >> 32 ^ all);
}

/* The registers that keep what is written, mixed as in pcounter_tb.v. */
static uint32_t stored(const struct player *p, unsigned d)
{
    static const enum rtl_reg order[] = {
        RTL_PRE_SRC,     RTL_START_SRC,   RTL_EVENT_SRC,    RTL_STOP_SRC,     RTL_SETFLAG_SRC,
        RTL_CLRFLAG_SRC, RTL_PRE_OP,      RTL_START_OP,     RTL_EVENT_OP,     RTL_STOP_OP,
        RTL_SETFLAG_OP,  RTL_CLRFLAG_OP,  RTL_SPEC_SRC,     RTL_THRESHOLD,    RTL_THRESHOLD_HI,
        RTL_CTRL,        RTL_RECORD_HIGH, RTL_RECORD_LIMIT, RTL_RECORD_START, RTL_RECORD_STATUS,
    };
    static const enum rtl_reg last_gf100[] = { RTL_CYCLES_NEXT_HIGH, RTL_UNK74, RTL_FILTER,
                                               RTL_UNKD8 };
    bool gf100 = p->chip->layout == PC_LAYOUT_GF100;
    uint32_t all = 0;

    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++) {
        uint32_t value = reg(p, gf100 && i >= 16 ? last_gf100[i - 16] : order[i], d);
        if (order[i] == RTL_CTRL)
            value = ctrl_stored(p, d, value);
        all = (all << 5 | all >> 27) + value;
    }
    return all;
}

static void log_digest(struct player *p, char letter, uint32_t mask)
{
    uint32_t all = 0;

    for (unsigned d = 0; d < p->chip->domains; d++)
        if (mask >> d & 1)
            all = (all << 3 | all >> 29) + (letter == 'a' ? stored(p, d) : fold(p->digest[d]));
    rtl_add(p->log, "%c %08" PRIx32 "\n", letter, all);
}

static void log_range(struct player *p, uint32_t first, uint32_t past)
{
    for (uint32_t a = first; a < past; a += 4) {
        uint32_t value = read_at(p, a);
        if (value != 0)
            rtl_add(p->log, "r %04" PRIx32 " %08" PRIx32 "\n", a, value);
    }
}

static void log_all(struct player *p)
{
    if (p->chip->layout != PC_LAYOUT_GF100) {
        log_range(p, 0xa400, 0xa900);
        return;
    }
    for (unsigned d = 0; d < p->chip->domains; d++)
        log_range(p, 0x200 * d, 0x200 * d + 0x110);
    log_range(p, 0x8000, 0x8020);
}

static void power_up(struct player *p)
{
    pc_unit_reset(p->unit);
    memset(p->raw, 0, sizeof p->raw);
    memset(p->digest, 0, sizeof p->digest);
}

static void set_raw(struct player *p, unsigned d, const char *hex)
{
    size_t digits = strspn(hex, "0123456789abcdef");

    if (d >= PC_MAX_DOMAINS || digits == 0 || digits > 64)
        rtl_die("a line of the stimulus is malformed: s %u %s", d, hex);
    memset(p->raw[d], 0, sizeof p->raw[d]);
    for (size_t i = 0; i < digits; i++) {
        char one[2] = { hex[digits - 1 - i], '\0' };
        p->raw[d][i / 16] |= (uint64_t)strtoul(one, NULL, 16) << (i % 16 * 4);
    }
}

static void instants(struct player *p, uint32_t mask, uint32_t count)
{
    p->instants += count;
    for (uint32_t i = 0; i < count; i++) {
        pc_unit_step(p->unit, mask, (const uint64_t(*)[PC_SIG_WORDS])p->raw);
        for (unsigned d = 0; d < p->chip->domains; d++)
            if (mask >> d & 1)
                digest_cycle(p, d);
    }
}

static void command(struct player *p, const char *line)
{
    char *rest;
    uint32_t first = (uint32_t)strtoul(line + 1, &rest, *line == 's' || *line == 'm' ? 10 : 16);
    uint32_t second = (uint32_t)strtoul(rest, NULL, *line == 'e' || *line == 'p' ? 10 : 16);

    switch (*line) {
    case 'm':
        rtl_add(p->log, "m %" PRIu32 "\n", first);
        break;
    case 'x':
        power_up(p);
        break;
    case 'w':
        pc_unit_write(p->unit, mmio(p, first), second);
        break;
    case 's':
        set_raw(p, first, rest + strspn(rest, " "));
        break;
    case 'e':
        instants(p, first, second);
        break;
    case 'p':
        pc_unit_pulse(p->unit, first == 0 ? PC_PULSE_PM_TRIGGER : PC_PULSE_WRCACHE_FLUSH, second);
        break;
    case 'c':
        rtl_add(p->log, "c %04" PRIx32 " %08" PRIx32 "\n", first, read_at(p, first));
        break;
    case 'd':
    case 'a':
        log_digest(p, *line, first);
        break;
    case 'r':
        log_all(p);
        break;
    default:
        rtl_die("a line of the stimulus is unknown: %.40s", line);
    }
}

uint64_t rtl_play(const struct pc_chip *chip, const char *stimulus, struct rtl_text *log)
{
    struct player p = { .chip = chip, .log = log };
    struct pc_error err = { 0 };
    struct pc_unit_desc desc = { .chip = pc_chip_find(chip->name), .set = rtl_set(chip) };

    if (pc_unit_create(&desc, &p.unit, &err) != PC_OK)
        rtl_die("%s: no unit: %s", chip->name, err.text);
    rtl_add_bytes(log, "", 0);
    while (*stimulus) {
        if (*stimulus != '\n')
            command(&p, stimulus);
        stimulus += strcspn(stimulus, "\n");
        stimulus += *stimulus == '\n';
    }
    pc_unit_destroy(p.unit);
    return p.instants;
}
