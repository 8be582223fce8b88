/* SPDX-License-Identifier: MIT */
/* How members of a report add. */
#ifndef PC_CLI_MERGE_RULES_H
#define PC_CLI_MERGE_RULES_H

#include "merge/merge.h"

enum op {
    BY_KIND, /* counts and integers add, numbers follow from others, all else is the same */
    SAME,
    SAME_OR_NULL,
    SAME_OR_NONE, /* what differs is left out */
    FOLLOWS,
    ADDS,
    LEAST,
    GREATEST,
    FIRST,
    LAST,
    WORST,  /* state */
    BOTH,   /* truth values */
    NAMES,  /* of waveforms */
    LONGER, /* of two transactions */
    LATER   /* it is not here yet: merge_finish() and others find it */
};
/* By the kind of its field, or by a rule for its name. */
enum op merge_op_of(const struct rep_tree *node);

#endif
