/* SPDX-License-Identifier: MIT */
/*
 * The quick cycle on x86-64-v3: the bytes in which sixteen selected signals are, all at once by
 * a shuffle, and then the bit of each.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "model/engine/live.h"

static inline __m128i load(const void *at)
{
    return _mm_loadu_si128(at);
}

static inline uint32_t sixteen(const struct live_domain *f, unsigned i, __m128i low, __m128i high)
{
    const __m128i bit = load(f->bit[i]);
    const __m128i byte = _mm_or_si128(_mm_shuffle_epi8(low, load(f->low[i])),
                                      _mm_shuffle_epi8(high, load(f->high[i])));

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128(byte, bit), bit));
}

static inline uint32_t pick(const struct live_domain *f, const uint64_t raw[PC_SIG_WORDS],
                            bool plain)
{
    const __m128i low = load(raw), high = load(raw + 2);
    uint32_t selected = sixteen(f, 0, low, high);

    if (!plain && f->own_sources)
        selected |= (sixteen(f, 1, low, high) & 0xff) << 16;
    return selected;
}

#define STEPS pc_live_steps_v3
#include "model/engine/live_core.h"
#else
/* No such instructions here; the file must not be empty. */
extern int live_v3_absent;
#endif
