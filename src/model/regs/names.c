/* SPDX-License-Identifier: MIT */
/*
 * Registers by name: the parts of a name, and on NV10:GF100 its address.
 *
 * Clauses: "List of MMIO registers", D-04, D-60.  GF100+: names_gf100.c.
 */
#include "base/error.h"
#include "base/text.h"
#include "model/regs/rows.h"

#include <stdio.h>
#include <string.h>

void pc_reg_full_name(const struct pc_reg_info *reg, char *out, size_t size)
{
    char index[2][16] = { "", "" };

    for (int i = 0; i < 2 && reg->index[i] >= 0; i++)
        snprintf(index[i], sizeof index[i], "[%d]", reg->index[i]);
    snprintf(out, size, "%s%s%s%s%s", reg->place, reg->place[0] ? "." : "", reg->name, index[0],
             index[1]);
}

/* "[12]" at *p: moves past it.  At most three digits. */
static bool parse_index(const char **p, unsigned *out)
{
    const char *s = *p + 1;
    unsigned value = 0, digits = 0;

    for (; pc_is_digit(*s) && digits < 3; s++, digits++)
        value = value * 10 + (unsigned)(*s - '0');
    if (digits == 0 || *s != ']')
        return false;
    *out = value;
    *p = s + 1;
    return true;
}

/* Copies the part before the last dot; false if it is too long for a place. */
static bool parse_place(const char **text, char out[16])
{
    const char *dot = strrchr(*text, '.');
    size_t n = dot ? (size_t)(dot - *text) : 0;

    if (n >= 16 || (dot && n == 0))
        return false;
    for (size_t i = 0; i < n; i++)
        out[i] = pc_lower((*text)[i]);
    *text += dot ? n + 1 : 0;
    return true;
}

static bool parse_name(const char *text, struct pc_reg_name *out)
{
    static const char prefix[] = "pcounter.";
    size_t n = 0;

    while (n < sizeof prefix - 1 && pc_lower(text[n]) == prefix[n])
        n++;
    if (prefix[n] == '\0')
        text += n;
    memset(out, 0, sizeof *out);
    if (!parse_place(&text, out->place))
        return false;
    for (n = 0; pc_is_word(text[n]); n++) {
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

/* Says that the chip has no such register; `elsewhere`: another chip has it. */
static void no_row(const struct pc_chip *chip, const char *word, const struct pc_at_row *elsewhere,
                   struct pc_error *err)
{
    size_t count;
    const struct pc_at_row *at = pc_regs_rows(chip->layout, &count);
    struct pc_near near;

    if (elsewhere) {
        pc_fail(err, 203, "%s has no register %s", chip->name, word);
        pc_hint(err, "%s has it; %s is in %s", elsewhere->range, chip->name, chip->range);
        return;
    }
    if (pc_regs_of_another_layout(chip, word, err))
        return;
    pc_near_begin(&near, word);
    for (size_t i = 0; i < count; i++)
        if (at[i].word == 0 && pc_regs_has(chip, at[i].from, at[i].to))
            pc_near_offer(&near, pc_reg_rows[at[i].reg].name);
    pc_regs_no_name(chip, word, &near, err);
}

/* Returns the chip's register of that name, or NULL after saying what there is instead. */
static const struct pc_reg_row *find_row(const struct pc_chip *chip, const char *word,
                                         struct pc_error *err)
{
    size_t count;
    const struct pc_at_row *at = pc_regs_rows(chip->layout, &count);
    const struct pc_at_row *elsewhere = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct pc_reg_row *reg = &pc_reg_rows[at[i].reg];
        if (!pc_same_text(reg->name, word))
            continue;
        if (pc_regs_has(chip, at[i].from, at[i].to))
            return reg;
        elsewhere = &at[i];
    }
    no_row(chip, word, elsewhere, err);
    return NULL;
}

/* Checks that the indices of the name are those that the register has. */
static enum pc_status check_indices(const struct pc_chip *chip, const struct pc_reg_row *reg,
                                    struct pc_reg_name *name, struct pc_error *err)
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

/* NV10:GF100: the address of a name. */
static enum pc_status find_address(const struct pc_chip *chip, struct pc_reg_name *name,
                                   uint32_t *out, struct pc_error *err)
{
    size_t count;
    const struct pc_at_row *at = pc_regs_rows(chip->layout, &count);
    const struct pc_reg_row *reg = find_row(chip, name->word, err);
    enum pc_status status = reg ? check_indices(chip, reg, name, err) : PC_ENOENT;

    if (status != PC_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        if (&pc_reg_rows[at[i].reg] == reg && pc_regs_has(chip, at[i].from, at[i].to) &&
            name->index[0] < at[i].domains && at[i].word == name->index[1]) {
            *out = PC_REGS_BASE + at[i].offset + at[i].stride * name->index[0];
            return PC_OK;
        }
    bool words = reg->indices == PC_INDEX_WORDS;
    status = words ? pc_fail(err, 205, "%s has no %s[%u][%u]", chip->name, name->word,
                             name->index[0], name->index[1])
                   : pc_fail(err, 205, "%s has no %s[%u]", chip->name, name->word, name->index[0]);
    pc_hint(err, "domains of %s: 0 to %u%s", chip->name, chip->domains - 1,
            words ? "; words: 0 to 7, in domain 1 of the nv10 layout 0 to 5" : "");
    return status;
}

enum pc_status pc_reg_find(const struct pc_chip *chip, const char *text, struct pc_reg_info *out,
                           struct pc_error *err)
{
    enum pc_status status = pc_regs_check_unit(chip, err);
    bool gf100 = chip->layout == PC_LAYOUT_GF100;
    struct pc_reg_name name;
    uint32_t address;

    if (status != PC_OK)
        return status;
    if (!parse_name(text, &name) || (name.place[0] && !gf100)) {
        status = pc_fail(err, 206, "\"%s\" is not the name of a register", text);
        pc_hint(err, "names %slook like %s", gf100 ? "on GF100 and later " : "",
                gf100 ? "hub0.CTRL, gpc0.1.SIG_STATUS[3], hub.DSET_CTRL, MAIN_CONTROL"
                      : "CTRL[1], SIG_STATUS[0][3], PCOUNTER.GCTRL");
        return status;
    }
    status = (gf100 ? pc_regs_find_gf100 : find_address)(chip, &name, &address, err);
    if (status == PC_OK)
        pc_regs_fill(chip, address, out);
    return status;
}
