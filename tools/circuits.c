/* SPDX-License-Identifier: MIT */
/*
 * Makes data/circuits.csv: for each kind of function of four signals a shortest circuit of gates
 * with two inputs.  Two functions are of a kind if one becomes the other when inputs change places
 * and inputs or the output are inverted (222 kinds), so it is enough to look at functions that
 * are 0 where all inputs are, and at the five gates that are so, too.
 *
 * All circuits of no gate, of one, ... of seven are gone through, until each kind was met.  A
 * gate that does not use the one before it has the greater function, which is one order out of
 * many that mean the same; and no gate may stay unused.
 *
 *   cc -O2 tools/circuits.c -o circuits && ./circuits > data/circuits.csv
 *
 * tests/data/circuits.sh holds the file to this.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLES = 0x10000, KINDS = 222, INPUTS = 4, GATES = 7, SIGNALS = INPUTS + GATES };

static const char OPERATOR[] = "&-_|^"; /* and, a without b, b without a, or, either */
enum { OPERATORS = sizeof OPERATOR - 1 };

struct search {
    uint16_t kind[TABLES];
    unsigned kinds, found;
    unsigned gates; /* that a circuit has in this pass */
    bool met[KINDS];
    uint16_t table[SIGNALS];
    uint8_t first[SIGNALS], second[SIGNALS], gate[SIGNALS];
    unsigned uses[SIGNALS]; /* by how many gates */
};

/* --- kinds --- */

static unsigned invert_input(unsigned table, unsigned i)
{
    static const unsigned HIGH[INPUTS] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };

    return (table & HIGH[i]) >> (1u << i) | (table & ~HIGH[i] & 0xffff) << (1u << i);
}

/* Inputs i and i + 1 change places. */
static unsigned swap_inputs(unsigned table, unsigned i)
{
    static const unsigned ONLY_I[INPUTS - 1] = { 0x2222, 0x0c0c, 0x00f0 };
    const unsigned shift = 1u << i, low = table & ONLY_I[i], high = table & ONLY_I[i] << shift;

    return (table ^ low ^ high) | low << shift | high >> shift;
}

/* Everything that can be reached from `table` is of this kind. */
static void spread(struct search *s, unsigned table, uint16_t kind)
{
    static uint16_t todo[TABLES];
    size_t n = 0;

    s->kind[table] = kind;
    todo[n++] = (uint16_t)table;
    while (n > 0) {
        const unsigned t = todo[--n];
        unsigned next[2 * INPUTS] = { ~t & 0xffff };
        for (unsigned i = 0; i < INPUTS; i++)
            next[1 + i] = invert_input(t, i);
        for (unsigned i = 0; i + 1 < INPUTS; i++)
            next[1 + INPUTS + i] = swap_inputs(t, i);
        for (unsigned i = 0; i < 2 * INPUTS; i++)
            if (s->kind[next[i]] == KINDS) {
                s->kind[next[i]] = kind;
                todo[n++] = (uint16_t)next[i];
            }
    }
}

static void find_kinds(struct search *s)
{
    for (unsigned t = 0; t < TABLES; t++)
        s->kind[t] = KINDS;
    for (unsigned t = 0; t < TABLES; t++)
        if (s->kind[t] == KINDS)
            spread(s, t, (uint16_t)s->kinds++);
}

/* --- circuits --- */

static void print(const struct search *s, unsigned signals)
{
    const unsigned table = s->gates == 0 && signals == 0 ? 0 : s->table[signals - 1];

    printf("%04x,", table);
    for (unsigned k = INPUTS; k < signals; k++) {
        const bool turned = OPERATOR[s->gate[k]] == '_';
        printf("%s%c=%c%c%c", k > INPUTS ? " " : "", 'a' + (int)k,
               'a' + (turned ? s->second[k] : s->first[k]), turned ? '-' : OPERATOR[s->gate[k]],
               'a' + (turned ? s->first[k] : s->second[k]));
    }
    printf("\n");
}

static void meet(struct search *s, unsigned signals)
{
    const unsigned kind = s->kind[signals ? s->table[signals - 1] : 0];

    if (s->met[kind])
        return;
    s->met[kind] = true;
    s->found++;
    print(s, signals);
}

static unsigned result(unsigned gate, unsigned x, unsigned y)
{
    switch (gate) {
    case 0:
        return x & y;
    case 1:
        return x & ~y;
    case 2:
        return y & ~x;
    case 3:
        return x | y;
    default:
        return x ^ y;
    }
}

static bool is_new(const struct search *s, unsigned signals, unsigned table)
{
    if (table == 0)
        return false;
    for (unsigned k = 0; k < signals; k++)
        if (s->table[k] == table)
            return false;
    return true;
}

static void extend(struct search *s, unsigned signals);

/* Gates before this one that no other uses. */
static unsigned unused(const struct search *s, unsigned signals)
{
    unsigned n = 0;

    for (unsigned k = INPUTS; k < signals; k++)
        n += s->uses[k] == 0;
    return n;
}

/* A gate of each kind from i and j, if those to come can still use all that would be unused. */
static void add_gates(struct search *s, unsigned signals, unsigned i, unsigned j)
{
    const bool follows = j + 1 == signals;
    unsigned used = i >= INPUTS && s->uses[i] == 0;

    used += j >= INPUTS && s->uses[j] == 0;
    if (unused(s, signals) - used > INPUTS + s->gates - signals - 1)
        return;
    s->first[signals] = (uint8_t)i;
    s->second[signals] = (uint8_t)j;
    s->uses[i]++;
    s->uses[j]++;
    for (unsigned o = 0; o < OPERATORS; o++) {
        const unsigned t = result(o, s->table[i], s->table[j]);
        if (!is_new(s, signals, t))
            continue;
        if (signals > INPUTS && !follows && t < s->table[signals - 1])
            continue;
        s->table[signals] = (uint16_t)t;
        s->gate[signals] = (uint8_t)o;
        s->uses[signals] = 0;
        extend(s, signals + 1);
    }
    s->uses[i]--;
    s->uses[j]--;
}

/* The first gate is one from a and b, without loss of generality. */
static void extend(struct search *s, unsigned signals)
{
    if (s->found == s->kinds)
        return;
    if (signals == INPUTS + s->gates) {
        meet(s, signals);
        return;
    }
    for (unsigned j = 1; j < (signals == INPUTS ? 2 : signals); j++)
        for (unsigned i = 0; i < j; i++)
            add_gates(s, signals, i, j);
}

int main(void)
{
    static struct search s;
    static const uint16_t INPUT[INPUTS] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };

    find_kinds(&s);
    if (s.kinds != KINDS)
        return EXIT_FAILURE;
    for (unsigned i = 0; i < INPUTS; i++)
        s.table[i] = INPUT[i];
    printf("# table,gates\n");
    meet(&s, 0);
    meet(&s, 1);
    for (s.gates = 1; s.gates <= GATES; s.gates++)
        extend(&s, INPUTS);
    return s.found == KINDS ? EXIT_SUCCESS : EXIT_FAILURE;
}
