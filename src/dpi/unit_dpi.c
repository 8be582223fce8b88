/* SPDX-License-Identifier: MIT */
/* The DPI-C entry points of a PCOUNTER unit beside a design: it keeps the signals between edges. */
#include "pcounter/pcounter_dpi.h"

#include <stdlib.h>
#include <string.h>

#include "pcounter/pcounter.h"

struct golden {
    struct pc_unit *unit;
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
};

void *pcounter_dpi_unit_open(const char *chip)
{
    struct pc_unit_desc desc = { .chip = pc_chip_find(chip) };
    struct golden *g = calloc(1, sizeof *g);

    if (!g || !desc.chip || pc_unit_create(&desc, &g->unit, NULL) != PC_OK) {
        free(g);
        return NULL;
    }
    return g;
}

void pcounter_dpi_unit_close(void *unit)
{
    struct golden *g = unit;

    if (g)
        pc_unit_destroy(g->unit);
    free(g);
}

void pcounter_dpi_unit_reset(void *unit)
{
    struct golden *g = unit;

    if (!g)
        return;
    pc_unit_reset(g->unit);
    memset(g->raw, 0, sizeof g->raw);
}

void pcounter_dpi_unit_write(void *unit, uint32_t address, uint32_t value)
{
    const struct golden *g = unit;

    if (g)
        pc_unit_write(g->unit, address, value);
}

uint32_t pcounter_dpi_unit_read(void *unit, uint32_t address)
{
    const struct golden *g = unit;

    return g ? pc_unit_read(g->unit, address) : 0;
}

void pcounter_dpi_unit_pulse(void *unit, uint32_t pulse)
{
    const struct golden *g = unit;

    if (g && pulse <= PC_PULSE_WRCACHE_FLUSH)
        pc_unit_pulse(g->unit, (enum pc_pulse)pulse, 0);
}

void pcounter_dpi_unit_signals(void *unit, uint32_t domain, const uint32_t signals[8])
{
    struct golden *g = unit;

    for (unsigned w = 0; g && domain < PC_MAX_DOMAINS && w < PC_SIG_WORDS; w++)
        g->raw[domain][w] = signals[2 * w] | (uint64_t)signals[2 * w + 1] << 32;
}

void pcounter_dpi_unit_step(void *unit, uint32_t edges)
{
    const struct golden *g = unit;

    if (g)
        pc_unit_step(g->unit, edges, g->raw);
}

uint32_t pcounter_dpi_unit_inputs(void *unit, uint32_t domain)
{
    const struct golden *g = unit;
    struct pc_unit_inputs in = { 0 };

    if (g && domain < PC_MAX_DOMAINS)
        pc_unit_get_inputs(g->unit, domain, &in);
    const bool bit[] = { in.pre,     in.start,   in.event, in.stop,
                         in.setflag, in.clrflag, in.swap,  in.flag };
    uint32_t all = (uint32_t)in.src << 16;
    for (unsigned i = 0; i < sizeof bit / sizeof bit[0]; i++)
        all |= (uint32_t)bit[i] << i;
    return all;
}
