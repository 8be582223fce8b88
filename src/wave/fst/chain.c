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
    const char state = wv_state_of((char)c);

    return state ? state : 'x';
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
