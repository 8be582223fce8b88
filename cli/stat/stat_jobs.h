/* SPDX-License-Identifier: MIT */
/*
 * The waveform in stretches.  With -j, threads evaluate them, each by itself; the counters take
 * them in order, so that nothing depends on who was faster.  With ranks each stretch belongs
 * to one of them, who also summarises it, and rank 0 takes all.
 */
#ifndef PC_CLI_STAT_JOBS_H
#define PC_CLI_STAT_JOBS_H

#include "stat_count.h"

struct stat_jobs;

/* An exit code. */
int stat_jobs_open(struct stat_count *c, struct stat_jobs **out);
/* Where the window begins is found, before the block in which it does is added. */
void stat_jobs_window(struct stat_jobs *j);
/* The next cycles, [from, to) of a block; an exit code, be it of an earlier stretch. */
int stat_jobs_add(struct stat_jobs *j, const struct pc_wave_block *block, uint64_t from,
                  uint64_t to);
/* Everything that was added is taken; an exit code.  With one thread more can be added then. */
int stat_jobs_drain(struct stat_jobs *j);
void stat_jobs_close(struct stat_jobs *j);

#endif
