/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a waveform: a file, or standard input for "-", decompressed on the way if it is
 * gzip or zstd (input_decode.c), from a megabyte on by a thread of its own (input_ring.c).
 * Memory is bounded, and nothing is put on disk.
 */
#include "wave/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RING_WORTH ((uint64_t)1 << 20)  /* bytes, before a thread is started */
#define HOLD_LIMIT ((size_t)UINT32_MAX) /* of an input that has to be held whole */

_Static_assert(sizeof(off_t) == 8, "files of more than 2 GB: _FILE_OFFSET_BITS (CMakeLists.txt)");

static enum pc_status fail_io(struct pc_error *err, const char *doing)
{
    char why[100];
    int number = errno;

    if (strerror_r(number, why, sizeof why) != 0)
        why[0] = '\0';
    return pc_fail(err, 501, "%s: %s", doing, why);
}

/* The file ends at `at`, and did not when it was opened. */
static enum pc_status fail_shorter(const struct wv_input *in, uint64_t at, struct pc_error *err)
{
    return pc_fail_byte(err, 508, at, "the file had %llu bytes when it was opened",
                        (unsigned long long)in->file_size);
}

/* Reads up to `size` bytes from the descriptor; *got is 0 at the end only. */
enum pc_status wv_input_fetch(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                              struct pc_error *err)
{
    ssize_t n;

    *got = 0;
    if (in->ring && !in->regular && !wv_ring_wait_input(in->ring, in->fd))
        return PC_OK;
    do
        n = in->regular && !in->is_stdin ? pread(in->fd, to, size, (off_t)in->consumed)
                                         : read(in->fd, to, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return fail_io(err, "cannot read");
    if (n == 0 && in->regular && !in->is_stdin && in->consumed < in->file_size)
        return fail_shorter(in, in->consumed, err);
    in->consumed += (size_t)n;
    *got = (size_t)n;
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
    if (S_ISFIFO(st.st_mode))
        wv_input_widen(in);
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
    in->alone = desc->threads == 1;
    in->maps = desc->maps;
    in->raw = alloc.resize(alloc.ctx, NULL, 0, RAW_SIZE);
    in->ahead = alloc.resize(alloc.ctx, NULL, 0, AHEAD_SIZE);
    enum pc_status status = PC_OK;
    if (!in->raw || !in->ahead)
        status = pc_fail(err, 100, "not enough memory to open a waveform");
    if (status == PC_OK)
        status = open_fd(in, desc->path, err);
    if (status == PC_OK)
        status = wv_decode_start(in, err);
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
    wv_ring_stop(in);
    wv_map_end(in);
    wv_decode_end(in);
    if (in->fd >= 0 && !in->is_stdin)
        close(in->fd);
    pc_free(&alloc, in->held, in->held_capacity);
    pc_free(&alloc, in->raw, RAW_SIZE);
    pc_free(&alloc, in->ahead, AHEAD_SIZE);
    pc_free(&alloc, in, sizeof *in);
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
            wv_decode(in, in->ahead + in->ahead_end, AHEAD_SIZE - in->ahead_end, &got, err);
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
    if (!in->ring && in->encoding != PLAIN && !in->alone && in->decoder_out >= RING_WORTH)
        wv_ring_start(in);
    enum pc_status status =
        in->ring ? wv_ring_read(in->ring, to, size, &n, err) : wv_decode(in, to, size, &n, err);
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
    *done = in->ring ? wv_ring_consumed(in->ring) : in->consumed - (in->raw_end - in->raw_at);
    *total = in->file_size;
}

enum pc_status wv_input_hold(struct wv_input *in, const uint8_t **data, size_t *size,
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

uint64_t wv_input_extent(const struct wv_input *in)
{
    return in->encoding == PLAIN && in->regular && !in->is_stdin ? in->file_size : 0;
}

enum pc_status wv_input_read_at(const struct wv_input *in, uint64_t at, uint8_t *to, size_t size,
                                size_t *got, struct pc_error *err)
{
    *got = 0;
    while (*got < size) {
        ssize_t n = pread(in->fd, to + *got, size - *got, (off_t)(at + *got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_io(err, "cannot read");
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    return PC_OK;
}

enum pc_status wv_input_take_at(const struct wv_input *in, uint64_t at, uint8_t *to, size_t size,
                                struct pc_error *err)
{
    size_t got;
    enum pc_status status = wv_input_read_at(in, at, to, size, &got, err);

    if (status || got == size)
        return status;
    return fail_shorter(in, at + got, err);
}

enum pc_status wv_input_seek(struct wv_input *in, uint64_t at, struct pc_error *err)
{
    (void)err;
    in->raw_at = in->raw_end = in->ahead_at = in->ahead_end = 0;
    in->consumed = at;
    return PC_OK;
}
