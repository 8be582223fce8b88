/* SPDX-License-Identifier: MIT */
/* Figures of measurements in a report that was read, for `merge` and `diff`. */
#ifndef PC_CLI_STAT_FIGURES_H
#define PC_CLI_STAT_FIGURES_H

#include "report/report_tree.h"

/* A figure by the name that expectations and CSV have, like "rd.outstanding.max"; its unit may be
 * "".  An exit code that is not CLI_OK ends it. */
typedef int stat_figure_fn(void *ctx, const char *name, const char *unit, struct rep_tree *value);
/* Tells all figures of a value, a latency, a level or a state machine. */
int stat_each_figure(struct rep_tree *item, stat_figure_fn *fn, void *ctx);
/* Returns whether unknown values may matter to its figures. */
bool stat_has_taint(const struct rep_tree *item);
/* Is the figure exact whatever unknown values are, since it counts them, or all samples? */
bool stat_counts_samples(const char *figure);
/* Counts how often a machine leaves a state. */
tree_int stat_leaves(const struct rep_tree *machine, const char *state);

#endif
