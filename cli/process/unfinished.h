/* SPDX-License-Identifier: MIT */
/* Temporary files that a signal which ends the program removes. */
#ifndef PC_CLI_UNFINISHED_H
#define PC_CLI_UNFINISHED_H

#include <signal.h>

/* Holds signals from before a temporary file is made until cli_remove_at_signal() (cli.h) knows it.
 */
void cli_hold_signals(sigset_t *before);
/* From now on a signal removes the files and ends the program, but one that a verb handles itself.
 */
void cli_catch_signals(void);
/* Undoes cli_remove_at_signal(). */
void cli_keep_at_signal(const char *temporary);

#endif
