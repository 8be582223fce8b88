/* SPDX-License-Identifier: MIT */
/*
 * The planner's way from a request to a plan.  Events become items and groups; those that fit
 * nowhere are refused before anything is placed.
 *
 * Modes: quad event mode with four counters a domain from NV30 on, before that single
 * mode with the counter EVENT alone (PC.QUAD.1, PC.SINGLE).  Record mode is not planned.
 */
#include "lang/plan/plan.h"

#include <string.h>

void pc_plan_destroy(struct pc_plan *p)
{
    if (!p)
        return;
    struct pc_alloc a = p->alloc;
    size_t n = p->request.events + 1;

    pc_free(&a, p->item, n * sizeof *p->item);
    pc_free(&a, p->group, n * sizeof *p->group);
    pc_free(&a, p->member, n * sizeof *p->member);
    pc_free(&a, p->conflict, n * sizeof *p->conflict);
    pc_free(&a, p->barred, n * sizeof *p->barred);
    pc_free(&a, p->apart, n * sizeof *p->apart);
    pc_free(&a, p->known, PL_KNOWN * sizeof *p->known);
    pc_free(&a, p->solved, PL_SOLVED * sizeof *p->solved);
    pc_free(&a, p->pass, p->passes * sizeof *p->pass);
    pc_free(&a, p, sizeof *p);
}

static enum pc_status no_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "out of memory for a plan");
}

/* --- the chip --- */

/*
 * No further than anybody asks: all inputs of a domain together name fewer signals.  Before the
 * trailer only the user signals and PM_TRIGGER do not come from the card.
 */
static unsigned count_raw(const struct pl_domain *d)
{
    const struct pc_domain_info *info = &d->target.chip->domain[d->target.domain];
    const unsigned size = info->size, others = 3;
    unsigned n = 0;

    if (size >= info->trailer_base && info->trailer_base >= PL_RAW + others)
        return PL_RAW;
    for (unsigned s = 0; s < size && n < PL_RAW; s++)
        n += pc_chip_signal(d->target.chip, d->target.domain, s).kind == PC_SIG_RAW;
    return n;
}

int pl_swap_position(const struct pc_plan *p, const struct pl_domain *d)
{
    return pc_chip_signal_position(d->target.chip, d->target.domain, p->request.swap,
                                   p->request.swap_index);
}

static enum pc_status check_swap(const struct pc_plan *p, struct pc_error *err)
{
    const struct pc_chip *chip = p->request.chip;

    if (p->request.swap == PC_SIG_ABSENT && !p->request.keep_swap)
        return PC_OK;
    if (p->request.swap != PC_SIG_ABSENT && p->request.keep_swap)
        return pc_fail(err, 393, "SWAP is to have a signal, and to be left alone");
    if (!(chip->features & PC_F_QUAD))
        return pc_fail(err, 345, "%s has no quad mode: nothing swaps", chip->name);
    if (p->request.keep_swap)
        return PC_OK;
    if (!(chip->features & PC_F_SWAP_SRC))
        return pc_fail(err, 345, "SWAP of %s is wired to PM_TRIGGER", chip->name);
    for (unsigned d = 0; d < p->domains; d++)
        if (pl_swap_position(p, &p->domain[d]) < 0)
            return pc_fail(err, 345, "domain %s of %s has no such signal to swap by",
                           p->domain[d].place.name, chip->name);
    return PC_OK;
}

static enum pc_status find_domains(struct pc_plan *p, struct pc_error *err)
{
    const struct pc_chip *chip = p->request.chip;
    struct pl_domain *d = p->domain;

    if (chip->layout == PC_LAYOUT_NONE)
        return pc_fail(err, 323, "%s has no PCOUNTER", chip->name);
    for (; p->domains < PC_PLAN_DOMAINS && pc_chip_get_domain(chip, p->domains, &d->place); d++) {
        enum pc_status status =
            cm_target_of(chip, p->domains, &p->of_set[d->place.set], &d->target, err);
        if (status)
            return status;
        d->raw = count_raw(d);
        p->domains++;
    }
    if (p->domains == 0)
        return pc_fail(err, 323, "the domains of %s are not known", chip->name);
    p->slots = chip->features & PC_F_QUAD ? PL_ALL_SLOTS : 1u << PC_SLOT_EVENT;
    p->shared_ctrl = chip->layout == PC_LAYOUT_NV10 && p->domains > 1;
    return check_swap(p, err);
}

/* --- events --- */

static enum pc_status make_items(struct pc_plan *p, struct pc_error *err)
{
    p->uniform = true;
    for (size_t n = 0; n < p->request.events; n++) {
        enum pc_status status = pl_make_item(p, &p->request.event[n], n, &p->item[n], err);
        if (status)
            return status;
        p->uniform &= p->item[n].plain;
    }
    for (unsigned d = 0; d < p->domains; d++)
        p->uniform &= !p->request.free_wires || p->domain[d].raw >= 4 * PL_SLOTS;
    p->items = p->request.events;
    return PC_OK;
}

static void make_groups(struct pc_plan *p)
{
    size_t used = 0;

    for (size_t n = 0; n < p->items; n++) {
        unsigned number = p->item[n].event->group;
        size_t g = 0;
        while (g < p->groups && (number == 0 || p->group[g].number != number))
            g++;
        p->item[n].group = (uint16_t)g;
        if (g == p->groups)
            p->group[p->groups++] = (struct pl_group){ .number = number };
        p->group[g].count++;
    }
    for (size_t g = 0; g < p->groups; g++) {
        p->group[g].first = (uint16_t)used;
        for (size_t n = 0; n < p->items; n++)
            if (p->item[n].group == g)
                p->member[used++] = (uint16_t)n;
    }
}

/* Checks that each group fits into a pass of its own. */
static enum pc_status check_groups(struct pc_plan *p, struct pc_error *err)
{
    for (size_t g = 0; g < p->groups; g++) {
        const struct pl_group *group = &p->group[g];
        struct pl_pass pass;
        bool enemies = false;
        for (unsigned i = 0; i < group->count; i++)
            for (unsigned k = 0; k < i; k++)
                enemies |=
                    pl_has(&p->conflict[p->member[group->first + i]], p->member[group->first + k]);
        pl_pass_empty(&pass);
        if (enemies || !pl_pass_add(p, &pass, g))
            return pl_refuse_group(p, g, err);
    }
    return PC_OK;
}

static enum pc_status make_plan(struct pc_plan *p, struct pc_error *err)
{
    enum pc_status status = find_domains(p, err);

    if (status == PC_OK)
        status = make_items(p, err);
    if (status)
        return status;
    make_groups(p);
    if (!pl_find_conflicts(p))
        return no_memory(err);
    status = check_groups(p, err);
    if (status)
        return status;
    pl_find_apart(p);
    if (!pl_find_bound(p))
        return no_memory(err);
    p->attempts = 0;
    return pl_search(p) ? PC_OK : no_memory(err);
}

enum pc_status pc_plan_create(const struct pc_alloc *alloc, const struct pc_plan_request *request,
                              struct pc_plan **out, struct pc_error *err)
{
    struct pc_alloc a = pc_alloc_or_libc(alloc);

    if (!request || !request->chip || (request->events && !request->event))
        return pc_fail(err, 400, "no chip was given");
    if (request->events > PC_PLAN_EVENTS)
        return pc_fail(err, 1504, "%zu events; a plan takes up to %d", request->events,
                       PC_PLAN_EVENTS);
    struct pc_plan *p = pc_calloc(&a, 1, sizeof *p);
    if (!p)
        return no_memory(err);
    size_t n = request->events + 1; /* one more item to try things with */
    p->alloc = a;
    p->request = *request;
    p->budget = request->budget ? request->budget : PC_PLAN_BUDGET;
    p->item = pc_calloc(&a, n, sizeof *p->item);
    p->group = pc_calloc(&a, n, sizeof *p->group);
    p->member = pc_calloc(&a, n, sizeof *p->member);
    p->conflict = pc_calloc(&a, n, sizeof *p->conflict);
    p->barred = pc_calloc(&a, n, sizeof *p->barred);
    p->apart = pc_calloc(&a, n, sizeof *p->apart);
    p->known = pc_calloc(&a, PL_KNOWN, sizeof *p->known);
    enum pc_status status = PC_OK;
    if (!p->item || !p->group || !p->member || !p->conflict || !p->barred || !p->apart || !p->known)
        status = no_memory(err);
    else
        status = make_plan(p, err);
    if (status) {
        pc_plan_destroy(p);
        return status;
    }
    *out = p;
    return PC_OK;
}

enum pc_status pc_plan_check(const struct pc_chip *chip, const struct pc_plan_event *event,
                             bool free_wires, struct pc_error *err)
{
    struct pc_plan p = {
        .request = { .chip = chip, .event = event, .events = 1, .free_wires = free_wires }
    };
    struct pl_item item[2];
    enum pc_status status;

    memset(item, 0, sizeof item);
    p.item = item;
    status = find_domains(&p, err);
    return status ? status : pl_make_item(&p, event, 0, &item[0], err);
}
