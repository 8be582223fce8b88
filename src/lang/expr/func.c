/* SPDX-License-Identifier: MIT */
/*
 * The boolean function of an expression: which signals it looks at, now or some cycles
 * ago, and its truth table.  prev() distributes over every operator, so all delays can
 * be thought of at the leaves.  An input of a counter knows one cycle ago; what is two or
 * three ago can come in through the flag.  Inputs that turn out not to matter are dropped.
 */
#include "lang/expr/expr.h"

#include <string.h>

enum {
    TOO_LONG = 1 << EX_PAST, /* in ex_node.delays */
    DEEP = 2 * TOO_LONG - 4, /* two cycles ago and more */
    ROWS = 64 / EX_PAST      /* of a word, EX_PAST cycles each, the present one last */
};

/* Finds how long ago each node is looked at: from the root down. */
static void find_delays(struct pc_expr *e)
{
    struct ex_func *f = &e->func;

    for (size_t i = 0; i < e->nodes; i++)
        e->node[i].delays = 0;
    e->node[e->nodes - 1].delays = 1;
    for (size_t i = e->nodes; i-- > 0;) {
        const struct ex_node *n = &e->node[i];
        unsigned delays = n->delays;
        if (n->op == EX_ISUNKNOWN) {
            f->unknown_begin = n->begin;
            f->unknown_end = n->end;
            f->far = true;
        }
        if (ex_delaying(n->op)) {
            unsigned older = (delays << 1 & (2 * TOO_LONG - 1)) | (delays & TOO_LONG);
            delays = n->op == EX_PREV ? older : delays | older;
            if ((older & DEEP) && f->deep_end == 0) {
                f->deep_begin = n->begin;
                f->deep_end = n->end;
            }
        }
        for (unsigned c = 0; c < 3; c++)
            if (n->child[c] != EX_NONE)
                e->node[n->child[c]].delays = (uint8_t)delays;
    }
}

static size_t find_atom(const struct ex_func *f, uint32_t wire, uint32_t delay)
{
    size_t i = 0;

    while (i < f->inputs && (f->atom[i].wire != wire || f->atom[i].delay != delay))
        i++;
    return i;
}

/* Finds all inputs in the order of the text, but no more than one too many. */
static void find_atoms(struct pc_expr *e)
{
    struct ex_func *f = &e->func;

    for (size_t i = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        if (n->op != EX_NAME)
            continue;
        f->deep |= (n->delays & DEEP) != 0;
        f->far |= (n->delays & TOO_LONG) != 0;
        for (uint32_t b = 0; b < n->width; b++) {
            for (uint32_t delay = 0; delay < EX_PAST; delay++) {
                uint32_t wire = e->wire[n->first_wire + b];
                if (!(n->delays >> delay & 1) || find_atom(f, wire, delay) < f->inputs)
                    continue;
                f->atom[f->inputs++] = (struct ex_atom){ wire, delay, n->begin, n->end };
                if (f->inputs > EX_MAX_ATOMS)
                    return;
            }
        }
    }
}

/* Returns the wire in all cycles of the rows first .. first + ROWS - 1. */
static uint64_t pattern(const struct ex_func *f, uint32_t wire, unsigned first)
{
    uint64_t word = 0;

    for (uint32_t delay = 0; delay < EX_PAST; delay++) {
        size_t a = find_atom(f, wire, delay);
        for (unsigned i = 0; a < f->inputs && i < ROWS; i++)
            word |= (uint64_t)((first + i) >> a & 1) << (EX_PAST * (i + 1) - 1 - delay);
    }
    return word;
}

/* Fills the table by evaluation: EX_PAST cycles for each row, from the longest ago to now. */
static void fill_table(struct pc_expr *e)
{
    struct ex_func *f = &e->func;
    unsigned rows = 1u << f->inputs;

    for (unsigned first = 0; first < rows; first += ROWS) {
        for (size_t i = 0; i < e->nodes; i++) {
            const struct ex_node *n = &e->node[i];
            for (uint32_t b = 0; n->op == EX_NAME && b < n->width; b++) {
                *ex_plane(e, e->value, n->plane + b) =
                    pattern(f, e->wire[n->first_wire + b], first);
                *ex_plane(e, e->unknown, n->plane + b) = 0;
            }
        }
        ex_operate(e, (struct ex_part){ 1, 63, NULL });
        const uint64_t out = *ex_plane(e, e->value, e->node[e->nodes - 1].plane);
        for (unsigned i = 0; i < ROWS && first + i < rows; i++)
            f->table[(first + i) / 64] |= (out >> (EX_PAST * (i + 1) - 1) & 1)
                                          << ((first + i) % 64);
    }
}

static unsigned row(const struct ex_func *f, unsigned i)
{
    return (unsigned)(f->table[i / 64] >> (i % 64) & 1);
}

/* Drops input a: its rows are equal in pairs. */
static void drop(struct ex_func *f, size_t a)
{
    uint64_t table[sizeof f->table / sizeof f->table[0]] = { 0 };
    unsigned low = (1u << a) - 1;

    for (unsigned i = 0; i < 1u << (f->inputs - 1); i++)
        table[i / 64] |= (uint64_t)row(f, (i & low) | (i & ~low) << 1) << (i % 64);
    memcpy(f->table, table, sizeof table);
    f->inputs--;
    memmove(&f->atom[a], &f->atom[a + 1], (f->inputs - a) * sizeof f->atom[0]);
}

static bool matters(const struct ex_func *f, size_t a)
{
    for (unsigned i = 0; i < 1u << f->inputs; i++)
        if (row(f, i) != row(f, i ^ 1u << a))
            return true;
    return false;
}

void ex_find_function(struct pc_expr *e)
{
    struct ex_func *f = &e->func;

    memset(f, 0, sizeof *f);
    find_delays(e);
    find_atoms(e);
    if (f->far || f->inputs > EX_MAX_ATOMS)
        return;
    ex_settle(e); /* constants under prev() are what they are in every cycle */
    fill_table(e);
    for (size_t a = f->inputs; a-- > 0;)
        if (!matters(f, a))
            drop(f, a);
    f->deep = false;
    for (size_t a = 0; a < f->inputs; a++)
        f->deep = f->deep || f->atom[a].delay > 1;
}
