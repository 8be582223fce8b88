/* SPDX-License-Identifier: MIT */
/*
 * CVA6's counters clock by clock, six events at once, of a core in which something happens in a
 * quarter of the clocks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "pcounter/pcounter.h"

enum { WORDS = 1 << 10, STEPS = WORDS * 64, LANES = PC_HPM_LINES + 16 };

struct job {
    struct pc_hpm *hpm;
    struct pc_hpm_state start;
    const uint64_t *line[PC_HPM_LINES];
    struct {
        const uint64_t *ack, *fu[4];
    } port[PC_HPM_MAX_PORTS];
};

static const uint8_t EVENTS[] = { 1, 5, 9, 10, 14, 20 };

static void must(enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static uint64_t sum(const struct pc_hpm *hpm)
{
    struct pc_hpm_state s;
    uint64_t total = 0;

    pc_hpm_get_state(hpm, &s);
    for (unsigned c = 0; c <= PC_HPM_LAST; c++)
        total += (c + 1) * s.counter[c];
    return total;
}

static bool bit(const uint64_t *plane, size_t t)
{
    return plane && plane[t / 64] >> t % 64 & 1;
}

static struct pc_hpm_port port_at(const struct job *job, unsigned i, size_t t)
{
    struct pc_hpm_port port = { .ack = bit(job->port[i].ack, t), .op = PC_HPM_OP_OTHER };

    for (unsigned b = 0; b < 4; b++)
        port.fu = (uint8_t)(port.fu | bit(job->port[i].fu[b], t) << b);
    return port;
}

static uint64_t narrow(void *ctx)
{
    const struct job *job = ctx;
    struct pc_error err;

    must(pc_hpm_set_state(job->hpm, &job->start, &err), &err);
    for (size_t t = 0; t < STEPS; t++) {
        struct pc_hpm_in in = { .lines = 0 };
        struct pc_hpm_out out;
        for (unsigned i = 0; i < PC_HPM_LINES; i++)
            in.lines |= (uint32_t)bit(job->line[i], t) << i;
        for (unsigned i = 0; i < PC_HPM_MAX_PORTS; i++)
            in.port[i] = port_at(job, i, t);
        pc_hpm_step(job->hpm, &in, &out);
    }
    return sum(job->hpm);
}

static void fill(struct job *job, uint64_t *memory)
{
    uint64_t seed = 1, *at = memory;

    for (size_t i = 0; i < (size_t)LANES * WORDS; i++)
        memory[i] = bench_random(&seed) & bench_random(&seed);
    for (unsigned i = 0; i < PC_HPM_LINES; i++, at += WORDS)
        job->line[i] = at;
    for (unsigned p = 0; p < PC_HPM_MAX_PORTS; p++) {
        job->port[p].ack = at;
        for (unsigned i = 0; i < 4; i++)
            job->port[p].fu[i] = at += WORDS;
        at += WORDS;
    }
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        job->start.selector[c] = EVENTS[c - PC_HPM_FIRST];
}

int main(void)
{
    uint64_t *memory = bench_memory((size_t)LANES * WORDS * sizeof *memory);
    struct job job = { .hpm = NULL };
    struct pc_hpm_desc desc = { .config = NULL };
    struct pc_error err;

    bench_begin("hpm", "six of CVA6's event counters");
    must(pc_hpm_config_get("cv64a6_imafdc_sv39", &desc.config, &err), &err);
    must(pc_hpm_create(&desc, &job.hpm, &err), &err);
    fill(&job, memory);
    struct bench_case c[] = {
        { "steps", narrow, &job, narrow(&job), STEPS, 1, { 0 } },
    };
    bench_rounds(c, 1);
    bench_more("pc_hpm_step", bench_rate(&c[0]) * 1e-6, "Mclock/s", 0, false);
    pc_hpm_destroy(job.hpm);
    free(memory);
    return bench_end();
}
