/* SPDX-License-Identifier: MIT */
/*
 * The loops over records whose values are 0 or 1, which nearly all are (track.c does the
 * others).  Each begins at a record whose number is read, and ends after the value of one, where
 * the next number is long, or tells of other values, or is past the piece.  They are there twice: a
 * clock that changes at every index needs no list of cycles.
 */
#include "base/cpu.h"
#include "wave/fst/direct.h"

/* Where a loop stands, and the first that it does not reach: time indices, from another one on. */
struct course {
    const uint16_t *cycle;
    uint64_t at, stop, from;
};

/* From the begin of the piece on, or such that the cycle is half of it. */
static struct course course_of(const struct fst_piece *p, uint64_t index)
{
    const uint64_t from = p->begin - (p->regular ? p->bias : 0);

    return (struct course){
        .cycle = p->cycle, .at = index - from, .stop = p->sure - from, .from = from
    };
}

/* ---- one bit ---- */

/* Toggles in a word so far.  Cycles ascend: it is kept until they reach the next one. */
struct pen {
    uint64_t *plane;
    size_t word;
    uint64_t toggles;
};

/* Without a branch on whether the word is another one. */
static inline void draw(struct pen *pen, uint32_t cycle, uint64_t toggle)
{
    const size_t word = cycle / 64;

    pen->toggles &= 0 - (uint64_t)(word == pen->word);
    pen->toggles ^= toggle << cycle % 64;
    pen->word = word;
    pen->plane[word] = pen->toggles;
}

/* ---- 2 to 8 bits, which are a byte each ---- */

/* The toggles of FST_ROWS cycles from a multiple of that on, and which words of it have some. */
struct rows {
    uint8_t *row;
    uint64_t used;
    uint32_t end; /* first cycle after them */
};

static inline void use_rows(struct rows *r, uint32_t first, uint32_t last)
{
    r->used |= UINT64_MAX << first / 64 % 64 & UINT64_MAX >> (63 - last / 64 % 64);
}

static inline void open_rows(struct rows *r, uint32_t cycle)
{
    r->end = (cycle / FST_ROWS + 1) * FST_ROWS;
}

static void write_rows(const struct fst_along *a, struct rows *r)
{
    if (r->used)
        fst_write_bytes(a->planes, a->part, r->row, r->used, r->end / 64 - 64);
    r->used = 0;
}

/*
 * Takes the values of four records, each 1 byte of number, 1 byte of value; `pairs` begins with the
 * first value. cycle[3] is the last of them.
 */
static inline void take_four(struct rows *r, uint64_t pairs, const uint32_t cycle[4], uint8_t value)
{
    const uint64_t toggles = pairs ^ (pairs << 16 | value);

    for (unsigned i = 0; i < 4; i++)
        r->row[cycle[i] % FST_ROWS] ^= (uint8_t)(toggles >> 16 * i);
    use_rows(r, cycle[0], cycle[3]);
}

/* ---- more bits ---- */

/* Changes of the cycles of a word. */
struct page {
    uint64_t *row;
    uint64_t used, any;
    size_t word;
};

static inline void turn_page(const struct fst_along *a, struct page *g, size_t word)
{
    fst_write_word(a->planes, a->part, g->row, g->used, g->any & a->part->wanted, g->word);
    g->word = word;
    g->used = g->any = 0;
}

/* ---- the loops ---- */

#define LOOP(name)       name##_by_list
#define CYCLE_AT(c, now) ((c)->cycle[now])
#include "wave/fst/two_state_loops.h"
#undef LOOP
#undef CYCLE_AT

#define LOOP(name)       name##_by_rule
#define CYCLE_AT(c, now) ((void)(c), (uint32_t)(now) / 2)
#include "wave/fst/two_state_loops.h"
#undef LOOP
#undef CYCLE_AT

static void walk_bit(const struct fst_along *a, struct fst_place *now)
{
    if (a->piece->regular)
        walk_bit_by_rule(a, now);
    else
        walk_bit_by_list(a, now);
}

static void walk_bytes(const struct fst_along *a, struct fst_place *now)
{
    if (a->piece->regular)
        walk_bytes_by_rule(a, now);
    else
        walk_bytes_by_list(a, now);
}

static void walk_packed(const struct fst_along *a, struct fst_place *now, size_t bytes)
{
    if (a->piece->regular)
        walk_packed_by_rule(a, now, bytes);
    else
        walk_packed_by_list(a, now, bytes);
}

const struct fst_loops fst_loops_portable = { "portable", pc_cpu_is_any, walk_bit,
                                              walk_bytes, walk_packed,   fst_write_columns };
