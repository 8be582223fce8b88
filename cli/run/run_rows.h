/* SPDX-License-Identifier: MIT */
/* The reads of a script for programs; as text they are lines that the library makes. */
#ifndef PC_CLI_RUN_ROWS_H
#define PC_CLI_RUN_ROWS_H

#include "pci/pci.h"
#include "report/report.h"
#include "pcounter/unstable/script.h"

extern const struct rep_def run_report;

struct run_rows {
    struct rep *rep;
    const char *path; /* of the script */
    bool begun;
    const struct pci_card *card; /* NULL: the model alone */
    const uint64_t *differ;      /* NULL: without --beside */
};

/* A command of accesses is done; writes are passed over. */
void run_rows_add(struct run_rows *r, const struct pc_chip *chip,
                  const struct pc_script_access *access);
/* Writes the text that completes the JSON where a script is interrupted. */
void run_rows_cut(const struct run_rows *r, char *out, size_t size);
/* The end, however it came; `result` if the script reached its own. */
void run_rows_end(struct run_rows *r, const struct pc_chip *chip,
                  const struct pc_script_result *result);

#endif
