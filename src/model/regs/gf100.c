/* SPDX-License-Identifier: MIT */
/*
 * Where GF100+ has its registers (docs/generated/registers.md has them all):
 *
 *   180000 + 1000 g + 200 d   domain d of GPC g          1b8000 + 200 g   set of GPC g
 *   1a0000 + 1000 p + 200 d   domain d of partition p    1bc000 + 200 p   set of partition p
 *   1b0000 + 200 d            domain d of the hub        1be000           set of the hub
 *   1b4000                    MAIN
 *
 * Blocks of units and domains that the chip lacks are not decoded at all (D-51).
 * Clauses PC.GF.2, PC.GF.8.
 */
#include "model/chips/order.h"
#include "model/regs/rows.h"

enum { WORDS = PC_BLOCK_BYTES / 4 };

static const struct pc_place domain_places[WORDS] = {
#include "map_gf100_dom.inc"
};
static const struct pc_place set_places[WORDS] = {
#include "map_gf100_dset.inc"
};
static const struct pc_place main_places[WORDS] = {
#include "map_gf100_main.inc"
};
static const struct pc_place *const places[PC_BLOCKS] = { domain_places, set_places, main_places };

/* Blocks of one kind and set, by address; each area ends where the next begins. */
struct area {
    uint32_t base, unit_stride;
    enum pc_set set;
    enum pc_block block;
};
static const struct area areas[] = {
    { PC_REG_GF100_BEGIN, 0x1000, PC_SET_GPC, PC_BLOCK_DOMAIN },
    { 0x1a0000, 0x1000, PC_SET_PART, PC_BLOCK_DOMAIN },
    { 0x1b0000, 0x1000, PC_SET_HUB, PC_BLOCK_DOMAIN },
    { 0x1b4000, 0x200, PC_SET_ALL, PC_BLOCK_MAIN },
    { 0x1b8000, 0x200, PC_SET_GPC, PC_BLOCK_SET },
    { 0x1bc000, 0x200, PC_SET_PART, PC_BLOCK_SET },
    { 0x1be000, 0x200, PC_SET_HUB, PC_BLOCK_SET },
};
#define AREAS (sizeof areas / sizeof areas[0])

const struct pc_place *pc_regs_places(enum pc_block block)
{
    return places[block];
}

const char *pc_regs_place_range(const struct pc_place *place)
{
    return place->from == PC_ORDER_GK104 ? "GK104-" : "GF100-";
}

static bool is_register(const struct pc_place *place, const struct pc_chip *chip)
{
    return place->from != 0 && chip->order >= place->from;
}

/* How many blocks the chip has in an area: units, and domains of each. */
static void extent(const struct pc_chip *chip, const struct area *area, unsigned *units,
                   unsigned *domains)
{
    const struct pc_set_info *info;

    *units = *domains = 0;
    for (size_t i = 0; (info = pc_chip_set(chip, i)) != NULL; i++) {
        if (area->set != PC_SET_ALL && area->set != info->set)
            continue;
        *units = area->set == PC_SET_ALL ? 1 : info->units;
        *domains = area->block == PC_BLOCK_DOMAIN ? info->domains : 1;
        return;
    }
}

static const struct area *area_at(uint32_t address)
{
    const struct area *area = NULL;

    for (size_t i = 0; i < AREAS && address >= areas[i].base && address < PC_REG_GF100_END; i++)
        area = &areas[i];
    return area;
}

static void fill_place(const struct area *area, uint32_t address, struct pc_reg_hit *hit)
{
    uint32_t offset = address - area->base;

    hit->set = (uint8_t)area->set;
    hit->unit = (uint8_t)(offset / area->unit_stride);
    hit->domain = (uint8_t)(offset % area->unit_stride / PC_BLOCK_BYTES);
}

bool pc_regs_block_at(uint32_t address, enum pc_block *block, struct pc_reg_hit *hit)
{
    const struct area *area = area_at(address);

    if (!area)
        return false;
    *block = area->block;
    fill_place(area, address, hit);
    return true;
}

/* Returns the words of the block at an address, NULL if the chip has none there. */
static const struct pc_place *block_of(const struct pc_chip *chip, uint32_t address,
                                       struct pc_reg_hit *hit)
{
    const struct area *area = area_at(address);
    unsigned units, domains;

    if (chip->layout != PC_LAYOUT_GF100 || !area)
        return NULL;
    extent(chip, area, &units, &domains);
    fill_place(area, address, hit);
    return hit->unit < units && hit->domain < domains ? places[area->block] : NULL;
}

bool pc_regs_block(const struct pc_chip *chip, uint32_t address)
{
    struct pc_reg_hit hit;

    return block_of(chip, address, &hit) != NULL;
}

bool pc_regs_locate_gf100(const struct pc_chip *chip, uint32_t address, struct pc_reg_hit *hit)
{
    const struct pc_place *block = block_of(chip, address, hit);

    if (!block || address % 4 != 0)
        return false;
    const struct pc_place *place = &block[address % PC_BLOCK_BYTES / 4];
    if (!is_register(place, chip))
        return false;
    hit->id = (enum pc_reg_id)place->reg;
    hit->index = place->word;
    return true;
}

uint32_t pc_regs_block_address(enum pc_block block, enum pc_set set, unsigned unit, unsigned domain)
{
    for (size_t i = 0; i < AREAS; i++)
        if (areas[i].block == block && areas[i].set == set)
            return areas[i].base + unit * areas[i].unit_stride + domain * PC_BLOCK_BYTES;
    return 0;
}

/* Returns the offset of the i-th register of a block; WORDS * 4 past the last. */
static uint32_t nth_of_block(const struct pc_chip *chip, enum pc_block block, size_t i)
{
    uint32_t word = 0;

    while (word < WORDS && (!is_register(&places[block][word], chip) || i-- > 0))
        word++;
    return word * 4;
}

uint32_t pc_regs_nth_gf100(const struct pc_chip *chip, size_t i)
{
    for (const struct area *area = areas; area < areas + AREAS; area++) {
        size_t each = 0;
        unsigned units, domains;
        extent(chip, area, &units, &domains);
        for (unsigned w = 0; w < WORDS; w++)
            each += is_register(&places[area->block][w], chip);
        size_t block = i / each;
        if (block < (size_t)units * domains)
            return area->base + (uint32_t)(block / domains) * area->unit_stride +
                   (uint32_t)(block % domains) * PC_BLOCK_BYTES +
                   nth_of_block(chip, area->block, i % each);
        i -= each * units * domains;
    }
    return 0;
}
