/* SPDX-License-Identifier: MIT */
/*
 * Instructions that access many places: gathers and scatters, element by element, and moves of
 * strings from BAR0 to BAR0.  What the processor has done of a gather until it faults is done, and
 * its mask says so; so is it here: the element that faulted, and the instruction goes on.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <string.h>

#include "decode.h"
#include "registers.h"
#include "state.h"

/* Bytes of an index and of an element; 0: another instruction */
struct shape {
    ZydisMnemonic mnemonic;
    unsigned index, element;
};

static const struct shape shapes[] = {
    { ZYDIS_MNEMONIC_VPGATHERDD, 4, 4 },  { ZYDIS_MNEMONIC_VPGATHERDQ, 4, 8 },
    { ZYDIS_MNEMONIC_VPGATHERQD, 8, 4 },  { ZYDIS_MNEMONIC_VPGATHERQQ, 8, 8 },
    { ZYDIS_MNEMONIC_VGATHERDPS, 4, 4 },  { ZYDIS_MNEMONIC_VGATHERDPD, 4, 8 },
    { ZYDIS_MNEMONIC_VGATHERQPS, 8, 4 },  { ZYDIS_MNEMONIC_VGATHERQPD, 8, 8 },
    { ZYDIS_MNEMONIC_VPSCATTERDD, 4, 4 }, { ZYDIS_MNEMONIC_VPSCATTERDQ, 4, 8 },
    { ZYDIS_MNEMONIC_VPSCATTERQD, 8, 4 }, { ZYDIS_MNEMONIC_VPSCATTERQQ, 8, 8 },
    { ZYDIS_MNEMONIC_VSCATTERDPS, 4, 4 }, { ZYDIS_MNEMONIC_VSCATTERDPD, 4, 8 },
    { ZYDIS_MNEMONIC_VSCATTERQPS, 8, 4 }, { ZYDIS_MNEMONIC_VSCATTERQPD, 8, 8 },
};

struct places {
    const struct shape *shape;
    const ZydisDecodedOperand *memory;
    unsigned count;  /* elements */
    unsigned vector; /* that is set or stored */
    bool scatter;
    bool k;        /* the mask is k`mask`, else signs of vector `mask` */
    unsigned mask; /* 0 as a k: none */
};

static bool read_places(const struct insn *x, struct places *out)
{
    const ZydisDecodedOperand *vector;

    *out = (struct places){ .shape = NULL };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (shapes[i].mnemonic == x->i.mnemonic)
            out->shape = &shapes[i];
    if (!out->shape || x->i.address_width != 64)
        return false;
    out->scatter = x->operand[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
    out->k = x->i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
    vector = &x->operand[out->scatter ? 2 : 0];
    out->memory = &x->operand[out->scatter ? 0 : out->k ? 2 : 1];
    out->mask =
        (unsigned)ZydisRegisterGetId(out->k ? x->operand[1].reg.value : x->operand[2].reg.value);
    if (vector->type != ZYDIS_OPERAND_TYPE_REGISTER ||
        out->memory->mem.type != ZYDIS_MEMOP_TYPE_VSIB ||
        out->memory->mem.segment == ZYDIS_REGISTER_FS ||
        out->memory->mem.segment == ZYDIS_REGISTER_GS)
        return false;
    out->vector = (unsigned)ZydisRegisterGetId(vector->reg.value);
    const unsigned wider =
        out->shape->index > out->shape->element ? out->shape->index : out->shape->element;
    out->count = x->i.avx.vector_length / 8 / wider;
    return true;
}

static uint64_t element_address(const struct places *p, const ucontext_t *c, unsigned i)
{
    const int base = insn_place(p->memory->mem.base);
    uint8_t indexes[STATE_VECTOR];
    int64_t index;

    state_vector(c, (unsigned)ZydisRegisterGetId(p->memory->mem.index), indexes);
    if (p->shape->index == 4) {
        int32_t narrow;
        memcpy(&narrow, indexes + 4 * i, sizeof narrow);
        index = narrow;
    } else {
        memcpy(&index, indexes + 8 * i, sizeof index);
    }
    return (base >= 0 ? reg_get(c, base) : 0) + (uint64_t)index * p->memory->mem.scale +
           (uint64_t)p->memory->mem.disp.value;
}

/* Returns true if the element is still to be done. */
static bool is_wanted(const struct places *p, const ucontext_t *c, unsigned i)
{
    uint8_t signs[STATE_VECTOR];

    if (p->k)
        return state_mask(c, p->mask) >> i & 1;
    state_vector(c, p->mask, signs);
    return signs[(i + 1) * p->shape->element - 1] & 0x80;
}

static void set_done(const struct places *p, ucontext_t *c, unsigned i)
{
    const unsigned size = p->shape->element;
    uint8_t signs[STATE_VECTOR];

    if (p->k) {
        state_set_mask(c, p->mask, state_mask(c, p->mask) & ~(UINT64_C(1) << i));
        return;
    }
    state_vector(c, p->mask, signs);
    memset(signs + size * i, 0, size);
    state_set_vector(c, p->mask, signs);
}

bool card_gather(const struct insn *x, ucontext_t *c, uint64_t at)
{
    uint8_t data[STATE_VECTOR];
    struct places p;
    unsigned i = 0;
    uint64_t from = 0, address;

    if (!read_places(x, &p))
        return false;
    const unsigned size = p.shape->element;
    for (; i < p.count; i++) {
        if (!is_wanted(&p, c, i))
            continue;
        from = element_address(&p, c, i);
        if (at - from < size)
            break;
    }
    if (i == p.count || !card_may(from, size, p.scatter, &address))
        return false;
    state_vector(c, p.vector, data);
    if (p.scatter) {
        card_write(address, size, data + size * i);
    } else {
        card_read(address, size, data + size * i);
        state_set_vector(c, p.vector, data);
    }
    set_done(&p, c, i);
    return true;
}

/* ---- strings ---- */

bool card_move_string(const struct insn *x, ucontext_t *c)
{
    uint64_t from, to;
    uint8_t bytes[8];
    unsigned size;

    switch (x->i.mnemonic) {
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSW:
    case ZYDIS_MNEMONIC_MOVSD:
    case ZYDIS_MNEMONIC_MOVSQ:
        break;
    default:
        return false;
    }
    size = x->operand[0].size / 8;
    if (x->i.meta.category != ZYDIS_CATEGORY_STRINGOP || x->i.address_width != 64 || size > 8 ||
        !card_may(reg_get(c, REG_RSI), size, false, &from) ||
        !card_may(reg_get(c, REG_RDI), size, true, &to))
        return false;
    card_read(from, size, bytes);
    card_write(to, size, bytes);
    const uint64_t step = reg_get(c, REG_EFL) & 0x400 ? (uint64_t)0 - size : size;
    reg_add(c, REG_RSI, step);
    reg_add(c, REG_RDI, step);
    if (x->i.attributes & ZYDIS_ATTRIB_HAS_REP) {
        reg_add(c, REG_RCX, UINT64_MAX);
        if (reg_get(c, REG_RCX) != 0)
            return true; /* and again */
    }
    reg_add(c, REG_RIP, x->i.length);
    return true;
}
