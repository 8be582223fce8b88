/* SPDX-License-Identifier: MIT */
/* Times of the command line in time units of a waveform, for verbs that look at time, not cycles.
 */
#ifndef PC_CLI_TIME_WINDOW_H
#define PC_CLI_TIME_WINDOW_H

#include "wave/span.h"

struct cli_time_of {
    const char *verb, *path;
    const struct pc_wave_info *info;
};

/*
 * Reads an option as time units: a number is of them, and a time is the first one at it or after
 * it, or with `whole` exactly one.  *out stays as it is if the option was not given.  An exit code.
 */
int cli_time_units(const struct cli_time_of *of, const struct cli_span *span, const char *option,
                   bool whole, uint64_t *out);
/* Reads --from and --to, between which there has to be some time; 0: not given.  An exit code. */
int cli_time_window(const struct cli_time_of *of, const struct cli_span *from,
                    const struct cli_span *to, uint64_t *first, uint64_t *end);

#endif
