/* SPDX-License-Identifier: MIT */
/* An FST file read in both ways, with streams that a seed chooses. */
#ifndef PC_TEST_FST_BLOCKS_H
#define PC_TEST_FST_BLOCKS_H

#include "fst_support.h"

/*
 * With all loops that this CPU can run (fst/direct.h), fails the test unless both ways give the
 * same blocks, or both an error; and the same activity by a scan.  True if the file was read to its
 * end.
 */
bool blocks_agree(const char *path, uint64_t seed);
/* Does the same for the results of a scan alone. */
void activity_agrees(const char *path, unsigned threads, bool tolerate);
/* Says SKIP of the loops that it cannot run. */
void blocks_skipped(void);

#endif
