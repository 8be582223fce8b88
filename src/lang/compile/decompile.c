/* SPDX-License-Identifier: MIT */
/*
 * From the word of a *_OP register back to an expression (clauses PC.IN.2 to PC.IN.8).
 *
 * The arguments are at most four wires; two that are the same wire are one variable, and
 * rows of the table where they would differ cannot happen.  Variables that do not matter are
 * dropped; what is left is the shortest formula (expr/formula.c).  Where a wire stands beside
 * itself one cycle ago, the shortest sum of products (products.c) is tried as well, because x &
 * !prev(x) reads rise(x), its opposite fall(x), x ^ prev(x) edge(x); the shorter text is taken.
 */
#include "lang/compile/compile.h"

#include <stdio.h>
#include <string.h>

#include "lang/expr/formula.h"
#include "model/rules/lut.h"
#include "model/rules/sources.h"

enum { TEXT_SIZE = 16 * CM_VARIABLE_SIZE };

struct function {
    struct cm_variable variable[4]; /* distinct */
    int late[4];                    /* the variable that this is one cycle ago, or -1 */
    unsigned count;
    uint16_t table; /* bit i: value where variable v is bit v of i */
};

static unsigned rows(unsigned variables)
{
    return 1u << variables;
}

/* --- fewer variables --- */

/* Takes variable v away; the rows where it is 0 stay. */
static void drop(struct function *f, unsigned v)
{
    unsigned table = 0, low = (1u << v) - 1;

    for (unsigned i = 0; i < rows(f->count - 1); i++)
        table |= ((unsigned)f->table >> ((i & low) | (i & ~low) << 1) & 1u) << i;
    f->table = (uint16_t)table;
    f->count--;
    for (unsigned w = 0; w < f->count; w++) {
        f->late[w] = f->late[w + (w >= v)];
        f->late[w] = f->late[w] == (int)v ? -1 : f->late[w] - (f->late[w] > (int)v);
    }
    memmove(&f->variable[v], &f->variable[v + 1], (f->count - v) * sizeof f->variable[0]);
}

/* Returns true if the function is the same with the variables in `mask` inverted. */
static bool turns(const struct function *f, unsigned mask)
{
    for (unsigned i = 0; i < rows(f->count); i++)
        if ((f->table >> i & 1) != (f->table >> (i ^ mask) & 1))
            return false;
    return true;
}

/* Returns true if `late` is "prev(now)". */
static bool is_prev(const char *late, const char *now)
{
    size_t n = strlen(now);

    return strncmp(late, "prev(", 5) == 0 && strncmp(late + 5, now, n) == 0 &&
           strcmp(late + 5 + n, ")") == 0;
}

/* Variables v and w become the edge of v, or (v ^ w), if they matter only by their difference. */
static bool join(struct function *f, unsigned v, unsigned w, bool edge)
{
    const char *a = f->variable[v].text, *b = f->variable[w].text;
    struct cm_variable both;
    int n;

    if ((f->late[w] == (int)v) != edge || v == w || !turns(f, 1u << v | 1u << w))
        return false;
    if (edge)
        n = snprintf(both.text, sizeof both.text, "edge(%s)", a);
    else
        n = snprintf(both.text, sizeof both.text, "(%s ^ %s)", a, b);
    if (n < 0 || (size_t)n >= sizeof both.text)
        return false;
    f->variable[v] = both; /* which is no signal, now or late */
    f->late[v] = -1;
    for (unsigned x = 0; x < f->count; x++)
        if (f->late[x] == (int)v)
            f->late[x] = -1;
    drop(f, w);
    return true;
}

static void join_all(struct function *f, bool edge)
{
    for (unsigned v = 0; v < f->count; v++)
        for (unsigned w = edge ? 0 : v + 1; w < f->count; w++)
            if (join(f, v, w, edge))
                v = w = 0;
}

static void reduce(struct function *f)
{
    for (unsigned v = f->count; v-- > 0;)
        if (turns(f, 1u << v))
            drop(f, v);
    join_all(f, true);
}

/* --- text --- */

struct text {
    char *out;
    size_t size, used;
    bool full;
};

static void add(struct text *t, const char *s)
{
    size_t n = strlen(s);

    if (n >= t->size - t->used) {
        t->full = true;
        return;
    }
    memcpy(t->out + t->used, s, n + 1);
    t->used += n;
}

/* Returns the table over four variables: those that are not there do not matter. */
static uint16_t widened(const struct function *f)
{
    unsigned table = f->table;

    for (unsigned v = f->count; v < PC_FORMULA_VARIABLES; v++)
        table |= table << rows(v);
    return (uint16_t)table;
}

/* Finds the sum of products, if a wire stands in the function beside itself one cycle ago. */
static bool products(const struct function *f, char *out, size_t size)
{
    struct function joined = *f;
    bool edges = false;

    for (unsigned v = 0; v < f->count; v++)
        edges = edges || f->late[v] >= 0;
    if (!edges)
        return false;
    join_all(&joined, false);
    return cm_products(joined.table, joined.count, joined.variable, joined.late, out, size);
}

static void add_plain(struct text *t, const struct function *f)
{
    struct pc_formula_names names = { { "0", "0", "0", "0" }, { -1, -1, -1, -1 } };
    char shortest[TEXT_SIZE], sum[TEXT_SIZE];
    struct pc_formula formula;

    for (unsigned v = 0; v < f->count; v++) {
        names.text[v] = f->variable[v].text;
        names.late[v] = f->late[v];
    }
    pc_formula_find(widened(f), &formula);
    if (!pc_formula_print(&formula, &names, shortest, sizeof shortest))
        t->full = true;
    else if (products(f, sum, sizeof sum) && strlen(sum) < strlen(shortest))
        add(t, sum);
    else
        add(t, shortest);
}

static unsigned mentions(const struct function *f, unsigned v)
{
    struct pc_formula formula;

    pc_formula_find(widened(f), &formula);
    return pc_formula_mentions(&formula, v);
}

/* A long SETFLAG that would stand there several times is asked once: S ? x : y. */
static void add_function(struct text *t, const struct function *f)
{
    for (unsigned v = 0; v < f->count; v++) {
        struct function low = *f, high = *f;
        if (f->variable[v].text[0] != '(' || mentions(f, v) < 2)
            continue;
        unsigned shift = 1u << v;
        for (unsigned i = 0; i < rows(f->count); i++)
            if (!(i >> v & 1)) { /* drop() keeps the rows where v is 0 */
                high.table &= (uint16_t) ~(1u << i);
                high.table |= (uint16_t)((f->table >> (i + shift) & 1) << i);
            }
        drop(&low, v);
        drop(&high, v);
        reduce(&low);
        reduce(&high);
        add(t, f->variable[v].text);
        add(t, " ? ");
        add_plain(t, &high);
        add(t, " : ");
        add_plain(t, &low);
        return;
    }
    add_plain(t, f);
}

/* --- registers --- */

/* Writes the four arguments by name; false if one does not fit. */
static bool name_arguments(const struct pc_chip *chip, enum pc_input_id input, uint32_t op,
                           const struct pc_decompile_names *names, struct cm_variable out[4])
{
    struct pc_args args = pc_op_args(op, cm_chains(input), chip->features);

    for (unsigned i = 0; i < 4; i++) {
        int n;
        switch (args.from[i]) {
        case PC_ARG_SRC0_LATE:
        case PC_ARG_SRC1_LATE:
            n = snprintf(out[i].text, CM_VARIABLE_SIZE, "prev(%s)",
                         names->source[args.from[i] == PC_ARG_SRC1_LATE]);
            break;
        case PC_ARG_SETFLAG:
            n = snprintf(out[i].text, CM_VARIABLE_SIZE, "%s", names->setflag);
            break;
        default:
            n = snprintf(out[i].text, CM_VARIABLE_SIZE, "%s", names->source[i]);
            break;
        }
        if (n < 0 || n >= CM_VARIABLE_SIZE)
            return false;
    }
    return true;
}

/* Makes the table over distinct variables. */
static void fold(const struct cm_variable argument[4], uint32_t op, struct function *f)
{
    unsigned variable[4], table = 0;

    f->count = 0;
    for (unsigned a = 0; a < 4; a++) {
        unsigned v = 0;
        while (v < f->count && strcmp(f->variable[v].text, argument[a].text) != 0)
            v++;
        if (v == f->count)
            f->variable[f->count++] = argument[a];
        variable[a] = v;
    }
    for (unsigned i = 0; i < rows(f->count); i++)
        table |= (unsigned)pc_lut4(op, i >> variable[0] & 1, i >> variable[1] & 1,
                                   i >> variable[2] & 1, i >> variable[3] & 1)
                 << i;
    f->table = (uint16_t)table;
    for (unsigned w = 0; w < f->count; w++) {
        f->late[w] = -1;
        for (unsigned v = 0; v < f->count; v++)
            if (is_prev(f->variable[w].text, f->variable[v].text))
                f->late[w] = (int)v;
    }
}

enum pc_status pc_decompile_op(const struct pc_chip *chip, enum pc_input_id input, uint32_t op,
                               const struct pc_decompile_names *names, char *out, size_t size,
                               struct pc_error *err)
{
    struct cm_variable argument[4];
    char whole[CM_VARIABLE_SIZE + 2 * TEXT_SIZE + 8]; /* S ? x : y */
    struct function f;
    struct text t = { whole, sizeof whole, 0, false };

    if (!name_arguments(chip, input, op, names, argument))
        return pc_fail(err, 349, "the names of the signals are too long");
    fold(argument, op, &f);
    reduce(&f);
    add_function(&t, &f);
    if (t.full || t.used >= size)
        return pc_fail(err, 349, "an expression needs more than %zu bytes", size);
    memcpy(out, whole, t.used + 1);
    return PC_OK;
}

static void name_sources(const struct cm_target *t, const uint32_t src[PC_INPUT_COUNT],
                         enum pc_input_id input, pc_signal_name_fn *name, void *ctx,
                         char text[4][PC_SIGNAL_NAME], struct pc_decompile_names *out)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = pc_source_selector(t->features, input, i);
        name(ctx, src[selector / 4] >> (8 * (selector % 4)) & 0xff, text[i], PC_SIGNAL_NAME);
        out->source[i] = text[i];
    }
}

static bool is_word(const char *text)
{
    return text[strcspn(text, " &|^!()")] == '\0';
}

enum pc_status pc_decompile(const struct pc_chip *chip, const uint32_t src[PC_INPUT_COUNT],
                            const uint32_t op[PC_INPUT_COUNT], enum pc_input_id input,
                            pc_signal_name_fn *name, void *ctx, char *out, size_t size,
                            struct pc_error *err)
{
    const struct cm_target t = { .chip = chip, .features = chip->features };
    struct pc_decompile_names names = { .setflag = "0" };
    char text[4][PC_SIGNAL_NAME], set[CM_VARIABLE_SIZE - 2], bracketed[CM_VARIABLE_SIZE];
    struct pc_args args = pc_op_args(op[input], cm_chains(input), chip->features);

    if (args.from[3] == PC_ARG_SETFLAG) {
        name_sources(&t, src, PC_INPUT_SETFLAG, name, ctx, text, &names);
        enum pc_status status = pc_decompile_op(chip, PC_INPUT_SETFLAG, op[PC_INPUT_SETFLAG],
                                                &names, set, sizeof set, err);
        if (status)
            return status;
        snprintf(bracketed, sizeof bracketed, is_word(set) ? "%s" : "(%s)", set);
        names.setflag = bracketed;
    }
    name_sources(&t, src, input, name, ctx, text, &names);
    return pc_decompile_op(chip, input, op[input], &names, out, size, err);
}
