/* SPDX-License-Identifier: MIT */
/* Evidence for clocks: how many changes of other signals come with an edge of each. */
#ifndef PC_CLI_CLOCK_EVIDENCE_H
#define PC_CLI_CLOCK_EVIDENCE_H

#include "wave/suggest.h"

enum { CLI_PROVED = 16 }; /* clocks, at most */

/* A clock, and the changes of other signals after its first rise. */
struct cli_clock_proof {
    size_t var;
    bool is_found; /* one of cli_suggestions.clock; else one by its name alone */
    uint64_t changes;
    uint64_t with;      /* of these at one of its rises */
    uint64_t explained; /* ... or as long after one as most changes of that bit */
};

struct cli_clock_evidence {
    struct cli_clock_proof clock[CLI_PROVED]; /* those that were found first, in their order */
    size_t clocks;
};

/*
 * Reads the begin of the file that `desc` names: 32,768 timestamps, 4,096 bits.  A change of a
 * bit between two known values counts; integers and what the clocks do themselves do not.  In a
 * capture an edge may be seen one sample late.  false: it cannot be read again, or there is no
 * memory.
 */
bool cli_prove_clocks(const struct pc_wave *wave, const struct pc_wave_desc *desc,
                      const struct pc_var_activity *activity, const struct cli_suggestions *found,
                      struct cli_clock_evidence *out);

/*
 * Reads the first time stamps of a file once more, at most so many, and hands each to `look`.
 * Returns false where that fails, after a warning.
 */
bool cli_read_stamps(const struct pc_wave_desc *desc, const struct pc_wave_bit *bit, size_t bits,
                     unsigned stamps,
                     void (*look)(void *ctx, const struct pc_wave_instant *now, bool first),
                     void *ctx);

/* Explains this one less than half of at least 16 changes? */
bool cli_is_contradicted(const struct cli_clock_proof *clock);
/* Returns the first other one that explains as much as the i-th; NULL: there is none. */
const struct cli_clock_proof *cli_rival_of(const struct cli_clock_evidence *e, size_t i);
/* Writes "explains 100 % of 2,113 changes". */
void cli_proof_text(const struct cli_clock_proof *clock, char *out, size_t size);

#endif
