/* SPDX-License-Identifier: MIT */
/*
 * VCD files that change while they are read, by one thread or several: cut off, written to and made
 * longer.  Pipes are made wider.
 */
#define _GNU_SOURCE /* F_GETPIPE_SZ */
#include "texts.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wave/vcd/vcd.h"
#include "wave/vcd/fast.h"
#include "wave/wave.h"

enum { SIGNALS = 20, CYCLES = 40000, MOST = 1 << 22, PAGE = 4096, BLOCK = 64 * PC_BLOCK_WORDS };

struct text {
    char *at;
    size_t size;
};

/* A clock, bits and vectors at random. */
static struct text make_text(void)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(35, &seed);
    struct text t = { malloc(MOST), 0 };

    assert_non_null(t.at);
#define SAY(...) t.size += (size_t)snprintf(t.at + t.size, MOST - t.size, __VA_ARGS__)
    SAY("$timescale 1ns $end\n$var wire 1 ! clk $end\n");
    for (int i = 0; i < SIGNALS; i++)
        SAY("$var wire %d %c s%d $end\n", i % 4 == 3 ? 8 : 1, 'A' + i, i);
    SAY("$enddefinitions $end\n");
    for (unsigned c = 0; c < CYCLES; c++) {
        SAY("#%u\n0!\n", 10 * c);
        for (int i = 0; i < SIGNALS; i++) {
            const unsigned r = test_rand_below(&rng, 256);
            if (r < 40 && i % 4 == 3)
                SAY("b%u%u0%ux1 %c\n", r & 1, r >> 1 & 1, r >> 2 & 1, 'A' + i);
            else if (r < 60 && i % 4 < 3)
                SAY("%u%c\n", r & 1, 'A' + i);
        }
        SAY("#%u\n1!\n", 10 * c + 5);
    }
#undef SAY
    assert_true(t.size < MOST - 100);
    return t;
}

/* Opens it with all bits bound to its clock. */
static struct pc_wave *open_wave(const char *path, unsigned threads, size_t part)
{
    const struct pc_wave_desc desc = { .path = path, .threads = threads };
    struct pc_wave_bit bit[2 * SIGNALS];
    struct pc_wave *wave = NULL;
    struct pc_error err;
    unsigned stream;
    size_t n = 0;

    for (size_t i = 0; i < SIGNALS; i++)
        for (uint32_t b = 0; b < (i % 4 == 3 ? 2u : 1u); b++)
            bit[n++] = (struct pc_wave_bit){ 1 + i, b };
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    ((struct vcd *)wave->reader)->part = part;
    test_ok(
        pc_wave_bind(wave, &(struct pc_wave_clock){ .edge = PC_EDGE_POS }, bit, n, &stream, &err),
        &err);
    return wave;
}

/* What has been read so far: all of it, and how many cycles. */
struct reading {
    uint64_t digest, cycles, ahead;
    uint64_t digest_at[CYCLES / BLOCK + 2]; /* after each block */
    size_t blocks;
};

static enum pc_status read_some(struct pc_wave *wave, size_t blocks, struct reading *r,
                                struct pc_error *err)
{
    struct pc_wave_block b;
    enum pc_status status = PC_OK;

    while (r->blocks < blocks && (status = pc_wave_next(wave, &b, err)) == PC_OK) {
        for (size_t i = 0; i < SIGNALS + SIGNALS / 4; i++)
            for (size_t w = 0; w < (b.cycles + 63) / 64; w++)
                r->digest = (r->digest ^ b.value[i][w] ^ b.unknown[i][w] << 1) *
                            UINT64_C(0x9e3779b97f4a7c15);
        r->cycles += b.cycles;
        assert_true(r->blocks < sizeof r->digest_at / sizeof r->digest_at[0]);
        r->digest_at[r->blocks++] = r->digest;
    }
    r->ahead = ((struct vcd *)wave->reader)->fast->ahead_taken;
    return status;
}

static struct reading read_all(const char *path, unsigned threads, size_t part)
{
    struct pc_wave *wave = open_wave(path, threads, part);
    struct reading r = { 0 };
    struct pc_error err = { 0 };

    assert_int_equal(read_some(wave, SIZE_MAX, &r, &err), PC_END);
    pc_wave_close(wave);
    return r;
}

static void the_same(void **state)
{
    const struct text t = make_text();
    const char *path = text_file(t.at, t.size);
    const struct reading want = read_all(path, 1, 0);

    (void)state;
    assert_int_equal(want.cycles, CYCLES);
    assert_int_equal(want.ahead, 0);
    for (unsigned threads = 2; threads <= 3; threads++)
        for (size_t part = 0; part <= 90000; part += 30000) {
            const struct reading got = read_all(path, threads, part);
            assert_int_equal(got.digest, want.digest);
            assert_int_equal(got.cycles, want.cycles);
            assert_true(got.ahead > t.size / 2); /* by pieces */
        }
    unlink(path);
    free(t.at);
}

/* ---- cut off ---- */

/* Reads a block, cuts it to `length`, and reads on; returns the cycles that came all the same.
 */
static uint64_t cut_to(const struct text *t, const struct reading *want, size_t length,
                       unsigned threads)
{
    const char *path = text_file(t->at, t->size);
    struct pc_wave *wave = open_wave(path, threads, 30000);
    struct reading r = { 0 };
    struct pc_error err = { 0 };

    assert_int_equal(read_some(wave, 1, &r, &err), PC_OK);
    assert_int_equal(truncate(path, (off_t)length), 0);
    assert_int_equal(read_some(wave, SIZE_MAX, &r, &err), PC_EIO);
    assert_int_equal(err.code, 508);
    for (size_t i = 0; i < r.blocks; i++)
        if (r.cycles % BLOCK == 0 || i + 1 < r.blocks)
            assert_int_equal(r.digest_at[i], want->digest_at[i]);
    pc_wave_close(wave);
    unlink(path);
    return r.cycles;
}

static void cut_off(void **state)
{
    const struct text t = make_text();
    const char *path = text_file(t.at, t.size);
    const struct reading want = read_all(path, 1, 0);
    const size_t lengths[] = { 0, 1, 1000, PAGE, t.size / 2, t.size / 2 / PAGE * PAGE, t.size - 1 };

    (void)state;
    unlink(path);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (unsigned threads = 1; threads <= 3; threads++)
            assert_true(cut_to(&t, &want, lengths[i], threads) >= BLOCK);
    free(t.at);
}

/* ---- written to ---- */

struct scribbler {
    pthread_t thread;
    int fd;
    size_t from, size;
    atomic_bool stop;
};

static void *scribble(void *ctx)
{
    struct scribbler *s = ctx;
    uint64_t seed;
    struct test_rng rng = test_rng_start(36, &seed);
    static const char of[] = "\n\n#01xb !ABC0000";

    while (!atomic_load(&s->stop)) {
        char bytes[64];
        const size_t n = 1 + test_rand_below(&rng, sizeof bytes);
        for (size_t i = 0; i < n; i++)
            bytes[i] = of[test_rand_below(&rng, sizeof of - 1)];
        const size_t at = s->from + test_rand_below(&rng, (unsigned)(s->size - s->from - n));
        if (pwrite(s->fd, bytes, n, (off_t)at) != (ssize_t)n)
            break;
    }
    return NULL;
}

/* Whatever is read: it ends, and sanitizers have nothing to say. */
static void written_to(void **state)
{
    const struct text t = make_text();
    const char *path = text_file(t.at, t.size);
    struct scribbler s = { .size = t.size, .from = 1000 };

    (void)state;
    s.fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(s.fd >= 0);
    assert_int_equal(pthread_create(&s.thread, NULL, scribble, &s), 0);
    for (unsigned i = 0; i < 40; i++) {
        struct pc_wave *wave = open_wave(path, 1 + i % 2, i % 4 < 2 ? 30000 : 0);
        struct pc_wave_block b;
        struct pc_error err = { 0 };
        enum pc_status status;
        while ((status = pc_wave_next(wave, &b, &err)) == PC_OK)
            continue;
        assert_true(status == PC_END || status == PC_EINPUT);
        pc_wave_close(wave);
        if (i % 8 == 7) /* not too far from a VCD */
            assert_int_equal(pwrite(s.fd, t.at, t.size, 0), t.size);
    }
    atomic_store(&s.stop, true);
    pthread_join(s.thread, NULL);
    close(s.fd);
    unlink(path);
    free(t.at);
}

/* Appends as simulators do: data written after the file was opened counts. */
static void made_longer(void **state)
{
    const struct text t = make_text();
    const char *path = text_file(t.at, t.size - t.size / 3);
    const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    struct reading r = { 0 };
    struct pc_error err = { 0 };

    (void)state;
    assert_true(fd >= 0);
    struct pc_wave *wave = open_wave(path, 1, 0);
    assert_int_equal(read_some(wave, 1, &r, &err), PC_OK);
    assert_int_equal(write(fd, t.at + t.size - t.size / 3, t.size / 3), t.size / 3);
    assert_int_equal(read_some(wave, SIZE_MAX, &r, &err), PC_END);
    assert_int_equal(r.cycles, CYCLES);
    pc_wave_close(wave);
    close(fd);
    unlink(path);
    free(t.at);
}

#ifdef F_SETPIPE_SZ
static void wider_pipe(void **state)
{
    static const char text[] = "$var wire 1 ! clk $end\n$enddefinitions $end\n#0\n0!\n#1\n1!\n";
    enum { WIDE = 1 << 18 };
    struct pc_wave *wave = NULL;
    int ours[2], other[2];
    char path[32];

    (void)state;
    assert_int_equal(pipe(ours), 0);
    assert_int_equal(pipe(other), 0);
    const bool allowed = fcntl(other[1], F_SETPIPE_SZ, WIDE) >= WIDE;
    const int before = fcntl(ours[0], F_GETPIPE_SZ);
    assert_int_equal(write(ours[1], text, sizeof text - 1), sizeof text - 1);
    close(ours[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ours[0]);
    test_ok(pc_wave_open(&(struct pc_wave_desc){ .path = path }, &wave, NULL), NULL);
    const int after = fcntl(ours[0], F_GETPIPE_SZ);
    assert_true(allowed ? after >= WIDE : after == before);
    pc_wave_close(wave);
    close(ours[0]);
    close(other[0]);
    close(other[1]);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same),   cmocka_unit_test(cut_off),
        cmocka_unit_test(written_to), cmocka_unit_test(made_longer),
#ifdef F_SETPIPE_SZ
        cmocka_unit_test(wider_pipe),
#endif
    };

    return cmocka_run_group_tests_name("wave/changed", tests, NULL, NULL);
}
