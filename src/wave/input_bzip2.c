/* SPDX-License-Identifier: MIT */
/* libbz2 is loaded with the first member. */
#include "wave/input_codec.h"
#include "wave/library.h"

#include <bzlib.h>

struct bzip2 {
    bz_stream stream;
    bool live;
    void *library;
    __typeof__(BZ2_bzDecompressInit) *init;
    __typeof__(BZ2_bzDecompress) *decompress;
    __typeof__(BZ2_bzDecompressEnd) *end;
};

static void *alloc(void *ctx, int count, int size)
{
    size_t bytes;

    if (count < 0 || size < 0 || !pc_size_mul((size_t)count, (size_t)size, &bytes))
        return NULL;
    return wv_decoder_alloc(ctx, bytes);
}

static enum pc_status load(struct bzip2 *b, struct pc_error *err)
{
    const char *missing = NULL;
    enum pc_status status = wv_library_load(PC_LIBBZ2, 515, &b->library, err);

    if (status)
        return status;
    wv_library_find(b->library, "BZ2_bzDecompressInit", &b->init, &missing);
    wv_library_find(b->library, "BZ2_bzDecompress", &b->decompress, &missing);
    wv_library_find(b->library, "BZ2_bzDecompressEnd", &b->end, &missing);
    return missing ? pc_fail(err, 515, "%s has no %s", PC_LIBBZ2, missing) : PC_OK;
}

static enum pc_status no_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "not enough memory to decompress bzip2");
}

static enum pc_status create(struct wv_decoder *d, struct pc_error *err)
{
    struct bzip2 *b = wv_decoder_alloc(d, sizeof *b);

    if (!b)
        return no_memory(err);
    *b = (struct bzip2){ 0 };
    d->state = b;
    return load(b, err);
}

static enum pc_status begin(struct wv_decoder *d, struct pc_error *err)
{
    enum pc_status status = d->state ? PC_OK : create(d, err);
    struct bzip2 *b = d->state;

    if (status)
        return status;
    if (b->live)
        b->end(&b->stream);
    b->stream = (bz_stream){ .bzalloc = alloc, .bzfree = wv_decoder_free, .opaque = d };
    b->live = b->init(&b->stream, 0, 0) == BZ_OK;
    return b->live ? PC_OK : no_memory(err);
}

static enum pc_status step(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got, bool *over,
                           struct pc_error *err)
{
    struct bzip2 *b = d->state;
    size_t available;

    if (size > UINT32_MAX / 2)
        size = UINT32_MAX / 2;
    b->stream.next_in = (char *)wv_decoder_raw(d, &available);
    b->stream.avail_in = (unsigned)available;
    b->stream.next_out = (char *)to;
    b->stream.avail_out = (unsigned)size;
    const int code = b->decompress(&b->stream);
    wv_decoder_took(d, available - b->stream.avail_in);
    *got = size - b->stream.avail_out;
    *over = code == BZ_STREAM_END;
    if (code == BZ_OK || code == BZ_STREAM_END)
        return PC_OK;
    return code == BZ_MEM_ERROR
               ? no_memory(err)
               : pc_fail_byte(err, 504, d->bytes_in, "damaged bzip2 data: it does not decode");
}

static void finish(struct wv_decoder *d)
{
    struct bzip2 *b = d->state;

    if (b && b->live)
        b->end(&b->stream);
    if (b)
        wv_library_unload(b->library);
    wv_decoder_free(d, b);
}

const struct wv_codec wv_codec_bzip2 = { "bzip2", begin, step, finish, NULL };
