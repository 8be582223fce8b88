/* SPDX-License-Identifier: MIT */
/*
 * Accesses of BAR0: each faults, and what the instruction wants is done to the card.  Plain ones
 * are done here and in update.c, those of many places in gather.c, all others in step.c.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "decode.h"
#include "registers.h"

enum { WRITE_FAULT = 2, FETCH_FAULT = 0x10 };

/* Ends the program: an instruction cannot be done right. */
static void refuse(const struct insn *x, const ucontext_t *c, const char *why)
    __attribute__((noreturn));
static void refuse(const struct insn *x, const ucontext_t *c, const char *why)
{
    char text[160];

    snprintf(text, sizeof text, "%s at 0x%llx: %s",
             x ? ZydisMnemonicGetString(x->i.mnemonic) : "an instruction",
             (unsigned long long)reg_get(c, REG_RIP), why);
    card_give_up(text);
}

/* ---- what may be accessed ---- */

/* Returns the first byte of the range that is not mapped for that, or its end. */
static uint64_t reach(uint64_t from, size_t size, bool write, uint64_t *address)
{
    const struct card_map *map;
    uint64_t at = from;

    while (at < from + size && (map = card_map_find(at)) &&
           map->protection & (write ? PROT_WRITE : PROT_READ)) {
        const uint64_t there = map->offset + (at - map->from);
        if (at == from)
            *address = there;
        else if (there != *address + (at - from))
            break;
        if (write && !map->shared)
            card_give_up("a private mapping of BAR0 (MAP_PRIVATE) is written: this is not "
                         "supported; map it with MAP_SHARED");
        at = map->to;
    }
    return at < from + size ? at : from + size;
}

bool card_may(uint64_t from, size_t size, bool write, uint64_t *address)
{
    return reach(from, size, write, address) == from + size;
}

bool card_exchange(uint64_t from, size_t size, bool write, uint8_t *bytes)
{
    uint64_t address;

    if (!card_may(from, size, write, &address))
        return false;
    if (write)
        card_write(address, (unsigned)size, bytes);
    else
        card_read(address, (unsigned)size, bytes);
    return true;
}

/* ---- moves ---- */

static uint64_t extend(uint64_t value, unsigned size, bool sign)
{
    const unsigned bits = 8 * size;

    if (!sign || size >= 8 || !(value >> (bits - 1) & 1))
        return value;
    return value | UINT64_MAX << bits;
}

/*
 * Finds the instruction there, if it is a plain one; NULL: it is not. A loop has the same ones
 * again and again: they are remembered by their place and their bytes.
 */
static const struct decoded *find_plain(const uint8_t *code)
{
    enum { KNOWN = 64, BYTES = 15 };
    static struct known {
        const uint8_t *code;
        uint8_t bytes[BYTES];
        bool plain;
        struct decoded d;
    } known[KNOWN];
    struct known *k = &known[(uintptr_t)code % KNOWN];

    if (k->code != code || memcmp(k->bytes, code, k->d.length) != 0) {
        k->plain = decode(code, &k->d);
        memcpy(k->bytes, code, k->d.length);
        k->code = k->d.length ? code : NULL;
    }
    return k->plain ? &k->d : NULL;
}

static void move(ucontext_t *c, const struct decoded *d, uint64_t address)
{
    uint8_t bytes[8] = { 0 };
    uint64_t value = 0;

    if (d->kind == DECODED_LOAD) {
        card_read(address, d->size, bytes);
        memcpy(&value, bytes, sizeof value);
        reg_set(c, d->reg, d->reg_size, d->high, extend(value, d->size, d->sign));
    } else {
        value = d->reg < 0 ? d->immediate : reg_get(c, d->reg) >> (d->high ? 8 : 0);
        memcpy(bytes, &value, sizeof bytes);
        card_write(address, d->size, bytes);
    }
}

/* ---- faults ---- */

struct fault {
    siginfo_t *info;
    ucontext_t *c;
    bool card;       /* it was an access of the card, and is done */
    uint64_t beyond; /* ... which goes on where it must not: there; 0: no */
};

static uint64_t operand_address(const struct decoded *d, const ucontext_t *c)
{
    return (d->base >= 0 ? reg_get(c, d->base) : 0) +
           (d->index >= 0 ? reg_get(c, d->index) * d->scale : 0) + (uint64_t)d->add;
}

static bool is_write(const struct decoded *d)
{
    static const bool writes[OPS] = {
        [OP_ADD] = true,     [OP_ADC] = true,       [OP_SUB] = true,  [OP_SBB] = true,
        [OP_AND] = true,     [OP_OR] = true,        [OP_XOR] = true,  [OP_INC] = true,
        [OP_DEC] = true,     [OP_NEG] = true,       [OP_NOT] = true,  [OP_BTS] = true,
        [OP_BTR] = true,     [OP_BTC] = true,       [OP_XCHG] = true, [OP_XADD] = true,
        [OP_CMPXCHG] = true, [OP_CMPXCHG8B] = true,
    };

    return d->kind == DECODED_STORE || (d->kind == DECODED_UPDATE && d->to_memory && writes[d->op]);
}

static void do_plain(struct fault *f, const struct decoded *d, uint64_t at)
{
    uint64_t address = 0;

    if (d->addressed && operand_address(d, f->c) != at)
        refuse(NULL, f->c, "its operand is partly in BAR0 and partly before it");
    const uint64_t end = reach(at, d->size, is_write(d), &address);
    if (end != at + d->size) {
        f->beyond = end;
        return;
    }
    if (d->kind == DECODED_UPDATE)
        card_update(f->c, d, address);
    else
        move(f->c, d, address);
    reg_add(f->c, REG_RIP, d->length);
}

static void do_other(ucontext_t *c, const void *code, uint64_t at)
{
    const bool second = card_is_stepping(); /* the first operand is also in BAR0 */
    struct insn x;

    card_step_undo(c);
    if (!insn_read(code, &x))
        refuse(NULL, c, "it accesses BAR0 and is not known");
    if (card_gather(&x, c, at) || card_move_string(&x, c))
        return;
    if (second)
        refuse(&x, c, "both of its operands are in BAR0");
    if (!card_step_begin(&x, c, at))
        refuse(&x, c, "it accesses BAR0 in a way that is not known here");
}

static void do_fault(void *ctx)
{
    struct fault *f = ctx;
    const uint64_t at = (uint64_t)(uintptr_t)f->info->si_addr;
    const void *code = (const void *)(uintptr_t)reg_get(f->c, REG_RIP);
    const uint64_t error = reg_get(f->c, REG_ERR);
    const struct card_map *map = card_map_find(at);

    f->card = map && map->protection & (error & WRITE_FAULT ? PROT_WRITE : PROT_READ);
    if (!f->card)
        return;
    if (error & FETCH_FAULT)
        card_give_up("the program runs code in BAR0, which holds none");
    const struct decoded *d = card_is_stepping() ? NULL : find_plain(code);
    if (d)
        do_plain(f, d, at);
    else
        do_other(f->c, code, at);
}

static void do_trap(void *ctx)
{
    card_step_end(ctx);
}

/* An access that would go beyond the mapping: the program gets the signal that it would get. */
static void pass_beyond(struct fault *f)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_signo = SIGSEGV;
    info.si_code = SEGV_MAPERR;
    info.si_addr = (void *)(uintptr_t)f->beyond;
    card_signal_pass(SIGSEGV, &info, f->c);
}

/* Returns true if it can be an access of BAR0. A fault by a key (pkey_mprotect) is the program's
 * own. */
static bool is_access(int number, const siginfo_t *info)
{
    if (number == SIGSEGV)
        return (info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR) &&
               card_may_be_mapped(info->si_addr);
    return number == SIGBUS && info->si_code > 0;
}

void card_on_signal(int number, siginfo_t *info, void *context)
{
    struct fault f = { .info = info, .c = context };
    const int error = errno;

    if (is_access(number, info))
        card_on_own_stack(do_fault, &f);
    if (f.card && f.beyond)
        pass_beyond(&f);
    if (number == SIGTRAP && info->si_code > 0 && card_is_stepping()) {
        card_on_own_stack(do_trap, context);
    } else if (!f.card) {
        card_step_undo(context);
        card_signal_pass(number, info, context);
    }
    errno = error;
}
