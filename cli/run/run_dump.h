/* SPDX-License-Identifier: MIT */
/* pcounter run --dump: record memory to a file, after the script. */
#ifndef PC_CLI_RUN_DUMP_H
#define PC_CLI_RUN_DUMP_H

#include "cli.h"

struct run_dump {
    uint64_t address, size;
    const char *path;
    struct cli_out out;
    bool open; /* it is whole, and has no name yet */
};

/* Parses ADDR:SIZE=FILE; the address hexadecimal, the size decimal or with 0x. NULL, or what is
 * wrong. */
const char *run_dump_parse(const char *text, struct run_dump *out);
/* Up to its commit, which is the caller's; an exit code. */
int run_dump_write(struct run_dump *dump, const struct pc_gpu *gpu);

#endif
