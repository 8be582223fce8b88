/* SPDX-License-Identifier: MIT */
#ifndef PC_CLI_RUN_TRACE_H
#define PC_CLI_RUN_TRACE_H

#include "pcounter/pcounter.h"
#include "pcounter/unstable/script.h"

/*
 * For pcounter run -v, on stderr: a line for each write with its place in the script, address,
 * value, register, and the fields that are not 0.  Nothing for a read.
 */
void run_trace_write(const char *path, const struct pc_chip *chip,
                     const struct pc_script_access *access);

#endif
