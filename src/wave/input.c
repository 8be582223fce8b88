/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a waveform: a file, or standard input for "-", decompressed on the way if it is
 * gzip or zstd (told by content).  Memory is bounded: one buffer of compressed bytes, what
 * the decoder needs (zstd: windows up to 128 MiB), and nothing on disk.  Decompression that
 * grows beyond limits.max_ratio is refused.  Never starts a program.
 */
#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_createDCtx_advanced: the caller's allocator */
#include "wave/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define RAW_SIZE   ((size_t)1 << 17)
#define AHEAD_SIZE ((size_t)1 << 12)
#define HOLD_LIMIT ((size_t)UINT32_MAX) /* of an input that has to be held whole */

enum encoding { PLAIN, GZIP, ZSTD };

struct wv_input {
    struct pc_alloc alloc;
    uint32_t max_ratio;
    int fd;
    bool is_stdin, regular;
    uint64_t file_size; /* 0: unknown */
    uint64_t consumed;  /* bytes read from fd */
    enum encoding encoding;
    uint8_t *raw; /* read from fd, not yet decoded: raw[raw_at .. raw_end) */
    size_t raw_at, raw_end;
    bool raw_eof, ended;
    z_stream gzip;
    bool gzip_live;
    ZSTD_DCtx *zstd;
    bool zstd_inside; /* a frame has begun and not ended */
    uint64_t decoder_in, decoder_out;
    uint8_t *ahead; /* decoded by peek, not yet read: ahead[ahead_at .. ahead_end) */
    size_t ahead_at, ahead_end;
    uint8_t *mapped;
    uint8_t *held;
    size_t mapped_size, held_capacity;
};

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
    const struct pc_alloc *a = ctx;
    size_t bytes;

    if (!pc_size_add(size, sizeof(union block_head), &bytes))
        return NULL;
    union block_head *head = a->resize(a->ctx, NULL, 0, bytes);
    if (!head)
        return NULL;
    head->size = bytes;
    return head + 1;
}

static void block_free(void *ctx, void *p)
{
    if (p) {
        union block_head *head = (union block_head *)p - 1;
        pc_free(ctx, head, head->size);
    }
}

static void *gzip_alloc(void *ctx, unsigned count, unsigned size)
{
    size_t bytes;

    return pc_size_mul(count, size, &bytes) ? block_alloc(ctx, bytes) : NULL;
}

static enum pc_status fail_io(struct pc_error *err, const char *doing)
{
    char why[100];
    int number = errno;

    if (strerror_r(number, why, sizeof why) != 0)
        why[0] = '\0';
    return pc_fail(err, 501, "%s: %s", doing, why);
}

/* Reads up to `size` bytes from the descriptor; *got is 0 at the end only. */
static enum pc_status read_fd(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                              struct pc_error *err)
{
    ssize_t n;

    *got = 0;
    do
        n = read(in->fd, to, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return fail_io(err, "cannot read");
    in->consumed += (size_t)n;
    *got = (size_t)n;
    return PC_OK;
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
            read_fd(in, in->raw + in->raw_end, RAW_SIZE - in->raw_end, &got, err);
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

static enum pc_status start_decoder(struct wv_input *in, struct pc_error *err)
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
        in->gzip.opaque = &in->alloc;
        in->gzip_live = inflateInit2(&in->gzip, 15 + 16) == Z_OK;
        if (!in->gzip_live)
            return pc_fail(err, 100, "not enough memory to decompress gzip");
    } else if (starts_with(in, "\x28\xb5\x2f\xfd", 4)) {
        ZSTD_customMem memory = { block_alloc, block_free, &in->alloc };
        in->encoding = ZSTD;
        in->zstd = ZSTD_createDCtx_advanced(memory);
        if (!in->zstd)
            return pc_fail(err, 100, "not enough memory to decompress zstd");
    }
    return PC_OK;
}

static enum pc_status open_fd(struct wv_input *in, const char *path, struct pc_error *err)
{
    struct stat st;

    in->is_stdin = strcmp(path, "-") == 0;
    in->fd = in->is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return pc_fail(err, 500, "there is no file %s", path);
    if (in->fd < 0 || fstat(in->fd, &st) != 0)
        return fail_io(err, "cannot open");
    in->regular = S_ISREG(st.st_mode);
    if (in->regular && st.st_size > 0)
        in->file_size = (uint64_t)st.st_size;
    return PC_OK;
}

enum pc_status wv_input_open(const struct pc_wave_desc *desc, struct wv_input **out,
                             struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct wv_input *in = pc_calloc(&alloc, 1, sizeof *in);

    if (!in)
        return pc_fail(err, 100, "not enough memory to open a waveform");
    in->alloc = alloc;
    in->max_ratio = desc->limits.max_ratio ? desc->limits.max_ratio : 1000;
    in->fd = -1;
    in->raw = alloc.resize(alloc.ctx, NULL, 0, RAW_SIZE);
    in->ahead = alloc.resize(alloc.ctx, NULL, 0, AHEAD_SIZE);
    enum pc_status status = PC_OK;
    if (!in->raw || !in->ahead)
        status = pc_fail(err, 100, "not enough memory to open a waveform");
    if (status == PC_OK)
        status = open_fd(in, desc->path, err);
    if (status == PC_OK)
        status = start_decoder(in, err);
    if (status) {
        wv_input_close(in);
        return status;
    }
    *out = in;
    return PC_OK;
}

void wv_input_close(struct wv_input *in)
{
    if (!in)
        return;
    struct pc_alloc alloc = in->alloc;
    if (in->gzip_live)
        inflateEnd(&in->gzip);
    if (in->zstd)
        ZSTD_freeDCtx(in->zstd);
    if (in->mapped)
        munmap(in->mapped, in->mapped_size);
    if (in->fd >= 0 && !in->is_stdin)
        close(in->fd);
    pc_free(&alloc, in->held, in->held_capacity);
    pc_free(&alloc, in->raw, RAW_SIZE);
    pc_free(&alloc, in->ahead, AHEAD_SIZE);
    pc_free(&alloc, in, sizeof *in);
}

static enum pc_status decode_plain(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                                   struct pc_error *err)
{
    size_t n = in->raw_end - in->raw_at;

    if (n == 0)
        return read_fd(in, to, size, got, err);
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

static enum pc_status decode(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
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

enum pc_status wv_input_peek(struct wv_input *in, const uint8_t **data, size_t want, size_t *size,
                             struct pc_error *err)
{
    if (want > AHEAD_SIZE)
        want = AHEAD_SIZE;
    if (in->ahead_at > 0) {
        memmove(in->ahead, in->ahead + in->ahead_at, in->ahead_end - in->ahead_at);
        in->ahead_end -= in->ahead_at;
        in->ahead_at = 0;
    }
    while (in->ahead_end < want) {
        size_t got;
        enum pc_status status =
            decode(in, in->ahead + in->ahead_end, AHEAD_SIZE - in->ahead_end, &got, err);
        if (status)
            return status;
        if (got == 0)
            break;
        in->ahead_end += got;
    }
    *data = in->ahead;
    *size = in->ahead_end < want ? in->ahead_end : want;
    return PC_OK;
}

enum pc_status wv_input_read(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                             struct pc_error *err)
{
    size_t n = in->ahead_end - in->ahead_at;

    if (n > 0) {
        if (n > size)
            n = size;
        memcpy(to, in->ahead + in->ahead_at, n);
        in->ahead_at += n;
        *got = n;
        return PC_OK;
    }
    enum pc_status status = decode(in, to, size, &n, err);
    if (status)
        return status;
    *got = n;
    return n == 0 ? PC_END : PC_OK;
}

const char *wv_input_encoding(const struct wv_input *in)
{
    return in->encoding == GZIP ? "gzip" : in->encoding == ZSTD ? "zstd" : "plain";
}

void wv_input_progress(const struct wv_input *in, uint64_t *done, uint64_t *total)
{
    *done = in->consumed - (in->raw_end - in->raw_at);
    *total = in->file_size;
}

static enum pc_status hold(struct wv_input *in, const uint8_t **data, size_t *size,
                           struct pc_error *err)
{
    size_t used = 0;

    for (;;) {
        size_t got;
        if (used >= HOLD_LIMIT)
            return pc_fail(err, 506, "the input has more than 4 GiB, which would all be held");
        if (used == in->held_capacity &&
            !pc_grow(&in->alloc, (void **)&in->held, &in->held_capacity, used ? used + 1 : RAW_SIZE,
                     1))
            return pc_fail(err, 100, "not enough memory to hold the waveform");
        enum pc_status status =
            wv_input_read(in, in->held + used, in->held_capacity - used, &got, err);
        if (status == PC_END)
            break;
        if (status)
            return status;
        used += got;
    }
    *data = in->held;
    *size = used;
    return PC_OK;
}

enum pc_status wv_input_map(struct wv_input *in, const uint8_t **data, size_t *size,
                            struct pc_error *err)
{
    if (in->encoding != PLAIN || !in->regular || in->is_stdin || in->file_size > SIZE_MAX)
        return hold(in, data, size, err);
    in->mapped_size = (size_t)in->file_size;
    void *p = mmap(NULL, in->mapped_size, PROT_READ, MAP_PRIVATE, in->fd, 0);
    if (p == MAP_FAILED)
        return fail_io(err, "cannot map");
    in->mapped = p;
    *data = in->mapped;
    *size = in->mapped_size;
    return PC_OK;
}
