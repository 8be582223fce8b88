/* SPDX-License-Identifier: MIT */
/* The program, the machine and the counts: shared by the parts of `pcounter exec`. */
#ifndef PC_CLI_EXEC_H
#define PC_CLI_EXEC_H

#include "report/report.h"

enum { EXEC_MAX_SEGMENTS = 16, EXEC_MAX_BYTES = 64 << 20 };

struct exec_segment {
    uint64_t address, memory_size, file_size;
    const unsigned char *data; /* in the file */
};

/* An executable: little-endian RISC-V ELF. */
struct exec_image {
    unsigned xlen;
    uint64_t entry;
    bool has_tohost, has_fromhost;
    uint64_t tohost, fromhost; /* addresses of the symbols */
    struct exec_segment segment[EXEC_MAX_SEGMENTS];
    size_t segments;
};
enum pc_status exec_read_elf(const void *file, size_t size, struct exec_image *out,
                             struct pc_error *err);

struct exec_request {
    const struct pc_hpm_config *config;
    const struct pc_hpm_profile *profile;
    const char *path;
    uint64_t limit;  /* instructions */
    uint64_t memory; /* bytes, from the lowest segment on */
    bool has_uart;
    uint64_t uart;       /* address of its first register */
    const char *console; /* file for what the program prints; NULL: standard error */
    FILE *console_file;
    struct rep_request report;
};

/* The counts of a run. */
struct exec_counts {
    uint64_t instructions; /* executed: retired or trapped */
    uint64_t event[PC_HPM_EVENTS];
    struct pc_hpm_state state;
    /* bit c: counter c had an event selected that is not measured; 32 + c: so its high half */
    uint64_t tainted;
    uint64_t exit_code;
    bool partial; /* it was cut off: the counts are those up to there, and no exit code */
};
/* Returns true if the event is one that executing instructions decides. The others are
 * unmeasured. */
bool exec_measures(unsigned event);

#define EXEC_C_EBREAK 0x9002u

/* Returns true if the instruction, which others may have, is none of the core's. exec_lacks.c has
 * which. */
bool exec_lacks(const struct pc_hpm_config *config, uint32_t insn);
/* Returns the extension of it, if a CVA6 may have it and it is not executed here; NULL: none of
 * those. */
const char *exec_extension(const struct pc_hpm_config *config, uint32_t insn);
bool exec_is_fp_csr(uint32_t insn);

/*
 * exec_bits.c: instructions of bit manipulation (Zba, Zbb, Zbc, Zbs) and Zicond, and arithmetic of
 * Zcb, as functions of registers a and b; *out is cut to XLEN by the caller.  AND_B: the core needs
 * bit manipulation beside Zcb.
 */
enum exec_bits { EXEC_BITS_NONE, EXEC_BITS_B, EXEC_BITS_ZICOND };
enum exec_bits exec_bits(uint32_t insn, unsigned xlen, uint64_t a, uint64_t b, uint64_t *out);
enum exec_zcb { EXEC_ZCB_NONE, EXEC_ZCB, EXEC_ZCB_AND_B };
enum exec_zcb exec_zcb(uint32_t insn, unsigned xlen, uint64_t a, uint64_t b, uint64_t *out);
/* Returns whether an instruction is of floating point, with its loads, stores and CSRs. */
bool exec_is_fp(uint32_t insn, unsigned xlen);
/* Returns whether an instruction is of floating point, but not a load or store. */
bool exec_is_fp_arithmetic(uint32_t insn);

/*
 * Around all that Unicorn does, its loading as well: memory that it does not get ends the program
 * with the exit code for that.  PC_ENOMEM: there is none to begin with.
 */
enum pc_status exec_guard_begin(struct pc_error *err);
void exec_guard_end(void);

/*
 * PC_ELIMIT if the program does not end in time, PC_EUNSUP in a build without Unicorn.  *out is
 * filled in all the same, with `partial` if anything was executed.
 */
enum pc_status exec_run(const struct exec_request *r, const struct exec_image *image,
                        struct exec_counts *out, struct pc_error *err);

extern const struct rep_def exec_report_def;
void exec_report(const struct exec_request *r, const struct exec_counts *counts, struct rep *rep);

#endif
