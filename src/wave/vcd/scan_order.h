/* SPDX-License-Identifier: MIT */
/*
 * Pass 2 of the mask scanner: timestamps are numbers of that many digits and increase; they are
 * compared as text.  Part of scan_loop.h.
 */
#ifndef PC_WAVE_VCD_SCAN_ORDER_H
#define PC_WAVE_VCD_SCAN_ORDER_H

/* Returns the last stamp at or before `at`; there is one, at 0. */
static inline size_t stamp_before(const struct vcd_scan *s, size_t at)
{
    size_t k = at / 64;
    uint64_t bits = vcd_stamps(s, k) & (below(at % 64) << 1 | 1);

    while (!bits)
        bits = vcd_stamps(s, --k);
    return 64 * k + highest(bits);
}

/* Returns the digits of the stamp at `at`; 0 if its line is not whole, or no plain number. */
static inline size_t stamp_digits(const struct vcd_scan *s, size_t at)
{
    size_t n = 0;

    while (at + 1 + n < s->size && s->text[at + 1 + n] >= '0' && s->text[at + 1 + n] <= '9')
        n++;
    return at + 1 + n < s->size && s->text[at + 1 + n] == s->sets->end && n <= VCD_SCAN_DIGITS ? n
                                                                                               : 0;
}

/*
 * Returns the last stamp in front of the first between `from` and `to` that is not a number of that
 * many digits, or not later than the one before; `to` if there is none.
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
 * Pass 2, a span after pass 1.  Each stamp must be later than the one before.
 *
 * span_in_order() also wants the digits in front of the last eight to be those of the first
 * stamp of all.  They change so seldom that a second look is no loss; after a span that had
 * one, the next is looked at again too, as nothing compares its first stamp's with the last of
 * that.
 */
struct ordering {
    struct stamp_order like;
    size_t from;  /* whole spans in front of it are in order */
    size_t count; /* of stamps */
    size_t wrong; /* the stamp in front of the first that is not in order; none: SIZE_MAX */
    bool again;
    uint8_t stamp[(1 + SPAN_PLACES) * VCD_SCAN_DIGITS]; /* the last of the span before, and its */
};

static void begin_ordering(struct ordering *r, const struct vcd_scan *s, size_t digits)
{
    r->like = begin_order(s, digits);
    r->from = r->count = 0;
    r->wrong = SIZE_MAX;
    r->again = false;
    memset(r->stamp, 0, VCD_SCAN_DIGITS);
}

/* Orders the span at r->from, or what of it is in front of `limit`. */
ALWAYS_INLINE void order_span(struct ordering *r, const struct vcd_scan *s, size_t limit,
                              const size_t size)
{
    const size_t from = r->from, left = limit - from;
    size_t n;
    const bool later =
        span_in_order(&r->like, s, &s->mark[from / SPAN], from, left, size, r->stamp, &n);

    if (!later || r->again) {
        const size_t end = left < SPAN ? limit : from + SPAN;
        const size_t good = in_order_before(s, r->like.digits, from, end);
        if (good < end) {
            r->wrong = good;
            return;
        }
    }
    r->again = !later || (r->again && n == 0);
    r->count += n;
    r->from += SPAN;
}

/* Orders what is before `limit`, which ends a span or is the last one; false: something is wrong.
 */
static bool order_to(struct ordering *r, const struct vcd_scan *s, size_t limit)
{
    while (r->wrong == SIZE_MAX && r->from < limit)
        if (r->like.digits <= 8)
            order_span(r, s, limit, 8);
        else
            order_span(r, s, limit, VCD_SCAN_DIGITS);
    return r->wrong == SIZE_MAX;
}

/* Returns `limit`, or the stamp in front of the first that is wrong: what stands under it goes
 * on. */
static size_t end_ordering(struct ordering *r, struct vcd_scan *s, size_t limit)
{
    if (!order_to(r, s, limit))
        return r->wrong < limit ? r->wrong : limit;
    s->usual_stamps = r->count < limit / 64 ? 2 : r->count < limit / 13 ? 5 : 6;
    return limit;
}

#endif
