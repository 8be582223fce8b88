/* SPDX-License-Identifier: MIT */
/*
 * Random events over every chip.  Few of them: the plan has as many passes as the best of all
 * partitions, and a group is refused exactly if it fits nowhere.  Up to 64: the plan is
 * right, and not below its bound.  PC_TEST_LONG=1: more of everything.
 */
#include "case.h"
#include "lang/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>

static const struct case_taste tastes[] = {
    { .domains = 1 },
    { .domains = 1, .pinned = 40 },
    { .domains = 2, .sum = 30 },
    { .domains = 1, .chained = 60 },
    { .domains = 1, .flag = 30, .sum = 20 },
    { .domains = 3, .mux = 60 },
    { .domains = 2, .mux = 30, .group = 50, .sum = 10 },
    { .domains = 2, .mux = 30, .group = 30, .sum = 20, .chained = 30, .flag = 10, .pinned = 20 },
};
#define TASTES (sizeof tastes / sizeof tastes[0])

static struct plan_case shared_case; /* large */

/* NULL if a group does not fit. */
static struct pc_plan *plan_of(const struct plan_case *c, const char *what)
{
    struct pc_plan_request r = { .chip = c->chip, .event = c->event, .events = c->events };
    struct pc_plan *plan = NULL;
    struct pc_error err;
    enum pc_status status = pc_plan_create(NULL, &r, &plan, &err);

    if (status == PC_EUNFIT) {
        assert_int_equal(err.code, 1502);
        assert_in_range(err.line, 1, c->events);
        return NULL;
    }
    if (status != PC_OK)
        fail_msg("%s: %s", what, err.text);
    assert_in_range(plan->attempts, 0, PC_PLAN_BUDGET + PC_PLAN_BUDGET / 10);
    return plan;
}

static void show(const struct plan_case *c)
{
    for (size_t i = 0; i < c->events; i++) {
        print_message("  %s domains %x slots %x group %u sum %u: %s", c->name[i],
                      (unsigned)c->event[i].domains, c->event[i].slots, c->event[i].group,
                      c->event[i].sum_bits, c->text[i]);
        for (size_t k = 0; k < c->event[i].muxes; k++)
            print_message(" %s/%x=%x", c->event[i].mux[k].reg, c->event[i].mux[k].mask,
                          c->event[i].mux[k].value);
        print_message("\n");
    }
}

static void equals_optimum(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(7, &seed);
    const struct pc_chip *chip;
    struct pc_chip_domain d;
    unsigned cases = 0, proven = 0, refused = 0;

    (void)state;
    for (size_t k = 0; (chip = pc_chip_at(k)) != NULL; k++) {
        if (!pc_chip_get_domain(chip, 0, &d))
            continue;
        for (unsigned i = 0; i < (test_long() ? 2u * TASTES : 4u); i++) {
            struct plan_case *c = &shared_case;
            case_random(c, &rng, chip, 1 + test_rand_below(&rng, test_long() ? 8 : 5),
                        &tastes[(i + (test_long() ? 0 : 4 * (k % 2))) % TASTES]);
            unsigned optimum = check_optimum(c);
            struct pc_plan *plan = plan_of(c, chip->name);
            if ((plan != NULL) != (optimum != 0) || (plan && pc_plan_passes(plan) != optimum)) {
                show(c);
                fail_msg("seed %llu, %s: %zu passes, optimum %u", (unsigned long long)seed,
                         chip->name, plan ? pc_plan_passes(plan) : 0, optimum);
            }
            if (plan) {
                check_plan(c, plan);
                proven += pc_plan_bound(plan) == optimum;
            }
            refused += !plan;
            cases++;
            pc_plan_destroy(plan);
            case_end(c);
        }
    }
    print_message("%u plans, %u refused, %u proven minimal by the planner itself\n", cases, refused,
                  proven);
    assert_int_equal(proven + refused, cases);
}

static void many_events(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(11, &seed);
    const struct pc_chip *chip;
    struct pc_chip_domain d;
    unsigned cases = 0, minimal = 0, refused = 0;

    (void)state;
    for (size_t k = 0; (chip = pc_chip_at(k)) != NULL; k++) {
        if (!pc_chip_get_domain(chip, 0, &d))
            continue;
        for (unsigned i = 0; i < (test_long() ? 8u * TASTES : 4u); i++) {
            struct plan_case *c = &shared_case;
            struct case_taste taste = tastes[(i + (test_long() ? 0 : 4 * (k % 2))) % TASTES];
            taste.domains *= 2;
            taste.group /= 3;
            case_random(c, &rng, chip, 1 + test_rand_below(&rng, 64), &taste);
            struct pc_plan *plan = plan_of(c, chip->name);
            if (plan) {
                check_plan(c, plan);
                minimal += pc_plan_bound(plan) == pc_plan_passes(plan);
            }
            refused += !plan;
            cases++;
            pc_plan_destroy(plan);
            case_end(c);
        }
    }
    print_message("%u plans, %u refused, %u minimal, %u above their bound\n", cases, refused,
                  minimal, cases - refused - minimal);
    assert_true(minimal > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_optimum),
        cmocka_unit_test(many_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
