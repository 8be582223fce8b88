/* SPDX-License-Identifier: MIT */
/*
 * Stretches of time in which the writer was told not to dump.  Memory does not grow with the length
 * of a file: the first ones are kept.
 */
#include "wave/wave.h"

#define GAPS_MAX ((size_t)65536)

void wv_dump_off(struct wv_hier *h, uint64_t time)
{
    if (h->is_off || h->gaps == GAPS_MAX)
        return;
    if (!pc_grow(&h->alloc, (void **)&h->gap, &h->gaps_capacity, h->gaps + 1, sizeof *h->gap))
        return; /* a gap is not worth failing for */
    h->gap[h->gaps++] = (struct wv_gap){ time, UINT64_MAX };
    h->is_off = true;
    if (h->gaps == GAPS_MAX)
        wv_warn(h, "dumping was switched off %zu times: later gaps are taken for dumped time",
                h->gaps);
}

void wv_dump_on(struct wv_hier *h, uint64_t time)
{
    if (h->is_off)
        h->gap[h->gaps - 1].to = time;
    h->is_off = false;
}

enum pc_status pc_wave_gap(const struct pc_wave *wave, size_t i, uint64_t *from, uint64_t *to)
{
    const struct wv_hier *h = wv_hier_of(wave);

    if (i >= h->gaps)
        return PC_END;
    *from = h->gap[i].from;
    *to = h->gap[i].to;
    return PC_OK;
}
