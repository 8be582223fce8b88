# SPDX-License-Identifier: MIT
# A program's beginning and its words with the host: bss is cleared, gp and sp are set, main() is
# called in user mode (its counters are open to it), and what it returns ends the program.
    .section .text.init, "ax", @progbits
    .globl  _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, stack_end
    la      t0, trap
    csrw    mtvec, t0
    li      t0, -1
    csrw    mcounteren, t0
    csrw    scounteren, t0
    csrwi   mhpmevent3, 5           # loads, stores, branches: read by the program
    csrwi   mhpmevent4, 6
    csrwi   mhpmevent5, 9
    la      t0, __bss_start
    la      t1, _end
1:  bgeu    t0, t1, 2f
    sb      zero, (t0)
    addi    t0, t0, 1
    j       1b
2:  la      t0, user
    csrw    mepc, t0
    mret                            # mstatus.MPP is U at reset
user:
    jal     main
    ecall                           # with the exit code in a0

    .balign 4
trap:                               # an ecall of the end, or what must not happen: 99
    csrr    t0, mcause
    addi    t0, t0, -8
    beqz    t0, 1f
    li      a0, 99
1:  slli    a0, a0, 1
    ori     a0, a0, 1
    la      t0, tohost
2:  sw      a0, (t0)
    sw      zero, 4(t0)
    j       2b

    .section .tohost, "aw", @progbits
    .balign 64
    .globl  tohost, fromhost
tohost:
    .dword  0
    .balign 64
fromhost:
    .dword  0

    .bss
    .balign 16
    .space  8192
stack_end:
