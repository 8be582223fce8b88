/* SPDX-License-Identifier: MIT */
/*
 * A plain sum, with the widest loads the CPU has.  The planes are read one after the other:
 * the friendliest order for the memory.
 */
#include "bench_read.h"

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static uint64_t sum_avx2(const uint64_t *p, size_t words)
{
    __m256i s[4] = { _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                     _mm256_setzero_si256() };
    uint64_t lanes[4], total = 0;
    size_t i = 0;

    for (; i + 16 <= words; i += 16)
        for (unsigned k = 0; k < 4; k++)
            s[k] = _mm256_add_epi64(
                s[k], _mm256_loadu_si256((const __m256i *)(const void *)(p + i + 4 * k)));
    s[0] = _mm256_add_epi64(_mm256_add_epi64(s[0], s[1]), _mm256_add_epi64(s[2], s[3]));
    _mm256_storeu_si256((__m256i *)(void *)lanes, s[0]);
    for (; i < words; i++)
        total += p[i];
    return total + lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

__attribute__((target("avx512f"))) static uint64_t sum_avx512(const uint64_t *p, size_t words)
{
    __m512i s[4] = { _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                     _mm512_setzero_si512() };
    uint64_t total = 0;
    size_t i = 0;

    for (; i + 32 <= words; i += 32)
        for (unsigned k = 0; k < 4; k++)
            s[k] = _mm512_add_epi64(s[k], _mm512_loadu_si512(p + i + 8 * k));
    s[0] = _mm512_add_epi64(_mm512_add_epi64(s[0], s[1]), _mm512_add_epi64(s[2], s[3]));
    for (; i < words; i++)
        total += p[i];
    return total + (uint64_t)_mm512_reduce_add_epi64(s[0]);
}
#endif

static uint64_t sum_plain(const uint64_t *p, size_t words)
{
    uint64_t total = 0;

    for (size_t i = 0; i < words; i++)
        total += p[i];
    return total;
}

uint64_t bench_sum(const uint64_t *const *plane, unsigned n, size_t words)
{
    uint64_t (*sum)(const uint64_t *, size_t) = sum_plain;
    uint64_t total = 0;

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        sum = sum_avx512;
    else if (__builtin_cpu_supports("avx2"))
        sum = sum_avx2;
#endif
    for (unsigned k = 0; k < n; k++)
        total += sum(plane[k], words);
    return total;
}
