/* SPDX-License-Identifier: MIT */
/* What the inputs of domains mean, from the words of their SRC, OP and CTRL registers. */
#ifndef PC_CLI_DECODE_INPUTS_H
#define PC_CLI_DECODE_INPUTS_H

#include "signal_names.h"

enum { DECODE_DOMAINS = 64 };

struct decode_domain {
    struct pc_reg_info any; /* a register of it: place and number */
    uint32_t src[PC_INPUT_COUNT], op[PC_INPUT_COUNT], ctrl;
    unsigned ops;  /* bit i: the OP word of input i was seen */
    unsigned srcs; /* the SRC word */
};

struct decode_inputs {
    const struct pc_chip *chip;
    struct pc_names *names; /* of the chip, before anything is printed */
    struct decode_domain domain[DECODE_DOMAINS];
    size_t domains;
    struct pc_reg_info ctrl; /* the row of CTRL, once seen */
    bool has_ctrl;
    uint32_t shared_ctrl; /* of both domains: NV10:NV40 */
};

/* Registers that are none of these are passed over. */
void decode_inputs_add(struct decode_inputs *in, const struct pc_reg_info *reg, uint32_t value);

/*
 * All writes of a script for `pcounter run`, or of a dump with an address and a value a
 * line.  An exit code.  The script's chip line counts where in->chip is NULL.
 */
int decode_inputs_read(struct decode_inputs *in, const char *path);

/* "domain 1: EVENT = rise(s10) & !s11", in the language of `pcounter compile`. */
void decode_inputs_print(FILE *out, const struct decode_inputs *in);

#endif
