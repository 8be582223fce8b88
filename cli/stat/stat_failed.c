/* SPDX-License-Identifier: MIT */
/*
 * --keep-going: what stands for a waveform that could not be counted, in its place of the report,
 * after what of it was printed before.
 */
#include "stat.h"
#include "text/warnings.h"

static void csv(FILE *out, const struct stat_options *o, bool begun)
{
    if (!begun)
        stat_csv_header(out, o);
    stat_csv_warnings(out, o);
    stat_csv_text(out, o, STAT_ROW_ERROR, cli_last_error());
}

static void members(FILE *out, const struct stat_options *o)
{
    fprintf(out, ",\n  \"tool\": \"pcounter %s\",\n  \"trace\": ", pc_version());
    cli_json_string(out, o->path);
    fputs(",\n  \"error\": ", out);
    cli_json_string(out, cli_last_error());
    fputs(",\n  ", out);
    cli_json_warnings(out);
}

static void text(FILE *out, const struct stat_options *o, bool begun)
{
    fputs(begun ? "\nnot counted to the end: " : "Not counted: ", out);
    cli_print_name(out, o->path);
    fputs("\n  ", out);
    cli_print_name(out, cli_last_error());
    fputc('\n', out);
    cli_text_warnings(out);
}

void stat_failed(FILE *out, const struct stat_options *o)
{
    const bool begun = ftello(out) > 0;

    if (o->format == CLI_TEXT) {
        text(out, o, begun);
    } else if (o->format == CLI_CSV) {
        csv(out, o, begun);
    } else if (o->lines) {
        o->lines->seq = 0; /* a report by itself, also after one that was cut off */
        FILE *line = cli_line_open(o->lines, out, "error");
        if (!line)
            return;
        fputs(", \"$schema\": \"pcounter-stat-lines-1\"", line);
        members(line, o);
        cli_line_close(o->lines);
    } else {
        fprintf(out, "%s{\n  \"$schema\": \"pcounter-stat-failed-1\"", begun ? ",\n" : "");
        members(out, o);
        fputs("\n}\n", out);
    }
}
