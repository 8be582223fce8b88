/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "decode.h"

#include <string.h>

enum { MOST_BYTES = 15 };

bool insn_read(const void *code, struct insn *out)
{
    ZydisDecoder decoder;

    return ZYAN_SUCCESS(
               ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) &&
           ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, MOST_BYTES, &out->i, out->operand));
}

int insn_place(ZydisRegister reg)
{
    static const struct {
        ZydisRegister reg;
        int place;
    } places[] = { { ZYDIS_REGISTER_RAX, REG_RAX }, { ZYDIS_REGISTER_RCX, REG_RCX },
                   { ZYDIS_REGISTER_RDX, REG_RDX }, { ZYDIS_REGISTER_RBX, REG_RBX },
                   { ZYDIS_REGISTER_RSP, REG_RSP }, { ZYDIS_REGISTER_RBP, REG_RBP },
                   { ZYDIS_REGISTER_RSI, REG_RSI }, { ZYDIS_REGISTER_RDI, REG_RDI },
                   { ZYDIS_REGISTER_R8, REG_R8 },   { ZYDIS_REGISTER_R9, REG_R9 },
                   { ZYDIS_REGISTER_R10, REG_R10 }, { ZYDIS_REGISTER_R11, REG_R11 },
                   { ZYDIS_REGISTER_R12, REG_R12 }, { ZYDIS_REGISTER_R13, REG_R13 },
                   { ZYDIS_REGISTER_R14, REG_R14 }, { ZYDIS_REGISTER_R15, REG_R15 } };
    const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i].reg == whole)
            return places[i].place;
    return -1;
}

static bool is_high(ZydisRegister reg)
{
    return reg == ZYDIS_REGISTER_AH || reg == ZYDIS_REGISTER_BH || reg == ZYDIS_REGISTER_CH ||
           reg == ZYDIS_REGISTER_DH;
}

/* Returns true if the address is that of the registers, in 64 bits. */
static bool is_plain(const struct insn *x, const ZydisDecodedOperand *o)
{
    return x->i.address_width == 64 && o->mem.segment != ZYDIS_REGISTER_FS &&
           o->mem.segment != ZYDIS_REGISTER_GS;
}

bool insn_address(const struct insn *x, const ZydisDecodedOperand *o, const ucontext_t *c,
                  uint64_t *out)
{
    ZydisRegisterContext r;

    if (!is_plain(x, o))
        return false;
    memset(&r, 0, sizeof r);
    for (ZydisRegister i = ZYDIS_REGISTER_RAX; i <= ZYDIS_REGISTER_R15; i++)
        r.values[i] = (uint64_t)c->uc_mcontext.gregs[insn_place(i)];
    return ZYAN_SUCCESS(
        ZydisCalcAbsoluteAddressEx(&x->i, o, (uint64_t)c->uc_mcontext.gregs[REG_RIP], &r, out));
}

/* ---- plain ones ---- */

static bool op_of(ZydisMnemonic mnemonic, enum decoded_op *out)
{
    static const ZydisMnemonic ops[OPS] = {
        [OP_ADD] = ZYDIS_MNEMONIC_ADD,
        [OP_ADC] = ZYDIS_MNEMONIC_ADC,
        [OP_SUB] = ZYDIS_MNEMONIC_SUB,
        [OP_SBB] = ZYDIS_MNEMONIC_SBB,
        [OP_CMP] = ZYDIS_MNEMONIC_CMP,
        [OP_AND] = ZYDIS_MNEMONIC_AND,
        [OP_TEST] = ZYDIS_MNEMONIC_TEST,
        [OP_OR] = ZYDIS_MNEMONIC_OR,
        [OP_XOR] = ZYDIS_MNEMONIC_XOR,
        [OP_INC] = ZYDIS_MNEMONIC_INC,
        [OP_DEC] = ZYDIS_MNEMONIC_DEC,
        [OP_NEG] = ZYDIS_MNEMONIC_NEG,
        [OP_NOT] = ZYDIS_MNEMONIC_NOT,
        [OP_BT] = ZYDIS_MNEMONIC_BT,
        [OP_BTS] = ZYDIS_MNEMONIC_BTS,
        [OP_BTR] = ZYDIS_MNEMONIC_BTR,
        [OP_BTC] = ZYDIS_MNEMONIC_BTC,
        [OP_XCHG] = ZYDIS_MNEMONIC_XCHG,
        [OP_XADD] = ZYDIS_MNEMONIC_XADD,
        [OP_CMPXCHG] = ZYDIS_MNEMONIC_CMPXCHG,
        [OP_CMPXCHG8B] = ZYDIS_MNEMONIC_CMPXCHG8B,
    };

    for (int i = 0; i < OPS; i++)
        if (ops[i] == mnemonic) {
            *out = (enum decoded_op)i;
            return true;
        }
    *out = OP_CMPXCHG8B;
    return mnemonic == ZYDIS_MNEMONIC_CMPXCHG16B;
}

/* Finds where the memory operand is. */
static void take_address(const struct insn *x, const ZydisDecodedOperand *o, struct decoded *out)
{
    const bool by_rip = o->mem.base == ZYDIS_REGISTER_RIP;

    out->base = by_rip ? REG_RIP : insn_place(o->mem.base);
    out->index = insn_place(o->mem.index);
    out->scale = o->mem.scale;
    out->add = o->mem.disp.value + (by_rip ? x->i.length : 0);
    out->addressed = is_plain(x, o) && o->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

/* Finds the operand that is not in memory, if there is one. */
static bool take_other(const ZydisDecodedOperand *o, struct decoded *out)
{
    out->reg = -1;
    if (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        out->immediate = o->imm.is_signed ? (uint64_t)o->imm.value.s : o->imm.value.u;
        return true;
    }
    if (o->type != ZYDIS_OPERAND_TYPE_REGISTER)
        return false;
    out->reg = insn_place(o->reg.value);
    out->reg_size = o->size / 8;
    out->high = is_high(o->reg.value);
    return out->reg >= 0;
}

static bool take_move(const struct insn *x, bool load, struct decoded *out)
{
    out->kind = load ? DECODED_LOAD : DECODED_STORE;
    out->sign = x->i.mnemonic == ZYDIS_MNEMONIC_MOVSX || x->i.mnemonic == ZYDIS_MNEMONIC_MOVSXD;
    return out->sign || x->i.mnemonic == ZYDIS_MNEMONIC_MOV ||
           x->i.mnemonic == ZYDIS_MNEMONIC_MOVZX;
}

static bool take_update(const struct insn *x, bool first, struct decoded *out)
{
    if (!op_of(x->i.mnemonic, &out->op))
        return false;
    out->kind = DECODED_UPDATE;
    out->to_memory = first || out->op == OP_XCHG; /* whose operands come in any order */
    out->lock = (x->i.attributes & ZYDIS_ATTRIB_HAS_LOCK) || out->op == OP_XCHG;
    /* A bit that a register tells may be far from the operand. */
    if (out->op >= OP_BT && out->op <= OP_BTC && out->reg >= 0)
        out->addressed = false;
    return true;
}

bool decode(const void *code, struct decoded *out)
{
    struct insn x;

    *out = (struct decoded){ .reg = -1 };
    if (!insn_read(code, &x))
        return false;
    const bool two = x.i.operand_count_visible == 2;
    const bool second = two && x.operand[1].type == ZYDIS_OPERAND_TYPE_MEMORY;
    const ZydisDecodedOperand *memory = &x.operand[second];

    out->length = x.i.length;
    if (x.i.operand_count_visible < 1 || x.i.operand_count_visible > 2 ||
        memory->type != ZYDIS_OPERAND_TYPE_MEMORY || memory->size == 0 || memory->size > 128 ||
        (two && !take_other(&x.operand[!second], out)))
        return false;
    out->size = memory->size / 8;
    take_address(&x, memory, out);
    if (!(two && take_move(&x, second, out)) && !take_update(&x, !second, out))
        return false;
    return out->size <= 8 || (out->kind == DECODED_UPDATE && out->op == OP_CMPXCHG8B);
}
