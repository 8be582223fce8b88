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

void cli_time_unit_text(const struct pc_wave_info *info, char out[32])
{
    uint64_t factor = info->timescale_factor;
    int e = info->timescale_exponent;

    out[0] = '\0';
    if (info->sampled || factor == 0)
        return;
    for (; factor % 10 == 0; factor /= 10)
        e++;
    for (; e % 3 != 0; e--)
        factor *= 10;
    if (factor <= 100 && pc_time_unit(e))
        snprintf(out, 32, "%u%s", (unsigned)factor, pc_time_unit(e));
}

bool cli_cycles_are_samples(const struct pc_wave_info *info, const struct pc_wave_clock *clock)
{
    return info->sampled && clock->edge == PC_EDGE_EVERY && !clock->has_iff;
}
