/* SPDX-License-Identifier: MIT */
/* Plans of 200 events: of one domain, of several with registers to set, with sums, and of a
 * waveform, where any domain will do. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "pcounter/pcounter.h"

enum { EVENTS = 200, MUXES = 12 };

struct job {
    struct pc_plan_request request;
    struct pc_plan_event event[EVENTS];
    struct pc_plan_mux mux[EVENTS];
};

static struct pc_expr *made[64]; /* shared by all jobs */

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)is_signed;
    (void)ctx;
    (void)capacity;
    (void)err;
    wires[0] = (uint32_t)strtoul(name + 1, NULL, 10);
    *count = 1;
    return PC_OK;
}

static bool make_expressions(void)
{
    struct pc_error err;
    char text[64];

    for (unsigned i = 0; i < 64; i++) {
        snprintf(text, sizeof text, i % 3 ? "s%u & !s%u" : "s%u ^ rise(s%u)", i % 11, i % 13 + 11);
        if (pc_expr_parse(NULL, text, &made[i], &err) != PC_OK ||
            pc_expr_resolve(made[i], look_up, NULL, &err) != PC_OK)
            return false;
    }
    return true;
}

/* Number of passes, and 1000 times the lower bound. */
static uint64_t plan(void *ctx)
{
    const struct job *job = ctx;
    struct pc_plan *p;
    struct pc_error err;

    if (pc_plan_create(NULL, &job->request, &p, &err) != PC_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    uint64_t out = pc_plan_passes(p) + 1000 * pc_plan_bound(p);
    pc_plan_destroy(p);
    return out;
}

static void fill(struct job *job, const char *chip, unsigned domains, unsigned muxes, unsigned sums)
{
    uint64_t seed = 3;

    job->request = (struct pc_plan_request){ .chip = pc_chip_find(chip), .event = job->event };
    job->request.events = EVENTS;
    for (unsigned i = 0; i < EVENTS; i++) {
        struct pc_plan_event *e = &job->event[i];
        e->name = "event";
        e->expr = made[bench_random(&seed) % 64];
        e->domains = domains ? UINT64_C(1) << bench_random(&seed) % domains : UINT64_MAX;
        job->mux[i] = (struct pc_plan_mux){ .reg = "MUX",
                                            .mask = 0xff,
                                            .value = (uint32_t)(bench_random(&seed) % 9) };
        e->mux = &job->mux[i];
        e->muxes = bench_random(&seed) % 100 < muxes;
        e->sum_bits = bench_random(&seed) % 100 < sums ? 4 : 0;
        for (unsigned k = 0; k < 4; k++)
            e->sum[k] = (uint32_t)(bench_random(&seed) % 24);
    }
    job->request.free_wires = domains == 0;
}

int main(void)
{
    static struct job job[4];
    struct bench_case cases[4] = {
        { .name = "200 events, 1 domain" },
        { .name = "200 events, 3 domains, 60 % with a register to set" },
        { .name = "200 events, 3 domains, the same and 15 % sums" },
        { .name = "200 events, any domain" },
    };

    bench_begin("plan", "pass plans of 200 events, G92");
    bench_machine();
    if (!make_expressions())
        return 1;
    fill(&job[0], "G92", 1, 0, 0);
    fill(&job[1], "G92", 3, 60, 0);
    fill(&job[2], "G92", 3, 60, 15);
    fill(&job[3], "G92", 0, 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        cases[i].run = plan;
        cases[i].ctx = &job[i];
        cases[i].want = plan(&job[i]);
        cases[i].units = 1;
    }
    bench_rounds(cases, 4);
    for (unsigned i = 0; i < 4; i++) {
        char what[128];
        snprintf(what, sizeof what, "%s: %u passes, bound %u", cases[i].name,
                 (unsigned)(cases[i].want % 1000), (unsigned)(cases[i].want / 1000));
        bench_row(what, 1000 / bench_rate(&cases[i]), "ms", 1000, true);
    }
    for (unsigned i = 0; i < 64; i++)
        pc_expr_free(made[i]);
    return bench_end();
}
