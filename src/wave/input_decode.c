/* SPDX-License-Identifier: MIT */
/*
 * Decompression of gzip, zstd, xz and bzip2, told by content: one buffer of compressed bytes, what
 * the decoder needs (windows up to 128 MiB), and nothing on disk.  Members follow each other, with
 * zeros between and after them as tapes have them.  Where the file ends within a member, what was
 * decompressed before is handed out.  Output that grows beyond limits.max_ratio is refused.  Never
 * starts a program.
 */
#include "wave/input_codec.h"

#include <string.h>

#define RAW_SIZE  ((size_t)1 << 17)
#define MAGIC_MAX 10
#define BLOCK_END 28 /* bytes of the empty member that bgzip writes last */

/* How members begin: `least` bytes are enough where the file ends there. */
static const struct magic {
    const char *bytes;
    unsigned length, least;
    const struct wv_codec *codec;
    unsigned any; /* the byte of which only the upper half counts */
} magics[] = {
    { "\x1f\x8b", 2, 2, &wv_codec_gzip, MAGIC_MAX },
    { "\x28\xb5\x2f\xfd", 4, 4, &wv_codec_zstd, MAGIC_MAX },
    { "\x50\x2a\x4d\x18", 4, 4, &wv_codec_zstd, 0 }, /* a frame to be skipped, as pzstd writes */
    { "\xfd"
      "7zXZ\0",
      6, 6, &wv_codec_xz, MAGIC_MAX },
    { "BZh01AY&SY", 10, 4, &wv_codec_bzip2, 3 },
    { "BZh0\x17\x72\x45\x38\x50\x90", 10, 4, &wv_codec_bzip2, 3 }, /* of no bytes */
};

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

/* Returns true if the raw bytes begin like this, as far as there are some. */
static bool begins_with(const struct wv_decoder *d, const struct magic *m)
{
    size_t size;
    const uint8_t *p = wv_decoder_raw(d, &size);

    for (unsigned i = 0; i < m->length && i < size; i++) {
        const uint8_t differs = p[i] ^ (uint8_t)m->bytes[i];
        if (i == m->any ? differs >> 4 : differs)
            return false;
    }
    return true;
}

static const struct wv_codec *tell_codec(const struct wv_decoder *d)
{
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (d->raw_end - d->raw_at >= magics[i].least && begins_with(d, &magics[i]))
            return magics[i].codec;
    return NULL;
}

/* Tells whether the bytes are the member that bgzip writes last. */
static bool is_block_end(const uint8_t *p, size_t size)
{
    static const uint8_t end[BLOCK_END] = { 0x1f, 0x8b, 8,   4,   0, 0, 0,    0, 0, 0xff,
                                            6,    0,    'B', 'C', 2, 0, 0x1b, 0, 3 };

    return size >= BLOCK_END && memcmp(p, end, BLOCK_END) == 0;
}

/* Begins a member, whose first bytes are there. */
static enum pc_status begin_member(struct wv_decoder *d, struct pc_error *err)
{
    enum pc_status status = d->codec == &wv_codec_gzip ? fill_raw(d, BLOCK_END, err) : PC_OK;
    size_t size;
    const uint8_t *p = wv_decoder_raw(d, &size);

    if (status)
        return status;
    d->blocks = d->codec == &wv_codec_gzip && size >= 16 && p[3] == 4 &&
                memcmp(p + 12, "BC\2", 4) == 0 && !is_block_end(p, size);
    d->inside = true;
    return d->codec->begin(d, err);
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
    enum pc_status status = fill_raw(d, 6, err);
    if (status)
        return status;
    if (d->raw_end == 0)
        return pc_fail(err, 507, "the input is empty");
    d->codec = tell_codec(d);
    return d->codec ? begin_member(d, err) : status;
}

void wv_decoder_close(struct wv_decoder *d)
{
    if (d->codec)
        d->codec->close(d);
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

/* After a member: the next one, which may be preceded by zeros, or the end. */
static enum pc_status next_member(struct wv_decoder *d, struct pc_error *err)
{
    enum pc_status status = fill_raw(d, 1, err);

    while (status == PC_OK && d->raw_at < d->raw_end && d->raw[d->raw_at] == 0) {
        wv_decoder_took(d, 1);
        status = fill_raw(d, 1, err);
    }
    if (status == PC_OK)
        status = fill_raw(d, MAGIC_MAX, err);
    if (status)
        return status;
    d->ended = d->raw_at == d->raw_end;
    for (size_t i = 0; !d->ended && i < sizeof magics / sizeof magics[0]; i++)
        if (magics[i].codec == d->codec && begins_with(d, &magics[i]))
            return begin_member(d, err);
    d->endless = d->cut = d->ended && d->blocks;
    d->foreign = !d->ended;
    d->ended = true;
    if (d->foreign && d->bytes_out == 0)
        return pc_fail_byte(err, 504, d->bytes_in, "there is no %s data", d->codec->name);
    return PC_OK;
}

/* Fails because the file ends within a member. */
static enum pc_status end_early(struct wv_decoder *d, struct pc_error *err)
{
    d->ended = d->cut = true;
    if (d->bytes_out > 0)
        return PC_OK;
    return pc_fail_byte(err, 504, d->bytes_in,
                        "the %s data ends early, before any of it can be decompressed",
                        d->codec->name);
}

static enum pc_status decode(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                             struct pc_error *err)
{
    enum pc_status status = PC_OK;

    *got = 0;
    while (status == PC_OK && *got == 0 && !d->ended) {
        bool over = false;
        if (!d->inside) {
            status = next_member(d, err);
            continue;
        }
        status = fill_raw(d, 1, err);
        const bool dry = d->raw_at == d->raw_end;
        if (status == PC_OK)
            status = d->codec->step(d, to, size, got, &over, err);
        d->inside = !over;
        if (status == PC_OK && dry && *got == 0 && d->inside)
            status = end_early(d, err);
    }
    return status;
}

enum pc_status wv_decoder_read(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                               struct pc_error *err)
{
    if (!d->codec)
        return decode_plain(d, to, size, got, err);
    enum pc_status status = decode(d, to, size, got, err);
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

const char *wv_decoder_encoding(const struct wv_decoder *d)
{
    return d->codec ? d->codec->name : "plain";
}

void wv_decoder_seek(struct wv_decoder *d, uint64_t at, uint64_t unpacked)
{
    uint8_t last[BLOCK_END];
    size_t got = 0;

    d->raw_at = d->raw_end = 0;
    d->raw_eof = d->inside = d->ended = d->cut = d->foreign = d->endless = false;
    d->blocks = d->codec == &wv_codec_gzip && at >= BLOCK_END && /* members that tell their ends */
                wv_file_read_at(d->file, at - BLOCK_END, last, BLOCK_END, &got, NULL) == PC_OK &&
                !is_block_end(last, got);
    d->file->consumed = d->bytes_in = at;
    d->bytes_out = unpacked;
}
