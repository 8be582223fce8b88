/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner in AVX2.  Compiled with -mavx2 and the bit instructions that come with it
 * (CMakeLists.txt); nothing here may be called before usable() said yes.
 *
 * A class of characters is a product of sets of high and low nibbles: two table lookups and
 * an "and" give one bit for each of eight classes.  The pairs that begin an identifier are
 * products of two such classes, eight again.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "wave/vcd_scan_bits.h"

static bool usable(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") &&
           __builtin_cpu_supports("popcnt");
}

/* LOW: control characters below 16 but newline; CONTROL: those above. */
enum { BLANK = 1, LOW = 2, DIGIT = 4, CONTROL = 8, UNKNOWN = 16, WORD = 32, STRING = 64 };
#define BINARY -128

struct classes {
    uint64_t newline, end, hash, binary, control, odd;
    uint64_t pair, clock;
    bool blanks;
    __m256i x, y;
};

struct rare {
    uint64_t blank, word, unknown;
};

struct strange {
    __m256i seen;
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

/* Bit 7 of each byte. */
static inline uint64_t top(__m256i a, __m256i b)
{
    return (uint32_t)_mm256_movemask_epi8(a) | (uint64_t)(uint32_t)_mm256_movemask_epi8(b) << 32;
}

static inline uint64_t equal(__m256i a, __m256i b, uint8_t c)
{
    const __m256i all = _mm256_set1_epi8((char)c);

    return top(_mm256_cmpeq_epi8(a, all), _mm256_cmpeq_epi8(b, all));
}

/* Bytes of which one of the bits of `mask`, which has not bit 7, is set. */
static inline uint64_t some(__m256i a, __m256i b, char mask)
{
    const __m256i all = _mm256_set1_epi8(mask), zero = _mm256_setzero_si256();

    return top(_mm256_cmpgt_epi8(_mm256_and_si256(a, all), zero),
               _mm256_cmpgt_epi8(_mm256_and_si256(b, all), zero));
}

/* Bytes that are no part of a pair: with their high nibbles, and those one byte further on. */
static inline __m256i no_pair(const uint8_t *p, const struct vcd_pairs *pairs, __m256i a,
                              __m256i high_a)
{
    const __m256i next = load(p + 1);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(next, 4), _mm256_set1_epi8(15));
    const __m256i first = _mm256_and_si256(_mm256_shuffle_epi8(table(pairs->first_low), a),
                                           _mm256_shuffle_epi8(table(pairs->first_high), high_a));
    const __m256i second = _mm256_and_si256(_mm256_shuffle_epi8(table(pairs->second_low), next),
                                            _mm256_shuffle_epi8(table(pairs->second_high), high));

    return _mm256_cmpeq_epi8(_mm256_and_si256(first, second), _mm256_setzero_si256());
}

/* Binary characters behind which the clock's identifier ends a line; `x`: classes. */
static inline __m256i clock_lines(const uint8_t *p, __m256i x, const struct vcd_sets *sets,
                                  unsigned length, uint8_t end)
{
    __m256i all =
        _mm256_and_si256(x, _mm256_cmpeq_epi8(load(p + 1 + length), _mm256_set1_epi8((char)end)));

    for (unsigned i = 0; i < length; i++)
        all = _mm256_and_si256(
            all, _mm256_cmpeq_epi8(load(p + 1 + i), _mm256_set1_epi8((char)sets->clock[i])));
    return all;
}

static inline struct classes classify(const uint8_t *p, const struct vcd_sets *sets,
                                      unsigned length, bool thorough, struct strange *strange)
{
    const __m256i low = both(_mm_setr_epi8(
        CONTROL | LOW | BLANK | DIGIT | BINARY, CONTROL | LOW | DIGIT | BINARY,
        CONTROL | LOW | DIGIT | WORD, CONTROL | LOW | DIGIT | STRING, CONTROL | LOW | DIGIT,
        CONTROL | LOW | DIGIT, CONTROL | LOW | DIGIT, CONTROL | LOW | DIGIT,
        CONTROL | LOW | DIGIT | UNKNOWN, CONTROL | LOW | DIGIT, CONTROL | UNKNOWN, CONTROL | LOW,
        CONTROL | LOW, CONTROL | LOW, CONTROL | LOW, CONTROL | LOW));
    const __m256i high =
        both(_mm_setr_epi8(LOW, CONTROL, BLANK, DIGIT | BINARY, WORD, WORD | STRING | UNKNOWN, WORD,
                           WORD | STRING | UNKNOWN, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i a = load(p), b = load(p + 32);
    const __m256i high_a = _mm256_and_si256(_mm256_srli_epi16(a, 4), nibble);
    const __m256i high_b = _mm256_and_si256(_mm256_srli_epi16(b, 4), nibble);
    const __m256i x =
        _mm256_and_si256(_mm256_shuffle_epi8(low, a), _mm256_shuffle_epi8(high, high_a));
    const __m256i y =
        _mm256_and_si256(_mm256_shuffle_epi8(low, b), _mm256_shuffle_epi8(high, high_b));
    const __m256i any = _mm256_or_si256(x, y);
    const uint8_t end = thorough ? sets->end : '\n';
    struct classes c = { .x = x, .y = y };

    __builtin_prefetch(p + 2048);
    c.newline = equal(a, b, '\n');
    c.end = thorough ? equal(a, b, end) : c.newline;
    if (thorough)
        c.control = top(_mm256_or_si256(_mm256_slli_epi16(x, 4), _mm256_slli_epi16(x, 6)),
                        _mm256_or_si256(_mm256_slli_epi16(y, 4), _mm256_slli_epi16(y, 6)));
    else
        strange->seen = _mm256_or_si256(strange->seen, any);
    c.blanks = !_mm256_testz_si256(any, _mm256_set1_epi8(BLANK));
    c.hash = equal(a, b, '#');
    c.binary = top(x, y);
    c.odd = top(_mm256_slli_epi16(a, 7), _mm256_slli_epi16(b, 7));
    c.pair = ~top(no_pair(p, &sets->pairs, a, high_a), no_pair(p + 32, &sets->pairs, b, high_b));
    c.clock = top(clock_lines(p, x, sets, length, end), clock_lines(p + 32, y, sets, length, end));
    return c;
}

static inline struct rare rare_masks(const struct classes *c)
{
    return (struct rare){
        .blank = top(_mm256_slli_epi16(c->x, 7), _mm256_slli_epi16(c->y, 7)),
        .word = some(c->x, c->y, WORD | STRING),
        .unknown = top(_mm256_slli_epi16(c->x, 3), _mm256_slli_epi16(c->y, 3)),
    };
}

static inline uint64_t digit_mask(const struct classes *c)
{
    return top(_mm256_slli_epi16(c->x, 5), _mm256_slli_epi16(c->y, 5));
}

static inline bool any_strange(const struct strange *s)
{
    return !_mm256_testz_si256(s->seen, _mm256_set1_epi8(CONTROL | LOW));
}

static inline uint64_t prefix_xor(uint64_t x)
{
    const __m128i ones = _mm_set1_epi8(-1);

    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)x), ones, 0));
}

#define KERNEL        vcd_scan_avx2
#define KERNEL_NAME   "avx2"
#define KERNEL_USABLE usable
#include "wave/vcd_scan_loop.h"

#else
typedef int vcd_scan_avx2_is_x86_only;
#endif
