/* SPDX-License-Identifier: MIT */
/*
 * Binding: which bits of which value streams are sampled at the edges of which clock.  All
 * memory that sampling needs is taken here.  Each bound bit is a tap; the taps of a code
 * lie together, so that a change finds everything that depends on it.
 */
#include "wave/wave.h"

#include <string.h>

static size_t now_words(const struct wv_stream *st)
{
    return (st->signals + 63) / 64;
}

static void free_stream(const struct pc_alloc *a, struct wv_stream *st)
{
    size_t n = st->signals;

    pc_free(a, st->level, n);
    pc_free(a, st->dirty, n);
    pc_free(a, st->began, n);
    pc_free(a, (void *)st->value, n * sizeof *st->value);
    pc_free(a, (void *)st->unknown, n * sizeof *st->unknown);
    pc_free(a, st->triggers, n * sizeof *st->triggers);
    pc_free(a, st->now, 2 * now_words(st) * sizeof *st->now);
    pc_free(a, st->memory, st->memory_size);
    pc_free(a, st->time, WV_BLOCK_CYCLES * sizeof *st->time);
    memset(st, 0, sizeof *st);
}

void wv_bind_free(struct pc_wave *wave)
{
    const struct pc_alloc *a = &wave->alloc;

    for (unsigned s = 0; s < wave->streams; s++)
        free_stream(a, &wave->stream[s]);
    pc_free(a, wave->tap, wave->taps * sizeof *wave->tap);
    pc_free(a, wave->slot, wave->slots * sizeof *wave->slot);
    wv_vectors_free(wave);
    if (wave->reader) {
        size_t codes = wv_hier_of(wave)->codes;
        pc_free(a, wave->slot_of, codes * sizeof *wave->slot_of);
        pc_free(a, wave->wanted, codes);
    }
}

static bool has_signal(const struct pc_wave_clock *clock)
{
    return clock->edge == PC_EDGE_POS || clock->edge == PC_EDGE_NEG;
}

static enum pc_status check_bit(const struct pc_wave *wave, const struct pc_wave_bit *b,
                                struct pc_error *err)
{
    const struct wv_hier *h = wv_hier_of(wave);

    if (b->var >= h->vars)
        return pc_fail(err, 530, "there is no variable number %zu", b->var);
    const struct wv_var *v = &h->var[b->var];
    if (v->kind == PC_VAR_EVENT &&
        (b->bit == 0 || (b->bit >= PC_WAVE_TRIGGERS && b->bit - PC_WAVE_TRIGGERS < 32)))
        return PC_OK;
    if (v->kind == PC_VAR_REAL && b->bit >= PC_WAVE_REAL && b->bit - PC_WAVE_REAL < WV_REAL_BITS)
        return PC_OK;
    if (v->kind != PC_VAR_BITS || h->code[v->code].kind != PC_VAR_BITS)
        return pc_fail(err, 531, "%.200s is a %s and has no bits to count", h->names + v->name,
                       wv_type_names[v->type]);
    if (b->bit >= v->width)
        return pc_fail(err, 530, "%.200s has no bit %lu", h->names + v->name,
                       (unsigned long)b->bit);
    return PC_OK;
}

/* A number has no edges. */
static enum pc_status check_clock(const struct pc_wave *wave, const struct pc_wave_bit *b,
                                  struct pc_error *err)
{
    const enum pc_status status = check_bit(wave, b, err);

    return status == PC_OK && b->bit >= PC_WAVE_REAL
               ? pc_fail(err, 530, "a bit of a real or of a number of triggers is not a clock")
               : status;
}

/* An event is no level. */
static enum pc_status check_condition(const struct pc_wave *wave, const struct pc_wave_bit *b,
                                      struct pc_error *err)
{
    const struct wv_hier *h = wv_hier_of(wave);

    if (b->var < h->vars && h->var[b->var].kind == PC_VAR_EVENT)
        return pc_fail(err, 531, "%.200s is an event, and has no level for iff",
                       h->names + h->var[b->var].name);
    return check_clock(wave, b, err);
}

/* Checks that each comparison is one signal. */
static enum pc_status check_compare(struct pc_wave *wave, struct pc_wave_bit bit, uint32_t signal,
                                    struct pc_error *err)
{
    struct wv_compare *c = &wave->compare[bit.var - wv_hier_of(wave)->vars];

    if (c->signal != UINT32_MAX)
        return pc_fail(err, 530, "a comparison is bound twice");
    c->signal = signal;
    return PC_OK;
}

void wv_code_other(struct wv_hier *h, size_t var)
{
    struct wv_code *c = &h->code[h->var[var].code];

    if (h->var[var].kind == PC_VAR_EVENT)
        *c = (struct wv_code){ .width = 1, .kind = PC_VAR_BITS, .coding = WV_CODED_EVENT };
    if (h->var[var].kind == PC_VAR_REAL)
        *c =
            (struct wv_code){ .width = WV_REAL_BITS, .kind = PC_VAR_BITS, .coding = WV_CODED_REAL };
}

/* Has the reader make bits of a real or an event; a comparison is neither. */
static void code_bit(struct pc_wave *wave, const struct pc_wave_bit *b)
{
    if (b->var < wv_hier_of(wave)->vars)
        wv_code_other(&wave->reader->hier, b->var);
}

static enum pc_status check(struct pc_wave *wave, const struct pc_wave_clock *clock,
                            const struct pc_wave_bit *bits, size_t count, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    if (wave->mode != WV_IDLE)
        return pc_fail(err, 533, "pc_wave_bind after reading has begun");
    if (wave->streams > 0 && wave->compares > 0)
        return pc_fail(err, 533, "a stream of comparisons is the only one");
    if (wave->streams >= WV_STREAMS)
        return pc_fail(err, 532, "%d streams are bound already", WV_STREAMS);
    if (count >= WV_WHOLE)
        return pc_fail(err, 530, "a stream cannot have %zu signals", count);
    if ((unsigned)clock->edge > PC_EDGE_PERIOD)
        return pc_fail(err, 530, "there is no edge %u", (unsigned)clock->edge);
    if (clock->edge == PC_EDGE_PERIOD &&
        (clock->period == 0 ||
         clock->period > UINT64_MAX / 2 / (clock->period_per ? clock->period_per : 1)))
        return pc_fail(err, 530, "there is no period of %llu / %lu time units",
                       (unsigned long long)clock->period, (unsigned long)clock->period_per);
    if ((has_signal(clock) && wv_is_compare(wave, clock->clock)) ||
        (clock->has_iff && wv_is_compare(wave, clock->iff)))
        return pc_fail(err, 530, "a comparison is not a clock");
    if (has_signal(clock))
        status = check_clock(wave, &clock->clock, err);
    if (status == PC_OK && clock->has_iff)
        status = check_condition(wave, &clock->iff, err);
    for (size_t i = 0; i < wave->compares; i++)
        wave->compare[i].signal = UINT32_MAX;
    for (size_t i = 0; status == PC_OK && i < count; i++)
        status = wv_is_compare(wave, bits[i]) ? check_compare(wave, bits[i], (uint32_t)i, err)
                                              : check_bit(wave, &bits[i], err);
    if (status == PC_OK && wave->reader->ops->may_bind)
        status = wave->reader->ops->may_bind(wave->reader, clock, bits, count, err);
    return status;
}

/* Everything is unknown until its first value. */
static bool create_stream(const struct pc_alloc *a, struct wv_stream *st)
{
    size_t n = st->signals, bytes;

    st->clock_level = st->iff_level = st->iff_before = WV_X;
    if (st->clock.times) {
        st->time = pc_calloc(a, WV_BLOCK_CYCLES, sizeof *st->time);
        if (!st->time)
            return false;
    }
    if (n == 0)
        return true;
    if (!pc_size_mul(n, 2 * WV_PLANE_WORDS * sizeof(uint64_t), &bytes) ||
        !pc_size_add(bytes, WV_PLANE_ALIGN, &bytes))
        return false;
    st->level = pc_calloc(a, n, 1);
    st->dirty = pc_calloc(a, n, 1);
    st->began = pc_calloc(a, n, 1);
    st->value = pc_calloc(a, n, sizeof *st->value);
    st->unknown = pc_calloc(a, n, sizeof *st->unknown);
    st->now = pc_calloc(a, 2 * now_words(st), sizeof *st->now);
    st->memory = pc_calloc(a, bytes, 1);
    if (st->memory) {
        st->memory_size = bytes;
        wv_ask_for_large_pages(st->memory, bytes);
    }
    if (!st->level || !st->dirty || !st->began || !st->value || !st->unknown || !st->now ||
        !st->memory)
        return false;
    memset(st->level, WV_X, n);
    memset(st->began, WV_X, n);
    st->planes = wv_align_planes(st->memory);
    st->told_value = st->value;
    st->told_unknown = st->unknown;
    for (size_t i = 0; i < n; i++) {
        st->value[i] = st->planes + 2 * i * WV_PLANE_WORDS;
        st->unknown[i] = st->value[i] + WV_PLANE_WORDS;
        st->now[now_words(st) + i / 64] |= (uint64_t)1 << i % 64;
    }
    return true;
}

/* Adds the vectors of a signal that is a comparison. */
static void add_compared(const struct pc_wave *wave, const struct wv_compare *c, struct wv_tap *tap,
                         size_t *taps)
{
    const struct wv_var *var = wv_hier_of(wave)->var;

    tap[(*taps)++] = (struct wv_tap){ var[c->is.left].code, 0, WV_WHOLE, 0 };
    if (!c->number)
        tap[(*taps)++] = (struct wv_tap){ var[c->is.right].code, 0, WV_WHOLE, 0 };
}

static bool is_event(const struct pc_wave *wave, struct pc_wave_bit bit)
{
    const struct wv_hier *h = wv_hier_of(wave);

    return bit.var < h->vars && h->var[bit.var].kind == PC_VAR_EVENT;
}

/* Makes room for the triggers of events, if there are some; false: no memory. */
static bool add_triggers(const struct pc_wave *wave, struct wv_stream *st,
                         const struct pc_wave_bit *bits)
{
    for (size_t i = 0; i < st->signals; i++) {
        if (!is_event(wave, bits[i]))
            continue;
        if (!st->triggers)
            st->triggers = pc_calloc(&wave->alloc, st->signals, sizeof *st->triggers);
        if (!st->triggers)
            return false;
        st->triggers[i] = (struct wv_triggers){ .is_event = true, .bit = bits[i].bit };
    }
    return true;
}

/* Adds the taps of the new stream after the others. */
static void add_taps(const struct pc_wave *wave, const struct pc_wave_clock *clock,
                     const struct pc_wave_bit *bits, size_t count, struct wv_tap *tap, size_t *taps)
{
    const struct wv_var *var = wv_hier_of(wave)->var;
    uint8_t stream = (uint8_t)wave->streams;

    if (has_signal(clock))
        tap[(*taps)++] =
            (struct wv_tap){ var[clock->clock.var].code, clock->clock.bit, WV_CLOCK, stream };
    if (clock->has_iff)
        tap[(*taps)++] =
            (struct wv_tap){ var[clock->iff.var].code, clock->iff.bit, WV_IFF, stream };
    for (size_t i = 0; i < count; i++) {
        if (wv_is_compare(wave, bits[i]))
            add_compared(wave, &wave->compare[bits[i].var - wv_hier_of(wave)->vars], tap, taps);
        else
            tap[(*taps)++] =
                (struct wv_tap){ var[bits[i].var].code,
                                 is_event(wave, bits[i]) ? 0 : bits[i].bit & ~PC_WAVE_REAL,
                                 (uint32_t)i, stream };
    }
}

static bool is_role(const struct wv_tap *t)
{
    return t->signal >= WV_WHOLE;
}

/* Numbers the codes in use; returns how many. */
static size_t number_slots(uint32_t *slot_of, const struct wv_tap *tap, size_t taps)
{
    size_t slots = 0;

    for (size_t i = 0; i < taps; i++)
        slot_of[tap[i].code] = 0;
    for (size_t i = 0; i < taps; i++)
        if (slot_of[tap[i].code] == 0)
            slot_of[tap[i].code] = (uint32_t)++slots;
    return slots;
}

/* Sorts taps by slot (counting, stable), roles first. */
static void sort_taps(const uint32_t *slot_of, const struct wv_tap *from, size_t taps,
                      struct wv_tap *to, struct wv_slot *slot, size_t slots)
{
    size_t at = 0;

    if (slots > 0)
        memset(slot, 0, slots * sizeof *slot);
    for (size_t i = 0; i < taps; i++) {
        struct wv_slot *s = &slot[slot_of[from[i].code] - 1];
        s->end++;
        s->signals += is_role(&from[i]);
    }
    for (size_t i = 0; i < slots; i++) {
        size_t all = slot[i].end, roles = slot[i].signals;
        slot[i] = (struct wv_slot){ .begin = at, .signals = at + roles, .end = at + all };
        at += all;
    }
    /* begin and signals serve as cursors, and are put back afterwards */
    for (size_t i = 0; i < taps; i++) {
        struct wv_slot *s = &slot[slot_of[from[i].code] - 1];
        to[is_role(&from[i]) ? s->begin++ : s->signals++] = from[i];
    }
    at = 0;
    for (size_t i = 0; i < slots; i++) {
        slot[i].signals = slot[i].begin;
        slot[i].begin = at;
        at = slot[i].end;
    }
}

/* Rebuilds all taps, with those of the stream being bound; on failure everything is as before. */
static bool rebuild(struct pc_wave *wave, const struct pc_wave_clock *clock,
                    const struct pc_wave_bit *bits, size_t count)
{
    const struct pc_alloc *a = &wave->alloc;
    size_t codes = wv_hier_of(wave)->codes, most, taps = wave->taps, slots;

    if (!wave->slot_of)
        wave->slot_of = pc_calloc(a, codes, sizeof *wave->slot_of);
    if (!wave->wanted)
        wave->wanted = pc_calloc(a, codes, 1);
    if (!wave->slot_of || !wave->wanted || !pc_size_add(taps, count, &most) ||
        !pc_size_add(most, wave->compares, &most) || !pc_size_add(most, 2, &most))
        return false;
    struct wv_tap *loose = pc_calloc(a, most, sizeof *loose);
    if (!loose)
        return false;
    if (taps > 0)
        memcpy(loose, wave->tap, taps * sizeof *loose);
    add_taps(wave, clock, bits, count, loose, &taps);
    slots = number_slots(wave->slot_of, loose, taps);
    struct wv_tap *tap = taps ? pc_calloc(a, taps, sizeof *tap) : NULL;
    struct wv_slot *slot = slots ? pc_calloc(a, slots, sizeof *slot) : NULL;
    bool ok = taps == 0 || (tap && slot);
    if (ok) {
        sort_taps(wave->slot_of, loose, taps, tap, slot, slots);
        pc_free(a, wave->tap, wave->taps * sizeof *tap);
        pc_free(a, wave->slot, wave->slots * sizeof *slot);
        wave->tap = tap;
        wave->taps = taps;
        wave->slot = slot;
        wave->slots = slots;
    } else {
        pc_free(a, tap, taps * sizeof *tap);
        pc_free(a, slot, slots * sizeof *slot);
        for (size_t i = wave->taps; i < taps; i++)
            wave->slot_of[loose[i].code] = 0;
        number_slots(wave->slot_of, loose, wave->taps);
    }
    pc_free(a, loose, most * sizeof *loose);
    return ok;
}

enum pc_status pc_wave_bind(struct pc_wave *wave, const struct pc_wave_clock *clock,
                            const struct pc_wave_bit *bits, size_t count, unsigned *stream,
                            struct pc_error *err)
{
    if (!wave || !clock || (!bits && count > 0) || !stream)
        return pc_fail(err, 530, "pc_wave_bind needs a waveform, a clock, bits and a result");
    enum pc_status status = check(wave, clock, bits, count, err);
    if (status)
        return status;
    if (has_signal(clock))
        code_bit(wave, &clock->clock);
    for (size_t i = 0; i < count; i++)
        code_bit(wave, &bits[i]);
    struct wv_stream *st = &wave->stream[wave->streams];
    memset(st, 0, sizeof *st);
    st->clock = *clock;
    st->own_values = clock->edge == PC_EDGE_EVERY ||
                     (clock->post_edge && clock->edge != PC_EDGE_PERIOD); /* play.c */
    st->signals = count;
    if (!create_stream(&wave->alloc, st) || !add_triggers(wave, st, bits) ||
        (wv_hier_of(wave)->codes > 0 && !rebuild(wave, clock, bits, count))) {
        free_stream(&wave->alloc, st);
        return pc_fail(err, 100, "not enough memory for a stream of %zu signals", count);
    }
    wave->kinds |= st->own_values ? WV_OWN_VALUES : WV_EARLIER_VALUES;
    wave->kinds |= clock->edge == PC_EDGE_EVERY    ? WV_EVERY
                   : clock->edge == PC_EDGE_PERIOD ? WV_PERIOD_EDGES
                                                   : 0;
    *stream = wave->streams++;
    return PC_OK;
}
