/* SPDX-License-Identifier: MIT */
/*
 * The loop over records of one bit, eight at a time, for instruction sets with a place() of their
 * own, where the clock changes at every index.
 */
#ifndef PC_WAVE_FST_TWO_STATE_BIT_H
#define PC_WAVE_FST_TWO_STATE_BIT_H

#include "wave/fst/direct.h"

#define ONES UINT64_C(0x0101010101010101)

/* Where a walk stands: time indices, such that the cycle is half of them. */
struct course {
    uint64_t from, here, stop;
};

static struct course course_of(const struct fst_piece *p, uint64_t index)
{
    const uint64_t from = p->begin - p->bias;

    return (struct course){ .from = from, .here = index - from, .stop = p->sure - from };
}

/* Two words of a plane. */
struct two {
    uint64_t low, high;
};

/* Bit (before + after[i]) / 2 of them is toggle[i], for eight bytes each; bits there add up. */
static inline struct two place(uint64_t before, uint64_t after, uint64_t toggle);

static inline void draw(uint64_t *plane, uint64_t here, uint64_t toggle)
{
    plane[here / 128] ^= toggle << here / 2 % 64;
}

/* Draws the next eight records, whose numbers these are; `here` and `head` are of the one
 * before. */
static inline uint64_t draw_eight(uint64_t *plane, uint64_t heads, uint64_t here, uint64_t head)
{
    const uint64_t toggles = (heads ^ (heads << 8 | (head & 0xff))) >> 1 & ONES;
    const uint64_t after = (heads >> 2 & 0x1f * ONES) * ONES;
    const uint64_t word = (here + (after & 0xff)) / 128, last = here + (after >> 56);

    if (last / 128 > word + 1) {
        for (unsigned i = 0; i < 64; i += 8)
            draw(plane, here + (after >> i & 0xff), toggles >> i & 1);
    } else {
        const struct two two = place(here - 128 * word, after, toggles);
        plane[word] ^= two.low;
        plane[word + 1] ^= two.high; /* of the last one there is room for */
    }
    return last;
}

static void walk_bit(const struct fst_along *a, struct fst_place *now)
{
    const uint8_t *at = now->at, *const end = a->t->walk.end;
    struct fst_part *p = a->part;
    uint64_t *plane = fst_plane_of(a->planes, 2 * (size_t)p->signal[63]);
    struct course c = course_of(a->piece, now->next);
    uint64_t head = now->head;

    if (!a->piece->regular) {
        fst_loops_portable.bit(a, now);
        return;
    }
    if (!(p->toggled[0] >> 63))
        fst_begin_toggles(a->planes, p, 0, UINT64_C(1) << 63);
    draw(plane, c.here, (p->value >> 63 ^ head >> 1) & 1);
    for (;;) {
        while (end - at >= 8 && c.stop - c.here > 8 * 0x1f) {
            const uint64_t heads = pc_load_low_first(at);
            if (heads & 0x81 * ONES)
                break;
            c.here = draw_eight(plane, heads, c.here, head);
            head = heads >> 56;
            at += 8;
        }
        uint64_t next;
        const unsigned length = fst_short_number(at, end, &next);
        if (length == 0 || next >> 2 >= c.stop - c.here)
            break;
        at += length;
        c.here += next >> 2;
        draw(plane, c.here, (head ^ next) >> 1 & 1);
        head = next;
    }
    p->value = head >> 1 << 63;
    *now = (struct fst_place){ at, head, c.from + c.here };
}

#endif
