/* SPDX-License-Identifier: MIT */
/*
 * The machine of `pcounter exec`, for its parts:
 *   exec_run.c     memory, the loop, and what Unicorn executes
 *   exec_system.c  clocks of the model, traps, SYSTEM instructions
 *   exec_amo.c     LR, SC and AMO
 *   exec_fp.c      what Unicorn's floating point does otherwise than the ISA
 */
#ifndef PC_CLI_EXEC_MACHINE_H
#define PC_CLI_EXEC_MACHINE_H

#include "exec.h"
#include "exec_unicorn.h"

/* Causes of traps. */
enum {
    EXEC_FETCH_FAULT = 1,
    EXEC_ILLEGAL = 2,
    EXEC_BREAKPOINT = 3,
    EXEC_LOAD_FAULT = 5,
    EXEC_STORE_FAULT = 7,
    EXEC_ECALL_M = 11
};
enum { MSTATUS_MIE = 1 << 3, MSTATUS_MPIE = 1 << 7, MSTATUS_MPP = 3 << 11, MSTATUS_FS = 3 << 13 };

/* The M-mode registers that programs of this kind use; others are illegal. */
enum { MSTATUS, MIE, MTVEC, MSCRATCH, MEPC, MCAUSE, MTVAL, CSRS };

struct machine {
    const struct exec_request *r;
    const struct exec_image *image;
    struct exec_counts *counts;
    struct pc_error *err;
    struct exec_unicorn u;
    uc_engine *uc;
    struct pc_hpm *hpm;
    uint64_t pc, csr[CSRS];
    uint64_t base, mask; /* of memory; of XLEN */
    /* what the hooks saw of one instruction */
    int cause;
    bool misaligned, told;
    uint64_t address; /* of its last access */
    bool ended;
    uint64_t reserved;           /* address of the last LR */
    uint64_t code_from, code_to; /* where instructions were executed */
    unsigned reserved_size;      /* its bytes; 0: an SC fails */
};

uint64_t exec_reg(struct machine *m, unsigned n);
void exec_set_reg(struct machine *m, unsigned n, uint64_t value);
/* Memory, as by a store of the program's; false: there is none. */
bool exec_write(struct machine *m, uint64_t address, const void *bytes, size_t size);

/* ---- exec_system.c ---- */

/* The clock in which the instruction retires, with these lines of the model's. */
void exec_retire(struct machine *m, uint32_t insn, uint32_t lines);
/* The instruction traps: an error if there is no handler. */
enum pc_status exec_trap(struct machine *m, unsigned cause, uint64_t tval);
enum pc_status exec_system(struct machine *m, uint32_t insn);
/* The instruction accesses `address`, which CVA6 traps on: an error. */
enum pc_status exec_refuse_misaligned(struct machine *m, uint64_t address);

/* ---- exec_amo.c ---- */

/* An instruction of the opcode AMO. */
enum pc_status exec_amo(struct machine *m, uint32_t insn);

/* ---- exec_fp.c ---- */

/* Executes sign injection, minimum and maximum; false if it is none of these. */
bool exec_fp_alone(struct machine *m, uint32_t insn);

/* Registers whose low halves Unicorn would take although they are no boxed single. */
struct exec_fp_saved {
    unsigned count;
    unsigned reg[3];
    uint64_t value[3];
    bool inf_times_zero;
};
/* Around Unicorn's execution; `done`: it did not trap. */
void exec_fp_before(struct machine *m, uint32_t insn, struct exec_fp_saved *saved);
void exec_fp_after(struct machine *m, uint32_t insn, const struct exec_fp_saved *saved, bool done);

#endif
