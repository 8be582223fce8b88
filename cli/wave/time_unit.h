/* SPDX-License-Identifier: MIT */
/* The time unit of a waveform, in seconds. */
#ifndef PC_CLI_TIME_UNIT_H
#define PC_CLI_TIME_UNIT_H

#include "wave/read_options.h"

/* A time unit of a waveform. */
struct cli_time_unit {
    double seconds; /* 0: not known */
    bool decimal;   /* it is 10^exponent of them, as times have it; samples have a rate */
    int exponent;
};
struct cli_time_unit cli_time_unit(const struct pc_wave_info *info);

/* Writes "10ps"; "": samples, or no unit that has a name. */
void cli_time_unit_text(const struct pc_wave_info *info, char out[32]);

/* Is each sample a cycle?  Then cycle n is at time n. */
bool cli_cycles_are_samples(const struct pc_wave_info *info, const struct pc_wave_clock *clock);

#endif
