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

#include "exec_machine.h"
#include "process/interrupt.h"

#include <inttypes.h>

enum { PAGE = 4096 };

uint64_t exec_reg(struct machine *m, unsigned n)
{
    uint64_t value = 0;

    m->u.reg_read(m->uc, UC_RISCV_REG_X0 + (int)n, &value);
    return value & m->mask;
}

void exec_set_reg(struct machine *m, unsigned n, uint64_t value)
{
    if (n > 0)
        m->u.reg_write(m->uc, UC_RISCV_REG_X0 + (int)n, &value);
}

/* Unicorn's translation of code does not notice what is written from outside. */
bool exec_write(struct machine *m, uint64_t address, const void *bytes, size_t size)
{
    if (m->u.mem_write(m->uc, address, bytes, size) != UC_ERR_OK)
        return false;
    if (address < m->code_to && address + size > m->code_from)
        m->u.ctl(m->uc, UC_CTL_WRITE(UC_CTL_TB_FLUSH, 0));
    m->told |= m->image->has_tohost && address == m->image->tohost;
    return true;
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
    if (!m->misaligned)
        m->address = address;
    m->misaligned |= (address & (uint64_t)(size - 1)) != 0;
    if (type == UC_MEM_WRITE && m->image->has_tohost && address == m->image->tohost)
        m->told = true;
}

/* Where nothing is mapped; false: nor is there now. */
static bool on_unmapped(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                        void *ctx)
{
    on_access(uc, type, address, size, value, ctx);
    return false;
}

/* The cause of an error of Unicorn's; -1: none of the program's. */
static int cause_of(uc_err error)
{
    switch (error) {
    case UC_ERR_INSN_INVALID:
        return EXEC_ILLEGAL;
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

enum pc_status exec_refuse_misaligned(struct machine *m, uint64_t address)
{
    return cli_fail(m->err, 1325,
                    "the instruction at 0x%" PRIx64 " accesses 0x%" PRIx64
                    ", which is not aligned: CVA6 traps",
                    m->pc, address);
}

/* What mtval gets: of a fault the address, of an illegal instruction its word. */
static uint64_t trap_value(const struct machine *m, uint32_t insn)
{
    switch (m->cause) {
    case EXEC_ILLEGAL:
        return insn;
    case EXEC_LOAD_FAULT:
    case EXEC_STORE_FAULT:
        return m->address;
    default:
        return 0;
    }
}

/* In Unicorn; `fp`: it is one of floating point. */
static uc_err start(struct machine *m, uint32_t insn, bool fp)
{
    struct exec_fp_saved saved;

    m->cause = -1;
    if (fp)
        exec_fp_before(m, insn, &saved);
    const uc_err error = m->u.emu_start(m->uc, m->pc, UINT64_MAX, 0, 1);
    if (m->cause < 0 && error != UC_ERR_OK)
        m->cause = cause_of(error);
    if (fp)
        exec_fp_after(m, insn, &saved, m->cause < 0 && error == UC_ERR_OK);
    return error;
}

static enum pc_status do_other(struct machine *m, uint32_t insn)
{
    const bool fp = exec_is_fp_arithmetic(insn);
    uint64_t next = m->pc + 4;

    if (!fp || !exec_fp_alone(m, insn)) {
        const uc_err error = start(m, insn, fp);
        if (m->misaligned)
            return exec_refuse_misaligned(m, m->address);
        if (m->cause >= 0)
            return exec_trap(m, (unsigned)m->cause, trap_value(m, insn));
        if (error != UC_ERR_OK)
            return cli_fail(m->err, 1325, "at 0x%" PRIx64 ": %s", m->pc, m->u.strerror(error));
        m->u.reg_read(m->uc, UC_RISCV_REG_PC, &next);
        next &= m->mask;
    }
    if (next & 2 && !m->r->config->rvc)
        return cli_fail(m->err, 1325,
                        "the jump at 0x%" PRIx64 " goes to 0x%" PRIx64
                        ", which is not aligned: CVA6 without compressed instructions traps",
                        m->pc, next);
    exec_retire(m, insn, 0);
    m->pc = next;
    return PC_OK;
}

/* What the core may have, and neither Unicorn nor this machine. */
static enum pc_status refuse_extension(struct machine *m, uint32_t insn, const char *extension)
{
    cli_fail(m->err, 1325,
             "the instruction 0x%0*" PRIx32 " at 0x%" PRIx64 " is one of %s, which is not executed",
             (insn & 3) == 3 ? 8 : 4, insn, m->pc, extension);
    snprintf(m->err->hint, sizeof m->err->hint, "%s",
             "build the program without it (-march=), or run it on the RTL");
    return m->err->status;
}

/* Floating point after the program has turned it off; Unicorn's stays on. */
static bool is_switched_off(const struct machine *m, uint32_t insn)
{
    return !(m->csr[MSTATUS] & MSTATUS_FS) && exec_is_fp(insn, m->r->config->xlen);
}

static enum pc_status one(struct machine *m)
{
    const char *extension;
    uint32_t insn = 0;
    enum pc_status status;

    m->counts->instructions++;
    m->code_from = m->pc < m->code_from ? m->pc : m->code_from;
    m->code_to = m->pc + 4 > m->code_to ? m->pc + 4 : m->code_to;
    if (m->u.mem_read(m->uc, m->pc, &insn, 2) != UC_ERR_OK)
        return exec_trap(m, EXEC_FETCH_FAULT, m->pc);
    if ((insn & 3) == 3 && m->u.mem_read(m->uc, m->pc, &insn, 4) != UC_ERR_OK)
        return exec_trap(m, EXEC_FETCH_FAULT, m->pc + 2);
    if (exec_lacks(m->r->config, insn))
        return exec_trap(m, EXEC_ILLEGAL, insn);
    if ((extension = exec_extension(m->r->config, insn)) != NULL)
        return refuse_extension(m, insn, extension);
    if (is_switched_off(m, insn))
        return exec_trap(m, EXEC_ILLEGAL, insn);
    if (insn == EXEC_C_EBREAK)
        return exec_trap(m, EXEC_BREAKPOINT, m->pc);
    /* fflags, frm, fcsr are Unicorn's: they are part of its floating point */
    if ((insn & 0x7f) == 0x73 && !exec_is_fp_csr(insn))
        return exec_system(m, insn);
    status = (insn & 0x7f) == 0x2f ? exec_amo(m, insn) : do_other(m, insn);
    return status == PC_OK && m->told ? heard(m) : status;
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
    exec_set_reg(m, 2, m->base + m->r->memory); /* a stack for those that bring none */
    return PC_OK;
}

/* Unicorn has floating point on once a guest's own csrw mstatus said so. */
static enum pc_status turn_fp_on(struct machine *m)
{
    static const uint32_t csrw_mstatus_t0 = 0x30029073;
    const uint64_t place = m->base >= PAGE ? 0 : m->base + m->r->memory;

    exec_set_reg(m, 5, MSTATUS_FS);
    uc_err bad = m->u.mem_map(m->uc, place, PAGE, UC_PROT_ALL);
    bad = bad ? bad : m->u.mem_write(m->uc, place, &csrw_mstatus_t0, sizeof csrw_mstatus_t0);
    bad = bad ? bad : m->u.emu_start(m->uc, place, UINT64_MAX, 0, 1);
    bad = bad ? bad : m->u.mem_unmap(m->uc, place, PAGE);
    exec_set_reg(m, 5, 0);
    return bad ? cli_fail(m->err, bad == UC_ERR_NOMEM ? 100 : 1325, "Unicorn does not start")
               : PC_OK;
}

/* Unicorn's interface takes every callback as a void pointer. */
static enum pc_status add_hooks(struct machine *m)
{
    void (*interrupt)(uc_engine *, uint32_t, void *) = on_interrupt;
    void (*access)(uc_engine *, uc_mem_type, uint64_t, int, int64_t, void *) = on_access;
    bool (*unmapped)(uc_engine *, uc_mem_type, uint64_t, int, int64_t, void *) = on_unmapped;
    const int accesses = UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE,
              faults = UC_HOOK_MEM_READ_UNMAPPED | UC_HOOK_MEM_WRITE_UNMAPPED;
    uc_hook hook;
    void *callback;

    memcpy(&callback, &interrupt, sizeof callback);
    uc_err bad = m->u.hook_add(m->uc, &hook, UC_HOOK_INTR, callback, m, 1, 0);
    memcpy(&callback, &access, sizeof callback);
    bad |= m->u.hook_add(m->uc, &hook, accesses, callback, m, 1, 0);
    memcpy(&callback, &unmapped, sizeof callback);
    bad |= m->u.hook_add(m->uc, &hook, faults, callback, m, 1, 0);
    return bad == UC_ERR_OK
               ? PC_OK
               : cli_fail(m->err, bad & UC_ERR_NOMEM ? 100 : 1325, "Unicorn takes no hooks");
}

static enum pc_status run(struct machine *m)
{
    enum pc_status status = load(m);

    if (status == PC_OK)
        status = turn_fp_on(m);
    if (status == PC_OK)
        status = add_hooks(m);
    if (status != PC_OK)
        return status;
    m->pc = m->code_from = m->code_to = m->image->entry;
    m->csr[MSTATUS] = MSTATUS_MPP | (m->r->config->rvf ? MSTATUS_FS : 0);
    while (status == PC_OK && !m->ended && !cli_interrupted()) {
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
    out->partial = !m.ended && out->instructions > 0;
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
