/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner in AVX2.  Compiled with -mavx2 and the bit instructions that come with it
 * (CMakeLists.txt); nothing here may be called before usable() said yes.
 *
 * A class of characters is a product of sets of high and low nibbles: two table lookups and
 * an "and" give one bit for each of eight classes.  For an arbitrary set of characters each
 * of the eight high nibbles below 128 is such a class.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "wave/vcd_scan.h"

static bool usable(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") &&
           __builtin_cpu_supports("popcnt");
}

#define KERNEL        vcd_scan_avx2
#define KERNEL_NAME   "avx2"
#define KERNEL_USABLE usable
#include "wave/vcd_scan_loop.h"

enum { BLANK = 1, HASH = 2, DIGIT = 4, BINARY = 8, UNKNOWN = 16, WORD = 32, STRING = 64 };
#define CONTROL -128

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
static inline uint32_t top(__m256i x)
{
    return (uint32_t)_mm256_movemask_epi8(x);
}

static inline uint64_t join(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

/* Characters of a set: table `low` of its rows, and the row of each character as a bit. */
static inline uint64_t members(__m256i low, __m256i a, __m256i b, __m256i row_a, __m256i row_b)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i x = _mm256_and_si256(_mm256_shuffle_epi8(low, a), row_a);
    __m256i y = _mm256_and_si256(_mm256_shuffle_epi8(low, b), row_b);

    return ~join(top(_mm256_cmpeq_epi8(x, zero)), top(_mm256_cmpeq_epi8(y, zero)));
}

/* Where, behind the next character, the clock's identifier ends a line. */
static inline uint32_t clock_lines(const uint8_t *p, const struct vcd_sets *sets, unsigned length)
{
    __m256i all = _mm256_cmpeq_epi8(load(p + 1 + length), _mm256_set1_epi8((char)sets->end));

    for (unsigned i = 0; i < length; i++)
        all = _mm256_and_si256(
            all, _mm256_cmpeq_epi8(load(p + 1 + i), _mm256_set1_epi8((char)sets->clock[i])));
    return top(all);
}

#define TOP_OF(k) join(top(_mm256_slli_epi16(x, k)), top(_mm256_slli_epi16(y, k)))

static inline struct classes classify(const uint8_t *p, const struct vcd_sets *sets,
                                      unsigned length)
{
    const __m256i low = both(_mm_setr_epi8(
        CONTROL | BLANK | DIGIT | BINARY, CONTROL | DIGIT | BINARY, CONTROL | DIGIT | WORD,
        CONTROL | HASH | DIGIT | STRING, CONTROL | DIGIT, CONTROL | DIGIT, CONTROL | DIGIT,
        CONTROL | DIGIT, CONTROL | DIGIT | UNKNOWN, CONTROL | DIGIT, CONTROL | UNKNOWN, CONTROL,
        CONTROL, CONTROL, CONTROL, CONTROL));
    const __m256i high = both(_mm_setr_epi8(CONTROL, CONTROL, BLANK | HASH, DIGIT | BINARY, WORD,
                                            WORD | STRING | UNKNOWN, WORD, WORD | STRING | UNKNOWN,
                                            0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i rows = both(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i nibble = _mm256_set1_epi8(15), newline = _mm256_set1_epi8('\n');
    const __m256i a = load(p), b = load(p + 32);
    const __m256i high_a = _mm256_and_si256(_mm256_srli_epi16(a, 4), nibble);
    const __m256i high_b = _mm256_and_si256(_mm256_srli_epi16(b, 4), nibble);
    const __m256i row_a = _mm256_shuffle_epi8(rows, high_a);
    const __m256i row_b = _mm256_shuffle_epi8(rows, high_b);
    const __m256i x =
        _mm256_and_si256(_mm256_shuffle_epi8(low, a), _mm256_shuffle_epi8(high, high_a));
    const __m256i y =
        _mm256_and_si256(_mm256_shuffle_epi8(low, b), _mm256_shuffle_epi8(high, high_b));
    struct classes c;

    c.newline = join(top(_mm256_cmpeq_epi8(a, newline)), top(_mm256_cmpeq_epi8(b, newline)));
    c.end = c.newline;
    if (sets->end != '\n') {
        const __m256i end = _mm256_set1_epi8((char)sets->end);
        c.end = join(top(_mm256_cmpeq_epi8(a, end)), top(_mm256_cmpeq_epi8(b, end)));
    }
    c.blank = TOP_OF(7);
    c.hash = TOP_OF(6);
    c.digit = TOP_OF(5);
    c.binary = TOP_OF(4);
    c.unknown = TOP_OF(3);
    c.word = TOP_OF(2) | TOP_OF(1);
    c.control = join(top(x), top(y));
    c.odd = join(top(_mm256_slli_epi16(a, 7)), top(_mm256_slli_epi16(b, 7)));
    c.first = members(table(sets->first), a, b, row_a, row_b);
    c.second = members(table(sets->second), a, b, row_a, row_b);
    c.clock = join(clock_lines(p, sets, length), clock_lines(p + 32, sets, length));
    return c;
}

static inline uint64_t prefix_xor(uint64_t x)
{
    const __m128i ones = _mm_set1_epi8(-1);

    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)x), ones, 0));
}

#else
typedef int vcd_scan_avx2_is_x86_only;
#endif
