/* SPDX-License-Identifier: MIT */
/* What a summary is made of; without pointers but for its allocator, so that it can be sent. */
#ifndef PC_ENGINE_SUMMARY_H
#define PC_ENGINE_SUMMARY_H

#include "engine/effect.h"
#include "pcounter/summary.h"

#define EG_CASES        32
#define EG_SUMMARY_TAIL 8 /* cycles that are stepped when it is applied */

/*
 * One finite state that a domain can come in: what the chunk does then, whole, and without
 * its last cycles.
 */
struct eg_case {
    struct eg_key enters;
    struct eg_effect whole, most;
};

struct eg_domain_summary {
    uint64_t threshold;
    struct pc_control control;
    uint8_t still;
    uint8_t cases;
    struct eg_case of[EG_CASES];
};

struct pc_summary {
    char magic[8];
    uint64_t registers; /* digest of all that stands still */
    uint64_t at, cycles;
    uint32_t features;
    uint32_t domains;
    uint32_t holds; /* 0: some domain imports or records */
    uint64_t raw[EG_SUMMARY_TAIL][PC_MAX_DOMAINS][PC_SIG_WORDS]; /* of the last cycles */
    struct eg_domain_summary domain[PC_MAX_DOMAINS];
    struct pc_alloc alloc; /* last: not sent */
};

#define EG_SUMMARY_BYTES offsetof(struct pc_summary, alloc)

/* Of the registers and levels that do not change by themselves, and of which domains stand still.
 */
uint64_t eg_digest(const struct pc_unit *u, uint32_t mask);

#endif
