/* SPDX-License-Identifier: MIT */
/* General registers of an interrupted program, and parts of them. */
#ifndef PC_CARD_REGISTERS_H
#define PC_CARD_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

static inline uint64_t reg_get(const ucontext_t *c, int reg)
{
    return (uint64_t)c->uc_mcontext.gregs[reg];
}

static inline void reg_add(ucontext_t *c, int reg, uint64_t add)
{
    c->uc_mcontext.gregs[reg] = (greg_t)(reg_get(c, reg) + add);
}

/* A register gets `size` bytes: four clear what is above, fewer do not.  high: ah, bh, ch, dh */
static inline void reg_set(ucontext_t *c, int reg, unsigned size, bool high, uint64_t value)
{
    const uint64_t old = reg_get(c, reg);

    if (high)
        value = (old & ~UINT64_C(0xff00)) | (value & 0xff) << 8;
    else if (size == 1)
        value = (old & ~UINT64_C(0xff)) | (value & 0xff);
    else if (size == 2)
        value = (old & ~UINT64_C(0xffff)) | (value & 0xffff);
    else if (size == 4)
        value &= UINT32_MAX;
    c->uc_mcontext.gregs[reg] = (greg_t)value;
}

#endif
