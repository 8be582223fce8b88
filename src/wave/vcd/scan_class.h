/* SPDX-License-Identifier: MIT */
/*
 * The functions that scan_loop.h needs of a set of instructions, out of a class of short functions.
 * A file scan_*.c says what a `vec` of LANES characters is and defines LOAD(p), ALL(c), BOTH(a, b),
 * EITHER(a, b); SAME(a, b): in which the characters are equal, as hits; TOP(a, k): bit k of each as
 * hits; LOW(a): those that are blanks or below, as hits; BITS(hit): hits as a mask, the first one
 * lowest, or MASK(hit): of all vecs of 64 characters. A hit is the highest bit of a character; what
 * is below it means nothing but to BOTH() and EITHER().
 *
 * A set with tables of 16, SCAN_TABLES, has besides
 *     TABLE(p): 16 bytes; PICK(t, a): by the low nibbles of characters of ASCII;
 *     DOWN(a, k): characters shifted by k; bits of the next may come in above.
 * Without them, what identifiers may begin with is looked at one by one.
 */
#ifndef PC_WAVE_VCD_SCAN_CLASS_H
#define PC_WAVE_VCD_SCAN_CLASS_H

#include "wave/vcd/scan_bits.h"

#include <string.h>

enum { PARTS = 64 / LANES, SHAPE_BLOCK = 64 };

static inline vec load(const uint8_t *p)
{
    return LOAD(p);
}

static inline vec all(uint8_t c)
{
    return ALL(c);
}

static inline vec both(vec a, vec b)
{
    return BOTH(a, b);
}

static inline vec either(vec a, vec b)
{
    return EITHER(a, b);
}

static inline vec same(vec a, vec b)
{
    return SAME(a, b);
}

static inline uint64_t gather(const vec hit[PARTS])
{
#ifdef MASK
    return MASK(hit);
#else
    uint64_t mask = 0;

    for (unsigned k = 0; k < PARTS; k++)
        mask |= (uint64_t)BITS(hit[k]) << (LANES * k % 64);
    return mask;
#endif
}

#ifdef SCAN_TABLES
static inline vec pick(vec table, vec a)
{
    return PICK(table, a);
}

/* The low nibbles of what is shifted. */
static inline vec down(vec a, unsigned shift)
{
    return both(DOWN(a, shift), all(15));
}
#endif

/* The first `blocks` blocks of characters. */
ALWAYS_INLINE bool like_shape(const uint8_t *p, const struct shape *like, const size_t blocks)
{
    for (size_t i = 0; i < blocks; i++) {
        vec hit[PARTS];
        for (unsigned k = 0; k < PARTS; k++)
            hit[k] = same(both(load(p + LANES * k), load(like->mask + 64 * i + LANES * k)),
                          load(like->want + 64 * i + LANES * k));
        if (gather(hit) != UINT64_MAX)
            return false;
        p += 64;
    }
    return true;
}

/* Returns which of 64 characters are digits 0 1 x z; those that are 1, and those that are x or
 * z. */
ALWAYS_INLINE uint64_t digits_at(const uint8_t *p, uint64_t *one, uint64_t *unknown)
{
    vec ones[PARTS], zeros[PARTS], letters[PARTS];

    for (unsigned k = 0; k < PARTS; k++) {
        const vec a = load(p + LANES * k);
        ones[k] = same(a, all('1'));
        zeros[k] = same(a, all('0'));
        letters[k] = same(either(a, all(0x22)), all('z'));
    }
    *one = gather(ones);
    *unknown = gather(letters);
    return *one | *unknown | gather(zeros);
}

/* Returns true if 64 characters are digits 0 and 1 alone. Which of them are 1. */
ALWAYS_INLINE bool known_digits_at(const uint8_t *p, uint64_t *one)
{
    vec ones[PARTS], known[PARTS], here = all(0xff);

    for (unsigned k = 0; k < PARTS; k++) {
        const vec a = load(p + LANES * k);
        ones[k] = TOP(a, 0);
        here = both(here, same(both(a, all(0xfe)), all('0')));
    }
    for (unsigned k = 0; k < PARTS; k++)
        known[k] = here;
    *one = gather(ones);
    return gather(known) == UINT64_MAX;
}

/* Tables that stay the same for a span. */
struct tables {
    vec clock[VCD_SCAN_CLOCK], end;
#ifdef SCAN_TABLES
    vec first_low, first_high, second_low, other;
#endif
};

static inline struct tables make_tables(const struct vcd_sets *sets, const enum how how)
{
    struct tables t = { .end = all(how == FULL ? sets->end : '\n') };

    for (unsigned i = 0; i < VCD_SCAN_CLOCK; i++)
        t.clock[i] = all(sets->clock[i]);
#ifdef SCAN_TABLES
    t.first_low = TABLE(sets->filter.first_low);
    t.first_high = TABLE(sets->filter.first_high);
    t.second_low = TABLE(sets->filter.second_low);
    t.other = TABLE(sets->filter.other);
#endif
    return t;
}

/* Characters that are no beginning of an identifier that may be selected; `fronts`: in front of it.
 */
ALWAYS_INLINE uint64_t filtered_out(const uint8_t *p, const struct tables *t,
                                    const struct vcd_id_filter *f, uint64_t fronts)
{
#ifdef SCAN_TABLES
    vec hit[PARTS];

    (void)fronts;
    for (unsigned k = 0; k < PARTS; k++, p += LANES) {
        const vec a = load(p);
        const vec first = both(pick(t->first_low, a), pick(t->first_high, down(a, 4)));
        const vec second = both(pick(t->second_low, load(p + 1)),
                                pick(t->other, down(load(p + f->other_at), f->other_shift)));
        hit[k] = same(both(first, second), all(0));
    }
    return gather(hit);
#else
    uint64_t found = 0;

    (void)t;
    for (uint64_t places = fronts << 1 | 1; places; places &= places - 1) {
        const uint8_t *id = p + lowest(places);
        const bool passes = f->whole[0][id[0]] & f->whole[1][id[1]] & f->whole[2][id[2]];
        found |= (uint64_t)passes << lowest(places);
    }
    return ~found;
#endif
}

/* Finds what PLAIN does not ask for. */
ALWAYS_INLINE void classify_rare(const uint8_t *p, const struct tables *t, const enum how how,
                                 struct masks *m, size_t i)
{
    vec blank[PARTS], word[PARTS], unknown[PARTS], end[PARTS];

    for (unsigned k = 0; k < PARTS; k++) {
        const vec a = load(p + LANES * k);
        blank[k] = same(a, all(' '));
        word[k] =
            either(same(either(a, all(0x20)), all('b')), same(either(a, all(0x21)), all('s')));
        unknown[k] = same(either(a, all(0x22)), all('z'));
        end[k] = same(a, t->end);
    }
    m->blank[i] = gather(blank);
    m->word[i] = gather(word);
    m->unknown[i] = gather(unknown);
    if (how == FULL)
        m->end[i] = gather(end);
}

/* Classifies word i of each mask; returns what is a blank or control character, but newlines. */
ALWAYS_INLINE uint64_t classify_word(const uint8_t *p, const struct tables *t,
                                     const struct vcd_sets *sets, const unsigned length,
                                     const enum how how, struct masks *m, size_t i)
{
    vec sign[PARTS], odd[PARTS], two[PARTS], lows[PARTS], clock[PARTS];

    for (unsigned k = 0; k < PARTS; k++) {
        const uint8_t *at = p + LANES * k;
        const vec a = load(at);
        sign[k] = either(either(same(a, all('\n')), same(a, all('#'))),
                         same(either(a, all(1)), all('1')));
        odd[k] = TOP(a, 0);
        two[k] = TOP(a, 1);
        lows[k] = LOW(a);
        clock[k] = same(load(at + 1 + length), t->end);
        for (unsigned j = 0; j < length; j++)
            clock[k] = both(clock[k], same(load(at + 1 + j), t->clock[j]));
    }
    m->sign[i] = gather(sign);
    m->odd[i] = gather(odd);
    m->two[i] = gather(two);
    m->clock[i] = gather(clock);
    if (how != PLAIN)
        classify_rare(p, t, how, m, i);
    const uint64_t newline = m->sign[i] & m->two[i] & ~m->odd[i], line = newline << 1 | 1;
    uint64_t fronts = line & m->sign[i] & ~m->two[i];
    if (how != PLAIN)
        fronts |= (line & m->unknown[i]) | m->blank[i];
    m->filtered_out[i] = filtered_out(p, t, &sets->filter, fronts);
    return gather(lows) & ~newline;
}

ALWAYS_INLINE unsigned classify(const uint8_t *p, size_t words, const struct vcd_sets *sets,
                                const unsigned length, const enum how how, struct masks *m)
{
    const struct tables t = make_tables(sets, how);
    uint64_t blanks = 0, controls = 0;

    for (size_t i = 1; i <= words; i++, p += 64) {
        __builtin_prefetch(p + AHEAD);
        const uint64_t found = classify_word(p, &t, sets, length, how, m, i);
        const uint64_t blank = how == PLAIN ? found : m->blank[i];
        blanks |= blank;
        controls |= found & ~blank;
        if (how == FULL)
            m->control[i] = found & ~blank;
    }
    return (blanks ? SEEN_BLANK : 0u) | (controls ? SEEN_CONTROL : 0u);
}

/* Returns lowest() of what may be 0: then any number up to 64. */
static inline size_t lowest_or_any(uint64_t x)
{
    return lowest(x | UINT64_C(1) << 63);
}

/* Returns the last eight digits of a stamp, as text whose order is that of numbers. */
static inline uint64_t last_digits(const uint8_t *digit, size_t digits)
{
    return digits < 8 ? pc_load_high_first(digit) >> (64 - 8 * digits)
                      : pc_load_high_first(digit + digits - 8);
}

/* Stamps of `size` characters each; those that do not count are 0 in `fronts`. */
ALWAYS_INLINE bool later_ones(const uint8_t *stamps, size_t n, size_t digits, const size_t size,
                              const uint8_t *like, uint64_t fronts)
{
    const uint64_t zeros = 0x3030303030303030u >> (digits < 8 ? 64 - 8 * digits : 0);
    uint64_t last = last_digits(stamps, digits), others = 0, strange = 0;
    bool ok = true;

    for (size_t i = 1; i <= n; i++) {
        const uint8_t *digit = stamps + i * size;
        const uint64_t now = last_digits(digit, digits), value = now ^ zeros;
        ok &= now > last;
        last = now;
        strange |= value | (value + 0x7676767676767676u); /* bit 7 if it is not below 10 */
        others |= pc_load_low_first(digit) ^ pc_load_low_first(like);
    }
    return ok && (strange & 0x8080808080808080u) == 0 && (others & fronts) == 0;
}

/*
 * Checks n stamps after the first one of `stamps`, eight characters each, of which `digits` count:
 * has each nothing but digits, and is it later than the one before?
 */
static inline bool all_later(const uint8_t *stamps, size_t n, size_t digits)
{
    return later_ones(stamps, n, digits, 8, stamps, 0);
}

/*
 * Checks the same with VCD_SCAN_DIGITS characters, of which more than eight count; those in front
 * of the last eight must be like those of `like`.
 */
static inline bool all_later_long(const uint8_t *stamps, size_t n, size_t digits,
                                  const uint8_t *like)
{
    return later_ones(stamps, n, digits, VCD_SCAN_DIGITS, like, UINT64_MAX >> (128 - 8 * digits));
}

#include "wave/vcd/scan_plain.h"

#include "wave/vcd/scan_loop.h"

#endif
