/* SPDX-License-Identifier: MIT */
/*
 * Makes data/formulas.csv: for each of the 221 classes of functions of four variables that
 * are not constant, shapes with which every function of the class has a formula as short as
 * the search found.  Each class starts with no shape; the one that serves most functions that
 * are not served yet comes next.
 *
 *   make_formulas > data/formulas.csv
 */
#include "formula_search.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERMUTATIONS = 24, CLASS = 768, SHAPE = 64 };

static struct fs_function all[FS_FUNCTIONS];
static uint16_t class_of[FS_FUNCTIONS];
static uint8_t permutation[PERMUTATIONS][4];

static void find_permutations(void)
{
    unsigned n = 0;

    for (unsigned code = 0; code < 256; code++) {
        const uint8_t p[4] = { code >> 6 & 3, code >> 4 & 3, code >> 2 & 3, code & 3 };
        if ((1u << p[0] | 1u << p[1] | 1u << p[2] | 1u << p[3]) == 15)
            memcpy(permutation[n++], p, sizeof p);
    }
}

/* f with its arguments exchanged and complemented. */
static uint16_t transformed(uint16_t f, const uint8_t p[4], unsigned inverted)
{
    uint16_t out = 0;

    for (unsigned i = 0; i < 16; i++) {
        unsigned row = inverted;
        for (unsigned v = 0; v < 4; v++)
            row ^= (i >> v & 1) << p[v];
        out |= (uint16_t)((f >> row & 1) << i);
    }
    return out;
}

static void find_classes(void)
{
    for (unsigned f = 0; f < FS_FUNCTIONS; f++) {
        if (f > 0 && class_of[f] != 0)
            continue; /* of a lesser function's class */
        for (unsigned p = 0; p < PERMUTATIONS; p++)
            for (unsigned inverted = 0; inverted < 16; inverted++) {
                uint16_t g = transformed((uint16_t)f, permutation[p], inverted);
                class_of[g] = (uint16_t)f;
                class_of[~g & 0xffff] = (uint16_t)f;
            }
    }
}

/* --- shapes as postfix --- */

static void invert(char *shape)
{
    size_t n = strlen(shape);

    if (shape[n - 1] == '!')
        shape[n - 1] = '\0';
    else
        strcpy(shape + n, "!");
}

static void append(char *out, const char *more, char op)
{
    size_t n = strlen(out) + strlen(more);

    if (n + 2 > SHAPE)
        abort();
    strcat(out, more);
    out[n] = op;
    out[n + 1] = '\0';
}

/* The formula that the search found, with ! and & for |.  Recursion as deep as the formula. */
static void shape_of(uint16_t f, char out[SHAPE])
{
    const struct fs_function *x = &all[f];
    char second[SHAPE];

    switch ((enum fs_kind)x->kind) {
    case FS_VARIABLE:
        for (unsigned v = 0; v < 4; v++)
            if (fs_variable[v] == f)
                snprintf(out, SHAPE, "%c", 'a' + (int)v);
        return;
    case FS_NOT:
        shape_of(x->a, out);
        invert(out);
        return;
    case FS_MUX:
        shape_of(x->s, out);
        shape_of(x->a, second);
        append(out, second, '\0');
        shape_of(x->b, second);
        append(out, second, '?');
        return;
    default:
        break;
    }
    shape_of(x->a, out);
    shape_of(x->b, second);
    if (x->kind == FS_OR) {
        invert(out);
        invert(second);
    }
    append(out, second, x->kind == FS_XOR ? '^' : '&');
    if (x->kind == FS_OR)
        invert(out);
}

/* Its table, and the operators of the formula and of its complement. */
struct value {
    unsigned table, cost[2];
};

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static struct value joint(char op, struct value s, struct value x, struct value y)
{
    unsigned same = x.cost[0] + y.cost[0] + 1, other = x.cost[1] + y.cost[1] + 1;
    struct value out = { .table = x.table & y.table };

    if (op == '^') {
        out.table = x.table ^ y.table;
        same = lesser(same, other);
        other = lesser(x.cost[0] + y.cost[1], x.cost[1] + y.cost[0]) + 1;
    } else if (op == '?') {
        out.table = (s.table & x.table) | (~s.table & y.table);
        same += lesser(s.cost[0], s.cost[1]);
        other += lesser(s.cost[0], s.cost[1]);
    }
    out.cost[0] = lesser(same, other + 1);
    out.cost[1] = lesser(other, same + 1);
    return out;
}

static struct value value_of(const char *shape, const uint8_t p[4], unsigned inverted)
{
    struct value stack[SHAPE], none = { .table = 0 };
    unsigned n = 0;

    for (; *shape; shape++) {
        bool turn = *shape == '!';
        if (*shape >= 'a') {
            stack[n++] = (struct value){ fs_variable[p[*shape - 'a']], { 0, 1 } };
            turn = inverted >> p[*shape - 'a'] & 1;
        } else if (*shape == '?') {
            n -= 2;
            stack[n - 1] = joint('?', stack[n - 1], stack[n], stack[n + 1]);
        } else if (!turn) {
            n--;
            stack[n - 1] = joint(*shape, none, stack[n - 1], stack[n]);
        }
        if (turn) {
            struct value *top = &stack[n - 1];
            *top = (struct value){ ~top->table, { top->cost[1], top->cost[0] } };
        }
    }
    return stack[0];
}

/* Returns the same shape so that it means the least table of its class. */
static void settle(char shape[SHAPE], uint16_t class)
{
    char out[SHAPE] = "";

    for (unsigned p = 0; p < PERMUTATIONS; p++)
        for (unsigned inverted = 0; inverted < 16; inverted++) {
            unsigned table = value_of(shape, permutation[p], inverted).table & 0xffff;
            if (out[0] || (table != class && table != (~(unsigned)class & 0xffff)))
                continue;
            for (const char *c = shape; *c; c++) {
                unsigned v = *c >= 'a' ? permutation[p][*c - 'a'] : 0;
                const char one[2] = { *c >= 'a' ? (char)('a' + (int)v) : *c, '\0' };
                if (*c == '!')
                    invert(out);
                else
                    append(out, one, '\0');
                if (*c >= 'a' && (inverted >> v & 1))
                    invert(out);
            }
            if (table != class)
                invert(out);
        }
    strcpy(shape, out);
}

/* --- a class --- */

struct candidate {
    char shape[SHAPE];
    bool serves[CLASS];
};

static unsigned members_of(uint16_t class, uint16_t member[CLASS], unsigned *index)
{
    unsigned n = 0;

    for (unsigned f = 0; f < FS_FUNCTIONS; f++)
        if (class_of[f] == class) {
            index[f] = n;
            member[n++] = (uint16_t)f;
        }
    return n;
}

static void find_served(struct candidate *c, const unsigned *index)
{
    memset(c->serves, 0, sizeof c->serves);
    for (unsigned p = 0; p < PERMUTATIONS; p++)
        for (unsigned inverted = 0; inverted < 16; inverted++) {
            struct value v = value_of(c->shape, permutation[p], inverted);
            for (unsigned turn = 0; turn < 2; turn++, v.table = ~v.table) {
                unsigned f = v.table & 0xffff;
                c->serves[index[f]] |= v.cost[turn] <= all[f].operators;
            }
        }
}

static void print_class(uint16_t class)
{
    static struct candidate candidate[CLASS];
    static unsigned index[FS_FUNCTIONS];
    uint16_t member[CLASS];
    bool served[CLASS] = { false };
    unsigned members = members_of(class, member, index), missing = members;

    for (unsigned i = 0; i < members; i++) {
        shape_of(member[i], candidate[i].shape);
        settle(candidate[i].shape, class);
        find_served(&candidate[i], index);
    }
    while (missing) {
        unsigned best = 0, most = 0;
        for (unsigned i = 0; i < members; i++) {
            unsigned n = 0;
            for (unsigned k = 0; k < members; k++)
                n += candidate[i].serves[k] && !served[k];
            if (n > most) {
                most = n;
                best = i;
            }
        }
        if (most == 0)
            abort();
        for (unsigned k = 0; k < members; k++)
            served[k] |= candidate[best].serves[k];
        missing -= most;
        printf("0x%04x,%u,%s\n", class, all[class].mentions, candidate[best].shape);
    }
}

int main(void)
{
    fs_search(all);
    find_permutations();
    find_classes();
    puts("class,mentions,shape");
    for (unsigned f = 1; f < FS_FUNCTIONS; f++)
        if (class_of[f] == f)
            print_class((uint16_t)f);
    return 0;
}
