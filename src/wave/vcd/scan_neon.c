/* SPDX-License-Identifier: MIT */
/* The mask scanner of every 64-bit ARM. */
#if defined(__aarch64__)
#include <arm_neon.h>

#include "base/cpu.h"

#define KERNEL        vcd_scan_neon
#define KERNEL_NAME   "neon"
#define KERNEL_USABLE pc_cpu_is_any

typedef uint8x16_t vec;
enum { LANES = 16 };

#define LOAD(p)      vld1q_u8(p)
#define ALL(c)       vdupq_n_u8(c)
#define BOTH(a, b)   vandq_u8(a, b)
#define EITHER(a, b) vorrq_u8(a, b)
#define SAME(a, b)   vceqq_u8(a, b)
#define TOP(a, k)    vshlq_u8(a, vdupq_n_s8((int8_t)(7 - (k))))
#define LOW(a)       vcleq_u8(a, ALL(' '))
#define SCAN_TABLES
#define TABLE(p)   vld1q_u8(p)
#define PICK(t, a) vqtbl1q_u8(t, vandq_u8(a, ALL(15)))
#define DOWN(a, k) vshlq_u8(a, vdupq_n_s8((int8_t)(-(int)(k))))

/* Each hit has its weight, and three sums of neighbours make one byte of eight of them. */
#define WEIGH(hit)                                                                                 \
    vandq_u8(vreinterpretq_u8_s8(vshrq_n_s8(vreinterpretq_s8_u8(hit), 7)),                         \
             vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201))))
#define SUMS(a, b) vpaddq_u8(a, b)
#define MASK(hit)                                                                                  \
    vgetq_lane_u64(vreinterpretq_u64_u8(SUMS(SUMS(SUMS(WEIGH((hit)[0]), WEIGH((hit)[1])),          \
                                                  SUMS(WEIGH((hit)[2]), WEIGH((hit)[3]))),         \
                                             all(0))),                                             \
                   0)

#include "wave/vcd/scan_class.h"

#else
typedef int vcd_scan_neon_is_arm_only;
#endif
