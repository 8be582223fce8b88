/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run() in record mode over 16 planes: twelve event sources at one half, and STOP from
 * never to every other cycle, with a memory that takes each packet.  Against a plain read of
 * the same planes, and against pc_unit_step().  State and packets are held to the portable
 * kernel's, and for the stepped part to the step's.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_read.h"
#include "bench_unit.h"
#include "pcounter/pcounter.h"

enum { PLANES = 16, DRAM_WORDS = 1 << 21, STEP_WORDS = 2048 };

struct job {
    const uint64_t *plane[PC_MAX_SIGNALS];
    size_t words;
    const char *kernel;
    bool step;
    struct bench_sink sink;
};

static struct pc_unit *make_unit(struct job *job)
{
    static const uint32_t write[][2] = {
        { 0xa7c0, 2 },          { 0xa400, 0x03020100 }, { 0xa440, 0x07060504 },
        { 0xa480, 0x0b0a0908 }, { 0xa4c0, 0x0f0e0d0c }, { 0xa4e0, 0x8000 },
        { 0xa7a4, 1 },          { 0xa7a0, 0x80000001 }, { 0xa720, 0xffffffff },
        { 0xa760, 0x1000 },
    };
    struct pc_unit_desc desc = { .chip = pc_chip_find("G84"),
                                 .mem_write = bench_take,
                                 .mem_ctx = &job->sink };
    struct pc_unit *unit = bench_unit(&desc);

    for (size_t i = 0; i < sizeof write / sizeof write[0]; i++)
        pc_unit_write(unit, write[i][0], write[i][1]);
    return unit;
}

static uint64_t run(void *ctx)
{
    struct job *job = ctx;
    struct pc_engine_desc desc = { .kernel = job->kernel };
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { .plane = job->plane } };
    struct pc_run r = { .cycles = (uint64_t)job->words * 64, .domain = domain };
    struct pc_engine *engine;

    job->sink.packets = job->sink.digest = 0;
    struct pc_unit *unit = make_unit(job);
    for (unsigned x = 1; x < PC_MAX_DOMAINS; x++)
        domain[x].still = true;
    if (pc_engine_create(&desc, &engine, NULL) != PC_OK)
        exit(2);
    if (job->step)
        bench_step(unit, job->plane, PLANES, job->words);
    else
        pc_unit_run(unit, engine, &r);
    uint64_t h = bench_digest(unit, job->sink.digest);
    pc_engine_destroy(engine);
    pc_unit_destroy(unit);
    return h;
}

static uint64_t read_all(void *ctx)
{
    const struct job *job = ctx;

    return bench_sum(job->plane, PLANES, job->words);
}

static void measure(struct job *base, const char *density, double goal, double steps)
{
    struct job wide = *base, portable = *base, small = *base, step = *base;
    double cycles = (double)base->words * 64, few = (double)STEP_WORDS * 64;
    char what[96];

    portable.kernel = "portable";
    small.words = step.words = STEP_WORDS;
    step.step = true;
    struct bench_case cases[] = {
        { "read", read_all, base, read_all(base), cycles, 1, { 0 } },
        { "run", run, &wide, run(&portable), cycles, 1, { 0 } },
        { "short run", run, &small, run(&step), few, 8, { 0 } },
        { "step", run, &step, run(&step), few, 1, { 0 } },
    };
    bench_rounds(cases, 4);
    snprintf(what, sizeof what, "record, STOP %s, of a plain read, memory", density);
    bench_more(what, bench_ratio(&cases[1], &cases[0]), "x", goal, false);
    snprintf(what, sizeof what, "record, STOP %s, of pc_unit_step, memory", density);
    bench_more(what, bench_ratio(&cases[1], &cases[3]), "x", steps, false);
    snprintf(what, sizeof what, "record, STOP %s, of pc_unit_step, %d cycles", density,
             STEP_WORDS * 64);
    bench_more(what, bench_ratio(&cases[2], &cases[3]), "x", steps, false);
    snprintf(what, sizeof what, "record, STOP %s", density);
    bench_more(what, bench_rate(&cases[1]) / 1e9, "Gcycles/s", 0, false);
    snprintf(what, sizeof what, "record, STOP %s, packets", density);
    bench_more(what, bench_rate(&cases[1]) / cycles * (double)wide.sink.packets / 1e6, "million/s",
               0, false);
}

/* Signals 12 to 15, whose AND is STOP: each 1 with probability 2^-bits[]. */
static void stop_planes(uint64_t *const plane[PLANES], const unsigned bits[4])
{
    uint64_t seed = 77;

    for (unsigned k = 0; k < 4; k++)
        for (size_t w = 0; w < DRAM_WORDS; w++) {
            uint64_t word = UINT64_MAX;
            for (unsigned i = 0; i < bits[k]; i++)
                word &= bench_random(&seed);
            plane[12 + k][w] = word;
        }
}

int main(void)
{
    const size_t stride = DRAM_WORDS + 24; /* off the powers of two, where caches collide */
    static const struct {
        const char *name;
        unsigned bits[4];
        double goal, steps;
    } row[] = {
        { "2^-12", { 3, 3, 3, 3 }, 0, 60 }, { "2^-10", { 3, 3, 2, 2 }, 0.90, 60 },
        { "1/256", { 2, 2, 2, 2 }, 0, 60 }, { "1/16", { 1, 1, 1, 1 }, 0, 60 },
        { "1/2", { 1, 0, 0, 0 }, 0, 0 },
    };
    uint64_t *memory = bench_planes(PLANES * stride), *plane[PLANES];
    struct job job = { .words = DRAM_WORDS };
    uint64_t seed = 1;

    for (size_t i = 0; i < PLANES * stride; i++)
        memory[i] = bench_random(&seed);
    for (unsigned p = 0; p < PLANES; p++)
        job.plane[p] = plane[p] = memory + p * stride;
    bench_begin("record", "pc_unit_run in record mode");
    bench_machine();
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        stop_planes(plane, row[i].bits);
        measure(&job, row[i].name, row[i].goal, row[i].steps);
    }
    free(memory);
    return bench_end();
}
