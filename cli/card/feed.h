/* SPDX-License-Identifier: MIT */
/*
 * Samples of a waveform that signals of a domain play, one a cycle of the domain's clock, from the
 * card's first cycle on; then the last level holds.  They come from a file: a head, then for each
 * 64 cycles a word of each signal.
 */
#ifndef PC_CLI_CARD_FEED_H
#define PC_CLI_CARD_FEED_H

#include <stdio.h>

#include "pcounter/pcounter.h"

struct card_samples_head {
    uint64_t cycles;
    uint32_t domain, signals;
    uint8_t signal[PC_MAX_SIGNALS];
};

struct card_feed;

/* Takes the file, to be closed with it.  PC_EINPUT for what is none. */
enum pc_status card_feed_open(FILE *file, struct pc_gpu *gpu, struct card_feed **out,
                              struct pc_error *err);
void card_feed_close(struct card_feed *feed); /* NULL is fine */

/* So many ns are short enough to be let pass between two calls of card_feed(). */
#define CARD_FEED_NS 5000u
/* Before and after time passes: the levels of what comes next are there.  *over: all is played. */
enum pc_status card_feed_before(struct card_feed *feed, bool *over, struct pc_error *err);
void card_feed_after(struct card_feed *feed);

#endif
