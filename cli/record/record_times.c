/* SPDX-License-Identifier: MIT */
/*
 * When cycles were: that of samples, or of the edges of the block that is counted.  A row that ends
 * with the last cycle of a block ends when the next one begins, which only the next block says.
 */
#include "record.h"

void record_times_open(struct record_times *t, const struct pc_wave *wave,
                       const struct pc_wave_clock *clock)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    *t = (struct record_times){ .unit = cli_time_unit(&info),
                                .sampled = cli_cycles_are_samples(&info, clock) };
    cli_time_unit_text(&info, t->scale);
    t->rate = info.sampled ? info.sample_rate : 0;
    t->known = t->unit.seconds > 0;
}

uint64_t record_time_of(const struct record_times *t, uint64_t cycle)
{
    const struct pc_wave_block *b = t->block;

    if (t->sampled)
        return cycle;
    return b && cycle - b->first_cycle < b->cycles ? b->time[cycle - b->first_cycle] : RECORD_LATER;
}
