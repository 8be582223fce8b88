/* SPDX-License-Identifier: MIT */
/*
 * The next time of a block's table: for who loads the block (block.c), who hands out its stamps
 * (next.c), and bound streams, each of which is somewhere else in it (times.c).
 */
#ifndef PC_WAVE_FST_NEXT_TIME_H
#define PC_WAVE_FST_NEXT_TIME_H

#include "wave/fst/fst.h"

/* Adds the entry at the cursor to *clock, the time of the entry before it. */
static inline enum pc_status fst_read_time(const struct fst *f, struct fst_cursor *c,
                                           uint64_t *clock, struct pc_error *err)
{
    const struct fst_block *b = &f->block[f->loaded.now.block];
    const uint8_t *start = c->at;
    uint64_t delta = fst_number(c);

    if (c->fault)
        return fst_check(c, err, "time table");
    uint64_t time = *clock + delta;
    if (time >= *clock && time >= b->begin && time <= b->end) {
        *clock = time;
        return PC_OK;
    }
    c->at = start;
    return fst_fail(c, err, 713, "time %llu + %llu in a block from %llu to %llu",
                    (unsigned long long)*clock, (unsigned long long)delta,
                    (unsigned long long)b->begin, (unsigned long long)b->end);
}

#endif
