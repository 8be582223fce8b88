/* SPDX-License-Identifier: MIT */
/*
 * The machine of `pcounter exec`: clocks of the model, traps, and the SYSTEM instructions, which
 * are done here; the counters' CSRs by the model.
 */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_machine.h"

#include <inttypes.h>

/* Bits of exec_counts.tainted */
static const uint64_t LOW = 1, HIGH = UINT64_C(1) << 32;

/* ---- clocks of the model ---- */

static uint64_t clock_of(struct machine *m, struct pc_hpm_in *in, uint8_t *cause)
{
    struct pc_hpm_out out;

    in->mode.privilege = (uint8_t)m->privilege;
    pc_hpm_step(m->hpm, in, &out);
    m->clocks++;
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

void exec_exception(struct machine *m, uint32_t lines)
{
    struct pc_hpm_in in = { .lines = lines | 1u << PC_HPM_EXCEPTION };
    uint8_t ignored;

    clock_of(m, &in, &ignored);
}

/* ---- traps ---- */

static void enter_m(struct machine *m)
{
    const uint64_t mie = m->csr[MSTATUS] & MSTATUS_MIE;

    m->csr[MSTATUS] &= ~(uint64_t)(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP);
    m->csr[MSTATUS] |= mie << 4 | (uint64_t)m->privilege << 11;
    m->privilege = EXEC_M;
}

static void enter_s(struct machine *m)
{
    const uint64_t sie = m->csr[MSTATUS] & MSTATUS_SIE;

    m->csr[MSTATUS] &= ~(uint64_t)(MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP);
    m->csr[MSTATUS] |= sie << 4 | (uint64_t)m->privilege << 8;
    m->privilege = EXEC_S;
}

static enum pc_status enter_handler(struct machine *m, unsigned cause, uint64_t tval)
{
    const bool to_s = m->privilege != EXEC_M && m->csr[MEDELEG] >> cause & 1;
    const uint64_t handler = m->csr[to_s ? STVEC : MTVEC] & ~UINT64_C(3);

    if (handler == 0)
        return cli_fail(m->err, 1324, "trap %u at 0x%" PRIx64 ", and %ctvec is 0", cause, m->pc,
                        to_s ? 's' : 'm');
    m->csr[to_s ? SEPC : MEPC] = m->pc;
    m->csr[to_s ? SCAUSE : MCAUSE] = cause;
    m->csr[to_s ? STVAL : MTVAL] = tval;
    if (to_s)
        enter_s(m);
    else
        enter_m(m);
    m->pc = handler;
    return PC_OK;
}

enum pc_status exec_trap(struct machine *m, unsigned cause, uint64_t tval)
{
    exec_exception(m, cause == EXEC_FETCH_MISALIGNED ? 1u << PC_HPM_BRANCH_EXCEPTION : 0);
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

static enum pc_status do_mret(struct machine *m, uint32_t insn)
{
    if (m->privilege != EXEC_M)
        return exec_trap(m, EXEC_ILLEGAL, insn);
    exec_retire(m, insn, 1u << PC_HPM_ERET);
    const uint64_t mpie = m->csr[MSTATUS] & MSTATUS_MPIE;
    m->privilege = m->csr[MSTATUS] >> 11 & 3;
    m->csr[MSTATUS] &= ~(uint64_t)(MSTATUS_MIE | MSTATUS_MPP);
    m->csr[MSTATUS] |= mpie >> 4 | MSTATUS_MPIE | (m->r->config->rvu ? 0 : MSTATUS_MPP);
    if (m->privilege != EXEC_M)
        m->csr[MSTATUS] &= ~(uint64_t)MSTATUS_MPRV;
    m->pc = m->csr[MEPC];
    return PC_OK;
}

static enum pc_status do_sret(struct machine *m, uint32_t insn)
{
    if (m->privilege == EXEC_U || (m->privilege == EXEC_S && m->csr[MSTATUS] & MSTATUS_TSR))
        return exec_trap(m, EXEC_ILLEGAL, insn);
    exec_retire(m, insn, 1u << PC_HPM_ERET);
    const uint64_t spie = m->csr[MSTATUS] & MSTATUS_SPIE;
    m->privilege = m->csr[MSTATUS] & MSTATUS_SPP ? EXEC_S : EXEC_U;
    m->csr[MSTATUS] &= ~(uint64_t)(MSTATUS_SIE | MSTATUS_SPP | MSTATUS_MPRV);
    m->csr[MSTATUS] |= spie >> 4 | MSTATUS_SPIE;
    m->pc = m->csr[SEPC];
    return PC_OK;
}

/* Without tohost and without a handler, ecall with 93 in a7 ends the program. */
static enum pc_status do_ecall(struct machine *m)
{
    if (m->image->has_tohost || m->csr[MTVEC] != 0 || exec_reg(m, 17) != 93)
        return exec_trap(m, EXEC_ECALL_U + m->privilege, 0);
    exec_exception(m, 0);
    m->counts->exit_code = exec_reg(m, 10);
    m->ended = true;
    return PC_OK;
}

/* They go on at once: there are no interrupts to wait for, and no translations to forget. */
static enum pc_status do_wfi_or_sfence(struct machine *m, uint32_t insn, bool sfence)
{
    const uint64_t trapped = sfence ? MSTATUS_TVM : MSTATUS_TW;

    if (m->r->config->rvu &&
        (m->privilege == EXEC_U || (m->privilege == EXEC_S && m->csr[MSTATUS] & trapped)))
        return exec_trap(m, EXEC_ILLEGAL, insn);
    exec_retire(m, insn, sfence ? 1u << PC_HPM_TLB_FLUSH : 0);
    m->pc += 4;
    return PC_OK;
}

enum pc_status exec_system(struct machine *m, uint32_t insn)
{
    struct pc_hpm_access access;

    if (pc_hpm_csr_decode(insn, exec_reg(m, insn >> 15 & 31), &access))
        return counter_csr(m, insn, &access);
    if ((insn >> 12 & 3) != 0)
        return exec_csr(m, insn);
    const bool sfence = (insn & 0xfe007fff) == 0x12000073 && m->r->config->rvs;
    if (sfence || insn == 0x10500073)
        return do_wfi_or_sfence(m, insn, sfence);
    switch (insn) {
    case 0x00000073:
        return do_ecall(m);
    case 0x00100073:
        return exec_is_semihosting(m) ? exec_semihosting(m) : exec_trap(m, EXEC_BREAKPOINT, m->pc);
    case 0x30200073:
        return do_mret(m, insn);
    case 0x10200073:
        return m->r->config->rvs ? do_sret(m, insn) : exec_trap(m, EXEC_ILLEGAL, insn);
    default:
        return exec_trap(m, EXEC_ILLEGAL, insn);
    }
}

#endif
