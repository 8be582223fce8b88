/* SPDX-License-Identifier: MIT */
/*
 * Decompression of gzip and zstd, told by content: one buffer of compressed bytes, what the
 * decoder needs (zstd: windows up to 128 MiB), and nothing on disk.  Output that grows beyond
 * limits.max_ratio is refused.  Never starts a program.
 */
#include "wave/input_decode.h"

#include <string.h>
#include <zstd_errors.h>

#define RAW_SIZE ((size_t)1 << 17)

/*
 * The libraries free without telling a size, as pc_alloc wants: it is kept in front.
 * max_align_t keeps what follows aligned.
 */
union block_head {
    size_t size;
    max_align_t align;
};

static void *block_alloc(void *ctx, size_t size)
{
    const struct wv_decoder *d = ctx;
    size_t bytes;

    if (!pc_size_add(size, sizeof(union block_head), &bytes))
        return NULL;
    union block_head *head = d->alloc.resize(d->alloc.ctx, NULL, 0, bytes);
    if (!head)
        return NULL;
    head->size = bytes;
    return head + 1;
}

static void block_free(void *ctx, void *p)
{
    const struct wv_decoder *d = ctx;

    if (p) {
        union block_head *head = (union block_head *)p - 1;
        pc_free(&d->alloc, head, head->size);
    }
}

static void *gzip_alloc(void *ctx, unsigned count, unsigned size)
{
    size_t bytes;

    return pc_size_mul(count, size, &bytes) ? block_alloc(ctx, bytes) : NULL;
}

/* Makes at least `want` (few) raw bytes available, unless the input ends before. */
static enum pc_status fill_raw(struct wv_decoder *d, size_t want, struct pc_error *err)
{
    if (d->raw_end - d->raw_at >= want || d->raw_eof)
        return PC_OK;
    memmove(d->raw, d->raw + d->raw_at, d->raw_end - d->raw_at);
    d->raw_end -= d->raw_at;
    d->raw_at = 0;
    while (d->raw_end < want && !d->raw_eof) {
        size_t got;
        enum pc_status status =
            wv_file_read(d->file, d->raw + d->raw_end, RAW_SIZE - d->raw_end, &got, err);
        if (status)
            return status;
        d->raw_end += got;
        d->raw_eof = got == 0;
    }
    return PC_OK;
}

static bool starts_with(const struct wv_decoder *d, const char *magic, size_t length)
{
    return d->raw_end - d->raw_at >= length && memcmp(d->raw + d->raw_at, magic, length) == 0;
}

enum pc_status wv_decoder_open(struct wv_decoder *d, struct wv_file *file,
                               const struct pc_alloc *alloc, uint32_t max_ratio,
                               struct pc_error *err)
{
    d->file = file;
    d->alloc = *alloc;
    d->max_ratio = max_ratio;
    d->raw = alloc->resize(alloc->ctx, NULL, 0, RAW_SIZE);
    if (!d->raw)
        return pc_fail(err, 100, "not enough memory to open a waveform");
    enum pc_status status = fill_raw(d, 4, err);
    if (status)
        return status;
    if (d->raw_end == 0)
        return pc_fail(err, 507, "the input is empty");
    if (starts_with(d, "\x1f\x8b", 2)) {
        d->encoding = WV_GZIP;
        d->gzip.zalloc = gzip_alloc;
        d->gzip.zfree = block_free;
        d->gzip.opaque = d;
        d->gzip_live = inflateInit2(&d->gzip, 15 + 16) == Z_OK;
        if (!d->gzip_live)
            return pc_fail(err, 100, "not enough memory to decompress gzip");
    } else if (starts_with(d, "\x28\xb5\x2f\xfd", 4)) {
        ZSTD_customMem memory = { block_alloc, block_free, d };
        d->encoding = WV_ZSTD;
        d->zstd = ZSTD_createDCtx_advanced(memory);
        if (!d->zstd)
            return pc_fail(err, 100, "not enough memory to decompress zstd");
    }
    return PC_OK;
}

void wv_decoder_close(struct wv_decoder *d)
{
    if (d->gzip_live)
        inflateEnd(&d->gzip);
    if (d->zstd)
        ZSTD_freeDCtx(d->zstd);
    pc_free(&d->alloc, d->raw, RAW_SIZE);
}

static enum pc_status decode_plain(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                                   struct pc_error *err)
{
    size_t n = d->raw_end - d->raw_at;

    if (n == 0)
        return wv_file_read(d->file, to, size, got, err);
    if (n > size)
        n = size;
    memcpy(to, d->raw + d->raw_at, n);
    d->raw_at += n;
    *got = n;
    return PC_OK;
}

/* One call of inflate; sets `ended` behind the last member. */
static enum pc_status inflate_some(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                                   struct pc_error *err)
{
    z_stream *z = &d->gzip;
    size_t available = d->raw_end - d->raw_at;

    z->next_in = d->raw + d->raw_at;
    z->avail_in = (uInt)available;
    z->next_out = to;
    z->avail_out = (uInt)size;
    int code = inflate(z, Z_NO_FLUSH);
    d->raw_at += available - z->avail_in;
    d->bytes_in += available - z->avail_in;
    *got = size - z->avail_out;
    if (code == Z_MEM_ERROR)
        return pc_fail(err, 100, "not enough memory to decompress gzip");
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return pc_fail_byte(err, 504, d->bytes_in, "damaged gzip data: %s",
                            z->msg ? z->msg : "it does not decode");
    if (code != Z_STREAM_END)
        return PC_OK;
    enum pc_status status = fill_raw(d, 2, err);
    if (status)
        return status;
    if (starts_with(d, "\x1f\x8b", 2))
        inflateReset(z);
    else
        d->ended = true; /* what may follow is padding, as gzip itself takes it */
    return PC_OK;
}

static enum pc_status decode_gzip(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                                  struct pc_error *err)
{
    *got = 0;
    if (size > UINT32_MAX / 2)
        size = UINT32_MAX / 2;
    while (*got == 0 && !d->ended) {
        enum pc_status status = fill_raw(d, 1, err);
        if (status)
            return status;
        if (d->raw_at == d->raw_end)
            return pc_fail_byte(err, 504, d->bytes_in, "the gzip data ends early");
        status = inflate_some(d, to, size, got, err);
        if (status)
            return status;
    }
    return PC_OK;
}

static enum pc_status decode_zstd(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                                  struct pc_error *err)
{
    *got = 0;
    while (*got == 0) {
        enum pc_status status = fill_raw(d, 1, err);
        if (status)
            return status;
        bool dry = d->raw_at == d->raw_end;
        if (dry && !d->zstd_inside)
            break;
        ZSTD_inBuffer from = { d->raw + d->raw_at, d->raw_end - d->raw_at, 0 };
        ZSTD_outBuffer into = { to, size, 0 };
        size_t code = ZSTD_decompressStream(d->zstd, &into, &from);
        d->raw_at += from.pos;
        d->bytes_in += from.pos;
        *got = into.pos;
        if (ZSTD_isError(code)) {
            if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
                return pc_fail(err, 100, "not enough memory to decompress zstd");
            if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
                return pc_fail_byte(err, 509, d->bytes_in,
                                    "the window of this zstd data is larger than 128 MiB");
            return pc_fail_byte(err, 504, d->bytes_in, "damaged zstd data: %s",
                                ZSTD_getErrorName(code));
        }
        d->zstd_inside = code != 0;
        if (dry && into.pos == 0 && d->zstd_inside)
            return pc_fail_byte(err, 504, d->bytes_in, "the zstd data ends early");
    }
    return PC_OK;
}

enum pc_status wv_decoder_read(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                               struct pc_error *err)
{
    enum pc_status status;

    if (d->encoding == WV_PLAIN)
        return decode_plain(d, to, size, got, err);
    status = d->encoding == WV_GZIP ? decode_gzip(d, to, size, got, err)
                                    : decode_zstd(d, to, size, got, err);
    if (status)
        return status;
    d->bytes_out += *got;
    if (d->bytes_out > ((uint64_t)1 << 20) && d->bytes_out / d->max_ratio > d->bytes_in)
        return pc_fail_byte(err, 505, d->bytes_in,
                            "%llu compressed bytes grow to more than %lu times as many "
                            "(max_ratio)",
                            (unsigned long long)d->bytes_in, (unsigned long)d->max_ratio);
    return PC_OK;
}

uint64_t wv_decoder_consumed(const struct wv_decoder *d)
{
    return d->file->consumed - (d->raw_end - d->raw_at);
}

void wv_decoder_seek(struct wv_decoder *d, uint64_t at)
{
    d->raw_at = d->raw_end = 0;
    d->file->consumed = at;
}
