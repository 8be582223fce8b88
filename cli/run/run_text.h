/* SPDX-License-Identifier: MIT */
/* Facts about a script of `pcounter run` that are known before it runs. */
#ifndef PC_CLI_RUN_TEXT_H
#define PC_CLI_RUN_TEXT_H

#include <stdbool.h>

/* Returns the folder of the script, in which it looks for its wave; free() it. NULL: here. */
char *run_folder_of(const char *path);
/* Returns true if there is a line that begins with `wave`. */
bool run_has_wave(const char *text);

#endif
