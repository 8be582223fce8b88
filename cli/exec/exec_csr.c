/* SPDX-License-Identifier: MIT */
/*
 * CSRs of the machine of `pcounter exec` that are no counters, with the bits that CVA6 keeps.  What
 * would need more than is here, address translation, interrupts and protected memory, is refused
 * when a program asks for it.
 */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_machine.h"

#include <inttypes.h>
#include <string.h>

enum { SSTATUS = 0x100, SIE = 0x104, SIP = 0x144, SATP = 0x180, MSTATUSH = 0x310, MIP = 0x344 };
enum { PMP_CONFIG = 0x3a0, PMP_ADDRESS = 0x3b0, PMP_END = 0x3f0, MISA = 0x301 };
enum { INTERRUPTS_S = 0x222, INTERRUPTS = 0xaaa };
enum { ALWAYS, OF_S, OF_U, OF_32 }; /* which cores have it */

static const struct {
    uint16_t address;
    uint8_t needs;
    uint64_t writable;
} rows[CSRS] = {
    [MSTATUS] = { 0x300, ALWAYS, 0 }, /* written bit by bit */
    [MEDELEG] = { 0x302, OF_S, 0xb1ff },
    [MIDELEG] = { 0x303, OF_S, INTERRUPTS_S },
    [MIE] = { 0x304, ALWAYS, INTERRUPTS },
    [MTVEC] = { 0x305, ALWAYS, ~UINT64_C(2) },
    [MSCRATCH] = { 0x340, ALWAYS, UINT64_MAX },
    [MEPC] = { 0x341, ALWAYS, ~UINT64_C(1) },
    [MCAUSE] = { 0x342, ALWAYS, UINT64_MAX },
    [MTVAL] = { 0x343, ALWAYS, UINT64_MAX },
    [MENVCFG] = { 0x30a, OF_U, 1 },
    [STVEC] = { 0x105, OF_S, ~UINT64_C(2) },
    [SSCRATCH] = { 0x140, OF_S, UINT64_MAX },
    [SEPC] = { 0x141, OF_S, ~UINT64_C(1) },
    [SCAUSE] = { 0x142, OF_S, UINT64_MAX },
    [STVAL] = { 0x143, OF_S, UINT64_MAX },
    [SENVCFG] = { 0x10a, OF_S, 1 },
    [ICACHE] = { 0x7c0, ALWAYS, 1 },
    [DCACHE] = { 0x7c1, ALWAYS, 1 },
};

void exec_csr_reset(struct machine *m)
{
    m->privilege = EXEC_M;
    m->csr[MSTATUS] = (m->r->config->rvu ? 0 : MSTATUS_MPP) | (m->r->config->rvf ? MSTATUS_FS : 0);
    m->csr[ICACHE] = m->csr[DCACHE] = 1;
}

static bool has(const struct machine *m, unsigned needs)
{
    const struct pc_hpm_config *c = m->r->config;

    switch (needs) {
    case OF_S:
        return c->rvs;
    case OF_U:
        return c->rvu;
    case OF_32:
        return c->xlen == 32;
    default:
        return true;
    }
}

static unsigned row_of(const struct machine *m, unsigned address)
{
    unsigned i = 0;

    while (i < CSRS && (rows[i].address != address || !has(m, rows[i].needs)))
        i++;
    return i;
}

/* ---- values ---- */

/* The letters of the ISA that are executed here: no V, which is refused. */
static uint64_t misa(const struct pc_hpm_config *c)
{
    const uint64_t letters = (uint64_t)c->mmu << 0 | (uint64_t)c->rvb << 1 | (uint64_t)c->rvc << 2 |
                             (uint64_t)(c->rvf && c->xlen == 64) << 3 | (uint64_t)c->rvf << 5 |
                             1u << 8 | 1u << 12 | (uint64_t)c->rvs << 18 | (uint64_t)c->rvu << 20;

    return letters | (c->xlen == 64 ? UINT64_C(2) << 62 : UINT64_C(1) << 30);
}

static uint64_t status_of(const struct machine *m)
{
    const struct pc_hpm_config *c = m->r->config;
    uint64_t value = m->csr[MSTATUS];

    if ((value & MSTATUS_FS) == MSTATUS_FS)
        value |= UINT64_C(1) << (c->xlen - 1); /* SD */
    if (c->xlen == 64)
        value |= (uint64_t)c->rvu << 33 | (uint64_t)c->rvs << 35; /* UXL, SXL */
    return value;
}

static uint64_t sstatus_mask(const struct machine *m)
{
    const uint64_t sd = UINT64_C(1) << (m->r->config->xlen - 1);

    return sd | (m->r->config->xlen == 64 ? UINT64_C(3) << 32 : 0) | MSTATUS_SIE | MSTATUS_SPIE |
           MSTATUS_SPP | MSTATUS_FS | MSTATUS_SUM | MSTATUS_MXR;
}

/* Entries stand in bytes of pmpcfg0, 1 .., of which RV64 has the even ones. */
static bool pmp_value(const struct machine *m, unsigned address, uint64_t *out)
{
    const unsigned bytes = m->r->config->xlen / 8;

    if (address >= PMP_ADDRESS) {
        *out = address - PMP_ADDRESS < EXEC_PMP ? m->pmp_address[address - PMP_ADDRESS] : 0;
        return true;
    }
    const unsigned first = (address - PMP_CONFIG) * 4;
    *out = 0;
    if (bytes == 8 && address & 1)
        return false;
    if (first < EXEC_PMP)
        memcpy(out, m->pmp_config + first, bytes);
    return true;
}

/* false: there is no such register. */
static bool value_of(const struct machine *m, unsigned address, uint64_t *out)
{
    static const struct {
        uint16_t address, needs, value;
    } constant[] = { { 0xf11, ALWAYS, 0x602 }, { 0xf12, ALWAYS, 3 }, { 0xf13, ALWAYS, 0 },
                     { 0xf14, ALWAYS, 0 },     { 0xf15, ALWAYS, 0 }, { MIP, ALWAYS, 0 },
                     { MSTATUSH, OF_32, 0 },   { SIP, OF_S, 0 },     { SATP, OF_S, 0 },
                     { 0x31a, OF_32, 0 } };
    const unsigned i = row_of(m, address);

    if (i < CSRS) {
        *out = i == MSTATUS ? status_of(m) : m->csr[i];
        return true;
    }
    if (address >= PMP_CONFIG && address < PMP_END)
        return pmp_value(m, address, out);
    if (address == MISA) {
        *out = misa(m->r->config);
        return true;
    }
    if ((address == SSTATUS || address == SIE) && m->r->config->rvs) {
        *out = address == SIE ? m->csr[MIE] & m->csr[MIDELEG] : status_of(m) & sstatus_mask(m);
        return true;
    }
    for (size_t k = 0; k < sizeof constant / sizeof constant[0]; k++)
        if (constant[k].address == address && has(m, constant[k].needs)) {
            *out = constant[k].value;
            return true;
        }
    return false;
}

static bool is_allowed(const struct machine *m, unsigned address, bool writes)
{
    return (address >> 8 & 3) <= m->privilege && !(writes && address >> 10 == 3);
}

/* ---- writes ---- */

static void write_status(struct machine *m, uint64_t value, uint64_t writable)
{
    const struct pc_hpm_config *c = m->r->config;
    const uint64_t mpp = value & MSTATUS_MPP, of_s = MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP |
                                                     MSTATUS_SUM | MSTATUS_MXR | MSTATUS_TVM |
                                                     MSTATUS_TSR;

    if (!c->rvs)
        writable &= ~of_s;
    if (!c->rvu)
        writable &= ~(uint64_t)(MSTATUS_TW | MSTATUS_MPRV);
    if (!c->rvf)
        writable &= ~(uint64_t)MSTATUS_FS;
    if (mpp == 2 << 11 || (mpp == 1 << 11 && !c->rvs) || (mpp == 0 && !c->rvu))
        writable &= ~(uint64_t)MSTATUS_MPP;
    m->csr[MSTATUS] = (m->csr[MSTATUS] & ~writable) | (value & writable);
}

static enum pc_status write_pmp(struct machine *m, unsigned address, uint64_t value)
{
    enum { LOCKED = 0x80, MATCHES = 0x18, ALL = 7 };
    const unsigned bytes = m->r->config->xlen / 8;

    if (address >= PMP_ADDRESS) {
        const unsigned i = address - PMP_ADDRESS;
        if (i < EXEC_PMP && !(m->pmp_config[i] & LOCKED))
            m->pmp_address[i] = value & (bytes == 8 ? (UINT64_C(1) << 54) - 1 : UINT32_MAX);
        return PC_OK;
    }
    for (unsigned i = 0; i < bytes; i++) {
        const unsigned entry = (address - PMP_CONFIG) * 4 + i, byte = value >> (8 * i) & 0x9f;
        if (entry >= EXEC_PMP || m->pmp_config[entry] & LOCKED)
            continue;
        if (byte & MATCHES && (byte & ALL) != ALL)
            return cli_fail(m->err, 1325,
                            "the CSR write at 0x%" PRIx64 " protects memory by entry %u of the PMP",
                            m->pc, entry);
        m->pmp_config[entry] = (uint8_t)byte;
    }
    return PC_OK;
}

static enum pc_status write_satp(struct machine *m, uint64_t value)
{
    const unsigned mode = (unsigned)(m->r->config->xlen == 64 ? value >> 60 : value >> 31 & 1);

    /* other modes than CVA6 has leave the register as it is */
    return mode == (m->r->config->xlen == 64 ? 8 : 1) && m->r->config->mmu
               ? cli_fail(m->err, 1325,
                          "the CSR write at 0x%" PRIx64 " turns address translation on", m->pc)
               : PC_OK;
}

/* Vectored: what CVA6 asks of the alignment.  Interrupts would go there, and there are none. */
static uint64_t vector(uint64_t value)
{
    return value & 1 ? (value & ~UINT64_C(0xff)) | 1 : value & ~UINT64_C(3);
}

static void write_row(struct machine *m, unsigned i, uint64_t value)
{
    m->csr[i] = value & rows[i].writable & m->mask;
    if (i == MTVEC || i == STVEC)
        m->csr[i] = vector(m->csr[i]);
    if ((i == MEPC || i == SEPC) && !m->r->config->rvc)
        m->csr[i] &= ~UINT64_C(3);
    if (i == MIE && !m->r->config->rvs)
        m->csr[i] &= ~(uint64_t)INTERRUPTS_S;
}

static enum pc_status write_csr(struct machine *m, unsigned address, uint64_t value)
{
    const unsigned i = row_of(m, address);

    if (i == MSTATUS)
        write_status(m, value,
                     MSTATUS_SIE | MSTATUS_MIE | MSTATUS_SPIE | MSTATUS_MPIE | MSTATUS_SPP |
                         MSTATUS_MPP | MSTATUS_FS | MSTATUS_MPRV | MSTATUS_SUM | MSTATUS_MXR |
                         MSTATUS_TVM | MSTATUS_TW | MSTATUS_TSR);
    else if (i < CSRS)
        write_row(m, i, value);
    else if (address == SSTATUS)
        write_status(m, value, sstatus_mask(m) & UINT32_MAX >> 1);
    else if (address == SIE)
        m->csr[MIE] = (m->csr[MIE] & ~m->csr[MIDELEG]) | (value & m->csr[MIDELEG]);
    else if (address >= PMP_CONFIG && address < PMP_END)
        return write_pmp(m, address, value);
    else if (address == SATP)
        return write_satp(m, value);
    else if ((address == MIP && m->r->config->rvs && value & INTERRUPTS_S) ||
             (address == SIP && value & m->csr[MIDELEG]))
        return cli_fail(m->err, 1325, "the CSR write at 0x%" PRIx64 " makes an interrupt pending",
                        m->pc);
    return PC_OK;
}

enum pc_status exec_csr(struct machine *m, uint32_t insn)
{
    const unsigned address = insn >> 20, source = insn >> 15 & 31, op = insn >> 12 & 3;
    const uint64_t operand = insn >> 14 & 1 ? source : exec_reg(m, source);
    const bool writes = op == 1 || source != 0;
    const bool traps_virtual_memory =
        address == SATP && m->privilege == EXEC_S && m->csr[MSTATUS] & MSTATUS_TVM;
    enum pc_status status = PC_OK;
    uint64_t old;

    if (!is_allowed(m, address, writes) || !value_of(m, address, &old) || traps_virtual_memory)
        return exec_trap(m, EXEC_ILLEGAL, insn);
    const uint64_t value = op == 1 ? operand : op == 2 ? old | operand : old & ~operand;
    if (writes)
        status = write_csr(m, address, value);
    if (status != PC_OK)
        return status;
    exec_retire(m, insn, 0);
    exec_set_reg(m, insn >> 7 & 31, old);
    m->pc += 4;
    return PC_OK;
}

#endif
