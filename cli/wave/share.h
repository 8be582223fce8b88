/* SPDX-License-Identifier: MIT */
/*
 * Shares of states and of full levels, which formulas have as ratios: fsm.IDLE.share is
 * fsm.IDLE.cycles / fsm.samples, q.full is q.full_cycles / q.count.  Each that stands in a text
 * becomes a metric that formulas can name.
 */
#ifndef PC_CLI_SHARE_H
#define PC_CLI_SHARE_H

#include "wave/metric_set.h"

struct cli_shares {
    struct cli_share_of {
        const char *name; /* of a state machine or a level: it stays the caller's */
        bool level;
    } * of;
    size_t count, capacity;
    FILE *out;
    char *text;
    size_t size;
};

/* Exit codes; *s is of zeroes before.  What has shares, then the texts, then the metrics. */
int cli_share_of(struct cli_shares *s, const char *name, bool level);
int cli_share_words(struct cli_shares *s, const char *text);
/* Ends it whatever happened; *out is NULL if there are none. */
int cli_shares_end(struct cli_shares *s, struct pc_metrics **out);

#endif
