/* SPDX-License-Identifier: MIT */
/* When a state machine was in which state, in memory that does not grow with the trace. */
#include "stat_machine.h"

#include <string.h>

/* Two bins become one, until the cycle has a place. */
static void make_room(struct stat_bins *b, uint64_t cycle)
{
    while (cycle / b->each >= STAT_BINS) {
        for (size_t i = 0; i < STAT_BINS; i++) {
            const size_t from = 2 * i;
            for (size_t k = 0; k < STAT_LANES + 2; k++)
                // cppcheck-suppress arrayIndexOutOfBoundsCond ; STAT_BINS is even
                b->lane[i][k] = from >= STAT_BINS ? 0 : b->lane[from][k] + b->lane[from + 1][k];
        }
        b->each *= 2;
    }
}

void stat_bins_add(void *bins, uint64_t first, uint64_t cycles, size_t state)
{
    struct stat_bins *b = bins;
    const size_t lane = state == PC_STATES_UNKNOWN ? STAT_LANE_UNKNOWN
                        : state < STAT_LANES       ? state
                                                   : STAT_LANE_OTHERS;

    b->each = b->each ? b->each : 1;
    b->cycles = first + cycles;
    make_room(b, b->cycles - 1);
    while (cycles > 0) {
        const uint64_t left = b->each - first % b->each, n = cycles < left ? cycles : left;
        b->lane[first / b->each][lane] += n;
        first += n;
        cycles -= n;
    }
}
