/* SPDX-License-Identifier: MIT */
/*
 * Inside of the pass planner.  Events become *items*; items that share a pass are a *group*;
 * groups are put into passes.
 *
 *   create.c  from the request to the plan, by all of these
 *   items.c   what each event needs: functions, counters, counter mode, flag
 *   mux.c     registers outside of the counters, and who wants them different
 *   fit.c     do these items fit into one domain together?  Asks the compiler, remembers
 *   pass.c    do these groups fit into one pass?  Backtracking and a matching: exact
 *   conflict.c  who can never share a pass; cliques of those
 *   bound.c   no plan can have fewer passes than this
 *   search.c  as few passes as can be found: first fit, then branch and bound
 *   why.c     reasons in words
 *   result.c  what the plan says
 */
#ifndef PC_PLAN_PLAN_H
#define PC_PLAN_PLAN_H

#include "base/alloc.h"
#include "pcounter/unstable/plan.h"
#include "lang/compile/compile.h"
#include "model/rules/ctr_modes.h"

#define PL_SLOTS     PC_PLAN_SLOTS
#define PL_RAW       64 /* signals: more than all inputs of a domain can name */
#define PL_ALL_SLOTS 0xfu
#define PL_WORDS     (PC_PLAN_EVENTS / 64)
#define PL_REASON    400

#define PL_MODES PC_CTR_NONE /* values of CTR_MODE: rows of pc_ctr_modes[] */

/* A function and the wires of its atoms; the signals inside of it are filled in by fit.c. */
struct pl_func {
    bool used;
    struct cm_func f;
    uint32_t wire[CM_ATOMS];
};

struct pl_item {
    const struct pc_plan_event *event;
    const char *name; /* the event's, or what stands for it */
    uint64_t domains;
    uint8_t in[PL_MODES]; /* counters that can count it in each CTR_MODE when it is alone */
    uint8_t slots;        /* ... in any of them */
    uint8_t takes;        /* fixed: all these counters at once; 0: one of `slots` */
    bool special;         /* a number or fixed: it has no use for SIMPLE, or for no other mode */
    bool plain;   /* in any of its counters it needs nothing but that counter's own sources */
    bool chained; /* SETFLAG has to be an argument */
    bool flagged; /* looks at the flag, sets or clears it */
    uint16_t group, mux_class;
    struct pl_func func[PL_SLOTS]; /* fixed: one for each counter; else func[0] */
    struct pl_func set, clear;
};

struct pl_group {
    uint16_t first, count; /* in member[] */
    unsigned number;       /* as the request has it; 0: one event by itself */
};

/* A set of items, or of groups. */
struct pl_set {
    uint64_t word[PL_WORDS];
};

struct pl_pass {
    struct pl_set items;
    unsigned count;
    int16_t at[PC_PLAN_DOMAINS][PL_SLOTS]; /* item, or -1 */
    uint8_t mode[PC_PLAN_DOMAINS];         /* CTR_MODE, once the plan is done */
};

struct pl_domain {
    struct cm_target target;
    struct pc_chip_domain place;
    unsigned raw; /* signals that come from the card, at most PL_RAW */
};

struct pl_known { /* what fit.c remembers */
    uint64_t key;
    bool used, fits;
};

/* Other items may ask the compiler the same: wires are numbered as they come. */
struct pl_solved {
    struct cm_want want;
    bool used, fits;
};

struct pc_plan {
    struct pc_alloc alloc;
    struct pc_plan_request request;
    struct pc_chip of_set[PC_PLAN_SLOTS]; /* by enum pc_set */
    struct pl_domain domain[PC_PLAN_DOMAINS];
    unsigned domains;
    unsigned slots;   /* counters of a domain in the mode of this chip */
    bool uniform;     /* all events are plain: none cares for its function */
    bool shared_ctrl; /* NV10:NV40: one CTR_MODE for all domains */
    size_t items, groups;
    struct pl_item *item;
    struct pl_group *group;
    uint16_t *member;        /* items, group by group */
    struct pl_set clique;    /* groups that need a pass each */
    struct pl_set *conflict; /* of each item: the items that can never be in its pass */
    struct pl_set *barred;   /* of each group: the same items as of all its members */
    struct pl_set *apart;    /* of each group: the groups that can never be in its pass */
    size_t mux_classes;
    struct pl_known *known;
    struct pl_solved *solved; /* NULL: nothing was asked yet, or there is no memory for it */
    struct pl_pass *pass;
    size_t passes, bound;
    char bound_reason[PL_REASON];
    uint32_t attempts, budget;
    bool incomplete; /* somewhere "no" was said without a proof */
};

#define PL_KNOWN  16384 /* powers of two */
#define PL_SOLVED 1024

static inline bool pl_has(const struct pl_set *s, size_t i)
{
    return s->word[i / 64] >> (i % 64) & 1;
}

static inline void pl_add(struct pl_set *s, size_t i)
{
    s->word[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline bool pl_meet(const struct pl_set *a, const struct pl_set *b)
{
    uint64_t both = 0;

    for (size_t w = 0; w < PL_WORDS; w++)
        both |= a->word[w] & b->word[w];
    return both != 0;
}

/* Returns how this chip is made to count, of the modes of CTRL. */
static inline enum pc_count_mode pl_count_mode(const struct pc_plan *p)
{
    return p->slots == PL_ALL_SLOTS ? PC_COUNT_QUAD : PC_COUNT_SINGLE;
}

/* Returns the first CTR_MODE that can count it. */
static inline unsigned pl_first_mode(const struct pl_item *item)
{
    unsigned m = 0;

    while (m + 1 < PL_MODES && !item->in[m])
        m++;
    return m;
}

/* Returns the number of the first domain that the item can be in. */
static inline unsigned pl_home(const struct pl_item *item)
{
    unsigned d = 0;

    while (!(item->domains >> d & 1))
        d++;
    return d;
}

static inline unsigned pl_ones(uint64_t mask)
{
    unsigned n = 0;

    for (; mask; mask &= mask - 1)
        n++;
    return n;
}

/* --- create.c --- */

/* Returns the position of the signal that the request swaps by; -1: the domain has none. */
int pl_swap_position(const struct pc_plan *p, const struct pl_domain *d);

/* --- items.c --- */

enum pc_status pl_make_item(struct pc_plan *p, const struct pc_plan_event *e, size_t number,
                            struct pl_item *out, struct pc_error *err);

/* --- mux.c --- */

/* Finds two fields of registers that cannot both be as wanted; NULL: no conflict. */
const struct pc_plan_mux *pl_mux_conflict(const struct pc_plan_event *a,
                                          const struct pc_plan_event *b,
                                          const struct pc_plan_mux **other);
bool pl_mux_equal(const struct pc_plan_event *a, const struct pc_plan_event *b);

/* --- fit.c --- */

struct pl_fitted {
    struct cm_found found;
    uint32_t wire[PC_MAX_SIGNALS]; /* of the signals in found */
    unsigned mode;
};
/* at[]: the items of the domain by counter, -1: none. */
bool pl_fit(struct pc_plan *p, unsigned domain, const int16_t at[PL_SLOTS], unsigned mode);
/* Solves the same, with the registers; nothing is remembered. */
bool pl_solve(const struct pc_plan *p, unsigned domain, const int16_t at[PL_SLOTS], unsigned mode,
              struct pl_fitted *out);
bool pl_same_func(const struct pl_func *a, const struct pl_func *b);

/* --- pass.c --- */

void pl_pass_empty(struct pl_pass *pass);
/* Puts a group into a pass, moving what is there if it has to; false: no change. */
bool pl_pass_add(struct pc_plan *p, struct pl_pass *pass, size_t group);
/* Places these items and no others; false if they do not fit into a pass. */
bool pl_pass_solve(struct pc_plan *p, const uint16_t *item, size_t count, struct pl_pass *out);
/* Finds the first CTR_MODE in which all that the domain has fits; false: there is none. */
bool pl_pass_mode(struct pc_plan *p, const struct pl_pass *pass, unsigned domain, unsigned *mode);

/* --- bound.c, search.c --- */

/* Finds which items, and after pl_find_groups which groups, never share a pass. */
bool pl_find_conflicts(struct pc_plan *p); /* false: out of memory */
void pl_find_apart(struct pc_plan *p);
bool pl_find_bound(struct pc_plan *p);
/* Finds the heaviest set of vertices of which any two have an edge, as far as it can be found. */
bool pl_clique(const struct pc_alloc *alloc, const struct pl_set *edge, const unsigned *weight,
               size_t count, struct pl_set *out, unsigned *total);
bool pl_search(struct pc_plan *p);

/* --- why.c --- */

/* Writes "domain 3", or "all 8 domains". */
void pl_name_domains(const struct pc_plan *p, uint64_t mask, char *out, size_t size);
enum pc_status pl_refuse_group(struct pc_plan *p, size_t group, struct pc_error *err);

#endif
