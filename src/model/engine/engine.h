/* SPDX-License-Identifier: MIT */
/*
 * The wide engine: pc_unit_step(), 64 cycles a word.  It has no meaning of its own: what is
 * not covered here is stepped, and the first and last cycles of every segment always are, so
 * that everything the unit remembers of its last cycles comes from the reference.
 *
 *   engine.c       the handle
 *   run.c          pc_unit_run: segments between writes; their heads, middles and tails
 *   picks.c        what selectors look at, and which domains look at others
 *   plan.c         which domains go wide, and why the others do not
 *   stepping.c     the others, and heads and tails
 *   lone_domain.c  a domain that goes wide, block by block
 *   program.c      what its registers ask for, worked out once a segment
 *   planes.c       a block of it: its sources and inputs as bit planes, and the flag
 *   count.c        what counts a block, by its mode
 *   quad.c         quad mode: counts between swaps
 *   single.c       single mode: periods
 *   record.c       record mode and stream-out: packets
 *   sums.c         adding many cycles to counters that clamp or wrap
 */
#ifndef PC_ENGINE_ENGINE_H
#define PC_ENGINE_ENGINE_H

#include "model/engine/live.h"
#include "model/engine/picks.h"
#include "model/engine/prefetch.h"
#include "kernel/kernel.h"
#include "model/unit/state.h"
#include "pcounter/run.h"
#include "model/rules/sources.h"

#define EG_WORDS 16384 /* of a block */
/* In record mode: counters of 16 bits that begin at 0 do not come to their ends in it. */
#define EG_RECORD_WORDS 768
#define EG_RECORD_PIECE 64 /* words of which rows are made at once */

/* A signal during a block: a plane, or one level. */
struct eg_signal {
    const uint64_t *plane; /* NULL: constant */
    bool level;
};

/* Arguments that the table depends on, in front; none: table is 0 or ffff. */
struct eg_operation {
    uint16_t table;
    uint8_t arguments;
    struct pc_argument arg[4];
};

/* The operation of a domain in a segment, by its registers (program.c). */
struct eg_program {
    struct eg_signal source[EG_SELECTORS]; /* planes from the run's first word on */
    /* Selectors with a plane of the run, PERIODIC, the own FLAG where it is not constant. */
    uint32_t raw, periodics, flags;
    uint32_t late; /* selectors that some input sees one cycle late */
    struct eg_operation op[PC_INPUTS];
    struct eg_signal swap;
    bool swap_is_flag, swap_is_periodic;
    bool listens; /* the flag's register moves */
    bool flag_constant;
    bool streams; /* only counts, and no plane is made of anything: a block may have any length */
    bool still;   /* nothing that the domain looks at ever changes */
};

/* A domain during a segment. */
struct eg_lane {
    uint64_t at;     /* its next cycle */
    uint16_t planes; /* raw signals that have a plane: the first of them in signal[] */
    uint8_t words;   /* ... of which words of signals */
    uint8_t signal[PC_MAX_SIGNALS];
    uint64_t level[PC_SIG_WORDS]; /* the others */
    uint64_t looked, turned; /* 1 + word where signals were looked at last; of which is in raw[] */
    uint64_t raw[PC_SIG_WORDS][64]; /* signals with planes in each cycle of a word */
};

/* Planes of a block that lone_domain.c calculates. */
struct eg_scratch {
    uint64_t periodic[EG_WORDS], flag[EG_WORDS];
    uint64_t late[EG_SELECTORS][EG_WORDS];
    uint64_t input[PC_INPUTS][EG_WORDS];
    uint64_t row[EG_RECORD_PIECE + 1][4]; /* record mode: ones before each word */
};

/*
 * D-70a: a packet that meets a fault hangs its domain, which a block notices too late.  Then the
 * block is taken back and stepped, and its packets, which the memory has had, are not sent again.
 */
struct eg_delivery {
    pc_mem_write_fn *memory; /* the unit's own */
    void *ctx;
    uint64_t sent;  /* in the block so far */
    uint64_t known; /* that many come again, and the last of them meets the fault; 0: all are new */
};

enum eg_quick { EG_QUICK_UNKNOWN, EG_QUICK, EG_QUICK_NEVER };

struct pc_engine {
    struct pc_alloc alloc;
    const struct pc_kernel *kernel;
    size_t block, part;   /* words: EG_WORDS and EG_RECORD_WORDS; tests have fewer */
    uint64_t wide_cycles; /* of all domains since creation: tests see that words were used */
    struct eg_prefetch prefetch;
    uint64_t instant;                      /* where the last segment ended: the lanes are there */
    uint64_t packet_cycle[PC_MAX_DOMAINS]; /* in which each domain is that sends a packet */
    enum eg_quick quick; /* can a walk of `quick_domains` in this segment go by the live step? */
    uint32_t quick_domains;
    uint64_t quick_cycles; /* that did: tests see that they were */
    struct eg_picks picks;
    size_t levels; /* words of zeros and ones that are set, as many as were needed */
    /* From here on nothing is set at first: an engine is cheap where little of it is used. */
    uint64_t zeros[EG_WORDS], ones[EG_WORDS];
    uint64_t scratch[2][EG_WORDS];
    struct eg_scratch lone;
    struct eg_lane lane[PC_MAX_DOMAINS];
    struct eg_delivery delivery;
    struct pc_live live; /* for walks of all domains (stepping.c) */
};

/* A segment: no write in between. */
struct eg_segment {
    struct pc_unit *u;
    struct pc_engine *e;
    const struct pc_run *run;
    uint32_t mask; /* domains that have edges */
};

/* One block of one domain. */
struct eg_block {
    struct pc_engine *e;
    const struct pc_kernel *k;
    struct pc_unit *u;
    struct pc_domain *d;
    unsigned domain;
    const struct pc_run_domain *run; /* of the domain */
    const struct eg_program *program;
    uint64_t first; /* word of the run's planes */
    size_t words;
    uint64_t all_words; /* of the run */
    struct eg_signal source[EG_SELECTORS];
    struct eg_signal input[PC_INPUTS];
    struct eg_signal flag; /* the FLAG signal */
    struct eg_signal swap;
    struct pc_flag flag_after;
    uint8_t known; /* inputs that are calculated: bit enum pc_input */
    uint32_t late; /* selectors whose late plane is */
    /* Quad mode without a swap or a sum: PRE, START, EVENT, STOP are counted as they are read. */
    bool counted;
    uint64_t counts[4];
    struct pc_rise event; /* of what was counted */
};

/*
 * Edges after which a domain has forgotten a write or a pulse, with some to spare.  What that
 * leaves goes on from what is seen of others (3 cycles) by a delayed argument (1) to the flag (2),
 * delayed to EVENT (1), and delayed to what is counted (1); each may be constant from then on.
 */
enum { EG_SETTLE = 16 };
/* stepping.c: Returns the domain's cycles up to its last pulse or user signal that falls by itself;
 * 0: none. */
unsigned eg_pulses_end(const struct pc_domain *d);
/* Returns true if any is on its way. */
bool eg_unsettled(const struct pc_unit *u, uint32_t mask);
/* Returns true if the unit has a switch that only the reference knows. D-26: others see its FLAG
 * registers. */
static inline bool eg_only_steps(const struct pc_unit *u)
{
    return u->options.import_register;
}

/* Instants [from, to) of the run, with no write in between. */
void eg_run_segment(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run, uint32_t mask,
                    uint64_t from, uint64_t to);

/* plan.c: Returns the domains that go wide, each by itself. */
uint32_t eg_alone(const struct eg_picks *p, const struct pc_unit *u, uint32_t mask);

/*
 * lone_domain.c: a domain that goes wide and neither looks at another one nor is looked at, from a
 * word on of a segment of a run.
 */
void eg_lone_begin(struct eg_program *program, struct pc_unit *u, struct pc_engine *e,
                   const struct pc_run *run, unsigned domain);
/* Runs words [first, end). Returns the first one that is not done, and *stepped: that many words
 * are to be stepped from there on, as the machine leaves its state, or the domain hangs; then the
 * program ends. */
uint64_t eg_lone(const struct eg_program *program, struct pc_unit *u, struct pc_engine *e,
                 const struct pc_run *run, unsigned domain, uint64_t first, uint64_t end,
                 uint64_t *stepped);

/* count.c: Makes step 7 for a block. */
void eg_count_block(struct eg_block *b);

/* stepping.c: Finds where each domain is at this instant. */
void eg_lanes_begin(struct eg_segment *s, uint64_t from);
/* Steps these domains through instants [from, to). */
void eg_walk(struct eg_segment *s, uint32_t domains, uint64_t from, uint64_t to);
/* Returns the number of edges of a domain in instants [from, to). */
uint64_t eg_edges_between(const struct eg_segment *s, unsigned domain, uint64_t from, uint64_t to);
/* Does one step of `edges`, each at its own next cycle. */
void eg_step_edges(struct eg_segment *s, uint32_t edges);

/* program.c; b: any block of the segment, with the domain as it is before it. */
void eg_program_compile(struct eg_program *p, const struct eg_block *b);

/* planes.c: Makes all planes of the block. Changes nothing in the domain. */
void eg_block_all(struct eg_block *b);
/* Writes back all that the domain remembers of the block besides its counters. */
void eg_block_remember(struct eg_block *b);
const uint64_t *eg_plane(const struct eg_block *b, struct eg_signal s);
/* Quad mode that adds to its counters and no more: planes of the counts are not needed. */
static inline bool eg_only_counts(const struct pc_domain *d)
{
    return d->control.mode == PC_MODE_QUAD && d->control.ctr_mode == PC_CTR_SIMPLE;
}
static inline struct eg_signal eg_constant(bool level)
{
    return (struct eg_signal){ NULL, level };
}
/* Returns its level in the block's last cycle. */
static inline bool eg_last_level(const struct eg_block *b, struct eg_signal s)
{
    return s.plane ? s.plane[b->words - 1] >> 63 : s.level;
}
/* Returns the flag where a block begins. */
static inline struct pc_flag eg_flag_before(const struct pc_domain *d)
{
    return (struct pc_flag){ d->flag_next, d->flag_cur, { d->last_flag, false } };
}
/* Returns true if it rises an odd number of times. Its toggle flop has turned over then. */
static inline bool eg_odd_rises(const struct eg_block *b, struct eg_signal s, bool before)
{
    return s.plane ? b->k->odd_rises(s.plane, before, b->words) : s.level && !before;
}
/* Returns a selected source one cycle late (D-19: the flop is after the selector). */
struct eg_signal eg_late(struct eg_block *b, unsigned selector);
/* sums.c */
void eg_add(const struct pc_unit *u, struct pc_domain *d, uint64_t *counter, uint64_t n, bool wide);
/* Returns the ones of a signal in cycles [from, to) of the block. */
uint64_t eg_ones(const struct eg_block *b, struct eg_signal s, uint64_t from, uint64_t to);
/* The sums that the counters get in cycles [from, to). */
struct eg_increment {
    uint64_t event, start, pre, stop;
    uint64_t extra; /* single mode, to CTR_PRE */
};
struct eg_increment eg_increments(const struct eg_block *b, uint64_t from, uint64_t to);
/* Finds the first cycle from `from` on, before `to`, in which s is 1; `to` if there is none. */
uint64_t eg_find(struct eg_signal s, uint64_t from, uint64_t to);
/* Asks memory for words first to end - 1 of the block, which may be after it, of what an input is
 * made of. */
void eg_ask(const struct eg_block *b, enum pc_input input, size_t first, size_t end);

/* quad.c, single.c: step 7 for the block, whose words they may make fewer; 0: must be stepped. */
void eg_quad(struct eg_block *b);
/* Returns how many words can go wide before the machine leaves its state for good. */
size_t eg_single_words(const struct eg_block *b);
void eg_single(struct eg_block *b);

/* record.c */
void eg_record(struct eg_block *b);
void eg_stream(struct eg_block *b);

#endif
