/* SPDX-License-Identifier: MIT */
/* Guesses clocks from who keeps step with whom, events and handshakes from names and activity. */
#include "wave/suggest.h"
#include "pcounter/unstable/bus.h"
#include "wave/pairs.h"
#include "wave/wave_bits.h"

#include <stdlib.h>
#include <string.h>

#define CLOCK_RISES 8
#define CLOCKS_MAX  64
#define TOLD_RISES  3 /* of fewer, equal figures do not say that two waveforms are one */

static const char *const telling_words[] = {
    "valid", "ready", "req",   "ack",   "stall", "hit",    "miss",  "busy",
    "full",  "empty", "grant", "event", "error", "retire", "flush", "irq",
};

static bool is_telling(const char *path)
{
    for (size_t i = 0; i < sizeof telling_words / sizeof telling_words[0]; i++)
        if (pc_bus_word_in(path, telling_words[i]))
            return true;
    return false;
}

/* A value stream of one bit. */
struct candidate {
    struct cli_suggestion s;
    struct pc_var_activity a;
    bool taken; /* it is a clock, or is one in other words */
};

struct search {
    const struct pc_wave *wave;
    const struct pc_wave_totals *totals;
    const struct pc_var_activity *activity;
    struct pc_wave_info info;
    struct candidate *c; /* of each waveform one */
    size_t count;
    struct cli_suggestions *out;
};

/* Compares by waveform; names of one waveform by how much they say, then by place in the file. */
static int by_waveform(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int way = cli_compare_activity(&a->a, &b->a);

    if (way == 0)
        way = b->s.named - a->s.named;
    if (way == 0)
        way = b->s.telling - a->s.telling;
    return way ? way : cli_order(a->s.var, b->s.var);
}

/* Compares by period, fast clocks first; of one period those that are called clock, then the one
 * that never pauses. */
static int by_period(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int way = cli_order(a->a.min_period, b->a.min_period);

    if (way == 0)
        way = b->s.named - a->s.named;
    if (way == 0)
        way = cli_order(b->a.rises, a->a.rises);
    return way ? way : cli_order(a->s.var, b->s.var);
}

static int by_interest(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int way = b->s.telling - a->s.telling;

    if (way == 0)
        way = cli_order(b->a.rises, a->a.rises);
    return way ? way : cli_order(a->s.var, b->s.var);
}

/* --- clocks --- */

static bool is_regular(const struct search *s, const struct pc_var_activity *a)
{
    const uint64_t length = s->totals->time_last - s->totals->time_first;

    return a->rises >= CLOCK_RISES && a->min_period == a->max_period && a->min_period > 0 &&
           a->last_rise - a->first_rise + a->min_period >= length / 2;
}

/* Returns true if all rises are whole periods apart. As the shortest, the longest and all periods
 * together say. */
static bool keeps_step(const struct pc_var_activity *a, uint64_t period)
{
    return a->rises > 2 && a->min_period > 0 && a->min_period % period == 0 &&
           a->max_period % period == 0 && (a->last_rise - a->first_rise) % period == 0;
}

/* Returns true if anything changes that is not this clock once more. */
static bool others_change(const struct search *s, const struct pc_var_activity *clock)
{
    for (size_t i = 0; i < s->info.codes; i++) {
        const struct pc_var_activity *a = &s->activity[i];
        if (a->changes > 1 &&
            (a->min_period != clock->min_period || a->max_period != a->min_period))
            return true;
    }
    return false;
}

/*
 * Returns true if anything else changes in step with it. What vectors do is not known so well: of
 * what is called a clock it is enough that they change.
 */
static bool is_used(const struct search *s, const struct candidate *clock)
{
    const uint64_t period = clock->a.min_period;

    if (clock->s.named)
        return others_change(s, &clock->a);
    for (size_t i = 0; i < s->count; i++)
        if (s->c[i].a.max_period > period && keeps_step(&s->c[i].a, period))
            return true;
    return false;
}

/* Returns the clock among those that are known of which this is made, or is data. */
static const struct candidate *driver_of(struct candidate *const *known, size_t count,
                                         const struct candidate *c)
{
    for (size_t i = 0; i < count; i++)
        if (keeps_step(&c->a, known[i]->a.min_period))
            return known[i];
    return NULL;
}

/*
 * In a capture of samples what changes with each of them may be anything; it is no clock, but what
 * keeps step with it is none either.
 */
static bool is_clock(const struct search *s, const struct candidate *c,
                     const struct candidate *driver)
{
    if (driver && (driver->a.min_period == c->a.min_period || !c->s.named))
        return false;
    return !(s->info.sampled && c->a.min_period <= 2) && is_used(s, c);
}

static bool find_clocks(struct search *s)
{
    struct candidate *known[CLOCKS_MAX];
    size_t knowns = 0, tried = 0;

    s->out->clock = calloc(CLOCKS_MAX, sizeof *s->out->clock);
    if (!s->out->clock)
        return false;
    qsort(s->c, s->count, sizeof *s->c, by_period);
    for (size_t i = 0; i < s->count; i++) {
        struct candidate *c = &s->c[i];
        if (!is_regular(s, &c->a))
            continue;
        const struct candidate *driver = driver_of(known, knowns, c);
        c->taken = driver && driver->a.min_period == c->a.min_period;
        if ((driver && !c->s.named) || c->taken || tried == CLOCKS_MAX)
            continue;
        tried++;
        if (is_clock(s, c, driver)) {
            s->out->clock[s->out->clocks++] = c->s;
            c->taken = true;
        }
        if (!driver)
            known[knowns++] = c;
    }
    return true;
}

/* --- events --- */

static bool find_events(struct search *s)
{
    size_t events = 0;

    for (size_t i = 0; i < s->count; i++)
        if (!s->c[i].taken && s->c[i].a.rises > 0)
            s->c[events++] = s->c[i];
    s->out->event = calloc(events + 1, sizeof *s->out->event);
    if (!s->out->event)
        return false;
    qsort(s->c, events, sizeof *s->c, by_interest);
    for (size_t i = 0; i < events; i++)
        s->out->event[i] = s->c[i].s;
    s->out->events = events;
    return true;
}

/* Collects one of each waveform, of all streams of one bit that are not bits of vectors. */
static bool collect(struct search *s)
{
    struct cli_wave_vars at;
    struct pc_wave_var v;
    size_t all = 0, kept = 0;
    uint8_t *seen = calloc(s->info.codes + 1, 1);

    s->c = calloc(s->info.codes + 1, sizeof *s->c);
    if (!seen || !s->c) {
        free(seen);
        return false;
    }
    cli_wave_vars_begin(&at, s->wave);
    while (cli_wave_vars_next(&at, &v)) {
        if (v.kind != PC_VAR_BITS || v.width != 1 || seen[v.code])
            continue;
        seen[v.code] = 1;
        s->c[all++] = (struct candidate){ .s = { at.first, v.code, is_telling(v.name),
                                                 pc_bus_is_clock_name(v.name) },
                                          .a = s->activity[v.code] };
    }
    free(seen);
    qsort(s->c, all, sizeof *s->c, by_waveform);
    for (size_t i = 0; i < all; i++)
        if (kept == 0 || s->c[i].a.rises < TOLD_RISES ||
            cli_compare_activity(&s->c[kept - 1].a, &s->c[i].a) != 0)
            s->c[kept++] = s->c[i];
    s->count = kept;
    return true;
}

bool cli_suggest(const struct pc_wave *wave, const struct pc_wave_totals *totals,
                 const struct pc_var_activity *activity, struct cli_suggestions *out)
{
    struct search s = { .wave = wave, .totals = totals, .activity = activity, .out = out };

    memset(out, 0, sizeof *out);
    pc_wave_get_info(wave, &s.info);
    bool ok =
        collect(&s) && find_clocks(&s) && find_events(&s) && cli_find_pairs(wave, activity, out);
    free(s.c);
    if (!ok)
        cli_suggest_free(out);
    return ok;
}

void cli_suggest_free(struct cli_suggestions *s)
{
    free(s->clock);
    free(s->event);
    free(s->pair);
    memset(s, 0, sizeof *s);
}
