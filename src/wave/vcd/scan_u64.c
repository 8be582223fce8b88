/* SPDX-License-Identifier: MIT */
/* The mask scanner of any CPU: eight characters in a number. */
#include "base/bytes.h"
#include "base/cpu.h"

#define KERNEL        vcd_scan_u64
#define KERNEL_NAME   "u64"
#define KERNEL_USABLE pc_cpu_is_any

typedef uint64_t vec;
enum { LANES = 8 };

#define EACH(c)      ((c)*UINT64_C(0x0101010101010101))
#define LOAD(p)      pc_load_low_first(p)
#define ALL(c)       EACH((uint64_t)(c))
#define BOTH(a, b)   ((a) & (b))
#define EITHER(a, b) ((a) | (b))
#define SAME(a, b)   (~(((((a) ^ (b)) & EACH(0x7f)) + EACH(0x7f)) | ((a) ^ (b))))
#define TOP(a, k)    ((a) << (7 - (k)))
#define LOW(a)       (~((((a)&EACH(0x7f)) + EACH(0x7f - ' ')) | (a)))
#define BITS(hit)    (((hit) >> 7 & EACH(1)) * UINT64_C(0x0102040810204080) >> 56)

#include "wave/vcd/scan_class.h"
