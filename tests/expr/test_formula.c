/* SPDX-License-Identifier: MIT */
/*
 * Every table of four variables: its text parses back to the table, and mentions as few
 * variables and has as few operators as the best formula that a search of all formulas finds.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/expr/formula.h"
#include "formula_search.h"

static const struct pc_formula_names abcd = { { "a", "b", "c", "d" }, { -1, -1, -1, -1 } };

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)is_signed;
    (void)ctx;
    (void)capacity;
    (void)err;
    wires[0] = (uint32_t)(name[0] - 'a');
    *count = 1;
    return PC_OK;
}

static unsigned meaning(const char *text)
{
    static const uint64_t a = 0xaaaa, b = 0xcccc, c = 0xf0f0, d = 0xff00;
    const uint64_t *const value[] = { &a, &b, &c, &d };
    struct pc_expr *e = NULL;
    struct pc_error err;
    uint64_t out = 0;

    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    test_ok(pc_expr_resolve(e, look_up, NULL, &err), &err);
    pc_expr_eval(e, value, NULL, 1, 16, &out, NULL);
    pc_expr_free(e);
    return (unsigned)(out & 0xffff);
}

static bool print(unsigned table, const struct pc_formula_names *names, char *out, size_t size)
{
    struct pc_formula f;

    pc_formula_find((uint16_t)table, &f);
    return pc_formula_print(&f, names, out, size);
}

static unsigned count(const char *text, const char *characters)
{
    unsigned n = 0;

    for (; *text; text++)
        n += strchr(characters, *text) != NULL;
    return n;
}

static void every_table(void **state)
{
    struct fs_function *best = calloc(FS_FUNCTIONS, sizeof *best);
    unsigned long letters = 0;

    (void)state;
    assert_non_null(best);
    fs_search(best);
    for (unsigned table = 0; table < FS_FUNCTIONS; table++) {
        char text[128];
        struct pc_formula f;
        pc_formula_find((uint16_t)table, &f);
        assert_true(pc_formula_print(&f, &abcd, text, sizeof text));
        if (meaning(text) != table || count(text, "abcd") != best[table].mentions ||
            count(text, "!&|^?") != best[table].operators)
            fail_msg("0x%04x is not %s, or %u mentions and %u operators do", table, text,
                     best[table].mentions, best[table].operators);
        for (unsigned v = 0; v < 4; v++) {
            const char name[2] = { (char)('a' + (int)v), '\0' };
            assert_int_equal(pc_formula_mentions(&f, v), count(text, name));
        }
        letters += strlen(text);
    }
    printf("65536 formulas, %lu bytes: none can be shorter\n", letters);
    free(best);
}

static void spelled(void **state)
{
    static const struct {
        unsigned table;
        const char *text;
    } cases[] = {
        { 0x0000, "0" },
        { 0xffff, "1" },
        { 0x5555, "!a" },
        { 0xff00, "d" },
        { 0x8888, "a & b" },
        { 0x9696, "a ^ b ^ c" },
        { 0x6996, "a ^ b ^ c ^ d" },
        { 0xd8d8, "a ? b : c" },
        { 0x2828, "a & (b ^ c)" },
        { 0x0001, "!(a | b | c | d)" },
        { 0x7fff, "!(a & b & c & d)" },
        { 0x2222, "a & !b" },
        { 0x9999, "!(a ^ b)" },
        { 0xf888, "a & b | c & d" },
        { 0x88f8, "a & b | c & !d" },
        { 0xcaf0, "d ? a ? b : c : c" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        assert_true(print(cases[i].table, &abcd, text, sizeof text));
        assert_int_equal(meaning(text), cases[i].table);
        if (i + 1 < sizeof cases / sizeof cases[0])
            assert_string_equal(text, cases[i].text);
    }
}

/* b is a one cycle ago. */
static void edges(void **state)
{
    static const struct pc_formula_names names = { { "a", "prev(a)", "c", "d" },
                                                   { -1, 0, -1, -1 } };
    static const struct {
        unsigned table;
        const char *text;
    } cases[] = {
        { 0x2222, "rise(a)" },     { 0x4444, "fall(a)" },     { 0xdddd, "!rise(a)" },
        { 0xbbbb, "!fall(a)" },    { 0x6666, "edge(a)" },     { 0x9999, "!edge(a)" },
        { 0x2020, "rise(a) & c" }, { 0xf2f2, "rise(a) | c" }, { 0x9696, "edge(a) ^ c" },
        { 0x8888, "a & prev(a)" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        assert_true(print(cases[i].table, &names, text, sizeof text));
        assert_string_equal(text, cases[i].text);
    }
}

static void too_long(void **state)
{
    char text[sizeof "a ^ b ^ c"];

    (void)state;
    assert_true(print(0x9696, &abcd, text, sizeof text));
    assert_false(print(0x9696, &abcd, text, sizeof text - 1));
    assert_false(print(0x9696, &abcd, text, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table),
        cmocka_unit_test(spelled),
        cmocka_unit_test(edges),
        cmocka_unit_test(too_long),
    };

    return cmocka_run_group_tests_name("formula", tests, NULL, NULL);
}
