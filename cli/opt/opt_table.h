/* SPDX-License-Identifier: MIT */
/* Rows as getopt_long() wants them: for who reads a call, and for completion. */
#ifndef PC_CLI_OPT_TABLE_H
#define PC_CLI_OPT_TABLE_H

#include <getopt.h>

#include "opt/opt.h"

enum { OPT_FIRST = 256 }; /* what getopt_long() returns for row 0, unless that is a letter */

struct opt_table {
    struct option longs[OPT_ROWS + 1];
    char letters[3 * OPT_ROWS + 2];
};
struct opt_table opt_table(const struct opt *rows);
/* The row that getopt_long() returned; NULL: none. */
const struct opt *opt_row_of(const struct opt *rows, int c);

/*
 * Says why getopt_long() returned c, '?' or ':', with similar names, or with the form of the verb
 * that has the option; CLI_INPUT.
 */
int opt_refuse(const struct cli_verb *verb, const struct opt_line *line, int c, char *const *argv,
               const struct option *options);

#endif
