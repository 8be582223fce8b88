/* SPDX-License-Identifier: MIT */
/*
 * Zba, Zbb, Zbc, Zbs, Zicond and Zcb for `pcounter exec`, which Unicorn 2.0.1 does not decode: each
 * instruction is a function of two numbers.
 */
#include "exec.h"

static unsigned field(uint32_t insn, unsigned high, unsigned low)
{
    return insn >> low & ((1u << (high - low + 1)) - 1);
}

/* Numbers of `width` bits, 32 or 64; what is above them is 0, and in results of any value. */
static uint64_t cut(uint64_t x, unsigned width)
{
    return width == 32 ? (uint32_t)x : x;
}

static uint64_t extend(uint64_t x, unsigned width)
{
    const unsigned unused = 64 - width;

    return (uint64_t)((int64_t)(x << unused) >> unused);
}

static uint64_t leading_zeros(uint64_t x, unsigned width)
{
    return cut(x, width) ? (uint64_t)__builtin_clzll(cut(x, width)) - (64 - width) : width;
}

static uint64_t trailing_zeros(uint64_t x, unsigned width)
{
    return cut(x, width) ? (uint64_t)__builtin_ctzll(cut(x, width)) : width;
}

static uint64_t rotate_right(uint64_t x, uint64_t by, unsigned width)
{
    by &= width - 1;
    return by ? cut(x, width) >> by | x << (width - by) : x;
}

static uint64_t rotate_left(uint64_t x, uint64_t by, unsigned width)
{
    return rotate_right(x, width - (by & (width - 1)), width);
}

/* Returns the bits from `first` on of the product without carries, of 2 * width - 1 bits. */
static uint64_t multiply_carryless(uint64_t a, uint64_t b, unsigned first, unsigned width)
{
    uint64_t product = 0;

    for (unsigned i = 0; i < width; i++)
        if (b >> i & 1)
            product ^=
                i <= first ? (first - i < 64 ? cut(a, width) >> (first - i) : 0) : a << (i - first);
    return product;
}

/* Each byte that is not 0 becomes 0xff. */
static uint64_t or_bytes(uint64_t x)
{
    uint64_t out = 0;

    for (unsigned i = 0; i < 64; i += 8)
        out |= x >> i & 0xff ? UINT64_C(0xff) << i : 0;
    return out;
}

static uint64_t reverse_bytes(uint64_t x, unsigned width)
{
    return __builtin_bswap64(x) >> (64 - width);
}

/* ---- 32 bits: what is above the registers, the upper bits and funct3, says which ---- */

enum { SH1ADD = 0x10 << 3 | 2, SH2ADD = 0x10 << 3 | 4, SH3ADD = 0x10 << 3 | 6 }; /* and .UW */
enum { ANDN = 0x20 << 3 | 7, ORN = 0x20 << 3 | 6, XNOR = 0x20 << 3 | 4 };
enum { MIN = 0x05 << 3 | 4, MINU = 0x05 << 3 | 5, MAX = 0x05 << 3 | 6, MAXU = 0x05 << 3 | 7 };
enum { CLMUL = 0x05 << 3 | 1, CLMULR = 0x05 << 3 | 2, CLMULH = 0x05 << 3 | 3 };
enum { BCLR = 0x24 << 3 | 1, BEXT = 0x24 << 3 | 5, BINV = 0x34 << 3 | 1, BSET = 0x14 << 3 | 1 };
enum { ROL = 0x30 << 3 | 1, ROR = 0x30 << 3 | 5 };
enum { ZEXT_H = 0x04 << 3 | 4, ADD_UW = 0x04 << 3 };
enum { CZERO_EQZ = 0x07 << 3 | 5, CZERO_NEZ = 0x07 << 3 | 7 };
enum { CLZ = 0x600 << 3 | 1, CTZ = 0x601 << 3 | 1, CPOP = 0x602 << 3 | 1 };
enum { SEXT_B = 0x604 << 3 | 1, SEXT_H = 0x605 << 3 | 1, ORC_B = 0x287 << 3 | 5 };
enum { REV8_32 = 0x698 << 3 | 5, REV8_64 = 0x6b8 << 3 | 5 };
enum { BCLRI = 0x12 << 3 | 1, BEXTI = 0x12 << 3 | 5, BINVI = 0x1a << 3 | 1, BSETI = 0x0a << 3 | 1 };
enum { RORI = 0x18 << 3 | 5, SLLI_UW = 0x02 << 3 | 1 };

/* Two registers: logic and bits. */
static bool do_logic(unsigned what, unsigned width, uint64_t a, uint64_t b, uint64_t *out)
{
    const uint64_t one = UINT64_C(1) << (b & (width - 1));

    switch (what) {
    case ANDN:
        *out = a & ~b;
        return true;
    case ORN:
        *out = a | ~b;
        return true;
    case XNOR:
        *out = ~(a ^ b);
        return true;
    case BCLR:
        *out = a & ~one;
        return true;
    case BEXT:
        *out = (a & one) != 0;
        return true;
    case BINV:
        *out = a ^ one;
        return true;
    case BSET:
        *out = a | one;
        return true;
    case ROL:
        *out = rotate_left(a, b, width);
        return true;
    case ROR:
        *out = rotate_right(a, b, width);
        return true;
    default:
        return false;
    }
}

/* Two registers: numbers. */
static bool do_numbers(unsigned what, unsigned width, uint64_t a, uint64_t b, uint64_t *out)
{
    const bool less = (int64_t)extend(a, width) < (int64_t)extend(b, width);

    switch (what) {
    case SH1ADD:
    case SH2ADD:
    case SH3ADD:
        *out = b + (a << (what >> 1 & 3));
        return true;
    case MIN:
        *out = less ? a : b;
        return true;
    case MINU:
        *out = a < b ? a : b;
        return true;
    case MAX:
        *out = less ? b : a;
        return true;
    case MAXU:
        *out = a < b ? b : a;
        return true;
    case CLMUL:
        *out = multiply_carryless(a, b, 0, width);
        return true;
    case CLMULR:
        *out = multiply_carryless(a, b, width - 1, width);
        return true;
    case CLMULH:
        *out = multiply_carryless(a, b, width, width);
        return true;
    default:
        return false;
    }
}

/* OP: two registers. */
static enum exec_bits do_registers(uint32_t insn, unsigned width, uint64_t a, uint64_t b,
                                   uint64_t *out)
{
    const unsigned what = field(insn, 31, 25) << 3 | field(insn, 14, 12);

    if (what == CZERO_EQZ || what == CZERO_NEZ) {
        *out = (b == 0) == (what == CZERO_EQZ) ? 0 : a;
        return EXEC_BITS_ZICOND;
    }
    if (what == ZEXT_H && width == 32 && field(insn, 24, 20) == 0) { /* else pack of Zk */
        *out = a & 0xffff;
        return EXEC_BITS_B;
    }
    return do_logic(what, width, a, b, out) || do_numbers(what, width, a, b, out) ? EXEC_BITS_B
                                                                                  : EXEC_BITS_NONE;
}

/* OP-32: words of RV64. */
static enum exec_bits do_words(uint32_t insn, uint64_t a, uint64_t b, uint64_t *out)
{
    const unsigned what = field(insn, 31, 25) << 3 | field(insn, 14, 12);

    switch (what) {
    case SH1ADD:
    case SH2ADD:
    case SH3ADD:
        *out = b + (cut(a, 32) << (what >> 1 & 3));
        return EXEC_BITS_B;
    case ADD_UW:
        *out = b + cut(a, 32);
        return EXEC_BITS_B;
    case ZEXT_H: /* of rs2 that is not 0: packw of Zk */
        *out = a & 0xffff;
        return field(insn, 24, 20) == 0 ? EXEC_BITS_B : EXEC_BITS_NONE;
    case ROL:
        *out = extend(rotate_left(a, b, 32), 32);
        return EXEC_BITS_B;
    case ROR:
        *out = extend(rotate_right(a, b, 32), 32);
        return EXEC_BITS_B;
    default:
        return EXEC_BITS_NONE;
    }
}

/* A bit of an immediate number: its upper bits, and which. */
static enum exec_bits do_bit(uint32_t insn, unsigned width, uint64_t a, uint64_t *out)
{
    const unsigned by = field(insn, 25, 20), funct3 = field(insn, 14, 12);
    const uint64_t one = UINT64_C(1) << by;

    if (width == 32 && by >= 32)
        return EXEC_BITS_NONE;
    switch (field(insn, 31, 26) << 3 | funct3) {
    case BCLRI:
        *out = a & ~one;
        return EXEC_BITS_B;
    case BEXTI:
        *out = (a & one) != 0;
        return EXEC_BITS_B;
    case BINVI:
        *out = a ^ one;
        return EXEC_BITS_B;
    case BSETI:
        *out = a | one;
        return EXEC_BITS_B;
    case RORI:
        *out = rotate_right(a, by, width);
        return EXEC_BITS_B;
    default:
        return EXEC_BITS_NONE;
    }
}

/* OP-IMM: one register, and which operation or bit. */
static enum exec_bits do_immediate(uint32_t insn, unsigned width, uint64_t a, uint64_t *out)
{
    switch (field(insn, 31, 20) << 3 | field(insn, 14, 12)) {
    case CLZ:
        *out = leading_zeros(a, width);
        return EXEC_BITS_B;
    case CTZ:
        *out = trailing_zeros(a, width);
        return EXEC_BITS_B;
    case CPOP:
        *out = (uint64_t)__builtin_popcountll(a);
        return EXEC_BITS_B;
    case SEXT_B:
        *out = extend(a, 8);
        return EXEC_BITS_B;
    case SEXT_H:
        *out = extend(a, 16);
        return EXEC_BITS_B;
    case ORC_B:
        *out = or_bytes(a);
        return EXEC_BITS_B;
    case REV8_32:
        *out = reverse_bytes(a, 32);
        return width == 32 ? EXEC_BITS_B : EXEC_BITS_NONE;
    case REV8_64:
        *out = reverse_bytes(a, 64);
        return width == 64 ? EXEC_BITS_B : EXEC_BITS_NONE;
    default:
        return do_bit(insn, width, a, out);
    }
}

/* OP-IMM-32. */
static enum exec_bits do_immediate_word(uint32_t insn, uint64_t a, uint64_t *out)
{
    const unsigned funct3 = field(insn, 14, 12);

    switch (field(insn, 31, 20) << 3 | funct3) {
    case CLZ:
        *out = leading_zeros(a, 32);
        return EXEC_BITS_B;
    case CTZ:
        *out = trailing_zeros(a, 32);
        return EXEC_BITS_B;
    case CPOP:
        *out = (uint64_t)__builtin_popcountll(cut(a, 32));
        return EXEC_BITS_B;
    default:
        break;
    }
    if ((field(insn, 31, 26) << 3 | funct3) == SLLI_UW) {
        *out = cut(a, 32) << field(insn, 25, 20);
        return EXEC_BITS_B;
    }
    if ((field(insn, 31, 25) << 3 | funct3) == ROR) { /* roriw */
        *out = extend(rotate_right(a, field(insn, 24, 20), 32), 32);
        return EXEC_BITS_B;
    }
    return EXEC_BITS_NONE;
}

enum exec_bits exec_bits(uint32_t insn, unsigned xlen, uint64_t a, uint64_t b, uint64_t *out)
{
    if ((insn & 3) != 3)
        return EXEC_BITS_NONE;
    switch (field(insn, 6, 2)) {
    case 0x04:
        return do_immediate(insn, xlen, a, out);
    case 0x06:
        return xlen == 64 ? do_immediate_word(insn, a, out) : EXEC_BITS_NONE;
    case 0x0c:
        return do_registers(insn, xlen, a, b, out);
    case 0x0e:
        return xlen == 64 ? do_words(insn, a, b, out) : EXEC_BITS_NONE;
    default:
        return EXEC_BITS_NONE;
    }
}

/* ---- 16 bits: arithmetic of Zcb, 100 1 11 ... 1. ---- */

enum exec_zcb exec_zcb(uint32_t insn, unsigned xlen, uint64_t a, uint64_t b, uint64_t *out)
{
    if ((insn & 0xfc43) != 0x9c41)
        return EXEC_ZCB_NONE;
    if (field(insn, 5, 5) == 0) { /* c.mul */
        *out = a * b;
        return EXEC_ZCB;
    }
    switch (field(insn, 4, 2)) {
    case 0:
        *out = a & 0xff;
        return EXEC_ZCB;
    case 1:
        *out = extend(a, 8);
        return EXEC_ZCB_AND_B;
    case 2:
        *out = a & 0xffff;
        return EXEC_ZCB_AND_B;
    case 3:
        *out = extend(a, 16);
        return EXEC_ZCB_AND_B;
    case 4:
        *out = cut(a, 32);
        return xlen == 64 ? EXEC_ZCB_AND_B : EXEC_ZCB_NONE;
    case 5:
        *out = ~a;
        return EXEC_ZCB;
    default:
        return EXEC_ZCB_NONE;
    }
}
