/* SPDX-License-Identifier: MIT */
/*
 * Instructions that Unicorn's machine has and the core does not: compressed ones, and those of
 * floating point.  On the core they are illegal.
 */
#include "exec.h"

enum { SYSTEM = 0x1c }; /* opcode bits 6:2 */

static unsigned field(uint32_t insn, unsigned high, unsigned low)
{
    return insn >> low & ((1u << (high - low + 1)) - 1);
}

/* fflags, frm and fcsr. */
bool exec_is_fp_csr(uint32_t insn)
{
    const unsigned address = insn >> 20;

    return (insn & 0x7f) == (SYSTEM << 2 | 3) && (insn >> 12 & 3) != 0 && address >= 1 &&
           address <= 3;
}

/* c.fld, c.fsd, also by the stack pointer; on RV32 c.flw, c.fsw, where RV64 has c.ld, c.sd. */
static bool is_compressed_fp(uint32_t insn, unsigned xlen)
{
    const unsigned funct3 = field(insn, 15, 13);

    if ((insn & 3) == 1)
        return false;
    return funct3 == 1 || funct3 == 5 || (xlen == 32 && (funct3 == 3 || funct3 == 7));
}

static bool is_fp(uint32_t insn, unsigned xlen)
{
    if ((insn & 3) != 3)
        return is_compressed_fp(insn, xlen);
    switch (field(insn, 6, 2)) {
    case 0x01: /* LOAD-FP, STORE-FP, MADD, MSUB, NMSUB, NMADD, OP-FP */
    case 0x09:
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
    case 0x14:
        return true;
    default:
        return exec_is_fp_csr(insn);
    }
}

bool exec_lacks(const struct pc_hpm_config *config, uint32_t insn)
{
    return (!config->rvc && (insn & 3) != 3) || (!config->rvf && is_fp(insn, config->xlen));
}
