/* SPDX-License-Identifier: MIT */
/*
 * An instruction that is no plain move: one register of its memory operand is changed so that it
 * looks at a copy, with what the card has there, and it is executed alone (the trap flag).  Then
 * what it has written goes to the card, and the register is put back.  Nothing is opened for other
 * threads.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "decode.h"

enum { TRAP_FLAG = 0x100, ROOM = 192, START = 64 };

/* Of this thread, while it steps. */
static __thread struct {
    bool active;
    struct decoded_memory memory;
    uint64_t address; /* of the card */
    uint64_t delta;   /* what was added to the register */
    uint64_t moved;   /* ... which made it this */
    uint64_t mask;    /* signals wait meanwhile */
    _Alignas(64) uint8_t room[ROOM];
} step;

bool card_step_begin(void *context, const void *at)
{
    ucontext_t *c = context;
    int64_t gregs[NGREG];
    uint64_t address;

    for (int i = 0; i < NGREG; i++)
        gregs[i] = c->uc_mcontext.gregs[i];
    if (step.active ||
        !decode_memory((const void *)(uintptr_t)gregs[REG_RIP], at, gregs, &step.memory) ||
        !card_address(at, &address))
        return false;
    /* aligned as the operand is: some instructions ask for it */
    uint8_t *copy = step.room + START + address % 64;
    if (address % 64 + step.memory.size > ROOM - START)
        return false;
    if (step.memory.reads)
        card_read(address, step.memory.size, copy);
    step.address = address;
    step.delta = (uint64_t)(uintptr_t)copy - (uint64_t)(uintptr_t)at;
    step.moved = (uint64_t)gregs[step.memory.reg] + step.delta;
    c->uc_mcontext.gregs[step.memory.reg] = (greg_t)step.moved;
    c->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    /* The kernel has 64 of them there; behind is what it tells of the signal. */
    const uint64_t all = ~(UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGTRAP - 1));
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

void card_step_undo(void *context)
{
    ucontext_t *c = context;

    if (!step.active)
        return;
    leave(c);
    c->uc_mcontext.gregs[step.memory.reg] -= (greg_t)step.delta;
}

bool card_step_end(void *context)
{
    ucontext_t *c = context;

    if (!step.active)
        return false;
    leave(c);
    if (step.memory.writes)
        card_write(step.address, step.memory.size, step.room + START + step.address % 64);
    const uint64_t now = (uint64_t)c->uc_mcontext.gregs[step.memory.reg];
    if (!step.memory.reg_written || now == step.moved)
        c->uc_mcontext.gregs[step.memory.reg] = (greg_t)(now - step.delta);
    return true;
}
