/* SPDX-License-Identifier: MIT */
/* Names in a description: registers, vectors and lets first, then signals of the design. */
#include "lang/core/core.h"

#include "base/near.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const struct core_name *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static struct pc_core_place place_of(const struct pc_core *c, const struct core_name *n)
{
    const enum pc_core_text what = n->kind == CORE_REGISTER ? PC_CORE_WIDTH_OF : PC_CORE_VECTOR;

    return n->kind == CORE_LET ? c->let[n->item].place : (struct pc_core_place){ what, n->item, 0 };
}

enum pc_status core_index_names(struct pc_core *c, struct pc_core_place *place,
                                struct pc_error *err)
{
    size_t n = 0, count = c->regs + c->vectors;

    for (size_t i = 0; i < c->lets; i++)
        count += c->let[i].name != NULL;
    c->name = pc_calloc(&c->alloc, count ? count : 1, sizeof *c->name);
    if (!c->name)
        return pc_fail(err, 100, "out of memory for the description of a core");
    c->names = count;
    for (size_t i = 0; i < c->regs; i++)
        c->name[n++] = (struct core_name){ c->reg[i].name, CORE_REGISTER, i };
    for (size_t i = 0; i < c->lets; i++)
        if (c->let[i].name)
            c->name[n++] = (struct core_name){ c->let[i].name, CORE_LET, i };
    for (size_t i = 0; i < c->vectors; i++)
        c->name[n++] = (struct core_name){ c->vector[i].name, CORE_VECTOR, i };
    qsort(c->name, n, sizeof *c->name, by_name);
    for (size_t i = 1; i < n; i++)
        if (strcmp(c->name[i - 1].name, c->name[i].name) == 0) {
            if (place)
                *place = place_of(c, &c->name[i]);
            return pc_fail(err, 1905, "two things are called %s", c->name[i].name);
        }
    return PC_OK;
}

const struct core_name *core_find_name(const struct pc_core *c, const char *name, size_t length)
{
    size_t low = 0, high = c->names;

    while (low < high) {
        const size_t mid = (low + high) / 2;
        int order = strncmp(c->name[mid].name, name, length);
        if (order == 0)
            order = c->name[mid].name[length] != '\0';
        if (order == 0)
            return &c->name[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* Splits "x[3:0]" into x and its bits; false: it ends in no bracket. */
static bool split(const char *name, size_t *length, long *hi, long *lo)
{
    const size_t n = strlen(name);
    const char *open = strrchr(name, '[');
    char *end;

    if (n == 0 || name[n - 1] != ']' || !open)
        return false;
    *length = (size_t)(open - name);
    *hi = *lo = strtol(open + 1, &end, 10);
    if (*end == ':')
        *lo = strtol(end + 1, &end, 10);
    return *end == ']';
}

static enum pc_status out_of_range(const char *name, uint32_t bits, struct pc_error *err)
{
    return pc_fail(err, 1906, "%s is out of range: there are %u", name, bits);
}

/* Gives bits hi to lo of what is found, all of them for hi < 0. */
static enum pc_status give(const struct core_lookup *l, const struct core_name *n, const char *name,
                           long hi, long lo, uint32_t *wires, size_t capacity, size_t *count,
                           struct pc_error *err)
{
    const struct pc_core *c = l->core;
    const struct core_register *r = &c->reg[n->item];
    const struct core_let *let = &c->let[n->item];
    const struct core_vector *v = &c->vector[n->item];
    uint32_t bits = n->kind == CORE_REGISTER ? r->width
                    : n->kind == CORE_LET    ? let->width
                                             : (uint32_t)v->elements;

    if (hi >= 0 && (lo < 0 || lo > hi || (unsigned long)hi >= bits))
        return out_of_range(name, bits, err);
    if (hi < 0) {
        hi = (long)bits - 1;
        lo = 0;
    }
    const uint32_t each = n->kind == CORE_VECTOR ? v->bits : 1;
    bits = (uint32_t)(hi - lo + 1) * each;
    *count = bits;
    for (uint32_t i = 0; i < bits && i < capacity; i++) {
        const uint32_t bit = (uint32_t)lo * each + i;
        wires[i] = n->kind == CORE_VECTOR ? CORE_OWN | (v->plane + bit)
                   : n->kind == CORE_LET  ? CORE_OWN | (let->plane + bit)
                   : r->stepped           ? CORE_OWN | (r->state + bit)
                                          : r->design[bit];
    }
    return PC_OK;
}

static bool is_stepped(const struct pc_core *c, const struct core_name *n)
{
    return n->kind == CORE_REGISTER ? c->reg[n->item].stepped
           : n->kind == CORE_LET    ? c->let[n->item].stepped
                                    : c->vector[n->item].stepped;
}

const struct core_name *core_find_part(const struct pc_core *c, const char *name, long *hi,
                                       long *lo)
{
    const struct core_name *n = core_find_name(c, name, strlen(name));
    size_t length;

    *hi = *lo = -1;
    if (!n && split(name, &length, hi, lo))
        n = core_find_name(c, name, length);
    return n;
}

enum pc_status core_look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                            size_t *count, bool *is_signed, struct pc_error *err)
{
    struct core_lookup *l = ctx;
    struct pc_core *c = l->core;
    int32_t low;
    long hi, lo;
    const struct core_name *n = core_find_part(c, name, &hi, &lo);

    *is_signed = false; /* a comparison is one of signed numbers where $signed() says so */
    if (n) {
        l->stepped |= is_stepped(c, n);
        if (n->kind == CORE_REGISTER)
            c->reg[n->item].read = true;
        return give(l, n, name, hi, lo, wires, capacity, count, err);
    }
    enum pc_status status = l->signal(l->ctx, name, wires, capacity, count, &low, err);
    for (size_t i = 0; status == PC_OK && i < *count && i < capacity; i++)
        if (wires[i] >= c->wires)
            c->wires = (size_t)wires[i] + 1;
    return status;
}

enum pc_status core_elements(void *ctx, const char *name, uint32_t *bits, int32_t *low,
                             struct pc_error *err)
{
    struct core_lookup *l = ctx;
    uint32_t wire;
    size_t count;
    long hi, lo;
    const struct core_name *n = core_find_part(l->core, name, &hi, &lo);

    *bits = n && n->kind == CORE_VECTOR ? l->core->vector[n->item].bits : 1;
    *low = 0;
    return n ? PC_OK : l->signal(l->ctx, name, &wire, 0, &count, low, err);
}

enum pc_status pc_core_find(struct pc_core *c, const char *name, uint32_t *wires, size_t capacity,
                            size_t *count, bool *is_signed, struct pc_error *err)
{
    const struct core_lookup l = { .core = c };
    long hi, lo;
    const struct core_name *n = core_find_part(c, name, &hi, &lo);

    if (!n || !c->resolved)
        return pc_fail(err, 1907, "the description has no %s", name);
    *is_signed = n->kind == CORE_LET && hi < 0 && ex_root(c->let[n->item].value)->negative;
    enum pc_status status = give(&l, n, name, hi, lo, wires, capacity, count, err);
    for (size_t i = 0; status == PC_OK && i < *count && i < capacity; i++)
        if (wires[i] & CORE_OWN)
            wires[i] = (uint32_t)(c->wires + (wires[i] & ~CORE_OWN));
    return status;
}

static void offer(const struct pc_core *c, const struct pc_expr *e, bool of_design,
                  void (*take)(void *ctx, const char *name), void *ctx)
{
    long hi, lo;

    for (size_t i = 0; e && i < e->nodes; i++) {
        const char *name = e->arena + e->node[i].data;
        if (e->node[i].op == EX_NAME && (of_design || !core_find_part(c, name, &hi, &lo)))
            take(ctx, name);
    }
}

void pc_core_signals(const struct pc_core *c, void (*take)(void *ctx, const char *name), void *ctx)
{
    offer(c, c->reset, false, take, ctx);
    for (size_t i = 0; i < c->regs; i++)
        offer(c, c->reg[i].is, true, take, ctx);
    for (size_t i = 0; i < c->lets; i++)
        offer(c, c->let[i].value, false, take, ctx);
    for (size_t i = 0; i < c->regs; i++)
        for (size_t k = 0; k < c->reg[i].rules; k++) {
            offer(c, c->reg[i].rule[k].when, false, take, ctx);
            offer(c, c->reg[i].rule[k].value, false, take, ctx);
        }
    for (size_t i = 0; i < c->checks; i++) {
        offer(c, c->check[i].when, false, take, ctx);
        offer(c, c->check[i].that, false, take, ctx);
    }
}

/* --- what a let needs stands before it --- */

enum { NEW, OPEN, DONE };

static const char *shown(const struct pc_core *c, size_t i)
{
    const struct core_let *let = &c->let[i];

    return let->name ? let->name : c->vector[let->place.item].name;
}

/* Returns the next let that let i needs and that is not done, from name *at on; SIZE_MAX: none. */
static size_t needs(const struct pc_core *c, size_t i, size_t *at, const uint8_t *state)
{
    const struct pc_expr *e = c->let[i].value;

    for (; *at < e->nodes; ++*at) {
        long hi, lo;
        const struct core_name *n = e->node[*at].op == EX_NAME
                                        ? core_find_part(c, e->arena + e->node[*at].data, &hi, &lo)
                                        : NULL;
        if (!n || n->kind == CORE_REGISTER)
            continue;
        const size_t first = n->kind == CORE_LET ? n->item : c->vector[n->item].first;
        const size_t count = n->kind == CORE_LET ? 1 : c->vector[n->item].elements;
        for (size_t k = first; k < first + count; k++)
            if (state[k] != DONE)
                return k;
    }
    return SIZE_MAX;
}

static enum pc_status order(struct pc_core *c, uint8_t *state, size_t *stack, size_t *at,
                            struct pc_core_place *place, struct pc_error *err)
{
    size_t done = 0;

    for (size_t root = 0; root < c->lets; root++) {
        size_t depth = 0;
        if (state[root] != NEW)
            continue;
        stack[depth++] = root;
        state[root] = OPEN;
        at[root] = 0;
        while (depth > 0) {
            const size_t i = stack[depth - 1], need = needs(c, i, &at[i], state);
            if (need == SIZE_MAX) {
                state[i] = DONE;
                c->order[done++] = i;
                depth--;
            } else if (state[need] == OPEN) {
                if (place)
                    *place = c->let[i].place;
                return pc_fail(err, 1906, "%s needs %s, which needs it: a circle", shown(c, i),
                               shown(c, need));
            } else {
                state[need] = OPEN;
                at[need] = 0;
                stack[depth++] = need;
            }
        }
    }
    return PC_OK;
}

enum pc_status core_order_lets(struct pc_core *c, struct pc_core_place *place, struct pc_error *err)
{
    const size_t n = c->lets ? c->lets : 1;
    uint8_t *state = pc_calloc(&c->alloc, n, 1);
    size_t *stack = pc_calloc(&c->alloc, n, sizeof *stack);
    size_t *at = pc_calloc(&c->alloc, n, sizeof *at);
    enum pc_status status = state && stack && at && c->order
                                ? order(c, state, stack, at, place, err)
                                : pc_fail(err, 100, "out of memory for the description of a core");

    pc_free(&c->alloc, state, n);
    pc_free(&c->alloc, stack, n * sizeof *stack);
    pc_free(&c->alloc, at, n * sizeof *at);
    return status;
}
