/* SPDX-License-Identifier: MIT */
/* See fst_make.h. */
#include "fst_make.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void need(bool fine)
{
    if (!fine) {
        fputs("the FST writer of the tests failed\n", stderr);
        abort();
    }
}

static uint8_t *room(struct mk *m, size_t size)
{
    if (m->capacity - m->used < size) {
        m->capacity = 2 * (m->capacity + size);
        m->data = realloc(m->data, m->capacity);
        need(m->data != NULL);
    }
    m->used += size;
    return m->data + m->used - size;
}

void mk_free(struct mk *m)
{
    free(m->data);
    *m = (struct mk){ 0 };
}

void mk_u8(struct mk *m, unsigned value)
{
    *room(m, 1) = (uint8_t)value;
}

static void store(uint8_t *p, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        p[i] = (uint8_t)(value >> (56 - 8 * i));
}

void mk_u64(struct mk *m, uint64_t value)
{
    store(room(m, 8), value);
}

void mk_number(struct mk *m, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        mk_u8(m, (unsigned)(value & 0x7f) | 0x80);
    mk_u8(m, (unsigned)value);
}

void mk_signed(struct mk *m, int64_t value)
{
    while (value < -64 || value > 63) {
        mk_u8(m, (unsigned)((uint64_t)value & 0x7f) | 0x80);
        value = (int64_t)((uint64_t)value >> 7 | (value < 0 ? ~(UINT64_MAX >> 7) : 0));
    }
    mk_u8(m, (unsigned)((uint64_t)value & 0x7f));
}

void mk_bytes(struct mk *m, const void *from, size_t size)
{
    if (size > 0)
        memcpy(room(m, size), from, size);
}

void mk_text(struct mk *m, const char *text)
{
    mk_bytes(m, text, strlen(text) + 1);
}

size_t mk_begin(struct mk *m, unsigned type)
{
    mk_u8(m, type);
    mk_u64(m, 0);
    return m->used - 8;
}

void mk_end(struct mk *m, size_t begin)
{
    store(m->data + begin, m->used - begin);
}

void mk_header(struct mk *m, int exponent)
{
    const double e = 2.7182818284590452354;
    char zero[128] = "";
    size_t begin = mk_begin(m, 0);

    mk_u64(m, 0);
    mk_u64(m, 1000);
    mk_bytes(m, &e, sizeof e);
    for (int i = 0; i < 5; i++)
        mk_u64(m, 1);
    mk_u8(m, (unsigned)exponent & 0xff);
    snprintf(zero, sizeof zero, "test writer");
    mk_bytes(m, zero, 128);
    snprintf(zero, sizeof zero, "Mon Jan  1 00:00:00 2024\n");
    mk_bytes(m, zero, 119);
    mk_u8(m, 0);
    mk_u64(m, 0);
    mk_end(m, begin);
}

void mk_scope(struct mk *m, const char *name)
{
    mk_u8(m, 254);
    mk_u8(m, 0);
    mk_text(m, name);
    mk_text(m, "");
}

void mk_upscope(struct mk *m)
{
    mk_u8(m, 255);
}

void mk_var(struct mk *m, unsigned type, const char *name, uint64_t length, uint64_t alias)
{
    mk_u8(m, type);
    mk_u8(m, 0);
    mk_text(m, name);
    mk_number(m, length);
    mk_number(m, alias);
}

static void pack_zlib(struct mk *m, int window_bits, const uint8_t *from, size_t size)
{
    z_stream z = { 0 };
    uLong most = compressBound((uLong)size) + 64;

    need(deflateInit2(&z, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    uint8_t *to = room(m, most);
    z.next_in = (Bytef *)(uintptr_t)from;
    z.avail_in = (uInt)size;
    z.next_out = to;
    z.avail_out = (uInt)most;
    need(deflate(&z, Z_FINISH) == Z_STREAM_END);
    m->used -= z.avail_out;
    deflateEnd(&z);
}

/* FastLZ of literal runs alone; level 1. */
static void pack_fastlz(struct mk *m, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i += 32) {
        size_t run = size - i < 32 ? size - i : 32;
        mk_u8(m, (unsigned)run - 1);
        mk_bytes(m, from + i, run);
    }
}

void mk_pack(struct mk *m, char packing, const uint8_t *from, size_t size)
{
    if (packing == 'G' || packing == 'Z') {
        pack_zlib(m, packing == 'G' ? 31 : 15, from, size);
    } else if (packing == 'F') {
        pack_fastlz(m, from, size);
    } else {
        int most = LZ4_compressBound((int)size);
        uint8_t *to = room(m, (size_t)most);
        int n = LZ4_compress_default((const char *)from, (char *)to, (int)size, most);
        need(n > 0);
        m->used -= (size_t)(most - n);
    }
}

void mk_hierarchy(struct mk *m, unsigned type, const struct mk *entries)
{
    struct mk once = { 0 };
    size_t begin = mk_begin(m, type);

    mk_u64(m, entries->used);
    if (type == 7) {
        mk_pack(&once, '4', entries->data, entries->used);
        mk_number(m, once.used);
        entries = &once;
    }
    mk_pack(m, type == 4 ? 'G' : '4', entries->data, entries->used);
    mk_end(m, begin);
    mk_free(&once);
}

void mk_geometry(struct mk *m, bool packed, const uint32_t *length, size_t count)
{
    struct mk plain = { 0 };
    size_t begin = mk_begin(m, 3);

    for (size_t i = 0; i < count; i++)
        mk_number(&plain, length[i]);
    mk_u64(m, plain.used);
    mk_u64(m, count);
    if (packed)
        mk_pack(m, 'Z', plain.data, plain.used);
    else
        mk_bytes(m, plain.data, plain.used);
    mk_end(m, begin);
    mk_free(&plain);
}

static void one_chain(struct mk *m, const struct mk_changes *v, const struct mk *chain)
{
    if (v->packing == 0) {
        mk_number(m, v->claim_chain);
        mk_bytes(m, chain->data, chain->used);
        return;
    }
    mk_number(m, v->claim_chain ? v->claim_chain : chain->used);
    mk_pack(m, v->packing, chain->data, chain->used);
}

/* A stream without a chain, one whose chain is `distance` after the last, an alias. */
static void position_entry(struct mk *p, const struct mk_changes *v, const struct mk_stream *s,
                           size_t distance)
{
    if (s->role == MK_NONE)
        mk_number(p, 1 << 1);
    else if (s->role == MK_CHAIN && v->type == 8)
        mk_signed(p, (int64_t)(distance * 2 + 1));
    else if (s->role == MK_CHAIN)
        mk_number(p, distance * 2 + 1);
    else if (v->type == 8)
        mk_signed(p, -(int64_t)(s->alias + 1) * 2 + 1);
    else {
        mk_number(p, 0);
        mk_number(p, s->alias + 1);
    }
}

static void time_table(struct mk *m, const struct mk_changes *v)
{
    struct mk plain = { 0 };
    uint64_t last = 0;
    size_t begin = m->used;

    if (v->time_table)
        mk_bytes(&plain, v->time_table->data, v->time_table->used);
    for (size_t i = 0; !v->time_table && i < v->times; i++) {
        mk_number(&plain, v->time[i] - last);
        last = v->time[i];
    }
    if (v->pack_times)
        mk_pack(m, 'Z', plain.data, plain.used);
    else
        mk_bytes(m, plain.data, plain.used);
    size_t packed = m->used - begin;
    mk_u64(m, v->claim_time_size ? v->claim_time_size : plain.used);
    mk_u64(m, v->claim_time_packed ? v->claim_time_packed : packed);
    mk_u64(m, v->claim_times ? v->claim_times : v->times);
    mk_free(&plain);
}

void mk_changes(struct mk *m, const struct mk_changes *v)
{
    struct mk position = { 0 };
    size_t begin = mk_begin(m, v->type), last;

    mk_u64(m, v->begin);
    mk_u64(m, v->end);
    mk_u64(m, 0);
    mk_number(m, v->claim_frame ? v->claim_frame : v->frame_size);
    mk_number(m, v->claim_frame_packed ? v->claim_frame_packed : v->frame_size);
    mk_number(m, v->frame_streams);
    mk_bytes(m, v->frame, v->frame_size);
    mk_number(m, v->claim_streams ? v->claim_streams : v->streams);
    last = m->used; /* position 0 is the byte of the packing */
    mk_u8(m, v->packing ? (unsigned)v->packing : 'Z');
    for (size_t i = 0; i < v->streams; i++) {
        size_t at = m->used;
        if (v->stream[i].role == MK_CHAIN)
            one_chain(m, v, v->stream[i].chain);
        position_entry(&position, v, &v->stream[i], at - last);
        if (v->stream[i].role == MK_CHAIN)
            last = at;
    }
    const struct mk *p = v->position ? v->position : &position;
    mk_bytes(m, p->data, p->used);
    mk_u64(m, v->claim_position_size ? v->claim_position_size : p->used);
    time_table(m, v);
    mk_end(m, begin);
    mk_free(&position);
}

void mk_wrap(struct mk *m, const struct mk *file)
{
    size_t begin = mk_begin(m, 254);

    mk_u64(m, file->used);
    mk_pack(m, 'G', file->data, file->used);
    mk_end(m, begin);
}
