/* SPDX-License-Identifier: MIT */
/* The timeline of pcounter stat -I: where intervals end.  See stat_interval.h and docs/adr/005. */
#include "stat_interval.h"
#include "wave/time_counted.h"

#include <string.h>

/* --- times --- */

/* Later than any edge: they have whole times up to UINT64_MAX. */
static const struct stat_tick forever = { UINT64_MAX, 1 };

static bool is_forever(struct stat_tick tick)
{
    return tick.whole == UINT64_MAX && tick.part > 0;
}

/* a + b; false: that is no time of any waveform. */
static bool add(const struct stat_timeline *t, struct stat_tick a, struct stat_tick b,
                struct stat_tick *sum)
{
    const bool carry = a.part >= t->per - b.part;

    if (is_forever(a) || is_forever(b) || a.whole > UINT64_MAX - b.whole ||
        (carry && a.whole == UINT64_MAX - b.whole))
        return false;
    sum->part = carry ? a.part - (t->per - b.part) : a.part + b.part;
    sum->whole = a.whole + b.whole + carry;
    return !is_forever(*sum);
}

/* Is the edge after the end? */
static bool ended_by(struct stat_tick end, uint64_t time)
{
    return !is_forever(end) && end.whole + (end.part > 0) <= time;
}

static double seconds_of(const struct stat_timeline *t, struct stat_tick tick)
{
    return ((double)tick.whole + (double)tick.part / (double)t->per) * t->unit;
}

/* When the interval began, in digits where a double has too few. */
static void tell_time(const struct stat_timeline *t, struct stat_tick begin,
                      struct stat_interval *out)
{
    out->tick = begin;
    out->time = seconds_of(t, begin);
    if (!t->decimal || begin.whole < STAT_LONG_TIME)
        return;
    out->at = (struct stat_long_time){ .tick = begin, .exponent = t->exponent };
    for (uint64_t per = t->per; per > 1; per /= 10)
        out->at.decimals++;
}

static double seconds_between(const struct stat_timeline *t, struct stat_tick from,
                              struct stat_tick to)
{
    const double parts = (double)to.part - (double)from.part;

    return ((double)(to.whole - from.whole) + parts / (double)t->per) * t->unit;
}

/* Of an interval that is told but for that. */
static void tell_off(const struct stat_timeline *t, struct stat_interval *out)
{
    const uint64_t from = out->tick.whole;

    if (t->edges.wave && out->seconds > 0)
        out->off = (double)cli_time_off(t->edges.wave, from,
                                        from + (uint64_t)(out->seconds / t->unit + 0.5)) *
                   t->unit;
}

static bool has_edges(const struct stat_timeline *t)
{
    return t->sampled || t->edges.wave;
}

/* --- edges --- */

/* On to the first edge at or after a time, or with that number. */
static int seek(struct stat_timeline *t, struct stat_tick time, uint64_t limit)
{
    const uint64_t whole = is_forever(time) ? UINT64_MAX : time.whole + (time.part > 0);

    if (t->sampled && t->edges.edge < whole && t->edges.edge < limit) {
        t->edges.edge = t->edges.time = whole < limit ? whole : limit;
        t->edges.last_time = t->edges.edge - 1;
    }
    return !t->edges.wave     ? CLI_OK
           : is_forever(time) ? cli_edges_to(&t->edges, limit)
                              : cli_edges_to_time(&t->edges, limit, whole);
}

/* --- open --- */

static int PC_PRINTF(1, 2) refuse(const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, 910, fmt, args);
    va_end(args);
    return cli_error(&err, NULL, NULL);
}

/* "us" of "10us" is a fraction of time units, of one at least. */
static int find_step(struct stat_timeline *t, const struct cli_span *span,
                     const struct pc_wave_info *info, const struct pc_wave_clock *clock)
{
    struct cli_ticks ticks;

    if (info->timescale_factor == 0 && !(info->sampled && info->sample_rate))
        return refuse("%s does not tell how long its time unit is: give -I in cycles",
                      cli_input_name(t->path));
    if (!cli_span_ticks(span, info, &ticks)) {
        t->per = 1;
        t->step = forever;
        return CLI_OK;
    }
    if (ticks.part > 0 && clock->period_per > 1)
        return refuse("the edges of the clock are between time units of %s, and the ends of -I %s "
                      "are, too: give it in whole time units, or in cycles",
                      cli_input_name(t->path), span->text);
    t->per = ticks.per;
    t->step = (struct stat_tick){ ticks.whole, ticks.part };
    return t->step.whole > 0 ? CLI_OK
                             : refuse("-I %s is less than a time unit of %s", span->text,
                                      cli_input_name(t->path));
}

/* A word of a formula, all of it? */
static bool says_seconds(const char *formula)
{
    static const char word[] = "seconds",
                      letters[] =
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    const char *at = formula;

    for (; (at = strstr(at, word)) != NULL; at += sizeof word - 1)
        if ((at == formula || !strchr(letters, at[-1])) &&
            (!at[sizeof word - 1] || !strchr(letters, at[sizeof word - 1])))
            return true;
    return false;
}

/* Does a metric need to know how long an interval was? */
static bool wants_seconds(const struct stat_job *j)
{
    for (size_t i = 0; i < j->metrics.count; i++)
        if (says_seconds(j->metrics.metric[i].info.formula))
            return true;
    return false;
}

/* The clock alone, from the begin of the file to the first edge of the window. */
static int open_edges(struct stat_timeline *t, const struct stat_job *j,
                      const struct pc_wave_clock *clock)
{
    const int code = cli_edges_open(&t->edges, &j->o->read, j->path, clock);

    return code ? code : seek(t, forever, j->window.first);
}

int stat_timeline_open(struct stat_timeline *t, const struct stat_job *j,
                       const struct pc_wave *wave, const struct pc_wave_clock *clock)
{
    const bool from_time = j->window.from.text && !j->window.from.in_cycles;
    struct pc_wave_info info;
    int code = CLI_OK;

    pc_wave_get_info(wave, &info);
    const struct cli_time_unit unit = cli_time_unit(&info);
    *t = (struct stat_timeline){ .by_time = !j->o->interval.in_cycles,
                                 .sampled = cli_cycles_are_samples(&info, clock),
                                 .path = j->path,
                                 .length = j->o->interval.number,
                                 .per = 1,
                                 .first = j->window.first,
                                 .unit = unit.seconds,
                                 .decimal = unit.decimal,
                                 .exponent = unit.exponent };
    if (t->by_time)
        code = find_step(t, &j->o->interval, &info, clock);
    if (code)
        return code;
    t->edges.edge = t->edges.time = j->window.first;
    t->to = t->to_cycle = UINT64_MAX;
    if (t->by_time && j->window.to.text && !j->window.to.in_cycles) {
        t->to = j->window.to_ticks;
        t->to_cycle = j->window.end;
    }
    const bool once = cli_read_once(j->path);
    if (t->by_time && !t->sampled && once)
        return refuse("%s cannot be read twice for the times of edges: give -I in cycles",
                      cli_input_name(j->path));
    if (!t->sampled && !once && (t->by_time || (t->unit > 0 && wants_seconds(j))))
        code = open_edges(t, j, clock);
    if (!has_edges(t))
        t->unit = 0;
    t->origin = t->edges.edge;
    t->origin_time = t->first_time = t->edges.time;
    t->begin.whole = from_time ? j->window.from_ticks : t->edges.time;
    if (!add(t, t->begin, t->step, &t->end))
        t->end = forever;
    return code;
}

void stat_timeline_close(struct stat_timeline *t)
{
    cli_edges_close(&t->edges);
}

/* --- from one interval to the next --- */

int stat_timeline_end(struct stat_timeline *t, uint64_t limit, uint64_t *end)
{
    int code = CLI_OK;

    if (!t->by_time) {
        *end = t->length < limit - t->first ? t->first + t->length : UINT64_MAX;
        return CLI_OK;
    }
    code = seek(t, t->end, limit);
    *end = t->edges.edge < limit ? t->edges.edge : UINT64_MAX;
    return code;
}

static void open_next(struct stat_timeline *t)
{
    t->number++;
    t->begin = t->end;
    if (!add(t, t->end, t->step, &t->end))
        t->end = forever;
}

int stat_timeline_next(struct stat_timeline *t, uint64_t end, struct stat_interval *out)
{
    const int code = has_edges(t) ? seek(t, forever, end) : CLI_OK;

    *out = (struct stat_interval){ .number = t->number,
                                   .span = 1,
                                   .first = t->first,
                                   .cycles = end - t->first,
                                   .timed = t->unit > 0 };
    if (t->by_time) {
        tell_time(t, t->begin, out);
        out->seconds = seconds_of(t, t->step);
    } else {
        tell_time(t, (struct stat_tick){ t->first_time, 0 }, out);
        out->seconds = (double)(t->edges.time - t->first_time) * t->unit;
    }
    tell_off(t, out);
    open_next(t);
    t->first = end;
    t->first_time = t->edges.time;
    return code;
}

/*
 * How many intervals from the open one on end before the next edge, where they do: by powers of
 * two, each the double of the one before.
 */
static uint64_t skip_empty(struct stat_timeline *t)
{
    struct stat_tick jump[64], at = t->end;
    uint64_t n = 1;
    unsigned powers = 1;

    jump[0] = t->step;
    while (powers < 64 && add(t, jump[powers - 1], jump[powers - 1], &jump[powers]))
        powers++;
    while (powers-- > 0) {
        struct stat_tick later;
        if (add(t, at, jump[powers], &later) && ended_by(later, t->edges.time)) {
            at = later;
            n += UINT64_C(1) << powers;
        }
    }
    t->end = at;
    return n;
}

bool stat_timeline_empty(struct stat_timeline *t, struct stat_interval *out)
{
    const struct stat_tick end = t->end;

    if (!t->by_time || t->edges.edge == UINT64_MAX || !ended_by(t->end, t->edges.time))
        return false;
    *out = (struct stat_interval){
        .number = t->number, .span = 1, .first = t->first, .timed = t->unit > 0
    };
    tell_time(t, t->begin, out);
    if (t->single == 0)
        t->single = skip_empty(t);
    if (t->single > STAT_EMPTY_ROWS) {
        out->span = t->single;
        t->merged = true;
        t->single = 0;
    } else {
        t->end = end;
        t->single--;
    }
    t->number += out->span - 1;
    out->seconds = seconds_between(t, t->begin, t->end);
    tell_off(t, out);
    open_next(t);
    return true;
}

/* Up to --to, where the waveform goes on there: does the window end with cycle `end` of it? */
static bool fills_window(const struct stat_timeline *t, uint64_t end)
{
    return t->to_cycle != UINT64_MAX && end == t->to_cycle;
}

/* From its begin to its last edge, and a cycle as long as all were on average; or up to --to. */
static double length_of_last(const struct stat_timeline *t, uint64_t end)
{
    const struct stat_tick from = t->by_time ? t->begin : (struct stat_tick){ t->first_time, 0 };
    const uint64_t cycles = end - t->origin;
    double most = t->by_time ? seconds_of(t, t->step) : 0, seconds;

    if (t->to != UINT64_MAX && !ended_by(t->end, t->to))
        most = seconds_between(t, t->begin, (struct stat_tick){ t->to, 0 });
    if (fills_window(t, end))
        return most;
    if (t->unit <= 0 || (cycles < 2 && !t->sampled))
        return 0;
    const uint64_t off =
        t->edges.wave ? cli_time_off(t->edges.wave, t->origin_time, t->edges.last_time) : 0;
    const double period = t->sampled ? t->unit
                                     : (double)(t->edges.last_time - t->origin_time - off) *
                                           t->unit / (double)(cycles - 1);
    seconds = seconds_between(t, from, (struct stat_tick){ t->edges.last_time, 0 }) + period;
    return t->by_time && seconds > most ? most : seconds;
}

int stat_timeline_last(struct stat_timeline *t, uint64_t end, struct stat_interval *out)
{
    const int code = has_edges(t) ? seek(t, forever, end) : CLI_OK;

    *out = (struct stat_interval){ .number = t->number,
                                   .span = 1,
                                   .first = t->first,
                                   .cycles = end - t->first,
                                   .timed = t->unit > 0,
                                   .seconds = length_of_last(t, end) };
    tell_time(t, t->by_time ? t->begin : (struct stat_tick){ t->first_time, 0 }, out);
    tell_off(t, out);
    t->first = end;
    t->edges.edge = UINT64_MAX;
    if (fills_window(t, end) && t->end.whole < t->to) {
        t->edges.edge = end; /* as if there were one at --to */
        t->edges.time = t->to;
        open_next(t);
    }
    return code;
}

bool stat_timeline_rest(struct stat_timeline *t, struct stat_interval *out)
{
    if (t->edges.edge == UINT64_MAX)
        return false;
    if (ended_by(t->end, t->to)) {
        const bool more = stat_timeline_empty(t, out);
        if (t->begin.whole >= t->to) { /* nothing is left */
            t->edges.edge = UINT64_MAX;
            t->number--;
        }
        return more;
    }
    *out = (struct stat_interval){ .number = t->number,
                                   .span = 1,
                                   .first = t->first,
                                   .timed = t->unit > 0,
                                   .seconds = length_of_last(t, t->first) };
    tell_time(t, t->begin, out);
    tell_off(t, out);
    t->edges.edge = UINT64_MAX;
    return true;
}
