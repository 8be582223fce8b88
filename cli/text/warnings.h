/* SPDX-License-Identifier: MIT */
/*
 * The warnings of a report.  cli_warning() keeps what it says, also under -q, for the thread that
 * says it: a report has them as its member, rows or lines "warnings", where its numbers stand.
 */
#ifndef PC_CLI_WARNINGS_H
#define PC_CLI_WARNINGS_H

#include "cli.h"

/* Warnings that are kept; of more only the number is reported. */
enum { CLI_WARNINGS = 40 };

/* Keeps one more, for those who report it otherwise than by cli_warning(). */
void cli_keep_warning(unsigned code, const char *text);
/* Keeps one as cli_warning_at() has it, of a report that was read. */
void cli_keep_again(const char *text);
/* Keeps the error that was reported last, "PC-E0604: dump.vcd:3: ..."; "" if none was. */
void cli_keep_error(unsigned code, const char *text);
const char *cli_last_error(void);
/* None so far: before a report, and after it. */
void cli_warnings_forget(void);
/* "PC-W0501: dump.vcd: ..."; after the last that is kept how many more there were; NULL past the
 * end. */
const char *cli_warning_at(size_t i);

/* "warnings": ["...", "..."] */
void cli_json_warnings(FILE *out);
/* Prints lines at the end of a text under -q, which leaves them out elsewhere. */
void cli_text_warnings(FILE *out);

#endif
