/* SPDX-License-Identifier: MIT */
/*
 * The algorithm of the mask scanner, for one instruction set: scan_class.h and scan_plain.h define
 *     like_shape(): is a line of a shape, compared in blocks of SHAPE_BLOCK characters;
 *     digits_at(), known_digits_at(): which of 64 characters are digits of a value;
 *     find_vector(): the first 'b' after a newline, from one place to another;
 *     classify(): the masks of a span of text, no more of them than asked for, and whether
 *         blanks and control characters were seen;
 *     levels(): levels_by_word() of a span;
 *     not_empty(): which words of an array are not 0;
 *     begin_order(), span_in_order(): is each timestamp later than the one before, in a span;
 *     find_candidates(): the places of a span's candidates, one after the other;
 *     KERNEL_NAME, KERNEL_USABLE, KERNEL
 * out of what a file scan_*.c has, which includes scan_class.h.
 *
 * Passes over at most a few hundred kilobytes, each without much to guess for the CPU:
 *   0. cut_out(): lines of vectors that are not wanted, many of one shape, or wide, go, and so do
 * the digits of wide ones;
 *   1. mark():    classes of characters to masks; whatever has no known shape stops it;
 *   2. order_to(): timestamps must increase: compared as text of equal length;
 *   3. collect(): identifiers that may be selected are looked up, their values become events.
 * Pass 2 follows pass 1 span by span: text is in the nearest cache then, and what pass 1 asked
 * memory for arrives meanwhile.  Nothing is handed out before the three of them agree on where
 * they stopped.
 *
 * The text may lie in a mapped file, which others can write to: whatever it becomes between two
 * passes, what is found may be wrong, but every loop ends where masks, sizes and widths say.
 */
#ifndef PC_WAVE_VCD_SCAN_LOOP_H
#define PC_WAVE_VCD_SCAN_LOOP_H

#include "wave/vcd/vcd.h"
#include "wave/vcd/scan_bits.h"

#include <string.h>

#include "wave/vcd/scan_words.h"

#include "wave/vcd/scan_cut.h"

#include "wave/vcd/scan_order.h"

#include "wave/vcd/scan_mark.h"

#include "wave/vcd/scan_collect.h"

/* Finds the clock's first and last line. */
static inline void find_clock(struct vcd_scan *s)
{
    s->clock_first = s->clock_last = VCD_CLOCK_ANY;
    for (size_t at = 0; at < s->used; at += 64) {
        uint64_t bits = s->mark[at / SPAN].clocks[at % SPAN / 64];
        if (s->used - at < 64)
            bits &= below(s->used - at);
        if (bits) {
            s->clock_first = s->text[at + lowest(bits)];
            break;
        }
    }
    for (size_t at = (s->used - 1) / 64 * 64; s->clock_first; at -= 64) {
        uint64_t bits = s->mark[at / SPAN].clocks[at % SPAN / 64];
        if (s->used - at < 64)
            bits &= below(s->used - at);
        if (bits) {
            s->clock_last = s->text[at + highest(bits)];
            break;
        }
    }
}

static size_t count_newlines(const uint8_t *p, size_t n)
{
    size_t lines = 0;

    for (size_t i = 0; i < n; i++)
        lines += p[i] == '\n';
    return lines;
}

/* Returns the groups before the place where pass 1 stopped, with the stamp after them; 0: none. */
static inline size_t whole_groups(struct vcd_scan *s, struct ordering *order, size_t stop)
{
    size_t limit = stamp_before(s, stop == s->size ? stop - 1 : stop), n = 0;

    while (limit > 0 && (n = stamp_digits(s, limit)) == 0)
        limit = stamp_before(s, limit - 1);
    size_t ordered = end_ordering(order, s, limit);
    if (ordered > 0 && ordered == limit) {
        size_t last = stamp_before(s, limit - 1);
        if (vcd_scan_number(s->text + limit + 1, n) <=
            vcd_scan_number(s->text + last + 1, order->like.digits))
            ordered = last;
    }
    if (ordered < limit)
        s->dry = false;
    return ordered;
}

/* Makes all passes but the first; places are those of what is left. */
static void scan_left(struct vcd_scan *s)
{
    struct marked marked;
    struct ordering order;

    if (s->size > 0 && s->text[0] != '#') /* another process said so, and is wrong */
        return;
    size_t digits = stamp_digits(s, 0);
    if (digits == 0) {
        s->dry = count_newlines(s->text, s->size) == 0;
        return;
    }
    begin_ordering(&order, s, digits);
    size_t stop = mark(s, &order, &marked);
    if (!(vcd_stamps(s, 0) & 1)) /* the text has changed meanwhile */
        return;
    s->dry = stop == s->size;
    size_t take = whole_groups(s, &order, stop), limit;
    for (; (limit = collect(s, take, marked.plain)) < take; take = limit)
        s->dry = false;
    if (limit == 0)
        return;
    s->used = limit;
    s->lines = marked.lines - count_newlines(s->text + limit, marked.end - limit);
    s->last_time = vcd_scan_number(s->text + stamp_before(s, limit - 1) + 1, digits);
    s->next_time = vcd_scan_number(s->text + limit + 1, stamp_digits(s, limit));
    find_clock(s);
}

static void scan(struct vcd_scan *s)
{
    s->used = s->marked = s->lines = s->events = s->cuts = s->words = s->wide = 0;
    s->edges = 0;
    s->dry = false;
    if (s->size > s->spans * SPAN)
        s->size = s->spans * SPAN;
    if (s->cut_pause > 0)
        s->cut_pause--;
    else if (s->kept && s->size <= s->kept_room && s->sets->end == '\n')
        cut_out(s);
    scan_left(s);
    s->marked = s->used;
    if (s->used > 0 && s->cuts > 0) {
        size_t cut = 0;
        s->used = vcd_scan_place(s, s->marked, &cut);
        s->lines += cut > 0 ? s->cut[cut - 1].lines : 0;
    }
}

const struct vcd_scan_kernel KERNEL = { KERNEL_NAME, KERNEL_USABLE, scan };

#endif
