/* SPDX-License-Identifier: MIT */
/* What a scan of a VCD tells, piece by piece (vcd/activity.c) and stamp by stamp. */
#ifndef PC_TESTS_WAVE_VCD_PIECES_H
#define PC_TESTS_WAVE_VCD_PIECES_H

#include "test.h"

struct pieces {
    uint64_t by_pieces, all; /* changes that were counted so, and all */
};

/*
 * Fails the test unless one to three threads and pieces of `part` bytes tell the same as the parser
 * alone: activity of every stream, totals, warnings, and errors with their places.
 */
void pieces_agree(const char *path, size_t part, bool tolerate, struct pieces *sums);

#endif
