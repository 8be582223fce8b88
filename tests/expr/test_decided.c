/* SPDX-License-Identifier: MIT */
/*
 * Verifies that pc_expr_decided() tells just the comparisons of a signal with a number that have
 * one result for all values of the signal, which pc_expr_eval() is asked for.
 */
#include "tree.h"

#include <stdio.h>
#include <string.h>

/* Of "w", four bits, and of "k", five bits of a signed number; their first wires. */
enum { VALUES = 16, FIRST = 13, SIGNED_VALUES = 32, SIGNED_FIRST = 17 };

static const char *const operators[] = { "<", "<=", ">", ">=", "==", "!=" };

/* Bit i is the result for w, or k, being i. */
static uint64_t results(struct pc_expr *e)
{
    static const uint64_t bit[5] = { 0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000 };
    static const uint64_t none;
    const uint64_t *plane[TREE_WIRES];
    uint64_t out;

    for (unsigned i = 0; i < TREE_WIRES; i++)
        plane[i] = &none;
    for (unsigned b = 0; b < 4; b++)
        plane[tree_wire_number(FIRST + b)] = &bit[b];
    for (unsigned b = 0; b < 5; b++)
        plane[tree_wire_number(SIGNED_FIRST + b)] = &bit[b];
    pc_expr_eval(e, plane, NULL, 1, SIGNED_VALUES, &out, NULL);
    return out;
}

static struct pc_expr *resolved(const char *text)
{
    struct pc_expr *e = NULL;
    struct pc_error err;

    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    assert_false(pc_expr_decided(e, &(struct pc_expr_comparison){ 0 }));
    test_ok(pc_expr_resolve(e, tree_lookup, NULL, &err), &err);
    return e;
}

static void all_numbers(void **state)
{
    unsigned decided = 0, open = 0;

    (void)state;
    for (unsigned i = 0; i < 3 * 6 * 40; i++) {
        const char *op = operators[i / 40 % 6];
        char text[40];
        if (i / 240 == 0)
            snprintf(text, sizeof text, "w %s %u", op, i % 40);
        else if (i / 240 == 1)
            snprintf(text, sizeof text, "w %s 9'd%u", op, i % 40);
        else
            snprintf(text, sizeof text, "%u %s w", i % 40, op);
        struct pc_expr *e = resolved(text);
        struct pc_expr_comparison c = { 0 };
        const uint64_t all = (1u << VALUES) - 1, r = results(e) & all;
        const bool same = r == 0 || r == all;
        if (pc_expr_decided(e, &c) != same)
            fail_msg("%s: %04x", text, (unsigned)r);
        if (same && (c.value != (r != 0) || c.width != 4 || c.begin != 0 || c.end != strlen(text)))
            fail_msg("%s: %d of %u bits, %u..%u", text, c.value, c.width, c.begin, c.end);
        decided += same;
        open += !same;
        pc_expr_free(e);
    }
    assert_true(decided > 100 && open > 100);
}

/* Tests a signed signal, and numbers below 0 with one that is not signed. */
static void signed_numbers(void **state)
{
    static const char *const forms[] = { "k %s %u",     "k %s 7'sd%u", "k %s -7'sd%u",
                                         "w %s -%u",    "k %s -%u",    "k %s 7'd%u",
                                         "k %s 6'sd%u", "w %s 7'sd%u", "k %s 'sd%u" };
    enum { FORMS_HERE = sizeof forms / sizeof forms[0], NUMBERS = 32 };
    unsigned decided = 0, open = 0;

    (void)state;
    for (unsigned i = 0; i < FORMS_HERE * 6 * NUMBERS; i++) {
        char text[40];
        const unsigned form = i / NUMBERS / 6;
        snprintf(text, sizeof text, forms[form], operators[i / NUMBERS % 6], i % NUMBERS * 2);
        struct pc_expr *e = resolved(text);
        struct pc_expr_comparison c = { 0 };
        const uint64_t all = text[0] == 'k' ? 0xffffffff : 0xffff, r = results(e) & all;
        const bool same = r == 0 || r == all, both = form != 3 && form != 5 && form != 7;
        if (pc_expr_decided(e, &c) != same)
            fail_msg("%s: %08x", text, (unsigned)r);
        if (same && (c.value != (r != 0) || c.is_signed != both))
            fail_msg("%s: %d, signed %d", text, c.value, c.is_signed);
        decided += same;
        open += !same;
        pc_expr_free(e);
    }
    assert_true(decided > 400 && open > 400);
}

/* Which comparisons take a signed side as unsigned, where that can make a difference. */
static void mixed(void **state)
{
    static const struct {
        const char *text;
        uint32_t begin, end, width;
    } rows[] = {
        { "k < w", 0, 5, 5 },          { "a | 4'd3 > k", 4, 12, 5 },
        { "k >= 0x3", 0, 8, 5 },       { "k == v", 0, 6, 5 },
        { "w < -1", 0, 6, 32 },        { "$signed(w) < v", 0, 14, 4 },
        { "prev(k) < w", 0, 11, 5 },   { "(k | j) < 'd3", 0, 13, 5 },
        { "k == w", 0, 0, 0 }, /* the signed side is the wider: nothing is put before it */
        { "k < 3", 0, 0, 0 },          { "k < j", 0, 0, 0 },
        { "w < 3", 0, 0, 0 },          { "k[2:0] < w", 0, 0, 0 },
        { "k < $signed(w)", 0, 0, 0 }, { "$unsigned(k) < w", 0, 0, 0 },
        { "(k & w) < w", 0, 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_expr_comparison c = { 0 };
        struct pc_expr *e = resolved(rows[i].text);
        if (pc_expr_mixed(e, &c) != (rows[i].end > 0) || c.begin != rows[i].begin ||
            c.end != rows[i].end || c.width != rows[i].width)
            fail_msg("%s: %u..%u, %u bits", rows[i].text, c.begin, c.end, c.width);
        pc_expr_free(e);
    }
    assert_false(pc_expr_mixed(NULL, &(struct pc_expr_comparison){ 0 }));
}

/* Where in an expression, and what is none. */
static void places(void **state)
{
    static const struct {
        const char *text;
        uint32_t begin, end;
    } rows[] = {
        { "a & (v == 300 | b)", 5, 13 },
        { "!(16 <= w) & v < 0", 2, 9 },
        { "a == 2'b10", 0, 10 },
        { "v[3:0] > 15", 0, 11 },
        { "v < w", 0, 0 },
        { "~w == 300", 0, 0 },
        { "3 == 4 | a", 0, 0 },
        { "(v & w) > 255", 0, 0 },
        { "rise(a)", 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_expr_comparison c = { 0 };
        struct pc_expr *e = resolved(rows[i].text);
        assert_int_equal(pc_expr_decided(e, &c), rows[i].end > 0);
        assert_int_equal(c.begin, rows[i].begin);
        assert_int_equal(c.end, rows[i].end);
        pc_expr_free(e);
    }
    assert_false(pc_expr_decided(NULL, &(struct pc_expr_comparison){ 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_numbers), cmocka_unit_test(places),
                                        cmocka_unit_test(signed_numbers), cmocka_unit_test(mixed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
