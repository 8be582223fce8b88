/* SPDX-License-Identifier: MIT */
/*
 * A plain sum, with the widest loads the CPU has.  From memory four planes are read beside each
 * other, and it is asked for what comes next: one plane alone is slower, where the CPU's own
 * prefetching ends with each page.  What fits into a cache is read plane by plane.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "bench_read.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bench.h"

enum { HUGE = 2 << 20, CACHED = 1 << 20, BLOCK = 32, AHEAD = 96, LINE = 8 };

uint64_t *bench_planes(size_t words)
{
    const size_t size = (words * sizeof(uint64_t) + HUGE - 1) / HUGE * HUGE;
    uint64_t *planes = aligned_alloc(HUGE, size);

    if (!planes)
        exit(2);
#ifdef MADV_HUGEPAGE
    madvise(planes, size, MADV_HUGEPAGE);
#endif
    return planes;
}

#if defined(__x86_64__)
#include <immintrin.h>

static inline void ask(const uint64_t *p)
{
    for (unsigned i = 0; i < BLOCK; i += LINE)
        _mm_prefetch((const char *)((uintptr_t)p + (AHEAD + i) * sizeof *p), _MM_HINT_T0);
}

__attribute__((target("avx2"))) static uint64_t sum_avx2(const uint64_t *const *plane, unsigned n,
                                                         size_t blocks, bool far)
{
    __m256i s[4] = { _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                     _mm256_setzero_si256() };
    uint64_t lanes[4];

    for (size_t i = 0; i < blocks * BLOCK; i += BLOCK)
        for (unsigned k = 0; k < n; k++) {
            const uint64_t *p = plane[k] + i;
            if (far)
                ask(p);
            for (unsigned j = 0; j < BLOCK / 4; j++)
                s[j % 4] = _mm256_add_epi64(
                    s[j % 4], _mm256_loadu_si256((const __m256i *)(const void *)(p + 4 * j)));
        }
    s[0] = _mm256_add_epi64(_mm256_add_epi64(s[0], s[1]), _mm256_add_epi64(s[2], s[3]));
    _mm256_storeu_si256((__m256i *)(void *)lanes, s[0]);
    return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

__attribute__((target("avx512f"))) static uint64_t sum_avx512(const uint64_t *const *plane,
                                                              unsigned n, size_t blocks, bool far)
{
    __m512i s[4] = { _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                     _mm512_setzero_si512() };

    for (size_t i = 0; i < blocks * BLOCK; i += BLOCK)
        for (unsigned k = 0; k < n; k++) {
            const uint64_t *p = plane[k] + i;
            if (far)
                ask(p);
            for (unsigned j = 0; j < BLOCK / 8; j++)
                s[j] = _mm512_add_epi64(s[j], _mm512_loadu_si512(p + 8 * j));
        }
    s[0] = _mm512_add_epi64(_mm512_add_epi64(s[0], s[1]), _mm512_add_epi64(s[2], s[3]));
    return (uint64_t)_mm512_reduce_add_epi64(s[0]);
}
#endif

static uint64_t sum_plain(const uint64_t *const *plane, unsigned n, size_t blocks, bool far)
{
    uint64_t total = 0;

    (void)far;
    for (unsigned k = 0; k < n; k++)
        for (size_t i = 0; i < blocks * BLOCK; i++)
            total += plane[k][i];
    return total;
}

uint64_t bench_sum(const uint64_t *const *plane, unsigned n, size_t words)
{
    uint64_t (*sum)(const uint64_t *const *, unsigned, size_t, bool) = sum_plain;
    const bool far = n * words * sizeof(uint64_t) > CACHED;
    const unsigned most = far ? 4 : 1;
    uint64_t total = 0;

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        sum = sum_avx512;
    else if (__builtin_cpu_supports("avx2"))
        sum = sum_avx2;
#endif
    for (unsigned k = 0; k < n; k += most)
        total += sum(plane + k, n - k < most ? n - k : most, words / BLOCK, far);
    for (unsigned k = 0; k < n; k++)
        for (size_t i = words / BLOCK * BLOCK; i < words; i++)
            total += plane[k][i];
    return total;
}
