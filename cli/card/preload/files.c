/* SPDX-License-Identifier: MIT */
/*
 * libc's functions on open files: a mapping of resource0 is the card, and what is written to config
 * or to rom is taken by the card before the call returns.  What is interposed here has the types of
 * libc.
 */
#define _GNU_SOURCE
/* libc's functions as they are, not as headers rename or wrap them. */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The compiler must not take these for what they are called. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define PUBLIC __attribute__((visibility("default")))

static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found)
        card_give_up("libc lacks a function that the card needs");
    return found;
}
#define REAL(name)                                                                                 \
    static __typeof__(name) *function;                                                             \
    if (!function) {                                                                               \
        void *found = real(#name);                                                                 \
        memcpy(&function, &found, sizeof function);                                                \
    }

/* ---- writes ---- */

static ssize_t written(int file, ssize_t size)
{
    const int error = errno;
    const enum card_file which = size > 0 ? card_file_of(file) : CARD_FILE_OTHER;

    if (which == CARD_FILE_CONFIG || which == CARD_FILE_ROM)
        card_settle();
    errno = error;
    return size;
}

PUBLIC ssize_t write(int file, const void *data, size_t size)
{
    REAL(write)
    return written(file, function(file, data, size));
}

#define PWRITE(name, offset_type)                                                                  \
    PUBLIC ssize_t name(int file, const void *data, size_t size, offset_type offset)               \
    {                                                                                              \
        REAL(name)                                                                                 \
        return written(file, function(file, data, size, offset));                                  \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* ---- mappings ---- */

#define MMAP(name)                                                                                 \
    PUBLIC void *name(void *at, size_t length, int protection, int flags, int file,                \
                      __typeof__((off_t)0) offset)                                                 \
    {                                                                                              \
        REAL(name)                                                                                 \
        if (card_file_of(file) == CARD_FILE_BAR0)                                                  \
            return card_map(length, protection, (uint64_t)offset);                                 \
        return function(at, length, protection, flags, file, offset);                              \
    }
MMAP(mmap)
MMAP(mmap64)

PUBLIC int munmap(void *at, size_t length)
{
    REAL(munmap)
    card_unmap(at, length);
    return function(at, length);
}
