/* SPDX-License-Identifier: MIT */
/* pcounter emit c-header, perf-json --core FILE: what a description names: elements of its vectors
 * are events, their places the values of selectors. */
#include "emit.h"
#include "described/described.h"

#include <ctype.h>
#include <string.h>

/* The i-th element that has a name; its place in the vector. */
static const char *event_at(const struct described *d, size_t i, size_t *code, const char **value)
{
    for (size_t v = 0; v < d->desc.vectors; v++)
        for (size_t k = 0; k < d->vector[v].elements; k++)
            if (d->vector[v].called[k] && i-- == 0) {
                *code = k;
                *value = d->vector[v].element[k];
                return d->vector[v].called[k];
            }
    return NULL;
}

static void put_macro(FILE *file, const char *name)
{
    for (; *name; name++)
        fputc(isalnum((unsigned char)*name) ? toupper((unsigned char)*name) : '_', file);
}

static void put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        if ((unsigned char)*text >= ' ')
            fputc(*text, file);
    }
    fputc('"', file);
}

static void emit_described_header(const struct described *d, FILE *file)
{
    const char *name, *value;
    size_t code;

    fprintf(file, "/* Selector values of the counters of %s, from %s. */\n#ifndef ", d->name,
            d->yaml.path);
    put_macro(file, d->name);
    fputs("_EVENTS_H\n#define ", file);
    put_macro(file, d->name);
    fputs("_EVENTS_H\n\n", file);
    for (size_t i = 0; (name = event_at(d, i, &code, &value)) != NULL; i++) {
        fprintf(file, "/* %s */\n#define ", strstr(value, "*/") ? name : value);
        put_macro(file, d->name);
        fputs("_EVENT_", file);
        put_macro(file, name);
        fprintf(file, " %zu\n", code);
    }
    fputs("\n#endif\n", file);
}

/* "ipc = instructions / cycles": perf has events and arithmetic in a MetricExpr, and a unit. */
static void put_metric(FILE *file, const char *metric)
{
    const char *equals = strstr(metric, " = "), *formula = equals + 3;
    size_t length = strlen(formula);
    bool percent = false;

    while (length > 0 && (formula[length - 1] == ' ' || formula[length - 1] == '%')) {
        percent |= formula[length - 1] == '%';
        length--;
    }
    fprintf(file, "  {\n    \"MetricName\": \"%.*s\",\n    \"MetricExpr\": \"%.*s\",\n",
            (int)(equals - metric), metric, (int)length, formula);
    if (percent)
        fputs("    \"ScaleUnit\": \"100%\",\n", file);
    fprintf(file, "    \"BriefDescription\": \"%.*s\"\n  }", (int)length, formula);
}

static void emit_described_json(const struct described *d, FILE *file)
{
    const char *name, *value, *before = "[\n";
    size_t code;

    for (size_t i = 0; (name = event_at(d, i, &code, &value)) != NULL; i++) {
        fprintf(file, "%s  {\n    \"EventName\": ", before);
        put_quoted(file, name);
        fprintf(file, ",\n    \"EventCode\": \"0x%zx\",\n    \"BriefDescription\": ", code);
        put_quoted(file, value);
        fputs("\n  }", file);
        before = ",\n";
    }
    for (size_t i = 0; i < d->metrics; i++) {
        fputs(before, file);
        put_metric(file, d->metric[i]);
        before = ",\n";
    }
    fputs(before[0] == '[' ? "[\n]\n" : "\n]\n", file);
}

int emit_described(const char *format, const char *path, const char *to)
{
    struct described d;
    struct cli_out out;
    const char *value;
    size_t code_of;
    int code = described_open(&d, "emit", path);

    if (code == CLI_OK && !event_at(&d, 0, &code_of, &value))
        code = cli_usage(
            "emit", "%s names no events: elements of vectors with names, {load: mem_load}", d.name);
    if (code == CLI_OK)
        code = cli_out_open(&out, to);
    if (code == CLI_OK) {
        if (strcmp(format, "c-header") == 0)
            emit_described_header(&d, out.file);
        else
            emit_described_json(&d, out.file);
        code = cli_out_commit(&out);
    }
    described_close(&d);
    return code;
}
