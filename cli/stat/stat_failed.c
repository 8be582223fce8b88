/* SPDX-License-Identifier: MIT */
/*
 * --keep-going: what stands for a waveform that could not be counted, in its place of the report,
 * after what of it was printed before.
 */
#include "stat_report.h"
#include "text/warnings.h"

static void print(FILE *out, const struct stat_job *j, bool begun)
{
    fputs(begun ? "\nnot counted to the end: " : "Not counted: ", out);
    cli_print_name(out, j->path);
    fputs("\n  ", out);
    cli_print_name(out, cli_last_error());
    fputc('\n', out);
    cli_text_warnings(out);
}

int stat_failed(FILE *out, const struct stat_job *j)
{
    const struct rep_def def = stat_def_for(&stat_failed_def, j);
    const bool begun = ftello(out) > 0;
    struct rep_request report = j->report;
    struct rep *rep;

    if (begun)
        (void)rep_before(&report, &def, 1, out);
    report.more |= begun;
    const int code = rep_open(&rep, &def, &report);
    if (code)
        return code;
    if (rep_page(rep))
        print(rep_page(rep), j, begun);
    if (rep_has_rows(rep)) {
        rep_root(rep, REP_CELLS(rep_text(j->path), j->chip ? rep_text(j->chip->name) : rep_absent(),
                                rep_text(cli_last_error())));
        rep_warnings(rep, STAT_FAILED_WARNINGS);
        rep_row(rep, STAT_FAILED_ROWS, REP_CELLS(rep_text(cli_last_error()), rep_text("error")));
    }
    return rep_close(rep, CLI_OK);
}
