/* SPDX-License-Identifier: MIT */
/*
 * The registers of a chip for people and tools: by address, by name, one after the other,
 * with the fields that the chip's variant has.
 *
 * Clauses: "List of MMIO registers", D-09, D-60 (slots of absent domains are found by
 * address and by name, and are left out of the enumeration).
 */
#include "base/error.h"
#include "base/near.h"
#include "regs/rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *effect_text(enum pc_effect effect, const struct pc_chip *chip)
{
    switch (effect) {
    case PC_FX_NONE:
        return "";
    case PC_FX_ABORTS:
        return "a running SINGLE process goes to INACTIVE";
    case PC_FX_PRE_OP:
        return chip->features & PC_F_PREOP_SWAP
                   ? "starts the SINGLE process if it is INACTIVE; swaps the counters in QUAD"
                   : "starts the SINGLE process if it is INACTIVE";
    case PC_FX_ACK:
        return "takes one set of counters as read: OVERFLOW to VALID, VALID to EMPTY";
    case PC_FX_USER:
        return "sets both USER signals";
    case PC_FX_RECORD_START:
        return "moves the record position here and opens the buffer; clears the counters in RECORD";
    case PC_FX_RECORD_CHAN:
        return "with VALID, binds the channel and RECORD_DMA";
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

/* false: nothing of this chip at the address. */
static bool fill(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out)
{
    struct pc_reg_hit hit;
    uint8_t domain;

    if (!pc_regs_hit(chip, address, &hit))
        return false;
    const struct pc_at_row *at = pc_regs_row(chip->layout, address, &domain);
    const struct pc_reg_row *reg = &pc_reg_rows[hit.id];
    memset(out, 0, sizeof *out);
    out->name = reg->name;
    out->index[0] = reg->indices == PC_INDEX_GLOBAL ? -1 : hit.domain;
    out->index[1] = reg->indices == PC_INDEX_WORDS ? hit.index : -1;
    out->address = address;
    out->readable = hit.readable;
    out->writable = hit.writable;
    out->rw_mask = hit.rw_mask;
    out->range = at->range;
    out->clause = reg->clause;
    out->effect = effect_text(reg->effect, chip);
    for (unsigned i = reg->first; i < reg[1].first; i++)
        if (pc_regs_has(chip, pc_field_rows[i].from, pc_field_rows[i].to))
            fill_field(&pc_field_rows[i], chip, &out->fields[out->field_count++]);
    return true;
}

/* Row of this chip at an address, and the domain of the place; NULL if there is none. */
static const struct pc_at_row *row_here(const struct pc_chip *chip, uint32_t address,
                                        uint8_t *domain)
{
    const struct pc_at_row *at = pc_regs_row(chip->layout, address, domain);

    return at && pc_regs_has(chip, at->from, at->to) ? at : NULL;
}

static enum pc_status check_unit(const struct pc_chip *chip, struct pc_error *err)
{
    if (chip->layout == PC_LAYOUT_NONE)
        return pc_fail(err, 200, "%s has no PCOUNTER", chip->name);
    if (chip->layout == PC_LAYOUT_GF100)
        return pc_fail(err, 201, "the PCOUNTER of %s (layout gf100) is not modelled yet",
                       chip->name);
    return PC_OK;
}

enum pc_status pc_reg_at(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out,
                         struct pc_error *err)
{
    enum pc_status status = check_unit(chip, err);
    uint8_t domain;

    if (status != PC_OK || fill(chip, address, out))
        return status;
    if (address - PC_REGS_BASE < PC_REGS_SIZE && address % 4 != 0) {
        status = pc_fail(err, 202, "0x%06x is not the address of a 32-bit word", (unsigned)address);
        pc_hint(err, "the word around it is at 0x%06x", (unsigned)(address & ~3u));
        return status;
    }
    const struct pc_at_row *other = pc_regs_row(chip->layout, address, &domain);
    if (other) {
        status = pc_fail(err, 202, "%s has no register at 0x%06x", chip->name, (unsigned)address);
        pc_hint(err, "%s is there on %s; %s is in %s", pc_reg_rows[other->reg].name, other->range,
                chip->name, chip->range);
        return status;
    }
    return pc_fail(err, 202, "%s has no register at 0x%06x", chip->name, (unsigned)address);
}

/* ---- names ---- */

struct reg_name {
    char word[32];
    unsigned index[2];
    unsigned indices;
};

/* "[12]" at *p: moves behind it.  At most three digits. */
static bool parse_index(const char **p, unsigned *out)
{
    const char *s = *p + 1;
    unsigned value = 0, digits = 0;

    for (; isdigit((unsigned char)*s) && digits < 3; s++, digits++)
        value = value * 10 + (unsigned)(*s - '0');
    if (digits == 0 || *s != ']')
        return false;
    *out = value;
    *p = s + 1;
    return true;
}

static bool parse_name(const char *text, struct reg_name *out)
{
    static const char prefix[] = "PCOUNTER.";
    size_t n = 0;

    while (n < sizeof prefix - 1 && toupper((unsigned char)text[n]) == prefix[n])
        n++;
    if (prefix[n] == '\0')
        text += n;
    memset(out, 0, sizeof *out);
    for (n = 0; isalnum((unsigned char)text[n]) || text[n] == '_'; n++) {
        if (n + 1 >= sizeof out->word)
            return false;
        out->word[n] = text[n];
    }
    text += n;
    while (*text == '[' && out->indices < 2)
        if (!parse_index(&text, &out->index[out->indices++]))
            return false;
    return n > 0 && *text == '\0';
}

/* The chip's register of that name, or NULL after saying what there is instead. */
static const struct pc_reg_row *find_row(const struct pc_chip *chip, const char *word,
                                         struct pc_error *err)
{
    size_t count;
    const struct pc_at_row *at = pc_regs_rows(chip->layout, &count);
    const struct pc_at_row *elsewhere = NULL;
    bool known = false;
    struct pc_near near;
    char names[200];

    pc_near_begin(&near, word);
    for (size_t i = 0; i < count; i++) {
        const struct pc_reg_row *reg = &pc_reg_rows[at[i].reg];
        bool same = pc_regs_same_name(reg->name, word),
             here = pc_regs_has(chip, at[i].from, at[i].to);
        if (same && here)
            return reg;
        if (same)
            elsewhere = &at[i];
        if (here && at[i].word == 0)
            pc_near_offer(&near, reg->name);
    }
    for (unsigned id = 0; id < PC_R_COUNT; id++)
        known |= pc_regs_same_name(pc_reg_rows[id].name, word);
    if (elsewhere || known) {
        pc_fail(err, 203, "%s has no register %s", chip->name, word);
        if (elsewhere)
            pc_hint(err, "%s has it; %s is in %s", elsewhere->range, chip->name, chip->range);
        else
            pc_hint(err, "it belongs to the %s layout, %s has the %s one",
                    chip->layout == PC_LAYOUT_NV10 ? "nv40" : "nv10", chip->name,
                    chip->layout == PC_LAYOUT_NV10 ? "nv10" : "nv40");
        return NULL;
    }
    pc_fail(err, 203, "there is no register \"%s\"", word);
    pc_near_text(&near, names, sizeof names);
    if (names[0])
        pc_hint(err, "near names: %s", names);
    else
        pc_hint(err, "`pcounter list registers -a %s` shows all", chip->name);
    return NULL;
}

/* The indices that the name gives must be those that the register has. */
static enum pc_status check_indices(const struct pc_chip *chip, const struct pc_reg_row *reg,
                                    struct reg_name *name, struct pc_error *err)
{
    static const char *const shape[] = { "", "[domain]", "[domain][word]" };
    unsigned wanted = (unsigned)reg->indices;
    enum pc_status status;

    if (name->indices == wanted)
        return PC_OK;
    if (name->indices == 0 && wanted == 1 && chip->domains == 1) {
        name->indices = 1; /* there is but one */
        return PC_OK;
    }
    if (name->indices < wanted) {
        status = pc_fail(err, 204, "\"%s\" alone does not say which one: %s%s", name->word,
                         reg->name, shape[wanted]);
        pc_hint(err, "domains of %s: 0 to %u%s", chip->name, chip->domains - 1,
                wanted == 2 ? "; words: 0 to 7" : "");
        return status;
    }
    return pc_fail(err, 205, "%s has %u indices, not %u: %s%s", reg->name, wanted, name->indices,
                   reg->name, shape[wanted]);
}

enum pc_status pc_reg_find(const struct pc_chip *chip, const char *text, struct pc_reg_info *out,
                           struct pc_error *err)
{
    enum pc_status status = check_unit(chip, err);
    struct reg_name name;

    if (status != PC_OK)
        return status;
    if (!parse_name(text, &name)) {
        status = pc_fail(err, 206, "\"%s\" is not the name of a register", text);
        pc_hint(err, "names look like CTRL[1], SIG_STATUS[0][3], PCOUNTER.GCTRL");
        return status;
    }
    const struct pc_reg_row *reg = find_row(chip, name.word, err);
    if (!reg)
        return PC_ENOENT;
    status = check_indices(chip, reg, &name, err);
    if (status != PC_OK)
        return status;
    for (uint32_t address = PC_REGS_BASE; address < PC_REGS_BASE + PC_REGS_SIZE; address += 4) {
        uint8_t domain;
        const struct pc_at_row *at = row_here(chip, address, &domain);
        if (at && &pc_reg_rows[at->reg] == reg && domain == name.index[0] &&
            at->word == name.index[1]) {
            fill(chip, address, out);
            return PC_OK;
        }
    }
    status = pc_fail(err, 205, "%s has no %s", chip->name, text);
    pc_hint(err, "domains of %s: 0 to %u%s", chip->name, chip->domains - 1,
            reg->indices == PC_INDEX_WORDS
                ? "; words: 0 to 7, in domain 1 of the nv10 layout 0 to 5"
                : "");
    return status;
}

enum pc_status pc_reg_enum(const struct pc_chip *chip, size_t i, struct pc_reg_info *out)
{
    for (uint32_t address = PC_REGS_BASE; address < PC_REGS_BASE + PC_REGS_SIZE; address += 4) {
        uint8_t domain;
        if (!row_here(chip, address, &domain) || domain >= chip->domains || i-- > 0)
            continue;
        fill(chip, address, out);
        return PC_OK;
    }
    return PC_END;
}
