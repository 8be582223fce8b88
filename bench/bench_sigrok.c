/* SPDX-License-Identifier: MIT */
/*
 * Sessions of sigrok: eight probes at each sample, from the compressed file to bit planes, against
 * zlib inflating the same samples, and against sigrok-cli counting on nothing, where it is
 * installed. The planes' ones are compared with those that were made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

#include "bench.h"
#include "pcounter/pcounter.h"
#include "zip_make.h"

enum { SAMPLES = 32 << 20, PROBES = 8, PART = 4 << 20 };

static const char path[] = "bench-sigrok.sr";

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
static uint64_t make_samples(uint8_t *out)
{
    uint64_t seed = 9, ones = 0;
    uint8_t level = 0;

    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t r = bench_random(&seed);
        for (unsigned p = 0; p < PROBES; p++)
            level ^= (uint8_t)((r >> (8 * p) & 0xff) < 1u + p ? 1u << p : 0);
        out[i] = level;
        for (unsigned p = 0; p < PROBES; p++)
            ones += level >> p & 1;
    }
    return ones;
}

static void make_session(const uint8_t *samples)
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
        zip_add(&z, name, samples + (size_t)i * PART, PART, ZIP_DEFLATED);
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

/* Ones of all probes over all samples. */
static uint64_t read_session(void *ctx)
{
    const struct pc_wave_desc desc = { .path = path };
    const struct pc_wave_clock clock = { .edge = PC_EDGE_EVERY };
    struct pc_wave_bit bit[PROBES] = { { 0 } };
    struct pc_wave_block block;
    struct pc_wave *wave;
    struct pc_error err;
    unsigned stream;
    uint64_t ones = 0;

    (void)ctx;
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

static void peer(const struct bench_case *ours)
{
    struct rusage before, after;
    char command[200];

    if (system("command -v sigrok-cli >/dev/null") != 0) {
        bench_fact("sigrok-cli", "not installed");
        return;
    }
    snprintf(command, sizeof command, "sigrok-cli -i %s -O binary -o /dev/null", path);
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
    uint8_t *samples = bench_memory(SAMPLES);
    const uint64_t ones = make_samples(samples);
    struct packed packed = { .size = compressBound(SAMPLES), .room = bench_memory(SAMPLES) };

    bench_begin("sigrok", "sessions of sigrok: from the file to bit planes");
    bench_machine();
    make_session(samples);
    packed.bytes = bench_memory(packed.size);
    if (compress(packed.bytes, &packed.size, samples, SAMPLES) != Z_OK)
        fail("zlib");
    struct bench_case cases[] = {
        { .name = "inflate", .run = inflate_all, .ctx = &packed, .want = SAMPLES },
        { .name = "planes", .run = read_session, .want = ones },
    };
    cases[0].units = cases[1].units = SAMPLES;
    bench_rounds(cases, 2);
    bench_row("sigrok session to planes, 8 probes, of inflating alone",
              bench_ratio(&cases[1], &cases[0]), "x", 0, false);
    bench_row("sigrok session to planes, 8 probes", bench_rate(&cases[1]) / 1e6, "Msamples/s", 0,
              false);
    peer(&cases[1]);
    remove(path);
    return bench_end();
}
