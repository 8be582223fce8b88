/* SPDX-License-Identifier: MIT */
/*
 * A card on the PCI bus.  Device ids are those of the PCI ID Repository (pci.ids of
 * 2023-04-11), of one board each: the first that it lists with the chip's name.  BARs are those of
 * envytools' docs/hw/bus/bars.rst.
 */
#include "model/chips/order.h"
#include "pcounter/chips.h"

#include <string.h>

enum { NVIDIA = 0x10de, VGA = 0x030000, MIB = 1 << 20 };

static const struct pci_row {
    const char *chip;
    uint16_t device;
    const char *board;
} pci_rows[] = {
#include "pci.inc"
};

static void bars(unsigned order, struct pc_pci_bar bar[PC_PCI_BARS])
{
    const bool exact = order < PC_ORDER_NV17, wide = order >= PC_ORDER_G80;

    bar[0] = (struct pc_pci_bar){ .size = 16 * MIB, .strapped = order >= PC_ORDER_NV40 };
    bar[1] = (struct pc_pci_bar){ .size = (exact ? UINT64_C(128) : UINT64_C(64)) * MIB,
                                  .wide = wide,
                                  .prefetch = true,
                                  .strapped = !exact };
    if (wide) {
        bar[3] = (struct pc_pci_bar){
            .size = 16 * MIB, .wide = true, .prefetch = order >= PC_ORDER_MCP77, .strapped = true
        };
        bar[5] = (struct pc_pci_bar){ .size = 0x80, .io = true };
    }
}

bool pc_chip_get_pci(const struct pc_chip *chip, struct pc_chip_pci *out)
{
    for (size_t i = 0; i < sizeof pci_rows / sizeof pci_rows[0]; i++) {
        if (strcmp(pci_rows[i].chip, chip->name) != 0)
            continue;
        *out = (struct pc_chip_pci){ .vendor = NVIDIA,
                                     .device = pci_rows[i].device,
                                     .class_code = VGA,
                                     .board = pci_rows[i].board };
        bars(chip->order, out->bar);
        return true;
    }
    return false;
}
