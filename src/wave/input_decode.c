/* SPDX-License-Identifier: MIT */
/*
 * Decompression of gzip and zstd, told by content: one buffer of compressed bytes, what the
 * decoder needs (zstd: windows up to 128 MiB), and nothing on disk.  Output that grows beyond
 * limits.max_ratio is refused.  Never starts a program.
 */
#include "wave/input.h"

#include <string.h>
#include <zstd_errors.h>

/*
 * The decoders free without telling a size, as pc_alloc wants: it is kept in front.
 * max_align_t keeps what follows aligned.
 */
union block_head {
    size_t size;
    max_align_t align;
};

static void *block_alloc(void *ctx, size_t size)
{
    size_t bytes;

    if (!pc_size_add(size, sizeof(union block_head), &bytes))
        return NULL;
    union block_head *head = wv_ring_resize(ctx, NULL, 0, bytes);
    if (!head)
        return NULL;
    head->size = bytes;
    return head + 1;
}

static void block_free(void *ctx, void *p)
{
    if (p) {
        union block_head *head = (union block_head *)p - 1;
        (void)wv_ring_resize(ctx, head, head->size, 0);
    }
}

static void *gzip_alloc(void *ctx, unsigned count, unsigned size)
{
    size_t bytes;

    return pc_size_mul(count, size, &bytes) ? block_alloc(ctx, bytes) : NULL;
}

/* Makes at least `want` (few) raw bytes available, unless the input ends before. */
static enum pc_status fill_raw(struct wv_input *in, size_t want, struct pc_error *err)
{
    if (in->raw_end - in->raw_at >= want || in->raw_eof)
        return PC_OK;
    memmove(in->raw, in->raw + in->raw_at, in->raw_end - in->raw_at);
    in->raw_end -= in->raw_at;
    in->raw_at = 0;
    while (in->raw_end < want && !in->raw_eof) {
        size_t got;
        enum pc_status status =
            wv_input_fetch(in, in->raw + in->raw_end, RAW_SIZE - in->raw_end, &got, err);
        if (status)
            return status;
        in->raw_end += got;
        in->raw_eof = got == 0;
    }
    return PC_OK;
}

static bool starts_with(const struct wv_input *in, const char *magic, size_t length)
{
    return in->raw_end - in->raw_at >= length && memcmp(in->raw + in->raw_at, magic, length) == 0;
}

enum pc_status wv_decode_start(struct wv_input *in, struct pc_error *err)
{
    enum pc_status status = fill_raw(in, 4, err);

    if (status)
        return status;
    if (in->raw_end == 0)
        return pc_fail(err, 507, "the input is empty");
    if (starts_with(in, "\x1f\x8b", 2)) {
        in->encoding = GZIP;
        in->gzip.zalloc = gzip_alloc;
        in->gzip.zfree = block_free;
        in->gzip.opaque = in;
        in->gzip_live = inflateInit2(&in->gzip, 15 + 16) == Z_OK;
        if (!in->gzip_live)
            return pc_fail(err, 100, "not enough memory to decompress gzip");
    } else if (starts_with(in, "\x28\xb5\x2f\xfd", 4)) {
        ZSTD_customMem memory = { block_alloc, block_free, in };
        in->encoding = ZSTD;
        in->zstd = ZSTD_createDCtx_advanced(memory);
        if (!in->zstd)
            return pc_fail(err, 100, "not enough memory to decompress zstd");
    }
    return PC_OK;
}

void wv_decode_end(struct wv_input *in)
{
    if (in->gzip_live)
        inflateEnd(&in->gzip);
    if (in->zstd)
        ZSTD_freeDCtx(in->zstd);
}

static enum pc_status decode_plain(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                                   struct pc_error *err)
{
    size_t n = in->raw_end - in->raw_at;

    if (n == 0)
        return wv_input_fetch(in, to, size, got, err);
    if (n > size)
        n = size;
    memcpy(to, in->raw + in->raw_at, n);
    in->raw_at += n;
    *got = n;
    return PC_OK;
}

/* One call of inflate; sets `ended` behind the last member. */
static enum pc_status inflate_some(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                                   struct pc_error *err)
{
    z_stream *z = &in->gzip;
    size_t available = in->raw_end - in->raw_at;

    z->next_in = in->raw + in->raw_at;
    z->avail_in = (uInt)available;
    z->next_out = to;
    z->avail_out = (uInt)size;
    int code = inflate(z, Z_NO_FLUSH);
    in->raw_at += available - z->avail_in;
    in->decoder_in += available - z->avail_in;
    *got = size - z->avail_out;
    if (code == Z_MEM_ERROR)
        return pc_fail(err, 100, "not enough memory to decompress gzip");
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return pc_fail_byte(err, 504, in->decoder_in, "damaged gzip data: %s",
                            z->msg ? z->msg : "it does not decode");
    if (code != Z_STREAM_END)
        return PC_OK;
    enum pc_status status = fill_raw(in, 2, err);
    if (status)
        return status;
    if (starts_with(in, "\x1f\x8b", 2))
        inflateReset(z);
    else
        in->ended = true; /* what may follow is padding, as gzip itself takes it */
    return PC_OK;
}

static enum pc_status decode_gzip(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                                  struct pc_error *err)
{
    *got = 0;
    if (size > UINT32_MAX / 2)
        size = UINT32_MAX / 2;
    while (*got == 0 && !in->ended) {
        enum pc_status status = fill_raw(in, 1, err);
        if (status)
            return status;
        if (in->raw_at == in->raw_end)
            return pc_fail_byte(err, 504, in->decoder_in, "the gzip data ends early");
        status = inflate_some(in, to, size, got, err);
        if (status)
            return status;
    }
    return PC_OK;
}

static enum pc_status decode_zstd(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                                  struct pc_error *err)
{
    *got = 0;
    while (*got == 0) {
        enum pc_status status = fill_raw(in, 1, err);
        if (status)
            return status;
        bool dry = in->raw_at == in->raw_end;
        if (dry && !in->zstd_inside)
            break;
        ZSTD_inBuffer from = { in->raw + in->raw_at, in->raw_end - in->raw_at, 0 };
        ZSTD_outBuffer into = { to, size, 0 };
        size_t code = ZSTD_decompressStream(in->zstd, &into, &from);
        in->raw_at += from.pos;
        in->decoder_in += from.pos;
        *got = into.pos;
        if (ZSTD_isError(code)) {
            if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
                return pc_fail(err, 100, "not enough memory to decompress zstd");
            return pc_fail_byte(err, 504, in->decoder_in, "damaged zstd data: %s",
                                ZSTD_getErrorName(code));
        }
        in->zstd_inside = code != 0;
        if (dry && into.pos == 0 && in->zstd_inside)
            return pc_fail_byte(err, 504, in->decoder_in, "the zstd data ends early");
    }
    return PC_OK;
}

enum pc_status wv_decode(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                         struct pc_error *err)
{
    enum pc_status status;

    if (in->encoding == PLAIN)
        return decode_plain(in, to, size, got, err);
    status = in->encoding == GZIP ? decode_gzip(in, to, size, got, err)
                                  : decode_zstd(in, to, size, got, err);
    if (status)
        return status;
    in->decoder_out += *got;
    if (in->decoder_out > ((uint64_t)1 << 20) && in->decoder_out / in->max_ratio > in->decoder_in)
        return pc_fail_byte(err, 505, in->decoder_in,
                            "%llu compressed bytes grow to more than %lu times as many "
                            "(max_ratio)",
                            (unsigned long long)in->decoder_in, (unsigned long)in->max_ratio);
    return PC_OK;
}
