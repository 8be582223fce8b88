/* SPDX-License-Identifier: MIT */
/*
 * LR, SC and AMO of the machine of `pcounter exec`.  Unicorn 2.0.1 compares 32 bits in amomin.w,
 * amomax.w, amominu.w and amomaxu.w with all 64 of rs2, and reports a fault of them as one of a
 * load.  The bits aq and rl order nothing: there is one hart.
 */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_machine.h"

#include <string.h>

/* insn[31:27] */
enum {
    AMO_ADD = 0x00,
    AMO_SWAP = 0x01,
    AMO_LR = 0x02,
    AMO_SC = 0x03,
    AMO_XOR = 0x04,
    AMO_OR = 0x08,
    AMO_AND = 0x0c,
    AMO_MIN = 0x10,
    AMO_MAX = 0x14,
    AMO_MINU = 0x18,
    AMO_MAXU = 0x1c
};

/* Both operands are extended from the width of the access, with their sign or without. */
static uint64_t result_of(unsigned op, uint64_t old, uint64_t operand)
{
    const int64_t a = (int64_t)old, b = (int64_t)operand;

    switch (op) {
    case AMO_ADD:
        return old + operand;
    case AMO_XOR:
        return old ^ operand;
    case AMO_OR:
        return old | operand;
    case AMO_AND:
        return old & operand;
    case AMO_MIN:
        return a < b ? old : operand;
    case AMO_MAX:
        return a > b ? old : operand;
    case AMO_MINU:
        return old < operand ? old : operand;
    case AMO_MAXU:
        return old > operand ? old : operand;
    default: /* AMO_SWAP, AMO_SC */
        return operand;
    }
}

static bool is_legal(const struct machine *m, uint32_t insn)
{
    const unsigned op = insn >> 27, width = insn >> 12 & 7, rs2 = insn >> 20 & 31;

    if (width != 2 && (width != 3 || m->image->xlen != 64))
        return false;
    return op == AMO_LR ? rs2 == 0 : op <= AMO_XOR || (op % 4 == 0 && op <= AMO_MAXU);
}

/* Extends the sign: it also keeps the order of unsigned numbers. */
static uint64_t extend(uint64_t value, unsigned size)
{
    return size == 8 ? value : (uint64_t)(int64_t)(int32_t)(uint32_t)value;
}

enum pc_status exec_amo(struct machine *m, uint32_t insn)
{
    const unsigned op = insn >> 27, size = 1u << (insn >> 12 & 7);
    const uint64_t address = exec_reg(m, insn >> 15 & 31);
    const bool reserved = m->reserved_size == size && m->reserved == address;
    uint64_t old = 0;

    if (!is_legal(m, insn))
        return exec_trap(m, EXEC_ILLEGAL, insn);
    if (address & (size - 1))
        return exec_trap(m, op == AMO_LR ? EXEC_LOAD_MISALIGNED : EXEC_STORE_MISALIGNED, address);
    const unsigned char *const place = exec_place(m, address, size);
    if (!place)
        return exec_trap(m, op == AMO_LR ? EXEC_LOAD_FAULT : EXEC_STORE_FAULT, address);
    memcpy(&old, place, size);
    old = extend(old, size);
    const uint64_t new = result_of(op, old, extend(exec_reg(m, insn >> 20 & 31), size));
    if (op == AMO_LR || op == AMO_SC) {
        m->reserved_size = op == AMO_LR ? size : 0;
        m->reserved = address;
    }
    const bool writes = op == AMO_SC ? reserved : op != AMO_LR;
    if (writes)
        exec_write(m, address, &new, size);
    exec_set_reg(m, insn >> 7 & 31, op == AMO_SC ? !reserved : old);
    exec_retire(m, insn, 0);
    m->pc += 4;
    return PC_OK;
}

#endif
