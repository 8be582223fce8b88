/* SPDX-License-Identifier: MIT */
/* pcounter diff: two reports of `pcounter stat`, or two waveforms, count by count. */
#include "diff/diff.h"
#include "complete/complete.h"
#include "wave/event_list.h"
#include "wave/read_options.h"

#include <stdlib.h>

/* The exit code, once both are read. */
static int tell(const struct diff_options *o, const struct diff_file *before,
                const struct diff_file *after)
{
    bool differs = false;
    size_t rows = 0;

    if (before->reports != after->reports)
        return cli_error_at(1702, NULL, 0, "compare files of the same waveforms, in the same order",
                            "%s has %s, %s %zu", cli_input_name(before->path),
                            cli_count(before->reports, "report"), cli_input_name(after->path),
                            after->reports);
    struct diff_pair *pair = diff_compare(o, before, after);
    if (!pair)
        return CLI_LIMIT;
    for (size_t i = 0; i < before->reports; i++) {
        differs |= pair[i].differs;
        rows += pair[i].rows;
    }
    struct rep *r = NULL;
    int code = rows > 0 ? rep_open(&r, &diff_report, &o->report)
                        : cli_usage("diff", "--only \"%s\" is no count of either", o->only);
    if (code == CLI_OK) {
        diff_print(r, o, pair, before->reports);
        code = rep_close(r, CLI_OK);
    }
    diff_free(pair, before->reports);
    return code ? code : differs ? CLI_NO : CLI_OK;
}

static int diff(const struct diff_options *o)
{
    struct diff_file before = { 0 }, after = { 0 };
    int code = diff_file_open(&before, o, o->before);

    if (code == CLI_OK)
        code = diff_file_open(&after, o, o->after);
    if (code == CLI_OK)
        code = tell(o, &before, &after);
    diff_file_close(&after);
    diff_file_close(&before);
    return code;
}

/* Percent: 5, 0.5, 5% */
static int take_tolerance(const char *verb, const struct opt *row, const char *text, void *field)
{
    double *out = field;
    char *rest = NULL;

    (void)row;
    if (*text >= '0' && *text <= '9' && text[1] != 'x' && text[1] != 'X')
        *out = strtod(text, &rest);
    if (!rest || (rest[0] != '\0' && (rest[0] != '%' || rest[1] != '\0')) || *out > 1e6)
        return cli_usage(verb, "--tolerance \"%s\" is no percentage, like 0.5", text);
    return CLI_OK;
}

static const struct opt_kind percent = { .value = "PCT", .take = take_tolerance };

#define O struct diff_options
static const struct opt rows[] = {
    { .letter = 'f',
      .name = "file",
      OPT_FILE(O, measurements),
      .brief = "BEFORE and AFTER are waveforms: this file says what is measured in them, as "
               "`pcounter stat -f` has it",
      .flags = OPT_LETTER | OPT_ONCE },
    { .name = "tolerance",
      OPT_OF(percent, O, double, tolerance),
      .brief = "so many percent of the value before are no difference" },
    { .name = "per-cycle",
      OPT_SWITCH(O, per_cycle),
      .brief = "counts a cycle are compared, of runs that are not of one length" },
    { .name = "only",
      OPT_TEXT(O, only),
      .value = "PATTERN",
      .brief = "these counts and metrics (* is any text, ? any character)" },
    { .name = "memory",
      OPT_MEMORY(O, memory),
      .brief = "bytes that reading a file may take: 256M, 2G (20 times its size)" },
    REP_OPTIONS(O, report, &diff_report),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};

static const struct opt_operand files = {
    .first = complete_files,
    .rest = complete_files,
    .least = 2,
    .most = 2,
    .missing = "two files: the report before, and the one after",
    .extra = "two files: the report before, and the one after",
};

static const struct opt_line line = { .name = "diff", .row = rows, .operand = &files };

static int run(int argc, char **argv)
{
    struct diff_options o = { .per_cycle = false };
    struct opt_said said;
    int code = opt_read(&cli_verb_diff, &line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    o.before = said.operand[0];
    o.after = said.operand[1];
    code = cli_check_dashes(
        "diff",
        cli_dashes((const char *const[]){ o.before, o.after, o.measurements, o.measurements }, 4));
    return code ? code : diff(&o);
}

const struct cli_verb cli_verb_diff = {
    .name = "diff",
    .summary = "two reports of stat, or two waveforms: what counts more, what less",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &diff_report, NULL },
};
