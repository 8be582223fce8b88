/* SPDX-License-Identifier: MIT */
/* How many threads -j asks for, and how many there are without it. */
#ifndef PC_CLI_JOBS_H
#define PC_CLI_JOBS_H

#include <stddef.h>

/* Without -j: at most this many, and one for files that are smaller together, in bytes. */
enum { CLI_MAX_JOBS = 64, CLI_DEFAULT_JOBS = 4, CLI_SMALL_FILES = 16 << 20 };

/* Returns an exit code, after reporting what is wrong with `text`. */
int cli_parse_jobs(const char *verb, const char *text, unsigned *out);

/*
 * Returns `asked`, or if that is 0 what the machine has for these files: a thread for each CPU that
 * the process may use. One if ranks share the work, for pipes, and for standard input.
 */
unsigned cli_jobs(unsigned asked, const char *const *paths, size_t files);

#endif
