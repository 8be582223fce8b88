/* SPDX-License-Identifier: MIT */
/* Ticks and numbers.  See timeline_scale.h. */
#include "text/ten.h"
#include "timeline_scale.h"
#include "timeline_writer.h"

#include <string.h>

/* The step below `most` of which there are in `span`, and the power of ten in it. */
static double step_for(double span, int most, int *exponent)
{
    static const double factors[] = { 1, 2, 5 };
    double power = 1;

    *exponent = 0;
    for (; power * most > span && *exponent > -40; power /= 10)
        --*exponent;
    for (; power * most * 10 < span && *exponent < 40; power *= 10)
        ++*exponent;
    for (;; ++*exponent)
        for (size_t i = 0; i < 3; i++) {
            const double step = cli_times_ten_to(factors[i], *exponent);
            if (span <= step * most * (1 + 1e-9))
                return step;
        }
}

/* Up to the whole number above it or at it, of numbers below 2^63. */
static double up(double x)
{
    const double whole = x < 0 ? -(double)(uint64_t)-x : (double)(uint64_t)x;

    return whole < x - 1e-9 ? whole + 1 : whole;
}

struct timeline_ticks timeline_ticks(double from, double to, int most)
{
    struct timeline_ticks t = { .first = from, .step = 1, .last = to };
    int exponent;

    if (!(to > from))
        return t;
    t.step = step_for(to - from, most, &exponent);
    t.decimals = exponent < 0 ? -exponent : 0;
    if (from / t.step < 1e15 && from / t.step > -1e15)
        t.first = up(from / t.step) * t.step;
    return t;
}

/* Digits of a whole number in groups of three. */
static void group(const char *digits, char out[TIMELINE_TEXT])
{
    const size_t n = strlen(digits);
    size_t used = 0;

    for (size_t i = 0; i < n && used + 2 < TIMELINE_TEXT; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
}

void timeline_tick_text(const struct timeline_ticks *t, double value, char out[TIMELINE_TEXT])
{
    static const char prefixes[] = "MGTPE";
    const double size = value < 0 ? -value : value;
    char digits[TIMELINE_TEXT];
    size_t n = 0;

    if (size < t->step / 2) {
        snprintf(out, TIMELINE_TEXT, "0");
        return;
    }
    if (t->decimals > 9 || size >= 1e21) {
        snprintf(out, TIMELINE_TEXT, "%.4g", value);
    } else if (size >= 1e6 && !t->plain) {
        double part = value / 1e6;
        for (; part * (value < 0 ? -1 : 1) >= 1000 && prefixes[n + 1]; n++)
            part /= 1000;
        snprintf(out, TIMELINE_TEXT, "%.6g %c", part, prefixes[n]);
    } else if (t->decimals > 0 || value < 0) {
        snprintf(out, TIMELINE_TEXT, "%.*f", t->decimals, value);
    } else {
        snprintf(digits, sizeof digits, "%.0f", value);
        group(digits, out);
    }
}

const char *timeline_unit(double seconds, int *exponent)
{
    int e = 0;

    for (; e > PC_TIME_UNIT_LEAST && seconds < 0.9999; e -= 3)
        seconds *= 1000;
    *exponent = e;
    return e == -6 ? "µs" : pc_time_unit(e);
}

void timeline_value_text(const struct timeline_column *c, const struct timeline_value *v,
                         char out[TIMELINE_TEXT])
{
    if (!timeline_measured(c, v))
        snprintf(out, TIMELINE_TEXT, "not measured");
    else if (c->kind == TIMELINE_METRIC)
        snprintf(out, TIMELINE_TEXT, "%.15g", v->number);
    else
        snprintf(out, TIMELINE_TEXT, "%s", cli_grouped(v->count));
}
