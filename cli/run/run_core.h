/* SPDX-License-Identifier: MIT */
/* Scripts of a core: what its CSR instructions read, and why. */
#ifndef PC_CLI_RUN_CORE_H
#define PC_CLI_RUN_CORE_H

#include "report/report.h"

extern const struct rep_def run_core_report;

/* Runs it and reports; an exit code. */
int run_core(const char *path, const char *text, size_t size, const struct rep_request *report);

#endif
