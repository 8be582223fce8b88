/* SPDX-License-Identifier: MIT */
/* See edges.h. */
#include "wave/edges.h"
#include "text/ten.h"

/* Of seconds to zeptoseconds, as waveforms have them. */
enum { COARSEST = 2, FINEST = -21 };

struct cli_time_unit cli_time_unit(const struct pc_wave_info *info)
{
    struct cli_time_unit u = { .exponent = info->timescale_exponent };

    for (uint64_t factor = info->timescale_factor; factor > 1; factor /= 10)
        u.exponent++;
    u.decimal = !info->sampled && u.exponent >= FINEST && u.exponent <= COARSEST;
    if (!info->sampled)
        u.seconds = cli_times_ten_to((double)info->timescale_factor, info->timescale_exponent);
    else if (info->sample_rate)
        u.seconds = 1 / (double)info->sample_rate;
    return u;
}

bool cli_cycles_are_samples(const struct pc_wave_info *info, const struct pc_wave_clock *clock)
{
    return info->sampled && clock->edge == PC_EDGE_EVERY && !clock->has_iff;
}

int cli_edges_open(struct cli_edges *e, const struct cli_read_options *read, const char *path,
                   const struct pc_wave_clock *clock)
{
    const struct pc_wave_desc desc = cli_wave_desc(read, path);
    struct pc_error err;
    unsigned stream;

    /* cli_edges_step() counts from 0 */
    *e = (struct cli_edges){ .path = path, .edge = UINT64_MAX };
    if (pc_wave_open(&desc, &e->wave, &err) != PC_OK ||
        pc_wave_bind(e->wave, clock, NULL, 0, &stream, &err) != PC_OK)
        return cli_error(&err, path, NULL);
    return cli_edges_step(e);
}

void cli_edges_close(struct cli_edges *e)
{
    pc_wave_close(e->wave);
    e->wave = NULL;
}

int cli_edges_step(struct cli_edges *e)
{
    struct pc_wave_instant now;
    struct pc_error err;
    enum pc_status status = pc_wave_step(e->wave, &now, &err);

    e->last_time = e->time;
    e->edge = status == PC_OK ? e->edge + 1 : UINT64_MAX;
    e->time = status == PC_OK ? now.time : UINT64_MAX;
    return status == PC_OK || status == PC_END ? CLI_OK : cli_error(&err, e->path, NULL);
}
