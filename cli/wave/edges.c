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

/* More of them are read; none are left: that was the last. */
static int read_times(struct cli_edges *e)
{
    struct pc_wave_block block;
    struct pc_error err;
    const enum pc_status status = pc_wave_next(e->wave, &block, &err);

    e->left = status == PC_OK ? block.cycles : 0;
    e->times = status == PC_OK ? block.time : NULL;
    return status == PC_OK || status == PC_END ? CLI_OK : cli_error(&err, e->path, NULL);
}

/* `n` edges on, not after those that were read. */
static void skip(struct cli_edges *e, uint32_t n)
{
    if (n == 0)
        return;
    e->last_time = n > 1 ? e->times[n - 2] : e->time;
    e->time = e->times[n - 1];
    e->edge += n;
    e->times += n;
    e->left -= n;
}

/* Are there edges after it? */
static bool has_more(struct cli_edges *e, int *code)
{
    if (e->left == 0 && (*code = read_times(e)) != CLI_OK)
        return false;
    if (e->left > 0)
        return true;
    e->last_time = e->time;
    e->edge = e->time = UINT64_MAX;
    return false;
}

int cli_edges_open(struct cli_edges *e, const struct cli_read_options *read, const char *path,
                   const struct pc_wave_clock *clock)
{
    const struct pc_wave_desc desc = cli_wave_desc(read, path);
    struct pc_wave_clock timed = *clock;
    struct pc_error err;
    unsigned stream;
    int code = CLI_OK;

    timed.times = true;
    *e = (struct cli_edges){ .path = path };
    if (cli_wave_open(&desc, &e->wave, &err) != PC_OK ||
        pc_wave_bind(e->wave, &timed, NULL, 0, &stream, &err) != PC_OK)
        return cli_error(&err, path, NULL);
    if (has_more(e, &code)) {
        e->time = *e->times++;
        e->left--;
    }
    return code;
}

void cli_edges_close(struct cli_edges *e)
{
    pc_wave_close(e->wave);
    e->wave = NULL;
}

int cli_edges_to(struct cli_edges *e, uint64_t edge)
{
    int code = CLI_OK;

    while (e->edge < edge && has_more(e, &code))
        skip(e, e->left < edge - e->edge ? e->left : (uint32_t)(edge - e->edge));
    return code;
}
