/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "decode.h"

#include "state.h"

/*
 * Returns true if the instruction uses the register for something else than this operand's address.
 * Then it cannot be changed. Those of strings are moved on, which does not matter.
 */
static bool is_used(const struct insn *x, const ZydisDecodedOperand *by, int reg, bool *set)
{
    *set = false;
    for (unsigned i = 0; i < x->i.operand_count; i++) {
        const ZydisDecodedOperand *o = &x->operand[i];
        if (o->type == ZYDIS_OPERAND_TYPE_MEMORY && o != by &&
            (insn_place(o->mem.base) == reg || insn_place(o->mem.index) == reg))
            return true;
        if (o->type != ZYDIS_OPERAND_TYPE_REGISTER || insn_place(o->reg.value) != reg ||
            x->i.meta.category == ZYDIS_CATEGORY_STRINGOP)
            continue;
        if (o->actions != ZYDIS_OPERAND_ACTION_WRITE || o->size < 32)
            return true;
        *set = true; /* all of it, and its old value does not matter */
    }
    return false;
}

/* Returns the register that leads to the operand and to nothing else; -1: none does. */
static int mover(const struct insn *x, const ZydisDecodedOperand *o, bool *set)
{
    const int base = insn_place(o->mem.base);
    const int index = o->mem.scale == 1 ? insn_place(o->mem.index) : -1;

    if (base == index)
        return -1; /* or both are none */
    if (base >= 0 && !is_used(x, o, base, set))
        return base;
    return index >= 0 && !is_used(x, o, index, set) ? index : -1;
}

/* ---- masks ---- */

static uint64_t low_bits(unsigned count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static unsigned bits_in(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

/* An element is accessed if the sign of the same one in a register is set. */
static uint64_t by_signs(const uint8_t *signs, unsigned bytes, unsigned element)
{
    uint64_t touched = 0;

    for (unsigned at = 0; at < bytes; at += element)
        if (signs[at + element - 1] & 0x80)
            touched |= low_bits(element) << at;
    return touched;
}

/* false: the instruction has no such mask. */
static bool by_register(const struct insn *x, const ucontext_t *c, unsigned bytes, uint64_t *out)
{
    const ZydisRegister reg = x->operand[1].reg.value;
    uint8_t signs[STATE_VECTOR] = { 0 };
    unsigned element;

    switch (x->i.mnemonic) {
    case ZYDIS_MNEMONIC_VPMASKMOVD:
    case ZYDIS_MNEMONIC_VMASKMOVPS:
        element = 4;
        break;
    case ZYDIS_MNEMONIC_VPMASKMOVQ:
    case ZYDIS_MNEMONIC_VMASKMOVPD:
        element = 8;
        break;
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
    case ZYDIS_MNEMONIC_MASKMOVQ:
        element = 1;
        break;
    default:
        return false;
    }
    if (x->i.mnemonic == ZYDIS_MNEMONIC_MASKMOVQ) {
        const uint64_t word = state_mmx(c, (unsigned)(reg - ZYDIS_REGISTER_MM0));
        for (unsigned i = 0; i < 8; i++)
            signs[i] = (uint8_t)(word >> 8 * i);
    } else {
        state_vector(c, (unsigned)ZydisRegisterGetId(reg), signs);
    }
    *out = by_signs(signs, bytes, element);
    return true;
}

/* Elements of memory that are packed: as many as bits are set */
static bool is_packed(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_VCOMPRESSPD:
    case ZYDIS_MNEMONIC_VCOMPRESSPS:
    case ZYDIS_MNEMONIC_VPCOMPRESSB:
    case ZYDIS_MNEMONIC_VPCOMPRESSD:
    case ZYDIS_MNEMONIC_VPCOMPRESSQ:
    case ZYDIS_MNEMONIC_VPCOMPRESSW:
    case ZYDIS_MNEMONIC_VEXPANDPD:
    case ZYDIS_MNEMONIC_VEXPANDPS:
    case ZYDIS_MNEMONIC_VPEXPANDB:
    case ZYDIS_MNEMONIC_VPEXPANDD:
    case ZYDIS_MNEMONIC_VPEXPANDQ:
    case ZYDIS_MNEMONIC_VPEXPANDW:
        return true;
    default:
        return false;
    }
}

/* Instructions that read all, whatever the mask says (classes of the manual: no faults are
 * suppressed).  What they store is masked. */
static bool is_whole(const struct insn *x)
{
    switch (x->i.meta.exception_class) {
    case ZYDIS_EXCEPTION_CLASS_E1NF:
    case ZYDIS_EXCEPTION_CLASS_E2NF:
    case ZYDIS_EXCEPTION_CLASS_E3NF:
    case ZYDIS_EXCEPTION_CLASS_E4NF:
    case ZYDIS_EXCEPTION_CLASS_E5NF:
    case ZYDIS_EXCEPTION_CLASS_E6NF:
    case ZYDIS_EXCEPTION_CLASS_E9NF:
    case ZYDIS_EXCEPTION_CLASS_E10NF:
    case ZYDIS_EXCEPTION_CLASS_E11NF:
        return true;
    default:
        return false;
    }
}

/* Pairs of 16 bits are one element. */
static bool is_complex(ZydisMnemonic mnemonic)
{
    return mnemonic == ZYDIS_MNEMONIC_VFMULCPH || mnemonic == ZYDIS_MNEMONIC_VFCMULCPH ||
           mnemonic == ZYDIS_MNEMONIC_VFMADDCPH || mnemonic == ZYDIS_MNEMONIC_VFCMADDCPH;
}

/* Elements that the mask has bits for: those of the vector that is set, or else that is stored */
static unsigned lanes_of(const struct insn *x, const ZydisDecodedOperand *memory)
{
    const ZydisDecodedOperand *vector = &x->operand[0];

    if (memory->element_count == 1 && x->i.avx.broadcast.mode == ZYDIS_BROADCAST_MODE_INVALID)
        return 1;
    if (vector == memory || is_complex(x->i.mnemonic) ||
        ZydisRegisterGetClass(vector->reg.value) == ZYDIS_REGCLASS_MASK)
        vector = memory;
    return is_complex(x->i.mnemonic) ? vector->size / 32 : vector->element_count;
}

/* Returns the bytes of the memory operand that the instruction accesses. */
static uint64_t touched_by(const struct insn *x, const ZydisDecodedOperand *o, const ucontext_t *c)
{
    const ZydisRegister reg = x->i.avx.mask.reg;
    const unsigned bytes = o->size / 8;
    uint64_t touched = 0;

    if (by_register(x, c, bytes, &touched))
        return touched;
    if (reg <= ZYDIS_REGISTER_K0 || reg > ZYDIS_REGISTER_K7 ||
        (is_whole(x) && !(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)))
        return low_bits(bytes);
    const uint64_t mask = state_mask(c, (unsigned)(reg - ZYDIS_REGISTER_K0));
    const unsigned size = o->element_size / 8u;
    if (is_packed(x->i.mnemonic))
        return low_bits(size * bits_in(mask & low_bits(bytes / size)));
    const unsigned lanes = lanes_of(x, o), own = bytes / size;
    if (own >= lanes) { /* a bit for each element, or for each few */
        const unsigned each = bytes / lanes;
        for (unsigned i = 0; i < lanes; i++)
            if (mask >> i & 1)
                touched |= low_bits(each) << each * i;
        return touched;
    }
    for (unsigned i = 0; i < lanes; i++) /* they are repeated */
        if (mask >> i & 1)
            touched |= low_bits(size) << size * (i % own);
    return touched;
}

bool decode_memory(const struct insn *x, uint64_t at, const ucontext_t *c,
                   struct decoded_memory *out)
{
    for (unsigned i = 0; i < x->i.operand_count; i++) {
        const ZydisDecodedOperand *o = &x->operand[i];
        bool set = false;
        if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type != ZYDIS_MEMOP_TYPE_MEM ||
            !insn_address(x, o, c, &out->address) || at - out->address >= o->size / 8u)
            continue;
        out->size = o->size / 8;
        if (out->size > 64)
            return false;
        out->reg = mover(x, o, &set);
        out->touched = touched_by(x, o, c);
        out->reads = (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
        out->writes = (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
        out->reg_written = set;
        return out->reg >= 0;
    }
    return false;
}
