/* SPDX-License-Identifier: MIT */
/* Verifies the entry points of a described core: its lines, edges with x and z, resets between. */
#include "test.h"

#include "pcounter/pcounter_dpi.h"

#include <string.h>

/* A counter of events, reset to 5: rst_n, cnt[3:0], ev, in this order from bit 0 on. */
static const char *const lines[] = {
    "reset\t1\t!rst_n",
    "let\tfree\tcnt != 15",
    "register\tcnt\t4\tcnt\t5",
    "rule\t2\t\t\t0\tev & free\t1\tline 7: when ev & free, add 1",
    "check\tnever 9\tev\tcnt != 9\tline 9: cnt != 9",
    "check\tnever 8\t\tcnt == 8\tline 10: cnt == 8",
    "signal\trst_n",
    "signal\tcnt",
    "signal\tev",
};
enum { LINES = sizeof lines / sizeof lines[0], CHECKED = 4 };

static void *open_lines(size_t from, size_t to)
{
    void *core = pcounter_dpi_core_open();

    assert_non_null(core);
    for (size_t i = 0; i < LINES; i++)
        if (i < from || i >= to)
            pcounter_dpi_core_line(core, lines[i]);
    pcounter_dpi_core_size(core, 0, 1, 0);
    pcounter_dpi_core_size(core, 1, 4, 0);
    pcounter_dpi_core_size(core, 2, 1, 0);
    return core;
}

/* Without its checks. */
static void *begin(void)
{
    void *core = open_lines(CHECKED, CHECKED + 2);

    assert_int_equal(pcounter_dpi_core_ready(core, 64), 4);
    return core;
}

/* Signals as aval and bval: 0x100 and above are bval. */
static uint32_t edge(void *core, uint32_t rst_n, uint32_t cnt, uint32_t ev)
{
    const uint32_t value[3] = { rst_n, cnt, ev };

    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t vector[2] = { value[i] & 0xff, value[i] >> 8 };
        pcounter_dpi_core_value(core, i, vector);
    }
    return pcounter_dpi_core_edge(core);
}

static void text_is(void *core, const char *text)
{
    assert_string_equal(pcounter_dpi_core_text(core), text);
}

static void a_core_that_is_not_open_does_nothing(void **state)
{
    const uint32_t vector[2] = { 0 };
    void *core = pcounter_dpi_core_open();

    (void)state;
    pcounter_dpi_core_line(NULL, lines[0]);
    pcounter_dpi_core_size(NULL, 0, 1, 0);
    pcounter_dpi_core_value(NULL, 0, vector);
    pcounter_dpi_core_look(NULL);
    pcounter_dpi_core_close(NULL);
    assert_int_equal(pcounter_dpi_core_ready(NULL, 64), 0);
    assert_int_equal(pcounter_dpi_core_edge(NULL), 0);
    assert_string_equal(pcounter_dpi_core_text(NULL), "");
    assert_string_equal(pcounter_dpi_core_summary(NULL), "no edge of the clock");
    assert_int_equal(pcounter_dpi_core_edge(core), 0); /* not ready */
    assert_int_equal(pcounter_dpi_core_ready(core, 64), 0);
    text_is(core, "no memory, or no description");
    pcounter_dpi_core_close(core);
}

static void a_difference_is_told_at_its_edge(void **state)
{
    void *core = begin();

    (void)state;
    assert_int_equal(edge(core, 0, 0, 0), 0);
    assert_int_equal(edge(core, 1, 5, 1), 0);
    assert_int_equal(edge(core, 1, 6, 0), 0);
    assert_int_equal(edge(core, 1, 7, 1), 1);
    text_is(core, "difference at edge 3: cnt\n  design  0x7\n  model   0x6\n  before  0x6\n"
                  "  rule    no rule held: it keeps its value");
    assert_int_equal(edge(core, 1, 9, 0), 1); /* from the design's 7 on */
    text_is(core, "difference at edge 4: cnt\n  design  0x9\n  model   0x8\n  before  0x7\n"
                  "  rule    line 7: when ev & free, add 1");
    assert_int_equal(edge(core, 0, 9, 0), 0);
    assert_int_equal(edge(core, 1, 6, 0), 1);
    text_is(core, "difference at edge 6: cnt\n  design  0x6\n  model   0x5\n  before  0x9\n"
                  "  rule    the value after a reset");
    assert_string_equal(pcounter_dpi_core_summary(core),
                        "7 edges (2 in reset), 5 values compared, 3 differences");
    pcounter_dpi_core_close(core);
}

static void checks_are_told_with_both_sides(void **state)
{
    void *core = open_lines(LINES, LINES);

    (void)state;
    assert_int_equal(pcounter_dpi_core_ready(core, 64), 4);
    assert_int_equal(edge(core, 1, 8, 1), 0);
    assert_int_equal(edge(core, 1, 9, 1), 2);
    text_is(core, "check fails at edge 1: never 9\n  that    line 9: cnt != 9\n"
                  "check fails at edge 1: never 8\n  left    0x9\n  right   0x8\n"
                  "  that    line 10: cnt == 8");
    pcounter_dpi_core_close(core);
}

/* Compares as in a waveform: a value that depends on an x is not compared, an x of the design is a
 * difference. */
static void x_and_z_are_unknown(void **state)
{
    enum { X = 0x101, Z = 0x100, XX11 = 0xc07 };
    void *core = begin();

    (void)state;
    assert_int_equal(edge(core, 0, 0, 0), 0);
    assert_int_equal(edge(core, 1, 5, X), 0);
    assert_int_equal(edge(core, 1, 12, 0), 0); /* nobody knows */
    assert_int_equal(edge(core, 1, 5, 0), 1);
    assert_int_equal(edge(core, 1, 5, Z), 0);
    assert_int_equal(edge(core, 1, 6, 1), 0);
    assert_int_equal(edge(core, 1, XX11, 0), 1);
    text_is(core, "difference at edge 6: cnt\n  design  0xx\n  model   0x7\n  before  0x6\n"
                  "  rule    line 7: when ev & free, add 1");
    assert_int_equal(edge(core, X, 3, 0), 0); /* a reset */
    assert_int_equal(edge(core, 1, 5, 0), 0);
    assert_string_equal(pcounter_dpi_core_summary(core),
                        "9 edges (2 in reset), 5 values compared, 2 differences, 2 not compared "
                        "for unknown inputs");
    pcounter_dpi_core_close(core);
}

static void look(void *core, uint32_t rst_n)
{
    const uint32_t vector[2] = { rst_n };

    pcounter_dpi_core_value(core, 0, vector);
    pcounter_dpi_core_look(core);
}

static void resets_between_edges_count(void **state)
{
    void *core = begin();

    (void)state;
    look(core, 0);
    look(core, 1);
    assert_int_equal(edge(core, 1, 6, 0), 1); /* 5 after the reset before the first edge */
    assert_int_equal(edge(core, 1, 6, 1), 0);
    look(core, 0);
    look(core, 1);
    assert_int_equal(edge(core, 1, 5, 1), 0);
    look(core, 1);
    assert_int_equal(edge(core, 1, 5, 1), 1);
    pcounter_dpi_core_close(core);
}

static void expect(void *core, const char *text)
{
    assert_int_equal(pcounter_dpi_core_ready(core, 64), 0);
    text_is(core, text);
    assert_int_equal(edge(core, 1, 0, 0), 0);
    pcounter_dpi_core_close(core);
}

static void what_does_not_fit_is_told(void **state)
{
    void *core = open_lines(LINES, LINES);

    (void)state;
    pcounter_dpi_core_size(core, 1, 3, 0);
    expect(core, "cnt: cnt has 4 bits, and what it is compared with 3");
    expect(open_lines(LINES - 1, LINES), "cnt: ev: no signal of the bind file");
    core = open_lines(LINES, LINES);
    pcounter_dpi_core_size(core, 0, 0, 0);
    pcounter_dpi_core_size(core, 9, 65, 0); /* there are 3 */
    expect(core, "rst_n has no bits");

    core = open_lines(LINES, LINES);
    assert_int_equal(pcounter_dpi_core_ready(core, 3), 4);
    assert_int_equal(edge(core, 1, 9, 0), 0);
    pcounter_dpi_core_close(core);

    core = pcounter_dpi_core_open();
    pcounter_dpi_core_line(core, "register\tcnt\t4\tq[3:0]\t0");
    pcounter_dpi_core_line(core, "rule\t2\t\t\t0\t\t1\tline 1: add 1");
    pcounter_dpi_core_line(core, "signal\tq[3:0]");
    pcounter_dpi_core_size(core, 0, 32, 0);
    expect(core, "q[3:0] has 32 bits in the design: it is elements there, and bits in the "
                 "description");

    core = pcounter_dpi_core_open();
    pcounter_dpi_core_line(core, "no such line");
    pcounter_dpi_core_size(core, 0, 1, 0);
    expect(core, "no memory, or no description");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_that_is_not_open_does_nothing),
        cmocka_unit_test(a_difference_is_told_at_its_edge),
        cmocka_unit_test(checks_are_told_with_both_sides),
        cmocka_unit_test(x_and_z_are_unknown),
        cmocka_unit_test(resets_between_edges_count),
        cmocka_unit_test(what_does_not_fit_is_told),
    };

    return cmocka_run_group_tests_name("dpi/core", tests, NULL, NULL);
}
