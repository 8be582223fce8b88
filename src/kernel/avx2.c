/* SPDX-License-Identifier: MIT */
/*
 * The kernels in AVX2, four words at a time.  Compiled with -mavx2 (CMakeLists.txt); nothing
 * here may be called before usable() said yes.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/cpu.h"
#include "kernel/kernel.h"

#define LANES  4
#define AHEAD  32
#define FINISH pc_kernel_portable
#define COPIED static inline __attribute__((always_inline))
typedef __m256i vec;

static inline vec v_load(const uint64_t *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

static inline void v_store(uint64_t *at, vec x)
{
    _mm256_storeu_si256((__m256i *)(void *)at, x);
}

static inline vec v_set(uint64_t x)
{
    return _mm256_set1_epi64x((long long)x);
}

static inline vec v_and(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

static inline vec v_or(vec a, vec b)
{
    return _mm256_or_si256(a, b);
}

static inline vec v_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

static inline vec v_andnot(vec a, vec b)
{
    return _mm256_andnot_si256(b, a);
}

static inline vec v_add(vec a, vec b)
{
    return _mm256_add_epi64(a, b);
}

static inline vec v_sub(vec a, vec b)
{
    return _mm256_sub_epi64(a, b);
}

static inline vec v_prefix(vec x)
{
    x = v_xor(x, _mm256_add_epi64(x, x));
    x = v_xor(x, _mm256_slli_epi64(x, 2));
    x = v_xor(x, _mm256_slli_epi64(x, 4));
    x = v_xor(x, _mm256_slli_epi64(x, 8));
    x = v_xor(x, _mm256_slli_epi64(x, 16));
    return v_xor(x, _mm256_slli_epi64(x, 32));
}

/* Returns how many ones each byte has, of each nibble by table. */
static inline vec v_bytes(vec x)
{
    const vec nibble = _mm256_set1_epi8(15);
    const vec table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2,
                                       1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const vec low = _mm256_shuffle_epi8(table, v_and(x, nibble));
    const vec high = _mm256_shuffle_epi8(table, v_and(_mm256_srli_epi16(x, 4), nibble));

    return _mm256_add_epi8(low, high);
}

static inline vec v_ones(vec x)
{
    return _mm256_sad_epu8(v_bytes(x), _mm256_setzero_si256());
}

static inline vec v_left(vec x, unsigned n)
{
    return _mm256_slli_epi64(x, (int)n);
}

/* Returns the sum of all lanes. */
static inline uint64_t v_total(vec x)
{
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));

    return (uint64_t)_mm_cvtsi128_si64(two) + (uint64_t)_mm_extract_epi64(two, 1);
}

typedef vec v_row;

static inline v_row v_row_load(const uint64_t row[4])
{
    return v_load(row);
}

/* Lanes become rows. */
static inline v_row v_rows(v_row last, vec a, vec b, vec c, uint64_t (*row)[4])
{
    const vec none = _mm256_setzero_si256();
    const vec ab02 = _mm256_unpacklo_epi64(a, b), ab13 = _mm256_unpackhi_epi64(a, b);
    const vec c02 = _mm256_unpacklo_epi64(c, none), c13 = _mm256_unpackhi_epi64(c, none);
    const vec first = v_add(last, _mm256_permute2x128_si256(ab02, c02, 0x20));
    const vec second = v_add(first, _mm256_permute2x128_si256(ab13, c13, 0x20));
    const vec third = v_add(second, _mm256_permute2x128_si256(ab02, c02, 0x31));
    const vec fourth = v_add(third, _mm256_permute2x128_si256(ab13, c13, 0x31));

    v_store(row[0], first);
    v_store(row[1], second);
    v_store(row[2], third);
    v_store(row[3], fourth);
    return fourth;
}

/*
 * In each bit place a number of ones: `ones` counts one each, `twos` two; of four it is known how
 * many there are in each byte of `bytes`, which holds 31 of them, and in each lane of `lanes`.
 */
struct v_sum {
    vec ones, twos, bytes, lanes;
};

static inline struct v_sum v_sum_none(void)
{
    const vec zero = _mm256_setzero_si256();

    return (struct v_sum){ zero, zero, zero, zero };
}

/* Returns a + b + *ones in each bit place: what is left there, and the carry that is returned. */
static inline vec v_carry(vec *ones, vec a, vec b)
{
    const vec either = v_xor(a, b), carry = v_or(v_and(a, b), v_and(either, *ones));

    *ones = v_xor(either, *ones);
    return carry;
}

static inline void v_sum_add(struct v_sum *sum, vec a, vec b, vec c, vec d)
{
    const vec first = v_carry(&sum->ones, a, b), second = v_carry(&sum->ones, c, d);

    sum->bytes = _mm256_add_epi8(sum->bytes, v_bytes(v_carry(&sum->twos, first, second)));
}

static inline void v_sum_flush(struct v_sum *sum)
{
    const vec zero = _mm256_setzero_si256();

    sum->lanes = _mm256_add_epi64(sum->lanes, _mm256_sad_epu8(sum->bytes, zero));
    sum->bytes = zero;
}

static inline uint64_t v_sum_total(const struct v_sum *sum)
{
    const vec twos = v_add(v_ones(sum->twos), v_add(sum->lanes, sum->lanes));

    return v_total(v_add(v_ones(sum->ones), v_add(twos, twos)));
}

static inline vec v_right(vec x, unsigned n)
{
    return _mm256_srli_epi64(x, (int)n);
}

static inline vec v_behind(vec last, vec x)
{
    return _mm256_alignr_epi8(x, _mm256_permute2x128_si256(last, x, 0x21), 8);
}

static inline unsigned v_top(vec x)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(x));
}

static inline unsigned v_full(vec x)
{
    return v_top(_mm256_cmpeq_epi64(x, v_set(UINT64_MAX)));
}

/* From memory: that is less to do than to make it of the mask. */
static inline vec v_spread(unsigned mask)
{
#define LANE(mask, k) ((mask) >> (k)&1 ? UINT64_MAX : 0)
#define ROW(mask)                                                                                  \
    {                                                                                              \
        LANE(mask, 0), LANE(mask, 1), LANE(mask, 2), LANE(mask, 3)                                 \
    }
    static const uint64_t row[16][4] = { ROW(0),  ROW(1),  ROW(2),  ROW(3), ROW(4),  ROW(5),
                                         ROW(6),  ROW(7),  ROW(8),  ROW(9), ROW(10), ROW(11),
                                         ROW(12), ROW(13), ROW(14), ROW(15) };
#undef ROW
#undef LANE

    return v_load(row[mask]);
}

#include "kernel/lanes.h"
#include "kernel/tables.h"
#include "kernel/sums.h"
#include "kernel/turn.h"

const struct pc_kernel pc_kernel_avx2 = {
    .name = "avx2",
    .usable = pc_cpu_has_v3,
    .lut = lut,
    .count_lut = count_lut,
    .quad = quad,
    .count = count,
    .weigh = weigh,
    .sums = sums,
    .rows = rows,
    .before = before,
    .odd_rises = odd_rises,
    .marks = marks,
    .uniform = uniform,
    .late = late,
    .toggle = toggle,
    .affine = affine,
    .flag = flag,
    .turn = turn,
    .turn_bytes = turn_bytes,
};
#else
/* No such instructions here; the file must not be empty. */
extern int pc_kernel_avx2_absent;
#endif
