/* SPDX-License-Identifier: MIT */
/*
 * The registers of a chip, or of all chips of a layout, as arrays: each name once, with the
 * places of its indices, and which chips have it.
 */
#ifndef PC_CLI_EMIT_REGISTERS_H
#define PC_CLI_EMIT_REGISTERS_H

#include "cli.h"

enum { EMIT_CHIPS = 64, EMIT_FIELDS = 32, EMIT_VARIANTS = 4 };

/* A set of chips of the map; bit i is chip[i]. */
typedef uint64_t emit_chips;

/* Texts or lists that differ between chips. */
struct emit_text {
    const char *text;
    emit_chips chips;
};
struct emit_values {
    const char *const *names, *const *notes;
    size_t count;
    emit_chips chips;
};

struct emit_field {
    struct pc_field_info info; /* of the first chip that has it */
    emit_chips chips;
    struct emit_values values[EMIT_VARIANTS];
    unsigned lists;
};

/* Where the indices of a register lead, outermost first; a stride counts only if length > 1. */
enum { EMIT_UNIT, EMIT_DOMAIN, EMIT_HIGH, EMIT_WORD, EMIT_DIMENSIONS };
struct emit_dimension {
    unsigned length;
    uint32_t stride;
};

struct emit_register {
    const char *name;
    const char *place; /* GF100+: "gpc", "part", "hub"; else "" */
    uint32_t address;  /* with all indices 0 */
    bool readable, writable;
    uint32_t kept; /* bits that keep what is written, on the last chip */
    emit_chips chips;
    struct emit_dimension dimension[EMIT_DIMENSIONS];
    struct emit_text effect[EMIT_VARIANTS];
    unsigned effects;
    struct emit_field field[EMIT_FIELDS];
    unsigned fields;
};

struct emit_map {
    const struct pc_chip *chip[EMIT_CHIPS]; /* in feature order */
    size_t chips;
    struct emit_register *reg; /* by address */
    size_t regs, capacity;
};

/* Exit codes; emit_map_free() in any case. */
int emit_map_chip(struct emit_map *map, const struct pc_chip *chip);
int emit_map_layout(struct emit_map *map, enum pc_layout layout);
void emit_map_free(struct emit_map *map);

#endif
