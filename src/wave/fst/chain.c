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
#include "wave/fst/chain.h"

const uint8_t fst_other_state[8] = { 2, 3, 1, 2, 2, 0, 2, 2 }; /* x z h u w l - ? */

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

char fst_state_of(const struct fst_stream *s, uint8_t character)
{
    return s->form == FST_PORT ? port_state_of(character) : state_of(character);
}

void fst_write_states(const struct fst_stream *s, uint32_t width, const uint8_t *from, char *to)
{
    for (uint32_t i = 0; i < width; i++)
        to[i] = s->form == FST_PORT ? port_state_of(from[i]) : state_of(from[i]);
}

/* '0' or '1' for each bit; eight copies of a byte, each shifted by one more, have them on top. */
static void write_packed(uint32_t width, const uint8_t *from, char *to)
{
    const uint64_t tops = UINT64_C(0x8080808080808080), zeros = UINT64_C(0x3030303030303030);
    uint32_t i = 0;

    for (; i + 8 <= width; i += 8) {
        const uint64_t bits = from[i / 8] * UINT64_C(0x8040201008040201) & tops;
        const uint64_t states = zeros | bits >> 7;
        for (unsigned k = 0; k < 8; k++)
            to[i + k] = (char)(states >> 8 * k & 0xff);
    }
    for (; i < width; i++)
        to[i] = (char)('0' + (from[i >> 3] >> (7 - (i & 7)) & 1));
}

enum pc_status fst_bad_record(const struct fst *f, const struct fst_walk *w,
                              const struct fst_cursor *c, uint64_t last, struct pc_error *err)
{
    struct fst_cursor start = *c;

    if (c->fault)
        return fst_check(c, err, "chain");
    start.at = w->now.at;
    return fst_fail(
        &start, err, 714, "value stream %lu changes past the %llu times, after time index %llu",
        (unsigned long)w->code, (unsigned long long)f->loaded.now.times, (unsigned long long)last);
}

enum pc_status fst_walk_begin(struct fst *f, struct fst_walk *w, struct pc_error *err)
{
    w->now.at = f->loaded.chain[w->chain].data;
    struct fst_cursor c = fst_walk_cursor(f, w);
    if (!fst_read_head(&c, f->stream[w->code].form == FST_BIT, f->loaded.now.times, 0, &w->now))
        return fst_bad_record(f, w, &c, 0, err);
    return PC_OK;
}

/* Takes a value of several characters, or a text; true if its states are wanted. */
static inline bool take_value(const struct fst_stream *s, const struct wv_code *code, uint64_t head,
                              struct fst_cursor *c, char *to)
{
    bool characters = head & 1;
    uint64_t length = s->form == FST_TEXT ? fst_number(c)
                      : characters        ? s->length
                                          : (s->length + (uint64_t)7) / 8;
    const uint8_t *from = fst_take(c, length);

    if (!from || code->kind != PC_VAR_BITS)
        return false;
    if (characters)
        fst_write_states(s, code->width, from, to);
    else
        write_packed(code->width, from, to);
    return true;
}

enum pc_status fst_walk_until(struct fst *f, struct fst_walk *w, bool *full, struct pc_error *err)
{
    struct fst_window *win = &f->window;
    const struct fst_stream *s = &f->stream[w->code];
    const struct wv_code *code = &f->reader.hier.code[w->code];
    bool single = s->form == FST_BIT;
    size_t bits = single ? 0 : code->width;
    struct fst_cursor c = fst_walk_cursor(f, w);

    while (w->now.next < win->end) {
        uint64_t head = w->now.head, index = w->now.next;
        size_t at = 0;
        if (!fst_window_fits(win, bits)) {
            enum pc_status status = fst_window_room(f, bits, full, err);
            if (status || *full)
                return status;
        }
        if (single) {
            at = fst_state_of_head(head);
        } else if (take_value(s, code, head, &c, win->bits + win->bits_used)) {
            at = win->bits_used;
            win->bits_used += bits;
        }
        win->staged[win->changes] = (struct wv_change){ .code = w->code, .at = (uint32_t)at };
        win->slot[win->changes++] = (uint32_t)(index - win->begin);
        if (c.fault || !fst_read_head(&c, single, f->loaded.now.times, index, &w->now))
            return fst_bad_record(f, w, &c, index, err);
    }
    return PC_OK;
}
