/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner in AVX-512 with VBMI and VBMI2, a word of a mask at once.  Compiled with
 * these and the bit instructions that come with them (CMakeLists.txt); nothing here may be called
 * before pc_cpu_has_avx512() said yes.
 *
 * A look-up of 64 bytes takes six bits of a character: three of them say what identifiers may
 * begin with.  Digits of time stamps, and places, are collected by vpcompressb: whatever
 * number of them a word has, nobody guesses it.
 */
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/cpu.h"
#include "wave/vcd/scan_bits.h"

static inline __m512i load(const void *p)
{
    return _mm512_loadu_si512(p);
}

static inline __m512i all(uint8_t x)
{
    return _mm512_set1_epi8((char)x);
}

/* Characters after which the clock's identifier ends a line. */
ALWAYS_INLINE uint64_t clock_lines(const uint8_t *p, const struct vcd_sets *sets,
                                   const unsigned length, uint8_t end)
{
    uint64_t found = _mm512_cmpeq_epi8_mask(load(p + 1 + length), all(end));

    for (unsigned i = 0; i < length; i++)
        found = _mm512_mask_cmpeq_epi8_mask(found, load(p + 1 + i), all(sets->clock[i]));
    return found;
}

/* What PLAIN does not ask for; returns what was seen. */
ALWAYS_INLINE uint64_t classify_rare(struct masks *m, size_t i, const enum how how, __m512i a,
                                     uint8_t end, uint64_t *blanks)
{
    const __m512i small = _mm512_or_si512(a, all(0x20));
    const uint64_t low = _mm512_cmplt_epu8_mask(a, all(' '));
    const uint64_t control = low & ~_mm512_cmpeq_epi8_mask(a, all('\n'));

    m->blank[i] = _mm512_cmpeq_epi8_mask(a, all(' '));
    m->word[i] = _mm512_cmpeq_epi8_mask(small, all('b')) |
                 _mm512_cmpeq_epi8_mask(_mm512_or_si512(small, all(1)), all('s'));
    m->unknown[i] = _mm512_cmpeq_epi8_mask(_mm512_or_si512(small, all(2)), all('z'));
    *blanks |= m->blank[i];
    if (how == FULL) {
        m->end[i] = _mm512_cmpeq_epi8_mask(a, all(end));
        m->control[i] = control;
    }
    return control;
}

ALWAYS_INLINE unsigned classify(const uint8_t *p, size_t words, const struct vcd_sets *sets,
                                const unsigned length, const enum how how, struct masks *m)
{
    const __m512i signs = _mm512_broadcast_i32x4(
        _mm_setr_epi8('0', '1', 0, '#', 0, 0, 0, 0, 0, 0, '\n', 0, 0, 0, 0, 0));
    const __m512i first = load(sets->filter.first_six), second = load(sets->filter.second_six);
    const __m512i high = load(sets->filter.first_high_six);
    const uint8_t end = how == FULL ? sets->end : '\n';
    uint64_t blanks = 0, controls = 0;

    for (size_t i = 1; i <= words; i++, p += 64) {
        __builtin_prefetch(p + AHEAD);
        const __m512i a = load(p), quarter = _mm512_srli_epi16(a, 2);
        const __m512i look = _mm512_and_si512(_mm512_permutexvar_epi8(a, first),
                                              _mm512_permutexvar_epi8(quarter, high));
        m->sign[i] = _mm512_cmpeq_epi8_mask(a, _mm512_shuffle_epi8(signs, a));
        m->odd[i] = _mm512_movepi8_mask(_mm512_slli_epi16(a, 7));
        m->two[i] = _mm512_movepi8_mask(_mm512_slli_epi16(a, 6));
        m->filtered_out[i] =
            _mm512_testn_epi8_mask(look, _mm512_permutexvar_epi8(load(p + 1), second));
        m->clock[i] = clock_lines(p, sets, length, end);
        if (how == PLAIN) /* not of ASCII beyond blanks */
            m->blank[i] = _mm512_movepi8_mask(_mm512_add_epi8(a, all(0x7f - ' ')));
        else
            controls |= classify_rare(m, i, how, a, end, &blanks);
    }
    for (size_t i = 1; how == PLAIN && i <= words; i++)
        blanks |= ~(m->blank[i] | (m->sign[i] & m->two[i] & ~m->odd[i]));
    return (blanks ? SEEN_BLANK : 0u) | (controls ? SEEN_CONTROL : 0u);
}

/* Which of 64 characters are digits 0 1 x z; those that are 1, and those that are x or z. */
static inline uint64_t digits_at(const uint8_t *p, uint64_t *one, uint64_t *unknown)
{
    const __m512i a = load(p);

    *one = _mm512_cmpeq_epi8_mask(a, all('1'));
    *unknown = _mm512_cmpeq_epi8_mask(_mm512_or_si512(a, all(0x22)), all('z'));
    return *one | *unknown | _mm512_cmpeq_epi8_mask(a, all('0'));
}

enum { SHAPE_BLOCK = 64 };

/* The first `blocks` blocks of characters. */
ALWAYS_INLINE bool like_shape(const uint8_t *p, const struct shape *like, const size_t blocks)
{
    __m512i x = _mm512_setzero_si512();

    for (size_t i = 0; i < blocks * SHAPE_BLOCK; i += SHAPE_BLOCK)
        x = _mm512_or_si512(x, _mm512_xor_si512(_mm512_and_si512(load(p + i), load(like->mask + i)),
                                                load(like->want + i)));
    return _mm512_test_epi8_mask(x, x) == 0;
}

static inline const uint8_t *find_vector(const uint8_t *p, const uint8_t *end)
{
    for (; p < end; p += 64) {
        __builtin_prefetch(p + AHEAD_OF_LINES);
        const uint64_t found = _mm512_mask_cmpeq_epi8_mask(
            _mm512_cmpeq_epi8_mask(load(p), all('b')), load(p - 1), all('\n'));
        if (found)
            return (size_t)(end - p) > lowest(found) ? p + lowest(found) : end;
    }
    return end;
}

/* Which words of a span borrow from the next, and which do if the one in front of them does. */
struct borrows {
    uint64_t always, passing;
};

ALWAYS_INLINE void add_borrows(struct borrows *b, size_t i, __m512i from, __m512i to)
{
    b->always |= (uint64_t)_mm512_cmplt_epu64_mask(to, from) << i;
    b->passing |= (uint64_t)_mm512_cmpeq_epu64_mask(to, from) << i;
}

/* Words with a borrow from the one in front of them; *carry: into the first, then out of all. */
static inline uint64_t borrow_in(const struct borrows *b, uint64_t *carry)
{
    const uint64_t in = b->always << 1 | *carry;
    uint64_t sum;

    *carry = b->always >> 63 | (uint64_t)__builtin_add_overflow(in, b->passing, &sum);
    return sum ^ b->passing;
}

ALWAYS_INLINE void subtract_borrows(uint64_t *level, uint64_t borrows)
{
    for (size_t i = 0; i < SPAN_WORDS; i += 8) {
        const __m512i x = load(level + i);
        _mm512_storeu_si512(
            level + i, _mm512_mask_sub_epi64(x, (__mmask8)(borrows >> i), x, _mm512_set1_epi64(1)));
    }
}

/* before[] of eight words, whose edges are counted in `bits`; returns those after them. */
ALWAYS_INLINE uint32_t count_edges(uint32_t *before, __m512i bits, uint32_t edges)
{
    const __m128i each = _mm512_cvtepi64_epi8(bits);
    const uint64_t sums = (uint64_t)_mm_cvtsi128_si64(each) * UINT64_C(0x0101010101010101);
    const __m256i first = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)(sums << 8)));

    _mm256_storeu_si256((void *)before, _mm256_add_epi32(first, _mm256_set1_epi32((int)edges)));
    return edges + (uint32_t)(sums >> 56);
}

/* A line of the clock has three characters: eight words have less than 256. */
ALWAYS_INLINE void levels(struct masks *m, size_t words, const enum how how,
                          struct vcd_marks *restrict mark, struct carry *carry)
{
    struct borrows high = { 0, 0 }, inside = { 0, 0 };
    __m512i lines = _mm512_setzero_si512();

    if (words < SPAN_WORDS || carry->any) {
        levels_by_word(m, words, how, mark, carry);
        return;
    }
    for (size_t i = 0; i < SPAN_WORDS; i += 8) {
        const __m512i clocks = load(mark->clocks + i), odd = load(m->odd + 1 + i);
        const __m512i edges = _mm512_popcnt_epi64(load(mark->edges + i));
        const __m512i newlines = _mm512_popcnt_epi64(load(m->newline + 1 + i));
        add_borrows(&high, i, _mm512_and_si512(clocks, odd), _mm512_andnot_si512(odd, clocks));
        if (how != PLAIN)
            add_borrows(&inside, i, load(m->words + 1 + i), load(m->blank + 1 + i));
        carry->edges = count_edges(mark->before + i, edges, carry->edges);
        lines = _mm512_add_epi64(lines, newlines);
    }
    subtract_borrows(m->high + 1, borrow_in(&high, &carry->high));
    if (how != PLAIN)
        subtract_borrows(m->inside + 1, borrow_in(&inside, &carry->inside));
    carry->lines += (size_t)_mm512_reduce_add_epi64(lines);
}

ALWAYS_INLINE uint64_t not_empty(const uint64_t *mask, size_t words)
{
    uint64_t some = 0;

    for (size_t k = 0; k < words; k += 8) {
        const __mmask8 here = words - k < 8 ? (__mmask8)below(words - k) : 0xff;
        const __m512i x = _mm512_maskz_loadu_epi64(here, mask + k);
        some |= (uint64_t)_mm512_test_epi64_mask(x, x) << k;
    }
    return some;
}

/*
 * Of pass 2: stamps stand one after the other, `digits` characters each; so many of them are
 * looked at at once.
 */
struct stamp_order {
    size_t digits, some;
    __m512i turn; /* the last eight digits of each as a number, the last one lowest, */
    __mmask64 turned;
    __m512i base, limit; /* and what they may be: that, and so much above it */
};

static inline struct stamp_order begin_order(const struct vcd_scan *s, size_t digits)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), each = digits < 8 ? digits : 8;
    struct stamp_order o = { .digits = digits, .some = 64 / digits < 8 ? 64 / digits : 8 };
    uint8_t base[64], limit[64];
    uint64_t turn[8];

    for (size_t i = 0; i < 8; i++)
        turn[i] = (i * digits + digits - 1) * ones - UINT64_C(0x0706050403020100);
    for (size_t i = 0, at = 0; i < 64; i++, at = at + 1 < digits ? at + 1 : 0) {
        const bool front = at + 8 < digits;
        base[i] = front ? s->text[1 + at] : '0';
        limit[i] = front ? 0 : 9;
    }
    o.turn = load(turn);
    o.turned = below(each) * (ones >> (64 - 8 * o.some));
    o.base = load(base);
    o.limit = load(limit);
    return o;
}

/* Of stamps, as many as `lanes` has and `bytes` of their digits: those that are not later. */
ALWAYS_INLINE __mmask8 not_later(const struct stamp_order *o, const uint8_t *stamps, __mmask8 lanes,
                                 __mmask64 bytes, __mmask64 *odd)
{
    const __m512i text = load(stamps), before = load(stamps - o->digits);
    const __m512i value = _mm512_xor_si512(text, o->base);

    *odd |= _mm512_mask_cmpgt_epu8_mask(bytes, value, o->limit);
    return _mm512_mask_cmple_epu64_mask(lanes,
                                        _mm512_maskz_permutexvar_epi8(o->turned, o->turn, text),
                                        _mm512_maskz_permutexvar_epi8(o->turned, o->turn, before));
}

/* Are n stamps digits, and each later than the one in front of it?  One is in front of them all. */
static inline bool all_later(const struct stamp_order *o, const uint8_t *stamps, size_t n)
{
    const size_t step = o->some * o->digits;
    const __mmask64 bytes = UINT64_MAX >> (64 - step);
    const __mmask8 lanes = (__mmask8)below(o->some);
    __mmask64 odd = 0;
    __mmask8 wrong = 0;

    for (; n >= o->some; n -= o->some, stamps += step)
        wrong |= not_later(o, stamps, lanes, bytes, &odd);
    wrong |= not_later(o, stamps, (__mmask8)below(n), below(n * o->digits), &odd);
    return wrong == 0 && odd == 0;
}

/* Below bit `left` of a span, all bits of eight words from word i on. */
static inline __m512i words_below(size_t i, size_t left)
{
    const __m512i at = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
                                        _mm512_set1_epi64((long long)i));
    const __m512i last = _mm512_set1_epi64((long long)(left / 64));
    const __m512i part = _mm512_set1_epi64((long long)below(left % 64));

    return _mm512_mask_mov_epi64(_mm512_maskz_set1_epi64(_mm512_cmplt_epi64_mask(at, last), -1),
                                 _mm512_cmpeq_epi64_mask(at, last), part);
}

/*
 * Where the digits of a span's stamps below bit `left` are; returns how many stamps.  That is a
 * difference: of what is after the digits, and where they begin.
 */
static inline size_t find_digits(const struct vcd_marks *m, size_t left, size_t digits,
                                 uint64_t where[SPAN_WORDS])
{
    const __m128i up = _mm_cvtsi32_si128((int)digits + 1),
                  down = _mm_cvtsi32_si128(63 - (int)digits);
    __m512i front = _mm512_setzero_si512(), count = front;
    struct borrows b = { 0, 0 };
    uint64_t none = 0;

    for (size_t i = 0; i < SPAN_WORDS; i += 8) {
        __m512i here = load(m->stamps + i);
        if (left < SPAN)
            here = _mm512_and_si512(here, words_below(i, left));
        const __m512i over = _mm512_alignr_epi64(here, front, 7);
        const __m512i begin =
            _mm512_or_si512(_mm512_slli_epi64(here, 1), _mm512_srli_epi64(over, 63));
        const __m512i end =
            _mm512_or_si512(_mm512_sll_epi64(here, up), _mm512_srl_epi64(over, down));
        add_borrows(&b, i, begin, end);
        _mm512_storeu_si512(where + i, _mm512_sub_epi64(end, begin));
        count = _mm512_add_epi64(count, _mm512_popcnt_epi64(here));
        front = here;
    }
    subtract_borrows(where, borrow_in(&b, &none));
    return (size_t)_mm512_reduce_add_epi64(count);
}

/* A span's stamps below bit `left`, if most words have none: one by one.  Returns how many. */
static inline size_t gather_few(const uint8_t *text, const struct vcd_marks *m, size_t left,
                                size_t digits, uint8_t *to)
{
    const size_t last = left / 64;
    uint64_t some = m->with_stamps;
    uint8_t *at = to;

    if (last < SPAN_WORDS)
        some &= below(last) << 1 | 1;
    for (; some; some &= some - 1) {
        const size_t k = lowest(some);
        uint64_t bits = k == last ? m->stamps[k] & below(left % 64) : m->stamps[k];
        for (size_t n = bits_in(bits); n > 0; n--, bits &= bits - 1, at += digits)
            memcpy(at, text + 64 * k + lowest(bits) + 1, VCD_SCAN_DIGITS);
    }
    return (size_t)(at - to) / digits;
}

/* The digits of n stamps one after the other; false if these are not so many of each. */
static inline bool gather_many(const uint8_t *text, const struct vcd_marks *m, size_t left,
                               size_t digits, uint8_t *to, size_t *n)
{
    uint64_t where[SPAN_WORDS];
    uint8_t *at = to;

    *n = find_digits(m, left, digits, where);
    for (uint64_t some = not_empty(where, SPAN_WORDS); some; some &= some - 1) {
        const size_t k = lowest(some);
        _mm512_storeu_si512(at, _mm512_maskz_compress_epi8(where[k], load(text + 64 * k)));
        at += bits_in(where[k]);
    }
    const uint64_t over = left < SPAN ? 0 : m->stamps[SPAN_WORDS - 1] >> (63 - digits);
    if (over) { /* the last one ends in the next span */
        memcpy(at, text + SPAN, VCD_SCAN_DIGITS);
        at += highest(over);
    }
    return (size_t)(at - to) == *n * digits;
}

ALWAYS_INLINE bool span_in_order(const struct stamp_order *o, const struct vcd_scan *s,
                                 const struct vcd_marks *m, size_t from, size_t left,
                                 const size_t size, uint8_t *stamp, size_t *count)
{
    const uint8_t *text = s->text + from;
    uint8_t *to = stamp + o->digits;
    bool good = true;

    (void)size;
    if (s->usual_stamps == 2)
        *count = gather_few(text, m, left, o->digits, to);
    else
        good = gather_many(text, m, left, o->digits, to, count);
    if (!good)
        return false;
    const bool later = all_later(o, to, *count);
    memmove(stamp, stamp + *count * o->digits, VCD_SCAN_DIGITS);
    return later;
}

/* Places of a span's candidates; a word seldom has more than sixteen. */
static inline size_t find_candidates(const struct vcd_scan *s, const struct vcd_marks *m,
                                     size_t from, size_t left, uint32_t *place)
{
    const size_t last = left / 64;
    uint64_t some = m->with_candidates;
    uint8_t each[64];
    size_t n = 0;

    (void)s;
    (void)from;
    for (size_t i = 0; i < sizeof each; i++)
        each[i] = (uint8_t)i;
    const __m512i places = load(each);
    if (last < SPAN_WORDS)
        some &= below(last) << 1 | 1;
    for (; some; some &= some - 1) {
        const size_t k = lowest(some);
        const uint64_t bits = k == last ? m->candidates[k] & below(left % 64) : m->candidates[k];
        const __m512i base = _mm512_set1_epi32((int)(64 * k));
        __m512i found = _mm512_maskz_compress_epi8(bits, places);
        for (size_t i = 0; i < bits_in(bits); i += 16) {
            const __m512i wide = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(found));
            _mm512_storeu_si512(place + n + i, _mm512_add_epi32(wide, base));
            found = _mm512_alignr_epi64(found, found, 2);
        }
        n += bits_in(bits);
    }
    return n;
}

#define KERNEL        vcd_scan_avx512
#define KERNEL_NAME   "avx512"
#define KERNEL_USABLE pc_cpu_has_avx512
#include "wave/vcd/scan_loop.h"

#else
typedef int vcd_scan_avx512_is_x86_only;
#endif
