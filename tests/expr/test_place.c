/* SPDX-License-Identifier: MIT */
/*
 * Verifies that what pc_expr_place() returns computes the expression, by doing the eight
 * steps of "Input selection" here, for all values of all signals now and one cycle ago;
 * and that it refuses only what does not fit.
 */
#include "tree.h"

#include <stdio.h>
#include <string.h>

static const char *const chip_names[] = { "NV10", "NV30",  "NV40",  "G80",  "G84",
                                          "G92",  "GT215", "GF100", "GK104" };

/* Steps 1 to 8 for PRE, START, EVENT and STOP; bit w of now, before: wire w. */
static unsigned select_input(const struct pc_expr_input *in, const struct pc_chip *chip,
                             enum pc_slot slot, uint32_t now, uint32_t before)
{
    unsigned src[4], old[4], arg[4], index = 0;
    bool event_or_stop = slot == PC_SLOT_EVENT || slot == PC_SLOT_STOP;

    for (unsigned i = 0; i < 4; i++) {
        src[i] = in->source[i] == PC_NO_WIRE
                     ? 1
                     : now >> in->source[i] & 1; /* a signal nobody asked for */
        old[i] = in->source[i] == PC_NO_WIRE ? 0 : before >> in->source[i] & 1;
        arg[i] = src[i];
    }
    if (in->op >> 16 & 1)
        arg[0] = old[0];
    if (in->op >> 17 & 1)
        arg[1] = old[1];
    if (chip->layout == PC_LAYOUT_GF100 || event_or_stop) {
        assert_false(in->op >> 18 & 1); /* SETFLAG is not used */
        if (in->op >> 19 & 1)
            arg[2] = old[0];
        if (in->op >> 20 & 1)
            arg[3] = old[1];
    } else {
        if (in->op >> 18 & 1)
            arg[2] = old[0];
        if (in->op >> 19 & 1)
            arg[3] = old[1];
        assert_false(in->op >> 20 & 1);
    }
    if (!(chip->features & PC_F_ARG23_DELAY))
        assert_int_equal(in->op >> 18, 0);
    for (unsigned i = 0; i < 4; i++)
        index |= arg[i] << i;
    return in->op >> index & 1;
}

static struct pc_expr *compile(const char *text)
{
    struct pc_expr *e = NULL;
    struct pc_error err;

    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    test_ok(pc_expr_resolve(e, tree_lookup, NULL, &err), &err);
    return e;
}

/* Rows of `now` and `before` over the five scalars as a tree sees them. */
static unsigned tree_row(const struct tree *t, uint32_t now, uint32_t before)
{
    static struct tree_input in;

    for (unsigned w = 0; w < 5; w++) {
        in.bit[0][w] = before >> w & 1;
        in.bit[1][w] = now >> w & 1;
    }
    return tree_value(t, &in, 1);
}

static uint32_t numbered(uint32_t wires)
{
    uint32_t out = 0;

    for (unsigned w = 0; w < 5; w++)
        out |= (wires >> w & 1) << tree_wire_number(w);
    return out;
}

/* Inputs that matter: bit w for wire w now, bit 8 + w for wire w one cycle ago. */
static uint32_t support(unsigned table[32][32])
{
    uint32_t out = 0;

    for (unsigned now = 0; now < 32; now++)
        for (unsigned before = 0; before < 32; before++)
            for (unsigned w = 0; w < 5; w++) {
                out |= (uint32_t)(table[now][before] != table[now ^ 1u << w][before]) << w;
                out |= (uint32_t)(table[now][before] != table[now][before ^ 1u << w]) << (8 + w);
            }
    return out;
}

static unsigned ones(uint32_t x)
{
    unsigned n = 0;

    for (; x; x &= x - 1)
        n++;
    return n;
}

static void random_trees(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(2, &seed);
    static struct tree pool[100];
    static unsigned table[32][32];
    unsigned placed = 0, refused = 0;
    char text[TREE_TEXT];

    (void)state;
    print_message("PC_SEED=%llu\n", (unsigned long long)seed);
    for (int round = 0; round < 1500; round++) {
        struct tree *tree = tree_random(&rng, pool, 100, 1 + test_rand_below(&rng, 5), true);
        if (tree_depth(tree) > 1)
            continue;
        for (uint32_t now = 0; now < 32; now++)
            for (uint32_t before = 0; before < 32; before++)
                table[now][before] = tree_row(tree, now, before);
        uint32_t s = support(table);
        bool fits = ones(s) <= 4 && ones(s >> 8) <= 2;
        tree_print(tree, &rng, text);
        struct pc_expr *e = compile(text);
        for (size_t c = 0; c < sizeof chip_names / sizeof chip_names[0]; c++) {
            const struct pc_chip *chip = pc_chip_find(chip_names[c]);
            enum pc_slot slot = (enum pc_slot)test_rand_below(&rng, 4);
            struct pc_expr_input in;
            struct pc_error err;
            enum pc_status status = pc_expr_place(e, chip, slot, &in, &err);
            if (status != (fits ? PC_OK : PC_EUNFIT))
                fail_msg("%s on %s: %s", text, chip->name, pc_status_name(status));
            placed += fits;
            refused += !fits;
            for (uint32_t i = 0; fits && i < 1024; i++)
                if (select_input(&in, chip, slot, numbered(i & 31), numbered(i >> 5)) !=
                    table[i & 31][i >> 5])
                    fail_msg("%s on %s slot %d: op %08x differs", text, chip->name, (int)slot,
                             in.op);
        }
        pc_expr_free(e);
    }
    assert_true(placed > 1000);
    assert_true(refused > 100);
}

/* Every function of three inputs, each of a, b, c now or late: as a sum of products. */
static void all_functions_of_three(void **state)
{
    const struct pc_chip *old = pc_chip_find("G84"), *new = pc_chip_find("G92");
    char text[512];

    (void)state;
    for (unsigned function = 0; function < 256; function++) {
        for (unsigned late = 0; late < 8; late++) {
            size_t used = (size_t)snprintf(text, sizeof text, "0");
            for (unsigned row = 0; row < 8; row++) {
                if (!(function >> row & 1))
                    continue;
                for (unsigned w = 0; w < 3; w++)
                    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%c%s",
                                             w ? "&" : "|", row >> w & 1 ? "" : "!",
                                             late >> w & 1 ? "prev(" : "", 'a' + (char)w,
                                             late >> w & 1 ? ")" : "");
            }
            struct pc_expr *e = compile(text);
            struct pc_expr_input in;
            enum pc_status status = pc_expr_place(e, old, PC_SLOT_STOP, &in, NULL);
            assert_int_equal(status, pc_expr_place(e, new, PC_SLOT_STOP, &in, NULL));
            /* Only functions that need all three late do not fit. */
            if (status)
                assert_true(status == PC_EUNFIT && late == 7);
            for (uint32_t i = 0; status == PC_OK && i < 64; i++) {
                unsigned row = (i & ~late & 7) | (i >> 3 & late);
                assert_int_equal(
                    select_input(&in, new, PC_SLOT_STOP, numbered(i & 7), numbered(i >> 3)),
                    function >> row & 1);
            }
            pc_expr_free(e);
        }
    }
}

/* All 65,536 functions of four signals. */
static void all_functions_of_four(void **state)
{
    const struct pc_chip *chip = pc_chip_find("NV40");
    char text[512];

    (void)state;
    for (unsigned function = 0; function < 65536; function++) {
        size_t used = 0;
        /* Halving the table keeps the text short: a ? b ? .. : .. : .. over constants. */
        used += (size_t)snprintf(text, sizeof text, "d?");
        for (unsigned quarter = 4; quarter-- > 0;) {
            unsigned f = function >> 4 * quarter & 15;
            used += (size_t)snprintf(text + used, sizeof text - used, "%sb?(a?%u:%u):(a?%u:%u)%s",
                                     quarter & 1 ? "c?(" : "(", f >> 3 & 1, f >> 2 & 1, f >> 1 & 1,
                                     f & 1, quarter == 0 ? ")" : "):");
        }
        struct pc_expr *e = compile(text);
        struct pc_expr_input in;
        test_ok(pc_expr_place(e, chip, PC_SLOT_EVENT, &in, NULL), NULL);
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(select_input(&in, chip, PC_SLOT_EVENT, numbered(i), 0),
                             function >> i & 1);
        pc_expr_free(e);
    }
}

static void place(const char *text, const char *chip, enum pc_slot slot, struct pc_expr_input *out)
{
    struct pc_error err;
    struct pc_expr *e = compile(text);

    test_ok(pc_expr_place(e, pc_chip_find(chip), slot, out, &err), &err);
    pc_expr_free(e);
}

/* Words worked out by hand: fewest selectors, inputs in the order of the text. */
static void known_words(void **state)
{
    struct pc_expr_input in;
    uint32_t a = tree_wire_number(0), b = tree_wire_number(1);

    (void)state;
    place("rise(a) & !b", "G92", PC_SLOT_EVENT, &in); /* s0 & !s1 & !s0@-1 */
    assert_int_equal(in.op, 0x00080202);
    assert_int_equal(in.source[0], a);
    assert_int_equal(in.source[1], b);
    assert_int_equal(in.source[2], PC_NO_WIRE);
    place("rise(a) & !b", "G84", PC_SLOT_EVENT, &in); /* s0 & !s1@-1 & !s2 */
    assert_int_equal(in.op, 0x00020202);
    assert_int_equal(in.source[0], a);
    assert_int_equal(in.source[1], a);
    assert_int_equal(in.source[2], b);
    place("fall(a)", "G92", PC_SLOT_START, &in);
    assert_int_equal(in.op, 0x00045050);
    place("fall(a)", "G92", PC_SLOT_STOP, &in);
    assert_int_equal(in.op, 0x00085050);
    place("fall(a)", "GK104", PC_SLOT_START, &in); /* D-12: bit 19 in every input */
    assert_int_equal(in.op, 0x00085050);
    place("edge(a) & edge(b)", "G92", PC_SLOT_PRE, &in);
    assert_int_equal(in.op >> 16, 0xc);
    assert_int_equal(in.source[2], PC_NO_WIRE);
    place("a", "NV30", PC_SLOT_PRE, &in);
    assert_int_equal(in.op, 0xaaaa);
    place("1", "NV30", PC_SLOT_PRE, &in);
    assert_int_equal(in.op, 0xffff);
    assert_int_equal(in.source[0], PC_NO_WIRE);
    place("a & !a", "NV30", PC_SLOT_PRE, &in);
    assert_int_equal(in.op, 0);
    /* Eight bits are named, two matter. */
    place("v[7:0] == v[7:0] & (a | b) | v[3] & !v[3]", "NV30", PC_SLOT_PRE, &in);
    assert_int_equal(in.op, 0xeeee);
    /* A constant is what it is, however long ago. */
    place("prev(prev(prev(87))) <= w[3:2] | prev(prev(prev(1))) & a", "NV30", PC_SLOT_PRE, &in);
    assert_int_equal(in.op, 0xaaaa);
    place("w == 4'b1010", "NV30", PC_SLOT_PRE, &in);
    assert_int_equal(in.op, 1 << 10);
}

static void reasons(void **state)
{
    static const struct {
        const char *text, *chip;
        unsigned code, column;
        const char *says;
    } rows[] = {
        { "a & b & c & d & e", "G92", 320, 17, "needs 5 inputs; EVENT of G92 has 4" },
        { "rise(a) & rise(b) & c", "G92", 320, 21, "needs 5 inputs" },
        { "a | v == 3", "NV40", 320, 5, "needs 9 inputs" },
        { "v == 3 & w == 2", "NV40", 320, 1, "more than 10 inputs" },
        { "prev(a) & prev(b) | prev(c)", "G92", 321, 26, "3 signals one cycle late" },
        { "b & rise(prev(a))", "G92", 322, 10, "\"prev(a)\" is inside" },
        { "prev(prev(a))", "G92", 322, 6, "is inside" },
        { "a", "NV11", 323, 0, "NV11 has no PCOUNTER" },
        { "a & $isunknown(v)", "G92", 324, 5, "\"$isunknown(v)\" is not a signal of hardware" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_expr *e = compile(rows[i].text);
        struct pc_expr_input in = { .op = 0x1234 };
        struct pc_error err;
        enum pc_status status =
            pc_expr_place(e, pc_chip_find(rows[i].chip), PC_SLOT_EVENT, &in, &err);
        assert_int_equal(status, pc_explain(rows[i].code)->status);
        assert_int_equal(err.code, rows[i].code);
        if (err.column != rows[i].column || !strstr(err.text, rows[i].says))
            fail_msg("%s: column %u: %s", rows[i].text, err.column, err.text);
        assert_int_equal(in.op, 0x1234);
        pc_expr_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_words),           cmocka_unit_test(reasons),
        cmocka_unit_test(random_trees),          cmocka_unit_test(all_functions_of_three),
        cmocka_unit_test(all_functions_of_four),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
