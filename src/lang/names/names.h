/* SPDX-License-Identifier: MIT */
/*
 * Names of one chip: entries by domain and position, their strings in one arena.
 *   open.c   from the tables
 *   find.c   looking up
 *   load.c   rows of a user's table
 *   known.c  sources, filters, metrics: tables as they are
 */
#ifndef PC_NAMES_NAMES_H
#define PC_NAMES_NAMES_H

#include "base/alloc.h"

enum { NM_NAME_MAX = 64 };

/* Strings are offsets into the arena: it moves as it grows.  0 is "". */
struct nm_entry {
    uint16_t domain;
    uint8_t position;
    uint8_t kind, index; /* of struct pc_signal_info */
    uint8_t confidence;
    int8_t filter;
    bool dead;     /* replaced: to be taken out */
    uint32_t line; /* of the user's table, where it is from there */
    uint32_t name, aliases, mux, origin, about;
};

struct nm_domain {
    struct pc_chip_domain place;
    struct pc_domain_info info;
    size_t first; /* of its entries; they end where those of the next begin */
};

struct pc_names {
    struct pc_alloc alloc;
    const struct pc_chip *chip;
    struct nm_domain *domain;
    size_t domains, domain_capacity;
    struct nm_entry *entry;
    size_t entries, entry_capacity;
    char *arena;
    size_t arena_used, arena_capacity;
};

/* Keeps a copy of text[0..size) in the arena; *at is its offset. false: out of memory. */
bool nm_keep(struct pc_names *n, const char *text, size_t size, uint32_t *at);
bool nm_add(struct pc_names *n, const struct nm_entry *entry);
static inline const char *nm_text(const struct pc_names *n, uint32_t at)
{
    return n->arena + at;
}

/* Returns true if the name is that of the entry, or one of its aliases. Case-insensitive. */
bool nm_is_called(const struct pc_names *n, const struct nm_entry *e, const char *name);
/* s2a, s[42]: a signal by its position; false if the name is not of that form. */
bool nm_by_position(const char *name, unsigned *position);
/* Puts the entries of each domain in order of position, the user's first, and finds them again. */
void nm_settle(struct pc_names *n);

#endif
