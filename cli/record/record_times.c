/* SPDX-License-Identifier: MIT */
/* When cycles were: a second read of the clock alone, beside the count (as docs/adr/032 has it). */
#include "record.h"
#include "text/ten.h"

/* A time unit in seconds, and whether it is a power of ten of them. */
static void find_unit(struct record_times *t, const struct pc_wave_info *info)
{
    t->exponent = info->timescale_exponent;
    for (uint64_t factor = info->timescale_factor; factor > 1; factor /= 10)
        t->exponent++;
    t->decimal = !info->sampled && t->exponent >= -21 && t->exponent <= 2;
    t->unit = info->sampled
                  ? (info->sample_rate ? 1 / (double)info->sample_rate : 0)
                  : cli_times_ten_to((double)info->timescale_factor, info->timescale_exponent);
}

static int step(struct record_times *t)
{
    struct pc_wave_instant now;
    struct pc_error err;
    enum pc_status status = pc_wave_step(t->wave, &now, &err);

    t->edge = status == PC_OK ? t->edge + 1 : UINT64_MAX;
    t->time = status == PC_OK ? now.time : UINT64_MAX;
    return status == PC_OK || status == PC_END ? CLI_OK : cli_error(&err, t->path, NULL);
}

int record_times_open(struct record_times *t, const struct stat_options *o,
                      const struct pc_wave *wave, const struct pc_wave_clock *clock)
{
    const struct pc_wave_desc desc = cli_wave_desc(&o->read, o->path);
    struct pc_wave_info info;
    struct pc_error err;
    unsigned stream;

    pc_wave_get_info(wave, &info);
    *t = (struct record_times){ .path = o->path };
    find_unit(t, &info);
    t->sampled = clock->edge == PC_EDGE_EVERY && !clock->has_iff && info.sampled;
    t->known = t->unit > 0 && (t->sampled || !cli_read_once(o->path));
    if (!t->known || t->sampled)
        return CLI_OK;
    if (pc_wave_open(&desc, &t->wave, &err) != PC_OK ||
        pc_wave_bind(t->wave, clock, NULL, 0, &stream, &err) != PC_OK)
        return cli_error(&err, o->path, NULL);
    t->edge = UINT64_MAX; /* step() counts from 0 */
    return step(t);
}

void record_times_close(struct record_times *t)
{
    pc_wave_close(t->wave);
}

int record_time_of(struct record_times *t, uint64_t cycle, uint64_t *time)
{
    int code = CLI_OK;

    if (t->sampled) {
        *time = cycle;
        return CLI_OK;
    }
    while (code == CLI_OK && t->edge < cycle)
        code = step(t);
    *time = t->time;
    return code;
}
