/* SPDX-License-Identifier: MIT */
/*
 * The text for people where a report has it as Markdown as well: it is collected, with marks at
 * rows and cells of tables, and its writers take the marks out (report/report_page.c).  Names have
 * no control characters when they are printed, so no name can be a mark.
 */
#ifndef PC_CLI_TEXT_PAGE_H
#define PC_CLI_TEXT_PAGE_H

#include "cli.h"

enum {
    CLI_PAGE_LEFT = '\x1a',     /* after the beginning of a cell of a head: aligned at the left */
    CLI_PAGE_TEXT = '\x1c',     /* what is between two of them is in the text alone */
    CLI_PAGE_MARKDOWN = '\x1d', /* ... in Markdown alone */
    CLI_PAGE_ROW = '\x1e',      /* begins a row of a table; twice: its head */
    CLI_PAGE_CELL = '\x1f'      /* begins a cell */
};

struct cli_page {
    FILE *file; /* printers write to it */
    char *text; /* what they have written, after fflush() */
    size_t size;
    FILE *shown; /* where the text goes; NULL: it is not wanted */
    bool begun;  /* some of it has been handed over */
    struct cli_page *before;
};

/* Opens a page of this thread, which stays where it is until it is closed; false: no memory. */
bool cli_page_open(struct cli_page *page, FILE *shown);
void cli_page_close(struct cli_page *page);
/* Returns the open page of this thread that is written by that file; NULL: it is no page. */
const struct cli_page *cli_page_of(FILE *file);

/* Begins or ends what is in the text alone, if Markdown is wanted as well. */
void cli_page_text_alone(FILE *file);
static inline bool cli_page_is_mark(char c)
{
    return c == CLI_PAGE_LEFT || (c >= CLI_PAGE_TEXT && c <= CLI_PAGE_CELL);
}

#endif
