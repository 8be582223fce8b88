/* SPDX-License-Identifier: MIT */
/* The summary of a waveform for programs: a tree, and in CSV a property a row. */
#include "info.h"
#include "text/warnings.h"

#include <stdlib.h>

static const struct rep_field timescale_fields[] = {
    { "factor", REP_COUNT, .about = "1, 10 or 100 where waveforms have one" },
    { "exponent", REP_INT, .about = "of ten, in seconds" },
    { .name = NULL },
};
static const struct rep_field clock_fields[] = {
    { "name", REP_TEXT, .about = "its path" },
    { "rises", REP_COUNT, .about = "changes to 1" },
    { "falls", REP_COUNT, .about = "changes to 0" },
    { "period", REP_COUNT,
      .about = "the shortest time from a rising edge to the next, in time units" },
    { "period_ns", REP_NUMBER, .about = "the same in nanoseconds" },
    { .name = NULL },
};
static const struct rep_field evidence_fields[] = {
    { "name", REP_TEXT, .about = "the path of a clock, or of a signal that is called one" },
    { "changes", REP_COUNT, .about = "bit changes of other signals after its first rising edge" },
    { "explained", REP_COUNT,
      .about = "those of them at one of its rising edges, or as long after one as most changes of "
               "that bit" },
    { .name = NULL },
};
static const struct rep_field pair_fields[] = {
    { "offers", REP_TEXT, .about = "the path of the signal that offers: valid, request" },
    { "takes", REP_TEXT, .about = "the path of the one that takes: ready, grant" },
    { .name = NULL },
};
static const struct rep_field reset_fields[] = {
    { "name", REP_TEXT, .about = "its path" },
    { "active", REP_COUNT, .about = "the level at which it resets, by its name: 0 or 1" },
    { "rises", REP_COUNT, .about = "changes to 1" },
    { "falls", REP_COUNT, .about = "changes to 0" },
    { .name = NULL },
};
static const struct rep_field event_fields[] = {
    { "name", REP_TEXT, .about = "its path" },
    { "rises", REP_COUNT, .about = "changes to 1" },
    { "falls", REP_COUNT, .about = "changes to 0" },
    { "named_like_event", REP_BOOL, .about = "true: its name is like that of an event" },
    { .name = NULL },
};
static const struct rep_field trigger_fields[] = {
    { "name", REP_TEXT, .about = "its path" },
    { "triggers", REP_COUNT, .about = "how often it was triggered" },
    { .name = NULL },
};
static const struct rep_field property_fields[] = {
    { "property", REP_TEXT, .flags = REP_NULL },
    { "signal", REP_TEXT, .flags = REP_NULL },
    { "value", REP_TEXT, .flags = REP_NULL },
    { .name = NULL },
};
static const struct rep_field warning = { .name = "warning",
                                          .kind = REP_TEXT,
                                          .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )" };
static const struct rep_field note = { .name = "note", .kind = REP_TEXT };

enum {
    TIMESCALE = 5,
    SAMPLE_RATE,
    UNFINISHED,
    FIRST,
    LAST,
    STAMPS,
    CHANGES,
    SCOPES,
    VARS,
    CODES,
    EVERY,
    CLOCKS,
    EVIDENCE,
    RESETS,
    PAIRS,
    EVENTS,
    TRIGGERS,
    WARNINGS,
    NOTES,
    PROPERTIES
};
static const struct rep_field fields[] = {
    { "file", REP_TEXT, .about = "the waveform, as it was given" },
    { "format", REP_TEXT, .about = "VCD, EVCD, FST, sigrok or CSV" },
    { "encoding", REP_TEXT, .about = "how it is compressed, or plain" },
    { "version", REP_TEXT, .about = "who wrote it; empty: unknown" },
    { "date", REP_TEXT, .about = "when; empty: unknown" },
    { "timescale", REP_OBJECT,
      .about = "a time unit is factor * 10^exponent seconds; factor 0: unknown",
      .field = timescale_fields },
    { "sample_rate", REP_COUNT,
      .about = "samples a second; null: unknown; absent if it is not sampled",
      .flags = REP_NULL | REP_MAYBE, .least = 1 },
    { "unfinished", REP_BOOL, .about = "true: its writer has not finished it" },
    { "time_first", REP_COUNT, .about = "the first timestamp; null: there is none",
      .flags = REP_NULL },
    { "time_last", REP_COUNT, .about = "the last timestamp; null: there is none",
      .flags = REP_NULL },
    { "time_stamps", REP_COUNT, .about = "timestamps, or samples" },
    { "changes", REP_COUNT, .about = "value changes" },
    { "scopes", REP_COUNT, .about = "scopes" },
    { "vars", REP_COUNT, .about = "variables" },
    { "codes", REP_COUNT, .about = "value streams: variables can share one" },
    { "every", REP_TEXT,
      .about = "the period of a clock with an edge at every timestamp, as --clock takes it after "
               "every; null: there is none, or samples are such a clock",
      .flags = REP_NULL },
    { "clocks", REP_LIST, .about = "shortest period first", .field = clock_fields,
      .item = "a signal that looks like a clock: regular, and others change in step with it" },
    { "evidence", REP_LIST,
      .about = "changes that each clock explains in the first 32,768 timestamps; empty: no clock, "
               "or the file is read only once",
      .field = evidence_fields, .item = "a clock" },
    { "resets", REP_LIST, .about = "in the order of the file", .field = reset_fields,
      .item = "a signal of one bit whose name says reset" },
    { "pairs", REP_LIST, .about = "in the order of the file", .field = pair_fields,
      .item = "two signals of one scope whose names say handshake" },
    { "events", REP_LIST, .about = "most likely first", .field = event_fields,
      .item = "a signal of one bit" },
    { "triggers", REP_LIST, .about = "in the order of the file", .field = trigger_fields,
      .item = "an event variable" },
    { "warnings", REP_LIST,
      .about = "what was odd, dropped or assumed: code, place and text as on standard error; "
               "empty: nothing",
      .value = &warning },
    { "notes", REP_LIST, .about = "how a CSV was read that is not of the plain form",
      .value = &note },
    { "properties", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = property_fields },
    { .name = NULL },
};

const struct rep_def info_report = {
    .schema = "pcounter-info-2",
    .call = "pcounter info",
    .about = "What is in a waveform.",
    .field = fields,
    .columns = "property,signal,value",
    .bare = true,
    .plain = true,
};

/* --- a property a row --- */

static void put(struct rep *r, const char *property, const char *name, struct rep_cell value)
{
    rep_row(r, PROPERTIES, REP_CELLS(rep_text(property), rep_text(name), value));
}

static void put_times(struct rep *r, const struct info_summary *s)
{
    put(r, "timescale_factor", "", rep_count(s->info.timescale_factor));
    put(r, "timescale_exponent", "", rep_int(s->info.timescale_exponent));
    if (s->info.sample_rate)
        put(r, "sample_rate", "", rep_count(s->info.sample_rate));
    put(r, "unfinished", "", rep_bool(s->info.unfinished));
    if (s->totals.has_time) {
        put(r, "time_first", "", rep_count(s->totals.time_first));
        put(r, "time_last", "", rep_count(s->totals.time_last));
    }
    put(r, "time_stamps", "", rep_count(s->totals.time_stamps));
}

static void put_properties(struct rep *r, const struct info_summary *s, const char *period)
{
    const char *text;

    put(r, "file", "", rep_text(cli_input_label(s->file)));
    put(r, "format", "", rep_text(info_format_name(s->info.format)));
    put(r, "encoding", "", rep_text(s->info.encoding));
    put(r, "version", "", rep_text(s->info.version));
    put(r, "date", "", rep_text(s->info.date));
    put_times(r, s);
    put(r, "changes", "", rep_count(s->totals.changes));
    put(r, "scopes", "", rep_count(s->info.scopes));
    put(r, "vars", "", rep_count(s->info.vars));
    put(r, "codes", "", rep_count(s->info.codes));
    if (period)
        put(r, "every", "", rep_text(period));
    for (size_t i = 0; i < s->found.clocks; i++)
        put(r, "clock_period", info_name_of(s->wave, s->found.clock[i].var),
            rep_count(s->activity[s->found.clock[i].code].min_period));
    for (size_t i = 0; i < s->evidence.clocks; i++) {
        const struct cli_clock_proof *p = &s->evidence.clock[i];
        put(r, "clock_changes", info_name_of(s->wave, p->var), rep_count(p->changes));
        put(r, "clock_explained", info_name_of(s->wave, p->var), rep_count(p->explained));
    }
    for (size_t i = 0; i < s->resets; i++)
        put(r, "reset_active", info_name_of(s->wave, s->reset[i].var), rep_count(!s->reset[i].low));
    for (size_t i = 0; i < s->found.pairs; i++)
        put(r, "pair", info_name_of(s->wave, s->found.pair[i].offers),
            rep_text(info_name_of(s->wave, s->found.pair[i].takes)));
    for (size_t i = 0; i < s->found.events; i++)
        put(r, "event_rises", info_name_of(s->wave, s->found.event[i].var),
            rep_count(s->activity[s->found.event[i].code].rises));
    struct pc_wave_var v;
    for (size_t i = 0; info_next_event(s, &i, &v); i++)
        put(r, "event_triggers", v.name, rep_count(info_triggers(s, &v)));
    for (size_t i = 0; (text = cli_warning_at(i)) != NULL; i++)
        put(r, "warning", "", rep_text(text));
}

/* --- the tree --- */

static struct rep_cell time_cell(const struct info_summary *s, uint64_t time)
{
    return s->totals.has_time ? rep_count(time) : rep_null();
}

static void put_signals(struct rep *r, const struct info_summary *s)
{
    for (size_t i = 0; i < s->found.clocks; i++) {
        const struct pc_var_activity *a = &s->activity[s->found.clock[i].code];
        rep_row(r, CLOCKS,
                REP_CELLS(rep_text(info_name_of(s->wave, s->found.clock[i].var)),
                          rep_count(a->rises), rep_count(a->falls), rep_count(a->min_period),
                          rep_number(info_nanoseconds(&s->info, a->min_period), 9)));
    }
    for (size_t i = 0; i < s->evidence.clocks; i++) {
        const struct cli_clock_proof *p = &s->evidence.clock[i];
        rep_row(r, EVIDENCE,
                REP_CELLS(rep_text(info_name_of(s->wave, p->var)), rep_count(p->changes),
                          rep_count(p->explained)));
    }
    for (size_t i = 0; i < s->resets; i++) {
        const struct pc_var_activity *a = &s->activity[s->reset[i].code];
        rep_row(r, RESETS,
                REP_CELLS(rep_text(info_name_of(s->wave, s->reset[i].var)),
                          rep_count(!s->reset[i].low), rep_count(a->rises), rep_count(a->falls)));
    }
    for (size_t i = 0; i < s->found.pairs; i++)
        rep_row(r, PAIRS,
                REP_CELLS(rep_text(info_name_of(s->wave, s->found.pair[i].offers)),
                          rep_text(info_name_of(s->wave, s->found.pair[i].takes))));
    for (size_t i = 0; i < s->found.events; i++) {
        const struct pc_var_activity *a = &s->activity[s->found.event[i].code];
        rep_row(r, EVENTS,
                REP_CELLS(rep_text(info_name_of(s->wave, s->found.event[i].var)),
                          rep_count(a->rises), rep_count(a->falls),
                          rep_bool(s->found.event[i].telling)));
    }
    struct pc_wave_var v;
    for (size_t i = 0; info_next_event(s, &i, &v); i++)
        rep_row(r, TRIGGERS, REP_CELLS(rep_text(v.name), rep_count(info_triggers(s, &v))));
}

void info_put(struct rep *r, const struct info_summary *s)
{
    const struct pc_wave_info *info = &s->info;
    char every[48];
    const char *period = info_period_text(s, every), *text;

    rep_root(r, REP_CELLS(rep_text(s->file), rep_text(info_format_name(info->format)),
                          rep_text(info->encoding), rep_text(info->version), rep_text(info->date)));
    rep_set(r, SAMPLE_RATE,
            !info->sampled      ? rep_absent()
            : info->sample_rate ? rep_count(info->sample_rate)
                                : rep_null());
    rep_set(r, UNFINISHED, rep_bool(info->unfinished));
    rep_set(r, FIRST, time_cell(s, s->totals.time_first));
    rep_set(r, LAST, time_cell(s, s->totals.time_last));
    rep_set(r, STAMPS, rep_count(s->totals.time_stamps));
    rep_set(r, CHANGES, rep_count(s->totals.changes));
    rep_set(r, SCOPES, rep_count(info->scopes));
    rep_set(r, VARS, rep_count(info->vars));
    rep_set(r, CODES, rep_count(info->codes));
    rep_set(r, EVERY, rep_text(period));
    rep_row(r, TIMESCALE,
            REP_CELLS(rep_count(info->timescale_factor), rep_int(info->timescale_exponent)));
    put_signals(r, s);
    rep_warnings(r, WARNINGS);
    for (size_t i = 0; (text = pc_wave_note(s->wave, i)) != NULL; i++)
        rep_item(r, NOTES, rep_text(text));
    put_properties(r, s, period);
    rep_end(r);
}

/* --- variables --- */

static const char *const kinds[] = { "bits", "real", "string", "event", NULL };
static const struct rep_field code = { .name = "code", .kind = REP_COUNT };

enum { VAR_CODE = 7, VAR_CODES, VAR_CODES_TEXT };
static const struct rep_field var_fields[] = {
    { "name", REP_TEXT, .about = "its path" },
    { "range", REP_TEXT, .about = "its range, like [7:0]; empty: none" },
    { "type", REP_TEXT, .about = "wire, reg, integer, ... as the file says" },
    { "kind", REP_WORD, .about = "what values it has", .words = kinds },
    { "width", REP_COUNT, .about = "bits" },
    { "msb", REP_INT, .about = "the left bound of the range" },
    { "lsb", REP_INT, .about = "the right bound of the range" },
    { "code", REP_COUNT, .about = "its value stream", .flags = REP_MAYBE | REP_NO_CSV },
    { "codes", REP_LIST,
      .about = "of a vector that is declared bit by bit: the streams of its bits, from the left",
      .flags = REP_MAYBE, .value = &code },
    { "codes_in_words", REP_TEXT, .flags = REP_NO_JSON, .csv = "code" },
    { .name = NULL },
};
static const struct rep_field vars_fields[] = {
    { "vars", REP_LIST, .about = "those that match, in the order of the file", .flags = REP_ROW,
      .field = var_fields, .item = "a variable" },
    { .name = NULL },
};

const struct rep_def info_vars_report = {
    .schema = "pcounter-info-vars-1",
    .call = "pcounter info --vars",
    .about = "Variables of a waveform.",
    .field = vars_fields,
    .columns = "name,range,type,kind,width,msb,lsb,code",
    .bare = true,
};

/* Codes of the value streams: of a vector that is declared bit by bit one a bit, from the left. */
static char *codes_of(const struct cli_wave_vars *at, const struct pc_wave_var *v)
{
    enum { DIGITS = 12 };
    char *text = malloc(DIGITS * (at->bits + 1));
    int n = text ? snprintf(text, DIGITS, "%u", (unsigned)v->code) : 0;
    struct pc_wave_var bit;

    for (size_t i = 1; text && i < at->bits; i++)
        if (pc_wave_get_var(at->wave, at->first + i, &bit) == PC_OK)
            n += snprintf(text + n, DIGITS, " %u", (unsigned)bit.code);
    return text;
}

bool info_put_var(struct rep *r, const struct cli_wave_vars *at, const struct pc_wave_var *v)
{
    char *text = codes_of(at, v);
    struct pc_wave_var bit;

    if (!text)
        return false;
    rep_begin(r, 0,
              REP_CELLS(rep_text(v->name), rep_text(v->range), rep_text(v->type),
                        rep_text(kinds[v->kind]), rep_count(v->width), rep_int(v->msb),
                        rep_int(v->lsb), at->bits ? rep_absent() : rep_count(v->code), rep_absent(),
                        rep_text(text)));
    if (at->bits)
        rep_item(r, VAR_CODES, rep_count(v->code));
    for (size_t i = 1; i < at->bits; i++)
        if (pc_wave_get_var(at->wave, at->first + i, &bit) == PC_OK)
            rep_item(r, VAR_CODES, rep_count(bit.code));
    rep_end(r);
    free(text);
    return true;
}
