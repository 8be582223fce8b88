/* SPDX-License-Identifier: MIT */
/*
 * A truth table as the sum of products with the fewest literals, found by trying every set
 * of prime products (four variables have at most 13), or the complement of one if that is
 * shorter.  Where a variable stands in a product beside itself one cycle ago, complemented, the
 * two are rise() or fall().
 */
#include "lang/compile/compile.h"

#include <string.h>

enum { MAX_PRIMES = 16 };

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

static unsigned product_table(struct product p, unsigned variables)
{
    unsigned table = 0;

    for (unsigned i = 0; i < rows(variables); i++)
        if ((i & p.care) == p.value)
            table |= 1u << i;
    return table;
}

/* Returns true for a product inside the function that does not stay inside with a literal taken
 * away. */
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

/* Returns the sum with the fewest products, then the fewest literals. */
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

/* --- text --- */

struct text {
    char *out;
    size_t size, used;
    const struct cm_variable *variable;
    const int *late;
    unsigned count;
};

static void add(struct text *t, const char *s)
{
    for (; *s; s++, t->used++)
        if (t->used + 1 < t->size)
            t->out[t->used] = *s;
}

/* Returns the variable that is v one cycle ago and in the product with the other sign, or -1. */
static int partner(const struct text *t, struct product p, unsigned v)
{
    for (unsigned w = 0; w < t->count; w++)
        if (t->late[w] == (int)v && (p.care >> w & 1) && (p.value >> w & 1) != (p.value >> v & 1))
            return (int)w;
    return -1;
}

static void add_product(struct text *t, struct product p)
{
    const char *joint = "";

    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned v = 0; v < t->count; v++) {
            if (!(p.care >> v & 1))
                continue;
            int w = partner(t, p, v);
            if (pass == 0 && w < 0)
                continue;
            add(t, joint);
            joint = " & ";
            if (w >= 0)
                add(t, p.value >> v & 1 ? "rise(" : "fall(");
            else
                add(t, p.value >> v & 1 ? "" : "!");
            add(t, t->variable[v].text);
            add(t, w >= 0 ? ")" : "");
            if (w >= 0)
                p.care &= (uint8_t) ~(1u << w);
            p.care &= (uint8_t) ~(1u << v);
        }
}

bool cm_products(uint16_t table, unsigned count, const struct cm_variable variable[4],
                 const int late[4], char *out, size_t size)
{
    struct text t = { out, size, 0, variable, late, count };
    struct sum plain = minimize(table, count), inverse = minimize(all_ones(count) & ~table, count);
    bool invert = inverse.cost + 1 < plain.cost;
    const struct sum *sum = invert ? &inverse : &plain;

    add(&t, invert ? "!(" : "");
    for (unsigned i = 0; i < sum->count; i++) {
        add(&t, i > 0 ? " | " : "");
        add_product(&t, sum->product[i]);
    }
    add(&t, invert ? ")" : "");
    if (t.used < size)
        out[t.used] = '\0';
    return t.used < size;
}
