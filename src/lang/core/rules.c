/* SPDX-License-Identifier: MIT */
/* The rules of a register, in the order of the description: the first that holds decides. */
#include "lang/core/core.h"
#include "lang/expr/tri.h"

#include <string.h>

/* Words of an expression are calculated in parts of its own size; `at`: the first word. */
static void evaluate_some(struct pc_core *c, struct pc_expr *e, size_t at, size_t words)
{
    struct ex_part part = { words, 63, c->restart + at };

    if ((at + words) * 64 >= c->cycles)
        part.last = (unsigned)((c->cycles - 1) % 64);
    ex_evaluate(e, c->value, c->unknown, at, 0, part);
    if (e->watch && c->watching)
        core_look(c, e, c->look_at[0] + at, c->look_at[1] + at, words);
}

static void take_result(const struct pc_core *c, const struct pc_expr *e, uint32_t bits, size_t at,
                        size_t words, struct core_planes out)
{
    for (uint32_t b = 0; b < bits; b++) {
        const struct ex_row row = ex_row(e, ex_root(e), b);
        memcpy(out.v + b * c->words + at, row.v, words * sizeof *row.v);
        memcpy(out.u + b * c->words + at, row.u, words * sizeof *row.u);
    }
}

/* A plane of 0s, all known: in most parts of most designs nothing is written. */
static bool is_dark(const struct pc_core *c, uint32_t wire, size_t at, size_t words)
{
    uint64_t any = 0;

    for (size_t i = at; i < at + words; i++)
        any |= c->value[wire][i] | c->unknown[wire][i];
    return any == 0;
}

/* Is it 0 because a name is that & joins with the rest?  Nothing else of it is asked for then. */
static bool is_no(const struct pc_core *c, const struct pc_expr *e, size_t words)
{
    const struct ex_node *n = ex_root(e);

    const struct core_watch *w = c->watching ? e->watch : NULL;

    if (n->width != 1 || e->histories > 0 || (w && (!w->seen_all || w->choices > 0)))
        return false;
    for (; (n->op == EX_AND || n->op == EX_LAND) && n->child[1] != EX_NONE;
         n = &e->node[n->child[0]]) {
        const struct ex_node *right = &e->node[n->child[1]];
        if (right->op == EX_NAME && right->width == 1 && !right->negative &&
            is_dark(c, e->wire[right->first_wire], 0, words))
            return true;
    }
    return n->op == EX_NAME && n->width == 1 && !n->negative &&
           is_dark(c, e->wire[n->first_wire], 0, words);
}

void core_evaluate(struct pc_core *c, struct pc_expr *e, uint32_t bits, size_t words,
                   struct core_planes out)
{
    if (bits == 1 && is_no(c, e, words)) {
        memset(out.v, 0, words * sizeof *out.v);
        memset(out.u, 0, words * sizeof *out.u);
        return;
    }
    for (size_t at = 0; at < words; at += e->words) {
        const size_t some = words - at < e->words ? words - at : e->words;
        evaluate_some(c, e, at, some);
        take_result(c, e, bits, at, some, out);
    }
}

static uint64_t unknown_of(const struct pc_expr *e, uint32_t side, size_t word)
{
    const struct ex_node *n = &e->node[ex_root(e)->child[side]];
    uint64_t unknown = 0;

    for (uint32_t b = 0; b < n->width; b++)
        unknown |= ex_row(e, n, b).u[word];
    return unknown;
}

void core_evaluate_check(struct pc_core *c, struct pc_expr *e, size_t words, struct core_planes out,
                         uint64_t *dark)
{
    for (size_t at = 0; at < words; at += e->words) {
        const size_t some = words - at < e->words ? words - at : e->words;
        evaluate_some(c, e, at, some);
        take_result(c, e, 1, at, some, out);
        for (size_t i = 0; i < some; i++)
            dark[at + i] = c->answers && out.u[at + i] != 0 && ex_root(e)->op == EX_EQ
                               ? unknown_of(e, 0, i) & ~unknown_of(e, 1, i)
                               : 0;
    }
}

/* Evaluates one cycle of the part, which becomes cycle 0. */
static void evaluate_step(struct pc_core *c, struct pc_expr *e, uint32_t bits, uint32_t step,
                          struct core_planes out)
{
    const uint64_t restart = c->restart[step / 64] >> (step % 64);
    const struct ex_part part = { 1, 0, &restart };

    ex_evaluate(e, c->value, c->unknown, step / 64, step % 64, part);
    if (e->watch && c->watching)
        core_look(c, e, c->look_at[0], c->look_at[1], 1);
    take_result(c, e, bits, 0, 1, out);
}

bool core_reset_bit(const struct core_register *r, uint32_t bit)
{
    return r->reset && bit < r->reset->node[0].width &&
           r->reset->literal_bits[r->reset->node[0].data + bit];
}

/* The operands of a rule: words of the part, of a cycle only the first. */
struct act {
    struct pc_core *c;
    struct core_register *r;
    struct core_planes now, value;
    const uint64_t *acts;
    size_t words;
};

static struct tri at(const struct pc_core *c, struct core_planes p, uint32_t bit, size_t i)
{
    return (struct tri){ p.v[bit * c->words + i], p.u[bit * c->words + i] };
}

static void put(const struct pc_core *c, struct core_planes p, uint32_t bit, size_t i, struct tri t)
{
    p.v[bit * c->words + i] = t.v;
    p.u[bit * c->words + i] = t.u;
}

void core_own(const struct pc_core *c, struct core_register *r, uint32_t bit, size_t words)
{
    if (r->own[bit])
        return;
    r->own[bit] = 1;
    memcpy(r->next.v + bit * c->words, c->value[r->design[bit]], words * sizeof *r->next.v);
    memcpy(r->next.u + bit * c->words, c->unknown[r->design[bit]], words * sizeof *r->next.u);
}

/* Before a rule acts on the bit. */
static void own(const struct act *a, uint32_t bit)
{
    if (!a->r->stepped)
        core_own(a->c, a->r, bit, a->words);
}

/* `value` in the cycles of `acts`, which are known; `old` in all others. */
static struct tri choose(uint64_t acts, struct tri value, struct tri old)
{
    return (struct tri){ (value.v & acts) | (old.v & ~acts), (value.u & acts) | (old.u & ~acts) };
}

static void set(const struct act *a, const struct core_rule *rule)
{
    for (uint32_t b = rule->lo; b <= rule->hi; b++) {
        own(a, b);
        for (size_t i = 0; i < a->words; i++)
            put(a->c, a->now, b, i,
                choose(a->acts[i], at(a->c, a->value, b - rule->lo, i), at(a->c, a->now, b, i)));
        if (a->r->stepped && a->acts[0] & 1)
            a->r->unset[b] = 0;
    }
}

/* Modulo 2^width; what is added elsewhere is 0. */
static void add(const struct act *a, uint32_t width)
{
    struct tri carry[CORE_WORDS] = { { 0, 0 } };

    for (uint32_t b = 0; b < a->r->width; b++) {
        uint64_t any = b < width;
        own(a, b);
        for (size_t i = 0; i < a->words; i++) {
            struct tri y = b < width ? at(a->c, a->value, b, i) : (struct tri){ 0, 0 };
            const struct tri x = at(a->c, a->now, b, i), c = carry[i];
            y.v &= a->acts[i];
            y.u &= a->acts[i];
            put(a->c, a->now, b, i, xor3(xor3(x, y), c));
            carry[i] = or3(or3(and3(x, y), and3(x, c)), and3(y, c));
            any |= carry[i].v | carry[i].u;
        }
        if (!any)
            return;
    }
}

/* Returns the larger, without signs. */
static void max(const struct act *a)
{
    for (uint32_t b = 0; b < a->r->width; b++)
        own(a, b);
    for (size_t i = 0; i < a->words; i++) {
        struct tri less = { 0, 0 };
        for (uint32_t b = 0; b < a->r->width; b++) {
            const struct tri x = at(a->c, a->now, b, i), y = at(a->c, a->value, b, i);
            less = or3(and3(not3(x), y), and3(or3(not3(x), y), less));
        }
        less.v &= a->acts[i];
        less.u &= a->acts[i];
        for (uint32_t b = 0; b < a->r->width; b++)
            put(a->c, a->now, b, i, mux3(less, at(a->c, a->value, b, i), at(a->c, a->now, b, i)));
    }
}

/* Returns the bits of the value that the rule reads: what is above them is 0, or does not fit. */
static uint32_t value_bits(const struct core_register *r, const struct core_rule *rule)
{
    const struct ex_node *root = ex_root(rule->value);

    if (rule->action == PC_CORE_SET)
        return rule->hi - rule->lo + 1;
    return rule->action == PC_CORE_ADD && !root->negative && root->width < r->width ? root->width
                                                                                    : r->width;
}

static void act(const struct act *a, struct core_rule *rule, uint32_t step)
{
    if (!rule->value)
        return;
    const uint32_t bits = value_bits(a->r, rule);
    if (step == CORE_ALL)
        core_evaluate(a->c, rule->value, bits, a->words, a->value);
    else
        evaluate_step(a->c, rule->value, bits, step, a->value);
    if (rule->action == PC_CORE_SET)
        set(a, rule);
    else if (rule->action == PC_CORE_ADD)
        add(a, bits);
    else
        max(a);
}

/* Evaluates the rule's condition in the words. */
static void hold(struct pc_core *c, const struct core_rule *rule, size_t words, uint32_t step,
                 uint64_t *v, uint64_t *u)
{
    if (!rule->when) {
        memset(v, 0xff, words * sizeof *v);
        memset(u, 0, words * sizeof *u);
    } else if (step >= CORE_HOLD) {
        core_evaluate(c, rule->when, 1, words, (struct core_planes){ v, u });
    } else {
        evaluate_step(c, rule->when, 1, step, (struct core_planes){ v, u });
    }
}

void core_apply(struct pc_core *c, struct core_register *r, size_t words, uint32_t step,
                struct core_planes now, const uint64_t *running)
{
    uint64_t alive[CORE_WORDS], v[CORE_WORDS], u[CORE_WORDS];

    memcpy(alive, running, words * sizeof *alive);
    for (size_t k = 0; k < r->rules; k++) {
        struct core_rule *rule = &r->rule[k];
        uint64_t acts[CORE_WORDS] = { 0 }, maybe[CORE_WORDS] = { 0 }, any = 0, any_maybe = 0;
        core_look_in(c, running, alive);
        hold(c, rule, words, step, v, u);
        for (size_t i = 0; i < words; i++) {
            acts[i] = alive[i] & v[i] & ~u[i];
            maybe[i] = alive[i] & u[i];
            any |= acts[i];
            any_maybe |= maybe[i];
            if (!rule->go_on)
                alive[i] &= ~acts[i] & ~maybe[i];
        }
        if (step >= CORE_HOLD)
            memcpy(rule->acts, acts, c->words * sizeof *acts);
        else if (acts[0] & 1)
            rule->acts[step / 64] |= UINT64_C(1) << step % 64;
        if (step == CORE_HOLD)
            continue;
        core_look_in(c, acts, acts);
        if (any)
            act(&(struct act){ c, r, now, c->scratch, acts, words }, rule, step);
        for (uint32_t b = 0; any_maybe && b < r->width; b++) {
            if (!r->stepped)
                core_own(c, r, b, words);
            for (size_t i = 0; i < words; i++)
                now.u[b * c->words + i] |= maybe[i];
        }
    }
}
