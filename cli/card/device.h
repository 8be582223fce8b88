/* SPDX-License-Identifier: MIT */
/*
 * The card itself: the model of a chip, whose time is that of its bus.  One behind all ways to it;
 * not for two threads at once.
 */
#ifndef PC_CLI_CARD_DEVICE_H
#define PC_CLI_CARD_DEVICE_H

#include <stdio.h>

#include "pcounter/pcounter.h"

struct card_device;

struct card_device_desc {
    const struct pc_chip *chip;
    uint64_t access_ns; /* that each access takes; 0: the wall clock's time passes */
    uint64_t hz;        /* of all clocks */
};
enum pc_status card_device_open(const struct card_device_desc *desc, struct card_device **out,
                                struct pc_error *err);
void card_device_close(struct card_device *device); /* NULL is fine */

/* A transaction of 1 to 8 bytes at an address of BAR0. */
enum pc_status card_device_read(struct card_device *device, uint32_t address, unsigned size,
                                uint64_t *value, struct pc_error *err);
enum pc_status card_device_write(struct card_device *device, uint32_t address, unsigned size,
                                 uint64_t value, struct pc_error *err);

/* What is told at the end: accesses, and what nothing decodes.  Nothing without an access. */
void card_device_tell(const struct card_device *device, FILE *file);

#endif
