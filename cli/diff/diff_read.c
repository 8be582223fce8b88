/* SPDX-License-Identifier: MIT */
/* The reports of a file, as `pcounter stat --format json` prints them: one, or an array. */
#include "diff/diff.h"
#include "diff/diff_jansson.h"
#include "wave/event_list.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a file, counts of a report, its warnings, characters of a unit. */
enum { MOST = 64 << 20, MOST_ITEMS = 1 << 16, MOST_FIGURES = 1 << 20, MOST_WARNINGS = 1000 };
enum { MOST_UNIT = 20 };

/* The hint for a file that is not a report. */
#define HINT                                                                                       \
    "make it with `pcounter stat`, `record`, `bus` or `activity` and --format json; -f FILE "      \
    "compares waveforms"

/* --- members --- */

const char *diff_text(const struct diff_file *f, const json_t *object, const char *name)
{
    return f->jansson->string_value(f->jansson->object_get(object, name));
}

/* In reports of older versions, and a long one, it is digits in a text. */
bool diff_count(const struct diff_file *f, const json_t *value, uint64_t *out)
{
    const char *text = f->jansson->string_value(value), *rest;

    if (json_is_integer(value) && f->jansson->integer_value(value) >= 0) {
        *out = (uint64_t)f->jansson->integer_value(value);
        return true;
    }
    return text && *text >= '0' && *text <= '9' && cli_read_number(text, &rest, out) &&
           *rest == '\0' && text[1] != 'x' && text[1] != 'X';
}

static bool count_of(const struct diff_file *f, const json_t *object, const char *name,
                     uint64_t *out)
{
    return diff_count(f, f->jansson->object_get(object, name), out);
}

/* A number, which may be a long integer; false: it is none. */
bool diff_number(const struct diff_file *f, const json_t *value, double *out)
{
    const char *text = f->jansson->string_value(value);

    *out = text ? strtod(text, NULL) : f->jansson->number_value(value);
    return json_is_number(value) ||
           (text && strlen(text) >= DIFF_LONG &&
            text[(*text == '-') + strspn(text + (*text == '-'), "0123456789")] == '\0');
}

/* NULL: not as units of reports are, a few characters that a terminal can have. */
static const char *unit_of(const struct diff_file *f, const json_t *metric)
{
    const char *unit = diff_text(f, metric, "unit"), *p = unit;

    while (p && *p > ' ' && *p <= '~')
        p++;
    return p && *p == '\0' && p - unit <= MOST_UNIT ? unit : NULL;
}

const char *const diff_states[] = { "exact", "tainted",    "saturated", "wrapped",
                                    "lost",  "unmeasured", "partial",   NULL };

static bool is_state(const char *text)
{
    for (size_t i = 0; text && diff_states[i]; i++)
        if (strcmp(text, diff_states[i]) == 0)
            return true;
    return false;
}

static int read_item(const struct diff_file *f, const json_t *from, bool metric,
                     struct diff_item *out)
{
    const json_t *value = f->jansson->object_get(from, "value");

    *out = (struct diff_item){ .name = diff_text(f, from, "name"),
                               .unit = metric ? unit_of(f, from) : "",
                               .state = diff_text(f, from, "state"),
                               .metric = metric };
    if (!out->name || !is_state(out->state) || !value)
        return diff_fail(f, 1701, "%s without name, value and state",
                         metric ? "a metric" : "an event");
    if (!out->unit)
        return diff_fail(f, 1701, "a metric without a unit that reports have");
    if (json_is_null(value))
        return CLI_OK;
    out->measured = true;
    if (metric) {
        return diff_number(f, value, &out->number)
                   ? CLI_OK
                   : diff_fail(f, 1701, "the value of metric \"%.100s\" is not a number",
                               out->name);
    }
    return count_of(f, from, "value", &out->count)
               ? CLI_OK
               : diff_fail(f, 1701,
                           "the value of event \"%.100s\" is not a decimal integer of 64 bits",
                           out->name);
}

/* --- reports --- */

/* Adds an item; it ends with the report, even where it is not taken. */
int diff_add(const struct diff_file *f, struct diff_report *r, const struct diff_item *item)
{
    const size_t most = r->kind == DIFF_STAT ? MOST_ITEMS : MOST_FIGURES;
    void *array = r->item;
    int code = CLI_OK;

    if (r->items >= most)
        code = diff_fail(f, 1701, "a report of more than %zu counts", most);
    else if (!cli_grow(&array, &r->capacity, r->items + 1, sizeof *r->item))
        code = cli_no_memory();
    if (code) {
        free(item->own);
        return code;
    }
    r->item = array;
    r->item[r->items] = *item;
    if (!item->unit)
        r->item[r->items].unit = "";
    r->items++;
    return CLI_OK;
}

static int read_items(const struct diff_file *f, const json_t *array, bool metrics,
                      struct diff_report *r)
{
    const size_t n = f->jansson->array_size(array); /* 0, if it is none */
    int code = CLI_OK;

    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        struct diff_item item;
        code = read_item(f, f->jansson->array_get(array, i), metrics, &item);
        if (code == CLI_OK)
            code = diff_add(f, r, &item);
    }
    return code;
}

/* The cycles of a clock; own: a name that was put together. */
static int add_cycles(const struct diff_file *f, struct diff_report *r, char *own, uint64_t cycles)
{
    return diff_add(f, r,
                    &(struct diff_item){ .name = own ? own : "cycles",
                                         .own = own,
                                         .state = "exact",
                                         .measured = true,
                                         .length = true,
                                         .count = cycles,
                                         .cycles = cycles });
}

/* With several clocks each has its cycles, "w.cycles". */
static int read_clocks(const struct diff_file *f, const json_t *clocks, struct diff_report *r)
{
    const size_t n = f->jansson->array_size(clocks);
    int code = n > 0 ? CLI_OK : diff_fail(f, 1701, "a report without cycles");

    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        const json_t *clock = f->jansson->array_get(clocks, i);
        const char *name = diff_text(f, clock, "name");
        uint64_t cycles;
        if (!name || !count_of(f, clock, "cycles", &cycles))
            return diff_fail(f, 1701, "a clock without name and cycles");
        const size_t size = strlen(name) + sizeof ".cycles";
        char *own = malloc(size);
        if (!own)
            return cli_no_memory();
        snprintf(own, size, "%s.cycles", name);
        code = add_cycles(f, r, own, cycles);
    }
    return code;
}

/* The cycles of the clock that an event says counts it; of the first if it says none. */
static uint64_t cycles_of(const struct diff_file *f, const json_t *clocks, const json_t *event)
{
    const char *clock = diff_text(f, event, "clock");
    uint64_t first = 0, cycles = 0;

    for (size_t i = 0; i < f->jansson->array_size(clocks); i++) {
        const json_t *at = f->jansson->array_get(clocks, i);
        const char *name = diff_text(f, at, "name");
        (void)count_of(f, at, "cycles", &cycles);
        first = i == 0 ? cycles : first;
        if (clock && name && strcmp(clock, name) == 0)
            return cycles;
    }
    return first;
}

/* The cycles, of --core the instructions, events, metrics: those of a window, or of a report. */
static int read_counts(const struct diff_file *f, const json_t *from, struct diff_report *r)
{
    const json_t *events = f->jansson->object_get(from, "events");
    const json_t *metrics = f->jansson->object_get(from, "metrics");
    const json_t *clocks = f->jansson->object_get(from, "clocks");
    const char *state = diff_text(f, from, "state"); /* of a window of --core */
    uint64_t cycles = 0, count;
    const bool several = !count_of(f, from, "cycles", &cycles);

    if (!json_is_array(events))
        return diff_fail(f, 1701, "a report without events");
    if (metrics && !json_is_array(metrics))
        return diff_fail(f, 1701, "the metrics of a report are not an array");
    int code = several ? read_clocks(f, clocks, r) : add_cycles(f, r, NULL, cycles);
    const size_t first = r->items;
    if (code == CLI_OK && count_of(f, from, "instructions", &count))
        code = diff_add(f, r,
                        &(struct diff_item){ .name = "instructions",
                                             .state = is_state(state) ? state : "exact",
                                             .measured = true,
                                             .count = count });
    if (code == CLI_OK)
        code = read_items(f, events, false, r);
    if (code == CLI_OK)
        code = read_items(f, metrics, true, r);
    if (code == CLI_OK)
        code = diff_read_figures(f, from, r);
    for (size_t i = first; i < r->items; i++)
        r->item[i].cycles = cycles;
    for (size_t i = 0; several && code == CLI_OK && i < f->jansson->array_size(events); i++)
        r->item[first + i].cycles = cycles_of(f, clocks, f->jansson->array_get(events, i));
    return code;
}

/* Reports of older versions have none. */
static int read_warnings(const struct diff_file *f, const json_t *from, struct diff_report *r)
{
    const json_t *array = f->jansson->object_get(from, "warnings");
    const size_t n = f->jansson->array_size(array);

    if (array && !json_is_array(array))
        return diff_fail(f, 1701, "the warnings of a report are not an array");
    if (n > MOST_WARNINGS)
        return diff_fail(f, 1701, "a report of %zu warnings: more than %d", n, MOST_WARNINGS);
    r->warning = n ? calloc(n, sizeof *r->warning) : NULL;
    if (n && !r->warning)
        return cli_no_memory();
    while (r->warnings < n) {
        const char *text = f->jansson->string_value(f->jansson->array_get(array, r->warnings));
        if (!text)
            return diff_fail(f, 1701, "a warning is not text");
        r->warning[r->warnings++] = text;
    }
    return CLI_OK;
}

static bool is_one_of(const char *text, const char *a, const char *b)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

static int read_tree(const struct diff_file *f, const json_t *from, struct diff_report *r)
{
    r->trace = diff_text(f, from, "waveform");
    if (!r->trace)
        return diff_fail(f, 1701, "a report that does not say of which waveform it is");
    const int code = read_warnings(f, from, r);
    return code                  ? code
           : r->kind == DIFF_BUS ? diff_read_buses(f, from, r)
                                 : diff_read_activity(f, from, r);
}

/* Sums of all rows, and how the rows are spread. */
static int read_rows(const struct diff_file *f, const json_t *from, struct diff_report *r)
{
    uint64_t cycles;
    int code = read_warnings(f, from, r);

    if (code == CLI_OK && !count_of(f, from, "cycles", &cycles))
        code = diff_fail(f, 1701, "a report without cycles");
    if (code == CLI_OK)
        code = add_cycles(f, r, NULL, cycles);
    if (code == CLI_OK)
        code = read_items(f, f->jansson->object_get(from, "sums"), false, r);
    if (code == CLI_OK)
        code = diff_read_spreads(f, from, r);
    for (size_t i = 1; i < r->items; i++)
        r->item[i].cycles = cycles;
    return code;
}

static int read_report(const struct diff_file *f, const json_t *from, struct diff_report *r)
{
    const char *schema = diff_text(f, from, "$schema");
    const json_t *counts = from;

    if (schema && is_one_of(schema, "pcounter-bus-1", "pcounter-activity-1")) {
        r->kind = strcmp(schema, "pcounter-bus-1") == 0 ? DIFF_BUS : DIFF_ACTIVITY;
        return read_tree(f, from, r);
    }
    r->trace = diff_text(f, from, "trace");
    const json_t *partial = f->jansson->object_get(from, "partial");
    r->partial = json_is_true(partial);
    if (!schema || !r->trace)
        return diff_fail(f, 1701, "this JSON does not say that it is a report of counts");
    const char *failed = diff_text(f, from, "error");
    if (strcmp(schema, "pcounter-stat-failed-1") == 0 && failed)
        return diff_fail(f, 1701, "%.100s was not counted: %.200s", r->trace, failed);
    if (is_one_of(schema, "pcounter-stat-core-1", "pcounter-stat-core-2"))
        counts = f->jansson->object_get(from, "all");
    else if (strcmp(schema, "pcounter-record-2") == 0)
        r->kind = DIFF_RECORD;
    else if (!is_one_of(schema, "pcounter-stat-1", "pcounter-stat-2"))
        return diff_fail(f, 1701, "cannot compare this report: %.60s", schema);
    if (partial ? !json_is_boolean(partial) : counts == from) /* one of a core has no such member */
        return diff_fail(f, 1701, "a report that does not say whether it is partial");
    if (r->kind == DIFF_RECORD)
        return read_rows(f, from, r);
    const int code = read_warnings(f, from, r);
    return code ? code : read_counts(f, counts, r);
}

static int read_reports(struct diff_file *f)
{
    const json_t *root = f->json;
    const bool several = json_is_array(root);

    f->reports = several ? f->jansson->array_size(root) : 1;
    if (f->reports == 0)
        return diff_fail(f, 1701, "an array without a report");
    f->report = calloc(f->reports, sizeof *f->report);
    if (!f->report)
        return cli_no_memory();
    for (size_t i = 0; i < f->reports; i++) {
        const int code =
            read_report(f, several ? f->jansson->array_get(root, i) : root, &f->report[i]);
        if (code)
            return code;
    }
    return CLI_OK;
}

int diff_file_open(struct diff_file *f, const struct diff_options *o, const char *path)
{
    char *text = NULL;
    size_t size;

    *f = (struct diff_file){ .path = path, .memory = o->memory, .hint = HINT, .lenient = true };
    int code = o->measurements ? diff_measure(o->measurements, path, &text, &size)
                               : cli_read_file("diff", path, MOST, &text, &size);
    if (code) {
        free(text);
        return code;
    }
    code = diff_json_open(f, text, size);
    free(text);
    return code ? code : read_reports(f);
}

void diff_file_close(struct diff_file *f)
{
    for (size_t i = 0; f->report && i < f->reports; i++) {
        for (size_t k = 0; k < f->report[i].items; k++)
            free(f->report[i].item[k].own);
        free(f->report[i].item);
        free(f->report[i].warning);
    }
    free(f->report);
    diff_json_close(f);
}
