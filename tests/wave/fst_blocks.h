/* SPDX-License-Identifier: MIT */
/* An FST file read in both ways, with streams that a seed chooses. */
#ifndef PC_TEST_FST_BLOCKS_H
#define PC_TEST_FST_BLOCKS_H

#include "fst_support.h"

/*
 * Fails the test unless both ways give the same blocks, or both an error.  True if the file
 * was read to its end.
 */
bool blocks_agree(const char *path, uint64_t seed);

#endif
