/* SPDX-License-Identifier: MIT */
/*
 * One line on a terminal's stderr that tells how far a long reading or script is: after half a
 * second, then five times a second, and gone at the end.  Nothing under -q, nothing if stderr is no
 * terminal.
 */
#ifndef PC_CLI_PROGRESS_H
#define PC_CLI_PROGRESS_H

#include <time.h>

#include "cli.h"

struct cli_progress {
    bool on;
    struct timespec start, last;
};

void cli_progress_begin(struct cli_progress *p);
/* Bytes; total 0 if not known. */
void cli_progress_bytes(struct cli_progress *p, uint64_t done, uint64_t total);
/* Reports the cycles so far, and how much of the waveform is read. */
void cli_progress_wave(struct cli_progress *p, const struct pc_wave *wave, uint64_t cycles);
/* Accesses of a script's line. */
void cli_progress_script(struct cli_progress *p, uint32_t line, uint64_t done, uint64_t count);
/* Ends the line before anything else is written to the terminal; messages see to it themselves. */
void cli_progress_end(struct cli_progress *p);

#endif
