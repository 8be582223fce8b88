/* SPDX-License-Identifier: MIT */
/*
 * The kernels in AVX-512 with what Ice Lake and Zen 4 brought (VPOPCNTDQ, VBMI, VBMI2), eight
 * words at a time.  Compiled for these (CMakeLists.txt); nothing here may be called before
 * usable() said yes.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "kernel/kernel.h"

#define LANES  8
#define AHEAD  96
#define FINISH pc_kernel_portable
#define COPIED static inline __attribute__((always_inline))
typedef __m512i vec;

static inline vec v_load(const uint64_t *at)
{
    return _mm512_loadu_si512(at);
}

static inline void v_store(uint64_t *at, vec x)
{
    _mm512_storeu_si512(at, x);
}

static inline vec v_set(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
}

static inline vec v_and(vec a, vec b)
{
    return _mm512_and_si512(a, b);
}

static inline vec v_or(vec a, vec b)
{
    return _mm512_or_si512(a, b);
}

static inline vec v_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

static inline vec v_andnot(vec a, vec b)
{
    return _mm512_andnot_si512(b, a);
}

static inline vec v_add(vec a, vec b)
{
    return _mm512_add_epi64(a, b);
}

static inline vec v_sub(vec a, vec b)
{
    return _mm512_sub_epi64(a, b);
}

static inline vec v_prefix(vec x)
{
    x = v_xor(x, _mm512_add_epi64(x, x));
    x = v_xor(x, _mm512_slli_epi64(x, 2));
    x = v_xor(x, _mm512_slli_epi64(x, 4));
    x = v_xor(x, _mm512_slli_epi64(x, 8));
    x = v_xor(x, _mm512_slli_epi64(x, 16));
    return v_xor(x, _mm512_slli_epi64(x, 32));
}

static inline vec v_ones(vec x)
{
    return _mm512_popcnt_epi64(x);
}

static inline vec v_left(vec x, unsigned n)
{
    return _mm512_slli_epi64(x, n);
}

static inline uint64_t v_total(vec x)
{
    return (uint64_t)_mm512_reduce_add_epi64(x);
}

typedef __m256i v_row;

static inline v_row v_row_load(const uint64_t row[4])
{
    return _mm256_loadu_si256((const __m256i *)(const void *)row);
}

/* Stores the row that a half of `two` is further on than `last`. */
COPIED v_row v_row_next(v_row last, vec two, int half, uint64_t row[4])
{
    const v_row next = _mm256_add_epi64(last, half ? _mm512_extracti64x4_epi64(two, 1)
                                                   : _mm512_castsi512_si256(two));

    _mm256_storeu_si256((__m256i *)(void *)row, next);
    return next;
}

/* Lanes become rows: vectors of two rows each, that of an even lane and that of two lanes on. */
static inline v_row v_rows(v_row last, vec a, vec b, vec c, uint64_t (*row)[4])
{
    const vec none = _mm512_setzero_si512();
    const vec near = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const vec far = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const vec ab[2] = { _mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b) };
    const vec c0[2] = { _mm512_unpacklo_epi64(c, none), _mm512_unpackhi_epi64(c, none) };
    vec two[2][2];

    for (unsigned odd = 0; odd < 2; odd++) {
        two[0][odd] = _mm512_permutex2var_epi64(ab[odd], near, c0[odd]);
        two[1][odd] = _mm512_permutex2var_epi64(ab[odd], far, c0[odd]);
    }
    for (unsigned k = 0; k < LANES; k++)
        last = v_row_next(last, two[k / 4][k % 2], k / 2 % 2, row[k]);
    return last;
}

/* The number of ones in each lane. */
struct v_sum {
    vec lanes;
};

static inline struct v_sum v_sum_none(void)
{
    return (struct v_sum){ _mm512_setzero_si512() };
}

static inline void v_sum_add(struct v_sum *sum, vec a, vec b, vec c, vec d)
{
    const vec first = v_add(v_ones(a), v_ones(b)), second = v_add(v_ones(c), v_ones(d));

    sum->lanes = v_add(sum->lanes, v_add(first, second));
}

static inline void v_sum_flush(struct v_sum *sum)
{
    (void)sum; /* lanes hold any number */
}

static inline uint64_t v_sum_total(const struct v_sum *sum)
{
    return v_total(sum->lanes);
}

static inline vec v_right(vec x, unsigned n)
{
    return _mm512_srli_epi64(x, n);
}

static inline vec v_behind(vec last, vec x)
{
    return _mm512_alignr_epi64(x, last, 7);
}

static inline unsigned v_top(vec x)
{
    return _mm512_cmplt_epi64_mask(x, _mm512_setzero_si512());
}

static inline unsigned v_full(vec x)
{
    return _mm512_cmpeq_epi64_mask(x, v_set(UINT64_MAX));
}

static inline vec v_spread(unsigned mask)
{
    return _mm512_maskz_set1_epi64((__mmask8)mask, -1);
}

#include "kernel/lanes.h"
#include "kernel/ternary.h"
#include "kernel/turn.h"

/* Lane k of the first and the last vector has word `first` + k and word k of the rest. */
static void sums(const uint64_t *const *plane, unsigned n, uint64_t from, uint64_t to,
                 uint32_t *sum)
{
    const size_t first = (size_t)(from / 64), end = (size_t)((to - 1) / 64) + 1;
    const size_t last = first + (end - 1 - first) / LANES * LANES;
    const __mmask8 rest = (__mmask8)(0xff >> (LANES - (end - last)));
    const vec ones = v_set(UINT64_MAX);
    const vec head = _mm512_mask_set1_epi64(ones, 1, (long long)(UINT64_MAX << from % 64));
    const vec tail = _mm512_mask_set1_epi64(ones, (__mmask8)(1u << (end - 1 - last)),
                                            (long long)(UINT64_MAX >> (63 - (to - 1) % 64)));

    for (unsigned k = 0; k < n; k++) {
        vec x = _mm512_and_si512(_mm512_maskz_loadu_epi64(rest, plane[k] + last), tail);
        vec all = v_set(0);
        if (last > first) {
            all = v_ones(v_and(v_load(plane[k] + first), head));
            for (size_t i = first + LANES; i < last; i += LANES)
                all = v_add(all, v_ones(v_load(plane[k] + i)));
        } else {
            x = v_and(x, head);
        }
        for (size_t i = first; i < end; i += LINE_WORDS)
            v_prefetch(plane[k] + i, AHEAD);
        sum[k] = (uint32_t)v_total(v_add(all, v_ones(x)));
    }
}

/* Those that came years after AVX-512 are asked for by themselves. */
static bool usable(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}
const struct pc_kernel pc_kernel_avx512 = {
    .name = "avx512",
    .usable = usable,
    .tile = 64,
    .lut = lut,
    .count_lut = count_lut,
    .jobs = jobs,
    .pairs = pairs,
    .quad = quad,
    .count = count,
    .count_and = count_and,
    .weigh = weigh,
    .sums = sums,
    .rows = rows,
    .before = before,
    .odd_rises = odd_rises,
    .marks = marks,
    .uniform = uniform,
    .late = late,
    .toggle = toggle,
    .flag = flag,
    .affine = affine,
    .turn = turn,
    .turn_bytes = turn_bytes,
};
#else
/* No such instructions here; the file must not be empty. */
extern int pc_kernel_avx512_absent;
#endif
