/* SPDX-License-Identifier: MIT */
/*
 * The ends of a run: pc_unit_run() in calls of few and of many cycles, which are stepped at both
 * ends, over 16 signals a domain from the second-level cache or near it.  The state afterwards is
 * held to that of a single call of the portable kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_unit.h"
#include "pcounter/pcounter.h"

enum { PLANES = 16, CYCLES = 1 << 18, WORDS = CYCLES / 64, PAD = 24 };

struct job {
    const uint64_t *plane[PC_MAX_SIGNALS];
    const char *mode;
    const char *kernel;
    unsigned domains;
    uint64_t cycles; /* of a call */
};

static struct pc_unit *make_unit(const struct job *job)
{
    static const uint32_t write[][2] = {
        { 0xa400, 0x03020100 }, { 0xa440, 0x07060504 }, { 0xa480, 0x0b0a0908 },
        { 0xa4c0, 0x0f0e0d0c }, { 0xa460, 0x6ac9 },     { 0xa4a0, 0x3be5 },
        { 0xa4e0, 0x8000 },     { 0xa740, UINT32_MAX }, { 0xa420, 0x7e81 },
    };
    struct pc_unit_desc desc = { .chip = pc_chip_find("G80") };
    struct pc_unit *unit = bench_unit(&desc);

    const uint32_t mode = strcmp(job->mode, "single") == 0 ? 0
                          : strcmp(job->mode, "quad") == 0 ? 1
                                                           : 2;
    for (unsigned x = 0; x < job->domains; x++) {
        pc_unit_write(unit, 0xa7c0 + 4 * x, mode);
        for (size_t i = 0; i < sizeof write / sizeof write[0]; i++)
            pc_unit_write(unit, write[i][0] + 4 * x, write[i][1]);
    }
    return unit;
}

static uint64_t run(void *ctx)
{
    const struct job *job = ctx;
    struct pc_engine_desc desc = { .kernel = job->kernel };
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    const uint64_t *plane[PC_MAX_SIGNALS] = { NULL };
    struct pc_run r = { .cycles = job->cycles, .domain = domain };
    struct pc_unit *unit = make_unit(job);
    struct pc_engine *engine;

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        domain[x] = (struct pc_run_domain){ .plane = plane, .still = x >= job->domains };
    if (pc_engine_create(&desc, &engine, NULL) != PC_OK)
        exit(2);
    for (uint64_t t = 0; t < CYCLES; t += job->cycles) {
        for (unsigned p = 0; p < PLANES; p++)
            plane[p] = job->plane[p] + t / 64;
        pc_unit_run(unit, engine, &r);
    }
    uint64_t h = bench_digest(unit, 14695981039346656037u);
    pc_engine_destroy(engine);
    pc_unit_destroy(unit);
    return h;
}

static void measure(const struct job *base, const char *mode, unsigned domains)
{
    static const uint64_t lengths[] = { 128, 4096, 65536, CYCLES };
    struct bench_case cases[sizeof lengths / sizeof lengths[0]];
    struct job job[sizeof lengths / sizeof lengths[0]];
    struct job whole = *base;
    char what[96];

    whole.mode = mode;
    whole.domains = domains;
    whole.cycles = CYCLES;
    whole.kernel = "portable";
    const uint64_t want = run(&whole);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        job[i] = whole;
        job[i].kernel = NULL;
        job[i].cycles = lengths[i];
        cases[i] = (struct bench_case){ "run", run, &job[i], want, CYCLES, 1, { 0 } };
    }
    bench_rounds(cases, sizeof lengths / sizeof lengths[0]);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        snprintf(what, sizeof what, "%s, domains: %u, a call of %u cycles", mode, domains,
                 (unsigned)lengths[i]);
        bench_row(what, (double)lengths[i] / bench_rate(&cases[i]) * 1e6, "us", 0, true);
    }
}

int main(void)
{
    struct job job = { .domains = 0 };
    uint64_t seed = 1;

    for (unsigned p = 0; p < PLANES; p++) {
        /* Planes a power of two apart would share the sets of the caches. */
        uint64_t *plane = bench_memory((WORDS + PLANES * PAD) * sizeof *plane);
        plane += (size_t)p * PAD;
        for (size_t w = 0; w < WORDS; w++)
            plane[w] = bench_random(&seed) & bench_random(&seed);
        job.plane[p] = plane;
    }
    bench_begin("ends", "pc_unit_run in calls of few cycles");
    bench_machine();
    measure(&job, "quad", 1);
    measure(&job, "quad", 4);
    measure(&job, "single", 1);
    measure(&job, "single", 4);
    measure(&job, "record", 1);
    return bench_end();
}
