/* SPDX-License-Identifier: MIT */
/* The quick cycle on any CPU: each selector by itself. */
#include "model/engine/live.h"

static inline uint32_t pick(const struct live_domain *f, const uint64_t raw[PC_SIG_WORDS],
                            bool plain)
{
    uint32_t selected = 0;

    for (unsigned s = 0; s < (!plain && f->own_sources ? 24u : 16u); s++)
        selected |= (uint32_t)(raw[f->signal[s] / 64] >> (f->signal[s] % 64) & 1) << s;
    return selected & f->raw;
}

#define STEPS pc_live_steps_any
#include "model/engine/live_core.h"
