/* SPDX-License-Identifier: MIT */
/*
 * The machine of `pcounter exec`: Unicorn executes unprivileged instructions, one at a time;
 * SYSTEM instructions are done here, the counters' CSRs by the model.  M-mode only, one hart,
 * flat memory, no interrupts, floating point always on.  One instruction is one clock, so
 * what caches, TLBs, pipeline and predictor do is not there to be counted.
 */
#include "exec.h"

#include <string.h>

bool exec_measures(unsigned event)
{
    /* 11: no branch to a misaligned target in a core with counters, all have compressed code */
    const uint32_t exact = 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 | 1u << 11 | 1u << 12 |
                           1u << 13 | 1u << 19 | 1u << 20 | 1u << 21;

    return event == 0 || event >= PC_HPM_EVENTS || (exact >> event & 1);
}

#ifdef PC_HAVE_UNICORN

#include "exec_unicorn.h"

#include <inttypes.h>

enum { ILLEGAL = 2, BREAKPOINT = 3, ECALL_M = 11, PAGE = 4096 };
enum { MSTATUS_MIE = 1 << 3, MSTATUS_MPIE = 1 << 7, MSTATUS_MPP = 3 << 11, MSTATUS_FS = 3 << 13 };

/* The M-mode registers that programs of this kind use; others are illegal. */
enum { MSTATUS, MIE, MTVEC, MSCRATCH, MEPC, MCAUSE, MTVAL, CSRS };
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

struct machine {
    const struct exec_request *r;
    const struct exec_image *image;
    struct exec_counts *counts;
    struct pc_error *err;
    struct exec_unicorn u;
    uc_engine *uc;
    struct pc_hpm *hpm;
    uint64_t pc, csr[CSRS];
    uint64_t base, mask; /* of memory; of XLEN */
    /* what the hooks saw of one instruction */
    int cause;
    bool misaligned, told;
    uint64_t address;
    bool ended;
};

/* Of exec_counts.tainted. */
static const uint64_t LOW = 1, HIGH = UINT64_C(1) << 32;

static uint64_t reg(struct machine *m, unsigned n)
{
    uint64_t value = 0;

    m->u.reg_read(m->uc, UC_RISCV_REG_X0 + (int)n, &value);
    return value & m->mask;
}

static void set_reg(struct machine *m, unsigned n, uint64_t value)
{
    if (n > 0)
        m->u.reg_write(m->uc, UC_RISCV_REG_X0 + (int)n, &value);
}

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

static void retire(struct machine *m, uint32_t insn, uint32_t lines)
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

static enum pc_status trap(struct machine *m, unsigned cause, uint64_t tval)
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
    set_reg(m, insn >> 7 & 31, value);
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
    const uint64_t operand = insn >> 14 & 1 ? source : reg(m, source);
    const bool writes = op == 1 || source != 0;
    uint64_t old = 0;
    unsigned i = 0;

    while (i < CSRS && csr_rows[i].address != address)
        i++;
    if (i == CSRS && (!constant_csr(address, &old) || (writes && address >> 10 == 3)))
        return trap(m, ILLEGAL, insn);
    if (i < CSRS) {
        old = m->csr[i];
        const uint64_t value = op == 1 ? operand : op == 2 ? old | operand : old & ~operand;
        if (writes)
            m->csr[i] = value & csr_rows[i].writable & m->mask;
    }
    retire(m, insn, 0);
    set_reg(m, insn >> 7 & 31, old);
    m->pc += 4;
    return PC_OK;
}

static enum pc_status do_mret(struct machine *m, uint32_t insn)
{
    if ((m->csr[MSTATUS] & MSTATUS_MPP) != MSTATUS_MPP)
        return cli_fail(m->err, 1323, "the mret at 0x%" PRIx64 " leaves M-mode", m->pc);
    retire(m, insn, 1u << PC_HPM_ERET);
    const uint64_t mpie = m->csr[MSTATUS] & MSTATUS_MPIE;
    m->csr[MSTATUS] &= ~(uint64_t)MSTATUS_MIE;
    m->csr[MSTATUS] |= mpie >> 4 | MSTATUS_MPIE;
    m->pc = m->csr[MEPC];
    return PC_OK;
}

/* Without tohost and without a handler, ecall with 93 in a7 ends the program. */
static enum pc_status do_ecall(struct machine *m)
{
    if (m->image->has_tohost || m->csr[MTVEC] != 0 || reg(m, 17) != 93)
        return trap(m, ECALL_M, 0);
    struct pc_hpm_in in = { .lines = 1u << PC_HPM_EXCEPTION };
    uint8_t ignored;
    clock_of(m, &in, &ignored);
    m->counts->exit_code = reg(m, 10);
    m->ended = true;
    return PC_OK;
}

static enum pc_status do_system(struct machine *m, uint32_t insn)
{
    struct pc_hpm_access access;

    if (pc_hpm_csr_decode(insn, reg(m, insn >> 15 & 31), &access))
        return counter_csr(m, insn, &access);
    if ((insn >> 12 & 3) != 0)
        return other_csr(m, insn);
    if (insn == 0x00000073)
        return do_ecall(m);
    if (insn == 0x00100073)
        return trap(m, BREAKPOINT, m->pc);
    if (insn == 0x30200073)
        return do_mret(m, insn);
    if (insn == 0x10200073 && m->r->config->rvs)
        return cli_fail(m->err, 1323, "the sret at 0x%" PRIx64 " leaves M-mode", m->pc);
    const bool sfence = (insn & 0xfe007fff) == 0x12000073 && m->r->config->rvs;
    if (!sfence && insn != 0x10500073)
        return trap(m, ILLEGAL, insn);
    retire(m, insn, sfence ? 1u << PC_HPM_TLB_FLUSH : 0); /* or wfi: goes on at once */
    m->pc += 4;
    return PC_OK;
}

/* ---- everything else ---- */

static void on_interrupt(uc_engine *uc, uint32_t number, void *ctx)
{
    struct machine *m = ctx;

    m->cause = (int)number;
    m->u.emu_stop(uc);
}

static void on_access(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                      void *ctx)
{
    struct machine *m = ctx;

    (void)uc;
    (void)value;
    if (address & (uint64_t)(size - 1)) {
        m->misaligned = true;
        m->address = address;
    }
    if (type == UC_MEM_WRITE && m->image->has_tohost && address == m->image->tohost)
        m->told = true;
}

/* The cause of an error of Unicorn's; -1: none of the program's. */
static int cause_of(uc_err error)
{
    switch (error) {
    case UC_ERR_INSN_INVALID:
        return ILLEGAL;
    case UC_ERR_FETCH_UNMAPPED:
        return 1;
    case UC_ERR_READ_UNMAPPED:
        return 5;
    case UC_ERR_WRITE_UNMAPPED:
        return 7;
    default:
        return -1;
    }
}

/* tohost got its value: 2 * code + 1 ends the program. */
static enum pc_status heard(struct machine *m)
{
    uint64_t value = 0;

    m->told = false;
    m->u.mem_read(m->uc, m->image->tohost, &value, m->image->xlen / 8);
    if (value == 0)
        return PC_OK;
    if (!(value & 1))
        return cli_fail(m->err, 1325, "0x%" PRIx64 " in tohost asks for a system call", value);
    m->counts->exit_code = value >> 1;
    m->ended = true;
    return PC_OK;
}

static enum pc_status do_other(struct machine *m, uint32_t insn)
{
    m->cause = -1;
    const uc_err error = m->u.emu_start(m->uc, m->pc, UINT64_MAX, 0, 1);

    if (m->misaligned)
        return cli_fail(m->err, 1325,
                        "the instruction at 0x%" PRIx64 " accesses 0x%" PRIx64
                        ", which is not aligned: CVA6 traps",
                        m->pc, m->address);
    if (m->cause < 0 && error != UC_ERR_OK)
        m->cause = cause_of(error);
    if (m->cause >= 0)
        return trap(m, (unsigned)m->cause, m->cause == ILLEGAL ? insn : 0);
    if (error != UC_ERR_OK)
        return cli_fail(m->err, 1325, "at 0x%" PRIx64 ": %s", m->pc, m->u.strerror(error));
    retire(m, insn, 0);
    m->u.reg_read(m->uc, UC_RISCV_REG_PC, &m->pc);
    m->pc &= m->mask;
    return m->told ? heard(m) : PC_OK;
}

static enum pc_status one(struct machine *m)
{
    uint32_t insn = 0;

    m->counts->instructions++;
    if (m->u.mem_read(m->uc, m->pc, &insn, 2) != UC_ERR_OK)
        return trap(m, 1, m->pc);
    if ((insn & 3) == 3 && m->u.mem_read(m->uc, m->pc, &insn, 4) != UC_ERR_OK)
        return trap(m, 1, m->pc);
    if (exec_lacks(m->r->config, insn))
        return trap(m, ILLEGAL, insn);
    /* fflags, frm, fcsr are Unicorn's: they are part of its floating point */
    return (insn & 0x7f) == 0x73 && !exec_is_fp_csr(insn) ? do_system(m, insn) : do_other(m, insn);
}

/* ---- the whole ---- */

static enum pc_status load(struct machine *m)
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
    }
    const uc_err bad = m->u.mem_map(m->uc, m->base, m->r->memory, UC_PROT_ALL);
    if (bad != UC_ERR_OK)
        return cli_fail(m->err, bad == UC_ERR_ARG || bad == UC_ERR_MAP ? 1322 : 100,
                        "no memory of 0x%" PRIx64 " bytes at 0x%" PRIx64, m->r->memory, m->base);
    for (size_t i = 0; i < image->segments; i++)
        if (m->u.mem_write(m->uc, image->segment[i].address, image->segment[i].data,
                           image->segment[i].file_size) != UC_ERR_OK)
            return cli_fail(m->err, 1322, "segment %zu cannot be loaded", i);
    set_reg(m, 2, m->base + m->r->memory); /* a stack for those that bring none */
    return PC_OK;
}

/* Unicorn has floating point on once a guest's own csrw mstatus said so. */
static enum pc_status turn_fp_on(struct machine *m)
{
    static const uint32_t csrw_mstatus_t0 = 0x30029073;
    const uint64_t place = m->base >= PAGE ? 0 : m->base + m->r->memory;

    set_reg(m, 5, MSTATUS_FS);
    uc_err bad = m->u.mem_map(m->uc, place, PAGE, UC_PROT_ALL);
    bad = bad ? bad : m->u.mem_write(m->uc, place, &csrw_mstatus_t0, sizeof csrw_mstatus_t0);
    bad = bad ? bad : m->u.emu_start(m->uc, place, UINT64_MAX, 0, 1);
    bad = bad ? bad : m->u.mem_unmap(m->uc, place, PAGE);
    set_reg(m, 5, 0);
    return bad ? cli_fail(m->err, bad == UC_ERR_NOMEM ? 100 : 1325, "Unicorn does not start")
               : PC_OK;
}

static enum pc_status run(struct machine *m)
{
    uc_hook interrupts, accesses;
    enum pc_status status = load(m);

    if (status == PC_OK)
        status = turn_fp_on(m);
    if (status != PC_OK)
        return status;
    /* Unicorn's interface takes every callback as a void pointer. */
    void (*interrupt)(uc_engine *, uint32_t, void *) = on_interrupt;
    void (*access)(uc_engine *, uc_mem_type, uint64_t, int, int64_t, void *) = on_access;
    void *callback;
    memcpy(&callback, &interrupt, sizeof callback);
    uc_err bad = m->u.hook_add(m->uc, &interrupts, UC_HOOK_INTR, callback, m, 1, 0);
    memcpy(&callback, &access, sizeof callback);
    bad |= m->u.hook_add(m->uc, &accesses, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, callback, m, 1, 0);
    if (bad != UC_ERR_OK)
        return cli_fail(m->err, bad & UC_ERR_NOMEM ? 100 : 1325, "Unicorn takes no hooks");
    m->pc = m->image->entry;
    m->csr[MSTATUS] = MSTATUS_MPP;
    while (status == PC_OK && !m->ended) {
        if (m->counts->instructions == m->r->limit)
            return cli_fail(m->err, 1326,
                            "the program has not ended after %" PRIu64
                            " instructions; it is at 0x%" PRIx64,
                            m->r->limit, m->pc);
        status = one(m);
    }
    return status;
}

static enum pc_status execute(struct machine *m)
{
    const uc_mode mode = m->image->xlen == 64 ? UC_MODE_RISCV64 : UC_MODE_RISCV32;

    const uc_err bad = m->u.open(UC_ARCH_RISCV, mode, &m->uc);
    if (bad != UC_ERR_OK)
        return cli_fail(m->err, bad == UC_ERR_NOMEM ? 100 : 1325, "Unicorn does not start");
    enum pc_status status = run(m);
    m->u.close(m->uc);
    return status;
}

enum pc_status exec_run(const struct exec_request *r, const struct exec_image *image,
                        struct exec_counts *out, struct pc_error *err)
{
    const struct pc_hpm_desc desc = { .config = r->config, .profile = r->profile };
    struct machine m = { .r = r, .image = image, .counts = out, .err = err };

    memset(out, 0, sizeof *out);
    m.mask = image->xlen == 64 ? UINT64_MAX : UINT32_MAX;
    if (image->xlen != r->config->xlen)
        return cli_fail(err, 1321, "the program is for XLEN %u, %s has %u", image->xlen,
                        r->config->name, (unsigned)r->config->xlen);
    enum pc_status status = pc_hpm_create(&desc, &m.hpm, err);
    if (status != PC_OK)
        return status;
    status = exec_unicorn_load(&m.u, err);
    if (status == PC_OK) {
        status = execute(&m);
        exec_unicorn_unload(&m.u);
    }
    pc_hpm_get_state(m.hpm, &out->state);
    pc_hpm_destroy(m.hpm);
    return status;
}

#else

enum pc_status exec_run(const struct exec_request *r, const struct exec_image *image,
                        struct exec_counts *out, struct pc_error *err)
{
    (void)r;
    (void)image;
    (void)out;
    return cli_fail(err, 1320, "this build is without Unicorn");
}

#endif
