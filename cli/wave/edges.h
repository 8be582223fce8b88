/* SPDX-License-Identifier: MIT */
/*
 * When cycles were: a second read of a waveform for its clock alone, beside the one that counts
 * (docs/adr/005).
 */
#ifndef PC_CLI_EDGES_H
#define PC_CLI_EDGES_H

#include "wave/read_options.h"

/* A time unit of a waveform. */
struct cli_time_unit {
    double seconds; /* 0: not known */
    bool decimal;   /* it is 10^exponent of them, as times have it; samples have a rate */
    int exponent;
};
struct cli_time_unit cli_time_unit(const struct pc_wave_info *info);

/* Is each sample a cycle?  Then cycle n is at time n. */
bool cli_cycles_are_samples(const struct pc_wave_info *info, const struct pc_wave_clock *clock);

struct cli_edges {
    struct pc_wave *wave; /* NULL: there is no second read */
    const char *path;
    uint64_t edge, time;   /* the next one, in time units; UINT64_MAX: there is none */
    uint64_t last_time;    /* of the one before it */
    const uint64_t *times; /* of edges after it that were read, */
    uint32_t left;         /* so many */
};

/* At the first edge; an exit code. */
int cli_edges_open(struct cli_edges *e, const struct cli_read_options *read, const char *path,
                   const struct pc_wave_clock *clock);
void cli_edges_close(struct cli_edges *e);
/* On to that edge; an exit code. */
int cli_edges_to(struct cli_edges *e, uint64_t edge);

#endif
