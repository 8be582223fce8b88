/* SPDX-License-Identifier: MIT */
/* The begin and the end of a page of HTML: no script, nothing that is loaded, light and dark. */
#ifndef PC_CLI_PAGE_H
#define PC_CLI_PAGE_H

#include <stdio.h>

/* Writes the head, "pcounter VERB: INPUT", and opens the body; `style` comes after that of all
 * pages. */
void page_begin(FILE *out, const char *verb, const char *input, const char *style);
/* Writes the warnings of the run so far, and who made the page, as a list of facts. */
void page_facts(FILE *out);
void page_end(FILE *out);

#endif
