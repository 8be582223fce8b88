/* SPDX-License-Identifier: MIT */
/*
 * An instruction that is no plain one: one register of its memory operand is changed so that it
 * looks at a copy, with what the card has there, and it is executed alone (the trap flag).  Then
 * what it has written goes to the card, and the register is put back.  Nothing is opened for other
 * threads.  Bytes that a mask leaves out are neither read nor written.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <signal.h>
#include <string.h>

#include "decode.h"
#include "registers.h"

enum { TRAP_FLAG = 0x100, ROOM = 192, START = 64 };

/* The state of this thread while it steps. */
static __thread struct {
    bool active;
    struct decoded_memory memory;
    uint64_t address; /* of the card */
    uint64_t delta;   /* what was added to the register */
    uint64_t moved;   /* ... which made it this */
    uint64_t mask;    /* signals wait meanwhile */
    _Alignas(64) uint8_t room[ROOM];
} step;

/* Copies, aligned as the operand is: some instructions ask for it. */
static uint8_t *copy(void)
{
    return step.room + START + step.memory.address % 64;
}

/* Exchanges each row of bytes that are accessed: reads them, or writes them. */
static void exchange(bool write)
{
    const uint64_t touched = step.memory.touched;

    for (unsigned from = 0, to; from < step.memory.size; from = to + 1) {
        for (to = from; to < step.memory.size && touched >> to & 1; to++)
            ;
        if (to > from && write)
            card_write(step.address + from, to - from, copy() + from);
        else if (to > from)
            card_read(step.address + from, to - from, copy() + from);
    }
}

/* Returns true if all bytes that are accessed are within BAR0. */
static bool find_place(void)
{
    const uint64_t touched = step.memory.touched;

    if (!touched) /* the processor looks at the page all the same */
        return true;
    const unsigned first = (unsigned)__builtin_ctzll(touched);
    const unsigned last = 63 - (unsigned)__builtin_clzll(touched);
    if (!card_may(step.memory.address + first, last + 1 - first, step.memory.writes, &step.address))
        return false;
    step.address -= first;
    return true;
}

bool card_step_begin(const struct insn *x, ucontext_t *c, uint64_t at)
{
    if (step.active || !decode_memory(x, at, c, &step.memory) || !find_place() ||
        step.memory.address % 64 + step.memory.size > ROOM - START)
        return false;
    memset(step.room, 0, sizeof step.room);
    if (step.memory.reads)
        exchange(false);
    step.delta = (uint64_t)(uintptr_t)copy() - step.memory.address;
    step.moved = reg_get(c, step.memory.reg) + step.delta;
    reg_add(c, step.memory.reg, step.delta);
    c->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    /* The kernel has 64 of them there; then come the details of the signal. */
    const uint64_t all = ~(UINT64_C(1) << (SIGBUS - 1) | UINT64_C(1) << (SIGTRAP - 1) |
                           UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGFPE - 1));
    memcpy(&step.mask, &c->uc_sigmask, sizeof step.mask);
    memcpy(&c->uc_sigmask, &all, sizeof all);
    step.active = true;
    return true;
}

static void leave(ucontext_t *c)
{
    step.active = false;
    c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    memcpy(&c->uc_sigmask, &step.mask, sizeof step.mask);
}

bool card_is_stepping(void)
{
    return step.active;
}

void card_step_undo(ucontext_t *c)
{
    if (!step.active)
        return;
    leave(c);
    reg_add(c, step.memory.reg, (uint64_t)0 - step.delta);
}

void card_step_end(ucontext_t *c)
{
    leave(c);
    if (step.memory.writes)
        exchange(true);
    const uint64_t now = reg_get(c, step.memory.reg);
    if (!step.memory.reg_written || now == step.moved)
        reg_add(c, step.memory.reg, (uint64_t)0 - step.delta);
}
