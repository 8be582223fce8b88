/* SPDX-License-Identifier: MIT */
/*
 * The registers of a chip for people and tools: by address and one after the other, with the
 * fields that the chip's variant has.  By name: names.c, names_gf100.c.
 *
 * Clauses: "List of MMIO registers", D-09, D-60 (slots of absent domains are found by
 * address and by name, and are left out of the enumeration; GF100+ has no such slots).
 */
#include "base/error.h"
#include "model/regs/rows.h"

#include <string.h>

static const char *effect_text(enum pc_effect effect, const struct pc_chip *chip)
{
    switch (effect) {
    case PC_FX_NONE:
        return "";
    case PC_FX_ABORTS:
    case PC_FX_CTR_ABORTS:
        return "a running SINGLE process goes to INACTIVE";
    case PC_FX_PRE_OP:
        return chip->features & PC_F_PREOP_SWAP
                   ? "starts the SINGLE process if it is INACTIVE; swaps the counters in QUAD"
                   : "starts the SINGLE process if it is INACTIVE";
    case PC_FX_ACK:
        return "takes one set of counters as read: OVERFLOW to VALID, VALID to EMPTY";
    case PC_FX_USER:
        return chip->layout == PC_LAYOUT_GF100 ? "sets the four USER signals"
                                               : "sets both USER signals";
    case PC_FX_RECORD_START:
        return "moves the record position here and opens the buffer; clears the counters in RECORD";
    case PC_FX_RECORD_CHAN:
        return "with VALID, binds the channel and RECORD_DMA, for all domains: packets go to "
               "memory "
               "as engine 0xb, client 0xf, DMA slot 0";
    case PC_FX_CTRL:
        return chip->layout == PC_LAYOUT_NV10 && chip->domains > 1
                   ? "running SINGLE processes of both domains go to INACTIVE"
                   : "a running SINGLE process goes to INACTIVE";
    case PC_FX_SINGLE_ABORT:
        return "the SINGLE process goes to INACTIVE";
    case PC_FX_SINGLE_BEGIN:
        return "starts the SINGLE process if it is INACTIVE";
    case PC_FX_MAIN:
        return "acts on the ring of stream-out";
    }
    return "";
}

static void fill_field(const struct pc_field_row *row, const struct pc_chip *chip,
                       struct pc_field_info *out)
{
    const struct pc_value_list *values = row->values;

    if (values->before && chip->order < values->since)
        values = values->before;
    *out = (struct pc_field_info){
        .name = row->name,
        .shift = row->shift,
        .bits = row->bits,
        .writable = row->access == PC_FIELD_RW || row->access == PC_FIELD_INIT,
        .strobe = row->access == PC_FIELD_STROBE,
        .values = values->names,
        .value_notes = values->notes,
        .value_count = values->count,
        .note = row->note,
        .clause = row->clause,
    };
}

/* GF100+: the block that a register is in. */
static enum pc_block kind_of_block(const struct pc_reg_hit *hit)
{
    if (hit->set == PC_SET_ALL)
        return PC_BLOCK_MAIN;
    return pc_reg_rows[hit->id].indices == PC_INDEX_SET ? PC_BLOCK_SET : PC_BLOCK_DOMAIN;
}

static void fill_indices(const struct pc_chip *chip, const struct pc_reg_hit *hit,
                         struct pc_reg_info *out)
{
    enum pc_reg_indices indices = pc_reg_rows[hit->id].indices;
    bool of_domain = indices == PC_INDEX_DOMAIN || indices == PC_INDEX_WORDS;

    out->index[0] = out->index[1] = out->domain = -1;
    if (of_domain)
        out->domain = hit->domain;
    if (chip->layout == PC_LAYOUT_GF100) {
        out->set = (enum pc_set)hit->set;
        pc_regs_name_place(kind_of_block(hit), hit, out->place);
        if (indices == PC_INDEX_WORDS || indices == PC_INDEX_LIST)
            out->index[0] = hit->index;
        return;
    }
    out->index[0] = out->domain;
    if (indices == PC_INDEX_WORDS)
        out->index[1] = hit->index;
}

static const char *range_at(const struct pc_chip *chip, const struct pc_reg_hit *hit,
                            uint32_t address)
{
    uint8_t domain;

    if (chip->layout != PC_LAYOUT_GF100)
        return pc_regs_row(chip->layout, address, &domain)->range;
    return pc_regs_place_range(&pc_regs_places(kind_of_block(hit))[address % PC_BLOCK_BYTES / 4]);
}

bool pc_regs_fill(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out)
{
    struct pc_reg_hit hit;

    if (!pc_regs_hit(chip, address, &hit))
        return false;
    const struct pc_reg_row *reg = &pc_reg_rows[hit.id];
    memset(out, 0, sizeof *out);
    out->name = reg->name;
    fill_indices(chip, &hit, out);
    out->address = address;
    out->readable = hit.readable;
    out->writable = hit.writable;
    out->rw_mask = hit.rw_mask;
    out->range = range_at(chip, &hit, address);
    out->clause = reg->clause;
    out->effect = effect_text(hit.effect, chip);
    for (unsigned i = reg->first; i < reg[1].first; i++)
        if (pc_regs_has(chip, pc_field_rows[i].from, pc_field_rows[i].to))
            fill_field(&pc_field_rows[i], chip, &out->fields[out->field_count++]);
    return true;
}

enum pc_status pc_regs_check_unit(const struct pc_chip *chip, struct pc_error *err)
{
    if (chip->layout == PC_LAYOUT_NONE)
        return pc_fail(err, 200, "%s has no PCOUNTER", chip->name);
    if (chip->layout == PC_LAYOUT_GF100 && !pc_chip_set(chip, 0))
        return pc_fail(err, 201, "the domains of %s are not known", chip->name);
    return PC_OK;
}

/* Nothing is at the address: what is near, or there on other chips. */
static enum pc_status nothing_at(const struct pc_chip *chip, uint32_t address, struct pc_error *err)
{
    bool gf100 = chip->layout == PC_LAYOUT_GF100;
    bool inside = gf100 ? pc_regs_block(chip, address) : address - PC_REGS_BASE < PC_REGS_SIZE;
    enum pc_status status;
    uint8_t domain;

    if (inside && address % 4 != 0) {
        status = pc_fail(err, 202, "0x%06x is not the address of a 32-bit word", (unsigned)address);
        pc_hint(err, "the word around it is at 0x%06x", (unsigned)(address & ~3u));
        return status;
    }
    status = pc_fail(err, 202, "%s has no register at 0x%06x", chip->name, (unsigned)address);
    const struct pc_at_row *other = pc_regs_row(chip->layout, address, &domain);
    if (other)
        pc_hint(err, "%s is there on %s; %s is in %s", pc_reg_rows[other->reg].name, other->range,
                chip->name, chip->range);
    else if (gf100)
        pc_regs_hint_gf100(chip, address, err);
    return status;
}

enum pc_status pc_reg_at(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out,
                         struct pc_error *err)
{
    enum pc_status status = pc_regs_check_unit(chip, err);

    if (status != PC_OK || pc_regs_fill(chip, address, out))
        return status;
    return nothing_at(chip, address, err);
}

enum pc_status pc_reg_enum(const struct pc_chip *chip, size_t i, struct pc_reg_info *out)
{
    if (chip->layout == PC_LAYOUT_GF100) {
        uint32_t address = pc_regs_nth_gf100(chip, i);
        return address && pc_regs_fill(chip, address, out) ? PC_OK : PC_END;
    }
    for (uint32_t address = PC_REGS_BASE; address < PC_REGS_BASE + PC_REGS_SIZE; address += 4) {
        struct pc_reg_hit hit;
        if (!pc_regs_hit(chip, address, &hit) || hit.domain >= chip->domains || i-- > 0)
            continue;
        pc_regs_fill(chip, address, out);
        return PC_OK;
    }
    return PC_END;
}
