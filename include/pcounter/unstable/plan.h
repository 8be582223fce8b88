/* SPDX-License-Identifier: MIT */
/* Unstable. Plan: many events on the counters of a chip, in few passes (see pcounter.h) */
#ifndef PCOUNTER_PLAN_H
#define PCOUNTER_PLAN_H

#include "pcounter/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PC_PLAN_EVENTS  1024
#define PC_PLAN_DOMAINS 64
#define PC_PLAN_SLOTS   4
#define PC_PLAN_BUDGET  100000 /* attempts to put a group into a pass */

/*
 * A register outside of the counters that has to be set before an event can be seen: these
 * bits of it to this value.  Registers are identified by name; a * in a name stands for all units
 * of an array ("TPC[*]"), and later entries of the same event for one unit override it.
 */
struct pc_plan_mux {
    const char *reg;
    uint32_t mask, value;
    bool unknown; /* the value is not known: never in one pass with other events that set these bits
                   */
};

/* An event that comes as a whole configuration: its counter mode, inputs and pinned sources. */
struct pc_plan_fixed {
    const char *ctr_mode; /* "SIMPLE" (NULL), "EVENT_B4", .. "KEPLER_7", or its number */
    const struct pc_expr *input[PC_PLAN_SLOTS];
    int16_t pinned[PC_PLAN_SLOTS][4]; /* PRE_SRC0.. STOP_SRC3, or PC_NO_SIGNAL */
};

/*
 * Something to count.  Zero fields are defaults.  Wires of expressions are positions of signals
 * in the domain, but see free_wires below.
 */
struct pc_plan_event {
    const char *name;           /* for the explanations; NULL: "an event" */
    uint64_t domains;           /* bit d: may be counted in domain d (pc_chip_get_domain()) */
    unsigned slots;             /* bits 1 << PC_SLOT_..; 0: any */
    unsigned group;             /* events with the same number share a pass; 0: by itself */
    const struct pc_expr *expr; /* what is counted; with a sum: its condition, which may be 1 */
    /*
     * A counter adds the number that these signals make, least significant first, in cycles of
     * `expr`: 2, 4 or 6 bits, in a counter mode that has such a counter.
     */
    unsigned sum_bits;
    uint32_t sum[PC_SUM_BITS];
    /* The flag that `expr` uses; NULL: 0.  Leave both out if it uses no flag. */
    const struct pc_expr *setflag, *clrflag;
    const struct pc_plan_fixed *fixed; /* instead of all above from expr on */
    const struct pc_plan_mux *mux;
    size_t muxes;
};

struct pc_plan_request {
    const struct pc_chip *chip;
    const struct pc_plan_event
        *event; /* names, expressions and the rest must stay valid as long as the plan */
    size_t events;
    bool free_wires; /* wires are not positions: any raw signal of a domain can carry any of them */
    uint32_t budget; /* 0: PC_PLAN_BUDGET */
    /* For pc_plan_compile(), as in struct pc_compile_request.  The signal is given by its kind,
     * since each domain has its own.  PC_SIG_ABSENT (0): the default of pc_compile(); keep_swap:
     * only with that. */
    enum pc_signal_kind swap;
    unsigned swap_index; /* of USER, DOM_FLAG, DOM_EVENT */
    bool keep_swap;
};

struct pc_plan;

/*
 * Plans a pass for each event, which is counted by one counter of one domain: in quad event mode,
 * or, before NV30, in single mode, which counts EVENT alone. PC_EUNFIT with the reason, before
 * anything is placed, if an event fits nowhere or a group does not fit into one pass; other errors
 * for a bad event. The error's line is the number of the event (of a group: of its first) + 1. The
 * same request gives the same plan: the search is bounded by attempts, not by time.
 */
PC_API PC_MUST_CHECK enum pc_status pc_plan_create(const struct pc_alloc *alloc,
                                                   const struct pc_plan_request *request,
                                                   struct pc_plan **out, struct pc_error *err);
PC_API void pc_plan_destroy(struct pc_plan *plan); /* NULL is fine */
/* Checks whether the event would fit alone; PC_EUNFIT with the reason. */
PC_API PC_MUST_CHECK enum pc_status pc_plan_check(const struct pc_chip *chip,
                                                  const struct pc_plan_event *event,
                                                  bool free_wires, struct pc_error *err);

PC_API size_t pc_plan_passes(const struct pc_plan *plan);
/* Returns a number of passes below which there is no plan; if it equals pc_plan_passes(), the plan
 * is minimal. */
PC_API size_t pc_plan_bound(const struct pc_plan *plan);
PC_API const char *pc_plan_bound_reason(const struct pc_plan *plan); /* in words */

struct pc_plan_place {
    unsigned pass, domain;
    enum pc_slot slot;
};
/* Returns where an event is counted; all 0 for a number past the end. */
PC_API struct pc_plan_place pc_plan_place_of(const struct pc_plan *plan, size_t event);

/* A domain in a pass: what its counters count, and with which sources and operations. */
struct pc_plan_domain {
    int event[PC_PLAN_SLOTS]; /* -1: counts nothing */
    const char *ctr_mode;     /* "SIMPLE", "EVENT_B4", .. */
    uint32_t op[PC_INPUT_COUNT];
    uint32_t source[PC_INPUT_COUNT][4]; /* wires at SRC[0..3]; PC_NO_WIRE: free */
};
/* Gets what a domain counts in a pass; false if nothing is counted there. */
PC_API bool pc_plan_domain_at(const struct pc_plan *plan, size_t pass, unsigned domain,
                              struct pc_plan_domain *out);
/* Registers to set before a pass, fields of one register together; false past the end. */
PC_API bool pc_plan_mux_at(const struct pc_plan *plan, size_t pass, size_t i,
                           struct pc_plan_mux *out);
/*
 * Compiles the writes for a domain in a pass. PC_EARG for plans with free wires, and for a pass or
 * domain that does not exist.
 */
PC_API PC_MUST_CHECK enum pc_status pc_plan_compile(const struct pc_plan *plan, size_t pass,
                                                    unsigned domain, struct pc_program *out,
                                                    struct pc_error *err);

/* Writes why two events cannot be in one pass; returns false (and "") if they can. */
PC_API bool pc_plan_conflict(const struct pc_plan *plan, size_t a, size_t b, char *out,
                             size_t size);
/* Writes why two passes are not one. */
PC_API void pc_plan_why(const struct pc_plan *plan, size_t a, size_t b, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
