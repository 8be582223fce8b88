/* SPDX-License-Identifier: MIT */
/* The clock of a waveform that has one, for those who named none. */
#ifndef PC_CLI_ONLY_CLOCK_H
#define PC_CLI_ONLY_CLOCK_H

#include "wave/read_options.h"

/*
 * Reads the whole file as `info` does.  CLI_OK: *clock is what --clock would have said, to be
 * freed.  Else an exit code, after asking for the clock with the names of those there are.
 */
int cli_only_clock(const char *verb, const struct cli_read_options *read, const char *path,
                   unsigned threads, char **clock);

#endif
