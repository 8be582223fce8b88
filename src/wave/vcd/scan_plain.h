/* SPDX-License-Identifier: MIT */
/*
 * Steps of the mask scanner in plain C: what scan_loop.h wants besides classify(), digits_at() and
 * like_shape(), made of lowest_or_any(), all_later() and all_later_long().
 */
#ifndef PC_WAVE_VCD_SCAN_PLAIN_H
#define PC_WAVE_VCD_SCAN_PLAIN_H

/* For pass 0. */
static inline const uint8_t *find_vector(const uint8_t *p, const uint8_t *end)
{
    while (p < end && (p = memchr(p, 'b', (size_t)(end - p))) != NULL) {
        if (p[-1] == '\n')
            return p;
        p++;
    }
    return end;
}

ALWAYS_INLINE void levels(struct masks *m, size_t words, const enum how how,
                          struct vcd_marks *restrict mark, struct carry *carry)
{
    levels_by_word(m, words, how, mark, carry);
}

ALWAYS_INLINE uint64_t not_empty(const uint64_t *mask, size_t words)
{
    uint64_t some = 0;

    for (size_t k = 0; k < words; k++)
        some |= (uint64_t)(mask[k] != 0) << k;
    return some;
}

/* Where flatten() puts what it finds: one of the two. */
struct places {
    uint8_t *digits; /* what stands after the # of a stamp, `size` characters of it */
    size_t size;
    uint32_t *place;
};

ALWAYS_INLINE void put(const struct places *to, size_t i, const uint8_t *text, size_t from,
                       size_t bit)
{
    if (to->digits)
        memcpy(to->digits + i * to->size, text + from + bit + 1, to->size);
    else
        to->place[i] = (uint32_t)(from + bit);
}

/*
 * Writes the set bits of a span's words below bit `limit`, one after the other; returns how many.
 * `some`: words that are not empty. The first `usual` bits of a word are copied without asking: how
 * many there are is hard to guess.
 */
ALWAYS_INLINE size_t flatten(const uint64_t *mask, uint64_t some, size_t limit, const size_t usual,
                             const uint8_t *text, const struct places *to)
{
    const size_t last = limit / 64;
    size_t n = 0;

    if (last < SPAN_WORDS)
        some &= below(last) << 1 | 1;
    for (; some; some &= some - 1) {
        const size_t k = lowest(some), count = bits_in(mask[k]);
        uint64_t bits = mask[k];
        for (size_t i = 0; i < usual; i++, bits &= bits - 1)
            put(to, n + i, text, 64 * k, lowest_or_any(bits));
        for (size_t i = usual; i < count; i++, bits &= bits - 1)
            put(to, n + i, text, 64 * k, lowest(bits));
        n += count;
    }
    return last < SPAN_WORDS ? n - bits_in(mask[last] >> limit % 64) : n;
}

/* Stamps of a span, one after the other, that many characters of each. */
ALWAYS_INLINE size_t gather_stamps(const struct vcd_scan *s, const struct vcd_marks *m, size_t from,
                                   size_t left, uint8_t *stamps, const size_t size)
{
    const struct places to = { .digits = stamps, .size = size };
    const uint64_t *mask = m->stamps, some = m->with_stamps;
    const uint8_t *text = s->text + from;

    return s->usual_stamps == 2   ? flatten(mask, some, left, 2, text, &to)
           : s->usual_stamps == 5 ? flatten(mask, some, left, 5, text, &to)
                                  : flatten(mask, some, left, 6, text, &to);
}

/* State of pass 2 that stays the same. */
struct stamp_order {
    size_t digits;
    const uint8_t *like;
};

static inline struct stamp_order begin_order(const struct vcd_scan *s, size_t digits)
{
    return (struct stamp_order){ digits, s->text + 1 };
}

/* The digits of the first stamp of `stamp` are those of the span before, then of the last here. */
ALWAYS_INLINE bool span_in_order(const struct stamp_order *o, const struct vcd_scan *s,
                                 const struct vcd_marks *m, size_t from, size_t left,
                                 const size_t size, uint8_t *stamp, size_t *count)
{
    const size_t n = gather_stamps(s, m, from, left, stamp + size, size);
    const bool later =
        size == 8 ? all_later(stamp, n, o->digits) : all_later_long(stamp, n, o->digits, o->like);

    memmove(stamp, stamp + n * size, size);
    *count = n;
    return later;
}

/* Places of a span's candidates. */
static inline size_t find_candidates(const struct vcd_scan *s, const struct vcd_marks *m,
                                     size_t from, size_t left, uint32_t *place)
{
    const struct places to = { .place = place };
    const uint64_t *mask = m->candidates, some = m->with_candidates;
    const uint8_t *text = s->text + from;

    return s->usual_candidates == 1 ? flatten(mask, some, left, 1, text, &to)
                                    : flatten(mask, some, left, 3, text, &to);
}

#endif
