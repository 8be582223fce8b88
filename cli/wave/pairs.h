/* SPDX-License-Identifier: MIT */
/* Handshakes by the names of their two signals, and what suggestions compare. */
#ifndef PC_CLI_PAIRS_H
#define PC_CLI_PAIRS_H

#include "wave/suggest.h"

static inline int cli_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* 0: the same waveform, as far as a scan tells. */
int cli_compare_activity(const struct pc_var_activity *a, const struct pc_var_activity *b);

/* Fills in out->pair, those with different waveforms; false if memory runs out. */
bool cli_find_pairs(const struct pc_wave *wave, const struct pc_var_activity *activity,
                    struct cli_suggestions *out);

#endif
