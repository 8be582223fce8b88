/* SPDX-License-Identifier: MIT */
/*
 * The machine of `pcounter exec`: clocks of the model, traps, and the SYSTEM instructions, which
 * are done here; the counters' CSRs by the model.
 */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_machine.h"

#include <inttypes.h>

static const struct {
    uint16_t address;
    uint64_t writable;
} csr_rows[CSRS] = {
    [MSTATUS] = { 0x300, MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP | MSTATUS_FS },
    [MIE] = { 0x304, UINT64_MAX },
    [MTVEC] = { 0x305, ~UINT64_C(2) },
    [MSCRATCH] = { 0x340, UINT64_MAX },
    [MEPC] = { 0x341, ~UINT64_C(1) },
    [MCAUSE] = { 0x342, UINT64_MAX },
    [MTVAL] = { 0x343, UINT64_MAX },
};

/* Of exec_counts.tainted. */
static const uint64_t LOW = 1, HIGH = UINT64_C(1) << 32;

/* ---- clocks of the model ---- */

static uint64_t clock_of(struct machine *m, struct pc_hpm_in *in, uint8_t *cause)
{
    struct pc_hpm_out out;

    in->mode.privilege = 3;
    pc_hpm_step(m->hpm, in, &out);
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        m->counts->event[e] += out.events >> e & 1;
    *cause = out.cause;
    return out.rdata;
}

void exec_retire(struct machine *m, uint32_t insn, uint32_t lines)
{
    struct pc_hpm_in in = { .lines = lines };
    uint8_t cause;

    pc_hpm_classify(m->r->config, insn, &in.port[0]);
    in.port[0].ack = true;
    clock_of(m, &in, &cause);
}

static enum pc_status enter_handler(struct machine *m, unsigned cause, uint64_t tval)
{
    if ((m->csr[MTVEC] & ~UINT64_C(3)) == 0)
        return cli_fail(m->err, 1324, "trap %u at 0x%" PRIx64 ", and mtvec is 0", cause, m->pc);
    m->csr[MEPC] = m->pc;
    m->csr[MCAUSE] = cause;
    m->csr[MTVAL] = tval;
    const uint64_t mie = m->csr[MSTATUS] & MSTATUS_MIE;
    m->csr[MSTATUS] &= ~(uint64_t)(MSTATUS_MIE | MSTATUS_MPIE);
    m->csr[MSTATUS] |= mie << 4 | MSTATUS_MPP;
    m->pc = m->csr[MTVEC] & ~UINT64_C(3);
    return PC_OK;
}

enum pc_status exec_trap(struct machine *m, unsigned cause, uint64_t tval)
{
    struct pc_hpm_in in = { .lines = 1u << PC_HPM_EXCEPTION };
    uint8_t ignored;

    clock_of(m, &in, &ignored);
    return enter_handler(m, cause, tval);
}

/* ---- SYSTEM instructions ---- */

/*
 * After an access: a counter is tainted while an unmeasured event is selected, and then until it
 * is written: with XLEN 32 both halves, since a carry into the high one may have been missed.
 */
static void taint(struct machine *m, const struct pc_hpm_access *access)
{
    const bool halves = m->r->config->xlen == 32;
    struct pc_hpm_state s;

    pc_hpm_get_state(m->hpm, &s);
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++) {
        if (!exec_measures(s.selector[c]))
            m->counts->tainted |= LOW << c | HIGH << c;
        else if (access->op == PC_HPM_CSR_WRITE && access->address == 0xb00 + c)
            m->counts->tainted &= halves ? ~(LOW << c) : ~(LOW << c | HIGH << c);
        else if (access->op == PC_HPM_CSR_WRITE && access->address == 0xb80 + c)
            m->counts->tainted &= ~(HIGH << c);
    }
}

static enum pc_status counter_csr(struct machine *m, uint32_t insn,
                                  const struct pc_hpm_access *access)
{
    struct pc_hpm_in in = { .csr = *access };
    uint8_t cause;

    in.port[0] = (struct pc_hpm_port){ .ack = true, .fu = PC_HPM_FU_CSR, .op = PC_HPM_OP_OTHER };
    const uint64_t value = clock_of(m, &in, &cause);
    taint(m, access);
    if (cause != PC_HPM_NO_TRAP)
        return enter_handler(m, cause, insn);
    exec_set_reg(m, insn >> 7 & 31, value);
    m->pc += 4;
    return PC_OK;
}

/* mip, medeleg ... of a machine without interrupts and delegation are constants. */
static bool constant_csr(unsigned address, uint64_t *value)
{
    static const struct {
        uint16_t address;
        uint16_t value;
    } rows[] = { { 0xf11, 0x602 }, { 0xf12, 3 }, { 0xf13, 0 }, { 0xf14, 0 },
                 { 0x301, 0 },     { 0x302, 0 }, { 0x303, 0 }, { 0x344, 0 } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].address == address) {
            *value = rows[i].value;
            return true;
        }
    return false;
}

static enum pc_status other_csr(struct machine *m, uint32_t insn)
{
    const unsigned address = insn >> 20, source = insn >> 15 & 31, op = insn >> 12 & 3;
    const uint64_t operand = insn >> 14 & 1 ? source : exec_reg(m, source);
    const bool writes = op == 1 || source != 0;
    uint64_t old = 0;
    unsigned i = 0;

    while (i < CSRS && csr_rows[i].address != address)
        i++;
    if (i == CSRS && (!constant_csr(address, &old) || (writes && address >> 10 == 3)))
        return exec_trap(m, EXEC_ILLEGAL, insn);
    if (i < CSRS) {
        old = m->csr[i];
        const uint64_t value = op == 1 ? operand : op == 2 ? old | operand : old & ~operand;
        if (writes)
            m->csr[i] = value & csr_rows[i].writable & m->mask;
        if (i == MSTATUS && !m->r->config->rvf)
            m->csr[i] &= ~(uint64_t)MSTATUS_FS;
        if (i == MEPC && !m->r->config->rvc)
            m->csr[i] &= ~UINT64_C(3);
    }
    if (i == MSTATUS && (old & MSTATUS_FS) == MSTATUS_FS)
        old |= UINT64_C(1) << (m->r->config->xlen - 1); /* SD */
    exec_retire(m, insn, 0);
    exec_set_reg(m, insn >> 7 & 31, old);
    m->pc += 4;
    return PC_OK;
}

static enum pc_status do_mret(struct machine *m, uint32_t insn)
{
    if ((m->csr[MSTATUS] & MSTATUS_MPP) != MSTATUS_MPP)
        return cli_fail(m->err, 1323, "the mret at 0x%" PRIx64 " leaves M-mode", m->pc);
    exec_retire(m, insn, 1u << PC_HPM_ERET);
    const uint64_t mpie = m->csr[MSTATUS] & MSTATUS_MPIE;
    m->csr[MSTATUS] &= ~(uint64_t)MSTATUS_MIE;
    m->csr[MSTATUS] |= mpie >> 4 | MSTATUS_MPIE;
    m->pc = m->csr[MEPC];
    return PC_OK;
}

/* Without tohost and without a handler, ecall with 93 in a7 ends the program. */
static enum pc_status do_ecall(struct machine *m)
{
    if (m->image->has_tohost || m->csr[MTVEC] != 0 || exec_reg(m, 17) != 93)
        return exec_trap(m, EXEC_ECALL_M, 0);
    struct pc_hpm_in in = { .lines = 1u << PC_HPM_EXCEPTION };
    uint8_t ignored;
    clock_of(m, &in, &ignored);
    m->counts->exit_code = exec_reg(m, 10);
    m->ended = true;
    return PC_OK;
}

enum pc_status exec_system(struct machine *m, uint32_t insn)
{
    struct pc_hpm_access access;

    if (pc_hpm_csr_decode(insn, exec_reg(m, insn >> 15 & 31), &access))
        return counter_csr(m, insn, &access);
    if ((insn >> 12 & 3) != 0)
        return other_csr(m, insn);
    if (insn == 0x00000073)
        return do_ecall(m);
    if (insn == 0x00100073)
        return exec_trap(m, EXEC_BREAKPOINT, m->pc);
    if (insn == 0x30200073)
        return do_mret(m, insn);
    if (insn == 0x10200073 && m->r->config->rvs)
        return cli_fail(m->err, 1323, "the sret at 0x%" PRIx64 " leaves M-mode", m->pc);
    const bool sfence = (insn & 0xfe007fff) == 0x12000073 && m->r->config->rvs;
    if (!sfence && insn != 0x10500073)
        return exec_trap(m, EXEC_ILLEGAL, insn);
    exec_retire(m, insn, sfence ? 1u << PC_HPM_TLB_FLUSH : 0); /* or wfi: goes on at once */
    m->pc += 4;
    return PC_OK;
}

#endif
