/* SPDX-License-Identifier: MIT */
#include "wave/time_unit.h"
#include "text/ten.h"

/* Powers of ten of seconds, from hundreds of seconds to zeptoseconds, as waveforms have them */
enum { COARSEST = 2, FINEST = -21 };

struct cli_time_unit cli_time_unit(const struct pc_wave_info *info)
{
    struct cli_time_unit u = { .exponent = info->timescale_exponent };

    for (uint64_t factor = info->timescale_factor; factor > 1; factor /= 10)
        u.exponent++;
    u.decimal = !info->sampled && u.exponent >= FINEST && u.exponent <= COARSEST;
    if (!info->sampled)
        u.seconds = cli_times_ten_to((double)info->timescale_factor, info->timescale_exponent);
    else if (info->sample_rate)
        u.seconds = 1 / (double)info->sample_rate;
    return u;
}

bool cli_cycles_are_samples(const struct pc_wave_info *info, const struct pc_wave_clock *clock)
{
    return info->sampled && clock->edge == PC_EDGE_EVERY && !clock->has_iff;
}
