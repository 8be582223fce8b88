/* SPDX-License-Identifier: MIT */
/*
 * Instructions that compute with a value of the card: what the processor would make of it, and of
 * the flags.  Those that are locked have the card for themselves from their read to their write.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <string.h>

#include "decode.h"
#include "registers.h"

enum {
    CARRY = 0x1,
    PARITY = 0x4,
    ADJUST = 0x10,
    ZERO = 0x40,
    SIGN = 0x80,
    OVERFLOWS = 0x800,
    ALL = CARRY | PARITY | ADJUST | ZERO | SIGN | OVERFLOWS
};

struct sum {
    uint64_t value;
    unsigned flags;
};

static uint64_t ones(unsigned size)
{
    return UINT64_MAX >> (64 - 8 * size);
}

static unsigned flag(uint64_t word, unsigned bit, unsigned flag_if)
{
    return word >> bit & 1 ? flag_if : 0;
}

/* Returns the flags of every result. */
static unsigned common_flags(uint64_t value, unsigned size)
{
    const unsigned parity = __builtin_parity((unsigned)value & 0xff) ? 0 : PARITY;

    return parity | (value ? 0 : ZERO) | flag(value, 8 * size - 1, SIGN);
}

static struct sum add(uint64_t a, uint64_t b, unsigned carry, unsigned size)
{
    const unsigned top = 8 * size - 1;
    const uint64_t value = (a + b + carry) & ones(size);

    return (struct sum){ value, common_flags(value, size) |
                                    flag((a & b) | ((a | b) & ~value), top, CARRY) |
                                    flag((a ^ value) & (b ^ value), top, OVERFLOWS) |
                                    flag(a ^ b ^ value, 4, ADJUST) };
}

static struct sum subtract(uint64_t a, uint64_t b, unsigned borrow, unsigned size)
{
    const unsigned top = 8 * size - 1;
    const uint64_t value = (a - b - borrow) & ones(size);

    return (struct sum){ value, common_flags(value, size) |
                                    flag((~a & b) | ((~a | b) & value), top, CARRY) |
                                    flag((a ^ b) & (a ^ value), top, OVERFLOWS) |
                                    flag(a ^ b ^ value, 4, ADJUST) };
}

static struct sum logic(uint64_t value, unsigned size)
{
    return (struct sum){ value, common_flags(value, size) };
}

static struct sum bit(enum decoded_op op, uint64_t a, uint64_t number, unsigned flags,
                      unsigned size)
{
    const uint64_t one = UINT64_C(1) << number % (8 * size);
    const uint64_t value = op == OP_BTS   ? a | one
                           : op == OP_BTR ? a & ~one
                           : op == OP_BTC ? a ^ one
                                          : a;

    return (struct sum){ value, (flags & ~(unsigned)CARRY) | (a & one ? CARRY : 0) };
}

/* Combines a, where the result goes, and b as the instruction does. */
static struct sum result_of(enum decoded_op op, uint64_t a, uint64_t b, unsigned flags,
                            unsigned size)
{
    struct sum sum;

    switch (op) {
    case OP_ADD:
    case OP_XADD:
        return add(a, b, 0, size);
    case OP_ADC:
        return add(a, b, flags & CARRY, size);
    case OP_SUB:
    case OP_CMP:
        return subtract(a, b, 0, size);
    case OP_SBB:
        return subtract(a, b, flags & CARRY, size);
    case OP_AND:
    case OP_TEST:
        return logic(a & b, size);
    case OP_OR:
        return logic(a | b, size);
    case OP_XOR:
        return logic(a ^ b, size);
    case OP_INC:
    case OP_DEC:
        sum = op == OP_INC ? add(a, 1, 0, size) : subtract(a, 1, 0, size);
        sum.flags = (sum.flags & ~(unsigned)CARRY) | (flags & CARRY);
        return sum;
    case OP_NEG:
        return subtract(0, a, 0, size);
    case OP_NOT:
        return (struct sum){ ~a & ones(size), flags };
    case OP_BT:
    case OP_BTS:
    case OP_BTR:
    case OP_BTC:
        return bit(op, a, b, flags, size);
    default: /* xchg */
        return (struct sum){ b, flags };
    }
}

static uint64_t read_card(uint64_t address, unsigned size)
{
    uint8_t bytes[8] = { 0 };
    uint64_t value;

    card_read(address, size, bytes);
    memcpy(&value, bytes, sizeof value);
    return value;
}

static void write_card(uint64_t address, unsigned size, uint64_t value)
{
    uint8_t bytes[8];

    memcpy(bytes, &value, sizeof bytes);
    card_write(address, size, bytes);
}

static void set_flags(ucontext_t *c, unsigned flags)
{
    const uint64_t old = reg_get(c, REG_EFL);

    c->uc_mcontext.gregs[REG_EFL] = (greg_t)((old & ~(uint64_t)ALL) | (flags & ALL));
}

/* Compares the memory with the accumulator, which gets its value if it differs. */
static void compare_exchange(ucontext_t *c, const struct decoded *d, uint64_t address, uint64_t reg)
{
    const uint64_t have = read_card(address, d->size);
    const uint64_t want = reg_get(c, REG_RAX) & ones(d->size);
    const bool same = have == want;

    write_card(address, d->size, same ? reg : have);
    if (!same)
        reg_set(c, REG_RAX, d->size, false, have);
    set_flags(c, subtract(want, have, 0, d->size).flags);
}

/* Does the same with 8 or 16 bytes, in two registers. */
static void compare_exchange_two(ucontext_t *c, unsigned size, uint64_t address)
{
    const unsigned half = size / 2;
    uint8_t have[16], want[16], put[16];
    uint64_t value = 0;

    for (unsigned i = 0; i < 2; i++) {
        memcpy(want + half * i, &c->uc_mcontext.gregs[i ? REG_RDX : REG_RAX], half);
        memcpy(put + half * i, &c->uc_mcontext.gregs[i ? REG_RCX : REG_RBX], half);
    }
    card_read(address, size, have);
    const bool same = memcmp(have, want, size) == 0;
    card_write(address, size, same ? put : have);
    for (unsigned i = 0; i < 2 && !same; i++) {
        memcpy(&value, have + half * i, half);
        reg_set(c, i ? REG_RDX : REG_RAX, half, false, value);
    }
    set_flags(c, ((unsigned)reg_get(c, REG_EFL) & ALL & ~(unsigned)ZERO) | (same ? ZERO : 0));
}

static void update(ucontext_t *c, const struct decoded *d, uint64_t address)
{
    const unsigned flags = (unsigned)reg_get(c, REG_EFL);
    uint64_t other = d->reg >= 0 ? reg_get(c, d->reg) >> (d->high ? 8 : 0) : d->immediate;

    other &= ones(d->size > 8 ? 8 : d->size);
    if (d->op == OP_CMPXCHG8B) {
        compare_exchange_two(c, d->size, address);
        return;
    }
    if (d->op == OP_CMPXCHG) {
        compare_exchange(c, d, address, other);
        return;
    }
    const uint64_t have = read_card(address, d->size);
    const struct sum sum = d->to_memory ? result_of(d->op, have, other, flags, d->size)
                                        : result_of(d->op, other, have, flags, d->size);
    const bool only_flags = d->op == OP_CMP || d->op == OP_TEST || d->op == OP_BT;
    if (d->to_memory && !only_flags)
        write_card(address, d->size, sum.value);
    else if (!only_flags)
        reg_set(c, d->reg, d->reg_size, d->high, sum.value);
    if (d->op == OP_XCHG || d->op == OP_XADD)
        reg_set(c, d->reg, d->reg_size, d->high, have);
    set_flags(c, sum.flags);
}

void card_update(ucontext_t *c, const struct decoded *d, uint64_t address)
{
    if (d->lock)
        card_hold();
    update(c, d, address);
    if (d->lock)
        card_release();
}
