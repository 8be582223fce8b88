/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: 64 clocks of the design as numbers, and one clock as inputs of the model. */
#include "check_wave.h"

/* Bits of wave_word.packed behind the lines. */
enum {
    AT_DEBUG = PC_HPM_LINES,
    AT_WRITE,
    AT_PORTS,
    PORT_WIRES = 18 /* ack, fu 4, op 2, rd 5, rs1_known, rs1 5 */
};

enum core_port wave_port_of(unsigned reg)
{
    if (reg == 0)
        return CORE_MCYCLE;
    if (reg == 2)
        return CORE_MINSTRET;
    if (reg == WAVE_RDATA)
        return CORE_RDATA;
    return reg < WAVE_SELECTORS ? CORE_COUNTER_3 + (reg - PC_HPM_FIRST)
                                : CORE_SELECTOR_3 + (reg - WAVE_SELECTORS);
}

static void read_port(const struct pc_hpm_port_planes *p, const uint64_t **planes)
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

void wave_read_word(const struct core *c, uint32_t outputs, size_t w, struct wave_word *out)
{
    const struct pc_hpm_block *in = &c->in;
    const uint64_t *planes[64] = { NULL };

    for (unsigned i = 0; i < PC_HPM_LINES; i++)
        planes[i] = in->line[i];
    planes[AT_DEBUG] = in->debug;
    planes[AT_WRITE] = core_plane(c, CORE_WRITE, 0);
    for (unsigned i = 0; i < PC_HPM_MAX_PORTS; i++)
        read_port(&in->port[i], planes + AT_PORTS + PORT_WIRES * i);
    core_numbers(planes, AT_PORTS + PORT_WIRES * PC_HPM_MAX_PORTS, w, out->packed);
    for (unsigned i = 0; i < 3; i++)
        core_numbers(in->way_valid[i], 32, w, out->ways[i]);
    core_port_numbers(c, CORE_ADDRESS, w, out->address);
    core_port_numbers(c, CORE_WDATA, w, out->wdata);
    core_port_numbers(c, CORE_INHIBIT, w, out->inhibit);
    for (unsigned r = 0; r < WAVE_REGS; r++)
        if (outputs >> r & 1) {
            core_port_numbers(c, wave_port_of(r), w, out->out[r]);
            out->unknown[r] = c->block.any_unknown ? core_port_unknown(c, wave_port_of(r), w) : 0;
        }
}

void wave_read_clock(const struct wave_word *x, unsigned t, struct wave_clock *out)
{
    const uint64_t bits = x->packed[t];

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
        out->in.way_valid[i] = (uint32_t)x->ways[i][t];
    out->strobe = (struct pc_hpm_strobe){ .write = bits >> AT_WRITE & 1,
                                          .address = (uint16_t)x->address[t],
                                          .wdata = x->wdata[t],
                                          .inhibit = (uint32_t)x->inhibit[t] };
}
