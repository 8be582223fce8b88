/* SPDX-License-Identifier: MIT */
/* See spread.h. */
#include "text/spread.h"

#include <string.h>

/* Returns the smallest step with which all values are in few bars. */
static uint64_t step_for(uint64_t min, uint64_t max)
{
    static const uint64_t factors[] = { 1, 2, 5 };
    uint64_t ten = 1;

    for (size_t i = 0;; i++) {
        if (i > 0 && i % 3 == 0) {
            if (ten > UINT64_MAX / 50)
                return ten * 5;
            ten *= 10;
        }
        const uint64_t step = ten * factors[i % 3];
        if (max / step - min / step < CLI_BARS)
            return step;
    }
}

static void find_bars(const struct pc_dist *dist, struct cli_spread *s)
{
    struct pc_wide value;
    uint64_t times;

    s->step = step_for(s->min, s->max);
    s->first = s->min / s->step * s->step;
    s->bars = (size_t)(s->max / s->step - s->min / s->step) + 1;
    for (size_t i = 0; pc_dist_value(dist, i, &value, &times); i++)
        s->bar[(value.low - s->first) / s->step] += times;
}

enum pc_status cli_spread(struct pc_dist *dist, struct cli_spread *out, struct pc_error *err)
{
    struct pc_dist_figures f;
    const enum pc_status status = pc_dist_get_figures(dist, &f, err);

    *out = (struct cli_spread){ .count = 0 };
    if (status || f.count == 0)
        return status;
    *out = (struct cli_spread){
        .count = f.count, .min = f.min.low, .max = f.max.low, .mean = f.mean, .ranks = f.complete
    };
    if (f.complete) {
        for (unsigned r = 0; r < PC_RANKS; r++)
            out->rank[r] = f.rank[r].low;
        find_bars(dist, out);
    }
    return PC_OK;
}

uint64_t cli_bar_from(const struct cli_spread *s, size_t bar)
{
    return s->first + bar * s->step;
}

uint64_t cli_bar_to(const struct cli_spread *s, size_t bar)
{
    const uint64_t from = cli_bar_from(s, bar), more = s->step - 1;

    return from > UINT64_MAX - more ? UINT64_MAX : from + more;
}

void cli_mean(double mean, char out[CLI_MEAN])
{
    const double most = 1e15; /* hundredths are exact up to here */
    const uint64_t hundredths = mean < most ? (uint64_t)(mean * 100 + 0.5) : 0;

    if (mean < most)
        snprintf(out, CLI_MEAN, "%s.%02u", cli_grouped(hundredths / 100),
                 (unsigned)(hundredths % 100));
    else
        snprintf(out, CLI_MEAN, "%.6g", mean);
}

void cli_blocks(const double *height, size_t count, char *out)
{
    static const char *const block[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    double most = 0;

    *out = '\0';
    for (size_t i = 0; i < count; i++)
        most = height[i] > most ? height[i] : most;
    for (size_t i = 0; i < count; i++) {
        const int n = most > 0 ? (int)(height[i] / most * 8 + 0.999) : 0;
        out = stpcpy(out, block[n > 8 ? 8 : n]);
    }
}
