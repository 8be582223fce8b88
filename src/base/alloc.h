/* SPDX-License-Identifier: MIT */
/*
 * Memory through the caller's allocator, and arithmetic on sizes that cannot wrap.
 * Every size that a file or a caller supplies goes through pc_size_mul/pc_size_add.
 */
#ifndef PC_BASE_ALLOC_H
#define PC_BASE_ALLOC_H

#include "pcounter/pcounter.h"

/* Multiplies two sizes; returns false if the result does not fit; *out is then untouched. */
static inline bool pc_size_mul(size_t a, size_t b, size_t *out)
{
    if (a != 0 && b > SIZE_MAX / a)
        return false;
    *out = a * b;
    return true;
}

static inline bool pc_size_add(size_t a, size_t b, size_t *out)
{
    if (b > SIZE_MAX - a)
        return false;
    *out = a + b;
    return true;
}

/* Returns the allocator to use: *alloc, or libc's if alloc is NULL. */
struct pc_alloc pc_alloc_or_libc(const struct pc_alloc *alloc);

/* Returns count * size zeroed bytes, or NULL (also if the product does not fit). */
void *pc_calloc(const struct pc_alloc *a, size_t count, size_t size);
void pc_free(const struct pc_alloc *a, void *p, size_t size);

/*
 * Grows *array (elements of `size` bytes, *capacity of them) to hold at least
 * `need`, doubling.  false and no change if memory or size_t runs out.
 */
bool pc_grow(const struct pc_alloc *a, void **array, size_t *capacity, size_t need, size_t size);

/*
 * Moves an array that is finished to a place of its size, so that what it had beyond its `count`
 * elements is free.  false and no change if memory runs out.
 */
bool pc_trim(const struct pc_alloc *a, void **array, size_t *capacity, size_t count, size_t size);

#endif
