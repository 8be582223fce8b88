/* SPDX-License-Identifier: MIT */
/*
 * CSV and JSON of pcounter idle, and which format is asked for.  Rows go out as windows
 * end, so memory does not grow with the trace.
 */
#include "idle.h"
#include "text/warnings.h"

#include <inttypes.h>

/* --- CSV --- */

static void csv_common(const struct idle_report *r)
{
    cli_csv_field(r->file, r->o->path);
    fprintf(r->file, ",%s,", r->o->chip->name);
}

static void csv_window(const struct idle_report *r, const struct idle_result *w)
{
    csv_common(r);
    fprintf(r->file, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%d,", w->number, w->start, w->end,
            r->unit, w->whole);
}

static void csv_meter(const struct idle_report *r, const struct idle_result *w,
                      const struct idle_meter *m)
{
    const struct idle_meter *total = idle_total_of(r->plan, m);
    bool measured = m->state != IDLE_UNMEASURED;

    csv_window(r, w);
    fprintf(r->file, "counter,%s,%u,%u,0x%08" PRIx32 ",%s,", m->name, m->pass + 1, m->counter,
            m->mask, idle_mode_names[m->mode]);
    if (measured)
        fprintf(r->file, "%" PRIu32 ",%" PRIu32 ",%s,", m->value, total->value,
                idle_percent(m->value, total->value));
    else
        fputs(",,,", r->file);
    fprintf(r->file, "%s,%" PRIu64 ",,,,,,\r\n", idle_state_names[m->state], m->tainted);
}

static void csv_governor(const struct idle_report *r, const struct idle_result *w)
{
    const struct pc_governor *g = &r->o->governor;

    csv_window(r, w);
    fprintf(r->file, "governor,%s,,,,,,,", g->name);
    if (w->decided)
        fprintf(r->file, "%" PRIu32, w->load);
    fprintf(r->file,
            ",,,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\r\n",
            w->average, w->level, g->khz[w->level] / 1000, w->next, w->lost, w->saved);
}

static void csv_end(const struct idle_report *r, const struct idle_totals *t)
{
    const struct pc_governor *g = &r->o->governor;
    char head[80];

    for (uint32_t i = 0; r->o->governed && i < g->levels; i++) {
        csv_common(r);
        fprintf(r->file,
                ",,,%s,,level,%s,,,,,%" PRIu64 ",%" PRIu64 ",%s,,,,%" PRIu32 ",%" PRIu32 ",,,\r\n",
                r->unit, g->name, t->level_clocks[i], t->clocks,
                idle_percent(t->level_clocks[i], t->clocks), i, g->khz[i] / 1000);
    }
    csv_common(r);
    fprintf(r->file, ",,,%s,%d,all,,,,,,%" PRIu64 ",%" PRIu64 ",,,,,,,,", r->unit,
            !t->interrupted && !t->failed, t->clocks, t->clocks);
    if (r->o->governed)
        fprintf(r->file, "%" PRIu64 ",%" PRIu64 "\r\n", t->lost, t->saved);
    else
        fputs(",\r\n", r->file);
    snprintf(head, sizeof head, ",%s,,,,%s,,warning,", r->o->chip->name, r->unit);
    cli_csv_warnings(r->file, r->o->path, head, ",,,,,,,,,,,,,,,");
}

/* --- JSON --- */

static void json_governor_begin(FILE *out, const struct idle_report *r)
{
    const struct pc_governor *g = &r->o->governor;

    if (!r->o->governed) {
        fputs("  \"governor\": null,\n", out);
        return;
    }
    fprintf(out,
            "  \"governor\": { \"name\": \"%s\", \"target\": %" PRIu32 ", \"max\": %" PRIu32
            ", \"smooth\": %" PRIu32 ", \"recorded_level\": %" PRIu32 ", \"start_level\": %" PRIu32
            ",\n    \"mhz\": [",
            g->name, g->target, g->ceiling, g->smooth, r->o->recorded, r->o->start.level);
    for (uint32_t i = 0; i < g->levels; i++)
        fprintf(out, "%s%" PRIu32, i ? ", " : "", g->khz[i] / 1000);
    fputs("] },\n", out);
}

/* Behind "$schema". */
static void json_head(FILE *out, const struct idle_report *r)
{
    fprintf(out, ",\n  \"tool\": \"pcounter %s\",\n  \"trace\": ", pc_version());
    cli_json_string(out, r->o->path);
    fprintf(out, ",\n  \"chip\": \"%s\",\n  \"clock\": ", r->o->chip->name);
    if (r->o->clock)
        cli_json_string(out, r->o->clock);
    else
        fputs("null", out);
    fprintf(out, ",\n  \"sample\": \"%s\",\n  \"x\": \"%s\",\n  \"polls\": \"%s\",\n  \"window\": ",
            idle_sampling(r->o), idle_x_names[r->o->x], r->o->exact ? "exact" : "clear");
    if (r->o->window.text)
        cli_json_string(out, r->o->window.text);
    else
        fputs("null", out);
    fprintf(out, ",\n  \"unit\": \"%s\",\n", r->unit);
    json_governor_begin(out, r);
    fputs("  \"counters\": [", out);
    for (size_t i = 0; i < r->plan->meters; i++) {
        const struct idle_meter *m = &r->plan->meter[i];
        fprintf(
            out,
            "%s\n    { \"name\": \"%s\", \"pass\": %u, \"counter\": %u, \"mask\": \"0x%08" PRIx32
            "\", \"mode\": \"%s\", \"engine\": %s }",
            i ? "," : "", m->name, m->pass + 1, m->counter, m->mask, idle_mode_names[m->mode],
            m->engine >= 0 ? "true" : "false");
    }
    fputs("\n  ]", out);
}

static void json_window(FILE *out, const struct idle_report *r, const struct idle_result *w)
{
    fprintf(out, "{ \"window\": %" PRIu64 ", ", w->number);
    cli_json_count(out, "start", w->start);
    fputs(", ", out);
    cli_json_count(out, "end", w->end);
    fprintf(out, ", \"whole\": %s, \"counts\": [", w->whole ? "true" : "false");
    for (size_t i = 0; i < r->plan->meters; i++) {
        const struct idle_meter *m = &r->plan->meter[i];
        fprintf(out, "%s\n      { \"name\": \"%s\", \"pass\": %u, ", i ? "," : "", m->name,
                m->pass + 1);
        if (m->state != IDLE_UNMEASURED)
            fprintf(out, "\"value\": \"%" PRIu32 "\", \"value_number\": %" PRIu32 ", ", m->value,
                    m->value);
        fprintf(out, "\"state\": \"%s\", \"tainted_clocks\": %" PRIu64 " }",
                idle_state_names[m->state], m->tainted);
    }
    fputs("\n      ]", out);
    if (r->o->governed) {
        fputs(",\n      \"governor\": { ", out);
        if (w->decided)
            fprintf(out, "\"load\": %" PRIu32 ", ", w->load);
        fprintf(out,
                "\"average\": %" PRIu32 ", \"level\": %" PRIu32 ", \"next_level\": %" PRIu32 ", ",
                w->average, w->level, w->next);
        cli_json_count(out, "lost", w->lost);
        fputs(", ", out);
        cli_json_count(out, "saved", w->saved);
        fputs(" }", out);
    }
    fputs(" }", out);
}

static void json_totals(FILE *out, const struct idle_report *r, const struct idle_totals *t)
{
    fputs(",\n  ", out);
    cli_json_count(out, "clocks", t->clocks);
    if (r->o->governed) {
        fputs(",\n  \"levels\": [", out);
        for (uint32_t i = 0; i < r->o->governor.levels; i++) {
            fprintf(out, "%s\n    { \"level\": %" PRIu32 ", \"windows\": %" PRIu64 ", ",
                    i ? "," : "", i, t->level_windows[i]);
            cli_json_count(out, "clocks", t->level_clocks[i]);
            fputs(" }", out);
        }
        fputs("\n  ],\n  ", out);
        cli_json_count(out, "work", t->work);
        fputs(", ", out);
        cli_json_count(out, "capacity", t->capacity);
        fputs(",\n  ", out);
        cli_json_count(out, "lost", t->lost);
        fputs(", ", out);
        cli_json_count(out, "saved", t->saved);
    }
}

static void json_begin(const struct idle_report *r)
{
    fputs("{\n  \"$schema\": \"pcounter-idle-1\"", r->file);
    json_head(r->file, r);
    fputs(",\n  \"windows\": [", r->file);
}

static void json_end(const struct idle_report *r, const struct idle_totals *t)
{
    fputs(t->windows ? "\n  ]" : "]", r->file);
    json_totals(r->file, r, t);
    fprintf(r->file, ",\n  \"complete\": %s,\n  ", t->interrupted || t->failed ? "false" : "true");
    cli_json_warnings(r->file);
    fputs("\n}\n", r->file);
}

/* --- JSON, a line at a time --- */

static void lines_begin(const struct idle_report *r)
{
    FILE *f = cli_line_begin(r->o->lines, r->file, "pcounter-idle-lines-1");

    if (!f)
        return;
    json_head(f, r);
    cli_line_close(r->o->lines);
}

static void lines_window(const struct idle_report *r, const struct idle_result *w)
{
    FILE *f = cli_line_item(r->o->lines, r->file, "window");

    if (!f)
        return;
    json_window(f, r, w);
    cli_line_close(r->o->lines);
}

static void lines_end(const struct idle_report *r, const struct idle_totals *t)
{
    FILE *f = cli_line_end(r->o->lines, r->file, t->interrupted || t->failed);

    if (!f)
        return;
    json_totals(f, r, t);
    fputs(", ", f);
    cli_json_warnings(f);
    cli_line_close(r->o->lines);
}

/* --- all formats --- */

static void begin(const struct idle_report *r)
{
    switch (r->o->format) {
    case CLI_TEXT:
        idle_text_begin(r);
        break;
    case CLI_CSV:
        fputs("trace,chip,window,start,end,unit,whole,kind,name,pass,counter,mask,mode,count,total,"
              "percent,state,tainted,average,level,mhz,next_level,lost,saved\r\n",
              r->file);
        break;
    case CLI_JSON:
        if (r->o->lines)
            lines_begin(r);
        else
            json_begin(r);
        break;
    }
}

void idle_report_window(struct idle_report *r, const struct idle_result *w)
{
    if (r->tracks) {
        idle_tracks_add(r->tracks, w);
        r->begun = true;
        return;
    }
    if (!r->begun)
        begin(r);
    r->begun = true;
    switch (r->o->format) {
    case CLI_TEXT:
        idle_text_window(r, w);
        break;
    case CLI_CSV:
        for (size_t i = 0; i < r->plan->meters; i++)
            csv_meter(r, w, &r->plan->meter[i]);
        if (r->o->governed)
            csv_governor(r, w);
        break;
    case CLI_JSON:
        if (r->o->lines) {
            lines_window(r, w);
            break;
        }
        fputs(w->number > 1 ? ",\n    " : "\n    ", r->file);
        json_window(r->file, r, w);
        break;
    }
}

void idle_report_end(const struct idle_report *r, const struct idle_totals *t)
{
    if (!r->begun)
        return;
    if (r->tracks) {
        idle_tracks_end(r->tracks, t);
        return;
    }
    switch (r->o->format) {
    case CLI_TEXT:
        idle_text_end(r, t);
        break;
    case CLI_CSV:
        csv_end(r, t);
        break;
    case CLI_JSON:
        if (r->o->lines)
            lines_end(r, t);
        else
            json_end(r, t);
        break;
    }
}
