/* SPDX-License-Identifier: MIT */
/*
 * Every table of three variables: its text parses back to the table, and mentions no more
 * variables than the best formula that an independent search finds, in which any function
 * may stand before the ? of a mux.
 */
#include "test.h"

#include "expr/formula.h"

static const char *const names[PC_FORMULA_VARIABLES] = { "a", "b", "c" };

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, struct pc_error *err)
{
    (void)ctx;
    (void)capacity;
    (void)err;
    wires[0] = (uint32_t)(name[0] - 'a');
    *count = 1;
    return PC_OK;
}

static unsigned meaning(const char *text)
{
    static const uint64_t a = 0xaa, b = 0xcc, c = 0xf0;
    const uint64_t *const value[] = { &a, &b, &c };
    struct pc_expr *e = NULL;
    struct pc_error err;
    uint64_t out = 0;

    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    test_ok(pc_expr_resolve(e, look_up, NULL, &err), &err);
    pc_expr_eval(e, value, NULL, 1, 8, &out, NULL);
    pc_expr_free(e);
    return (unsigned)(out & 0xff);
}

static void take(unsigned *best, unsigned f, unsigned mentions)
{
    if (mentions < best[f])
        best[f] = mentions;
    if (mentions < best[~f & 0xff])
        best[~f & 0xff] = mentions;
}

/* Fewest mentions of each function, layer by layer. */
static void search(unsigned best[256])
{
    for (unsigned f = 0; f < 256; f++)
        best[f] = 99;
    take(best, 0, 0);
    take(best, 0xaa, 1);
    take(best, 0xcc, 1);
    take(best, 0xf0, 1);
    for (unsigned layer = 2; layer < 10; layer++)
        for (unsigned a = 0; a < 256; a++)
            for (unsigned b = 0; b < 256; b++) {
                if (best[a] + best[b] > layer)
                    continue;
                take(best, a & b, best[a] + best[b]);
                take(best, a ^ b, best[a] + best[b]);
                for (unsigned s = 0; s < 256; s++)
                    if (best[s] + best[a] + best[b] <= layer)
                        take(best, (s & a) | (~s & b & 0xff), best[s] + best[a] + best[b]);
            }
}

static void every_table(void **state)
{
    unsigned best[256];

    (void)state;
    search(best);
    for (unsigned table = 0; table < 256; table++) {
        char text[128];
        unsigned mentions = 0;
        assert_true(pc_formula_shortest((uint8_t)table, names, text, sizeof text));
        for (const char *p = text; *p; p++)
            mentions += *p >= 'a' && *p <= 'c';
        if (meaning(text) != table || mentions != best[table])
            fail_msg("0x%02x is not %s, or %u mentions do", table, text, best[table]);
    }
}

static void spelled(void **state)
{
    static const struct {
        uint8_t table;
        const char *text;
    } cases[] = { { 0x00, "0" },     { 0xff, "1" },         { 0x55, "!a" },
                  { 0x88, "a & b" }, { 0x96, "a ^ b ^ c" }, { 0xd8, "a ? b : c" } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        assert_true(pc_formula_shortest(cases[i].table, names, text, sizeof text));
        assert_int_equal(meaning(text), cases[i].table);
        assert_string_equal(text, cases[i].text);
    }
}

static void too_long(void **state)
{
    char text[sizeof "a ^ b ^ c"];

    (void)state;
    assert_true(pc_formula_shortest(0x96, names, text, sizeof text));
    assert_false(pc_formula_shortest(0x96, names, text, sizeof text - 1));
    assert_false(pc_formula_shortest(0x96, names, text, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table),
        cmocka_unit_test(spelled),
        cmocka_unit_test(too_long),
    };

    return cmocka_run_group_tests_name("formula", tests, NULL, NULL);
}
