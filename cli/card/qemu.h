/* SPDX-License-Identifier: MIT */
/*
 * pcounter card --qemu.
 *
 *   qemu.c         the command: which QEMU it is, what is added to it, start and end
 *   qemu_serve.c   what QEMU's device x-pci-proxy-dev asks of the card
 *   qemu_memory.c  the guest's memory, for record mode
 */
#ifndef PC_CLI_CARD_QEMU_H
#define PC_CLI_CARD_QEMU_H

#include "card/card.h"
#include "card/device.h"

/* ---- qemu_memory.c ---- */

enum { QEMU_REGIONS = 8 };

/* Files of QEMU's, and where they are for the guest.  They are written, never mapped: what QEMU
 * does with them meanwhile is an error of the call. */
struct qemu_memory {
    struct qemu_region {
        uint64_t first, size, offset;
        int file;
    } region[QEMU_REGIONS];
    unsigned regions;
    uint64_t packets, lost; /* lost: not in the guest's memory, or it could not be written */
};
/* The files are closed by it, or by what replaces them. */
void qemu_memory_set(struct qemu_memory *m, const struct qemu_region *region, unsigned regions);
/* A pc_mem_write_fn; ctx: the memory. */
enum pc_mem_result qemu_memory_packet(void *ctx, unsigned domain, uint64_t address,
                                      const uint8_t *data, size_t size);

/* ---- qemu_serve.c ---- */

struct qemu_card {
    const struct card_options *options;
    struct card_device *device;
    struct card_config config;
    struct qemu_memory memory;
    struct replay_log log;
    bool logged, log_ended; /* accesses are; the card was reset after that */
};
/* Answers until the other end is closed; an exit code, after saying what is wrong. */
int qemu_serve(struct qemu_card *card, int link);

#endif
