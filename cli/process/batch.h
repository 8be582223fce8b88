/* SPDX-License-Identifier: MIT */
/*
 * Many files, each by itself: by several threads or ranks, and told in their order, so that nothing
 * depends on who was faster.
 */
#ifndef PC_CLI_BATCH_H
#define PC_CLI_BATCH_H

#include "cli.h"

/* The output of a file. */
struct cli_batch_part {
    int code;
    bool begun; /* not where Ctrl-C came before: it has no payload, and CLI_INTERRUPTED */
    char *out;  /* NUL after it */
    size_t size;
};

struct cli_batch {
    size_t files;
    unsigned threads;
    bool keep_going; /* past a file with an error */
    size_t own;      /* that the calling thread alone reads, as it has the signals; `files`: none */
    void *ctx;
    /* One file: an exit code.  Prints on cli_stdout() and cli_stderr(), by any thread. */
    int (*run)(void *ctx, size_t file);
    /* In order, after the messages of the file; by the calling thread, on rank 0. */
    void (*tell)(void *ctx, size_t file, const struct cli_batch_part *part);
};

/* Returns CLI_OK, CLI_NO or CLI_INTERRUPTED, or the code of the first file with an error; with
 * keep_going the highest. *whole: every file was told, and no rank failed. */
int cli_batch_run(const struct cli_batch *batch, bool *whole);

#endif
