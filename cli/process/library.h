/* SPDX-License-Identifier: MIT */
/* Shared libraries that a verb loads when it wants them (docs/adr/027). */
#ifndef PC_CLI_LIBRARY_H
#define PC_CLI_LIBRARY_H

#include <stdbool.h>

/* Puts the function of that name into the pointer to one at *function; *missing: the name, if there
 * is none. */
void cli_library_find(void *library, const char *name, void *function, const char **missing);

/* Returns true if the loader says that memory ran out. Its words are all that it gives. */
bool cli_library_no_memory(const char *why);

#endif
