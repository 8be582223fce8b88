/* SPDX-License-Identifier: MIT */
/*
 * Truth table to text, for at most four variables: small enough to try every set of prime
 * products and take the cheapest, so the result is minimal and always the same.
 *
 * Clauses PC.IN.2 to PC.IN.8.  Two arguments that are the same wire are one variable:
 * rows of the table where they would differ cannot happen and are left out.
 */
#include "op_text.h"
#include "regs_text.h"

#include <string.h>

enum { MAX_PRIMES = 16 };

struct function {
    const char *name[4]; /* distinct variables */
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
    unsigned count, literals;
};

static unsigned rows(unsigned variables)
{
    return 1u << variables;
}

static uint16_t all_ones(unsigned variables)
{
    return (uint16_t)((1ul << rows(variables)) - 1);
}

static unsigned ones(unsigned x)
{
    unsigned n = 0;

    for (; x; x &= x - 1)
        n++;
    return n;
}

static uint16_t product_table(struct product p, unsigned variables)
{
    unsigned table = 0;

    for (unsigned i = 0; i < rows(variables); i++)
        if ((i & p.care) == p.value)
            table |= 1u << i;
    return (uint16_t)table;
}

/* A product inside the function that stays inside with no literal taken away. */
static bool is_prime(struct product p, uint16_t table, unsigned variables)
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

static unsigned find_primes(uint16_t table, unsigned variables, struct product *out)
{
    unsigned count = 0;

    for (unsigned care = 0; care < rows(variables); care++)
        for (unsigned value = care;; value = (value - 1) & care) {
            struct product p = { (uint8_t)care, (uint8_t)value };
            if (count < MAX_PRIMES && is_prime(p, table, variables))
                out[count++] = p; /* four variables have at most 13 */
            if (value == 0)
                break;
        }
    return count;
}

/* The sum with the fewest products, then the fewest literals. */
static struct sum minimize(uint16_t table, unsigned variables)
{
    struct product prime[MAX_PRIMES];
    uint16_t covers[MAX_PRIMES];
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
            sum.literals += ones(prime[i].care);
        }
    return sum;
}

/* ---- text ---- */

struct text {
    char *out;
    size_t size, used;
};

static void add(struct text *t, const char *s)
{
    size_t n = strlen(s);

    if (n >= t->size - t->used)
        n = t->size - t->used - 1;
    memcpy(t->out + t->used, s, n);
    t->used += n;
    t->out[t->used] = '\0';
}

/* The variable that is `name` one cycle late, or -1. */
static int late_of(const struct function *f, unsigned v)
{
    size_t n = strlen(f->name[v]);

    for (unsigned w = 0; w < f->count; w++)
        if (strncmp(f->name[w], f->name[v], n) == 0 && strcmp(f->name[w] + n, "@-1") == 0)
            return (int)w;
    return -1;
}

/* s0 & !s0@-1 is rise(s0), !s0 & s0@-1 is fall(s0). */
static void add_product(struct text *t, const struct function *f, struct product p)
{
    const char *joint = "";

    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned v = 0; v < f->count; v++) {
            int w = late_of(f, v);
            bool now = p.value >> v & 1;
            bool edge =
                w >= 0 && (p.care >> v & 1) && (p.care >> w & 1) && now != (p.value >> w & 1);
            if (!(p.care >> v & 1) || (pass == 0 && !edge))
                continue;
            add(t, joint);
            joint = " & ";
            if (edge) {
                add(t, now ? "rise(" : "fall(");
                p.care &= (uint8_t) ~(1u << w);
            } else if (!now) {
                add(t, "!");
            }
            add(t, f->name[v]);
            if (edge)
                add(t, ")");
            p.care &= (uint8_t) ~(1u << v);
        }
}

static void add_sum(struct text *t, const struct function *f, const struct sum *sum)
{
    for (unsigned i = 0; i < sum->count; i++) {
        if (i > 0)
            add(t, " | ");
        add_product(t, f, sum->product[i]);
    }
}

static void add_parity_of(struct text *t, const struct function *f, unsigned set, bool same)
{
    const char *joint = "";

    for (unsigned v = 0; v < f->count; v++) {
        int w = late_of(f, v);
        if (w >= 0 && set == (1u << v | 1u << w)) {
            add(t, same ? "edge(" : "!edge(");
            add(t, f->name[v]);
            add(t, ")");
            return;
        }
    }
    add(t, same ? "" : "!(");
    for (unsigned v = 0; v < f->count; v++)
        if (set >> v & 1) {
            add(t, joint);
            add(t, f->name[v]);
            joint = " ^ ";
        }
    add(t, same ? "" : ")");
}

/* a ^ b ^ ..., or its complement, over two variables or more. */
static bool add_parity(struct text *t, const struct function *f)
{
    for (unsigned set = 0; set < rows(f->count); set++) {
        unsigned parity = 0;
        if (ones(set) < 2)
            continue;
        for (unsigned i = 0; i < rows(f->count); i++)
            parity |= (ones(i & set) & 1) << i;
        bool same = f->table == parity;
        if (!same && f->table != (all_ones(f->count) & ~parity))
            continue;
        add_parity_of(t, f, set, same);
        return true;
    }
    return false;
}

static void add_function(struct text *t, const struct function *f)
{
    uint16_t inverse = (uint16_t)(all_ones(f->count) & ~f->table);

    if (f->table == 0 || inverse == 0) {
        add(t, f->table ? "1" : "0");
        return;
    }
    if (add_parity(t, f))
        return;
    struct sum plain = minimize(f->table, f->count), complement = minimize(inverse, f->count);
    bool invert = complement.literals + 1 < plain.literals;
    add(t, invert ? "!(" : "");
    add_sum(t, f, invert ? &complement : &plain);
    add(t, invert ? ")" : "");
}

/* ---- registers ---- */

/* What each argument is, PC.IN.2 to PC.IN.7. */
static void name_arguments(const struct pc_reg_info *reg, uint32_t word, const char *argument[4])
{
    argument[0] = cli_field(reg, "ARG0_DELAY", word) ? "s0@-1" : "s0";
    argument[1] = cli_field(reg, "ARG1_DELAY", word) ? "s1@-1" : "s1";
    argument[2] = cli_field(reg, "ARG2_SRC0D", word) ? "s0@-1" : "s2";
    argument[3] = cli_field(reg, "ARG3_SETFLAG", word) ? "setflag"
                  : cli_field(reg, "ARG3_SRC1D", word) ? "s1@-1"
                                                       : "s3";
}

/* The table over distinct variables. */
static void fold(const char *const argument[4], uint16_t func, struct function *f)
{
    unsigned variable[4], table = 0;

    f->count = 0;
    for (unsigned a = 0; a < 4; a++) {
        unsigned v = 0;
        while (v < f->count && strcmp(f->name[v], argument[a]) != 0)
            v++;
        if (v == f->count)
            f->name[f->count++] = argument[a];
        variable[a] = v;
    }
    for (unsigned i = 0; i < rows(f->count); i++) {
        unsigned index = 0;
        for (unsigned a = 0; a < 4; a++)
            index |= (i >> variable[a] & 1) << a;
        table |= (unsigned)(func >> index & 1) << i;
    }
    f->table = (uint16_t)table;
}

bool cli_op_text(const struct pc_chip *chip, const struct pc_reg_info *reg, uint32_t word,
                 struct cli_op_text *out)
{
    const char *argument[4];
    struct function f = { .count = 0 };
    struct text t = { out->function, sizeof out->function, 0 };
    size_t length = strlen(reg->name);

    if (length < 4 || strcmp(reg->name + length - 3, "_OP") != 0)
        return false;
    out->function[0] = '\0';
    name_arguments(reg, word, argument);
    fold(argument, (uint16_t)cli_field(reg, "FUNC", word), &f);
    add_function(&t, &f);
    bool own = chip->features & PC_F_OWN_FLAG_SRC;
    if (!own && strcmp(reg->name, "SETFLAG_OP") == 0)
        snprintf(out->sources, sizeof out->sources,
                 "s0..s3 = START_SRC[2], START_SRC[3], PRE_SRC[0], PRE_SRC[1]");
    else if (!own && strcmp(reg->name, "CLRFLAG_OP") == 0)
        snprintf(out->sources, sizeof out->sources,
                 "s0..s3 = PRE_SRC[2], PRE_SRC[3], START_SRC[0], START_SRC[1]");
    else
        snprintf(out->sources, sizeof out->sources, "s0..s3 = %.*s_SRC[0..3]", (int)length - 3,
                 reg->name);
    return true;
}
