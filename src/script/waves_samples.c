/* SPDX-License-Identifier: MIT */
/* The samples of a wave, all of them, to a caller that plays them in a time of its own. */
#include "script/waves.h"

/* Domains have a clock and signals, or neither; and some domain has them. */
static enum pc_status check_bound(const struct sc_waves *w, struct pc_error *err)
{
    for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
        if (w->binding[d].count && !w->binding[d].has_clock)
            return pc_fail_at(err, 815, w->line, 1,
                              "signals of domain %s are bound, and its clock is not",
                              sc_domain_name(w->chip, d).text);
    for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
        if (w->binding[d].has_clock && !w->binding[d].count)
            return pc_fail_at(err, 815, w->line, 1,
                              "the clock of domain %s is bound, and none of its signals is",
                              sc_domain_name(w->chip, d).text);
    if (!w->clocked)
        return pc_fail_at(err, 815, w->line, 1,
                          "no clock is bound: `bind DOM clock SIGNAL` is missing");
    return PC_OK;
}

static enum pc_status give(const struct sc_waves *w, const struct pc_wave_block *block,
                           pc_script_samples_fn *samples, void *ctx, struct pc_error *err)
{
    const uint64_t domains = w->domains_of[block->stream];
    enum pc_status status = PC_OK;

    for (unsigned d = 0; d < PC_GPU_DOMAINS && !status; d++) {
        const struct sc_binding *b = &w->binding[d];
        const struct pc_script_samples some = { .domain = d,
                                                .signal = b->signal,
                                                .signals = b->count,
                                                .cycles = block->cycles,
                                                .value = block->value + b->first };
        if (domains >> d & 1 && b->count)
            status = samples(ctx, &some, err);
    }
    return status;
}

enum pc_status sc_waves_samples(struct sc_waves *w, pc_script_samples_fn *samples, void *ctx,
                                struct pc_error *err)
{
    struct pc_wave_block block;
    enum pc_status status = check_bound(w, err);

    if (status)
        return status;
    status = sc_waves_streams(w, w->wave, err);
    while (!status && (status = pc_wave_next(w->wave, &block, err)) == PC_OK) {
        enum pc_status given = give(w, &block, samples, ctx, err);
        if (given)
            return given;
    }
    return status == PC_END ? PC_OK : sc_waves_blame(w, w->line, 1, status, err);
}
