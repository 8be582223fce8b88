/* SPDX-License-Identifier: MIT */
/* See page.h. */
#include "text/page.h"

#include <stdlib.h>

static _Thread_local struct cli_page *top;

bool cli_page_open(struct cli_page *page, FILE *shown)
{
    page->file = open_memstream(&page->text, &page->size);
    page->shown = shown;
    if (!page->file)
        return false;
    page->before = top;
    top = page;
    return true;
}

void cli_page_close(struct cli_page *page)
{
    struct cli_page **at = &top;

    if (!page->file)
        return;
    while (*at && *at != page)
        at = &(*at)->before;
    if (*at)
        *at = page->before;
    fclose(page->file);
    free(page->text);
    page->file = NULL;
}

const struct cli_page *cli_page_of(FILE *file)
{
    const struct cli_page *page = top;

    while (page && page->file != file)
        page = page->before;
    return page;
}

void cli_page_text_alone(FILE *file)
{
    if (cli_page_of(file))
        fputc(CLI_PAGE_TEXT, file);
}
