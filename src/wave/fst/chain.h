/* SPDX-License-Identifier: MIT */
/* Records of chains, for all who walk along them (stage.c, edges.c, track.c). */
#ifndef PC_WAVE_FST_CHAIN_H
#define PC_WAVE_FST_CHAIN_H

#include "wave/fst/fst.h"

/* IEEE 1164 states as FST_STATES has them; index is the code in a record of one bit. */
extern const uint8_t fst_other_state[8];

/* Returns the place in FST_STATES of a value of one bit. */
static inline uint8_t fst_state_of_head(uint64_t head)
{
    return head & 1 ? fst_other_state[head >> 1 & 7] : head >> 1 & 1;
}

/* Returns one character of a value as '0', '1', 'x' or 'z'. */
char fst_state_of(const struct fst_stream *s, uint8_t character);

static inline struct fst_cursor fst_walk_cursor(const struct fst *f, const struct fst_walk *w)
{
    const struct fst_chain *chain = &f->loaded.chain[w->chain];
    struct fst_cursor c = fst_cursor_on(chain->data, chain->size, chain->at);

    c.packed = chain->packed;
    c.at = w->now.at;
    return c;
}

/*
 * Reads the number of the record at the cursor; `last` is the time index of the record
 * before.  false if it cannot be, FST_NEVER at the end of the chain.
 */
static inline bool fst_read_head(struct fst_cursor *c, bool single, uint64_t times, uint64_t last,
                                 struct fst_place *place)
{
    place->next = FST_NEVER;
    place->at = c->at;
    if (c->at == c->end)
        return true;
    uint64_t head = fst_number(c);
    uint64_t delta = !single ? head >> 1 : head & 1 ? head >> 4 : head >> 2;
    if (c->fault || delta >= times - last)
        return false;
    *place = (struct fst_place){ .at = c->at, .head = head, .next = last + delta };
    return true;
}

/*
 * Reports why fst_read_head() or what came before it failed; the record of time index `last` stands
 * at w->now.at. CVE-2023-35994 to 35997: an index past the time table; or no number at all.
 */
enum pc_status fst_bad_record(const struct fst *f, const struct fst_walk *w,
                              const struct fst_cursor *c, uint64_t last, struct pc_error *err);

#endif
