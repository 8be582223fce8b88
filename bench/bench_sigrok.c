/* SPDX-License-Identifier: MIT */
/*
 * Sessions of sigrok: eight probes from the file to bit planes, at each sample or at the edges of
 * one of them, packed against zlib inflating the same samples, stored against copying them; and
 * against sigrok-cli, where it is installed. The planes' ones are compared with those that
 * were made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <zlib.h>

#include "bench.h"
#include "pcounter/pcounter.h"
#include "zip_make.h"

enum { SAMPLES = 32 << 20, PROBES = 8, PART = 4 << 20 };

static const char packed_path[] = "bench-sigrok.sr", stored_path[] = "bench-sigrok-stored.sr";

struct made {
    uint8_t *samples, *copy;
    uint64_t ones, at_edges; /* of all probes: in all samples, before rising edges of D7 */
};

struct session {
    const char *path;
    enum pc_edge edge; /* of D7 */
    unsigned threads;
};

struct packed {
    uint8_t *bytes;
    uLong size;
    uint8_t *room; /* for the samples */
};

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

/* A bus: probes that change now and then, each at its own pace. */
static void make_samples(struct made *m)
{
    uint64_t seed = 9;
    uint8_t level = 0;

    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t r = bench_random(&seed);
        unsigned before = 0;
        for (unsigned p = 0; p < PROBES; p++) {
            before += level >> p & 1;
            level ^= (uint8_t)((r >> (8 * p) & 0xff) < 1u + p ? 1u << p : 0);
            m->ones += level >> p & 1;
        }
        m->samples[i] = level;
        m->at_edges += i > 0 && level > 0x7f && m->samples[i - 1] <= 0x7f ? before : 0;
    }
}

static void make_session(const char *path, const uint8_t *samples, uint16_t method)
{
    struct zip_made z = { 0 };
    char name[32];

    zip_text(&z, "version", "2\n");
    zip_text(&z, "metadata",
             "[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\n"
             "total probes=8\nsamplerate=24 MHz\ntotal analog=0\nprobe1=D0\nprobe2=D1\n"
             "probe3=D2\nprobe4=D3\nprobe5=D4\nprobe6=D5\nprobe7=D6\nprobe8=D7\nunitsize=1\n");
    for (unsigned i = 0; i < SAMPLES / PART; i++) {
        snprintf(name, sizeof name, "logic-1-%u", i + 1);
        zip_add(&z, name, samples + (size_t)i * PART, PART, method);
    }
    zip_end(&z, 0);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(z.bytes, 1, z.size, f) != z.size || fclose(f) != 0)
        fail("no room for the session");
    zip_free(&z);
}

static unsigned ones_in(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Ones of all probes over all cycles. */
static uint64_t read_session(void *ctx)
{
    const struct session *s = ctx;
    const struct pc_wave_desc desc = { .path = s->path, .threads = s->threads };
    const struct pc_wave_clock clock = { .edge = s->edge, .clock = { PROBES - 1, 0 } };
    struct pc_wave_bit bit[PROBES] = { { 0 } };
    struct pc_wave_block block;
    struct pc_wave *wave;
    struct pc_error err;
    unsigned stream;
    uint64_t ones = 0;

    if (pc_wave_open(&desc, &wave, &err) != PC_OK)
        fail(err.text);
    for (size_t i = 0; i < PROBES; i++)
        bit[i].var = i;
    if (pc_wave_bind(wave, &clock, bit, PROBES, &stream, &err) != PC_OK)
        fail(err.text);
    while (pc_wave_next(wave, &block, &err) == PC_OK)
        for (unsigned i = 0; i < PROBES; i++)
            for (size_t w = 0; w < (block.cycles + 63) / 64; w++)
                ones += ones_in(block.value[i][w]);
    pc_wave_close(wave);
    return ones;
}

/* Bytes that come out. */
static uint64_t inflate_all(void *ctx)
{
    const struct packed *p = ctx;
    uLongf size = SAMPLES;

    if (uncompress(p->room, &size, p->bytes, p->size) != Z_OK)
        fail("zlib");
    return size;
}

static uint64_t copy_all(void *ctx)
{
    const struct made *m = ctx;

    memcpy(m->copy, m->samples, SAMPLES);
    return m->copy[SAMPLES - 1] == m->samples[SAMPLES - 1] ? SAMPLES : 0;
}

static double process_cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* CPU time of one thread, and of the slower of two. */
static void two_threads(const struct session *like, uint64_t want)
{
    enum { ROUNDS = 5 };
    struct session one = *like, two = *like;
    double ratio[ROUNDS];

    one.threads = 1;
    two.threads = 2;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const double start = bench_cpu();
        uint64_t got = read_session(&one);
        const double alone = bench_cpu() - start, all = process_cpu(), from = bench_cpu();
        if (got != want || read_session(&two) != want)
            fail("two threads count otherwise");
        const double mine = bench_cpu() - from, other = process_cpu() - all - mine;
        ratio[i] = alone / (mine > other ? mine : other);
    }
    qsort(ratio, ROUNDS, sizeof *ratio, by_value);
    bench_row("the same, 2 threads: CPU time of one / of the slower", ratio[ROUNDS / 2], "x", 0,
              false);
}

static void peer(const struct bench_case *ours)
{
    struct rusage before, after;
    char command[200];

    if (system("command -v sigrok-cli >/dev/null") != 0) {
        bench_fact("sigrok-cli", "not installed");
        return;
    }
    snprintf(command, sizeof command, "sigrok-cli -i %s -O binary -o /dev/null", packed_path);
    getrusage(RUSAGE_CHILDREN, &before);
    if (system(command) != 0)
        fail("sigrok-cli failed");
    getrusage(RUSAGE_CHILDREN, &after);
    double seconds = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
                     1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) +
                     (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
                     1e-6 * (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec);
    bench_row("sigrok session to planes, of sigrok-cli to its binary format",
              seconds * bench_rate(ours) / SAMPLES, "x", 0, false);
}

int main(void)
{
    struct made made = { .samples = bench_memory(SAMPLES), .copy = bench_memory(SAMPLES) };
    struct packed packed = { .size = compressBound(SAMPLES), .room = made.copy };
    struct session every = { packed_path, PC_EDGE_EVERY, 1 },
                   edges = { packed_path, PC_EDGE_POS, 1 },
                   stored = { stored_path, PC_EDGE_EVERY, 1 };

    bench_begin("sigrok", "sessions of sigrok: from the file to bit planes");
    bench_machine();
    make_samples(&made);
    make_session(packed_path, made.samples, ZIP_DEFLATED);
    make_session(stored_path, made.samples, ZIP_STORED);
    packed.bytes = bench_memory(packed.size);
    if (compress(packed.bytes, &packed.size, made.samples, SAMPLES) != Z_OK)
        fail("zlib");
    struct bench_case cases[] = {
        { .name = "inflate", .run = inflate_all, .ctx = &packed, .want = SAMPLES },
        { .name = "planes", .run = read_session, .ctx = &every, .want = made.ones },
        { .name = "edges", .run = read_session, .ctx = &edges, .want = made.at_edges },
        { .name = "copy", .run = copy_all, .ctx = &made, .want = SAMPLES },
        { .name = "stored", .run = read_session, .ctx = &stored, .want = made.ones },
    };
    enum { CASES = sizeof cases / sizeof cases[0] };
    for (unsigned i = 0; i < CASES; i++)
        cases[i].units = SAMPLES;
    bench_rounds(cases, CASES);
    bench_row("sigrok session to planes, 8 probes, of inflating alone",
              bench_ratio(&cases[1], &cases[0]), "x", 0, false);
    bench_row("sigrok session to planes, 8 probes", bench_rate(&cases[1]) / 1e6, "Msamples/s", 0,
              false);
    two_threads(&every, made.ones);
    bench_row("the same at the edges of one of them", bench_rate(&cases[2]) / 1e6, "Msamples/s", 0,
              false);
    bench_row("the same of a session that is not packed", bench_rate(&cases[4]) / 1e6, "Msamples/s",
              0, false);
    bench_row("the same, of copying its samples", bench_ratio(&cases[4], &cases[3]), "x", 0, false);
    peer(&cases[1]);
    remove(packed_path);
    remove(stored_path);
    return bench_end();
}
