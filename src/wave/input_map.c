/* SPDX-License-Identifier: MIT */
/*
 * Mapped files, and the place where a caller's signal handler finds them.  A map is noted before
 * it is looked at, and stays noted as long as it is there.  The whole file is mapped; what the
 * reader is past is let go now and then, so that it takes no memory.
 *
 * And what else only some systems offer: wider pipes.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise; F_SETPIPE_SZ */
#include "wave/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIPE     (1 << 18)           /* bytes */
#define MAPS     64                  /* at once; files beyond these are read */
#define LET_GO   ((uint64_t)1 << 22) /* bytes at a time */
#define ASKED    ((uint64_t)1 << 23) /* of the disk, ahead of what is let go */
#define COLLAPSE 25                  /* MADV_COLLAPSE, which not every libc has */
#define LONGEST  (SIZE_MAX >> 8)     /* of a file that is mapped: addresses for many of them */

struct wv_map {
    _Atomic(uintptr_t) begin; /* 0: free */
    _Atomic(uintptr_t) end;
    atomic_bool taken, gone;
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
static bool has_large_pages(const struct wv_input *in)
{
#ifdef MADV_HUGEPAGE
    return madvise(in->mapped, 0, COLLAPSE) == 0 &&
           madvise(in->mapped, (size_t)in->file_size, MADV_HUGEPAGE) == 0;
#else
    (void)in;
    return false;
#endif
}

static void ask_for(const struct wv_input *in, uint64_t at, uint64_t size)
{
    if (in->asks && at < in->file_size)
        madvise(in->mapped + at, (size_t)(size < in->file_size - at ? size : in->file_size - at),
                MADV_WILLNEED);
}

const uint8_t *wv_input_map(struct wv_input *in)
{
    if (in->map || !in->maps || wv_input_extent(in) == 0 || in->file_size > LONGEST)
        return in->mapped;
    in->map = free_map(in->maps);
    if (!in->map)
        return NULL;
    const size_t size = (size_t)in->file_size;
    void *p = mmap(NULL, size, PROT_READ, MAP_SHARED, in->fd, 0);
    if (p == MAP_FAILED) { /* a limit, or a file system without maps */
        atomic_store(&in->map->taken, false);
        in->map = NULL;
        return NULL;
    }
    atomic_store(&in->map->gone, false);
    atomic_store(&in->map->end, (uintptr_t)p + size);
    atomic_store(&in->map->begin, (uintptr_t)p);
    in->mapped = p;
    in->past = 0;
    in->asks = !has_large_pages(in);
    ask_for(in, 0, ASKED);
    return in->mapped;
}

bool wv_input_gone(const struct wv_input *in)
{
    return in->map && atomic_load(&in->map->gone);
}

void wv_input_past(struct wv_input *in, uint64_t at)
{
    if (!in->map || at < in->past + LET_GO || at > in->file_size)
        return;
    const uint64_t to = at / LET_GO * LET_GO; /* of pages of any size */
    madvise(in->mapped + in->past, (size_t)(to - in->past), MADV_DONTNEED);
    ask_for(in, in->past + ASKED, to - in->past);
    in->past = to;
}

void wv_map_end(struct wv_input *in)
{
    if (!in->map)
        return;
    atomic_store(&in->map->begin, 0);
    munmap(in->mapped, (size_t)in->file_size);
    atomic_store(&in->map->taken, false);
    in->map = NULL;
    in->mapped = NULL;
}

void wv_input_widen(const struct wv_input *in)
{
#ifdef F_SETPIPE_SZ
    if (fcntl(in->fd, F_GETPIPE_SZ) < PIPE)
        (void)fcntl(in->fd, F_SETPIPE_SZ, PIPE);
#else
    (void)in;
#endif
}
