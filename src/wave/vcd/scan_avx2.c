/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner in AVX2.  Compiled with -mavx2 and the bit instructions that come with it
 * (CMakeLists.txt); nothing here may be called before pc_cpu_has_v3() said yes.
 *
 * A class of characters is a product of sets of high and low nibbles: two table lookups and
 * an "and" give one bit for each of eight classes.  What identifiers may begin with are products
 * of four such sets, eight again.
 */
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/cpu.h"
#include "wave/vcd/scan_bits.h"

/* LOW: control characters below 16 but newline; CONTROL: those above. */
enum { BLANK = 1, LOW = 2, CONTROL = 8, UNKNOWN = 16, WORD = 32, STRING = 64 };

/* What stays the same for a span. */
struct tables {
    __m256i low, high; /* of classes, by nibble */
    __m256i sign;      /* that of newline # 0 1 which has this low nibble */
    __m256i first_low, first_high, second_low, other;
    size_t other_at;
    __m128i other_shift;
    __m256i clock[VCD_SCAN_CLOCK];
    __m256i end; /* what ends the last word of a line */
};

static inline __m256i both(__m128i x)
{
    return _mm256_broadcastsi128_si256(x);
}

static inline __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline __m256i table(const uint8_t *p)
{
    return both(_mm_loadu_si128((const __m128i *)(const void *)p));
}

static inline __m256i nibble(__m256i x)
{
    return _mm256_and_si256(x, _mm256_set1_epi8(15));
}

/* Bit 7 of each byte becomes one half of a mask. */
static inline void put_mask(uint64_t *mask, unsigned half, __m256i x)
{
    const int bits = _mm256_movemask_epi8(x);

    memcpy((uint8_t *)mask + sizeof bits * half, &bits, sizeof bits);
}

/* Characters that are no beginning of an identifier that may be selected; their high nibbles. */
static inline __m256i filtered_out(const uint8_t *p, const struct tables *t, __m256i a,
                                   __m256i high)
{
    const __m256i other = nibble(_mm256_srl_epi16(load(p + t->other_at), t->other_shift));
    const __m256i first = _mm256_and_si256(_mm256_shuffle_epi8(t->first_low, a),
                                           _mm256_shuffle_epi8(t->first_high, high));
    const __m256i second = _mm256_and_si256(_mm256_shuffle_epi8(t->second_low, load(p + 1)),
                                            _mm256_shuffle_epi8(t->other, other));

    return _mm256_cmpeq_epi8(_mm256_and_si256(first, second), _mm256_setzero_si256());
}

/* Characters after which the clock's identifier ends a line. */
static inline __m256i clock_lines(const uint8_t *p, const struct tables *t, unsigned length,
                                  __m256i end)
{
    __m256i all = _mm256_cmpeq_epi8(load(p + 1 + length), end);

    for (unsigned i = 0; i < length; i++)
        all = _mm256_and_si256(all, _mm256_cmpeq_epi8(load(p + 1 + i), t->clock[i]));
    return all;
}

/* What PLAIN does not ask for; returns the classes. */
static inline __m256i classify_rare(struct masks *m, size_t i, unsigned half, const enum how how,
                                    const struct tables *t, __m256i a, __m256i high)
{
    const __m256i newline = _mm256_set1_epi8('\n'), words = _mm256_set1_epi8(WORD | STRING);
    const __m256i x =
        _mm256_and_si256(_mm256_shuffle_epi8(t->low, a), _mm256_shuffle_epi8(t->high, high));

    put_mask(&m->blank[i], half, _mm256_slli_epi16(x, 7));
    put_mask(&m->word[i], half,
             _mm256_cmpgt_epi8(_mm256_and_si256(x, words), _mm256_setzero_si256()));
    put_mask(&m->unknown[i], half, _mm256_slli_epi16(x, 3));
    if (how != FULL)
        return x;
    put_mask(&m->end[i], half, _mm256_cmpeq_epi8(a, t->end));
    put_mask(
        &m->control[i], half,
        _mm256_andnot_si256(_mm256_cmpeq_epi8(a, newline),
                            _mm256_or_si256(_mm256_slli_epi16(x, 4), _mm256_slli_epi16(x, 6))));
    return x;
}

/*
 * Half a word of each mask.  Returns the classes; of PLAIN, which knows none, the characters
 * themselves, but for signs, which become 255.
 */
static inline __m256i classify_half(const uint8_t *p, const struct tables *t, const unsigned length,
                                    const enum how how, struct masks *m, size_t i, unsigned half)
{
    const __m256i newline = _mm256_set1_epi8('\n');
    const __m256i a = load(p), high = nibble(_mm256_srli_epi16(a, 4));
    const __m256i sign = _mm256_cmpeq_epi8(a, _mm256_shuffle_epi8(t->sign, a));

    put_mask(&m->sign[i], half, sign);
    put_mask(&m->odd[i], half, _mm256_slli_epi16(a, 7));
    put_mask(&m->two[i], half, _mm256_slli_epi16(a, 6));
    put_mask(&m->filtered_out[i], half, filtered_out(p, t, a, high));
    put_mask(&m->clock[i], half, clock_lines(p, t, length, how == FULL ? t->end : newline));
    return how == PLAIN ? _mm256_or_si256(a, sign) : classify_rare(m, i, half, how, t, a, high);
}

static inline struct tables make_tables(const struct vcd_sets *sets)
{
    const struct vcd_id_filter *filter = &sets->filter;
    struct tables t = {
        .low = both(_mm_setr_epi8(CONTROL | LOW | BLANK, CONTROL | LOW, CONTROL | LOW | WORD,
                                  CONTROL | LOW | STRING, CONTROL | LOW, CONTROL | LOW,
                                  CONTROL | LOW, CONTROL | LOW, CONTROL | LOW | UNKNOWN,
                                  CONTROL | LOW, CONTROL | UNKNOWN, CONTROL | LOW, CONTROL | LOW,
                                  CONTROL | LOW, CONTROL | LOW, CONTROL | LOW)),
        .high = both(_mm_setr_epi8(LOW, CONTROL, BLANK, 0, WORD, WORD | STRING | UNKNOWN, WORD,
                                   WORD | STRING | UNKNOWN, 0, 0, 0, 0, 0, 0, 0, 0)),
        .sign = both(_mm_setr_epi8('0', '1', 0, '#', 0, 0, 0, 0, 0, 0, '\n', 0, 0, 0, 0, 0)),
        .first_low = table(filter->first_low),
        .first_high = table(filter->first_high),
        .second_low = table(filter->second_low),
        .other = table(filter->other),
        .other_at = filter->other_at,
        .other_shift = _mm_cvtsi32_si128(filter->other_shift),
        .end = _mm256_set1_epi8((char)sets->end),
    };

    for (unsigned i = 0; i < VCD_SCAN_CLOCK; i++)
        t.clock[i] = _mm256_set1_epi8((char)sets->clock[i]);
    return t;
}

/* Is a byte below `limit`? */
static inline bool any_below(__m256i x, uint8_t limit)
{
    const __m256i least = _mm256_set1_epi8((char)limit);

    return _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(x, least), x)) != -1;
}

ALWAYS_INLINE unsigned classify(const uint8_t *p, size_t words, const struct vcd_sets *sets,
                                const unsigned length, const enum how how, struct masks *m)
{
    const struct tables t = make_tables(sets);
    __m256i seen = _mm256_setzero_si256(), least = _mm256_set1_epi8(-1);

    for (size_t i = 1; i <= words; i++, p += 64) {
        __builtin_prefetch(p + AHEAD);
        const __m256i x = classify_half(p, &t, length, how, m, i, 0);
        const __m256i y = classify_half(p + 32, &t, length, how, m, i, 1);
        seen = _mm256_or_si256(seen, _mm256_or_si256(x, y));
        least = _mm256_min_epu8(least, _mm256_min_epu8(x, y));
    }
    if (how == PLAIN)
        return any_below(least, ' ' + 1) ? SEEN_BLANK : 0u;
    return (_mm256_testz_si256(seen, _mm256_set1_epi8(BLANK)) ? 0u : SEEN_BLANK) |
           (_mm256_testz_si256(seen, _mm256_set1_epi8(CONTROL | LOW)) ? 0u : SEEN_CONTROL);
}

/* Which of 64 characters are digits 0 1 x z; those that are 1, and those that are x or z. */
static inline uint64_t digits_at(const uint8_t *p, uint64_t *one, uint64_t *unknown)
{
    uint64_t all = 0;

    for (unsigned half = 0; half < 2; half++) {
        const __m256i a = load(p + 32 * half);
        const __m256i x =
            _mm256_cmpeq_epi8(_mm256_or_si256(a, _mm256_set1_epi8(0x22)), _mm256_set1_epi8('z'));
        const __m256i binary =
            _mm256_cmpeq_epi8(_mm256_or_si256(a, _mm256_set1_epi8(1)), _mm256_set1_epi8('1'));
        put_mask(one, half, _mm256_and_si256(binary, _mm256_slli_epi16(a, 7)));
        put_mask(unknown, half, x);
        put_mask(&all, half, _mm256_or_si256(x, binary));
    }
    return all;
}

enum { SHAPE_BLOCK = 32 };

/* The first `blocks` blocks of characters. */
ALWAYS_INLINE bool like_shape(const uint8_t *p, const struct shape *like, const size_t blocks)
{
    __m256i x = _mm256_setzero_si256();

    for (size_t i = 0; i < blocks * SHAPE_BLOCK; i += SHAPE_BLOCK)
        x = _mm256_or_si256(x, _mm256_xor_si256(_mm256_and_si256(load(p + i), load(like->mask + i)),
                                                load(like->want + i)));
    return _mm256_testz_si256(x, x);
}

/* lowest() of what may be 0: then any number up to 64. */
static inline size_t lowest_or_any(uint64_t x)
{
    return (size_t)_tzcnt_u64(x);
}

/* What is gathered of stamps, several at once. */
struct order {
    __m256i turn;  /* the digits round, so that the last eight are a number of the same order */
    __m256i base;  /* 0 for these, and what the digits in front of them must be */
    __m256i later; /* all ones while the last eight of each are later than those before */
    __m256i most;  /* the greatest difference from base, digit by digit */
};

static inline void take_stamps(struct order *o, __m256i now, __m256i before)
{
    o->later = _mm256_and_si256(o->later, _mm256_cmpgt_epi64(now, before));
    o->most = _mm256_max_epu8(o->most, _mm256_xor_si256(now, o->base));
}

/* Where the last eight of so many digits, of at most 16, are, the last one first; < 0: a zero. */
static inline __m128i turned(size_t digits)
{
    const __m128i place = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

    return _mm_sub_epi8(_mm_set1_epi8((char)(digits - 1)), place);
}

/*
 * Of n stamps after the first one of `stamps`, eight characters each, of which `digits` count:
 * has each nothing but digits, and is it later than the one before?
 */
static inline bool all_later(const uint8_t *stamps, size_t n, size_t digits)
{
    const __m128i turn = turned(digits), next = _mm_add_epi8(turn, _mm_set1_epi8(8));
    const __m128i none = _mm_cmpgt_epi8(_mm_setzero_si128(), turn);
    const __m128i pair = _mm_unpacklo_epi64(turn, _mm_or_si128(next, none));
    const __m128i zeros = _mm_shuffle_epi8(_mm_set1_epi8('0'), pair);
    const __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    struct order o = { both(pair), both(zeros), _mm256_set1_epi8(-1), _mm256_setzero_si256() };
    size_t i = 1;

    for (; i + 3 <= n; i += 4)
        take_stamps(&o, _mm256_shuffle_epi8(load(stamps + 8 * i), o.turn),
                    _mm256_shuffle_epi8(load(stamps + 8 * i - 8), o.turn));
    const __m256i here = _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(n + 1 - i)), lane);
    const __m256i now = _mm256_shuffle_epi8(load(stamps + 8 * i), o.turn);
    const __m256i before = _mm256_shuffle_epi8(load(stamps + 8 * i - 8), o.turn);
    take_stamps(&o, _mm256_blendv_epi8(o.base, now, here), _mm256_and_si256(before, here));
    return _mm256_movemask_epi8(o.later) == -1 &&
           _mm256_testz_si256(_mm256_subs_epu8(o.most, _mm256_set1_epi8(9)), _mm256_set1_epi8(-1));
}

/*
 * The same of VCD_SCAN_DIGITS characters, of which more than eight count; those in front of the
 * last eight must be like those of `like`.
 */
static inline bool all_later_long(const uint8_t *stamps, size_t n, size_t digits,
                                  const uint8_t *like)
{
    const __m128i turn = turned(digits);
    const __m128i zeros = _mm_shuffle_epi8(_mm_set1_epi8('0'), turn);
    const __m256i greatest = both(_mm_set_epi64x(0, 0x0909090909090909));
    const size_t size = VCD_SCAN_DIGITS;
    struct order o = { .turn = both(turn), .later = _mm256_set1_epi8(-1) };
    __m256i last = _mm256_shuffle_epi8(table(stamps), o.turn);

    o.base = _mm256_blend_epi32(both(zeros), _mm256_shuffle_epi8(table(like), o.turn), 0xcc);
#pragma GCC unroll 2
    for (size_t i = 1; i < n; i += 2) {
        const __m256i now = _mm256_shuffle_epi8(load(stamps + i * size), o.turn);
        take_stamps(&o, now, _mm256_permute2x128_si256(last, now, 0x21));
        last = now;
    }
    if (n % 2) /* twice the same; in front of the second, 0 */
        take_stamps(&o, _mm256_shuffle_epi8(table(stamps + n * size), o.turn),
                    _mm256_permute2x128_si256(last, last, 0x81));
    return (_mm256_movemask_epi8(o.later) & 0x00ff00ff) == 0x00ff00ff &&
           _mm256_testz_si256(_mm256_subs_epu8(o.most, greatest), _mm256_set1_epi8(-1));
}

#include "wave/vcd/scan_plain.h"

#define KERNEL        vcd_scan_avx2
#define KERNEL_NAME   "avx2"
#define KERNEL_USABLE pc_cpu_has_v3
#include "wave/vcd/scan_loop.h"

#else
typedef int vcd_scan_avx2_is_x86_only;
#endif
