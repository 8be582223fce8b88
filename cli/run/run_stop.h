/* SPDX-License-Identifier: MIT */
/*
 * Progress of a script, and its end by Ctrl-C: between two commands or within a repeat whole lines
 * have been printed; a `run` is ended on the spot, with all before it printed.
 */
#ifndef PC_CLI_RUN_STOP_H
#define PC_CLI_RUN_STOP_H

#include "process/progress.h"
#include "run_rows.h"

struct run_stop {
    const char *path; /* of the script */
    const struct run_rows *rows;
    bool card; /* a real one: signals are noted alone, as its registers have to be put back */
    bool file; /* they go to one, which is not there until all are */
    struct cli_progress progress;
    bool stopped;
};

/* The script starts. */
void run_stop_begin(struct run_stop *s);
/* pc_script_place_fn: PC_OK to go on. */
enum pc_status run_stop_place(struct run_stop *s, const struct pc_script_place *place,
                              struct pc_error *err);
/* It is over; true if Ctrl-C ended it, which is told then. */
bool run_stop_end(struct run_stop *s);

#endif
