/* SPDX-License-Identifier: MIT */
/* Ratios of CVA6's events, for perf and for descriptions: those whose events the core has. */
#include "emit.h"

static const struct {
    const char *name, *about;
    const char *of, *by; /* events; by NULL: clocks */
} metrics[] = {
    { "l1i_miss_rate", "misses of the L1 instruction cache among its accesses", "L1I_MISS",
      "L1I_ACCESS" },
    { "l1d_miss_rate", "misses of the L1 data cache among its accesses", "L1D_MISS", "L1D_ACCESS" },
    { "branch_mispredict_rate", "mispredictions among the branches that retire",
      "BRANCH_MISPREDICT", "BRANCH" },
    { "fetch_empty_share", "clocks in which there is no instruction to decode", "FETCH_EMPTY",
      NULL },
    { "scoreboard_full_share", "clocks in which the scoreboard is full", "SB_FULL", NULL },
    { "stall_share", "clocks in which the issue stage stalls", "PIPE_STALL", NULL },
};

/* The event, if the core has it; NULL: it does not. */
static const struct pc_hpm_event *event_of(const struct emit_request *r, const char *name)
{
    const struct pc_hpm_event *event;

    return pc_hpm_event_find(name, &event, NULL) == PC_OK && emit_event_exists(r->config, event->id)
               ? event
               : NULL;
}

bool emit_metric_at(const struct emit_request *r, size_t *i, struct emit_metric *out)
{
    for (; *i < sizeof metrics / sizeof metrics[0]; ++*i) {
        const char *by_name = metrics[*i].by;
        const struct pc_hpm_event *of = event_of(r, metrics[*i].of),
                                  *by = by_name ? event_of(r, by_name) : NULL;
        if (!of || (by_name && !by))
            continue;
        *out = (struct emit_metric){ metrics[*i].name, metrics[*i].about, of->name,
                                     by ? by->name : "cycles" };
        ++*i;
        return true;
    }
    return false;
}
