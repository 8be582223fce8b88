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
    c.at = w->now.at;
    return c;
}

/* CVE-2023-35994 to 35997: an index past the time table; or no number at all. */
static enum pc_status bad_head(struct fst *f, const struct fst_walk *w, uint64_t delta,
                               struct pc_error *err)
{
    struct fst_cursor c = cursor_of(f, w), start = c;

    fst_number(&c);
    enum pc_status status = fst_check(&c, err, "chain");
    if (status)
        return status;
    return fst_fail(&start, err, 714, "value stream %lu changes %llu times behind an index of %llu",
                    (unsigned long)w->code, (unsigned long long)delta,
                    (unsigned long long)f->now.times);
}

/* Goes on to the record at w->now.at, `last` being the time index of the one before. */
static enum pc_status find_next(struct fst *f, struct fst_walk *w, uint64_t last,
                                struct pc_error *err)
{
    struct fst_cursor c = { .at = w->now.at, .end = w->end, .begin = w->now.at };

    w->now.next = FST_NEVER;
    if (c.at == c.end)
        return PC_OK;
    uint64_t head = fst_number(&c);
    uint64_t delta = f->stream[w->code].form != FST_BIT ? head >> 1
                     : head & 1                         ? head >> 4
                                                        : head >> 2;
    if (c.fault || delta >= f->now.times - last)
        return bad_head(f, w, delta, err);
    w->now = (struct fst_place){ .at = c.at, .head = head, .next = last + delta };
    return PC_OK;
}

enum pc_status fst_walk_begin(struct fst *f, struct fst_walk *w, struct pc_error *err)
{
    const struct fst_chain *chain = &f->chain[w->chain];

    w->now.at = chain->data;
    w->end = chain->data + chain->size;
    return find_next(f, w, 0, err);
}

static void push(struct fst_window *win, const struct fst_walk *w, size_t at)
{
    win->staged[win->changes] = (struct wv_change){ .code = w->code, .at = (uint32_t)at };
    win->slot[win->changes++] = (uint32_t)(w->now.next - win->begin);
}

/* Stages a value of several characters or a text, and moves behind it. */
static enum pc_status stage_long(struct fst *f, struct fst_walk *w, struct pc_error *err)
{
    struct fst_window *win = &f->window;
    const struct fst_stream *s = &f->stream[w->code];
    const struct wv_code *code = &f->reader.hier.code[w->code];
    bool characters = w->now.head & 1;
    struct fst_cursor c = cursor_of(f, w);
    char *to = win->bits + win->bits_used;
    uint64_t length = s->form == FST_TEXT ? fst_number(&c)
                      : characters        ? s->length
                                          : (s->length + (uint64_t)7) / 8;
    const uint8_t *from = fst_take(&c, length);

    if (c.fault)
        return fst_check(&c, err, "chain");
    w->now.at = c.at;
    if (code->kind != PC_VAR_BITS) {
        push(win, w, 0);
        return PC_OK;
    }
    if (characters)
        fst_write_states(s, code->width, from, to);
    else
        write_packed(code->width, from, to);
    push(win, w, win->bits_used);
    win->bits_used += code->width;
    return PC_OK;
}

enum pc_status fst_walk_until(struct fst *f, struct fst_walk *w, bool *full, struct pc_error *err)
{
    bool single = f->stream[w->code].form == FST_BIT;
    size_t bits = single ? 0 : f->reader.hier.code[w->code].width;

    while (w->now.next < f->window.end) {
        enum pc_status status = fst_window_room(f, bits, full, err);
        if (status || *full)
            return status;
        uint64_t head = w->now.head, index = w->now.next;
        if (single)
            push(&f->window, w, head & 1 ? other_state[head >> 1 & 7] : head >> 1 & 1);
        else
            status = stage_long(f, w, err);
        if (status == PC_OK)
            status = find_next(f, w, index, err);
        if (status)
            return status;
    }
    return PC_OK;
}
