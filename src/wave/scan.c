/* SPDX-License-Identifier: MIT */
/* Reads a waveform once and tells what is in it: times, changes, activity of each stream. */
#include "wave/wave.h"

#include <string.h>

static bool has_unknown(const char *bits, uint32_t width)
{
    uint64_t other = 0; /* bits in which a character is neither */
    uint32_t i = 0;

    for (; i + 8 <= width; i += 8) {
        uint64_t eight;
        memcpy(&eight, bits + i, sizeof eight);
        other |= eight ^ UINT64_C(0x3030303030303030);
    }
    for (; i < width; i++)
        other |= (uint8_t)bits[i] ^ UINT64_C(0x30);
    return (other & UINT64_C(0xfefefefefefefefe)) != 0;
}

/*
 * What a stream of one bit was last: bits, as which of them changes is anybody's guess.  And has it
 * risen since it was last unknown, and had a period at all?
 */
enum { WAS_0 = 1, WAS_1 = 2, ROSE = 4, PERIOD = 8 };

static uint64_t choose(bool what, uint64_t yes, uint64_t no)
{
    return no ^ ((yes ^ no) & -(uint64_t)what);
}

/* Without a branch: all is written, most of it with what it was. */
static void take_bit(struct pc_var_activity *a, char bit, uint64_t time, uint8_t *was)
{
    unsigned zero = bit == '0', one = bit == '1';
    unsigned rise = *was & one, fall = *was >> 1 & zero;                     /* WAS_0, WAS_1 */
    unsigned rose = *was >> 2 & 1, had = *was >> 3 & 1, again = rise & rose; /* ROSE, PERIOD */
    bool first = a->rises == 0;
    uint64_t period = time - a->last_rise;

    *was = (uint8_t)(zero * WAS_0 | one * WAS_1 | (zero | one) * (rise | rose) * ROSE |
                     (had | again) * PERIOD);
    a->ever_unknown |= !(zero | one);
    a->rises += rise;
    a->falls += fall;
    a->first_rise = choose(rise & first, time, a->first_rise);
    a->last_rise = choose(rise, time, a->last_rise);
    a->min_period = choose(again & (!had | (period < a->min_period)), period, a->min_period);
    a->max_period = choose(again & (period > a->max_period), period, a->max_period);
}

static void take_change(const struct wv_code *code, const char *bits, uint64_t time, uint8_t *was,
                        struct pc_var_activity *a)
{
    a->changes++;
    if (code->kind != PC_VAR_BITS)
        return;
    if (code->width == 1)
        take_bit(a, bits[0], time, was);
    else if (has_unknown(bits, code->width))
        a->ever_unknown = true;
}

/* Tells the caller how far it is, every few milliseconds of reading. */
static void tell_progress(struct pc_wave *wave, uint64_t *work)
{
    uint64_t done, total;

    *work += 64 + wave->group.changes + wave->group.repeats / 64;
    if (!wave->progress || *work < 1 << 18)
        return;
    *work = 0;
    pc_wave_progress(wave, &done, &total);
    wave->progress(wave->progress_ctx, done, total);
}

static enum pc_status scan_groups(struct pc_wave *wave, struct pc_wave_totals *t,
                                  struct pc_var_activity *activity, uint8_t *was,
                                  struct pc_error *err)
{
    const struct wv_code *code = wv_hier_of(wave)->code;
    uint64_t work = 0;

    for (;;) {
        enum pc_status status = wv_read_group(wave, err);
        if (status)
            return status == PC_END ? PC_OK : status;
        const struct wv_group *g = &wave->group;
        tell_progress(wave, &work);
        if (!g->initial) {
            if (!t->has_time)
                t->time_first = g->time;
            t->has_time = true;
            t->time_last = g->time + g->repeats;
            t->time_stamps += 1 + g->repeats;
        }
        t->changes += g->records;
        for (size_t i = 0; i < g->changes; i++) {
            uint32_t c = g->change[i].code;
            take_change(&code[c], g->bits + g->change[i].at, g->time, &was[c], &activity[c]);
        }
    }
}

enum pc_status pc_wave_scan(struct pc_wave *wave, struct pc_wave_totals *totals,
                            struct pc_var_activity *activity, struct pc_error *err)
{
    struct pc_wave_totals t = { 0 };

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
        if (status == PC_OK)
            status = scan_groups(wave, &t, activity, was, err);
    } else {
        status = pc_fail(err, 100, "not enough memory to scan %zu value streams", codes);
    }
    pc_free(&wave->alloc, wanted, codes + 1);
    pc_free(&wave->alloc, was, codes + 1);
    if (status == PC_OK)
        *totals = t;
    return status;
}
