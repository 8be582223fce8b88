/* SPDX-License-Identifier: MIT */
/*
 * A file chain by chain (docs/adr/012): what a stream does can be told from its own chain and the
 * times of the indices, so nothing is sorted by time, and each thread has chains of its own.  The
 * times are unpacked a span of indices at once, and every chain is walked along it.
 *
 * Errors would be found in another order here, and are left to readers that go by time.
 */
#ifndef PC_WAVE_FST_SPANS_H
#define PC_WAVE_FST_SPANS_H

#include "wave/fst/fst.h"

enum { FST_SHARES = 8 /* tasks for each thread: some have more to do than others */ };

struct fst_spans {
    struct fst *f;
    struct pc_wave_totals *totals; /* all but the changes */
    uint64_t until;                /* what is at this time and later is not wanted; 0: all is */
    void *ctx;
    /* Once, at the first time: values before it are in f->carry. */
    void (*start)(const struct fst_spans *s);
    /* A chain up to time index `end`; false: something is wrong. */
    bool (*walk)(const struct fst_spans *s, unsigned worker, struct fst_walk *w);
    /* Now and then, in the caller's thread: about that many changes were looked at. */
    void (*tell)(const struct fst_spans *s, uint64_t changes);
    /* Streams whose chains are walked before the others, by the caller's thread; NULL: none. */
    const uint8_t *first;
    /* Then and at the end of each span, if there are such. */
    void (*section)(const struct fst_spans *s, bool over);

    uint64_t begin, end;                       /* time indices of the block */
    uint64_t *time;                            /* of each */
    bool over;                                 /* `until` was reached */
    uint64_t bytes;                            /* of the chains in the block */
    size_t task[FST_SHARES * WV_TEAM_MAX + 2]; /* the first walk of each, and after the last */
    size_t tasks;
};

/* Walks all of the file, or returns false as if nothing had been read. */
bool fst_walk_spans(struct fst_spans *s);

/*
 * Steps to the next record, if its number is one byte and says nothing of unknown values, as nearly
 * all do; false: it is to be read with more care.
 */
static inline bool fst_step(struct fst_cursor *c, unsigned shift, uint64_t times,
                            struct fst_place *now)
{
    if (c->at == c->end || *c->at & 0x81 || (uint64_t)*c->at >> shift >= times - now->next)
        return false;
    now->head = *c->at++;
    now->next += now->head >> shift;
    return true;
}

#endif
