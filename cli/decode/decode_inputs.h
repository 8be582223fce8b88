/* SPDX-License-Identifier: MIT */
/*
 * Decodes the inputs of domains from the words of their SRC, OP and CTRL registers.
 *   decode_inputs.c  configurations: which words belong together
 *   decode_read.c    writes from scripts and dumps
 *   decode_trace.c   writes from mmiotraces
 *   decode_print.c   as text, as command lines of `pcounter compile`, for programs
 */
#ifndef PC_CLI_DECODE_INPUTS_H
#define PC_CLI_DECODE_INPUTS_H

#include "report/report.h"
#include "text/signal_names.h"

enum { DECODE_DOMAINS = 64, DECODE_LINE = 2048 };

/* The other registers of a domain; their names are in decode_inputs.c. */
enum decode_more {
    DECODE_THRESHOLD,
    DECODE_THRESHOLD_HI,
    DECODE_PRE_COUNT,
    DECODE_STOP_COUNT,
    DECODE_SWAP, /* SPEC_SRC, SWAP_SRC */
    DECODE_RECORD_START,
    DECODE_RECORD_LIMIT,
    DECODE_RECORD_HIGH,
    DECODE_MORE
};

struct decode_domain {
    struct pc_reg_info any; /* a register of it: place and number */
    uint32_t src[PC_INPUT_COUNT], op[PC_INPUT_COUNT], ctrl, more[DECODE_MORE];
    unsigned ops;  /* bit i: the OP word of input i was seen */
    unsigned srcs; /* the SRC word */
    unsigned mores;
    uint32_t line; /* of the first word that is new in this configuration */
    bool has_ctrl;
    bool changed; /* not yet kept */
    bool used;    /* something was counted with it */
    size_t kepts; /* how many of its configurations are kept */
};

struct decode_inputs {
    const struct pc_chip *chip;
    struct pc_names *names; /* of the chip, before anything is printed */
    struct decode_domain domain[DECODE_DOMAINS];
    size_t domains;
    struct pc_reg_info ctrl; /* the row of CTRL, once seen */
    bool has_ctrl;
    uint32_t shared_ctrl; /* of both domains: NV10:NV40 */
    /* Each different configuration once, in the order of time. */
    struct decode_domain **kept;
    size_t kepts, capacity;
    void *known; /* the same ones as a tree: many are found soon */
    bool no_memory;
    uint32_t max_ratio; /* of a compressed trace; 0: the usual one */
};

/*
 * A write; registers that are none of a configuration are passed over.  What is written
 * after decode_inputs_used() begins another configuration of its domain.
 */
void decode_inputs_add(struct decode_inputs *in, const struct pc_reg_info *reg, uint32_t value,
                       uint32_t mask, uint32_t line);
void decode_inputs_used(struct decode_inputs *in);
/* After the last write: the configurations are in in->kept.  An exit code. */
int decode_inputs_end(struct decode_inputs *in);
void decode_inputs_free(struct decode_inputs *in); /* what it holds, not itself */

/*
 * All writes of a script for `pcounter run`, of a dump with an address and its words a
 * line, or of an mmiotrace.  An exit code.  in->chip: the one that is given, or NULL;
 * what the file says of its chip fills it in, and PC-E1207 is that it is another one.
 */
int decode_inputs_read(struct decode_inputs *in, const char *path);
/* The file has no access that would need to know the chip: said, with the exit code. */
int decode_nothing(const char *path);
/* Reads an mmiotrace in `file` in the same way; messages call it `path`. */
int decode_trace_read(struct decode_inputs *in, const char *file, const char *path);

extern const struct rep_def decode_inputs_report;
/* An exit code. */
int decode_inputs_print(const struct rep_request *wanted, const struct decode_inputs *in);

#endif
