/* SPDX-License-Identifier: MIT */
/* Differences in the order of their edges, and what led to them. */
#include "lang/core/core.h"

#include <stdio.h>
#include <string.h>

enum { DESIGN, MODEL, BEFORE, WRITTEN, TERM };

static void put_bit(struct pc_core *c, int what, uint32_t bit, uint64_t v, uint64_t u)
{
    c->text[what][0][bit / 64] |= (v & ~u & 1) << bit % 64;
    c->text[what][1][bit / 64] |= (u & 1) << bit % 64;
}

static struct pc_core_value begin(struct pc_core *c, int what, uint32_t width)
{
    memset(c->text[what], 0, sizeof c->text[what]);
    return (struct pc_core_value){ width, c->text[what][0], c->text[what][1] };
}

/* Reads a wire at the edge before cycle t of the part. */
static void before(struct pc_core *c, int what, uint32_t bit, uint32_t wire, size_t t)
{
    if (t > 0)
        put_bit(c, what, bit, core_bit(c->value[wire], t - 1), core_bit(c->unknown[wire], t - 1));
    else
        put_bit(c, what, bit, c->before[wire] & 1, c->before[wire] >> 1);
}

/* Reads the model's value in cycle t, which it made in the cycle before. */
static void model(struct pc_core *c, int what, const struct core_register *r, uint32_t b, size_t t)
{
    const uint64_t *v = core_next_v(c, r, b), *u = core_next_u(c, r, b);

    if (r->stepped)
        put_bit(c, what, b, core_bit(v, t), core_bit(u, t));
    else if (core_bit(c->between, t))
        put_bit(c, what, b, core_reset_bit(r, b), 0);
    else if (t > 0)
        put_bit(c, what, b, core_bit(v, t - 1), core_bit(u, t - 1));
    else
        put_bit(c, what, b, r->carry_v[b], r->carry_u[b]);
}

/* Returns the rule that acted last in the cycle before t. */
static size_t rule_before(const struct core_register *r, size_t t)
{
    size_t last = PC_CORE_NO_RULE;

    if (t == 0)
        return r->last_rule;
    for (size_t k = 0; k < r->rules; k++)
        if (core_bit(r->rule[k].acts, t - 1))
            last = k;
    return last;
}

/* Returns the last cycle before t in which a bit of the words is 1; SIZE_MAX: none. */
static size_t last_one(const uint64_t *words, size_t t)
{
    for (size_t at = t; at > 0;) {
        const size_t w = (at - 1) / 64, bits = at - 64 * w;
        const uint64_t some = bits == 64 ? words[w] : words[w] & ((UINT64_C(1) << bits) - 1);
        if (some)
            return 64 * w + 63 - (unsigned)__builtin_clzll(some);
        at = 64 * w;
    }
    return SIZE_MAX;
}

static size_t last_write(const struct core_register *r, size_t t)
{
    size_t last = SIZE_MAX;

    for (size_t k = 0; k < r->rules; k++) {
        const size_t at =
            r->rule[k].action == PC_CORE_SET ? last_one(r->rule[k].acts, t) : SIZE_MAX;
        if (at != SIZE_MAX && (last == SIZE_MAX || at > last))
            last = at;
    }
    return last;
}

/* Returns where a reset was last seen before t: at an edge, or before one. */
static size_t last_reset(const struct pc_core *c, size_t t)
{
    const size_t at = last_one(c->in_reset, t), between = last_one(c->between, t);

    return between != SIZE_MAX && (at == SIZE_MAX || between > at) ? between : at;
}

/* Reports the value of the last rule that set the register, before cycle t. */
static void tell_write(struct pc_core *c, const struct core_register *r, size_t t,
                       struct pc_core_difference *d)
{
    const size_t at = last_write(r, t), reset = last_reset(c, t);

    d->written_value = begin(c, WRITTEN, r->width);
    if (at != SIZE_MAX && (reset == SIZE_MAX || reset <= at)) {
        d->written = true;
        d->written_edge = c->first + at;
        for (uint32_t b = 0; b < r->width; b++)
            if (at + 1 < c->cycles || !r->stepped)
                put_bit(c, WRITTEN, b, core_bit(core_next_v(c, r, b), r->stepped ? at + 1 : at),
                        core_bit(core_next_u(c, r, b), r->stepped ? at + 1 : at));
            else
                put_bit(c, WRITTEN, b, r->carry_v[b], r->carry_u[b]);
    } else if (at == SIZE_MAX && reset == SIZE_MAX && r->written) {
        d->written = true;
        d->written_edge = r->written_edge;
        memcpy(c->text[WRITTEN][0], r->written_value, CORE_VALUE_WORDS * sizeof(uint64_t));
    }
}

static bool tell_register(struct pc_core *c, size_t i, size_t t, const struct pc_core_watch *watch)
{
    struct core_register *r = &c->reg[i];
    struct pc_core_difference d = { .edge = c->first + t, .item = i };

    d.design = begin(c, DESIGN, r->width);
    d.model = begin(c, MODEL, r->width);
    d.before = begin(c, BEFORE, r->width);
    for (uint32_t b = 0; b < r->width; b++) {
        put_bit(c, DESIGN, b, core_bit(c->value[r->design[b]], t),
                core_bit(c->unknown[r->design[b]], t));
        model(c, MODEL, r, b, t);
        before(c, BEFORE, b, core_wire(c, r, b), t);
    }
    d.was_reset = core_bit(c->between, t) ||
                  (t > 0 ? core_bit(c->in_reset, t - 1) : c->reset_before || c->first == 0);
    d.rule = d.was_reset ? PC_CORE_NO_RULE : rule_before(r, t);
    tell_write(c, r, t, &d);
    if (watch->takes && watch->takes(watch->ctx, &d)) {
        r->compared[t / 64] &= ~(UINT64_C(1) << t % 64);
        return true;
    }
    r->figures.differences++;
    return watch->differs(watch->ctx, &d);
}

/* Reports the sides of a == b, from the whole part once more, as it began. */
static void tell_sides(struct pc_core *c, struct pc_expr *e, size_t t, struct pc_core_difference *d)
{
    const struct ex_node *root = ex_root(e);

    if (root->op != EX_EQ)
        return;
    const size_t word = core_evaluate_at(c, e, t);
    for (int side = 0; side < 2; side++) {
        const struct ex_node *n = &e->node[root->child[side]];
        struct pc_core_value *out = side == 0 ? &d->design : &d->model;
        *out = begin(c, side == 0 ? DESIGN : MODEL, n->width);
        for (uint32_t b = 0; b < n->width; b++) {
            const struct ex_row row = ex_row(e, n, b);
            put_bit(c, side == 0 ? DESIGN : MODEL, b, row.v[word] >> t % 64, row.u[word] >> t % 64);
        }
    }
}

static bool tell_check(struct pc_core *c, size_t i, size_t t, const struct pc_core_watch *watch)
{
    struct pc_core_difference d = {
        .edge = c->first + t, .of_check = true, .item = i, .rule = PC_CORE_NO_RULE
    };

    c->check[i].figures.differences++;
    tell_sides(c, c->check[i].that, t, &d);
    return watch->differs(watch->ctx, &d);
}

static bool tell_cycle(struct pc_core *c, size_t t, const struct pc_core_watch *watch)
{
    c->told_edge = t;
    for (size_t i = 0; i < c->regs; i++)
        if (core_bit(c->reg[i].differs, t) && !tell_register(c, i, t, watch))
            return false;
    for (size_t i = 0; i < c->checks; i++)
        if (core_bit(c->check[i].fails, t) && !tell_check(c, i, t, watch))
            return false;
    return true;
}

enum pc_status core_tell(struct pc_core *c, const struct pc_core_watch *watch)
{
    for (size_t w = 0; 64 * w < c->cycles; w++) {
        uint64_t any = 0;
        for (size_t i = 0; i < c->regs; i++)
            any |= c->reg[i].differs[w];
        for (size_t i = 0; i < c->checks; i++)
            any |= c->check[i].fails[w];
        for (; any; any &= any - 1)
            if (!tell_cycle(c, 64 * w + (unsigned)__builtin_ctzll(any), watch))
                return PC_END;
    }
    return PC_OK;
}

/* --- what the next part needs --- */

static void keep_write(struct pc_core *c, struct core_register *r)
{
    struct pc_core_difference d = { 0 };

    tell_write(c, r, c->cycles, &d);
    r->written = d.written;
    r->written_edge = d.written_edge;
    memcpy(r->written_value, c->text[WRITTEN][0], CORE_VALUE_WORDS * sizeof(uint64_t));
}

void core_keep(struct pc_core *c)
{
    const size_t last = c->cycles - 1;

    for (size_t i = 0; i < c->wires + c->own; i++)
        c->before[i] = (uint8_t)(core_bit(c->value[i], last) | core_bit(c->unknown[i], last) << 1);
    for (size_t i = 0; i < c->regs; i++) {
        struct core_register *r = &c->reg[i];
        keep_write(c, r);
        r->last_rule = rule_before(r, c->cycles);
        for (uint32_t b = 0; b < r->width && !r->stepped; b++) {
            r->carry_v[b] = core_bit(core_next_v(c, r, b), last);
            r->carry_u[b] = core_bit(core_next_u(c, r, b), last);
        }
    }
}

/* --- other registers --- */

void pc_core_get_model(struct pc_core *c, size_t reg, struct pc_core_value *out)
{
    *out = begin(c, TERM, c->reg[reg].width);
    for (uint32_t b = 0; b < out->width; b++)
        model(c, TERM, &c->reg[reg], b, c->told_edge);
}

void pc_core_get_value(struct pc_core *c, size_t reg, bool was, struct pc_core_value *out)
{
    const size_t t = c->told_edge;

    *out = begin(c, TERM, c->reg[reg].width);
    for (uint32_t b = 0; b < out->width; b++) {
        const uint32_t wire = core_wire(c, &c->reg[reg], b);
        if (was)
            before(c, TERM, b, wire, t);
        else
            put_bit(c, TERM, b, core_bit(c->value[wire], t), core_bit(c->unknown[wire], t));
    }
}

bool pc_core_get_write(struct pc_core *c, size_t reg, uint64_t *edge, struct pc_core_value *out)
{
    struct pc_core_difference d = { .item = reg };
    uint64_t kept[CORE_VALUE_WORDS];

    memcpy(kept, c->text[WRITTEN][0], sizeof kept); /* of the difference that is told */
    tell_write(c, &c->reg[reg], c->told_edge, &d);
    *out = begin(c, TERM, c->reg[reg].width);
    memcpy(c->text[TERM][0], c->text[WRITTEN][0], sizeof kept);
    memcpy(c->text[WRITTEN][0], kept, sizeof kept);
    *edge = d.written_edge;
    return d.written;
}

void pc_core_get_last(struct pc_core *c, size_t reg, struct pc_core_value *out)
{
    const struct core_register *r = &c->reg[reg];

    *out = begin(c, TERM, r->width);
    for (uint32_t b = 0; b < r->width; b++)
        put_bit(c, TERM, b, r->carry_v[b], r->carry_u[b]);
}

/* v[i]: the element that was picked at the edge before; false: it is not known. */
static bool tell_element(struct pc_core *c, struct pc_expr *e, uint32_t name,
                         struct pc_core_value *out)
{
    const struct core_name *is =
        core_find_name(c, e->arena + e->node[name].data, strlen(e->arena + e->node[name].data));
    uint32_t at = name;

    while (at < e->nodes && !(e->node[at].op == EX_INDEX && e->node[at].child[0] == name))
        at++;
    if (!is || is->kind != CORE_VECTOR || at == e->nodes || c->told_edge == 0)
        return false;
    const size_t t = c->told_edge - 1, word = core_evaluate_at(c, e, t);
    const struct core_vector *v = &c->vector[is->item];
    const struct ex_node *index = &e->node[e->node[at].child[1]];
    uint64_t number = 0;
    for (uint32_t b = 0; b < index->width; b++) {
        const struct ex_row row = ex_row(e, index, b);
        if (row.u[word] >> t % 64 & 1 || (b >= 32 && row.v[word] >> t % 64 & 1))
            return false;
        number |= (row.v[word] >> t % 64 & 1) << (b & 31);
    }
    if (number >= v->elements)
        return false;
    const char *called = c->let[v->first + number].name;
    snprintf(c->element, sizeof c->element, "%.100s[%u]%s%.80s%s", v->name, (unsigned)number,
             called ? " (" : "", called ? called : "", called ? ")" : "");
    *out = begin(c, TERM, e->node[at].width);
    for (uint32_t b = 0; b < out->width; b++) {
        const struct ex_row row = ex_row(e, &e->node[at], b);
        put_bit(c, TERM, b, row.v[word] >> t % 64, row.u[word] >> t % 64);
    }
    return true;
}

bool pc_core_term(struct pc_core *c, size_t reg, size_t rule, size_t i, const char **name,
                  struct pc_core_value *out)
{
    const struct core_rule *of = &c->reg[reg].rule[rule];
    struct pc_expr *const both[] = { of->when, of->value };

    for (unsigned k = 0; k < 2; k++)
        for (size_t n = 0; both[k] && n < both[k]->nodes; n++) {
            const struct ex_node *node = &both[k]->node[n];
            if (node->op != EX_NAME || i-- > 0)
                continue;
            *name = c->element;
            if (tell_element(c, both[k], (uint32_t)n, out))
                return true;
            *name = both[k]->arena + node->data;
            *out = begin(c, TERM, node->width);
            for (uint32_t b = 0; b < node->width; b++)
                before(c, TERM, b, both[k]->wire[node->first_wire + b], c->told_edge);
            return true;
        }
    return false;
}
