/* SPDX-License-Identifier: MIT */
/*
 * Verifies that pc_expr_decided() tells just the comparisons of a signal with a number that have
 * one result for all values of the signal, which pc_expr_eval() is asked for.
 */
#include "tree.h"

#include <stdio.h>
#include <string.h>

enum { VALUES = 16, FIRST = 13 }; /* of "w", a vector of four bits, and its first wire */

static const char *const operators[] = { "<", "<=", ">", ">=", "==", "!=" };

/* Bit i is the result for w being i. */
static uint64_t results(struct pc_expr *e)
{
    static const uint64_t bit[4] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 }, none;
    const uint64_t *plane[TREE_WIRES];
    uint64_t out;

    for (unsigned i = 0; i < TREE_WIRES; i++)
        plane[i] = &none;
    for (unsigned b = 0; b < 4; b++)
        plane[tree_wire_number(FIRST + b)] = &bit[b];
    pc_expr_eval(e, plane, NULL, 1, VALUES, &out, NULL);
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
        const uint64_t r = results(e);
        const bool same = r == 0 || r == 0xffff;
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
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_numbers), cmocka_unit_test(places) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
