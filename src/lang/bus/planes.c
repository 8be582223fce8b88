/* SPDX-License-Identifier: MIT */
/* Makes planes, 64 edges a word, of a bit just before the edges of a clock. */
#include "lang/bus/list.h"

/* Sets bits from `first` to before `end`. */
static void fill(uint64_t *plane, size_t first, size_t end)
{
    for (size_t i = first; i < end; i = (i / 64 + 1) * 64) {
        const size_t to = end - i / 64 * 64;
        const uint64_t above = ~UINT64_C(0) << i % 64;
        plane[i / 64] |= to < 64 ? above & ((UINT64_C(1) << to) - 1) : above;
    }
}

void pc_bus_plane(const struct pc_bus_list *list, size_t bit, const struct bus_class *k,
                  uint64_t *value, uint64_t *unknown)
{
    const struct bus_watch *w = &list->watch;
    const size_t words = (k->rises + 63) / 64;
    unsigned is = 2; /* unknown up to its first value */
    size_t from = 0;

    for (size_t i = 0; i < words; i++)
        value[i] = unknown[i] = 0;
    for (size_t i = w->first[bit]; i <= w->first[bit + 1]; i++) {
        /* a change is seen by the edges after its timestamp */
        const bool last = i == w->first[bit + 1];
        const size_t to =
            last ? k->rises
                 : bus_rises_before(k, w->change[i].stamp) + bus_rises_at(k, w->change[i].stamp);
        if (is)
            fill(is == 1 ? value : unknown, from, to);
        from = to;
        if (!last)
            is = w->change[i].value;
    }
}
