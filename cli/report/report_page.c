/* SPDX-License-Identifier: MIT */
/*
 * The text for people, where it is wanted as Markdown as well: it is collected with its marks, and
 * handed over by whole lines.
 */
#include "report/report_writer.h"
#include "text/warnings.h"

static const struct rep_writer *page_writer(const struct rep *r, size_t i)
{
    const struct rep_writer *w = rep_writer_of(r->output[i].format, r->def);

    return w && w->page ? w : NULL;
}

bool rep_page_open(struct rep *r)
{
    FILE *const shown = rep_own(r, rep_text_format()->name);

    for (size_t i = 0; i < r->outputs; i++)
        if (page_writer(r, i))
            return cli_page_open(&r->page, shown);
    return true;
}

/* The text without marks. */
static void show(FILE *out, const char *text, size_t size)
{
    bool hidden = false;

    for (size_t i = 0; i < size; i++) {
        hidden ^= text[i] == CLI_PAGE_MARKDOWN;
        if (!hidden && !cli_page_is_mark(text[i]))
            fputc(text[i], out);
    }
}

/* The warnings of the run, which the text has under -q alone. */
static void put_warnings(FILE *out)
{
    const char *warning;

    if (!cli_warning_at(0))
        return;
    fprintf(out, "%c\n", CLI_PAGE_MARKDOWN);
    for (size_t i = 0; (warning = cli_warning_at(i)) != NULL; i++)
        cli_print_between(out, "warning: ", warning, "\n");
    fputc(CLI_PAGE_MARKDOWN, out);
}

void rep_page_hand_over(struct rep *r, bool all)
{
    struct cli_page *page = &r->page;

    if (!page->file)
        return;
    if (all && (page->begun || ftello(page->file) > 0)) /* else an error came before all of it */
        put_warnings(page->file);
    const bool written = fflush(page->file) == 0 && !ferror(page->file);
    if (written && !all && (page->size == 0 || page->text[page->size - 1] != '\n'))
        return;
    if (written && page->shown)
        show(page->shown, page->text, page->size);
    for (size_t i = 0; i < r->outputs; i++) {
        struct rep_output *o = &r->output[i];
        if (!page_writer(r, i))
            continue;
        o->buffer.failed |= !written;
        if (written)
            page_writer(r, i)->page(r, o, page->text, page->size, all);
    }
    page->begun |= page->size > 0;
    rewind(page->file);
}
