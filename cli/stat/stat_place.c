/* SPDX-License-Identifier: MIT */
/*
 * One event of pcounter stat for the planner.  What no input of this chip can compute is computed
 * in front of the counter and comes in as one raw signal, as if the card had a wire for it.
 */
#include "stat.h"

static enum pc_status look_up_stand_in(void *ctx, const char *name, uint32_t *wires,
                                       size_t capacity, size_t *count, bool *is_signed,
                                       struct pc_error *err)
{
    const uint32_t *wire = ctx;

    (void)is_signed;
    (void)name;
    (void)err;
    *count = 1;
    if (capacity > 0)
        wires[0] = *wire;
    return PC_OK;
}

/* An event that fits nowhere is derived. */
int stat_plan_event(const struct stat_job *j, struct stat_plan *plan, size_t n)
{
    struct stat_event *e = &j->event[n];
    uint32_t wire = STAT_STAND_IN + (uint32_t)n;
    void *array = plan->event;
    struct pc_error err;

    if (!cli_grow(&array, &plan->events_capacity, n + 1, sizeof *plan->event))
        return cli_no_memory();
    plan->event = array;
    struct pc_plan_event *out = &plan->event[n];
    *out = (struct pc_plan_event){
        .name = e->name, .domains = UINT64_MAX, .slots = e->slots, .expr = e->expr
    };
    out->group = e->group + 1;
    enum pc_status status = pc_plan_check(j->chip, out, true, &e->why);
    if (status == PC_OK)
        return CLI_OK;
    if (status != PC_EUNFIT)
        return cli_library_error_at(&e->why, &e->place);
    e->derived = true;
    if (e->origin == n)
        cli_note(301, "%s is computed before the counter: %s", e->name, e->why.text);
    if (pc_expr_parse(NULL, "derived", &e->stand_in, &err) ||
        pc_expr_resolve(e->stand_in, look_up_stand_in, &wire, &err))
        return cli_library_error_at(&err, &e->place);
    out->expr = e->stand_in;
    return CLI_OK;
}
