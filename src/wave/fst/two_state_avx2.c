/* SPDX-License-Identifier: MIT */
/*
 * The loop over records of one bit in AVX2; others are the portable ones.  Compiled with
 * instructions of its own (CMakeLists.txt): nothing may be called before usable() said yes.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "base/cpu.h"
#include "wave/fst/two_state_bit.h"

/* Places four bytes: what they toggle in the low word, in two lanes, and in the high one. */
static inline __m256i place_four(__m256i before, uint64_t after, uint64_t toggle)
{
    const __m256i way = _mm256_cvtepu8_epi64(_mm_cvtsi64_si128((long long)after));
    const __m256i bit = _mm256_cvtepu8_epi64(_mm_cvtsi64_si128((long long)toggle));
    const __m256i cycle = _mm256_srli_epi64(_mm256_add_epi64(way, before), 1);
    const __m256i low = _mm256_sllv_epi64(bit, cycle); /* 0 from 64 on */
    const __m256i high = _mm256_sllv_epi64(bit, _mm256_sub_epi64(cycle, _mm256_set1_epi64x(64)));

    return _mm256_xor_si256(_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
}

static inline struct two place(uint64_t before, uint64_t after, uint64_t toggle)
{
    const __m256i all = _mm256_set1_epi64x((long long)before);
    const __m256i four = _mm256_xor_si256(place_four(all, after, toggle),
                                          place_four(all, after >> 32, toggle >> 32));
    const __m128i both =
        _mm_xor_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));

    return (struct two){ (uint64_t)_mm_cvtsi128_si64(both), (uint64_t)_mm_extract_epi64(both, 1) };
}

static void walk_bytes(const struct fst_along *a, struct fst_place *now)
{
    fst_loops_portable.bytes(a, now);
}

static void walk_packed(const struct fst_along *a, struct fst_place *now, size_t bytes)
{
    fst_loops_portable.packed(a, now, bytes);
}

const struct fst_loops fst_loops_avx2 = { "avx2",     pc_cpu_has_v3, walk_bit,
                                          walk_bytes, walk_packed,   fst_write_columns };

#else
/* No such instructions here; the file must not be empty. */
extern int fst_loops_avx2_absent;
#endif
