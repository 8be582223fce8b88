/* SPDX-License-Identifier: MIT */
/*
 * Do these items fit into one domain together?  The compiler's own search answers: sums
 * have reserved their selectors, the flag has its inputs, everything else is found a place.
 * Its answers are remembered: of these items, and of all that ask the same.
 */
#include "lang/plan/plan.h"

#include <string.h>

#include "base/digest.h"

/* Wires as the 8-bit signals of the compiler. */
struct wires {
    bool free;
    unsigned count;
    uint32_t wire[PC_MAX_SIGNALS];
};

static uint8_t signal_of(struct wires *w, uint32_t wire)
{
    unsigned i = 0;

    if (!w->free)
        return (uint8_t)wire;
    while (i < w->count && w->wire[i] != wire)
        i++;
    if (i == w->count)
        w->wire[w->count++] = wire; /* at most 4 x 7 + 2 x 7 + 6 of them */
    return (uint8_t)i;
}

/* All bytes of it are set: problems are compared by them. */
static struct cm_func func_of(struct wires *w, const struct pl_func *f)
{
    struct cm_func out;

    memset(&out, 0, sizeof out);
    out.atoms = f->f.atoms;
    memcpy(out.row, f->f.row, sizeof out.row);
    for (unsigned a = 0; a < out.atoms; a++)
        out.atom[a] = (struct cm_atom){ signal_of(w, f->wire[a]), f->f.atom[a].late };
    return out;
}

bool pl_same_func(const struct pl_func *a, const struct pl_func *b)
{
    if (a->used != b->used)
        return false;
    if (!a->used)
        return true;
    if (a->f.atoms != b->f.atoms || memcmp(a->f.row, b->f.row, sizeof a->f.row) != 0)
        return false;
    for (unsigned i = 0; i < a->f.atoms; i++)
        if (a->wire[i] != b->wire[i] || a->f.atom[i].late != b->f.atom[i].late)
            return false;
    return true;
}

/* Checks that all who care about the flag want the same of it. */
static bool want_flag(struct cm_want *want, struct wires *w, const struct pl_item *item,
                      const struct pl_item **first)
{
    if (!item->flagged)
        return true;
    if (*first)
        return pl_same_func(&(*first)->set, &item->set) &&
               pl_same_func(&(*first)->clear, &item->clear);
    *first = item;
    want->wanted[PC_INPUT_SETFLAG] = want->wanted[PC_INPUT_CLRFLAG] = true;
    want->func[PC_INPUT_SETFLAG] = func_of(w, &item->set); /* not used: the function 0 */
    want->func[PC_INPUT_CLRFLAG] = func_of(w, &item->clear);
    return true;
}

/* Reserves the selectors that a fixed item pins; false if one is to carry two signals. */
static bool pin(struct cm_want *want, const struct pc_plan_fixed *fixed)
{
    for (unsigned i = 0; i < 4 * PL_SLOTS; i++) {
        const int16_t own = fixed->pinned[i / 4][i % 4];
        if (own == PC_NO_SIGNAL)
            continue;
        if (want->reserved[i] != PC_NO_SIGNAL && want->reserved[i] != own)
            return false;
        want->reserved[i] = own;
    }
    return true;
}

/*
 * Reserves the selectors that are numbers in this CTR_MODE, and says what gates each counter;
 * false: the mode adds other ones, or a fixed item is there, which the compiler takes alone.
 */
static bool take_numbers(const struct pc_plan *p, const int16_t at[PL_SLOTS], unsigned mode,
                         struct wires *w, struct cm_want *want)
{
    struct pc_compile_request r = { .chip = p->request.chip, .mode = pl_count_mode(p) };
    bool any = false, fixed = false;

    for (unsigned s = 0; s < PL_SLOTS; s++) {
        const struct pc_plan_event *e = at[s] < 0 ? NULL : p->item[at[s]].event;
        if (!e)
            continue;
        fixed |= e->fixed != NULL;
        if (e->fixed && !pin(want, e->fixed))
            return false;
        if (e->fixed || !e->sum_bits)
            continue;
        any = true;
        r.number[s].bits = e->sum_bits;
        for (unsigned i = 0; i < e->sum_bits; i++)
            r.number[s].signal[i] = signal_of(w, e->sum[i]);
    }
    return !any || (!fixed && cm_take_mode(&r, mode, want));
}

/* Makes the compiler's problem; false if there is nothing to solve. */
static bool make_want(const struct pc_plan *p, unsigned domain, const int16_t at[PL_SLOTS],
                      unsigned mode, struct wires *w, struct cm_want *want)
{
    const struct pl_item *flag = NULL;

    memset(want, 0, sizeof *want);
    want->target = p->domain[domain].target;
    if (w->free)
        want->target.own_event = -1;
    for (unsigned i = 0; i < CM_SELECTORS; i++)
        want->reserved[i] = PC_NO_SIGNAL;
    if (!take_numbers(p, at, mode, w, want))
        return false;
    for (unsigned s = 0; s < PL_SLOTS; s++) {
        if (at[s] < 0)
            continue;
        const struct pl_item *item = &p->item[at[s]];
        const struct pl_func *f = &item->func[item->takes ? s : 0];
        const struct cm_func own = func_of(w, f);
        if ((f->used && !cm_want_input(want, s, &own)) || !want_flag(want, w, item, &flag))
            return false;
    }
    return true;
}

/*
 * Inputs that share no selector, each by itself; never more than 24 ways for one.  *helped:
 * who does not fit is EVENT or STOP, which SETFLAG as an argument may help.
 */
static bool solve_split(const struct cm_want *want, struct cm_found *out, bool *helped)
{
    struct cm_bytes now = cm_bytes_of(want->reserved), with;
    struct cm_ways ways;

    memset(out, 0, sizeof *out);
    for (unsigned input = 0; input < PL_SLOTS; input++) {
        if (!want->wanted[input])
            continue;
        cm_find_ways(&want->target, &want->func[input], (enum pc_input_id)input, false, &ways);
        int w = cm_best_way(&now, &ways, &with);
        if (w < 0) {
            *helped = cm_chains((enum pc_input_id)input);
            return false;
        }
        out->op[input] = ways.way[w].op;
        now = with;
    }
    cm_put_bytes(&now, out->selector);
    return true;
}

/* Without SETFLAG and CLRFLAG no two inputs look at the same selector. */
static bool is_split(const struct pc_plan *p, const int16_t at[PL_SLOTS])
{
    for (unsigned s = 0; s < PL_SLOTS; s++)
        if (at[s] >= 0 && (p->item[at[s]].chained || p->item[at[s]].flagged))
            return false;
    return true;
}

/* The compiler's search, which can take some hundredths of a second: once for each problem. */
static bool solve_once(struct pc_plan *p, const struct cm_want *want)
{
    struct pl_solved asked = { .want = *want };
    struct cm_found found;

    if (!p->solved)
        p->solved = pc_calloc(&p->alloc, PL_SOLVED, sizeof *p->solved);
    if (!p->solved)
        return cm_solve(want, &found);
    if (p->request.free_wires) /* then it is the same for every domain */
        memset(&asked.want.target, 0, sizeof asked.want.target);
    struct pl_solved *s =
        &p->solved[pc_digest(PC_DIGEST, &asked.want, sizeof asked.want) & (PL_SOLVED - 1)];
    if (!s->used || memcmp(&s->want, &asked.want, sizeof s->want) != 0) {
        asked.fits = cm_solve(want, &found);
        asked.used = true;
        memcpy(s, &asked, sizeof *s);
    }
    return s->fits;
}

static bool solve(struct pc_plan *p, unsigned domain, const int16_t at[PL_SLOTS], unsigned mode)
{
    struct wires w = { .free = p->request.free_wires };
    struct cm_want want;
    struct cm_found found;

    if (!make_want(p, domain, at, mode, &w, &want) || (w.free && w.count > p->domain[domain].raw))
        return false;
    bool helped = true;
    if (is_split(p, at) && solve_split(&want, &found, &helped))
        return true;
    if (!helped)
        return false;
    p->attempts += 8; /* it takes about so long */
    return solve_once(p, &want);
}

/* Only items that need nothing but their own counters: no question. */
static bool is_plain(const struct pc_plan *p, unsigned domain, const int16_t at[PL_SLOTS])
{
    for (unsigned s = 0; s < PL_SLOTS; s++)
        if (at[s] >= 0 && (!p->item[at[s]].plain || !(p->item[at[s]].slots >> s & 1)))
            return false;
    return !p->request.free_wires || p->domain[domain].raw >= 4 * PL_SLOTS;
}

/* An item is in a counter that cannot count it in this mode. */
static bool is_barred(const struct pc_plan *p, const int16_t at[PL_SLOTS], unsigned mode)
{
    for (unsigned s = 0; s < PL_SLOTS; s++)
        if (at[s] >= 0 && !(p->item[at[s]].in[mode] >> s & 1))
            return true;
    return false;
}

bool pl_solve(const struct pc_plan *p, unsigned domain, const int16_t at[PL_SLOTS], unsigned mode,
              struct pl_fitted *out)
{
    struct wires w = { .free = p->request.free_wires };
    struct cm_want want;

    if (is_barred(p, at, mode) || !make_want(p, domain, at, mode, &w, &want) ||
        (w.free && w.count > p->domain[domain].raw))
        return false;
    bool helped;
    if (!(is_split(p, at) && solve_split(&want, &out->found, &helped)) &&
        !cm_solve(&want, &out->found))
        return false;
    out->mode = mode;
    for (unsigned i = 0; i < PC_MAX_SIGNALS; i++)
        out->wire[i] = w.free ? w.wire[i] : i;
    return true;
}

bool pl_fit(struct pc_plan *p, unsigned domain, const int16_t at[PL_SLOTS], unsigned mode)
{
    if (is_barred(p, at, mode))
        return false;
    if (is_plain(p, domain, at))
        return true;
    uint64_t key = p->request.free_wires ? p->domain[domain].raw < 4 * PL_SLOTS : domain;
    for (unsigned s = 0; s < PL_SLOTS; s++)
        key = key << 11 | (uint64_t)(at[s] + 1);
    key |= (uint64_t)mode << 60;
    uint64_t hash = (key ^ key >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    struct pl_known *known = &p->known[hash >> 40 & (PL_KNOWN - 1)];
    if (!known->used || known->key != key)
        *known = (struct pl_known){ key, true, solve(p, domain, at, mode) };
    return known->fits;
}
