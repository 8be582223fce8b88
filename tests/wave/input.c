/* SPDX-License-Identifier: MIT */
/* Bytes of a waveform: plain, gzip and zstd, whole and damaged; files and pipes; peek and map. */
#include "texts.h"
#include "wave/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static const char sample[] = "$timescale 1ns $end $var wire 1 ! a $end $enddefinitions $end\n"
                             "#0 0! #1 1! #2 0! #3 1!\n";

/* Appends a gzip member to out; returns the bytes used in all. */
static size_t gzip(uint8_t *out, size_t used, size_t capacity, const void *from, size_t size)
{
    z_stream z = { 0 };

    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)from;
    z.avail_in = (uInt)size;
    z.next_out = out + used;
    z.avail_out = (uInt)(capacity - used);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    used = capacity - z.avail_out;
    deflateEnd(&z);
    return used;
}

static size_t zstd(uint8_t *out, size_t used, size_t capacity, const void *from, size_t size)
{
    size_t n = ZSTD_compress(out + used, capacity - used, from, size, 3);

    assert_false(ZSTD_isError(n));
    return used + n;
}

typedef size_t compressor(uint8_t *, size_t, size_t, const void *, size_t);

static void expect_sample(const uint8_t *bytes, size_t size, const char *encoding)
{
    struct pc_error err = { 0 };
    struct pc_wave *wave = text_try(bytes, size, NULL, &err);
    struct pc_wave_totals totals;
    struct pc_wave_info info;
    uint64_t done, total;

    test_ok(err.status, &err);
    pc_wave_get_info(wave, &info);
    assert_string_equal(info.encoding, encoding);
    test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
    assert_int_equal(totals.changes, 4);
    assert_int_equal(totals.time_last, 3);
    pc_wave_progress(wave, &done, &total);
    assert_int_equal(total, size);
    assert_true(done <= total);
    pc_wave_close(wave);
}

/* One stream, and several behind one another, cut inside a word. */
static void compressed(void **state)
{
    static compressor *const ways[] = { gzip, zstd };
    static const char *const names[] = { "gzip", "zstd" };
    uint8_t out[4096];

    (void)state;
    expect_sample((const uint8_t *)sample, sizeof sample - 1, "plain");
    for (int i = 0; i < 2; i++) {
        expect_sample(out, ways[i](out, 0, sizeof out, sample, sizeof sample - 1), names[i]);
        size_t n = ways[i](out, 0, sizeof out, sample, 20);
        n = ways[i](out, n, sizeof out, sample + 20, 50);
        n = ways[i](out, n, sizeof out, sample + 70, 0);
        n = ways[i](out, n, sizeof out, sample + 70, sizeof sample - 71);
        expect_sample(out, n, names[i]);
    }
    /* padding behind gzip, as tapes leave it */
    size_t n = gzip(out, 0, sizeof out, sample, sizeof sample - 1);
    memset(out + n, 0, 100);
    expect_sample(out, n + 100, "gzip");
}

static void cut_and_damaged(void **state)
{
    static compressor *const ways[] = { gzip, zstd };
    uint8_t out[4096], bad[4096];
    struct test_rng rng = test_rng_start(77, NULL);

    (void)state;
    for (int i = 0; i < 2; i++) {
        size_t n = ways[i](out, 0, sizeof out, sample, sizeof sample - 1);
        for (size_t cut = 0; cut < n; cut++) {
            struct pc_error err = { 0 };
            enum pc_status status = text_read_all(out, cut, NULL, &err);
            assert_int_equal(status, PC_EINPUT);
            assert_int_equal(err.code, cut == 0 ? 507 : cut < (i == 0 ? 2 : 4) ? 502 : 504);
        }
        for (int k = 0; k < 500; k++) {
            struct pc_error err = { 0 };
            memcpy(bad, out, n);
            bad[test_rand_below(&rng, (uint32_t)n)] ^= (uint8_t)(1u << test_rand_below(&rng, 8));
            (void)text_read_all(bad, n, NULL, &err);
        }
    }
}

/* A small file that becomes a large one is refused, but for a caller who asks for it. */
static void bombs(void **state)
{
    static compressor *const ways[] = { gzip, zstd };
    const size_t size = 8 << 20, head = sizeof sample - 1;
    uint8_t *out = malloc(1 << 20);
    char *text = malloc(size);

    (void)state;
    assert_true(out && text);
    memcpy(text, sample, head);
    memset(text + head, '\n', size - head);
    for (int i = 0; i < 2; i++) {
        struct pc_error err = { 0 };
        struct pc_wave_desc desc = { .limits = { .max_ratio = i == 0 ? 100 : 0 } };
        size_t n = ways[i](out, 0, 1 << 20, text, size);
        assert_int_equal(text_read_all(out, n, &desc, &err), PC_ELIMIT);
        assert_int_equal(err.code, 505);
        desc.limits.max_ratio = 1000000;
        test_ok(text_read_all(out, n, &desc, &err), &err);
    }
    free(text);
    free(out);
}

static void not_files(void **state)
{
    struct pc_wave_desc desc = { .path = "no-such-folder/no-such-file" };
    struct pc_wave *wave = NULL;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_wave_open(&desc, &wave, &err), PC_ENOENT);
    assert_int_equal(err.code, 500);
    desc.path = ".";
    assert_int_equal(pc_wave_open(&desc, &wave, &err), PC_EIO);
    assert_int_equal(err.code, 501);
    assert_null(wave);
}

static struct wv_input *open_input(const void *bytes, size_t size)
{
    struct pc_wave_desc desc = { .path = text_file(bytes, size) };
    struct wv_input *in;
    struct pc_error err;

    test_ok(wv_input_open(&desc, NULL, &in, &err), &err);
    unlink(desc.path);
    return in;
}

static void peek_then_read(void **state)
{
    uint8_t packed[4096];
    size_t n = gzip(packed, 0, sizeof packed, sample, sizeof sample - 1), size, got, used = 0;
    struct wv_input *in = open_input(packed, n);
    const uint8_t *data;
    struct pc_error err;
    char back[sizeof sample];

    (void)state;
    test_ok(wv_input_peek(in, &data, 10, &size, &err), &err);
    assert_int_equal(size, 10);
    assert_memory_equal(data, sample, 10);
    test_ok(wv_input_read(in, (uint8_t *)back, 4, &got, &err), &err);
    assert_int_equal(got, 4);
    test_ok(wv_input_peek(in, &data, 100000, &size, &err), &err);
    assert_int_equal(size, sizeof sample - 1 - 4);
    assert_memory_equal(data, sample + 4, size);
    for (used = 4; wv_input_read(in, (uint8_t *)back + used, 7, &got, &err) == PC_OK; used += got)
        assert_true(got > 0);
    assert_int_equal(used, sizeof sample - 1);
    assert_memory_equal(back, sample, used);
    assert_int_equal(wv_input_read(in, (uint8_t *)back, 7, &got, &err), PC_END);
    wv_input_close(in);
}

static void whole_inputs(void **state)
{
    size_t big = 3 << 20, size, n;
    uint8_t *bytes = malloc(big), *packed = malloc(big * 2);
    struct test_rng rng = test_rng_start(5, NULL);
    const uint8_t *data;
    struct pc_error err;

    (void)state;
    assert_true(bytes && packed);
    for (size_t i = 0; i < big; i++)
        bytes[i] = (uint8_t)test_rand(&rng);
    struct wv_input *in = open_input(bytes, big);
    test_ok(wv_input_peek(in, &data, 16, &size, &err), &err);
    assert_int_equal(wv_input_extent(in), big);
    test_ok(wv_input_take_at(in, 5, packed, big - 5, &err), &err);
    assert_memory_equal(packed, bytes + 5, big - 5);
    assert_int_equal(wv_input_take_at(in, 6, packed, big - 5, &err), PC_EIO);
    assert_int_equal(err.code, 508);
    wv_input_close(in);

    n = zstd(packed, 0, big * 2, bytes, big);
    in = open_input(packed, n);
    test_ok(wv_input_peek(in, &data, 16, &size, &err), &err);
    test_ok(wv_input_hold(in, &data, &size, &err), &err);
    assert_int_equal(size, big);
    assert_memory_equal(data, bytes, big);
    wv_input_close(in);
    free(bytes);
    free(packed);
}

/* The head of a zstd frame asks for memory: 128 MiB are granted, the next size is not. */
static void zstd_windows(void **state)
{
    static const uint8_t sizes[] = { 0x88, 0x89, 0xa0 }; /* 128, 144 MiB, 1 GiB */
    static const uint32_t codes[] = { 504, 509, 509 };
    uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0, 0 };

    (void)state;
    for (size_t i = 0; i < sizeof sizes; i++) {
        struct pc_error err = { 0 };
        frame[5] = sizes[i];
        assert_null(text_try(frame, sizeof frame - 1, NULL, &err));
        assert_int_equal(err.code, codes[i]);
        assert_int_equal(err.status, codes[i] == 509 ? PC_ELIMIT : PC_EINPUT);
    }
}

/* The decoders' own memory comes from the caller's allocator too. */
static void memory_runs_out(void **state)
{
    static compressor *const ways[] = { gzip, zstd };
    uint8_t out[4096];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct text_bytes bytes = { out, ways[i](out, 0, sizeof out, sample, sizeof sample - 1) };
        test_refuse_each(text_read_with, &bytes, 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed),     cmocka_unit_test(cut_and_damaged),
        cmocka_unit_test(bombs),          cmocka_unit_test(not_files),
        cmocka_unit_test(peek_then_read), cmocka_unit_test(whole_inputs),
        cmocka_unit_test(zstd_windows),   cmocka_unit_test(memory_runs_out),
    };

    return cmocka_run_group_tests_name("wave/input", tests, NULL, NULL);
}
