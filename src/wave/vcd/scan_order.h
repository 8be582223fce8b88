/* SPDX-License-Identifier: MIT */
/*
 * Pass 2 of the mask scanner: time stamps are numbers of so many digits and increase; they are
 * compared as text.  Part of scan_loop.h.
 */
#ifndef PC_WAVE_VCD_SCAN_ORDER_H
#define PC_WAVE_VCD_SCAN_ORDER_H

/* The last stamp at or before `at`; there is one, at 0. */
static inline size_t stamp_before(const struct vcd_scan *s, size_t at)
{
    size_t k = at / 64;
    uint64_t bits = vcd_stamps(s, k) & (below(at % 64) << 1 | 1);

    while (!bits)
        bits = vcd_stamps(s, --k);
    return 64 * k + highest(bits);
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

/*
 * The last stamp in front of the first between `from` and `to` that is no number of so many
 * digits, or not later than the one before; `to` if there is none.
 */
static size_t in_order_before(const struct vcd_scan *s, size_t digits, size_t from, size_t to)
{
    size_t last = from > 0 ? stamp_before(s, from - 1) : 0;
    uint64_t before = vcd_scan_number(s->text + last + 1, digits);

    for (size_t k = from / 64; 64 * k < to; k++) {
        for (uint64_t bits = vcd_stamps(s, k); bits; bits &= bits - 1) {
            const size_t at = 64 * k + lowest(bits);
            if (at >= to)
                return to;
            const uint64_t now = vcd_scan_number(s->text + at + 1, digits);
            if (stamp_digits(s, at) != digits || (at > 0 && now <= before))
                return last;
            before = now;
            last = at;
        }
    }
    return to;
}

/*
 * Pass 2.  Each stamp before `limit` must be later than the one before.  Returns `limit`, or the
 * stamp in front of the first that is not: what stands under it goes on.
 *
 * span_in_order() also wants the digits in front of the last eight to be those of the first
 * stamp of all.  They change so seldom that a second look is no loss; behind a span that had
 * one, the next is looked at again too, as nothing compares its first stamp's with the last of
 * that.
 */
ALWAYS_INLINE size_t in_order_of(struct vcd_scan *s, size_t digits, size_t limit, const size_t size)
{
    uint8_t stamp[(1 + SPAN_PLACES) * VCD_SCAN_DIGITS]; /* the last of the span before, and its */
    const struct stamp_order o = begin_order(s, digits);
    size_t count = 0;
    bool again = false;

    memset(stamp, 0, VCD_SCAN_DIGITS);
    for (size_t from = 0; from < limit; from += SPAN) {
        const size_t left = limit - from;
        size_t n;
        const bool later = span_in_order(&o, s, &s->mark[from / SPAN], from, left, size, stamp, &n);
        if (!later || again) {
            const size_t end = left < SPAN ? limit : from + SPAN;
            const size_t good = in_order_before(s, digits, from, end);
            if (good < end)
                return good;
        }
        again = !later || (again && n == 0);
        count += n;
    }
    s->usual_stamps = count < limit / 64 ? 2 : count < limit / 13 ? 5 : 6;
    return limit;
}

static size_t in_order(struct vcd_scan *s, size_t digits, size_t limit)
{
    return digits <= 8 ? in_order_of(s, digits, limit, 8)
                       : in_order_of(s, digits, limit, VCD_SCAN_DIGITS);
}

#endif
