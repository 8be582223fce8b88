/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run() where a domain's FLAG feeds itself, which goes by the live step: 200 random
 * programs.  Each is timed against pc_unit_step() of the same cycles, whose raw signals are
 * gathered beforehand, and both states are compared.  The goals are for the median of the 200
 * ratios, and the worst one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "model/engine/engine.h"

enum { PROGRAMS = 200, PLANES = 16, WORDS = 1024, CYCLES = WORDS * 64 };

struct bench {
    uint64_t memory[PLANES][WORDS + 1];
    const uint64_t *plane[PC_MAX_SIGNALS];
    uint64_t gathered[CYCLES];
    struct pc_engine *engine;
    struct pc_unit *unit;
    uint64_t seed;
};

static uint32_t below(struct bench *b, uint32_t n)
{
    return (uint32_t)(bench_random(&b->seed) >> 32) % n;
}

static void fill(struct bench *b)
{
    for (unsigned p = 0; p < PLANES; p++) {
        for (unsigned w = 0; w < WORDS; w++)
            b->memory[p][w] = bench_random(&b->seed);
        b->plane[p] = b->memory[p];
    }
    for (unsigned t = 0; t < CYCLES; t++)
        for (unsigned p = 0; p < PLANES; p++)
            b->gathered[t] |= (b->memory[p][t / 64] >> (t % 64) & 1) << p;
}

/* One of four sources is the own FLAG. */
static uint32_t source(struct bench *b)
{
    return below(b, 4) != 0 ? below(b, PLANES) : (uint32_t)b->unit->slots[0].flag[0];
}

static void random_program(struct bench *b)
{
    struct pc_domain *d = &b->unit->state.domain[0];

    pc_unit_reset(b->unit);
    d->control.mode = PC_MODE_QUAD;
    for (unsigned i = 0; i < PC_INPUTS; i++) {
        for (unsigned k = 0; k < 4; k++)
            d->src[i] |= source(b) << (8 * k);
        d->op[i] = (uint32_t)bench_random(&b->seed) & 0xffff;
    }
    d->spec_src = (uint32_t)b->unit->slots[0].pm_trigger & 0xff;
}

/* Is it stepped, as its FLAG depends on itself? */
static bool feeds_back(const struct bench *b)
{
    const char *why;

    return pc_unit_explain(b->unit, 0, &why) == PC_RUN_STEP;
}

static void step_once(struct bench *b)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } };

    for (unsigned t = 0; t < CYCLES; t++) {
        raw[0][0] = b->gathered[t];
        pc_unit_step(b->unit, 1, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
}

static void run_once(struct bench *b)
{
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    const struct pc_run run = { .cycles = CYCLES, .domain = domain };

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        domain[x] = (struct pc_run_domain){ .plane = b->plane, .still = x > 0 };
    pc_unit_run(b->unit, b->engine, &run);
}

/* The shorter of two times. */
static double seconds(struct bench *b, void (*go)(struct bench *))
{
    struct pc_state begin = b->unit->state;
    double least = 0;

    for (unsigned i = 0; i < 2; i++) {
        b->unit->state = begin;
        double start = bench_cpu();
        go(b);
        double took = bench_cpu() - start;
        least = i == 0 || took < least ? took : least;
    }
    return least;
}

/* Seconds of the step for each second of the run. */
static double ratio(struct bench *b)
{
    struct pc_state begin = b->unit->state, stepped;
    double step = seconds(b, step_once);

    stepped = b->unit->state;
    b->unit->state = begin;
    double run = seconds(b, run_once);
    if (memcmp(&stepped, &b->unit->state, sizeof stepped) != 0) {
        fprintf(stderr, "a run differs from the steps\n");
        exit(1);
    }
    return step / run;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(struct bench *b)
{
    double all[PROGRAMS];
    char what[96];

    for (unsigned i = 0; i < PROGRAMS; i++) {
        do
            random_program(b);
        while (!feeds_back(b));
        all[i] = ratio(b);
    }
    qsort(all, PROGRAMS, sizeof all[0], ascending);
    snprintf(what, sizeof what, "own FLAG feeds back, of pc_unit_step, median of %d", PROGRAMS);
    bench_more(what, all[PROGRAMS / 2], "x", 3, false);
    bench_more("own FLAG feeds back, of pc_unit_step, the worst", all[0], "x", 2, false);
}

int main(void)
{
    struct bench *b = bench_memory(sizeof *b);
    struct pc_unit_desc desc = { .chip = pc_chip_find("G84") };

    memset(b, 0, sizeof *b);
    b->seed = 4;
    fill(b);
    if (pc_unit_create(&desc, &b->unit, NULL) != PC_OK ||
        pc_engine_create(NULL, &b->engine, NULL) != PC_OK)
        return 2;
    bench_begin("feedback", "pc_unit_run where FLAG depends on itself");
    bench_machine();
    bench_fact("kernel", b->engine->kernel->name);
    measure(b);
    pc_engine_destroy(b->engine);
    pc_unit_destroy(b->unit);
    free(b);
    return bench_end();
}
