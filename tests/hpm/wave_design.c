/* SPDX-License-Identifier: MIT */
/* The tests' own perf_counters. */
#include "wave_design.h"

enum { ALU = 3, CTRL_FLOW = 4, MULT = 5, CSR = 6, FPU = 7, FPU_VEC = 8, ADD = 0, JALR = 19 };

static bool links(unsigned reg)
{
    return reg == 1 || reg == 5;
}

static bool port_event(const struct design_port *p, unsigned e, bool any_rs1)
{
    if (!p->ack)
        return false;
    switch (e) {
    case 5:
        return p->fu == 1;
    case 6:
        return p->fu == 2;
    case 9:
        return p->fu == CTRL_FLOW;
    case 12:
        return p->fu == CTRL_FLOW && (p->op == ADD || p->op == JALR) && links(p->rd);
    case 13:
        return p->op == JALR && p->rd == 0 && (any_rs1 || links(p->rs1));
    case 20:
        return p->fu == ALU || p->fu == MULT;
    default:
        return p->fu == FPU || p->fu == FPU_VEC;
    }
}

static bool line_event(const struct design_wires *w, unsigned e, unsigned full)
{
    static const int line[23] = { -1, 0,  1, 2,  3,  -1, -1, 4,  5,  -1, -1, 8,
                                  -1, -1, 9, 10, 11, -1, -1, 15, -1, -1, 16 };

    if (e == 10)
        return w->line[6] && w->line[7];
    if (e == 17)
        return w->line[12] || w->line[13] || w->line[14];
    if (e == 18)
        return w->line[1] && (w->ways[0] == full || w->ways[1] == full || w->ways[2] == full);
    return line[e] >= 0 && w->line[line[e]];
}

unsigned design_increment(const struct design_wires *w, unsigned e, bool or_ports, bool any_rs1,
                          unsigned full)
{
    if (e == 0 || e > 22)
        return 0;
    if (e != 5 && e != 6 && e != 9 && e != 12 && e != 13 && e != 20 && e != 21)
        return line_event(w, e, full);
    unsigned n =
        port_event(&w->port[0], e, any_rs1) + (unsigned)port_event(&w->port[1], e, any_rs1);
    return or_ports && n > 1 ? 1 : n;
}

/* Addresses of 32 registers each, by their upper bits. */
enum { COUNTER = 0xb00 >> 5, HIGH = 0xb80 >> 5, USER = 0xc00 >> 5, USER_HIGH = 0xc80 >> 5 };
enum { SELECTOR = 0x320 >> 5 };

uint64_t design_read(const struct design *d, unsigned addr)
{
    const unsigned i = (addr & 31) - 3, bank = addr >> 5;

    if (i > 5)
        return 0;
    if (bank == COUNTER || bank == USER)
        return d->rv32 ? (uint32_t)d->counter[i] : d->counter[i];
    if (d->rv32 && (bank == HIGH || (bank == USER_HIGH && i > 0))) /* hpmcounter3h reads 0 */
        return d->counter[i] >> 32;
    return bank == SELECTOR ? d->selector[i] : 0;
}

bool design_is_counter(const struct design *d, unsigned addr, unsigned *i)
{
    *i = (addr & 31) - 3;
    return *i <= 5 && (addr >> 5 == COUNTER || (d->rv32 && addr >> 5 == HIGH));
}

uint64_t design_written(const struct design *d, unsigned i, unsigned addr, uint64_t data)
{
    if (!d->rv32)
        return data;
    return addr >> 5 == HIGH ? (data << 32) | (uint32_t)d->counter[i]
                             : (d->counter[i] >> 32 << 32) | (uint32_t)data;
}
