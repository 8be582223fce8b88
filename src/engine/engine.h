/* SPDX-License-Identifier: MIT */
/*
 * The wide engine: pc_unit_step(), 64 cycles a word.  It has no meaning of its own: what is
 * not covered here is stepped, and the first and last cycles of every stretch always are, so
 * that everything the unit remembers of its last cycles comes from the reference.
 *
 *   engine.c  pc_unit_run: stretches between writes; head and tail by step
 *   plan.c    which domains can go wide, and why not
 *   planes.c  the sources and inputs of a block as bit planes, and the flag
 *   program.c what registers ask for, worked out once a stretch
 *   solo.c    a domain that looks at no other: one pass over memory
 *   quad.c    quad mode: counts between swaps
 *   single.c  single mode: periods
 *   record.c  record mode and stream-out: packets
 *   sums.c    adding many cycles to counters that clamp or wrap
 */
#ifndef PC_ENGINE_ENGINE_H
#define PC_ENGINE_ENGINE_H

#include "engine/kernel.h"
#include "model/state.h"
#include "pcounter/run.h"

#define EG_WORDS     1024 /* of a block */
#define EG_SELECTORS (PC_INPUTS * 4)

/* A signal during a block: a plane, or one level. */
struct eg_signal {
    const uint64_t *plane; /* NULL: constant */
    bool level;
};

/* Planes of a block that solo.c calculates. */
struct eg_scratch {
    uint64_t periodic[EG_WORDS], flag[EG_WORDS], reg[EG_WORDS];
    uint64_t late[EG_SELECTORS][EG_WORDS];
    uint64_t input[PC_INPUTS][EG_WORDS];
    uint64_t tally[3][EG_WORDS + 1];
};

struct pc_engine {
    struct pc_alloc alloc;
    const struct pc_kernel *kernel;
    uint64_t wide_cycles; /* of all domains since creation: tests see that words were used */
    uint64_t zeros[EG_WORDS], ones[EG_WORDS];
    uint64_t periodic[EG_WORDS], flag[EG_WORDS], reg[EG_WORDS];
    uint64_t late[EG_SELECTORS][EG_WORDS];
    uint64_t input[PC_INPUTS][EG_WORDS];
    uint64_t scratch[2][EG_WORDS];
    struct eg_scratch solo;
};

/* One block of one domain. */
struct eg_block {
    struct pc_engine *e;
    const struct pc_kernel *k;
    struct pc_unit *u;
    struct pc_domain *d;
    unsigned domain;
    const struct pc_run_domain *run;
    size_t first; /* word of the run's planes */
    size_t words;
    struct eg_signal source[EG_SELECTORS];
    struct eg_signal input[PC_INPUTS];
    struct eg_signal flag; /* the FLAG signal */
    struct eg_signal swap;
    bool flag_register; /* after the block */
    /* Quad mode without a swap or a sum: PRE, START, EVENT, STOP are counted as they are read. */
    bool counted;
    uint64_t counts[4];
    struct pc_rise event; /* of what was counted */
    bool tallied;         /* record mode: e->solo.tally has the sources' counts */
};

/* engine.c: cycles [from, to) of the domains in `mask`, with no write in between. */
void eg_stretch(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run, uint32_t mask,
                uint64_t from, uint64_t to);
/* Cycles [from, to) by the reference. */
void eg_step(struct pc_unit *u, const struct pc_run *run, uint32_t mask, uint64_t from,
             uint64_t to);
void eg_gather(const struct pc_run_domain *r, uint64_t t, uint64_t raw[PC_SIG_WORDS]);
/* Is a pulse on its way, or a user signal that falls by itself? */
bool eg_unsettled(const struct pc_unit *u, uint32_t mask);

/* plan.c */
enum pc_run_how eg_plan(const struct pc_unit *u, unsigned domain, const char **why);
/* Does it look at no other domain, and order nothing with them?  Then it can be stepped alone. */
bool eg_independent(const struct pc_unit *u, unsigned domain);

/* planes.c: fills in source, input, flag, swap; changes nothing in the domain. */
void eg_block_planes(struct eg_block *b);
/* What the domain remembers of the block besides its counters. */
void eg_block_remember(struct eg_block *b);
const uint64_t *eg_plane(const struct eg_block *b, struct eg_signal s);

/*
 * solo.c: words [first, end) of a domain that goes wide and neither looks at another one nor is
 * looked at.  Returns the first word that is not done, as the machine leaves its state there.
 */
size_t eg_solo(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run, unsigned domain,
               size_t first, size_t end);
/* Step 7 for the block. */
void eg_count_block(struct eg_block *b);

/* sums.c */
void eg_add(const struct pc_unit *u, struct pc_domain *d, uint64_t *counter, uint64_t n, bool wide);
/* Ones of a signal in cycles [from, to) of the block. */
uint64_t eg_ones(const struct eg_block *b, struct eg_signal s, uint64_t from, uint64_t to);
/* What CTR_EVENT gets in cycles [from, to). */
uint64_t eg_events(const struct eg_block *b, uint64_t from, uint64_t to);
/* The first cycle from `from` on, before `to`, in which s is 1; `to` if there is none. */
uint64_t eg_find(struct eg_signal s, uint64_t from, uint64_t to);

/* quad.c, single.c: step 7 for the block, whose words they may make fewer; 0: must be stepped. */
void eg_quad(struct eg_block *b);
/* How many words can go wide before the machine leaves its state for good. */
size_t eg_single_words(const struct eg_block *b);
void eg_single(struct eg_block *b);

/* record.c: can the domain, which is in record or stream mode, go wide? */
bool eg_record_wide(const struct pc_unit *u, const char **why);
void eg_record(struct eg_block *b);
void eg_stream(struct eg_block *b);

#endif
