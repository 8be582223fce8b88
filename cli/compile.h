/* SPDX-License-Identifier: MIT */
/*
 * pcounter compile.
 *   cmd_compile.c    options and the request
 *   compile_names.c  names of signals to their positions in a domain
 *   compile_print.c  the program as text, script, C or JSON
 */
#ifndef PC_CLI_COMPILE_H
#define PC_CLI_COMPILE_H

#include "cli.h"

/* A domain whose signals are named. */
struct compile_names {
    const struct pc_chip *chip;
    struct pc_chip of_set; /* the chip as the domain's set sees it */
    struct pc_chip_domain place;
};

enum pc_status compile_names_of(const struct pc_chip *chip, unsigned domain,
                                struct compile_names *out, struct pc_error *err);
/* For pc_expr_resolve(); ctx is a struct compile_names. */
enum pc_status compile_lookup(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, struct pc_error *err);
/* One signal by its name, with no expression around it. */
enum pc_status compile_signal(struct compile_names *names, const char *name, uint8_t *out,
                              struct pc_error *err);
/* What a signal is called: "user_0", "dom[1].flag", "s2a". */
void compile_name(const struct compile_names *names, unsigned signal, char *out, size_t size);

enum compile_format { COMPILE_TEXT, COMPILE_SCRIPT, COMPILE_C, COMPILE_JSON };

/* What was asked for, in the words of the command line, for the output to repeat. */
struct compile_asked {
    const struct compile_names *names;
    const char *mode;                  /* "QUAD" */
    const char *input[PC_INPUT_COUNT]; /* texts; NULL: not wanted */
};
void compile_print(FILE *out, const struct compile_asked *asked, const struct pc_program *p,
                   enum compile_format format);

#endif
