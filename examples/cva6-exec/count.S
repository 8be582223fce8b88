# SPDX-License-Identifier: MIT
# Ten rounds of two loads, a store, a call with its return, an ecall with its mret, and the
# branch of the loop, counted by the six event counters; then four floating-point operations
# counted by one of them (XLEN 64).  The exit code says how many counts are not what they must
# be.  -DWRONG expects one load too many.
#include "cva6_hpm.h"

#define ROUNDS 10
#ifdef WRONG
#define LOADS (2 * ROUNDS + 1)
#else
#define LOADS (2 * ROUNDS)
#endif

    .macro count counter, event
    li      t0, \event
    csrw    mhpmevent\counter, t0
    csrw    mhpmcounter\counter, zero
    .endm

    .macro expect counter, number   # s2: how many are wrong
    csrr    t0, mhpmcounter\counter
    li      t1, \number
    beq     t0, t1, 1f
    addi    s2, s2, 1
1:
    .endm

    .option norelax                 # gp is not set up
    .text
    .globl  _start
_start:
    la      t0, handler
    csrw    mtvec, t0
    li      s3, -1
    csrw    mcountinhibit, s3       # hold everything while it is set up
    count   3, CVA6_EVENT_LOAD_INSTRUCTIONS_RETIRED
    count   4, CVA6_EVENT_STORE_INSTRUCTIONS_RETIRED
    count   5, CVA6_EVENT_BRANCH_INSTRUCTIONS_RETIRED
    count   6, CVA6_EVENT_CALL_INSTRUCTIONS_RETIRED
    count   7, CVA6_EVENT_RETURN_INSTRUCTIONS_RETIRED
    count   8, CVA6_EVENT_EXCEPTIONS
    la      s0, word
    li      s1, ROUNDS
    li      s2, 0
    csrw    mcountinhibit, zero
round:
    lw      a0, 0(s0)
    lw      a1, 4(s0)
    sw      a0, 8(s0)
    jal     ra, leaf
    ecall
    addi    s1, s1, -1
    bnez    s1, round
    csrw    mcountinhibit, s3
    expect  3, LOADS
    expect  4, ROUNDS
    expect  5, 3 * ROUNDS           # jal and ret are branches too
    expect  6, ROUNDS
    expect  7, ROUNDS
    expect  8, ROUNDS

#if __riscv_xlen == 64
    count   3, CVA6_EVENT_FLOATING_POINT_INSTRUCTIONS_RETIRED
    csrw    mcountinhibit, zero
    fcvt.d.l f0, s1
    fadd.d  f1, f0, f0
    fmul.d  f1, f1, f1
    fmv.x.d a0, f1
    csrw    mcountinhibit, s3
    expect  3, 4
#endif

    # A cycle-level event: nothing here can count it, and the report says so.
    count   3, CVA6_EVENT_L1_D_CACHE_MISSES

    slli    a0, s2, 1
    ori     a0, a0, 1
    la      t0, tohost
    sw      a0, 0(t0)
stop:
    j       stop

leaf:
    ret

    .balign 4
handler:                            # steps over the ecall
    csrr    t0, mepc
    addi    t0, t0, 4
    csrw    mepc, t0
    mret

    .data
    .balign 8
    .globl  tohost
tohost:
    .dword  0
word:
    .word   1, 2, 3, 4
