/* SPDX-License-Identifier: MIT */
/*
 * Instruction words as CVA6's commit stage sees them (HPM.INSN.*): functional unit, and for
 * control flow the operation, rd and rs1.  Words are taken as legal where CVA6 has the
 * opcode: what retires has passed the decoder.  Operations other than those of control flow
 * are PC_HPM_OP_OTHER: no event looks at them.
 */
#include "model/hpm/hpm.h"

/* Opcode bits 6:2 of a 32-bit word. */
enum opcode {
    LOAD = 0x00,
    LOAD_FP = 0x01,
    CUSTOM_0 = 0x02,
    MISC_MEM = 0x03,
    OP_IMM = 0x04,
    AUIPC = 0x05,
    OP_IMM_32 = 0x06,
    STORE = 0x08,
    STORE_FP = 0x09,
    CUSTOM_1 = 0x0a,
    AMO = 0x0b,
    OP = 0x0c,
    LUI = 0x0d,
    OP_32 = 0x0e,
    MADD = 0x10,
    MSUB = 0x11,
    NMSUB = 0x12,
    NMADD = 0x13,
    OP_FP = 0x14,
    OP_V = 0x15,
    CUSTOM_2 = 0x16,
    BRANCH = 0x18,
    JALR = 0x19,
    JAL = 0x1b,
    SYSTEM = 0x1c,
    CUSTOM_3 = 0x1e
};

static unsigned bits(uint32_t insn, unsigned high, unsigned low)
{
    return insn >> low & ((1u << (high - low + 1)) - 1);
}

static void jump(struct pc_hpm_port *p, enum pc_hpm_op op, unsigned rd, unsigned rs1)
{
    p->fu = PC_HPM_FU_CTRL_FLOW;
    p->op = (uint8_t)op;
    p->rd = (uint8_t)rd;
    p->rs1 = (uint8_t)rs1;
    p->rs1_known = op == PC_HPM_OP_JALR;
}

/* aes32*: byte select in bits 31:30, then 10001, 10011, 10101, 10111. */
static bool is_aes32(unsigned funct7)
{
    return (funct7 & 0x19) == 0x11;
}

/* Returns true for the 64-bit AES round instructions, and the SHA-512 ones of RV32. */
static bool is_aes_or_sha(unsigned funct7)
{
    switch (funct7) {
    case 0x19: /* aes64es */
    case 0x1b: /* aes64esm */
    case 0x1d: /* aes64ds */
    case 0x1f: /* aes64dsm */
    case 0x3f: /* aes64ks2 */
    case 0x28: /* sha512sum0r, sum1r, sig0l, sig1l, sig0h, sig1h */
    case 0x29:
    case 0x2a:
    case 0x2b:
    case 0x2e:
    case 0x2f:
        return true;
    default:
        return false;
    }
}

/* HPM.INSN.2: mul and div, carry-less multiply, the AES unit, vectorial FP, else the ALU. */
static enum pc_hpm_fu unit_of_op(uint32_t insn)
{
    const unsigned funct7 = bits(insn, 31, 25), funct3 = bits(insn, 14, 12);

    if (funct7 == 1 || (funct7 == 5 && funct3 >= 1 && funct3 <= 3))
        return PC_HPM_FU_MULT;
    if (funct3 == 0 && (is_aes32(funct7) || is_aes_or_sha(funct7)))
        return PC_HPM_FU_AES;
    return bits(insn, 31, 30) == 2 ? PC_HPM_FU_FPU_VEC : PC_HPM_FU_ALU;
}

/* Returns the unit of aes64ks1i, aes64im, sha256* and sha512*. */
static enum pc_hpm_fu unit_of_op_imm(uint32_t insn)
{
    const unsigned imm = bits(insn, 31, 20);

    if (bits(insn, 14, 12) != 1)
        return PC_HPM_FU_ALU;
    if (imm >> 4 == 0x31 || imm == 0x300 || (imm >= 0x100 && imm <= 0x107))
        return PC_HPM_FU_AES;
    return PC_HPM_FU_ALU;
}

/* HPM.INSN.4: ecall and ebreak never retire; hypervisor loads and stores are loads and stores. */
static enum pc_hpm_fu unit_of_system(uint32_t insn)
{
    if (bits(insn, 14, 12) == 4)
        return insn >> 25 & 1 ? PC_HPM_FU_STORE : PC_HPM_FU_LOAD;
    return PC_HPM_FU_CSR;
}

/* Scalar widths are 1 (half) to 3 (double); the others are vector accesses. */
static enum pc_hpm_fu unit_of_fp_access(uint32_t insn, enum pc_hpm_fu scalar)
{
    const unsigned width = bits(insn, 14, 12);

    return width >= 1 && width <= 3 ? scalar : PC_HPM_FU_ACCEL;
}

/* Returns the unit of words that need no look at their operands; PC_HPM_FU_NONE: no such opcode. */
static enum pc_hpm_fu unit_of_word(const struct pc_hpm_config *c, uint32_t insn)
{
    switch (bits(insn, 6, 2)) {
    case LOAD:
        return PC_HPM_FU_LOAD;
    case STORE:
    case AMO: /* LR too; HPM.LINE.6 */
        return PC_HPM_FU_STORE;
    case LOAD_FP:
        return unit_of_fp_access(insn, PC_HPM_FU_LOAD);
    case STORE_FP:
        return unit_of_fp_access(insn, PC_HPM_FU_STORE);
    case MISC_MEM: /* cbo.* go the way of stores, fences to the CSR unit */
        return bits(insn, 14, 12) == 2 ? PC_HPM_FU_STORE : PC_HPM_FU_CSR;
    case OP_IMM:
        return unit_of_op_imm(insn);
    case AUIPC:
    case LUI:
        return PC_HPM_FU_ALU;
    case OP_IMM_32:
        return c->xlen == 64 ? PC_HPM_FU_ALU : PC_HPM_FU_NONE;
    case OP:
        return unit_of_op(insn);
    case OP_32:
        if (c->xlen != 64)
            return PC_HPM_FU_NONE;
        return bits(insn, 31, 25) == 1 ? PC_HPM_FU_MULT : PC_HPM_FU_ALU;
    case MADD:
    case MSUB:
    case NMSUB:
    case NMADD:
    case OP_FP:
        return PC_HPM_FU_FPU;
    case OP_V:
        return PC_HPM_FU_ACCEL;
    case CUSTOM_0:
    case CUSTOM_1:
    case CUSTOM_2:
    case CUSTOM_3:
        return PC_HPM_FU_CVXIF;
    case SYSTEM:
        return unit_of_system(insn);
    default:
        return PC_HPM_FU_NONE;
    }
}

static void classify_word(const struct pc_hpm_config *c, uint32_t insn, struct pc_hpm_port *p)
{
    const unsigned rd = bits(insn, 11, 7), rs1 = bits(insn, 19, 15);

    p->rd = (uint8_t)rd;
    switch (bits(insn, 6, 2)) {
    case BRANCH:
        jump(p, PC_HPM_OP_OTHER, 0, 0);
        break;
    case JAL:
        jump(p, PC_HPM_OP_ADD, rd, 0);
        break;
    case JALR:
        jump(p, PC_HPM_OP_JALR, rd, rs1);
        break;
    default:
        p->fu = (uint8_t)unit_of_word(c, insn);
        break;
    }
}

/* Quadrant 0: c.addi4spn, loads and stores through a register, Zcb's bytes and halves. */
static void classify_c0(uint32_t insn, struct pc_hpm_port *p)
{
    switch (bits(insn, 15, 13)) {
    case 0:
        p->fu = (insn & 0xffff) == 0 ? PC_HPM_FU_NONE : PC_HPM_FU_ALU;
        break;
    case 4: /* c.lbu, c.lhu, c.lh; c.sb, c.sh */
        p->fu = bits(insn, 12, 10) < 2 ? PC_HPM_FU_LOAD : PC_HPM_FU_STORE;
        break;
    case 1:
    case 2:
    case 3:
        p->fu = PC_HPM_FU_LOAD;
        break;
    default:
        p->fu = PC_HPM_FU_STORE;
        break;
    }
}

/* Quadrant 1: arithmetic with immediates, c.mul among it, and direct control flow. */
static void classify_c1(const struct pc_hpm_config *c, uint32_t insn, struct pc_hpm_port *p)
{
    switch (bits(insn, 15, 13)) {
    case 1: /* RV32: c.jal; RV64: c.addiw */
        if (c->xlen == 32)
            jump(p, PC_HPM_OP_ADD, 1, 0);
        else
            p->fu = PC_HPM_FU_ALU;
        break;
    case 5: /* c.j */
        jump(p, PC_HPM_OP_ADD, 0, 0);
        break;
    case 6: /* c.beqz, c.bnez */
    case 7:
        jump(p, PC_HPM_OP_OTHER, 0, 0);
        break;
    default: /* 100 1 11 ... 10: c.mul of Zcb */
        p->fu = (insn & 0xfc60) == 0x9c40 ? PC_HPM_FU_MULT : PC_HPM_FU_ALU;
        break;
    }
}

/* Classifies c.jr, c.mv, c.ebreak, c.jalr, c.add. */
static void classify_c2_register(uint32_t insn, struct pc_hpm_port *p)
{
    const unsigned rd = bits(insn, 11, 7), rs2 = bits(insn, 6, 2);

    if (rs2 != 0)
        p->fu = PC_HPM_FU_ALU;
    else if (rd != 0)
        jump(p, PC_HPM_OP_JALR, insn >> 12 & 1, rd);
    else
        p->fu = insn >> 12 & 1 ? PC_HPM_FU_CSR : PC_HPM_FU_NONE;
}

/*
 * HPM.INSN.3: a Zcmp macro retires once, as its last micro-operation: cm.push, cm.pop and the
 * moves end in an addi, cm.popret and cm.popretz in a jalr x0, x1.  Zcmt: jal, rd x0 or x1.
 */
static void classify_zcm(uint32_t insn, struct pc_hpm_port *p)
{
    const unsigned funct5 = bits(insn, 12, 8);

    if (bits(insn, 12, 10) == 0)
        jump(p, PC_HPM_OP_ADD, bits(insn, 9, 2) >= 32, 0);
    else if (funct5 == 0x18 || funct5 == 0x1a)
        p->fu = PC_HPM_FU_ALU;
    else if (funct5 == 0x1c || funct5 == 0x1e)
        jump(p, PC_HPM_OP_JALR, 0, 1);
    else if (bits(insn, 12, 10) == 3 && (insn >> 5 & 1))
        p->fu = PC_HPM_FU_ALU;
}

static void classify_c2(const struct pc_hpm_config *c, uint32_t insn, struct pc_hpm_port *p)
{
    switch (bits(insn, 15, 13)) {
    case 0: /* c.slli */
        p->fu = PC_HPM_FU_ALU;
        break;
    case 4:
        classify_c2_register(insn, p);
        break;
    case 5: /* c.fsdsp, or where there is no D the place of Zcmp and Zcmt */
        if (c->xlen == 64)
            p->fu = PC_HPM_FU_STORE;
        else
            classify_zcm(insn, p);
        break;
    case 1: /* from the stack pointer */
    case 2:
    case 3:
        p->fu = PC_HPM_FU_LOAD;
        break;
    default:
        p->fu = PC_HPM_FU_STORE;
        break;
    }
}

bool pc_hpm_classify(const struct pc_hpm_config *config, uint32_t insn, struct pc_hpm_port *out)
{
    struct pc_hpm_port p = { .ack = true, .op = PC_HPM_OP_OTHER };

    if ((insn & 3) == 3)
        classify_word(config, insn, &p);
    else if (!config->rvc)
        p.fu = PC_HPM_FU_NONE;
    else if ((insn & 3) == 0)
        classify_c0(insn, &p);
    else if ((insn & 3) == 1)
        classify_c1(config, insn, &p);
    else
        classify_c2(config, insn, &p);
    *out = p;
    return p.fu != PC_HPM_FU_NONE;
}

bool pc_hpm_csr_decode(uint32_t insn, uint64_t rs1_value, struct pc_hpm_access *out)
{
    const unsigned funct3 = bits(insn, 14, 12), rs1 = bits(insn, 19, 15);
    const unsigned address = insn >> 20;

    if ((insn & 0x7f) != 0x73 || (funct3 & 3) == 0 || !pc_hpm_owns(address))
        return false;
    out->address = (uint16_t)address;
    out->operand = funct3 & 4 ? rs1 : rs1_value;
    if ((funct3 & 3) == 1)
        out->op = PC_HPM_CSR_WRITE;
    else if (rs1 == 0) /* HPM.OP.2: the register's number decides */
        out->op = PC_HPM_CSR_READ;
    else
        out->op = (funct3 & 3) == 2 ? PC_HPM_CSR_SET : PC_HPM_CSR_CLEAR;
    return true;
}
