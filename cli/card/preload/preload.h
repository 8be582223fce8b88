/* SPDX-License-Identifier: MIT */
/*
 * What `pcounter card` loads into a program (LD_PRELOAD): a card on its PCI bus.
 *
 *   card.c     the card (../device.c) of this program: one, with a lock around
 *   log.c      its accesses, as rows of a file
 *   sysfs.c    libc's functions on paths: those of the PCI bus lead to the card's files
 *   fault.c    accesses of the mapped BAR0: each faults, and is made of the card
 *   step.c     ... by an instruction that is no plain move
 *
 * The program's own threads run all of this; one lock is around the card.
 */
#ifndef PC_CARD_PRELOAD_H
#define PC_CARD_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "card/device.h"
#include "names.h"

/* ---- card.c ---- */

/* Is the program one that has a card? */
bool card_is_here(void);
/* An access of BAR0, the low byte first: one transaction of 1, 2, 4 or 8 bytes, else several. */
void card_read(uint64_t address, unsigned size, uint8_t *bytes);
void card_write(uint64_t address, unsigned size, const uint8_t *bytes);
/* A line on stderr, and _exit(). */
void card_give_up(const char *why) __attribute__((noreturn));

/* ---- log.c ---- */

/* A card_access_fn: the row is in the file when this returns, whatever happens to the process. */
void card_log(void *ctx, const struct card_access *access);
/* After fork(), in the child: it has a file of its own, of what the parent has done so far, too. */
void card_log_forked(void);

/* ---- fault.c ---- */

/* BAR0 from `offset` on is mapped there; MAP_FAILED with errno, as for a range that it does not
 * have. */
void *card_map(size_t length, int protection, uint64_t offset);
/* What was mapped in that range is gone. */
void card_unmap(void *at, size_t length);
/* The address of BAR0 that is mapped at `at`; false: none is. */
bool card_address(const void *at, uint64_t *address);

/* ---- step.c ---- */

/* The instruction at the fault is executed on a copy of what it looks at; false: it cannot be. */
bool card_step_begin(void *context, const void *at);
/* After it: what it has written goes to the card; false: nobody was stepping. */
bool card_step_end(void *context);
/* A fault within it is not of the card: all is as before. */
void card_step_undo(void *context);

#endif
