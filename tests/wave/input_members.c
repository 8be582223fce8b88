/* SPDX-License-Identifier: MIT */
/*
 * Compressed files of many members, which several threads unpack: the same bytes at any place, the
 * same ends and errors as one decoder says, memory of the caller's thread only; and a VCD in one.
 */
#include "pack.h"
#include "texts.h"
#include "wave/vcd/fast.h"
#include "wave/vcd/vcd.h"
#include "wave/wave.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 2, CHUNKS = 6, CHUNK = 1200000, PICKS = 80, ROOM = 96 << 20 };

/* A text of chunks that come again and again, and its members: packed once for each chunk. */
struct file {
    uint8_t *text, *packed;
    size_t size, packed_size;
};

static struct file file;

static void append(uint8_t *to, size_t *used, const void *from, size_t size)
{
    assert_true(*used + size <= ROOM);
    memcpy(to + *used, from, size);
    *used += size;
}

/* Chunks of many lengths, a frame to be skipped between some. */
static void make_file(pack_fn *pack)
{
    static const uint8_t skipped[] = { 0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 9, 9, 9, 9 };
    uint8_t *chunk[CHUNKS], *packed[CHUNKS];
    size_t size[CHUNKS], bytes[CHUNKS];
    struct test_rng rng = test_rng_start(7, NULL);

    for (unsigned i = 0; i < CHUNKS; i++) {
        size[i] = i == 0 ? 100 : CHUNK - 1000 * i - test_rand_below(&rng, 900);
        chunk[i] = malloc(CHUNK);
        packed[i] = malloc(2 * CHUNK);
        assert_true(chunk[i] && packed[i]);
        for (size_t n = 0; n < size[i]; n++)
            chunk[i][n] = (uint8_t)('0' + test_rand_below(&rng, n % 64 ? 2 : 10));
        bytes[i] = pack(packed[i], 0, 2 * CHUNK, chunk[i], size[i]);
    }
    file.size = file.packed_size = 0;
    for (unsigned i = 0; i < PICKS; i++) {
        const uint32_t n = i < CHUNKS ? i : test_rand_below(&rng, CHUNKS);
        append(file.text, &file.size, chunk[n], size[n]);
        append(file.packed, &file.packed_size, packed[n], bytes[n]);
        if (pack == pack_zstd && n < 2)
            append(file.packed, &file.packed_size, skipped, sizeof skipped);
    }
    for (unsigned i = 0; i < CHUNKS; i++) {
        free(chunk[i]);
        free(packed[i]);
    }
}

static int make_room(void **state)
{
    (void)state;
    file.text = malloc(ROOM);
    file.packed = malloc(ROOM);
    return file.text && file.packed ? 0 : -1;
}

static int free_room(void **state)
{
    (void)state;
    free(file.text);
    free(file.packed);
    return 0;
}

/* An allocator that only the thread of the test may call. */
static void *owned(void *ctx, void *p, size_t old_size, size_t new_size)
{
    (void)old_size;
    assert_true(pthread_equal(*(const pthread_t *)ctx, pthread_self()));
    if (new_size > 0)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

static struct wv_input *open_input(const void *bytes, size_t size, uint32_t max_ratio,
                                   struct wv_input_end *end)
{
    static pthread_t owner;
    static const struct pc_alloc alloc = { owned, &owner };
    const char *path = text_file(bytes, size);
    const struct pc_wave_desc desc = {
        .path = path, .alloc = &alloc, .threads = 1, .limits.max_ratio = max_ratio
    };
    struct wv_input *in = NULL;
    struct pc_error err = { 0 };

    owner = pthread_self();
    test_ok(wv_input_open(&desc, end, &in, &err), &err);
    unlink(path);
    return in;
}

/* ---- places ---- */

struct visit {
    struct wv_input *in;
    uint64_t seed;
    bool same;
};

/* Onwards in steps of all sizes, sometimes back. */
static void *visit_places(void *arg)
{
    struct visit *v = arg;
    struct test_rng rng = { v->seed };
    uint8_t *buffer = malloc(400000);
    size_t got = 1;

    v->same = buffer;
    for (size_t at = test_rand_below(&rng, 300000); v->same && got > 0;) {
        const size_t size = 1 + test_rand_below(&rng, 399999);
        v->same = wv_input_read_at(v->in, at, buffer, size, &got, NULL) == PC_OK &&
                  got == (at >= file.size         ? 0
                          : file.size - at < size ? file.size - at
                                                  : size) &&
                  memcmp(buffer, file.text + at, got) == 0;
        const size_t back = test_rand_below(&rng, 20) ? 0 : test_rand_below(&rng, 3000000);
        at +=
            got > 0 && back > at ? 0 : size + test_rand_below(&rng, 500000) - (got > 0 ? back : 0);
    }
    free(buffer);
    return NULL;
}

static void same_bytes_at(struct wv_input *in, uint64_t at, size_t size)
{
    uint8_t buffer[4096];
    size_t got;

    for (size_t end = at + size; at < end; at += got) {
        assert_int_equal(wv_input_read(in, buffer, sizeof buffer, &got, NULL), PC_OK);
        assert_memory_equal(buffer, file.text + at, got);
    }
}

static void any_place(void **state)
{
    pack_fn *const packs[] = { pack_zstd, pack_bgzip };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct visit visit[THREADS];
        pthread_t thread;
        make_file(packs[i]);
        struct wv_input *in = open_input(file.packed, file.packed_size, 0, NULL);
        same_bytes_at(in, 0, 100000);
        assert_true(wv_input_spread(in, THREADS));
        for (unsigned n = 0; n < THREADS; n++)
            visit[n] = (struct visit){ in, 11 + n, false };
        assert_int_equal(pthread_create(&thread, NULL, visit_places, &visit[1]), 0);
        visit_places(&visit[0]);
        pthread_join(thread, NULL);
        assert_true(visit[0].same && visit[1].same);
        assert_int_equal(wv_input_seek(in, 30000001, NULL), PC_OK);
        same_bytes_at(in, 30000001, 3000000);
        assert_int_equal(wv_input_seek(in, 20000003, NULL), PC_OK);
        same_bytes_at(in, 20000003, 1000);
        wv_input_close(in);
    }
}

/* ---- ends ---- */

struct outcome {
    enum pc_status status;
    struct pc_error error;
    struct wv_input_end end;
    size_t size;
    bool same; /* as the text */
};

/* All of it; spread: by threads from byte `from` on, and by the decoder from `to` on. */
static struct outcome read_all(const uint8_t *bytes, size_t size, uint32_t ratio, size_t from,
                               size_t to)
{
    struct outcome o = { .same = true };
    struct wv_input *in = open_input(bytes, size, ratio, &o.end);
    static uint8_t buffer[100000];
    size_t got;
    bool spread = false;

    for (; o.status == PC_OK; o.size += got) {
        if (!spread && o.size >= from) {
            assert_true(wv_input_spread(in, THREADS));
            spread = true;
        }
        if (o.size >= to)
            test_ok(wv_input_gather(in, &o.error), &o.error);
        o.status = wv_input_read(in, buffer, sizeof buffer, &got, &o.error);
        if (o.status)
            got = 0;
        o.same &= got <= file.size - o.size && memcmp(buffer, file.text + o.size, got) == 0;
    }
    wv_input_close(in);
    return o;
}

enum { ANY = 1 };

/* code: of the error; 0: there is none; ANY: nor is that known. */
static void must_agree(const uint8_t *bytes, size_t size, uint32_t ratio, unsigned code)
{
    const struct outcome alone = read_all(bytes, size, ratio, SIZE_MAX, SIZE_MAX);
    const struct outcome ways[] = { read_all(bytes, size, ratio, 1000, SIZE_MAX),
                                    read_all(bytes, size, ratio, 5000000, 20000000) };

    if (code != ANY)
        assert_int_equal(alone.status == PC_END ? 0 : alone.error.code, code);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(ways[i].status, alone.status);
        assert_string_equal(ways[i].end.text, alone.end.text);
        assert_int_equal(ways[i].end.cut, alone.end.cut);
        assert_true(ways[i].same == alone.same);
        if (alone.status == PC_END) {
            assert_int_equal(ways[i].size, alone.size);
            continue;
        }
        assert_int_equal(ways[i].error.code, alone.error.code);
        assert_string_equal(ways[i].error.text, alone.error.text);
        if (code == ANY) /* of zstd: the block, however it is read */
            assert_int_equal(ways[i].error.byte, alone.error.byte);
    }
}

static void same_ends(void **state)
{
    pack_fn *const packs[] = { pack_zstd, pack_bgzip };
    struct test_rng rng = test_rng_start(9, NULL);

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        make_file(packs[i]);
        uint8_t *p = file.packed;
        const size_t n = file.packed_size, late = n - 1000 - test_rand_below(&rng, (uint32_t)n / 8);
        must_agree(p, n, 0, 0);
        const bool endless = strstr(read_all(p, n, 0, 1000, SIZE_MAX).end.text, "empty block");
        assert_int_equal(endless, packs[i] == pack_bgzip);
        if (endless) {
            const size_t whole = pack_bgzip(p, n, ROOM, "", 0); /* as bgzip ends its files */
            must_agree(p, whole, 0, 0);
            assert_string_equal(read_all(p, whole, 0, 1000, SIZE_MAX).end.text, "");
        }
        must_agree(p, late, 0, 0); /* cut */
        memset(p + n, 0, 500);
        must_agree(p, n + 500, 0, 0); /* as tapes leave them */
        memset(p + n, 'x', 500);
        must_agree(p, n + 500, 0, 0); /* of no member */
        must_agree(p, n, 3, 505);     /* it grows four or five times */
        const size_t one = packs[1 - i](p, n, ROOM, "another codec", 13);
        must_agree(p, one, 0, 0);
        memset(p + late, 0xff, 60);
        must_agree(p, n, 0, i == 0 ? ANY : 504); /* zstd does not notice all damage */
    }
}

/* One member, or too few, or members that do not tell, are left to the decoder. */
static void not_worth(void **state)
{
    static uint8_t out[4 << 20];
    struct test_rng rng = test_rng_start(1, NULL);

    (void)state;
    for (size_t i = 0; i < 3 << 20; i++)
        file.text[i] = (uint8_t)test_rand_below(&rng, 8);
    for (int i = 0; i < PACK_WAYS + 1; i++) {
        pack_fn *pack = i < PACK_WAYS ? pack_ways[i].pack : pack_bgzip;
        const size_t n = pack(out, 0, sizeof out, file.text, 3 << 20);
        struct wv_input *in = open_input(out, n, 0, NULL);
        assert_false(wv_input_spread(in, THREADS));
        same_bytes_at(in, 0, 3 << 20);
        wv_input_close(in);
    }
}

/* ---- a VCD ---- */

static size_t make_vcd(char *text)
{
    size_t used = (size_t)sprintf(text, "$var wire 1 ! clk $end\n$var wire 8 \" v[7:0] $end\n"
                                        "$enddefinitions $end\n#0\n0!\nb0 \"\n");
    struct test_rng rng = test_rng_start(2, NULL);

    for (unsigned n = 1; used < ((size_t)THREADS + 1) * (18 << 20); n++) {
        used += (size_t)sprintf(text + used, "#%u\n%u!\n", 5 * n, n & 1);
        if (n % 2 == 0 && test_rand_below(&rng, 3) == 0)
            used += (size_t)sprintf(text + used, "b%u \"\n", test_rand_below(&rng, 2));
        if (n % 5000000 == 0)
            used += (size_t)sprintf(text + used, "$comment in between $end\n");
    }
    return used;
}

/* A number of all that is read. */
static uint64_t read_vcd(const void *bytes, size_t size, unsigned threads, uint64_t *ahead)
{
    const struct pc_wave_desc desc = { .threads = threads };
    struct pc_error err = { 0 };
    struct pc_wave *wave = text_try(bytes, size, &desc, &err);
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_bit bit = { 0 };
    struct pc_wave_block b;
    uint64_t sum = 0;
    unsigned stream;
    enum pc_status status;

    test_ok(err.status, &err);
    clock.clock.var = text_find(wave, "clk");
    bit.var = text_find(wave, "v[7:0]");
    test_ok(pc_wave_bind(wave, &clock, &bit, 1, &stream, &err), &err);
    while ((status = pc_wave_next(wave, &b, &err)) == PC_OK)
        for (size_t i = 0; i < (b.cycles + 63) / 64; i++)
            sum = sum * 31 + b.value[0][i] + (b.unknown[0][i] << 1) + b.last_time;
    assert_int_equal(status, PC_END);
    const struct vcd_fast *fast = ((struct vcd *)wave->reader)->fast;
    *ahead = fast ? fast->ahead_taken : 0;
    pc_wave_close(wave);
    return sum;
}

static void vcd(void **state)
{
    pack_fn *const packs[] = { pack_zstd, pack_bgzip };
    uint64_t ahead;

    (void)state;
    const size_t size = make_vcd((char *)file.text);
    const uint64_t want = read_vcd(file.text, size, 1, &ahead);
    for (unsigned i = 0; i < 2; i++) {
        size_t n = 0;
        for (size_t at = 0; at < size; at += CHUNK)
            n = packs[i](file.packed, n, ROOM, file.text + at,
                         size - at < CHUNK ? size - at : CHUNK);
        assert_true(read_vcd(file.packed, n, 1, &ahead) == want);
        assert_int_equal(ahead, 0);
        assert_true(read_vcd(file.packed, n, THREADS, &ahead) == want);
        assert_true(ahead > size / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_place),
        cmocka_unit_test(same_ends),
        cmocka_unit_test(not_worth),
        cmocka_unit_test(vcd),
    };

    return cmocka_run_group_tests_name("wave/input_members", tests, make_room, free_room);
}
