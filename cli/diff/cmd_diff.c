/* SPDX-License-Identifier: MIT */
/* pcounter diff: two reports of stat, record, bus or activity, or two waveforms, figure by figure.
 */
#include "diff/diff.h"
#include "diff/diff_align.h"
#include "complete/complete.h"
#include "text/ten.h"
#include "wave/event_list.h"
#include "wave/read_options.h"

#include <stdlib.h>
#include <string.h>

static const char *const verbs[] = { "stat", "bus", "activity", "record" }; /* by enum diff_kind */

/* Figures of activity are of the same time, cycles and pulses; an exit code. */
static int check_measured(const struct diff_file *before, const struct diff_file *after)
{
    for (size_t i = 0; i < before->reports; i++)
        for (size_t k = 0; k < DIFF_MEASURED; k++) {
            const char *a = before->report[i].measured[k], *b = after->report[i].measured[k];
            if (strcmp(a ? a : "", b ? b : "") == 0)
                continue;
            return cli_error_at(1702, NULL, 0, "measure both by the same options",
                                "%s has --%s %.200s, %s %.200s", cli_input_name(before->path),
                                diff_measured[k], a ? a : "not given", cli_input_name(after->path),
                                b ? b : "not given");
        }
    return CLI_OK;
}

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
    for (size_t i = 0; i < before->reports; i++)
        if (before->report[i].kind != after->report[i].kind)
            return cli_error_at(1702, NULL, 0, "compare reports of one verb",
                                "%s is a report of %s, %s of %s", cli_input_name(before->path),
                                verbs[before->report[i].kind], cli_input_name(after->path),
                                verbs[after->report[i].kind]);
    int code = check_measured(before, after);
    if (code)
        return code;
    struct diff_pair *pair = diff_compare(o, before, after);
    if (!pair)
        return CLI_LIMIT;
    for (size_t i = 0; i < before->reports; i++) {
        differs |= pair[i].differs;
        rows += pair[i].rows;
    }
    struct rep *r = NULL;
    code = rows > 0 ? rep_open(&r, &diff_report, &o->report)
                    : cli_usage("diff", "--only \"%s\" is not a count of either report", o->only);
    if (code == CLI_OK) {
        code = diff_print(r, o, pair, before->reports);
        code = rep_close(r, code);
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
static bool read_percent(const char *text, double *out)
{
    const char *rest = cli_read_decimal(text, out);

    return rest && (rest[0] == '\0' || (rest[0] == '%' && rest[1] == '\0')) && *out <= 1e6;
}

/* Takes the tolerance of all, or after a pattern and = of those that match. */
static int take_tolerance(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct diff_tolerance *t = field;
    char *equals = strrchr(text, '=');
    double value;

    (void)row;
    if (!read_percent(equals ? equals + 1 : text, &value) || equals == text)
        return cli_usage(verb, "--tolerance \"%s\" is not a percentage, like 0.5%s", text,
                         equals ? ", after a pattern, like '*.p99=5'" : "");
    if (!equals) {
        t->all = value;
        return CLI_OK;
    }
    *equals = '\0'; /* arguments are the program's own */
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->of[i].pattern, text) == 0) /* it can match nothing any more */
            memmove(&t->of[i], &t->of[i + 1], (--t->count - i) * sizeof t->of[0]);
    if (t->count == DIFF_TOLERANCES)
        return cli_usage(verb, "more than %d tolerances with a pattern", DIFF_TOLERANCES);
    t->of[t->count].pattern = text;
    t->of[t->count++].percent = value;
    return CLI_OK;
}

static const struct opt_kind percent = { .value = "[PATTERN=]PCT", .take = take_tolerance };

#define O struct diff_options
static const struct opt rows[] = {
    { .letter = 'f',
      .name = "file",
      OPT_FILE(O, measurements),
      .brief = "compare two waveforms by the measurements in FILE",
      .more = "BEFORE and AFTER are then waveforms, and FILE is as for `pcounter stat -f`",
      .flags = OPT_LETTER | OPT_ONCE },
    { .name = "align",
      .kind = &opt_form,
      .value = "HOW",
      .brief = "compare two captures edge by edge: --align auto -h" },
    { .name = "tolerance",
      OPT_OF(percent, O, struct diff_tolerance, tolerance),
      .brief = "ignore changes up to PCT percent",
      .more = "after a pattern, like '*.p99=5', only for names that match" },
    { .name = "per-cycle",
      OPT_SWITCH(O, per_cycle),
      .brief = "compare counts per cycle, for runs of different length" },
    { .name = "only",
      OPT_TEXT(O, only),
      .value = "PATTERN",
      .brief = "compare only these; * and ? are wildcards" },
    { .name = "memory",
      OPT_MEMORY(O, memory),
      .brief = "memory limit of a report file, like 2G (20 times its size)" },
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

    if (opt_line_of(&cli_verb_diff, argc, argv) == &diff_align_line)
        return diff_align(&cli_verb_diff, argc, argv);
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
    .summary = "compare two reports, or two waveforms, figure by figure",
    .run = run,
    .line = &line,
    .other = &diff_align_line,
    .reports = (const struct rep_def *const[]){ &diff_report, &diff_align_report, NULL },
};
