/* SPDX-License-Identifier: MIT */
/*
 * The machine of `pcounter exec`: Unicorn executes arithmetic and jumps, one at a time; loads,
 * stores and SYSTEM instructions are done here, the counters' CSRs by the model.  One hart, flat
 * memory, no interrupts.  One instruction is one clock, so what caches, TLBs, pipeline and
 * predictor do is not there to be counted.
 */
#include "exec.h"

#include <string.h>

bool exec_measures(unsigned event)
{
    const struct pc_hpm_event *e = pc_hpm_event_at(event);

    return event == 0 || !e || e->of_instructions;
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

static void on_interrupt(uc_engine *uc, uint32_t number, void *ctx)
{
    struct machine *m = ctx;

    m->cause = (int)number;
    m->u.emu_stop(uc);
}

/* In Unicorn; `fp`: it is one of floating point. */
static uc_err start(struct machine *m, uint32_t insn, bool fp)
{
    struct exec_fp_saved saved;

    m->cause = -1;
    if (fp)
        exec_fp_before(m, insn, &saved);
    uc_err error = m->u.emu_start(m->uc, m->pc, UINT64_MAX, 0, 1);
    if (m->cause < 0 && error == UC_ERR_INSN_INVALID)
        m->cause = EXEC_ILLEGAL;
    if (error == UC_ERR_FETCH_UNMAPPED)
        error = UC_ERR_OK; /* it was done: it is the next one that is nowhere, which traps */
    if (fp)
        exec_fp_after(m, insn, &saved, m->cause < 0 && error == UC_ERR_OK);
    return error;
}

/* A jump to half a word, on a core without compressed instructions: rd stays as it was. */
static enum pc_status trap_jump(struct machine *m, uint32_t insn, uint64_t target, uint64_t rd)
{
    const unsigned opcode = insn & 0x7f;

    if (opcode == 0x67 || opcode == 0x6f)
        exec_set_reg(m, insn >> 7 & 31, rd);
    return exec_trap(m, EXEC_FETCH_MISALIGNED, target);
}

/* An instruction of two registers at most, as exec_bits.c does it; false: it is none. */
static bool do_bits(struct machine *m, uint32_t insn)
{
    const bool word = (insn & 3) == 3;
    const unsigned rd = word ? insn >> 7 & 31 : 8 + (insn >> 7 & 7);
    const uint64_t a = exec_reg(m, word ? insn >> 15 & 31 : rd),
                   b = exec_reg(m, word ? insn >> 20 & 31 : 8 + (insn >> 2 & 7));
    uint64_t result;

    if (word ? !exec_bits(insn, m->image->xlen, a, b, &result)
             : !exec_zcb(insn, m->image->xlen, a, b, &result))
        return false;
    exec_retire(m, insn, 0);
    exec_set_reg(m, rd, result & m->mask);
    m->pc += word ? 4 : 2;
    return true;
}

static enum pc_status do_other(struct machine *m, uint32_t insn)
{
    const bool fp = exec_is_fp_arithmetic(insn);
    const uint64_t rd = m->r->config->rvc ? 0 : exec_reg(m, insn >> 7 & 31);
    uint64_t next = m->pc + 4;

    if (!fp || !exec_fp_alone(m, insn)) {
        const uc_err error = start(m, insn, fp);
        if (m->cause >= 0)
            return exec_trap(m, (unsigned)m->cause, m->cause == EXEC_ILLEGAL ? insn : 0);
        if (error != UC_ERR_OK)
            return cli_fail(m->err, 1325, "at 0x%" PRIx64 ": %s", m->pc, m->u.strerror(error));
        m->u.reg_read(m->uc, UC_RISCV_REG_PC, &next);
        next &= m->mask;
    }
    if (next & 2 && !m->r->config->rvc)
        return trap_jump(m, insn, next, rd);
    exec_retire(m, insn, 0);
    m->pc = next;
    return PC_OK;
}

/* Refuses an extension that the core may have, but neither Unicorn nor this machine has. */
static enum pc_status refuse_extension(struct machine *m, uint32_t insn, const char *extension)
{
    cli_fail(m->err, 1325,
             "the instruction 0x%0*" PRIx32 " at 0x%" PRIx64 " is one of %s, which is not executed",
             (insn & 3) == 3 ? 8 : 4, insn, m->pc, extension);
    snprintf(m->err->hint, sizeof m->err->hint, "%s",
             "build the program without it (-march=), or run it on the RTL");
    return m->err->status;
}

/* false: there is none in memory.  The upper half of a compressed one is 0. */
static bool fetch(struct machine *m, uint32_t *insn, uint64_t *fault)
{
    const unsigned char *place = exec_place(m, m->pc, 2);

    *insn = 0;
    *fault = m->pc;
    if (!place)
        return false;
    memcpy(insn, place, 2);
    m->executed[(m->pc - m->base) / EXEC_LINE] = 1;
    if ((*insn & 3) != 3)
        return true;
    *fault = m->pc + 2;
    if (!exec_place(m, m->pc, 4))
        return false;
    memcpy(insn, place, 4);
    m->executed[(m->pc + 2 - m->base) / EXEC_LINE] = 1;
    return true;
}

/* fflags, frm, fcsr are Unicorn's: they are part of its floating point. */
static enum pc_status execute_one(struct machine *m, uint32_t insn)
{
    enum pc_status status;

    if ((insn & 0x7f) == 0x73 && !exec_is_fp_csr(insn))
        return exec_system(m, insn);
    if ((insn & 0x7f) == 0x2f)
        return exec_amo(m, insn);
    if (do_bits(m, insn))
        return PC_OK;
    return exec_access(m, insn, &status) ? status : do_other(m, insn);
}

static enum pc_status one(struct machine *m)
{
    const char *extension;
    uint64_t fault;
    uint32_t insn;

    m->counts->instructions++;
    if (!fetch(m, &insn, &fault))
        return exec_trap(m, EXEC_FETCH_FAULT, fault);
    if (exec_lacks(m->r->config, insn))
        return exec_trap(m, EXEC_ILLEGAL, insn);
    if ((extension = exec_extension(m->r->config, insn)) != NULL)
        return refuse_extension(m, insn, extension);
    const bool fp = m->r->config->rvf && exec_is_fp(insn, m->image->xlen);
    /* after the program has turned it off; Unicorn's stays on */
    if (fp && !(m->csr[MSTATUS] & MSTATUS_FS))
        return exec_trap(m, EXEC_ILLEGAL, insn);
    if (insn == EXEC_C_EBREAK)
        return exec_trap(m, EXEC_BREAKPOINT, m->pc);
    const enum pc_status status = execute_one(m, insn);
    if (fp)
        m->csr[MSTATUS] |= MSTATUS_FS; /* dirty */
    return status == PC_OK && m->told ? exec_htif(m) : status;
}

/* ---- the whole ---- */

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
static enum pc_status add_hook(struct machine *m)
{
    void (*interrupt)(uc_engine *, uint32_t, void *) = on_interrupt;
    uc_hook hook;
    void *callback;

    memcpy(&callback, &interrupt, sizeof callback);
    const uc_err bad = m->u.hook_add(m->uc, &hook, UC_HOOK_INTR, callback, m, 1, 0);
    return bad == UC_ERR_OK
               ? PC_OK
               : cli_fail(m->err, bad == UC_ERR_NOMEM ? 100 : 1325, "Unicorn takes no hooks");
}

static enum pc_status run(struct machine *m)
{
    enum pc_status status = exec_memory_create(m);

    if (status == PC_OK)
        status = turn_fp_on(m);
    if (status == PC_OK)
        status = add_hook(m);
    if (status != PC_OK)
        return status;
    exec_set_reg(m, 2, m->base + m->r->memory); /* a stack for those that bring none */
    exec_csr_reset(m);
    m->pc = m->image->entry;
    while (status == PC_OK && !m->ended && !cli_interrupted()) {
        if (m->counts->instructions == m->r->limit)
            return cli_fail(m->err, 1326,
                            "the program has not ended after %" PRIu64
                            " instructions; it is at 0x%" PRIx64,
                            m->r->limit, m->pc);
        const uint64_t clocks = m->clocks;
        status = one(m);
        if (status != PC_OK && m->clocks == clocks)
            m->counts->instructions--; /* it was refused */
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
    exec_print_end(m);
    m->u.close(m->uc);
    exec_memory_destroy(m);
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
