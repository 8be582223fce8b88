/* SPDX-License-Identifier: MIT */
/* Clocks as text: their parts, their signals in a waveform, and the places of mistakes. */
#include "texts.h"

#include <string.h>

static const struct row {
    const char *text;
    enum pc_edge edge;
    const char *clock, *iff, *condition;
    bool low, is_expression;
} good[] = {
    { "clk", PC_EDGE_POS, "clk", NULL, NULL, false, false },
    { "  posedge\ttop.clk ", PC_EDGE_POS, "top.clk", NULL, NULL, false, false },
    { "negedge clk iff rst_n", PC_EDGE_NEG, "clk", "rst_n", "rst_n", false, false },
    { "clk iff !rst", PC_EDGE_POS, "clk", "rst", "!rst", true, false },
    { "clk iff ~ rst", PC_EDGE_POS, "clk", "rst", "~ rst", true, false },
    { "clk iff a & b ", PC_EDGE_POS, "clk", "a", "a & b", false, true },
    { "clk iff !a && b", PC_EDGE_POS, "clk", "a", "!a && b", true, true },
    { "bus [3] iff en [0]", PC_EDGE_POS, "bus [3]", "en [0]", "en [0]", false, false },
    { "\\a+b .clk", PC_EDGE_POS, "\\a+b .clk", NULL, NULL, false, false },
    { "clk iff \\a+b ", PC_EDGE_POS, "clk", "\\a+b", "\\a+b ", false, false },
    { "sample", PC_EDGE_EVERY, NULL, NULL, NULL, false, false },
    { "sample iff en", PC_EDGE_EVERY, NULL, "en", "en", false, false },
    { "\"sample\"", PC_EDGE_POS, "sample", NULL, NULL, false, false },
    { "\"posedge\" iff \"r s\"", PC_EDGE_POS, "posedge", "r s", "\"r s\"", false, false },
    { "every 10ns", PC_EDGE_PERIOD, "10ns", NULL, NULL, false, false },
    { "every 2.5 us iff en", PC_EDGE_PERIOD, "2.5 us", "en", "en", false, false },
    { "every 25 iff en", PC_EDGE_PERIOD, "25", "en", "en", false, false },
    { "every 3 weeks", PC_EDGE_PERIOD, "3 weeks", NULL, NULL, false, false },
    { "every", PC_EDGE_POS, "every", NULL, NULL, false, false },
    { "every iff iff", PC_EDGE_POS, "every", "iff", "iff", false, false },
    { "negedge every", PC_EDGE_NEG, "every", NULL, NULL, false, false },
};

static void is_text(const struct pc_clock_name *name, const char *expected)
{
    if (!expected) {
        assert_null(name->text);
        return;
    }
    assert_int_equal(name->size, strlen(expected));
    assert_memory_equal(name->text, expected, name->size);
}

static void test_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const struct row *row = &good[i];
        struct pc_clock_text said;
        struct pc_error err;
        test_ok(pc_wave_parse_clock(row->text, strlen(row->text), &said, &err), &err);
        assert_int_equal(said.edge, row->edge);
        is_text(&said.clock, row->clock);
        is_text(&said.iff, row->iff);
        is_text(&said.condition, row->condition);
        assert_int_equal(said.has_iff, row->iff != NULL);
        assert_int_equal(said.iff_low, row->low);
        assert_int_equal(said.is_expression, row->is_expression);
    }
}

/* The text ends where its length says, whatever follows in memory. */
static void test_length(void **state)
{
    static const char text[] = "clk iff rst and more \"";
    struct pc_clock_text said;
    struct pc_error err;

    (void)state;
    test_ok(pc_wave_parse_clock(text, strlen("clk"), &said, &err), &err);
    assert_false(said.has_iff);
    test_ok(pc_wave_parse_clock(text, strlen("clk iff rs"), &said, &err), &err);
    is_text(&said.iff, "rs");
    test_ok(pc_wave_parse_clock("\"clk", 4, &said, &err), &err); /* quotes that do not close */
    is_text(&said.clock, "\"clk");
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *text;
        uint32_t column;
    } bad[] = {
        { "", 1 },
        { "  ", 3 },
        { "posedge ", 9 },
        { "clk if en", 5 },
        { "clk iff", 8 },
        { "clk iff ! ", 11 },
        { "sample clk", 8 },
        { "every 10ns now", 12 },
        { "posedge negedge clk", 17 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct pc_clock_text said;
        struct pc_error err;
        assert_int_equal(pc_wave_parse_clock(bad[i].text, strlen(bad[i].text), &said, &err),
                         PC_EINPUT);
        assert_int_equal(err.code, 331);
        assert_int_equal(err.column, bad[i].column);
    }
    assert_int_equal(pc_wave_parse_clock(NULL, 0, NULL, NULL), PC_EARG);
}

#define WAVE                                                                                       \
    "$timescale 1ns $end $var wire 1 c clk $end $var wire 4 d d [3:0] $end "                       \
    "$var wire 1 e en $end $enddefinitions $end\n#0\n0c\n#5\n1c\n"

static enum pc_status find(const char *text, struct pc_wave_clock *out, struct pc_error *err)
{
    struct pc_wave *wave = text_open(WAVE);
    const enum pc_status status = pc_wave_find_clock(wave, text, strlen(text), out, err);

    pc_wave_close(wave);
    return status;
}

static void test_signals(void **state)
{
    struct pc_wave_clock clock = { .post_edge = true };
    struct pc_error err;

    (void)state;
    test_ok(find("negedge clk iff !d [2]", &clock, &err), &err);
    assert_int_equal(clock.edge, PC_EDGE_NEG);
    assert_int_equal(clock.clock.var, 0);
    assert_true(clock.has_iff && clock.iff_low && clock.post_edge);
    assert_int_equal(clock.iff.var, 1);
    test_ok(find("every 2.5ns iff en", &clock, &err), &err);
    assert_int_equal(clock.edge, PC_EDGE_PERIOD);
    assert_int_equal(clock.period, 5);
    assert_int_equal(clock.period_per, 2);
    assert_false(clock.iff_low);
    assert_int_equal(clock.iff.var, 2);
    test_ok(find("sample", &clock, &err), &err);
    assert_int_equal(clock.edge, PC_EDGE_EVERY);
    assert_false(clock.has_iff);
    assert_int_equal(find("posedge clock", &clock, &err), PC_ENOENT);
    assert_int_equal(err.column, 9);
    assert_int_equal(find("posedge d", &clock, &err), PC_EINPUT);
    assert_int_equal(err.code, 306);
    assert_int_equal(err.column, 9);
    assert_int_equal(find("clk iff nothing", &clock, &err), PC_ENOENT);
    assert_int_equal(err.column, 9);
    assert_int_equal(find("clk iff en & en", &clock, &err), PC_EINPUT);
    assert_int_equal(err.column, 11);
    assert_int_equal(find("every 0.00001fs", &clock, &err), PC_EINPUT);
    assert_int_equal(err.column, 7);
    assert_int_equal(find("every 3 weeks", &clock, &err), PC_EINPUT);
    assert_int_equal(err.column, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_signals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
