/* SPDX-License-Identifier: MIT */
/* Why two events, two passes or the events of a group do not go together, in words. */
#include "lang/plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MODES 128 /* bytes for the names of all of them */

void pl_name_domains(const struct pc_plan *p, uint64_t mask, char *out, size_t size)
{
    if (pl_ones(mask) == 1) {
        for (unsigned d = 0; d < p->domains; d++)
            if (mask >> d & 1)
                snprintf(out, size, "domain %s", p->domain[d].place.name);
    } else if (pl_ones(mask) == p->domains) {
        snprintf(out, size, "all %u domains", p->domains);
    } else {
        snprintf(out, size, "%u domains", pl_ones(mask));
    }
}

static bool why_mux(const struct pl_item *a, const struct pl_item *b, char *out, size_t size)
{
    const struct pc_plan_mux *other, *own = pl_mux_conflict(a->event, b->event, &other);

    if (!own)
        return false;
    uint32_t both = own->mask & other->mask;
    if (own->unknown || other->unknown)
        snprintf(out, size, "the value of %s for %s is not known, and %s also sets %s",
                 own->unknown ? own->reg : other->reg, own->unknown ? a->name : b->name,
                 own->unknown ? b->name : a->name,
                 strcmp(own->reg, other->reg) == 0 ? "it"
                 : own->unknown                    ? other->reg
                                                   : own->reg);
    else if (strcmp(own->reg, other->reg) != 0)
        snprintf(out, size, "%s is 0x%" PRIx32 " for %s, %s 0x%" PRIx32 " for %s", own->reg,
                 own->value, a->name, other->reg, other->value, b->name);
    else if (both != UINT32_MAX)
        snprintf(out, size,
                 "bits 0x%" PRIx32 " of %s are 0x%" PRIx32 " for %s and 0x%" PRIx32 " for %s", both,
                 own->reg, own->value & both, a->name, other->value & both, b->name);
    else
        snprintf(out, size, "%s is 0x%" PRIx32 " for %s and 0x%" PRIx32 " for %s", own->reg,
                 own->value, a->name, other->value, b->name);
    return true;
}

/* "EVENT_B4 or KEPLER_7": each CTR_MODE that can count it; returns how many there are. */
static unsigned name_modes(const struct pl_item *item, char *out, size_t size)
{
    unsigned modes = 0;

    out[0] = '\0';
    for (unsigned m = 0; m < PL_MODES; m++)
        if (item->in[m])
            snprintf(out + strlen(out), size - strlen(out), "%s%s", modes++ ? " or " : "",
                     pc_ctr_mode_names[m]);
    return modes;
}

static bool share_mode(const struct pl_item *a, const struct pl_item *b)
{
    bool share = false;

    for (unsigned m = 0; m < PL_MODES; m++)
        share |= a->in[m] && b->in[m];
    return share;
}

static bool why_mode(const struct pc_plan *p, const struct pl_item *a, const struct pl_item *b,
                     char *out, size_t size)
{
    char place[64], own[MODES], other[MODES];
    bool one = pl_ones(a->domains) == 1 && a->domains == b->domains;

    if (!a->special || !b->special || (!one && !p->shared_ctrl) || share_mode(a, b))
        return false;
    pl_name_domains(p, a->domains, place, sizeof place);
    (void)name_modes(a, own, sizeof own);
    (void)name_modes(b, other, sizeof other);
    if (p->shared_ctrl)
        snprintf(out, size, "CTR_MODE is one for all domains of %s: %s for %s, %s for %s",
                 p->request.chip->name, own, a->name, other, b->name);
    else
        snprintf(out, size, "%s has one CTR_MODE: %s for %s, %s for %s", place, own, a->name, other,
                 b->name);
    return true;
}

static bool why_counter(const struct pc_plan *p, const struct pl_item *a, const struct pl_item *b,
                        char *out, size_t size)
{
    char place[64];

    if (pl_ones(a->domains) != 1 || a->domains != b->domains || pl_ones(a->slots) != 1 ||
        a->slots != b->slots)
        return false;
    unsigned slot = 0;
    while (!(a->slots >> slot & 1))
        slot++;
    pl_name_domains(p, a->domains, place, sizeof place);
    snprintf(out, size, "%s and %s both need the counter %s of %s", a->name, b->name,
             pc_input_name((enum pc_input_id)slot), place);
    return true;
}

/* Names what an item holds of its domain besides its own counter. */
static bool name_hold(const struct pc_plan *p, const struct pl_item *item, char *out, size_t size)
{
    bool own = (p->request.chip->features & PC_F_OWN_FLAG_SRC) != 0;
    char modes[MODES];
    const unsigned several = name_modes(item, modes, sizeof modes) > 1;

    if (item->special && several)
        snprintf(out, size, "%s is a number, and CTR_MODE %s counts it", item->name, modes);
    else if (item->in[PC_CTR_EVENT_B4] && item->special && !item->takes)
        snprintf(out, size, "the number of %s is START_SRC[0..3], and CTR_EVENT counts it",
                 item->name);
    else if (item->in[PC_CTR_EVENT_B6] && item->special && !item->takes)
        snprintf(out, size,
                 "the number of %s is START_SRC[0..3] and EVENT_SRC[2..3], and CTR_EVENT counts it",
                 item->name);
    else if (item->special)
        snprintf(out, size, "%s has CTR_MODE %s", item->name, modes);
    else if (item->flagged && own)
        snprintf(out, size, "%s needs the flag its way", item->name);
    else if (item->flagged)
        snprintf(out, size,
                 "%s needs the flag, whose SETFLAG and CLRFLAG look at sources of PRE and START",
                 item->name);
    else if (item->chained)
        snprintf(out, size,
                 "%s takes SETFLAG as an argument, which reads START_SRC[2..3] and PRE_SRC[0..1]",
                 item->name);
    else
        return false;
    return true;
}

static void why_pair(const struct pc_plan *p, const struct pl_item *a, const struct pl_item *b,
                     char *out, size_t size)
{
    char place[64];

    if (why_mux(a, b, out, size) || why_mode(p, a, b, out, size) || why_counter(p, a, b, out, size))
        return;
    if (!name_hold(p, a, out, size) && !name_hold(p, b, out, size))
        out[0] = '\0';
    size_t used = strlen(out);
    pl_name_domains(p, a->domains, place, sizeof place);
    snprintf(out + used, size - used, "%s%s and %s do not fit into %s together", used ? ": " : "",
             a->name, b->name, place);
}

bool pc_plan_conflict(const struct pc_plan *p, size_t a, size_t b, char *out, size_t size)
{
    out[0] = '\0';
    if (a >= p->items || b >= p->items || !pl_has(&p->conflict[a], b))
        return false;
    why_pair(p, &p->item[a], &p->item[b], out, size);
    return true;
}

/* Returns the domain that has most events for its counters, among these; *events of them. */
static unsigned fullest(const struct pc_plan *p, const struct pl_set *s, unsigned *events)
{
    unsigned best = p->domains;

    *events = 0;
    for (unsigned d = 0; d < p->domains; d++) {
        unsigned n = 0;
        for (size_t i = 0; i < p->items; i++)
            n += pl_has(s, i) && p->item[i].domains == UINT64_C(1) << d
                     ? pl_ones(p->item[i].takes ? p->item[i].takes : 1)
                     : 0;
        if (n > *events) {
            *events = n;
            best = d;
        }
    }
    return best;
}

/* NV10:NV40: the mode that an item wants takes counters of the other domain as well (D-58). */
static bool why_shared(const struct pc_plan *p, const struct pl_set *s, const char *what, char *out,
                       size_t size)
{
    for (size_t i = 0; p->shared_ctrl && i < p->items; i++) {
        const struct pl_item *item = &p->item[i];
        if (!pl_has(s, i) || !item->special)
            continue;
        const unsigned mode = pl_first_mode(item);
        unsigned room = pl_ones(cm_mode_counts(p->request.chip, pl_count_mode(p), mode) & p->slots);
        for (unsigned d = 0; d < p->domains; d++) {
            unsigned events = 0;
            for (size_t k = 0; k < p->items; k++)
                events += pl_has(s, k) && p->item[k].domains == UINT64_C(1) << d;
            if (d == pl_home(item) || events <= room)
                continue;
            snprintf(out, size,
                     "%s %u events for domain %s; CTRL is one for all domains of %s, and CTR_MODE "
                     "%s for %s leaves %u %s there",
                     what, events, p->domain[d].place.name, p->request.chip->name,
                     pc_ctr_mode_names[mode], item->name, room, room == 1 ? "counter" : "counters");
            return true;
        }
    }
    return false;
}

/* These items are too many, or do not fit: no two of them are in conflict. */
static void why_set(const struct pc_plan *p, const struct pl_set *s, const char *what, char *out,
                    size_t size)
{
    unsigned events, d = fullest(p, s, &events), total = 0, room = pl_ones(p->slots);
    char hold[PL_REASON];

    for (size_t i = 0; i < p->items; i++)
        total += pl_has(s, i) ? pl_ones(p->item[i].takes ? p->item[i].takes : 1) : 0;
    if (d < p->domains && events > room) {
        snprintf(out, size, "%s %u events for domain %s, which has %u %s", what, events,
                 p->domain[d].place.name, room, room == 1 ? "counter" : "counters");
        return;
    }
    if (total > room * p->domains) {
        snprintf(out, size, "%s %u events; %s has %u %s", what, total, p->request.chip->name,
                 room * p->domains, room * p->domains == 1 ? "counter" : "counters");
        return;
    }
    if (why_shared(p, s, what, out, size))
        return;
    for (unsigned slot = 0; slot < PL_SLOTS; slot++) {
        unsigned pinned = 0;
        for (size_t i = 0; i < p->items; i++)
            pinned += pl_has(s, i) && p->item[i].slots == 1u << slot;
        if (pinned > p->domains) {
            snprintf(out, size, "%s %u events for the counter %s; %s has %u of them", what, pinned,
                     pc_input_name((enum pc_input_id)slot), p->request.chip->name, p->domains);
            return;
        }
    }
    for (size_t i = 0; i < p->items; i++)
        if (pl_has(s, i) && !p->item[i].plain && name_hold(p, &p->item[i], hold, sizeof hold)) {
            snprintf(out, size, "%s events that do not fit together; %s", what, hold);
            return;
        }
    snprintf(out, size, "%s events that do not all fit together", what);
}

void pc_plan_why(const struct pc_plan *p, size_t a, size_t b, char *out, size_t size)
{
    out[0] = '\0';
    if (a >= p->passes || b >= p->passes || a == b)
        return;
    struct pl_set both = p->pass[a].items;
    for (size_t i = 0; i < p->items; i++)
        for (size_t k = 0; pl_has(&p->pass[a].items, i) && k < p->items; k++)
            if (pl_has(&p->pass[b].items, k) && pl_has(&p->conflict[i], k)) {
                why_pair(p, &p->item[i], &p->item[k], out, size);
                return;
            }
    for (size_t w = 0; w < PL_WORDS; w++)
        both.word[w] |= p->pass[b].items.word[w];
    why_set(p, &both, "together they have", out, size);
}

enum pc_status pl_refuse_group(struct pc_plan *p, size_t group, struct pc_error *err)
{
    const struct pl_group *g = &p->group[group];
    struct pl_set all = { { 0 } };
    char why[PL_REASON];

    why[0] = '\0';
    for (unsigned i = 0; i < g->count; i++) {
        unsigned n = p->member[g->first + i];
        for (unsigned k = 0; k < i && !why[0]; k++)
            (void)pc_plan_conflict(p, p->member[g->first + k], n, why, sizeof why);
        pl_add(&all, n);
    }
    if (!why[0])
        why_set(p, &all, "it has", why, sizeof why);
    enum pc_status status =
        pc_fail_at(err, 1502, p->member[g->first] + 1u, 0,
                   "a group of %u events does not fit into one pass: %s", g->count, why);
    pc_hint(err, "take an event out of the group");
    return status;
}
