/* SPDX-License-Identifier: MIT */
/* What goes from one clock to another: clocks_core.h, compiled more than once. */
#ifndef PC_ENGINE_CLOCKS_H
#define PC_ENGINE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct eg_segment;

struct eg_clocks {
    /* Those of these nodes that are of x, at the edges of y in instants [from, to); their clocks
     * differ, and what x shows is known. */
    void (*sample)(struct eg_segment *s, unsigned y, unsigned x, uint32_t nodes, uint64_t from,
                   uint64_t to);
};

extern const struct eg_clocks pc_eg_clocks_any, pc_eg_clocks_v3;

#endif
