/* SPDX-License-Identifier: MIT */
#include "heap.h"

#include <stdlib.h>

/* In front of each block; as large as what malloc() aligns to. */
union head {
    size_t size;
    max_align_t align;
};

static bool refused(const struct test_heap *h, size_t live)
{
    if (h->limit && live > h->limit)
        return true;
    return h->fail_at && (h->fail_on ? h->calls >= h->fail_at : h->calls == h->fail_at);
}

void *test_heap_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct test_heap *h = ctx;
    union head *block = p ? (union head *)p - 1 : NULL;
    const size_t held = block ? block->size : 0;

    assert_int_equal(old_size, held);
    if (new_size == 0) {
        h->live -= held;
        free(block);
        return NULL;
    }
    h->calls++;
    const size_t live = h->live - held + new_size;
    if (refused(h, live))
        return NULL;
    block = realloc(block, sizeof *block + new_size);
    assert_non_null(block);
    block->size = new_size;
    h->live = live;
    if (h->peak < live)
        h->peak = live;
    return block + 1;
}

/* false: no request was refused, as there were fewer. */
static bool refuse_one(test_scenario *scenario, void *ctx, size_t at, bool on)
{
    struct test_heap heap = { .fail_at = at, .fail_on = on };
    const struct pc_alloc alloc = { test_heap_resize, &heap };
    struct pc_error err = { .status = PC_OK };
    const enum pc_status status = scenario(ctx, &alloc, &err);

    if (heap.live)
        fail_msg("request %zu is refused: %zu bytes are left", at, heap.live);
    if (heap.calls < at) {
        if (status != PC_END)
            test_ok(status, &err);
        return false;
    }
    if (status != PC_ENOMEM || err.status != PC_ENOMEM || err.code != 100)
        fail_msg("request %zu is refused: %s, error %u: %s", at, pc_status_name(status), err.code,
                 err.text);
    return true;
}

void test_refuse_each(test_scenario *scenario, void *ctx, size_t least)
{
    for (int on = 0; on < 2; on++) {
        size_t at = 1;
        while (refuse_one(scenario, ctx, at, on))
            at++;
        assert_true(at > least);
    }
}
