/* SPDX-License-Identifier: MIT */
/*
 * The file that most FST tests start from: two value change blocks, every kind of stream
 * and record, and its content as text.  fst_small() builds it in a given dress; the parts
 * are there for tests that put something wrong in between.
 */
#ifndef PC_TEST_FST_SMALL_H
#define PC_TEST_FST_SMALL_H

#include "fst_make.h"

/* Streams, in the order of the hierarchy. */
enum { SMALL_A, SMALL_V, SMALL_R, SMALL_S, SMALL_E, SMALL_W, SMALL_P, SMALL_STREAMS };

struct small_dress {
    unsigned changes;   /* type of the value change blocks: 1, 5, 8 */
    char packing;       /* as in struct mk_changes */
    unsigned hierarchy; /* type of its block: 4, 6, 7; 0: there is none */
    bool pack_geometry, pack_times;
};

/* What it reads as: a line a stamp, "#time code=bits ..."; reals, texts and events have no bits. */
extern const char small_text[];
extern const uint32_t small_lengths[SMALL_STREAMS];

void small_entries(struct mk *m); /* of the hierarchy */
/* The first block, to be changed by the test before mk_changes(). */
struct small_first {
    struct mk chain[SMALL_STREAMS];
    struct mk_stream stream[SMALL_STREAMS];
    struct mk_changes changes;
};
void small_first(struct small_first *b, const struct small_dress *dress);
void small_first_free(struct small_first *b);
void small_second(struct mk *m, const struct small_dress *dress);
void small_file(struct mk *m, const struct small_dress *dress);
/* Header, `first` instead of the right block, then geometry and hierarchy. */
void small_with(struct mk *m, const struct small_first *first);

#endif
