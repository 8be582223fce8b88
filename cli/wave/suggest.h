/* SPDX-License-Identifier: MIT */
/* Suggests the clocks of a waveform, and signals worth counting. */
#ifndef PC_CLI_SUGGEST_H
#define PC_CLI_SUGGEST_H

#include "pcounter/pcounter.h"

/* A value stream, by the first variable that names it. */
struct cli_suggestion {
    size_t var;
    uint32_t code;
    bool telling; /* its name says event: valid, stall, miss ... */
    bool named;   /* its name says clock */
};

/* Variables of one scope whose names say handshake: valid and ready, request and grant. */
struct cli_pair {
    size_t offers, takes;
};

struct cli_suggestions {
    struct cli_suggestion *clock; /* shortest period first */
    size_t clocks;
    struct cli_suggestion *event; /* telling names first, then most rises */
    size_t events;
    struct cli_pair *pair; /* in the order of the file */
    size_t pairs;
};

/*
 * Suggests from what pc_wave_scan() reports, a row of activity for each value stream. Of streams
 * with the same waveform one is taken, and none is a bit of a vector.
 *
 * A clock rises at least eight times, always after the same period, over at least half of the
 * file, and others change in step with it; if its name says clock it is enough that others change.
 * A signal in step with a faster clock is data, or made of that clock: it is a clock only if its
 * name says so and its period is longer.  At most 64 are found.
 *
 * An event is one bit and rises, and does not rise in every cycle of a clock.
 *
 * false if memory runs out.
 */
bool cli_suggest(const struct pc_wave *wave, const struct pc_wave_totals *totals,
                 const struct pc_var_activity *activity, struct cli_suggestions *out);
void cli_suggest_free(struct cli_suggestions *s);

#endif
