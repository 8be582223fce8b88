/* SPDX-License-Identifier: MIT */
/* The table of formats, which of them a report has, and what -o and --format say. */
#include "complete/complete.h"
#include "opt/opt.h"
#include "report/report_writer.h"

#include <string.h>
#include <strings.h>

static const struct rep_format formats[] = {
#define F(writer_, word, suffix_, other_, needs_, timeline_)                                       \
    { word, suffix_, other_, &rep_##writer_, needs_, timeline_ },
#define V(word, suffix_, other_, needs_, timeline_)                                                \
    { word, suffix_, other_, NULL, needs_, timeline_ },
#include "report/formats.def"
#undef F
#undef V
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

const struct rep_format *rep_text_format(void)
{
    return &formats[0];
}

static bool streams(const struct rep_def *def)
{
    for (const struct rep_field *f = def->field; f->name; f++)
        if (f->flags & REP_STREAM)
            return true;
    return false;
}

enum { OF_VERBS = REP_SAIF | REP_PROGRAM | REP_COMMANDS };

static bool has_format(const struct rep_def *def, const struct rep_format *f)
{
    return (!(f->needs & REP_NEEDS_STREAM) || streams(def)) &&
           (!(f->needs & REP_NEEDS_TESTS) || def->test) &&
           (!(f->needs & REP_NEEDS_PAGE) || def->series || def->page || def->tables) &&
           (!(f->needs & REP_NEEDS_SERIES) || def->series) && !(f->needs & OF_VERBS & ~def->own);
}

const struct rep_writer *rep_writer_of(const struct rep_format *f, const struct rep_def *def)
{
    const bool drawn = def->series || (def->page && f->timeline == TIMELINE_HTML);

    return f->timeline != TIMELINE_NONE && drawn ? NULL : f->writer;
}

static const struct rep_format *format_at(const struct rep_def *def, size_t i)
{
    for (size_t n = 0; n < FORMATS; n++)
        if (has_format(def, &formats[n]) && i-- == 0)
            return &formats[n];
    return NULL;
}

const char *rep_format_at(const struct rep_def *def, size_t i)
{
    const struct rep_format *f = format_at(def, i);

    return f ? f->name : NULL;
}

const char *rep_lacks(const struct rep_def *def, const struct rep_request *wanted)
{
    for (size_t i = 0; i < wanted->outputs; i++)
        if (!has_format(def, wanted->output[i].format))
            return wanted->output[i].format->name;
    return NULL;
}

bool rep_is(const struct rep_request *wanted, size_t i, const char *format)
{
    return strcmp(wanted->output[i].format->name, format) == 0;
}

enum timeline_format rep_timeline(const struct rep_request *wanted, size_t i)
{
    return i < wanted->outputs ? wanted->output[i].format->timeline : TIMELINE_NONE;
}

/* --- several reports in one output --- */

static void put(const char *text, FILE *out)
{
    if (text)
        fputs(text, out);
}

size_t rep_before(const struct rep_request *wanted, const struct rep_def *def, size_t told,
                  FILE *out)
{
    const struct rep_writer *w = rep_writer_of(wanted->output[0].format, def);

    if (!w)
        return 0;
    put(told ? w->between : w->before, out);
    return w->cut;
}

void rep_after(const struct rep_request *wanted, const struct rep_def *def, size_t told, FILE *out)
{
    const struct rep_writer *w = rep_writer_of(wanted->output[0].format, def);

    if (w && told == 0)
        put(w->none ? w->none : w->before, out);
    if (w && (told > 0 || !w->none))
        put(w->after, out);
}

/* --- names of files --- */

void rep_suffixes(const struct rep_def *def, char *out, size_t size)
{
    const char *suffix[2 * FORMATS];
    const struct rep_format *f;
    size_t count = 0, used = 0;

    for (size_t i = 0; (f = format_at(def, i)) != NULL; i++) {
        if (f->suffix)
            suffix[count++] = f->suffix;
        if (f->other)
            suffix[count++] = f->other;
    }
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " and ",
                                 suffix[i]);
}

/* Does the name of a file end so?  The last format that fits wins: .json is also the end of others.
 */
static const struct rep_format *format_of(const struct rep_def *def, const char *path)
{
    const struct rep_format *f, *best = NULL;

    for (size_t i = 0; (f = format_at(def, i)) != NULL; i++)
        if ((f->suffix && cli_has_suffix(path, f->suffix)) ||
            (f->other && cli_has_suffix(path, f->other)))
            best = f;
    return best;
}

/* Chooses the format of an output that --format does not name; returns an exit code. */
static int choose(const char *verb, const struct rep_def *def, struct rep_wanted *w)
{
    char known[200];

    w->format = format_of(def, w->path);
    if (w->format)
        return CLI_OK;
    w->format = rep_text_format();
    rep_suffixes(def, known, sizeof known);
    return cli_refuse_suffix(verb, w->path, known);
}

/* --- options --- */

static int take_output(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct rep_request *q = field;

    (void)row;
    if (q->outputs == REP_OUTPUTS)
        return cli_usage(verb, "-o can be given %d times", REP_OUTPUTS);
    q->output[q->outputs++].path = text;
    return CLI_OK;
}

static int take_format(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct rep_request *q = field;
    const char *words[FORMATS + 1] = { NULL };
    int at = 0;

    if (strcmp(text, "csv-safe") == 0)
        return cli_usage(verb, "--format csv-safe is now --format csv --csv-safe");
    for (size_t i = 0; i < FORMATS && (words[i] = rep_format_at(row->of, i)) != NULL;)
        i++;
    const int code = cli_parse_word(verb, "--format", text, words, &at);
    q->format = code ? NULL : format_at(row->of, (size_t)at);
    return code;
}

static const char *format_word(const struct opt *row, size_t i)
{
    return rep_format_at(row->of, i);
}

/* Two outputs in one file. */
static int check_outputs(const char *verb, const struct rep_request *q)
{
    for (size_t i = 0; i < q->outputs; i++)
        for (size_t k = 0; k < i; k++)
            if (cli_same_output(q->output[i].path, q->output[k].path))
                return cli_usage(verb, "-o %s: another -o is the same file", q->output[i].path);
    return CLI_OK;
}

/* Refuses two outputs of a format that the verb itself writes, because it writes it once. */
static int check_formats(const char *verb, const struct rep_request *q)
{
    for (size_t i = 0; i < q->outputs; i++)
        for (size_t k = 0; k < i; k++)
            if (q->output[i].format == q->output[k].format && !q->output[i].format->writer &&
                q->output[i].format->timeline == TIMELINE_NONE)
                return cli_usage(verb, "-o %s: -o %s has the same format, %s", q->output[i].path,
                                 q->output[k].path, q->output[i].format->name);
    return CLI_OK;
}

/*
 * --format is of the output, and of several of those whose names do not say another one; without it
 * the names say it.
 */
static int end_format(const char *verb, const struct opt *row, bool given, void *field)
{
    struct rep_request *q = field;
    int code = check_outputs(verb, q);

    (void)given;
    if (q->outputs == 0)
        q->outputs = 1;
    for (size_t i = 0; i < q->outputs && code == CLI_OK; i++) {
        struct rep_wanted *w = &q->output[i];
        w->format =
            q->format && (q->outputs == 1 || !format_of(row->of, w->path)) ? q->format : NULL;
        if (!w->format)
            code = choose(verb, row->of, w);
    }
    return code ? code : check_formats(verb, q);
}

static int take_csv_safe(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct rep_request *q = field;

    (void)verb;
    (void)row;
    (void)text;
    q->csv_safe = true;
    return CLI_OK;
}

/* Its row comes after that of --format, so each output has its format. */
static int end_csv_safe(const char *verb, const struct opt *row, bool given, void *field)
{
    const struct rep_request *q = field;

    (void)row;
    for (size_t i = 0; i < q->outputs; i++)
        if (rep_is(q, i, "csv"))
            return CLI_OK;
    return given ? cli_usage(verb, "--csv-safe is for --format csv") : CLI_OK;
}

static void add_suffixes(const struct opt *row, char *out, size_t size)
{
    char known[200];

    rep_suffixes(row->of, known, sizeof known);
    snprintf(out, size, "%s; may be given several times", known);
}

const struct opt_kind rep_opt_output = { .value = "FILE",
                                         .brief = "write to FILE; the suffix selects the format",
                                         .take = take_output,
                                         .offer = complete_files,
                                         .add = add_suffixes };
const struct opt_kind rep_opt_format = {
    .value = "FORMAT", .take = take_format, .word = format_word, .end = end_format
};
const struct opt_kind rep_opt_csv_safe = {
    .brief = "keep spreadsheets from calculating CSV text",
    .more = "text that begins with = + - @ gets an apostrophe before it",
    .take = take_csv_safe,
    .end = end_csv_safe
};
