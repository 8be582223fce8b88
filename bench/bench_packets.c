/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run() with several domains in record mode that send packets to one memory, which must
 * have them in the order of time: two and eight domains of twelve event sources at one half, STOP
 * 2^-10.  Against pc_unit_step() of all of them, whose raw signals are gathered beforehand.  States
 * and packets, with their order, are compared.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_unit.h"
#include "pcounter/pcounter.h"

enum { PLANES = 16, WORDS = 1 << 14, STEP_WORDS = 1 << 11, DOMAINS = 8 };

struct job {
    uint64_t *memory;         /* of the planes */
    const uint16_t *gathered; /* of the first cycles of a domain, DOMAINS a cycle */
    const uint64_t *plane[DOMAINS][PC_MAX_SIGNALS];
    unsigned domains;
    size_t words;
    bool step;
    struct bench_sink sink;
};

static struct pc_unit *make_unit(struct job *job)
{
    static const uint32_t write[][2] = {
        { 0xa7c0, 2 },          { 0xa400, 0x03020100 }, { 0xa440, 0x07060504 },
        { 0xa480, 0x0b0a0908 }, { 0xa4c0, 0x0f0e0d0c }, { 0xa4e0, 0x8000 },
        { 0xa720, 0xffffffff }, { 0xa760, 0x1000 },
    };
    struct pc_unit_desc desc = { .chip = pc_chip_find("G84"),
                                 .mem_write = bench_take,
                                 .mem_ctx = &job->sink };
    struct pc_unit *unit = bench_unit(&desc);

    pc_unit_write(unit, 0xa7a4, 1);
    pc_unit_write(unit, 0xa7a0, 0x80000001);
    for (size_t i = 0; i < sizeof write / sizeof write[0]; i++)
        for (uint32_t x = 0; x < job->domains; x++)
            pc_unit_write(unit, write[i][0] + 4 * x, write[i][1]);
    return unit;
}

static void step(const struct job *job, struct pc_unit *unit)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } };

    for (size_t t = 0; t < job->words * 64; t++) {
        for (unsigned x = 0; x < job->domains; x++)
            raw[x][0] = job->gathered[t * DOMAINS + x];
        pc_unit_step(unit, (1u << job->domains) - 1, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
}

static uint64_t run(void *ctx)
{
    struct job *job = ctx;
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { .still = false } };
    struct pc_run r = { .cycles = (uint64_t)job->words * 64, .domain = domain };
    struct pc_engine *engine;

    job->sink.packets = job->sink.digest = 0;
    struct pc_unit *unit = make_unit(job);
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        domain[x] = (struct pc_run_domain){ .plane = job->plane[x], .still = x >= job->domains };
    if (pc_engine_create(NULL, &engine, NULL) != PC_OK)
        exit(2);
    if (job->step)
        step(job, unit);
    else
        pc_unit_run(unit, engine, &r);
    uint64_t h = bench_digest(unit, job->sink.digest + job->sink.packets);
    pc_engine_destroy(engine);
    pc_unit_destroy(unit);
    return h;
}

static void measure(const struct job *base, unsigned domains)
{
    struct job wide = *base, small, stepped;
    char what[96];

    wide.domains = domains;
    wide.words = WORDS;
    small = stepped = wide;
    small.words = stepped.words = STEP_WORDS;
    stepped.step = true;
    double cycles = (double)WORDS * 64, few = (double)STEP_WORDS * 64;
    struct bench_case cases[] = {
        { "run", run, &wide, run(&wide), cycles, 1, { 0 } },
        { "short run", run, &small, run(&stepped), few, 4, { 0 } },
        { "step", run, &stepped, run(&stepped), few, 1, { 0 } },
    };
    bench_rounds(cases, 3);
    snprintf(what, sizeof what, "%u domains record, STOP 2^-10, of pc_unit_step", domains);
    bench_row(what, bench_ratio(&cases[0], &cases[2]), "x", 60, false);
    snprintf(what, sizeof what, "the same, %d cycles", STEP_WORDS * 64);
    bench_row(what, bench_ratio(&cases[1], &cases[2]), "x", 60, false);
    snprintf(what, sizeof what, "%u domains record, STOP 2^-10", domains);
    bench_row(what, bench_rate(&cases[0]) * domains / 1e9, "Gcycles/s of domains", 0, false);
}

/* Signals 12 to 15, whose AND is STOP, are 1 with probabilities 1/8, 1/8, 1/4, 1/4. */
static void fill(struct job *job)
{
    const size_t stride = WORDS + 24;
    uint64_t seed = 9;

    for (size_t i = 0; i < DOMAINS * PLANES * stride; i++) {
        unsigned s = i / stride % PLANES;
        job->memory[i] = bench_random(&seed);
        for (unsigned more = 0; more < (s < 12 ? 0u : s < 14 ? 2u : 1u); more++)
            job->memory[i] &= bench_random(&seed);
    }
    for (unsigned x = 0; x < DOMAINS; x++)
        for (unsigned s = 0; s < PLANES; s++)
            job->plane[x][s] = job->memory + (x * PLANES + s) * stride;
}

int main(void)
{
    struct job job = { 0 };
    uint16_t *gathered = bench_memory((size_t)STEP_WORDS * 64 * DOMAINS * sizeof *gathered);

    job.memory = bench_memory((size_t)DOMAINS * PLANES * (WORDS + 24) * sizeof *job.memory);
    fill(&job);
    for (size_t i = 0; i < (size_t)STEP_WORDS * 64 * DOMAINS; i++) {
        size_t t = i / DOMAINS;
        gathered[i] = 0;
        for (unsigned s = 0; s < PLANES; s++)
            gathered[i] |= (uint16_t)((job.plane[i % DOMAINS][s][t / 64] >> (t % 64) & 1) << s);
    }
    job.gathered = gathered;
    bench_begin("packets", "pc_unit_run where several domains send packets to one memory");
    bench_machine();
    measure(&job, 2);
    measure(&job, DOMAINS);
    free(gathered);
    free(job.memory);
    return bench_end();
}
