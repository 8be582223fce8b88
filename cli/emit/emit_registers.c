/* SPDX-License-Identifier: MIT */
/*
 * Registers one by one, as the library lists them, become arrays again.  Words of a domain can
 * lie in two runs (SIG_STATUS of the nv10 layout): then they have two indices.
 */
#include "emit_registers.h"
#include "text/regs_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 256 }; /* names of one layout; GF100+ has the most, about a hundred */

/* "gpc" and 1 of "gpc1.0"; MAIN and NV10:GF100 have no place. */
static const char *place_of(const struct pc_reg_info *reg, unsigned *unit)
{
    *unit = 0;
    if (reg->set == PC_SET_GPC || reg->set == PC_SET_PART)
        *unit = (unsigned)strtoul(reg->place + strcspn(reg->place, "0123456789"), NULL, 10);
    return cli_set_name(reg->set);
}

static struct emit_register *find(struct emit_map *map, const char *name, const char *place)
{
    for (size_t i = 0; i < map->regs; i++)
        if (strcmp(map->reg[i].name, name) == 0 && strcmp(map->reg[i].place, place) == 0)
            return &map->reg[i];
    return NULL;
}

static void add_effect(struct emit_register *r, const char *effect, emit_chips chip)
{
    for (unsigned i = 0; i < r->effects; i++)
        if (strcmp(r->effect[i].text, effect) == 0) {
            r->effect[i].chips |= chip;
            return;
        }
    if (effect[0] && r->effects < EMIT_VARIANTS)
        r->effect[r->effects++] = (struct emit_text){ effect, chip };
}

static void add_values(struct emit_field *f, const struct pc_field_info *info, emit_chips chip)
{
    for (unsigned i = 0; i < f->lists; i++)
        if (f->values[i].names == info->values) {
            f->values[i].chips |= chip;
            return;
        }
    if (info->values && f->lists < EMIT_VARIANTS)
        f->values[f->lists++] =
            (struct emit_values){ info->values, info->value_notes, info->value_count, chip };
}

static void add_fields(struct emit_register *r, const struct pc_reg_info *reg, emit_chips chip)
{
    for (size_t i = 0; i < reg->field_count; i++) {
        const struct pc_field_info *info = &reg->fields[i];
        struct emit_field *f = NULL;
        for (unsigned k = 0; k < r->fields && !f; k++)
            if (strcmp(r->field[k].info.name, info->name) == 0 &&
                r->field[k].info.shift == info->shift && r->field[k].info.bits == info->bits)
                f = &r->field[k];
        if (!f && r->fields < EMIT_FIELDS) {
            f = &r->field[r->fields++];
            f->info = *info;
        }
        if (!f)
            return;
        f->chips |= chip;
        add_values(f, info, chip);
    }
}

/* Grows the arrays by one place. */
static void add_place(struct emit_register *r, const unsigned index[EMIT_DIMENSIONS],
                      uint32_t address)
{
    struct emit_dimension *word = &r->dimension[EMIT_WORD], *high = &r->dimension[EMIT_HIGH];
    unsigned at[EMIT_DIMENSIONS];
    uint32_t offset = address - r->address;

    memcpy(at, index, sizeof at);
    /* words that do not follow the ones before begin another run */
    if (at[EMIT_WORD] > 1 && at[EMIT_UNIT] + at[EMIT_DOMAIN] == 0 && high->length == 1 &&
        offset != at[EMIT_WORD] * word->stride)
        *high = (struct emit_dimension){ 2, offset };
    if (high->length > 1) {
        at[EMIT_HIGH] = at[EMIT_WORD] / word->length;
        at[EMIT_WORD] %= word->length;
    }
    for (unsigned i = 0; i < EMIT_DIMENSIONS; i++) {
        struct emit_dimension *d = &r->dimension[i];
        bool alone = true;
        for (unsigned k = 0; k < EMIT_DIMENSIONS; k++)
            alone = alone && (k == i || at[k] == 0);
        if (at[i] == 1 && alone)
            d->stride = offset;
        if (at[i] >= d->length)
            d->length = at[i] + 1;
    }
}

/* The first place of a name; a list like MAIN_UNK need not begin with word 0. */
static struct emit_register *add_name(struct emit_map *map, const struct pc_reg_info *reg,
                                      const char *place, unsigned word)
{
    if (map->regs == map->capacity)
        return NULL;
    struct emit_register *r = &map->reg[map->regs++];
    *r = (struct emit_register){ .name = reg->name,
                                 .place = place,
                                 .address = reg->address - 4 * word,
                                 .readable = reg->readable,
                                 .writable = reg->writable };
    for (unsigned i = 0; i < EMIT_DIMENSIONS; i++)
        r->dimension[i].length = 1;
    r->dimension[EMIT_WORD].stride = 4;
    return r;
}

static void add_chip(struct emit_map *map, const struct pc_chip *chip)
{
    emit_chips bit = UINT64_C(1) << map->chips;
    struct pc_reg_info reg;

    map->chip[map->chips++] = chip;
    for (size_t i = 0; pc_reg_enum(chip, i, &reg) == PC_OK; i++) {
        unsigned index[EMIT_DIMENSIONS] = { 0 };
        const char *place = place_of(&reg, &index[EMIT_UNIT]);
        int word = chip->layout == PC_LAYOUT_GF100 ? reg.index[0] : reg.index[1];
        struct emit_register *r = find(map, reg.name, place);
        index[EMIT_DOMAIN] = reg.domain > 0 ? (unsigned)reg.domain : 0;
        index[EMIT_WORD] = word > 0 ? (unsigned)word : 0;
        if (!r && !(r = add_name(map, &reg, place, index[EMIT_WORD])))
            return;
        add_place(r, index, reg.address);
        r->chips |= bit;
        r->kept = reg.rw_mask;
        add_effect(r, reg.effect, bit);
        add_fields(r, &reg, bit);
    }
}

static int by_address(const void *a, const void *b)
{
    const struct emit_register *x = a, *y = b;

    return (x->address > y->address) - (x->address < y->address);
}

static int by_shift(const void *a, const void *b)
{
    const struct emit_field *x = a, *y = b;

    return (x->info.shift > y->info.shift) - (x->info.shift < y->info.shift);
}

static void sort(struct emit_map *map)
{
    qsort(map->reg, map->regs, sizeof map->reg[0], by_address);
    for (size_t i = 0; i < map->regs; i++)
        qsort(map->reg[i].field, map->reg[i].fields, sizeof map->reg[i].field[0], by_shift);
}

static int begin(struct emit_map *map)
{
    *map = (struct emit_map){ .reg = calloc(REGISTERS, sizeof *map->reg), .capacity = REGISTERS };
    return map->reg ? CLI_OK : cli_no_memory();
}

int emit_map_chip(struct emit_map *map, const struct pc_chip *chip)
{
    int code = begin(map);

    if (code == CLI_OK) {
        add_chip(map, chip);
        sort(map);
    }
    return code;
}

int emit_map_layout(struct emit_map *map, enum pc_layout layout)
{
    const struct pc_chip *chip;
    int code = begin(map);

    if (code != CLI_OK)
        return code;
    for (size_t i = 0; (chip = pc_chip_at(i)) != NULL && map->chips < EMIT_CHIPS; i++)
        if (chip->layout == layout)
            add_chip(map, chip);
    sort(map);
    return code;
}

void emit_map_free(struct emit_map *map)
{
    free(map->reg);
}
