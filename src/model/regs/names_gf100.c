/* SPDX-License-Identifier: MIT */
/*
 * Names of registers on GF100+: in front stands the domain (gpc0.1.CTRL) or the domain set
 * (gpc0.DSET_CTRL); those of MAIN stand alone.
 *
 * Clauses: PC.GF.2, D-05.
 */
#include "base/error.h"
#include "base/text.h"
#include "model/chips/domains.h"
#include "model/regs/rows.h"

#include <stdio.h>
#include <string.h>

enum { NAME_WORDS = PC_BLOCK_BYTES / 4 };

void pc_regs_name_place(enum pc_block block, const struct pc_reg_hit *hit, char out[16])
{
    if (block == PC_BLOCK_DOMAIN)
        pc_domain_name((enum pc_set)hit->set, hit->unit, hit->domain, out);
    else
        pc_set_name((enum pc_set)hit->set, hit->unit, out);
}

void pc_regs_hint_gf100(const struct pc_chip *chip, uint32_t address, struct pc_error *err)
{
    struct pc_reg_hit hit;
    enum pc_block block;
    char place[16], names[200];

    if (!pc_regs_block_at(address, &block, &hit)) {
        pc_hint(err, "the PCOUNTER of %s is at 0x%06x to 0x%06x", chip->name,
                (unsigned)PC_REG_GF100_BEGIN, (unsigned)PC_REG_GF100_END - 1);
        return;
    }
    pc_regs_name_place(block, &hit, place);
    if (pc_regs_block(chip, address)) {
        pc_hint(err, "it is offset 0x%03x of %s", (unsigned)address % PC_BLOCK_BYTES,
                place[0] ? place : "MAIN");
        return;
    }
    (block == PC_BLOCK_SET ? pc_set_names : pc_domain_names)(chip, names, sizeof names);
    pc_hint(err, "%s has %s", chip->name, names);
}

/* Returns the first word of the register in any block, or NULL. */
static const struct pc_place *find_place(const char *word, enum pc_block *block)
{
    for (unsigned b = 0; b < PC_BLOCKS; b++) {
        const struct pc_place *place = pc_regs_places((enum pc_block)b);
        for (unsigned w = 0; w < NAME_WORDS; w++) {
            if (place[w].from == 0 || !pc_same_text(pc_reg_rows[place[w].reg].name, word))
                continue;
            *block = (enum pc_block)b;
            return &place[w];
        }
    }
    return NULL;
}

static enum pc_status no_register(const struct pc_chip *chip, const char *word,
                                  struct pc_error *err)
{
    struct pc_near near;

    if (pc_regs_of_another_layout(chip, word, err))
        return PC_ENOENT;
    pc_near_begin(&near, word);
    for (unsigned b = 0; b < PC_BLOCKS; b++) {
        const struct pc_place *place = pc_regs_places((enum pc_block)b);
        for (unsigned w = 0, last = PC_R_COUNT; w < NAME_WORDS; w++) {
            if (place[w].from == 0 || chip->order < place[w].from || place[w].reg == last)
                continue;
            last = place[w].reg;
            pc_near_offer(&near, pc_reg_rows[last].name);
        }
    }
    pc_regs_no_name(chip, word, &near, err);
    return PC_ENOENT;
}

/* ---- the place ---- */

static enum pc_status no_place(const struct pc_chip *chip, const struct pc_reg_name *name,
                               enum pc_block block, struct pc_error *err)
{
    bool of_set = block == PC_BLOCK_SET;
    char names[200];
    enum pc_status status = name->place[0]
                                ? pc_fail(err, 205, "%s has no domain%s %s", chip->name,
                                          of_set ? " set" : "", name->place)
                                : pc_fail(err, 204, "\"%s\" alone does not say which one: %s.%s",
                                          name->word, of_set ? "SET" : "DOMAIN", name->word);

    (of_set ? pc_set_names : pc_domain_names)(chip, names, sizeof names);
    pc_hint(err, "%ss of %s: %s", of_set ? "set" : "domain", chip->name, names);
    return status;
}

static bool find_domain(const struct pc_chip *chip, const char *place, uint32_t *base)
{
    struct pc_chip_domain d;

    for (unsigned i = 0; pc_chip_get_domain(chip, i, &d); i++) {
        if (strcmp(d.name, place) != 0)
            continue;
        *base = pc_regs_block_address(PC_BLOCK_DOMAIN, d.set, d.unit, d.domain);
        return true;
    }
    return false;
}

static bool find_set(const struct pc_chip *chip, const char *place, uint32_t *base)
{
    const struct pc_set_info *set;
    char other[PC_DOMAIN_NAME];

    for (size_t i = 0; (set = pc_chip_set(chip, i)) != NULL; i++) {
        for (unsigned unit = 0; unit < set->units; unit++) {
            pc_set_name(set->set, unit, other);
            if (strcmp(other, place) != 0)
                continue;
            *base = pc_regs_block_address(PC_BLOCK_SET, set->set, unit, 0);
            return true;
        }
    }
    return false;
}

/* Address of the block that the name's place means. */
static enum pc_status find_block(const struct pc_chip *chip, const struct pc_reg_name *name,
                                 enum pc_block block, uint32_t *base, struct pc_error *err)
{
    if (block != PC_BLOCK_MAIN)
        return (block == PC_BLOCK_SET ? find_set : find_domain)(chip, name->place, base)
                   ? PC_OK
                   : no_place(chip, name, block, err);
    *base = pc_regs_block_address(PC_BLOCK_MAIN, PC_SET_ALL, 0, 0);
    if (!name->place[0])
        return PC_OK;
    return pc_fail(err, 205, "%s is not part of %s: it has no prefix", name->word, name->place);
}

/* ---- the index ---- */

/* Writes "0 to 7", "2, 4 to 6, 8": the indices of a register. */
static void name_words(enum pc_block block, unsigned reg, char *out, size_t size)
{
    const struct pc_place *place = pc_regs_places(block);
    size_t used = 0;

    for (unsigned w = 0; w < NAME_WORDS && used < size; w++) {
        if (place[w].from == 0 || place[w].reg != reg)
            continue;
        unsigned last = w;
        while (last + 1 < NAME_WORDS && place[last + 1].from && place[last + 1].reg == reg)
            last++;
        used += (size_t)snprintf(out + used, size - used, last > w ? "%s%u to %u" : "%s%u",
                                 used ? ", " : "", place[w].word, place[last].word);
        w = last;
    }
}

/* Finds the word of a register that has one for each index. */
static enum pc_status find_word(const struct pc_chip *chip, const struct pc_reg_name *name,
                                enum pc_block block, const struct pc_place **place,
                                struct pc_error *err)
{
    const struct pc_place *words = pc_regs_places(block);
    unsigned reg = (*place)->reg;
    char indices[200] = "";

    for (unsigned w = 0; name->indices == 1 && w < NAME_WORDS; w++) {
        if (words[w].from == 0 || words[w].reg != reg || words[w].word != name->index[0] ||
            chip->order < words[w].from)
            continue;
        *place = &words[w];
        return PC_OK;
    }
    name_words(block, reg, indices, sizeof indices);
    enum pc_status status =
        name->indices == 0 ? pc_fail(err, 204, "\"%s\" alone does not say which one: %s[word]",
                                     name->word, name->word)
        : name->indices == 1
            ? pc_fail(err, 205, "%s has no %s[%u]", chip->name, name->word, name->index[0])
            : pc_fail(err, 205, "%s has one index, not %u", name->word, name->indices);
    pc_hint(err, "words of %s: %s", name->word, indices);
    return status;
}

enum pc_status pc_regs_find_gf100(const struct pc_chip *chip, struct pc_reg_name *name,
                                  uint32_t *address, struct pc_error *err)
{
    enum pc_block block;
    const struct pc_place *place = find_place(name->word, &block);
    uint32_t base;

    if (!place)
        return no_register(chip, name->word, err);
    if (chip->order < place->from) {
        enum pc_status absent = pc_fail(err, 203, "%s has no register %s", chip->name, name->word);
        pc_hint(err, "it came later: %s", pc_regs_place_range(place));
        return absent;
    }
    enum pc_reg_indices indices = pc_reg_rows[place->reg].indices;
    enum pc_status status = find_block(chip, name, block, &base, err);
    if (status == PC_OK && (indices == PC_INDEX_WORDS || indices == PC_INDEX_LIST))
        status = find_word(chip, name, block, &place, err);
    else if (status == PC_OK && name->indices > 0) {
        status = pc_fail(err, 205, "%s has no index", name->word);
        pc_hint(err, "the domain comes first: gpc0.1.CTRL");
    }
    if (status == PC_OK)
        *address = base + (uint32_t)(place - pc_regs_places(block)) * 4;
    return status;
}
