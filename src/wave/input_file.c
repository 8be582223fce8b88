/* SPDX-License-Identifier: MIT */
#include "wave/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 100 /* between questions whether a silent pipe is still wanted */

_Static_assert(sizeof(off_t) == 8, "files of more than 2 GB: _FILE_OFFSET_BITS (CMakeLists.txt)");

static enum pc_status fail_io(struct pc_error *err, const char *doing)
{
    char why[100];
    int number = errno;

    if (strerror_r(number, why, sizeof why) != 0)
        why[0] = '\0';
    return pc_fail(err, 501, "%s: %s", doing, why);
}

/* Fails because the file ends at `at`, and did not when it was opened. */
static enum pc_status fail_shorter(const struct wv_file *f, uint64_t at, struct pc_error *err)
{
    return pc_fail_byte(err, 508, at, "the file had %llu bytes when it was opened",
                        (unsigned long long)f->size);
}

/* The descriptor is there. */
static enum pc_status look(struct wv_file *f, struct pc_error *err)
{
    struct stat st;

    if (fstat(f->fd, &st) != 0)
        return fail_io(err, "cannot open");
    f->regular = S_ISREG(st.st_mode);
    f->socket = S_ISSOCK(st.st_mode);
    if (S_ISFIFO(st.st_mode))
        wv_pipe_widen(f->fd);
    if (f->regular && st.st_size > 0)
        f->size = (uint64_t)st.st_size;
    return PC_OK;
}

enum pc_status wv_file_open(struct wv_file *f, const char *path, struct pc_error *err)
{
    f->is_stdin = f->borrowed = strcmp(path, "-") == 0;
    f->fd = f->is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return pc_fail(err, 500, "file not found: %s", path);
    return f->fd < 0 ? fail_io(err, "cannot open") : look(f, err);
}

enum pc_status wv_file_take(struct wv_file *f, int socket, struct pc_error *err)
{
    f->fd = socket;
    f->borrowed = true;
    return look(f, err);
}

void wv_file_close(struct wv_file *f)
{
    if (f->fd >= 0 && !f->borrowed)
        close(f->fd);
    f->fd = -1;
}

/* false: the bytes are not wanted any more. */
static bool wait_for_bytes(const struct wv_file *f)
{
    struct pollfd p = { .fd = f->fd, .events = POLLIN };

    while (f->wanted(f->wanted_ctx))
        if (poll(&p, 1, WAIT_MS) != 0)
            return true;
    return false;
}

bool wv_file_waits(const struct wv_file *f)
{
    struct pollfd p = { .fd = f->fd, .events = POLLIN };

    return !f->regular && poll(&p, 1, 0) == 0;
}

enum pc_status wv_file_answer(const struct wv_file *f, const uint8_t *data, size_t size,
                              struct pc_error *err)
{
    while (f->socket && size > 0) {
        const ssize_t n = send(f->fd, data, size, MSG_NOSIGNAL);
        if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
            return PC_OK;
        if (n < 0 && errno != EINTR)
            return fail_io(err, "cannot answer");
        data += n < 0 ? 0 : n;
        size -= n < 0 ? 0 : (size_t)n;
    }
    return PC_OK;
}

enum pc_status wv_file_read(struct wv_file *f, uint8_t *to, size_t size, size_t *got,
                            struct pc_error *err)
{
    const bool has_places = wv_file_has_places(f);
    ssize_t n;

    *got = 0;
    if (f->wanted && !f->regular && !wait_for_bytes(f))
        return PC_OK;
    do
        n = has_places ? pread(f->fd, to, size, (off_t)f->consumed) : read(f->fd, to, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return fail_io(err, "cannot read");
    if (n == 0 && has_places && f->consumed < f->size)
        return fail_shorter(f, f->consumed, err);
    f->consumed += (size_t)n;
    *got = (size_t)n;
    return PC_OK;
}

enum pc_status wv_file_read_at(const struct wv_file *f, uint64_t at, uint8_t *to, size_t size,
                               size_t *got, struct pc_error *err)
{
    *got = 0;
    while (*got < size) {
        ssize_t n = pread(f->fd, to + *got, size - *got, (off_t)(at + *got));
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

enum pc_status wv_file_take_at(const struct wv_file *f, uint64_t at, uint8_t *to, size_t size,
                               struct pc_error *err)
{
    size_t got;
    enum pc_status status = wv_file_read_at(f, at, to, size, &got, err);

    if (status || got == size)
        return status;
    return fail_shorter(f, at + got, err);
}
