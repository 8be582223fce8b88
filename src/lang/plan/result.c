/* SPDX-License-Identifier: MIT */
/* Reads a plan: where each event is counted, what each domain and multiplexer is set to. */
#include "lang/plan/plan.h"
#include "model/rules/sources.h"

#include <string.h>

size_t pc_plan_passes(const struct pc_plan *p)
{
    return p->passes;
}

size_t pc_plan_bound(const struct pc_plan *p)
{
    return p->bound;
}

const char *pc_plan_bound_reason(const struct pc_plan *p)
{
    return p->bound_reason;
}

struct pc_plan_place pc_plan_place_of(const struct pc_plan *p, size_t event)
{
    struct pc_plan_place out = { 0 };

    for (size_t q = 0; event < p->items && q < p->passes; q++)
        for (unsigned d = 0; pl_has(&p->pass[q].items, event) && d < p->domains; d++)
            for (unsigned s = PL_SLOTS; s-- > 0;)
                if (p->pass[q].at[d][s] == (int16_t)event) {
                    out = (struct pc_plan_place){ (unsigned)q, d, (enum pc_slot)s };
                    /* CTR_EVENT where the event has several counters: sums are there */
                    if (s == PC_SLOT_EVENT)
                        return out;
                }
    return out;
}

/* Takes the compiler's selectors as the sources of each input. */
static void take_sources(const struct pl_domain *d, const struct pl_fitted *f,
                         struct pc_plan_domain *out)
{
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        for (unsigned k = 0; k < 4; k++) {
            int16_t signal = f->found.selector[pc_source_selector(d->target.features, i, k)];
            out->source[i][k] = signal < 0 ? PC_NO_WIRE : f->wire[signal];
        }
    memcpy(out->op, f->found.op, sizeof out->op);
    out->ctr_mode = pc_ctr_mode_names[f->mode];
}

bool pc_plan_domain_at(const struct pc_plan *p, size_t pass, unsigned domain,
                       struct pc_plan_domain *out)
{
    struct pl_fitted fitted;

    if (pass >= p->passes || domain >= p->domains)
        return false;
    const int16_t *at = p->pass[pass].at[domain];
    if (at[0] < 0 && at[1] < 0 && at[2] < 0 && at[3] < 0)
        return false;
    if (!pl_solve(p, domain, at, p->pass[pass].mode[domain], &fitted))
        return false;
    for (unsigned s = 0; s < PL_SLOTS; s++)
        out->event[s] = at[s];
    take_sources(&p->domain[domain], &fitted, out);
    return true;
}

/* An entry is the first of its register in the pass: those before it name others. */
static bool is_first(const struct pc_plan *p, size_t pass, size_t event, size_t entry)
{
    const char *reg = p->item[event].event->mux[entry].reg;

    for (size_t n = 0; n <= event; n++) {
        const struct pc_plan_event *e = p->item[n].event;
        for (size_t i = 0; pl_has(&p->pass[pass].items, n) && i < (n < event ? e->muxes : entry);
             i++)
            if (strcmp(e->mux[i].reg, reg) == 0)
                return false;
    }
    return true;
}

bool pc_plan_mux_at(const struct pc_plan *p, size_t pass, size_t i, struct pc_plan_mux *out)
{
    const struct pc_plan_mux *found = NULL;

    if (pass >= p->passes)
        return false;
    const struct pl_set *items = &p->pass[pass].items;
    for (size_t n = 0; n < p->items && !found; n++)
        for (size_t k = 0; pl_has(items, n) && k < p->item[n].event->muxes && !found; k++)
            if (is_first(p, pass, n, k) && i-- == 0)
                found = &p->item[n].event->mux[k];
    if (!found)
        return false;
    *out = (struct pc_plan_mux){ .reg = found->reg };
    for (size_t n = 0; n < p->items; n++)
        for (size_t k = 0; pl_has(items, n) && k < p->item[n].event->muxes; k++) {
            const struct pc_plan_mux *m = &p->item[n].event->mux[k];
            if (strcmp(m->reg, out->reg) != 0)
                continue;
            out->value = (out->value & ~m->mask) | (m->value & m->mask);
            out->mask |= m->mask;
            out->unknown |= m->unknown;
        }
    return true;
}

/* --- registers --- */

static void make_request(const struct pc_plan *p, size_t pass, unsigned domain,
                         struct pc_compile_request *r)
{
    const int16_t *at = p->pass[pass].at[domain];

    *r = (struct pc_compile_request){ .chip = p->request.chip, .domain = domain };
    r->mode = pl_count_mode(p);
    memset(r->pinned, 0xff, sizeof r->pinned); /* PC_NO_SIGNAL */
    r->keep_swap = p->request.keep_swap;
    r->has_swap = p->request.swap != PC_SIG_ABSENT;
    if (r->has_swap)
        r->swap = (uint8_t)pl_swap_position(p, &p->domain[domain]);
    for (unsigned s = 0; s < PL_SLOTS; s++) {
        if (at[s] < 0)
            continue;
        const struct pc_plan_event *e = p->item[at[s]].event;
        if (e->fixed) {
            r->ctr_mode = pc_ctr_mode_names[p->pass[pass].mode[domain]];
            r->input[s] = e->fixed->input[s];
            for (unsigned i = 0; i < 4 * PL_SLOTS; i++)
                if (e->fixed->pinned[i / 4][i % 4] != PC_NO_SIGNAL)
                    r->pinned[i / 4][i % 4] = e->fixed->pinned[i / 4][i % 4];
            continue;
        }
        r->input[s] = e->expr;
        if (e->setflag)
            r->input[PC_INPUT_SETFLAG] = e->setflag;
        if (e->clrflag)
            r->input[PC_INPUT_CLRFLAG] = e->clrflag;
        if (e->sum_bits) {
            r->number[s].bits = e->sum_bits;
            memcpy(r->number[s].signal, e->sum, sizeof e->sum);
        }
    }
}

enum pc_status pc_plan_compile(const struct pc_plan *p, size_t pass, unsigned domain,
                               struct pc_program *out, struct pc_error *err)
{
    struct pc_compile_request r;
    struct pc_program program, other;

    if (pass >= p->passes || domain >= p->domains || p->request.free_wires)
        return pc_fail(err, 400, "the plan has no such program");
    make_request(p, pass, domain, &r);
    enum pc_status status = pc_compile(&r, &program, err);
    /* NV10:NV40: one CTRL for all domains */
    for (unsigned d = 0; status == PC_OK && p->shared_ctrl && d < p->domains; d++) {
        struct pc_plan_domain there;
        if (d == domain || !pc_plan_domain_at(p, pass, d, &there))
            continue;
        make_request(p, pass, d, &r);
        status = pc_compile(&r, &other, err);
        program.ctrl |= other.ctrl;
        program.write[0].value |= other.ctrl; /* CTRL comes first */
    }
    if (status == PC_OK)
        *out = program;
    return status;
}
