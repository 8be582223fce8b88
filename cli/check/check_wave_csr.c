/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE: csr_regfile beside perf_counters.  It has mcycle and minstret, mcountinhibit
 * and the enables, and decides who may access which; where the waveform has its operation, address,
 * operand and privilege, the accesses drive the model, and its answers are also compared.
 */
#include "check_wave.h"

bool wave_is_fixed(unsigned reg)
{
    return reg < PC_HPM_FIRST || reg >= WAVE_INHIBIT;
}

uint64_t wave_value_in(const struct pc_hpm_state *module, const struct pc_hpm_state *fixed,
                       unsigned reg)
{
    switch (reg) {
    case WAVE_INHIBIT:
        return fixed->inhibit;
    case WAVE_MCOUNTEREN:
        return fixed->mcounteren;
    case WAVE_SCOUNTEREN:
        return fixed->scounteren;
    case WAVE_HCOUNTEREN:
        return fixed->hcounteren;
    default:
        return reg < PC_HPM_FIRST     ? fixed->counter[reg]
               : reg < WAVE_SELECTORS ? module->counter[reg]
               : reg < WAVE_RDATA     ? module->selector[PC_HPM_FIRST + reg - WAVE_SELECTORS]
                                      : 0;
    }
}

/* ---- accesses ---- */

void wave_read_access(const struct wave_word *x, unsigned t, struct pc_hpm_in *out)
{
    static const uint8_t ops[] = { PC_HPM_CSR_WRITE, PC_HPM_CSR_READ, PC_HPM_CSR_SET,
                                   PC_HPM_CSR_CLEAR }; /* fu_op 33 .. 36 of ariane_pkg */
    const unsigned address = (unsigned)x->csr_address[t];

    out->mode.privilege = x->privilege[t] & 3;
    out->mode.virtualised = x->virtualised[t] & 1;
    if (x->op[t] < 33 || x->op[t] > 36 || !pc_hpm_owns(address))
        return;
    out->csr = (struct pc_hpm_access){ .op = (enum pc_hpm_csr_op)ops[x->op[t] - 33],
                                       .address = (uint16_t)address,
                                       .operand = x->csr_wdata[t] };
}

/* One plane a bit of the port. */
static void planes_of(const struct core *c, enum core_port port, const uint64_t *out[12])
{
    for (unsigned b = 0; b < 12; b++)
        out[b] = wave_plane(c, port, b);
}

void wave_add_accesses(const struct core *c, size_t words, uint64_t *single)
{
    const uint64_t *o[12], *a[12];

    planes_of(c, CORE_CSR_OP, o);
    planes_of(c, CORE_CSR_ADDRESS, a);
    for (size_t w = 0; w < words; w++) {
        const uint64_t low = o[0][w] | o[1][w] | o[2][w],
                       op = ~(o[7][w] | o[6][w] | o[4][w] | o[3][w]) & o[5][w] & low,
                       page = ~a[6][w] & ~a[5][w],
                       counter = a[11][w] & (a[10][w] ^ (a[9][w] & a[8][w])) & page, /* b, c */
            selector = ~a[11][w] & ~a[10][w] & a[9][w] & a[8][w] & ~a[7][w] & ~a[6][w] & a[5][w],
                       enable = ~a[11][w] & ~a[7][w] & page & ~a[4][w] & ~a[3][w] & a[2][w] &
                                a[1][w] & ~a[0][w];
        single[w] |= op & (counter | selector | enable);
    }
}

/* The register that the address writes; WAVE_REGS: none of csr_regfile. */
static unsigned register_at(unsigned address)
{
    switch (address) {
    case 0xb00:
    case 0xb80:
        return 0;
    case 0xb02:
    case 0xb82:
        return 2;
    case 0x320:
        return WAVE_INHIBIT;
    case 0x306:
        return WAVE_MCOUNTEREN;
    case 0x106:
        return WAVE_SCOUNTEREN;
    case 0x606:
        return WAVE_HCOUNTEREN;
    default:
        return WAVE_REGS;
    }
}

/* Registers on whose value the answer depends are known. */
static bool is_known(const struct wave_check *k, const struct pc_hpm_in *in, bool value)
{
    const struct pc_hpm_access *a = &in->csr;
    const bool shadow = (a->address & 0xf60) == 0xc00;
    const unsigned reg = shadow ? a->address & 0x1f : register_at(a->address);
    const uint32_t gates = wave_regs_of(k->core.options->config) &
                           (1u << WAVE_MCOUNTEREN | 1u << WAVE_SCOUNTEREN | 1u << WAVE_HCOUNTEREN);
    uint32_t need = shadow && in->mode.privilege < 3 && !in->mode.debug ? gates : 0;

    if (value && reg < WAVE_REGS && wave_is_fixed(reg))
        need |= 1u << reg;
    return (k->known & need) == need && (!value || wave_readable(k, a->address));
}

void wave_show_counters(struct wave_check *k, struct wave_clock *now)
{
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++) {
        now->fixed.counter[c] = now->module.counter[c];
        now->fixed.selector[c] = now->module.selector[c];
    }
    wave_set_state(k->fixed, &now->fixed);
}

static void compare_answer(struct wave_check *k, unsigned reg, unsigned t, uint64_t design,
                           uint64_t model, const struct wave_clock *now)
{
    const bool unknown = k->word.unknown[reg] >> t & 1;

    if (!(k->outputs >> reg & 1) || k->result.stopped)
        return;
    k->result.compared[reg]++;
    k->result.proofs++;
    if (design != model || unknown)
        wave_differ(k, reg, design, model, unknown, now);
}

/* The design traps where the model does not, or the other way round: its clock is the design's. */
static void follow_design(struct wave_check *k, const struct wave_clock *now)
{
    struct pc_hpm_in in = now->in;
    struct pc_hpm_out out;

    in.csr.op = PC_HPM_CSR_NONE; /* acknowledges and exceptions are among the wires */
    wave_set_state(k->fixed, &now->fixed);
    pc_hpm_step(k->fixed, &in, &out);
}

void wave_compare_access(struct wave_check *k, unsigned t, const struct wave_clock *now,
                         const struct pc_hpm_out *out)
{
    const struct pc_hpm_access *a = &now->in.csr;
    const unsigned written = register_at(a->address);
    const bool trapped = k->word.out[WAVE_CSR_TRAP][t] & 1;
    const uint64_t cause = !trapped                               ? PC_HPM_NO_TRAP
                           : k->core.port[CORE_CSR_CAUSE].present ? k->word.cause[t]
                           : out->cause != PC_HPM_NO_TRAP         ? out->cause
                                                                  : PC_HPM_ILLEGAL;

    if (is_known(k, &now->in, false))
        compare_answer(k, WAVE_CSR_TRAP, t, cause, out->cause, now);
    if (out->cause == PC_HPM_NO_TRAP && !trapped && is_known(k, &now->in, true))
        compare_answer(k, WAVE_CSR_RDATA, t, k->word.out[WAVE_CSR_RDATA][t], out->rdata, now);
    if (trapped != (out->cause != PC_HPM_NO_TRAP) && (k->outputs >> WAVE_CSR_TRAP & 1))
        follow_design(k, now);
    else if (a->op != PC_HPM_CSR_READ && out->cause == PC_HPM_NO_TRAP && written < WAVE_REGS) {
        k->written[written] = (struct wave_write){ true, k->result.edges, a->operand };
        k->beyond[written] = 0;
    }
}

/* ---- registers ---- */

/* The design's value, as far as the model's register can have it. */
static void take(struct wave_check *k, unsigned reg, uint64_t design, struct pc_hpm_state *fixed)
{
    const struct pc_hpm_config *c = k->core.options->config;
    const uint32_t mask = reg == WAVE_INHIBIT      ? (c->perf_counter_en ? 0x1fd : 0)
                          : reg == WAVE_MCOUNTEREN ? (c->rvu ? UINT32_MAX : 0)
                          : reg == WAVE_SCOUNTEREN ? (c->rvs ? UINT32_MAX : 0)
                                                   : (c->rvh ? UINT32_MAX : 0);

    *(reg == WAVE_INHIBIT      ? &fixed->inhibit
      : reg == WAVE_MCOUNTEREN ? &fixed->mcounteren
      : reg == WAVE_SCOUNTEREN ? &fixed->scounteren
                               : &fixed->hcounteren) = (uint32_t)design & mask;
    k->beyond[reg] = design & ~(uint64_t)mask;
}

bool wave_compare_csr(struct wave_check *k, unsigned t, struct pc_hpm_state *fixed)
{
    bool changed = false;

    for (unsigned r = WAVE_INHIBIT; r <= WAVE_HCOUNTEREN && !k->result.stopped; r++)
        if (wave_compare(k, r, t, wave_value_in(fixed, fixed, r) | k->beyond[r])) {
            take(k, r, k->word.out[r][t], fixed);
            changed = true;
        }
    return changed;
}
