/* SPDX-License-Identifier: MIT */
/*
 * Saved states: a head, then members of structs one after the other, as lists of rows say, the
 * least significant byte first.  So the bytes are the same whatever compiler, machine and build
 * made them.  Whoever changes a list, or the head, gives the format another version.
 */
#ifndef PC_BASE_SAVED_H
#define PC_BASE_SAVED_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct pc_row {
    const char *member;
    size_t at;
    unsigned width; /* bytes of a number: 1, 2, 4, 8 */
    unsigned count; /* of an array, else 1 */
    uint64_t last;  /* what is above it is damaged */
};
/* A row of a member; one of another size does not compile, as an array has -1 elements. */
#define PC_ROW(in, member, width, count, last)                                                     \
    {                                                                                              \
#member, offsetof(struct in, member),                                                      \
            (unsigned)sizeof(char[sizeof((struct in *)0)->member == (width) * (count) ? 1 : -1]) * \
                (width),                                                                           \
            (count), (last)                                                                        \
    }
#define PC_ANY       UINT64_MAX /* for the last value: whatever has the width */
#define PC_ROWS(row) (row), sizeof(row) / sizeof(row)[0]

size_t pc_rows_size(const struct pc_row *row, size_t rows);
/* Returns the first byte after the rows. */
uint8_t *pc_rows_put(const struct pc_row *row, size_t rows, const void *from, uint8_t *to);
/* pc_rows_size() bytes; NULL, or the row that they have no value for, and `to` is half done. */
const struct pc_row *pc_rows_take(const struct pc_row *row, size_t rows, const uint8_t *from,
                                  void *to);

/* Whose state it is: 8 bytes of magic, version, part of the chip, 8 bytes with the chip's name. */
struct pc_saved {
    const char *magic, *of; /* "PCUNIT", "a unit" */
    uint32_t version, part;
    const char *chip;
};
#define PC_SAVED_HEAD 24

/* Returns the first byte after it. */
uint8_t *pc_saved_put(const struct pc_saved *s, uint8_t to[PC_SAVED_HEAD]);
/* Returns PC_EINPUT if the bytes are shorter than a head, or have another one. */
enum pc_status pc_saved_check(const struct pc_saved *s, const uint8_t *from, size_t size,
                              struct pc_error *err);

#endif
