/* SPDX-License-Identifier: MIT */
/*
 * Sampling at clock edges.  One timestamp is taken in this order: edges are counted from
 * the sequence of the clock's own records (a glitch inside the stamp counts); streams that
 * sample the stamp's own values take its changes; the edges are sampled; streams that
 * sample what was before (flip-flops do) take the changes last.  So do streams of a periodic
 * clock: their edges before a stamp are known when it is read, and see what is before it.
 *
 * A plane is written where its signal changes, and at the end of a block: the cost is one
 * word a change, not one bit a cycle.
 */
#include "kernel/kernel.h"
#include "wave/plane.h"

#include <string.h>

static void start_block(struct wv_stream *st)
{
    const size_t bytes = PC_BLOCK_WORDS * sizeof(uint64_t);

    st->given = false;
    st->first_cycle += st->cycles;
    st->cycles = 0;
    for (size_t i = 0; i < st->signals; i++) {
        const struct wv_triggers *t = st->triggers ? &st->triggers[i] : NULL;
        if (st->dirty[i] & 1 || (t && t->is_event)) /* an event may be set past the last cycle */
            memset(st->planes + 2 * i * WV_PLANE_WORDS, 0, bytes);
        if (st->dirty[i] & 2)
            memset(st->planes + (2 * i + 1) * WV_PLANE_WORDS, 0, bytes);
        st->dirty[i] = 0;
        st->began[i] = st->level[i];
        if (t && t->is_event && t->cycle == st->first_cycle && wv_trigger_level(t))
            wv_flip_at(st, i, 0);
    }
}

static void tell_block(const struct pc_wave *wave, unsigned s, bool any_unknown,
                       struct pc_wave_block *out)
{
    const struct wv_stream *st = &wave->stream[s];

    *out = (struct pc_wave_block){
        .stream = s,
        .first_cycle = st->first_cycle,
        .cycles = st->cycles,
        .value = st->told_value,
        .unknown = st->told_unknown,
        .any_unknown = any_unknown,
        .first_time = st->first_time,
        .last_time = st->last_time,
        .still = st->told_still,
        .time = st->time,
    };
}

/* Finishes a plane from changes to levels, up to the block's last cycle; is there a 1? */
static bool finish_plane(const struct pc_kernel *kernel, uint64_t *plane, uint32_t cycles,
                         bool began, bool changed)
{
    const size_t words = (cycles + 63) / 64;

    if (!changed && !began)
        return false;
    if (changed)
        (void)kernel->toggle(plane, plane, began, words);
    else
        memset(plane, 0xff, words * sizeof *plane);
    /* what changed after the last cycle is not counted; a plane is longer than a block */
    plane[cycles / 64] &= (UINT64_C(1) << cycles % 64) - 1;
    return !kernel->uniform(plane, 0, words);
}

static void give_block(struct pc_wave *wave, unsigned s, struct pc_wave_block *out)
{
    const struct pc_kernel *kernel = pc_kernel_best();
    struct wv_stream *st = &wave->stream[s];
    uint8_t dirty = 0;

    for (size_t i = 0; i < st->signals; i++) {
        uint64_t *value = st->planes + 2 * i * WV_PLANE_WORDS, *unknown = value + WV_PLANE_WORDS;
        const uint8_t began = st->began[i], changed = st->dirty[i];
        bool one = finish_plane(kernel, value, st->cycles, began & 1, changed & 1);
        bool x = finish_plane(kernel, unknown, st->cycles, began >> 1, changed >> 1);
        st->dirty[i] = (uint8_t)(one | x << 1);
        dirty |= st->dirty[i];
    }
    st->given = true;
    tell_block(wave, s, dirty & 2, out);
}

/* Takes the times of the stream's next edges of this stamp. */
static void take_times(const struct pc_wave *wave, struct wv_stream *st, uint32_t n)
{
    const uint64_t time = wave->group.time + st->sampled;
    uint64_t *to = st->time + st->cycles;

    for (uint32_t i = 0; i < n; i++)
        to[i] = st->clock.edge == PC_EDGE_PERIOD
                    ? wv_period_time(wave, st, st->first_edge + st->sampled + i)
                : st->clock.edge == PC_EDGE_EVERY ? time + i
                                                  : time;
}

/* Samples the stream's edges of this stamp; true if that fills its block. */
static bool sample(struct pc_wave *wave, struct wv_stream *st)
{
    const uint64_t time = wave->group.time;
    uint32_t room = WV_BLOCK_CYCLES - st->cycles;
    uint32_t n = st->edges < room ? (uint32_t)st->edges : room;

    if (n == 0)
        return false;
    if (st->time)
        take_times(wave, st, n);
    if (st->clock.edge == PC_EDGE_PERIOD) {
        const uint64_t edge = st->first_edge + st->sampled;
        if (st->cycles == 0)
            st->first_time = wv_period_time(wave, st, edge);
        st->last_time = wv_period_time(wave, st, edge + n - 1);
        st->sampled += n;
    } else {
        if (st->cycles == 0)
            st->first_time = time + st->sampled;
        if (st->clock.edge == PC_EDGE_EVERY)
            st->sampled += n;
        st->last_time = time + (st->sampled ? st->sampled - 1 : 0);
    }
    st->cycles += n;
    st->edges -= n;
    return st->cycles == WV_BLOCK_CYCLES;
}

/* Returns the rightmost bit of a change; bit i stands i characters before it. */
static const char *last_bit(const struct pc_wave *wave, const struct wv_change *c)
{
    return wave->group.bits + c->at + (wv_hier_of(wave)->code[c->code].width - 1);
}

/* Tells whether events of this timestamp are triggers, and not values that a writer dumps. */
static bool is_triggered(const struct pc_wave *wave)
{
    return !wave->group.initial && !(wave->reader->dumps_events && wave->first_stamp);
}

/* Follows clocks and conditions through the stamp. */
static void take_roles(struct pc_wave *wave, const struct wv_change *c)
{
    const struct wv_slot *slot = &wave->slot[wave->slot_of[c->code] - 1];
    const char *last = last_bit(wave, c);

    for (size_t i = slot->begin; i < slot->signals; i++) {
        const struct wv_tap *t = &wave->tap[i];
        struct wv_stream *st = &wave->stream[t->stream];
        enum wv_level level = wv_level_of(*(last - t->bit));
        if (t->signal == WV_WHOLE)
            continue;
        if (wv_hier_of(wave)->code[c->code].coding == WV_CODED_EVENT) {
            st->edges += is_triggered(wave);
            continue;
        }
        if (t->signal == WV_IFF) {
            st->iff_level = level;
            continue;
        }
        bool rise = st->clock_level == WV_0 && level == WV_1;
        bool fall = st->clock_level == WV_1 && level == WV_0;
        st->edges += st->clock.edge == PC_EDGE_POS ? rise : fall;
        st->clock_level = level;
    }
}

static void take_signal(struct pc_wave *wave, const struct wv_change *c, bool own_values)
{
    const struct wv_slot *slot = &wave->slot[wave->slot_of[c->code] - 1];
    const char *last = last_bit(wave, c);
    const bool event = wave->coded && wv_hier_of(wave)->code[c->code].coding == WV_CODED_EVENT;

    for (size_t k = slot->signals; k < slot->end; k++) {
        const struct wv_tap *t = &wave->tap[k];
        struct wv_stream *st = &wave->stream[t->stream];
        if (event) {
            if (st->own_values == own_values && is_triggered(wave))
                wv_trigger(wave, st, t->signal);
            continue;
        }
        enum wv_level level = wv_level_of(*(last - t->bit));
        if (st->own_values != own_values || level == (enum wv_level)st->level[t->signal])
            continue;
        wv_set_level(wave, st, t->signal, st->cycles, (uint8_t)level);
    }
    if (wave->compares > 0 && wave->stream[0].own_values == own_values)
        wv_take_digits(wave, c->code, wave->group.bits + c->at);
}

/* Gives the streams of one kind (own_values or not) the stamp's changes. */
static void take_signals(struct pc_wave *wave, bool own_values)
{
    for (size_t i = 0; i < wave->group.changes; i++)
        take_signal(wave, &wave->group.change[i], own_values);
}

static void drop_gated_edges(struct wv_stream *st)
{
    enum wv_level level = st->own_values ? st->iff_level : st->iff_before;

    if (st->clock.has_iff && level != (st->clock.iff_low ? WV_0 : WV_1))
        st->edges = 0;
}

/*
 * Steps take the repeats of a stamp one after the other.  They are edges of streams that
 * sample every stamp, if one of those is not gated off: nothing changes in between.
 */
static bool repeat_stamp(struct pc_wave *wave)
{
    struct wv_group *g = &wave->group;
    bool wanted = false;

    if (wave->mode != WV_STEP || g->repeats == 0)
        return false;
    for (unsigned s = 0; s < wave->streams; s++) {
        struct wv_stream *st = &wave->stream[s];
        if (st->clock.edge != PC_EDGE_EVERY)
            continue; /* of a period: when the next stamp is read */
        st->edges = st->sampled;
        wanted |= st->edges > 0;
    }
    g->repeats--;
    g->time++;
    return wanted;
}

/* Takes the stamp's times, where streams count them or their lengths. */
static void take_stamp(struct pc_wave *wave)
{
    const struct wv_group *g = &wave->group;

    if (!(wave->kinds & (WV_EVERY | WV_PERIOD_EDGES)) || g->initial)
        return;
    wv_take_times(&wave->stamps, g);
    if (wave->kinds & WV_PERIOD_EDGES)
        wv_period_edges(wave, g->time);
}

/* Reads the next group; after the last one, once, what periodic clocks have left. */
static enum pc_status read_on(struct pc_wave *wave, struct pc_error *err)
{
    enum pc_status status = wave->ended ? PC_END : wv_read_group(wave, err);

    if (status != PC_END || wave->ended || !(wave->kinds & WV_PERIOD_EDGES) ||
        !wave->stamps.has_time)
        return status;
    wave->ended = true;
    memset(&wave->group, 0, sizeof wave->group);
    wave->group.time = wave->stamps.time_last + wave->reader->info.sampled;
    return wv_period_edges(wave, wave->group.time) ? PC_OK : PC_END;
}

/* Reads a timestamp and counts its edges. */
static enum pc_status read_stamp(struct pc_wave *wave, struct pc_error *err)
{
    if (repeat_stamp(wave))
        return PC_OK;
    for (unsigned s = 0; s < wave->streams; s++) {
        wave->stream[s].iff_before = wave->stream[s].iff_level;
        wave->stream[s].sampled = wave->stream[s].edges = 0;
    }
    enum pc_status status = read_on(wave, err);
    if (status)
        return status;
    if (wave->bulk.on)
        wv_vectors_forget(wave);
    wave->first_stamp = !wave->any_stamp && !wave->group.initial;
    wave->any_stamp |= wave->first_stamp;
    uint64_t stamps = wave->mode == WV_STEP ? 1 : 1 + wave->group.repeats;
    if (wave->ended || wave->group.initial)
        stamps = 0;
    else
        take_stamp(wave);
    for (unsigned s = 0; s < wave->streams; s++)
        if (wave->stream[s].clock.edge == PC_EDGE_EVERY)
            wave->stream[s].edges = stamps;
    for (size_t i = 0; i < wave->group.changes; i++)
        take_roles(wave, &wave->group.change[i]);
    for (unsigned s = 0; s < wave->streams; s++)
        drop_gated_edges(&wave->stream[s]);
    if (wave->kinds & WV_OWN_VALUES)
        take_signals(wave, true);
    return PC_OK;
}

/* An event is 0 until it is triggered. */
static void begin_event(struct pc_wave *wave, const struct wv_tap *t)
{
    struct wv_stream *st = &wave->stream[t->stream];

    if (wv_hier_of(wave)->code[t->code].coding != WV_CODED_EVENT || t->signal >= WV_WHOLE)
        return;
    st->level[t->signal] = st->began[t->signal] = WV_0;
    st->now[(st->signals + 63) / 64 + t->signal / 64] &= ~(UINT64_C(1) << t->signal % 64);
}

/* Steps: an event that was seen is 0 again. */
static void forget_events(struct pc_wave *wave, uint32_t streams)
{
    for (size_t i = 0; i < wave->taps; i++) {
        const struct wv_tap *t = &wave->tap[i];
        struct wv_stream *st = &wave->stream[t->stream];
        if (streams >> t->stream & 1 && st->triggered && t->signal < WV_WHOLE &&
            wv_hier_of(wave)->code[t->code].coding == WV_CODED_EVENT) {
            st->triggers[t->signal].count = 0;
            wv_set_level(wave, st, t->signal, 0, WV_0);
        }
    }
    for (unsigned s = 0; s < wave->streams; s++)
        wave->stream[s].triggered = wave->stream[s].triggered && !(streams >> s & 1);
}

static enum pc_status begin(struct pc_wave *wave, enum wv_mode mode, struct pc_error *err)
{
    enum pc_status status = wv_may_begin(wave, mode, err);

    if (status || wave->mode == mode)
        return status;
    if (wave->streams == 0)
        return pc_fail(err, 534, "no stream is bound");
    wave->mode = mode;
    for (size_t i = 0; i < wave->taps; i++) {
        begin_event(wave, &wave->tap[i]);
        wave->wanted[wave->tap[i].code] = 1;
        wave->coded |= wv_hier_of(wave)->code[wave->tap[i].code].coding != WV_PLAIN;
    }
    status = wave->reader->ops->select(wave->reader, wave->wanted, &wave->error);
    if (status) {
        wave->failure = status;
        if (err)
            *err = wave->error;
    }
    if (status == PC_OK && wave->compares > 0 && !wv_vectors_make(wave)) {
        status = wave->failure = pc_fail(&wave->error, 100, "not enough memory for comparisons");
        if (err)
            *err = wave->error;
    }
    if (status == PC_OK && mode == WV_NEXT)
        wv_bulk_plan(wave);
    return status;
}

/* Returns true if the reader has a shorter way to blocks, and it is one for these streams. */
static bool can_fill(const struct pc_wave *wave)
{
    bool clocks = true;

    for (unsigned s = 0; s < wave->streams; s++)
        clocks = clocks && wave->stream[s].clock.edge != PC_EDGE_EVERY;
    return wave->reader->ops->fill && !wave->coded && !(wave->kinds & WV_PERIOD_EDGES) &&
           (clocks || wave->reader->ops->fills_every);
}

static enum pc_status next_filled(struct pc_wave *wave, struct pc_wave_block *out,
                                  struct pc_error *err)
{
    enum pc_status status = wave->failure;
    unsigned s = 0;

    if (!status)
        status = wv_judge(wave, wave->reader->ops->fill(wave->reader, wave, &s, &wave->error));
    if (status == PC_OK)
        tell_block(wave, s, wave->stream[s].any_unknown, out);
    else if (status != PC_END && err)
        *err = wave->error;
    return status;
}

/* Gives a block that has begun, if one has. */
static enum pc_status give_begun(struct pc_wave *wave, struct pc_wave_block *out)
{
    const unsigned s = wv_first_begun(wave);

    if (s == wave->streams)
        return PC_END;
    give_block(wave, s, out);
    return PC_OK;
}

enum pc_status pc_wave_next(struct pc_wave *wave, struct pc_wave_block *out, struct pc_error *err)
{
    if (!wave || !out)
        return pc_fail(err, 530, "pc_wave_next needs a waveform and a place for its result");
    enum pc_status status = begin(wave, WV_NEXT, err);
    if (status)
        return status;
    if (can_fill(wave))
        return next_filled(wave, out, err);
    for (unsigned s = 0; s < wave->streams; s++)
        if (wave->stream[s].given)
            start_block(&wave->stream[s]);
    while (wave->phase != WV_FLUSH) {
        if (wave->phase == WV_READ) {
            bool full = false;
            status = wave->bulk.on ? wv_bulk_play(wave, &full, err) : PC_OK;
            if (status)
                return status;
            if (full) {
                give_block(wave, 0, out);
                return PC_OK;
            }
            if (wv_waits(wave))
                return give_begun(wave, out);
            status = read_stamp(wave, err);
            if (status && status != PC_END)
                return status;
            wave->phase = status == PC_END ? WV_FLUSH : WV_EDGES;
            continue;
        }
        for (unsigned s = 0; s < wave->streams; s++) {
            if (sample(wave, &wave->stream[s])) {
                give_block(wave, s, out);
                return PC_OK;
            }
        }
        if (wave->kinds & WV_EARLIER_VALUES)
            take_signals(wave, false);
        wave->phase = WV_READ;
    }
    return give_begun(wave, out);
}

/* Streams with an edge left in this stamp; each gives one. */
static uint32_t take_edges(struct pc_wave *wave)
{
    uint32_t streams = 0;

    for (unsigned s = 0; s < wave->streams; s++) {
        struct wv_stream *st = &wave->stream[s];
        if (st->edges == 0 || st->clock.edge == PC_EDGE_PERIOD)
            continue;
        st->edges--;
        st->sampled = st->clock.edge == PC_EDGE_EVERY;
        streams |= (uint32_t)1 << s;
    }
    return streams;
}

enum pc_status pc_wave_step(struct pc_wave *wave, struct pc_wave_instant *out, struct pc_error *err)
{
    if (!wave || !out)
        return pc_fail(err, 530, "pc_wave_step needs a waveform and a place for its result");
    enum pc_status status = begin(wave, WV_STEP, err);
    if (status)
        return status;
    if (wave->coded)
        forget_events(wave, wave->stepped);
    for (;;) {
        if (wave->phase == WV_READ) {
            status = read_stamp(wave, err);
            if (status)
                return status;
            wave->phase = WV_EDGES;
        }
        uint64_t time = wave->group.time;
        uint32_t streams = wv_period_step(wave, &time);
        if (!streams)
            streams = take_edges(wave);
        if (streams) {
            for (unsigned s = 0; s < wave->streams; s++) {
                wave->step_value[s] = wave->stream[s].now;
                wave->step_unknown[s] =
                    wave->stream[s].now ? wave->stream[s].now + (wave->stream[s].signals + 63) / 64
                                        : NULL;
            }
            wave->stepped = streams;
            *out = (struct pc_wave_instant){ time, streams, wave->step_value, wave->step_unknown };
            return PC_OK;
        }
        if (wave->kinds & WV_EARLIER_VALUES)
            take_signals(wave, false);
        wave->group.changes = 0;
        wave->phase = WV_READ;
    }
}

void pc_wave_stamps(const struct pc_wave *wave, struct pc_wave_totals *out)
{
    *out = wave->kinds & WV_EVERY && !wave->reader->info.sampled
               ? wave->stamps
               : (struct pc_wave_totals){ .has_time = false };
}

uint32_t pc_wave_triggers_left(const struct pc_wave *wave, unsigned stream, size_t signal)
{
    const struct wv_stream *st = stream < wave->streams ? &wave->stream[stream] : NULL;

    if (!st || signal >= st->signals || !st->triggers)
        return 0;
    const struct wv_triggers *t = &st->triggers[signal];
    return t->is_event && t->cycle == st->first_cycle + st->cycles ? t->count : 0;
}
