/* SPDX-License-Identifier: MIT */
/* Spans of a waveform as text, in its time units, and as cycles of a clock. */
#include "wave/span.h"
#include "wave/read_options.h"
#include "process/progress.h"

#include <string.h>

/* --- text --- */

const char *cli_span_forms(enum cli_span_plain plain)
{
    return plain == CLI_SPAN_UNITS
               ? "time units, like 1520, or a time, like 15.2us (s, ms, us, ns, ps, fs)"
               : "cycles, like 1520, or a time, like 15.2us (s, ms, us, ns, ps, fs)";
}

const char *cli_span_parse(const char *text, enum cli_span_plain plain, struct cli_span *out,
                           uint32_t *column)
{
    struct cli_span span = { .text = text };
    struct pc_decimal d = { 0, 0 };
    size_t used;
    const enum pc_status status = pc_decimal_parse(text, strlen(text), &d, &used);
    const char *at = text + used;

    *column = status ? 1 : (uint32_t)used + 1;
    if (status)
        return status == PC_ELIMIT ? "the number has more than 64 bits"
               : used == 0         ? "expected a number"
                                   : "expected a digit after the point";
    span.number = d.number;
    span.decimals = -d.exponent;
    if (*at == '\0' || strcmp(at, "c") == 0) {
        span.in_cycles = true;
        *out = span;
        return !span.decimals ? NULL
               : plain == CLI_SPAN_UNITS
                   ? "a part of a time unit; times have a unit: s, ms, us, ns, ps, fs"
                   : "a part of a cycle; times have a unit: s, ms, us, ns, ps, fs";
    }
    if (pc_time_unit_find(at, strlen(at), &span.exponent)) {
        span.exponent -= span.decimals;
        *out = span;
        return NULL;
    }
    return plain == CLI_SPAN_UNITS
               ? "unknown unit; the units are s, ms, us, ns, ps, fs"
               : "unknown unit; the units are c (cycles), s, ms, us, ns, ps, fs";
}

/* --- time units --- */

/* 128 bits: a number of 64 in units of a rate of 64. */
struct product {
    uint64_t high, low;
};

static struct product multiply(uint64_t a, uint64_t b)
{
    const uint64_t a1 = a >> 32, a0 = a & UINT32_MAX, b1 = b >> 32, b0 = b & UINT32_MAX;
    const uint64_t first = a1 * b0 + (a0 * b0 >> 32), second = a0 * b1 + (first & UINT32_MAX);

    return (struct product){ a1 * b1 + (first >> 32) + (second >> 32),
                             second << 32 | (a0 * b0 & UINT32_MAX) };
}

static bool ten_times(struct product *n)
{
    const struct product low = multiply(n->low, 10);

    if (n->high > (UINT64_MAX - low.high) / 10)
        return false;
    *n = (struct product){ 10 * n->high + low.high, low.low };
    return true;
}

/* Divides bit by bit; the remainder. */
static uint64_t divide(struct product *n, uint64_t by)
{
    uint64_t rest = 0;

    for (int i = 0; i < 128; i++) {
        const bool carry = rest >> 63;
        rest = rest << 1 | n->high >> 63;
        n->high = n->high << 1 | n->low >> 63;
        n->low <<= 1;
        if (carry || rest >= by) {
            rest -= by;
            n->low |= 1;
        }
    }
    return rest;
}

bool cli_span_ticks(const struct cli_span *span, const struct pc_wave_info *info,
                    struct cli_ticks *out)
{
    const bool rate = info->sampled && info->sample_rate;
    struct product n = multiply(span->number, rate ? info->sample_rate : 1);
    uint64_t per = rate ? 1 : info->timescale_factor;
    int e = span->exponent - (rate ? 0 : info->timescale_exponent);
    bool more = false;

    for (; e > 0 && per % 10 == 0; e--)
        per /= 10;
    for (; e > 0; e--)
        if (!ten_times(&n))
            return false;
    for (; e < 0; e++) {
        if (per <= UINT64_MAX / 10)
            per *= 10;
        else
            more |= divide(&n, 10) > 0; /* 10^-19 of a time unit: exactness is not needed */
    }
    out->part = divide(&n, per);
    out->part += more && out->part == 0;
    out->whole = n.low;
    for (; per % 10 == 0 && out->part % 10 == 0; per /= 10)
        out->part /= 10;
    out->per = per;
    return n.high == 0;
}

/* --- --from and --to --- */

int cli_span_take(const char *verb, const char *option, const char *text, enum cli_span_plain plain,
                  struct cli_span *out)
{
    uint32_t column;
    const char *wrong = cli_span_parse(text, plain, out, &column);

    return wrong ? cli_usage(verb, "%s takes %s; not \"%s\": %s", option, cli_span_forms(plain),
                             text, wrong)
                 : CLI_OK;
}

/* Returns true if a is not before b. Both are times. */
static bool not_before(const struct cli_span *a, const struct cli_span *b)
{
    const int least = a->exponent < b->exponent ? a->exponent : b->exponent;
    uint64_t x = a->number, y = b->number;
    int i = a->exponent, k = b->exponent;

    for (; i > least; i--, x *= 10)
        if (x > UINT64_MAX / 10)
            return true; /* the other has 64 bits at most */
    for (; k > least; k--, y *= 10)
        if (y > UINT64_MAX / 10)
            return false;
    return x >= y;
}

int cli_window_check(const char *verb, const struct cli_window *w)
{
    const struct cli_span *from = &w->from, *to = &w->to;
    bool none = to->text && to->number == 0;

    if (from->text && to->text && from->in_cycles == to->in_cycles)
        none = from->in_cycles ? from->number >= to->number : not_before(from, to);
    return none ? cli_usage(verb, "--from %s and --to %s leave no cycle between them",
                            from->text ? from->text : "0", to->text)
                : CLI_OK;
}

static int PC_PRINTF(2, 3) fail(const char *path, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, 909, fmt, args);
    va_end(args);
    return cli_error(&err, path, NULL);
}

/* Returns the first time unit at or after a time; an exit code. */
static int to_ticks(const struct cli_span *span, const char *option,
                    const struct pc_wave_info *info, const struct pc_wave_clock *clock,
                    const char *path, uint64_t *out)
{
    struct cli_ticks ticks;

    if (!span->text || span->in_cycles)
        return CLI_OK;
    if (info->timescale_factor == 0)
        return fail(path, "the waveform does not define its time unit: give %s in cycles", option);
    const bool fits = cli_span_ticks(span, info, &ticks);
    if (fits && ticks.part > 0 && clock->period_per > 1)
        return fail(path,
                    "neither the edges of the clock nor %s %s are at whole time units of the "
                    "waveform: give it in whole time units",
                    option, span->text);
    if (!fits || (ticks.part > 0 && ticks.whole == UINT64_MAX))
        *out = UINT64_MAX; /* no waveform is that long */
    else
        *out = ticks.whole + (ticks.part > 0);
    return CLI_OK;
}

static void take_edge(struct cli_window *w, uint64_t n, uint64_t time)
{
    const bool from_time = w->from.text && !w->from.in_cycles;
    const bool to_time = w->to.text && !w->to.in_cycles && w->to_ticks != UINT64_MAX;

    if (!w->begun && (from_time ? time >= w->from_ticks : n >= w->first)) {
        w->begun = w->timed = true;
        w->first = n;
        w->first_time = time;
    }
    if ((to_time && time >= w->to_ticks) || n >= w->end) {
        w->ended = true;
        w->end = n;
        return;
    }
    if (w->begun)
        w->last_time = time;
}

/* Returns true if all edges of the block are inside of the window, or all before it. */
static bool is_inside(const struct cli_window *w, const struct pc_wave_block *b)
{
    const bool to_time = w->to.text && !w->to.in_cycles;

    return w->begun && b->first_cycle + b->cycles <= w->end &&
           (!to_time || b->last_time < w->to_ticks);
}

static bool is_before(const struct cli_window *w, const struct pc_wave_block *b)
{
    return !w->begun && w->from.text && !w->to.text &&
           (w->from.in_cycles ? b->first_cycle + b->cycles <= w->first
                              : b->last_time < w->from_ticks);
}

void cli_window_look(struct cli_window *w, const struct pc_wave_block *b)
{
    if (!cli_window_given(w) || !b->time || is_before(w, b))
        return;
    if (is_inside(w, b)) {
        w->last_time = b->last_time;
        return;
    }
    for (uint32_t i = 0; i < b->cycles && !w->ended; i++)
        take_edge(w, b->first_cycle + i, b->time[i]);
}

int cli_window_begin(struct cli_window *w, const struct pc_wave_info *info, const char *path,
                     struct pc_wave_clock *clock, bool times)
{
    int code = to_ticks(&w->from, "--from", info, clock, path, &w->from_ticks);

    if (code == CLI_OK)
        code = to_ticks(&w->to, "--to", info, clock, path, &w->to_ticks);
    w->first = !w->from.text ? 0 : w->from.in_cycles ? w->from.number : UINT64_MAX;
    w->end = w->to.text && w->to.in_cycles ? w->to.number : UINT64_MAX;
    clock->times |=
        cli_window_by_time(w) || (cli_window_given(w) && times && info->timescale_factor != 0);
    return code;
}

int cli_window_find(struct cli_window *w, const struct pc_wave_info *info,
                    const struct pc_wave_desc *desc, const struct pc_wave_clock *clock)
{
    struct pc_wave_desc again = { .path = desc->path,
                                  .limits = desc->limits,
                                  .tolerate_time_backwards = desc->tolerate_time_backwards,
                                  .unit_factor = desc->unit_factor,
                                  .unit_exponent = desc->unit_exponent };
    struct pc_wave_clock timed = *clock;
    struct pc_wave *wave = NULL;
    struct pc_wave_block block;
    struct cli_progress progress;
    struct pc_error err;
    unsigned stream;
    uint64_t n = 0;
    const int code = cli_window_begin(w, info, desc->path, &timed, false);

    if (code || !timed.times)
        return code;
    if (cli_read_once(desc->path))
        return fail(NULL,
                    "%s cannot be read twice for the times of edges: give --from and --to in "
                    "cycles",
                    cli_input_name(desc->path));
    enum pc_status status = cli_wave_open(&again, &wave, &err);
    if (status == PC_OK)
        status = pc_wave_bind(wave, &timed, NULL, 0, &stream, &err);
    cli_progress_begin(&progress);
    while (status == PC_OK && !w->ended && !(w->begun && !w->to.text) &&
           (status = pc_wave_next(wave, &block, &err)) == PC_OK) {
        cli_window_look(w, &block);
        n = block.first_cycle + block.cycles;
        cli_progress_wave(&progress, wave, n);
    }
    cli_progress_end(&progress);
    pc_wave_close(wave);
    if (!w->begun)
        w->first = n;
    return status == PC_OK || status == PC_END ? CLI_OK : cli_error(&err, desc->path, NULL);
}
