/* SPDX-License-Identifier: MIT */
/* The mask scanner of every x86-64. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#include "base/cpu.h"

#define KERNEL        vcd_scan_sse2
#define KERNEL_NAME   "sse2"
#define KERNEL_USABLE pc_cpu_is_any

typedef __m128i vec;
enum { LANES = 16 };

#define LOAD(p)      _mm_loadu_si128((const void *)(p))
#define ALL(c)       _mm_set1_epi8((char)(c))
#define BOTH(a, b)   _mm_and_si128(a, b)
#define EITHER(a, b) _mm_or_si128(a, b)
#define SAME(a, b)   _mm_cmpeq_epi8(a, b)
#define TOP(a, k)    _mm_slli_epi16(a, 7 - (k))
#define LOW(a)       _mm_cmpeq_epi8(_mm_min_epu8(a, ALL(' ')), a)
#define BITS(hit)    (uint16_t) _mm_movemask_epi8(hit)

#include "wave/vcd/scan_class.h"

#else
typedef int vcd_scan_sse2_is_x86_only;
#endif
