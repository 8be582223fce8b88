/* SPDX-License-Identifier: MIT */
/* Periods as people write them, in time units of a waveform: exactly, as a fraction. */
#include "base/text.h"
#include "wave/wave.h"

#include <string.h>

#define CODE 770

/* number * 10^exponent seconds, or time units. */
struct period {
    uint64_t number;
    int exponent;
    bool units;
};

static enum pc_status fail(struct pc_error *err, size_t at, const char *what)
{
    return pc_fail_at(err, CODE, 1, (uint32_t)at + 1, "%s", what);
}

static enum pc_status parse(const char *text, size_t length, struct period *p, struct pc_error *err)
{
    size_t at;
    struct pc_decimal d;
    const enum pc_status status = pc_decimal_parse(text, length, &d, &at);

    if (status == PC_ELIMIT)
        return fail(err, 0, "the period has more than 64 bits");
    if (status)
        return fail(err, at, "expected a period, like 10ns");
    if (d.number == 0)
        return fail(err, 0, "a period is longer than 0");
    p->number = d.number;
    p->exponent = d.exponent;
    while (at < length && (text[at] == ' ' || text[at] == '\t'))
        at++;
    p->units = at == length;
    if (p->units && p->exponent < 0)
        return fail(err, at,
                    "without a unit it is whole time units of the waveform; times have s, "
                    "ms, us, ns, ps, fs");
    int unit = 0;
    if (!p->units && !pc_time_unit_find(text + at, length - at, &unit))
        return fail(err, at, "unknown unit; the units are s, ms, us, ns, ps, fs");
    p->exponent += unit;
    return PC_OK;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Multiplies over / under by `by`, reduced; false: more than 64 bits. */
static bool multiply(uint64_t *over, uint64_t *under, uint64_t by)
{
    const uint64_t g = divisor(by, *under);

    *under /= g;
    by /= g;
    if (*over > UINT64_MAX / by)
        return false;
    *over *= by;
    return true;
}

/* Divides a fraction. */
static bool divide(uint64_t *over, uint64_t *under, uint64_t by)
{
    return multiply(under, over, by);
}

/* Converts seconds to time units. */
static bool to_units(const struct pc_wave_info *info, const struct period *p, uint64_t *over,
                     uint64_t *under)
{
    const bool rate = info->sampled && info->sample_rate;
    int e = p->exponent - (rate ? 0 : info->timescale_exponent);
    bool fits = true;

    if (rate)
        fits = multiply(over, under, info->sample_rate);
    else
        fits = divide(over, under, info->timescale_factor);
    for (; fits && e > 0; e--)
        fits = multiply(over, under, 10);
    for (; fits && e < 0; e++)
        fits = divide(over, under, 10);
    return fits;
}

enum pc_status pc_wave_parse_period(const struct pc_wave *wave, const char *text, size_t length,
                                    struct pc_wave_clock *out, struct pc_error *err)
{
    struct period p = { .number = 0 };
    uint64_t under = 1;

    if (!wave || !text || !out)
        return pc_fail(err, 530, "pc_wave_parse_period needs a waveform, a text and a result");
    enum pc_status status = parse(text, length, &p, err);
    if (status)
        return status;
    const struct pc_wave_info *info = &wave->reader->info;
    uint64_t over = p.number;
    if (!p.units && info->timescale_factor == 0)
        return fail(err, 0,
                    "the waveform does not define its time unit: give the period "
                    "in time units, without a unit");
    if ((!p.units && !to_units(info, &p, &over, &under)) || under > UINT32_MAX ||
        over > UINT64_MAX / 2 / under)
        return fail(err, 0,
                    "the period is too long, or a too small part of a time unit of the "
                    "waveform");
    out->edge = PC_EDGE_PERIOD;
    out->period = over;
    out->period_per = (uint32_t)under;
    return PC_OK;
}
