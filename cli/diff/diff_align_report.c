/* SPDX-License-Identifier: MIT */
/* The report on two captures that were compared. */
#include "diff/diff_align.h"

#include "text/table.h"
#include "text/warnings.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 20, CELL = 40 };

/* --- text --- */

static bool is_standing(const struct align_count *c)
{
    return c->before == 0 && c->after == 0 && !c->any;
}

/* "12.5 us", with all digits; of an unknown unit the number. */
static void time_text(const struct align_shift *s, int64_t time, char out[CELL])
{
    const bool minus = time < 0;
    uint64_t n = minus ? -(uint64_t)time : (uint64_t)time;
    int exponent = s->exponent, decimals = 0;
    uint64_t power = 1;

    if (s->unknown || s->exponent < -15 || s->exponent > 0) {
        snprintf(out, CELL, "%s%" PRIu64 "%s", minus ? "-" : "", n, s->unknown ? "" : " units");
        return;
    }
    for (; exponent % 3 != 0; exponent--)
        n *= 10;
    int unit = -exponent / 3;
    for (; unit > 0 && n / power >= 1000; unit--, power *= 1000)
        decimals += 3;
    char digits[24] = "";
    uint64_t part = n % power;
    for (int i = decimals; i > 0; i--, part /= 10)
        digits[i - 1] = (char)('0' + part % 10);
    while (decimals > 0 && digits[decimals - 1] == '0')
        digits[--decimals] = '\0';
    snprintf(out, CELL, "%s%" PRIu64 "%s%s %s", minus ? "-" : "", n / power, decimals ? "." : "",
             decimals ? digits : "", pc_time_unit(-3 * unit));
}

/* Writes the value of an edge: "rise", "fall", "to 0x1f" */
static void value_text(const struct align_names *n, const struct align_difference *d,
                       char out[CELL])
{
    const uint32_t width = n->signal[d->signal].width;

    if (width == 1)
        snprintf(out, CELL, "%s", d->unknown ? "to x" : d->value ? "rise" : "fall");
    else if (width > 64)
        snprintf(out, CELL, "a value");
    else
        snprintf(out, CELL, "to %s0x%" PRIx64, d->unknown ? "x, with the known bits " : "",
                 d->value);
}

static void difference_text(const struct align_shift *s, const struct align_names *n,
                            const struct align_difference *d, char out[200])
{
    char length[CELL], value[CELL];

    time_text(s, d->length < 0 ? -d->length : d->length, length);
    value_text(n, d, value);
    if (d->kind == ALIGN_EXTRA_PULSE || d->kind == ALIGN_MISSING_PULSE)
        snprintf(out, 200, "%s of %s", align_kinds[d->kind], length);
    else if (d->kind == ALIGN_MOVED)
        snprintf(out, 200, "%s %s %s", value, length, d->length < 0 ? "earlier" : "later");
    else if (d->kind == ALIGN_VALUE)
        snprintf(out, 200, "%s after", value);
    else if (d->kind == ALIGN_LEVEL)
        snprintf(out, 200, "a different level at the start");
    else
        snprintf(out, 200, "%s: %s", align_kinds[d->kind], value);
}

static void text_shift(FILE *out, const struct align_options *o, const struct align_shift *s)
{
    char shift[CELL], next[CELL], jitter[CELL];

    time_text(s, s->shift < 0 ? -s->shift : s->shift, shift);
    if (s->shift == 0)
        fputs("shift   none (", out);
    else
        fprintf(out, "shift   after is %s %s (", shift, s->shift < 0 ? "earlier" : "later");
    cli_print_name(out, o->align);
    fputs(")\n", out);
    if (s->searched) {
        time_text(s, s->next < 0 ? -s->next : s->next, next);
        fprintf(out, "        %s of %s agree", cli_grouped(s->agree), cli_count(s->edges, "edge"));
        if (s->has_next)
            fprintf(out, "; next best: %s %s, %s of %s", next, s->next < 0 ? "earlier" : "later",
                    cli_grouped(s->next_agree), cli_grouped(s->next_edges));
        fputs(s->ambiguous ? "; ambiguous\n" : "\n", out);
    }
    if (s->unknown)
        fputs("unit    unknown: one of before is taken for one of after\n", out);
    time_text(s, s->jitter, jitter);
    if (s->jitter > 0)
        fprintf(out, "jitter  edges up to %s apart are the same\n", jitter);
}

static uint64_t pulses(const struct align_count *c)
{
    return c->of[ALIGN_EXTRA_PULSE] + c->of[ALIGN_MISSING_PULSE];
}

static void text_signal(struct cli_table *t, const char *name, const struct align_count *c)
{
    const uint64_t cell[] = { c->before,
                              c->after,
                              c->matched,
                              c->of[ALIGN_MOVED],
                              c->of[ALIGN_VALUE],
                              c->of[ALIGN_EXTRA_PULSE] + c->of[ALIGN_EXTRA_EDGE],
                              c->of[ALIGN_MISSING_PULSE] + c->of[ALIGN_MISSING_EDGE] };

    for (size_t k = 0; k < sizeof cell / sizeof *cell; k++)
        cli_cell_count(t, cell[k]);
    if (pulses(c) > 0)
        cli_cell_print(t, "%s: %s", name, cli_count(pulses(c), "pulse"));
    else
        cli_cell(t, name);
    cli_row_end(t);
}

static int text_signals(FILE *out, const struct align_names *n, const struct align_result *r)
{
    static const struct cli_column column[] = {
        { .head = "before", .width = 10 },  { .head = "after", .width = 10 },
        { .head = "same", .width = 10 },    { .head = "moved", .width = 10 },
        { .head = "other", .width = 10 },   { .head = "extra", .width = 10 },
        { .head = "missing", .width = 10 }, { .head = "signal", .left = true }
    };
    size_t standing = 0;
    struct cli_table *t = cli_table_open(out, &(struct cli_look){ .gap = 2, .streams = true });

    cli_table_columns(t, column, sizeof column / sizeof *column);
    for (size_t i = 0; i < n->signals; i++)
        standing += is_standing(&r->count[i]);
    if (standing < n->signals) {
        fputs("\nedges:\n", out);
        cli_table_head(t);
    }
    for (size_t i = 0; i < n->signals; i++)
        if (!is_standing(&r->count[i]))
            text_signal(t, n->signal[i].name, &r->count[i]);
    if (standing > 0)
        fprintf(out, "%s%s the same without an edge\n", standing < n->signals ? "" : "\n",
                cli_count(standing, standing == 1 ? "signal is" : "signal"));
    return cli_table_close(t);
}

static void text_left_out(FILE *out, const struct align_names *n)
{
    if (n->only_before > 0)
        fprintf(out, "not compared: %s of before that after does not have\n",
                cli_count(n->only_before, "signal"));
    if (n->other_width > 0)
        fprintf(out, "not compared: %s of another width\n", cli_count(n->other_width, "signal"));
}

static int text_differences(FILE *out, const struct align_shift *s, const struct align_names *n,
                            const struct align_result *r)
{
    static const struct cli_column column[] = { { .head = "before", .width = 18 },
                                                { .head = "after", .width = 18 },
                                                { .named = "difference", .left = true } };
    char time[CELL], text[200];

    if (r->differences == 0) {
        fputs("\nno difference\n", out);
        return CLI_OK;
    }
    struct cli_table *t = cli_table_open(out, &(struct cli_look){ .gap = 2, .streams = true });
    cli_table_columns(t, column, sizeof column / sizeof *column);
    fprintf(out, "\n%s:\n",
            r->differences == 1 ? "1 difference" : cli_count(r->differences, "difference"));
    cli_table_head(t);
    for (size_t i = 0; i < r->kept && i < SHOWN; i++) {
        const struct align_difference *d = &r->difference[i];
        time_text(s, d->before, time);
        cli_cell(t, time);
        time_text(s, d->after, time);
        cli_cell(t, time);
        difference_text(s, n, d, text);
        cli_cell_print(t, "%s: %s", n->signal[d->signal].name, text);
        cli_row_end(t);
    }
    if (r->differences > SHOWN)
        fprintf(out, "... and %s more\n", cli_grouped(r->differences - SHOWN));
    return cli_table_close(t);
}

static int print_text(FILE *out, const struct align_options *o, const struct align_shift *s,
                      const struct align_names *n, const struct align_side side[2],
                      const struct align_result *r)
{
    char from[CELL], to[CELL], length[CELL];

    fputs("before  ", out);
    cli_print_name(out, cli_input_name(side[0].path));
    fputs("\nafter   ", out);
    cli_print_name(out, cli_input_name(side[1].path));
    fputc('\n', out);
    text_shift(out, o, s);
    time_text(s, r->from, from);
    time_text(s, r->to, to);
    time_text(s, r->to - r->from, length);
    fprintf(out, "compared %s, from %s to %s of before\n", length, from, to);
    text_left_out(out, n);
    const int code = text_signals(out, n, r);
    return code ? code : text_differences(out, s, n, r);
}

/* --- for programs --- */

#define DIFFERENCE_FIELDS                                                                          \
    { "before", REP_INT, .about = "time in the first capture, in time units" },                    \
        { "after", REP_INT, .about = "time in the second one" },                                   \
        { "kind", REP_WORD, .about = "what it is", .words = align_kinds },                         \
    {                                                                                              \
        "length", REP_INT,                                                                         \
            .about = "of a pulse; of a moved edge by how much it is later; null: it has none",     \
            .flags = REP_NULL                                                                      \
    }

static const struct rep_field first_fields[] = {
    DIFFERENCE_FIELDS,
    { .name = NULL },
};

enum {
    SIGNAL_NAME,
    WIDTH,
    COUNTED_BEFORE,
    COUNTED_AFTER,
    MATCHED,
    SKEW,
    MOVED,
    OTHER_VALUES,
    EXTRA_PULSES,
    MISSING_PULSES,
    EXTRA_EDGES,
    MISSING_EDGES,
    LEVEL,
    FIRST
};
static const struct rep_field signal_fields[] = {
    { "name", REP_TEXT, .about = "its path in the first capture", .csv = "signal" },
    { "width", REP_COUNT, .about = "bits", .flags = REP_NO_CSV },
    { "edges_before", REP_COUNT, .about = "edges of the first capture that were compared" },
    { "edges_after", REP_COUNT, .about = "edges of the second one" },
    { "matched", REP_COUNT, .about = "edges of both that belong together" },
    { "skew", REP_COUNT, .about = "the longest time between two that do", .flags = REP_NO_CSV },
    { "moved", REP_COUNT, .about = "edges at another time" },
    { "other_values", REP_COUNT, .about = "edges of both, to another value" },
    { "extra_pulses", REP_COUNT, .about = "pulses of the second capture alone" },
    { "missing_pulses", REP_COUNT, .about = "pulses of the first one alone" },
    { "extra_edges", REP_COUNT, .about = "other edges of the second one alone" },
    { "missing_edges", REP_COUNT, .about = "other edges of the first one alone" },
    { "other_level", REP_BOOL, .about = "its level differs at the start", .flags = REP_NO_CSV },
    { "first", REP_OBJECT, .about = "its first difference", .flags = REP_MAYBE | REP_NO_CSV,
      .field = first_fields },
    { .name = NULL },
};

static const struct rep_field difference_fields[] = {
    DIFFERENCE_FIELDS,
    { "signal", REP_TEXT, .about = "its signal" },
    { "value", REP_TEXT, .about = "the new value: rise, fall, to 0x1f", .flags = REP_NO_CSV },
    { .name = NULL },
};

static const struct rep_field search_fields[] = {
    { "agree", REP_COUNT, .about = "edges that agree, of the first ones of each capture" },
    { "edges", REP_COUNT, .about = "edges there are where these overlap" },
    { "next_shift", REP_INT, .about = "the next best shift; null: there is none",
      .flags = REP_NULL },
    { "next_agree", REP_COUNT, .about = "edges that agree at that one" },
    { "next_edges", REP_COUNT, .about = "and edges there are" },
    { "ambiguous", REP_BOOL, .about = "the next best shift is nearly as good" },
    { .name = NULL },
};

enum {
    BEFORE,
    AFTER,
    ALIGN,
    EXPONENT,
    SHIFT,
    SEARCH,
    JITTER,
    FROM,
    TO,
    DIFFERS,
    COUNT,
    ONLY_BEFORE,
    OTHER_WIDTH,
    SIGNALS,
    DIFFERENCES,
    WARNINGS
};
static const struct rep_field warning = { "warning", REP_TEXT, .csv = "signal" };
static const struct rep_field fields[] = {
    { "before", REP_TEXT, .about = "the first capture", .flags = REP_NO_CSV },
    { "after", REP_TEXT, .about = "the second one", .flags = REP_NO_CSV },
    { "align", REP_TEXT, .about = "--align", .flags = REP_NO_CSV },
    { "exponent", REP_INT,
      .about = "a time unit of this report is 10^exponent seconds; null: not known",
      .flags = REP_NULL | REP_NO_CSV },
    { "shift", REP_INT, .about = "time units by which the second capture is later" },
    { "search", REP_OBJECT, .about = "how sure the shift is, where it was looked for",
      .flags = REP_MAYBE | REP_NO_CSV, .field = search_fields },
    { "jitter", REP_COUNT, .about = "edges so far apart are the same", .flags = REP_NO_CSV },
    { "from", REP_INT, .about = "what was compared, as times of the first capture",
      .flags = REP_NO_CSV },
    { "to", REP_INT, .about = "the end of that", .flags = REP_NO_CSV },
    { "differs", REP_BOOL, .about = "true: there is a difference", .flags = REP_NO_CSV },
    { "count", REP_COUNT, .about = "differences, also those that are not listed",
      .flags = REP_NO_CSV },
    { "only_before", REP_COUNT, .about = "signals that the second capture does not have",
      .flags = REP_NO_CSV },
    { "other_width", REP_COUNT, .about = "signals that have another width there",
      .flags = REP_NO_CSV },
    { "signals", REP_LIST, .about = "the signals that were compared", .flags = REP_ROW,
      .field = signal_fields, .item = "a signal of both", .fixed = "kind=signal" },
    { "differences", REP_LIST, .about = "the first 10000 differences, by their time",
      .flags = REP_ROW, .field = difference_fields, .item = "a difference" },
    { "warnings", REP_LIST, .about = "warnings", .flags = REP_ROW, .value = &warning,
      .fixed = "kind=warning" },
    { .name = NULL },
};

const struct rep_def diff_align_report = {
    .schema = "pcounter-diff-align-1",
    .call = "pcounter diff --align",
    .about = "Two captures of one thing, edge by edge.",
    .field = fields,
    .columns = "kind,signal,before,after,length,shift,edges_before,edges_after,matched,moved,"
               "other_values,extra_pulses,missing_pulses,extra_edges,missing_edges",
};

static struct rep_cell length_of(const struct align_difference *d)
{
    const bool has =
        d->kind == ALIGN_MOVED || d->kind == ALIGN_EXTRA_PULSE || d->kind == ALIGN_MISSING_PULSE;

    return has ? rep_int(d->length) : rep_null();
}

static void put_signal(struct rep *r, const struct align_signal *g, const struct align_count *c)
{
    rep_begin(r, SIGNALS,
              REP_CELLS(rep_text(g->name), rep_count(g->width), rep_count(c->before),
                        rep_count(c->after), rep_count(c->matched), rep_count((uint64_t)c->skew),
                        rep_count(c->of[ALIGN_MOVED]), rep_count(c->of[ALIGN_VALUE]),
                        rep_count(c->of[ALIGN_EXTRA_PULSE]), rep_count(c->of[ALIGN_MISSING_PULSE]),
                        rep_count(c->of[ALIGN_EXTRA_EDGE]), rep_count(c->of[ALIGN_MISSING_EDGE]),
                        rep_bool(c->of[ALIGN_LEVEL] > 0)));
    if (c->any)
        rep_row(r, FIRST,
                REP_CELLS(rep_int(c->first.before), rep_int(c->first.after),
                          rep_text(align_kinds[c->first.kind]), length_of(&c->first)));
    rep_end(r);
}

int align_print(struct rep *r, const struct align_options *o, const struct align_shift *s,
                const struct align_names *n, const struct align_side side[2],
                const struct align_result *result)
{
    char value[CELL];
    const int code = rep_page(r) ? print_text(rep_page(r), o, s, n, side, result) : CLI_OK;

    if (rep_page(r) && code == CLI_OK)
        cli_text_warnings(rep_page(r));
    if (!rep_has_rows(r))
        return code;
    rep_root(r, REP_CELLS(rep_text(cli_input_name(side[0].path)),
                          rep_text(cli_input_name(side[1].path)), rep_text(o->align),
                          s->unknown ? rep_null() : rep_int(s->exponent), rep_int(s->shift),
                          rep_absent(), rep_count((uint64_t)s->jitter), rep_int(result->from),
                          rep_int(result->to), rep_bool(result->differences > 0),
                          rep_count(result->differences), rep_count(n->only_before),
                          rep_count(n->other_width)));
    if (s->searched)
        rep_row(r, SEARCH,
                REP_CELLS(rep_count(s->agree), rep_count(s->edges),
                          s->has_next ? rep_int(s->next) : rep_null(), rep_count(s->next_agree),
                          rep_count(s->next_edges), rep_bool(s->ambiguous)));
    for (size_t i = 0; i < n->signals; i++)
        put_signal(r, &n->signal[i], &result->count[i]);
    for (size_t i = 0; i < result->kept; i++) {
        const struct align_difference *d = &result->difference[i];
        value_text(n, d, value);
        rep_row(r, DIFFERENCES,
                REP_CELLS(rep_int(d->before), rep_int(d->after), rep_text(align_kinds[d->kind]),
                          length_of(d), rep_text(n->signal[d->signal].name), rep_text(value)));
    }
    rep_warnings(r, WARNINGS);
    return code;
}
