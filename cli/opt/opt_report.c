/* SPDX-License-Identifier: MIT */
/* -o and --format: where a report goes, and in which format. */
#include "opt/opt.h"

#include "complete/complete.h"

#include <string.h>

const struct opt_formats opt_plain = { .jsonl = false };
const struct opt_formats opt_views = { .jsonl = true, .timeline = true };

static int take_output(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct opt_report *r = field;

    (void)verb, (void)row;
    r->path = text;
    return CLI_OK;
}

static int take_format(const char *verb, const struct opt *row, const char *text, void *field)
{
    const struct opt_formats *formats = row->of;
    struct opt_report *r = field;

    return cli_parse_format_or(verb, text, &r->format, formats->jsonl ? &r->jsonl : NULL,
                               formats->timeline ? &r->timeline : NULL)
               ? CLI_OK
               : CLI_INPUT;
}

/* In the order of cli_parse_format_or(), whose words they are. */
static const char *format_at(const struct opt *row, size_t i)
{
    static const char *const words[] = { "text",  "csv", "json",     "csv-safe",
                                         "jsonl", "vcd", "perfetto", "html" };
    const struct opt_formats *formats = row->of;
    const size_t count = formats->timeline ? 8 : formats->jsonl ? 5 : 4;

    return i < count ? words[i] : NULL;
}

static const char *suffixes(const struct opt_formats *formats)
{
    return formats->timeline
               ? ".txt, .csv, .json, .jsonl, .html, .vcd, .perfetto.json and .trace.json"
           : formats->jsonl ? ".txt, .csv, .json and .jsonl"
                            : ".txt, .csv and .json";
}

/* Without --format the name of the file says it. */
static int end_format(const char *verb, const struct opt *row, bool given, void *field)
{
    const struct opt_formats *formats = row->of;
    struct opt_report *r = field;
    const enum timeline_format view = cli_timeline_of(r->path);

    if (given)
        return CLI_OK;
    if (view && formats->no_views)
        return cli_usage(verb, "-o %s: %s; %s choose the format, or --format does", r->path,
                         formats->no_views, suffixes(formats));
    r->timeline = formats->timeline ? view : TIMELINE_NONE;
    r->jsonl = formats->jsonl && cli_has_suffix(r->path, ".jsonl");
    r->format = r->timeline ? CLI_CSV : CLI_JSON;
    return r->timeline || r->jsonl
               ? CLI_OK
               : cli_output_format(verb, r->path, suffixes(formats), &r->format);
}

static void tell_output(const struct opt *row, char *out, size_t size)
{
    snprintf(out, size, "where to write; %s choose the format", suffixes(row->of));
}

const struct opt_kind opt_output = {
    .value = "FILE", .take = take_output, .offer = complete_files, .tell = tell_output
};
const struct opt_kind opt_format = {
    .value = "FORMAT", .take = take_format, .word = format_at, .end = end_format
};
