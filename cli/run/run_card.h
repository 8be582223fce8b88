/* SPDX-License-Identifier: MIT */
/* pcounter run --card: a script's accesses go to a real card, with --beside to the model as well.
 */
#ifndef PC_CLI_RUN_CARD_H
#define PC_CLI_RUN_CARD_H

#include "run_job.h"

/* Opens the card, and lets the script access it; an exit code. */
int run_card_open(struct run_job *job, struct pc_script_desc *desc);
/* Puts its registers back, and reports what was done, also into the report. */
void run_card_end(struct run_job *job);

#endif
