/* SPDX-License-Identifier: MIT */
/*
 * Time and raw signals of a script from a waveform: one stream of it for each clock, which the
 * domains that are bound to that clock have together.  The device asks for time through advance();
 * instants of the wave, each with the domains that have an edge then, so that coincident edges are
 * coincident, are collected (waves_block.c) and passed on together.  Unknown (x, z) counts as 0.
 * When the wave has ended, accesses (and, after `run end`, runs) still take cycles, with all levels
 * held, so that a script can swap and read what was counted.
 */
#include "script/waves.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void sc_waves_destroy(struct sc_waves *w)
{
    if (!w)
        return;
    struct pc_alloc alloc = w->alloc;
    pc_wave_close(w->wave);
    sc_block_destroy(w->block);
    pc_free(&alloc, w->path, w->path_size);
    pc_free(&alloc, w, sizeof *w);
}

/* Takes a cycle of these domains, with these levels of their stream; NULL: the last ones. */
static void take_samples(struct sc_waves *w, uint64_t domains, const uint64_t *value,
                         const uint64_t *unknown)
{
    for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
        if (domains >> d & 1) {
            sc_block_cycle(w->block, d, value, unknown);
            w->binding[d].cycles++;
        }
}

/* Makes one instant of the wave; *edges: domains that had a cycle. */
static enum pc_status step(struct sc_waves *w, uint64_t *edges, struct pc_error *err)
{
    struct pc_wave_instant instant;
    enum pc_status status = pc_wave_step(w->wave, &instant, err);

    if (status)
        return status;
    *edges = 0;
    for (unsigned s = 0; s < SC_STREAMS; s++)
        if (instant.streams >> s & 1) {
            *edges |= w->domains_of[s];
            take_samples(w, w->domains_of[s], instant.value[s], instant.unknown[s]);
        }
    sc_block_instant(w->block);
    return PC_OK;
}

/* After the end: a cycle in every domain that has a clock, with all levels held. */
static void hold(struct sc_waves *w, uint64_t *edges)
{
    *edges = w->clocked;
    take_samples(w, w->clocked, NULL, NULL);
    sc_block_instant(w->block);
}

/* Takes the next instant of the wave, or one after its end. */
static enum pc_status next_instant(struct sc_waves *w, uint64_t *edges, struct pc_error *err)
{
    enum pc_status status = w->ended ? PC_END : step(w, edges, err);

    if (status != PC_END)
        return status;
    w->ended = true;
    if (w->running && !w->over)
        return PC_END;
    hold(w, edges);
    return PC_OK;
}

/* --- blocks --- */

/*
 * The block that was asked for is broken somewhere: what comes before that place counts, and is
 * read again, instant by instant.  A script that ends before it does not see it.
 */
static enum pc_status read_again(struct sc_waves *w, struct pc_error *err)
{
    struct pc_wave *again = NULL;
    struct pc_wave_instant instant;
    enum pc_status status = sc_waves_reopen(w, &again, err);

    if (!status)
        status = sc_waves_streams(w, again, err);
    for (uint64_t i = 0; i < w->taken && !status; i++)
        status = pc_wave_step(again, &instant, err);
    if (status) {
        pc_wave_close(again);
        return status;
    }
    pc_wave_close(w->wave);
    w->wave = again;
    w->blocks = false;
    return PC_OK;
}

/* Runs as many cycles as there are, of all domains that have a clock: it is the same. */
static enum pc_status run_blocks(struct sc_waves *w, uint64_t cycles, struct pc_error *err)
{
    while (cycles > 0) {
        uint64_t left = w->at.cycles - w->used, n = cycles < left ? cycles : left;
        if (n == 0) {
            enum pc_status status = pc_wave_next(w->wave, &w->at, err);
            w->used = 0;
            w->ended = status == PC_END;
            if (status) {
                w->at.cycles = 0;
                return status == PC_END ? PC_OK : read_again(w, err);
            }
            continue;
        }
        sc_block_take(w->block, &w->at, w->used, n);
        for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
            w->binding[d].cycles += w->clocked >> d & 1 ? n : 0;
        w->used += n;
        w->taken += n;
        cycles -= n;
    }
    return PC_OK;
}

/* pc_gpu_time_fn: domains without a bound clock have no time and are not waited for. */
static enum pc_status advance(void *ctx, int domain, uint64_t cycles, struct pc_error *err)
{
    struct sc_waves *w = ctx;
    uint64_t waiting = w->started ? w->clocked : 0; /* before the first run, time stands still */
    uint64_t target[PC_GPU_DOMAINS];
    struct pc_error fault = { 0 };
    enum pc_status status = PC_OK;
    uint64_t wanted = 0;

    if (domain >= 0)
        waiting &= (uint64_t)1 << domain;
    for (unsigned d = 0; d < PC_GPU_DOMAINS; d++) {
        uint64_t now = w->binding[d].cycles;
        target[d] = cycles > UINT64_MAX - now ? UINT64_MAX : now + cycles;
        if (target[d] == now)
            waiting &= ~((uint64_t)1 << d);
        else if (waiting >> d & 1)
            wanted = target[d] - now;
    }
    if (wanted > 0 && w->blocks && !w->ended) {
        status = run_blocks(w, wanted, &fault);
        for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
            if (w->binding[d].cycles >= target[d])
                waiting &= ~((uint64_t)1 << d);
    }
    while (waiting && !status) {
        uint64_t edges = 0;
        status = next_instant(w, &edges, &fault);
        for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
            if (edges >> d & 1 && w->binding[d].cycles >= target[d])
                waiting &= ~((uint64_t)1 << d);
    }
    if (w->block)
        sc_block_flush(w->block); /* also all that came before an error */
    if (status && status != PC_END) {
        fault.status = status;
        w->fault = fault;
        if (err)
            *err = fault;
    }
    return status;
}

enum pc_status sc_waves_create(const struct pc_script_desc *desc, const struct pc_alloc *alloc,
                               const struct pc_chip *chip, struct pc_gpu *gpu,
                               struct sc_waves **out, struct pc_error *err)
{
    struct sc_waves *w = pc_calloc(alloc, 1, sizeof *w);

    if (!w)
        return pc_fail(err, 100, "no memory for the bindings of a wave");
    w->desc = desc;
    w->alloc = *alloc;
    w->gpu = gpu;
    w->chip = chip;
    if (gpu)
        pc_gpu_external_time(gpu, advance, w);
    *out = w;
    return PC_OK;
}

enum pc_status sc_waves_fault(const struct sc_waves *w, const struct sc_command *cmd,
                              struct pc_error *err)
{
    if (w->fault.status == PC_OK)
        return PC_OK;
    if (err)
        *err = w->fault;
    return sc_waves_blame(w, cmd->line, cmd->column, w->fault.status, err);
}

enum pc_status sc_waves_start(struct sc_waves *w, const struct sc_command *cmd,
                              struct pc_error *err)
{
    if (w->started)
        return PC_OK;
    uint64_t done, total;
    enum pc_status status = sc_waves_streams(w, w->wave, err);
    if (status)
        return sc_waves_blame(w, cmd->line, cmd->column, status, err);
    pc_wave_progress(w->wave, &done, &total);
    w->blocks = w->streams == 1 && total > 0; /* a pipe cannot be read again */
    status = sc_block_create(&w->alloc, w->gpu, &w->block, err);
    for (unsigned d = 0; d < PC_GPU_DOMAINS && !status; d++)
        if (w->binding[d].has_clock)
            status = sc_block_domain(w->block, d, w->binding[d].signal, w->binding[d].count,
                                     w->binding[d].first, err);
    w->started = status == PC_OK;
    return status;
}

enum pc_status sc_waves_run(struct sc_waves *w, const struct sc_command *cmd, struct pc_error *err)
{
    uint64_t before = w->binding[cmd->domain].cycles;

    if (cmd->to_end && w->over)
        return PC_OK;
    w->running = true;
    enum pc_status status =
        pc_gpu_run(w->gpu, cmd->domain, cmd->to_end ? UINT64_MAX : cmd->count, err);
    w->running = false;
    if (status == PC_END && cmd->to_end) {
        w->over = true;
        return PC_OK;
    }
    if (status == PC_END)
        return pc_fail_at(err, 819, cmd->line, cmd->column,
                          "the wave ended after %" PRIu64 " of %" PRIu64 " cycles of domain %s",
                          w->binding[cmd->domain].cycles - before, cmd->count,
                          sc_domain_name(w->chip, cmd->domain).text);
    return w->fault.status ? sc_waves_fault(w, cmd, err) : status;
}
