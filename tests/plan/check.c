/* SPDX-License-Identifier: MIT */
/*
 * The checker: what a pass is, said once more and slowly.  A set of events fits into a pass
 * if some way to give each a counter of its domain compiles, domain by domain, and no bit
 * of a register is wanted different.  The optimum is over all partitions.
 */
#include "case.h"

#include <string.h>

/* NV10:NV40: CTR_EVENT adds a number, because the other domain has one. */
static bool lost(const struct pc_plan_event *e, unsigned slot, bool sum_elsewhere)
{
    return !e->sum_bits && sum_elsewhere && slot == PC_SLOT_EVENT;
}

/* Two functions of the flag's inputs: equal if they are so over random signals. */
static bool same_function(const struct plan_case *c, const struct pc_expr *a,
                          const struct pc_expr *b)
{
    enum { WORDS = 16 };
    static uint64_t plane[PC_MAX_SIGNALS][WORDS];
    const uint64_t *planes[PC_MAX_SIGNALS];
    uint64_t out[2][WORDS] = { { 0 } };
    struct test_rng rng = { 1 };

    for (unsigned i = 0; i < PC_MAX_SIGNALS; i++) {
        for (unsigned w = 0; w < WORDS; w++)
            plane[i][w] = test_rand(&rng);
        planes[i] = plane[i];
    }
    for (size_t i = 0; i < c->owned; i++)
        for (unsigned k = 0; k < 2; k++)
            if (c->own[i] == (k ? b : a)) {
                pc_expr_restart(c->own[i]);
                pc_expr_eval(c->own[i], planes, NULL, WORDS, 64 * WORDS, out[k], NULL);
            }
    return memcmp(out[0], out[1], sizeof out[0]) == 0; /* NULL: 0 */
}

/* Does a domain with these events at PRE, START, EVENT, STOP compile?  -1: nothing there. */
static bool compiles(const struct plan_case *c, unsigned domain, const int at[4])
{
    struct pc_compile_request r = { .chip = c->chip, .domain = domain };
    struct pc_program program;
    const struct pc_plan_event *first = NULL;

    r.mode = c->chip->features & PC_F_QUAD ? PC_COUNT_QUAD : PC_COUNT_SINGLE;
    for (unsigned s = 0; s < 4; s++) {
        if (at[s] < 0)
            continue;
        const struct pc_plan_event *e = &c->event[at[s]];
        r.input[s] = e->expr;
        if (e->sum_bits) {
            r.number[s].bits = e->sum_bits;
            memcpy(r.number[s].signal, e->sum, sizeof e->sum);
        }
        if (!e->setflag && !e->clrflag)
            continue;
        if (first && (!same_function(c, first->setflag, e->setflag) ||
                      !same_function(c, first->clrflag, e->clrflag)))
            return false;
        first = e;
        r.input[PC_INPUT_SETFLAG] = e->setflag;
        r.input[PC_INPUT_CLRFLAG] = e->clrflag;
    }
    return pc_compile(&r, &program, NULL) == PC_OK;
}

static bool same_muxes(const struct plan_case *c, unsigned mask)
{
    for (size_t a = 0; a < c->events; a++)
        for (size_t b = 0; (mask >> a & 1) && b < a; b++)
            for (size_t i = 0; (mask >> b & 1) && i < c->event[a].muxes; i++)
                for (size_t k = 0; k < c->event[b].muxes; k++) {
                    const struct pc_plan_mux *x = &c->event[a].mux[i], *y = &c->event[b].mux[k];
                    if (strcmp(x->reg, y->reg) == 0 &&
                        (x->mask & y->mask &
                         ((x->value ^ y->value) | (x->unknown || y->unknown ? UINT32_MAX : 0))))
                        return false;
                }
    return true;
}

/* An event's own later entries win over its earlier ones: cases with both are not random. */
static bool consistent(const struct pc_plan_event *e)
{
    for (size_t i = 0; i < e->muxes; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(e->mux[i].reg, e->mux[k].reg) == 0)
                return false;
    return true;
}

struct placing {
    const struct plan_case *c;
    unsigned domain, count;
    int event[4];
    bool sum_elsewhere; /* NV10:NV40: in the other domain */
};

/* All ways to give these events counters. */
static bool some_way(const struct placing *p)
{
    for (unsigned code = 0; code < 1u << (2 * p->count); code++) {
        int at[4] = { -1, -1, -1, -1 };
        bool ok = true;
        for (unsigned i = 0; i < p->count && ok; i++) {
            unsigned s = code >> (2 * i) & 3;
            const struct pc_plan_event *e = &p->c->event[p->event[i]];
            ok = at[s] < 0 && (!e->slots || (e->slots >> s & 1)) && !lost(e, s, p->sum_elsewhere) &&
                 ((p->c->chip->features & PC_F_QUAD) || s == PC_SLOT_EVENT);
            at[s] = p->event[i];
        }
        if (ok && compiles(p->c, p->domain, at))
            return true;
    }
    return false;
}

static bool fits(const struct plan_case *c, unsigned mask)
{
    struct pc_chip_domain d;
    uint64_t sums = 0; /* domains with one */

    if (!same_muxes(c, mask))
        return false;
    for (size_t i = 0; i < c->events; i++)
        if ((mask >> i & 1) && c->event[i].sum_bits)
            sums |= c->event[i].domains;
    for (unsigned k = 0; pc_chip_get_domain(c->chip, k, &d); k++) {
        struct placing p = { .c = c, .domain = k };
        p.sum_elsewhere = c->chip->layout == PC_LAYOUT_NV10 && (sums & ~(UINT64_C(1) << k));
        for (size_t i = 0; i < c->events; i++) {
            if (!(mask >> i & 1) || c->event[i].domains != UINT64_C(1) << k)
                continue;
            if (p.count == 4)
                return false;
            p.event[p.count++] = (int)i;
        }
        if (p.count && !some_way(&p))
            return false;
    }
    return true;
}

/* Groups whole or not at all. */
static bool whole(const struct plan_case *c, unsigned mask)
{
    for (size_t a = 0; a < c->events; a++)
        for (size_t b = 0; b < a; b++)
            if (c->event[a].group && c->event[a].group == c->event[b].group &&
                (mask >> a & 1) != (mask >> b & 1))
                return false;
    return true;
}

unsigned check_optimum(const struct plan_case *c)
{
    static unsigned char fit[1 << 8], best[1 << 8];
    unsigned all = (1u << c->events) - 1;

    assert_in_range(c->events, 1, 8);
    for (unsigned m = 1; m <= all; m++)
        fit[m] = whole(c, m) && fits(c, m);
    best[0] = 0;
    for (unsigned m = 1; m <= all; m++) {
        best[m] = 0;
        for (unsigned part = m; part; part = (part - 1) & m)
            if (fit[part] && (part == m || best[m & ~part]) &&
                (!best[m] || best[m & ~part] + 1u < best[m]))
                best[m] = (unsigned char)(best[m & ~part] + 1);
    }
    return best[all];
}

/* --- a plan --- */

/* The plan says which CTR_MODE the program writes. */
static void check_mode(const struct plan_case *c, const struct pc_program *program,
                       const char *ctr_mode)
{
    struct pc_reg_info ctrl;
    struct pc_error err;
    uint32_t word = program->ctrl;
    size_t i = 0;

    while (!strstr(program->write[i].name, "CTRL"))
        assert_true(++i < program->writes);
    test_ok(pc_reg_find(c->chip, program->write[i].name, &ctrl, &err), &err);
    if (pc_reg_set_field(&ctrl, "CTR_MODE", ctr_mode, &word, &err) != PC_OK)
        assert_string_equal(ctr_mode, "SIMPLE"); /* NV10: there is no other */
    assert_int_equal(word, program->ctrl);
}

static void check_domain(const struct plan_case *c, const struct pc_plan *plan, unsigned pass,
                         unsigned domain, const struct pc_plan_domain *d)
{
    struct pc_program program;
    struct pc_error err;
    int at[4];

    for (unsigned s = 0; s < 4; s++) {
        at[s] = d->event[s];
        if (at[s] < 0)
            continue;
        const struct pc_plan_event *e = &c->event[at[s]];
        struct pc_plan_place place = pc_plan_place_of(plan, (size_t)at[s]);
        assert_int_equal(place.pass, pass);
        assert_int_equal(place.domain, domain);
        assert_int_equal(place.slot, s);
        assert_true(e->domains >> domain & 1);
        assert_true(!e->slots || (e->slots >> s & 1));
        assert_false(lost(e, s, strcmp(d->ctr_mode, "EVENT_B4") == 0));
    }
    test_ok(pc_plan_compile(plan, pass, domain, &program, &err), &err);
    check_mode(c, &program, d->ctr_mode);
    for (unsigned s = 0; s < 4; s++)
        if (at[s] >= 0 && !program.chained[s])
            assert_int_equal(program.op[s], d->op[s]);
    assert_int_equal(program.write[program.writes - 1].value, program.op[PC_INPUT_PRE]);
}

/* Every register that a pass sets has what each of its events wants. */
static void check_mux(const struct plan_case *c, const struct pc_plan *plan, unsigned pass)
{
    struct pc_plan_mux m;

    for (size_t n = 0; n < c->events; n++)
        for (size_t i = 0; pc_plan_place_of(plan, n).pass == pass && i < c->event[n].muxes; i++) {
            size_t k = 0;
            while (pc_plan_mux_at(plan, pass, k, &m) && strcmp(m.reg, c->event[n].mux[i].reg) != 0)
                k++;
            assert_true(pc_plan_mux_at(plan, pass, k, &m));
            assert_int_equal(m.mask & c->event[n].mux[i].mask, c->event[n].mux[i].mask);
            if (consistent(&c->event[n]))
                assert_int_equal(m.value & c->event[n].mux[i].mask,
                                 c->event[n].mux[i].value & c->event[n].mux[i].mask);
        }
}

void check_plan(const struct plan_case *c, const struct pc_plan *plan)
{
    struct pc_chip_domain place;
    struct pc_plan_domain d;
    size_t counted = 0;

    for (unsigned q = 0; q < pc_plan_passes(plan); q++) {
        const char *mode = NULL;
        size_t before = counted;
        for (unsigned k = 0; pc_chip_get_domain(c->chip, k, &place); k++) {
            if (!pc_plan_domain_at(plan, q, k, &d))
                continue;
            check_domain(c, plan, q, k, &d);
            if (mode && c->chip->layout == PC_LAYOUT_NV10)
                assert_string_equal(mode, d.ctr_mode);
            mode = d.ctr_mode;
            for (unsigned s = 0; s < 4; s++)
                counted += d.event[s] >= 0;
        }
        assert_true(counted > before);
        check_mux(c, plan, q);
    }
    assert_int_equal(counted, c->events);
    for (size_t a = 0; a < c->events; a++)
        for (size_t b = 0; b < a; b++)
            if (c->event[a].group && c->event[a].group == c->event[b].group)
                assert_int_equal(pc_plan_place_of(plan, a).pass, pc_plan_place_of(plan, b).pass);
    assert_true(pc_plan_passes(plan) >= pc_plan_bound(plan));
}
