/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run() over 16 planes from memory, against a plain read of the same planes and
 * against pc_unit_step(): quad mode, and single mode with the flag.  The state afterwards is
 * held to the portable kernel's, and for the stepped part to the step's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_read.h"
#include "bench_unit.h"
#include "pcounter/pcounter.h"

enum { PLANES = 16, DRAM_WORDS = 1 << 21, STEP_WORDS = 2048, PAD = 24 };

struct job {
    const uint64_t *plane[PC_MAX_SIGNALS];
    size_t words;
    const char *kernel;
    bool single, step;
};

static struct pc_unit *make_unit(bool single)
{
    struct pc_unit_desc desc = { .chip = pc_chip_find("G80") };
    static const uint32_t quad[][2] = {
        { 0xa7c0, 1 },          { 0xa400, 0x03020100 }, { 0xa440, 0x07060504 },
        { 0xa480, 0x0b0a0908 }, { 0xa4c0, 0x0f0e0d0c }, { 0xa460, 0x6ac9 },
        { 0xa4a0, 0x3be5 },     { 0xa4e0, 0x95d2 },     { 0xa420, 0x7e81 },
    };
    /* START s4 & s5 & ..: rare; STOP likewise; SETFLAG s6, CLRFLAG s2; EVENT looks at the flag */
    static const uint32_t one[][2] = {
        { 0xa7c0, 0 },          { 0xa400, 0x03020100 }, { 0xa440, 0x07060504 },
        { 0xa480, 0x0b0a095f }, { 0xa4c0, 0x0f0e0d0c }, { 0xa460, 0x8000 },
        { 0xa4a0, 0x3be5 },     { 0xa4e0, 0x8000 },     { 0xa500, 0xaaaa },
        { 0xa520, 0xaaaa },     { 0xa740, UINT32_MAX }, { 0xa420, 0xffff },
    };
    const uint32_t(*write)[2] = single ? one : quad;
    size_t writes = single ? sizeof one / sizeof one[0] : sizeof quad / sizeof quad[0];
    struct pc_unit *unit = bench_unit(&desc);

    for (size_t i = 0; i < writes; i++)
        pc_unit_write(unit, write[i][0], write[i][1]);
    return unit;
}

static uint64_t run(void *ctx)
{
    const struct job *job = ctx;
    struct pc_engine_desc desc = { .kernel = job->kernel };
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { .plane = job->plane } };
    struct pc_run r = { .cycles = (uint64_t)job->words * 64, .domain = domain };
    struct pc_unit *unit = make_unit(job->single);
    struct pc_engine *engine;

    for (unsigned x = 1; x < PC_MAX_DOMAINS; x++)
        domain[x].still = true;
    if (pc_engine_create(&desc, &engine, NULL) != PC_OK)
        exit(2);
    if (job->step)
        bench_step(unit, job->plane, PLANES, job->words);
    else
        pc_unit_run(unit, engine, &r);
    uint64_t h = bench_digest(unit, 14695981039346656037u);
    pc_engine_destroy(engine);
    pc_unit_destroy(unit);
    return h;
}

static uint64_t read_all(void *ctx)
{
    const struct job *job = ctx;

    return bench_sum(job->plane, PLANES, job->words);
}

static void measure(const struct job *base, const char *name, bool single, double goal)
{
    struct job wide = *base, portable = *base, small = *base, step = *base;
    char what[96];

    wide.single = portable.single = small.single = step.single = single;
    portable.kernel = "portable";
    small.words = step.words = STEP_WORDS;
    step.step = true;
    double cycles = (double)base->words * 64, few = (double)STEP_WORDS * 64;
    struct bench_case cases[] = {
        { "read",
          read_all,
          (void *)(uintptr_t)base,
          read_all((void *)(uintptr_t)base),
          cycles,
          1,
          { 0 } },
        { "run", run, &wide, run(&portable), cycles, 1, { 0 } },
        { "short run", run, &small, run(&step), few, 8, { 0 } },
        { "step", run, &step, run(&step), few, 1, { 0 } },
    };
    bench_rounds(cases, 4);
    void (*row)(const char *, double, const char *, double, bool) = single ? bench_more : bench_row;
    snprintf(what, sizeof what, "%s: cycles a second", name);
    row(what, bench_rate(&cases[1]) / 1e9, "G/s", 0, false);
    snprintf(what, sizeof what, "%s: speed of a plain read of its planes", name);
    row(what, bench_ratio(&cases[1], &cases[0]), "x", goal, false);
    snprintf(what, sizeof what, "%s: times as fast as pc_unit_step", name);
    row(what, bench_ratio(&cases[1], &cases[3]), "x", 60, false);
    snprintf(what, sizeof what, "%s: times as fast as pc_unit_step, %d cycles", name,
             STEP_WORDS * 64);
    bench_more(what, bench_ratio(&cases[2], &cases[3]), "x", 60, false);
}

int main(void)
{
    struct job job = { .words = DRAM_WORDS };
    uint64_t seed = 1;

    for (unsigned p = 0; p < PLANES; p++) {
        /* Planes a power of two apart would share the sets of the caches. */
        uint64_t *plane = bench_planes((size_t)DRAM_WORDS + PLANES * PAD);
        plane += (size_t)p * PAD;
        for (size_t w = 0; w < DRAM_WORDS; w++) {
            plane[w] = bench_random(&seed);
            for (unsigned i = 0; i < 2 && p >= 4; i++) /* START and STOP: four of these, 2^-12 */
                plane[w] &= p < 8 || p >= 12 ? bench_random(&seed) : UINT64_MAX;
        }
        job.plane[p] = plane;
    }
    bench_begin("engine", "The model over 16 signals from memory (pc_unit_run)");
    bench_machine();
    bench_fact("kernel", "the fastest of this CPU");
    measure(&job, "quad mode", false, 0.95);
    measure(&job, "single mode with FLAG, START and STOP 2^-12", true, 0.90);
    return bench_end();
}
