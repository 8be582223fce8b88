/* SPDX-License-Identifier: MIT */
/*
 * The algorithm of the mask scanner, for one instruction set: vcd_scan_*.c define
 *     struct classes, with at least the masks that are used here;
 *     classify(): those of 64 characters; unless `thorough`, control characters are not told
 *         apart but gathered in struct strange, which any_strange() asks for;
 *     digit_mask(): of digits;
 *     rare_masks(): of what lines of scalars that are 0 or 1 do not have;
 *     prefix_xor(): bit i is the parity of bits 0 to i;
 *     KERNEL_NAME, KERNEL_USABLE, KERNEL
 * and include this.
 *
 * Three passes over at most a few hundred kilobytes, each without much to guess for the CPU:
 *   1. mark():    classes of characters to masks; whatever has no known shape stops it;
 *   2. in_order() time stamps must increase: compared as text of equal length;
 *   3. collect(): identifiers that may be selected are looked up, their values become events.
 * Nothing is handed out before all three agree on where they stopped.
 */
#ifndef PC_WAVE_VCD_SCAN_LOOP_H
#define PC_WAVE_VCD_SCAN_LOOP_H

#include "wave/vcd.h"
#include "wave/vcd_scan_bits.h"

#include <string.h>

/* One copy for each constant argument, whatever the compiler thinks of its length. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { SPAN = 64 * 64, SPAN_PLACES = SPAN / 2 + 64 };

/* What a block leaves to the next. */
struct carry {
    uint64_t line, id, stamp, run, inside, high, stamps, end;
};

static inline uint64_t shift_in(uint64_t x, uint64_t *carry)
{
    uint64_t out = x << 1 | *carry;

    *carry = x >> 63;
    return out;
}

static inline uint64_t add_carry(uint64_t a, uint64_t b, uint64_t *carry)
{
    uint64_t half = a + b, sum = half + *carry;

    *carry = (uint64_t)(half < a) | (uint64_t)(sum < half);
    return sum;
}

/* A line of a word has one blank, all others none: the parity tells inside from outside. */
static inline uint64_t check_words(const struct rare *r, uint64_t newline, uint64_t line,
                                   struct carry *carry)
{
    uint64_t inside = prefix_xor((line & r->word) | r->blank) ^ carry->inside;

    carry->inside = (uint64_t)0 - (inside >> 63);
    return inside & (r->blank | newline);
}

/* Digits from behind the # to the end of the line, as many as in the first stamp. */
static inline uint64_t check_stamps(const struct classes *c, uint64_t stamps, size_t digits,
                                    struct carry *carry)
{
    const uint64_t digit = digit_mask(c);
    uint64_t behind = shift_in(stamps, &carry->stamp);
    uint64_t ends = add_carry(behind, digit, &carry->run) & ~digit;
    uint64_t due = stamps << (digits + 1) | carry->stamps >> (63 - digits);

    carry->stamps = stamps;
    return (behind & ~digit) | (ends & ~c->end) | (ends ^ due);
}

/* How far pass 1 looked, and the newlines up to there. */
struct marked {
    size_t end, lines;
};

/*
 * Pass 1.  Returns the place of the first character that does not fit, or the size.  What is
 * marked behind it means nothing.  If it has not been thorough, and *strange, it has to be
 * repeated.
 */
ALWAYS_INLINE size_t mark_as(struct vcd_scan *s, size_t digits, const unsigned length,
                             const bool thorough, struct marked *out, bool *strange)
{
    const struct vcd_sets *sets = s->sets;
    const uint64_t falling = sets->edge == '1' ? 0 : UINT64_MAX;
    const uint64_t ids_of_clock = sets->clock_selected ? UINT64_MAX : 0;
    const uint8_t *text = s->text;
    const size_t size = s->size;
    struct vcd_mark *m = s->mark;
    struct carry carry = { .line = 1 };
    struct strange seen = { 0 };
    const bool many_stamps = s->usual_stamps > 0;
    bool any = s->clock == VCD_CLOCK_ANY;
    size_t at = 0, lines = 0, stop = size;
    uint32_t edges = 0;

    carry.high = s->clock == VCD_CLOCK_HIGH ? UINT64_MAX : 0;
    for (; at < size; at += 64, m++) {
        const struct classes c = classify(text + at, sets, length, thorough, &seen);
        const uint64_t line = shift_in(c.newline, &carry.line);
        const uint64_t stamps = line & c.hash;
        uint64_t scalar = line & c.binary, bad = line & ~(c.binary | c.hash | c.end), blank = 0;
        if (thorough || bad || c.blanks || carry.inside) {
            const struct rare rare = rare_masks(&c);
            scalar |= line & rare.unknown;
            blank = rare.blank;
            bad &= ~(rare.unknown | rare.word);
            bad |= check_words(&rare, c.newline, line, &carry);
        }
        if (thorough || many_stamps || (stamps | carry.stamp | carry.run | carry.stamps))
            bad |= check_stamps(&c, stamps, digits, &carry);
        if (thorough) {
            bad |= c.control & ~(c.newline | c.end);
            if (sets->end != '\n')
                bad |= shift_in(c.end, &carry.end) ^ c.newline;
        }

        const uint64_t clocks = line & c.clock;
        if (any && clocks) {
            any = false;
            carry.high = c.odd >> lowest(clocks) & 1 ? 0 : UINT64_MAX;
        }
        const uint64_t high = prefix_xor(clocks) ^ carry.high;
        carry.high = (uint64_t)0 - (high >> 63);
        bad |= clocks & (high ^ c.odd);

        const uint64_t id = shift_in((scalar & (~clocks | ids_of_clock)) | blank, &carry.id);
        bad |= id & (c.newline | blank | c.end | c.control);

        m->stamps = stamps;
        m->clocks = clocks;
        m->edges = clocks & (high ^ falling);
        m->candidates = id & c.pair;
        m->before = edges;
        edges += (uint32_t)__builtin_popcountll(m->edges);
        lines += (size_t)__builtin_popcountll(c.newline);
        if (bad) {
            stop = at + lowest(bad) < size ? at + lowest(bad) : size;
            at += 64;
            break;
        }
    }
    *out = (struct marked){ at, lines };
    *strange = any_strange(&seen);
    return stop;
}

/* Characters behind `size` may be strange as well: no harm, one look more. */
static size_t mark(struct vcd_scan *s, size_t digits, struct marked *out)
{
    const unsigned length = s->sets->clock_length;
    bool strange = true;
    size_t stop = 0;

    if (!s->thorough)
        stop = length == 1   ? mark_as(s, digits, 1, false, out, &strange)
               : length == 2 ? mark_as(s, digits, 2, false, out, &strange)
                             : mark_as(s, digits, length, false, out, &strange);
    s->thorough = strange;
    return strange ? mark_as(s, digits, length, true, out, &strange) : stop;
}

/* The last stamp at or before `at`; there is one, at 0. */
static inline size_t stamp_before(const struct vcd_scan *s, size_t at)
{
    size_t k = at / 64;
    uint64_t bits = s->mark[k].stamps & (below(at % 64) << 1 | 1);

    while (!bits)
        bits = s->mark[--k].stamps;
    return 64 * k + highest(bits);
}

/* Eight characters as a little-endian number. */
static inline uint64_t load_text(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

/* Eight digits as a number whose order is that of the text. */
static inline uint64_t text_order(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | p[7];
}

/*
 * Places of the set bits of some blocks, one after the other; returns how many.  The first
 * `usual` of a block are written without asking: how many there are is hard to guess.
 */
ALWAYS_INLINE size_t flatten(const struct vcd_scan *s, const bool stamps, const size_t usual,
                             size_t from, size_t to, uint32_t *place)
{
    const struct vcd_mark *m = &s->mark[from / 64];
    size_t n = 0;

    for (size_t at = from; at < to; at += 64, m++) {
        uint64_t bits = stamps ? m->stamps : m->candidates;
        if (to - at < 64)
            bits &= below(to - at);
        if (usual == 0) {
            for (; bits; bits &= bits - 1)
                place[n++] = (uint32_t)at + lowest(bits);
            continue;
        }
        const size_t count = (size_t)__builtin_popcountll(bits);
        for (size_t i = 0; i < usual; i++, bits &= bits - 1)
            place[n + i] = (uint32_t)at + lowest(bits | (uint64_t)1 << 63);
        for (size_t i = usual; i < count; i++, bits &= bits - 1)
            place[n + i] = (uint32_t)at + lowest(bits);
        n += count;
    }
    return n;
}

/* The last eight digits of a stamp and those in front, as text whose order is that of numbers. */
struct stamp_text {
    uint64_t front, last;
};

ALWAYS_INLINE struct stamp_text stamp_text(const uint8_t *digit, size_t digits, const bool few)
{
    if (few)
        return (struct stamp_text){ 0, text_order(digit) >> (64 - 8 * digits) };
    return (struct stamp_text){ text_order(digit) >> (128 - 8 * digits),
                                text_order(digit + digits - 8) };
}

/*
 * True if each stamp is later than the one before, and the digits in front of the last eight
 * are the same in all: they change so seldom that a second look is no loss.  *before becomes
 * the last.
 */
ALWAYS_INLINE bool all_later(const uint8_t *text, const uint32_t *place, size_t n, size_t digits,
                             const bool few, struct stamp_text *before)
{
    const uint64_t fronts = few ? 0 : UINT64_MAX >> (128 - 8 * digits);
    uint64_t last = before->last, others = 0;
    const uint64_t like = n > 0 ? load_text(text + place[0] + 1) : 0;
    bool ok = true;

    for (size_t i = 0; i < n; i++) {
        const uint8_t *digit = text + place[i] + 1;
        const uint64_t now =
            few ? text_order(digit) >> (64 - 8 * digits) : text_order(digit + digits - 8);
        ok &= now > last;
        last = now;
        if (!few)
            others |= load_text(digit) ^ like;
    }
    if (n == 0)
        return true;
    const uint64_t was = before->front;
    *before = stamp_text(text + place[n - 1] + 1, digits, few);
    return ok && (others & fronts) == 0 && before->front == was;
}

/* The first of n stamps that is not later than the one before, or n. */
static inline size_t first_not_later(const uint8_t *text, const uint32_t *place, size_t n,
                                     size_t digits, struct stamp_text t)
{
    for (size_t i = 0; i < n; i++) {
        const struct stamp_text now = stamp_text(text + place[i] + 1, digits, digits <= 8);
        if (now.front < t.front || (now.front == t.front && now.last <= t.last))
            return i;
        t = now;
    }
    return n;
}

/*
 * Pass 2.  Stamps before `limit` have `digits` digits; each must be later than the one before.
 * Returns `limit`, or the stamp in front of the first that is not: what stands under it goes on.
 */
static inline size_t in_order(struct vcd_scan *s, size_t digits, size_t limit)
{
    struct stamp_text t = { stamp_text(s->text + 1, digits, digits <= 8).front, 0 };
    uint32_t place[SPAN_PLACES];
    size_t count = 0, last = 0;

    for (size_t from = 0; from < limit; from += SPAN) {
        const size_t to = limit - from < SPAN ? limit : from + SPAN;
        const size_t n = s->usual_stamps == 0   ? flatten(s, true, 0, from, to, place)
                         : s->usual_stamps == 2 ? flatten(s, true, 2, from, to, place)
                                                : flatten(s, true, 6, from, to, place);
        const struct stamp_text before = t;
        const bool ok = digits <= 8 ? all_later(s->text, place, n, digits, true, &t)
                                    : all_later(s->text, place, n, digits, false, &t);
        if (!ok) {
            const size_t k = first_not_later(s->text, place, n, digits, before);
            if (k < n)
                return k > 0 ? place[k - 1] : last;
        }
        last = n > 0 ? place[n - 1] : last;
        count += n;
    }
    s->usual_stamps = count < limit / 512 ? 0 : count < limit / 64 ? 2 : 6;
    return limit;
}

#include "wave/vcd_scan_collect.h"

/* The clock's first and last line. */
static inline void find_clock(struct vcd_scan *s)
{
    s->clock_first = s->clock_last = VCD_CLOCK_ANY;
    for (size_t at = 0; at < s->used; at += 64) {
        uint64_t bits = s->mark[at / 64].clocks;
        if (s->used - at < 64)
            bits &= below(s->used - at);
        if (bits) {
            s->clock_first = s->text[at + lowest(bits)];
            break;
        }
    }
    for (size_t at = (s->used - 1) / 64 * 64; s->clock_first; at -= 64) {
        uint64_t bits = s->mark[at / 64].clocks;
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

/* Digits of the stamp at `at`; 0 if its line is not whole, or no plain number. */
static inline size_t stamp_digits(const struct vcd_scan *s, size_t at)
{
    size_t n = 0;

    while (at + 1 + n < s->size && s->text[at + 1 + n] >= '0' && s->text[at + 1 + n] <= '9')
        n++;
    return at + 1 + n < s->size && s->text[at + 1 + n] == s->sets->end && n <= VCD_SCAN_DIGITS ? n
                                                                                               : 0;
}

/* The groups before the place where pass 1 stopped, with the stamp behind them; 0: none. */
static inline size_t whole_groups(struct vcd_scan *s, size_t digits, size_t stop)
{
    size_t limit = stamp_before(s, stop == s->size ? stop - 1 : stop), n = 0;

    while (limit > 0 && (n = stamp_digits(s, limit)) == 0)
        limit = stamp_before(s, limit - 1);
    size_t ordered = in_order(s, digits, limit);
    if (ordered > 0 && ordered == limit) {
        size_t last = stamp_before(s, limit - 1);
        if (vcd_scan_number(s->text + limit + 1, n) <= vcd_scan_number(s->text + last + 1, digits))
            ordered = last;
    }
    if (ordered < limit)
        s->dry = false;
    return ordered;
}

static void scan(struct vcd_scan *s)
{
    struct marked marked;

    s->used = s->lines = s->events = 0;
    s->edges = 0;
    s->dry = false;
    if (s->size > s->marks * 64)
        s->size = s->marks * 64;
    size_t digits = stamp_digits(s, 0);
    if (digits == 0) {
        s->dry = count_newlines(s->text, s->size) == 0;
        return;
    }
    size_t stop = mark(s, digits, &marked);
    s->dry = stop == s->size;
    size_t take = whole_groups(s, digits, stop), limit;
    for (; (limit = collect(s, take)) < take; take = limit)
        s->dry = false;
    if (limit == 0)
        return;
    s->used = limit;
    s->lines = marked.lines - count_newlines(s->text + limit, marked.end - limit);
    s->last_time = vcd_scan_number(s->text + stamp_before(s, limit - 1) + 1, digits);
    s->next_time = vcd_scan_number(s->text + limit + 1, stamp_digits(s, limit));
    find_clock(s);
}

const struct vcd_scan_kernel KERNEL = { KERNEL_NAME, KERNEL_USABLE, scan };

#endif
