/* SPDX-License-Identifier: MIT */
/* gzip: by ISA-L where the build knew it and it is installed, else by zlib. */
#include "wave/input_codec.h"
#include "wave/input_isal.h"

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
    const int code = inflate(z, Z_NO_FLUSH);
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

const struct wv_codec wv_codec_gzip = { "gzip", begin, step, finish };
