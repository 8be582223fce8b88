/* SPDX-License-Identifier: MIT */
/*
 * The machine of `pcounter exec`, for its parts:
 *   exec_run.c     the loop, and what Unicorn executes
 *   exec_memory.c  memory, loads and stores
 *   exec_uart.c    the UART among them
 *   exec_host.c    what programs ask of the host: HTIF, semihosting, the console
 *   exec_system.c  clocks of the model, traps, SYSTEM instructions
 *   exec_csr.c     CSRs that are no counters
 *   exec_amo.c     LR, SC and AMO
 *   exec_fp.c      what Unicorn's floating point does otherwise than the ISA
 */
#ifndef PC_CLI_EXEC_MACHINE_H
#define PC_CLI_EXEC_MACHINE_H

#include "exec.h"
#include "exec_unicorn.h"

/* Causes of traps. */
enum {
    EXEC_FETCH_MISALIGNED = 0,
    EXEC_FETCH_FAULT = 1,
    EXEC_ILLEGAL = 2,
    EXEC_BREAKPOINT = 3,
    EXEC_LOAD_MISALIGNED = 4,
    EXEC_LOAD_FAULT = 5,
    EXEC_STORE_MISALIGNED = 6,
    EXEC_STORE_FAULT = 7,
    EXEC_ECALL_U = 8 /* and + 1 of S, + 3 of M */
};
enum { EXEC_U = 0, EXEC_S = 1, EXEC_M = 3 };
enum {
    MSTATUS_SIE = 1 << 1,
    MSTATUS_MIE = 1 << 3,
    MSTATUS_SPIE = 1 << 5,
    MSTATUS_MPIE = 1 << 7,
    MSTATUS_SPP = 1 << 8,
    MSTATUS_MPP = 3 << 11,
    MSTATUS_FS = 3 << 13,
    MSTATUS_MPRV = 1 << 17,
    MSTATUS_SUM = 1 << 18,
    MSTATUS_MXR = 1 << 19,
    MSTATUS_TVM = 1 << 20,
    MSTATUS_TW = 1 << 21,
    MSTATUS_TSR = 1 << 22
};

/* Registers that keep what is written; those of S-mode that are parts of others are none. */
enum {
    MSTATUS,
    MEDELEG,
    MIDELEG,
    MIE,
    MTVEC,
    MSCRATCH,
    MEPC,
    MCAUSE,
    MTVAL,
    MENVCFG,
    STVEC,
    SSCRATCH,
    SEPC,
    SCAUSE,
    STVAL,
    SENVCFG,
    ICACHE,
    DCACHE,
    CSRS
};
enum { EXEC_PMP = 8 }; /* entries; others read 0 */

/* Registers of 8250 kind; lcr: the line control, of which bit 7 has the divisor in place. */
struct exec_uart {
    uint8_t reg[32];
    uint8_t lcr;
};

struct machine {
    const struct exec_request *r;
    const struct exec_image *image;
    struct exec_counts *counts;
    struct pc_error *err;
    struct exec_unicorn u;
    uc_engine *uc;
    struct pc_hpm *hpm;
    uint64_t clocks; /* of the model: an instruction that is refused has none */
    uint64_t pc, csr[CSRS];
    uint8_t pmp_config[EXEC_PMP];
    uint64_t pmp_address[EXEC_PMP];
    unsigned privilege;
    uint64_t base, mask;               /* of memory; of XLEN */
    unsigned char *memory, *allocated; /* of r->memory bytes */
    unsigned char *executed; /* of each EXEC_LINE bytes: were instructions executed there? */
    int cause;               /* what Unicorn's hook saw of one instruction; -1: nothing */
    bool told;               /* tohost was written */
    bool ended;
    bool answered;          /* a call of the host's that is none was answered, and said to be */
    uint64_t reserved;      /* address of the last LR */
    unsigned reserved_size; /* its bytes; 0: an SC fails */
    bool in_line;           /* what was printed on standard error did not end a line */
    struct exec_uart uart;
};

uint64_t exec_reg(struct machine *m, unsigned n);
void exec_set_reg(struct machine *m, unsigned n, uint64_t value);

/* ---- exec_memory.c ---- */

enum { EXEC_LINE = 64 };
enum pc_status exec_memory_create(struct machine *m);
void exec_memory_destroy(struct machine *m);
/* Returns where that many bytes of memory are; NULL: nowhere. */
unsigned char *exec_place(const struct machine *m, uint64_t address, uint64_t size);
/* Writes memory, as by a store of the program's; false: there is none. */
bool exec_write(struct machine *m, uint64_t address, const void *bytes, size_t size);
/* Makes a load or a store; false: it is none. *status as of the others. */
bool exec_access(struct machine *m, uint32_t insn, enum pc_status *status);

/* ---- exec_uart.c ---- */

bool exec_is_uart(const struct machine *m, uint64_t address);
uint64_t exec_uart_load(struct machine *m, uint64_t address);
void exec_uart_store(struct machine *m, uint64_t address, uint64_t value);

/* ---- exec_host.c ---- */

/* Prints bytes of the program. */
void exec_print(struct machine *m, const unsigned char *bytes, size_t size);
/* A line that was begun on the terminal ends before a message or a report does. */
void exec_print_end(struct machine *m);
/* tohost was written. */
enum pc_status exec_htif(struct machine *m);
/* Returns true if this ebreak is between the two marks of a semihosting call. */
bool exec_is_semihosting(const struct machine *m);
enum pc_status exec_semihosting(struct machine *m);

/* ---- exec_system.c ---- */

/* Makes the clock in which the instruction retires, with these lines of the model's. */
void exec_retire(struct machine *m, uint32_t insn, uint32_t lines);
/* Makes a clock in which nothing retires and an exception is taken. */
void exec_exception(struct machine *m, uint32_t lines);
/* Makes the instruction trap: an error if there is no handler. */
enum pc_status exec_trap(struct machine *m, unsigned cause, uint64_t tval);
enum pc_status exec_system(struct machine *m, uint32_t insn);

/* ---- exec_csr.c ---- */

void exec_csr_reset(struct machine *m);
/* Executes an access of a CSR that is not a counter; it retires or traps. */
enum pc_status exec_csr(struct machine *m, uint32_t insn);
/* ---- exec_amo.c ---- */

/* Executes an instruction of the opcode AMO. */
enum pc_status exec_amo(struct machine *m, uint32_t insn);

/* ---- exec_fp.c ---- */

uint64_t exec_fp_reg(struct machine *m, unsigned n);
/* Sets a register; a size of 4 bytes is a single, which is boxed. */
void exec_set_fp_reg(struct machine *m, unsigned n, uint64_t value, unsigned size);
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
