/* SPDX-License-Identifier: MIT */
#include "zip_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void must(bool ok)
{
    if (!ok) {
        fputs("zip_make: out of memory\n", stderr);
        abort();
    }
}

static void put_bytes(struct zip_made *z, const void *data, size_t size)
{
    if (z->size + size > z->capacity) {
        z->capacity = 2 * (z->size + size) + 256;
        z->bytes = realloc(z->bytes, z->capacity);
        must(z->bytes != NULL);
    }
    if (size > 0)
        memcpy(z->bytes + z->size, data, size);
    z->size += size;
}

static void put(struct zip_made *z, unsigned bytes, uint32_t value)
{
    for (; bytes > 0; bytes--, value >>= 8) {
        uint8_t byte = (uint8_t)value;
        put_bytes(z, &byte, 1);
    }
}

/* Version, flags, method, a time, sum, sizes, length of the name: the same in both headers. */
static void put_common(struct zip_made *z, const struct zip_member *m)
{
    put(z, 2, 20);
    put(z, 2, m->flags);
    put(z, 2, m->method);
    put(z, 4, 0x21u << 16);
    put(z, 4, m->crc);
    put(z, 4, m->packed);
    put(z, 4, m->size);
    put(z, 2, (uint32_t)strlen(m->name));
    put(z, 2, 0);
}

static uint8_t *deflated(const void *data, size_t size, uint32_t *packed)
{
    z_stream s = { 0 };
    const uLong room = compressBound((uLong)size) + 64;
    uint8_t *to = malloc(room);

    must(to && deflateInit2(&s, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    s.next_in = (Bytef *)(uintptr_t)data;
    s.avail_in = (uInt)size;
    s.next_out = to;
    s.avail_out = (uInt)room;
    must(deflate(&s, Z_FINISH) == Z_STREAM_END);
    *packed = (uint32_t)s.total_out;
    deflateEnd(&s);
    return to;
}

void zip_add(struct zip_made *z, const char *name, const void *data, size_t size, uint16_t method)
{
    if (z->members == z->member_capacity) {
        z->member_capacity = 2 * z->member_capacity + 16;
        z->member = realloc(z->member, z->member_capacity * sizeof *z->member);
        must(z->member != NULL);
    }
    struct zip_member *m = &z->member[z->members++];
    *m = (struct zip_member){ .offset = (uint32_t)z->size,
                              .size = (uint32_t)size,
                              .packed = (uint32_t)size,
                              .method = method };
    snprintf(m->name, sizeof m->name, "%s", name);
    m->crc = (uint32_t)crc32(0, data, (uInt)size);
    uint8_t *packed = method == ZIP_DEFLATED ? deflated(data, size, &m->packed) : NULL;
    put(z, 4, 0x04034b50);
    put_common(z, m);
    put_bytes(z, m->name, strlen(m->name));
    put_bytes(z, packed ? packed : data, m->packed);
    free(packed);
}

void zip_text(struct zip_made *z, const char *name, const char *text)
{
    zip_add(z, name, text, strlen(text), ZIP_STORED);
}

void zip_end(struct zip_made *z, uint16_t declared)
{
    const uint32_t begin = (uint32_t)z->size;
    const uint16_t count = declared ? declared : (uint16_t)z->members;

    for (size_t i = 0; i < z->members; i++) {
        const struct zip_member *m = &z->member[i];
        put(z, 4, 0x02014b50);
        put(z, 2, 20);
        put_common(z, m);
        put(z, 2, 0); /* comment */
        put(z, 2, 0); /* disk */
        put(z, 2, 0); /* attributes */
        put(z, 4, 0);
        put(z, 4, m->offset);
        put_bytes(z, m->name, strlen(m->name));
    }
    const uint32_t length = (uint32_t)z->size - begin;
    put(z, 4, 0x06054b50);
    put(z, 4, 0); /* disks */
    put(z, 2, count);
    put(z, 2, count);
    put(z, 4, length);
    put(z, 4, begin);
    put(z, 2, 0);
}

void zip_free(struct zip_made *z)
{
    free(z->bytes);
    free(z->member);
    *z = (struct zip_made){ 0 };
}

void zip_small_session(struct zip_made *z)
{
    uint8_t samples[1000];

    /* CLK: 10 samples low, 10 high; "STEP (Y axis)": 300 low, 500 high, 200 low */
    for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = (uint8_t)((i / 10 % 2) + (i >= 300 && i < 800 ? 2 : 0));
    zip_text(z, "version", "2");
    zip_text(z, "metadata",
             "[global]\nsigrok version=0.5.1\n\n[device 1]\ncapturefile=logic-1\ntotal probes=3\n"
             "samplerate=24 MHz\ntotal analog=1\nprobe1=CLK\nprobe2=STEP (Y axis)\n"
             "analog4=A0\nunitsize=1\n");
    zip_add(z, "logic-1-2", samples + 640, 360, ZIP_DEFLATED);
    zip_add(z, "logic-1-1", samples, 640, ZIP_DEFLATED);
    zip_add(z, "analog-1-4-1", samples, 16, ZIP_DEFLATED);
    zip_end(z, 0);
}
