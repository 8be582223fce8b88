/* SPDX-License-Identifier: MIT */
/* pcounter explain: the error catalogue. */
#include "text/regs_text.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 78 };

/* "PC-E0217", "E217", "217", "PC-N0301", "w501": in any case. */
static bool parse_code(const char *text, char *letter, unsigned *out)
{
    unsigned value = 0;

    if (toupper((unsigned char)text[0]) == 'P' && toupper((unsigned char)text[1]) == 'C' &&
        text[2] == '-')
        text += 3;
    *letter = (char)toupper((unsigned char)text[0]);
    if (*letter == 'E' || *letter == 'N' || *letter == 'W')
        text++;
    else
        *letter = 'E';
    if (*text == '\0' || strlen(text) > 5)
        return false;
    for (; *text; text++) {
        if (!isdigit((unsigned char)*text))
            return false;
        value = value * 10 + (unsigned)(*text - '0');
    }
    *out = value;
    return true;
}

/* Words of the text on lines of at most LINE_WIDTH, indented by two. */
static void print_wrapped(FILE *out, const char *text)
{
    size_t column = 0;

    while (*text) {
        size_t n = strcspn(text, " ");
        if (column > 0 && column + 1 + n > LINE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        column += (size_t)fprintf(out, "%s%.*s", column ? " " : "  ", (int)n, text);
        text += n;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* An error, a note or a warning. */
struct entry {
    char code[12]; /* "PC-E0217" */
    const char *status, *title, *why, *what_to_do;
};

static struct entry entry_of_error(const struct pc_error_info *info)
{
    struct entry e = { .status = pc_status_name(info->status),
                       .title = info->title,
                       .why = info->why,
                       .what_to_do = info->what_to_do };

    snprintf(e.code, sizeof e.code, "PC-E%04u", info->code % 100000);
    return e;
}

static struct entry entry_of_remark(const struct cli_remark *r)
{
    struct entry e = { .status = r->letter == 'N' ? "note" : "warning",
                       .title = r->title,
                       .why = r->why,
                       .what_to_do = "" };

    snprintf(e.code, sizeof e.code, "PC-%c%04u", r->letter, r->code % 100000);
    return e;
}

static void print_text(FILE *out, const struct entry *e)
{
    fprintf(out, "%s: %s (%s)\n\nWhy:\n", e->code, e->title, e->status);
    print_wrapped(out, e->why);
    if (!e->what_to_do[0])
        return;
    fputs("\nWhat to do:\n", out);
    print_wrapped(out, e->what_to_do);
}

static void print_csv(FILE *out, const struct entry *e)
{
    fprintf(out, "%s,%s,", e->code, e->status);
    cli_csv_field(out, e->title);
    fputc(',', out);
    cli_csv_field(out, e->why);
    fputc(',', out);
    cli_csv_field(out, e->what_to_do);
    cli_csv_end(out);
}

static void print_json(FILE *out, const struct entry *e)
{
    fprintf(out, " {\"code\":\"%s\",\"status\":\"%s\",\"title\":", e->code, e->status);
    cli_json_string(out, e->title);
    fputs(",\n  \"why\":", out);
    cli_json_string(out, e->why);
    fputs(",\n  \"what_to_do\":", out);
    cli_json_string(out, e->what_to_do);
    fputc('}', out);
}

static const struct cli_remark *find_remark(char letter, unsigned code)
{
    const struct cli_remark *r;

    for (size_t i = 0; (r = cli_remark_at(i)) != NULL; i++)
        if (r->letter == letter && r->code == code)
            return r;
    return NULL;
}

/* The codes around an error that does not exist. */
static int unknown(unsigned code)
{
    struct pc_error err = { .status = PC_EARG, .code = 900 };
    size_t count, at = 0;
    const struct pc_error_info *all = pc_explain_all(&count);

    while (at < count && all[at].code < code)
        at++;
    size_t from = at > 2 ? at - 2 : 0, to = at + 2 < count ? at + 2 : count;
    snprintf(err.text, sizeof err.text, "there is no error PC-E%04u", code);
    int n = snprintf(err.hint, sizeof err.hint, "near codes: ");
    for (size_t i = from; i < to; i++)
        n += snprintf(err.hint + n, sizeof err.hint - (size_t)n, "%sPC-E%04u", i > from ? ", " : "",
                      all[i].code);
    snprintf(err.hint + n, sizeof err.hint - (size_t)n, "; `pcounter explain` lists all");
    return cli_error(&err, NULL, NULL);
}

struct job {
    const char *output;
    enum cli_format format;
    bool one; /* and not the whole catalogue */
    char letter;
    unsigned code;
};

static void print_entry(FILE *out, const struct job *job, const struct entry *e, bool first)
{
    if (job->format == CLI_CSV) {
        print_csv(out, e);
    } else if (job->format == CLI_JSON) {
        fputs(first ? "" : ",\n", out);
        print_json(out, e);
    } else if (job->one) {
        print_text(out, e);
    } else {
        fprintf(out, "%s  %s\n", e->code, e->title);
    }
}

static void print_all(FILE *out, const struct job *job)
{
    const struct cli_remark *r;
    size_t count;
    const struct pc_error_info *all = pc_explain_all(&count);

    for (size_t i = 0; i < count; i++) {
        struct entry e = entry_of_error(&all[i]);
        print_entry(out, job, &e, i == 0);
    }
    for (size_t i = 0; (r = cli_remark_at(i)) != NULL; i++) {
        struct entry e = entry_of_remark(r);
        print_entry(out, job, &e, false);
    }
}

static int print(const struct job *job)
{
    const struct pc_error_info *info = job->letter == 'E' ? pc_explain(job->code) : NULL;
    const struct cli_remark *r = job->letter == 'E' ? NULL : find_remark(job->letter, job->code);
    struct cli_out out;

    if (job->one && !info && job->letter == 'E')
        return unknown(job->code);
    if (job->one && !info && !r)
        return cli_usage("explain", "there is no %s PC-%c%04u",
                         job->letter == 'N' ? "note" : "warning", job->letter, job->code);
    int code = cli_out_open(&out, job->output);
    if (code)
        return code;
    if (job->format == CLI_CSV)
        fputs("code,status,title,why,what_to_do\r\n", out.file);
    if (job->format == CLI_JSON)
        fputs("{\"$schema\":\"pcounter-explain-1\",\"data\":[\n", out.file);
    if (job->one) {
        struct entry e = info ? entry_of_error(info) : entry_of_remark(r);
        print_entry(out.file, job, &e, true);
    } else {
        print_all(out.file, job);
    }
    if (job->format == CLI_JSON)
        fputs("\n]}\n", out.file);
    return cli_out_commit(&out);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        { "format", required_argument, NULL, 'f' },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    struct job job = { .output = NULL };
    bool has_format = false;
    int c, code;

    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":o:qh", options)) != -1) {
        switch (c) {
        case 'f':
            has_format = true;
            if (!cli_parse_format("explain", optarg, &job.format))
                return CLI_INPUT;
            break;
        default:
            if ((code = cli_common_option(&cli_verb_explain, c, argv, options, &job.output)) >= 0)
                return code;
        }
    }
    if (!has_format && cli_output_format("explain", job.output, &job.format))
        return CLI_INPUT;
    if (argc - optind > 1)
        return cli_usage("explain", "one code at a time");
    job.one = optind < argc;
    if (job.one && !parse_code(argv[optind], &job.letter, &job.code))
        return cli_usage("explain", "\"%s\" is not a code like PC-E0203", argv[optind]);
    return print(&job);
}

const struct cli_verb cli_verb_explain = {
    .name = "explain",
    .summary = "what an error code means and what to do",
    .run = run,
    .brief = "usage: pcounter explain [OPTION]... [CODE]\n"
             "\n"
             "  pcounter explain PC-E0203\n"
             "  pcounter explain 203\n"
             "  pcounter explain              one line a code\n"
             "\n"
             "  -o, --output FILE - or none: standard output; .csv and .json choose the format\n"
             "  --format FORMAT   text, csv or json\n"
             "  -q, --quiet       no notes\n"
             "  -h, --help        this screen; everything\n",
    .full = "CODE is what stands in brackets after \"error\": PC-E0203, E203 or 203; notes and\n"
            "warnings have codes as well: PC-N0301, W501.\n"
            "csv and json without a CODE hold the whole catalogue with all its text.\n"
            "\n"
            "Exit codes: 0 ok, 2 no such code.\n",
};
