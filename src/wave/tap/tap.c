/* SPDX-License-Identifier: MIT */
/* The reader of a tap as wave.c sees it (parts and stream: tap.h). */
#include "wave/tap/tap.h"

#include <inttypes.h>
#include <string.h>

/* --- changes --- */

/* Takes one more change of the present stamp. */
static enum pc_status take_changed(struct tap *t, uint32_t code, struct pc_error *err)
{
    if (!t->wanted[code])
        return PC_OK;
    if (!pc_grow(&t->alloc, (void **)&t->change, &t->changes_capacity, t->changes + 1,
                 sizeof *t->change))
        return pc_fail(err, 100, "not enough memory for the changes of a timestamp");
    if (t->place[code] > UINT32_MAX)
        return pc_fail(err, 514, "all variables together have more than 2^32 bits");
    t->change[t->changes++] = (struct wv_change){ code, (uint32_t)t->place[code] };
    return PC_OK;
}

/* A byte for eight digits, the first one highest. */
static enum pc_status take_packed(struct tap *t, char *to, uint32_t width, struct pc_error *err)
{
    uint8_t byte = 0;

    for (uint32_t i = 0; i < width; i++) {
        const enum pc_status status = i % 8 == 0 ? tap_byte(t, &byte, err) : PC_OK;
        if (status)
            return status;
        to[i] = (char)('0' + (byte >> (7 - i % 8) & 1));
    }
    return PC_OK;
}

static enum pc_status take_digits(struct tap *t, char *to, uint32_t width, struct pc_error *err)
{
    enum pc_status status = tap_bytes(t, (uint8_t *)to, width, err);

    for (uint32_t i = 0; i < width && status == PC_OK; i++) {
        const char state = wv_state_of(to[i]);
        if (!state)
            status = tap_fail(t, err, "a digit of a value is 0x%02x", (unsigned char)to[i]);
        to[i] = state;
    }
    return status;
}

static enum pc_status take_change(struct tap *t, uint8_t what, struct pc_error *err)
{
    uint32_t code = 0;
    enum pc_status status = tap_variable(t, &code, err);

    if (status)
        return status;
    const struct wv_code *c = &t->base.hier.code[code];
    char *to = t->now + t->place[code];
    const bool bits = c->kind == PC_VAR_BITS;
    if (bits != (what != 'e') || (bits && c->width != 1 && strchr("01xz", what)))
        return tap_fail(t, err, "a value is not one of its variable");
    if (what == 'b')
        status = take_packed(t, to, c->width, err);
    else if (what == 'q')
        status = take_digits(t, to, c->width, err);
    else if (bits)
        *to = (char)what;
    return status ? status : take_changed(t, code, err);
}

/* Takes everything up to the end of the timestamp. */
static enum pc_status take_stamp(struct tap *t, struct wv_group *out, struct pc_error *err)
{
    for (;;) {
        uint8_t what;
        enum pc_status status = tap_byte(t, &what, err);
        if (status || what == '.')
            return status;
        if (what == 0 || !strchr("01xzbqe", what))
            return tap_fail(t, err, "no change of a value");
        status = take_change(t, what, err);
        if (status)
            return status;
        out->records++;
    }
}

static void hand_out(struct tap *t, struct wv_group *out)
{
    out->time = t->time;
    out->change = t->change;
    out->changes = t->changes;
    out->bits = t->now;
    t->any = true;
    t->step = t->time;
}

/* Takes a timestamp, or the end: a last stamp if time has passed. */
static enum pc_status take_record(struct tap *t, struct wv_group *out, bool *some,
                                  struct pc_error *err)
{
    uint8_t what;
    enum pc_status status = tap_byte(t, &what, err);

    if (status)
        return status;
    if (what != '@') {
        status = tap_last(t, what, err);
        *some = status == PC_OK && (!t->any || t->time > t->step);
        return status;
    }
    status = tap_later(t, err);
    if (status == PC_OK && t->any && t->time == t->step)
        return tap_fail(t, err, "timestamp %" PRIu64 " comes twice", t->time);
    *some = true;
    return status ? status : take_stamp(t, out, err);
}

static enum pc_status tap_next(struct wv_reader *r, struct wv_group *out, struct pc_error *err)
{
    struct tap *t = (struct tap *)r;
    bool some = false;
    enum pc_status status;

    t->changes = 0;
    status = t->over ? PC_END : take_record(t, out, &some, err);

    if (status == PC_END) /* a stamp that has not arrived whole does not count */
        tap_end(t, false);
    if (status || !some)
        return status ? status : PC_END;
    hand_out(t, out);
    return PC_OK;
}

/* --- what is wanted --- */

static enum pc_status tap_select(struct wv_reader *r, const uint8_t *wanted, struct pc_error *err)
{
    struct tap *t = (struct tap *)r;
    uint8_t text[1 << 12];
    size_t used = 5;
    uint32_t count = 0;
    enum pc_status status = PC_OK;

    for (size_t i = 0; i < t->codes; i++) {
        t->wanted[i] = wanted[i];
        count += wanted[i] != 0;
    }
    text[0] = 'W';
    memcpy(text + 1,
           (uint8_t[]){ (uint8_t)count, (uint8_t)(count >> 8), (uint8_t)(count >> 16),
                        (uint8_t)(count >> 24) },
           4);
    for (size_t i = 0; i < t->codes && status == PC_OK; i++) {
        if (!wanted[i])
            continue;
        for (unsigned k = 0; k < 4; k++)
            text[used++] = (uint8_t)(i >> 8 * k);
        if (used + 4 > sizeof text) {
            status = wv_input_answer(t->in, text, used, err);
            used = 0;
        }
    }
    return status || used == 0 ? status : wv_input_answer(t->in, text, used, err);
}

/* --- opening, closing --- */

static bool tap_waits(const struct wv_reader *r)
{
    const struct tap *t = (const struct tap *)r;

    return t->at == t->end && !t->over && wv_input_waits(t->in);
}

static void tap_progress(const struct wv_reader *r, uint64_t *done, uint64_t *total)
{
    wv_input_progress(((const struct tap *)r)->in, done, total);
}

static void tap_close(struct wv_reader *r)
{
    struct tap *t = (struct tap *)r;
    struct pc_alloc a = t->alloc;

    wv_input_close(t->in);
    tap_free_clocks(t);
    if (t->buf)
        pc_free(&a, t->buf, TAP_WINDOW);
    pc_free(&a, t->text, t->text_capacity);
    pc_free(&a, t->simulator, t->simulator_size);
    pc_free(&a, t->place, (t->codes + 1) * sizeof *t->place);
    if (t->now)
        pc_free(&a, t->now, t->bits + 1);
    if (t->wanted)
        pc_free(&a, t->wanted, t->codes + 1);
    pc_free(&a, t->change, t->changes_capacity * sizeof *t->change);
    pc_free(&a, t, sizeof *t);
}

static const struct wv_reader_ops ops = {
    .select = tap_select,
    .next = tap_next,
    .waits = tap_waits,
    .progress = tap_progress,
    .close = tap_close,
};

static const struct wv_reader_ops ops_of_rows = {
    .select = tap_select,
    .next = tap_next,
    .fill = tap_fill,
    .waits = tap_waits,
    .may_bind = tap_may_bind,
    .progress = tap_progress,
    .close = tap_close,
};

/* Allocates room for the values of all that is declared; they are unknown until they are sent. */
static enum pc_status allocate(struct tap *t, struct pc_error *err)
{
    const struct wv_hier *h = &t->base.hier;

    t->codes = h->codes;
    t->place = pc_calloc(&t->alloc, t->codes + 1, sizeof *t->place);
    for (size_t i = 0; t->place && i < t->codes; i++) {
        t->place[i] = t->bits;
        t->bits += h->code[i].kind == PC_VAR_BITS ? h->code[i].width : 0;
    }
    t->now = pc_calloc(&t->alloc, t->bits + 1, 1);
    t->wanted = pc_calloc(&t->alloc, t->codes + 1, 1);
    if (!t->place || !t->now || !t->wanted)
        return pc_fail(err, 100, "not enough memory for the values of a tap");
    memset(t->now, 'x', t->bits);
    return PC_OK;
}

enum pc_status wv_tap_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_wave_limits limits = wv_limits(&desc->limits);
    struct tap *t = pc_calloc(&alloc, 1, sizeof *t);

    if (!t) {
        wv_input_close(in);
        return pc_fail(err, 100, "not enough memory to open a tap");
    }
    t->alloc = alloc;
    t->in = in;
    t->base.ops = &ops;
    wv_hier_init(&t->base.hier, &alloc, &limits);
    t->buf = pc_calloc(&alloc, TAP_WINDOW, 1);
    enum pc_status status =
        t->buf ? tap_declare(t, err) : pc_fail(err, 100, "not enough memory to open a tap");
    if (status == PC_END)
        status = tap_fail(t, err, "the simulation ended before its signals were declared");
    if (status == PC_OK)
        status = allocate(t, err);
    if (status) {
        struct wv_hier hier = t->base.hier;
        tap_close(&t->base);
        wv_hier_free(&hier);
        return status;
    }
    t->base.info.format = PC_WAVE_TAP;
    t->base.info.encoding = wv_input_encoding(t->in);
    t->base.info.version = t->simulator;
    if (t->clocks > 0) {
        t->base.ops = &ops_of_rows;
        t->base.edges_only = true;
    }
    *out = &t->base;
    return PC_OK;
}
