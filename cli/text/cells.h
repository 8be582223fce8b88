/* SPDX-License-Identifier: MIT */
/* Widths of text for people; tables are in table.h. */
#ifndef PC_CLI_CELLS_H
#define PC_CLI_CELLS_H

#include "cli.h"

/* Returns the width of the terminal; `otherwise`, if there is none. */
int cli_terminal_width(FILE *out, int otherwise);
int cli_larger(int a, int b);

#endif
