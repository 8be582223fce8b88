/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE: one clock of the design, for messages: at the edge at which a difference is
 * told, or the one before it.
 */
#include "check_wave.h"

#include <string.h>

static unsigned bit_of(const struct wave_check *k, uint32_t wire, bool before)
{
    const struct pc_wave_block *b = &k->core.block;
    const uint64_t edge = k->told - before;

    if (edge < b->first_cycle)
        return k->last[wire];
    return b->value[wire][(edge - b->first_cycle) / 64] >> (edge - b->first_cycle) % 64 & 1;
}

uint64_t wave_port_at(const struct wave_check *k, enum core_port port, bool before)
{
    const struct core_source *s = &k->core.port[port];
    uint64_t value = 0;

    if (!s->present || s->constant)
        return s->present ? s->value : 0;
    for (uint32_t b = 0; core_wanted(&k->core, port) && b < s->bits; b++)
        value |= (uint64_t)bit_of(k, s->wire + b, before) << b;
    return value;
}

void wave_keep_last(struct wave_check *k)
{
    const struct pc_wave_block *b = &k->core.block;
    const uint64_t t = b->cycles - 1;

    for (size_t i = 0; b->cycles > 0 && i < k->core.wires; i++)
        k->last[i] = b->value[i][t / 64] >> t % 64 & 1;
}

/* Returns the events of the last edge of the block before, whose planes are gone, from kept bits.
 */
static uint32_t events_of_last(struct wave_check *k, uint32_t *twice)
{
    const size_t wires = k->core.wires;
    uint32_t events = 0;
    bool adds[2];

    for (size_t i = 0; i < wires + 2; i++) {
        k->bit[i] = i < wires ? k->last[i] : i - wires;
        k->bit_plane[i] = &k->bit[i];
    }
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        if (k->core.events >> e & 1 && core_counting_at(k->counting, e, k->bit_plane, adds)) {
            events |= (uint32_t)(adds[0] || adds[1]) << e;
            *twice |= (uint32_t)(adds[0] && adds[1]) << e;
        }
    return events;
}

uint32_t wave_events_before(struct wave_check *k, uint32_t *twice)
{
    const uint64_t first = k->core.block.first_cycle, t = k->told - 1 - first;
    const uint64_t *plane[2];
    uint32_t events = 0;

    *twice = 0;
    if (k->told <= first)
        return events_of_last(k, twice);
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        if (k->core.events >> e & 1 && core_counting_planes(k->counting, e, plane)) {
            const unsigned one = plane[0][t / 64] >> t % 64 & 1,
                           other = plane[1][t / 64] >> t % 64 & 1;
            events |= (one | other) << e;
            *twice |= (one & other) << e;
        }
    return events;
}

uint64_t wave_number_of(const struct pc_core_value *v)
{
    return v->width ? v->value[0] & ~v->unknown[0] : 0;
}

uint64_t wave_value(const struct wave_check *k, unsigned reg, enum wave_when when)
{
    struct pc_core_value v;

    if (k->item_of[reg] == SIZE_MAX)
        return 0;
    if (when == WAVE_MODEL)
        pc_core_get_model(k->d.core, k->item_of[reg], &v);
    else
        pc_core_get_value(k->d.core, k->item_of[reg], when == WAVE_BEFORE, &v);
    return wave_number_of(&v);
}

struct wave_write wave_last_write(const struct wave_check *k, unsigned reg)
{
    struct wave_write w = { .any = false };
    struct pc_core_value v;

    if (k->item_of[reg] == SIZE_MAX)
        return w;
    w.any = pc_core_get_write(k->d.core, k->item_of[reg], &w.cycle, &v);
    w.value = wave_number_of(&v);
    return w;
}

/* The access to csr_regfile in the clock, and who makes it. */
void wave_access(const struct wave_check *k, bool before, struct wave_diff *d)
{
    static const uint8_t ops[] = { PC_HPM_CSR_WRITE, PC_HPM_CSR_READ, PC_HPM_CSR_SET,
                                   PC_HPM_CSR_CLEAR }; /* fu_op 33 .. 36 of ariane_pkg */
    const uint64_t op = wave_port_at(k, CORE_CSR_OP, before);
    const unsigned address = (unsigned)wave_port_at(k, CORE_CSR_ADDRESS, before);
    const enum wave_when when = before ? WAVE_BEFORE : WAVE_NOW;

    if (!k->csr)
        return;
    d->mode = (struct pc_hpm_mode){
        .privilege =
            k->core.port[CORE_PRIVILEGE].present ? wave_port_at(k, CORE_PRIVILEGE, before) & 3 : 3,
        .virtualised = wave_port_at(k, CORE_VIRTUAL, before) & 1,
        .debug = wave_port_at(k, CORE_DEBUG, before) & 1,
    };
    if (op < 33 || op > 36 || !pc_hpm_owns(address))
        return;
    d->csr = (struct pc_hpm_access){ .op = (enum pc_hpm_csr_op)ops[op - 33],
                                     .address = (uint16_t)address,
                                     .operand = wave_port_at(k, CORE_CSR_WDATA, before) };
    d->mcounteren = (uint32_t)wave_value(k, WAVE_MCOUNTEREN, when);
    d->scounteren = (uint32_t)wave_value(k, WAVE_SCOUNTEREN, when);
    d->hcounteren = (uint32_t)wave_value(k, WAVE_HCOUNTEREN, when);
}
