/* SPDX-License-Identifier: MIT */
/*
 * What test programs of the RISC-V ISA do before, around and after an instruction: a reset that
 * tries registers a core may lack, user and supervisor mode, traps with their cause and value and
 * where medeleg sends them, the gates of counters, misaligned accesses, compressed instructions,
 * atomics, boxed singles (RV64), and the end through tohost in two halves.  The exit code is the
 * number of the first case that is wrong, from 1 on.
 */
        .option norelax
        .option norvc /* what is to be compressed says so */
        .globl  _start, tohost

/* One instruction, and the cause of its trap: -1 none, + 0x100 if it came to S-mode. */
.macro  CASE cause, insn:vararg
        addi    s0, s0, 1
        li      s3, -1
        \insn
        li      t0, \cause
        bne     s3, t0, 98f
        j       99f
98:     j       wrong
99:
.endm
.macro  VALUE reg, value /* of the case before */
        li      t0, \value
        bne     \reg, t0, 98f
        j       99f
98:     j       wrong
99:
.endm
.macro  GO mode
        li      t0, 0x1800
        csrc    mstatus, t0
        li      t0, \mode << 11
        csrs    mstatus, t0
        la      t0, 97f
        csrw    mepc, t0
        mret
97:
.endm
.macro  BACK
        li      a7, 1
        ecall
        li      a7, 0
.endm
.macro  IF_ABSENT_GO_ON insn:vararg
        la      t0, 97f
        csrw    mtvec, t0
        \insn
        .balign 4
97:
.endm

_start: li      s0, 0
        li      a7, 0
        csrr    a0, mhartid
96:     bnez    a0, 96b
        IF_ABSENT_GO_ON csrwi 0x744, 8
        IF_ABSENT_GO_ON csrwi satp, 0
        li      t1, -1
        IF_ABSENT_GO_ON csrw pmpaddr0, t1
        IF_ABSENT_GO_ON csrwi pmpcfg0, 0x1f
        csrwi   mie, 0
        csrwi   mideleg, 0
        csrwi   medeleg, 0
        csrwi   mstatus, 0
        la      t0, m_handler
        csrw    mtvec, t0
        la      t0, s_handler
        csrw    stvec, t0
        la      s1, data

/* machine mode */
        CASE    2, .word 0
        VALUE   s4, 0
        CASE    3, ebreak
        CASE    3, .half 0x9002 /* c.ebreak */
        CASE    11, ecall
        VALUE   s5, 3 /* the mode of the trap */
        CASE    4, lw t1, 2(s1)
        addi    t1, s1, 2
        bne     s4, t1, 1f
        j       2f
1:      j       wrong
2:      CASE    4, lh t1, 1(s1)
        CASE    -1, lb t1, 1(s1)
        CASE    6, sw t1, 1(s1)
        CASE    6, sh t1, 3(s1)
        addi    a0, s1, 2
        CASE    4, .half 0x410c /* c.lw a1, 0(a0) */
        CASE    6, .half 0xc10c /* c.sw a1, 0(a0) */
        CASE    4, lr.w t1, (a0)
        CASE    6, amoadd.w t1, t1, (a0)
        li      a0, 64
        CASE    5, lw t1, (a0)
        VALUE   s4, 64
        CASE    7, sw t1, (a0)
        CASE    7, amoadd.w t1, t1, (a0)
        la      ra, 1f
        addi    s0, s0, 1
        jr      a0
1:      VALUE   s3, 1
        VALUE   s4, 64
        CASE    2, csrw cycle, zero
        CASE    2, rdtime t1
        CASE    -1, csrr t1, hpmcounter3
        CASE    -1, wfi
        CASE    -1, sfence.vma

/* user mode: what is not for it, and the gates of counters */
        GO      0
        CASE    2, csrr t1, mscratch
        CASE    2, csrr t1, sscratch
        VALUE   s5, 0
        CASE    2, csrr t1, mhpmcounter3
        CASE    2, mret
        CASE    2, sret
        CASE    2, wfi
        CASE    2, sfence.vma
        CASE    8, ecall
        CASE    2, csrr t1, instret
        CASE    4, lw t1, 2(s1)
        BACK
        csrr    t1, mstatus /* mret leaves U-mode as the previous one */
        srli    t1, t1, 11
        andi    t1, t1, 3
        VALUE   t1, 0
        li      t1, 8 /* of counter 3 */
        csrw    mcounteren, t1
        GO      0
        CASE    2, csrr t1, hpmcounter3
        BACK
        csrw    scounteren, t1
        GO      0
        CASE    -1, csrr t1, hpmcounter3
        CASE    2, csrr t1, hpmcounter4
        CASE    2, csrw hpmcounter3, t1
        BACK
        csrw    mcounteren, zero
        GO      0
        CASE    2, csrr t1, hpmcounter3
        BACK

/* supervisor mode */
        GO      1
        CASE    -1, csrw sscratch, t1
        CASE    2, csrr t1, mscratch
        CASE    2, csrr t1, hpmcounter3
        VALUE   s5, 1
        CASE    2, mret
        CASE    -1, sfence.vma
        CASE    -1, wfi
        CASE    -1, csrwi satp, 0
        CASE    9, ecall
        BACK
        li      t1, 0x700000 /* TVM, TW, TSR */
        csrs    mstatus, t1
        GO      1
        CASE    2, sfence.vma
        CASE    2, csrwi satp, 0
        CASE    2, wfi
        CASE    2, sret
        BACK
        li      t1, 0x700000
        csrc    mstatus, t1

/* delegated: what ecall of S-mode is not */
        li      t1, -1
        csrw    medeleg, t1
        addi    s0, s0, 1
        csrr    t1, medeleg
        VALUE   t1, 0xb1ff
        li      t1, 0xff
        csrw    medeleg, t1
        GO      0
        CASE    0x103, ebreak
        VALUE   s5, 0
        CASE    0x102, csrr t1, sscratch
        CASE    0x104, lw t1, 2(s1)
        addi    t1, s1, 2
        bne     s4, t1, 1f
        j       2f
1:      j       wrong
2:      CASE    8, ecall
        BACK
        GO      1
        CASE    0x102, csrr t1, mscratch
        VALUE   s5, 1
        CASE    9, ecall
        BACK
        CASE    2, .word 0 /* not from M-mode */
        csrwi   medeleg, 0

/* previous modes: 2 is none, S-mode has its part of mstatus */
        addi    s0, s0, 1
        csrwi   mstatus, 0
        li      t1, 0x1800
        csrs    mstatus, t1
        li      t1, 0x800
        csrc    mstatus, t1 /* 2: left as it was */
        csrr    t1, mstatus
        srli    t1, t1, 11
        andi    t1, t1, 3
        VALUE   t1, 3
        li      t1, -1
        csrw    sstatus, t1
        csrr    t1, mstatus
        li      t2, 0x7fffff
        and     t1, t1, t2
#if __riscv_xlen == 64
        VALUE   t1, 0xc7922
#else
        VALUE   t1, 0xc1922
#endif
        csrwi   sstatus, 0

/* counters count traps and returns: ecall, its mret, and again */
        addi    s0, s0, 1
        csrwi   mhpmevent4, 7
        csrwi   mhpmevent5, 8
        csrwi   mhpmcounter4, 0
        csrwi   mhpmcounter5, 0
        ecall
        GO      0
        ecall
        BACK
        csrr    t1, mhpmcounter4
        VALUE   t1, 3
        csrr    t1, mhpmcounter5
        VALUE   t1, 4

/* compressed instructions */
        addi    s0, s0, 1
        .option push
        .option rvc
        c.li    a0, 5
        c.slli  a0, 3
        c.mv    a1, a0
        c.addi  a1, -8
        c.xor   a1, a0 /* 40 ^ 32 */
        c.srli  a1, 3
        c.j     1f
        c.li    a1, 0
1:      VALUE   a1, 1
        la      a0, data
        li      a1, -3
        c.sw    a1, 4(a0)
        c.lw    a2, 4(a0)
        VALUE   a2, -3
        addi    sp, sp, -32
        c.swsp  a1, 8(sp)
        li      a2, 0
        c.lwsp  a2, 8(sp)
        .option pop
        VALUE   a2, -3

/* atomics */
        addi    s0, s0, 1
        li      t1, 40
        sw      t1, (s1)
        li      t1, 2
        amoadd.w t2, t1, (s1)
        VALUE   t2, 40
        amoswap.w t2, t1, (s1)
        VALUE   t2, 42
        lr.w    t2, (s1)
        sc.w    t3, t2, (s1)
        VALUE   t3, 0
        sc.w    t3, t2, (s1)
        VALUE   t3, 1

#if __riscv_xlen == 64
/* boxed singles, and floating point that becomes dirty */
        li      t1, 0x2000
        CASE    2, flw ft0, (s1)
        csrs    mstatus, t1
        CASE    -1, flw ft0, (s1)
        fmv.x.d t1, ft0
        srai    t1, t1, 32
        VALUE   t1, -1
        csrr    t1, mstatus
        srli    t1, t1, 13
        andi    t1, t1, 3
        VALUE   t1, 3
        fsd     ft0, 8(s1)
        lw      t1, 12(s1)
        VALUE   t1, -1
        lw      t1, 8(s1)
        VALUE   t1, 2
        fmv.d.x ft1, zero /* no boxed single: a NaN */
        fadd.s  ft2, ft1, ft1
        fmv.x.w t1, ft2
        VALUE   t1, 0x7fc00000
#endif
        li      s0, 0
wrong:  slli    t0, s0, 1
        ori     t0, t0, 1
        la      t1, tohost
1:      sw      t0, (t1)
        sw      zero, 4(t1)
        j       1b

        .balign 4
m_handler:
        csrr    s3, mcause
        csrr    s4, mtval
        csrr    s5, mstatus
        srli    s5, s5, 11
        andi    s5, s5, 3
        csrr    t6, mepc
        bnez    a7, 2f
        li      t5, 1 /* there is no instruction to look at */
        beq     s3, t5, 3f
        lhu     t5, (t6)
        not     t5, t5
        andi    t5, t5, 3
        bnez    t5, 1f
        addi    t6, t6, 2
1:      addi    t6, t6, 2
        csrw    mepc, t6
        mret
2:      addi    t6, t6, 4
        li      t5, 0x1800
        csrs    mstatus, t5
        csrw    mepc, t6
        mret
3:      csrw    mepc, ra
        mret

        .balign 4
s_handler:
        csrr    s3, scause
        addi    s3, s3, 0x100
        csrr    s4, stval
        csrr    s5, sstatus
        srli    s5, s5, 8
        andi    s5, s5, 1
        csrr    t6, sepc
        addi    t6, t6, 4
        csrw    sepc, t6
        sret

        .data
        .balign 16
data:   .word   2, 0, 0, 0
        .section .tohost, "aw", @progbits
        .balign 64
tohost: .dword  0
