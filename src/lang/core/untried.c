/* SPDX-License-Identifier: MIT */
/*
 * Finds what a run never tried: conditions that were never true or never false, elements of vectors
 * that no selector chose, registers that never moved.  A description that says something wrong
 * there looks the same as one that is right.
 *
 * Expressions are watched while they are calculated.  Conditions are the terms of a rule's `when`,
 * which & and | join, and what stands before ? anywhere.  Those of constants alone are left out.
 */
#include "lang/core/core.h"

#include <string.h>

enum { SEEN_FALSE = 1, SEEN_TRUE = 2, SEEN_BOTH = 3 };

/* ---- the expressions to watch ---- */

struct builder {
    struct pc_core *c;
    bool fill; /* else all is counted only */
    size_t watches, conditions, choices;
    const struct pc_expr *e;
};

/* Returns the first node of a node's operands, which stand before it. */
static uint32_t first_of(const struct pc_expr *e, uint32_t node)
{
    while (e->node[node].child[0] != EX_NONE)
        node = e->node[node].child[0];
    return node;
}

static bool is_constant_name(const struct pc_core *c, const char *name)
{
    long hi, lo;
    const struct core_name *n = core_find_part(c, name, &hi, &lo);

    if (!n || n->kind == CORE_REGISTER)
        return false;
    if (n->kind == CORE_LET)
        return c->let[n->item].constant;
    const struct core_vector *v = &c->vector[n->item];
    const size_t first = hi < 0 ? 0 : (size_t)lo, last = hi < 0 ? v->elements - 1 : (size_t)hi;
    for (size_t k = first; k <= last && k < v->elements; k++)
        if (!c->let[v->first + k].constant)
            return false;
    return true;
}

static bool is_constant(const struct pc_core *c, const struct pc_expr *e, uint32_t node)
{
    for (uint32_t i = first_of(e, node); i <= node; i++)
        if (e->node[i].op == EX_NAME && !is_constant_name(c, e->arena + e->node[i].data))
            return false;
    return true;
}

static void add_condition(struct builder *b, uint32_t node)
{
    if (is_constant(b->c, b->e, node))
        return;
    if (b->fill)
        b->c->condition[b->conditions] = (struct core_condition){ .node = node };
    b->conditions++;
}

/* Returns true if it joins conditions. `inside` is one, whatever it is made of. */
static bool joins(const struct pc_expr *e, const struct ex_node *n)
{
    const bool logic = n->op == EX_AND || n->op == EX_OR || ex_logical(n->op) || n->op == EX_NOT;

    for (unsigned i = 0; logic && i < 2 && n->child[i] != EX_NONE; i++)
        if (e->node[n->child[i]].width != 1 || e->node[n->child[i]].set)
            return false;
    return logic && n->width == 1;
}

/* Adds the whole, and the terms that it joins. */
static void add_terms(struct builder *b, uint32_t root)
{
    uint32_t open[2 * EX_MAX_NEST];
    size_t opens = 0;

    add_condition(b, root);
    open[opens++] = root;
    while (opens > 0) {
        const uint32_t node = open[--opens];
        const struct ex_node *n = &b->e->node[node];
        if (!joins(b->e, n) || opens + 2 > sizeof open / sizeof open[0]) {
            if (node != root)
                add_condition(b, node);
            continue;
        }
        for (unsigned i = 2; i-- > 0;)
            if (n->child[i] != EX_NONE)
                open[opens++] = n->child[i];
    }
}

/* Returns the vector whose name, without a bracket, the node is; SIZE_MAX: none. */
static size_t vector_of(const struct pc_core *c, const struct pc_expr *e, uint32_t node)
{
    const struct ex_node *n = &e->node[node];
    const char *name = n->op == EX_NAME ? e->arena + n->data : NULL;
    const struct core_name *is = name ? core_find_name(c, name, strlen(name)) : NULL;

    return is && is->kind == CORE_VECTOR ? is->item : SIZE_MAX;
}

/* Adds v[i], or v & mask of a vector whose elements have a bit each. */
static void add_choice(struct builder *b, uint32_t node)
{
    const struct ex_node *n = &b->e->node[node];

    for (unsigned i = 0; i < (n->op == EX_AND ? 2 : n->op == EX_INDEX ? 1 : 0); i++) {
        const size_t vector = vector_of(b->c, b->e, n->child[i]);
        if (vector == SIZE_MAX || (n->op == EX_AND && b->c->vector[vector].bits != 1) ||
            is_constant(b->c, b->e, n->child[1 - i]))
            continue;
        b->c->vector[vector].chosen_from = true;
        if (b->fill)
            b->c->choice[b->choices] =
                (struct core_choice){ .node = node, .by = n->child[1 - i], .vector = vector };
        b->choices++;
        return;
    }
}

static void add_watch(struct builder *b, struct pc_expr *e, struct pc_core_place place)
{
    const size_t conditions = b->conditions, choices = b->choices;

    if (!e)
        return;
    b->e = e;
    if (place.what == PC_CORE_WHEN)
        add_terms(b, (uint32_t)(e->nodes - 1));
    const size_t of_when = b->conditions;
    for (uint32_t i = 0; i < e->nodes; i++) {
        if (e->node[i].op == EX_MUX)
            add_condition(b, e->node[i].child[0]);
        add_choice(b, i);
    }
    if (b->conditions == conditions && b->choices == choices)
        return;
    if (b->fill) {
        b->c->watch[b->watches] = (struct core_watch){ .place = place,
                                                       .expr = e,
                                                       .condition = b->c->condition + conditions,
                                                       .conditions = b->conditions - conditions,
                                                       .of_when = of_when - conditions,
                                                       .choice = b->c->choice + choices,
                                                       .choices = b->choices - choices };
        e->watch = &b->c->watch[b->watches];
    }
    b->watches++;
}

static void add_all(struct builder *b)
{
    struct pc_core *c = b->c;

    for (size_t i = 0; i < c->lets; i++)
        add_watch(b, c->let[i].value, c->let[i].place);
    for (size_t i = 0; i < c->regs; i++)
        for (size_t k = 0; k < c->reg[i].rules; k++) {
            add_watch(b, c->reg[i].rule[k].when, (struct pc_core_place){ PC_CORE_WHEN, i, k });
            add_watch(b, c->reg[i].rule[k].value, (struct pc_core_place){ PC_CORE_VALUE, i, k });
        }
    for (size_t i = 0; i < c->checks; i++) {
        add_watch(b, c->check[i].when, (struct pc_core_place){ PC_CORE_CHECK_WHEN, i, 0 });
        add_watch(b, c->check[i].that, (struct pc_core_place){ PC_CORE_CHECK_THAT, i, 0 });
    }
}

bool core_watch_all(struct pc_core *c)
{
    struct builder b = { .c = c };

    for (size_t i = 0; i < c->lets; i++) {
        struct core_let *let = &c->let[c->order[i]];
        let->constant = is_constant(c, let->value, (uint32_t)(let->value->nodes - 1));
    }
    add_all(&b);
    c->watches = b.watches;
    c->conditions = b.conditions;
    c->choices = b.choices;
    c->watch = pc_calloc(&c->alloc, c->watches + 1, sizeof *c->watch);
    c->condition = pc_calloc(&c->alloc, c->conditions + 1, sizeof *c->condition);
    c->choice = pc_calloc(&c->alloc, c->choices + 1, sizeof *c->choice);
    if (!c->watch || !c->condition || !c->choice)
        return false;
    b = (struct builder){ .c = c, .fill = true };
    add_all(&b);
    return true;
}

void core_watch_free(struct pc_core *c)
{
    pc_free(&c->alloc, c->watch, (c->watches + 1) * sizeof *c->watch);
    pc_free(&c->alloc, c->condition, (c->conditions + 1) * sizeof *c->condition);
    pc_free(&c->alloc, c->choice, (c->choices + 1) * sizeof *c->choice);
    c->watch = NULL;
    c->condition = NULL;
    c->choice = NULL;
}

/* ---- while they are calculated ---- */

static uint8_t look_at(const struct pc_expr *e, uint32_t node, const uint64_t *mask, size_t words)
{
    const struct ex_node *n = &e->node[node];
    uint8_t seen = 0;

    for (size_t i = 0; i < words; i++) {
        uint64_t is_true = 0, unknown = 0;
        for (uint32_t b = 0; b < n->width; b++) {
            const struct ex_row row = ex_row(e, n, b);
            is_true |= row.v[i] & ~row.u[i];
            unknown |= row.u[i];
        }
        seen |= mask[i] & is_true ? SEEN_TRUE : 0;
        seen |= mask[i] & ~is_true & ~unknown ? SEEN_FALSE : 0;
    }
    return seen;
}

/* Leaves those cycles in which all other terms that & joins with the choice are true. */
static void leave_counted(const struct pc_expr *e, uint32_t choice, uint64_t *mask, size_t words)
{
    uint32_t open[2 * EX_MAX_NEST];
    size_t opens = 0;

    open[opens++] = (uint32_t)(e->nodes - 1);
    while (opens > 0) {
        const uint32_t node = open[--opens];
        const struct ex_node *n = &e->node[node];
        if (node == choice)
            continue;
        if ((n->op == EX_AND || n->op == EX_LAND) && opens + 2 <= sizeof open / sizeof open[0]) {
            open[opens++] = n->child[0];
            open[opens++] = n->child[1];
            continue;
        }
        if (n->width != 1 || (first_of(e, node) <= choice && choice < node))
            continue;
        const struct ex_row row = ex_row(e, n, 0);
        for (size_t i = 0; i < words; i++)
            mask[i] &= row.v[i] & ~row.u[i];
    }
}

static void choose(struct pc_core *c, const struct core_vector *v, uint64_t element)
{
    if (element < v->elements)
        c->let[v->first + element].chosen = true;
}

/* Notes each number that the index is in the cycles of the mask; most often one. */
static void look_at_index(struct pc_core *c, const struct pc_expr *e, const struct core_vector *v,
                          const struct ex_node *index, uint64_t *mask, size_t words)
{
    const uint32_t width = index->width < 63 ? index->width : 63;

    for (size_t i = 0; i < words; i++)
        while (mask[i]) {
            const unsigned cycle = (unsigned)__builtin_ctzll(mask[i]);
            uint64_t same = mask[i], number = 0, unknown = 0;
            for (uint32_t b = 0; b < width; b++) {
                const struct ex_row row = ex_row(e, index, b);
                const uint64_t bit = row.v[i] >> cycle & 1;
                number |= bit << b;
                unknown |= row.u[i] >> cycle & 1;
                same &= bit ? row.v[i] : ~row.v[i];
            }
            if (!unknown)
                choose(c, v, number);
            mask[i] &= unknown ? mask[i] - 1 : ~same;
        }
}

static void look_at_mask(struct pc_core *c, const struct pc_expr *e, const struct core_vector *v,
                         const struct ex_node *by, const uint64_t *mask, size_t words)
{
    for (uint32_t k = 0; k < by->width && k < v->elements; k++) {
        const struct ex_row row = ex_row(e, by, k);
        uint64_t any = 0;
        for (size_t i = 0; i < words && !c->let[v->first + k].chosen; i++)
            any |= mask[i] & row.v[i] & ~row.u[i];
        if (any)
            choose(c, v, k);
    }
}

void core_look(struct pc_core *c, const struct pc_expr *e, const uint64_t *conditions,
               const uint64_t *choices, size_t words)
{
    struct core_watch *w = e->watch;
    bool all = true;

    for (size_t k = 0; k < w->conditions && !w->seen_all; k++) {
        struct core_condition *condition = &w->condition[k];
        if (condition->seen != SEEN_BOTH)
            condition->seen |= look_at(e, condition->node, conditions, words);
        all &= condition->seen == SEEN_BOTH;
    }
    w->seen_all = all;
    for (size_t k = 0; k < w->choices; k++) {
        const struct core_choice *choice = &w->choice[k];
        const struct ex_node *by = &e->node[choice->by];
        uint64_t mask[CORE_WORDS];
        memcpy(mask, choices, words * sizeof *mask);
        leave_counted(e, choice->node, mask, words);
        if (e->node[choice->node].op == EX_INDEX)
            look_at_index(c, e, &c->vector[choice->vector], by, mask, words);
        else
            look_at_mask(c, e, &c->vector[choice->vector], by, mask, words);
    }
}

/* The register's value is another one than at the edge before, both out of reset. */
void core_look_at_moves(struct pc_core *c, struct core_register *r, size_t words)
{
    for (uint32_t b = 0; b < r->width && !r->moved; b++) {
        const uint32_t wire = core_wire(c, r, b);
        const uint64_t *v = c->value[wire];
        uint64_t any = 0, before = c->before[wire] & 1, ran = c->first > 0 && !c->reset_before;
        for (size_t i = 0; i < words; i++) {
            any |= (v[i] ^ (v[i] << 1 | before)) & c->running[i] & (c->running[i] << 1 | ran);
            before = v[i] >> 63;
            ran = c->running[i] >> 63;
        }
        r->moved = any != 0;
    }
}

void core_watch_save(struct pc_core *c)
{
    for (size_t k = 0; k < c->conditions; k++)
        c->condition[k].saved = c->condition[k].seen;
    for (size_t i = 0; i < c->lets; i++)
        c->let[i].saved_chosen = c->let[i].chosen;
}

void core_watch_restore(struct pc_core *c)
{
    for (size_t k = 0; k < c->conditions; k++)
        c->condition[k].seen = c->condition[k].saved;
    for (size_t i = 0; i < c->lets; i++)
        c->let[i].chosen = c->let[i].saved_chosen;
    for (size_t i = 0; i < c->watches; i++)
        c->watch[i].seen_all = false;
}

/* ---- what is told ---- */

struct telling {
    pc_core_untried_fn *take;
    void *ctx;
};

static void tell_condition(const struct telling *t, const struct core_watch *w, size_t k)
{
    const struct ex_node *n = &w->expr->node[w->condition[k].node];
    struct pc_core_untried untried = { .what = PC_CORE_NEVER_TRUE,
                                       .place = w->place,
                                       .text = w->expr->text + n->begin,
                                       .length = n->end - n->begin };

    if (!(w->condition[k].seen & SEEN_TRUE))
        t->take(t->ctx, &untried);
    untried.what = PC_CORE_NEVER_FALSE;
    if (!(w->condition[k].seen & SEEN_FALSE))
        t->take(t->ctx, &untried);
}

/* Else its value is not needed, and was not calculated. */
static bool has_value(const struct core_register *r)
{
    return r->design || core_is_stepped(r);
}

/* Leaves out the parts of a rule that never acted, and the terms of a condition that was never
 * false. */
static void tell_conditions(const struct pc_core *c, const struct telling *t,
                            const struct core_watch *w)
{
    const bool of_value = w->place.what == PC_CORE_VALUE;
    const bool of_rule = w->place.what == PC_CORE_WHEN || of_value;
    const struct core_register *r = of_rule ? &c->reg[w->place.item] : NULL;
    size_t k = 0;

    if (of_rule && r->rule[w->place.part].acted == 0)
        return;
    if (of_value && !has_value(r))
        return;
    if (w->of_when > 0 && !(w->condition[0].seen & SEEN_FALSE)) {
        tell_condition(t, w, 0);
        k = w->of_when;
    } else if (w->of_when > 0) {
        k = 1; /* it was true where the rule acted */
    }
    for (; k < w->conditions; k++)
        tell_condition(t, w, k);
}

void pc_core_get_untried(const struct pc_core *c, pc_core_untried_fn *take, void *ctx)
{
    const struct telling t = { take, ctx };

    for (size_t i = 0; i < c->regs; i++)
        if (!c->reg[i].moved && has_value(&c->reg[i]))
            take(ctx, &(struct pc_core_untried){ .what = PC_CORE_NEVER_MOVED,
                                                 .place = { PC_CORE_WIDTH_OF, i, 0 },
                                                 .text = c->reg[i].name,
                                                 .length = strlen(c->reg[i].name) });
    for (size_t i = 0; i < c->lets; i++) {
        const struct core_let *let = &c->let[i];
        if (let->place.what == PC_CORE_VECTOR && c->vector[let->place.item].chosen_from &&
            !let->chosen)
            take(ctx, &(struct pc_core_untried){ .what = PC_CORE_NEVER_CHOSEN,
                                                 .place = let->place,
                                                 .text = let->value->text,
                                                 .length = strlen(let->value->text) });
    }
    for (size_t i = 0; i < c->watches; i++)
        tell_conditions(c, &t, &c->watch[i]);
}
