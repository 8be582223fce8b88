/* SPDX-License-Identifier: MIT */
/* Requests for the planner, random or written down, and a checker that shares no code with it. */
#ifndef PC_TEST_PLAN_CASE_H
#define PC_TEST_PLAN_CASE_H

#include "test.h"
#include "pcounter/unstable/plan.h"

#define CASE_EVENTS 256
#define CASE_MUXES  3

struct plan_case {
    const struct pc_chip *chip;
    size_t events;
    struct pc_plan_event event[CASE_EVENTS];
    struct pc_plan_mux mux[CASE_EVENTS][CASE_MUXES];
    char name[CASE_EVENTS][64];
    char text[CASE_EVENTS][256]; /* of the expression */
    struct pc_expr *own[3 * CASE_EVENTS];
    size_t owned;
};

void case_begin(struct plan_case *c, const struct pc_chip *chip);
void case_end(struct plan_case *c);
/* An expression over signals s00 to sff of a domain. */
const struct pc_expr *case_expr(struct plan_case *c, const char *text);
/* An event of a domain; returns it for more to be filled in. */
struct pc_plan_event *case_event(struct plan_case *c, const char *name, unsigned domain,
                                 const char *text);
void case_mux(struct plan_case *c, const char *reg, uint32_t mask, uint32_t value);

/* What random events are like: shares of 100. */
struct case_taste {
    unsigned chained, sum, flag, pinned, mux, group;
    unsigned domains; /* how many of the chip's are used */
};
void case_random(struct plan_case *c, struct test_rng *rng, const struct pc_chip *chip,
                 size_t events, const struct case_taste *taste);

/* --- check.c --- */

/* Fails the test if the plan is not a plan for the case. */
void check_plan(const struct plan_case *c, const struct pc_plan *plan);
/* Fewest passes of all plans: up to 8 events; 0: some group does not fit into a pass. */
unsigned check_optimum(const struct plan_case *c);

#endif
