/* SPDX-License-Identifier: MIT */
/*
 * Mapped files, and the place where a caller's signal handler finds them.  A map is noted before
 * it is looked at, and stays noted as long as it is there.  The whole file is mapped; what the
 * reader is past is let go now and then, so that it takes no memory.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise */
#include "wave/input_map.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAPS     64                  /* at once; files beyond these are read */
#define LET_GO   ((uint64_t)1 << 22) /* bytes at a time */
#define ASKED    ((uint64_t)1 << 23) /* of the disk, ahead of what is let go */
#define COLLAPSE 25                  /* MADV_COLLAPSE, which not every libc has */
#define LONGEST  (SIZE_MAX >> 8)     /* of a file that is mapped: addresses for many of them */

struct wv_map {
    /* Of any thread, whose fault the handler looks up. */
    _Atomic(uintptr_t) begin; /* 0: free */
    _Atomic(uintptr_t) end;
    atomic_bool taken, gone;

    /* Of the reader. */
    uint8_t *bytes;
    uint64_t size, past; /* of which `past` in front have been let go */
    bool asks;           /* the disk for what comes next */
};

struct pc_wave_maps {
    struct pc_alloc alloc;
    uintptr_t page;
    struct wv_map map[MAPS];
};

enum pc_status pc_wave_maps_create(const struct pc_alloc *alloc, struct pc_wave_maps **out,
                                   struct pc_error *err)
{
    struct pc_alloc a = pc_alloc_or_libc(alloc);
    struct pc_wave_maps *maps;

    if (!out)
        return pc_fail(err, 530, "pc_wave_maps_create needs a place for its result");
    maps = pc_calloc(&a, 1, sizeof *maps);
    if (!maps)
        return pc_fail(err, 100, "not enough memory for a list of maps");
    maps->alloc = a;
    maps->page = (uintptr_t)sysconf(_SC_PAGESIZE);
    *out = maps;
    return PC_OK;
}

void pc_wave_maps_destroy(struct pc_wave_maps *maps)
{
    if (!maps)
        return;
    struct pc_alloc a = maps->alloc;
    pc_free(&a, maps, sizeof *maps);
}

/* Calls nothing but mmap(), which is a system call and no more. */
bool pc_wave_maps_mend(struct pc_wave_maps *maps, void *address)
{
    const uintptr_t at = (uintptr_t)address;

    for (size_t i = 0; i < MAPS; i++) {
        struct wv_map *m = &maps->map[i];
        const uintptr_t begin = atomic_load(&m->begin), end = atomic_load(&m->end);
        if (begin == 0 || at < begin || at >= end)
            continue;
        const int before = errno;
        atomic_store(&m->gone, true);
        void *page = (void *)(at / maps->page * maps->page);
        void *zeros =
            mmap(page, maps->page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        errno = before;
        return zeros != MAP_FAILED;
    }
    return false;
}

static struct wv_map *free_map(struct pc_wave_maps *maps)
{
    for (size_t i = 0; i < MAPS; i++)
        if (!atomic_exchange(&maps->map[i].taken, true))
            return &maps->map[i];
    return NULL;
}

/*
 * By a fault at a time a disk would hardly be read ahead.  Linux reads 4 MB ahead of a map that is
 * to have large pages, and keeps the file in large pages, if its file system can: they are mapped
 * at once, by this and by who reads the file later.  What is asked for by MADV_WILLNEED it keeps in
 * small ones.  Of kernels that do not know MADV_COLLAPSE some do not read ahead.
 */
static bool has_large_pages(const struct wv_map *m)
{
#ifdef MADV_HUGEPAGE
    return madvise(m->bytes, 0, COLLAPSE) == 0 &&
           madvise(m->bytes, (size_t)m->size, MADV_HUGEPAGE) == 0;
#else
    (void)m;
    return false;
#endif
}

static void ask_for(const struct wv_map *m, uint64_t at, uint64_t size)
{
    if (m->asks && at < m->size)
        madvise(m->bytes + at, (size_t)(size < m->size - at ? size : m->size - at), MADV_WILLNEED);
}

struct wv_map *wv_map_create(struct pc_wave_maps *maps, int fd, uint64_t size)
{
    struct wv_map *m = size <= LONGEST ? free_map(maps) : NULL;

    if (!m)
        return NULL;
    void *p = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) { /* a limit, or a file system without maps */
        atomic_store(&m->taken, false);
        return NULL;
    }
    atomic_store(&m->gone, false);
    atomic_store(&m->end, (uintptr_t)p + (uintptr_t)size);
    atomic_store(&m->begin, (uintptr_t)p);
    m->bytes = p;
    m->size = size;
    m->past = 0;
    m->asks = !has_large_pages(m);
    ask_for(m, 0, ASKED);
    return m;
}

void wv_map_destroy(struct wv_map *m)
{
    if (!m)
        return;
    atomic_store(&m->begin, 0);
    munmap(m->bytes, (size_t)m->size);
    atomic_store(&m->taken, false);
}

const uint8_t *wv_map_bytes(const struct wv_map *m)
{
    return m->bytes;
}

bool wv_map_gone(const struct wv_map *m)
{
    return atomic_load(&m->gone);
}

void wv_map_past(struct wv_map *m, uint64_t at)
{
    if (at < m->past + LET_GO || at > m->size)
        return;
    const uint64_t to = at / LET_GO * LET_GO; /* of pages of any size */
    madvise(m->bytes + m->past, (size_t)(to - m->past), MADV_DONTNEED);
    ask_for(m, m->past + ASKED, to - m->past);
    m->past = to;
}
