/* SPDX-License-Identifier: MIT */
/* gzip: by ISA-L where the build knew it and it is installed, else by zlib. */
#include "wave/input_codec.h"
#include "wave/input_isal.h"

#include <string.h>
#include <zlib.h>

struct gzip {
    struct wv_isal *isal; /* NULL: zlib */
    z_stream zlib;
    bool ready; /* zlib's stream can be renewed, and has to be ended */
};

static void *alloc(void *ctx, unsigned count, unsigned size)
{
    size_t bytes;

    return pc_size_mul(count, size, &bytes) ? wv_decoder_alloc(ctx, bytes) : NULL;
}

static struct gzip *create(struct wv_decoder *d)
{
    struct gzip *g = wv_decoder_alloc(d, sizeof *g);

    if (!g)
        return NULL;
    *g = (struct gzip){ .zlib = { .zalloc = alloc, .zfree = wv_decoder_free, .opaque = d } };
    if (wv_isal_open(d, &g->isal))
        return g;
    wv_decoder_free(d, g);
    return NULL;
}

static enum pc_status begin(struct wv_decoder *d, struct pc_error *err)
{
    struct gzip *g = d->state;

    if (!g)
        d->state = g = create(d);
    if (!g)
        return pc_fail(err, 100, "not enough memory to decompress gzip");
    if (g->isal) {
        wv_isal_begin(g->isal);
        return PC_OK;
    }
    if (g->ready)
        return inflateReset(&g->zlib) == Z_OK ? PC_OK
                                              : pc_fail(err, 504, "gzip data begins wrongly");
    g->ready = inflateInit2(&g->zlib, 15 + 16) == Z_OK;
    return g->ready ? PC_OK : pc_fail(err, 100, "not enough memory to decompress gzip");
}

static enum pc_status step(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got, bool *over,
                           struct pc_error *err)
{
    struct gzip *g = d->state;
    z_stream *z = &g->zlib;
    size_t available;

    if (g->isal)
        return wv_isal_step(d, g->isal, to, size, got, over, err);
    if (size > UINT32_MAX / 2)
        size = UINT32_MAX / 2;
    z->next_in = wv_decoder_raw(d, &available);
    z->avail_in = (uInt)available;
    z->next_out = to;
    z->avail_out = (uInt)size;
    const int code = inflate(z, Z_FINISH); /* a hint: what is whole needs no window */
    wv_decoder_took(d, available - z->avail_in);
    *got = size - z->avail_out;
    *over = code == Z_STREAM_END;
    if (code == Z_MEM_ERROR)
        return pc_fail(err, 100, "not enough memory to decompress gzip");
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return pc_fail_byte(err, 504, d->bytes_in, "damaged gzip data: %s",
                            z->msg ? z->msg : "it does not decode");
    return PC_OK;
}

static void finish(struct wv_decoder *d)
{
    struct gzip *g = d->state;

    if (g && g->isal)
        wv_isal_close(d, g->isal);
    if (g && g->ready)
        inflateEnd(&g->zlib);
    wv_decoder_free(d, g);
}

/*
 * A member tells its length where it is of BGZF, as bgzip writes it: in an extra field BC, by which
 * it has up to 64 KiB, packed and unpacked.
 */
static bool find(const struct wv_file *f, uint64_t at, struct wv_member *m)
{
    static const uint8_t begins[] = { 0x1f, 0x8b, 8, 4 }, field[] = { 'B', 'C', 2, 0 };
    uint8_t head[18];
    size_t got;

    if (wv_file_read_at(f, at, head, sizeof head, &got, NULL) || got < sizeof head ||
        memcmp(head, begins, sizeof begins) != 0 || memcmp(head + 12, field, sizeof field) != 0)
        return false;
    m->end = at + head[16] + ((uint64_t)head[17] << 8) + 1;
    m->most = m->window = 1 << 16;
    return true;
}

static bool open_apart(struct wv_decoder *d, size_t window)
{
    (void)window;
    return begin(d, NULL) == PC_OK;
}

static bool unpack(struct wv_decoder *d, uint8_t *to, size_t room, size_t *size)
{
    for (*size = 0; d->raw_at < d->raw_end;) {
        bool over = false;
        size_t got;
        if (begin(d, NULL) || step(d, to + *size, room - *size, &got, &over, NULL) || !over)
            return false;
        *size += got;
    }
    return true;
}

static const struct wv_apart apart = { find, open_apart, unpack, finish };

const struct wv_codec wv_codec_gzip = { "gzip", begin, step, finish, &apart };
