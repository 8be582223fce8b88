/* SPDX-License-Identifier: MIT */
/* Metrics and expectations of a report that is a tree: their formulas stand in it. */
#ifndef PC_CLI_EXPECTATION_TREE_H
#define PC_CLI_EXPECTATION_TREE_H

#include "report/report_tree.h"
#include "wave/expectation.h"

/* Loads the metrics of a report; they are closed and *text is free()d by the caller, whatever
 * happened.  An exit code. */
int cli_tree_metrics(const struct rep_tree *root, struct cli_metrics *out, char **text);
/* Parses the expectations of a report, which are closed and forgotten by the caller whatever
 * happened.  An exit code. */
int cli_tree_expectations(const struct rep_tree *root, const struct cli_metrics *metrics,
                          struct cli_expectations *out);
/* Prints them with their verdicts, for people: as text, and as a part of a page.  Exit codes. */
int cli_print_expectations(FILE *out, const struct rep_tree *root);
void cli_page_expectations(FILE *out, const struct rep_tree *root);

#endif
