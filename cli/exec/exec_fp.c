/* SPDX-License-Identifier: MIT */
/*
 * Floating point of the machine of `pcounter exec`, where Unicorn 2.0.1 is not the ISA's: it takes
 * the low half of any register as a single and leaves the upper half of its results 0 (a single in
 * 64 bits is boxed: the upper half all ones, what is not counts as the canonical NaN), it returns
 * a NaN for the minimum and maximum of a number and a signalling NaN, and infinity times zero plus
 * a NaN raises nothing.
 */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_machine.h"

/* Opcode bits 6:2. */
enum { MADD = 0x10, NMADD = 0x13, OP_FP = 0x14 };
/* funct7 bits 6:2 of OP-FP. */
enum {
    SQRT = 0x0b,
    SIGN_INJECTION = 0x04,
    MINIMUM = 0x05,
    BETWEEN_FORMATS = 0x08,
    COMPARE = 0x14,
    TO_INTEGER = 0x18,
    FROM_INTEGER = 0x1a,
    MOVE_TO_INTEGER = 0x1c, /* and fclass */
    MOVE_TO_FP = 0x1e
};
enum { INVALID = 0x10 }; /* of fflags */

static const uint64_t BOX = UINT64_C(0xffffffff00000000), BOXED_NAN = UINT64_C(0xffffffff7fc00000);

uint64_t exec_fp_reg(struct machine *m, unsigned n)
{
    uint64_t value = 0;

    m->u.reg_read(m->uc, UC_RISCV_REG_F0 + (int)n, &value);
    return value;
}

static void set_fp_reg(struct machine *m, unsigned n, uint64_t value)
{
    m->u.reg_write(m->uc, UC_RISCV_REG_F0 + (int)n, &value);
}

static void raise_invalid(struct machine *m)
{
    uint64_t flags = 0;

    m->u.reg_read(m->uc, UC_RISCV_REG_FFLAGS, &flags);
    flags |= INVALID;
    m->u.reg_write(m->uc, UC_RISCV_REG_FFLAGS, &flags);
}

void exec_set_fp_reg(struct machine *m, unsigned n, uint64_t value, unsigned size)
{
    set_fp_reg(m, n, size == 4 ? value | BOX : value);
}

/* ---- numbers as their bits ---- */

struct format {
    uint64_t sign, infinity, quiet, nan; /* the canonical NaN, boxed */
};
static const struct format single = { UINT64_C(1) << 31, 0x7f800000, 0x00400000,
                                      UINT64_C(0xffffffff7fc00000) };
static const struct format wide = { UINT64_C(1) << 63, UINT64_C(0x7ff0000000000000),
                                    UINT64_C(0x0008000000000000), UINT64_C(0x7ff8000000000000) };

/* Reads a register as a number of the format: the bits of a single alone. */
static uint64_t number_in(const struct format *f, uint64_t reg)
{
    if (f == &wide)
        return reg;
    return (reg & BOX) == BOX ? reg & ~BOX : f->nan & ~BOX;
}

static bool is_nan(const struct format *f, uint64_t x)
{
    return (x & ~f->sign) > f->infinity;
}

static bool is_signalling(const struct format *f, uint64_t x)
{
    return is_nan(f, x) && !(x & f->quiet);
}

/* Returns whether a number is less than another; -0 is less than +0. */
static bool is_less(const struct format *f, uint64_t a, uint64_t b)
{
    if ((a ^ b) & f->sign)
        return a & f->sign;
    return a & f->sign ? a > b : a < b;
}

static uint64_t smaller_or_larger(struct machine *m, const struct format *f, uint64_t a, uint64_t b,
                                  bool larger)
{
    if (is_signalling(f, a) || is_signalling(f, b))
        raise_invalid(m);
    if (is_nan(f, a) && is_nan(f, b))
        return f->nan;
    if (is_nan(f, a) || is_nan(f, b))
        return is_nan(f, a) ? b : a;
    return is_less(f, a, b) != larger ? a : b;
}

bool exec_fp_alone(struct machine *m, uint32_t insn)
{
    const unsigned funct5 = insn >> 27, format = insn >> 25 & 3, funct3 = insn >> 12 & 7;
    const struct format *f = format == 0 ? &single : &wide;

    if ((insn & 0x7f) != (OP_FP << 2 | 3) || format > 1)
        return false;
    const uint64_t a = number_in(f, exec_fp_reg(m, insn >> 15 & 31)),
                   b = number_in(f, exec_fp_reg(m, insn >> 20 & 31));
    uint64_t result;
    if (funct5 == SIGN_INJECTION && funct3 <= 2)
        result = (a & ~f->sign) | ((funct3 == 0   ? b
                                    : funct3 == 1 ? ~b
                                                  : a ^ b) &
                                   f->sign); /* fsgnj, n, x */
    else if (funct5 == MINIMUM && funct3 <= 1)
        result = smaller_or_larger(m, f, a, b, funct3 == 1);
    else
        return false;
    set_fp_reg(m, insn >> 7 & 31, f == &single ? result | BOX : result);
    return true;
}

/* ---- singles of what Unicorn executes ---- */

struct singles {
    bool rs1, rs2, rs3, result;
    bool to_integer; /* rd is none of floating point's */
};

static struct singles singles_of(uint32_t insn)
{
    const unsigned opcode = insn >> 2 & 31, funct5 = insn >> 27, format = insn >> 25 & 3;
    struct singles s = { .rs1 = false };

    if (opcode >= MADD && opcode <= NMADD && format == 0)
        return (struct singles){ true, true, true, true, false };
    if (opcode != OP_FP)
        return s;
    switch (funct5) {
    case BETWEEN_FORMATS: /* fcvt.s.d or fcvt.d.s */
        s.rs1 = format == 1;
        s.result = format == 0;
        break;
    case FROM_INTEGER:
    case MOVE_TO_FP:
        s.result = format == 0;
        break;
    case MOVE_TO_INTEGER: /* fmv.x.w takes the low half, whatever is above it */
        s.rs1 = format == 0 && (insn >> 12 & 7) == 1;
        s.to_integer = true;
        break;
    case TO_INTEGER:
        s.rs1 = format == 0;
        s.to_integer = true;
        break;
    case COMPARE:
        s.rs1 = s.rs2 = format == 0;
        s.to_integer = true;
        break;
    default:
        s.rs1 = s.result = format == 0;
        s.rs2 = format == 0 && funct5 != SQRT;
        break;
    }
    return s;
}

static void unbox(struct machine *m, unsigned reg, struct exec_fp_saved *saved)
{
    const uint64_t value = exec_fp_reg(m, reg);

    if ((value & BOX) == BOX)
        return;
    saved->reg[saved->count] = reg;
    saved->value[saved->count++] = value;
    set_fp_reg(m, reg, BOXED_NAN);
}

static bool is_inf_times_zero(struct machine *m, uint32_t insn)
{
    const struct format *f = (insn >> 25 & 3) == 0 ? &single : &wide;
    const uint64_t a = number_in(f, exec_fp_reg(m, insn >> 15 & 31)) & ~f->sign,
                   b = number_in(f, exec_fp_reg(m, insn >> 20 & 31)) & ~f->sign;

    return (a == f->infinity && b == 0) || (a == 0 && b == f->infinity);
}

void exec_fp_before(struct machine *m, uint32_t insn, struct exec_fp_saved *saved)
{
    const struct singles s = singles_of(insn);
    const unsigned opcode = insn >> 2 & 31;

    *saved = (struct exec_fp_saved){ .count = 0 };
    saved->inf_times_zero = opcode >= MADD && opcode <= NMADD && is_inf_times_zero(m, insn);
    if (s.rs1)
        unbox(m, insn >> 15 & 31, saved);
    if (s.rs2)
        unbox(m, insn >> 20 & 31, saved);
    if (s.rs3)
        unbox(m, insn >> 27, saved);
}

void exec_fp_after(struct machine *m, uint32_t insn, const struct exec_fp_saved *saved, bool done)
{
    const unsigned rd = insn >> 7 & 31;
    const struct singles s = singles_of(insn);

    for (unsigned i = 0; i < saved->count; i++)
        if (!done || s.to_integer || saved->reg[i] != rd)
            set_fp_reg(m, saved->reg[i], saved->value[i]);
    if (done && s.result)
        set_fp_reg(m, rd, exec_fp_reg(m, rd) | BOX);
    if (done && saved->inf_times_zero)
        raise_invalid(m);
}

#endif
