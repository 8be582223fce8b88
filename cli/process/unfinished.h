/* SPDX-License-Identifier: MIT */
/* Temporary files that a signal which ends the program removes. */
#ifndef PC_CLI_UNFINISHED_H
#define PC_CLI_UNFINISHED_H

#include <signal.h>

/* Holds signals from before a temporary file is made until cli_guard() knows it. */
void cli_hold_signals(sigset_t *before);
/* Ends the program without them at signals, but those that a verb handles itself (partial results).
 */
void cli_catch_signals(void);
/* Removes this file, whose path stays there, if a signal ends the program; until cli_unguard(). */
void cli_guard(const char *temporary);
void cli_unguard(const char *temporary);

#endif
