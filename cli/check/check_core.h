/* SPDX-License-Identifier: MIT */
/* pcounter check --core FILE: a design's registers against a description (check_core.c). */
#ifndef PC_CLI_CHECK_CORE_H
#define PC_CLI_CHECK_CORE_H

#include "check.h"
#include "pcounter/unstable/core.h"
#include "described/described.h"

enum {
    CORE_SHOWN = 20,   /* differences told one by one to people */
    CORE_KEPT = 10000, /* and in reports, beside the first of each register */
    CORE_INSTEAD = 4,  /* registers that are tried for one that differs... */
    CORE_TRIED = 64,   /* ...and differences of it */
    CORE_INSTEAD_TEXT = 400,
    CORE_DIGITS = PC_CORE_WIDTH / 4 + 3
};

struct core_difference {
    uint64_t edge, time;
    bool timed, of_check;
    size_t item, rule;
    char *design, *model, *before; /* "0x1f"; with unknown bits as x: NULL for design */
    bool was_reset;
    size_t as_if; /* the rule that the cause is about; PC_CORE_NO_RULE: none */
    /* of the first of each register and of those that are shown; else NULL */
    char *values, *writes, *cause;
};

/* Values that other registers would have to have, for the differences of one. */
struct core_instead {
    uint64_t differences; /* that were looked at */
    size_t count;
    struct pc_core_instead of[CORE_INSTEAD];
};

/* Parts of the description that the run never tried (check_core_untried.c) */
struct core_untried {
    unsigned what; /* of struct pc_core_untried */
    char *name;
    const char *called; /* an element's name; NULL: it has none */
    uint32_t line;
};

struct core_run {
    const struct check_options *o;
    const char *path;
    struct described d;
    struct described_wires wires;
    struct described_resets resets;
    struct pc_wave *wave;
    const struct pc_wave_block *block; /* while the core runs over it */
    struct pc_core_counts counts;
    struct core_difference *difference;
    size_t differences, capacity;
    struct core_instead *instead; /* of each register */
    size_t *first; /* 1 + the first difference of each register, then of each check */
    struct core_untried *untried;
    size_t untried_count, untried_capacity;
    uint64_t never; /* of all that was never tried, as warnings tell it */
    bool stopped, no_memory;
};

/* check_core_untried.c: after the run; an exit code. */
int core_untried_find(struct core_run *run);
/* How many there are. */
uint64_t core_untried_warn(const struct core_run *run);
extern const struct rep_field core_untried_fields[];
void core_untried_put(struct rep *rep, unsigned list, const struct core_run *run);
void core_untried_drop(struct core_run *run);

/* check_core_instead.c: for each difference of a register. */
void core_add_instead(struct core_run *run, size_t reg);
/*
 * "sel0 were 9", what would explain all differences of the register that were looked at, if there
 * are several.
 */
bool core_instead_text(const struct core_run *run, size_t reg, char *out, size_t size);
/* "sel0 were 9 (branch: branch_i), as sel1 is": of one difference; of `most` elements, no more. */
bool core_element_text(const struct core_run *run, size_t reg, int most, char *out, size_t size);
/* check_core_tell.c: an exit code. */
int core_check_tell(struct core_run *run);
/* Returns the remarks on the rule that applied, or on the check; known may be that of the cause's
 * rule. */
struct described_said core_said(const struct core_run *run, const struct core_difference *k);
/* check_core_report.c */
void core_check_put(struct rep *rep, const struct core_run *run);

#endif
