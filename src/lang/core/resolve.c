/* SPDX-License-Identifier: MIT */
/* Wires for all names of a description, and planes for what is calculated. */
#include "lang/core/core.h"

#include <string.h>

void pc_core_values(struct pc_core *c, pc_expr_value_fn *value, const void *ctx)
{
    c->value_of = value;
    c->value_ctx = ctx;
}

struct resolver {
    struct pc_core *c;
    struct core_lookup names;
    struct pc_core_place *place;
    struct pc_error *err;
};

static enum pc_status no_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "out of memory for the description of a core");
}

static void put_place(const struct resolver *r, enum pc_core_text what, size_t item, size_t part)
{
    if (!r->place)
        return;
    r->place->what = what;
    r->place->item = item;
    r->place->part = part;
}

static enum pc_status resolve(struct resolver *r, struct pc_expr *e)
{
    const struct ex_names names = { core_look_up, core_elements, &r->names };

    r->names.stepped = false;
    e->scratch = r->c->many ? &r->c->room : NULL;
    pc_expr_values(e, r->c->value_of, r->c->value_ctx);
    return ex_resolve(e, &names, r->err);
}

static enum pc_status resolve_bit(struct resolver *r, struct pc_expr *e)
{
    enum pc_status status = e ? resolve(r, e) : PC_OK;

    if (status || !e || ex_root(e)->width == 1)
        return status;
    status = EX_FAIL(r->err, 306, 0, "this has %u bits where one is needed", ex_root(e)->width);
    if (r->err)
        pc_hint(r->err, "compare it (... != 0), or name one bit");
    return status;
}

/* --- what the design shows --- */

static enum pc_status look_at_design(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                                     size_t *count, bool *is_signed, struct pc_error *err)
{
    struct core_lookup *l = ctx;
    int32_t low;

    *is_signed = false;
    enum pc_status status = l->signal(l->ctx, name, wires, capacity, count, &low, err);
    for (size_t i = 0; status == PC_OK && i < *count && i < capacity; i++)
        if (wires[i] >= l->core->wires)
            l->core->wires = (size_t)wires[i] + 1;
    return status;
}

/* Signals joined by {}, with numbers among them. */
static bool is_plain(const struct pc_expr *e)
{
    bool any = false;

    for (size_t i = 0; i < e->nodes; i++) {
        const enum ex_op op = e->node[i].op;
        any |= op == EX_NAME;
        if (op != EX_NAME && op != EX_CAT && op != EX_LITERAL)
            return false;
    }
    return any;
}

/* Takes the wires of "is": a name, or names and numbers in {}, the highest first. */
static enum pc_status take_design(struct resolver *r, struct core_register *reg)
{
    const struct pc_expr *e = reg->is;
    const uint32_t width = ex_root(e)->width;
    uint32_t n = 0;

    if (!is_plain(e))
        return pc_fail_at(r->err, 1905, 1, 1,
                          "what a register is compared with is a signal, or signals and numbers "
                          "in {}, as \"{hi, 1'b0, lo}\"");
    if (reg->width > width) {
        const enum pc_status status =
            pc_fail_at(r->err, 1905, 1, 1, "%s has %u bits, and what it is compared with %u",
                       reg->name, reg->width, width);
        if (r->err)
            pc_hint(r->err, "write width: %u, or join more bits: is: \"{hi, lo}\"", width);
        return status;
    }
    reg->design = pc_calloc(&r->c->alloc, reg->width, sizeof *reg->design);
    if (!reg->design)
        return no_memory(r->err);
    for (size_t i = e->nodes; i-- > 0;) {
        const struct ex_node *node = &e->node[i];
        for (uint32_t b = 0; node->op != EX_CAT && b < node->width; b++, n++)
            if (n < reg->width)
                reg->design[n] =
                    node->op == EX_NAME
                        ? e->wire[node->first_wire + b]
                        : CORE_OWN | (r->c->constant + e->literal_bits[node->data + b]);
    }
    return PC_OK;
}

static enum pc_status find_design(struct resolver *r)
{
    const struct ex_names names = { look_at_design, NULL, &r->names };
    struct pc_core *c = r->c;
    uint32_t bits = 0;

    c->constant = (uint32_t)c->own;
    c->own += 2;
    for (size_t i = 0; i < c->regs; i++) {
        struct core_register *reg = &c->reg[i];
        put_place(r, PC_CORE_WIDTH_OF, i, 0);
        if (reg->width > EX_MAX_BITS - bits)
            return pc_fail(r->err, 1904, "the registers have more than %d bits", EX_MAX_BITS);
        bits += reg->width;
        if (reg->stepped) {
            reg->state = (uint32_t)c->own;
            c->own += reg->width;
        }
        put_place(r, PC_CORE_IS, i, 0);
        enum pc_status status = reg->is ? ex_resolve(reg->is, &names, r->err) : PC_OK;
        if (status == PC_OK && reg->is)
            status = take_design(r, reg);
        if (status)
            return status;
        put_place(r, PC_CORE_RESET_VALUE, i, 0);
        if (reg->reset)
            status = ex_resolve(reg->reset, &names, r->err);
        if (status)
            return status;
    }
    c->words = bits > CORE_MANY_BITS || c->many ? 1 : CORE_WORDS;
    return PC_OK;
}

/* Checks that no bit of the design is two registers. */
static enum pc_status check_driven_once(struct resolver *r)
{
    struct pc_core *c = r->c;
    const size_t wires = c->wires ? c->wires : 1;
    size_t *by = pc_calloc(&c->alloc, wires, sizeof *by); /* 1 + the register */
    enum pc_status status = by ? PC_OK : no_memory(r->err);

    for (size_t i = 0; i < c->regs && status == PC_OK; i++)
        for (uint32_t b = 0; c->reg[i].design && b < c->reg[i].width && status == PC_OK; b++) {
            if (c->reg[i].design[b] & CORE_OWN)
                continue;
            size_t *first = &by[c->reg[i].design[b]];
            if (*first) {
                put_place(r, PC_CORE_IS, i, 0);
                status = pc_fail(r->err, 1905, "%s and %s are compared with the same bits",
                                 c->reg[*first - 1].name, c->reg[i].name);
                if (r->err)
                    pc_hint(r->err, "give %s other bits, is: SIGNAL, or is: none", c->reg[i].name);
            }
            *first = i + 1;
        }
    pc_free(&c->alloc, by, wires * sizeof *by);
    return status;
}

/* --- lets, vectors, rules, checks --- */

/* Places its planes, once all its elements have their widths. */
static void place_vector(struct pc_core *c, struct core_vector *v)
{
    v->bits = 0;
    v->stepped = false;
    for (size_t k = v->first; k < v->first + v->elements; k++) {
        if (c->let[k].width == 0)
            return;
        if (c->let[k].width > v->bits)
            v->bits = c->let[k].width;
        v->stepped |= c->let[k].stepped;
    }
    v->plane = (uint32_t)c->own;
    c->own += v->elements * v->bits;
    for (size_t k = 0; k < v->elements; k++)
        c->let[v->first + k].plane = v->plane + (uint32_t)k * v->bits;
}

static enum pc_status resolve_lets(struct resolver *r)
{
    struct pc_core *c = r->c;

    for (size_t i = 0; i < c->lets; i++)
        c->let[i].width = 0;
    for (size_t i = 0; i < c->lets; i++) {
        struct core_let *let = &c->let[c->order[i]];
        if (r->place)
            *r->place = let->place;
        enum pc_status status = resolve(r, let->value);
        if (status)
            return status;
        let->width = ex_root(let->value)->width;
        let->stepped = r->names.stepped;
        if (let->place.what == PC_CORE_LET) {
            let->plane = (uint32_t)c->own;
            c->own += let->width;
        } else {
            place_vector(c, &c->vector[let->place.item]);
        }
        if (c->own > EX_MAX_BITS)
            return pc_fail(r->err, 1904, "the lets and vectors have more than %d bits",
                           EX_MAX_BITS);
    }
    /* an element has its place since its whole vector has: names of some looked elsewhere */
    enum pc_status status = PC_OK;
    for (size_t i = 0; i < c->lets && status == PC_OK; i++)
        status = resolve(r, c->let[c->order[i]].value);
    return status;
}

static enum pc_status resolve_rules(struct resolver *r)
{
    struct pc_core *c = r->c;

    for (size_t i = 0; i < c->regs; i++)
        for (size_t k = 0; k < c->reg[i].rules; k++) {
            struct core_rule *rule = &c->reg[i].rule[k];
            put_place(r, PC_CORE_WHEN, i, k);
            enum pc_status status = resolve_bit(r, rule->when);
            if (status)
                return status;
            put_place(r, PC_CORE_VALUE, i, k);
            status = rule->value ? resolve(r, rule->value) : PC_OK;
            if (status)
                return status;
        }
    return PC_OK;
}

static enum pc_status resolve_checks(struct resolver *r)
{
    struct pc_core *c = r->c;

    for (size_t i = 0; i < c->checks; i++) {
        put_place(r, PC_CORE_CHECK_WHEN, i, 0);
        enum pc_status status = resolve_bit(r, c->check[i].when);
        if (status)
            return status;
        put_place(r, PC_CORE_CHECK_THAT, i, 0);
        status = resolve_bit(r, c->check[i].that);
        if (status)
            return status;
    }
    return PC_OK;
}

static enum pc_status resolve_reset(struct resolver *r)
{
    put_place(r, PC_CORE_RESET, 0, 0);
    enum pc_status status = resolve_bit(r, r->c->reset);
    if (status || !r->c->reset)
        return status;
    for (size_t i = 0; i < r->c->reset->wires; i++)
        if (r->c->reset->wire[i] & CORE_OWN)
            return pc_fail_at(r->err, 1906, 1, 1,
                              "reset is an expression of signals, not of registers or lets");
    return PC_OK;
}

/* --- planes --- */

static bool make_planes(const struct pc_core *c, struct core_planes *p, size_t count)
{
    p->v = pc_calloc(&c->alloc, count * c->words + 1, sizeof *p->v);
    p->u = pc_calloc(&c->alloc, count * c->words + 1, sizeof *p->u);
    return p->v && p->u;
}

static void drop_planes(const struct pc_core *c, struct core_planes *p, size_t count)
{
    pc_free(&c->alloc, p->v, (count * c->words + 1) * sizeof *p->v);
    pc_free(&c->alloc, p->u, (count * c->words + 1) * sizeof *p->u);
    p->v = p->u = NULL;
}

/* Calls the function for each expression once. */
static void each_expression(struct pc_core *c, void (*take)(struct pc_core *c, struct pc_expr *e))
{
    for (size_t i = 0; i < c->lets; i++)
        take(c, c->let[i].value);
    for (size_t i = 0; i < c->regs; i++)
        for (size_t k = 0; k < c->reg[i].rules; k++) {
            if (c->reg[i].rule[k].when)
                take(c, c->reg[i].rule[k].when);
            if (c->reg[i].rule[k].value)
                take(c, c->reg[i].rule[k].value);
        }
    for (size_t i = 0; i < c->checks; i++) {
        if (c->check[i].when)
            take(c, c->check[i].when);
        take(c, c->check[i].that);
    }
}

/* Planes of the core come after those of the caller. */
static void number(const struct pc_core *c, uint32_t *wire, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wire[i] & CORE_OWN)
            wire[i] = (uint32_t)(c->wires + (wire[i] & ~CORE_OWN));
}

static void number_wires(struct pc_core *c, struct pc_expr *e)
{
    number(c, e->wire, e->wires);
}

static void count_history(struct pc_core *c, struct pc_expr *e)
{
    (void)e;
    c->histories += pc_expr_looks_back(e);
}

static void add_history(struct pc_core *c, struct pc_expr *e)
{
    if (pc_expr_looks_back(e))
        c->history[c->histories++].expr = e;
}

static bool make_histories(struct pc_core *c)
{
    c->histories = 0;
    each_expression(c, count_history);
    c->history = pc_calloc(&c->alloc, c->histories + 1, sizeof *c->history);
    if (!c->history)
        return false;
    c->histories = 0;
    each_expression(c, add_history);
    for (size_t i = 0; i < c->histories; i++) {
        c->history[i].saved = pc_calloc(&c->alloc, c->history[i].expr->histories, 1);
        c->history[i].after = pc_calloc(&c->alloc, c->history[i].expr->histories, 1);
        if (!c->history[i].saved || !c->history[i].after)
            return false;
    }
    return true;
}

static bool make_register_planes(const struct pc_core *c, struct core_register *r)
{
    r->carry_v = pc_calloc(&c->alloc, r->width, sizeof *r->carry_v);
    r->carry_u = pc_calloc(&c->alloc, r->width, sizeof *r->carry_u);
    r->unset = pc_calloc(&c->alloc, r->width, 1);
    r->own = pc_calloc(&c->alloc, r->width, 1);
    r->saved_v = pc_calloc(&c->alloc, r->width, sizeof *r->saved_v);
    r->saved_u = pc_calloc(&c->alloc, r->width, sizeof *r->saved_u);
    r->saved_unset = pc_calloc(&c->alloc, r->width, 1);
    r->acts = pc_calloc(&c->alloc, r->rules * c->words, sizeof *r->acts);
    for (size_t k = 0; r->acts && k < r->rules; k++)
        r->rule[k].acts = r->acts + k * c->words;
    r->written_value = pc_calloc(&c->alloc, CORE_VALUE_WORDS, sizeof *r->written_value);
    return make_planes(c, &r->next, r->width) && r->carry_v && r->carry_u && r->unset && r->own &&
           r->saved_v && r->saved_u && r->saved_unset && r->written_value && r->acts;
}

static enum pc_status make_all_planes(struct pc_core *c, struct pc_error *err)
{
    const size_t all = c->wires + c->own + 1;
    bool ok = make_planes(c, &c->plane, c->own) && make_planes(c, &c->scratch, PC_CORE_WIDTH) &&
              make_planes(c, &c->step, PC_CORE_WIDTH) && make_histories(c);

    c->value = pc_calloc(&c->alloc, all, sizeof *c->value);
    c->unknown = pc_calloc(&c->alloc, all, sizeof *c->unknown);
    c->before = pc_calloc(&c->alloc, all, 1);
    c->zero = pc_calloc(&c->alloc, c->words, sizeof *c->zero);
    ok = ok && c->value && c->unknown && c->before && c->zero && core_watch_all(c);
    for (size_t i = 0; i < c->regs && ok; i++)
        ok = make_register_planes(c, &c->reg[i]);
    if (!ok)
        return no_memory(err);
    for (size_t i = 0; i < c->own; i++) {
        c->value[c->wires + i] = c->plane.v + i * c->words;
        c->unknown[c->wires + i] = c->plane.u + i * c->words;
    }
    memset(c->plane.v + (c->constant + 1) * c->words, 0xff, c->words * sizeof *c->plane.v);
    return PC_OK;
}

void core_free_planes(struct pc_core *c)
{
    const size_t all = c->wires + c->own + 1;

    for (size_t i = 0; i < c->regs; i++) {
        struct core_register *r = &c->reg[i];
        drop_planes(c, &r->next, r->width);
        pc_free(&c->alloc, r->design, r->width * sizeof *r->design);
        pc_free(&c->alloc, r->carry_v, r->width * sizeof *r->carry_v);
        pc_free(&c->alloc, r->carry_u, r->width * sizeof *r->carry_u);
        pc_free(&c->alloc, r->unset, r->width);
        pc_free(&c->alloc, r->own, r->width);
        pc_free(&c->alloc, r->acts, r->rules * c->words * sizeof *r->acts);
        pc_free(&c->alloc, r->saved_v, r->width * sizeof *r->saved_v);
        pc_free(&c->alloc, r->saved_u, r->width * sizeof *r->saved_u);
        pc_free(&c->alloc, r->saved_unset, r->width);
        pc_free(&c->alloc, r->written_value, CORE_VALUE_WORDS * sizeof *r->written_value);
        r->design = NULL;
        r->acts = NULL;
        r->carry_v = r->carry_u = r->written_value = r->saved_v = r->saved_u = NULL;
        r->unset = r->saved_unset = r->own = NULL;
    }
    for (size_t i = 0; c->history && i < c->histories; i++) {
        pc_free(&c->alloc, c->history[i].saved, c->history[i].expr->histories);
        pc_free(&c->alloc, c->history[i].after, c->history[i].expr->histories);
    }
    pc_free(&c->alloc, c->history, (c->histories + 1) * sizeof *c->history);
    pc_free(&c->alloc, c->room.value, c->room.planes * sizeof *c->room.value);
    pc_free(&c->alloc, c->room.unknown, c->room.planes * sizeof *c->room.unknown);
    c->room = (struct ex_scratch){ .planes = 0 };
    core_watch_free(c);
    drop_planes(c, &c->plane, c->own);
    drop_planes(c, &c->scratch, PC_CORE_WIDTH);
    drop_planes(c, &c->step, PC_CORE_WIDTH);
    pc_free(&c->alloc, c->value, all * sizeof *c->value);
    pc_free(&c->alloc, c->unknown, all * sizeof *c->unknown);
    pc_free(&c->alloc, c->before, all);
    pc_free(&c->alloc, c->zero, c->words * sizeof *c->zero);
    pc_free(&c->alloc, c->order, (c->lets ? c->lets : 1) * sizeof *c->order);
    c->history = NULL;
    c->value = c->unknown = NULL;
    c->before = NULL;
    c->zero = NULL;
    c->order = NULL;
}

static size_t count_expressions(const struct pc_core *c)
{
    size_t count = c->lets + 2 * c->checks;

    for (size_t i = 0; i < c->regs; i++)
        count += 2 * c->reg[i].rules;
    return count;
}

enum pc_status pc_core_resolve(struct pc_core *c, pc_core_lookup_fn *lookup, void *ctx,
                               struct pc_core_place *place, struct pc_error *err)
{
    struct resolver r = { c, { c, lookup, ctx, false }, place, err };

    if (c->order)
        return pc_fail(err, 307, "the names of a core are looked up once");
    c->order = pc_calloc(&c->alloc, c->lets ? c->lets : 1, sizeof *c->order);
    c->many = count_expressions(c) > CORE_MANY;
    enum pc_status status = core_order_lets(c, place, err);
    if (status == PC_OK)
        status = find_design(&r);
    if (status == PC_OK)
        status = check_driven_once(&r);
    if (status == PC_OK)
        status = resolve_lets(&r);
    if (status == PC_OK)
        status = resolve_rules(&r);
    if (status == PC_OK)
        status = resolve_checks(&r);
    if (status == PC_OK)
        status = resolve_reset(&r);
    if (status)
        return status;
    each_expression(c, number_wires);
    for (size_t i = 0; i < c->regs; i++) {
        if (c->reg[i].design)
            number(c, c->reg[i].design, c->reg[i].width);
        c->steps |= core_is_stepped(&c->reg[i]);
    }
    status = make_all_planes(c, err);
    c->resolved = status == PC_OK;
    return status;
}
