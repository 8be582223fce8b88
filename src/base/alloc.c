/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void *libc_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, new_size);
}

struct pc_alloc pc_alloc_or_libc(const struct pc_alloc *alloc)
{
    if (alloc)
        return *alloc;
    return (struct pc_alloc){ .resize = libc_resize };
}

void *pc_calloc(const struct pc_alloc *a, size_t count, size_t size)
{
    size_t bytes;

    if (!pc_size_mul(count, size, &bytes) || bytes == 0)
        return NULL;
    if (a->resize == libc_resize)
        return calloc(1, bytes); /* new pages are zero, and not touched to make them so */
    void *p = a->resize(a->ctx, NULL, 0, bytes);
    if (p)
        memset(p, 0, bytes);
    return p;
}

void pc_free(const struct pc_alloc *a, void *p, size_t size)
{
    if (p)
        a->resize(a->ctx, p, size, 0);
}

bool pc_grow(const struct pc_alloc *a, void **array, size_t *capacity, size_t need, size_t size)
{
    size_t old_bytes, new_bytes, grown = *capacity ? *capacity : 16;

    if (need <= *capacity)
        return true;
    while (grown < need)
        if (!pc_size_mul(grown, 2, &grown))
            return false;
    if (!pc_size_mul(*capacity, size, &old_bytes) || !pc_size_mul(grown, size, &new_bytes))
        return false;
    void *p = a->resize(a->ctx, *array, old_bytes, new_bytes);
    if (!p)
        return false;
    *array = p;
    *capacity = grown;
    return true;
}

bool pc_trim(const struct pc_alloc *a, void **array, size_t *capacity, size_t count, size_t size)
{
    if (count == 0 || count == *capacity)
        return true;
    void *p = pc_calloc(a, count, size);
    if (!p)
        return false;
    memcpy(p, *array, count * size);
    pc_free(a, *array, *capacity * size); /* whole, for the next array to grow in */
    *array = p;
    *capacity = count;
    return true;
}
