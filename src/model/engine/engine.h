/* SPDX-License-Identifier: MIT */
/*
 * The wide engine: pc_unit_step(), 64 cycles a word.  It has no meaning of its own: what is
 * not covered here is stepped, and the first and last cycles of every segment always are, so
 * that everything the unit remembers of its last cycles comes from the reference.
 *
 *   engine.c       the handle
 *   run.c          pc_unit_run: segments between writes; their heads, middles and tails
 *   program.c      what a domain's registers ask for, worked out once a segment
 *   graph.c        who looks at whose EVENT and FLAG, and in which order that can be calculated
 *   plan.c         which domains can go wide, which by relaxation, and why not
 *   component.c    domains that have nothing to do with others, in windows of time
 *   cluster.c      domains that look at each other, in blocks of words
 *   lone_domain.c  a domain that looks at no other and is looked at by none, in one pass
 *   stepping.c     some domains are stepped while the others are elsewhere in time
 *   imported.c     what a domain sees of others: delays, other clocks
 *   planes.c       a block of a domain: its sources and inputs as bit planes, and the flag
 *   relax.c        EVENT and FLAG that depend on themselves
 *   clocks_core.h  what is sampled across different clocks
 *   poly.c         ... as sums of products of what is being solved
 *   count.c        what counts a block, by its mode
 *   quad.c         quad mode: counts between swaps
 *   single.c       single mode: periods
 *   record.c       record mode and stream-out: packets
 *   sums.c         adding many cycles to counters that clamp or wrap
 */
#ifndef PC_ENGINE_ENGINE_H
#define PC_ENGINE_ENGINE_H

#include "model/engine/clocks.h"
#include "model/engine/graph.h"
#include "model/engine/live.h"
#include "model/engine/prefetch.h"
#include "kernel/kernel.h"
#include "model/unit/state.h"
#include "pcounter/run.h"
#include "model/rules/sources.h"

#define EG_WORDS       16384 /* of a block */
#define EG_WINDOW      256   /* words of a window, and of a block in it */
#define EG_RELAX_WORDS 64    /* of a block that is relaxed */
#define EG_POLYS       4     /* operations of a domain that are relaxed */
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

/* What a domain's registers ask for in a segment (program.c). */
struct eg_program {
    struct eg_signal source[EG_SELECTORS]; /* planes from the run's first word on */
    /* Selectors with a plane of the run, PERIODIC, an EVENT or FLAG that is not constant. */
    uint32_t raw, periodics, nodes;
    uint32_t late; /* selectors that some input sees one cycle late */
    struct eg_operation op[PC_INPUTS];
    struct eg_signal swap;
    bool swap_is_node, swap_is_periodic;
    bool listens; /* the flag's register moves */
    bool flag_constant;
    bool streams; /* only counts, and no plane is made of anything: a block may have any length */
    bool still;   /* nothing that the domain looks at ever changes */
};

/* A plane of a window, after the word before it, whose last bits are looked at. */
struct eg_window {
    uint64_t word[1 + EG_WINDOW + 1];
};

/*
 * A domain during the middle of a segment.  Bit i of a window is the domain's cycle
 * 64 * base + i of the run.
 */
struct eg_lane {
    uint64_t at;    /* its next cycle */
    uint64_t start; /* its first cycle after where the window of time began; */
    uint64_t end;   /* and after where it ends */
    uint64_t base;  /* in words */
    /* EVENT, FLAG, and their toggles before each cycle (enum eg_shown) */
    struct eg_window shown[4];
    struct eg_window sampled[EG_NODES]; /* nodes of domains with other clocks, at the own edges */
    uint64_t seen[EG_NODES][EG_WINDOW]; /* nodes of others as the domain sees them */
    uint64_t late[EG_SELECTORS][EG_WINDOW];
    uint64_t input[PC_INPUTS][EG_WINDOW]; /* EVENT is in shown[] */
    uint64_t periodic[EG_WINDOW];
    uint16_t planes; /* raw signals that have a plane: the first of them in signal[] */
    uint8_t words;   /* ... of which words of signals */
    uint8_t signal[PC_MAX_SIGNALS];
    uint64_t level[PC_SIG_WORDS]; /* the others */
    uint64_t looked, turned; /* 1 + word where signals were looked at last; of which is in raw[] */
    uint64_t raw[PC_SIG_WORDS][64]; /* signals with planes in each cycle of a word */
};
enum eg_shown { EG_SHOWN_EVENT, EG_SHOWN_FLAG, EG_SHOWN_EVENT_TOGGLE, EG_SHOWN_FLAG_TOGGLE };

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
    uint64_t known; /* so many come again, and the last of them meets the fault; 0: all are new */
};

enum eg_quick { EG_QUICK_UNKNOWN, EG_QUICK, EG_QUICK_NEVER };

struct pc_engine {
    struct pc_alloc alloc;
    const struct pc_kernel *kernel;
    const struct eg_clocks *clocks;
    size_t block, part;      /* words: EG_WORDS and EG_RECORD_WORDS; tests have fewer */
    uint64_t wide_cycles;    /* of all domains since creation: tests see that words were used */
    uint64_t relaxed_cycles; /* those of them that were relaxed */
    struct eg_prefetch prefetch;
    uint64_t instant;                      /* where the last segment ended: the lanes are there */
    uint64_t packet_cycle[PC_MAX_DOMAINS]; /* in which each domain is that sends a packet */
    enum eg_quick quick;   /* can a walk of all domains of this segment go by the live step? */
    uint64_t quick_cycles; /* that did: tests see that they were */
    struct eg_graph graph;
    size_t levels; /* words of zeros and ones that are set, as many as were needed */
    /* From here on nothing is set at first: an engine is cheap where little of it is used. */
    uint64_t zeros[EG_WORDS], ones[EG_WORDS];
    uint64_t scratch[2][EG_WORDS];
    struct eg_scratch lone;
    uint64_t coefficient[PC_MAX_DOMAINS][EG_POLYS][4][EG_RELAX_WORDS];
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
    const struct pc_run *all;
    const struct pc_run_domain *run; /* of the domain */
    struct eg_lane *lane;            /* NULL: a domain by itself, whose planes are in `lone` */
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
/* stepping.c: the domain's cycles up to its last pulse or user signal that falls by itself; 0:
 * none. */
unsigned eg_pulses_end(const struct pc_domain *d);
/* Is any on its way? */
bool eg_unsettled(const struct pc_unit *u, uint32_t mask);
/* Has the unit a switch that only the reference knows?  D-26: others see its FLAG registers. */
static inline bool eg_only_steps(const struct pc_unit *u)
{
    return u->options.import_register;
}

/* Instants [from, to) of the run, with no write in between. */
void eg_run_segment(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run, uint32_t mask,
                    uint64_t from, uint64_t to);

/* plan.c: why the whole segment has to be stepped; NULL: it has not. */
const char *eg_why_stepped(const struct eg_segment *s, const struct eg_graph *g);
/* Does it look at no other domain, and order nothing with them?  Then it can be stepped alone. */
bool eg_independent(const struct pc_unit *u, unsigned domain);

/*
 * lone_domain.c: a domain that goes wide and neither looks at another one nor is looked at, from a
 * word on of a segment of a run.
 */
void eg_lone_begin(struct eg_program *program, struct pc_unit *u, struct pc_engine *e,
                   const struct pc_run *run, unsigned domain);
/* Words [first, end).  Returns the first one that is not done, and *stepped: so many words are to
 * be stepped from there on, as the machine leaves its state, or the domain hangs; then the program
 * ends. */
uint64_t eg_lone(const struct eg_program *program, struct pc_unit *u, struct pc_engine *e,
                 const struct pc_run *run, unsigned domain, uint64_t first, uint64_t end,
                 uint64_t *stepped);

/* component.c: the components of these domains, each by itself through instants [from, to) */
void eg_components(struct eg_segment *s, uint32_t domains, uint64_t from, uint64_t to);
/* `some` with the clusters that look at them, or at which they look */
uint32_t eg_component_of(const struct eg_graph *g, uint32_t some);
/* Is it a domain by itself, for lone_domain.c? */
bool eg_is_lone(const struct eg_segment *s, const struct eg_graph *g, uint32_t component,
                uint64_t from);

/* cluster.c: a cluster, whose domains have one clock, through instants [from, to) */
void eg_cluster(struct eg_segment *s, uint32_t cluster, uint64_t from, uint64_t to);

/* count.c: step 7 for a block */
void eg_count_block(struct eg_block *b);

/* stepping.c: the raw signals in cycle t */
void eg_gather(const struct pc_run_domain *r, uint64_t t, uint64_t raw[PC_SIG_WORDS]);
/* Cycles [from, to) of domains with one clock, by the reference. */
void eg_step(struct pc_unit *u, const struct pc_run *run, uint32_t mask, uint64_t from,
             uint64_t to);
/* Where each domain is at this instant */
void eg_lanes_begin(struct eg_segment *s, uint64_t from);
/* Steps the domains of the cluster through instants [from, to). */
void eg_walk(struct eg_segment *s, uint32_t cluster, uint64_t from, uint64_t to);
/* Which of the 64 instants of a word the domain has an edge at. */
static inline uint64_t eg_edge_word(const struct eg_segment *s, unsigned domain, uint64_t word)
{
    const uint64_t *edge = s->run->domain[domain].edge;

    return edge ? edge[word] : UINT64_MAX;
}
/* Have two domains the same edges? */
static inline bool eg_lockstep(const struct eg_segment *s, unsigned x, unsigned y)
{
    return s->run->domain[x].edge == s->run->domain[y].edge;
}
/* Edges of a domain in instants [from, to). */
uint64_t eg_edges_between(const struct eg_segment *s, unsigned domain, uint64_t from, uint64_t to);
/* One step of `edges`, each at the own next cycle; they are part of the cluster, whose domains are
 * at the same instant.  What they see of others comes from these others' windows. */
void eg_step_edges(struct eg_segment *s, uint32_t cluster, uint32_t edges);
/* Moves the window of a lane, so that it begins with the lane's next cycle. */
void eg_lane_slide(struct eg_lane *lane);
/* Writes what the domain shows before its next cycle after its window. */
void eg_lane_end(struct eg_segment *s, unsigned domain);

/* What is sampled of a node */
static inline enum eg_shown eg_shown_as(unsigned node, bool pulsed)
{
    if (node < PC_MAX_DOMAINS)
        return pulsed ? EG_SHOWN_EVENT_TOGGLE : EG_SHOWN_EVENT;
    return pulsed ? EG_SHOWN_FLAG_TOGGLE : EG_SHOWN_FLAG;
}

/* imported.c */
/* Domains that look at each other across different clocks */
uint32_t eg_mixed(const struct eg_segment *s, const struct eg_graph *g);
/* Those of these nodes that are of domains with other clocks, at the edges of y in [from, to) */
void eg_sample(struct eg_segment *s, unsigned y, uint32_t nodes, uint64_t from, uint64_t to);
/* The synchronisers of y before its next cycle, where they are of these nodes. */
void eg_sync_load(struct eg_segment *s, unsigned y, uint32_t nodes);
/* The samples of other clocks that are in the synchronisers: where a segment begins. */
void eg_sync_unload(struct eg_segment *s, unsigned y);
struct eg_signal eg_imported(struct eg_block *b, unsigned node);
/* The toggle of a node that is shown, for the words of the block. */
void eg_show_toggle(struct eg_block *b, unsigned node);

/* program.c; b: any block of the segment, with the domain as it is before it. */
void eg_program_compile(struct eg_program *p, const struct eg_block *b);

/* planes.c */
/* A domain by itself: all of the block.  Changes nothing in the domain. */
void eg_block_all(struct eg_block *b);
/* One that looks at others.  The sources that are no nodes, or these nodes of others. */
void eg_block_open(struct eg_block *b, uint32_t nodes);
/* EVENT or FLAG, all that it depends on being known. */
void eg_block_node(struct eg_block *b, unsigned node);
/* The sources that are this node; its plane is known. */
void eg_block_known(struct eg_block *b, unsigned node);
/* The other inputs */
void eg_block_inputs(struct eg_block *b);
/* What the domain remembers of the block besides its counters. */
void eg_block_remember(struct eg_block *b);
const uint64_t *eg_plane(const struct eg_block *b, struct eg_signal s);
/* Quad mode that adds to its counters and no more: nobody needs planes of what is counted. */
static inline bool eg_only_counts(const struct pc_domain *d)
{
    return d->control.mode == PC_MODE_QUAD && d->control.ctr_mode == PC_CTR_SIMPLE;
}
static inline struct eg_signal eg_constant(bool level)
{
    return (struct eg_signal){ NULL, level };
}
/* Its level in the block's last cycle */
static inline bool eg_last_level(const struct eg_block *b, struct eg_signal s)
{
    return s.plane ? s.plane[b->words - 1] >> 63 : s.level;
}
/* The flag where a block begins */
static inline struct pc_flag eg_flag_before(const struct pc_domain *d)
{
    return (struct pc_flag){ d->flag_next, d->flag_cur, { d->last_flag, false } };
}
/* Does it rise an odd number of times?  Its toggle flop has turned over then. */
static inline bool eg_odd_rises(const struct eg_block *b, struct eg_signal s, bool before)
{
    return s.plane ? b->k->odd_rises(s.plane, before, b->words) : s.level && !before;
}
/* A selected source one cycle late (D-19: the flop is after the selector). */
struct eg_signal eg_late(struct eg_block *b, unsigned selector);
/* The words of the block in a window of its lane */
static inline uint64_t *eg_words_of(const struct eg_block *b, struct eg_window *w)
{
    return w->word + 1 + (size_t)(b->first - b->lane->base);
}

/* relax.c: a group of nodes of lockstep domains, some of which depend on themselves. */
void eg_relax(struct eg_block *blocks, uint32_t nodes);

/* sums.c */
void eg_add(const struct pc_unit *u, struct pc_domain *d, uint64_t *counter, uint64_t n, bool wide);
/* Ones of a signal in cycles [from, to) of the block. */
uint64_t eg_ones(const struct eg_block *b, struct eg_signal s, uint64_t from, uint64_t to);
/* What the counters get in cycles [from, to). */
struct eg_increment {
    uint64_t event, start, pre, stop;
    uint64_t extra; /* single mode, to CTR_PRE */
};
struct eg_increment eg_increments(const struct eg_block *b, uint64_t from, uint64_t to);
/* The first cycle from `from` on, before `to`, in which s is 1; `to` if there is none. */
uint64_t eg_find(struct eg_signal s, uint64_t from, uint64_t to);
/* Asks memory for words first to end - 1 of the block, which may be after it, of what an input is
 * made of. */
void eg_ask(const struct eg_block *b, enum pc_input input, size_t first, size_t end);

/* quad.c, single.c: step 7 for the block, whose words they may make fewer; 0: must be stepped. */
void eg_quad(struct eg_block *b);
/* How many words can go wide before the machine leaves its state for good. */
size_t eg_single_words(const struct eg_block *b);
void eg_single(struct eg_block *b);

/* record.c */
void eg_record(struct eg_block *b);
void eg_stream(struct eg_block *b);

#endif
