/* SPDX-License-Identifier: MIT */
/*
 * libc's functions on paths and mappings: what begins with /sys/bus/pci or /sys/devices/pci leads
 * to the card's files, and a mapping of its resource0 is the card.  What is interposed here has the
 * types of libc.
 */
#define _GNU_SOURCE
/* libc's functions as they are, not as headers rename or wrap them. */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include "preload.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

static const char *moved(const char *path, char room[PATH_MAX])
{
    const char *root = getenv(CARD_ROOT);

    if (!path || !root ||
        (strncmp(path, "/sys/bus/pci", 12) != 0 && strncmp(path, "/sys/devices/pci", 16) != 0))
        return path;
    snprintf(room, PATH_MAX, "%s%s", root, path);
    return room;
}

/* ---- open ---- */

#define OPEN(name)                                                                                 \
    PUBLIC int name(const char *path, int flags, ...)                                              \
    {                                                                                              \
        REAL(name)                                                                                 \
        char room[PATH_MAX];                                                                       \
        va_list args;                                                                              \
        mode_t mode = 0;                                                                           \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                       \
            va_start(args, flags);                                                                 \
            mode = va_arg(args, mode_t);                                                           \
            va_end(args);                                                                          \
        }                                                                                          \
        return function(moved(path, room), flags, mode);                                           \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
    PUBLIC int name(int folder, const char *path, int flags, ...)                                  \
    {                                                                                              \
        REAL(name)                                                                                 \
        char room[PATH_MAX];                                                                       \
        va_list args;                                                                              \
        mode_t mode = 0;                                                                           \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                       \
            va_start(args, flags);                                                                 \
            mode = va_arg(args, mode_t);                                                           \
            va_end(args);                                                                          \
        }                                                                                          \
        return function(folder, moved(path, room), flags, mode);                                   \
    }
OPENAT(openat)
OPENAT(openat64)

/* With _FORTIFY_SOURCE and no mode. */
PUBLIC int __open_2(const char *path, int flags)
{
    return open(path, flags);
}
PUBLIC int __open64_2(const char *path, int flags)
{
    return open64(path, flags);
}
PUBLIC int __openat_2(int folder, const char *path, int flags)
{
    return openat(folder, path, flags);
}
PUBLIC int __openat64_2(int folder, const char *path, int flags)
{
    return openat64(folder, path, flags);
}

#define FOPEN(name)                                                                                \
    PUBLIC FILE *name(const char *path, const char *mode)                                          \
    {                                                                                              \
        REAL(name)                                                                                 \
        char room[PATH_MAX];                                                                       \
        return function(moved(path, room), mode);                                                  \
    }
FOPEN(fopen)
FOPEN(fopen64)

/* ---- what a path is ---- */

#define STAT(name, type)                                                                           \
    PUBLIC int name(const char *path, struct type *out)                                            \
    {                                                                                              \
        REAL(name)                                                                                 \
        char room[PATH_MAX];                                                                       \
        return function(moved(path, room), out);                                                   \
    }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

#define FSTATAT(name, type)                                                                        \
    PUBLIC int name(int folder, const char *path, struct type *out, int flags)                     \
    {                                                                                              \
        REAL(name)                                                                                 \
        char room[PATH_MAX];                                                                       \
        return function(folder, moved(path, room), out, flags);                                    \
    }
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

PUBLIC int access(const char *path, int mode)
{
    REAL(access)
    char room[PATH_MAX];
    return function(moved(path, room), mode);
}
PUBLIC int faccessat(int folder, const char *path, int mode, int flags)
{
    REAL(faccessat)
    char room[PATH_MAX];
    return function(folder, moved(path, room), mode, flags);
}
PUBLIC DIR *opendir(const char *path)
{
    REAL(opendir)
    char room[PATH_MAX];
    return function(moved(path, room));
}
PUBLIC ssize_t readlink(const char *path, char *out, size_t size)
{
    REAL(readlink)
    char room[PATH_MAX];
    return function(moved(path, room), out, size);
}

#define SCANDIR(name, type)                                                                        \
    PUBLIC int name(const char *path, struct type ***out, int (*wanted)(const struct type *),      \
                    int (*order)(const struct type **, const struct type **))                      \
    {                                                                                              \
        REAL(name)                                                                                 \
        char room[PATH_MAX];                                                                       \
        return function(moved(path, room), out, wanted, order);                                    \
    }
SCANDIR(scandir, dirent)
SCANDIR(scandir64, dirent64)

/* ---- mappings ---- */

/* Is the file BAR0 of the card? */
static bool is_bar0(int file)
{
    const char *root = getenv(CARD_ROOT);
    struct stat mine, there;
    char path[PATH_MAX];

    if (file < 0 || !root)
        return false;
    REAL(stat)
    snprintf(path, sizeof path, "%s/sys/bus/pci/devices/0000:01:00.0/resource0", root);
    return fstat(file, &mine) == 0 && function(path, &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

#define MMAP(name)                                                                                 \
    PUBLIC void *name(void *at, size_t length, int protection, int flags, int file,                \
                      __typeof__((off_t)0) offset)                                                 \
    {                                                                                              \
        REAL(name)                                                                                 \
        if (card_is_here() && is_bar0(file))                                                       \
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
