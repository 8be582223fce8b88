/* SPDX-License-Identifier: MIT */
/* Prints the sum for people, by the printers of the verb. */
#include "bus/bus_rows.h"
#include "merge/merge.h"
#include "stat/stat_report.h"
#include "text/warnings.h"

static int print_bus(FILE *text, FILE *html, const struct merge_report *r)
{
    const struct bus_view view = { .root = &r->root, .reports = r->reports };
    const int code = text ? bus_text(&view, text) : CLI_OK;

    return code == CLI_OK && html ? bus_page(&view, html) : code;
}

static int print_stat(FILE *text, const struct merge_report *r)
{
    const struct stat_view view = { .root = &r->root, .reports = r->reports };

    stat_text_title(text, &view);
    const int code = stat_text_rest(text, &view);
    cli_text_warnings(text);
    return code;
}

int merge_print(FILE *text, FILE *html, const struct merge_report *r)
{
    if (r->kind == MERGE_ACTIVITY)
        return merge_print_activity(text, html, r);
    if (r->kind == MERGE_BUS)
        return print_bus(text, html, r);
    return text ? print_stat(text, r) : CLI_OK;
}
