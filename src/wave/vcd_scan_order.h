/* SPDX-License-Identifier: MIT */
/*
 * Pass 2 of the mask scanner: time stamps are numbers of so many digits and increase; they are
 * compared as text.  Part of vcd_scan_loop.h.
 */
#ifndef PC_WAVE_VCD_SCAN_ORDER_H
#define PC_WAVE_VCD_SCAN_ORDER_H

enum { SPAN_PLACES = SPAN / 2 + 64 };

/* The last stamp at or before `at`; there is one, at 0. */
static inline size_t stamp_before(const struct vcd_scan *s, size_t at)
{
    size_t k = at / 64;
    uint64_t bits = s->mark.stamps[k] & (below(at % 64) << 1 | 1);

    while (!bits)
        bits = s->mark.stamps[--k];
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
 * Places of the set bits of some words up to `to`, one after the other; returns how many.  The
 * first `usual` of a word are written without asking: how many there are is hard to guess.
 */
ALWAYS_INLINE size_t flatten(const uint64_t *mask, const size_t usual, size_t from, size_t to,
                             uint32_t *place)
{
    size_t n = 0;

    for (size_t at = from; at < to; at += 64) {
        uint64_t bits = mask[at / 64];
        if (usual == 0) {
            for (; bits; bits &= bits - 1)
                place[n++] = (uint32_t)at + lowest(bits);
            continue;
        }
        const size_t count = (size_t)__builtin_popcountll(bits);
        for (size_t i = 0; i < usual; i++, bits &= bits - 1)
            place[n + i] = (uint32_t)at + lowest_or_any(bits);
        for (size_t i = usual; i < count; i++, bits &= bits - 1)
            place[n + i] = (uint32_t)at + lowest(bits);
        n += count;
    }
    while (n > 0 && place[n - 1] >= to)
        n--;
    return n;
}

/* The last eight digits of a stamp, as text whose order is that of numbers. */
ALWAYS_INLINE uint64_t last_digits(const uint8_t *digit, size_t digits, const bool few)
{
    return few ? text_order(digit) >> (64 - 8 * digits) : text_order(digit + digits - 8);
}

/*
 * True if each stamp has nothing but digits and is later than the one before, and the digits in
 * front of the last eight are those of `like`, the first stamp of all: they change so seldom
 * that a second look is no loss.  *before becomes the last.
 */
ALWAYS_INLINE bool all_later(const uint8_t *text, const uint32_t *place, size_t n, size_t digits,
                             const bool few, uint64_t like, uint64_t *before)
{
    const uint64_t zeros = 0x3030303030303030u >> (few ? 64 - 8 * digits : 0);
    const uint64_t fronts = few ? 0 : UINT64_MAX >> (128 - 8 * digits);
    uint64_t last = *before, others = 0, strange = 0;
    bool ok = true;

#pragma GCC unroll 4
    for (size_t i = 0; i < n; i++) {
        const uint8_t *digit = text + place[i] + 1;
        const uint64_t now = last_digits(digit, digits, few), value = now ^ zeros;
        ok &= now > last;
        last = now;
        strange |= value | (value + 0x7676767676767676u); /* bit 7 if it is not below 10 */
        if (!few)
            others |= load_text(digit) ^ like;
    }
    *before = last;
    return ok && (strange & 0x8080808080808080u) == 0 && (others & fronts) == 0;
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

/* The first of n stamps that is no number of so many digits, or not later than the one before. */
static size_t first_not_later(const struct vcd_scan *s, const uint32_t *place, size_t n,
                              size_t digits, bool any, uint64_t before)
{
    for (size_t i = 0; i < n; i++) {
        if (stamp_digits(s, place[i]) != digits)
            return i;
        const uint64_t now = vcd_scan_number(s->text + place[i] + 1, digits);
        if (any && now <= before)
            return i;
        before = now;
        any = true;
    }
    return n;
}

/*
 * Pass 2.  Each stamp before `limit` must be later than the one before.  Returns `limit`, or the
 * stamp in front of the first that is not: what stands under it goes on.
 */
static inline size_t in_order(struct vcd_scan *s, size_t digits, size_t limit)
{
    const uint64_t like = load_text(s->text + 1);
    uint32_t place[SPAN_PLACES];
    size_t count = 0, last = 0;
    uint64_t before = 0;

    for (size_t from = 0; from < limit; from += SPAN) {
        const size_t to = limit - from < SPAN ? limit : from + SPAN;
        const size_t n = s->usual_stamps == 0   ? flatten(s->mark.stamps, 0, from, to, place)
                         : s->usual_stamps == 2 ? flatten(s->mark.stamps, 2, from, to, place)
                         : s->usual_stamps == 5 ? flatten(s->mark.stamps, 5, from, to, place)
                                                : flatten(s->mark.stamps, 6, from, to, place);
        const bool ok = digits <= 8 ? all_later(s->text, place, n, digits, true, like, &before)
                                    : all_later(s->text, place, n, digits, false, like, &before);
        if (!ok) {
            const uint64_t time = vcd_scan_number(s->text + last + 1, digits);
            const size_t k = first_not_later(s, place, n, digits, from > 0, time);
            if (k < n)
                return k > 0 ? place[k - 1] : last;
        }
        last = n > 0 ? place[n - 1] : last;
        count += n;
    }
    s->usual_stamps = count < limit / 512 ? 0 : count < limit / 64 ? 2 : count < limit / 13 ? 5 : 6;
    return limit;
}

#endif
