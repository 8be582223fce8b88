/* SPDX-License-Identifier: MIT */
/* Lines of an mmiotrace: what each kind means, and what is wrong with bad ones. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wave/trace/replay.h"

/* The text in memory of exactly its size, so that a read beyond it shows. */
static enum pc_status parse(const char *text, struct pc_trace_event *out, struct pc_error *err)
{
    size_t size = strlen(text);
    char *copy = malloc(size ? size : 1);

    assert_non_null(copy);
    memcpy(copy, text, size);
    memset(err, 0, sizeof *err);
    enum pc_status status = rp_parse_line(copy, size, 7, out, err);
    if (status == PC_OK && out->text)
        out->text = text + (out->text - copy);
    free(copy);
    return status;
}

static struct pc_trace_event good(const char *text)
{
    struct pc_trace_event e;
    struct pc_error err;

    test_ok(parse(text, &e, &err), &err);
    assert_int_equal(e.line, 7);
    return e;
}

/* Verifies that an access has width, time, map, address and value. */
static void test_accesses(void **state)
{
    struct pc_trace_event e = good("W 4 12.000345 3 0xf800a7c0 0x1 0xffffffffa0001234 0");

    (void)state;
    assert_int_equal(e.kind, PC_TRACE_WRITE);
    assert_int_equal(e.width, 4);
    assert_true(e.time_ns == 12000345000u);
    assert_int_equal(e.map, 3);
    assert_true(e.address == 0xf800a7c0);
    assert_true(e.value == 1);
    e = good("R 8 0.1 -1 0x1f0000000 0xfedcba9876543210\r"); /* no PC, no PID, no map */
    assert_int_equal(e.kind, PC_TRACE_READ);
    assert_int_equal(e.map, 0);
    assert_true(e.time_ns == 100000000u);
    assert_true(e.value == UINT64_C(0xfedcba9876543210));
    e = good("\tR 1 3 1 f8000000 ff");
    assert_true(e.time_ns == 3000000000u && e.value == 0xff);
    e = good("R 4 18446744072.999999999 1 0x0 0x0"); /* the last time */
    assert_true(e.time_ns == UINT64_C(18446744072999999999));
}

/* Verifies the lines about maps, devices and what the user said. */
static void test_other_lines(void **state)
{
    struct pc_trace_event e = good("MAP 1.5 2 0xf8000000 0xffffc900 0x1000000 0x0 0");
    struct pc_error err;

    (void)state;
    assert_int_equal(e.kind, PC_TRACE_MAP);
    assert_true(e.address == 0xf8000000 && e.length == 0x1000000 && e.map == 2);
    assert_int_equal(good("UNMAP 1.5 2 0x0 0").kind, PC_TRACE_UNMAP);
    e = good("MARK 0.000000 Lost 12 events.");
    assert_int_equal(e.kind, PC_TRACE_LOST);
    assert_int_equal(e.value, 12);
    assert_int_equal(good("MARK 0.000000 Lost my events.").kind, PC_TRACE_MARK);
    assert_int_equal(good("MARK 0.000000 Lost 0x12 events.").kind, PC_TRACE_MARK);
    assert_int_equal(good("MARK 0.000000 Lost  events.").kind, PC_TRACE_MARK);
    e = good("CPU:12 [LOST 345 EVENTS]");
    assert_int_equal(e.kind, PC_TRACE_LOST);
    assert_int_equal(e.value, 345);
    e = good("CPU:0 [LOST EVENTS]");
    assert_int_equal(e.kind, PC_TRACE_LOST);
    assert_int_equal(e.value, 0);
    e = good("MARK 2.000000  X is up \r");
    assert_int_equal(e.kind, PC_TRACE_MARK);
    assert_int_equal(e.text_size, 7);
    assert_memory_equal(e.text, "X is up", 7);
    e = good("PCIDEV 0300 10de0611 18 f6000000 e000000c 0 f4000004 0 0 0 1000000 10000000 0 "
             "2000000 0 0 0 nvidia");
    assert_int_equal(e.kind, PC_TRACE_PCIDEV);
    assert_int_equal(e.vendor, 0x10de);
    assert_int_equal(e.device, 0x0611);
    assert_true(e.bar[0] == 0xf6000000 && e.bar[1] == 0xe000000c && e.bar_size[0] == 0x1000000);
    assert_int_equal(good("VERSION 20070824").kind, PC_TRACE_OTHER);
    assert_int_equal(good("LSPCI 01:00.0 VGA compatible controller").kind, PC_TRACE_OTHER);
    e = good("UNKNOWN 1.0 1 0xf8000000 0f,0b,00 0x0 0");
    assert_int_equal(e.kind, PC_TRACE_UNKNOWN);
    assert_int_equal(e.address, 0xf8000000);
    assert_int_equal(e.time_ns, 1000000000);
    assert_int_equal(good("UNKNOWN").kind, PC_TRACE_UNKNOWN);
    e = good("UNKNOWN 1.0 what it may be");
    assert_int_equal(e.kind, PC_TRACE_UNKNOWN);
    assert_int_equal(e.time_ns, 0);
    assert_int_equal(parse("", &e, &err), PC_END);
    assert_int_equal(parse("  \r", &e, &err), PC_END);
    assert_int_equal(parse("# tracer: mmiotrace", &e, &err), PC_END);
}

/* Verifies that each mistake is told with its line, its column and what was expected. */
static void test_mistakes(void **state)
{
    static const struct {
        const char *line;
        unsigned code, column;
        const char *text; /* part of the error */
    } rows[] = {
        { "X 4 1.0 1 0x0 0x0", 1200, 1, "begins with \"X\"" },
        { "chip G92", 1200, 1, "begins with \"chip\"" },
        { "\x1f\x8b", 1200, 1, "byte 0x1f" },
        { "R", 1201, 2, "ends where a width" },
        { "R 3 1.0 1 0x0 0x0", 1201, 3, "width of 1, 2, 4 or 8" },
        { "R 4 1.0.0 1 0x0 0x0", 1201, 5, "a time" },
        { "R 4 1. 1 0x0 0x0", 1201, 5, "a time" },
        { "R 4 1.0123456789 1 0x0 0x0", 1201, 5, "a time" },
        { "R 4 99999999999999999999 1 0x0 0x0", 1201, 5, "a time" },
        { "R 4 18446744073 1 0x0 0x0", 1201, 5, "a time" }, /* 64 bits of nanoseconds end there */
        { "R 4 1.a 1 0x0 0x0", 1201, 5, "a time" },
        { "R 4 a.1 1 0x0 0x0", 1201, 5, "a time" },
        { "R 4 1.0 x 0x0 0x0", 1201, 9, "number of a map" },
        { "R 4 1.0 1a 0x0 0x0", 1201, 9, "number of a map" },
        { "R 4 1.0 99999999999 0x0 0x0", 1201, 9, "number of a map" },
        { "R 4 1.0 1 0x 0x0", 1201, 11, "an address" },
        { "R 4 1.0 1 0x10000000000000000 0x0", 1201, 11, "an address" },
        { "R 4 1.0 1 0x0", 1201, 14, "ends where a value" },
        { "R 4 1.0 1 0x0 0x100000000", 1201, 0, "does not fit in 4 bytes" },
        { "R 1 1.0 1 0x0 0x100", 1201, 0, "does not fit in 1 byte" },
        { "MAP 1.0 1 0x0 0x0", 1201, 18, "a length" },
        { "MARK now X", 1201, 6, "a time" },
        { "PCIDEV 0300 110de0611 0 0", 1201, 0, "eight digits" },
        { "PCIDEV 0300 10de0611 0 0 0 0 0 0 0 0 0 0", 1201, 41, "size of a BAR" },
        { "VERSION 20080101", 1202, 9, "20080101" },
        { "VERSION", 1201, 8, "a version" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_trace_event e;
        struct pc_error err;
        assert_int_not_equal(parse(rows[i].line, &e, &err), PC_OK);
        if (err.code != rows[i].code || err.column != rows[i].column || err.line != 7 ||
            !strstr(err.text, rows[i].text))
            fail_msg("%s: PC-E%04u at %u:%u: %s", rows[i].line, err.code, (unsigned)err.line,
                     (unsigned)err.column, err.text);
    }
}

/* Verifies that no line, however cut or changed, is read beyond its end or accepted half. */
static void test_damage(void **state)
{
    static const char *const lines[] = {
        "W 4 12.000345 3 0xf800a7c0 0x1 0x0 0", "MAP 1.5 2 0xf8000000 0xffffc900 0x1000000 0x0 0",
        "PCIDEV 0300 10de0611 18 f6000000 e000000c 0 0 0 0 0 1000000 10000000 0 0 0 0 0 nvidia",
        "MARK 2.000000 X is up"
    };
    uint64_t seed;
    struct test_rng rng = test_rng_start(20070824, &seed);
    unsigned refused = 0;

    (void)state;
    for (int n = 0; n < 20000; n++) {
        char text[120];
        struct pc_trace_event e;
        struct pc_error err;
        snprintf(text, sizeof text, "%s", lines[test_rand_below(&rng, 4)]);
        size_t size = strlen(text), cut = test_rand_below(&rng, (uint32_t)size);
        if (test_rand_below(&rng, 2))
            text[cut] = '\0';
        else
            text[cut] = (char)(1 + test_rand_below(&rng, 255));
        enum pc_status status = parse(text, &e, &err);
        assert_true(status == PC_OK || status == PC_END || err.text[0]);
        refused += status != PC_OK && status != PC_END;
        if (status == PC_OK && e.kind <= PC_TRACE_WRITE)
            assert_true(e.width == 8 || e.value >> (8 * e.width) == 0);
    }
    assert_in_range(refused, 4000, 19000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_other_lines),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
