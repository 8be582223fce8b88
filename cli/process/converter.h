/* SPDX-License-Identifier: MIT */
/*
 * vcd2fst of GTKWave, which makes an FST of a VCD that is written to it.  It is started before
 * files are read, as the program may start no others from then on (docs/adr/034).
 */
#ifndef PC_CLI_CONVERTER_H
#define PC_CLI_CONVERTER_H

#include "cli.h"

/* Starts it if the call is one of --cut into a .fst; what went wrong is told by the next function.
 */
void cli_converter_begin(const struct cli_verb *verb, int argc, char *const *argv);
/* Returns its input, which the converter keeps; NULL: it could not be started, as is told. */
FILE *cli_converter_input(void);
/* Ends its input and copies the FST; an exit code. */
int cli_converter_finish(FILE *out);
/* Ends it, if it still runs, and removes what it left. */
void cli_converter_end(void);

#endif
