/* SPDX-License-Identifier: MIT */
/* pcounter run: a run of a script (cmd_run.c), and what the script calls meanwhile (run_calls.c).
 */
#ifndef PC_CLI_RUN_JOB_H
#define PC_CLI_RUN_JOB_H

#include "opt/opt_wave.h"
#include "pci/pci.h"
#include "replay/replay_log.h"
#include "run_dump.h"
#include "run_rows.h"
#include "run_stop.h"
#include "settle/answers.h"
#include "text/signal_names.h"

struct run_options {
    const char *path; /* of the script, as given */
    bool trace, explain;
    struct rep_request report;
    struct opt_texts set;  /* NAME=VALUE, checked */
    struct opt_texts dump; /* ADDR:SIZE=FILE, checked */
    const char *with, *log, *answers;
    struct cli_name_files names;
    struct cli_read_options read;
    const char *read_option; /* one of these that was given; NULL: none */
    struct pci_options card;
    bool beside;
    size_t memory; /* that record mode writes to, in bytes; 0: the usual size */
};

struct run_job {
    const struct run_options *o;
    char *text; /* NUL-terminated beyond size */
    size_t size;
    struct answers answers; /* of --answers */
    const char *failed_set; /* the one that the model refused */
    struct run_dump *dump;  /* those of the options */
    char *with_text;
    size_t with_size;
    bool failed_with;       /* an error is one of that file */
    struct pc_names *early; /* that were not asked for yet */
    bool told; /* the error has been told: one of --signals, or a file that cannot be read */
    struct replay_log logged;
    const struct pc_chip *chip;
    const struct pc_gpu *gpu; /* while the script runs */
    FILE *page;               /* of the reads as text; NULL: not wanted */
    struct run_stop stop;
    struct run_rows rows;
    /* --card */
    struct pci_card card;
    struct pc_script_port port;
    struct pc_gpu *beside; /* NULL: the card alone */
    uint64_t differ;       /* reads that the two answer otherwise */
    uint64_t begun_ns;     /* of the log */
    uint32_t line;         /* where the script is */
    int exit;              /* of what the callbacks had to do */
};

/* Returns the callbacks of a script that ctx, the job, needs, and the names and files it asks
 * for. */
void run_calls(struct run_job *job, struct pc_script_desc *desc);
/* Sets options and runs the stimulus on a model, before the first access. */
enum pc_status run_prepare_model(struct run_job *job, struct pc_gpu *gpu, struct pc_error *err);
/* Logs an access of a real card, at this machine's time (run_card.c). */
void run_card_log(struct run_job *job, const struct pc_script_access *access);
/* Reports an expectation that was not met, for pc_script_run(). */
void run_mismatch(void *ctx, const struct pc_error *what);

#endif
