/* SPDX-License-Identifier: MIT */
/* pcounter explain: the error catalogue. */
#include "complete/complete.h"
#include "report/report.h"

#include <ctype.h>
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

static const struct rep_field row_fields[] = {
    { "code", REP_TEXT, .about = "the code that messages have", .pattern = "^PC-[ENW][0-9]{4,5}$" },
    { "status", REP_TEXT, .about = "the status of the library (PC_E...), note or warning" },
    { "title", REP_TEXT, .about = "what it is" },
    { "why", REP_TEXT, .about = "how it comes" },
    { "what_to_do", REP_TEXT, .about = "what helps; empty of notes and warnings" },
    { .name = NULL },
};
static const struct rep_field fields[] = {
    { "data", REP_LIST, .about = "one, or all", .flags = REP_ROW, .field = row_fields,
      .item = "a code" },
    { .name = NULL },
};
static const struct rep_def explain_report = {
    .schema = "pcounter-explain-1",
    .call = "pcounter explain",
    .about = "Errors, notes and warnings of the program.",
    .field = fields,
    .bare = true,
};

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
    snprintf(err.text, sizeof err.text, "unknown code PC-E%04u", code);
    int n = snprintf(err.hint, sizeof err.hint, "similar codes: ");
    for (size_t i = from; i < to; i++)
        n += snprintf(err.hint + n, sizeof err.hint - (size_t)n, "%sPC-E%04u", i > from ? ", " : "",
                      all[i].code);
    snprintf(err.hint + n, sizeof err.hint - (size_t)n, "; `pcounter explain` lists all");
    return cli_error(&err, NULL, NULL);
}

struct job {
    struct rep_request report;
    bool one; /* and not the whole catalogue */
    char letter;
    unsigned code;
};

static void print_entry(struct rep *r, const struct job *job, const struct entry *e)
{
    FILE *page = rep_page(r);

    if (page && job->one)
        print_text(page, e);
    else if (page)
        fprintf(page, "%s  %s\n", e->code, e->title);
    if (rep_has_rows(r))
        rep_row(r, 0,
                REP_CELLS(rep_text(e->code), rep_text(e->status), rep_text(e->title),
                          rep_text(e->why), rep_text(e->what_to_do)));
}

static void print_all(struct rep *rep, const struct job *job)
{
    const struct cli_remark *r;
    size_t count;
    const struct pc_error_info *all = pc_explain_all(&count);

    for (size_t i = 0; i < count; i++) {
        struct entry e = entry_of_error(&all[i]);
        print_entry(rep, job, &e);
    }
    for (size_t i = 0; (r = cli_remark_at(i)) != NULL; i++) {
        struct entry e = entry_of_remark(r);
        print_entry(rep, job, &e);
    }
}

static int print(const struct job *job)
{
    const struct pc_error_info *info = job->letter == 'E' ? pc_explain(job->code) : NULL;
    const struct cli_remark *r = job->letter == 'E' ? NULL : find_remark(job->letter, job->code);
    struct rep *rep;

    if (job->one && !info && job->letter == 'E')
        return unknown(job->code);
    if (job->one && !info && !r)
        return cli_usage("explain", "unknown %s PC-%c%04u", job->letter == 'N' ? "note" : "warning",
                         job->letter, job->code);
    const int code = rep_open(&rep, &explain_report, &job->report);
    if (code)
        return code;
    rep_root(rep, REP_NO_CELLS);
    if (job->one) {
        struct entry e = info ? entry_of_error(info) : entry_of_remark(r);
        print_entry(rep, job, &e);
    } else {
        print_all(rep, job);
    }
    return rep_close(rep, CLI_OK);
}

static void offer_codes(struct complete *c)
{
    size_t count;
    const struct pc_error_info *all = pc_explain_all(&count);
    const struct cli_remark *r;

    c->fold = true;
    for (size_t i = 0; i < count; i++)
        complete_offer(c, entry_of_error(&all[i]).code, all[i].title);
    for (size_t i = 0; (r = cli_remark_at(i)) != NULL; i++)
        complete_offer(c, entry_of_remark(r).code, r->title);
}

static const struct opt rows[] = {
    REP_OPTIONS(struct job, report, &explain_report),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand operand = { .first = offer_codes,
                                            .most = 1,
                                            .extra = "one code at a time" };
static const struct opt_line line = { .name = "explain", .row = rows, .operand = &operand };

static int run(int argc, char **argv)
{
    struct job job = { .one = false };
    struct opt_said said;
    const int exit_code = opt_read(&cli_verb_explain, &line, argc, argv, &job, &said);

    if (exit_code >= 0)
        return exit_code;
    job.one = said.operands > 0;
    if (job.one && !parse_code(said.operand[0], &job.letter, &job.code))
        return cli_usage("explain", "\"%s\" is not a code like PC-E0203", said.operand[0]);
    return print(&job);
}

const struct cli_verb cli_verb_explain = {
    .name = "explain",
    .summary = "explain an error code, and how to fix the error",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &explain_report, NULL },
};
