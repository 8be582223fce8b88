/* SPDX-License-Identifier: MIT */
/*
 * Eight idle counters of PDAEMON over the planes of all wires of a GK104, from memory: against a
 * plain read of these planes, and against the same clocks one by one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_read.h"
#include "pcounter/pcounter.h"

enum { COUNTERS = 8, MAX_WIRES = 32, WORDS = 1 << 20, STEPS = 1 << 16 };

struct job {
    struct pc_idle *idle;
    const uint64_t *plane[32], *used[MAX_WIRES];
    unsigned bit[MAX_WIRES], wires; /* that the chip has */
    uint64_t cycles;
};

static void write(const struct job *job, uint32_t address, uint32_t value)
{
    if (!pc_idle_write(job->idle, PC_IDLE_HOST, address, value))
        exit(1);
}

static void begin(const struct job *job)
{
    pc_idle_reset(job->idle);
    for (unsigned i = 0; i < COUNTERS; i++) {
        write(job, 0x10a504 + 0x10 * i,
              1u << job->bit[2 * i % job->wires] | 1u << job->bit[(2 * i + 1) % job->wires]);
        write(job, 0x10a50c + 0x10 * i, i % 2 ? PC_IDLE_ALL : PC_IDLE_NOT_ALL);
    }
}

static uint64_t sum(const struct job *job)
{
    uint64_t total = 0;
    uint32_t value;

    for (unsigned i = 0; i < COUNTERS; i++)
        if (pc_idle_read(job->idle, PC_IDLE_HOST, 0x10a508 + 0x10 * i, &value))
            total += (i + 1) * (uint64_t)value;
    return total;
}

static uint64_t wide(void *ctx)
{
    const struct job *job = ctx;

    begin(job);
    pc_idle_run_planes(job->idle, job->plane, 0, job->cycles);
    return sum(job);
}

static uint64_t narrow(void *ctx)
{
    const struct job *job = ctx;

    begin(job);
    for (uint64_t t = 0; t < job->cycles; t++) {
        uint32_t wires = 0;
        for (unsigned i = 0; i < job->wires; i++)
            wires |= (uint32_t)(job->used[i][t / 64] >> t % 64 & 1) << job->bit[i];
        pc_idle_run(job->idle, wires, 1);
    }
    return sum(job);
}

static uint64_t read_all(void *ctx)
{
    const struct job *job = ctx;

    return bench_sum(job->used, job->wires < 16 ? job->wires : 16, WORDS);
}

int main(void)
{
    const size_t stride = WORDS + 24;
    const struct pc_idle_desc desc = { .chip = pc_chip_find("GK104") };
    uint64_t seed = 1, *memory = bench_memory(MAX_WIRES * stride * sizeof *memory);
    struct job large = { .cycles = (uint64_t)WORDS * 64 };
    struct pc_error err;

    bench_begin("idle", "eight idle counters of PDAEMON over the wires of a GK104");
    if (pc_idle_create(&desc, &large.idle, &err) != PC_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (size_t i = 0; i < MAX_WIRES * stride; i++)
        memory[i] = bench_random(&seed);
    for (const struct pc_idle_signal *s; (s = pc_idle_signal_at(desc.chip, large.wires)) != NULL;) {
        large.bit[large.wires] = s->bit;
        large.used[large.wires] = large.plane[s->bit] = memory + large.wires * stride;
        large.wires++;
    }
    struct job small = large;
    small.cycles = STEPS;
    struct bench_case c[] = {
        { "steps", narrow, &small, wide(&small), STEPS, 1, { 0 } },
        { "planes", wide, &large, narrow(&large), (double)WORDS * 64, 1, { 0 } },
        { "read", read_all, &large, read_all(&large), (double)WORDS * 64, 1, { 0 } },
    };
    char name[64];

    bench_rounds(c, 3);
    bench_more("pc_idle_run, a clock a call", bench_rate(&c[0]) * 1e-6, "Mclock/s", 0, false);
    bench_more("pc_idle_run_planes, DRAM", bench_rate(&c[1]) * 1e-9, "Gclock/s", 0, false);
    bench_more("pc_idle_run_planes, of steps", bench_ratio(&c[1], &c[0]), "x", 60, false);
    snprintf(name, sizeof name, "pc_idle_run_planes, DRAM, of a plain read of %u planes",
             large.wires);
    bench_more(name, bench_ratio(&c[1], &c[2]), "", 0, false);
    pc_idle_destroy(large.idle);
    free(memory);
    return bench_end();
}
