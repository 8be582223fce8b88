/* SPDX-License-Identifier: MIT */
#ifndef PC_CLI_RUN_HELP_H
#define PC_CLI_RUN_HELP_H

/* What pcounter run -h says, and what --help says after it. */
extern const char run_brief[], run_full[], run_rest[];

#endif
