/* SPDX-License-Identifier: MIT */
/* Times of a waveform in units of a power of ten of a second, samples of a capture among them. */
#ifndef PC_CLI_TIME_SCALE_H
#define PC_CLI_TIME_SCALE_H

#include "pcounter/pcounter.h"

struct cli_time_scale {
    bool unknown;  /* the length of a time unit is not known: times stay as they are */
    int exponent;  /* times become units of 10^exponent seconds */
    uint64_t rate; /* samples a second; 0: times are not samples */
    uint64_t per;  /* new units in a second, of samples; else in an old unit */
    bool rounded;  /* samples are not at whole units */
};

/*
 * Finds the coarsest unit that has all times exactly; of samples at a rate that no unit has, 1 ps,
 * or above 1 GHz 1 fs.
 */
struct cli_time_scale cli_time_scale(const struct pc_wave_info *info);
/* Takes a finer unit, 10^exponent seconds; false: a factor of more than 64 bits. */
bool cli_time_scale_finer(struct cli_time_scale *s, int exponent);
/* Returns a time in the new unit, the nearest one; false: more than 64 bits. */
bool cli_time_scaled(const struct cli_time_scale *s, uint64_t time, uint64_t *out);

#endif
