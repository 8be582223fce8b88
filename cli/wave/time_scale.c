/* SPDX-License-Identifier: MIT */
#include "wave/time_scale.h"

/* 10^n; n at most 18. */
static uint64_t power_of_ten(int n)
{
    uint64_t power = 1;

    while (n-- > 0)
        power *= 10;
    return power;
}

static struct cli_time_scale scale_of_samples(uint64_t rate)
{
    struct cli_time_scale s = { .unknown = rate == 0, .rate = rate };

    for (int exponent = 0; rate && exponent >= -15; exponent -= 3) {
        s.exponent = exponent;
        s.per = power_of_ten(-exponent);
        s.rounded = s.per % rate != 0;
        if (!s.rounded || (exponent == -12 && rate <= UINT64_C(1000000000)))
            break;
    }
    return s;
}

struct cli_time_scale cli_time_scale(const struct pc_wave_info *info)
{
    const uint64_t factor = info->timescale_factor;

    if (info->sampled)
        return scale_of_samples(info->sample_rate);
    return (struct cli_time_scale){ .unknown = factor == 0,
                                    .exponent =
                                        info->timescale_exponent + (factor >= 10) + (factor >= 100),
                                    .per = 1 };
}

bool cli_time_scale_finer(struct cli_time_scale *s, int exponent)
{
    for (; s->exponent > exponent; s->exponent--) {
        if (s->per > UINT64_MAX / 10)
            return false;
        s->per *= 10;
    }
    s->rounded = s->rate && s->per % s->rate != 0;
    return true;
}

/* number * per / rate, rounded; number and rate are below 2^54 or so, as samples a second are. */
static uint64_t scaled_part(uint64_t number, uint64_t per, uint64_t rate)
{
    uint64_t part = 0, left = number;

    while (per > 1) { /* powers of ten, a few digits at a time */
        const uint64_t step = per >= 1000 ? 1000 : per;
        left *= step;
        part = part * step + left / rate;
        left %= rate;
        per /= step;
    }
    return part + (left > 0 && left >= rate - left);
}

bool cli_time_scaled(const struct cli_time_scale *s, uint64_t time, uint64_t *out)
{
    const uint64_t per = s->unknown ? 1 : s->per, rate = s->rate ? s->rate : 1;
    const uint64_t whole = time / rate;

    *out = UINT64_MAX;
    if (per > 0 && whole > (UINT64_MAX - per) / per)
        return false;
    *out = whole * per + (rate > 1 && !s->unknown ? scaled_part(time % rate, per, rate) : 0);
    return true;
}
