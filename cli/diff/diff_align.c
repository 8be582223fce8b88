/* SPDX-License-Identifier: MIT */
#include "diff/diff_align.h"

#include "complete/complete.h"
#include "text/warnings.h"

#include <stdlib.h>
#include <string.h>

#define O struct align_options
static const struct opt rows[] = {
    { .name = "align",
      OPT_TEXT(O, align),
      .value = "HOW",
      .brief = "auto, a signal, rise(x), fall(x), edge(x), or a shift: 1us",
      .flags = OPT_ONCE },
    { .name = "jitter",
      OPT_OF(opt_time, O, struct cli_span, jitter),
      .brief = "edges this far apart are the same (one sample of each)" },
    { .name = "only",
      OPT_TEXTS(O, only),
      .value = "GLOB",
      .brief = "compare these signals; may be given several times" },
    { .letter = 'f',
      .name = "file",
      OPT_FILE(O, measurements),
      .brief = "compare the signals that this file of measures names",
      .flags = OPT_LETTER | OPT_ONCE },
    REP_OPTIONS(O, report, &diff_align_report),
    OPT_QUIET,
    OPT_READ_ROWS(O, read),
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand files = {
    .first = complete_files,
    .rest = complete_files,
    .least = 2,
    .most = 2,
    .missing = "two waveforms: the one before, and the one after",
    .extra = "two waveforms: the one before, and the one after",
};
const struct opt_line diff_align_line = {
    .name = "diff --align", .help = "diff-align", .form = "--align", .row = rows, .operand = &files
};

static int report(const struct align_options *o, const struct align_shift *s,
                  const struct align_names *n, const struct align_side side[2],
                  const struct align_result *result)
{
    struct rep *r;
    int code = rep_open(&r, &diff_align_report, &o->report);

    if (code)
        return code;
    code = rep_close(r, align_print(r, o, s, n, side, result));
    return code ? code : result->differences > 0 ? CLI_NO : CLI_OK;
}

static int compare(const struct align_options *o, struct align_side side[2])
{
    struct align_names names = { .signals = 0 };
    struct align_shift shift = { .shift = 0 };
    struct align_result result = { .differences = 0 };
    struct pc_error err;
    int code = align_find_names(&names, o, side);

    if (code == CLI_OK && names.signals == 0) {
        cli_fail(&err, 1704, "the captures have no signal in common%s",
                 o->only.count || o->measurements ? ", of those that were asked for" : "");
        code = cli_error(&err, NULL, NULL);
    }
    if (code == CLI_OK)
        code = align_find_shift(&shift, o, &names, side);
    if (code == CLI_OK && shift.ambiguous)
        cli_warning(1705,
                    "the shift is ambiguous: another one agrees nearly as well. Give an edge or a "
                    "time with --align");
    for (int k = 0; k < 2 && code == CLI_OK; k++)
        code = align_side_begin(&side[k], o, &names);
    if (code == CLI_OK)
        code = align_match(&result, &shift, &names, side);
    for (int k = 0; k < 2 && code == CLI_OK; k++)
        cli_wave_warnings(side[k].wave, cli_input_name(side[k].path));
    if (code == CLI_OK)
        code = report(o, &shift, &names, side, &result);
    align_free_result(&result);
    align_free_names(&names);
    return code;
}

int diff_align(const struct cli_verb *verb, int argc, char **argv)
{
    struct align_options o = { .align = NULL };
    struct align_side side[2] = { { .path = NULL }, { .path = NULL } };
    struct opt_said said;
    int code = opt_read(verb, &diff_align_line, argc, argv, &o, &said);

    if (code < 0) {
        o.before = said.operand[0];
        o.after = said.operand[1];
        code = cli_check_dashes(
            "diff", cli_dashes((const char *const[]){ o.before, o.after, o.measurements }, 3));
        for (int k = 0; k < 2 && code == CLI_OK; k++)
            code = cli_claim_input("diff", k ? o.after : o.before);
        for (int k = 0; k < 2 && code == CLI_OK; k++)
            code = align_side_open(&side[k], &o, k ? o.after : o.before);
        if (code == CLI_OK)
            code = compare(&o, side);
    }
    align_side_close(&side[0]);
    align_side_close(&side[1]);
    opt_texts_free(&o.only);
    return code;
}
