/* SPDX-License-Identifier: MIT */
/*
 * Decompression on a thread of its own: the same bytes and errors as without one, memory of
 * the caller's thread only, within bounds, and an end whenever the reader has enough.
 */
#include "pack.h"
#include "texts.h"
#include "wave/input.h"
#include "wave/reader.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

enum { SIZE = 4 << 20, PACKED = 8 << 20, MOST = 16 << 20 };

/* Lines of digits: they compress by a half, so that both ends of the ring have to wait. */
static uint8_t *make_text(void)
{
    uint8_t *text = malloc(SIZE);
    struct test_rng rng = test_rng_start(3, NULL);

    assert_non_null(text);
    for (size_t i = 0; i < SIZE; i++)
        text[i] = test_rand_below(&rng, 8) ? (uint8_t)('0' + test_rand_below(&rng, 10)) : '\n';
    return text;
}

/* Two members; of zstd the second has a larger window: the decoder needs memory in the middle. */
static size_t zstd(uint8_t *out, const uint8_t *from, size_t size)
{
    size_t half = size / 4 * 3, n = ZSTD_compress(out, PACKED, from, half, 1);

    assert_false(ZSTD_isError(n));
    n += ZSTD_compress(out + n, PACKED - n, from + half, size - half, 9);
    return n;
}

/* The text, packed; once, as xz and bzip2 take their time. */
static size_t pack(unsigned way, uint8_t *out, const uint8_t *from)
{
    static uint8_t *kept[PACK_WAYS];
    static size_t size[PACK_WAYS];
    const size_t half = SIZE / 4 * 3;

    if (!kept[way] && pack_ways[way].pack == pack_zstd) {
        size[way] = zstd(out, from, SIZE);
    } else if (!kept[way]) {
        const size_t n = pack_ways[way].pack(out, 0, PACKED, from, half);
        size[way] = pack_ways[way].pack(out, n, PACKED, from + half, SIZE - half);
    }
    if (!kept[way]) {
        kept[way] = malloc(size[way]);
        assert_non_null(kept[way]);
        memcpy(kept[way], out, size[way]);
    }
    memcpy(out, kept[way], size[way]);
    return size[way];
}

/* An allocator that must be called by one thread, and within a limit. */
struct owner {
    pthread_t thread;
    size_t now, peak;
    bool refuse; /* from now on */
};

static void *owned(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct owner *o = ctx;

    assert_true(pthread_equal(o->thread, pthread_self()));
    if (o->refuse && new_size > old_size)
        return NULL;
    o->now = o->now - (p ? old_size : 0) + new_size;
    if (o->now > o->peak)
        o->peak = o->now;
    if (new_size > 0)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

struct outcome {
    enum pc_status status;
    struct pc_error error;
    struct wv_input_end end;
    size_t size;
    uint8_t *bytes;
};

/* Reads up to `most` bytes in pieces of `piece`; the memory must be the caller's again. */
static void read_input(const char *path, unsigned threads, size_t most, size_t piece,
                       struct owner *owner, struct outcome *out)
{
    struct pc_alloc alloc = { owned, owner };
    struct pc_wave_desc desc = { .path = path, .alloc = &alloc, .threads = threads };
    struct wv_input *in = NULL;
    uint64_t done, total;
    size_t got;

    owner->thread = pthread_self();
    out->size = 0;
    out->end = (struct wv_input_end){ 0 };
    test_ok(wv_input_open(&desc, &out->end, &in, &out->error), &out->error);
    do {
        size_t want = most - out->size < piece ? most - out->size : piece;
        out->status = wv_input_read(in, out->bytes + out->size, want, &got, &out->error);
        wv_input_progress(in, &done, &total);
        if (out->status == PC_OK)
            out->size += got;
        assert_true(out->size <= MOST);
    } while (out->status == PC_OK && out->size < most);
    wv_input_close(in);
    assert_int_equal(owner->now, 0);
}

static void same_bytes(void **state)
{
    uint8_t *text = make_text(), *packed = malloc(PACKED);
    struct outcome out = { .bytes = malloc(MOST) };

    (void)state;
    assert_true(packed && out.bytes);
    for (unsigned i = 0; i < PACK_WAYS; i++) {
        const char *path = text_file(packed, pack(i, packed, text));
        for (unsigned threads = 0; threads < 3; threads++) {
            struct owner owner = { 0 };
            read_input(path, threads, MOST, 1 + threads * 100000, &owner, &out);
            assert_int_equal(out.status, PC_END);
            assert_int_equal(out.size, SIZE);
            assert_memory_equal(out.bytes, text, SIZE);
            assert_in_range(owner.peak, 1, 20 << 20);
        }
        unlink(path);
    }
    free(out.bytes);
    free(packed);
    free(text);
}

/* Damage and early ends: the same bytes, and the same words about them, whoever decompresses. */
static void same_errors(void **state)
{
    uint8_t *text = make_text(), *packed = malloc(PACKED);
    struct outcome alone = { .bytes = malloc(MOST) }, other = { .bytes = malloc(MOST) };
    struct test_rng rng = test_rng_start(5, NULL);

    (void)state;
    assert_true(packed && alone.bytes && other.bytes);
    for (unsigned i = 0; i < 4 * PACK_WAYS; i++) {
        const bool cut = i < 2 * PACK_WAYS;
        size_t n = pack(i % PACK_WAYS, packed, text);
        const size_t at = n / 2 + test_rand_below(&rng, (uint32_t)(n / 2));
        if (cut)
            n = at;
        else
            memset(packed + at, 0xff, n - at < 50 ? n - at : 50);
        const char *path = text_file(packed, n);
        struct owner owner = { 0 };
        read_input(path, 1, MOST, 65536, &owner, &alone);
        read_input(path, 0, MOST, 65536, &owner, &other);
        unlink(path);
        assert_int_equal(other.status, alone.status);
        assert_string_equal(other.end.text, alone.end.text);
        assert_int_equal(alone.end.cut, cut);
        if (cut || alone.status == PC_END) { /* not all of zstd's damage is noticed */
            assert_int_equal(alone.status, PC_END);
            assert_int_equal(other.size, alone.size);
            assert_memory_equal(other.bytes, alone.bytes, alone.size);
            assert_memory_equal(alone.bytes, text, cut ? alone.size : 0);
            assert_true(!cut || alone.size >= SIZE / 4);
            continue;
        }
        assert_int_equal(alone.status, PC_EINPUT);
        assert_int_equal(other.error.code, 504);
        assert_string_equal(other.error.text, alone.error.text);
        assert_true(other.error.has_byte && other.error.byte <= n);
        if (pack_ways[i % PACK_WAYS].pack == pack_zstd)
            assert_int_equal(other.error.byte, alone.error.byte);
    }
    free(alone.bytes);
    free(other.bytes);
    free(packed);
    free(text);
}

/* The reader closes while the thread waits: for room, for memory, for a pipe that says nothing. */
static void enough(void **state)
{
    uint8_t *text = make_text(), *packed = malloc(PACKED);
    struct outcome out = { .bytes = malloc(MOST) };

    (void)state;
    assert_true(packed && out.bytes);
    for (unsigned i = 0; i < PACK_WAYS; i++) {
        const size_t n = pack(i, packed, text);
        const char *path = text_file(packed, n);
        for (size_t most = 1 << 20; most < SIZE; most += 900001) {
            struct owner owner = { 0 };
            read_input(path, 0, most, 50000, &owner, &out);
            assert_int_equal(out.status, PC_OK);
            assert_memory_equal(out.bytes, text, most);
        }
        unlink(path);
    }
    free(out.bytes);
    free(packed);
    free(text);
}

static void silent_pipe(void **state)
{
    uint8_t *text = make_text(), *packed = malloc(PACKED);
    struct outcome out = { .bytes = malloc(MOST) };
    struct owner owner = { 0 };
    char path[32];
    int end[2], status;

    (void)state;
    assert_true(packed && out.bytes);
    const size_t n = pack(0, packed, text);
    assert_int_equal(pipe(end), 0);
    const pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) { /* writes two thirds, and is silent */
        close(end[0]);
        const bool ok = write(end[1], packed, n * 2 / 3) > 0;
        sleep(60);
        _exit(ok ? 0 : 1);
    }
    close(end[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
    read_input(path, 0, 2 << 20, 50000, &owner, &out);
    assert_int_equal(out.status, PC_OK);
    assert_memory_equal(out.bytes, text, 2 << 20);
    kill(writer, SIGKILL);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    close(end[0]);
    free(out.bytes);
    free(packed);
    free(text);
}

/* A decoder that gets no more memory in the middle says so. */
static void memory_in_the_middle(void **state)
{
    uint8_t *text = make_text(), *packed = malloc(PACKED), buffer[4096];
    struct owner owner = { .thread = pthread_self() };
    struct pc_alloc alloc = { owned, &owner };
    struct wv_input *in = NULL;
    struct pc_error err = { 0 };
    enum pc_status status;
    size_t got, read = 0;

    (void)state;
    assert_non_null(packed);
    const char *path = text_file(packed, pack(1, packed, text));
    struct pc_wave_desc desc = { .path = path, .alloc = &alloc };
    test_ok(wv_input_open(&desc, NULL, &in, &err), &err);
    unlink(path);
    while ((status = wv_input_read(in, buffer, sizeof buffer, &got, &err)) == PC_OK) {
        read += got;
        owner.refuse = read > 3 << 19; /* the thread runs, and the first frame is not over */
    }
    assert_int_equal(status, PC_ENOMEM);
    assert_true(read > 3 << 19);
    wv_input_close(in);
    assert_int_equal(owner.now, 0);
    free(packed);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(same_errors),
        cmocka_unit_test(enough),
        cmocka_unit_test(silent_pipe),
        cmocka_unit_test(memory_in_the_middle),
    };

    return cmocka_run_group_tests_name("wave/input_ring", tests, NULL, NULL);
}
