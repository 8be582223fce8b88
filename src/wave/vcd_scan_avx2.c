/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner in AVX2.  Compiled with -mavx2 and the bit instructions that come with it
 * (CMakeLists.txt); nothing here may be called before usable() said yes.
 *
 * A class of characters is a product of sets of high and low nibbles: two table lookups and
 * an "and" give one bit for each of eight classes.  What identifiers may begin with are products
 * of four such sets, eight again.
 */
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "wave/vcd_scan_bits.h"

static bool usable(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") &&
           __builtin_cpu_supports("popcnt");
}

/* LOW: control characters below 16 but newline; CONTROL: those above. */
enum { BLANK = 1, LOW = 2, CONTROL = 8, UNKNOWN = 16, WORD = 32, STRING = 64 };
#define BINARY -128

/* What stays the same for a scan. */
struct tables {
    __m256i low, high; /* of classes, by nibble */
    __m256i first_low, first_high, second_low, other;
    size_t other_at;
    __m128i other_shift;
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
static inline void put(uint64_t *mask, unsigned half, __m256i x)
{
    const int bits = _mm256_movemask_epi8(x);

    memcpy((uint8_t *)mask + sizeof bits * half, &bits, sizeof bits);
}

/* Characters that are no beginning of an identifier that may be selected; their high nibbles. */
static inline __m256i no_look(const uint8_t *p, const struct tables *t, __m256i a, __m256i high)
{
    const __m256i other = nibble(_mm256_srl_epi16(load(p + t->other_at), t->other_shift));
    const __m256i first = _mm256_and_si256(_mm256_shuffle_epi8(t->first_low, a),
                                           _mm256_shuffle_epi8(t->first_high, high));
    const __m256i second = _mm256_and_si256(_mm256_shuffle_epi8(t->second_low, load(p + 1)),
                                            _mm256_shuffle_epi8(t->other, other));

    return _mm256_cmpeq_epi8(_mm256_and_si256(first, second), _mm256_setzero_si256());
}

/* Binary characters behind which the clock's identifier ends a line; `x`: classes. */
static inline __m256i clock_lines(const uint8_t *p, __m256i x, const struct vcd_sets *sets,
                                  unsigned length, __m256i end)
{
    __m256i all = _mm256_and_si256(x, _mm256_cmpeq_epi8(load(p + 1 + length), end));

    for (unsigned i = 0; i < length; i++)
        all = _mm256_and_si256(
            all, _mm256_cmpeq_epi8(load(p + 1 + i), _mm256_set1_epi8((char)sets->clock[i])));
    return all;
}

/* What PLAIN does not ask for. */
static inline void classify_rare(struct masks *m, size_t i, unsigned half, const enum how how,
                                 __m256i a, __m256i x, __m256i end)
{
    const __m256i newline = _mm256_set1_epi8('\n'), words = _mm256_set1_epi8(WORD | STRING);

    put(&m->blank[i], half, _mm256_slli_epi16(x, 7));
    put(&m->word[i], half, _mm256_cmpgt_epi8(_mm256_and_si256(x, words), _mm256_setzero_si256()));
    put(&m->unknown[i], half, _mm256_slli_epi16(x, 3));
    if (how != FULL)
        return;
    put(&m->end[i], half, _mm256_cmpeq_epi8(a, end));
    put(&m->control[i], half,
        _mm256_andnot_si256(_mm256_cmpeq_epi8(a, newline),
                            _mm256_or_si256(_mm256_slli_epi16(x, 4), _mm256_slli_epi16(x, 6))));
}

/* Half a word of each mask; returns the classes. */
static inline __m256i classify_half(const uint8_t *p, const struct vcd_sets *sets,
                                    const struct tables *t, const unsigned length,
                                    const enum how how, struct masks *m, size_t i, unsigned half)
{
    const __m256i newline = _mm256_set1_epi8('\n'), hash = _mm256_set1_epi8('#');
    const __m256i a = load(p), high = nibble(_mm256_srli_epi16(a, 4));
    const __m256i x =
        _mm256_and_si256(_mm256_shuffle_epi8(t->low, a), _mm256_shuffle_epi8(t->high, high));

    put(&m->newline[i], half, _mm256_cmpeq_epi8(a, newline));
    put(&m->hash[i], half, _mm256_cmpeq_epi8(a, hash));
    put(&m->binary[i], half, x);
    put(&m->odd[i], half, _mm256_slli_epi16(a, 7));
    put(&m->no_look[i], half, no_look(p, t, a, high));
    put(&m->clock[i], half, clock_lines(p, x, sets, length, how == FULL ? t->end : newline));
    if (how != PLAIN)
        classify_rare(m, i, half, how, a, x, t->end);
    return x;
}

static inline struct tables make_tables(const struct vcd_sets *sets)
{
    const struct vcd_looks *looks = &sets->looks;

    return (struct tables){
        .low = both(_mm_setr_epi8(
            CONTROL | LOW | BLANK | BINARY, CONTROL | LOW | BINARY, CONTROL | LOW | WORD,
            CONTROL | LOW | STRING, CONTROL | LOW, CONTROL | LOW, CONTROL | LOW, CONTROL | LOW,
            CONTROL | LOW | UNKNOWN, CONTROL | LOW, CONTROL | UNKNOWN, CONTROL | LOW, CONTROL | LOW,
            CONTROL | LOW, CONTROL | LOW, CONTROL | LOW)),
        .high = both(_mm_setr_epi8(LOW, CONTROL, BLANK, BINARY, WORD, WORD | STRING | UNKNOWN, WORD,
                                   WORD | STRING | UNKNOWN, 0, 0, 0, 0, 0, 0, 0, 0)),
        .first_low = table(looks->first_low),
        .first_high = table(looks->first_high),
        .second_low = table(looks->second_low),
        .other = table(looks->other),
        .other_at = looks->other_at,
        .other_shift = _mm_cvtsi32_si128(looks->other_shift),
        .end = _mm256_set1_epi8((char)sets->end),
    };
}

ALWAYS_INLINE unsigned classify(const uint8_t *p, size_t words, const struct vcd_sets *sets,
                                const unsigned length, const enum how how, struct masks *m)
{
    const struct tables t = make_tables(sets);
    __m256i seen = _mm256_setzero_si256();

    for (size_t i = 1; i <= words; i++, p += 64) {
        __builtin_prefetch(p + 2048);
        const __m256i x = classify_half(p, sets, &t, length, how, m, i, 0);
        const __m256i y = classify_half(p + 32, sets, &t, length, how, m, i, 1);
        seen = _mm256_or_si256(seen, _mm256_or_si256(x, y));
    }
    return (_mm256_testz_si256(seen, _mm256_set1_epi8(BLANK)) ? 0u : SEEN_BLANK) |
           (_mm256_testz_si256(seen, _mm256_set1_epi8(CONTROL | LOW)) ? 0u : SEEN_CONTROL);
}

/* lowest() of what may be 0: then any number up to 64. */
static inline unsigned lowest_or_any(uint64_t x)
{
    return (unsigned)_tzcnt_u64(x);
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
