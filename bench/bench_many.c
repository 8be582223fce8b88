/* SPDX-License-Identifier: MIT */
/*
 * 64 configurations over one trace of 64 planes, together and one after the other: four events
 * of four signals each, and four of one or two as `pcounter stat` makes them, where each
 * configuration picks its signals at random; and a sweep, where all have the same 16 signals, and
 * tables at random.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_read.h"
#include "bench_unit.h"
#include "pcounter/pcounter.h"

enum { UNITS = 64, PLANES = 64, WORDS = 1 << 18 };

struct job {
    struct pc_unit *unit[UNITS];
    void *initial;
    size_t size;
    struct pc_engine *engine;
    const uint64_t *plane[PC_MAX_SIGNALS];
    bool together;
};

enum kind { GENERIC, SIMPLE, SWEEP };

static struct pc_unit *make_unit(uint64_t *seed, enum kind kind)
{
    static const uint32_t tables[4] = { 0xaaaa, 0x8888, 0xeeee, 0x4444 };
    struct pc_unit_desc desc = { .chip = pc_chip_find("GT215") };
    struct pc_unit *unit = bench_unit(&desc);

    pc_unit_write(unit, 0xa7c0, 1);
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t r = bench_random(seed);
        pc_unit_write(unit, 0xa400 + 0x40 * i,
                      kind == SWEEP ? 0x03020100 + 0x04040404 * i : (uint32_t)r & 0x3f3f3f3f);
        pc_unit_write(unit, 0xa420 + 0x40 * i,
                      kind == SIMPLE ? tables[r >> 40 & 3] : (uint32_t)(r >> 44) & 0xffff);
    }
    return unit;
}

static uint64_t run(void *ctx)
{
    struct job *job = ctx;
    struct pc_run_domain domain[PC_MAX_DOMAINS] = { { .plane = job->plane } };
    struct pc_run r = { .cycles = (uint64_t)WORDS * 64, .domain = domain };
    unsigned char *state = malloc(job->size);
    uint64_t h = 0;

    if (!state)
        exit(2);
    for (unsigned x = 1; x < PC_MAX_DOMAINS; x++)
        domain[x].still = true;
    for (unsigned i = 0; i < UNITS; i++)
        if (pc_unit_load(job->unit[i], (char *)job->initial + i * job->size, job->size, NULL) !=
            PC_OK)
            exit(2);
    if (job->together)
        pc_unit_run_many(job->unit, UNITS, job->engine, &r);
    for (unsigned i = 0; i < UNITS; i++) {
        if (!job->together)
            pc_unit_run(job->unit[i], job->engine, &r);
        pc_unit_save(job->unit[i], state);
        for (size_t k = 0; k < job->size; k++)
            h = (h ^ state[k]) * 1099511628211u;
    }
    free(state);
    return h;
}

static void measure(struct job *job, const char *name, enum kind kind, double goal)
{
    struct job one = *job, many = *job;
    uint64_t seed = 7;
    char what[96];

    for (unsigned i = 0; i < UNITS; i++)
        one.unit[i] = many.unit[i] = make_unit(&seed, kind);
    one.size = many.size = pc_unit_state_size(one.unit[0]);
    one.initial = many.initial = bench_memory(UNITS * one.size);
    for (unsigned i = 0; i < UNITS; i++)
        pc_unit_save(one.unit[i], (char *)one.initial + i * one.size);
    many.together = true;
    struct bench_case c[] = {
        { "one", run, &one, run(&one), (double)WORDS * 64 * UNITS, 1, { 0 } },
        { "many", run, &many, run(&one), (double)WORDS * 64 * UNITS, 1, { 0 } },
    };
    bench_rounds(c, 2);
    snprintf(what, sizeof what, "64 configurations, %s, of 64 single runs", name);
    bench_row(what, bench_ratio(&c[1], &c[0]), "x", goal, false);
    snprintf(what, sizeof what, "64 configurations, %s", name);
    bench_row(what, bench_rate(&c[1]) / 1e9, "Gcycles/s", 0, false);
    snprintf(what, sizeof what, "64 single runs, %s", name);
    bench_row(what, bench_rate(&c[0]) / 1e9, "Gcycles/s", 0, false);
    for (unsigned i = 0; i < UNITS; i++)
        pc_unit_destroy(one.unit[i]);
    free(one.initial);
}

int main(void)
{
    const size_t stride = WORDS + 24; /* off the powers of two, where caches collide */
    uint64_t *memory = bench_planes(PLANES * stride);
    struct job job = { .plane = { NULL } };
    uint64_t seed = 1;

    for (size_t i = 0; i < PLANES * stride; i++)
        memory[i] = bench_random(&seed);
    for (unsigned p = 0; p < PLANES; p++)
        job.plane[p] = memory + p * stride;
    if (pc_engine_create(NULL, &job.engine, NULL) != PC_OK)
        exit(2);
    bench_begin("many", "many configurations over one trace");
    bench_machine();
    bench_fact("kernel", pc_engine_kernel(job.engine));
    measure(&job, "generic tables", GENERIC, 5);
    measure(&job, "events of one or two signals", SIMPLE, 5);
    measure(&job, "tables over the same 16 signals", SWEEP, 5);
    pc_engine_destroy(job.engine);
    free(memory);
    return bench_end();
}
