/* SPDX-License-Identifier: MIT */
/*
 * Mappings of BAR0.  The kernel has them: each is of a file that has no bytes (nor has the card's
 * file, but for its size), so that no access finds memory.  Addresses, MAP_FIXED, mremap(), parts,
 * and fork() are what the kernel makes of them.  What is mapped where is read in /proc/self/maps,
 * and remembered until a call changes it.
 *
 * What the mapping's protection allows would be SIGBUS, and all else is SIGSEGV.  As SIGSEGV comes
 * sooner where nothing is allowed at all, mappings are closed once the kernel has taken them, and
 * their offset in the file says what the program may do there.
 */
#include "interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HOLE "pcounter-bar0"

enum { PAGE = 4096, KNOWN = 4096 };

/* An offset in the file: that of BAR0, PROT_READ and so on, and these */
enum { PROTECTION_AT = 32, READ_ONLY = 8 /* the descriptor was */, CLOSED = 16 };

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

/* Reads "from-to rwxs offset device inode name"; the name is that of what is mapped here, or of the
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
    const bool closed = strncmp(end + 1, "---", 3) == 0;
    out->shared = end[4] == 's';
    out->offset = strtoull(end + 5, NULL, 16);
    const unsigned code = (unsigned)(out->offset >> PROTECTION_AT);
    out->offset &= (UINT64_C(1) << PROTECTION_AT) - 1;
    out->read_only = code & READ_ONLY;
    if (closed && code & CLOSED)
        out->protection = (int)code & (PROT_READ | PROT_WRITE);
    return true;
}

static void take_line(const char *line, uintptr_t at, const struct card_map **found)
{
    static struct card_map last; /* of those that are not kept */
    struct card_map map;

    if (!read_line(line, &map))
        return;
    widen(map.from, map.to);
    const bool there = at >= map.from && at < map.to;
    if (count < KNOWN) {
        known[count] = map;
        *found = there ? &known[count] : *found;
        count++;
    } else if (there) {
        last = map;
        *found = &last;
    }
}

/* Reads all mappings, and returns the one that is there; of more than KNOWN, those beyond are read
 * again for each access. */
static const struct card_map *read_maps(uintptr_t at)
{
    const struct card_map *found = NULL;
    char text[8192 + 1];
    size_t have = 0;
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
            take_line(line, at, &found);
            line = end + 1;
        }
        have -= (size_t)(line - text);
        memmove(text, line, have);
    }
    syscall(SYS_close, file);
    return found;
}

const struct card_map *card_map_find(uintptr_t at)
{
    size_t from = 0, to = count;

    if (seen != atomic_load(&changes))
        return read_maps(at);
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (at >= known[middle].to)
            from = middle + 1;
        else
            to = middle;
    }
    return from < count && at >= known[from].from ? &known[from] : read_maps(at);
}

struct question {
    uintptr_t at;
    bool found;
};

static void ask(void *ctx)
{
    struct question *q = ctx;

    q->found = card_map_find(q->at) != NULL;
}

bool card_may_be_mapped(const void *at)
{
    return may_be_card((uintptr_t)at, 1);
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

/* Returns a descriptor of a file that has no bytes, which may what `mode` says; -1 with errno. */
static int open_hole(int mode)
{
    const int all = memfd_create(HOLE, MFD_CLOEXEC);
    char path[40];

    if (all < 0 || mode == O_RDWR)
        return all;
    snprintf(path, sizeof path, "/proc/self/fd/%d", all);
    const int hole = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    const int error = errno;
    syscall(SYS_close, all);
    errno = error;
    return hole;
}

static off_t coded(uint64_t offset, int protection, int mode)
{
    const int code =
        CLOSED | (mode == O_RDONLY ? READ_ONLY : 0) | (protection & (PROT_READ | PROT_WRITE));

    return (off_t)(offset | (uint64_t)code << PROTECTION_AT);
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
    const int hole = open_hole(mode);
    if (hole < 0)
        return MAP_FAILED;
    card_signals_take();
    void *at = map(want, length, protection, flags, hole, coded(offset, protection, mode));
    const int error = errno;
    if (at != MAP_FAILED) {
        if (!(protection & PROT_EXEC)) /* else it ends by what it runs */
            syscall(SYS_mprotect, at, whole, PROT_NONE);
        now_card(at, whole);
    }
    syscall(SYS_close, hole);
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

struct change {
    uintptr_t from, to;
    int protection;
};

/* Maps a part again, with another code. */
static bool map_again(const struct card_map *map, uintptr_t from, uintptr_t to, int protection)
{
    const int mode = map->read_only ? O_RDONLY : O_RDWR;
    const int flags = MAP_FIXED | (map->shared ? MAP_SHARED : MAP_PRIVATE);
    const int hole = open_hole(mode);
    const off_t offset = coded(map->offset + (from - map->from), protection, mode);

    if (hole < 0)
        return false;
    const long at = syscall(SYS_mmap, from, to - from, PROT_NONE, flags, hole, offset);
    syscall(SYS_close, hole);
    return at != -1;
}

/* The kernel has allowed it: closes what is BAR0 of it again. */
static void close_again(void *ctx)
{
    const struct change *c = ctx;

    (void)read_maps(0);
    if (count == KNOWN)
        card_give_up("mprotect() of BAR0 with more than 4095 mappings of it");
    for (size_t i = 0; i < count; i++) {
        const uintptr_t from = known[i].from > c->from ? known[i].from : c->from;
        const uintptr_t to = known[i].to < c->to ? known[i].to : c->to;
        if (from < to && !map_again(&known[i], from, to, c->protection) && !c->protection)
            card_give_up("mprotect() of BAR0 found no room for another mapping");
    }
    atomic_fetch_add(&changes, 1);
}

/* Keys are the kernel's: what has one stays open, but for SIGBUS. */
static int protected(int result, const void *at, size_t length, int protection, int key)
{
    struct change c = { (uintptr_t)at, (uintptr_t)at + length, protection };
    const int error = errno;

    if (result != 0 || !may_be_card(c.from, length))
        return result;
    changed(at, length);
    if (!(protection & PROT_EXEC) && (key < 0 || !protection))
        card_in_peace(close_again, &c);
    errno = error;
    return result;
}

PUBLIC int mprotect(void *at, size_t length, int protection)
{
    REAL(mprotect)
    return protected(function(at, length, protection), at, length, protection, -1);
}

PUBLIC int pkey_mprotect(void *at, size_t length, int protection, int key)
{
    REAL(pkey_mprotect)
    return protected(function(at, length, protection, key), at, length, protection, key);
}

/* A mapping of a device neither grows nor leaves a part. */
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
