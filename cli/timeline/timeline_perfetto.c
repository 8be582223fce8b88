/* SPDX-License-Identifier: MIT */
/*
 * A timeline as trace events, the JSON that ui.perfetto.dev and chrome://tracing open: a counter
 * track for each column, in microseconds of the axis.
 *
 * A counter of that format keeps its value up to the next one, and there is no event that ends
 * it: where a column was not measured it has none, and a slice of a track of its own says so, as
 * it does where values are not exact.
 */
#include "text/warnings.h"
#include "timeline_writer.h"

#include <inttypes.h>
#include <stdlib.h>

/* Microseconds; the process, and its track of all rows; those of states come after it. */
enum { MICRO = -6, PROCESS = 1, ROWS = 1, STATES = 2 };

/* Rows of a column that follow each other in one state. */
struct stretch {
    enum pc_value_state state;
    struct timeline_time begin;
    bool open, named; /* named: its track has a name */
};

static bool open(struct timeline *t)
{
    t->own = calloc(t->desc.columns + 1, sizeof(struct stretch));
    return t->own != NULL;
}

static void close(struct timeline *t)
{
    free(t->own);
}

/* --- events --- */

static void put_time(const struct timeline *t, const char *key, struct timeline_time time)
{
    char text[TIMELINE_TEXT];

    timeline_text(&t->desc.axis, time, MICRO, text);
    fprintf(t->desc.out, ", \"%s\": %s", key, text);
}

static void name_track(const struct timeline *t, const char *what, size_t track, const char *name)
{
    FILE *out = t->desc.out;

    fprintf(out,
            "{\"name\": \"%s\", \"ph\": \"M\", \"pid\": %d, \"tid\": %zu, \"args\": {\"name\": ",
            what, PROCESS, track);
    cli_json_string(out, name);
    fputs("}},\n", out);
}

static void begin(struct timeline *t)
{
    fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n", t->desc.out);
    name_track(t, "process_name", ROWS, t->desc.title);
    name_track(t, "thread_name", ROWS, "all");
}

static void put_slice(const struct timeline *t, size_t track, const char *name,
                      struct timeline_time from, struct timeline_time to)
{
    fprintf(t->desc.out, "{\"name\": \"%s\", \"ph\": \"X\", \"pid\": %d, \"tid\": %zu", name,
            PROCESS, track);
    put_time(t, "ts", from);
    put_time(t, "dur", timeline_between(&t->desc.axis, from, to));
}

/* The states of a column up to there, if they were not exact. */
static void close_stretch(struct timeline *t, size_t i, struct timeline_time end)
{
    struct stretch *s = (struct stretch *)t->own + i;

    if (!s->open || s->state == PC_VALUE_EXACT)
        return;
    if (!s->named)
        name_track(t, "thread_name", STATES + i, t->desc.column[i].name);
    s->named = true;
    put_slice(t, STATES + i,
              s->state == PC_VALUE_UNMEASURED ? "not measured" : pc_value_state_name(s->state),
              s->begin, end);
    fputs("},\n", t->desc.out);
}

static void add_state(struct timeline *t, size_t i, const struct timeline_row *row,
                      enum pc_value_state state)
{
    struct stretch *s = (struct stretch *)t->own + i;

    if (s->open && s->state == state)
        return;
    close_stretch(t, i, row->begin);
    s->state = state;
    s->begin = row->begin;
    s->open = true;
}

static void put_counter(const struct timeline *t, const struct timeline_column *c,
                        const struct timeline_row *row, const struct timeline_value *v)
{
    FILE *out = t->desc.out;

    fputs("{\"name\": ", out);
    cli_json_string(out, c->name);
    fprintf(out, ", \"ph\": \"C\", \"pid\": %d, \"tid\": %d", PROCESS, ROWS);
    put_time(t, "ts", row->begin);
    fputs(", \"args\": {", out);
    cli_json_string(out, c->unit);
    if (c->kind == TIMELINE_METRIC)
        fprintf(out, ": %.15g}},\n", v->number);
    else
        fprintf(out, ": %" PRIu64 "}},\n", v->count);
}

/* Cut short: that is within the slice of all rows. */
static void put_partial(const struct timeline *t, const struct timeline_row *row)
{
    put_slice(t, ROWS, "partial", row->begin, t->end);
    fputs("},\n", t->desc.out);
}

static void add(struct timeline *t, const struct timeline_row *row)
{
    for (size_t i = 0; i < t->desc.columns; i++) {
        const struct timeline_column *c = &t->desc.column[i];
        const struct timeline_value *v = &row->value[i];
        const bool measured = timeline_measured(c, v);
        if (measured)
            put_counter(t, c, row, v);
        add_state(t, i, row, measured ? v->state : PC_VALUE_UNMEASURED);
    }
    if (row->partial)
        put_partial(t, row);
}

/* The slice of all rows is the last event, so that one comes after each comma. */
static void end(struct timeline *t, const struct timeline_summary *summary)
{
    FILE *out = t->desc.out;

    for (size_t i = 0; i < t->desc.columns; i++)
        close_stretch(t, i, t->end);
    put_slice(t, ROWS, "all", t->begin, t->end);
    fprintf(out,
            ", \"args\": {\"rows\": %" PRIu64 "}}\n],\n\"otherData\": {\"tool\": \"pcounter %s\"",
            t->rows, pc_version());
    fputs(",\n  ", out);
    cli_json_warnings(out);
    for (size_t i = 0; i < summary->facts->count; i++) {
        fputs(",\n  ", out);
        cli_json_string(out, summary->facts->fact[i].name);
        fputs(": ", out);
        cli_json_string(out, summary->facts->fact[i].value);
    }
    fputs("}}\n", out);
}

const struct timeline_writer timeline_perfetto = { "perfetto", open, begin, add, end, close };
