/* SPDX-License-Identifier: MIT */
/* Reads a waveform once and tells what is in it: times, changes, activity of each stream. */
#include "wave/activity.h"
#include "wave/wave.h"

#include <string.h>

/* Tells the caller how far it is, every few milliseconds of reading. */
static void tell_progress(const struct wv_scan *s, uint64_t more)
{
    struct pc_wave *wave = s->wave;
    uint64_t done, total;

    *s->work += more;
    if (!wave->progress || *s->work < 1 << 18)
        return;
    *s->work = 0;
    pc_wave_progress(wave, &done, &total);
    wave->progress(wave->progress_ctx, done, total);
}

/* Scans stamp by stamp, but for what the format can do at once; until NULL: to the end. */
static enum pc_status scan_groups(const struct wv_scan *s, const uint64_t *until,
                                  struct pc_error *err)
{
    const struct wv_code *code = wv_hier_of(s->wave)->code;
    struct pc_wave_totals *t = s->totals;
    struct pc_wave *wave = s->wave;

    for (;;) {
        if (s->activity && wave->reader->ops->scan && !until && !wv_hier_of(wave)->texts)
            wave->reader->ops->scan(wave->reader, s);
        enum pc_status status = wv_read_group(wave, err);
        if (status)
            return status == PC_END ? PC_OK : status;
        const struct wv_group *g = &wave->group;
        tell_progress(s, 64 + g->changes + g->repeats / 64);
        if (until && !g->initial && g->time >= *until)
            return PC_OK;
        const bool dump = g->initial || (wave->reader->dumps_events && !t->has_time);
        if (!g->initial)
            wv_take_times(t, g);
        t->changes += g->records;
        for (size_t i = 0; i < g->changes; i++) {
            uint32_t c = g->change[i].code;
            wv_take_change(&code[c], g->bits + g->change[i].at, g->time, dump, &s->was[c],
                           &s->activity[c]);
        }
    }
}

static enum pc_status scan(struct pc_wave *wave, const uint64_t *until,
                           struct pc_wave_totals *totals, struct pc_var_activity *activity,
                           struct pc_error *err)
{
    struct pc_wave_totals t = { 0 };
    uint64_t work = 0;

    if (!wave || !totals)
        return pc_fail(err, 530, "pc_wave_scan needs a waveform and a place for its result");
    enum pc_status status = wv_may_begin(wave, WV_SCAN, err);
    if (status)
        return status;
    size_t codes = wv_hier_of(wave)->codes;
    uint8_t *wanted = pc_calloc(&wave->alloc, codes + 1, 1);
    uint8_t *was = pc_calloc(&wave->alloc, codes + 1, 1);
    if (wanted && was) {
        wave->mode = WV_SCAN;
        memset(wanted, activity != NULL, codes);
        if (activity)
            memset(activity, 0, codes * sizeof *activity);
        status = wave->reader->ops->select(wave->reader, wanted, err);
        const struct wv_scan what = { tell_progress, wave, &work, &t, activity, was };
        if (status == PC_OK)
            status = scan_groups(&what, until, err);
    } else {
        status = pc_fail(err, 100, "not enough memory to scan %zu value streams", codes);
    }
    pc_free(&wave->alloc, wanted, codes + 1);
    pc_free(&wave->alloc, was, codes + 1);
    if (status == PC_OK)
        *totals = t;
    return status;
}

enum pc_status pc_wave_scan(struct pc_wave *wave, struct pc_wave_totals *totals,
                            struct pc_var_activity *activity, struct pc_error *err)
{
    return scan(wave, NULL, totals, activity, err);
}

enum pc_status pc_wave_scan_until(struct pc_wave *wave, uint64_t until,
                                  struct pc_wave_totals *totals, struct pc_var_activity *activity,
                                  struct pc_error *err)
{
    return scan(wave, &until, totals, activity, err);
}
