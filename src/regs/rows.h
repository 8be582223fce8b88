/* SPDX-License-Identifier: MIT */
/*
 * The register rows as types, for the files of this folder alone; regs.c fills the tables.
 * A range is half-open over pc_chip.order.
 */
#ifndef PC_REGS_ROWS_H
#define PC_REGS_ROWS_H

#include "regs/regs.h"

enum { PC_REGS_BASE = 0xa000, PC_REGS_SIZE = 0x1000 };

enum pc_reg_indices { PC_INDEX_GLOBAL, PC_INDEX_DOMAIN, PC_INDEX_WORDS };
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
    uint8_t word, reg; /* second index of SIG_STATUS; enum pc_reg_id */
    uint8_t domains;   /* places, one a domain; 1 for a global register */
    uint8_t from, to;
    const char *range; /* "G84:GF100" */
};

extern const struct pc_reg_row pc_reg_rows[PC_R_COUNT + 1]; /* one past the last ends its fields */
extern const struct pc_field_row pc_field_rows[];

/* Row at an address, whichever chips it is for, and the domain of that place; NULL if there is
 * none. */
const struct pc_at_row *pc_regs_row(enum pc_layout layout, uint32_t address, uint8_t *domain);

/* All rows of a layout. */
const struct pc_at_row *pc_regs_rows(enum pc_layout layout, size_t *count);

/* gf100.c: a hit of the GF100+ layout, without mask, access and effect. */
bool pc_regs_locate_gf100(const struct pc_chip *chip, uint32_t address, struct pc_reg_hit *hit);
/* Address of the n-th word of the GF100+ range that holds a register, or 0. */
uint32_t pc_regs_next_gf100(const struct pc_chip *chip, uint32_t after);

/* Names of registers, fields and values are compared without regard to case. */
bool pc_regs_same_name(const char *a, const char *b);

/* Is the row on this chip? */
static inline bool pc_regs_has(const struct pc_chip *chip, uint8_t from, uint8_t to)
{
    return chip->order >= from && chip->order < to;
}

#endif
