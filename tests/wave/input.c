/* SPDX-License-Identifier: MIT */
/* Bytes of a waveform: plain and compressed, whole, cut and damaged; files and pipes; peek and map.
 */
#include "pack.h"
#include "texts.h"
#include "wave/input.h"
#include "wave/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char sample[] = "$timescale 1ns $end $var wire 1 ! a $end $enddefinitions $end\n"
                             "#0 0! #1 1! #2 0! #3 1!\n";

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

/* One stream, and several after one another, cut inside a word. */
static void compressed(void **state)
{
    uint8_t out[4096];

    (void)state;
    expect_sample((const uint8_t *)sample, sizeof sample - 1, "plain");
    for (int i = 0; i < PACK_WAYS; i++) {
        pack_fn *pack = pack_ways[i].pack;
        expect_sample(out, pack(out, 0, sizeof out, sample, sizeof sample - 1), pack_ways[i].name);
        size_t n = pack(out, 0, sizeof out, "", 0);
        n = pack(out, n, sizeof out, sample, 20);
        n = pack(out, n, sizeof out, sample + 20, 50);
        n = pack(out, n, sizeof out, sample + 70, 0);
        memset(out + n, 0, 8); /* as tapes leave them; xz calls it padding */
        n = pack(out, n + 8, sizeof out, sample + 70, sizeof sample - 71);
        expect_sample(out, n, pack_ways[i].name);
        memset(out + n, 0, 100);
        expect_sample(out, n + 100, pack_ways[i].name);
    }
}

/* What pzstd writes, and frames to be skipped anywhere. */
static void skipped_frames(void **state)
{
    uint8_t out[4096];

    (void)state;
    for (unsigned kind = 0; kind < 16; kind++) {
        uint8_t head[12] = { (uint8_t)(0x50 + kind), 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 9, 9, 9, 9 };
        struct pc_error err = { 0 };
        memcpy(out, head, sizeof head);
        assert_int_equal(text_read_all(out, sizeof head, NULL, &err), PC_EINPUT);
        assert_int_equal(err.code, 507);
        size_t n = pack_zstd(out, sizeof head, sizeof out, sample, 30);
        memcpy(out + n, head, sizeof head);
        n = pack_zstd(out, n + sizeof head, sizeof out, sample + 30, sizeof sample - 31);
        memcpy(out + n, head, sizeof head);
        expect_sample(out, n + sizeof head, "zstd");
    }
}

/* Reads what there is: the changes, and the last warning. */
static enum pc_status read_cut(const uint8_t *bytes, size_t size, bool strict, uint64_t *changes,
                               char warning[200], struct pc_error *err)
{
    const struct pc_wave_desc desc = { .strict = strict };
    struct pc_wave *wave = text_try(bytes, size, &desc, err);
    struct pc_wave_totals totals = { 0 };
    struct pc_wave_info info;

    warning[0] = '\0';
    *changes = 0;
    if (!wave)
        return err->status;
    const enum pc_status status = pc_wave_scan(wave, &totals, NULL, err);
    pc_wave_get_info(wave, &info);
    for (size_t i = 0; i < info.warnings; i++)
        if (strstr(pc_wave_warning(wave, i), " data ends "))
            snprintf(warning, 200, "%s", pc_wave_warning(wave, i));
    assert_true(!strstr(warning, "early") || info.unfinished);
    *changes = totals.changes;
    pc_wave_close(wave);
    return status;
}

static void expect_cut(const struct pack_way *way, const uint8_t *out, size_t cut, uint64_t *most)
{
    struct pc_error err = { 0 };
    char warning[200];
    uint64_t changes;
    enum pc_status status = read_cut(out, cut, false, &changes, warning, &err);

    assert_true(changes >= *most && changes <= 4);
    *most = changes;
    if (status == PC_OK) {
        assert_non_null(strstr(warning, "ends early"));
        assert_int_equal(read_cut(out, cut, true, &changes, warning, &err), PC_EINPUT);
        assert_int_equal(err.code, 516);
        return;
    }
    assert_int_equal(status, PC_EINPUT);
    if (err.code / 100 == 6)
        assert_non_null(strstr(err.hint, "ends early")); /* in the header */
    else
        assert_int_equal(err.code, cut == 0 ? 507 : cut < way->least ? 502 : 504);
}

/* A cut file counts up to the cut: the more there is the more changes. */
static void cut_files(void **state)
{
    uint8_t out[4096];

    (void)state;
    for (int i = 0; i < PACK_WAYS; i++) {
        const struct pack_way *way = &pack_ways[i];
        const size_t first = way->pack(out, 0, sizeof out, sample, sizeof sample - 5);
        const size_t n = way->pack(out, first, sizeof out, sample + sizeof sample - 5, 4);
        uint64_t most = 0;
        for (size_t cut = 0; cut < n; cut++)
            if (cut != first)
                expect_cut(way, out, cut, &most);
        assert_int_equal(most, way->pack == pack_zstd ? 3 : 4); /* its frame ends with its block */
    }
}

/* The word at a cut may have been longer: #1 of #12. */
static void cut_words(void **state)
{
    static const char head[] = "$var wire 1 ! a $end $enddefinitions $end\n#0 0! #";
    uint8_t out[4096];

    (void)state;
    for (int i = 0; i < PACK_WAYS; i++) {
        struct pc_error err = { 0 };
        size_t n = pack_ways[i].pack(out, 0, sizeof out, head, sizeof head - 1);
        n = pack_ways[i].pack(out, n, sizeof out, "1", 1);
        memcpy(out + n, out, pack_ways[i].least); /* a member begins, and that is all */
        struct pc_wave *wave = text_try(out, n + pack_ways[i].least, NULL, &err);
        struct pc_wave_totals totals;
        test_ok(err.status, &err);
        test_ok(pc_wave_scan(wave, &totals, NULL, &err), &err);
        assert_int_equal(totals.time_last, 0);
        pc_wave_close(wave);
    }
}

/* After the last member: what is none is left out, and told. */
static void foreign_bytes(void **state)
{
    uint8_t out[4096];

    (void)state;
    for (int i = 0; i < PACK_WAYS; i++) {
        size_t n = pack_ways[i].pack(out, 0, sizeof out, sample, sizeof sample - 1);
        struct pc_error err = { 0 };
        char warning[200];
        uint64_t changes;
        memcpy(out + n, "\0\0more", 6);
        test_ok(read_cut(out, n + 6, false, &changes, warning, &err), &err);
        assert_int_equal(changes, 4);
        assert_non_null(strstr(warning, "is left out"));
        assert_int_equal(read_cut(out, n + 6, true, &changes, warning, &err), PC_EINPUT);
        assert_int_equal(err.code, 516);
    }
}

static void damaged(void **state)
{
    uint8_t out[4096], bad[4096];
    struct test_rng rng = test_rng_start(77, NULL);

    (void)state;
    for (int i = 0; i < PACK_WAYS; i++) {
        size_t n = pack_ways[i].pack(out, 0, sizeof out, sample, sizeof sample - 1);
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
    const size_t size = 8 << 20, head = sizeof sample - 1;
    uint8_t *out = malloc(1 << 20);
    char *text = malloc(size);

    (void)state;
    assert_true(out && text);
    memcpy(text, sample, head);
    memset(text + head, '\n', size - head);
    for (int i = 0; i < PACK_WAYS; i++) {
        struct pc_error err = { 0 };
        struct pc_wave_desc desc = { .limits = { .max_ratio = i == 0 ? 100 : 0 } };
        size_t n = pack_ways[i].pack(out, 0, 1 << 20, text, size);
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
    size_t n = pack_gzip(packed, 0, sizeof packed, sample, sizeof sample - 1), size, got, used = 0;
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

enum { GZ_TEXT = 300000, GZ_PACKED = 400000 };

/* Stored, of fixed codes and of others; words, runs and noise. */
static size_t some_gzip(struct test_rng *rng, uint8_t *packed, uint8_t *text)
{
    static const int strategies[] = { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE };
    const size_t size = test_rand_below(rng, GZ_TEXT);
    z_stream z = { .next_in = text, .next_out = packed, .avail_out = GZ_PACKED };

    for (size_t i = 0; i < size; i++)
        text[i] = i >= 4096 && i % 512 < 400 ? text[i - 1 - test_rand_below(rng, 4096)]
                                             : (uint8_t)test_rand(rng);
    assert_int_equal(deflateInit2(&z, (int)test_rand_below(rng, 10), Z_DEFLATED, 15 + 16, 9,
                                  strategies[test_rand_below(rng, 4)]),
                     Z_OK);
    z.avail_in = (uInt)size;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return GZ_PACKED - z.avail_out;
}

/* What zlib makes of a file that is cut. */
static size_t by_zlib(uint8_t *packed, size_t size, uint8_t *to)
{
    z_stream z = { .next_in = packed, .avail_in = (uInt)size };

    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_out = to;
    z.avail_out = GZ_TEXT;
    assert_in_range(inflate(&z, Z_SYNC_FLUSH), Z_OK, Z_STREAM_END);
    inflateEnd(&z);
    return GZ_TEXT - z.avail_out;
}

/* Whoever decompresses: the bytes are those of zlib, also up to a cut, however they are asked for.
 */
static void as_zlib(void **state)
{
    uint8_t *text = malloc(GZ_TEXT), *packed = malloc(GZ_PACKED), *back = malloc(GZ_TEXT + 1);
    struct test_rng rng = test_rng_start(31, NULL);

    (void)state;
    assert_true(text && packed && back);
    for (int k = 0; k < 200; k++) {
        const size_t all = some_gzip(&rng, packed, text);
        const size_t size =
            k % 2 && all > 100 ? 100 + test_rand_below(&rng, (uint32_t)all - 100) : all;
        const size_t want = by_zlib(packed, size, text), step = 1 + test_rand_below(&rng, 70000);
        size_t used = 0, got;
        struct pc_error err = { 0 };
        if (want == 0)
            continue; /* an error, which other tests have */
        struct wv_input *in = open_input(packed, size);
        while (wv_input_read(in, back + used, step < GZ_TEXT + 1 - used ? step : GZ_TEXT + 1 - used,
                             &got, &err) == PC_OK)
            used += got;
        assert_int_equal(err.status, PC_OK);
        assert_int_equal(used, want);
        assert_memory_equal(back, text, want);
        wv_input_close(in);
    }
    free(text);
    free(packed);
    free(back);
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

    n = pack_zstd(packed, 0, big * 2, bytes, big);
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

/* Does the same for xz: the dictionary that is declared in a block's head. */
static void xz_windows(void **state)
{
    static const uint8_t sizes[] = { 30, 31, 40 }; /* 128, 192 MiB, 4 GiB */
    uint8_t out[4096];

    (void)state;
    for (size_t i = 0; i < sizeof sizes; i++) {
        const size_t n = pack_xz(out, 0, sizeof out, sample, sizeof sample - 1);
        struct pc_error err = { 0 };
        const size_t head = 12, sum_at = head + 4u * out[head];
        size_t at = head + 2;
        while (out[at] != 0x21 || out[at + 1] != 1) /* LZMA2, its 1 byte */
            at++;
        out[at + 2] = sizes[i];
        const uint32_t sum = (uint32_t)crc32(0, out + head, (uInt)(sum_at - head));
        for (unsigned k = 0; k < 4; k++)
            out[sum_at + k] = (uint8_t)(sum >> 8 * k);
        const enum pc_status status = text_read_all(out, n, NULL, &err);
        assert_int_equal(status, i == 0 ? PC_OK : PC_ELIMIT);
        assert_int_equal(err.code, i == 0 ? 0 : 509);
    }
}

/* The decoders' own memory comes from the caller's allocator too. */
static void memory_runs_out(void **state)
{
    uint8_t out[4096];

    (void)state;
    for (int i = 0; i < PACK_WAYS; i++) {
        struct text_bytes bytes = { out, pack_ways[i].pack(out, 0, sizeof out, sample,
                                                           sizeof sample - 1) };
        test_refuse_each(text_read_with, &bytes, 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed),      cmocka_unit_test(skipped_frames),
        cmocka_unit_test(cut_files),       cmocka_unit_test(cut_words),
        cmocka_unit_test(foreign_bytes),   cmocka_unit_test(damaged),
        cmocka_unit_test(xz_windows),      cmocka_unit_test(bombs),
        cmocka_unit_test(not_files),       cmocka_unit_test(peek_then_read),
        cmocka_unit_test(whole_inputs),    cmocka_unit_test(zstd_windows),
        cmocka_unit_test(memory_runs_out), cmocka_unit_test(as_zlib),
    };

    return cmocka_run_group_tests_name("wave/input", tests, NULL, NULL);
}
