/* SPDX-License-Identifier: MIT */
/* A member is a frame, of data or one to be skipped; the library knows both. */
#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_createDCtx_advanced: the caller's allocator */
#include "wave/input_codec.h"

#include <zstd.h>
#include <zstd_errors.h>

static enum pc_status begin(struct wv_decoder *d, struct pc_error *err)
{
    const ZSTD_customMem memory = { wv_decoder_alloc, wv_decoder_free, d };

    if (!d->state)
        d->state = ZSTD_createDCtx_advanced(memory);
    return d->state ? PC_OK : pc_fail(err, 100, "not enough memory to decompress zstd");
}

static enum pc_status step(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got, bool *over,
                           struct pc_error *err)
{
    ZSTD_inBuffer from = { 0 };
    ZSTD_outBuffer into = { to, size, 0 };

    from.src = wv_decoder_raw(d, &from.size);
    const size_t code = ZSTD_decompressStream(d->state, &into, &from);
    wv_decoder_took(d, from.pos);
    *got = into.pos;
    *over = code == 0;
    if (!ZSTD_isError(code))
        return PC_OK;
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return pc_fail(err, 100, "not enough memory to decompress zstd");
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
        return pc_fail_byte(err, 509, d->bytes_in,
                            "the window of this zstd data is larger than 128 MiB");
    return pc_fail_byte(err, 504, d->bytes_in, "damaged zstd data: %s", ZSTD_getErrorName(code));
}

static void finish(struct wv_decoder *d)
{
    ZSTD_freeDCtx(d->state); /* NULL is fine */
}

const struct wv_codec wv_codec_zstd = { "zstd", begin, step, finish };
