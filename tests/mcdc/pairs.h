/* SPDX-License-Identifier: MIT */
/*
 * Modified condition/decision coverage by tables.  A decision of the sources stands in a table
 * with its conditions, a function that asks the rule itself, and rows of conditions and outcome
 * that come from the clauses.  For each condition two rows have to be there that differ in it
 * alone and in the outcome: the pair that shows that the condition decides.
 */
#ifndef PC_TEST_PAIRS_H
#define PC_TEST_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#define MCDC_CONDITIONS 5

struct mcdc_decision {
    const char *text; /* as it stands in the source, blanks folded */
    /* Their names; NULL after the last.  "!name: reason" where no row can show that it decides. */
    const char *conditions[MCDC_CONDITIONS];
    char (*rule)(const bool *c); /* the outcome that the rule gives */
    const char *rows;            /* "01=1 11=0": conditions, then what they should give */
};

struct mcdc_table {
    const char *file;
    const struct mcdc_decision *decisions;
    size_t count;
};

extern const struct mcdc_table mcdc_counter, mcdc_ctr_modes, mcdc_flag, mcdc_lut, mcdc_period,
    mcdc_single, mcdc_sources, mcdc_table, mcdc_hpm_csr, mcdc_hpm_events, mcdc_unit_single;

/*
 * Prints the pair of each condition of a table, and fails the test where a row has another outcome,
 * where a condition has no pair, where a text is not in the source, or where the source has a
 * decision that the table does not.
 */
void mcdc_check(const struct mcdc_table *table);

#endif
