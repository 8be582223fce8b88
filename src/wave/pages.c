/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "wave/wave.h"

#include <sys/mman.h>

void wv_ask_for_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)2 << 20, from = ((uintptr_t)memory + page - 1) / page * page,
                    to = ((uintptr_t)memory + size) / page * page;

    if (from < to)
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}
