/* SPDX-License-Identifier: MIT */
/* Configuration space: a header of type 0 with BAR0 and a ROM, no interrupt and no capability. */
#include "card/card.h"

#include <string.h>

enum {
    ID = 0x00,
    COMMAND = 0x04,
    REVISION = 0x08,
    CLASS = 0x09,
    CACHE_LINE = 0x0c,
    BAR0 = 0x10,
    SUBSYSTEM = 0x2c,
    ROM = 0x30,
    INTERRUPT_LINE = 0x3c
};
enum { COMMAND_MEMORY = 2, COMMAND_MASTER = 4, BAR_FLAGS = 15, ROM_ENABLE = 1 };

static void put(uint8_t *to, unsigned at, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        to[at + i] = (uint8_t)(value >> 8 * i);
}

void card_config_reset(struct card_config *c, const struct card_options *o)
{
    memset(c, 0, sizeof *c);
    put(c->byte, ID, 2, o->pci.vendor);
    put(c->byte, ID + 2, 2, o->pci.device);
    put(c->byte, REVISION, 1, CARD_REVISION);
    put(c->byte, CLASS, 3, o->pci.class_code);
    put(c->byte, SUBSYSTEM, 2, o->pci.vendor);
    put(c->byte, SUBSYSTEM + 2, 2, o->pci.device);
    put(c->writable, COMMAND, 2, 0x0547);    /* I/O, memory, bus master, parity, SERR, INTx */
    put(c->writable, CACHE_LINE, 2, 0xffff); /* and the latency timer */
    put(c->writable, BAR0, 4, ~(uint32_t)(o->pci.bar[0].size - 1) & ~(uint32_t)BAR_FLAGS);
    if (o->rom.size > 0)
        put(c->writable, ROM, 4, ~(uint32_t)(card_rom_room(o) - 1) | ROM_ENABLE);
    put(c->writable, INTERRUPT_LINE, 1, 0xff);
}

/* Returns a power of two, as BARs are, and at least the size that a ROM has. */
uint64_t card_rom_room(const struct card_options *o)
{
    uint64_t room = 2048;

    while (o->rom.size > room)
        room *= 2;
    return o->rom.size > 0 ? room : 0;
}

void card_config_place(struct card_config *c)
{
    card_config_write(c, COMMAND, 2, COMMAND_MEMORY | COMMAND_MASTER);
    card_config_write(c, BAR0, 4, CARD_BAR0_PLACE);
    card_config_write(c, ROM, 4, CARD_ROM_PLACE);
}

bool card_config_decodes(const struct card_config *c)
{
    return (c->byte[COMMAND] & COMMAND_MEMORY) &&
           (card_config_read(c, BAR0, 4) & ~(uint32_t)BAR_FLAGS) == CARD_BAR0_PLACE;
}

uint32_t card_config_read(const struct card_config *c, uint32_t address, unsigned size)
{
    uint32_t value = 0;

    if (address > CARD_CONFIG - size)
        return UINT32_MAX;
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)c->byte[address + i] << 8 * i;
    return value;
}

void card_config_write(struct card_config *c, uint32_t address, unsigned size, uint32_t value)
{
    if (address > CARD_CONFIG - size)
        return;
    for (unsigned i = 0; i < size; i++) {
        const uint8_t bits = c->writable[address + i], byte = (uint8_t)(value >> 8 * i);
        c->byte[address + i] = (uint8_t)((c->byte[address + i] & ~bits) | (byte & bits));
    }
}
