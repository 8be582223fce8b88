/* SPDX-License-Identifier: MIT */
/*
 * The kernels alone, against a plain read of the same planes: 16 planes from memory and from
 * the second-level cache.  Results are held to the portable kernel's.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_read.h"
#include "kernel/kernel.h"

enum { PLANES = 16, DRAM_WORDS = 1 << 21, L2_WORDS = 2048, BLOCK = 128 };

struct job {
    const struct pc_kernel *kernel;
    const uint64_t *plane[PLANES];
    size_t words;
    struct pc_lut_op op[4];
};

static uint64_t read_all(void *ctx)
{
    const struct job *job = ctx;

    return bench_sum(job->plane, PLANES, job->words);
}

static uint64_t quad(void *ctx)
{
    const struct job *job = ctx;
    uint64_t counts[4] = { 0 };
    struct pc_rise edge = { false, false };

    job->kernel->quad(job->op, job->words, counts, &edge);
    return counts[0] + 3 * counts[1] + 5 * counts[2] + 7 * counts[3];
}

/* The number of cycles in COUNTING, block by block. */
static uint64_t counting(void *ctx)
{
    const struct job *job = ctx;
    uint64_t state[BLOCK], n = 0;
    bool carry = false;

    for (size_t i = 0; i < job->words; i += BLOCK) {
        carry = job->kernel->affine(state, job->plane[0] + i, job->plane[1] + i, carry, BLOCK);
        n += job->kernel->count(state, BLOCK);
    }
    return n;
}

static uint64_t flags(void *ctx)
{
    const struct job *job = ctx;
    struct pc_flag flag = { false, false, { false, false } };
    uint64_t state[BLOCK], n = 0;

    for (size_t i = 0; i < job->words; i += BLOCK) {
        job->kernel->flag(state, job->plane[2] + i, job->plane[3] + i, &flag, BLOCK);
        n += job->kernel->count(state, BLOCK);
    }
    return n;
}

static uint64_t answer(uint64_t (*run)(void *), const struct job *job)
{
    struct job portable = *job;

    portable.kernel = &pc_kernel_portable;
    return run(&portable);
}

static void measure(struct job *job, const char *where, unsigned repeat, double goal)
{
    const double cycles = (double)job->words * 64;
    struct job small = *job;
    char name[96];

    for (unsigned k = 0; k < 4; k++)
        small.op[k].table = k % 2 ? 0x8888 : 0xaaaa; /* one signal, two signals */
    struct bench_case c[] = {
        { "read", read_all, job, bench_sum(job->plane, PLANES, job->words), cycles, repeat, { 0 } },
        { "quad", quad, job, answer(quad, job), cycles, repeat, { 0 } },
        { "quad, 1-2 signals", quad, &small, answer(quad, &small), cycles, repeat, { 0 } },
        { "single", counting, job, answer(counting, job), cycles, repeat, { 0 } },
        { "flag", flags, job, answer(flags, job), cycles, repeat, { 0 } },
    };
    const size_t n = sizeof c / sizeof c[0];

    bench_rounds(c, n);
    for (size_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s, %s", c[i].name, where);
        bench_row(name, bench_rate(&c[i]) * 1e-9, "Gcycle/s", 0, false);
    }
    snprintf(name, sizeof name, "quad kernel, %s, of a plain read", where);
    bench_row(name, bench_ratio(&c[1], &c[0]), "", goal, false);
    snprintf(name, sizeof name, "quad kernel of 1-2 signals, %s, of a plain read of 16", where);
    bench_row(name, bench_ratio(&c[2], &c[0]), "", 0.9, false);
}

int main(void)
{
    static const uint16_t TABLES[4] = { 0x6a95, 0x1ee7, 0xd24b, 0x839c };
    struct job job = { .kernel = pc_kernel_best(), .words = DRAM_WORDS };
    const size_t stride = DRAM_WORDS + 24; /* off the powers of two, where caches collide */
    uint64_t seed = 1, *memory = bench_planes(PLANES * stride);

    bench_begin("kernels", "loops over bit planes");
    bench_machine();
    bench_fact("kernel", job.kernel->name);
    for (size_t i = 0; i < PLANES * stride; i++)
        memory[i] = bench_random(&seed);
    for (unsigned k = 0; k < PLANES; k++) {
        job.plane[k] = memory + k * stride;
        job.op[k / 4].table = TABLES[k / 4];
        job.op[k / 4].arg[k % 4] = job.plane[k];
    }
    measure(&job, "DRAM", 1, 0.95);
    job.words = L2_WORDS;
    for (unsigned k = 0; k < PLANES; k++) {
        job.plane[k] = memory + k * (L2_WORDS + 24);
        job.op[k / 4].arg[k % 4] = job.plane[k];
    }
    measure(&job, "L2", 1000, 0.5);
    free(memory);
    return bench_end();
}
