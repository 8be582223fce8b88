/* SPDX-License-Identifier: MIT */
/*
 * From the word of a *_OP register back to an expression (clauses PC.IN.2 to PC.IN.8).
 *
 * The arguments are at most four wires; two that are the same wire are one variable, and
 * rows of the table where they would differ cannot happen.  Variables that do not matter are
 * dropped; two that matter only by their difference become one, a ^ b; what is left is a sum of
 * products with the fewest literals, found by trying every set of prime products (four
 * variables have at most 13), or its complement if that is shorter.  x & !prev(x) reads
 * rise(x), its opposite fall(x), x ^ prev(x) edge(x).
 */
#include "compile/compile.h"

#include <stdio.h>
#include <string.h>

#include "expr/formula.h"
#include "rules/lut.h"
#include "rules/sources.h"

enum { MAX_PRIMES = 16, VARIABLE_SIZE = 512 };

struct variable {
    char text[VARIABLE_SIZE];
    bool parity; /* "a ^ b": needs brackets beside & and ! */
};

struct function {
    struct variable variable[4]; /* distinct */
    unsigned count;
    uint16_t table; /* bit i: value where variable v is bit v of i */
};

/* A product: variable v is in it if bit v of `care` is set, complemented if bit v of `value` is 0.
 */
struct product {
    uint8_t care, value;
};

struct sum {
    struct product product[MAX_PRIMES];
    unsigned count, cost; /* literals, and one more for each that is complemented */
};

static unsigned rows(unsigned variables)
{
    return 1u << variables;
}

static unsigned all_ones(unsigned variables)
{
    return (unsigned)((1ul << rows(variables)) - 1);
}

static unsigned ones(unsigned x)
{
    unsigned n = 0;

    for (; x; x &= x - 1)
        n++;
    return n;
}

/* --- the shortest sum of products --- */

static unsigned product_table(struct product p, unsigned variables)
{
    unsigned table = 0;

    for (unsigned i = 0; i < rows(variables); i++)
        if ((i & p.care) == p.value)
            table |= 1u << i;
    return table;
}

/* A product inside the function that stays inside with no literal taken away. */
static bool is_prime(struct product p, unsigned table, unsigned variables)
{
    if (product_table(p, variables) & ~table)
        return false;
    for (unsigned v = 0; v < variables; v++) {
        if (!(p.care >> v & 1))
            continue;
        uint8_t bit = (uint8_t)(1u << v);
        struct product wider = { p.care & (uint8_t)~bit, p.value & (uint8_t)~bit };
        if (!(product_table(wider, variables) & ~table))
            return false;
    }
    return true;
}

static unsigned find_primes(unsigned table, unsigned variables, struct product *out)
{
    unsigned count = 0;

    for (unsigned care = 0; care < rows(variables); care++)
        for (unsigned value = care;; value = (value - 1) & care) {
            struct product p = { (uint8_t)care, (uint8_t)value };
            if (count < MAX_PRIMES && is_prime(p, table, variables))
                out[count++] = p;
            if (value == 0)
                break;
        }
    return count;
}

/* The sum with the fewest products, then the fewest literals. */
static struct sum minimize(unsigned table, unsigned variables)
{
    struct product prime[MAX_PRIMES];
    unsigned covers[MAX_PRIMES];
    unsigned count = find_primes(table, variables, prime);
    unsigned best_set = 0, best_cost = UINT32_MAX;
    struct sum sum = { .count = 0 };

    for (unsigned i = 0; i < count; i++)
        covers[i] = product_table(prime[i], variables);
    for (unsigned set = 0; set < 1u << count; set++) {
        unsigned covered = 0, cost = 0;
        for (unsigned i = 0; i < count; i++)
            if (set >> i & 1) {
                covered |= covers[i];
                cost += 16 + ones(prime[i].care);
            }
        if (covered == table && cost < best_cost) {
            best_cost = cost;
            best_set = set;
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (best_set >> i & 1) {
            sum.product[sum.count++] = prime[i];
            sum.cost += ones(prime[i].care) + ones(prime[i].care & ~(unsigned)prime[i].value);
        }
    return sum;
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
    memmove(&f->variable[v], &f->variable[v + 1], (f->count - v) * sizeof f->variable[0]);
}

/* Is the function the same with the variables in `mask` turned over? */
static bool turns(const struct function *f, unsigned mask)
{
    for (unsigned i = 0; i < rows(f->count); i++)
        if ((f->table >> i & 1) != (f->table >> (i ^ mask) & 1))
            return false;
    return true;
}

/* Is `late` "prev(now)"? */
static bool is_prev(const char *late, const char *now)
{
    size_t n = strlen(now);

    return strncmp(late, "prev(", 5) == 0 && strncmp(late + 5, now, n) == 0 &&
           strcmp(late + 5 + n, ")") == 0;
}

/* Variable v becomes v ^ w. */
static void join(struct function *f, unsigned v, unsigned w)
{
    struct variable both = { .parity = true };
    const char *a = f->variable[v].text, *b = f->variable[w].text;
    int n;

    if (is_prev(a, b) || is_prev(b, a)) {
        both.parity = false;
        n = snprintf(both.text, sizeof both.text, "edge(%s)", is_prev(a, b) ? b : a);
    } else {
        n = snprintf(both.text, sizeof both.text, "%s ^ %s", a, b);
    }
    if (n < 0 || (size_t)n >= sizeof both.text)
        return;
    f->variable[v] = both;
    drop(f, w);
}

/* A signal and itself one cycle ago first, so that edges are seen. */
static bool join_any(struct function *f)
{
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned v = 0; v < f->count; v++)
            for (unsigned w = v + 1; w < f->count; w++) {
                const char *a = f->variable[v].text, *b = f->variable[w].text;
                if (pass == 0 && !is_prev(a, b) && !is_prev(b, a))
                    continue;
                unsigned before = f->count;
                if (turns(f, 1u << v | 1u << w))
                    join(f, v, w);
                if (f->count < before)
                    return true;
            }
    return false;
}

static void reduce(struct function *f)
{
    for (unsigned v = f->count; v-- > 0;)
        if (turns(f, 1u << v))
            drop(f, v);
    while (join_any(f))
        ;
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

static void add_literal(struct text *t, const struct variable *v, bool positive, bool alone)
{
    bool brackets = v->parity && !(positive && alone);

    add(t, positive ? "" : "!");
    add(t, brackets ? "(" : "");
    add(t, v->text);
    add(t, brackets ? ")" : "");
}

/* The variable that is v one cycle ago and in the product with the other sign, or -1. */
static int partner(const struct function *f, struct product p, unsigned v)
{
    for (unsigned w = 0; w < f->count; w++)
        if (is_prev(f->variable[w].text, f->variable[v].text) && (p.care >> w & 1) &&
            (p.value >> w & 1) != (p.value >> v & 1))
            return (int)w;
    return -1;
}

static void add_product(struct text *t, const struct function *f, struct product p)
{
    const char *joint = "";
    bool alone = ones(p.care) == 1;

    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned v = 0; v < f->count; v++) {
            if (!(p.care >> v & 1))
                continue;
            int w = partner(f, p, v);
            if (pass == 0 && w < 0)
                continue;
            add(t, joint);
            joint = " & ";
            if (w >= 0) {
                add(t, p.value >> v & 1 ? "rise(" : "fall(");
                add(t, f->variable[v].text);
                add(t, ")");
                p.care &= (uint8_t) ~(1u << w);
            } else {
                add_literal(t, &f->variable[v], p.value >> v & 1, alone);
            }
            p.care &= (uint8_t) ~(1u << v);
        }
}

static void add_sum(struct text *t, const struct function *f, const struct sum *sum)
{
    for (unsigned i = 0; i < sum->count; i++) {
        add(t, i > 0 ? " | " : "");
        add_product(t, f, sum->product[i]);
    }
}

/*
 * Three variables or fewer, none of them another one a cycle late (edges read better in
 * products): factored, or a multiplexer, if that is shortest.
 */
static bool add_shortest(struct text *t, const struct function *f)
{
    char name[PC_FORMULA_VARIABLES][VARIABLE_SIZE + 2], formula[8 * VARIABLE_SIZE];
    const char *names[PC_FORMULA_VARIABLES] = { "0", "0", "0" };
    unsigned table = f->table;

    if (f->count > PC_FORMULA_VARIABLES)
        return false;
    for (unsigned v = 0; v < f->count; v++) {
        for (unsigned w = 0; w < f->count; w++)
            if (is_prev(f->variable[w].text, f->variable[v].text))
                return false;
        snprintf(name[v], sizeof name[v], f->variable[v].parity && f->count > 1 ? "(%s)" : "%s",
                 f->variable[v].text);
        if (f->count == 1 && f->variable[v].parity && table == 1)
            snprintf(name[v], sizeof name[v], "(%s)", f->variable[v].text);
        names[v] = name[v];
    }
    for (unsigned v = f->count; v < PC_FORMULA_VARIABLES; v++)
        table |= table << rows(v); /* variables that are not there do not matter */
    if (!pc_formula_shortest((uint8_t)table, names, formula, sizeof formula))
        return false;
    add(t, formula);
    return true;
}

static void add_plain(struct text *t, const struct function *f)
{
    unsigned inverse = all_ones(f->count) & ~(unsigned)f->table;

    if (f->table == 0 || inverse == 0) {
        add(t, f->table ? "1" : "0");
        return;
    }
    if (add_shortest(t, f))
        return;
    struct sum plain = minimize(f->table, f->count), complement = minimize(inverse, f->count);
    bool invert = complement.cost + 1 < plain.cost;
    add(t, invert ? "!(" : "");
    add_sum(t, f, invert ? &complement : &plain);
    add(t, invert ? ")" : "");
}

/* How many products of the sum have variable v. */
static unsigned mentions(const struct function *f, unsigned v)
{
    struct sum plain = minimize(f->table, f->count);
    unsigned n = 0;

    for (unsigned i = 0; i < plain.count; i++)
        n += plain.product[i].care >> v & 1;
    return n;
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

/* The four arguments by name; false if one does not fit. */
static bool name_arguments(const struct pc_chip *chip, enum pc_input_id input, uint32_t op,
                           const struct pc_decompile_names *names, struct variable out[4])
{
    struct pc_args args = pc_op_args(op, cm_chains(input), chip->features);

    for (unsigned i = 0; i < 4; i++) {
        int n;
        switch (args.from[i]) {
        case PC_ARG_SRC0_LATE:
        case PC_ARG_SRC1_LATE:
            n = snprintf(out[i].text, VARIABLE_SIZE, "prev(%s)",
                         names->source[args.from[i] == PC_ARG_SRC1_LATE]);
            break;
        case PC_ARG_SETFLAG:
            n = snprintf(out[i].text, VARIABLE_SIZE, "%s", names->setflag);
            break;
        default:
            n = snprintf(out[i].text, VARIABLE_SIZE, "%s", names->source[i]);
            break;
        }
        out[i].parity = false;
        if (n < 0 || n >= VARIABLE_SIZE)
            return false;
    }
    return true;
}

/* The table over distinct variables. */
static void fold(const struct variable argument[4], uint32_t op, struct function *f)
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
}

enum pc_status pc_decompile_op(const struct pc_chip *chip, enum pc_input_id input, uint32_t op,
                               const struct pc_decompile_names *names, char *out, size_t size,
                               struct pc_error *err)
{
    struct variable argument[4];
    struct function f;
    struct text t = { out, size, 0, size == 0 };

    if (!name_arguments(chip, input, op, names, argument))
        return pc_fail(err, 349, "the names of the signals are too long");
    fold(argument, op, &f);
    reduce(&f);
    if (size > 0)
        add_function(&t, &f);
    return t.full ? pc_fail(err, 349, "an expression needs more than %zu bytes", size) : PC_OK;
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
    char text[4][PC_SIGNAL_NAME], set[VARIABLE_SIZE - 2], bracketed[VARIABLE_SIZE];
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
