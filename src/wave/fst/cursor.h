/* SPDX-License-Identifier: MIT */
/*
 * The only way in which the FST reader touches bytes of a file.  A cursor never leaves
 * its range: the first read that does not fit sets `fault`, stops the cursor there, and
 * every later read gives 0.  So a parser reads a few fields and asks once.
 */
#ifndef PC_WAVE_FST_CURSOR_H
#define PC_WAVE_FST_CURSOR_H

#include <string.h>

#include "pcounter/pcounter.h"

enum fst_fault {
    FST_NO_FAULT,
    FST_ENDS,       /* the data ends inside what was to be read */
    FST_LONG_NUMBER /* more than 10 bytes, or more than 64 bits */
};

struct fst_cursor {
    const uint8_t *at, *end, *begin;
    uint64_t origin;  /* byte of the file where *begin stands, or its packed form */
    uint64_t skipped; /* unpacked bytes before *begin */
    bool packed;      /* *begin was decompressed */
    enum fst_fault fault;
};

static inline struct fst_cursor fst_cursor_on(const uint8_t *data, size_t size, uint64_t origin)
{
    return (struct fst_cursor){ .at = data, .end = data + size, .begin = data, .origin = origin };
}

static inline size_t fst_left(const struct fst_cursor *c)
{
    return (size_t)(c->end - c->at);
}

/* Stops the cursor at `at`, where the thing that failed begins. */
static inline void fst_stop(struct fst_cursor *c, const uint8_t *at, enum fst_fault fault)
{
    if (c->fault == FST_NO_FAULT)
        c->fault = fault;
    c->at = at;
    c->end = at;
}

/* Takes the next `size` bytes, NULL if there are fewer. */
static inline const uint8_t *fst_take(struct fst_cursor *c, uint64_t size)
{
    if (size > fst_left(c)) {
        fst_stop(c, c->at, FST_ENDS);
        return NULL;
    }
    const uint8_t *p = c->at;
    c->at += size;
    return p;
}

static inline uint8_t fst_u8(struct fst_cursor *c)
{
    if (c->at == c->end) {
        fst_stop(c, c->at, FST_ENDS);
        return 0;
    }
    return *c->at++;
}

static inline uint64_t fst_u64(struct fst_cursor *c) /* most significant byte first */
{
    const uint8_t *p = fst_take(c, 8);
    uint64_t value = 0;

    for (int i = 0; p && i < 8; i++)
        value = value << 8 | p[i];
    return value;
}

#define FST_NUMBER_MAX 10 /* bytes of a number */

/* LEB128: 7 bits a byte, least significant first, bit 7 set on all bytes but the last. */
static inline uint64_t fst_leb128(struct fst_cursor *c, unsigned *bits)
{
    const uint8_t *start = c->at;
    uint64_t value = 0;

    for (*bits = 0; *bits < 70; *bits += 7) {
        if (c->at == c->end) {
            fst_stop(c, start, FST_ENDS);
            return 0;
        }
        uint8_t byte = *c->at++;
        value |= (uint64_t)(byte & 0x7f) << *bits;
        if (byte & 0x80)
            continue;
        /* The tenth byte holds bit 63 alone; copies of the sign may fill the rest. */
        if (*bits == 63 && byte != 0 && byte != 1 && byte != 0x7f)
            break;
        *bits += 7;
        return value;
    }
    fst_stop(c, start, FST_LONG_NUMBER);
    return 0;
}

static inline uint64_t fst_number(struct fst_cursor *c)
{
    unsigned bits;

    if (c->at != c->end && *c->at < 0x80) /* nearly all of them */
        return *c->at++;
    return fst_leb128(c, &bits);
}

/* Reads a number in two's complement: bit 6 of the last byte is the sign. */
static inline int64_t fst_signed(struct fst_cursor *c)
{
    unsigned bits;
    uint64_t value = fst_leb128(c, &bits);

    if (bits < 64 && bits > 0 && value >> (bits - 1) & 1)
        value |= ~(uint64_t)0 << bits;
    return (int64_t)value;
}

/* Takes a text up to its NUL, and the NUL; NULL if there is none. */
static inline const char *fst_text(struct fst_cursor *c, size_t *length)
{
    const uint8_t *p = c->at;
    const uint8_t *nul = fst_left(c) > 0 ? memchr(p, 0, fst_left(c)) : NULL;

    if (!nul) {
        fst_stop(c, c->at, FST_ENDS);
        return NULL;
    }
    c->at = nul + 1;
    *length = (size_t)(nul - p);
    return (const char *)p;
}

#endif
