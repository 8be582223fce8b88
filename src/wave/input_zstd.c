/* SPDX-License-Identifier: MIT */
/* A member is a frame, of data or one to be skipped; the library knows both. */
#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_createDCtx_advanced: the caller's allocator */
#include "wave/input_codec.h"

#include <zstd.h>
#include <zstd_errors.h>

#define STEP ((size_t)1 << 17)

struct zstd {
    ZSTD_DCtx *context;
    size_t left;   /* bytes to the end of what the library wants next: mostly a block */
    uint64_t from; /* where in the file that begins: the place of errors, in whatever pieces the
                      file is read and written */
};

static enum pc_status begin(struct wv_decoder *d, struct pc_error *err)
{
    const ZSTD_customMem memory = { wv_decoder_alloc, wv_decoder_free, d };
    struct zstd *z = d->state;

    if (!z && (d->state = z = wv_decoder_alloc(d, sizeof *z)))
        z->context = ZSTD_createDCtx_advanced(memory);
    if (!z || !z->context)
        return pc_fail(err, 100, "not enough memory to decompress zstd");
    ZSTD_DCtx_reset(z->context, ZSTD_reset_session_only);
    z->left = 0;
    return PC_OK;
}

static enum pc_status step(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got, bool *over,
                           struct pc_error *err)
{
    struct zstd *z = d->state;
    ZSTD_inBuffer from = { 0 };
    ZSTD_outBuffer into = { to, size, 0 };

    from.src = wv_decoder_raw(d, &from.size);
    if (z->left == 0) {
        z->left = ZSTD_FRAMEHEADERSIZE_MAX;
        z->from = d->bytes_in;
    }
    if (from.size > z->left)
        from.size = z->left;
    const size_t code = ZSTD_decompressStream(z->context, &into, &from);
    wv_decoder_took(d, from.pos);
    *got = into.pos;
    *over = code == 0;
    if (!ZSTD_isError(code)) {
        if (from.pos == z->left)
            z->from = d->bytes_in;
        z->left = code;
        return PC_OK;
    }
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return pc_fail(err, 100, "not enough memory to decompress zstd");
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
        return pc_fail_byte(err, 509, z->from,
                            "the window of this zstd data is larger than 128 MiB");
    return pc_fail_byte(err, 504, z->from, "damaged zstd data: %s", ZSTD_getErrorName(code));
}

static void finish(struct wv_decoder *d)
{
    struct zstd *z = d->state;

    if (z)
        ZSTD_freeDCtx(z->context); /* NULL is fine */
    wv_decoder_free(d, z);
}

/* Finds the bytes of a block, including its head, which says how many they are. */
static bool find_block(const struct wv_file *f, uint64_t at, uint32_t *bytes, bool *last)
{
    uint8_t head[3];
    size_t got;

    if (wv_file_read_at(f, at, head, sizeof head, &got, NULL) || got < sizeof head)
        return false;
    const uint32_t word = head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16;
    const bool is_run = (word >> 1 & 3) == 1; /* of one byte */
    *last = word & 1;
    *bytes = (uint32_t)sizeof head + (is_run ? 1 : word >> 3);
    return true;
}

static bool find(const struct wv_file *f, uint64_t at, struct wv_member *m)
{
    uint8_t head[ZSTD_FRAMEHEADERSIZE_MAX];
    ZSTD_frameHeader frame;
    uint32_t bytes;
    size_t got;

    *m = (struct wv_member){ 0 };
    if (wv_file_read_at(f, at, head, sizeof head, &got, NULL) ||
        ZSTD_getFrameHeader(&frame, head, got) != 0)
        return false;
    if (frame.frameType == ZSTD_skippableFrame) {
        m->end = at + ZSTD_SKIPPABLEHEADERSIZE + frame.frameContentSize;
        return true;
    }
    if (frame.windowSize > WV_MEMBER_MAX)
        return false;
    m->window = (size_t)frame.windowSize;
    at += frame.headerSize;
    for (bool last = false; !last; at += bytes) {
        m->most += frame.blockSizeMax;
        if (m->most > WV_MEMBER_MAX || !find_block(f, at, &bytes, &last))
            return false;
    }
    m->end = at + (frame.checksumFlag ? 4 : 0);
    return true;
}

static bool open_apart(struct wv_decoder *d, size_t window)
{
    const size_t size = ZSTD_estimateDStreamSize(window);

    d->state = wv_decoder_alloc(d, size);
    return d->state && ZSTD_initStaticDStream(d->state, size);
}

static void close_apart(struct wv_decoder *d)
{
    wv_decoder_free(d, d->state);
}

/* Unpacks in steps, through the window, which stays in the cache: at once it takes half as long
 * again. */
static bool unpack(struct wv_decoder *d, uint8_t *to, size_t room, size_t *size)
{
    ZSTD_inBuffer from = { 0 };
    ZSTD_outBuffer into = { to, 0, 0 };
    size_t left = ZSTD_DCtx_reset(d->state, ZSTD_reset_session_only);

    from.src = wv_decoder_raw(d, &from.size);
    while (from.pos < from.size || left > 0) {
        const size_t before = from.pos + into.pos;
        into.size = room - into.pos < STEP ? room : into.pos + STEP;
        left = ZSTD_decompressStream(d->state, &into, &from);
        if (ZSTD_isError(left) || from.pos + into.pos == before)
            return false;
    }
    *size = into.pos;
    return true;
}

static const struct wv_apart apart = { find, open_apart, unpack, close_apart };

const struct wv_codec wv_codec_zstd = { "zstd", begin, step, finish, &apart };
