/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: 64 clocks of the design as numbers, and one clock as inputs of the model. */
#include "check_wave.h"

/* Bits of wave_word.packed after the lines. */
enum {
    AT_DEBUG = PC_HPM_LINES,
    AT_WRITE,
    AT_PORTS,
    PORT_WIRES = 18, /* ack, fu 4, op 2, rd 5, rs1_known, rs1 5 */
    ALL_WIRES = AT_PORTS + PORT_WIRES * PC_HPM_MAX_PORTS
};

enum core_port wave_port_of(unsigned reg)
{
    if (reg == 0)
        return CORE_MCYCLE;
    if (reg == 2)
        return CORE_MINSTRET;
    if (reg == WAVE_RDATA)
        return CORE_RDATA;
    if (reg >= WAVE_INHIBIT)
        return reg <= WAVE_HCOUNTEREN  ? CORE_MCOUNTINHIBIT + (reg - WAVE_INHIBIT)
               : reg == WAVE_CSR_RDATA ? CORE_CSR_RDATA
                                       : CORE_CSR_TRAP;
    return reg < WAVE_SELECTORS ? CORE_COUNTER_3 + (reg - PC_HPM_FIRST)
                                : CORE_SELECTOR_3 + (reg - WAVE_SELECTORS);
}

static void read_port(const struct core_port_planes *p, const uint64_t **planes)
{
    planes[0] = p->ack;
    for (unsigned i = 0; i < 4; i++)
        planes[1 + i] = p->fu[i];
    planes[5] = p->op_add;
    planes[6] = p->op_jalr;
    for (unsigned i = 0; i < 5; i++)
        planes[7 + i] = p->rd[i];
    planes[12] = p->rs1_known;
    for (unsigned i = 0; i < 5; i++)
        planes[13 + i] = p->rs1[i];
}

static const uint64_t **inputs_of(const struct core *c, const uint64_t *planes[64])
{
    const struct core_inputs *in = &c->in;

    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        planes[i] = in->line[i];
    planes[AT_DEBUG] = in->debug;
    planes[AT_WRITE] = core_plane(c, CORE_WRITE, 0);
    for (unsigned i = 0; i < PC_HPM_MAX_PORTS; i++)
        read_port(&in->port[i], planes + AT_PORTS + PORT_WIRES * i);
    return planes;
}

void wave_read_word(const struct core *c, uint32_t outputs, size_t w, struct wave_word *out)
{
    const uint64_t *planes[64] = { NULL };

    core_numbers(inputs_of(c, planes), ALL_WIRES, w, out->packed);
    for (unsigned i = 0; i < 3; i++)
        core_numbers(c->in.way_valid[i], 32, w, out->ways[i]);
    core_port_numbers(c, CORE_ADDRESS, w, out->address);
    core_port_numbers(c, CORE_WDATA, w, out->wdata);
    core_port_numbers(c, CORE_INHIBIT, w, out->inhibit);
    out->csr_reads = core_csr_reads(c, w);
    if (out->csr) {
        core_port_numbers(c, CORE_CSR_OP, w, out->op);
        core_port_numbers(c, CORE_CSR_ADDRESS, w, out->csr_address);
        core_port_numbers(c, CORE_CSR_WDATA, w, out->csr_wdata);
        core_port_numbers(c, CORE_PRIVILEGE, w, out->privilege);
        for (unsigned t = 0; t < 64 && !c->port[CORE_PRIVILEGE].present; t++)
            out->privilege[t] = 3; /* nothing but M */
        core_port_numbers(c, CORE_VIRTUAL, w, out->virtualised);
        core_port_numbers(c, CORE_CSR_CAUSE, w, out->cause);
    }
    for (unsigned r = 0; r < WAVE_REGS; r++)
        if (outputs >> r & 1) {
            core_port_numbers(c, wave_port_of(r), w, out->out[r]);
            out->unknown[r] = c->block.any_unknown ? core_port_unknown(c, wave_port_of(r), w) : 0;
        }
}

/* One clock of wave_word's numbers. */
struct numbers {
    uint64_t packed, ways[3], address, wdata, inhibit;
    bool csr_read;
};

static void make_clock(const struct numbers *n, struct wave_clock *out)
{
    const uint64_t bits = n->packed;

    out->in = (struct pc_hpm_in){ .mode = { .privilege = 3, .debug = bits >> AT_DEBUG & 1 },
                                  .lines = (uint32_t)bits & ((1u << PC_HPM_LINES) - 1) };
    for (unsigned i = 0; i < PC_HPM_MAX_PORTS; i++) {
        const unsigned p = (unsigned)(bits >> (AT_PORTS + PORT_WIRES * i));
        out->in.port[i] = (struct pc_hpm_port){
            .ack = p & 1,
            .fu = p >> 1 & 15,
            .op = p >> 5 & 1   ? PC_HPM_OP_ADD
                  : p >> 6 & 1 ? PC_HPM_OP_JALR
                               : PC_HPM_OP_OTHER,
            .rd = p >> 7 & 31,
            .rs1_known = p >> 12 & 1,
            .rs1 = p >> 13 & 31,
        };
    }
    for (unsigned i = 0; i < 3; i++)
        out->in.way_valid[i] = (uint32_t)n->ways[i];
    out->strobe = (struct pc_hpm_strobe){ .write = bits >> AT_WRITE & 1,
                                          .address = (uint16_t)n->address,
                                          .wdata = n->wdata,
                                          .inhibit = (uint32_t)n->inhibit };
    out->csr_read = n->csr_read;
}

void wave_read_clock(const struct wave_word *x, unsigned t, struct wave_clock *out)
{
    const struct numbers n = { .packed = x->packed[t],
                               .ways = { x->ways[0][t], x->ways[1][t], x->ways[2][t] },
                               .address = x->address[t],
                               .wdata = x->wdata[t],
                               .inhibit = x->inhibit[t],
                               .csr_read = x->csr_reads >> t & 1 };

    make_clock(&n, out);
    if (x->csr)
        wave_read_access(x, t, &out->in);
}

/* The number that the planes' bits make in the last clock of word w. */
static uint64_t last_of(const uint64_t *const *planes, unsigned bits, size_t w)
{
    uint64_t value = 0;

    for (unsigned b = 0; b < bits; b++)
        value |= planes[b] ? planes[b][w] >> 63 << b : 0;
    return value;
}

static uint64_t port_last(const struct core *c, enum core_port port, size_t w)
{
    const uint64_t *planes[64];

    for (unsigned b = 0; b < 64; b++)
        planes[b] = core_plane(c, port, b);
    return last_of(planes, 64, w);
}

void wave_read_last(const struct core *c, size_t w, struct wave_clock *out)
{
    const uint64_t *planes[64] = { NULL };
    struct numbers n = { .packed = last_of(inputs_of(c, planes), ALL_WIRES, w),
                         .address = port_last(c, CORE_ADDRESS, w),
                         .wdata = port_last(c, CORE_WDATA, w),
                         .inhibit = port_last(c, CORE_INHIBIT, w),
                         .csr_read = core_csr_reads(c, w) >> 63 };

    for (unsigned i = 0; i < 3; i++)
        n.ways[i] = last_of(c->in.way_valid[i], 32, w);
    make_clock(&n, out);
}
