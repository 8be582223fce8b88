/* SPDX-License-Identifier: MIT */
/* Reads a waveform once and hands over its changes, packed into words. */
#include "wave/pack.h"
#include "wave/section.h"
#include "wave/wave.h"

#include <string.h>

/* ---- reading ---- */

struct listening {
    struct pc_wave *wave;
    const struct pc_wave_listener *listener;
    struct pc_wave_totals totals;
    uint64_t *value, *unknown; /* of the widest stream */
    struct wv_section section;
    bool dump; /* events of this group are values that a writer dumps, no triggers */
    uint64_t work;
};

static void tell_progress(struct listening *s, uint64_t more)
{
    struct pc_wave *wave = s->wave;
    uint64_t done, total;

    s->work += more;
    if (!wave->progress || s->work < 1 << 18)
        return;
    s->work = 0;
    pc_wave_progress(wave, &done, &total);
    wave->progress(wave->progress_ctx, done, total);
}

static void tell(const struct wv_listen *l, uint64_t changes)
{
    tell_progress(l->ctx, changes);
}

/* Returns true if all is reported that is wanted. */
static bool listen_at_once(struct listening *s)
{
    const struct wv_reader_ops *ops = s->wave->reader->ops;
    const struct pc_wave_listener *l = s->listener;
    const struct wv_listen what = { .tell = tell, .ctx = s, .listener = l, .totals = &s->totals };

    if (!ops->listen || l->in_order || wv_hier_of(s->wave)->texts)
        return false;
    if (!ops->listen(s->wave->reader, &what)) {
        s->totals = (struct pc_wave_totals){ 0 };
        l->forget(l->ctx);
        return false;
    }
    return l->until > 0 && s->totals.has_time && s->totals.time_last >= l->until;
}

/* Hands over a change of a group; false: it is of a stream that is not told. */
static bool read_change(const struct listening *s, const struct wv_group *g, size_t i,
                        struct pc_wave_changes *c)
{
    const struct wv_code *code = &wv_hier_of(s->wave)->code[g->change[i].code];
    const char *bits = g->bits + g->change[i].at;

    *c = (struct pc_wave_changes){
        .code = g->change[i].code, .before = g->initial, .count = 1, .time = &g->time
    };
    if (code->kind == PC_VAR_EVENT)
        return s->listener->events && !s->dump;
    if (s->dump && code->coding == WV_CODED_EVENT)
        return false;
    if (code->kind != PC_VAR_BITS || code->width == 0)
        return false;
    bool any = *bits > '1';
    if (code->width > 1 || any)
        any = wv_pack(bits, code->width, s->value, s->unknown);
    else
        *s->value = *bits & 1;
    c->value = s->value;
    c->unknown = any ? s->unknown : NULL;
    return true;
}

static enum pc_status take_group(struct listening *s, const struct wv_group *g,
                                 struct pc_error *err)
{
    const struct pc_wave_listener *l = s->listener;
    struct pc_wave_changes c;

    if (l->first && !g->initial)
        wv_section_stamp(&s->section, g->time);
    for (size_t i = 0; i < g->changes; i++) {
        if (!read_change(s, g, i, &c))
            continue;
        if (!l->first || g->initial || l->first[c.code])
            l->take(l->ctx, &c);
        else if (!wv_section_keep(&s->section, &c))
            return pc_fail(err, 100, "not enough memory for the changes of a timestamp");
    }
    return PC_OK;
}

static enum pc_status take_groups(struct listening *s, struct pc_error *err)
{
    const struct pc_wave_listener *l = s->listener;
    const struct wv_group *g = &s->wave->group;

    for (;;) {
        enum pc_status status = wv_read_group(s->wave, err);
        if (status)
            return status == PC_END ? PC_OK : status;
        tell_progress(s, 64 + g->changes + g->repeats / 64);
        s->dump = g->initial || (s->wave->reader->dumps_events && !s->totals.has_time);
        if (!g->initial) {
            const bool over = l->until > 0 && g->time >= l->until;
            if (!s->totals.has_time)
                l->begin(l->ctx, g->time);
            if (over) {
                wv_take_times(&s->totals, &(struct wv_group){ .time = l->until });
                return PC_OK;
            }
            wv_take_times(&s->totals, g);
        }
        s->totals.changes += g->records;
        status = take_group(s, g, err);
        if (status)
            return status;
    }
}

/* ---- */

static size_t most_words(const struct wv_hier *h)
{
    uint32_t width = 1;

    for (size_t i = 0; i < h->codes; i++)
        width = h->code[i].width > width ? h->code[i].width : width;
    return (width + (size_t)63) / 64;
}

static enum pc_status listen(struct listening *s, const uint8_t *wanted, struct pc_error *err)
{
    const struct wv_reader_ops *ops = s->wave->reader->ops;

    s->wave->mode = WV_LISTEN;
    enum pc_status status = ops->select(s->wave->reader, wanted, err);
    if (status || listen_at_once(s))
        return status;
    if (!s->listener->first)
        return take_groups(s, err);
    wv_section_begin(&s->section, wv_hier_of(s->wave), s->listener);
    status = take_groups(s, err);
    if (status == PC_OK)
        wv_section_over(&s->section);
    wv_section_free(&s->section);
    return status;
}

/* Has the reader make bits of reals and events. */
static void code_others(struct wv_hier *h)
{
    for (size_t i = 0; i < h->vars; i++)
        wv_code_other(h, i);
}

enum pc_status pc_wave_listen(struct pc_wave *wave, const struct pc_wave_listener *listener,
                              struct pc_wave_totals *totals, struct pc_error *err)
{
    if (!wave || !listener || !listener->begin || !listener->take || !listener->forget || !totals ||
        (listener->first && !listener->section))
        return pc_fail(err, 530,
                       "pc_wave_listen needs a waveform, a listener and a place for its "
                       "result");
    enum pc_status status = wv_may_begin(wave, WV_LISTEN, err);
    if (status)
        return status;
    const struct pc_alloc *a = &wave->alloc;
    const struct wv_hier *h = wv_hier_of(wave);
    if (listener->others && listener->in_order)
        code_others(&wave->reader->hier);
    const size_t words = most_words(h);
    struct listening s = { .wave = wave, .listener = listener };
    uint8_t *wanted = pc_calloc(a, h->codes + 1, 1);
    s.value = pc_calloc(a, words, sizeof *s.value);
    s.unknown = pc_calloc(a, words, sizeof *s.unknown);
    if (wanted && s.value && s.unknown) {
        for (size_t i = 0; i < h->codes; i++)
            wanted[i] = !listener->wanted || listener->wanted[i];
        status = listen(&s, wanted, err);
    } else {
        status = pc_fail(err, 100, "not enough memory to read %zu value streams", h->codes);
    }
    pc_free(a, wanted, h->codes + 1);
    pc_free(a, s.value, words * sizeof *s.value);
    pc_free(a, s.unknown, words * sizeof *s.unknown);
    if (status == PC_OK)
        *totals = s.totals;
    return status;
}
