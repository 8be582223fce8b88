/* SPDX-License-Identifier: MIT */
/*
 * Texts of helps as mdoc: paragraphs, blocks that are indented by two blanks and stay as they are,
 * and headings, lines in capital letters.
 */
#ifndef PC_MAN_TEXT_H
#define PC_MAN_TEXT_H

#include <stdbool.h>
#include <stdio.h>

struct part {
    const char *begin, *end;
};

static inline struct part part_of(const char *begin, const char *end)
{
    return (struct part){ begin, end };
}

const char *line_end(const char *p, const char *end);
const char *next_line(const char *p, const char *end);
bool starts(const char *p, const char *end, const char *text);
bool is_indented(const char *p, const char *end);

/* Characters that mean something to roff are escaped; `code` is in quotes. */
void print_escaped(FILE *f, const char *p, const char *end);
/* A paragraph, each sentence on lines of its own. */
void print_sentences(FILE *f, const char *p, const char *end);
/* Paragraphs and blocks; `begun`: something stands before them in the section. */
void print_text(FILE *f, struct part t, bool begun);
/* What stands before the first heading, or before "Exit codes:". */
struct part first_part(struct part t);

#endif
