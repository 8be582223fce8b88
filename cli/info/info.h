/* SPDX-License-Identifier: MIT */
/* The summary of `pcounter info`, and the forms it is printed in. */
#ifndef PC_CLI_INFO_H
#define PC_CLI_INFO_H

#include "cli.h"
#include "wave/suggest.h"

struct cli_progress;

/* An open waveform, and what a scan of it found. */
struct info_summary {
    const char *file;
    struct pc_wave *wave;
    struct cli_progress *progress;
    struct pc_wave_info info;
    struct pc_wave_totals totals;
    struct pc_var_activity *activity;
    struct cli_suggestions found;
};

void info_print_text(FILE *f, const struct info_summary *s);
void info_print_json(FILE *f, const struct info_summary *s);
void info_print_csv(FILE *f, const struct info_summary *s);

#endif
