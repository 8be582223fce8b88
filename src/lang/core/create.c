/* SPDX-License-Identifier: MIT */
/* Texts of a description to expressions. */
#include "lang/core/core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum pc_status no_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "out of memory for the description of a core");
}

static void put_place(struct pc_core_place *place, enum pc_core_text what, size_t item, size_t part)
{
    if (!place)
        return;
    place->what = what;
    place->item = item;
    place->part = part;
}

/* Code 1905, and what to type. */
static PC_PRINTF(3, 4) enum pc_status
    fail(struct pc_error *err, const char *hint, const char *fmt, ...)
{
    char text[sizeof err->text];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const enum pc_status status = pc_fail(err, 1905, "%s", text);
    if (err)
        pc_hint(err, "%s", hint);
    return status;
}

static void *array(struct pc_core *c, size_t count, size_t size)
{
    return pc_calloc(&c->alloc, count ? count : 1, size);
}

static char *copy(struct pc_core *c, const char *text)
{
    char *out = array(c, strlen(text) + 1, 1);

    if (out)
        memcpy(out, text, strlen(text) + 1);
    return out;
}

static void free_text(struct pc_core *c, char *text)
{
    if (text)
        pc_free(&c->alloc, text, strlen(text) + 1);
}

/* NULL stays NULL. */
static enum pc_status parse(struct pc_core *c, const char *text, struct pc_expr **out,
                            struct pc_error *err)
{
    return text ? ex_parse_rule(&c->alloc, text, out, err) : PC_OK;
}

static enum pc_status make_lets(struct pc_core *c, const struct pc_core_desc *d,
                                struct pc_core_place *place, struct pc_error *err)
{
    size_t next = 0;

    for (size_t i = 0; i < d->lets; i++, next++) {
        struct core_let *let = &c->let[next];
        put_place(&let->place, PC_CORE_LET, i, 0);
        put_place(place, PC_CORE_LET, i, 0);
        let->name = copy(c, d->let[i].name);
        if (!let->name)
            return no_memory(err);
        enum pc_status status = parse(c, d->let[i].value, &let->value, err);
        if (status)
            return status;
    }
    for (size_t i = 0; i < d->vectors; i++) {
        struct core_vector *v = &c->vector[i];
        v->first = next;
        v->elements = d->vector[i].elements;
        v->name = copy(c, d->vector[i].name);
        put_place(place, PC_CORE_VECTOR, i, 0);
        if (!v->name)
            return no_memory(err);
        if (v->elements == 0)
            return fail(err, "write its elements, as in v: [load, store], or leave it out",
                        "the vector %s has no elements", v->name);
        for (size_t k = 0; k < v->elements; k++, next++) {
            put_place(&c->let[next].place, PC_CORE_VECTOR, i, k);
            put_place(place, PC_CORE_VECTOR, i, k);
            if (d->vector[i].called && d->vector[i].called[k]) {
                c->let[next].name = copy(c, d->vector[i].called[k]);
                if (!c->let[next].name)
                    return no_memory(err);
            }
            enum pc_status status = parse(c, d->vector[i].element[k], &c->let[next].value, err);
            if (status)
                return status;
        }
    }
    return PC_OK;
}

static enum pc_status make_rule(struct pc_core *c, const struct core_register *r,
                                const struct pc_core_rule *d, size_t reg, size_t i,
                                struct pc_core_place *place, struct pc_error *err)
{
    struct core_rule *rule = &r->rule[i];

    rule->action = d->action;
    rule->go_on = d->go_on;
    rule->lo = d->sliced ? d->lo : 0;
    rule->hi = d->sliced ? d->hi : r->width - 1;
    put_place(place, PC_CORE_WHEN, reg, i);
    enum pc_status status = parse(c, d->when, &rule->when, err);
    if (status)
        return status;
    put_place(place, PC_CORE_VALUE, reg, i);
    if (d->action != PC_CORE_KEEP && !d->value)
        return pc_fail(err, 1905, "the rule says what to do, and not with what");
    if (rule->lo > rule->hi || rule->lo >= r->width)
        return fail(err, "name bits that it has, the highest first: set[3:0]",
                    "bits %u to %u are not in %s, which has %u", rule->hi, rule->lo, r->name,
                    r->width);
    if (rule->hi >= r->width)
        rule->hi = r->width - 1;
    return d->action == PC_CORE_KEEP ? PC_OK : parse(c, d->value, &rule->value, err);
}

static enum pc_status check_reset(const struct core_register *r, struct pc_error *err)
{
    const struct ex_node *n = r->reset->node;

    if (r->reset->nodes != 1 || n->op != EX_LITERAL)
        return fail(err, "write reset: 0, or reset: none where it is not known",
                    "the reset value of %s is a number, or none", r->name);
    for (uint32_t b = n->width; b-- > r->width;)
        if (r->reset->literal_bits[n->data + b])
            return pc_fail(err, 1905, "the reset value of %s has %u bits, and %s has %u", r->name,
                           b + 1, r->name, r->width);
    return PC_OK;
}

static enum pc_status make_register(struct pc_core *c, const struct pc_core_register *d, size_t i,
                                    struct pc_core_place *place, struct pc_error *err)
{
    struct core_register *r = &c->reg[i];

    put_place(place, PC_CORE_WIDTH_OF, i, 0);
    r->name = copy(c, d->name);
    r->width = d->width;
    r->last_rule = PC_CORE_NO_RULE;
    r->stepped = !d->is || !d->reset;
    if (!r->name)
        return no_memory(err);
    if (d->width == 0 || d->width > PC_CORE_WIDTH)
        return pc_fail(err, 1904, "the width of %s is 1 to %d bits, not %u", d->name, PC_CORE_WIDTH,
                       d->width);
    if (d->rules == 0)
        return fail(err, "add what changes it, as in rules: [{when: we, set: wdata}]",
                    "%s has no rules: nothing is known of it", d->name);
    r->rule = array(c, d->rules, sizeof *r->rule);
    if (!r->rule)
        return no_memory(err);
    r->rules = d->rules;
    put_place(place, PC_CORE_IS, i, 0);
    enum pc_status status = parse(c, d->is, &r->is, err);
    if (status == PC_OK) {
        put_place(place, PC_CORE_RESET_VALUE, i, 0);
        status = parse(c, d->reset, &r->reset, err);
        if (status == PC_OK && r->reset)
            status = check_reset(r, err);
    }
    for (size_t k = 0; status == PC_OK && k < d->rules; k++)
        status = make_rule(c, r, &d->rule[k], i, k, place, err);
    return status;
}

static enum pc_status make_checks(struct pc_core *c, const struct pc_core_desc *d,
                                  struct pc_core_place *place, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    for (size_t i = 0; i < d->checks && status == PC_OK; i++) {
        put_place(place, PC_CORE_CHECK_WHEN, i, 0);
        status = parse(c, d->check[i].when, &c->check[i].when, err);
        put_place(place, status ? PC_CORE_CHECK_WHEN : PC_CORE_CHECK_THAT, i, 0);
        if (status == PC_OK && !d->check[i].that)
            status = pc_fail(err, 1905, "the check has nothing that must hold");
        if (status == PC_OK)
            status = parse(c, d->check[i].that, &c->check[i].that, err);
    }
    return status;
}

static enum pc_status check_limits(const struct pc_core_desc *d, struct pc_core_place *place,
                                   struct pc_error *err)
{
    size_t rules = 0;

    put_place(place, PC_CORE_NOWHERE, 0, 0);
    if (d->regs > PC_CORE_REGISTERS)
        return pc_fail(err, 1904, "there are %zu registers; at most %d can be described", d->regs,
                       PC_CORE_REGISTERS);
    for (size_t i = 0; i < d->regs; i++)
        rules += d->reg[i].rules;
    if (rules > PC_CORE_RULES)
        return pc_fail(err, 1904, "there are %zu rules; at most %d can be described", rules,
                       PC_CORE_RULES);
    return PC_OK;
}

static enum pc_status make(struct pc_core *c, const struct pc_core_desc *d,
                           struct pc_core_place *place, struct pc_error *err)
{
    enum pc_status status = check_limits(d, place, err);
    size_t lets = d->lets;

    if (status)
        return status;
    for (size_t i = 0; i < d->vectors; i++)
        lets += d->vector[i].elements;
    c->let = array(c, lets, sizeof *c->let);
    c->vector = array(c, d->vectors, sizeof *c->vector);
    c->reg = array(c, d->regs, sizeof *c->reg);
    c->check = array(c, d->checks, sizeof *c->check);
    c->lets = c->let ? lets : 0; /* each as large as it is given back */
    c->vectors = c->vector ? d->vectors : 0;
    c->regs = c->reg ? d->regs : 0;
    c->checks = c->check ? d->checks : 0;
    if (!c->let || !c->vector || !c->reg || !c->check)
        return no_memory(err);
    c->answers = d->answers;
    put_place(place, PC_CORE_RESET, 0, 0);
    status = parse(c, d->reset, &c->reset, err);
    if (status == PC_OK)
        status = make_lets(c, d, place, err);
    for (size_t i = 0; i < d->regs && status == PC_OK; i++)
        status = make_register(c, &d->reg[i], i, place, err);
    if (status == PC_OK)
        status = make_checks(c, d, place, err);
    if (status == PC_OK)
        status = core_index_names(c, place, err);
    return status;
}

enum pc_status pc_core_create(const struct pc_core_desc *desc, struct pc_core **out,
                              struct pc_core_place *place, struct pc_error *err)
{
    struct pc_alloc a = pc_alloc_or_libc(desc->alloc);
    struct pc_core *c = pc_calloc(&a, 1, sizeof *c);

    if (!c)
        return no_memory(err);
    c->alloc = a;
    enum pc_status status = make(c, desc, place, err);
    if (status)
        pc_core_destroy(c);
    else
        *out = c;
    return status;
}

static void free_register(struct pc_core *c, struct core_register *r)
{
    free_text(c, r->name);
    pc_expr_free(r->is);
    pc_expr_free(r->reset);
    for (size_t k = 0; k < r->rules; k++) {
        pc_expr_free(r->rule[k].when);
        pc_expr_free(r->rule[k].value);
    }
    if (r->rule)
        pc_free(&c->alloc, r->rule, r->rules * sizeof *r->rule);
}

void pc_core_destroy(struct pc_core *c)
{
    if (!c)
        return;
    struct pc_alloc a = c->alloc;
    core_free_planes(c);
    pc_expr_free(c->reset);
    for (size_t i = 0; i < c->lets; i++) {
        free_text(c, c->let[i].name);
        pc_expr_free(c->let[i].value);
    }
    for (size_t i = 0; i < c->vectors; i++)
        free_text(c, c->vector[i].name);
    for (size_t i = 0; i < c->regs; i++)
        free_register(c, &c->reg[i]);
    for (size_t i = 0; i < c->checks; i++) {
        pc_expr_free(c->check[i].when);
        pc_expr_free(c->check[i].that);
    }
    pc_free(&a, c->let, (c->lets ? c->lets : 1) * sizeof *c->let);
    pc_free(&a, c->vector, (c->vectors ? c->vectors : 1) * sizeof *c->vector);
    pc_free(&a, c->reg, (c->regs ? c->regs : 1) * sizeof *c->reg);
    pc_free(&a, c->check, (c->checks ? c->checks : 1) * sizeof *c->check);
    pc_free(&a, c->name, (c->names ? c->names : 1) * sizeof *c->name);
    pc_free(&a, c, sizeof *c);
}
