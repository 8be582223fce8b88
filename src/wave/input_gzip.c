/* SPDX-License-Identifier: MIT */
#include "wave/input_codec.h"

#include <zlib.h>

static void *alloc(void *ctx, unsigned count, unsigned size)
{
    size_t bytes;

    return pc_size_mul(count, size, &bytes) ? wv_decoder_alloc(ctx, bytes) : NULL;
}

static enum pc_status begin(struct wv_decoder *d, struct pc_error *err)
{
    z_stream *z = d->state;

    if (z)
        return inflateReset(z) == Z_OK ? PC_OK : pc_fail(err, 504, "gzip data begins wrongly");
    z = wv_decoder_alloc(d, sizeof *z);
    if (z) {
        *z = (z_stream){ .zalloc = alloc, .zfree = wv_decoder_free, .opaque = d };
        if (inflateInit2(z, 15 + 16) == Z_OK)
            d->state = z;
        else
            wv_decoder_free(d, z);
    }
    return d->state ? PC_OK : pc_fail(err, 100, "not enough memory to decompress gzip");
}

static enum pc_status step(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got, bool *over,
                           struct pc_error *err)
{
    z_stream *z = d->state;
    size_t available;

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
    if (d->state)
        inflateEnd(d->state);
    wv_decoder_free(d, d->state);
}

const struct wv_codec wv_codec_gzip = { "gzip", begin, step, finish };
