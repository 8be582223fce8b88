/* SPDX-License-Identifier: MIT */
/*
 * Verifies that pc_expr_eval() agrees with the slow trees of tree.c on random
 * expressions: values, taint, any cut into blocks, restart; and long runs with short ones.
 */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = (TREE_CYCLES + 63) / 64 };

struct planes {
    uint64_t value[TREE_WIRES][WORDS], unknown[TREE_WIRES][WORDS];
};

/* Columns `from`.. of the input, `cycles` of them, as planes; unknown bits have value `x`. */
static void cut(const struct tree_input *in, unsigned from, unsigned cycles, bool x,
                struct planes *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned t = 0; t < cycles; t++) {
        for (unsigned w = 0; w < TREE_WIRES; w++) {
            unsigned b = in->bit[from + t][w];
            uint32_t n = tree_wire_number(w);
            out->value[n][t / 64] |= (uint64_t)(b == 1 || (b == 2 && x)) << t % 64;
            out->unknown[n][t / 64] |= (uint64_t)(b == 2) << t % 64;
        }
    }
}

/* The values that the tree has when unknown bits are x. */
static void guess(struct tree_input *in, unsigned x)
{
    for (unsigned t = 0; t < TREE_CYCLES; t++)
        for (unsigned w = 0; w < TREE_WIRES; w++)
            if (in->bit[t][w] == 2)
                in->bit[t][w] = (uint8_t)x;
}

static void random_input(struct test_rng *rng, struct tree_input *in)
{
    unsigned unknowns = test_rand_below(rng, 3);

    for (unsigned t = 0; t < TREE_CYCLES; t++)
        for (unsigned w = 0; w < TREE_WIRES; w++)
            in->bit[t][w] = (uint8_t)(unknowns && test_rand_below(rng, 6 * unknowns) == 0
                                          ? 2
                                          : test_rand(rng) >> 33 & 1);
}

/* Evaluates all cycles in blocks of random length and compares. */
static void check_run(struct test_rng *rng, const char *text, struct pc_expr *e,
                      const struct tree *tree, const struct tree_input *in,
                      const struct tree_input *guessed, bool x)
{
    struct planes p;
    const uint64_t *value[TREE_WIRES], *unknown[TREE_WIRES];
    uint64_t out[WORDS], taint[WORDS];
    /* what these say of unknown bits is not what they say of a guess */
    const bool counts = strstr(text, "$onehot") || strstr(text, "$isunknown");

    for (unsigned w = 0; w < TREE_WIRES; w++) {
        value[w] = p.value[w];
        unknown[w] = p.unknown[w];
    }
    for (unsigned from = 0; from < TREE_CYCLES;) {
        static const unsigned lengths[] = { 1, 2, 63, 64, 65, 127, 128, 129 };
        unsigned n = lengths[test_rand_below(rng, 8)];
        if (n > TREE_CYCLES - from)
            n = TREE_CYCLES - from;
        cut(in, from, n, x, &p);
        pc_expr_eval(e, value, unknown, WORDS, n, out, taint);
        for (unsigned t = 0; t < 64 * WORDS; t++) {
            unsigned v = 0, u = 0;
            if (t < n) {
                const unsigned known = tree_value(tree, in, (int)(from + t));
                u = known == 2;
                v = u ? tree_value(tree, guessed, (int)(from + t)) : known;
            }
            const unsigned got = out[t / 64] >> t % 64 & 1;
            if ((got != v && !(u && counts)) || (taint[t / 64] >> t % 64 & 1) != u)
                fail_msg("%s: cycle %u: value %u, taint %u expected", text, from + t, v, u);
        }
        from += n;
    }
}

static void random_trees(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(1, &seed);
    static struct tree pool[200];
    static struct tree_input in, guessed;
    char text[TREE_TEXT];

    (void)state;
    print_message("PC_SEED=%llu\n", (unsigned long long)seed);
    for (int round = 0; round < 600; round++) {
        struct tree *tree = tree_random(&rng, pool, 200, 1 + test_rand_below(&rng, 6), false);
        struct pc_expr *e = NULL;
        struct pc_error err;
        bool x = test_rand_below(&rng, 2);

        tree_print(tree, &rng, text);
        test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
        test_ok(pc_expr_resolve(e, tree_lookup, NULL, &err), &err);
        random_input(&rng, &in);
        guessed = in;
        guess(&guessed, x);
        check_run(&rng, text, e, tree, &in, &guessed, x);
        pc_expr_restart(e);
        check_run(&rng, text, e, tree, &in, &guessed, x);
        pc_expr_free(e);
    }
}

/*
 * A long run at once and word by word, which random_trees() holds to the law, are the same: more
 * words than are evaluated at a time, any number of them left over, and a vector that is wider than
 * what is evaluated so.
 */
static void long_runs(void **state)
{
    enum { LONG = 70 };
    static const char *const texts[] = {
        "rise(a) & !b | prev(v) == w",
        "v < w ? c : edge(d & e)",
        "^v ^ prev(prev(a)) & !fall(b)",
        "(v | 4096'h0) >= w",
    };
    static uint64_t plane[2][TREE_WIRES][LONG], out[2][LONG], taint[2][LONG];
    const uint64_t *at[2][TREE_WIRES];
    uint64_t seed;
    struct test_rng rng = test_rng_start(2, &seed);

    (void)state;
    for (unsigned w = 0; w < TREE_WIRES; w++)
        for (unsigned i = 0; i < LONG; i++) {
            plane[0][w][i] = test_rand(&rng);
            plane[1][w][i] = i % 3 ? 0 : test_rand(&rng) & test_rand(&rng) & test_rand(&rng);
        }
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
        for (uint32_t cycles = 1; cycles <= 64 * LONG; cycles += 1 + test_rand_below(&rng, 200)) {
            struct pc_expr *e = NULL;
            struct pc_error err;
            test_ok(pc_expr_parse(NULL, texts[t], &e, &err), &err);
            test_ok(pc_expr_resolve(e, tree_lookup, NULL, &err), &err);
            for (unsigned w = 0; w < TREE_WIRES; w++)
                for (unsigned k = 0; k < 2; k++)
                    at[k][w] = plane[k][w];
            pc_expr_eval(e, at[0], at[1], LONG, cycles, out[0], taint[0]);
            pc_expr_restart(e);
            for (uint32_t i = 0; i < LONG; i++) {
                const uint32_t left = cycles > 64 * i ? cycles - 64 * i : 0;
                pc_expr_eval(e, at[0], at[1], 1, left < 64 ? left : 64, &out[1][i], &taint[1][i]);
                for (unsigned w = 0; w < TREE_WIRES; w++)
                    for (unsigned k = 0; k < 2; k++)
                        at[k][w]++;
            }
            assert_memory_equal(out[0], out[1], sizeof out[0]);
            assert_memory_equal(taint[0], taint[1], sizeof taint[0]);
            pc_expr_free(e);
        }
}

/* Evaluates one cycle of constants and of a, b, v, w given as a number of 17 bits. */
static unsigned once(const char *text, uint32_t wires, uint32_t unknown, bool *tainted)
{
    struct pc_expr *e = NULL;
    struct pc_error err;
    uint64_t v[TREE_WIRES], u[TREE_WIRES], out, taint;
    const uint64_t *value[TREE_WIRES], *unk[TREE_WIRES];

    for (unsigned w = 0; w < TREE_WIRES; w++) {
        uint32_t n = tree_wire_number(w);
        v[n] = wires >> w & ~unknown >> w & 1;
        u[n] = unknown >> w & 1;
        value[n] = &v[n];
        unk[n] = &u[n];
    }
    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    test_ok(pc_expr_resolve(e, tree_lookup, NULL, &err), &err);
    pc_expr_eval(e, value, unk, 1, 1, &out, &taint);
    pc_expr_free(e);
    if (tainted)
        *tainted = taint & 1;
    return (unsigned)(out & 1);
}

/* What each form of the language means, by hand. */
static const struct {
    const char *text;
    uint32_t wires; /* a b c d e: bits 0 to 4; v: bits 5 to 12; w: bits 13 to 16 */
    unsigned expected;
} meanings[] = {
    { "a", 1, 1 },
    { "!a", 1, 0 },
    { "~a", 0, 1 },
    { "v == 8'hff", 0xff << 5, 1 },
    { "v == 255", 0xff << 5, 1 },
    { "v == 0xFF", 0xff << 5, 1 },
    { "v == 8'b1111_1111", 0xff << 5, 1 },
    { "v == 8'o377", 0xff << 5, 1 },
    { "v == 8'd2_55", 0xff << 5, 1 },
    { "v == 'hff", 0xff << 5, 1 },
    { "v[3:0] == 4'b1010", 0xfa << 5, 1 },
    { "v [3 : 0] == 4'b1010", 0xfa << 5, 1 },
    { "v[7]", 0x80 << 5, 1 },
    { "&v", 0xfe << 5, 0 },
    { "&v", 0xff << 5, 1 },
    { "|v", 0x10 << 5, 1 },
    { "^v", 0x13 << 5, 1 },
    { "~|v", 0, 1 },
    /* IEEE 1800-2017, 20.9 */
    { "$countones(v) == 3", 0x13 << 5, 1 },
    { "$countones(v) > -1", 0, 1 },
    { "($countones(v) & 3) == 0", 0xff << 5, 1 },
    { "$onehot(v)", 0x10 << 5, 1 },
    { "$onehot(v)", 0, 0 },
    { "$onehot(v)", 3 << 5, 0 },
    { "$onehot0(v)", 0, 1 },
    { "$onehot0(v)", 3 << 5, 0 },
    { "$isunknown(v)", 0xff << 5, 0 },
    /* A vector is true where it is not 0. */
    { "!v", 0, 1 },
    { "!v", 0x10 << 5, 0 },
    { "v && w", 0x10 << 5 | 4u << 13, 1 },
    { "v && w", 0x10 << 5, 0 },
    { "v || a", 0x10 << 5, 1 },
    { "v || w", 0, 0 },
    { "!(k & 5'sd16)", 16u << 17, 0 },
    /* IEEE 1800-2017, 11.4.13 */
    { "v inside {3, [8:15]}", 9 << 5, 1 },
    { "v inside {3, [8:15]}", 3 << 5, 1 },
    { "v inside {3, [8:15]}", 7 << 5, 0 },
    { "v inside {3, [8:15]}", 16 << 5, 0 },
    { "v inside {[15:8]}", 9 << 5, 0 },
    { "v inside {w, [w:w]}", 9 << 5 | 9u << 13, 1 },
    { "a & v inside {1, 2} | b", 1 | 2 << 5, 1 },
    { "a & v inside {1, 2} | b", 2 << 5, 0 },
    { "v inside {a ? 1 : 2}", 1 | 1 << 5, 1 },
    { "k inside {[-2:0]}", 31u << 17, 1 },
    { "k inside {[0:255]}", 31u << 17, 0 },
    { "k inside {[0:8'd255]}", 31u << 17, 1 }, /* one has no sign: none has */
    { "k inside {-1, 8'd3}", 31u << 17, 0 },
    { "~&v[1:0]", 3 << 5, 0 },
    { "v < w", 3 << 5 | 4u << 13, 1 },
    { "v <= w", 4 << 5 | 4u << 13, 1 },
    { "v > w", 0x14 << 5 | 4u << 13, 1 },
    { "v >= w", 3 << 5 | 4u << 13, 0 },
    /* Widths: w is widened before it is inverted. */
    { "v == ~w", 0xfb << 5 | 4u << 13, 1 },
    { "(v & ~1) == 8'hfe", 0xff << 5, 1 },
    { "v != v[3:0]", 0x13 << 5, 1 },
    /* Precedence: & over ^ over | over && over ||, comparisons before all of them. */
    { "a | b & c", 1, 1 },
    { "a ^ b & c", 1, 1 },
    { "a | b ^ c", 7, 1 },
    { "a && b || c", 4, 1 },
    { "a & v == 3", 1 | 3 << 5, 1 },
    { "a == b != c", 4, 0 },
    { "!a == b", 2, 1 },
    { "a ? b : c ? d : e", 1 << 2 | 1 << 3, 1 },
    { "a ? b ? c : d : e", 3 | 1 << 2, 1 },
    { "a ? b : c", 1 << 2, 1 },
    { "edge(a)", 1, 1 },
    { "rise(a)", 1, 1 },
    { "fall(a)", 1, 0 },
    { "prev(a)", 1, 0 },
    { "prev(!a)", 1, 1 },
    { "rise(!a)", 0, 0 },
    { "prev(v) == 0", 0xff << 5, 1 },
    { "1", 0, 1 },
    { "0", 0, 0 },
    { "5000000000 == 40'h12A05F200", 0, 1 },
    { "\t( ( a ) )\n", 1, 1 },
};

static void meaning(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        unsigned got = once(meanings[i].text, meanings[i].wires, 0, NULL);
        if (got != meanings[i].expected)
            fail_msg("%s: %u expected", meanings[i].text, meanings[i].expected);
    }
}

/* A result that does not depend on the unknown input is not tainted. */
static void taint(void **state)
{
    static const struct {
        const char *text;
        uint32_t wires, unknown;
        unsigned value;
        bool tainted;
    } rows[] = {
        { "a & b", 1, 2, 0, true },
        { "a & b", 0, 2, 0, false },
        { "a | b", 1, 2, 1, false },
        { "a | b", 0, 2, 0, true },
        { "a ^ b", 1, 2, 1, true },
        { "!b", 0, 2, 1, true },
        { "c ? a : b", 3, 4, 1, false },
        { "c ? a : b", 1, 4, 0, true },
        { "v == 1", 2 << 5, 4 << 5, 0, false },
        { "v == 1", 1 << 5, 4 << 5, 1, true },
        { "v < 4", 8 << 5, 1 << 5, 0, false },
        { "v != 0", 1 << 5, 6 << 5, 1, false },
        { "rise(b)", 0, 2, 0, true },
        { "$countones(v) == 1", 1 << 5, 2 << 5, 1, false },
        { "$onehot(v)", 1 << 5, 2 << 5, 1, false },
        { "$onehot0(v)", 1 << 5, 2 << 5, 1, false },
        { "$isunknown(v)", 0, 2 << 5, 1, false },
        { "v && a", 1 | 1 << 5, 2 << 5, 1, false },
        { "v && a", 1, 2 << 5, 0, true },
        { "!v", 0, 2 << 5, 1, true },
        { "v inside {1, [4:7]}", 4 << 5, 1 << 5, 1, false },
        { "v inside {1, [4:7]}", 0, 1 << 5, 0, true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool tainted;
        unsigned v = once(rows[i].text, rows[i].wires, rows[i].unknown, &tainted);
        if (v != rows[i].value || tainted != rows[i].tainted)
            fail_msg("%s: got %u, tainted %d", rows[i].text, v, tainted);
    }
}

/* Which expressions are a signal and nothing else. */
static void plain_signals(void **state)
{
    static const struct {
        const char *text;
        int wire; /* of the tree; -1: none */
    } rows[] = {
        { "a", 0 },  { "c", 2 },      { "((b))", 1 },    { "v[3]", 8 }, { "!a", -1 },
        { "1", -1 }, { "a & a", -1 }, { "prev(a)", -1 }, { "|v", -1 },  { "a ? a : a", -1 },
    };
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_expr_signal(NULL), PC_NO_WIRE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t wire =
            rows[i].wire < 0 ? PC_NO_WIRE : tree_wire_number((unsigned)rows[i].wire);
        struct pc_expr *e;
        test_ok(pc_expr_parse(NULL, rows[i].text, &e, &err), &err);
        assert_int_equal(pc_expr_signal(e), PC_NO_WIRE); /* not resolved yet */
        test_ok(pc_expr_resolve(e, tree_lookup, NULL, &err), &err);
        if (pc_expr_signal(e) != wire)
            fail_msg("%s: %u, not %u", rows[i].text, pc_expr_signal(e), wire);
        pc_expr_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meaning),       cmocka_unit_test(taint),
        cmocka_unit_test(plain_signals), cmocka_unit_test(random_trees),
        cmocka_unit_test(long_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
