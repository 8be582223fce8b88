/* SPDX-License-Identifier: MIT */
/* Tables for people: rows of cells, each with room for a mark after it. */
#ifndef PC_CLI_CELLS_H
#define PC_CLI_CELLS_H

#include "cli.h"

/* How wide the terminal is; `otherwise`, if there is none. */
int cli_terminal_width(FILE *out, int otherwise);
int cli_larger(int a, int b);
/* A name at the right of that many columns. */
void cli_print_right(FILE *out, const char *name, int width);

/* A row that is being printed. */
struct cli_cells {
    FILE *out;
    char mark; /* after the cell that was printed last; ' ': none */
};
void cli_cell(struct cli_cells *cells, int width, const char *text, char mark);
/* After the last cell: what the row is about. */
void cli_cell_name(struct cli_cells *cells, const char *name);
/* Nothing blank is at the end of a line. */
void cli_cells_end(struct cli_cells *cells);

#endif
