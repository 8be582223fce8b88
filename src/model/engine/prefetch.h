/* SPDX-License-Identifier: MIT */
/*
 * Some CPUs read planes faster if memory is asked for them ahead, others if it is left to them
 * (docs/adr/014).  Which one this is shows in the time of a few blocks of a long run.
 */
#ifndef PC_ENGINE_PREFETCH_H
#define PC_ENGINE_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

struct eg_prefetch {
    bool asks;         /* memory is asked in the present block, */
    bool pays;         /* and where none is tried: what was faster the last time */
    unsigned block;    /* of a round of them */
    uint64_t began;    /* when the present one did */
    uint64_t least[2]; /* nanoseconds of a block, without and with asking */
};

/* Begins a block of the usual length. */
void eg_prefetch_begin(struct eg_prefetch *p);
void eg_prefetch_end(struct eg_prefetch *p);

#endif
