/* SPDX-License-Identifier: MIT */
/*
 * What `pcounter card` loads into a program (LD_PRELOAD): the way to the card that it serves.
 *
 *   link.h     what the two share
 *   card.c     accesses of the card
 *   files.c    libc's functions on open files: mappings of resource0, writes to config
 *   fault.c    accesses of the mapped BAR0: each faults, and is made of the card
 *   step.c     ... by an instruction that is no plain move
 *
 * The program's own threads run all of this.
 */
#ifndef PC_CARD_PRELOAD_H
#define PC_CARD_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link.h"

/* ---- card.c ---- */

/* Is the program one that has a card? */
bool card_is_here(void);
/* An access of BAR0, the low byte first: one transaction of 1, 2, 4 or 8 bytes, else several. */
void card_read(uint64_t address, unsigned size, uint8_t *bytes);
void card_write(uint64_t address, unsigned size, const uint8_t *bytes);
/* Between these two only the calling thread's accesses are made, of all threads and processes.  Once
 * at a time. */
void card_hold(void);
void card_release(void);
/* What was written to a file of the card is taken by the card. */
void card_settle(void);
/* Returns which of the card's files an open one is. */
enum card_file card_file_of(int file);
/* A line on stderr. */
void card_say(const char *what);
/* The same, and _exit(). */
void card_give_up(const char *why) __attribute__((noreturn));

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
