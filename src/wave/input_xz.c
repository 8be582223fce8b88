/* SPDX-License-Identifier: MIT */
/* A member is a stream of the format .xz; liblzma is loaded with the first. */
#include "wave/input_codec.h"
#include "wave/library.h"

#include <lzma.h>

/* Memory beside the window; xz itself asks for some 70 KiB. */
#define MEMORY_MAX (WV_WINDOW_MAX + ((uint64_t)1 << 20))

struct xz {
    lzma_stream stream;
    lzma_allocator allocator;
    void *library;
    __typeof__(lzma_stream_decoder) *decoder;
    __typeof__(lzma_code) *code;
    __typeof__(lzma_end) *end;
};

static void *alloc(void *ctx, size_t count, size_t size)
{
    size_t bytes;

    return pc_size_mul(count, size, &bytes) ? wv_decoder_alloc(ctx, bytes) : NULL;
}

static enum pc_status load(struct xz *x, struct pc_error *err)
{
    const char *missing = NULL;
    enum pc_status status = wv_library_load(PC_LIBLZMA, 515, &x->library, err);

    if (status)
        return status;
    wv_library_find(x->library, "lzma_stream_decoder", &x->decoder, &missing);
    wv_library_find(x->library, "lzma_code", &x->code, &missing);
    wv_library_find(x->library, "lzma_end", &x->end, &missing);
    return missing ? pc_fail(err, 515, "%s has no %s", PC_LIBLZMA, missing) : PC_OK;
}

static enum pc_status create(struct wv_decoder *d, struct pc_error *err)
{
    struct xz *x = wv_decoder_alloc(d, sizeof *x);

    if (!x)
        return pc_fail(err, 100, "not enough memory to decompress xz");
    *x = (struct xz){ .stream = LZMA_STREAM_INIT };
    x->allocator = (lzma_allocator){ alloc, wv_decoder_free, d };
    x->stream.allocator = &x->allocator;
    d->state = x;
    return load(x, err);
}

static enum pc_status tell(const struct wv_decoder *d, lzma_ret code, struct pc_error *err)
{
    switch (code) {
    case LZMA_MEM_ERROR:
        return pc_fail(err, 100, "not enough memory to decompress xz");
    case LZMA_MEMLIMIT_ERROR:
        return pc_fail_byte(err, 509, d->bytes_in,
                            "the dictionary of this xz data is larger than 128 MiB");
    case LZMA_OPTIONS_ERROR:
        return pc_fail_byte(err, 504, d->bytes_in,
                            "damaged xz data, or packed in a way that liblzma does not know");
    default:
        return pc_fail_byte(err, 504, d->bytes_in, "damaged xz data: it does not decode");
    }
}

static enum pc_status begin(struct wv_decoder *d, struct pc_error *err)
{
    enum pc_status status = d->state ? PC_OK : create(d, err);
    struct xz *x = d->state;

    if (status)
        return status;
    const lzma_ret code = x->decoder(&x->stream, MEMORY_MAX, 0);
    return code == LZMA_OK ? PC_OK : tell(d, code, err);
}

static enum pc_status step(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got, bool *over,
                           struct pc_error *err)
{
    struct xz *x = d->state;
    size_t available;

    x->stream.next_in = wv_decoder_raw(d, &available);
    x->stream.avail_in = available;
    x->stream.next_out = to;
    x->stream.avail_out = size;
    const lzma_ret code = x->code(&x->stream, LZMA_RUN);
    wv_decoder_took(d, available - x->stream.avail_in);
    *got = size - x->stream.avail_out;
    *over = code == LZMA_STREAM_END;
    return code == LZMA_OK || code == LZMA_STREAM_END || code == LZMA_BUF_ERROR
               ? PC_OK
               : tell(d, code, err);
}

static void finish(struct wv_decoder *d)
{
    struct xz *x = d->state;

    if (x && x->end)
        x->end(&x->stream);
    if (x)
        wv_library_unload(x->library);
    wv_decoder_free(d, x);
}

const struct wv_codec wv_codec_xz = { "xz", begin, step, finish, NULL };
