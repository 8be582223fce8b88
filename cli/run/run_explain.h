/* SPDX-License-Identifier: MIT */
/* run --explain */
#ifndef PC_CLI_RUN_EXPLAIN_H
#define PC_CLI_RUN_EXPLAIN_H

#include <stdio.h>

#include "pcounter/pcounter.h"

void run_explain(FILE *out, const struct pc_gpu *gpu, const struct pc_chip *chip);

#endif
