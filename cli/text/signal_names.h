/* SPDX-License-Identifier: MIT */
/* Names of signals on the command line: those of the chip, with the user's tables (--signals). */
#ifndef PC_CLI_SIGNAL_NAMES_H
#define PC_CLI_SIGNAL_NAMES_H

#include "cli.h"

enum { CLI_NAME_FILES = 16 };

/* The values of --signals, in order: later tables replace what earlier ones say. */
struct cli_name_files {
    const char *path[CLI_NAME_FILES];
    size_t count;
};
int cli_names_add(const char *verb, struct cli_name_files *files, const char *path);

/* Opens the names and loads the tables; an exit code.  pc_names_close() them. */
int cli_names_open(const char *verb, const struct pc_chip *chip, const struct cli_name_files *files,
                   struct pc_names **out);

/* Positions as s[45:42], in either case; they may be too large, or the wrong way round. */
bool cli_position_range(const char *name, unsigned long *high, unsigned long *low);
/* The error of s[42:45]. */
enum pc_status cli_range_backwards(const char *name, struct pc_error *err);

#endif
