/* SPDX-License-Identifier: MIT */
/*
 * The register rows as const tables, and the look-up of an address.
 *
 * Clauses: the register descriptions of the document; D-03, D-04, D-06, D-07, D-09, D-58,
 * D-60.  Masks are not written down: they follow from the fields that a chip has.
 *
 * Not modelled: the GF100+ domain sets (no hit on those chips), and the two opaque
 * registers of C51, which has no unit.
 */
#include "regs/regs.h"

enum {
#include "chip_order.inc"
};

enum indices { GLOBAL, DOMAIN, WORDS };
enum { R = 1, W = 2, RW = R | W };
enum access { ACCESS_RO, ACCESS_RW, ACCESS_STROBE, ACCESS_INIT };

struct reg_row {
    const char *name;
    enum indices indices;
    uint8_t access;
    enum pc_effect effect;
    const char *clause;
    uint8_t first; /* its fields: first .. first of the next row */
};

struct field_row {
    uint8_t shift, bits, access;
    uint8_t from, to; /* half-open over pc_chip.order */
};

/* Positions: BEGIN_<reg> is the number of fields before the register's first one. */
enum {
#define REG(id, ...)          BEGIN_##id, BACK_##id = BEGIN_##id - 1,
#define FIELD(reg, name, ...) POSITION_##reg##_##name,
#include "regs/pcounter.def"
#undef REG
#undef FIELD
    FIELD_COUNT
};

static const struct reg_row regs[PC_R_COUNT + 1] = {
#define REG(id, name, indices, access, effect, clause)                                             \
    { name, indices, access, PC_FX_##effect, clause, BEGIN_##id },
#define FIELD(...)
#include "regs/pcounter.def"
#undef REG
#undef FIELD
    { NULL, GLOBAL, 0, PC_FX_NONE, NULL, FIELD_COUNT }
};

static const struct field_row fields[FIELD_COUNT] = {
#define REG(...)
#define FIELD(reg, name, shift, bits, access, from, to, values, clause, note)                      \
    { shift, bits, ACCESS_##access, PC_ORDER_##from, PC_ORDER_##to },
#include "regs/pcounter.def"
#undef REG
#undef FIELD
};

struct at_row {
    uint16_t offset, stride; /* from PC_BASE; between domains */
    uint8_t domains, word, reg;
    uint8_t from, to; /* half-open over pc_chip.order */
};

enum {
    PC_BASE = 0xa000,
    PC_SIZE = 0x1000,
};

#define AT_ROW(offset, domains, stride, word, reg, from, to)                                       \
    { offset, stride, domains, word, PC_R_##reg, PC_ORDER_##from, PC_ORDER_##to },
static const struct at_row nv10_rows[] = {
#define AT AT_ROW
#include "regs/map_nv10.def"
#undef AT
};
static const struct at_row nv40_rows[] = {
#define AT AT_ROW
#include "regs/map_nv40.def"
#undef AT
};

/* One entry a 32-bit word of the range: row + 1 and domain; 0 where no chip has a register. */
struct slot {
    uint8_t row, domain;
};

enum {
#define AT(offset, ...) NV10_ROW_##offset,
#include "regs/map_nv10.def"
#undef AT
};
enum {
#define AT(offset, ...) NV40_ROW_##offset,
#include "regs/map_nv40.def"
#undef AT
};

/* Two rows at one address would be a compiler warning here (-Woverride-init). */
#define SLOT(offset, row, domain)    [(offset) / 4] = { (row) + 1, (domain) },
#define SLOTS_1(offset, stride, row) SLOT(offset, row, 0)
#define SLOTS_2(offset, stride, row) SLOT(offset, row, 0) SLOT((offset) + (stride), row, 1)
#define SLOTS_8(offset, stride, row)                                                               \
    SLOTS_2(offset, stride, row)                                                                   \
    SLOT((offset) + 2 * (stride), row, 2)                                                          \
    SLOT((offset) + 3 * (stride), row, 3)                                                          \
    SLOT((offset) + 4 * (stride), row, 4)                                                          \
    SLOT((offset) + 5 * (stride), row, 5)                                                          \
    SLOT((offset) + 6 * (stride), row, 6)                                                          \
    SLOT((offset) + 7 * (stride), row, 7)

static const struct slot nv10_slots[PC_SIZE / 4] = {
#define AT(offset, domains, stride, ...) SLOTS_##domains(offset, stride, NV10_ROW_##offset)
#include "regs/map_nv10.def"
#undef AT
};
static const struct slot nv40_slots[PC_SIZE / 4] = {
#define AT(offset, domains, stride, ...) SLOTS_##domains(offset, stride, NV40_ROW_##offset)
#include "regs/map_nv40.def"
#undef AT
};

/* Bits of a write that the register of this chip keeps. */
static uint32_t kept_bits(const struct pc_chip *chip, enum pc_reg_id id)
{
    uint32_t mask = 0;

    for (unsigned i = regs[id].first; i < regs[id + 1].first; i++) {
        const struct field_row *f = &fields[i];
        bool kept = f->access == ACCESS_RW || f->access == ACCESS_INIT;
        if (kept && chip->order >= f->from && chip->order < f->to)
            mask |= UINT32_MAX >> (32 - f->bits) << f->shift;
    }
    return mask;
}

bool pc_regs_hit(const struct pc_chip *chip, uint32_t address, struct pc_reg_hit *hit)
{
    bool nv10 = chip->layout == PC_LAYOUT_NV10;
    uint32_t offset = address - PC_BASE;

    if ((!nv10 && chip->layout != PC_LAYOUT_NV40) || offset >= PC_SIZE || offset % 4 != 0)
        return false;
    struct slot slot = nv10 ? nv10_slots[offset / 4] : nv40_slots[offset / 4];
    if (slot.row == 0)
        return false;
    const struct at_row *at = nv10 ? &nv10_rows[slot.row - 1] : &nv40_rows[slot.row - 1];
    if (chip->order < at->from || chip->order >= at->to)
        return false;

    const struct reg_row *reg = &regs[at->reg];
    hit->id = at->reg;
    hit->domain = slot.domain;
    hit->index = at->word;
    hit->readable = reg->access & R;
    hit->writable = reg->access & W;
    hit->rw_mask = kept_bits(chip, at->reg);
    hit->effect = reg->effect;
    return true;
}
