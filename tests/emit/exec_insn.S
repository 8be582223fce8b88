/* SPDX-License-Identifier: MIT */
/*
 * Instructions that a machine can have wrong.  Of RV64: single-precision numbers that are not
 * boxed, NaNs in minimum and maximum, infinity times zero plus a NaN, 32-bit atomics with something
 * in the upper half of rs2, traps; of RV32: shifts by 32, and atomics.  Each line is one instruction: its operands, the result, and for
 * floating point the flags that it raises, by the ISA.  The exit code is the number of the first
 * case that is wrong, from 1 on.
 */
        .option norelax
        .globl  _start, tohost

/* s3 has what came, s4 what should have, s5 the flags, s6 those that should be */
.macro  VERDICT
        addi    s0, s0, 1
        bne     s3, s4, 1f
        beq     s5, s6, 2f
1:      j       wrong
2:
.endm

.macro  TAKE_F
        csrr    s5, fflags
        fmv.x.d s3, ft3
        VERDICT
.endm
.macro  TAKE_X
        csrr    s5, fflags
        VERDICT
.endm

.macro  BEGIN result, flags
        csrwi   fcsr, 0
        li      s4, \result
        li      s6, \flags
.endm
.macro  OPERAND reg, value
        li      t0, \value
        fmv.d.x \reg, t0
.endm

.macro  FFF insn, a, b, result, flags
        OPERAND ft0, \a
        OPERAND ft1, \b
        BEGIN   \result, \flags
        \insn   ft3, ft0, ft1
        TAKE_F
.endm
.macro  FFFF insn, a, b, c, result, flags
        OPERAND ft0, \a
        OPERAND ft1, \b
        OPERAND ft2, \c
        BEGIN   \result, \flags
        \insn   ft3, ft0, ft1, ft2
        TAKE_F
.endm
.macro  FF insn, a, result, flags /* the source and, once more, the destination are one register */
        OPERAND ft0, \a
        BEGIN   \result, \flags
        \insn   ft3, ft0
        TAKE_F
        OPERAND ft3, \a
        BEGIN   \result, \flags
        \insn   ft3, ft3
        TAKE_F
        /* what was read is still there */
        BEGIN   \a, 0
        fmv.x.d s3, ft0
        TAKE_X
.endm
.macro  FX insn, a, result, flags
        li      s2, \a
        BEGIN   \result, \flags
        \insn   ft3, s2
        TAKE_F
.endm
.macro  XFF insn, a, b, result, flags
        OPERAND ft0, \a
        OPERAND ft1, \b
        BEGIN   \result, \flags
        \insn   s3, ft0, ft1
        TAKE_X
        BEGIN   \a, 0
        fmv.x.d s3, ft0
        TAKE_X
.endm
.macro  XF insn, a, result, flags
        OPERAND ft0, \a
        BEGIN   \result, \flags
        \insn   s3, ft0
        TAKE_X
.endm
.macro  M insn, memory, operand, result, after
        la      s1, place
        li      t0, \memory
        sd      t0, (s1)
        li      t1, \operand
        BEGIN   \result, \after
        \insn   s3, t1, (s1)
        ld      s5, (s1)
        VERDICT
.endm

/* The instruction traps, with this cause and this mtval; mepc is its own place. */
.macro  TRAP cause, value, insn:vararg
        li      s6, \value
        TRAP_WITH_S6 \cause, \insn
.endm
.macro  TRAP_AT cause, insn:vararg
        la      s6, 7f
        TRAP_WITH_S6 \cause, \insn
.endm
.macro  TRAP_WITH_S6 cause, insn:vararg
        li      s4, \cause
        li      s3, -1
        la      s7, 7f
        la      s8, 8f
7:      \insn
        c.nop
8:      VERDICT
.endm

        .text
_start: li      s0, 0
        la      t0, handler
        csrw    mtvec, t0
#if __riscv_xlen == 64
    FFF fadd.s, 0xffffffff3f800000, 0xffffffff40000000, 0xffffffff40400000, 0
    FFF fadd.s, 0x3f800000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFF fadd.s, 0xffffffff40000000, 0x1234567840000000, 0xffffffff7fc00000, 0
    FFF fadd.s, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFF fsub.s, 0xffffffff3f800000, 0xffffffff40000000, 0xffffffffbf800000, 0
    FFF fsub.s, 0x3f800000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFF fsub.s, 0xffffffff40000000, 0x1234567840000000, 0xffffffff7fc00000, 0
    FFF fsub.s, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFF fmul.s, 0xffffffff3f800000, 0xffffffff40000000, 0xffffffff40000000, 0
    FFF fmul.s, 0x3f800000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFF fmul.s, 0xffffffff40000000, 0x1234567840000000, 0xffffffff7fc00000, 0
    FFF fmul.s, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFF fdiv.s, 0xffffffff3f800000, 0xffffffff40000000, 0xffffffff3f000000, 0
    FFF fdiv.s, 0x3f800000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFF fdiv.s, 0xffffffff40000000, 0x1234567840000000, 0xffffffff7fc00000, 0
    FFF fdiv.s, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFF fsgnj.s, 0xffffffff3f800000, 0xffffffff80000000, 0xffffffffbf800000, 0
    FFF fsgnj.s, 0xffffffffbf800000, 0xffffffff3f800000, 0xffffffff3f800000, 0
    FFF fsgnj.s, 0x3f800000, 0xffffffff80000000, 0xffffffffffc00000, 0
    FFF fsgnj.s, 0xffffffff3f800000, 0x80000000, 0xffffffff3f800000, 0
    FFF fsgnj.s, 0x3f800000, 0x3f800000, 0xffffffff7fc00000, 0
    FFF fsgnjn.s, 0xffffffff3f800000, 0xffffffff80000000, 0xffffffff3f800000, 0
    FFF fsgnjn.s, 0xffffffffbf800000, 0xffffffff3f800000, 0xffffffffbf800000, 0
    FFF fsgnjn.s, 0x3f800000, 0xffffffff80000000, 0xffffffff7fc00000, 0
    FFF fsgnjn.s, 0xffffffff3f800000, 0x80000000, 0xffffffffbf800000, 0
    FFF fsgnjn.s, 0x3f800000, 0x3f800000, 0xffffffffffc00000, 0
    FFF fsgnjx.s, 0xffffffff3f800000, 0xffffffff80000000, 0xffffffffbf800000, 0
    FFF fsgnjx.s, 0xffffffffbf800000, 0xffffffff3f800000, 0xffffffffbf800000, 0
    FFF fsgnjx.s, 0x3f800000, 0xffffffff80000000, 0xffffffffffc00000, 0
    FFF fsgnjx.s, 0xffffffff3f800000, 0x80000000, 0xffffffff3f800000, 0
    FFF fsgnjx.s, 0x3f800000, 0x3f800000, 0xffffffff7fc00000, 0
    FFF fsgnj.d, 0x3ff0000000000000, 0x8000000000000000, 0xbff0000000000000, 0
    FFF fsgnj.d, 0xbff0000000000000, 0x3ff0000000000000, 0x3ff0000000000000, 0
    FFF fsgnjn.d, 0x3ff0000000000000, 0x8000000000000000, 0x3ff0000000000000, 0
    FFF fsgnjn.d, 0xbff0000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0
    FFF fsgnjx.d, 0x3ff0000000000000, 0x8000000000000000, 0xbff0000000000000, 0
    FFF fsgnjx.d, 0xbff0000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0
    FFF fmin.s, 0xffffffff3f800000, 0xffffffff40000000, 0xffffffff3f800000, 0
    FFF fmin.s, 0xffffffff7f800001, 0xffffffff3f800000, 0xffffffff3f800000, 16
    FFF fmin.s, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff3f800000, 16
    FFF fmin.s, 0xffffffff7fc00000, 0xffffffff40000000, 0xffffffff40000000, 0
    FFF fmin.s, 0xffffffff7fc00000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFF fmin.s, 0xffffffff80000000, 0xffffffff00000000, 0xffffffff80000000, 0
    FFF fmin.s, 0xffffffff00000000, 0xffffffff80000000, 0xffffffff80000000, 0
    FFF fmin.s, 0x3f800000, 0xffffffff40000000, 0xffffffff40000000, 0
    FFF fmin.s, 0xffffffffc0000000, 0xffffffffbf800000, 0xffffffffc0000000, 0
    FFF fmin.s, 0xffffffffff800000, 0xffffffff7f800000, 0xffffffffff800000, 0
    FFF fmax.s, 0xffffffff3f800000, 0xffffffff40000000, 0xffffffff40000000, 0
    FFF fmax.s, 0xffffffff7f800001, 0xffffffff3f800000, 0xffffffff3f800000, 16
    FFF fmax.s, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff3f800000, 16
    FFF fmax.s, 0xffffffff7fc00000, 0xffffffff40000000, 0xffffffff40000000, 0
    FFF fmax.s, 0xffffffff7fc00000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFF fmax.s, 0xffffffff80000000, 0xffffffff00000000, 0xffffffff00000000, 0
    FFF fmax.s, 0xffffffff00000000, 0xffffffff80000000, 0xffffffff00000000, 0
    FFF fmax.s, 0x3f800000, 0xffffffff40000000, 0xffffffff40000000, 0
    FFF fmax.s, 0xffffffffc0000000, 0xffffffffbf800000, 0xffffffffbf800000, 0
    FFF fmax.s, 0xffffffffff800000, 0xffffffff7f800000, 0xffffffff7f800000, 0
    FFF fmin.d, 0x3ff0000000000000, 0x4000000000000000, 0x3ff0000000000000, 0
    FFF fmin.d, 0x7ff0000000000001, 0x3ff0000000000000, 0x3ff0000000000000, 16
    FFF fmin.d, 0x3ff0000000000000, 0x7ff0000000000001, 0x3ff0000000000000, 16
    FFF fmin.d, 0x7ff8000000000001, 0x4000000000000000, 0x4000000000000000, 0
    FFF fmin.d, 0x7ff8000000000001, 0x7ff0000000000001, 0x7ff8000000000000, 16
    FFF fmin.d, 0x8000000000000000, 0x0, 0x8000000000000000, 0
    FFF fmin.d, 0x0, 0x8000000000000000, 0x8000000000000000, 0
    FFF fmin.d, 0xc000000000000000, 0xbff0000000000000, 0xc000000000000000, 0
    FFF fmax.d, 0x3ff0000000000000, 0x4000000000000000, 0x4000000000000000, 0
    FFF fmax.d, 0x7ff0000000000001, 0x3ff0000000000000, 0x3ff0000000000000, 16
    FFF fmax.d, 0x3ff0000000000000, 0x7ff0000000000001, 0x3ff0000000000000, 16
    FFF fmax.d, 0x7ff8000000000001, 0x4000000000000000, 0x4000000000000000, 0
    FFF fmax.d, 0x7ff8000000000001, 0x7ff0000000000001, 0x7ff8000000000000, 16
    FFF fmax.d, 0x8000000000000000, 0x0, 0x0, 0
    FFF fmax.d, 0x0, 0x8000000000000000, 0x0, 0
    FFF fmax.d, 0xc000000000000000, 0xbff0000000000000, 0xbff0000000000000, 0
    FF fsqrt.s, 0xffffffff40800000, 0xffffffff40000000, 0
    FF fsqrt.s, 0x40800000, 0xffffffff7fc00000, 0
    FF fsqrt.s, 0xffffffffbf800000, 0xffffffff7fc00000, 16
    XFF feq.s, 0xffffffff3f800000, 0xffffffff40000000, 0x0, 0
    XFF feq.s, 0xffffffff3f800000, 0xffffffff3f800000, 0x1, 0
    XFF feq.s, 0x3f800000, 0xffffffff3f800000, 0x0, 0
    XFF feq.s, 0xffffffff3f800000, 0x3f800000, 0x0, 0
    XFF feq.s, 0xffffffff7f800001, 0xffffffff3f800000, 0x0, 16
    XFF feq.s, 0xffffffff7fc00000, 0xffffffff3f800000, 0x0, 0
    XFF flt.s, 0xffffffff3f800000, 0xffffffff40000000, 0x1, 0
    XFF flt.s, 0xffffffff3f800000, 0xffffffff3f800000, 0x0, 0
    XFF flt.s, 0x3f800000, 0xffffffff3f800000, 0x0, 16
    XFF flt.s, 0xffffffff3f800000, 0x3f800000, 0x0, 16
    XFF flt.s, 0xffffffff7f800001, 0xffffffff3f800000, 0x0, 16
    XFF flt.s, 0xffffffff7fc00000, 0xffffffff3f800000, 0x0, 16
    XFF fle.s, 0xffffffff3f800000, 0xffffffff40000000, 0x1, 0
    XFF fle.s, 0xffffffff3f800000, 0xffffffff3f800000, 0x1, 0
    XFF fle.s, 0x3f800000, 0xffffffff3f800000, 0x0, 16
    XFF fle.s, 0xffffffff3f800000, 0x3f800000, 0x0, 16
    XFF fle.s, 0xffffffff7f800001, 0xffffffff3f800000, 0x0, 16
    XFF fle.s, 0xffffffff7fc00000, 0xffffffff3f800000, 0x0, 16
    XF fclass.s, 0xffffffff3f800000, 0x40, 0
    XF fclass.s, 0x3f800000, 0x200, 0
    XF fclass.s, 0xffffffff7f800001, 0x100, 0
    XF fclass.s, 0xffffffff00000001, 0x20, 0
    XF fclass.s, 0xffffffffff800000, 0x1, 0
    XF fcvt.w.s, 0xffffffff40000000, 0x2, 0
    XF fcvt.w.s, 0x3f800000, 0x7fffffff, 16
    XF fcvt.w.s, 0xffffffffff800000, 0xffffffff80000000, 16
    XF fcvt.w.s, 0xffffffff4f800000, 0x7fffffff, 16
    FX fcvt.s.w, 0x1, 0xffffffff3f800000, 0
    FX fcvt.s.w, 0xffffffffffffffff, 0xffffffffbf800000, 0
    FX fcvt.s.w, 0x123456789abcdef0, 0xffffffffceca8642, 1
    XF fcvt.wu.s, 0xffffffff40000000, 0x2, 0
    XF fcvt.wu.s, 0x3f800000, 0xffffffffffffffff, 16
    XF fcvt.wu.s, 0xffffffffff800000, 0x0, 16
    XF fcvt.wu.s, 0xffffffff4f800000, 0xffffffffffffffff, 16
    FX fcvt.s.wu, 0x1, 0xffffffff3f800000, 0
    FX fcvt.s.wu, 0xffffffffffffffff, 0xffffffff4f800000, 1
    FX fcvt.s.wu, 0x123456789abcdef0, 0xffffffff4f1abcdf, 1
    XF fcvt.l.s, 0xffffffff40000000, 0x2, 0
    XF fcvt.l.s, 0x3f800000, 0x7fffffffffffffff, 16
    XF fcvt.l.s, 0xffffffffff800000, 0x8000000000000000, 16
    XF fcvt.l.s, 0xffffffff4f800000, 0x100000000, 0
    FX fcvt.s.l, 0x1, 0xffffffff3f800000, 0
    FX fcvt.s.l, 0xffffffffffffffff, 0xffffffffbf800000, 0
    FX fcvt.s.l, 0x123456789abcdef0, 0xffffffff5d91a2b4, 1
    XF fcvt.lu.s, 0xffffffff40000000, 0x2, 0
    XF fcvt.lu.s, 0x3f800000, 0xffffffffffffffff, 16
    XF fcvt.lu.s, 0xffffffffff800000, 0x0, 16
    XF fcvt.lu.s, 0xffffffff4f800000, 0x100000000, 0
    FX fcvt.s.lu, 0x1, 0xffffffff3f800000, 0
    FX fcvt.s.lu, 0xffffffffffffffff, 0xffffffff5f800000, 1
    FX fcvt.s.lu, 0x123456789abcdef0, 0xffffffff5d91a2b4, 1
    FF fcvt.s.d, 0x3ff0000000000000, 0xffffffff3f800000, 0
    FF fcvt.s.d, 0x7ff0000000000001, 0xffffffff7fc00000, 16
    FF fcvt.s.d, 0x36a0000000000000, 0xffffffff00000001, 0
    FF fcvt.d.s, 0xffffffff3f800000, 0x3ff0000000000000, 0
    FF fcvt.d.s, 0x3f800000, 0x7ff8000000000000, 0
    FF fcvt.d.s, 0xffffffff7f800001, 0x7ff8000000000000, 16
    XF fmv.x.w, 0xffffffff3f800000, 0x3f800000, 0
    XF fmv.x.w, 0x1234567840000000, 0x40000000, 0
    XF fmv.x.w, 0x80000000, 0xffffffff80000000, 0
    FX fmv.w.x, 0x1234567840000000, 0xffffffff40000000, 0
    FX fmv.w.x, 0x80000000, 0xffffffff80000000, 0
    XF fmv.x.d, 0x1234567840000000, 0x1234567840000000, 0
    FX fmv.d.x, 0x1234567840000000, 0x1234567840000000, 0
    FFFF fmadd.s, 0xffffffff40000000, 0xffffffff40000000, 0xffffffff3f800000, 0xffffffff40a00000, 0
    FFFF fmadd.s, 0x3f800000, 0xffffffff40000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fmadd.s, 0xffffffff40000000, 0x1234567840000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fmadd.s, 0xffffffff40000000, 0xffffffff40000000, 0x3f800000, 0xffffffff7fc00000, 0
    FFFF fmadd.s, 0xffffffff7f800000, 0xffffffff00000000, 0xffffffff7fc00000, 0xffffffff7fc00000, 16
    FFFF fmadd.s, 0xffffffff00000000, 0xffffffffff800000, 0xffffffff3f800000, 0xffffffff7fc00000, 16
    FFFF fmadd.s, 0xffffffff7fc00000, 0xffffffff00000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fmadd.s, 0xffffffff3f800000, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFFF fmadd.d, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000, 0x4014000000000000, 0
    FFFF fmadd.d, 0x7ff0000000000000, 0x0, 0x7ff8000000000001, 0x7ff8000000000000, 16
    FFFF fmadd.d, 0x0, 0x7ff0000000000000, 0x3ff0000000000000, 0x7ff8000000000000, 16
    FFFF fmadd.d, 0x7ff8000000000001, 0x0, 0x3ff0000000000000, 0x7ff8000000000000, 0
    FFFF fmsub.s, 0xffffffff40000000, 0xffffffff40000000, 0xffffffff3f800000, 0xffffffff40400000, 0
    FFFF fmsub.s, 0x3f800000, 0xffffffff40000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fmsub.s, 0xffffffff40000000, 0x1234567840000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fmsub.s, 0xffffffff40000000, 0xffffffff40000000, 0x3f800000, 0xffffffff7fc00000, 0
    FFFF fmsub.s, 0xffffffff7f800000, 0xffffffff00000000, 0xffffffff7fc00000, 0xffffffff7fc00000, 16
    FFFF fmsub.s, 0xffffffff00000000, 0xffffffffff800000, 0xffffffff3f800000, 0xffffffff7fc00000, 16
    FFFF fmsub.s, 0xffffffff7fc00000, 0xffffffff00000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fmsub.s, 0xffffffff3f800000, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFFF fmsub.d, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000, 0x4008000000000000, 0
    FFFF fmsub.d, 0x7ff0000000000000, 0x0, 0x7ff8000000000001, 0x7ff8000000000000, 16
    FFFF fmsub.d, 0x0, 0x7ff0000000000000, 0x3ff0000000000000, 0x7ff8000000000000, 16
    FFFF fmsub.d, 0x7ff8000000000001, 0x0, 0x3ff0000000000000, 0x7ff8000000000000, 0
    FFFF fnmadd.s, 0xffffffff40000000, 0xffffffff40000000, 0xffffffff3f800000, 0xffffffffc0a00000, 0
    FFFF fnmadd.s, 0x3f800000, 0xffffffff40000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fnmadd.s, 0xffffffff40000000, 0x1234567840000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fnmadd.s, 0xffffffff40000000, 0xffffffff40000000, 0x3f800000, 0xffffffff7fc00000, 0
    FFFF fnmadd.s, 0xffffffff7f800000, 0xffffffff00000000, 0xffffffff7fc00000, 0xffffffff7fc00000, 16
    FFFF fnmadd.s, 0xffffffff00000000, 0xffffffffff800000, 0xffffffff3f800000, 0xffffffff7fc00000, 16
    FFFF fnmadd.s, 0xffffffff7fc00000, 0xffffffff00000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fnmadd.s, 0xffffffff3f800000, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFFF fnmadd.d, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000, 0xc014000000000000, 0
    FFFF fnmadd.d, 0x7ff0000000000000, 0x0, 0x7ff8000000000001, 0x7ff8000000000000, 16
    FFFF fnmadd.d, 0x0, 0x7ff0000000000000, 0x3ff0000000000000, 0x7ff8000000000000, 16
    FFFF fnmadd.d, 0x7ff8000000000001, 0x0, 0x3ff0000000000000, 0x7ff8000000000000, 0
    FFFF fnmsub.s, 0xffffffff40000000, 0xffffffff40000000, 0xffffffff3f800000, 0xffffffffc0400000, 0
    FFFF fnmsub.s, 0x3f800000, 0xffffffff40000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fnmsub.s, 0xffffffff40000000, 0x1234567840000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fnmsub.s, 0xffffffff40000000, 0xffffffff40000000, 0x3f800000, 0xffffffff7fc00000, 0
    FFFF fnmsub.s, 0xffffffff7f800000, 0xffffffff00000000, 0xffffffff7fc00000, 0xffffffff7fc00000, 16
    FFFF fnmsub.s, 0xffffffff00000000, 0xffffffffff800000, 0xffffffff3f800000, 0xffffffff7fc00000, 16
    FFFF fnmsub.s, 0xffffffff7fc00000, 0xffffffff00000000, 0xffffffff3f800000, 0xffffffff7fc00000, 0
    FFFF fnmsub.s, 0xffffffff3f800000, 0xffffffff3f800000, 0xffffffff7f800001, 0xffffffff7fc00000, 16
    FFFF fnmsub.d, 0x4000000000000000, 0x4000000000000000, 0x3ff0000000000000, 0xc008000000000000, 0
    FFFF fnmsub.d, 0x7ff0000000000000, 0x0, 0x7ff8000000000001, 0x7ff8000000000000, 16
    FFFF fnmsub.d, 0x0, 0x7ff0000000000000, 0x3ff0000000000000, 0x7ff8000000000000, 16
    FFFF fnmsub.d, 0x7ff8000000000001, 0x0, 0x3ff0000000000000, 0x7ff8000000000000, 0
    M amoadd.w, 0x5, 0xdeadbeef00000003, 0x5, 0x8
    M amoadd.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0x1
    M amoadd.w, 0x3, 0xffffffff00000000, 0x3, 0x3
    M amoadd.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0xffffffff
    M amoadd.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0xffffffff
    M amoadd.w, 0x1, 0x1ffffffff, 0x1, 0x0
    M amoadd.d, 0x5, 0x3, 0x5, 0x8
    M amoadd.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0x2
    M amoadd.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0x5eadbeef00000000
    M amoadd.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0x5eadbeef00000000
    M amoswap.w, 0x5, 0xdeadbeef00000003, 0x5, 0x3
    M amoswap.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0x3
    M amoswap.w, 0x3, 0xffffffff00000000, 0x3, 0x0
    M amoswap.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x7fffffff
    M amoswap.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amoswap.w, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amoswap.d, 0x5, 0x3, 0x5, 0x3
    M amoswap.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0x3
    M amoswap.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000
    M amoswap.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000
    M amoxor.w, 0x5, 0xdeadbeef00000003, 0x5, 0x6
    M amoxor.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffd
    M amoxor.w, 0x3, 0xffffffff00000000, 0x3, 0x3
    M amoxor.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0xffffffff
    M amoxor.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0xffffffff
    M amoxor.w, 0x1, 0x1ffffffff, 0x1, 0xfffffffe
    M amoxor.d, 0x5, 0x3, 0x5, 0x6
    M amoxor.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0xfffffffffffffffc
    M amoxor.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0x5eadbeef00000000
    M amoxor.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0x5eadbeef00000000
    M amoand.w, 0x5, 0xdeadbeef00000003, 0x5, 0x1
    M amoand.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0x2
    M amoand.w, 0x3, 0xffffffff00000000, 0x3, 0x0
    M amoand.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x0
    M amoand.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0x0
    M amoand.w, 0x1, 0x1ffffffff, 0x1, 0x1
    M amoand.d, 0x5, 0x3, 0x5, 0x1
    M amoand.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0x3
    M amoand.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0x8000000000000000
    M amoand.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000
    M amoor.w, 0x5, 0xdeadbeef00000003, 0x5, 0x7
    M amoor.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xffffffff
    M amoor.w, 0x3, 0xffffffff00000000, 0x3, 0x3
    M amoor.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0xffffffff
    M amoor.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0xffffffff
    M amoor.w, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amoor.d, 0x5, 0x3, 0x5, 0x7
    M amoor.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0xffffffffffffffff
    M amoor.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000
    M amoor.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0xdeadbeef00000000
    M amomin.w, 0x5, 0xdeadbeef00000003, 0x5, 0x3
    M amomin.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffe
    M amomin.w, 0x3, 0xffffffff00000000, 0x3, 0x0
    M amomin.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x80000000
    M amomin.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amomin.w, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amomin.w.aq, 0x5, 0xdeadbeef00000003, 0x5, 0x3
    M amomin.w.aq, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffe
    M amomin.w.aq, 0x3, 0xffffffff00000000, 0x3, 0x0
    M amomin.w.aq, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x80000000
    M amomin.w.aq, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amomin.w.aq, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amomin.w.rl, 0x5, 0xdeadbeef00000003, 0x5, 0x3
    M amomin.w.rl, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffe
    M amomin.w.rl, 0x3, 0xffffffff00000000, 0x3, 0x0
    M amomin.w.rl, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x80000000
    M amomin.w.rl, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amomin.w.rl, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amomin.w.aqrl, 0x5, 0xdeadbeef00000003, 0x5, 0x3
    M amomin.w.aqrl, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffe
    M amomin.w.aqrl, 0x3, 0xffffffff00000000, 0x3, 0x0
    M amomin.w.aqrl, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x80000000
    M amomin.w.aqrl, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amomin.w.aqrl, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amomin.d, 0x5, 0x3, 0x5, 0x3
    M amomin.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0xffffffffffffffff
    M amomin.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0x8000000000000000
    M amomin.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000
    M amomax.w, 0x5, 0xdeadbeef00000003, 0x5, 0x5
    M amomax.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0x3
    M amomax.w, 0x3, 0xffffffff00000000, 0x3, 0x3
    M amomax.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x7fffffff
    M amomax.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0x7fffffff
    M amomax.w, 0x1, 0x1ffffffff, 0x1, 0x1
    M amomax.d, 0x5, 0x3, 0x5, 0x5
    M amomax.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0x3
    M amomax.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000
    M amomax.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0xdeadbeef00000000
    M amominu.w, 0x5, 0xdeadbeef00000003, 0x5, 0x3
    M amominu.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0x3
    M amominu.w, 0x3, 0xffffffff00000000, 0x3, 0x0
    M amominu.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x7fffffff
    M amominu.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0x7fffffff
    M amominu.w, 0x1, 0x1ffffffff, 0x1, 0x1
    M amominu.d, 0x5, 0x3, 0x5, 0x3
    M amominu.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0x3
    M amominu.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0x8000000000000000
    M amominu.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000
    M amomaxu.w, 0x5, 0xdeadbeef00000003, 0x5, 0x5
    M amomaxu.w, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffe
    M amomaxu.w, 0x3, 0xffffffff00000000, 0x3, 0x3
    M amomaxu.w, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x80000000
    M amomaxu.w, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amomaxu.w, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amomaxu.w.aq, 0x5, 0xdeadbeef00000003, 0x5, 0x5
    M amomaxu.w.aq, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffe
    M amomaxu.w.aq, 0x3, 0xffffffff00000000, 0x3, 0x3
    M amomaxu.w.aq, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x80000000
    M amomaxu.w.aq, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amomaxu.w.aq, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amomaxu.w.rl, 0x5, 0xdeadbeef00000003, 0x5, 0x5
    M amomaxu.w.rl, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffe
    M amomaxu.w.rl, 0x3, 0xffffffff00000000, 0x3, 0x3
    M amomaxu.w.rl, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x80000000
    M amomaxu.w.rl, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amomaxu.w.rl, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amomaxu.w.aqrl, 0x5, 0xdeadbeef00000003, 0x5, 0x5
    M amomaxu.w.aqrl, 0xfffffffe, 0xdeadbeef00000003, 0xfffffffffffffffe, 0xfffffffe
    M amomaxu.w.aqrl, 0x3, 0xffffffff00000000, 0x3, 0x3
    M amomaxu.w.aqrl, 0x80000000, 0x7fffffff, 0xffffffff80000000, 0x80000000
    M amomaxu.w.aqrl, 0x7fffffff, 0x80000000, 0x7fffffff, 0x80000000
    M amomaxu.w.aqrl, 0x1, 0x1ffffffff, 0x1, 0xffffffff
    M amomaxu.d, 0x5, 0x3, 0x5, 0x5
    M amomaxu.d, 0xffffffffffffffff, 0x3, 0xffffffffffffffff, 0xffffffffffffffff
    M amomaxu.d, 0x8000000000000000, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000
    M amomaxu.d, 0xdeadbeef00000000, 0x8000000000000000, 0xdeadbeef00000000, 0xdeadbeef00000000

        /* an sc is done once, for the same place and width, and writes nothing else */
        la      s1, place
        li      s6, 0
        li      s5, 0
        sd      zero, (s1)
        li      t1, 5
        lr.d    t0, (s1)
        sc.d.rl s3, t1, (s1)
        li      s4, 0
        VERDICT
        sc.d    s3, zero, (s1)
        li      s4, 1
        VERDICT
        lr.w.aq t0, (s1)
        addi    t2, s1, 4
        sc.w    s3, zero, (t2)
        VERDICT
        lr.w    t0, (s1)
        sc.d    s3, zero, (s1)
        VERDICT
        ld      s3, (s1)
        li      s4, 5
        VERDICT

        /* code that an atomic wrote is executed, as code that a store wrote */
        li      s4, 1
        call    patched
        VERDICT
        la      t0, patched
        lw      t1, other
        amoswap.w t1, t1, (t0)
        fence.i
        li      s4, 2
        call    patched
        VERDICT
        sw      t1, (t0)
        fence.i
        li      s4, 1
        call    patched
        VERDICT

        la      a1, place
        li      a2, 64
        TRAP_AT 3, c.ebreak
        TRAP_AT 3, ebreak
        TRAP    5, 64, lw t0, (a2)
        TRAP    5, 64, fld ft0, (a2)
        TRAP    5, 64, lr.w t0, (a2)
        TRAP    7, 64, sw t0, (a2)
        TRAP    7, 64, c.sw a0, (a2)
        TRAP    7, 64, amoadd.w t0, t0, (a2)
        TRAP    7, 64, sc.d t0, t0, (a2)
        TRAP    2, 0x1015a5af, .word 0x1015a5af /* lr.w with an rs2 */
        TRAP    2, 0x2805a52f, .word 0x2805a52f /* no such AMO */
        TRAP    2, 0x0005c52f, .word 0x0005c52f /* no such width */
        TRAP    2, 0x0005d553, .word 0x0005d553 /* a reserved rounding mode */
        TRAP    2, 0x60054573, .word 0x60054573 /* hlv.b without H */
        /* reserved compressed words, which Unicorn takes for no operation or others */
        .irp    word, 0x0000, 0x0004, 0x2001, 0x6001, 0x6101, 0x4002, 0x6002, 0x8002
        TRAP    2, \word, .half \word
        .endr
#else
        la      a1, place
        .irp    word, 0x1002, 0x9001, 0x9401, 0x9c01, 0x9c21, 0x0000, 0x4002, 0x8002
        TRAP    2, \word, .half \word
        .endr
        TRAP    2, 0x0005b52f, .word 0x0005b52f /* amoadd.d */
        li      s5, 0
        li      s6, 0
        li      t0, -5
        li      t1, 3
        sw      t0, (a1)
        amomin.w s3, t1, (a1)
        mv      s4, t0
        VERDICT
        amomaxu.w s3, t1, (a1)
        VERDICT
        amomax.w.aqrl s3, t1, (a1)
        VERDICT
        lw      s3, (a1)
        mv      s4, t1
        VERDICT
#endif
        li      s0, 0
wrong:  slli    s0, s0, 1
        ori     s0, s0, 1
        la      t0, tohost
        sw      s0, (t0)
1:      j       1b

        .balign 4
handler: csrr   s3, mcause
        csrr    s5, mtval
        csrr    t0, mepc
        bne     t0, s7, wrong
        jr      s8

        .balign 4
        .option push
        .option norvc
patched: li     s3, 1
        ret
other:  li      s3, 2
        .option pop

        .data
        .balign 8
place:  .dword  0
tohost: .dword  0
