/* SPDX-License-Identifier: MIT */
/* When cycles were: that of samples, or of edges of the clock. */
#include "record.h"

int record_times_open(struct record_times *t, const struct stat_job *of, const struct pc_wave *wave,
                      const struct pc_wave_clock *clock)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    *t = (struct record_times){ .unit = cli_time_unit(&info),
                                .sampled = cli_cycles_are_samples(&info, clock) };
    t->known = t->unit.seconds > 0 && (t->sampled || !(cli_read_once(of->path) || of->filter));
    return t->known && !t->sampled ? cli_edges_open(&t->edges, &of->o->read, of->path, clock)
                                   : CLI_OK;
}

void record_times_close(struct record_times *t)
{
    cli_edges_close(&t->edges);
}

int record_time_of(struct record_times *t, uint64_t cycle, uint64_t *time)
{
    if (t->sampled) {
        *time = cycle;
        return CLI_OK;
    }
    const int code = cli_edges_to(&t->edges, cycle);
    *time = t->edges.time;
    return code;
}
