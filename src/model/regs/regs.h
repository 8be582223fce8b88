/* SPDX-License-Identifier: MIT */
/*
 * The registers of PCOUNTER as the rest of the library sees them: what an MMIO address
 * hits on a chip, and the fields of a word by name.  The rows are in pcounter.def
 * (meaning) and map_*.def (place); only this header and regs.c include them.
 *
 * GF100+ has its own places (gf100.c) and shares the rows.
 */
#ifndef PC_REGS_REGS_H
#define PC_REGS_REGS_H

#include "pcounter/pcounter.h"

enum pc_reg_id {
#define REG(id, ...) PC_R_##id,
#define FIELD(...)
#include "model/regs/pcounter.def"
#undef REG
#undef FIELD
    PC_R_COUNT
};

/* Effects of a write besides storing. */
enum pc_effect {
    PC_FX_NONE,
    PC_FX_ABORTS,     /* single mode goes to INACTIVE (D-45) */
    PC_FX_CTR_ABORTS, /* the same, of a counter that keeps nothing of a write (D-45a) */
    PC_FX_PRE_OP, /* starts single mode; swaps in quad mode where the chip has PC_F_PREOP_SWAP */
    PC_FX_ACK,
    PC_FX_USER,
    PC_FX_RECORD_START,
    PC_FX_RECORD_CHAN,
    PC_FX_CTRL,         /* aborts, and strobes in it */
    PC_FX_SINGLE_ABORT, /* GF100+ */
    PC_FX_SINGLE_BEGIN, /* GF100+ */
    PC_FX_MAIN          /* GF100+: the ring of stream-out */
};

struct pc_reg_hit {
    enum pc_reg_id id;
    uint8_t domain, index; /* 0 where it has none; index: word of SIG_STATUS and MAIN_UNK */
    uint8_t set, unit;     /* GF100+: enum pc_set (PC_SET_ALL: MAIN), and which GPC or partition */
    bool readable, writable;
    uint32_t rw_mask; /* bits of a write that are kept (CTR_PRE, CTR_STOP: as initial value) */
    enum pc_effect effect;
};

/*
 * Finds the register of a chip at an MMIO address; false: there is none.  Registers of domains that
 * the chip lacks are hits with domain >= chip->domains: they read 0 and drop writes (D-60). Called
 * on every access: one table look-up.
 */
bool pc_regs_hit(const struct pc_chip *chip, uint32_t address, struct pc_reg_hit *hit);

/* GF100+: does the chip have a block (domain, set, MAIN) at the address, whatever is in it? */
bool pc_regs_block(const struct pc_chip *chip, uint32_t address);

/* PC_<REG>_<FIELD>_SHIFT and PC_<REG>_<FIELD>_BITS */
enum {
#define REG(...)
#define FIELD(reg, name, shift, bits, ...)                                                         \
    PC_##reg##_##name##_SHIFT = (shift), PC_##reg##_##name##_BITS = (bits),
#include "model/regs/pcounter.def"
#undef REG
#undef FIELD
};

#define PC_FIELD_MASK(reg, field) (UINT32_MAX >> (32 - PC_##reg##_##field##_BITS))

/* PC_GET(word, CTRL_NV40, MODE): the field's value */
#define PC_GET(word, reg, field)                                                                   \
    (((uint32_t)(word) >> PC_##reg##_##field##_SHIFT) & PC_FIELD_MASK(reg, field))

/* PC_PUT(word, CTRL_NV40, MODE, value): the word with the field replaced */
#define PC_PUT(word, reg, field, value)                                                            \
    (((uint32_t)(word) & ~(PC_FIELD_MASK(reg, field) << PC_##reg##_##field##_SHIFT)) |             \
     (((uint32_t)(value)&PC_FIELD_MASK(reg, field)) << PC_##reg##_##field##_SHIFT))

#endif
