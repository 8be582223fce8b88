/* SPDX-License-Identifier: MIT */
/* See time_counted.h. */
#include "wave/time_counted.h"
#include "cli.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t cli_time_off(const struct pc_wave *wave, uint64_t from, uint64_t to)
{
    uint64_t begin, end, sum = 0;

    for (size_t i = 0; pc_wave_gap(wave, i, &begin, &end) == PC_OK && begin < to; i++) {
        begin = begin < from ? from : begin;
        end = end > to ? to : end;
        sum += end > begin ? end - begin : 0;
    }
    return sum;
}

void cli_period_text(const struct pc_wave_info *info, uint64_t units, char out[48])
{
    static const char zeros[] = "00000000000000000000";
    uint64_t n = units;
    int exponent = info->timescale_exponent, unit = 0; /* 10^unit seconds */
    char digit[24];

    if (info->timescale_factor == 0 || n > UINT64_MAX / info->timescale_factor) {
        snprintf(out, 48, "%" PRIu64, units);
        return;
    }
    n *= info->timescale_factor;
    for (; n > 0 && n % 10 == 0; n /= 10)
        exponent++;
    const int digits = snprintf(digit, sizeof digit, "%" PRIu64, n);
    while (unit > PC_TIME_UNIT_LEAST && exponent + digits - 1 < unit)
        unit -= 3;
    const int whole = digits + exponent - unit; /* digits before the point */
    const char *name = pc_time_unit(unit);
    if (whole >= digits)
        snprintf(out, 48, "%s%.*s%s", digit, whole - digits, zeros, name);
    else if (whole > 0)
        snprintf(out, 48, "%.*s.%s%s", whole, digit, digit + whole, name);
    else
        snprintf(out, 48, "0.%.*s%s%s", -whole, zeros, digit, name);
}

const char *cli_time_text(const struct pc_wave_info *info, uint64_t time, char out[CLI_TIME_TEXT])
{
    const char *unit = pc_time_unit(info->timescale_exponent);
    const uint64_t factor = info->timescale_factor;

    if (factor == 0 || !unit || time > UINT64_MAX / factor)
        snprintf(out, CLI_TIME_TEXT, "time %" PRIu64, time);
    else
        snprintf(out, CLI_TIME_TEXT, "%s %s", cli_grouped(time * factor), unit);
    return out;
}

bool cli_is_rounded(const struct pc_wave_totals *t)
{
    const uint64_t jitter = t->most - t->least, n = t->time_stamps - 1;
    const uint64_t length = t->time_last - t->time_first;

    return t->has_time && jitter > 0 && jitter <= t->step && jitter <= t->least / 10 &&
           length / n >= t->least && length / n <= t->most;
}

bool cli_is_uneven(const struct pc_wave_totals *t)
{
    const uint64_t length = t->time_last - t->time_first;

    return t->has_time && t->step > 0 && !cli_is_rounded(t) &&
           (length % t->step != 0 || length / t->step != t->time_stamps - 1);
}

void cli_note_uneven(const struct pc_wave *wave, const char *path)
{
    struct pc_wave_totals stamps;
    struct pc_wave_info info;
    char period[48];

    pc_wave_stamps(wave, &stamps);
    if (!cli_is_uneven(&stamps))
        return;
    pc_wave_get_info(wave, &info);
    cli_period_text(&info, stamps.step, period);
    cli_note(521,
             "%s: the samples are not evenly spaced: a share is one of samples, not of time; "
             "--clock 'every %s' counts time, in %s",
             path, period,
             cli_count((stamps.time_last - stamps.time_first) / stamps.step, "cycle"));
}
