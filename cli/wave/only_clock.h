/* SPDX-License-Identifier: MIT */
/* The clock of a waveform that has one, for those who named none. */
#ifndef PC_CLI_ONLY_CLOCK_H
#define PC_CLI_ONLY_CLOCK_H

#include "wave/read_options.h"

struct cli_only_clock {
    char *name;   /* what --clock would have said; to be freed, also after an error */
    char why[80]; /* "explains 100 % of 24 changes"; empty: no other signal changes */
};

/*
 * Reads the whole file as `info` does, and its begin once more for what the clock explains.  Else
 * an exit code, after asking for the clock: there is none or there are several, another one
 * explains as much, or this one explains less than half.
 */
int cli_find_only_clock(const char *verb, const struct cli_read_options *read, const char *path,
                        unsigned threads, struct cli_only_clock *out);

#endif
