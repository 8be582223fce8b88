/* SPDX-License-Identifier: MIT */
/* What a waveform seems to hold: clocks, and signals worth counting. */
#ifndef PC_CLI_SUGGEST_H
#define PC_CLI_SUGGEST_H

#include "pcounter/pcounter.h"

/* A value stream, by the first variable that names it. */
struct cli_suggestion {
    size_t var;
    uint32_t code;
    bool telling; /* its name says event: valid, stall, miss ... */
};

struct cli_suggestions {
    struct cli_suggestion *clock; /* most rises first */
    size_t clocks;
    struct cli_suggestion *event; /* telling names first, then most rises */
    size_t events;
};

/*
 * From pc_wave_scan()'s activity, one row a value stream.  A clock is one bit, rises at
 * least eight times, and always after the same period; an event is one bit, rises, and is
 * no clock.  false if memory runs out.
 */
bool cli_suggest(const struct pc_wave *wave, const struct pc_var_activity *activity,
                 struct cli_suggestions *out);
void cli_suggest_free(struct cli_suggestions *s);

#endif
