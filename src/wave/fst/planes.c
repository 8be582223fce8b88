/* SPDX-License-Identifier: MIT */
/*
 * The bit planes of a bound stream: toggles on the way through a block, levels at its end.  Most
 * signals stand still in most blocks; their planes are not even looked at.
 */
#include "wave/fst/direct.h"

#define FEW_ROWS 3 /* that are not worth turning 64 of them */

/* Returns the number of the lowest bit that is 1, x != 0: a window of 6 bits of this sequence is
 * unique. */
static unsigned lowest(uint64_t x)
{
    static const uint8_t number[64] = {
        0,  1,  48, 2,  57, 49, 28, 3,  61, 58, 50, 42, 38, 29, 17, 4,  62, 55, 59, 36, 53, 51,
        43, 22, 45, 39, 33, 30, 24, 18, 12, 5,  63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21,
        44, 32, 23, 11, 46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,  13, 8,  7,  6,
    };

    return number[(x & (0 - x)) * UINT64_C(0x03f79d71b4cb0a89) >> 58];
}

/* Begins with the first toggle of a block in these planes (which: 0 of values, 1 of unknowns). */
void fst_begin_toggles(struct fst_planes *s, struct fst_part *p, unsigned which, uint64_t bits)
{
    p->toggled[which] |= bits;
    for (; bits; bits &= bits - 1) {
        size_t plane = 2 * (size_t)p->signal[lowest(bits)] + which;
        if (s->has[plane] != FST_PLANE_ZERO)
            memset(fst_plane_of(s, plane), 0, PC_BLOCK_WORDS * sizeof(uint64_t));
        s->has[plane] = FST_PLANE_TOGGLES;
    }
}

static void toggle(struct fst_planes *s, struct fst_part *p, unsigned which, uint64_t bits,
                   uint32_t cycle)
{
    if (bits & ~p->toggled[which])
        fst_begin_toggles(s, p, which, bits & ~p->toggled[which]);
    for (; bits; bits &= bits - 1) {
        size_t plane = 2 * (size_t)p->signal[lowest(bits)] + which;
        fst_plane_of(s, plane)[cycle / 64] ^= UINT64_C(1) << cycle % 64;
    }
}

void fst_set_part(struct fst_planes *s, struct fst_part *p, uint64_t value, uint64_t unknown,
                  uint32_t cycle)
{
    if (value != p->value)
        toggle(s, p, 0, value ^ p->value, cycle);
    if (unknown != p->unknown)
        toggle(s, p, 1, unknown ^ p->unknown, cycle);
    p->value = value;
    p->unknown = unknown;
}

/* Writes rows one by one, where there are few. */
static void write_rows(const struct fst_planes *s, const struct fst_part *p, uint64_t row[64],
                       uint64_t used, uint64_t any, size_t word)
{
    for (; used; used &= used - 1) {
        const unsigned r = lowest(used);
        for (uint64_t bits = row[r] & any; bits; bits &= bits - 1)
            fst_plane_of(s, 2 * (size_t)p->signal[lowest(bits)])[word] ^= UINT64_C(1) << r;
        row[r] = 0;
    }
}

void fst_write_columns(const struct fst_planes *s, const struct fst_part *p, const uint64_t row[64],
                       uint64_t any, size_t word)
{
    uint64_t turned[64];

    s->kernel->turn(turned, row, any);
    for (; any; any &= any - 1) {
        const unsigned j = lowest(any);
        fst_plane_of(s, 2 * (size_t)p->signal[j])[word] ^= turned[j];
    }
}

void fst_write_word(struct fst_planes *s, struct fst_part *p, uint64_t row[64], uint64_t used,
                    uint64_t any, size_t word)
{
    uint64_t more = used;

    if (any & ~p->toggled[0])
        fst_begin_toggles(s, p, 0, any & ~p->toggled[0]);
    for (unsigned i = 0; i < FEW_ROWS; i++)
        more &= more - 1;
    if (more == 0) {
        write_rows(s, p, row, used, any, word);
        return;
    }
    s->loops->columns(s, p, row, any, word);
    const unsigned first = lowest(used);
    memset(row + first, 0, (64 - first) * sizeof *row);
}

/* Writes the columns of a word into planes; bit j of `wanted` has plane[j]. */
static void write_byte_columns(struct fst_planes *s, struct fst_part *p, const uint8_t *row,
                               uint64_t *const plane[8], size_t word)
{
    const unsigned wanted = (unsigned)(p->wanted >> 56);
    uint64_t turned[8];

    s->kernel->turn_bytes(turned, row);
    for (unsigned j = 0; wanted >> j != 0; j++) {
        if (!(wanted >> j & 1) || turned[j] == 0)
            continue;
        if (!(p->toggled[0] >> (56 + j) & 1))
            fst_begin_toggles(s, p, 0, UINT64_C(1) << (56 + j));
        plane[j][word] ^= turned[j];
    }
}

void fst_write_bytes(struct fst_planes *s, struct fst_part *p, uint8_t row[FST_ROWS], uint64_t used,
                     size_t word)
{
    const unsigned first = lowest(used);
    uint64_t *plane[8] = { NULL };
    unsigned last = first;

    for (unsigned j = 0; j < 8; j++)
        if (p->wanted >> (56 + j) & 1)
            plane[j] = fst_plane_of(s, 2 * (size_t)p->signal[56 + j]);
    for (unsigned i = first; i < 64 && used >> i != 0; i++) {
        if (!(used >> i & 1))
            continue;
        write_byte_columns(s, p, row + 64 * (size_t)i, plane, word + i);
        last = i;
    }
    memset(row + 64 * (size_t)first, 0, 64 * (size_t)(last - first + 1));
}

/* Fills a plane with one level in all cycles of the block. */
static void fill_plane(struct fst_planes *s, size_t plane, bool level, uint32_t cycles)
{
    const enum fst_plane has = (enum fst_plane)s->has[plane];
    const bool whole = cycles == WV_BLOCK_CYCLES;
    uint64_t *words = fst_plane_of(s, plane);

    if (!level && has != FST_PLANE_ZERO)
        memset(words, 0, PC_BLOCK_WORDS * sizeof *words);
    if (level && (has != FST_PLANE_ONES || !whole)) {
        memset(words, 0, PC_BLOCK_WORDS * sizeof *words);
        memset(words, 0xff, cycles / 64 * sizeof *words);
        if (cycles % 64)
            words[cycles / 64] = UINT64_MAX >> (64 - cycles % 64);
    }
    s->has[plane] = (uint8_t)(!level ? FST_PLANE_ZERO : whole ? FST_PLANE_ONES : FST_PLANE_MIXED);
}

/* Toggles to levels.  Unknowns may be over before the first cycle sees them: that is told. */
static void level_plane(struct fst_planes *s, size_t plane, bool first, uint32_t cycles)
{
    const size_t words = (cycles + (size_t)63) / 64;
    uint64_t *word = fst_plane_of(s, plane);

    s->kernel->toggle(word, word, first, words);
    memset(word + words, 0, (PC_BLOCK_WORDS - words) * sizeof *word);
    if (cycles % 64)
        word[words - 1] &= UINT64_MAX >> (64 - cycles % 64);
    const bool none = plane % 2 == 1 && s->kernel->uniform(word, 0, words);
    s->has[plane] = none ? FST_PLANE_ZERO : FST_PLANE_MIXED;
}

static bool finish_part(struct fst_planes *s, struct fst_part *p, uint32_t cycles)
{
    bool any_unknown = false;

    for (uint64_t left = p->wanted; left; left &= left - 1) {
        const unsigned bit = lowest(left);
        for (unsigned which = 0; which < 2; which++) {
            const size_t plane = 2 * (size_t)p->signal[bit] + which;
            if (p->toggled[which] >> bit & 1)
                level_plane(s, plane, p->first[which] >> bit & 1, cycles);
            else
                fill_plane(s, plane, (which ? p->unknown : p->value) >> bit & 1, cycles);
        }
        any_unknown |= s->has[2 * (size_t)p->signal[bit] + 1] != FST_PLANE_ZERO;
    }
    p->toggled[0] = p->toggled[1] = 0;
    p->first[0] = p->value;
    p->first[1] = p->unknown;
    return any_unknown;
}

void fst_track_finish(struct fst_bound_stream *l, struct fst_track *t, unsigned set,
                      uint32_t cycles)
{
    bool any = false;

    for (size_t i = 0; i < t->parts; i++)
        any |= finish_part(&l->planes[set], &l->part[t->part + i], cycles);
    t->any_unknown[set] = any;
}
