/* SPDX-License-Identifier: MIT */
/*
 * The register rows as types, for the files of this folder alone; regs.c fills the tables.
 * A range is half-open over pc_chip.order.
 */
#ifndef PC_REGS_ROWS_H
#define PC_REGS_ROWS_H

#include "base/near.h"
#include "model/regs/regs.h"

enum { PC_REGS_BASE = PC_REG_BEGIN, PC_REGS_SIZE = PC_REG_END - PC_REG_BEGIN };

enum pc_reg_indices {
    PC_INDEX_GLOBAL,
    PC_INDEX_DOMAIN, /* [domain] */
    PC_INDEX_WORDS,  /* [domain][word] */
    PC_INDEX_SET,    /* GF100+: of a domain set */
    PC_INDEX_LIST    /* GF100+: [word] of MAIN */
};
enum { PC_ACCESS_R = 1, PC_ACCESS_W = 2, PC_ACCESS_RW = 3 };
enum pc_field_access { PC_FIELD_RO, PC_FIELD_RW, PC_FIELD_STROBE, PC_FIELD_INIT };

/* Names of a field's values, and a line about each; `before` holds on chips older than `since`. */
struct pc_value_list {
    const char *const *names;
    const char *const *notes;
    uint8_t count;
    uint8_t since;
    const struct pc_value_list *before;
};

struct pc_reg_row {
    const char *name;
    enum pc_reg_indices indices;
    uint8_t access;
    enum pc_effect effect;
    const char *clause;
    uint16_t first; /* its fields: first .. first of the next row */
};

struct pc_field_row {
    const char *name;
    uint8_t shift, bits;
    enum pc_field_access access;
    uint8_t from, to;
    const struct pc_value_list *values;
    const char *clause, *note;
};

struct pc_at_row {
    uint16_t offset;   /* of domain 0, from PC_REGS_BASE */
    uint16_t stride;   /* from one domain to the next */
    uint8_t word, reg; /* second index of SIG_STATUS; enum pc_reg_id */
    uint8_t domains;   /* places, one a domain; 1 for a global register */
    uint8_t from, to;
    const char *range; /* "G84:GF100" */
};

extern const struct pc_reg_row pc_reg_rows[PC_R_COUNT + 1]; /* one past the last ends its fields */
extern const struct pc_field_row pc_field_rows[];

/* Returns the row at an address, whichever chips it is for, and the domain of that place; NULL if
 * there is none. */
const struct pc_at_row *pc_regs_row(enum pc_layout layout, uint32_t address, uint8_t *domain);

/* Returns all rows of a layout. */
const struct pc_at_row *pc_regs_rows(enum pc_layout layout, size_t *count);

/* ---- GF100+ (gf100.c) ---- */

enum { PC_BLOCK_BYTES = 0x200 };

/* The three kinds of blocks of registers. */
enum pc_block { PC_BLOCK_DOMAIN, PC_BLOCK_SET, PC_BLOCK_MAIN, PC_BLOCKS };

/* The meaning of a 32-bit word of a block; `from` 0: it has none. */
struct pc_place {
    uint8_t reg, word, from; /* enum pc_reg_id; index of SIG_STATUS and MAIN_UNK; first chip */
};

/* Returns the words of a block, PC_BLOCK_BYTES / 4 of them. */
const struct pc_place *pc_regs_places(enum pc_block block);
const char *pc_regs_place_range(const struct pc_place *place); /* "GF100-" */

/* Finds a hit without mask, access and effect. */
bool pc_regs_locate_gf100(const struct pc_chip *chip, uint32_t address, struct pc_reg_hit *hit);
/* Finds set, unit and domain of a block at an address, whether or not a chip has it; false: no
 * block. */
bool pc_regs_block_at(uint32_t address, enum pc_block *block, struct pc_reg_hit *hit);
/* The inverse; MAIN is in PC_SET_ALL. */
uint32_t pc_regs_block_address(enum pc_block block, enum pc_set set, unsigned unit,
                               unsigned domain);
/* Address of the chip's i-th register, 0 past the last. */
uint32_t pc_regs_nth_gf100(const struct pc_chip *chip, size_t i);

/* ---- names (names.c, names_gf100.c) ---- */

struct pc_reg_name {
    char place[16]; /* before the last dot, in lower case: "gpc0.1"; may be empty */
    char word[32];
    unsigned index[2];
    unsigned indices;
};

/* Writes "gpc0.1" for a block of a domain, "gpc0" for a set, "" for MAIN. */
void pc_regs_name_place(enum pc_block block, const struct pc_reg_hit *hit, char out[16]);
/* Does what pc_reg_find() does on GF100+, down to the address. */
enum pc_status pc_regs_find_gf100(const struct pc_chip *chip, struct pc_reg_name *name,
                                  uint32_t *address, struct pc_error *err);
/* After an error about an address: what would be there, and what the chip has. */
void pc_regs_hint_gf100(const struct pc_chip *chip, uint32_t address, struct pc_error *err);
/* Writes the error about a name that another layout has; false: none has it. */
bool pc_regs_of_another_layout(const struct pc_chip *chip, const char *word, struct pc_error *err);
/* Writes the error about a name that none has. */
void pc_regs_no_name(const struct pc_chip *chip, const char *word, const struct pc_near *near,
                     struct pc_error *err);

/* ---- info.c ---- */

/* false: nothing of this chip is at the address. */
bool pc_regs_fill(const struct pc_chip *chip, uint32_t address, struct pc_reg_info *out);
/* Returns PC_OK if the chip has registers that are known. */
enum pc_status pc_regs_check_unit(const struct pc_chip *chip, struct pc_error *err);

/* Returns true if the row is on this chip. */
static inline bool pc_regs_has(const struct pc_chip *chip, uint8_t from, uint8_t to)
{
    return chip->order >= from && chip->order < to;
}

#endif
