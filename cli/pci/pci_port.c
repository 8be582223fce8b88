/* SPDX-License-Identifier: MIT */
/* A card as the port of a script. */
#include "pci/pci.h"

static enum pc_status begin(void *ctx, const struct pc_chip *chip, struct pc_error *err)
{
    return pci_check_chip(ctx, chip, err);
}

static enum pc_status announce(void *ctx, const struct pc_script_access *access,
                               struct pc_error *err)
{
    return access->write ? pci_save(ctx, access->address & ~3u, err) : PC_OK;
}

static enum pc_status read32(void *ctx, uint32_t address, uint32_t *value, struct pc_error *err)
{
    return pci_read(ctx, address, value, err);
}

static enum pc_status write_part(void *ctx, uint32_t address, unsigned size, uint32_t value,
                                 struct pc_error *err)
{
    return pci_write(ctx, address, size, value, err);
}

/* A wait that a signal has cut ends the script. */
static enum pc_status wait_cycles(void *ctx, unsigned domain, uint64_t cycles, struct pc_error *err)
{
    const enum pc_status status = pci_wait(ctx, cycles, err);

    (void)domain;
    if (status || !pci_stopped())
        return status;
    *err = (struct pc_error){ .status = PC_EIO };
    return PC_EIO;
}

static void keep(void *ctx)
{
    struct pci_card *card = ctx;

    card->keep = true;
}

struct pc_script_port pci_port(struct pci_card *card)
{
    return (struct pc_script_port){ .ctx = card,
                                    .begin = begin,
                                    .announce = announce,
                                    .read = read32,
                                    .write = write_part,
                                    .wait = wait_cycles,
                                    .keep = keep };
}
