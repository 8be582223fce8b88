/* SPDX-License-Identifier: MIT */
/* The word of a *_OP register as text. */
#ifndef PC_CLI_OP_TEXT_H
#define PC_CLI_OP_TEXT_H

#include "cli.h"

struct cli_op_text {
    char function[256]; /* "s0 & !s1", "0", "edge(s0)" */
    char sources[96];   /* "s0..s3 = EVENT_SRC[0..3]" */
};

/*
 * s0..s3 are the sources, prev(s0) the first one a cycle late, setflag the SETFLAG input; the
 * function is what pc_decompile_op() makes of it.  false: not an operation register.
 */
bool cli_op_text(const struct pc_chip *chip, const struct pc_reg_info *reg, uint32_t word,
                 struct cli_op_text *out);

#endif
