/* SPDX-License-Identifier: MIT */
/* Configuration space: a header of type 0 with BAR0, no interrupt and no capability. */
#include "card/qemu.h"

#include <string.h>

static void let_write(struct qemu_config *c, unsigned at, unsigned bytes, uint32_t bits)
{
    for (unsigned i = 0; i < bytes; i++)
        c->writable[at + i] = (uint8_t)(bits >> 8 * i);
}

void qemu_config_reset(struct qemu_config *c, const struct card_options *o)
{
    memset(c, 0, sizeof *c);
    card_config(o, c->byte);
    let_write(c, 0x04, 2, 0x0547); /* command: I/O, memory, bus master, parity, SERR, INTx */
    let_write(c, 0x0c, 2, 0xffff); /* cache line size, latency timer */
    let_write(c, 0x10, 4, ~(uint32_t)(o->pci.bar[0].size - 1) & ~UINT32_C(15));
    let_write(c, 0x3c, 1, 0xff); /* interrupt line */
    qemu_config_write(c, 0x04, 2, 0);
    qemu_config_write(c, 0x10, 4, 0);
}

uint32_t qemu_config_read(const struct qemu_config *c, uint32_t address, unsigned size)
{
    uint32_t value = 0;

    if (address > CARD_CONFIG - size)
        return UINT32_MAX;
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)c->byte[address + i] << 8 * i;
    return value;
}

void qemu_config_write(struct qemu_config *c, uint32_t address, unsigned size, uint32_t value)
{
    if (address > CARD_CONFIG - size)
        return;
    for (unsigned i = 0; i < size; i++) {
        const uint8_t bits = c->writable[address + i], byte = (uint8_t)(value >> 8 * i);
        c->byte[address + i] = (uint8_t)((c->byte[address + i] & ~bits) | (byte & bits));
    }
}
