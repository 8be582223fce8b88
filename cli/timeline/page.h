/* SPDX-License-Identifier: MIT */
/* The begin and the end of a page of HTML: no script, nothing that is loaded, light and dark. */
#ifndef PC_CLI_PAGE_H
#define PC_CLI_PAGE_H

#include <stdio.h>

/* Writes the head and the heading, "TITLE: INPUT"; `first` comes between them. */
void page_head(FILE *out, const char *title, const char *input, const char *style[2],
               const char *first);
/* Writes the head and the heading with the style of all pages, and `style` after it. */
void page_begin(FILE *out, const char *title, const char *input, const char *style);
/* Writes the warnings of the run so far, and who made the page, as a list of facts. */
void page_facts(FILE *out);
/* Adds these facts to a list that the caller has begun, and ends the list. */
void page_last_facts(FILE *out);
void page_end(FILE *out);

#endif
