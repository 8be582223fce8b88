/* SPDX-License-Identifier: MIT */
/*
 * Finds what each event needs: its functions of four to seven signals, the counters that can
 * count it, its counter mode, the flag.  An event that fits nowhere is refused here, with
 * the compiler's reason.
 */
#include "lang/plan/plan.h"

#include <string.h>

/* --- functions --- */

/* EVENT of a domain, and the flag of another one, are what else is counted there. */
static enum pc_status check_wire(const struct pc_plan *p, struct pl_item *item, uint32_t wire,
                                 size_t number, struct pc_error *err)
{
    if (p->request.free_wires)
        return PC_OK;
    if (wire >= PC_MAX_SIGNALS)
        return pc_fail_at(err, 342, (uint32_t)number + 1, 0, "signal %u: selectors have 8 bits",
                          wire);
    unsigned d = pl_home(item);
    const struct pl_domain *home = &p->domain[d];
    struct pc_signal_info s = pc_chip_signal(home->target.chip, home->target.domain, wire);
    if (s.kind != PC_SIG_DOM_EVENT && s.kind != PC_SIG_DOM_FLAG)
        return PC_OK;
    if (s.kind == PC_SIG_DOM_FLAG && s.index == home->target.domain &&
        item->domains == UINT64_C(1) << d) {
        item->flagged = true;
        return PC_OK;
    }
    enum pc_status status =
        pc_fail_at(err, 1503, (uint32_t)number + 1, 0, "%s uses %s of domain %u", item->name,
                   s.kind == PC_SIG_DOM_EVENT ? "EVENT" : "the flag", s.index);
    pc_hint(err, "what that is depends on what else the plan counts there");
    return status;
}

static enum pc_status take_expr(struct pc_plan *p, struct pl_item *item, const struct pc_expr *e,
                                size_t number, struct pl_func *out, struct pc_error *err)
{
    out->used = true;
    if (!e || !e->resolved)
        return pc_fail_at(err, 307, (uint32_t)number + 1, 0, "%s has no resolved expression",
                          item->name);
    if (!cm_func_of(e, &out->f)) {
        const struct ex_func *f = &e->func;
        if (f->deep)
            return pc_fail_at(err, 322, (uint32_t)number + 1, f->deep_begin + 1,
                              "the expression looks back more than one cycle");
        return pc_fail_at(err, 320, (uint32_t)number + 1, f->atom[CM_ATOMS].begin + 1,
                          "the expression needs %s%d signals; no input of %s has more than %d",
                          f->inputs > EX_MAX_ATOMS ? "more than " : "",
                          f->inputs > EX_MAX_ATOMS ? EX_MAX_ATOMS : (int)f->inputs,
                          p->request.chip->name,
                          p->request.chip->features & PC_F_SETFLAG_ARG ? CM_ATOMS : 4);
    }
    for (unsigned a = 0; a < out->f.atoms; a++) {
        out->wire[a] = e->func.atom[a].wire;
        enum pc_status status = check_wire(p, item, out->wire[a], number, err);
        if (status)
            return status;
    }
    return PC_OK;
}

static enum pc_status take_flag(struct pc_plan *p, struct pl_item *item, size_t number,
                                struct pc_error *err)
{
    const struct pc_plan_event *e = item->event;
    enum pc_status status = PC_OK;

    item->flagged |= e->setflag || e->clrflag;
    if (e->setflag)
        status = take_expr(p, item, e->setflag, number, &item->set, err);
    if (status == PC_OK && e->clrflag)
        status = take_expr(p, item, e->clrflag, number, &item->clear, err);
    return status;
}

static enum pc_status take_sum(struct pc_plan *p, struct pl_item *item, size_t number,
                               struct pc_error *err)
{
    const struct pc_plan_event *e = item->event;
    enum pc_status status = PC_OK;

    if (e->sum_bits != 2 && e->sum_bits != 4 && e->sum_bits != PC_SUM_BITS)
        return pc_fail_at(err, 341, (uint32_t)number + 1, 0, "a sum has 2, 4 or 6 bits, not %u",
                          e->sum_bits);
    item->special = true;
    for (unsigned i = 0; i < e->sum_bits && status == PC_OK; i++)
        status = check_wire(p, item, e->sum[i], number, err);
    for (unsigned m = 0; m < PL_MODES; m++)
        item->in[m] =
            (uint8_t)(item->slots & cm_mode_adds(p->request.chip, pl_count_mode(p), m, e->sum_bits,
                                                 cm_is_one(&item->func[0].f)));
    return status;
}

/* CTR_MODE by its name or its number; NULL: SIMPLE. */
static enum pc_status named_mode(const struct pc_plan *p, const char *name, size_t number,
                                 unsigned *out, struct pc_error *err)
{
    const struct pc_chip *chip = p->request.chip;
    unsigned m = 0;

    while (m < PL_MODES && name && strcmp(name, pc_ctr_mode_names[m]) != 0 &&
           !(name[0] == (char)('0' + m) && name[1] == '\0'))
        m++;
    *out = m;
    if (m == PL_MODES)
        return pc_fail_at(err, 1500, (uint32_t)number + 1, 0, "unknown CTR_MODE %s", name);
    if (!cm_mode_exists(chip, pl_count_mode(p), m))
        return pc_fail_at(err, 345, (uint32_t)number + 1, 0, "%s has no CTR_MODE %s", chip->name,
                          pc_ctr_mode_names[m]);
    return PC_OK;
}

static enum pc_status take_fixed(struct pc_plan *p, struct pl_item *item, size_t number,
                                 struct pc_error *err)
{
    const struct pc_plan_fixed *f = item->event->fixed;
    unsigned mode;
    enum pc_status status = named_mode(p, f->ctr_mode, number, &mode, err);

    for (unsigned s = 0; s < PL_SLOTS && status == PC_OK; s++) {
        bool pinned = false;
        for (unsigned i = 0; i < 4; i++) {
            const int signal = f->pinned[s][i];
            if (signal != PC_NO_SIGNAL && (signal < 0 || signal >= PC_MAX_SIGNALS))
                return pc_fail_at(err, 342, (uint32_t)number + 1, 0,
                                  "signal %d: selectors have 8 bits", signal);
            pinned |= signal != PC_NO_SIGNAL;
        }
        if (f->input[s] || pinned)
            item->takes |= (uint8_t)(1u << s);
        if (f->input[s])
            status = take_expr(p, item, f->input[s], number, &item->func[s], err);
    }
    item->special = true;
    item->slots = item->takes;
    if (status == PC_OK)
        item->in[mode] = item->takes;
    return status;
}

/* --- counters --- */

/* The compiler's reason, with the input that the event would like best. */
static enum pc_status refuse(const struct pc_plan *p, const struct pl_item *item, size_t number,
                             struct pc_error *err)
{
    const struct pc_plan_event *e = item->event;
    struct pc_compile_request r = { .chip = p->request.chip, .mode = pl_count_mode(p) };
    struct pc_expr_input input;
    struct pc_program program;
    enum pc_status status = PC_OK;
    unsigned slot = PC_SLOT_EVENT;

    for (unsigned s = 0; s < PL_SLOTS; s++)
        if (e->slots == 1u << s)
            slot = s;
    r.domain = pl_home(item);
    r.number[slot].bits = e->sum_bits;
    memcpy(r.number[slot].signal, e->sum, sizeof e->sum);
    r.input[slot] = e->expr;
    r.input[PC_INPUT_SETFLAG] = e->setflag;
    r.input[PC_INPUT_CLRFLAG] = e->clrflag;
    if (p->slots >> slot & 1 && !e->fixed && p->request.free_wires)
        status = pc_expr_place(e->expr, r.chip, (enum pc_slot)slot, &input, err);
    else if (p->slots >> slot & 1 && !e->fixed)
        status = pc_compile(&r, &program, err);
    if (status == PC_OK)
        return pc_fail_at(err, 1501, (uint32_t)number + 1, 0, "no counter of %s can count %s",
                          r.chip->name, item->name);
    if (e->sum_bits >= 4 && slot == PC_SLOT_EVENT && err && err->code == 344)
        (void)pc_fail(
            err, 344,
            "%s: START_SRC[0..3]%s are the bits of its number, and %s of EVENT_SRC do not "
            "make its condition%s",
            item->name, e->sum_bits > 4 ? " and EVENT_SRC[2..3]" : "",
            e->sum_bits > 4 ? "the other two" : "the four",
            cm_mode_exists(r.chip, r.mode, PC_CTR_KEPLER_5) ? ", nor can other counter modes" : "");
    if (err)
        err->line = (uint32_t)number + 1;
    return status;
}

/* Returns which of these counters can count it when it is alone in its first domain. All are the
 * same. */
static unsigned fitting(const struct pc_plan *p, const struct pl_item *item, unsigned mode)
{
    const size_t scratch = p->request.events; /* fit.c knows items by number */
    struct pl_fitted fitted;
    unsigned fits = 0;

    for (unsigned s = 0; s < PL_SLOTS; s++) {
        int16_t at[PL_SLOTS];
        for (unsigned k = 0; k < PL_SLOTS; k++)
            at[k] = (int16_t)(k == s || item->takes >> k & 1 ? (int)scratch : -1);
        if ((item->in[mode] >> s & 1) && pl_solve(p, pl_home(item), at, mode, &fitted))
            fits |= 1u << s;
    }
    return fits;
}

/* Finds the counters for it, by CTR_MODE. What fits in SIMPLE alone fits wherever a mode leaves it
 * be.
 */
static void find_slots(struct pc_plan *p, struct pl_item *item)
{
    const enum pc_count_mode how = pl_count_mode(p);

    if (!item->special)
        item->in[PC_CTR_SIMPLE] = item->slots;
    p->item[p->request.events] = *item;
    for (unsigned m = 0; m < PL_MODES; m++)
        if (item->special || m == PC_CTR_SIMPLE)
            item->in[m] = (uint8_t)fitting(p, item, m);
        else
            item->in[m] =
                (uint8_t)(item->in[PC_CTR_SIMPLE] & cm_mode_counts(p->request.chip, how, m));
    item->slots = 0;
    for (unsigned m = 0; m < PL_MODES; m++)
        item->slots |= item->in[m];
}

static void classify(struct pc_plan *p, struct pl_item *item)
{
    struct cm_ways ways;

    if (item->takes)
        return;
    for (unsigned a = 0; a < item->func[0].f.atoms; a++)
        item->func[0].f.atom[a].signal = (uint8_t)a;
    cm_find_ways(&p->domain[0].target, &item->func[0].f, PC_INPUT_PRE, false, &ways);
    item->chained = ways.count == 0;
    item->plain = !item->chained && !item->flagged && !item->special;
}

enum pc_status pl_make_item(struct pc_plan *p, const struct pc_plan_event *e, size_t number,
                            struct pl_item *out, struct pc_error *err)
{
    uint64_t present = p->domains == 64 ? UINT64_MAX : (UINT64_C(1) << p->domains) - 1;
    enum pc_status status;

    *out = (struct pl_item){ .event = e, .name = e->name ? e->name : "an event" };
    out->domains = e->domains & present;
    out->slots = (uint8_t)(p->slots & (e->slots ? e->slots : PL_ALL_SLOTS));
    if (!out->domains)
        return pc_fail_at(err, 340, (uint32_t)number + 1, 0, "%s has no such domain for %s",
                          p->request.chip->name, out->name);
    if (e->fixed) {
        status = take_fixed(p, out, number, err);
    } else {
        status = take_expr(p, out, e->expr, number, &out->func[0], err);
        if (status == PC_OK && e->sum_bits)
            status = take_sum(p, out, number, err);
        if (status == PC_OK)
            status = take_flag(p, out, number, err);
    }
    if (status)
        return status;
    classify(p, out);
    find_slots(p, out);
    if (out->slots == 0 || (out->takes && out->takes != out->slots))
        return refuse(p, out, number, err);
    return PC_OK;
}
