/* SPDX-License-Identifier: MIT */
/*
 * Back from registers: the text of every table means that table; random words of all bits
 * mean what the rules compute; and it all compiles again.  PC_TEST_LONG: twenty times as many
 * words.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/compile/compile.h"
#include "model/rules/lut.h"
#include "model/rules/sources.h"

static const char *const chips[] = { "NV10", "NV20", "NV30",  "NV40",  "G80",
                                     "G84",  "G92",  "GT215", "GF100", "GK104" };

static void name_signal(void *ctx, unsigned signal, char *out, size_t size)
{
    (void)ctx;
    snprintf(out, size, "s%02x", signal);
}

static struct pc_expr *expression(const char *text)
{
    struct pc_expr *e;
    struct pc_error err;

    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    test_ok(pc_expr_resolve(e, test_signal, NULL, &err), &err);
    return e;
}

static void every_table(void **state)
{
    const struct pc_chip *chip = pc_chip_find("G92");
    const struct pc_decompile_names names = { { "s00", "s01", "s02", "s03" }, "setflag" };

    (void)state;
    for (uint32_t table = 0; table < 65536; table++) {
        char text[256];
        struct pc_error err;
        struct cm_func f;
        test_ok(pc_decompile_op(chip, PC_INPUT_EVENT, table, &names, text, sizeof text, &err),
                &err);
        struct pc_expr *e = expression(text);
        assert_true(cm_func_of(e, &f));
        for (unsigned i = 0; i < 16; i++) {
            unsigned row = 0;
            for (unsigned a = 0; a < f.atoms; a++) {
                assert_false(f.atom[a].late);
                row |= (i >> f.atom[a].signal & 1) << a;
            }
            assert_int_equal(cm_row(&f, row), table >> i & 1);
        }
        pc_expr_free(e);
    }
}

static void spelled(void **state)
{
    static const struct {
        uint32_t op;
        const char *text;
    } cases[] = {
        { 0xaaaa, "a" },
        { 0x5555, "!a" },
        { 0x8888, "a & b" },
        { 0x6666, "a ^ b" },
        { 0x9999, "!(a ^ b)" },
        { 0x6996, "a ^ b ^ c ^ d" },
        { 0x2828, "a & (b ^ c)" },
        { 0xfffe, "a | b | c | d" },
        { 0x0001, "!(a | b | c | d)" },
        { 0x0000, "0" },
        { 0xffff, "1" },
        { 0x20000 | 0x8888, "a & prev(b)" },
        { 0x80000 | 0x2222, "a & !b" },
        { 0x80000 | 0x0a0a, "rise(a)" },
        { 0x80000 | 0x5a5a, "edge(a)" },
        { 0x80000 | 0x5050, "fall(a)" },
        { 0x80000 | 0x0202, "rise(a) & !b" },
        { 0x80000 | 0x1248, "edge(a) & (b ^ d)" },
        { 0x1e1e, "(a | b) ^ c" },
        { 0x40000 | 0xaa00, "a & setflag" },
    };
    const struct pc_decompile_names names = { { "a", "b", "c", "d" }, "setflag" };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        struct pc_error err;
        test_ok(pc_decompile_op(pc_chip_find("G92"), PC_INPUT_EVENT, cases[i].op, &names, text,
                                sizeof text, &err),
                &err);
        assert_string_equal(text, cases[i].text);
    }
}

/* --- random words --- */

/* One input by the rules; bit s of now, before: signal s. */
static bool input_value(const struct cm_target *t, const uint32_t src[PC_INPUT_COUNT],
                        const uint32_t op[PC_INPUT_COUNT], enum pc_input_id input, unsigned now,
                        unsigned before)
{
    struct pc_args args = pc_op_args(op[input], cm_chains(input), t->features);
    bool arg[4];

    for (unsigned i = 0; i < 4; i++) {
        bool late = args.from[i] == PC_ARG_SRC0_LATE || args.from[i] == PC_ARG_SRC1_LATE;
        unsigned n = !late ? i : args.from[i] == PC_ARG_SRC1_LATE;
        unsigned selector = pc_source_selector(t->features, input, n);
        unsigned signal = src[selector / 4] >> (8 * (selector % 4)) & 0xff;
        arg[i] = args.from[i] == PC_ARG_SETFLAG
                     ? input_value(t, src, op, PC_INPUT_SETFLAG, now, before)
                     : (late ? before : now) >> signal & 1;
    }
    return pc_lut4(op[input], arg[0], arg[1], arg[2], arg[3]);
}

static void same(const struct cm_target *t, const uint32_t src[PC_INPUT_COUNT],
                 const uint32_t op[PC_INPUT_COUNT], enum pc_input_id input, const char *text)
{
    struct pc_expr *e = expression(text);
    struct cm_func f;

    assert_true(cm_func_of(e, &f));
    for (unsigned state = 0; state < 1u << 12; state++) {
        unsigned now = state & 63, before = state >> 6, row = 0;
        for (unsigned a = 0; a < f.atoms; a++)
            row |= ((f.atom[a].late ? before : now) >> f.atom[a].signal & 1) << a;
        if (cm_row(&f, row) != input_value(t, src, op, input, now, before))
            fail_msg("%s: op 0x%08x is not %s", pc_input_name(input), op[input], text);
    }
    pc_expr_free(e);
}

static void random_words(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(17, &seed);
    unsigned tries = test_long() ? 8000 : 400;

    (void)state;
    for (unsigned n = 0; n < tries; n++) {
        const struct pc_chip *chip = pc_chip_find(chips[n % (sizeof chips / sizeof chips[0])]);
        const struct cm_target t = { .chip = chip, .features = chip->features, .own_event = -1 };
        uint32_t src[PC_INPUT_COUNT] = { 0 }, op[PC_INPUT_COUNT];
        struct pc_compile_request r = { .chip = chip };
        struct pc_program program;
        struct pc_error err;
        char text[1024];
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
            op[i] = (uint32_t)test_rand(&rng) & 0x1fffff;
            for (unsigned k = 0; k < 4; k++)
                src[i] |= test_rand_below(&rng, 6) << (8 * k);
        }
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
            test_ok(pc_decompile(chip, src, op, i, name_signal, NULL, text, sizeof text, &err),
                    &err);
            same(&t, src, op, i, text);
            r.input[i] = expression(text);
        }
        /* What was a program is one: the search finds these or other registers for it. */
        enum pc_status status = pc_compile(&r, &program, &err);
        if (status != PC_OK)
            fail_msg("seed %llu, %s: %s", (unsigned long long)seed, chip->name, err.text);
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
            pc_expr_free((struct pc_expr *)(uintptr_t)r.input[i]);
    }
}

static void too_long(void **state)
{
    const struct pc_decompile_names names = { { "s00", "s01", "s02", "s03" }, "setflag" };
    struct pc_error err;
    char text[8];

    (void)state;
    assert_int_equal(pc_decompile_op(pc_chip_find("G92"), PC_INPUT_EVENT, 0x8000, &names, text,
                                     sizeof text, &err),
                     PC_ELIMIT);
}

/* With less room than it takes the text is not begun. */
static void no_part_of_it(void **state)
{
    const struct pc_decompile_names names = { { "a", "b", "c", "d" }, "(x | y & z)" };
    const char *whole = "(x | y & z) ? !(a | b | c) : (a ^ b) & !c";
    struct pc_error err;
    char text[64], kept[64];

    (void)state;
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, 'Z', sizeof text);
        memcpy(kept, text, sizeof text);
        if (pc_decompile_op(pc_chip_find("G92"), PC_INPUT_EVENT, 0x40106, &names, text, size,
                            &err)) {
            assert_int_equal(err.status, PC_ELIMIT);
            assert_memory_equal(text, kept, sizeof text);
        } else {
            assert_string_equal(text, whole);
            assert_in_range(size, strlen(text) + 1, sizeof text);
        }
    }
    assert_string_equal(text, whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table),   cmocka_unit_test(spelled),
        cmocka_unit_test(random_words),  cmocka_unit_test(too_long),
        cmocka_unit_test(no_part_of_it),
    };

    return cmocka_run_group_tests_name("decompile", tests, NULL, NULL);
}
