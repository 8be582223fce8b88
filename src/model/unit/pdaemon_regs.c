/* SPDX-License-Identifier: MIT */
/*
 * Registers of the PDAEMON idle counters, in both address spaces: BAR0, and I[] of PDAEMON's own
 * processor (clauses PD.*, docs/hardware/clauses-pdaemon.md; D-14).
 *
 *   BAR0      I[] before GF119   I[] GF119+
 *   10a500    14000              500          COUNTER_SIGNALS   31:0 1 = idle
 *   10a504    14100              504          COUNTER_MASK[i]
 *   10a508    14200              508          COUNTER_COUNT[i]  30:0 count, 31 CLEAR_TRIGGER
 *   10a50c    14300              50c          COUNTER_MODE[i]   1:0 mode, 2 FILTER [GF119-]
 *   10a5c8    17200              5c8          live "all idle" terms of counters 3..0 in bits 1..4
 *   +i*10     +i*400             +i*10
 *
 * Bit 0 of 5c8 shows PTIMER and reads 0 here: U-025.
 */
#include "model/unit/pdaemon.h"

#define CLEAR_TRIGGER UINT32_C(0x80000000)
#define HOST_BASE     UINT32_C(0x10a000)
#define HOST_FIRST    UINT32_C(0x500)
#define HOST_TERMS    UINT32_C(0x5c8)
#define IO_FIRST      UINT32_C(0x14000)
#define IO_TERMS      UINT32_C(0x17200)

/* SIGNALS to MODE in the order of their addresses */
enum place { SIGNALS, MASK, COUNT, MODE, TERMS, NOWHERE };

struct at {
    enum place place;
    unsigned i; /* of the counter */
};

/* Returns the register in group i at this place: COUNTER_SIGNALS is in the first one alone. */
static struct at in_group(const struct pc_chip *chip, uint32_t i, uint32_t place)
{
    const struct at none = { NOWHERE, 0 };

    if (i >= chip->idle_counters || (place == SIGNALS && i != 0))
        return none;
    return (struct at){ (enum place)place, i };
}

/* Returns true where I[] is as the host has it. */
static bool as_host(const struct pc_chip *chip, enum pc_idle_space space)
{
    return space == PC_IDLE_HOST || pc_idle_is_gf119(chip);
}

/*
 * The host's addresses (PD.ADDR.1, PD.ADDR.2), whose stride is 10h, and those of I[] (PD.ADDR.3,
 * PD.ADDR.4), where COUNT is at I[14200 + 400h*i] (D-14).  A counter has three registers
 * (PD.NUMBER.2), and the chip that many counters (PD.NUMBER.1).
 */
static struct at idle_register_at(const struct pc_chip *chip, enum pc_idle_space space,
                                  uint32_t address)
{
    const struct at none = { NOWHERE, 0 }, terms = { TERMS, 0 };
    const uint32_t offset = space == PC_IDLE_HOST ? address - HOST_BASE : address;

    if (offset % 4 != 0 || chip->idle_counters == 0)
        return none;
    if (as_host(chip, space)) {
        const uint32_t beyond = offset - HOST_FIRST;
        if (offset == HOST_TERMS)
            return terms;
        return offset < HOST_FIRST ? none : in_group(chip, beyond / 0x10, beyond % 0x10 / 4);
    }
    const uint32_t beyond = offset - IO_FIRST;
    if (offset == IO_TERMS)
        return terms;
    if (offset < IO_FIRST || beyond % 0x100 != 0)
        return none;
    return in_group(chip, beyond / 0x400, beyond / 0x100 % 4);
}

bool pc_idle_address(const struct pc_chip *chip, enum pc_idle_space space, uint32_t address,
                     uint32_t *other)
{
    const struct at at = idle_register_at(chip, space, address);
    const enum pc_idle_space to = space == PC_IDLE_HOST ? PC_IDLE_IO : PC_IDLE_HOST;
    const uint32_t base = to == PC_IDLE_HOST ? HOST_BASE : 0;

    if (at.place == NOWHERE)
        return false;
    if (!as_host(chip, to))
        *other =
            at.place == TERMS ? IO_TERMS : IO_FIRST + 0x400 * at.i + 0x100 * (uint32_t)at.place;
    else
        *other = base + (at.place == TERMS ? HOST_TERMS
                                           : HOST_FIRST + 0x10 * at.i + 4 * (uint32_t)at.place);
    return true;
}

/* A mask keeps all bits (PD.MASK.1), a mode those that it has (PD.MODE.6), a count only bit 31,
 * which clears it (PD.CLEAR.1, PD.CLEAR.2), and the signals none (PD.SIGNALS.2). */
bool pc_idle_write(struct pc_idle *idle, enum pc_idle_space space, uint32_t address, uint32_t value)
{
    const struct at at = idle_register_at(idle->chip, space, address);
    const unsigned i = at.i;

    switch (at.place) {
    case MASK:
        idle->s.mask[i] = value;
        return true;
    case COUNT:
        if (value & CLEAR_TRIGGER)
            idle->s.clear |= UINT32_C(1) << i;
        return true;
    case MODE:
        idle->s.mode[i] = value & pc_idle_mode_bits(idle);
        return true;
    case SIGNALS:
    case TERMS:
        return true; /* read-only */
    case NOWHERE:
        break;
    }
    return false;
}

/* Returns the live terms: counter 0 in bit 4 down to counter 3 in bit 1. PD.TERMS.1. */
static uint32_t terms(const struct pc_idle *idle)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < 4; i++)
        if ((idle->s.signals & idle->s.mask[i]) == idle->s.mask[i])
            word |= UINT32_C(1) << (4 - i);
    return word;
}

/* The running count (PD.COUNT.2), and the wires as the last clock saw them (PD.SIGNALS.1). */
bool pc_idle_read(const struct pc_idle *idle, enum pc_idle_space space, uint32_t address,
                  uint32_t *value)
{
    const struct at at = idle_register_at(idle->chip, space, address);
    const unsigned i = at.i;

    *value = 0;
    switch (at.place) {
    case SIGNALS:
        *value = idle->s.signals;
        return true;
    case MASK:
        *value = idle->s.mask[i];
        return true;
    case COUNT:
        *value = idle->s.count[i]; /* bit 31 reads 0 */
        return true;
    case MODE:
        *value = idle->s.mode[i];
        return true;
    case TERMS:
        *value = terms(idle);
        return true;
    case NOWHERE:
        break;
    }
    return false;
}
