/* SPDX-License-Identifier: MIT */
/*
 * The algorithm of the mask scanner, for one instruction set: vcd_scan_*.c define
 *     struct classes classify(const uint8_t *p, const struct vcd_sets *sets, unsigned length)
 *     uint64_t prefix_xor(uint64_t)   bit i: parity of bits 0 to i
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
#include "wave/vcd_scan.h"

#include <string.h>

/* Masks of 64 characters. */
struct classes {
    uint64_t newline, end;
    uint64_t blank, control; /* ' '; below ' ' */
    uint64_t hash, digit;
    uint64_t binary, unknown; /* 01; xXzZ */
    uint64_t odd;             /* lowest bit of the character: tells 1 from 0 */
    uint64_t word;            /* bBrRsS */
    uint64_t first, second;   /* of vcd_sets */
    uint64_t clock;           /* the clock's identifier and the end stand behind this one */
};

static struct classes classify(const uint8_t *p, const struct vcd_sets *sets, unsigned length);
static uint64_t prefix_xor(uint64_t x);

/* What a block leaves to the next. */
struct carry {
    uint64_t line, id, first, stamp, run, inside, high, stamps;
};

static inline unsigned lowest(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}

static inline unsigned highest(uint64_t x)
{
    return 63 - (unsigned)__builtin_clzll(x);
}

static inline uint64_t below(size_t bit)
{
    return ((uint64_t)1 << bit) - 1;
}

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

/* Words behind a blank, and stamps: set bits are characters that do not fit. */
static inline uint64_t check_shapes(const struct classes *c, uint64_t line, uint64_t stamps,
                                    size_t digits, struct carry *carry)
{
    /* A line of a word has one blank, all others none: the parity tells inside from outside. */
    uint64_t inside = prefix_xor((line & c->word) | c->blank) ^ carry->inside;
    uint64_t bad = inside & (c->blank | c->newline);
    carry->inside = (uint64_t)0 - (inside >> 63);

    /* Digits from behind the # to the end of the line, as many as in the first stamp. */
    uint64_t behind = shift_in(stamps, &carry->stamp);
    uint64_t ends = add_carry(behind, c->digit, &carry->run) & ~c->digit;
    uint64_t due = stamps << (digits + 1) | carry->stamps >> (63 - digits);
    carry->stamps = stamps;
    return bad | (behind & ~c->digit) | (ends & ~c->end) | (ends ^ due);
}

/* How far pass 1 looked, and the newlines up to there. */
struct marked {
    size_t end, lines;
};

/*
 * Pass 1.  Returns the place of the first character that does not fit, or the size.  What is
 * marked behind it means nothing.
 */
static inline size_t mark(struct vcd_scan *s, size_t digits, const unsigned length,
                          struct marked *out)
{
    const struct vcd_sets *sets = s->sets;
    struct carry carry = { .line = 1 };
    const uint64_t falling = sets->edge == '1' ? 0 : UINT64_MAX;
    const bool crlf = sets->end != '\n';
    bool any = s->clock == VCD_CLOCK_ANY;
    uint64_t carriage = 0;

    carry.high = s->clock == VCD_CLOCK_HIGH ? UINT64_MAX : 0;
    *out = (struct marked){ 0 };
    for (size_t at = 0; at < s->size; at += 64) {
        __builtin_prefetch(s->text + at + 2048);
        struct classes c = classify(s->text + at, sets, length);
        struct vcd_mark *m = &s->mark[at / 64];
        uint64_t line = shift_in(c.newline, &carry.line);
        uint64_t scalar = line & (c.binary | c.unknown);
        uint64_t stamps = line & c.hash;
        uint64_t bad = line & ~(c.binary | c.unknown | c.hash | c.word | c.end);
        bad |= check_shapes(&c, line, stamps, digits, &carry);
        if (crlf) {
            uint64_t ended = shift_in(c.end, &carriage);
            bad |= ended ^ c.newline;
            bad |= c.control & ~(c.newline | c.end);
        } else {
            bad |= c.control & ~c.newline;
        }
        uint64_t id = shift_in(scalar | c.blank, &carry.id);
        bad |= id & (c.control | c.blank);

        uint64_t clocks = line & c.clock;
        if (any && clocks) {
            any = false;
            carry.high = c.odd >> lowest(clocks) & 1 ? 0 : UINT64_MAX;
        }
        uint64_t high = prefix_xor(clocks) ^ carry.high;
        carry.high = (uint64_t)0 - (high >> 63);
        bad |= clocks & ((high ^ c.odd) | ~c.binary);

        m->stamps = stamps;
        m->clocks = clocks;
        m->edges = clocks & (high ^ falling);
        m->candidates = shift_in(id & c.first, &carry.first) & c.second;
        out->lines += (size_t)__builtin_popcountll(c.newline);
        out->end = at + 64;
        if (bad) {
            size_t stop = at + lowest(bad);
            return stop < s->size ? stop : s->size;
        }
    }
    return s->size;
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

/* Eight digits as a number whose order is that of the text. */
static inline uint64_t text_order(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | p[7];
}

/*
 * Pass 2.  Stamps before `limit` have `digits` digits; each must be later than the one before.
 * Returns `limit`, or the stamp in front of the first that is not: what stands under it goes on.
 */
static inline size_t in_order(const struct vcd_scan *s, size_t digits, size_t limit)
{
    const uint64_t high_mask = digits < 8 ? ~(UINT64_MAX >> 8 * digits) : UINT64_MAX;
    const uint64_t low_mask = digits <= 8   ? 0
                              : digits < 16 ? ~(UINT64_MAX >> (8 * digits - 64))
                                            : UINT64_MAX;
    uint64_t high = 0, low = 0;
    size_t last = 0;

    for (size_t at = 0; at < limit; at += 64) {
        uint64_t bits = s->mark[at / 64].stamps;
        if (limit - at < 64)
            bits &= below(limit - at);
        for (; bits; bits &= bits - 1) {
            size_t stamp = at + lowest(bits);
            uint64_t h = text_order(s->text + stamp + 1) & high_mask;
            uint64_t l = text_order(s->text + stamp + 9) & low_mask;
            if ((h < high) | ((h == high) & (l <= low)))
                if (stamp > 0)
                    return last;
            high = h;
            low = l;
            last = stamp;
        }
    }
    return limit;
}

static inline uint32_t edges_in(uint64_t bits)
{
    return (uint32_t)__builtin_popcountll(bits);
}

/* 0, 1, 2 for unknown; 3 if the character is no such value. */
static inline uint32_t level_of(uint8_t c)
{
    uint8_t small = c | 0x20;

    return (c & 0xfe) == '0' ? c & 1u : small == 'x' || small == 'z' ? 2u : 3u;
}

/* Number of the slot of the identifier at `id`, whose second character or end is in the set. */
static inline uint32_t find_slot(const struct vcd_sets *sets, const uint8_t *id)
{
    const uint32_t ones = 0x01010101u;
    uint32_t w =
        (uint32_t)id[0] | (uint32_t)id[1] << 8 | (uint32_t)id[2] << 16 | (uint32_t)id[3] << 24;
    uint32_t ends = (w - ones * ('!')) & ~w & (ones << 7); /* exact up to the first blank */

    if (ends)
        w &= ((ends & (0 - ends)) - 1) >> 7;
    else if (id[4] > ' ') {
        size_t n = 5;
        while (id[n] > ' ')
            n++;
        uint32_t code = vcd_ids_find(sets->ids, (const char *)id, n);
        return code == VCD_NO_CODE ? UINT32_MAX : sets->slot_of[code] - 1;
    }
    for (uint32_t at = w * 0x9e3779b1u >> sets->key_shift;; at++) {
        const struct vcd_scan_key *k = &sets->key[at];
        if (k->key == w)
            return k->slot;
        if (k->key == 0)
            return UINT32_MAX;
    }
}

/* The digits of "b0101 id", whose identifier stands at `id`; false if they are not 01xz or too
 * many. */
static inline bool vector_digits(const uint8_t *id, uint32_t width, const uint8_t **digit,
                                 size_t *count)
{
    const uint8_t *end = id - 1, *p = end;

    while (level_of(p[-1]) < 3)
        p--;
    *digit = p;
    *count = (size_t)(end - p);
    return *count > 0 && *count <= width && (p[-1] | 0x20) == 'b' && p[-2] == '\n';
}

struct collector {
    struct vcd_scan *s;
    uint32_t edges; /* before this block */
    uint32_t group; /* before the group that stands at the block's begin */
    size_t open;    /* events from here on take effect behind the edges of their own group */
};

/* One candidate, at the second character of its identifier; false if this cannot be done here. */
static inline bool take_candidate(struct collector *c, const uint8_t *second, uint32_t cycle)
{
    struct vcd_scan *s = c->s;
    const struct vcd_sets *sets = s->sets;
    const uint8_t *id = second - 1;
    uint32_t number = find_slot(sets, id);

    if (number == UINT32_MAX)
        return true;
    const struct vcd_scan_slot *slot = &sets->slot[number];
    const struct vcd_scan_tap *tap = &sets->tap[slot->tap];
    if (s->events + slot->taps > s->events_capacity)
        return false;
    struct wv_event *to = &s->event[s->events];
    s->events += slot->taps;
    if (slot->width == 1 && id[-1] != ' ') {
        for (size_t i = 0; i < slot->taps; i++)
            to[i] = (struct wv_event){ cycle, tap[i].signal << 2 | level_of(id[-1]) };
        return true;
    }
    const uint8_t *digit = id - 1;
    size_t count = 1;
    if (id[-1] == ' ' && !vector_digits(id, slot->width, &digit, &count))
        return false;
    uint32_t left = digit[0] == '1' ? 0 : level_of(digit[0]);
    for (size_t i = 0; i < slot->taps; i++) {
        uint32_t level = tap[i].bit < count ? level_of(digit[count - 1 - tap[i].bit]) : left;
        to[i] = (struct wv_event){ cycle, tap[i].signal << 2 | level };
    }
    return true;
}

/* The candidates of a block.  Returns the place of one that cannot be taken, or 64. */
static inline unsigned collect_block(struct collector *c, size_t at, const struct vcd_mark *m,
                                     uint64_t inside)
{
    struct vcd_scan *s = c->s;
    const uint64_t stamps = m->stamps & inside, edges = m->edges & inside;

    if (stamps && !s->sets->own_values) {
        uint32_t cycle = c->edges + edges_in(edges & ((stamps & (0 - stamps)) - 1));
        for (; c->open < s->events; c->open++)
            s->event[c->open].cycle = cycle;
    }
    for (uint64_t bits = m->candidates & inside; bits; bits &= bits - 1) {
        unsigned bit = lowest(bits);
        uint32_t cycle;
        if (s->sets->own_values) {
            uint64_t before = stamps & below(bit);
            cycle = before ? c->edges + edges_in(edges & below(highest(before))) : c->group;
        } else {
            uint64_t after = stamps & ~below(bit);
            cycle = c->edges + edges_in(edges & ((after & (0 - after)) - 1));
            if (!take_candidate(c, s->text + at + bit, cycle))
                return bit;
            c->open = after ? s->events : c->open;
            continue;
        }
        if (!take_candidate(c, s->text + at + bit, cycle))
            return bit;
    }
    if (stamps)
        c->group = c->edges + edges_in(edges & below(highest(stamps)));
    c->edges += edges_in(edges);
    return 64;
}

/* Pass 3.  Returns `limit`, or the stamp of a group with a candidate that cannot be taken. */
static inline size_t collect(struct vcd_scan *s, size_t limit)
{
    struct collector c = { .s = s };

    s->events = 0;
    for (size_t at = 0; at < limit; at += 64) {
        uint64_t inside = limit - at < 64 ? below(limit - at) : UINT64_MAX;
        unsigned bit = collect_block(&c, at, &s->mark[at / 64], inside);
        if (bit < 64)
            return stamp_before(s, at + bit - 1);
    }
    for (; c.open < s->events && !s->sets->own_values; c.open++)
        s->event[c.open].cycle = c.edges;
    s->edges = c.edges;
    return limit;
}

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
    const unsigned length = s->sets->clock_length;
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
    size_t stop = length == 1   ? mark(s, digits, 1, &marked)
                  : length == 2 ? mark(s, digits, 2, &marked)
                                : mark(s, digits, length, &marked);
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
