/* SPDX-License-Identifier: MIT */
/* Notes of `run` and `replay` for what the model noticed and hardware does not report. */
#ifndef PC_CLI_DIAG_TEXT_H
#define PC_CLI_DIAG_TEXT_H

#include "pcounter/pcounter.h"

/* Prints a note for each kind of diagnostic in each domain, where a run has ended. */
void cli_tell_diagnostics(const struct pc_gpu *gpu);

/* Prints a note of the first access that no register answered: it is read once more, so time may
 * pass. */
void cli_tell_undecoded(struct pc_gpu *gpu);

#endif
