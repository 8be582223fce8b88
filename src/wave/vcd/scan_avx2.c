/* SPDX-License-Identifier: MIT */
/* The mask scanner in AVX2, with the bit instructions that come with it (CMakeLists.txt). */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#include "base/cpu.h"

#define KERNEL        vcd_scan_avx2
#define KERNEL_NAME   "avx2"
#define KERNEL_USABLE pc_cpu_has_v3

typedef __m256i vec;
enum { LANES = 32 };

#define LOAD(p)      _mm256_loadu_si256((const void *)(p))
#define ALL(c)       _mm256_set1_epi8((char)(c))
#define BOTH(a, b)   _mm256_and_si256(a, b)
#define EITHER(a, b) _mm256_or_si256(a, b)
#define SAME(a, b)   _mm256_cmpeq_epi8(a, b)
#define TOP(a, k)    _mm256_slli_epi16(a, 7 - (k))
#define LOW(a)       _mm256_cmpeq_epi8(_mm256_min_epu8(a, ALL(' ')), a)
#define BITS(hit)    (uint32_t) _mm256_movemask_epi8(hit)
#define SCAN_TABLES
#define TABLE(p)   _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(p)))
#define PICK(t, a) _mm256_shuffle_epi8(t, a)
#define DOWN(a, k) _mm256_srl_epi16(a, _mm_cvtsi32_si128((int)(k)))

#include "wave/vcd/scan_class.h"

#else
typedef int vcd_scan_avx2_is_x86_only;
#endif
