/* SPDX-License-Identifier: MIT */
/* pcounter emit --core FILE: what a description names as c-header, perf-json and devicetree, where
 * elements of its vectors are events, with the values of selectors; and all of it as dpi-bind. */
#include "emit.h"
#include "emit_described.h"
#include "wave/event_list.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_macro(FILE *file, const char *name)
{
    for (; *name; name++)
        fputc(isalnum((unsigned char)*name) ? toupper((unsigned char)*name) : '_', file);
}

static void emit_described_header(const struct described *d, FILE *file)
{
    struct emit_event e;

    fputs("/* Selector values of the counters of ", file);
    emit_in_comment(file, d->name);
    fputs(", from ", file);
    emit_in_comment(file, d->yaml.path);
    fputs(". */\n#ifndef ", file);
    put_macro(file, d->name);
    fputs("_EVENTS_H\n#define ", file);
    put_macro(file, d->name);
    fputs("_EVENTS_H\n\n", file);
    for (size_t i = 0; emit_event_at(d, i, &e); i++) {
        fputs("/* ", file);
        emit_in_comment(file, e.value);
        fputs(" */\n#define ", file);
        put_macro(file, d->name);
        fputs("_EVENT_", file);
        put_macro(file, e.name);
        fprintf(file, e.by == EMIT_BY_MASK ? " 0x%" PRIx64 "\n" : " %" PRIu64 "\n", e.code);
    }
    fputs("\n#endif\n", file);
}

/* "ipc = instructions / cycles": perf has events and arithmetic in a MetricExpr, and a unit; an
 * exit code. */
static int put_metric(FILE *file, const char *metric)
{
    const char *equals = strstr(metric, " = ");
    size_t length = strlen(equals + 3);
    char *name = cli_copy(metric, (size_t)(equals - metric));
    char *formula = cli_copy(equals + 3, length);
    const int code = name && formula ? CLI_OK : cli_no_memory();
    bool percent = false;

    if (code == CLI_OK) {
        while (length > 0 && (formula[length - 1] == ' ' || formula[length - 1] == '%'))
            percent |= formula[--length] == '%';
        formula[length] = '\0';
        fputs("  {\n    \"MetricName\": ", file);
        cli_json_string(file, name);
        fputs(",\n    \"MetricExpr\": ", file);
        cli_json_string(file, formula);
        fputs(percent ? ",\n    \"ScaleUnit\": \"100%\"" : "", file);
        fputs(",\n    \"BriefDescription\": ", file);
        cli_json_string(file, formula);
        fputs("\n  }", file);
    }
    free(name);
    free(formula);
    return code;
}

static int emit_described_json(const struct described *d, FILE *file)
{
    const char *before = "[\n";
    struct emit_event e;
    int code = CLI_OK;

    for (size_t i = 0; emit_event_at(d, i, &e); i++) {
        fprintf(file, "%s  {\n    \"EventName\": ", before);
        cli_json_string(file, e.name);
        fprintf(file,
                ",\n    \"EventCode\": \"0x%" PRIx64 "\",\n    \"BriefDescription\": ", e.code);
        cli_json_string(file, e.value);
        fputs("\n  }", file);
        before = ",\n";
    }
    for (size_t i = 0; code == CLI_OK && i < d->metrics; i++) {
        fputs(before, file);
        code = put_metric(file, d->metric[i]);
        before = ",\n";
    }
    fputs(before[0] == '[' ? "[\n]\n" : "\n]\n", file);
    return code;
}

/* Events, each with a value of a selector that 64 bits can have; an exit code. */
static int check_events(const struct described *d)
{
    struct emit_event e;

    if (!emit_event_at(d, 0, &e))
        return cli_usage("emit",
                         "%s names no events: elements of vectors with names, {load: mem_load}",
                         d->name);
    for (size_t i = 0; emit_event_at(d, i, &e); i++)
        if (e.by == EMIT_BY_MASK && e.code == 0)
            return cli_usage("emit",
                             "%s is bit %zu of a selector, and a value of one has 64 bits here",
                             e.name, e.place);
    return CLI_OK;
}

int emit_described(const char *format, const char *path, const char *scope, const char *to)
{
    const bool whole = strcmp(format, "dpi-bind") == 0;
    struct emit_resolved resolved = { .of = NULL };
    struct described d;
    struct cli_out out;
    int code = described_open(&d, "emit", path);

    if (code == CLI_OK && !whole)
        code = check_events(&d);
    if (code == CLI_OK)
        code = emit_resolve(&resolved, &d);
    if (code == CLI_OK)
        code = cli_out_open(&out, to);
    if (code == CLI_OK) {
        if (strcmp(format, "c-header") == 0)
            emit_described_header(&d, out.file);
        else if (strcmp(format, "devicetree") == 0)
            code = emit_described_tree(&resolved, out.file);
        else if (whole)
            code = emit_described_dpi(&d, scope, out.file);
        else
            code = emit_described_json(&d, out.file);
        if (code)
            cli_out_abort(&out);
        else
            code = cli_out_commit(&out);
    }
    emit_resolved_drop(&resolved);
    described_close(&d);
    return code;
}
