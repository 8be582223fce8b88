/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "decode.h"

#include <string.h>
#include <ucontext.h>
#include <Zydis/Zydis.h>

enum { MOST_BYTES = 15 };

struct insn {
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

static bool read_insn(const void *code, struct insn *out)
{
    ZydisDecoder decoder;

    return ZYAN_SUCCESS(
               ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) &&
           ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, MOST_BYTES, &out->i, out->operand));
}

/* The place of a general register in the context; -1: it is none. */
static int place_of(ZydisRegister reg)
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

bool decode(const void *code, struct decoded *out)
{
    struct insn x;

    if (!read_insn(code, &x) || x.i.operand_count_visible != 2)
        return false;
    const ZydisDecodedOperand *to = &x.operand[0], *from = &x.operand[1];
    const bool load = from->type == ZYDIS_OPERAND_TYPE_MEMORY;
    const ZydisDecodedOperand *memory = load ? from : to, *other = load ? to : from;
    const bool plain = x.i.mnemonic == ZYDIS_MNEMONIC_MOV;
    const bool sign = x.i.mnemonic == ZYDIS_MNEMONIC_MOVSX || x.i.mnemonic == ZYDIS_MNEMONIC_MOVSXD;

    if (memory->type != ZYDIS_OPERAND_TYPE_MEMORY ||
        !(plain || sign || x.i.mnemonic == ZYDIS_MNEMONIC_MOVZX))
        return false;
    *out = (struct decoded){ .kind = load ? DECODED_LOAD : DECODED_STORE,
                             .length = x.i.length,
                             .size = memory->size / 8,
                             .reg_size = other->size / 8,
                             .sign = sign };
    if (other->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        out->kind = DECODED_STORE_IMMEDIATE;
        out->immediate = other->imm.value.u;
        return true;
    }
    if (other->type != ZYDIS_OPERAND_TYPE_REGISTER)
        return false;
    out->reg = place_of(other->reg.value);
    out->high = is_high(other->reg.value);
    return out->reg >= 0 && out->size <= 8;
}

/* The address of an operand, by the registers. */
static bool address_of(const struct insn *x, const ZydisDecodedOperand *o, const int64_t *gregs,
                       uint64_t *out)
{
    ZydisRegisterContext c;

    memset(&c, 0, sizeof c);
    for (ZydisRegister r = ZYDIS_REGISTER_RAX; r <= ZYDIS_REGISTER_R15; r++)
        c.values[r] = (uint64_t)gregs[place_of(r)];
    return ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(&x->i, o, (uint64_t)gregs[REG_RIP], &c, out));
}

/*
 * Does the instruction want the register for something else than this operand's address?  Then it
 * cannot be changed.  Those of strings are moved on, which does not matter.
 */
static bool is_used(const struct insn *x, const ZydisDecodedOperand *by, int reg, bool *set)
{
    *set = false;
    for (unsigned i = 0; i < x->i.operand_count; i++) {
        const ZydisDecodedOperand *o = &x->operand[i];
        if (o->type == ZYDIS_OPERAND_TYPE_MEMORY && o != by &&
            (place_of(o->mem.base) == reg || place_of(o->mem.index) == reg))
            return true;
        if (o->type != ZYDIS_OPERAND_TYPE_REGISTER || place_of(o->reg.value) != reg ||
            x->i.meta.category == ZYDIS_CATEGORY_STRINGOP)
            continue;
        if (o->actions != ZYDIS_OPERAND_ACTION_WRITE || o->size < 32)
            return true;
        *set = true; /* all of it, and its old value does not matter */
    }
    return false;
}

/* The register that leads to the operand and to nothing else; -1: none does. */
static int mover(const struct insn *x, const ZydisDecodedOperand *o, bool *set)
{
    const int base = place_of(o->mem.base);
    const int index = o->mem.scale == 1 ? place_of(o->mem.index) : -1;

    if (base == index)
        return -1; /* or both are none */
    if (base >= 0 && !is_used(x, o, base, set))
        return base;
    return index >= 0 && !is_used(x, o, index, set) ? index : -1;
}

bool decode_memory(const void *code, const void *at, const int64_t *gregs,
                   struct decoded_memory *out)
{
    struct insn x;

    if (!read_insn(code, &x))
        return false;
    for (unsigned i = 0; i < x.i.operand_count; i++) {
        const ZydisDecodedOperand *o = &x.operand[i];
        const uint64_t fault = (uint64_t)(uintptr_t)at;
        uint64_t address;
        bool set = false;
        if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type != ZYDIS_MEMOP_TYPE_MEM ||
            x.i.address_width != 64 || !address_of(&x, o, gregs, &address) || fault != address)
            continue;
        *out = (struct decoded_memory){ .reg = mover(&x, o, &set),
                                        .size = o->size / 8,
                                        .reads = (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0,
                                        .writes =
                                            (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 };
        out->reg_written = set;
        return out->reg >= 0 && out->size > 0 && out->size <= 64;
    }
    return false;
}
