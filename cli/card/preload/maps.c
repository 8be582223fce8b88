/* SPDX-License-Identifier: MIT */
/*
 * Mappings of BAR0.  The kernel has them: each is of a file that has no bytes (nor has the card's
 * file, but for its size), so that the kernel sends SIGBUS for each access that the mapping's
 * protection allows, and SIGSEGV for others. Addresses, MAP_FIXED, mprotect(), mremap(), parts, and
 * fork() are what the kernel makes of them; nowhere is there memory that an access could reach.
 * What is mapped where is read in /proc/self/maps, and remembered until a call changes it.
 */
#include "interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HOLE "pcounter-bar0"

enum { PAGE = 4096, TABLE = 2 << 20 /* bytes that a table of pages is for */, KNOWN = 4096 };

static struct card_map known[KNOWN];
static size_t count;
static unsigned seen; /* of `changes`, when they were read */
static atomic_uint changes;

/* Mappings of BAR0 have been within these. */
static _Atomic uintptr_t low = UINTPTR_MAX, high;

static bool may_be_card(uintptr_t from, size_t length)
{
    return from < atomic_load(&high) && from + length > atomic_load(&low);
}

/* A call has changed what is there. */
static void changed(const void *at, size_t length)
{
    if (may_be_card((uintptr_t)at, length))
        atomic_fetch_add(&changes, 1);
}

static void widen(uintptr_t at, uintptr_t end)
{
    uintptr_t from = atomic_load(&low), to = atomic_load(&high);

    while (at < from && !atomic_compare_exchange_weak(&low, &from, at))
        ;
    while (end > to && !atomic_compare_exchange_weak(&high, &to, end))
        ;
}

static void now_card(const void *at, size_t length)
{
    widen((uintptr_t)at, (uintptr_t)at + length);
    atomic_fetch_add(&changes, 1);
}

/* ---- what is where ---- */

/* "from-to rwxs offset device inode name"; the name is that of what is mapped here, or of the
 * card's file, if the program has called the kernel itself. */
static bool read_line(const char *line, struct card_map *out)
{
    const char *file = strstr(line, CARD_FOLDER "/resource0");
    char *end;

    if (!strstr(line, "/memfd:" HOLE " ") && !(file && strcmp(file, CARD_FOLDER "/resource0") == 0))
        return false;
    out->from = strtoull(line, &end, 16);
    out->to = strtoull(end + 1, &end, 16);
    out->protection = (end[1] == 'r' ? PROT_READ : 0) | (end[2] == 'w' ? PROT_WRITE : 0);
    out->shared = end[4] == 's';
    out->offset = strtoull(end + 5, NULL, 16);
    return true;
}

static void take_line(const char *line, uintptr_t at, struct card_map *out, bool *found)
{
    struct card_map map;

    if (!read_line(line, &map))
        return;
    if (at >= map.from && at < map.to) {
        *out = map;
        *found = true;
    }
    widen(map.from, map.to);
    if (count < KNOWN)
        known[count++] = map;
}

/* Reads all mappings; of more than KNOWN, those beyond are read again for each access. */
static bool read_maps(uintptr_t at, struct card_map *out)
{
    char text[8192 + 1];
    size_t have = 0;
    bool found = false;
    ssize_t got;

    count = 0;
    seen = atomic_load(&changes);
    const int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        card_give_up("/proc/self/maps cannot be read, which says where BAR0 is mapped");
    while ((got = syscall(SYS_read, file, text + have, sizeof text - 1 - have)) > 0) {
        char *line = text, *end;
        have += (size_t)got;
        text[have] = '\0';
        while ((end = strchr(line, '\n'))) {
            *end = '\0';
            take_line(line, at, out, &found);
            line = end + 1;
        }
        have -= (size_t)(line - text);
        memmove(text, line, have);
    }
    syscall(SYS_close, file);
    return found;
}

bool card_map_find(uintptr_t at, struct card_map *out)
{
    size_t from = 0, to = count;

    if (seen != atomic_load(&changes))
        return read_maps(at, out);
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (at >= known[middle].to)
            from = middle + 1;
        else
            to = middle;
    }
    if (from < count && at >= known[from].from) {
        *out = known[from];
        return true;
    }
    return read_maps(at, out);
}

struct question {
    uintptr_t at;
    struct card_map map;
    bool found;
};

static void ask(void *ctx)
{
    struct question *q = ctx;

    q->found = card_map_find(q->at, &q->map);
}

bool card_is_mapped(const void *at, size_t length)
{
    struct question q = { .at = (uintptr_t)at };

    if (!may_be_card(q.at, length))
        return false;
    card_in_peace(ask, &q);
    return q.found;
}

/* ---- mmap ---- */

/* Returns a descriptor of the file that has no bytes, which may what `mode` says. */
static int open_hole(int all, int mode)
{
    char path[40];

    if (mode == O_RDWR)
        return all;
    snprintf(path, sizeof path, "/proc/self/fd/%d", all);
    return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/*
 * For speed alone: a fault is dearer where there is no table of pages yet, as the kernel prepares
 * one each time.  So there are pages for a moment.
 */
static void make_tables(int file, const uint8_t *at, size_t length)
{
    const rlim_t size = CARD_BAR0;
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < size ||
        ftruncate(file, CARD_BAR0) != 0)
        return;
#ifdef MADV_POPULATE_READ
    const uint8_t *end = at + length;
    for (; at < end; at += TABLE - (uintptr_t)at % TABLE)
        (void)madvise((void *)(uintptr_t)at, PAGE, MADV_POPULATE_READ);
#else
    (void)at, (void)length;
#endif
    if (ftruncate(file, 0) != 0)
        card_give_up("BAR0 cannot be mapped without memory behind it");
}

/* Returns what open() was asked for, or -1 with errno, as the kernel does before it maps a device.
 */
static int mode_for(int file, int protection, int flags)
{
    const int status = fcntl(file, F_GETFL);
    const bool shared = (flags & MAP_TYPE) != MAP_PRIVATE;

    if (status < 0)
        return -1;
    if (status & O_PATH) {
        errno = EBADF;
        return -1;
    }
    const int mode = status & O_ACCMODE;
    if (mode == O_WRONLY || (mode == O_RDONLY && shared && protection & PROT_WRITE)) {
        errno = EACCES;
        return -1;
    }
    return mode;
}

typedef void *mmap_fn(void *at, size_t length, int protection, int flags, int file, off_t offset);

static void *map_card(mmap_fn *map, void *want, size_t length, int protection, int flags, int file,
                      uint64_t offset)
{
    const size_t whole = (length + PAGE - 1) / PAGE * PAGE;
    const int mode = mode_for(file, protection, flags);

    if (mode < 0)
        return MAP_FAILED;
    if (length == 0 || offset % PAGE || offset > CARD_BAR0 || whole > CARD_BAR0 - offset) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    const int all = memfd_create(HOLE, MFD_CLOEXEC);
    const int hole = all < 0 ? -1 : open_hole(all, mode);
    uint8_t *at = MAP_FAILED;
    if (hole >= 0) {
        card_signals_take();
        at = map(want, length, protection, flags, hole, (off_t)offset);
    }
    const int error = errno;
    if (at != MAP_FAILED) {
        if (protection & PROT_READ)
            make_tables(all, at, whole);
        now_card(at, whole);
    }
    if (hole >= 0 && hole != all)
        close(hole);
    if (all >= 0)
        close(all);
    errno = error;
    return at;
}

#define MMAP(name)                                                                                 \
    PUBLIC void *name(void *want, size_t length, int protection, int flags, int file,              \
                      __typeof__((off_t)0) offset)                                                 \
    {                                                                                              \
        REAL(name)                                                                                 \
        if (!(flags & MAP_ANONYMOUS) && card_file_of(file) == CARD_FILE_BAR0)                      \
            return map_card(function, want, length, protection, flags, file, (uint64_t)offset);    \
        void *at = function(want, length, protection, flags, file, offset);                        \
        if (at != MAP_FAILED)                                                                      \
            changed(at, length);                                                                   \
        return at;                                                                                 \
    }
MMAP(mmap)
MMAP(mmap64)

/* ---- what changes mappings ---- */

PUBLIC int munmap(void *at, size_t length)
{
    REAL(munmap)
    const int result = function(at, length);

    changed(at, length);
    return result;
}

PUBLIC int mprotect(void *at, size_t length, int protection)
{
    REAL(mprotect)
    const int result = function(at, length, protection);

    changed(at, length);
    return result;
}

PUBLIC int pkey_mprotect(void *at, size_t length, int protection, int key)
{
    REAL(pkey_mprotect)
    const int result = function(at, length, protection, key);

    changed(at, length);
    return result;
}

/* A mapping of a device does not grow, nor does it leave anything behind. */
PUBLIC void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
    REAL(mremap)
    const bool card = card_is_mapped(old, old_size);
    void *want = NULL;
    va_list args;

    if (flags & MREMAP_FIXED) {
        va_start(args, flags);
        want = va_arg(args, void *);
        va_end(args);
    }
    const size_t whole = (old_size + PAGE - 1) / PAGE * PAGE;
    if (card && (size > whole || flags & ~(MREMAP_MAYMOVE | MREMAP_FIXED))) {
        errno = size > whole ? EFAULT : EINVAL;
        return MAP_FAILED;
    }
    void *at = function(old, old_size, size, flags, want);
    if (at == MAP_FAILED)
        return at;
    changed(old, old_size);
    changed(at, size);
    if (card)
        now_card(at, size);
    return at;
}
