/* SPDX-License-Identifier: MIT */
/*
 * An allocator for tests: it knows what is live, checks each size that it is told, and refuses
 * what it is to refuse.
 */
#ifndef PC_TEST_HEAP_H
#define PC_TEST_HEAP_H

#include "test.h"

struct test_heap {
    size_t live, peak; /* bytes */
    size_t calls;      /* that wanted memory */
    size_t fail_at;    /* the one of them that gets none, from 1; 0: none is */
    bool fail_on;      /* nor do all after it */
    size_t limit;      /* bytes that may be live; 0: any number */
};

/* For struct pc_alloc; ctx is the heap. */
void *test_heap_resize(void *ctx, void *p, size_t old_size, size_t new_size);

/* PC_OK or PC_END, or the first failure; gives everything back. */
typedef enum pc_status test_scenario(void *ctx, const struct pc_alloc *alloc, struct pc_error *err);

/*
 * The first request for memory is refused, then the second, and so on to the last that is made,
 * each alone and with all after it: the scenario must say PC_ENOMEM each time and leave nothing
 * live.  There must be `least` requests.
 */
void test_refuse_each(test_scenario *scenario, void *ctx, size_t least);

#endif
