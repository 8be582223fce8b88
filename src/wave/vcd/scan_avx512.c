/* SPDX-License-Identifier: MIT */
/* The mask scanner in AVX-512 with its instructions for bytes (CMakeLists.txt). */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#include "base/cpu.h"

#define KERNEL        vcd_scan_avx512
#define KERNEL_NAME   "avx512"
#define KERNEL_USABLE pc_cpu_has_avx512

typedef __m512i vec;
enum { LANES = 64 };

#define LOAD(p)      _mm512_loadu_si512((const void *)(p))
#define ALL(c)       _mm512_set1_epi8((char)(c))
#define BOTH(a, b)   _mm512_and_si512(a, b)
#define EITHER(a, b) _mm512_or_si512(a, b)
#define SAME(a, b)   _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, b))
#define TOP(a, k)    _mm512_slli_epi16(a, 7 - (k))
#define LOW(a)       _mm512_movm_epi8(_mm512_cmple_epu8_mask(a, ALL(' ')))
#define BITS(hit)    _mm512_movepi8_mask(hit)
#define SCAN_TABLES
#define TABLE(p)   _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(p)))
#define PICK(t, a) _mm512_shuffle_epi8(t, a)
#define DOWN(a, k) _mm512_srl_epi16(a, _mm_cvtsi32_si128((int)(k)))

#include "wave/vcd/scan_class.h"

#else
typedef int vcd_scan_avx512_is_x86_only;
#endif
