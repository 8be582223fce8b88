/* SPDX-License-Identifier: MIT */
#include "wave/input_codec.h"

/*
 * The libraries free without telling a size, as pc_alloc wants: it is kept in front.
 * max_align_t keeps what follows aligned.
 */
union block_head {
    size_t size;
    max_align_t align;
};

void *wv_decoder_alloc(void *ctx, size_t size)
{
    const struct wv_decoder *d = ctx;
    size_t bytes;

    if (!pc_size_add(size, sizeof(union block_head), &bytes))
        return NULL;
    union block_head *head = d->alloc.resize(d->alloc.ctx, NULL, 0, bytes);
    if (!head)
        return NULL;
    head->size = bytes;
    return head + 1;
}

void wv_decoder_free(void *ctx, void *p)
{
    const struct wv_decoder *d = ctx;

    if (p) {
        union block_head *head = (union block_head *)p - 1;
        pc_free(&d->alloc, head, head->size);
    }
}
