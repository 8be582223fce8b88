/* SPDX-License-Identifier: MIT */
/* An FST file through the interface, in blocks: the direct path (docs/adr/012). */
#ifndef PC_TEST_FST_DIRECT_H
#define PC_TEST_FST_DIRECT_H

#include "fst_support.h"

enum { FST_DIRECT_STREAMS = 2 };

/* What reading a file to its end gave; status PC_END is success. */
struct fst_direct_seen {
    enum pc_status status;
    struct pc_error err;
    uint64_t hash, cycles[FST_DIRECT_STREAMS];
};

/*
 * Bits of all variables there are, at the rising edges of the first one of one bit, and after
 * its falling ones while the second is 1.
 */
void fst_read_direct(const char *path, unsigned threads, const struct pc_alloc *alloc,
                     struct fst_direct_seen *out);
/*
 * With one thread and with three, for the first clock alone and for both: fails the test unless
 * both saw the same; *out is what there is for both clocks.
 */
void fst_read_both(const char *path, const struct pc_alloc *alloc, struct fst_direct_seen *out);

#endif
