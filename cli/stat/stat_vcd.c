/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat -I as a waveform: the count of each interval from its begin to that of the next
 * one, beside the design's own signals in a viewer.  Times are those of the waveform that was read.
 */
#include "stat_vcd.h"
#include "text/chars.h"
#include "text/ten.h"

#include <inttypes.h>

/* COARSEST, FINEST: the units that a VCD can have, 10 to this of a second. */
enum { COUNT_BITS = 64, COARSEST = 2, FINEST = -15 };

/* Codes of variables, one after the other: cycles, events, metrics, inexact ones. */
static void put_code(FILE *out, size_t number)
{
    do {
        fputc('!' + (int)(number % 94), out);
        number /= 94;
    } while (number > 0);
}

/* Is it a name of Verilog's as it is? */
static bool is_plain(const char *name)
{
    const char *p = name;

    while (cli_is_word(*p))
        p++;
    return p > name && *p == '\0' && !cli_is_digit(*name);
}

/* As it is, or with a backslash before it and without blanks, which end a name there. */
static void put_name(FILE *out, const char *name)
{
    if (!is_plain(name))
        fputc('\\', out);
    for (; *name; name++)
        if (!cli_is_space(*name))
            fputc(*name, out);
}

static void declare(FILE *out, const char *type, int bits, size_t number, const char *name)
{
    fprintf(out, "$var %s %d ", type, bits);
    put_code(out, number);
    fputc(' ', out);
    put_name(out, name);
    fputs(" $end\n", out);
}

/* The first code of the metrics, and of the events' inexact bits. */
static size_t metrics_at(const struct stat_options *o)
{
    return 1 + o->events;
}

static size_t inexact_at(const struct stat_options *o)
{
    return metrics_at(o) + o->metrics.count;
}

static void open_scope(FILE *out, const char *name)
{
    fprintf(out, "$scope module %s $end\n", name);
}

static void close_scope(FILE *out)
{
    fputs("$upscope $end\n", out);
}

/* "10ns" */
static void put_timescale(FILE *out, int exponent)
{
    static const char *const units[] = { "s", "ms", "us", "ns", "ps", "fs" };
    const int unit = (-exponent + 2) / 3;

    fprintf(out, "$timescale %s%s $end\n",
            (const char *const[]){ "1", "10", "100" }[exponent + 3 * unit], units[unit]);
}

void stat_vcd_begin(struct stat_vcd *v)
{
    const struct stat_options *o = v->o;

    fprintf(v->out, "$version pcounter %s $end\n", pc_version());
    put_timescale(v->out, v->exponent);
    open_scope(v->out, "pcounter");
    declare(v->out, "integer", COUNT_BITS, 0, "cycles");
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].origin == n)
            declare(v->out, "integer", COUNT_BITS, 1 + n, o->event[n].name);
    for (size_t i = 0; i < o->metrics.count; i++)
        declare(v->out, "real", 64, metrics_at(o) + i, o->metrics.metric[i].info.name);
    open_scope(v->out, "inexact");
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].origin == n)
            declare(v->out, "wire", 1, inexact_at(o) + n, o->event[n].name);
    close_scope(v->out);
    close_scope(v->out);
    fputs("$enddefinitions $end\n", v->out);
}

static void put_count(FILE *out, uint64_t value, size_t number)
{
    int bit = 63;

    while (bit > 0 && !(value >> bit & 1))
        bit--;
    fputc('b', out);
    for (; bit >= 0; bit--)
        fputc('0' + (int)(value >> bit & 1), out);
    fputc(' ', out);
    put_code(out, number);
    fputc('\n', out);
}

static void put_metric(const struct stat_vcd *v, size_t i, const struct stat_result *r)
{
    struct pc_metric_value value;

    stat_metric_value(v->o, v->plan, r, i, false, &value);
    if (value.state == PC_VALUE_UNMEASURED)
        fputs("rnan ", v->out);
    else
        fprintf(v->out, "r%.16g ", value.value);
    put_code(v->out, metrics_at(v->o) + i);
    fputc('\n', v->out);
}

/* When it began, in units of the VCD. */
static uint64_t begin_of(const struct stat_vcd *v, const struct stat_interval *i)
{
    if (i->at.tick.whole > 0)
        return i->at.tick.whole;
    return (uint64_t)(i->time / v->unit + 0.5);
}

/*
 * Samples have a rate, which need not be a power of ten: their times are rounded.  64 bits are
 * enough for 2^64 picoseconds, 213 days, of more than a thousand samples a second, and for 584
 * years of fewer.
 */
static int exponent_of(const struct stat_timeline *t)
{
    return t->decimal ? t->exponent : t->unit < 1e-3 ? -12 : -9;
}

int stat_vcd_check(const struct stat_options *o, const struct stat_timeline *t)
{
    const char *name = cli_input_name(o->path);
    const bool fits = t->decimal ? t->exponent >= FINEST && t->exponent <= COARSEST
                                 : t->unit >= 0.999e-12 && t->unit <= 1;

    if (t->decimal && t->per > 1)
        return cli_error_at(910, NULL, 0,
                            "give whole time units; `pcounter info FILE` shows how long one is",
                            "-I %s is no whole number of time units of %s, which a VCD needs",
                            o->interval.text, name);
    if (!fits)
        return cli_error_at(910, NULL, 0, "--format csv has such times",
                            "a VCD cannot have the time unit of %s", name);
    return CLI_OK;
}

void stat_vcd_open(struct stat_vcd *v, FILE *out, const struct stat_options *o,
                   const struct stat_plan *plan, const struct stat_timeline *t)
{
    *v = (struct stat_vcd){ .out = out, .o = o, .plan = plan, .exponent = exponent_of(t) };
    v->unit = cli_times_ten_to(1, v->exponent);
}

void stat_vcd_add(struct stat_vcd *v, const struct stat_result *r)
{
    const struct stat_options *o = v->o;
    const struct stat_interval *i = r->interval;
    const uint64_t time = begin_of(v, i);

    fprintf(v->out, "#%" PRIu64 "\n", time);
    put_count(v->out, i->cycles, 0);
    for (size_t n = 0; n < o->events; n++) {
        if (o->event[n].origin != n)
            continue;
        put_count(v->out, o->event[n].value, 1 + n);
        fputc(o->event[n].state == STAT_EXACT ? '0' : '1', v->out);
        put_code(v->out, inexact_at(o) + n);
        fputc('\n', v->out);
    }
    for (size_t m = 0; m < o->metrics.count; m++)
        put_metric(v, m, r);
    v->end = time + (uint64_t)(i->seconds / v->unit + 0.5);
}

void stat_vcd_end(struct stat_vcd *v)
{
    fprintf(v->out, "#%" PRIu64 "\n", v->end);
}
