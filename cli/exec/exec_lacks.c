/* SPDX-License-Identifier: MIT */
/*
 * Which instructions are executed: on the core those are illegal that Unicorn's machine has and the
 * core does not (compressed ones, LR, SC and AMO, floating point), and reserved compressed ones,
 * which Unicorn 2.0.1 takes for no operation; and those of extensions that the core's package
 * leaves out.  Those of extensions that the core has and this machine has not are told by name.
 */
#include "exec.h"

enum { SYSTEM = 0x1c }; /* opcode bits 6:2 */

static unsigned field(uint32_t insn, unsigned high, unsigned low)
{
    return insn >> low & ((1u << (high - low + 1)) - 1);
}

/* Returns true for fflags, frm and fcsr. */
bool exec_is_fp_csr(uint32_t insn)
{
    const unsigned address = insn >> 20;

    return (insn & 0x7f) == (SYSTEM << 2 | 3) && (insn >> 12 & 3) != 0 && address >= 1 &&
           address <= 3;
}

/* Returns true for c.fld, c.fsd, also by the stack pointer; on RV32 c.flw, c.fsw, where RV64 has
 * c.ld, c.sd. */
static bool is_compressed_fp(uint32_t insn, unsigned xlen)
{
    const unsigned funct3 = field(insn, 15, 13);

    if ((insn & 3) == 1)
        return false;
    return funct3 == 1 || funct3 == 5 || (xlen == 32 && (funct3 == 3 || funct3 == 7));
}

bool exec_is_fp(uint32_t insn, unsigned xlen)
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

bool exec_is_fp_arithmetic(uint32_t insn)
{
    const unsigned opcode = field(insn, 6, 2);

    return (insn & 3) == 3 && opcode >= 0x10 && opcode <= 0x14;
}

/* ---- compressed instructions ---- */

/* Quadrant 1: c.addiw of x0, c.addi16sp and c.lui of 0, shifts by 32 and more, c.addw with XLEN 32.
 */
static bool is_reserved_c1(uint32_t insn, unsigned xlen)
{
    const unsigned kind = field(insn, 11, 10), top = field(insn, 12, 12);

    switch (field(insn, 15, 13)) {
    case 1:
        return xlen == 64 && field(insn, 11, 7) == 0;
    case 3:
        return top == 0 && field(insn, 6, 2) == 0;
    case 4:
        return xlen == 32 && top && (kind < 2 || (kind == 3 && field(insn, 6, 5) < 2));
    default:
        return false;
    }
}

static bool is_reserved_compressed(uint32_t insn, unsigned xlen)
{
    const unsigned funct3 = field(insn, 15, 13), rd = field(insn, 11, 7);

    switch (insn & 3) {
    case 0: /* c.addi4spn of 0, the illegal 0 among them */
        return funct3 == 0 && field(insn, 12, 5) == 0;
    case 1:
        return is_reserved_c1(insn, xlen);
    case 2: /* c.slli by 32 and more; c.lwsp, c.ldsp of x0; c.jr to x0 */
        return (funct3 == 0 && xlen == 32 && field(insn, 12, 12)) ||
               ((funct3 == 2 || (funct3 == 3 && xlen == 64)) && rd == 0) ||
               (funct3 == 4 && (insn & 0xfffc) == 0x8000);
    default:
        return false;
    }
}

/* cv32a60x and cv32a65x: no LR, SC and AMO, but Zcmp and Zcmt may be there. */
static bool is_embedded(const struct pc_hpm_config *config)
{
    return !config->mmu;
}

/* ---- extensions ---- */

/* Returns whether the core has Zcb, where the instruction is in its place. */
static bool lacks_zcb(const struct pc_hpm_config *config, uint32_t insn)
{
    const bool access = (insn & 0xe003) == 0x8000;
    uint64_t ignored;

    if (access)
        return !config->zcb || field(insn, 12, 12) || (field(insn, 11, 10) == 3 && insn & 0x40);
    if ((insn & 0xfc43) != 0x9c41)
        return false;
    const enum exec_zcb kind = exec_zcb(insn, config->xlen, 0, 0, &ignored);
    return !config->zcb || kind == EXEC_ZCB_NONE || (kind == EXEC_ZCB_AND_B && !config->rvb);
}

/* In the opcodes of arithmetic, what is none of I and M. */
static bool is_beyond_base(uint32_t insn)
{
    const unsigned funct3 = field(insn, 14, 12), funct7 = field(insn, 31, 25);
    const bool shifts = funct3 == 1 || funct3 == 5;

    switch (field(insn, 6, 2)) {
    case 0x04: /* OP-IMM: the shift's amount may have 6 bits */
        return shifts && funct7 >> 1 != 0 && (funct3 == 1 || funct7 >> 1 != 0x10);
    case 0x06: /* OP-IMM-32 */
        return shifts && funct7 != 0 && (funct3 == 1 || funct7 != 0x20);
    case 0x0c: /* OP, OP-32 */
    case 0x0e:
        return funct7 > 1 && (funct7 != 0x20 || (funct3 != 0 && funct3 != 5));
    default:
        return false;
    }
}

enum arithmetic { EXECUTED, ILLEGAL, OF_ZK };

static enum arithmetic arithmetic_of(const struct pc_hpm_config *config, uint32_t insn)
{
    uint64_t ignored;

    if ((insn & 3) != 3 || !is_beyond_base(insn))
        return EXECUTED;
    switch (exec_bits(insn, config->xlen, 0, 0, &ignored)) {
    case EXEC_BITS_B:
        return config->rvb ? EXECUTED : ILLEGAL;
    case EXEC_BITS_ZICOND:
        return config->zicond ? EXECUTED : ILLEGAL;
    default:
        break;
    }
    return config->zkn && (config->xlen == 64 || !(insn & 8)) ? OF_ZK : ILLEGAL;
}

/* Returns true for a CBO that the core does not have. */
static bool lacks_cbo(const struct pc_hpm_config *config, uint32_t insn)
{
    return (insn & 0x707f) == 0x200f && !(config->zicbom && insn >> 20 <= 2);
}

bool exec_lacks(const struct pc_hpm_config *config, uint32_t insn)
{
    const bool amo = (insn & 0x7f) == 0x2f;

    if (exec_extension(config, insn))
        return false;
    return (!config->rvc && (insn & 3) != 3) || is_reserved_compressed(insn, config->xlen) ||
           (!config->rvf && exec_is_fp(insn, config->xlen)) || (amo && is_embedded(config)) ||
           ((insn & 3) != 3 && lacks_zcb(config, insn)) || lacks_cbo(config, insn) ||
           arithmetic_of(config, insn) == ILLEGAL;
}

static const char *compressed_extension(const struct pc_hpm_config *config, uint32_t insn)
{
    return config->rvc && (insn & 3) == 2 && field(insn, 15, 13) == 5 && is_embedded(config)
               ? "Zcmp or Zcmt"
               : NULL;
}

/* Returns true for hypervisor loads and stores, hfence. */
static bool is_of_hypervisor(uint32_t insn)
{
    const uint32_t hfence = insn & 0xfe007fff;

    return (insn & 0x707f) == 0x4073 || hfence == 0x22000073 || hfence == 0x62000073;
}

const char *exec_extension(const struct pc_hpm_config *config, uint32_t insn)
{
    const unsigned opcode = field(insn, 6, 2), funct3 = field(insn, 14, 12);
    const bool scalar = funct3 >= 1 && funct3 <= 4; /* a width of floating point */

    if ((insn & 3) != 3)
        return compressed_extension(config, insn);
    switch (opcode) {
    case 0x01:
    case 0x09:
        return scalar ? NULL : "V";
    case 0x15:
        return "V";
    case 0x02:
    case 0x0a:
    case 0x16:
    case 0x1e:
        return "a coprocessor (CV-X-IF)";
    case 0x03:
        return funct3 == 2 && !lacks_cbo(config, insn) ? "Zicbom" : NULL;
    case 0x1c:
        return config->rvh && is_of_hypervisor(insn) ? "H" : NULL;
    default:
        return arithmetic_of(config, insn) == OF_ZK ? "scalar cryptography (Zk)" : NULL;
    }
}
