/* SPDX-License-Identifier: MIT */
/*
 * Events onto counters: the plan of the library, over wires instead of positions; every
 * domain runs on the one clock.  Each pass gets a unit, each wire that a domain looks at one of its
 * raw signals.
 */
#include "stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- pins: raw signals of a domain --- */

int stat_raw_signal(const struct pc_chip *chip, unsigned domain, size_t n)
{
    for (unsigned s = 0; s < chip->domain[domain].size; s++)
        if (pc_chip_signal(chip, domain, s).kind == PC_SIG_RAW && n-- == 0)
            return (int)s;
    return -1;
}

/* The raw signal that carries a wire; the planner saw to it that there are enough. */
static uint32_t pin_of(const struct pc_chip *chip, unsigned domain, struct stat_domain *d,
                       uint32_t wire)
{
    bool derived = wire >= STAT_STAND_IN;
    uint32_t index = derived ? wire - STAT_STAND_IN : wire;

    for (size_t i = 0; i < d->pins; i++)
        if (d->pin[i].derived == derived && d->pin[i].index == index)
            return d->pin[i].signal;
    int signal = stat_raw_signal(chip, domain, d->pins);
    d->pin[d->pins++] = (struct stat_pin){ (uint8_t)signal, derived, index };
    return (uint32_t)signal;
}

/* --- the plan --- */

static int check_chip(const struct pc_chip *chip)
{
    if (chip->layout == PC_LAYOUT_NONE)
        return cli_error_at(323, NULL, 0, NULL, "%s has no PCOUNTER", chip->name);
    if (!(chip->features & PC_F_QUAD))
        return cli_error_at(333, NULL, 0, NULL, "%s has no quad event mode, which counting needs",
                            chip->name);
    if (chip->domains == 0)
        return cli_error_at(338, NULL, 0, NULL,
                            "the counters of %s are in domain sets, which stat does not plan for",
                            chip->name);
    return CLI_OK;
}

/* A plan does not fit: the place is that of the event that the planner names. */
static int show_error(const struct stat_job *j, const struct pc_error *err)
{
    struct pc_error moved = *err;

    if (err->line == 0 || err->line > j->events)
        return cli_error(err, NULL, NULL);
    const struct cli_place *place = &j->event[err->line - 1].place;
    cli_metrics_hint(&j->metrics, &moved);
    moved.line = moved.column = 1;
    return cli_library_error_at(&moved, place);
}

/* Passes, domains and slots from the plan into what the run looks at. */
static int take_plan(struct stat_job *j, struct stat_plan *plan)
{
    plan->passes = pc_plan_passes(plan->plan);
    plan->pass = calloc(plan->passes ? plan->passes : 1, sizeof *plan->pass);
    if (!plan->pass)
        return cli_no_memory();
    for (size_t n = 0; n < j->events; n++) {
        struct pc_plan_place place = pc_plan_place_of(plan->plan, n);
        j->event[n].pass = place.pass;
        j->event[n].domain = place.domain;
        j->event[n].slot = place.slot;
    }
    for (size_t p = 0; p < plan->passes; p++)
        for (unsigned k = 0; k < j->chip->domains; k++) {
            struct stat_domain *d = &plan->pass[p].domain[k];
            struct pc_plan_domain planned;
            for (unsigned s = 0; s < STAT_SLOTS; s++)
                d->event[s] = -1;
            if (!pc_plan_domain_at(plan->plan, p, k, &planned))
                continue;
            plan->pass[p].edges |= 1u << k;
            memcpy(d->event, planned.event, sizeof d->event);
            memcpy(d->op, planned.op, sizeof d->op);
            for (unsigned s = 0; s < STAT_SLOTS; s++)
                for (unsigned i = 0; i < 4; i++) {
                    uint32_t wire = planned.source[s][i];
                    d->used[s][i] = wire != PC_NO_WIRE;
                    d->source[s][i] = wire == PC_NO_WIRE ? 0 : (uint8_t)pin_of(j->chip, k, d, wire);
                }
        }
    return CLI_OK;
}

/* More passes than are allowed: the bound says why, if the plan is at it. */
static int check_passes(const struct stat_job *j, const struct stat_plan *plan)
{
    size_t passes = pc_plan_passes(plan->plan), bound = pc_plan_bound(plan->plan);

    if (!j->o->max_passes || passes <= j->o->max_passes)
        return CLI_OK;
    return cli_error_at(1505, NULL, 0, NULL, "%s, with --max-passes %" PRIu64 "%s%s",
                        cli_count(passes, "pass"), j->o->max_passes,
                        bound > j->o->max_passes ? ": " : "",
                        bound > j->o->max_passes ? pc_plan_bound_reason(plan->plan) : "");
}

int stat_make_plan(struct stat_job *j, struct stat_plan *plan, struct stat_wires *wires)
{
    int code = check_chip(j->chip);
    struct pc_error err;

    for (size_t n = 0; n < j->events && code == CLI_OK; n++)
        code = stat_plan_event(j, plan, n);
    if (code == CLI_OK)
        code = stat_group_metrics(j, plan, wires);
    if (code)
        return code;
    struct pc_plan_request request = {
        .chip = j->chip, .event = plan->event, .events = j->events, .free_wires = true
    };
    if (pc_plan_create(NULL, &request, &plan->plan, &err))
        return show_error(j, &err);
    code = check_passes(j, plan);
    return code ? code : take_plan(j, plan);
}

void stat_free_plan(struct stat_plan *plan)
{
    for (size_t p = 0; plan->pass && p < plan->passes; p++)
        pc_unit_destroy(plan->pass[p].unit);
    free(plan->pass);
    pc_plan_destroy(plan->plan);
    free(plan->event);
}
