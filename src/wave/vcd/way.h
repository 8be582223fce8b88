/* SPDX-License-Identifier: MIT */
/*
 * Whether pieces of a file are looked at in a map or read: what costs less depends on the machine
 * (docs/adr/039), and shows in the first pieces of a long file.  It never changes what is found.
 */
#ifndef PC_WAVE_VCD_WAY_H
#define PC_WAVE_VCD_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vcd_ways { VCD_WAY_FASTER, VCD_WAY_MAP, VCD_WAY_READ }; /* the latter two for tests */

enum { VCD_STRETCHES = 5 }; /* of which the first is not timed */

struct vcd_way {
    enum vcd_ways ways;
    size_t stretch; /* bytes of the file */
    struct vcd_spent {
        uint64_t bytes, ns;
    } spent[VCD_STRETCHES];
};

/* Of a file whose pieces have `part` bytes, and which so many threads scan. */
struct vcd_way vcd_way(enum vcd_ways ways, size_t part, unsigned threads);
/* Is the piece that begins at byte `at` looked at in the map? */
bool vcd_way_maps(const struct vcd_way *way, uint64_t at);
/* Does it say something of the ways, so that it is to be timed? */
bool vcd_way_times(const struct vcd_way *way, uint64_t at);
/* Nanoseconds that the calling thread has spent. */
uint64_t vcd_way_now(void);
/* What was timed: bytes that were scanned, and how long that took. */
void vcd_way_spent(struct vcd_way *way, uint64_t at, uint64_t bytes, uint64_t ns);

#endif
