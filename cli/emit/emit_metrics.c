/* SPDX-License-Identifier: MIT */
/* Ratios of CVA6's events, for perf and for descriptions: those whose events the core has. */
#include "emit.h"

static const struct {
    const char *name, *about;
    unsigned of, by; /* events; by 0: clocks */
} metrics[] = {
    { "l1i_miss_rate", "misses of the L1 instruction cache among its accesses", 1, 16 },
    { "l1d_miss_rate", "misses of the L1 data cache among its accesses", 2, 17 },
    { "branch_mispredict_rate", "mispredictions among the branches that retire", 10, 9 },
    { "fetch_empty_share", "clocks in which there is no instruction to decode", 15, 0 },
    { "scoreboard_full_share", "clocks in which the scoreboard is full", 14, 0 },
    { "stall_share", "clocks in which the issue stage stalls", 22, 0 },
};

bool emit_metric_at(const struct emit_request *r, size_t *i, struct emit_metric *out)
{
    for (; *i < sizeof metrics / sizeof metrics[0]; ++*i) {
        const unsigned of = metrics[*i].of, by = metrics[*i].by;
        if (!emit_event_exists(r->config, of) || (by && !emit_event_exists(r->config, by)))
            continue;
        *out = (struct emit_metric){ metrics[*i].name, metrics[*i].about, pc_hpm_event_at(of)->name,
                                     by ? pc_hpm_event_at(by)->name : "cycles" };
        ++*i;
        return true;
    }
    return false;
}
