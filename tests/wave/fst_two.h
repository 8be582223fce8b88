/* SPDX-License-Identifier: MIT */
/* FST files of a clock that changes at every index of the time table, and of one signal. */
#ifndef PC_TEST_FST_TWO_H
#define PC_TEST_FST_TWO_H

#include <stdint.h>

#include "fst_make.h"

/* What such a file was made of.  Odd indices are rising edges. */
struct fst_two {
    uint64_t *time;
    uint8_t *level; /* of the signal, after each index */
    size_t times;
    struct mk file;
};

/* Room for so many indices; fails the test if there is none. */
void fst_two_open(struct fst_two *m, size_t room);
void fst_two_free(struct fst_two *m);
/* A block of indices first to m->times: chains of both, NULL for a signal that stands still. */
void fst_two_block(struct fst_two *m, size_t first, const struct mk *clock, const struct mk *signal,
                   bool pack_times, uint64_t claim_time_size);
/* After the last block: geometry and names. */
void fst_two_end(struct fst_two *m);
/*
 * Fails the test unless the blocks of samples are what was written.  whole: tables of so many bytes
 * are unpacked at once.  Returns how many of them were handed out while another block of the file
 * was loaded already.
 */
void fst_two_check(const struct fst_two *m, unsigned threads, uint64_t whole);

#endif
