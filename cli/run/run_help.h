/* SPDX-License-Identifier: MIT */
#ifndef PC_CLI_RUN_HELP_H
#define PC_CLI_RUN_HELP_H

/* cmd_run.c; the verb itself, with its help, is in run_help.c. */
int run_verb(int argc, char **argv);

#endif
