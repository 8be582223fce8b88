/* SPDX-License-Identifier: MIT */
/* What `pcounter replay` prints: differences, or with --annotate every access. */
#include "replay.h"
#include "text/warnings.h"

#include <inttypes.h>

enum { REGISTER_WIDTH = 28 }; /* part0.0.SINGLE_ABORT_TRIGGER */

static const char *const verdicts[] = { "", "same", "differs" };

void replay_report_begin(struct replay *r)
{
    FILE *f = r->out.file;

    r->begun = true;
    switch (r->options->report.format) {
    case CLI_TEXT:
        if (r->options->annotate)
            fprintf(f, "      LINE    ADDRESS   VALUE       %-*s  FIELDS\n", REGISTER_WIDTH,
                    "REGISTER");
        break;
    case CLI_CSV:
        fputs("line,time,access,address,value,register,model,verdict,fields,effect\r\n", f);
        break;
    case CLI_JSON:
        fputs("{\"$schema\":\"pcounter-replay-1\",\"trace\":", f);
        cli_json_string(f, r->options->path);
        fputs(",\"data\":[", f);
        break;
    }
}

static void print_mismatch(FILE *f, const struct replay_access *a)
{
    char difference[400];

    replay_difference(a, difference, sizeof difference);
    fprintf(
        f, "read mismatch at line %s: 0x%06" PRIx32 " %s%strace=0x%08" PRIx32 " model=0x%08" PRIx32,
        cli_grouped(a->line), a->address, a->name.text, a->name.text[0] ? " " : "", a->value,
        a->model);
    if (difference[0])
        fprintf(f, "  (%s)", difference);
    fputc('\n', f);
}

static void print_text(FILE *f, const struct replay_access *a, bool annotate)
{
    char fields[400];

    if (annotate) {
        replay_fields(a, fields, sizeof fields);
        fprintf(f, "%10" PRIu32 "  %c 0x%06" PRIx32 "  0x%08" PRIx32, a->line, a->write ? 'W' : 'R',
                a->address, a->value);
        if (a->name.text[0] && (fields[0] || a->effect[0]))
            fprintf(f, "  %-*s  %s", REGISTER_WIDTH, a->name.text, fields);
        else if (a->name.text[0])
            fprintf(f, "  %s", a->name.text);
        if (a->effect[0])
            fprintf(f, "%s# %s", fields[0] ? "  " : "", a->effect);
        fputc('\n', f);
    }
    if (a->verdict == REPLAY_DIFFERS)
        print_mismatch(f, a);
}

static void print_csv(FILE *f, const struct replay_access *a)
{
    char fields[400];

    replay_fields(a, fields, sizeof fields);
    fprintf(f, "%" PRIu32 ",%" PRIu64 ".%09" PRIu64 ",%s,0x%06" PRIx32 ",0x%08" PRIx32 ",%s,",
            a->line, a->time_ns / 1000000000u, a->time_ns % 1000000000u, a->write ? "W" : "R",
            a->address, a->value, a->name.text);
    if (!a->write)
        fprintf(f, "0x%08" PRIx32, a->model);
    fprintf(f, ",%s,", verdicts[a->verdict]);
    cli_csv_field(f, fields);
    fputc(',', f);
    cli_csv_field(f, a->effect);
    cli_csv_end(f);
}

static void print_json(FILE *f, const struct replay_access *a)
{
    char fields[400];

    replay_fields(a, fields, sizeof fields);
    fprintf(f,
            "{\"line\":%" PRIu32 ",\"time\":\"%" PRIu64 ".%09" PRIu64
            "\",\"access\":\"%s\",\"address\":\"0x%06" PRIx32 "\",\"value\":\"0x%08" PRIx32
            "\",\"register\":",
            a->line, a->time_ns / 1000000000u, a->time_ns % 1000000000u, a->write ? "W" : "R",
            a->address, a->value);
    cli_json_string(f, a->name.text);
    if (!a->write)
        fprintf(f, ",\"model\":\"0x%08" PRIx32 "\"", a->model);
    fprintf(f, ",\"verdict\":\"%s\",\"fields\":", verdicts[a->verdict]);
    cli_json_string(f, fields);
    fputs(",\"effect\":", f);
    cli_json_string(f, a->effect);
    fputc('}', f);
}

void replay_report_access(struct replay *r, const struct replay_access *a)
{
    FILE *f = r->out.file;

    if (!r->options->annotate && a->verdict != REPLAY_DIFFERS)
        return;
    switch (r->options->report.format) {
    case CLI_TEXT:
        print_text(f, a, r->options->annotate);
        break;
    case CLI_CSV:
        print_csv(f, a);
        break;
    case CLI_JSON:
        fputs(r->counts.rows ? ",\n" : "\n", f);
        print_json(f, a);
        break;
    }
    r->counts.rows++;
}

static void end_json(const struct replay *r, bool complete)
{
    const struct replay_counts *n = &r->counts;

    fprintf(r->out.file,
            "\n],\"summary\":{\"chip\":\"%s\",\"writes\":%" PRIu64 ",\"reads\":%" PRIu64
            ",\"compared\":%" PRIu64 ",\"differ\":%" PRIu64 ",\"outside\":%" PRIu64
            ",\"odd\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"unknown\":%" PRIu64 ",\"complete\":%s},",
            r->chip ? r->chip->name : "", n->writes, n->reads, n->compared, n->differ, n->outside,
            n->odd, r->gaps.lost, r->gaps.unknown, complete ? "true" : "false");
    cli_json_warnings(r->out.file);
    fputs("}\n", r->out.file);
}

void replay_report_end(const struct replay *r, bool complete)
{
    switch (r->options->report.format) {
    case CLI_TEXT:
        cli_text_warnings(r->out.file);
        break;
    case CLI_CSV:
        if (r->begun)
            cli_csv_warnings(r->out.file, NULL, ",,WARNING,,,,,,,", "");
        break;
    case CLI_JSON:
        if (r->begun)
            end_json(r, complete);
        break;
    }
}
