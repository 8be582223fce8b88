/* SPDX-License-Identifier: MIT */
/*
 * Timelines: times keep their digits; no row, one, and more than a drawing has pixels; what was not
 * measured is no value in any format; names cannot be more than text of a page.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"
#include "timeline/timeline_bins.h"

static const struct timeline_column columns[] = {
    { .name = "hits", .unit = "count", .kind = TIMELINE_COUNT, .marked = true },
    { .name = "</title><script>alert(1)</script>\"'&\x01\x80",
      .unit = "%",
      .about = "a<b & \"c\"",
      .kind = TIMELINE_METRIC,
      .marked = true },
    { .name = "level", .unit = "level", .kind = TIMELINE_LEVEL, .top = 14 },
};

struct job {
    enum timeline_format format;
    uint64_t rows;
    uint64_t unmeasured; /* this row is, and the one before is tainted; 0: none */
};

/* Row n has n hits, but for a peak of a million. */
enum { PEAK = 4321 };

/* What the format has written; free() it. */
static char *write_rows(const struct job *j)
{
    struct timeline_facts facts = { .count = 0 };
    struct timeline_value value[3] = { { .count = 0 } };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const struct timeline_desc desc = { .out = out,
                                        .format = j->format,
                                        .title = "pcounter test",
                                        .row = "interval",
                                        .axis = { .exponent = -9 },
                                        .column = columns,
                                        .columns = 3 };
    struct timeline *t = timeline_open(&desc);

    assert_non_null(t);
    for (uint64_t n = 0; n < j->rows; n++) {
        value[0].count = n == PEAK ? 1000000 : n;
        value[1].number = 12.5;
        value[1].state = j->unmeasured && n == j->unmeasured       ? PC_VALUE_UNMEASURED
                         : j->unmeasured && n + 1 == j->unmeasured ? PC_VALUE_TAINTED
                                                                   : PC_VALUE_EXACT;
        value[2].count = n % 15;
        timeline_add(t, &(struct timeline_row){
                            .begin = { 1000 + 10 * n, 0 }, .length = 10, .value = value });
    }
    timeline_say(&facts, "trace", "a&b.vcd");
    timeline_say(&facts, "chip", "GT215");
    timeline_end(t, &(struct timeline_summary){ .facts = &facts, .total = value });
    timeline_close(t);
    fclose(out);
    return text;
}

static size_t occurrences(const char *text, const char *part)
{
    size_t n = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        n++;
    return n;
}

static void expect(const char *text, const char *part, size_t times)
{
    if (occurrences(text, part) != times)
        fail_msg("\"%s\" %zu times, not %zu", part, occurrences(text, part), times);
}

static void expect_time(int exponent, int decimals, uint64_t whole, uint64_t part, int in,
                        const char *want)
{
    const struct timeline_axis axis = { .exponent = exponent, .decimals = decimals };
    char text[TIMELINE_TEXT];

    timeline_text(&axis, (struct timeline_time){ whole, part }, in, text);
    assert_string_equal(text, want);
}

static void times_keep_their_digits(void **state)
{
    (void)state;
    expect_time(-9, 0, 0, 0, -6, "0");
    expect_time(-9, 0, 90, 0, -6, "0.09");
    expect_time(-9, 0, 2000, 0, -6, "2");
    expect_time(-9, 1, 0, 5, -6, "0.0005");
    expect_time(-9, 1, 0, 5, -10, "5");
    expect_time(0, 0, 3, 0, -6, "3000000");
    expect_time(2, 0, 0, 0, -6, "0");
    expect_time(-15, 0, UINT64_MAX, 0, -6, "18446744073.709551615");
    expect_time(-9, 3, 9007199254740993, 7, -6, "9007199254740.993007");
}

static void ends_carry_parts(void **state)
{
    const struct timeline_axis axis = { .exponent = -9, .decimals = 2 };
    const struct timeline_row row = { .begin = { 7, 75 }, .length = 1.5 };
    const struct timeline_time end = timeline_end_of(&axis, &row);
    const struct timeline_time length = timeline_between(&axis, row.begin, end);

    (void)state;
    assert_int_equal(end.whole, 9);
    assert_int_equal(end.part, 25);
    assert_int_equal(length.whole, 1);
    assert_int_equal(length.part, 50);
}

/* The longest window that there can be: its end is the last time, not one that went around. */
static void ends_do_not_wrap(void **state)
{
    const struct timeline_axis axis = { .exponent = -9 };
    struct timeline_row row = { .length = (double)UINT64_MAX };

    (void)state;
    assert_true(timeline_end_of(&axis, &row).whole == UINT64_MAX);
    row = (struct timeline_row){ .begin = { UINT64_MAX - 5, 0 }, .length = 6 };
    assert_true(timeline_end_of(&axis, &row).whole == UINT64_MAX);
    row.length = 4;
    assert_true(timeline_end_of(&axis, &row).whole == UINT64_MAX - 1);
    assert_true(timeline_units(1e30) == UINT64_MAX);
    assert_true(timeline_units(2.5) == 3);
}

/* A file without a row is whole. */
static void no_row(void **state)
{
    char *vcd = write_rows(&(struct job){ .format = TIMELINE_VCD });
    char *trace = write_rows(&(struct job){ .format = TIMELINE_PERFETTO });
    char *page = write_rows(&(struct job){ .format = TIMELINE_HTML });

    (void)state;
    expect(vcd, "$enddefinitions $end\n#0\n", 1);
    expect(trace, "\"ph\": \"C\"", 0);
    expect(trace, "\"dur\": 0, \"args\": {\"rows\": 0}}\n],", 1);
    expect(page, "There is no interval.", 1);
    expect(page, "<figure>", 0);
    expect(page, "</html>", 1);
    free(vcd);
    free(trace);
    free(page);
}

static void one_row(void **state)
{
    char *page = write_rows(&(struct job){ .format = TIMELINE_HTML, .rows = 1 });

    (void)state;
    expect(page, "<p>1 interval, each a step.", 1);
    expect(page, "<title>hits: 0 count; 1000 to 1010 ns</title>", 1);
    expect(page, "<svg role=\"img\"", 4); /* three columns and the axis */
    free(page);
}

/* A gap, not a 0 and not the value before; what is not exact is said. */
static void unmeasured_is_no_value(void **state)
{
    char *vcd = write_rows(&(struct job){ TIMELINE_VCD, 5, 3 });
    char *trace = write_rows(&(struct job){ TIMELINE_PERFETTO, 5, 3 });
    char *page = write_rows(&(struct job){ TIMELINE_HTML, 5, 3 });

    (void)state;
    expect(vcd, "rnan \"\n", 1);
    expect(trace, "\"args\": {\"%\": 12.5}", 4);
    expect(trace,
           "\"name\": \"tainted\", \"ph\": \"X\", \"pid\": 1, \"tid\": 3, \"ts\": 1.02, \"dur\": "
           "0.01}",
           1);
    expect(trace, "\"name\": \"not measured\", \"ph\": \"X\", \"pid\": 1, \"tid\": 3, \"ts\": 1.03",
           1);
    expect(page, ": not measured; 1030 to 1040 ns</title>", 1);
    expect(page, ": 12.5 %, tainted; 1020 to 1030 ns</title>", 1);
    expect(page, "class=\"m\" fill=\"url(#inexact)\"", 1);
    expect(page, "class=\"m\" fill=\"url(#unmeasured)\"", 1);
    expect(page, "<td>1 of 5 not exact: tainted; 1 of 5 not measured</td>", 1);
    expect(page, "<path class=\"l\"", 4); /* the line is in two pieces */
    free(vcd);
    free(trace);
    free(page);
}

/* More rows than pixels: nothing is left out, and the page does not grow. */
static void many_rows(void **state)
{
    char *few = write_rows(&(struct job){ .format = TIMELINE_HTML, .rows = TIMELINE_BINS });
    char *more = write_rows(&(struct job){ .format = TIMELINE_HTML, .rows = TIMELINE_BINS + 1 });
    char *many = write_rows(&(struct job){ .format = TIMELINE_HTML, .rows = 100000 });

    (void)state;
    expect(few, "each a step", 1);
    expect(few, "<title>hits: ", TIMELINE_BINS);
    expect(more, "each column shows 2 intervals", 1);
    expect(more, "<title>hits: ", TIMELINE_BINS / 2 + 1);
    expect(more, "<title>hits: 798 to 799 count in 2 intervals, mean 798.5; ", 1);
    expect(more, "<title>hits: 800 count; ", 1);
    expect(many, "100,000 intervals: each column shows 128 intervals", 1);
    expect(many, "<title>hits: ", 782);
    expect(many,
           "<title>hits: 4,224 to 1,000,000 count in 128 intervals, mean 12066.2; 0.04324 to "
           "0.04452 ms",
           1);
    expect(many, "<title>hits: 99,968 to 99,999 count in 32 intervals, mean 99983.5; ", 1);
    expect(many, "<td class=\"r\">0</td><td class=\"r\">1,000,000</td><td>count</td>", 1);
    assert_true(strlen(many) < 2 * strlen(few));
    free(few);
    free(more);
    free(many);
}

static void names_are_text(void **state)
{
    char *page = write_rows(&(struct job){ .format = TIMELINE_HTML, .rows = 2 });
    char *trace = write_rows(&(struct job){ .format = TIMELINE_PERFETTO, .rows = 2 });

    (void)state;
    expect(page, "<script", 0);
    expect(page, "\x01", 0);
    expect(page, "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\\x01\\x80",
           5);
    expect(page, "<code>a&lt;b &amp; &quot;c&quot;</code>", 2);
    expect(page, "<title>pcounter test: a&amp;b.vcd</title>", 1);
    expect(trace,
           "\"name\": \"</title><script>alert(1)</script>\\\"'&\\u0001\\ufffd\", \"ph\": \"C\"", 2);
    free(page);
    free(trace);
}

/* Numbers whose difference is none. */
static void large_numbers_are_drawn(void **state)
{
    static const struct timeline_column column = { "m", "ratio", .kind = TIMELINE_METRIC };
    static const struct timeline_facts facts = { .fact = { { "trace", "a" } }, .count = 1 };
    struct timeline_value value = { .number = 1.5e308 };
    char *page = NULL;
    size_t size = 0;
    const struct timeline_desc desc = { .out = open_memstream(&page, &size),
                                        .format = TIMELINE_HTML,
                                        .title = "pcounter test",
                                        .row = "interval",
                                        .axis = { .exponent = -9 },
                                        .column = &column,
                                        .columns = 1 };
    struct timeline *t = timeline_open(&desc);

    (void)state;
    for (uint64_t n = 0; n < 2000; n++, value.number = -value.number)
        timeline_add(t, &(struct timeline_row){ .begin = { n, 0 }, .length = 1, .value = &value });
    timeline_end(t, &(struct timeline_summary){ .facts = &facts, .total = &value });
    timeline_close(t);
    fclose(desc.out);
    expect(page, "m: -1.5e+308 to 1.5e+308 ratio in 4 intervals, mean 0; ", 500);
    expect(page, "nan", 0);
    expect(page, "inf", 0);
    free(page);
}

static void only_pages_have_cycles(void **state)
{
    const struct timeline_axis cycles = { .cycles = true };
    const struct timeline_axis parts = { .exponent = -9, .decimals = 1 };

    (void)state;
    assert_true(timeline_fits(TIMELINE_HTML, &cycles));
    assert_false(timeline_fits(TIMELINE_PERFETTO, &cycles));
    assert_false(timeline_fits(TIMELINE_VCD, &cycles));
    assert_true(timeline_fits(TIMELINE_PERFETTO, &parts));
    assert_false(timeline_fits(TIMELINE_VCD, &parts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_keep_their_digits),
        cmocka_unit_test(ends_carry_parts),
        cmocka_unit_test(ends_do_not_wrap),
        cmocka_unit_test(no_row),
        cmocka_unit_test(one_row),
        cmocka_unit_test(unmeasured_is_no_value),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(names_are_text),
        cmocka_unit_test(large_numbers_are_drawn),
        cmocka_unit_test(only_pages_have_cycles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
