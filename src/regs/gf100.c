/* SPDX-License-Identifier: MIT */
/*
 * Where GF100+ has its registers (registers section 4):
 *
 *   180000 + 1000 g + 200 d   domain d of GPC g          1b8000 + 200 g   set of GPC g
 *   1a0000 + 1000 p + 200 d   domain d of partition p    1bc000 + 200 p   set of partition p
 *   1b0000 + 200 d            domain d of the hub        1be000           set of the hub
 *   1b4000                    MAIN
 *
 * Blocks of units and domains that the chip lacks are not decoded at all.
 */
#include "regs/rows.h"

enum {
#include "chip_order.inc"
};

enum { FIRST = 0x180000, LAST = 0x1bffff, BLOCK = 0x200 };

/* One entry a 32-bit word of a block; `from` 0: no register. */
struct place {
    uint8_t reg, word, from;
};

#define AT(offset, word, reg, from) [(offset) / 4] = { PC_R_##reg, word, PC_ORDER_##from },
static const struct place domain_places[BLOCK / 4] = {
#include "regs/map_gf100_dom.def"
};
static const struct place dset_places[BLOCK / 4] = {
#include "regs/map_gf100_dset.def"
};
static const struct place main_places[BLOCK / 4] = {
#include "regs/map_gf100_main.def"
};
#undef AT

static const struct pc_set_info *set_of(const struct pc_chip *chip, enum pc_set set)
{
    const struct pc_set_info *info;

    for (size_t i = 0; (info = pc_chip_set(chip, i)) != NULL; i++)
        if (info->set == set)
            return info;
    return NULL;
}

/* The block at an address, NULL if the chip has none there. */
static const struct place *block_at(const struct pc_chip *chip, uint32_t address,
                                    struct pc_reg_hit *hit)
{
    static const struct {
        uint32_t base, size, unit_stride;
        enum pc_set set;
        bool dset;
    } areas[] = {
        { 0x180000, 0x20000, 0x1000, PC_SET_GPC, false },
        { 0x1a0000, 0x10000, 0x1000, PC_SET_PART, false },
        { 0x1b0000, 0x1000, 0x1000, PC_SET_HUB, false },
        { 0x1b8000, 0x4000, 0x200, PC_SET_GPC, true },
        { 0x1bc000, 0x2000, 0x200, PC_SET_PART, true },
        { 0x1be000, 0x200, 0x200, PC_SET_HUB, true },
    };

    if (chip->layout != PC_LAYOUT_GF100 || !pc_chip_set(chip, 0))
        return NULL;
    hit->set = PC_SET_ALL;
    if (address >= 0x1b4000 && address < 0x1b4000 + BLOCK)
        return main_places;
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        uint32_t offset = address - areas[i].base;
        const struct pc_set_info *info = set_of(chip, areas[i].set);
        if (address < areas[i].base || offset >= areas[i].size || !info)
            continue;
        hit->set = (uint8_t)areas[i].set;
        hit->unit = (uint8_t)(offset / areas[i].unit_stride);
        hit->domain = areas[i].dset ? 0 : (uint8_t)(offset % areas[i].unit_stride / BLOCK);
        if (hit->unit >= info->units || hit->domain >= info->domains)
            return NULL;
        return areas[i].dset ? dset_places : domain_places;
    }
    return NULL;
}

bool pc_regs_block(const struct pc_chip *chip, uint32_t address)
{
    struct pc_reg_hit hit;

    return block_at(chip, address, &hit) != NULL;
}

bool pc_regs_locate_gf100(const struct pc_chip *chip, uint32_t address, struct pc_reg_hit *hit)
{
    const struct place *block = block_at(chip, address, hit);

    if (!block || address % 4 != 0)
        return false;
    const struct place *place = &block[address % BLOCK / 4];
    if (place->from == 0 || chip->order < place->from)
        return false;
    hit->id = (enum pc_reg_id)place->reg;
    hit->index = place->word;
    return true;
}

uint32_t pc_regs_next_gf100(const struct pc_chip *chip, uint32_t after)
{
    struct pc_reg_hit hit;
    uint32_t address = after < FIRST ? FIRST : after + 4;

    for (; address <= LAST; address += 4) {
        if (!pc_regs_block(chip, address))
            address = (address | (BLOCK - 1)) - 3; /* to the last word of the block */
        else if (pc_regs_locate_gf100(chip, address, &hit))
            return address;
    }
    return 0;
}
