/* SPDX-License-Identifier: MIT */
/*
 * Tables for people.  A table has columns, then rows of cells from left to right; text aligns
 * them, Markdown has them between bars (page.h).  A table that streams prints each row at once, by
 * the widths that its columns say; all others are kept until their end, are as wide as their cells,
 * and leave columns out where the terminal has no room, which a line below the table says.
 */
#ifndef PC_CLI_TABLE_H
#define PC_CLI_TABLE_H

#include "cli.h"

struct cli_column {
    const char *head;   /* is copied; NULL: it has none in text */
    const char *named;  /* the head in Markdown, is copied; NULL: the same */
    const char *before; /* text alone has this before each cell that is not empty: "# " */
    int width;          /* at least */
    int most;           /* cells that are wider do not make the column wider; 0: any do */
    int gap;            /* blanks before it; 0: those of the table */
    unsigned char lost; /* the 1st to be left out, the 2nd, ...; 0: it never is */
    bool left;          /* aligned at the left */
    bool apart;         /* text has cells wider than the column on a line above the row */
    bool drawn;         /* it is a drawing of characters, which Markdown lacks */
};

struct cli_look {
    int indent, gap; /* blanks before the first column, and before each other */
    int widest;      /* columns where there is no terminal; 0: any width fits */
    bool streams;    /* each row is printed when it ends */
    bool bare;       /* its text has no heads */
};

struct cli_table;

/* Opens a table; NULL: no memory, which the end says. */
struct cli_table *cli_table_open(FILE *out, const struct cli_look *look);
void cli_table_column(struct cli_table *t, const struct cli_column *column);
void cli_table_columns(struct cli_table *t, const struct cli_column *column, size_t count);
/* Prints the heads of a table that streams, before its first row. */
void cli_table_head(struct cli_table *t);
/* Puts the next cell of the row; what a name may not show is replaced (cli_print_name()). */
void cli_cell(struct cli_table *t, const char *text);
/* Puts a cell with a mark right after it, in the gap. */
void cli_cell_marked(struct cli_table *t, const char *text, char mark);
void cli_cell_count(struct cli_table *t, uint64_t value); /* with grouped digits */
void cli_cell_print(struct cli_table *t, const char *fmt, ...) PC_PRINTF(2, 3);
/* Puts a text in place of all cells that follow; its column does not become wider. */
void cli_cell_rest(struct cli_table *t, const char *fmt, ...) PC_PRINTF(2, 3);
/* Ends the row: cells that were not put are empty. */
void cli_row_end(struct cli_table *t);
/* Prints what was kept, and frees the table; CLI_LIMIT: there was no memory, as it says. */
int cli_table_close(struct cli_table *t);

#endif
