/* SPDX-License-Identifier: MIT */
/* --clock 'clk iff EXPRESSION', where that is more than a signal. */
#ifndef PC_CLI_STAT_FILTER_H
#define PC_CLI_STAT_FILTER_H

#include "stat.h"

/* All but free: exit codes.  *out is freed by the caller whatever happened; NULL: there is none. */
int stat_filter_make(const struct cli_place *place, const char *text, struct stat_filter **out);
void stat_filter_free(struct stat_filter *f);
/* Its names to wires. */
int stat_filter_find(struct stat_filter *f, struct stat_wires *wires);
/* All wires are known: what the reader is to tell, with the times of edges or without. */
int stat_filter_open(struct stat_filter *f, const struct stat_wires *wires, bool times,
                     struct pc_wave_clock *clock);
/* Keeps the cycles of a block that pass the filter, until the next block; false if none does. */
bool stat_filter_block(struct stat_filter *f, const struct pc_wave_block *in,
                       struct pc_wave_block *out);

#endif
