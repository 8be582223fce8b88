/* SPDX-License-Identifier: MIT */
/* Runs a script and keeps what it says: the text of its reads, and its mismatches. */
#ifndef PC_TEST_SCRIPT_HARNESS_H
#define PC_TEST_SCRIPT_HARNESS_H

#include "heap.h"
#include "pcounter/unstable/script.h"

struct outcome {
    enum pc_status status;
    struct pc_error err;
    struct pc_script_result result;
    char text[8192]; /* the lines of the reads */
    size_t used;
    struct pc_error mismatch[8]; /* the first few */
    size_t mismatches;
};

/* With an allocator (NULL: libc's), in a folder (NULL: here). */
void run_script_with(const char *text, const struct pc_alloc *alloc, const char *folder,
                     struct outcome *out);
/* A script that must run through. */
void run_script(const char *text, struct outcome *out);
/* Value of the i-th line of the output; its address must be `address`. */
uint32_t read_value(const struct outcome *o, size_t i, uint32_t address);
/* Fails unless the output is exactly this. */
void assert_output(const char *script, const char *expected);

/* A test_scenario: the text as ctx runs through, here. */
enum pc_status run_with(void *text, const struct pc_alloc *alloc, struct pc_error *err);

#endif
