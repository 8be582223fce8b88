/* SPDX-License-Identifier: MIT */
/*
 * Loaded before the C library: the n-th request for memory is refused, n being $PC_REFUSE, or none.
 * How many there were is written to the file $PC_REQUESTS.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long requests;

static int is_refused(void)
{
    const char *which = getenv("PC_REFUSE");

    if (++requests != (which ? strtoul(which, NULL, 10) : 0))
        return 0;
    errno = ENOMEM;
    return 1;
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
    return is_refused() ? NULL : next(size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);

    if (!next)
        find("calloc", &next);
    return is_refused() ? NULL : next(count, size);
}

void *realloc(void *p, size_t size)
{
    static void *(*next)(void *, size_t);

    if (!next)
        find("realloc", &next);
    return is_refused() ? NULL : next(p, size);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("PC_REQUESTS");
    FILE *out = path ? fopen(path, "w") : NULL;

    if (out) {
        fprintf(out, "%lu\n", requests);
        fclose(out);
    }
}
