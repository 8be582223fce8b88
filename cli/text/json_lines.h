/* SPDX-License-Identifier: MIT */
/*
 * --format jsonl: a report as lines, each of them a JSON by itself: one of the type "begin", then
 * items, then one of the type "end".  They go out one by one.
 */
#ifndef PC_CLI_JSON_LINES_H
#define PC_CLI_JSON_LINES_H

#include "cli.h"

struct cli_lines {
    FILE *out;  /* where the lines go */
    FILE *line; /* collects the one that is being made, which may stand on several */
    char *text;
    size_t size;
    uint64_t seq; /* lines that are out */
    bool failed;  /* there was no memory for one, and cli_no_memory() has said so */
};

/* NULL: no memory, and it has been said. */
struct cli_lines *cli_lines_new(void);
void cli_lines_free(struct cli_lines *lines);

/*
 * `{ "type": "item", "seq": 3`: the members after it are the caller's, each with a comma before
 * it.  NULL: no memory; then there is nothing to close.
 */
FILE *cli_line_open(struct cli_lines *lines, FILE *out, const char *type);
/* The same of a report's first line, with "$schema" and "tool". */
FILE *cli_line_begin(struct cli_lines *lines, FILE *out, const char *schema);
/* An item: after `, "name": `. */
FILE *cli_line_item(struct cli_lines *lines, FILE *out, const char *name);
/* The last one, with "items" and "partial". */
FILE *cli_line_end(struct cli_lines *lines, FILE *out, bool partial);
/* The brace, and the line goes out. */
void cli_line_close(struct cli_lines *lines);

#endif
