/* SPDX-License-Identifier: MIT */
/*
 * Memory of the machine of `pcounter exec`, and its loads and stores, compressed ones and those of
 * floating point among them.  Memory is ours: Unicorn fetches from it and accesses none.
 */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

unsigned char *exec_place(const struct machine *m, uint64_t address, uint64_t size)
{
    const uint64_t at = address - m->base;

    return at < m->r->memory && size <= m->r->memory - at ? m->memory + at : NULL;
}

/* Unicorn's translation of code does not notice what is written from outside. */
bool exec_write(struct machine *m, uint64_t address, const void *bytes, size_t size)
{
    unsigned char *const place = exec_place(m, address, size);

    if (!place || size == 0)
        return place != NULL;
    memcpy(place, bytes, size);
    const uint64_t at = address - m->base;
    const uint64_t first = at / EXEC_LINE, lines = (at + size - 1) / EXEC_LINE - first + 1;
    if (memchr(m->executed + first, 1, lines)) {
        m->u.ctl(m->uc, UC_CTL_WRITE(UC_CTL_TB_FLUSH, 0));
        memset(m->executed + first, 0, lines);
    }
    m->told |= m->image->has_tohost && address == m->image->tohost;
    return true;
}

static enum pc_status load_segments(struct machine *m)
{
    const struct exec_image *image = m->image;

    m->base = UINT64_MAX;
    for (size_t i = 0; i < image->segments; i++)
        if (image->segment[i].address < m->base)
            m->base = image->segment[i].address;
    m->base &= ~(uint64_t)(PAGE - 1);
    for (size_t i = 0; i < image->segments; i++) {
        const struct exec_segment *s = &image->segment[i];
        const uint64_t from = s->address - m->base;
        if (from > m->r->memory || s->memory_size > m->r->memory - from)
            return cli_fail(m->err, 1322,
                            "segment at 0x%" PRIx64 " does not fit into 0x%" PRIx64
                            " bytes from 0x%" PRIx64,
                            s->address, m->r->memory, m->base);
        memcpy(m->memory + from, s->data, s->file_size);
    }
    return PC_OK;
}

enum pc_status exec_memory_create(struct machine *m)
{
    m->allocated = calloc(1, m->r->memory + PAGE); /* a large one is not touched */
    m->executed = calloc(1, m->r->memory / EXEC_LINE);
    if (!m->allocated || !m->executed)
        return cli_fail(m->err, 100, "no memory of 0x%" PRIx64 " bytes", m->r->memory);
    m->memory = m->allocated + (PAGE - (uintptr_t)m->allocated % PAGE);
    const enum pc_status status = load_segments(m);
    if (status != PC_OK)
        return status;
    const uc_err bad = m->u.mem_map_ptr(m->uc, m->base, m->r->memory, UC_PROT_ALL, m->memory);
    if (bad != UC_ERR_OK)
        return cli_fail(m->err, bad == UC_ERR_ARG || bad == UC_ERR_MAP ? 1322 : 100,
                        "no memory of 0x%" PRIx64 " bytes at 0x%" PRIx64, m->r->memory, m->base);
    return PC_OK;
}

void exec_memory_destroy(struct machine *m)
{
    free(m->allocated);
    free(m->executed);
}

/* ---- loads and stores ---- */

struct access {
    bool store, fp, extend; /* extend: the sign */
    unsigned size, reg, base;
    uint64_t offset;
};

static unsigned field(uint32_t insn, unsigned high, unsigned low)
{
    return insn >> low & ((1u << (high - low + 1)) - 1);
}

/* Decodes an instruction of 32 bits; a size of 0: illegal. */
static struct access decode_word(uint32_t insn, unsigned xlen)
{
    const unsigned opcode = field(insn, 6, 2), funct3 = field(insn, 14, 12);
    struct access a = { .store = opcode >= 8, .fp = opcode & 1, .base = field(insn, 19, 15) };
    const bool exists = a.fp      ? funct3 == 2 || funct3 == 3
                        : a.store ? funct3 <= 2 || (funct3 == 3 && xlen == 64)
                                  : funct3 <= 6 && (xlen == 64 || (funct3 != 3 && funct3 != 6));
    int32_t offset = (int32_t)insn >> 20;

    a.reg = field(insn, a.store ? 24 : 11, a.store ? 20 : 7);
    if (a.store)
        offset = (offset & ~31) | (int32_t)field(insn, 11, 7);
    a.offset = (uint64_t)(int64_t)offset;
    a.extend = funct3 < 4;
    a.size = exists ? 1u << (funct3 & 3) : 0;
    return a;
}

/* funct3 of quadrants 0 and 2: 1 fld, 2 lw, 3 ld or on RV32 flw; with 4 more stores. */
static struct access decode_compressed(uint32_t insn, unsigned xlen)
{
    const unsigned funct3 = field(insn, 15, 13), kind = funct3 & 3;
    const bool by_sp = (insn & 3) == 2;
    struct access a = { .store = funct3 >= 4,
                        .fp = kind == 1 || (kind == 3 && xlen == 32),
                        .extend = true,
                        .size = kind == 1 || (kind == 3 && xlen == 64) ? 8 : 4 };

    if (!by_sp) {
        a.base = 8 + field(insn, 9, 7);
        a.reg = 8 + field(insn, 4, 2);
        a.offset = field(insn, 12, 10) << 3;
        a.offset |=
            a.size == 8 ? field(insn, 6, 5) << 6 : field(insn, 6, 6) << 2 | field(insn, 5, 5) << 6;
        return a;
    }
    a.base = 2;
    a.reg = a.store ? field(insn, 6, 2) : field(insn, 11, 7);
    if (a.store)
        a.offset = a.size == 8 ? field(insn, 12, 10) << 3 | field(insn, 9, 7) << 6
                               : field(insn, 12, 9) << 2 | field(insn, 8, 7) << 6;
    else
        a.offset = field(insn, 12, 12) << 5 |
                   (a.size == 8 ? field(insn, 6, 5) << 3 | field(insn, 4, 2) << 6
                                : field(insn, 6, 4) << 2 | field(insn, 3, 2) << 6);
    return a;
}

/* c.lbu, c.lhu, c.lh, c.sb, c.sh */
static bool is_zcb(uint32_t insn)
{
    return (insn & 0xe003) == 0x8000;
}

static struct access decode_zcb(uint32_t insn)
{
    const unsigned kind = field(insn, 11, 10);
    const bool byte = (kind & 1) == 0;

    return (struct access){ .store = kind >= 2,
                            .extend = kind == 1 && field(insn, 6, 6),
                            .size = byte ? 1 : 2,
                            .reg = 8 + field(insn, 4, 2),
                            .base = 8 + field(insn, 9, 7),
                            .offset = field(insn, 5, 5) << 1 | (byte ? field(insn, 6, 6) : 0) };
}

static bool is_access(uint32_t insn)
{
    const unsigned opcode = field(insn, 6, 2);

    if ((insn & 3) == 3)
        return opcode == 0x00 || opcode == 0x01 || opcode == 0x08 || opcode == 0x09;
    return ((insn & 3) != 1 && (field(insn, 15, 13) & 3) != 0) || is_zcb(insn);
}

static void take(struct machine *m, const struct access *a, uint64_t value)
{
    const unsigned unused = 64 - 8 * a->size;

    if (a->fp)
        exec_set_fp_reg(m, a->reg, value, a->size);
    else
        exec_set_reg(m, a->reg,
                     a->extend ? (uint64_t)((int64_t)(value << unused) >> unused) : value);
}

bool exec_access(struct machine *m, uint32_t insn, enum pc_status *status)
{
    const unsigned xlen = m->image->xlen;

    if (!is_access(insn))
        return false;
    const struct access a = (insn & 3) == 3 ? decode_word(insn, xlen)
                            : is_zcb(insn)  ? decode_zcb(insn)
                                            : decode_compressed(insn, xlen);
    if (a.size == 0) {
        *status = exec_trap(m, EXEC_ILLEGAL, insn);
        return true;
    }
    const uint64_t address = (exec_reg(m, a.base) + a.offset) & m->mask;
    if (address & (a.size - 1)) {
        *status = exec_trap(m, a.store ? EXEC_STORE_MISALIGNED : EXEC_LOAD_MISALIGNED, address);
        return true;
    }
    uint64_t value = 0;
    const unsigned char *const place = exec_place(m, address, a.size);
    if (!place && !exec_is_uart(m, address)) {
        *status = exec_trap(m, a.store ? EXEC_STORE_FAULT : EXEC_LOAD_FAULT, address);
        return true;
    }
    if (a.store)
        value = a.fp ? exec_fp_reg(m, a.reg) : exec_reg(m, a.reg);
    else if (place)
        memcpy(&value, place, a.size);
    else
        value = exec_uart_load(m, address);
    exec_retire(m, insn, 0);
    m->pc += (insn & 3) == 3 ? 4 : 2;
    if (!a.store)
        take(m, &a, value);
    else if (place)
        exec_write(m, address, &value, a.size);
    else
        exec_uart_store(m, address, value);
    *status = PC_OK;
    return true;
}

#endif
