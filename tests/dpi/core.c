/* SPDX-License-Identifier: MIT */
/* Verifies the entry points of a described core: its lines, edges with x and z, resets between. */
#include "test.h"

#include "pcounter/pcounter_dpi.h"

#include <stdio.h>
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

    core = open_lines(LINES, LINES); /* wider than an expression can be */
    pcounter_dpi_core_size(core, 2, 1 << 20, 0);
    assert_int_equal(pcounter_dpi_core_ready(core, 1 << 20), 0);
    text_is(core, "cnt: \"ev\" has 1048576 bits; at most 4096 can be used at once");
    pcounter_dpi_core_close(core);

    core = pcounter_dpi_core_open();
    pcounter_dpi_core_line(core, "no such line");
    pcounter_dpi_core_size(core, 0, 1, 0);
    expect(core, "no memory, or no description");
}

static void *open_text(const char *const *line, size_t count)
{
    void *core = pcounter_dpi_core_open();

    assert_non_null(core);
    for (size_t i = 0; i < count && line[i]; i++)
        pcounter_dpi_core_line(core, line[i]);
    pcounter_dpi_core_size(core, 0, 4, 0);
    return core;
}

/* Verifies that a text that cannot be read is named, and a line in a wrong place refused. */
static void wrong_lines_are_named(void **state)
{
    static const struct {
        const char *line[5], *text;
    } cases[] = {
        { { "reset\t1\tq +", "signal\tq" }, "reset: expected a signal, a number" },
        { { "let\tmany\tq )", "signal\tq" }, "many: expected an operator or the end, found \")\"" },
        { { "vector\tsteps", "signal\tq" }, "steps: the vector steps has no elements" },
        { { "vector\tsteps", "element\tone\t1 +", "signal\tq" },
          "steps: expected a signal, a number" },
        { { "check\tidle\tq[\tq\tline 1", "signal\tq" }, "idle: " },
        { { "check\tidle\t\t\tline 1", "signal\tq" }, "idle: expected a signal, a number" },
        { { "check\tidle\t\tother\tline 1", "signal\tq" },
          "idle: other: no signal of the bind file" },
        { { "register\tcount\t0\tq\t0", "signal\tq" },
          "count: the width of count is 1 to 4096 bits, not 0" },
        { { "register\tcount\t4", "signal\tq" }, "count: count has no rules" },
        { { "register\tcount\t4\tq\t0", "rule\t2\t1\t2\t0\t\t1\t", "signal\tq" },
          "count: bits 1 to 2 are not in count, which has 4" },
        { { "rule\t2\t\t\t0\t\t1\t", "register\tcount\t4\tq\t0", "signal\tq" },
          "no memory, or no description" },
        { { "element\tone\t1", "vector\tsteps", "signal\tq" }, "no memory, or no description" },
        { { "signal" }, "no memory, or no description" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        void *core = open_text(cases[i].line, 5);
        assert_int_equal(pcounter_dpi_core_ready(core, 64), 0);
        const char *text = pcounter_dpi_core_text(core);
        if (strncmp(text, cases[i].text, strlen(cases[i].text)) != 0)
            fail_msg("case %zu: %s", i, text);
        assert_int_equal(pcounter_dpi_core_edge(core), 0);
        pcounter_dpi_core_close(core);
    }
}

/* Verifies that the registers of a description are counted before anything is made of them. */
/* Verifies that a slice has the bits that its name says, in either order; what only ends in a slice
 * of a scope is none. */
static void slices_have_their_bits(void **state)
{
    static const struct {
        const char *name;
        uint32_t bits;
        bool ready;
    } cases[] = {
        { "q[3:0]", 4, true },  { "q[0:3]", 4, true },        { "q[0:3]", 5, false },
        { "q[3]", 4, true },    { "u[3:0].q", 4, true },      { "q[7:4]", 4, true },
        { "q[7:4]", 8, false }, { "u[1:0].q[3:0]", 4, true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[2][80];
        void *core = pcounter_dpi_core_open();
        snprintf(line[0], sizeof line[0], "check\teven\t\t%s == 0\tline 1", cases[i].name);
        snprintf(line[1], sizeof line[1], "signal\t%s", cases[i].name);
        pcounter_dpi_core_line(core, line[0]);
        pcounter_dpi_core_line(core, line[1]);
        pcounter_dpi_core_size(core, 0, cases[i].bits, 0);
        assert_string_equal(pcounter_dpi_core_summary(core), "no edge of the clock");
        if (pcounter_dpi_core_ready(core, 64) != (cases[i].ready ? cases[i].bits : 0))
            fail_msg("%s of %u bits: %s", cases[i].name, (unsigned)cases[i].bits,
                     pcounter_dpi_core_text(core));
        pcounter_dpi_core_close(core);
    }
}

static void too_many_registers_are_refused(void **state)
{
    void *core = pcounter_dpi_core_open();

    (void)state;
    for (unsigned i = 0; i < 4097; i++)
        pcounter_dpi_core_line(core, "register\tr\t1\tq\t0");
    pcounter_dpi_core_line(core, "signal\tq");
    pcounter_dpi_core_size(core, 0, 1, 0);
    expect(core, "the description: there are 4097 registers; at most 4096 can be described");
}

/* Elements belong to the vector and rules to the register before them; after the core is ready
 * there are no more lines. */
static void elements_and_rules_have_their_owner(void **state)
{
    static const char *const text[] = {
        "vector\tsmall",
        "element\t\t1",
        "element\ttwo\t2",
        "vector\tlarge",
        "element\t\t4",
        "element\t\t8",
        "register\ta\t8\ta\t0",
        "rule\t2\t\t\t0\t\tsmall[pick]\tline 1: add small[pick]",
        "register\tb\t8\tb\t0",
        "rule\t1\t3\t0\t1\tpick\t5\tline 2: set bits 3 to 0",
        "rule\t2\t\t\t0\t!pick\tlarge[pick]\tline 3: add large[pick]",
        "signal\tpick",
        "signal\ta",
        "signal\tb",
    };
    static const uint32_t edges[][3] = {
        { 0, 0, 0 }, { 1, 1, 4 }, { 1, 3, 5 }, { 0, 5, 5 }, { 0, 6, 9 }, { 0, 8, 13 },
    };
    void *core = open_text(text, sizeof text / sizeof text[0]);
    uint32_t differences = 0;

    (void)state;
    pcounter_dpi_core_size(core, 0, 1, 0);
    pcounter_dpi_core_size(core, 1, 8, 0);
    pcounter_dpi_core_size(core, 2, 8, 0);
    assert_int_equal(pcounter_dpi_core_ready(core, 64), 8);
    assert_int_equal(pcounter_dpi_core_ready(core, 64), 0); /* once */
    pcounter_dpi_core_line(core, "signal\tc");
    pcounter_dpi_core_line(core, NULL);
    for (size_t t = 0; t < sizeof edges / sizeof edges[0]; t++) {
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t vector[2] = { edges[t][i] };
            pcounter_dpi_core_value(core, i, vector);
            pcounter_dpi_core_value(core, i + 3, vector); /* there are 3 */
        }
        pcounter_dpi_core_look(core); /* there is no reset */
        differences += pcounter_dpi_core_edge(core);
    }
    assert_int_equal(differences, 1);
    text_is(core, "difference at edge 5: a\n  design  0x8\n  model   0x7\n  before  0x6\n"
                  "  rule    line 1: add small[pick]");
    pcounter_dpi_core_close(core);
}

/* Verifies that what has no room is left out, and that the text ends. */
static void long_texts_are_cut(void **state)
{
    enum { LONG = 20000, ROOM = 16384 };
    static char told[LONG + 64] = "rule\t2\t\t\t0\t\t1\t";
    void *core = pcounter_dpi_core_open();

    (void)state;
    pcounter_dpi_core_line(core, "register\tq\t4\tq\t0");
    memset(told + strlen(told), 'r', LONG);
    pcounter_dpi_core_line(core, told);
    pcounter_dpi_core_line(core, "check\tzero\t\tq == 0\tline 3");
    pcounter_dpi_core_line(core, "signal\tq");
    pcounter_dpi_core_size(core, 0, 4, 0);
    assert_int_equal(pcounter_dpi_core_ready(core, 64), 4);
    for (uint32_t t = 0; t < 2; t++) {
        const uint32_t vector[2] = { t ? 7 : 0 };
        pcounter_dpi_core_value(core, 0, vector);
        assert_int_equal(pcounter_dpi_core_edge(core), 2 * t);
    }
    const char *text = pcounter_dpi_core_text(core);
    assert_int_equal(strlen(text), ROOM - 1);
    assert_memory_equal(text, "difference at edge 1: q\n", 24);
    assert_int_equal(text[ROOM - 2], 'r');
    pcounter_dpi_core_close(core);
}

static void a_summary_counts_in_words(void **state)
{
    void *core = begin();

    (void)state;
    assert_int_equal(edge(core, 0, 0, 0), 0);
    assert_string_equal(
        pcounter_dpi_core_summary(core),
        "1 edge (1 in reset), 0 values compared, 0 differences: nothing was compared");
    assert_int_equal(edge(core, 1, 6, 0), 1);
    assert_string_equal(pcounter_dpi_core_summary(core),
                        "2 edges (1 in reset), 1 value compared, 1 difference");
    pcounter_dpi_core_close(core);
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
        cmocka_unit_test(wrong_lines_are_named),
        cmocka_unit_test(slices_have_their_bits),
        cmocka_unit_test(too_many_registers_are_refused),
        cmocka_unit_test(elements_and_rules_have_their_owner),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(a_summary_counts_in_words),
    };

    return cmocka_run_group_tests_name("dpi/core", tests, NULL, NULL);
}
