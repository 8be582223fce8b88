/* SPDX-License-Identifier: MIT */
/* Summaries after each other, on a unit, and as bytes. */
#include "engine/summary.h"

#include "base/digest.h"
#include "engine/engine.h"

#include <stddef.h>
#include <string.h>

/* Domains that are not still. */
static uint32_t mask_of(const struct pc_summary *s)
{
    uint32_t mask = 0;

    for (unsigned x = 0; x < s->domains && x < PC_MAX_DOMAINS; x++)
        mask |= (uint32_t)!s->domain[x].still << x;
    return mask;
}

uint64_t eg_digest(const struct pc_unit *u, uint32_t mask)
{
    const bool listens = pc_none_listens(u); /* an option that no register shows (D-25) */
    uint64_t sum = pc_digest(PC_DIGEST, &mask, sizeof mask);

    sum = pc_digest(sum, &listens, sizeof listens);
    sum = pc_digest(sum, u->chip->name, strlen(u->chip->name));
    sum = pc_digest(sum, &u->set, sizeof u->set);
    sum = pc_digest(sum, &u->state.gctrl, sizeof u->state.gctrl);
    for (unsigned x = 0; x < u->chip->domains; x++) {
        const struct pc_domain *d = &u->state.domain[x];
        sum = pc_digest(sum, d->src, sizeof d->src);
        sum = pc_digest(sum, d->op, sizeof d->op);
        sum = pc_digest(sum, &d->spec_src, sizeof d->spec_src);
        sum = pc_digest(sum, &d->threshold, sizeof d->threshold);
        sum = pc_digest(sum, &d->control, sizeof d->control);
        sum = pc_digest(sum, d->user, sizeof d->user);
    }
    return sum;
}

static const struct eg_case *find_case(const struct eg_domain_summary *s, const struct eg_key *key)
{
    for (unsigned i = 0; i < s->cases; i++)
        if (eg_key_equal(&s->of[i].enters, key))
            return &s->of[i];
    return NULL;
}

void pc_summary_destroy(struct pc_summary *s)
{
    if (!s)
        return;
    struct pc_alloc alloc = s->alloc;
    pc_free(&alloc, s, sizeof *s);
}

uint64_t pc_summary_cycles(const struct pc_summary *s)
{
    return s->cycles;
}

/* --- two after each other --- */

static void combine_domain(const struct pc_unit *u, const struct pc_domain *like,
                           struct eg_domain_summary *s, const struct eg_domain_summary *second)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < s->cases; i++) {
        const struct eg_case *next = find_case(second, &s->of[i].whole.leaves);
        if (!next)
            continue;
        struct eg_case both = s->of[i];
        both.most = both.whole;
        eg_effect_then(u, like, &both.most, &next->most);
        eg_effect_then(u, like, &both.whole, &next->whole);
        s->of[kept++] = both;
    }
    s->cases = (uint8_t)kept;
}

enum pc_status pc_summary_create_combined(const struct pc_summary *first,
                                          const struct pc_summary *second, struct pc_summary **out,
                                          struct pc_error *err)
{
    if (first->registers != second->registers || first->at + first->cycles != second->at)
        return pc_fail(err, 416, "%s",
                       first->registers != second->registers
                           ? "the summaries are of units with other registers"
                           : "the second summary does not begin where the first one ends");
    struct pc_summary *s = pc_calloc(&first->alloc, 1, sizeof *s);
    struct pc_unit *u = pc_calloc(&first->alloc, 1, sizeof *u);
    if (!s || !u) {
        pc_free(&first->alloc, s, sizeof *s);
        pc_free(&first->alloc, u, sizeof *u);
        return pc_fail(err, 100, "no memory for a summary (%zu bytes)", sizeof *s + sizeof *u);
    }
    *s = *first;
    s->cycles += second->cycles;
    s->holds = first->holds && second->holds;
    memcpy(s->raw, second->raw, sizeof s->raw);
    u->of_set.features = s->features;
    u->chip = &u->of_set;
    for (unsigned x = 0; x < s->domains; x++) {
        struct pc_domain *like = &u->state.domain[x];
        like->control = s->domain[x].control;
        like->threshold = s->domain[x].threshold;
        combine_domain(u, like, &s->domain[x], &second->domain[x]);
    }
    pc_free(&first->alloc, u, sizeof *u);
    *out = s;
    return PC_OK;
}

/* --- on a unit --- */

static bool ready(const struct pc_summary *s, const struct pc_unit *u)
{
    static const struct pc_pending nothing;
    uint32_t mask = mask_of(s);

    if (eg_only_steps(u) || !s->holds || s->domains != u->chip->domains ||
        s->registers != eg_digest(u, mask) || eg_unsettled(u, mask))
        return false;
    for (unsigned x = 0; x < s->domains; x++) {
        const struct pc_domain *d = &u->state.domain[x];
        if (mask >> x & 1 && (memcmp(&d->pending, &nothing, sizeof nothing) != 0 ||
                              d->record.wedged || d->record.busy || d->record.pending))
            return false;
    }
    return true;
}

bool pc_summary_apply(const struct pc_summary *s, struct pc_unit *u)
{
    struct pc_state kept = u->state;

    if (!ready(s, u))
        return false;
    for (unsigned x = 0; x < s->domains; x++) {
        struct pc_domain *d = &u->state.domain[x];
        if (s->domain[x].still)
            continue;
        struct eg_key key = eg_key_of(d);
        const struct eg_case *c = find_case(&s->domain[x], &key);
        if (!c || !eg_effect_apply(u, d, &c->most)) {
            u->state = kept;
            return false;
        }
    }
    for (unsigned t = 0; t < EG_SUMMARY_TAIL; t++)
        pc_unit_step(u, mask_of(s), s->raw[t]);
    return true;
}

/* --- as bytes --- */

const void *pc_summary_bytes(const struct pc_summary *s, size_t *size)
{
    *size = EG_SUMMARY_BYTES;
    return s;
}

static bool flag_ok(uint8_t value)
{
    return value <= 1;
}

static bool key_ok(const struct eg_key *k)
{
    return k->single_state <= PC_COUNTING && flag_ok(k->flag_cur) && flag_ok(k->flag_next) &&
           flag_ok(k->last_flag) && flag_ok(k->last_event) && k->unused == 0;
}

static bool effect_ok(const struct eg_effect *e)
{
    return key_ok(&e->leaves) && e->enters <= PC_COUNTING && flag_ok(e->event_toggle) &&
           flag_ok(e->flag_toggle) && flag_ok(e->dirty) && e->swaps <= 2 && flag_ok(e->started);
}

static bool domain_ok(const struct eg_domain_summary *s, const struct pc_domain *d)
{
    if (s->cases > EG_CASES || s->still > 1 || s->threshold != d->threshold ||
        memcmp(&s->control, &d->control, sizeof s->control) != 0)
        return false;
    for (unsigned i = 0; i < s->cases; i++)
        if (!key_ok(&s->of[i].enters) || !effect_ok(&s->of[i].whole) || !effect_ok(&s->of[i].most))
            return false;
    return true;
}

enum pc_status pc_summary_load(const struct pc_unit *unit, const void *bytes, size_t size,
                               struct pc_summary **out, struct pc_error *err)
{
    if (size != EG_SUMMARY_BYTES || memcmp(bytes, "pcsum01", 8) != 0)
        return pc_fail(err, 417, "%zu bytes that are not a summary of %zu", size,
                       (size_t)EG_SUMMARY_BYTES);
    struct pc_summary *s = pc_calloc(&unit->alloc, 1, sizeof *s);
    if (!s)
        return pc_fail(err, 100, "no memory for a summary (%zu bytes)", sizeof *s);
    memcpy(s, bytes, size);
    s->alloc = unit->alloc;
    bool ok =
        s->domains == unit->chip->domains && s->features == unit->chip->features && s->holds <= 1;
    for (unsigned x = 0; ok && x < s->domains; x++)
        ok = domain_ok(&s->domain[x], &unit->state.domain[x]);
    if (!ok) {
        pc_summary_destroy(s);
        return pc_fail(err, 417, "a summary that does not fit the unit, or was damaged");
    }
    *out = s;
    return PC_OK;
}
