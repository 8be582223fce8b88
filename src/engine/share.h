/* SPDX-License-Identifier: MIT */
/*
 * Counts that many domains share: of domains in quad mode that only count, through the middle of a
 * stretch.  An operation that several have is counted once; and where many tables are over the
 * same planes, only the conjunctions of these are counted, and their pairs, from which each table's
 * count and rises follow.
 */
#ifndef PC_ENGINE_SHARE_H
#define PC_ENGINE_SHARE_H

#include "kernel/lut.h"
#include "pcounter/run.h"

struct pc_engine;
struct pc_unit;
struct eg_program;

/* Limits; what does not fit takes its own turn. */
enum { EG_SHARED_OPS = 4096, EG_SHARERS = 512, EG_SHARED_CHAINS = 1024, EG_SHARED_PAIRS = 64 };

/* Words of all planes that are put together for a tile. */
enum { EG_STAGE_WORDS = 65536 };

/* Words below which it does not pay to search for what could be saved, or to put a tile together.
 */
enum { EG_SHARE_LONG = 1024 };

struct eg_shared_op {
    uint64_t ones;
    uint16_t table, set;
    uint16_t next; /* of the set; 0: none */
    uint16_t job;
    bool edges;   /* some have it as EVENT, whose rises count */
    bool derived; /* its ones, from the conjunctions of its set */
};

/* Operations over the same planes. */
struct eg_shared_set {
    const uint64_t *plane[4]; /* in the order of their addresses, from the run's first word on */
    uint8_t planes;
    uint16_t place;    /* of a single plane, on the stage */
    uint16_t next;     /* of the chain */
    uint16_t pairs;    /* from which the rises of its operations follow; 0: none */
    uint16_t first;    /* operation; 0: none */
    uint16_t part[16]; /* operations: the conjunction of the planes of which the index is a mask */
};

struct eg_sharer {
    struct pc_unit *u;
    const struct eg_program *program;
    unsigned domain;
    uint16_t op[4]; /* PRE, START, EVENT, STOP */
};

struct eg_share {
    unsigned ops, sets, sharers, jobs, pairs;
    unsigned planes, uses; /* all that are looked at, and how often in all */
    size_t tile;           /* words */
    bool asks;             /* is memory asked for what comes? */
    bool stages;           /* are they put together? */
    uint16_t chain[EG_SHARED_CHAINS];
    struct eg_shared_op op[EG_SHARED_OPS]; /* number 0 is none */
    struct eg_shared_set set[EG_SHARED_OPS];
    struct pc_lut_job job[EG_SHARED_OPS];
    struct pc_lut_pairs pair[EG_SHARED_PAIRS]; /* number 0 is none */
    struct eg_sharer sharer[EG_SHARERS];
    const uint64_t *staged[EG_SHARED_OPS]; /* each plane, from the run's first word on */
    uint64_t stage[EG_STAGE_WORDS + 8];    /* a tile of each */
};

/* Nobody shares yet. */
void eg_share_begin(struct eg_share *s);
/* False: the domain cannot share.  The program stays where it is. */
bool eg_share_join(struct pc_engine *e, struct pc_unit *u, unsigned domain,
                   const struct eg_program *program);
/* Is a tile read so often that it pays not to take turns? */
bool eg_share_pays(const struct eg_share *s);
/* Brings all that joined through words [first, end) of the run, by tiles of `most` or fewer. */
void eg_share_run(struct pc_engine *e, const struct pc_run *run, size_t first, size_t end,
                  size_t most);

/* share_tile.c */

/* How long a tile is, and whether it is put together; all planes are known. */
void eg_share_choose_tile(struct eg_share *s, const struct pc_kernel *k, size_t length,
                          size_t most);
/* Where a plane's words are put. */
uint64_t *eg_share_place(struct eg_share *s, unsigned place);
/* All jobs and pairs through words [first, end). */
void eg_share_tiles(struct pc_engine *e, size_t first, size_t end);

#endif
