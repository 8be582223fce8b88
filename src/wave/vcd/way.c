/* SPDX-License-Identifier: MIT */
#include "wave/vcd/way.h"

#include <time.h>

/*
 * A stretch has as many pieces for each thread as a fault brings at most: those of a page of 2 MB.
 * The first one is read, as the threads' memory is new; then come read, mapped, mapped, read, and
 * what was faster in its better stretch holds for the rest.
 */
enum { PIECES = 8 };

static const bool mapped[VCD_STRETCHES] = { false, false, true, true, false };

struct vcd_way vcd_way(enum vcd_ways ways, size_t part, unsigned threads)
{
    return (struct vcd_way){ .ways = ways, .stretch = PIECES * part * threads };
}

bool vcd_way_times(const struct vcd_way *way, uint64_t at)
{
    const uint64_t n = at / way->stretch;

    return way->ways == VCD_WAY_FASTER && n > 0 && n < VCD_STRETCHES;
}

uint64_t vcd_way_now(void)
{
    struct timespec t = { 0 };

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void vcd_way_spent(struct vcd_way *way, uint64_t at, uint64_t bytes, uint64_t ns)
{
    struct vcd_spent *s = &way->spent[at / way->stretch];

    s->bytes += bytes;
    s->ns += ns;
}

/* Nanoseconds a byte; none were scanned: more than any. */
static double cost(const struct vcd_spent *s)
{
    return s->bytes > 0 ? (double)s->ns / (double)s->bytes : 1e300;
}

static double least(const struct vcd_way *way, bool of_map)
{
    double best = 1e300;

    for (unsigned n = 1; n < VCD_STRETCHES; n++)
        if (mapped[n] == of_map && cost(&way->spent[n]) < best)
            best = cost(&way->spent[n]);
    return best;
}

bool vcd_way_maps(const struct vcd_way *way, uint64_t at)
{
    const uint64_t n = at / way->stretch;

    if (way->ways != VCD_WAY_FASTER)
        return way->ways == VCD_WAY_MAP;
    return n < VCD_STRETCHES ? mapped[n] : least(way, true) < least(way, false);
}
