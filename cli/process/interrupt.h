/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C while a waveform is read: the first one ends the reading, so that what was counted is
 * told, a second one the program, which leaves no unfinished file.
 */
#ifndef PC_CLI_INTERRUPT_H
#define PC_CLI_INTERRUPT_H

#include <stdbool.h>

/* From here on, for what is read from `path`; whoever waits for more of "-" comes back. */
void cli_catch_interrupt(const char *path);
bool cli_interrupted(void);

#endif
