/* SPDX-License-Identifier: MIT */
/*
 * libc's functions that transfer bytes.  A memory BAR's file is read and written by mapping it
 * alone: EIO.  What is written to config or to rom is taken by the card before the call returns.  A
 * buffer in BAR0 cannot be reached by the kernel (EFAULT); then it has a copy, in one piece, and
 * the card is accessed here.
 */
#include "interpose.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <fcntl.h>

/* ---- the card's files ---- */

/* Returns true if it is a transfer of BAR0's bytes. Then *result is what the function returns, else
 * 0 is there. */
static bool is_refused(enum card_file which, int file, size_t size, off_t at, bool write,
                       ssize_t *result)
{
    *result = 0;
    if (which != CARD_FILE_BAR0)
        return false;
    if (at < 0) /* that of the descriptor */
        at = lseek(file, 0, SEEK_CUR);
    if (at >= CARD_BAR0 && write) {
        errno = EFBIG;
        *result = -1;
    } else if (at < CARD_BAR0 && size > 0) {
        errno = EIO;
        *result = -1;
    }
    return true;
}

static enum card_file which_file(int file)
{
    const int error = errno;
    const enum card_file which = card_file_of(file);

    errno = error;
    return which;
}

static ssize_t written(enum card_file which, ssize_t size)
{
    const int error = errno;

    if (size > 0 && (which == CARD_FILE_CONFIG || which == CARD_FILE_ROM))
        card_settle();
    errno = error;
    return size;
}

/* ---- buffers in BAR0 ---- */

struct copy {
    const void *at;
    size_t size;
    uint8_t *bytes;
    bool write; /* to the card */
    bool done;
};

static void exchange(void *ctx)
{
    struct copy *c = ctx;

    c->done = card_exchange((uint64_t)(uintptr_t)c->at, c->size, c->write, c->bytes);
}

/* Makes a copy of a buffer that is in BAR0, with what is there if `filled`; false: it is not
 * there. */
static bool make_copy(const void *at, size_t size, bool filled, struct copy *out)
{
    const int error = errno;

    *out = (struct copy){ at, size, NULL, false, false };
    if (error == EFAULT && card_is_mapped(at, size)) {
        void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        out->bytes = room == MAP_FAILED ? NULL : room;
    }
    out->done = out->bytes && !filled;
    if (out->bytes && filled)
        card_in_peace(exchange, out);
    if (out->bytes && !out->done)
        munmap(out->bytes, size);
    errno = error;
    return out->done;
}

/* Sends what was read to the card. */
static ssize_t end_copy(struct copy *c, bool read, ssize_t got)
{
    const int error = errno;
    const size_t whole = c->size;

    if (read && got > 0) {
        c->size = (size_t)got;
        c->write = true;
        card_in_peace(exchange, c);
    }
    munmap(c->bytes, whole);
    errno = error;
    if (!read || c->done)
        return got;
    errno = EFAULT;
    return -1;
}

/* `got` is what the function returns, of a `size` at `data`. */
#define THROUGH_COPY(into, call, call_with_copy)                                                   \
    got = call;                                                                                    \
    struct copy copy;                                                                              \
    if (got == -1 && errno == EFAULT && make_copy(data, size, !(into), &copy))                     \
    got = end_copy(&copy, into, call_with_copy)

#define REFUSE(at, write)                                                                          \
    ssize_t got;                                                                                   \
    const enum card_file which = which_file(file);                                                 \
    if (is_refused(which, file, size, at, write, &got))                                            \
    return got

/* ---- read() and write() ---- */

PUBLIC ssize_t read(int file, void *data, size_t size)
{
    REAL(read)
    REFUSE(-1, false);
    THROUGH_COPY(true, function(file, data, size), function(file, copy.bytes, size));
    return got;
}
PUBLIC ssize_t __read_chk(int file, void *data, size_t size, size_t most)
{
    REAL_OF("__read_chk", ssize_t(int, void *, size_t, size_t))
    return size > most ? function(file, data, size, most) : read(file, data, size);
}

PUBLIC ssize_t write(int file, const void *data, size_t size)
{
    REAL(write)
    REFUSE(-1, true);
    THROUGH_COPY(false, function(file, data, size), function(file, copy.bytes, size));
    return written(which, got);
}

#define PREAD(name)                                                                                \
    PUBLIC ssize_t name(int file, void *data, size_t size, off_t at)                               \
    {                                                                                              \
        REAL(name)                                                                                 \
        if (at < 0)                                                                                \
            return function(file, data, size, at);                                                 \
        REFUSE(at, false);                                                                         \
        THROUGH_COPY(true, function(file, data, size, at), function(file, copy.bytes, size, at));  \
        return got;                                                                                \
    }                                                                                              \
    PUBLIC ssize_t __##name##_chk(int file, void *data, size_t size, off_t at, size_t most)        \
    {                                                                                              \
        REAL_OF("__" #name "_chk", ssize_t(int, void *, size_t, off_t, size_t))                    \
        return size > most ? function(file, data, size, at, most) : name(file, data, size, at);    \
    }
PREAD(pread)
PREAD(pread64)

#define PWRITE(name)                                                                               \
    PUBLIC ssize_t name(int file, const void *data, size_t size, off_t at)                         \
    {                                                                                              \
        REAL(name)                                                                                 \
        if (at < 0)                                                                                \
            return function(file, data, size, at);                                                 \
        REFUSE(at, true);                                                                          \
        THROUGH_COPY(false, function(file, data, size, at), function(file, copy.bytes, size, at)); \
        return written(which, got);                                                                \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

PUBLIC ssize_t send(int file, const void *data, size_t size, int flags)
{
    ssize_t got;

    REAL(send)
    THROUGH_COPY(false, function(file, data, size, flags), function(file, copy.bytes, size, flags));
    return got;
}
PUBLIC ssize_t recv(int file, void *data, size_t size, int flags)
{
    ssize_t got;

    REAL(recv)
    THROUGH_COPY(true, function(file, data, size, flags), function(file, copy.bytes, size, flags));
    return got;
}

/* ---- many buffers: not made of copies ---- */

static ssize_t tell(ssize_t got, const struct iovec *list, int count)
{
    const int error = errno;

    for (int i = 0; got == -1 && error == EFAULT && i < count; i++)
        if (card_is_mapped(list[i].iov_base, list[i].iov_len))
            card_say("readv() and writev() do not reach a buffer in BAR0 (EFAULT); read() and "
                     "write() do");
    errno = error;
    return got;
}

static size_t size_of(const struct iovec *list, int count)
{
    size_t size = 0;

    for (int i = 0; i < count; i++)
        size += list[i].iov_len;
    return size;
}

#define VECTOR(name, write)                                                                        \
    PUBLIC ssize_t name(int file, const struct iovec *list, int count)                             \
    {                                                                                              \
        const size_t size = size_of(list, count);                                                  \
        REAL(name)                                                                                 \
        REFUSE(-1, write);                                                                         \
        got = tell(function(file, list, count), list, count);                                      \
        return (write) ? written(which, got) : got;                                                \
    }
VECTOR(readv, false)
VECTOR(writev, true)

#define PVECTOR(name, write)                                                                       \
    PUBLIC ssize_t name(int file, const struct iovec *list, int count, off_t at)                   \
    {                                                                                              \
        const size_t size = size_of(list, count);                                                  \
        REAL(name)                                                                                 \
        if (at < 0)                                                                                \
            return function(file, list, count, at);                                                \
        REFUSE(at, write);                                                                         \
        got = tell(function(file, list, count, at), list, count);                                  \
        return (write) ? written(which, got) : got;                                                \
    }
PVECTOR(preadv, false)
PVECTOR(preadv64, false)
PVECTOR(pwritev, true)
PVECTOR(pwritev64, true)

/* With flags; at -1 the place is that of the descriptor. */
#define PVECTOR2(name, write)                                                                      \
    PUBLIC ssize_t name(int file, const struct iovec *list, int count, off_t at, int flags)        \
    {                                                                                              \
        const size_t size = size_of(list, count);                                                  \
        REAL(name)                                                                                 \
        REFUSE(at, write);                                                                         \
        got = tell(function(file, list, count, at, flags), list, count);                           \
        return (write) ? written(which, got) : got;                                                \
    }
PVECTOR2(preadv2, false)
PVECTOR2(preadv64v2, false)
PVECTOR2(pwritev2, true)
PVECTOR2(pwritev64v2, true)

/* ---- from file to file, within the kernel ---- */

static bool is_either(int from, int to)
{
    const bool either = card_file_of(from) == CARD_FILE_BAR0 || card_file_of(to) == CARD_FILE_BAR0;

    if (either)
        errno = EINVAL;
    return either;
}

PUBLIC ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size,
                               unsigned flags)
{
    REAL(copy_file_range)
    return is_either(from, to) ? -1 : function(from, from_at, to, to_at, size, flags);
}
PUBLIC ssize_t splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t size,
                      unsigned flags)
{
    REAL(splice)
    return is_either(from, to) ? -1 : function(from, from_at, to, to_at, size, flags);
}

#define SENDFILE(name)                                                                             \
    PUBLIC ssize_t name(int to, int from, off_t *at, size_t size)                                  \
    {                                                                                              \
        REAL(name)                                                                                 \
        return is_either(from, to) ? -1 : function(to, from, at, size);                            \
    }
SENDFILE(sendfile)
SENDFILE(sendfile64)

/* ---- holes: it has none that could be left out ---- */

#define LSEEK(name)                                                                                \
    PUBLIC off_t name(int file, off_t at, int from)                                                \
    {                                                                                              \
        REAL(name)                                                                                 \
        if ((from == SEEK_DATA || from == SEEK_HOLE) && card_file_of(file) == CARD_FILE_BAR0) {    \
            errno = EINVAL;                                                                        \
            return -1;                                                                             \
        }                                                                                          \
        return function(file, at, from);                                                           \
    }
LSEEK(lseek)
LSEEK(lseek64)
