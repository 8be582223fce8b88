/* SPDX-License-Identifier: MIT */
/*
 * A chain: the changes of one value stream in one block.  Each record begins with a number
 * that holds the distance to the time index of the record before and, in its low bits,
 * what follows:
 *
 *     one bit     d << 2 | bit << 1 | 0      0 or 1
 *                 d << 4 | code << 1 | 1     x z h u w l - ?
 *     bits        d << 1 | 0                 packed, first bit on top, bytes filled up
 *                 d << 1 | 1                 one character a bit
 *     text        d << 1                     number of bytes, the bytes
 */
#include "wave/fst.h"

/* IEEE 1164 states as the four that counting knows; index is the code in a record. */
static const uint8_t other_state[8] = { 2, 3, 1, 2, 2, 0, 2, 2 }; /* x z h u w l - ? */

static char state_of(uint8_t c)
{
    switch (c) {
    case '0':
    case 'l':
    case 'L':
        return '0';
    case '1':
    case 'h':
    case 'H':
        return '1';
    case 'z':
    case 'Z':
        return 'z';
    default:
        return 'x';
    }
}

/* IEEE 1364 18.4.3: states of ports, with the direction thrown away. */
static char port_state_of(uint8_t c)
{
    switch (c) {
    case '0':
    case 'D':
    case 'd':
    case 'L':
    case 'l':
        return '0';
    case '1':
    case 'U':
    case 'u':
    case 'H':
    case 'h':
        return '1';
    case 'Z':
    case 'z':
    case 'T':
    case 't':
    case 'F':
    case 'f':
        return 'z';
    default:
        return 'x';
    }
}

void fst_write_states(const struct fst_stream *s, uint32_t width, const uint8_t *from, char *to)
{
    for (uint32_t i = 0; i < width; i++)
        to[i] = s->form == FST_PORT ? port_state_of(from[i]) : state_of(from[i]);
}

static void write_packed(uint32_t width, const uint8_t *from, char *to)
{
    for (uint32_t i = 0; i < width; i++)
        to[i] = (char)('0' + (from[i >> 3] >> (7 - (i & 7)) & 1));
}

static struct fst_cursor cursor_of(const struct fst *f, const struct fst_walk *w)
{
    const struct fst_chain *chain = &f->chain[w->chain];
    struct fst_cursor c = fst_cursor_on(chain->data, chain->size, chain->at);

    c.packed = chain->packed;
    c.at = w->at;
    return c;
}

/* The time index of the record at w->at, `last` being that of the one before. */
static enum pc_status find_next(struct fst *f, struct fst_walk *w, uint64_t last,
                                struct pc_error *err)
{
    w->next = FST_NEVER;
    if (w->at == w->end)
        return PC_OK;
    struct fst_cursor c = { .at = w->at, .end = w->end, .begin = w->at };
    uint64_t head = fst_number(&c);
    uint64_t delta = f->stream[w->code].form != FST_BIT ? head >> 1
                     : head & 1                         ? head >> 4
                                                        : head >> 2;
    if (c.fault == FST_NO_FAULT && delta < f->now.times - last) {
        w->next = last + delta;
        return PC_OK;
    }
    c = cursor_of(f, w);
    fst_number(&c);
    enum pc_status status = fst_check(&c, err, "chain");
    if (status)
        return status;
    c.at = w->at; /* CVE-2023-35994 to 35997: an index past the time table */
    return fst_fail(&c, err, 714,
                    "value stream %lu changes %llu times after time index %llu of %llu",
                    (unsigned long)w->code, (unsigned long long)delta, (unsigned long long)last,
                    (unsigned long long)f->now.times);
}

enum pc_status fst_walk_begin(struct fst *f, struct fst_walk *w, struct pc_error *err)
{
    const struct fst_chain *chain = &f->chain[w->chain];

    w->at = chain->data;
    w->end = chain->data + chain->size;
    if (f->now.times == 0 && chain->size > 0) {
        struct fst_cursor c = cursor_of(f, w);
        return fst_fail(&c, err, 714, "value stream %lu changes in a block without times",
                        (unsigned long)w->code);
    }
    return find_next(f, w, 0, err);
}

/* Takes a value of several characters and writes its states behind the window's bits. */
static bool take_value(struct fst *f, const struct fst_walk *w, bool characters,
                       struct fst_cursor *c, bool keep)
{
    const struct fst_stream *s = &f->stream[w->code];
    uint32_t width = f->reader.hier.code[w->code].width;
    const uint8_t *p = fst_take(c, characters ? s->length : (s->length + (uint64_t)7) / 8);

    if (!p)
        return false;
    char *to = f->window.bits + f->window.bits_used;
    if (keep && characters)
        fst_write_states(s, width, p, to);
    else if (keep)
        write_packed(width, p, to);
    if (keep)
        f->window.bits_used += width;
    return true;
}

/* Stages the record at w->at and moves behind it. */
static enum pc_status stage(struct fst *f, struct fst_walk *w, struct pc_error *err)
{
    struct fst_window *win = &f->window;
    const struct fst_stream *s = &f->stream[w->code];
    bool keep = f->reader.hier.code[w->code].kind == PC_VAR_BITS;
    struct fst_cursor c = cursor_of(f, w);
    size_t at = keep ? win->bits_used : 0;
    uint64_t head = fst_number(&c);

    if (s->form == FST_BIT)
        at = keep ? (head & 1 ? other_state[head >> 1 & 7] : head >> 1 & 1) : 0;
    else if (s->form == FST_TEXT)
        fst_take(&c, fst_number(&c));
    else
        take_value(f, w, head & 1, &c, keep);
    if (c.fault)
        return fst_check(&c, err, "chain");
    win->staged[win->changes] = (struct wv_change){ .code = w->code, .at = (uint32_t)at };
    win->slot[win->changes++] = (uint32_t)(w->next - win->begin);
    w->at = c.at;
    return find_next(f, w, w->next, err);
}

enum pc_status fst_walk_until(struct fst *f, struct fst_walk *w, bool *full, struct pc_error *err)
{
    size_t bits = f->stream[w->code].form == FST_BIT ? 0 : f->reader.hier.code[w->code].width;

    while (w->next < f->window.end) {
        enum pc_status status = fst_window_room(f, bits, full, err);
        if (status || *full)
            return status;
        status = stage(f, w, err);
        if (status)
            return status;
    }
    return PC_OK;
}
