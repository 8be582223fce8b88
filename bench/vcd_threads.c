/* SPDX-License-Identifier: MIT */
#include "vcd_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "pcounter/pcounter.h"

static double process_cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const struct pc_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static uint64_t ones_in(const uint64_t *plane, size_t words)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t n = 0;

    for (size_t w = 0; w < words; w++) {
        uint64_t x = plane[w];
        x -= x >> 1 & 0x55 * ones;
        x = (x & 0x33 * ones) + (x >> 2 & 0x33 * ones);
        n += ((x + (x >> 4)) & 0x0f * ones) * ones >> 56;
    }
    return n;
}

static struct pc_wave *open_wave(const struct vcd_threads *t)
{
    const struct pc_wave_desc desc = { .path = t->path, .threads = t->threads };
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct pc_wave_bit bit[VCD_SELECTED] = { { 0 } };
    struct pc_wave *wave = NULL;
    struct pc_error err;
    uint32_t hi, lo;
    unsigned stream;
    char name[16];

    if (pc_wave_open(&desc, &wave, &err) ||
        pc_wave_find(wave, "clk", &clock.clock.var, &hi, &lo, &err))
        die(&err);
    for (unsigned i = 0; i < VCD_SELECTED; i++) {
        snprintf(name, sizeof name, "s%u", t->of->selected[i]);
        if (pc_wave_find(wave, name, &bit[i].var, &hi, &lo, &err))
            die(&err);
    }
    if (pc_wave_bind(wave, &clock, bit, VCD_SELECTED, &stream, &err))
        die(&err);
    return wave;
}

void vcd_read_threads(struct vcd_threads *t)
{
    uint64_t cycles = 0, count[VCD_SELECTED] = { 0 };
    struct pc_wave_block block;
    struct pc_error err;
    enum pc_status status;
    const double own = bench_cpu(), all = process_cpu();
    struct pc_wave *wave = open_wave(t);

    while ((status = pc_wave_next(wave, &block, &err)) == PC_OK) {
        cycles += block.cycles;
        for (unsigned i = 0; i < VCD_SELECTED; i++)
            count[i] += ones_in(block.value[i], (block.cycles + (size_t)63) / 64);
    }
    if (status != PC_END)
        die(&err);
    pc_wave_close(wave);
    const double mine = bench_cpu() - own, others = process_cpu() - all - mine;
    t->slowest = mine > others ? mine : others;
    bool ok = cycles == t->of->cycles;
    for (unsigned i = 0; i < VCD_SELECTED; i++)
        ok = ok && count[i] == t->of->ones[i];
    if (!ok) {
        fprintf(stderr, "%u threads counted something else in %s\n", t->threads, t->path);
        exit(1);
    }
}
