/* SPDX-License-Identifier: MIT */
/* How values are spread, for people: figures of a distribution, and a few bars. */
#ifndef PC_CLI_SPREAD_H
#define PC_CLI_SPREAD_H

#include "cli.h"

#include "pcounter/measure.h"

enum { CLI_BARS = 16 };
struct cli_spread {
    uint64_t count;
    uint64_t min, max; /* of count > 0, like all below */
    double mean;
    bool ranks; /* false: ranks and bars are not known, there were too many different values */
    uint64_t rank[PC_RANKS];
    /* bar[i]: how many values were from first + i * step on, to below the next one */
    uint64_t first, step;
    size_t bars;
    uint64_t bar[CLI_BARS];
};

/* Makes a histogram of unsigned values; steps are 1, 2 or 5 times a power of ten. */
PC_MUST_CHECK enum pc_status cli_spread(struct pc_dist *dist, struct cli_spread *out,
                                        struct pc_error *err);
/* Returns the smallest value that would be in a bar, and the largest. */
uint64_t cli_bar_from(const struct cli_spread *spread, size_t bar);
uint64_t cli_bar_to(const struct cli_spread *spread, size_t bar);
/* The mean, with two decimals: "70,000.25". */
enum { CLI_MEAN = 40 };
void cli_mean(double mean, char out[CLI_MEAN]);
/* Writes a line of blocks into CLI_BLOCK bytes for each and one more: the highest is as high as can
 * be, and no block at all is 0. */
enum { CLI_BLOCK = 3 };
void cli_blocks(const double *height, size_t count, char *out);

#endif
