/* SPDX-License-Identifier: MIT */
/*
 * Reports of pcounter idle for programs, and which of them a window goes to.  Rows go out as
 * windows end, so memory does not grow with the trace.
 */
#include "idle.h"

/* --- the tree --- */

static const char *const samplings[] = { "pre-edge", "post-edge", "every", NULL };
static const char *const polls[] = { "exact", "clear", NULL };
static const char *const governors[] = { "gk20a", NULL };

enum { MHZ = 6 };
static const struct rep_field mhz = { .name = "mhz", .kind = REP_COUNT };
static const struct rep_field governor_fields[] = {
    { "name", REP_WORD, .about = "the governor", .words = governors },
    { "target", REP_COUNT, .about = "load that it aims at, in percent" },
    { "max", REP_COUNT, .about = "load above which it goes up at once, in percent" },
    { "smooth", REP_COUNT, .about = "weight of the average before" },
    { "recorded_level", REP_COUNT, .about = "the level at which the trace was recorded" },
    { "start_level", REP_COUNT, .about = "the level at which it starts" },
    { "mhz", REP_LIST, .about = "the clock of each level, in MHz", .value = &mhz },
    { .name = NULL },
};

static const struct rep_field counter_fields[] = {
    { "name", REP_TEXT, .about = "the name of the column" },
    { "pass", REP_COUNT, .about = "the pass of the plan, from 1", .least = 1 },
    { "counter", REP_COUNT, .about = "the counter of the chip", .most = 7 },
    { "mask", REP_HEX, .about = "the wires that it samples", .digits = 8 },
    { "mode", REP_WORD, .about = "when it counts", .words = idle_mode_names },
    { "engine", REP_BOOL, .about = "true: the column of one engine" },
    { .name = NULL },
};

static const struct rep_field count_fields[] = {
    { "name", REP_TEXT, .about = "the name of the column" },
    { "pass", REP_COUNT, .about = "the pass of the plan, from 1", .least = 1 },
    { "counter", REP_COUNT, .flags = REP_NO_JSON },
    { "mask", REP_HEX, .flags = REP_NO_JSON },
    { "mode", REP_TEXT, .flags = REP_NO_JSON },
    { "value", REP_COUNT, .about = "clocks that were counted; absent if not measured",
      .flags = REP_MAYBE, .csv = "count", .most = UINT32_MAX },
    { "total", REP_COUNT, .flags = REP_NO_JSON },
    { "percent", REP_NUMBER, .flags = REP_NO_JSON },
    { "state", REP_WORD, .about = "how far the value holds", .words = idle_state_names },
    { "tainted_clocks", REP_COUNT, .about = "clocks in which an unknown value (x, z) decides",
      .csv = "tainted" },
    { .name = NULL },
};

static const struct rep_field decision_fields[] = {
    { "name", REP_TEXT, .flags = REP_NO_JSON },
    { "load", REP_COUNT, .about = "busy clocks of 100; absent if it did not decide",
      .flags = REP_MAYBE, .csv = "percent" },
    { "average", REP_COUNT, .about = "the smoothed load, in percent" },
    { "level", REP_COUNT, .about = "the level of this window" },
    { "mhz", REP_COUNT, .flags = REP_NO_JSON },
    { "next_level", REP_COUNT, .about = "that of the next one" },
    { "lost", REP_COUNT,
      .about = "busy clocks beyond what the level offers, in clocks of the recorded level" },
    { "saved", REP_COUNT, .about = "clocks that the highest level would have offered beyond it" },
    { .name = NULL },
};

enum { WINDOW_COUNTS = 4, WINDOW_GOVERNOR };
static const struct rep_field window_fields[] = {
    { "window", REP_COUNT, .about = "its number, from 1", .least = 1 },
    { "start", REP_COUNT, .about = "where it begins, in \"unit\"" },
    { "end", REP_COUNT, .about = "where it ends" },
    { "whole", REP_BOOL, .about = "false: cut off by the end, so not polled" },
    { "counts", REP_LIST, .about = "every counter, in the order of \"counters\"", .flags = REP_ROW,
      .field = count_fields, .item = "what a counter had", .fixed = "kind=counter" },
    { "governor", REP_OBJECT, .about = "with --governor: its decision",
      .flags = REP_MAYBE | REP_ROW, .field = decision_fields, .fixed = "kind=governor" },
    { .name = NULL },
};

static const struct rep_field level_fields[] = {
    { "level", REP_COUNT, .about = "the level" },
    { "windows", REP_COUNT, .about = "windows at it" },
    { "clocks", REP_COUNT, .about = "clocks at it", .csv = "count" },
    { "name", REP_TEXT, .flags = REP_NO_JSON },
    { "total", REP_COUNT, .flags = REP_NO_JSON },
    { "percent", REP_NUMBER, .flags = REP_NO_JSON },
    { "mhz", REP_COUNT, .flags = REP_NO_JSON },
    { .name = NULL },
};

static const struct rep_field warning = { "warning", REP_TEXT, .csv = "name",
                                          .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )" };

enum {
    GOVERNOR = 8,
    COUNTERS,
    WINDOWS,
    CLOCKS,
    TOTAL,
    LEVELS,
    WORK,
    CAPACITY,
    LOST,
    SAVED,
    COMPLETE,
    WARNINGS
};
static const struct rep_field fields[] = {
    { "trace", REP_TEXT, .about = "the waveform or script, as it was given" },
    { "chip", REP_TEXT, .about = "the chip whose counters are modelled" },
    { "clock", REP_TEXT, .about = "--clock, as it was given; null with --script",
      .flags = REP_NULL },
    { "sample", REP_WORD, .about = "whether signals are taken before or after the edge",
      .words = samplings },
    { "x", REP_WORD, .about = "what an unknown value (x, z) is", .words = idle_x_names },
    { "polls", REP_WORD, .about = "whether polls only read, or clear as the driver does",
      .words = polls },
    { "window", REP_TEXT, .about = "--window, as it was given; null: the whole trace",
      .flags = REP_NULL | REP_NO_CSV },
    { "unit", REP_TEXT,
      .about = "what start and end of windows count: clock, sample, or a time like 1ns" },
    { "governor", REP_OBJECT, .about = "the governor and its settings; null: none",
      .flags = REP_NULL, .field = governor_fields },
    { "counters", REP_LIST, .about = "names, in the order of the counts", .field = counter_fields,
      .item = "a counter" },
    { "windows", REP_LIST, .about = "the windows, in order", .flags = REP_STREAM,
      .field = window_fields, .item = "a window", .one = "window" },
    { "clocks", REP_COUNT, .about = "clocks of all windows", .flags = REP_TOTAL, .csv = "count" },
    { "total", REP_COUNT, .flags = REP_TOTAL | REP_NO_JSON },
    { "levels", REP_LIST, .about = "with --governor: every level", .flags = REP_MAYBE | REP_ROW,
      .field = level_fields, .item = "time spent at a level", .fixed = "kind=level" },
    { "work", REP_COUNT, .about = "busy clocks", .flags = REP_MAYBE },
    { "capacity", REP_COUNT, .about = "clocks that the levels offered", .flags = REP_MAYBE },
    { "lost", REP_COUNT, .about = "busy clocks beyond what was offered",
      .flags = REP_MAYBE | REP_TOTAL },
    { "saved", REP_COUNT, .about = "clocks that the highest level would have offered beyond it",
      .flags = REP_MAYBE | REP_TOTAL },
    { "complete", REP_BOOL, .about = "false: interrupted before the end of the input, or failed",
      .flags = REP_TOTAL | REP_NO_LINES, .csv = "whole" },
    { "warnings", REP_LIST,
      .about = "what was odd, dropped or assumed, with its code and place, as on standard error",
      .flags = REP_ROW, .value = &warning, .fixed = "kind=warning" },
    { .name = NULL },
};

const struct rep_def idle_report_def = {
    .schema = "pcounter-idle-2",
    .lines = "pcounter-idle-lines-2",
    .call = "pcounter idle",
    .about = "Idle counters of PDAEMON window by window, and what a governor makes of them.",
    .field = fields,
    .columns = "trace,chip,window,start,end,unit,whole,kind,name,pass,counter,mask,mode,count,"
               "total,percent,state,tainted,average,level,mhz,next_level,lost,saved",
    .total = "kind=all",
    .series = true,
};

/* --- cells --- */

static struct rep_cell percent(uint64_t part, uint64_t whole)
{
    return whole ? rep_fixed(idle_hundredths(part, whole), 2) : rep_null();
}

static void put_governor(struct rep *r, const struct idle_options *o)
{
    const struct pc_governor *g = &o->governor;

    if (!o->governed) {
        rep_set(r, GOVERNOR, rep_null());
        return;
    }
    rep_begin(r, GOVERNOR,
              REP_CELLS(rep_text(g->name), rep_count(g->target), rep_count(g->ceiling),
                        rep_count(g->smooth), rep_count(o->recorded), rep_count(o->start.level)));
    for (uint32_t i = 0; i < g->levels; i++)
        rep_item(r, MHZ, rep_count(g->khz[i] / 1000));
    rep_end(r);
}

static void put_head(const struct idle_report *r)
{
    const struct idle_options *o = r->o;

    rep_root(r->rep,
             REP_CELLS(rep_text(o->path), rep_text(o->chip->name), rep_text(o->clock),
                       rep_text(idle_sampling(o)), rep_text(idle_x_names[o->x]),
                       rep_text(polls[!o->exact]), rep_text(o->window.text), rep_text(r->unit)));
    put_governor(r->rep, o);
    for (size_t i = 0; i < r->plan->meters; i++) {
        const struct idle_meter *m = &r->plan->meter[i];
        rep_row(r->rep, COUNTERS,
                REP_CELLS(rep_text(m->name), rep_count(m->pass + 1), rep_count(m->counter),
                          rep_hex(m->mask, 8), rep_text(idle_mode_names[m->mode]),
                          rep_bool(m->engine >= 0)));
    }
}

static void put_count(const struct idle_report *r, const struct idle_meter *m)
{
    const uint64_t total = idle_total_of(r->plan, m)->value;
    const bool is_measured = m->state != IDLE_UNMEASURED;

    rep_row(r->rep, WINDOW_COUNTS,
            REP_CELLS(rep_text(m->name), rep_count(m->pass + 1), rep_count(m->counter),
                      rep_hex(m->mask, 8), rep_text(idle_mode_names[m->mode]),
                      is_measured ? rep_count(m->value) : rep_absent(),
                      is_measured ? rep_count(total) : rep_absent(),
                      is_measured ? percent(m->value, total) : rep_absent(),
                      rep_text(idle_state_names[m->state]), rep_count(m->tainted)));
}

static void put_window(const struct idle_report *r, const struct idle_result *w)
{
    const struct pc_governor *g = &r->o->governor;

    rep_begin(r->rep, WINDOWS,
              REP_CELLS(rep_count(w->number), rep_count(w->start), rep_count(w->end),
                        rep_bool(w->whole)));
    for (size_t i = 0; i < r->plan->meters; i++)
        put_count(r, &r->plan->meter[i]);
    if (r->o->governed)
        rep_row(r->rep, WINDOW_GOVERNOR,
                REP_CELLS(rep_text(g->name), w->decided ? rep_count(w->load) : rep_absent(),
                          rep_count(w->average), rep_count(w->level),
                          rep_count(g->khz[w->level] / 1000), rep_count(w->next),
                          rep_count(w->lost), rep_count(w->saved)));
    rep_end(r->rep);
}

static void put_levels(const struct idle_report *r, const struct idle_totals *t)
{
    const struct pc_governor *g = &r->o->governor;

    for (uint32_t i = 0; i < g->levels; i++)
        rep_row(r->rep, LEVELS,
                REP_CELLS(rep_count(i), rep_count(t->level_windows[i]),
                          rep_count(t->level_clocks[i]), rep_text(g->name), rep_count(t->clocks),
                          percent(t->level_clocks[i], t->clocks), rep_count(g->khz[i] / 1000)));
    rep_set(r->rep, WORK, rep_count(t->work));
    rep_set(r->rep, CAPACITY, rep_count(t->capacity));
    rep_set(r->rep, LOST, rep_count(t->lost));
    rep_set(r->rep, SAVED, rep_count(t->saved));
}

static void put_end(const struct idle_report *r, const struct idle_totals *t)
{
    const bool is_partial = t->interrupted || t->failed;

    rep_totals(r->rep, is_partial);
    rep_set(r->rep, CLOCKS, rep_count(t->clocks));
    rep_set(r->rep, TOTAL, rep_count(t->clocks));
    if (r->o->governed)
        put_levels(r, t);
    rep_set(r->rep, COMPLETE, rep_bool(!is_partial));
    rep_total_row(r->rep);
    rep_warnings(r->rep, WARNINGS);
}

/* --- all formats --- */

void idle_report_window(struct idle_report *r, const struct idle_result *w)
{
    if (!r->begun && r->file)
        idle_text_begin(r);
    if (!r->begun && rep_has_rows(r->rep))
        put_head(r);
    r->begun = true;
    for (size_t i = 0; i < REP_OUTPUTS && r->tracks[i]; i++)
        idle_tracks_add(r->tracks[i], w);
    if (r->file)
        idle_text_window(r, w);
    if (rep_has_rows(r->rep))
        put_window(r, w);
}

int idle_report_end(struct idle_report *r, const struct idle_totals *t)
{
    if (!r->begun)
        return CLI_OK;
    for (size_t i = 0; i < REP_OUTPUTS && r->tracks[i]; i++)
        idle_tracks_end(r->tracks[i], t);
    const int code = r->file ? idle_text_end(r, t) : CLI_OK;
    if (rep_has_rows(r->rep))
        put_end(r, t);
    return code;
}
