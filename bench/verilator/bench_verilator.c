/* SPDX-License-Identifier: MIT */
/*
 * Quad mode of one domain against its Verilog in Verilator.  Both see the same cycles: a ring
 * of random samples, which fills the planes over and over.
 */
#include <stdlib.h>

#include "bench.h"
#include "bench_read.h"
#include "kernel/kernel.h"
#include "peer.h"

enum { RING_WORDS = 64, RING = RING_WORDS * 64, DRAM_WORDS = 1 << 21, L2_WORDS = 2048 };

static const uint16_t TABLES[4] = { 0x6a95, 0x1ee7, 0xd24b, 0x839c };

struct job {
    struct pc_lut_op op[4];
    size_t words;
    struct peer *full, *lite;
    uint32_t (*wide)[8];
    uint16_t *narrow;
};

static uint64_t mix(const uint64_t counts[4], uint64_t rings)
{
    return (counts[0] + 3 * counts[1] + 5 * counts[2] + 7 * counts[3]) / rings;
}

/* In counts of one ring, so that all of them compare. */
static uint64_t ours(void *ctx)
{
    const struct job *job = ctx;
    uint64_t counts[4] = { 0 };
    struct pc_rise edge = { false, false };

    pc_kernel_best()->quad(job->op, job->words, counts, &edge);
    return mix(counts, job->words / RING_WORDS);
}

static uint64_t full(void *ctx)
{
    struct job *job = ctx;
    uint32_t c[4];

    peer_run_full(job->full, (const uint32_t(*)[8])job->wide, RING, c);
    return mix((const uint64_t[4]){ c[0], c[1], c[2], c[3] }, 1);
}

static uint64_t lite(void *ctx)
{
    struct job *job = ctx;
    uint32_t c[4];

    peer_run_lite(job->lite, job->narrow, RING, c);
    return mix((const uint64_t[4]){ c[0], c[1], c[2], c[3] }, 1);
}

/* Random samples, and the 16 selected signals as planes. */
static void fill(struct job *job, const uint8_t select[16], uint64_t *memory, size_t stride)
{
    uint64_t seed = 1;

    for (size_t t = 0; t < RING; t++) {
        for (unsigned i = 0; i < 8; i++)
            job->wide[t][i] = (uint32_t)(bench_random(&seed) >> 32);
        for (unsigned k = 0; k < 16; k++) {
            const uint64_t bit = job->wide[t][select[k] / 32] >> select[k] % 32 & 1;
            job->narrow[t] = (uint16_t)(job->narrow[t] | bit << k);
            memory[k * stride + t / 64] |= bit << t % 64;
        }
    }
    for (unsigned k = 0; k < 16; k++)
        for (size_t i = RING_WORDS; i < stride; i++)
            memory[k * stride + i] = memory[k * stride + i - RING_WORDS];
}

static void aim(struct job *job, const uint64_t *memory, size_t stride, size_t words)
{
    job->words = words;
    for (unsigned k = 0; k < 16; k++) {
        job->op[k / 4].table = TABLES[k / 4];
        job->op[k / 4].arg[k % 4] = memory + k * stride;
    }
}

int main(void)
{
    const size_t stride = DRAM_WORDS + 24;
    uint64_t *memory = bench_planes(16 * stride);
    uint8_t select[16];
    struct job far = { .wide = bench_memory(RING * sizeof *far.wide),
                       .narrow = bench_memory(RING * sizeof *far.narrow) };

    bench_begin("verilator", "one domain in quad mode, against Verilog");
    for (size_t i = 0; i < 16 * stride; i++)
        memory[i] = 0;
    for (size_t t = 0; t < RING; t++)
        far.narrow[t] = 0;
    for (unsigned k = 0; k < 16; k++)
        select[k] = (uint8_t)(37 * k + 11);
    fill(&far, select, memory, stride);
    aim(&far, memory, stride, DRAM_WORDS);
    far.full = peer_open_full(select, TABLES);
    far.lite = peer_open_lite(TABLES);
    struct job near = far;
    uint64_t *cached = bench_memory(16 * (L2_WORDS + 24) * sizeof *cached);
    for (unsigned k = 0; k < 16; k++)
        for (size_t i = 0; i < L2_WORDS + 24; i++)
            cached[k * (L2_WORDS + 24) + i] = memory[k * stride + i];
    aim(&near, cached, L2_WORDS + 24, L2_WORDS);

    const uint64_t want = full(&far);
    struct bench_case c[] = {
        { "full", full, &far, want, RING, 50, { 0 } },
        { "lite", lite, &far, want, RING, 50, { 0 } },
        { "DRAM", ours, &far, want, (double)DRAM_WORDS * 64, 1, { 0 } },
        { "L2", ours, &near, want, (double)L2_WORDS * 64, 1000, { 0 } },
    };
    bench_rounds(c, 4);
    bench_fact("kernel", pc_kernel_best()->name);
    bench_fact("peer", PEER_VERSION);
    bench_row("Verilator, 256 signals", bench_rate(&c[0]) * 1e-6, "Mcycle/s", 0, false);
    bench_row("Verilator, 16 preselected signals", bench_rate(&c[1]) * 1e-6, "Mcycle/s", 0, false);
    bench_row("quad kernel, DRAM, of Verilator with 256 signals", bench_ratio(&c[2], &c[0]), "x",
              550, false);
    bench_row("quad kernel, DRAM, of Verilator with 16", bench_ratio(&c[2], &c[1]), "x", 330,
              false);
    bench_row("quad kernel, L2, of Verilator with 256 signals", bench_ratio(&c[3], &c[0]), "x",
              2500, false);
    peer_close(far.full);
    peer_close(far.lite);
    free(far.wide);
    free(far.narrow);
    free(cached);
    free(memory);
    return bench_end();
}
