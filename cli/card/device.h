/* SPDX-License-Identifier: MIT */
/*
 * The card itself: the model of a chip, whose time is that of its bus.  One serves all ways to it;
 * not for two threads at once.
 */
#ifndef PC_CLI_CARD_DEVICE_H
#define PC_CLI_CARD_DEVICE_H

#include <stdio.h>

#include "pcounter/pcounter.h"
#include "pcounter/unstable/script.h"

struct card_device;

/* An access, when it was made: a write before, a read after. */
struct card_access {
    uint64_t ns; /* of the card's time until then, but for what a setup let pass */
    uint64_t value;
    uint32_t address;
    uint8_t size; /* bytes: 1, 2, 4, 8 */
    bool write;
};
typedef void card_access_fn(void *ctx, const struct card_access *access);

struct card_device_desc {
    const struct pc_chip *chip;
    uint64_t access_ns;     /* that each access takes; 0: the wall clock's time passes */
    card_access_fn *access; /* of each; may be NULL */
    void *ctx;
    pc_mem_write_fn *packet; /* of record mode; NULL: memory of the device's own */
    void *packet_ctx;
    const uint8_t *rom; /* at PROM, if it has bytes */
    size_t rom_size;
};
/* All clocks are at 500 MHz. */
enum pc_status card_device_open(const struct card_device_desc *desc, struct card_device **out,
                                struct pc_error *err);
/* Does what pc_gpu_reset() does. */
void card_device_reset(struct card_device *device);
void card_device_close(struct card_device *device); /* NULL is fine */
/* Commands of pcounter-script(7) that are no accesses: clocks, levels, options.  The chip is set.
 */
enum pc_status card_device_setup(struct card_device *device, struct pc_script_stimulus *stimulus,
                                 struct pc_error *err);
/* Samples that signals play from now on (feed.h); takes the file.  Not with the wall clock's time.
 */
enum pc_status card_device_feed(struct card_device *device, FILE *samples, struct pc_error *err);

/* Makes a transaction of 1, 2, 4 or 8 bytes at an address of BAR0. After it card_device_pass(). */
enum pc_status card_device_read(struct card_device *device, uint32_t address, unsigned size,
                                uint64_t *value, struct pc_error *err);
enum pc_status card_device_write(struct card_device *device, uint32_t address, unsigned size,
                                 uint64_t value, struct pc_error *err);
/* Lets the time of that transaction pass, and tells of it. */
enum pc_status card_device_pass(struct card_device *device, struct pc_error *err);

/* Prints the summary: a line with the accesses, those that nothing decodes and the read-only words
 * written, then a line for each notice of the model.  Prints nothing if there was no access. */
void card_device_tell(struct card_device *device, FILE *file);

#endif
