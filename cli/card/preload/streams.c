/* SPDX-License-Identifier: MIT */
/*
 * Streams of libc, which call the kernel themselves.  They hand large buffers to it, which may be
 * in BAR0; and what they read of resource0 would be zeros.
 */
#include "interpose.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

/* ---- streams of resource0 ---- */

static atomic_bool opened; /* one of them has been */

static FILE *seen(FILE *file)
{
    const int error = errno;

    if (file && card_file_of(fileno(file)) == CARD_FILE_BAR0)
        opened = true;
    errno = error;
    return file;
}

#define OPEN(name)                                                                                 \
    PUBLIC FILE *name(const char *path, const char *mode)                                          \
    {                                                                                              \
        REAL(name)                                                                                 \
        return seen(function(path, mode));                                                         \
    }
OPEN(fopen)
OPEN(fopen64)

PUBLIC FILE *fdopen(int file, const char *mode)
{
    REAL(fdopen)
    return seen(function(file, mode));
}

#define REOPEN(name)                                                                               \
    PUBLIC FILE *name(const char *path, const char *mode, FILE *file)                              \
    {                                                                                              \
        REAL(name)                                                                                 \
        return seen(function(path, mode, file));                                                   \
    }
REOPEN(freopen)
REOPEN(freopen64)

/* A read of it is an error, as that of its descriptor. */
static bool is_refused(FILE *file)
{
    if (!opened || card_file_of(fileno(file)) != CARD_FILE_BAR0)
        return false;
    file->_flags |= _IO_ERR_SEEN;
    errno = EIO;
    return true;
}

#define CHARACTER(name)                                                                            \
    PUBLIC int name(FILE *file)                                                                    \
    {                                                                                              \
        REAL_OF(#name, int(FILE *))                                                                \
        return is_refused(file) ? EOF : function(file);                                            \
    }
CHARACTER(fgetc)
#undef getc
CHARACTER(getc)
CHARACTER(_IO_getc)
CHARACTER(fgetc_unlocked)
CHARACTER(getc_unlocked)
CHARACTER(__uflow)

PUBLIC char *fgets(char *line, int size, FILE *file)
{
    REAL(fgets)
    return is_refused(file) ? NULL : function(line, size, file);
}

PUBLIC ssize_t getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict file)
{
    REAL(getdelim)
    return is_refused(file) ? -1 : function(line, size, end, file);
}
PUBLIC ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict file)
{
    return getdelim(line, size, '\n', file);
}

/* ---- buffers in BAR0 ---- */

static size_t read_pieces(uint8_t *data, size_t size, FILE *file,
                          size_t read(void *, size_t, size_t, FILE *))
{
    uint8_t piece[4096];
    size_t done = 0;

    while (done < size) {
        const size_t some = size - done < sizeof piece ? size - done : sizeof piece;
        const size_t got = read(piece, 1, some, file);
        memcpy(data + done, piece, got);
        done += got;
        if (got < some)
            break;
    }
    return done;
}

#define READ(name)                                                                                 \
    PUBLIC size_t name(void *data, size_t size, size_t count, FILE *file)                          \
    {                                                                                              \
        size_t whole;                                                                              \
        REAL_OF(#name, size_t(void *, size_t, size_t, FILE *))                                     \
        if (is_refused(file))                                                                      \
            return 0;                                                                              \
        if (size == 0 || __builtin_mul_overflow(size, count, &whole) ||                            \
            !card_is_mapped(data, whole))                                                          \
            return function(data, size, count, file);                                              \
        return read_pieces(data, whole, file, function) / size;                                    \
    }
#undef fread_unlocked
READ(fread)
READ(fread_unlocked)

PUBLIC size_t __fread_chk(void *data, size_t most, size_t size, size_t count, FILE *file)
{
    REAL_OF("__fread_chk", size_t(void *, size_t, size_t, size_t, FILE *))
    return is_refused(file) ? 0 : function(data, most, size, count, file);
}

PUBLIC size_t fwrite(const void *data, size_t size, size_t count, FILE *file)
{
    uint8_t piece[4096];
    size_t done = 0, whole;

    REAL(fwrite)
    if (size == 0 || __builtin_mul_overflow(size, count, &whole) || !card_is_mapped(data, whole))
        return function(data, size, count, file);
    while (done < whole) {
        const size_t some = whole - done < sizeof piece ? whole - done : sizeof piece;
        memcpy(piece, (const uint8_t *)data + done, some);
        const size_t put = function(piece, 1, some, file);
        done += put;
        if (put < some)
            break;
    }
    return done / size;
}
