/* SPDX-License-Identifier: MIT */
/*
 * Loaded before the C library: the n-th request for memory is refused, n being $PC_REFUSE, or none;
 * with a "+" after n all that follow, too.  How many there were is written to the file
 * $PC_REQUESTS, and how many blocks were not given back to the descriptor $PC_LIVE.  $PC_NO names
 * calls that fail: "thread" (EAGAIN), "temporary" (new files: EACCES), "nameless" (those without a
 * name: EOPNOTSUPP), "rename" (EBUSY), which a test cannot arrange everywhere.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>

static unsigned long requests;
static long live; /* blocks */

static int is_refused(void)
{
    const char *which = getenv("PC_REFUSE");
    const unsigned long n = which ? strtoul(which, NULL, 10) : 0;
    const unsigned long now = __atomic_add_fetch(&requests, 1, __ATOMIC_RELAXED);

    if (now != n && !(n && now > n && strchr(which, '+')))
        return 0;
    errno = ENOMEM;
    return 1;
}

static void *counted(void *block)
{
    if (block)
        __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
    return block;
}

static void find(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    memcpy(function, &symbol, sizeof symbol);
}

void *malloc(size_t size)
{
    static void *(*next)(size_t);

    if (!next)
        find("malloc", &next);
    return is_refused() ? NULL : counted(next(size));
}

void *calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);

    if (!next)
        find("calloc", &next);
    return is_refused() ? NULL : counted(next(count, size));
}

void *realloc(void *p, size_t size)
{
    static void *(*next)(void *, size_t);

    if (!next)
        find("realloc", &next);
    if (is_refused())
        return NULL;
    void *block = next(p, size);
    return p ? block : counted(block);
}

void free(void *p)
{
    static void (*next)(void *);

    if (!next)
        find("free", &next);
    if (p)
        __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    next(p);
}

static int is_named(const char *call)
{
    const char *named = getenv("PC_NO");

    return named && strstr(named, call) != NULL;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *arg)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    if (!next)
        find("pthread_create", &next);
    return is_named("thread") ? EAGAIN : next(thread, how, start, arg);
}

int mkstemp64(char *name)
{
    static int (*next)(char *);

    if (!next)
        find("mkstemp64", &next);
    if (!is_named("temporary"))
        return next(name);
    errno = EACCES;
    return -1;
}

int open64(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    const int nameless = (flags & O_TMPFILE) == O_TMPFILE;
    va_list more;

    if (!next)
        find("open64", &next);
    va_start(more, flags);
    const unsigned mode = flags & O_CREAT || nameless ? va_arg(more, unsigned) : 0;
    va_end(more);
    if (!nameless || !(is_named("temporary") || is_named("nameless")))
        return next(path, flags, mode);
    errno = is_named("temporary") ? EACCES : EOPNOTSUPP;
    return -1;
}

int rename(const char *from, const char *to)
{
    static int (*next)(const char *, const char *);

    if (!next)
        find("rename", &next);
    if (!is_named("rename"))
        return next(from, to);
    errno = EBUSY;
    return -1;
}

/* Says to tests/fault/inject.c that the loader has done its work: no such option is known. */
__attribute__((constructor)) static void begin(void)
{
    prctl(0x50434654, 0, 0, 0, 0);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("PC_REQUESTS");
    const char *where = getenv("PC_LIVE");
    char text[32];

    if (where) {
        const int n =
            snprintf(text, sizeof text, "%ld\n", __atomic_load_n(&live, __ATOMIC_RELAXED));
        if (write(atoi(where), text, (size_t)n) != n)
            _exit(99);
    }
    FILE *out = path ? fopen(path, "w") : NULL;

    if (out) {
        fprintf(out, "%lu\n", requests);
        fclose(out);
    }
}
