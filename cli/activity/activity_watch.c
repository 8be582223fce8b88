/* SPDX-License-Identifier: MIT */
/* See activity_watch.h. */
#include "activity/activity_watch.h"

#include <stdlib.h>
#include <string.h>

#include "wave/suggest.h"

/* ---- names ---- */

static int parse(struct activity_watch *w, const struct cli_place *place, const char *text,
                 struct watch_expr *out)
{
    struct pc_error err;

    if (pc_expr_parse(NULL, text, &out->expr, &err) ||
        stat_resolve(out->expr, stat_lookup, &w->wires, &w->wires, &err))
        return cli_library_error_at(&err, place);
    if (pc_expr_looks_back(out->expr))
        return cli_error_at(913, place, 1, "Compare values: `busy & !stall`.",
                            "%s uses the cycle before, and there are no cycles here", place->label);
    return CLI_OK;
}

static int find_bit(struct activity_watch *w, const char *name, const struct cli_place *place,
                    uint32_t *wire)
{
    struct pc_wave_bit bit;
    struct pc_error err;
    size_t count;

    if (stat_find_bits(w->run->wave, name, &bit, 1, &count, &err)) {
        cli_near_clock(name, &err);
        err.line = err.column = 1;
        return cli_library_error_at(&err, place);
    }
    if (count > 1)
        return cli_error_at(306, place, 1, "name one bit of it",
                            "\"%s\" has %zu bits where one is needed", name, count);
    return stat_add_wire(&w->wires, bit, wire) ? CLI_OK : cli_no_memory();
}

static int find_clock(struct activity_watch *w, const char *text)
{
    struct cli_place place = { "--clock", text, 0 };
    struct stat_clock c;
    int code = stat_parse_clock(place.label, text, &c);

    if (code == CLI_OK && c.edge != PC_EDGE_POS && c.edge != PC_EDGE_NEG)
        code = cli_error_at(913, &place, 1, "Name a signal: `--clock clk`.",
                            "cycles of activity go from edge to edge of a signal");
    place.offset = c.clock_offset;
    if (code == CLI_OK)
        code = find_bit(w, c.clock, &place, &w->clock_wire);
    place.offset = c.condition_offset;
    if (code == CLI_OK && c.has_iff)
        code = parse(w, &place, c.condition, &w->iff);
    w->has_clock = true;
    w->falling = c.edge == PC_EDGE_NEG;
    stat_free_clock(&c);
    return code;
}

/* Refuses signals that have no values over time. */
static int check_wires(const struct activity_watch *w)
{
    struct pc_wave_var v;

    for (size_t i = 0; i < w->wires.count; i++) {
        if (pc_wave_get_var(w->run->wave, w->wires.bit[i].var, &v) != PC_OK ||
            v.kind == PC_VAR_BITS)
            continue;
        struct pc_error err;
        cli_fail(&err, 913, "%s is %s, which neither --when nor --clock follows", v.name,
                 v.kind == PC_VAR_EVENT  ? "an event variable"
                 : v.kind == PC_VAR_REAL ? "a real"
                                         : "a text");
        return cli_error(&err, cli_input_name(w->run->o->file), NULL);
    }
    return CLI_OK;
}

/* ---- making ---- */

static bool add_stream(struct activity_watch *w, const struct pc_wave_var *v, uint32_t *out)
{
    for (size_t i = 0; i < w->streams; i++)
        if (w->stream[i].code == v->code) {
            *out = (uint32_t)i;
            return true;
        }
    struct watched *s = &w->stream[w->streams];
    *s = (struct watched){ .code = v->code, .width = v->width };
    s->words = (v->width + (size_t)63) / 64;
    s->now = calloc(2 * s->words, sizeof *s->now);
    *out = (uint32_t)w->streams++;
    w->first[v->code] = 1;
    return s->now != NULL;
}

static bool make(struct activity_watch *w)
{
    const size_t wires = w->wires.count;
    struct pc_wave_var v;
    bool right = true;

    w->stream = calloc(wires + 1, sizeof *w->stream);
    w->first = calloc(w->run->info.codes + 1, 1);
    w->of_wire = calloc(wires + 1, sizeof *w->of_wire);
    w->bit = calloc(2 * wires + 1, sizeof *w->bit);
    w->plane = calloc(2 * wires + 1, sizeof *w->plane);
    if (!w->stream || !w->first || !w->of_wire || !w->bit || !w->plane)
        return false;
    for (size_t i = 0; i < 2 * wires; i++)
        w->plane[i] = &w->bit[i];
    for (size_t i = 0; i < wires && right; i++)
        right = pc_wave_get_var(w->run->wave, w->wires.bit[i].var, &v) == PC_OK &&
                add_stream(w, &v, &w->of_wire[i]);
    return right;
}

int activity_watch_open(struct activity_run *run, struct activity_watch **out)
{
    const char *when = run->o->when, *clock = run->o->clock;
    struct activity_watch *w = when || clock ? calloc(1, sizeof *w) : NULL;
    int code = CLI_OK;

    *out = w;
    if (!w)
        return when || clock ? cli_no_memory() : CLI_OK;
    w->run = run;
    w->wires = (struct stat_wires){ .wave = run->wave, .binds = &w->no_binds };
    if (when)
        code = parse(w, &(struct cli_place){ "--when", when, 0 }, when, &w->when);
    if (code == CLI_OK && clock)
        code = find_clock(w, clock);
    if (code == CLI_OK)
        code = check_wires(w);
    if (code == CLI_OK && !make(w))
        code = cli_no_memory();
    if (code == CLI_OK)
        activity_watch_forget(w);
    return code;
}

void activity_watch_close(struct activity_watch *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->streams; i++) {
        free(w->stream[i].time);
        free(w->stream[i].value);
        free(w->stream[i].unknown);
        free(w->stream[i].now);
    }
    pc_expr_free(w->when.expr);
    pc_expr_free(w->iff.expr);
    stat_free_wires(&w->wires);
    free(w->stream);
    free(w->first);
    free(w->of_wire);
    free(w->bit);
    free(w->plane);
    free(w->mark);
    free(w);
}

/* ---- values ---- */

/* The planes of the wires of a stream; of NULL all. */
static void spread(struct activity_watch *w, const struct watched *of)
{
    for (size_t i = 0; i < w->wires.count; i++) {
        const struct watched *s = &w->stream[w->of_wire[i]];
        const uint32_t bit = w->wires.bit[i].bit;
        if (of && s != of)
            continue;
        const uint64_t unknown = s->now[s->words + bit / 64] >> bit % 64 & 1;
        w->bit[i] = s->now[bit / 64] >> bit % 64 & ~unknown & 1;
        w->bit[w->wires.count + i] = unknown;
    }
}

static void evaluate(struct activity_watch *w, struct watch_expr *e)
{
    uint64_t out = 1, tainted = 0;

    if (e->expr)
        pc_expr_eval(e->expr, w->plane, w->plane + w->wires.count, 1, 1, &out, &tainted);
    e->value = out & ~tainted & 1;
    e->unknown = tainted & 1;
}

static void look(struct activity_watch *w)
{
    evaluate(w, &w->when);
    evaluate(w, &w->iff);
}

void activity_watch_forget(struct activity_watch *w)
{
    for (size_t i = 0; i < w->streams; i++) {
        struct watched *s = &w->stream[i];
        s->count = s->at = 0;
        memset(s->now, 0, s->words * sizeof *s->now);
        memset(s->now + s->words, 0xff, s->words * sizeof *s->now); /* x */
    }
    w->marks = 0;
    w->begun = w->held = w->cycles = false;
    w->seen = w->unknown = 0;
    spread(w, NULL);
    look(w);
}

static void set(struct watched *s, const uint64_t *value, const uint64_t *unknown)
{
    memcpy(s->now, value, s->words * sizeof *s->now);
    if (unknown)
        memcpy(s->now + s->words, unknown, s->words * sizeof *s->now);
    else
        memset(s->now + s->words, 0, s->words * sizeof *s->now);
}

static void *grown(void *array, size_t *capacity, size_t need, bool *no_memory)
{
    if (!cli_grow(&array, capacity, need, sizeof(uint64_t)))
        *no_memory = true;
    return array;
}

void activity_watch_take(struct activity_watch *w, const struct pc_wave_changes *c)
{
    struct watched *s = w->stream;

    while (s->code != c->code)
        s++;
    if (c->before) {
        set(s, c->value, c->unknown);
        spread(w, s);
        look(w);
        return;
    }
    const size_t words = c->count * s->words, at = s->count * s->words;
    s->time = grown(s->time, &s->time_capacity, s->count + c->count, &w->no_memory);
    s->value = grown(s->value, &s->value_capacity, at + words, &w->no_memory);
    s->unknown = grown(s->unknown, &s->unknown_capacity, at + words, &w->no_memory);
    if (w->no_memory)
        return;
    memcpy(s->time + s->count, c->time, c->count * sizeof *s->time);
    memcpy(s->value + at, c->value, words * sizeof *s->value);
    if (c->unknown)
        memcpy(s->unknown + at, c->unknown, words * sizeof *s->unknown);
    else
        memset(s->unknown + at, 0, words * sizeof *s->unknown);
    s->count += c->count;
}

void activity_watch_begin(struct activity_watch *w, uint64_t time)
{
    w->begin = time;
}

/* ---- marks ---- */

static void add_mark(struct activity_watch *w, uint64_t time, bool edge)
{
    void *array = w->mark;

    if (!cli_grow(&array, &w->capacity, w->marks + 1, sizeof *w->mark)) {
        w->no_memory = true;
        return;
    }
    const bool counts = w->when.value && (w->run->to == 0 || time < w->run->to);
    w->mark = array;
    w->mark[w->marks++] = (struct pc_activity_mark){ .time = time, .counts = counts, .edge = edge };
    w->begun = true;
    w->held |= counts;
    w->cycles |= counts && edge;
}

/* --when was what it is until then. */
static void pass(struct activity_watch *w, uint64_t time)
{
    const uint64_t from = w->seen > w->begin ? w->seen : w->begin;

    if (w->when.unknown && time > from)
        w->unknown += time - from;
    w->seen = time;
}

/* The level of the clock: 0, 1, or 2 where it is unknown. */
static unsigned clock_level(const struct activity_watch *w)
{
    return w->bit[w->wires.count + w->clock_wire] ? 2 : (unsigned)w->bit[w->clock_wire];
}

static bool next_time(const struct activity_watch *w, uint64_t *time)
{
    bool some = false;

    for (size_t i = 0; i < w->streams; i++) {
        const struct watched *s = &w->stream[i];
        if (s->at < s->count && (!some || s->time[s->at] < *time)) {
            *time = s->time[s->at];
            some = true;
        }
    }
    return some;
}

/* The changes of a timestamp, of which the last one of each signal is what counts. */
static void take_stamp(struct activity_watch *w, uint64_t time)
{
    for (size_t i = 0; i < w->streams; i++) {
        struct watched *s = &w->stream[i];
        size_t at = s->at;
        while (at < s->count && s->time[at] == time)
            at++;
        if (at == s->at)
            continue;
        s->at = at;
        set(s, s->value + (at - 1) * s->words, s->unknown + (at - 1) * s->words);
        spread(w, s);
    }
}

/* Counts the edges of the clock at a timestamp whose changes are not taken yet; each one counts. */
static size_t edges_at(const struct activity_watch *w, uint64_t time)
{
    const struct watched *s = &w->stream[w->of_wire[w->clock_wire]];
    const uint32_t bit = w->wires.bit[w->clock_wire].bit;
    unsigned was = clock_level(w);
    size_t edges = 0;

    for (size_t at = s->at; at < s->count && s->time[at] == time; at++) {
        const size_t word = at * s->words + bit / 64;
        const unsigned is =
            s->unknown[word] >> bit % 64 & 1 ? 2 : (unsigned)(s->value[word] >> bit % 64 & 1);
        edges += was == w->falling && is == !w->falling;
        was = is;
    }
    return edges;
}

static void step(struct activity_watch *w, uint64_t time)
{
    const bool held = w->when.value;
    size_t edges = w->has_clock && w->iff.value ? edges_at(w, time) : 0;

    if (!w->begun && time > w->begin)
        add_mark(w, w->begin, false);
    pass(w, time);
    take_stamp(w, time);
    if (w->when.expr || w->iff.expr)
        look(w);
    if (time < w->begin)
        return;
    if (edges == 0 && (!w->begun || held != w->when.value))
        add_mark(w, time, false);
    for (; edges > 0; edges--)
        add_mark(w, time, true);
}

int activity_watch_marks(struct activity_watch *w, uint64_t last)
{
    uint64_t time = 0;

    w->marks = 0;
    while (!w->no_memory && next_time(w, &time))
        step(w, time);
    if (!w->begun && w->begin <= last)
        add_mark(w, w->begin, false);
    pass(w, last);
    return w->no_memory ? cli_no_memory() : CLI_OK;
}

void activity_watch_end(struct activity_watch *w, uint64_t time)
{
    pass(w, time);
}

void activity_watch_tell(struct activity_watch *w,
                         void (*tell)(void *ctx, const struct pc_wave_changes *c), void *ctx)
{
    for (size_t i = 0; i < w->streams; i++) {
        struct watched *s = &w->stream[i];
        const struct pc_wave_changes c = { .code = s->code,
                                           .count = s->count,
                                           .time = s->time,
                                           .value = s->value,
                                           .unknown = s->unknown };
        if (s->count > 0)
            tell(ctx, &c);
        s->count = s->at = 0;
    }
}
