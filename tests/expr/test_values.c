/* SPDX-License-Identifier: MIT */
/* Names of values in comparisons, and texts in quotes. */
#include "tree.h"

#include <string.h>

/* Signals: "state", two bits of an enumeration, "run", one bit, "text", 24 bits. */
static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    static const struct {
        const char *name;
        uint32_t first, count;
    } signals[] = { { "state", 0, 2 }, { "run", 2, 1 }, { "text", 3, 24 } };

    (void)ctx;
    (void)err;
    (void)is_signed;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        if (strcmp(name, signals[i].name) != 0)
            continue;
        *count = signals[i].count;
        for (uint32_t b = 0; b < signals[i].count && b < capacity; b++)
            wires[b] = signals[i].first + b;
        return PC_OK;
    }
    return PC_ENOENT;
}

static enum pc_status value_of(const void *ctx, const char *signal, const char *word, uint8_t *bits,
                               size_t capacity, size_t *count, bool *is_signed,
                               struct pc_error *err)
{
    static const char *const names[] = { "idle", "run", "'w'", "stop" };

    (void)ctx;
    (void)is_signed;
    assert_true(capacity >= 2);
    if (strcmp(signal, "state") != 0)
        return PC_END;
    for (unsigned i = 0; i < 4; i++) {
        if (strcmp(word, names[i]) != 0 && !(i == 2 && strcmp(word, "wait") == 0))
            continue;
        *count = 2;
        bits[0] = i & 1;
        bits[1] = (uint8_t)(i >> 1);
        return PC_OK;
    }
    memset(err, 0, sizeof *err);
    err->code = 999;
    return PC_ENOENT;
}

/* Checks four cycles in which state is 0, 1, 2, 3, and run 0, 0, 1, 1; text is "abc" in the
 * last. */
static uint64_t evaluate(struct pc_expr *e)
{
    const uint64_t state[2] = { 0xa, 0xc }, run = 0xc;
    uint64_t text[24], out = 0;
    const uint64_t *plane[27] = { &state[0], &state[1], &run };

    for (unsigned b = 0; b < 24; b++) {
        text[b] = 0x616263u >> b & 1 ? 0x8 : 0;
        plane[3 + b] = &text[b];
    }
    pc_expr_restart(e);
    pc_expr_eval(e, plane, NULL, 1, 4, &out, NULL);
    return out;
}

static const struct {
    const char *text;
    uint64_t result;
} cases[] = {
    { "state == run", 0x2 },
    { "run == state", 0x2 },
    { "state != idle", 0xe },
    { "state < wait", 0x3 },
    { "wait > state", 0x3 },
    { "state inside {idle, stop}", 0x9 },
    { "state inside {[run:wait]}", 0x6 },
    { "prev(state) == run & state == wait", 0x4 },
    { "run & state == wait", 0x4 },
    { "state == run ? run : run", 0xc },
    { "run == (state == stop)", 0x8 | 0x3 },
    { "state == \"run\"", 0x2 }, /* a text is the name of a value, */
    { "\"run\" == state", 0x2 },
    { "state == (\"run\")", 0x2 },
    { "state inside {\"idle\", stop}", 0x9 },
    { "prev(state) != \"idle\"", 0xc },
    { "state == \"w\"", 0x4 }, /* or of a character of VHDL */
    { "text == \"abc\"", 0x8 },
    { "\"abc\" != text", 0x7 },
};

static void results(void **state)
{
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_expr *e = NULL;
        test_ok(pc_expr_parse(NULL, cases[i].text, &e, &err), &err);
        pc_expr_values(e, value_of, NULL);
        for (unsigned turn = 0; turn < 3; turn++) { /* names are found again each time */
            test_ok(pc_expr_resolve(e, look_up, NULL, &err), &err);
            if (evaluate(e) != cases[i].result)
                fail_msg("%s: %x", cases[i].text, (unsigned)evaluate(e));
        }
        pc_expr_free(e);
    }
}

/* Without values the same names are signals, or there are none. */
static void taken_back(void **state)
{
    struct pc_expr *e = NULL;
    struct pc_error err;

    (void)state;
    test_ok(pc_expr_parse(NULL, "text != \"abc\" & run == \"run\"", &e, &err), &err);
    pc_expr_values(e, value_of, NULL);
    assert_int_equal(pc_expr_resolve(e, look_up, NULL, &err), PC_EINPUT);
    assert_int_equal(err.code, 308); /* run is no enumeration, and has no room for a text */
    pc_expr_free(e);
    test_ok(pc_expr_parse(NULL, "state == run", &e, &err), &err);
    pc_expr_values(e, value_of, NULL);
    test_ok(pc_expr_resolve(e, look_up, NULL, &err), &err);
    pc_expr_values(e, NULL, NULL);
    test_ok(pc_expr_resolve(e, look_up, NULL, &err), &err);
    assert_int_equal(evaluate(e), 0x1);
    pc_expr_free(e);
}

static void refused(void **state)
{
    static const struct {
        const char *text;
        unsigned code, column;
    } wrong[] = {
        { "state == halt", 999, 10 },  { "state == \"halt\"", 999, 10 },
        { "state == \"h\"", 999, 10 }, { "text == \"abcd\"", 308, 9 },
        { "run != \"r\"", 308, 8 },    { "text == \"ab", 302, 9 },
        { "text == \"\"", 302, 9 },    { "text == \"a\\n\"", 302, 11 },
    };
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct pc_expr *e = NULL;
        enum pc_status status = pc_expr_parse(NULL, wrong[i].text, &e, &err);
        if (status == PC_OK) {
            pc_expr_values(e, value_of, NULL);
            status = pc_expr_resolve(e, look_up, NULL, &err);
        }
        assert_int_not_equal(status, PC_OK);
        assert_int_equal(err.code, wrong[i].code);
        assert_int_equal(err.column, wrong[i].column);
        pc_expr_free(e);
    }
}

/* 512 characters are the most. */
static void long_text(void **state)
{
    char text[600] = "text == \"";
    struct pc_expr *e = NULL;
    struct pc_error err;

    (void)state;
    memset(text + 9, 'a', 513);
    strcpy(text + 9 + 512, "\"");
    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    pc_expr_free(e);
    text[9 + 512] = 'a';
    strcpy(text + 9 + 513, "\"");
    assert_int_equal(pc_expr_parse(NULL, text, &e, &err), PC_ELIMIT);
    assert_int_equal(err.code, 304);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),
        cmocka_unit_test(taken_back),
        cmocka_unit_test(refused),
        cmocka_unit_test(long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
