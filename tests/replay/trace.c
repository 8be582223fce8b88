/* SPDX-License-Identifier: MIT */
/* A trace as a file: plain and compressed; long lines; no memory; no end. */
#include "heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "pack.h"
#include "wave/trace/replay.h"

static char path[] = "/tmp/pc_trace_XXXXXX";

static void write_file(const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* A trace of n writes whose values count up; free() it. */
static char *make_text(unsigned n, size_t *size)
{
    char *text = malloc((size_t)n * 64 + 64);

    assert_non_null(text);
    *size = (size_t)sprintf(text, "VERSION 20070824\n");
    for (unsigned i = 0; i < n; i++)
        *size += (size_t)sprintf(text + *size, "W 4 %u.%06u 1 0xf8000100 0x%x 0x0 0\n", i / 1000,
                                 i % 1000, i);
    return text;
}

/* All of the file: events, and the last value. */
static enum pc_status read_all(const struct pc_alloc *alloc, unsigned *events, uint64_t *value,
                               struct pc_error *err)
{
    struct pc_trace_desc desc = { .path = path, .alloc = alloc };
    struct pc_trace *trace = NULL;
    struct pc_trace_event e = { 0 };
    enum pc_status status = pc_trace_open(&desc, &trace, err);

    *events = 0;
    while (!status && (status = pc_trace_next(trace, &e, err)) == PC_OK) {
        ++*events;
        assert_int_equal(e.line, *events);
        *value = e.value;
    }
    pc_trace_close(trace);
    return status;
}

/* Verifies that a trace reads the same however it is compressed. */
static void test_encodings(void **state)
{
    const unsigned n = 20000;
    size_t size;
    char *text = make_text(n, &size);
    struct pc_error err = { 0 };
    unsigned events;
    uint64_t value = 0;

    (void)state;
    write_file(text, size - 1); /* without the newline at the end */
    assert_int_equal(read_all(NULL, &events, &value, &err), PC_END);
    assert_int_equal(events, n + 1);
    assert_true(value == n - 1);

    gzFile gz = gzopen(path, "wb");
    assert_int_equal(gzwrite(gz, text, (unsigned)size), size);
    gzclose(gz);
    value = 0;
    assert_int_equal(read_all(NULL, &events, &value, &err), PC_END);
    assert_int_equal(events, n + 1);
    assert_true(value == n - 1);

    size_t bound = ZSTD_compressBound(size);
    char *packed = malloc(bound);
    assert_non_null(packed);
    size_t got = ZSTD_compress(packed, bound, text, size, 3);
    write_file(packed, got);
    value = 0;
    assert_int_equal(read_all(NULL, &events, &value, &err), PC_END);
    assert_int_equal(events, n + 1);
    assert_true(value == n - 1);
    write_file(packed, got / 2); /* cut in the middle */
    assert_int_equal(read_all(NULL, &events, &value, &err), PC_END);
    assert_in_range(events, n / 4, n - 1);
    assert_true(value == events - 2);
    free(packed);
    free(text);
}

/* Verifies that of a compressed trace that was cut all whole lines are there, and it is told. */
static void test_cut_packed(void **state)
{
    enum { LINES = 3000, ROOM = 1 << 20 };
    size_t size;
    char *text = make_text(LINES, &size);
    uint8_t *packed = malloc(ROOM);
    struct pc_trace_desc desc = { .path = path };
    struct pc_trace_event e;
    struct pc_error err = { 0 };

    (void)state;
    assert_non_null(packed);
    for (int way = 0; way < PACK_WAYS; way++) {
        const size_t first = pack_ways[way].pack(packed, 0, ROOM, text, size / 2);
        const size_t n = pack_ways[way].pack(packed, first, ROOM, text + size / 2, size - size / 2);
        for (size_t cut = first + 1; cut < n; cut += 97) {
            struct pc_trace *trace = NULL;
            unsigned events = 0;
            write_file(packed, cut);
            test_ok(pc_trace_open(&desc, &trace, &err), &err);
            assert_null(pc_trace_warning(trace));
            while (pc_trace_next(trace, &e, &err) == PC_OK)
                assert_true(events++ == 0 || e.value == events - 2);
            assert_in_range(events, LINES / 2 - 1, LINES + 1);
            assert_non_null(strstr(pc_trace_warning(trace), "ends early"));
            pc_trace_close(trace);
        }
    }
    free(packed);
    free(text);
}

/* Verifies that a trace that ends after a digit of a value is not taken to have all of them. */
static void test_cut(void **state)
{
    static const char text[] = "VERSION 20070824\nW 4 1.0 1 0xf800a7c4 0x12 0x0 0";
    const size_t value = (size_t)(strstr(text, " 0x0") - text); /* after it */
    struct pc_error err = { 0 };
    unsigned events;
    uint64_t last = 0;

    (void)state;
    for (size_t size = value - 1; size <= value; size++) {
        write_file(text, size);
        assert_int_equal(read_all(NULL, &events, &last, &err), PC_EINPUT);
        assert_int_equal(err.code, 1201);
        assert_int_equal(err.line, 2);
        assert_int_equal(err.column, size - strlen("VERSION 20070824\n") + 1);
    }
    for (size_t size = value + 1; size < sizeof text; size++) {
        write_file(text, size);
        assert_int_equal(read_all(NULL, &events, &last, &err), PC_END);
        assert_true(last == 0x12);
    }
    write_file("W 4 1.0 1 0xf800a7c4 0x12\n", 26);
    assert_int_equal(read_all(NULL, &events, &last, &err), PC_END);
    assert_true(last == 0x12);
    write_file("W 4 1.0 1 0xf800a7c4 0x12\r", 26);
    assert_int_equal(read_all(NULL, &events, &last, &err), PC_END);
}

/* Verifies that a line may be long, up to a limit, and that errors have the right line. */
static void test_lines(void **state)
{
    const size_t most = RP_LINE_MAX;
    char *text = malloc(most + 100);
    struct pc_error err = { 0 };
    unsigned events;
    uint64_t value;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', most + 100);
    memcpy(text, "MARK 1.0 ", 9);
    memcpy(text + most - 100, "\nW 4 1 1 0x0 0x5\n", 17);
    write_file(text, most - 100 + 17);
    assert_int_equal(read_all(NULL, &events, &value, &err), PC_END);
    assert_int_equal(events, 2);
    assert_true(value == 5);

    memset(text + most - 100, 'x', 17);
    write_file(text, most + 100);
    assert_int_equal(read_all(NULL, &events, &value, &err), PC_ELIMIT);
    assert_int_equal(err.code, 1203);
    assert_int_equal(err.line, 1);

    write_file("VERSION 20070824\nR 4 1.0 1 0x0", 30);
    assert_int_equal(read_all(NULL, &events, &value, &err), PC_EINPUT);
    assert_int_equal(err.code, 1201);
    assert_int_equal(err.line, 2);
    write_file("", 0);
    assert_int_equal(read_all(NULL, &events, &value, &err), PC_EINPUT);
    free(text);
}

static enum pc_status read_with(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    unsigned events;
    uint64_t value;

    (void)ctx;
    return read_all(alloc, &events, &value, err);
}

/* Verifies that each allocation may fail, and none is lost. */
static void test_memory(void **state)
{
    char *text = malloc(200000);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', 200000);
    memcpy(text, "MARK 1.0 ", 9);
    write_file(text, 200000);
    test_refuse_each(read_with, NULL, 4);
    free(text);
}

static int make_path(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    return fd < 0 || close(fd) != 0;
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings),  cmocka_unit_test(test_cut),
        cmocka_unit_test(test_cut_packed), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
