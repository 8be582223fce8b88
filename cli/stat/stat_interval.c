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

/* Sets the time in which dumping was off; all else of the interval is set. */
static void tell_off(const struct stat_timeline *t, struct stat_interval *out)
{
    const uint64_t from = out->tick.whole;

    if (!t->sampled && t->unit > 0 && out->seconds > 0)
        out->off =
            (double)cli_time_off(t->wave, from, from + (uint64_t)(out->seconds / t->unit + 0.5)) *
            t->unit;
}

/* --- edges --- */

/* Is the time of the next one known?  It. */
static bool has_next(const struct stat_timeline *t)
{
    return t->closed || t->left > 0;
}

static uint64_t next_time(const struct stat_timeline *t)
{
    return t->closed ? t->to : t->left > 0 ? t->times[0] : 0;
}

static void skip(struct stat_timeline *t, uint64_t n)
{
    if (n == 0)
        return;
    t->last_time = t->times[n - 1];
    t->edge += n;
    t->times += n;
    t->left -= n;
}

/* On to an edge. */
void stat_timeline_pass(struct stat_timeline *t, uint64_t end)
{
    if (end > t->edge)
        skip(t, t->left < end - t->edge ? t->left : end - t->edge);
}

/* On to the first edge at or after a time, or with that number. */
static void pass_time(struct stat_timeline *t, struct stat_tick time, uint64_t limit)
{
    const uint64_t whole = time.whole + (time.part > 0);
    const uint64_t most = limit < t->edge             ? 0
                          : limit - t->edge < t->left ? limit - t->edge
                                                      : t->left;
    uint64_t n = 0;

    if (is_forever(time)) {
        skip(t, most);
        return;
    }
    while (n < most && t->times[n] < whole)
        n++;
    skip(t, n);
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
        return refuse("%s does not define its time unit: give -I in cycles",
                      cli_input_name(t->path));
    if (!cli_span_ticks(span, info, &ticks)) {
        t->per = 1;
        t->step = forever;
        return CLI_OK;
    }
    if (ticks.part > 0 && clock->period_per > 1)
        return refuse("neither the edges of the clock nor the ends of -I are at whole time units "
                      "of %s: give -I %s in whole time units, or in cycles",
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

/* Does one need to know how long an interval was? */
static bool some_say_seconds(const struct cli_metrics *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (says_seconds(m->metric[i].info.formula))
            return true;
    return false;
}

bool stat_wants_seconds(const struct stat_job *j)
{
    return some_say_seconds(&j->metrics) || some_say_seconds(&j->expect.sides);
}

bool stat_timeline_times(const struct stat_job *j, const struct pc_wave_info *info,
                         const struct pc_wave_clock *clock)
{
    return j->o->interval.text &&
           (!j->o->interval.in_cycles || cli_cycles_are_samples(info, clock) ||
            some_say_seconds(&j->metrics));
}

int stat_timeline_open(struct stat_timeline *t, const struct stat_job *j,
                       const struct pc_wave *wave, const struct pc_wave_clock *clock)
{
    struct pc_wave_info info;
    int code = CLI_OK;

    pc_wave_get_info(wave, &info);
    const struct cli_time_unit unit = cli_time_unit(&info);
    *t = (struct stat_timeline){ .by_time = !j->o->interval.in_cycles,
                                 .sampled = cli_cycles_are_samples(&info, clock),
                                 .timed = clock->times,
                                 .wave = wave,
                                 .window = &j->window,
                                 .path = j->path,
                                 .length = j->o->interval.number,
                                 .per = 1,
                                 .to = UINT64_MAX,
                                 .unit = stat_timeline_times(j, &info, clock) ? unit.seconds : 0,
                                 .decimal = unit.decimal,
                                 .exponent = unit.exponent };
    if (t->by_time)
        code = find_step(t, &j->o->interval, &info, clock);
    if (t->by_time && j->window.to.text && !j->window.to.in_cycles)
        t->to = j->window.to_ticks;
    return code;
}

/* With the first edge of the window. */
static void begin(struct stat_timeline *t, uint64_t time)
{
    const struct cli_window *w = t->window;

    t->begun = true;
    t->first = t->edge = t->origin = w->first;
    t->origin_time = t->first_time = time;
    t->begin.whole = w->from.text && !w->from.in_cycles ? w->from_ticks : time;
    if (!add(t, t->begin, t->step, &t->end))
        t->end = forever;
}

void stat_timeline_feed(struct stat_timeline *t, uint64_t first, const uint64_t *times,
                        uint64_t cycles)
{
    const uint64_t window = t->window->first;

    if (!t->begun && (window >= first + cycles))
        return;
    if (!t->begun)
        begin(t, t->timed ? times[window - first] : 0);
    if (!t->timed)
        return;
    t->times = times + (t->edge - first);
    t->left = first + cycles - t->edge;
}

/* --- from one interval to the next --- */

uint64_t stat_timeline_end(struct stat_timeline *t, uint64_t limit)
{
    if (!t->by_time)
        return t->length < limit - t->first ? t->first + t->length : UINT64_MAX;
    pass_time(t, t->end, limit);
    return t->edge < limit ? t->edge : UINT64_MAX;
}

static void open_next(struct stat_timeline *t)
{
    t->number++;
    t->begin = t->end;
    if (!add(t, t->end, t->step, &t->end))
        t->end = forever;
}

void stat_timeline_next(struct stat_timeline *t, uint64_t end, struct stat_interval *out)
{
    stat_timeline_pass(t, end);
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
        out->seconds = (double)(next_time(t) - t->first_time) * t->unit;
    }
    tell_off(t, out);
    open_next(t);
    t->first = end;
    t->first_time = next_time(t);
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
        if (add(t, at, jump[powers], &later) && ended_by(later, next_time(t))) {
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

    if (!t->by_time || !has_next(t) || !ended_by(t->end, next_time(t)))
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
    return t->to != UINT64_MAX && t->window->ended && end == t->window->end;
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
    const uint64_t off = t->sampled ? 0 : cli_time_off(t->wave, t->origin_time, t->last_time);
    const double period =
        t->sampled ? t->unit
                   : (double)(t->last_time - t->origin_time - off) * t->unit / (double)(cycles - 1);
    seconds = seconds_between(t, from, (struct stat_tick){ t->last_time, 0 }) + period;
    return t->by_time && seconds > most ? most : seconds;
}

void stat_timeline_last(struct stat_timeline *t, uint64_t end, struct stat_interval *out)
{
    stat_timeline_pass(t, end);
    *out = (struct stat_interval){ .number = t->number,
                                   .span = 1,
                                   .first = t->first,
                                   .cycles = end - t->first,
                                   .timed = t->unit > 0,
                                   .seconds = length_of_last(t, end) };
    tell_time(t, t->by_time ? t->begin : (struct stat_tick){ t->first_time, 0 }, out);
    tell_off(t, out);
    t->first = end;
    t->left = 0;
    if (fills_window(t, end) && t->end.whole < t->to) {
        t->closed = true;
        open_next(t);
    }
}

bool stat_timeline_rest(struct stat_timeline *t, struct stat_interval *out)
{
    if (!t->closed)
        return false;
    if (ended_by(t->end, t->to)) {
        const bool more = stat_timeline_empty(t, out);
        if (t->begin.whole >= t->to) { /* nothing is left */
            t->closed = false;
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
    t->closed = false;
    return true;
}
