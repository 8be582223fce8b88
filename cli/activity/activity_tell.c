/* SPDX-License-Identifier: MIT */
/* The figures of a row for all formats, and the unit of its times. */
#include "activity/activity.h"

#include <stdlib.h>

#include "text/ten.h"

double activity_seconds(const struct pc_wave_info *info)
{
    if (info->sampled)
        return info->sample_rate ? 1 / (double)info->sample_rate : 0;
    return cli_times_ten_to((double)info->timescale_factor, info->timescale_exponent);
}

double activity_frequency(const struct pc_wave_info *info, const struct pc_dist_figures *period)
{
    const double unit = activity_seconds(info);

    return period->count > 0 && unit > 0 ? 1 / (period->mean * unit) : 0;
}

static int look_at(struct pc_dist *dist, struct pc_dist_figures *out)
{
    struct pc_error err;

    *out = (struct pc_dist_figures){ .complete = true };
    return dist && pc_dist_get_figures(dist, out, &err) ? cli_error(&err, NULL, NULL) : CLI_OK;
}

int activity_tell(struct activity_run *run, size_t row, struct activity_told *out)
{
    const struct activity_row *at = &run->nets.row[row];
    struct pc_wave_var var;

    *out = (struct activity_told){ .own = NULL };
    if (pc_wave_get_var(run->wave, run->nets.net[at->net].var, &var) != PC_OK)
        return CLI_INPUT;
    out->one = run->o->bits || var.width == 1;
    if (run->o->bits && !(out->own = activity_bit_name(&var, at->bit)))
        return cli_no_memory();
    out->name = out->own ? out->own : var.name;
    out->range = out->one ? "" : var.range;
    out->width = out->one ? 1 : var.width;
    pc_activity_get(run->activity, var.code, at->bit, &out->f);
    int code = look_at(out->f.period, &out->period);
    if (code == CLI_OK)
        code = look_at(out->f.high, &out->high);
    if (code == CLI_OK)
        code = look_at(out->f.low, &out->low);
    out->frequency = activity_frequency(&run->info, &out->period);
    if (!out->period.complete || !out->high.complete || !out->low.complete)
        run->incomplete++;
    return code;
}

void activity_untell(struct activity_told *told)
{
    free(told->own);
    told->own = NULL;
}
