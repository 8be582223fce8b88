/* SPDX-License-Identifier: MIT */
/* The next time of a block's table, for who loads the block (block.c) and who hands it out
 * (next.c). */
#ifndef PC_WAVE_FST_NEXT_TIME_H
#define PC_WAVE_FST_NEXT_TIME_H

#include "wave/fst/fst.h"

/* Reads the time of entry f->loaded.now.index. */
static inline enum pc_status fst_read_time(struct fst *f, struct pc_error *err)
{
    struct fst_now *n = &f->loaded.now;
    const struct fst_block *b = &f->block[n->block];
    const uint8_t *start = n->time.at;
    uint64_t delta = fst_number(&n->time);

    if (n->time.fault)
        return fst_check(&n->time, err, "time table");
    uint64_t time = n->clock + delta;
    if (time >= n->clock && time >= b->begin && time <= b->end) {
        n->clock = time;
        return PC_OK;
    }
    n->time.at = start;
    return fst_fail(&n->time, err, 713, "time %llu + %llu in a block from %llu to %llu",
                    (unsigned long long)n->clock, (unsigned long long)delta,
                    (unsigned long long)b->begin, (unsigned long long)b->end);
}

#endif
