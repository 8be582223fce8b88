/* SPDX-License-Identifier: MIT */
/*
 * The text of a logic function must mean the function: every one of the 65,536 tables, and
 * every choice of delays, is printed, read back as an expression and compared with the
 * eight steps of the document (PC.IN.1 to PC.IN.8).
 */
#include "test.h"
#include "text/op_text.h"
#include "text/regs_text.h"

#include <stdio.h>
#include <string.h>

/* One assignment of everything that a text can mention. */
struct wires {
    bool now[4], late[4], setflag;
};

enum { ASSIGNMENTS = 128, WORDS = 2 * ASSIGNMENTS / 64 };

static struct wires assignment(unsigned i)
{
    return (struct wires){ { i & 1, i & 2, i & 4, i & 8 }, { i & 16, i & 32, 0, 0 }, i & 64 };
}

/* s0 to s3 are wires 0 to 3, setflag is 4. */
static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)is_signed;
    (void)ctx;
    (void)capacity;
    (void)err;
    wires[0] = strcmp(name, "setflag") == 0 ? 4 : (uint32_t)(name[1] - '0');
    assert_in_range(wires[0], 0, 4);
    *count = 1;
    return PC_OK;
}

/* All assignments, two cycles each: what was, and what is. */
static void evaluate(const char *text, uint64_t out[WORDS])
{
    uint64_t plane[5][WORDS] = { { 0 } };
    const uint64_t *planes[5];
    struct pc_expr *e;
    struct pc_error err;

    for (unsigned i = 0; i < ASSIGNMENTS; i++) {
        struct wires w = assignment(i);
        unsigned now = 2 * i + 1;
        for (unsigned s = 0; s < 4; s++) {
            plane[s][now / 64] |= (uint64_t)w.now[s] << (now % 64);
            plane[s][now / 64] |= (uint64_t)w.late[s] << (now % 64 - 1);
        }
        plane[4][now / 64] |= (uint64_t)w.setflag << (now % 64);
    }
    for (unsigned s = 0; s < 5; s++)
        planes[s] = plane[s];
    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    test_ok(pc_expr_resolve(e, look_up, NULL, &err), &err);
    pc_expr_eval(e, planes, NULL, WORDS, 2 * ASSIGNMENTS, out, NULL);
    pc_expr_free(e);
}

/* The steps of the document, G92 EVENT_OP. */
static bool by_the_document(uint32_t op, const struct wires *w)
{
    bool arg[4] = { w->now[0], w->now[1], w->now[2], w->now[3] };

    if (op >> 16 & 1)
        arg[0] = w->late[0];
    if (op >> 17 & 1)
        arg[1] = w->late[1];
    if (op >> 19 & 1)
        arg[2] = w->late[0];
    if (op >> 20 & 1)
        arg[3] = w->late[1];
    if (op >> 18 & 1)
        arg[3] = w->setflag;
    unsigned index = 0;
    for (unsigned a = 0; a < 4; a++)
        index |= (unsigned)arg[a] << a;
    return op >> index & 1;
}

/* Over the first `assignments` of the wires: 16 are enough where nothing is late. */
static void check(const struct pc_reg_info *reg, uint32_t op, unsigned assignments)
{
    struct cli_op_text text;
    uint64_t value[WORDS];

    assert_true(cli_op_text(pc_chip_find("G92"), reg, op, &text));
    evaluate(text.function, value);
    for (unsigned i = 0; i < assignments; i++) {
        struct wires w = assignment(i);
        unsigned now = 2 * i + 1;
        if ((value[now / 64] >> (now % 64) & 1) != by_the_document(op, &w))
            fail_msg("0x%06x is not %s", (unsigned)op, text.function);
    }
}

static struct pc_reg_info find(const char *chip, const char *name)
{
    struct pc_reg_info reg;
    struct pc_error err;

    test_ok(pc_reg_find(pc_chip_find(chip), name, &reg, &err), &err);
    return reg;
}

static void every_table(void **state)
{
    struct pc_reg_info reg = find("G92", "EVENT_OP[0]");

    (void)state;
    for (uint32_t func = 0; func < 0x10000; func++)
        check(&reg, func, 16);
}

static void every_choice_of_arguments(void **state)
{
    struct pc_reg_info reg = find("G92", "EVENT_OP[0]");
    struct test_rng rng = test_rng_start(92, NULL);

    (void)state;
    for (uint32_t arguments = 0; arguments < 32; arguments++)
        for (int i = 0; i < 100; i++)
            check(&reg, arguments << 16 | test_rand_below(&rng, 0x10000), 128);
}

static void expect(const char *chip, const char *name, uint32_t op, const char *function,
                   const char *sources)
{
    struct pc_reg_info reg = find(chip, name);
    struct cli_op_text text;

    assert_true(cli_op_text(pc_chip_find(chip), &reg, op, &text));
    assert_string_equal(text.function, function);
    assert_string_equal(text.sources, sources);
}

static void known_forms(void **state)
{
    (void)state;
    expect("G92", "EVENT_OP[1]", 0x00080202, "rise(s0) & !s1", "s0..s3 = EVENT_SRC[0..3]");
    expect("G92", "START_OP[1]", 0x00045050, "fall(s0)", "s0..s3 = START_SRC[0..3]");
    expect("G84", "EVENT_OP[1]", 0x00020202, "s0 & !(prev(s1) | s2)", "s0..s3 = EVENT_SRC[0..3]");
    expect("NV34", "STOP_OP[0]", 0x0004ff00, "setflag", "s0..s3 = STOP_SRC[0..3]");
    expect("NV34", "SETFLAG_OP[0]", 0x0000aaaa, "s0",
           "s0..s3 = START_SRC[2], START_SRC[3], PRE_SRC[0], PRE_SRC[1]");
    expect("NV34", "CLRFLAG_OP[0]", 0x0000aaaa, "s0",
           "s0..s3 = PRE_SRC[2], PRE_SRC[3], START_SRC[0], START_SRC[1]");
    expect("NV20", "CLRFLAG_OP[0]", 0x0000aaaa, "s0", "s0..s3 = CLRFLAG_SRC[0..3]"); /* D-01 */
    expect("NV20", "EVENT_OP[0]", 0x00040000, "0", "s0..s3 = EVENT_SRC[0..3]");
}

static void other_registers_have_no_function(void **state)
{
    struct pc_reg_info reg = find("G92", "CTRL[0]");
    struct cli_op_text text;

    (void)state;
    assert_false(cli_op_text(pc_chip_find("G92"), &reg, 0, &text));
}

/* One reading of numbers for all verbs; after 0x there is no second 0x. */
static void numbers(void **state)
{
    const char *rest = NULL;
    uint64_t wide = 0;
    uint32_t value = 7;

    (void)state;
    assert_true(cli_parse_u32("0x1f", &value) && value == 31);
    assert_true(cli_parse_u32("31", &value) && value == 31);
    assert_true(cli_parse_u32("0", &value) && value == 0);
    assert_false(cli_parse_u32("010", &value));
    assert_false(cli_parse_u32("0x0x1", &value));
    assert_false(cli_parse_u32("0x", &value));
    assert_false(cli_parse_u32("0x100000000", &value));
    assert_false(cli_parse_u32("1 ", &value));
    assert_int_equal(value, 0);
    assert_true(cli_read_number("0xffffffffffffffff/", &rest, &wide) && *rest == '/');
    assert_true(wide == UINT64_MAX);
    assert_false(cli_read_number("18446744073709551616", &rest, &wide));
    assert_false(cli_read_number("-1", &rest, &wide));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table), cmocka_unit_test(every_choice_of_arguments),
        cmocka_unit_test(known_forms), cmocka_unit_test(other_registers_have_no_function),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests_name("cli_op_text", tests, NULL, NULL);
}
