/* SPDX-License-Identifier: MIT */
/*
 * The library that `pcounter card` loads into a program (LD_PRELOAD): the way to the card that it
 * serves.
 *
 *   link.h       what the two share
 *   card.c       accesses of the card
 *   files.c      libc's functions that transfer bytes: of the card's files, and of buffers in BAR0
 *   streams.c    ... by streams
 *   maps.c       mappings of BAR0
 *   environ.c    what is loaded, for the programs that this one starts
 *   signals.c    signals of faults, and libc's functions on signals
 *   stack.c      a stack for what follows, and alternate stacks
 *   fault.c      an access of BAR0: it faults, and is made of the card
 *   update.c     ... by an instruction that computes with what is there
 *   gather.c     ... by one that accesses many places
 *   step.c       ... by any other
 *   decode.c, operand.c, state.c    instructions, and registers of all kinds
 *
 * The program's own threads run all of this.
 */
#ifndef PC_CARD_PRELOAD_H
#define PC_CARD_PRELOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "link.h"

/* ---- card.c ---- */

/* Returns true if the program is one that has a card. */
bool card_is_here(void);
/* Makes an access of BAR0, the low byte first: one transaction of 1, 2, 4 or 8 bytes, else
 * several. */
void card_read(uint64_t address, unsigned size, uint8_t *bytes);
void card_write(uint64_t address, unsigned size, const uint8_t *bytes);
/* Between these two only the calling thread's accesses are made, of all threads and processes. Once
 * at a time. */
void card_hold(void);
void card_release(void);
/* Hands what was written to a file of the card to the card. */
void card_settle(void);
/* Returns which of the card's files an open one is. */
enum card_file card_file_of(int file);
/* Writes a line to stderr. */
void card_say(const char *what);
/* Prints the same, and calls _exit(). */
void card_give_up(const char *why) __attribute__((noreturn));

/* ---- maps.c ---- */

struct card_map {
    uint64_t from, to;      /* addresses of the program */
    uint64_t offset;        /* of BAR0 */
    int protection;         /* PROT_READ, PROT_WRITE */
    bool shared, read_only; /* the latter: by a descriptor for reads */
};
/* Returns the part of BAR0 at that address, until the next call; NULL: there is none.  On the
 * card's stack. */
const struct card_map *card_map_find(uintptr_t at);
/* false: BAR0 is not there, nor has it been. */
bool card_may_be_mapped(const void *at);
/* Returns true if BAR0 is mapped there. For functions that the program calls. */
bool card_is_mapped(const void *at, size_t length);

/* ---- signals.c ---- */

/* From now on the signals of faults come to card_on_signal(), whoever has taken them since. */
void card_signals_take(void);
/* Passes a signal that is not of the card to what the program has wanted. */
void card_signal_pass(int number, siginfo_t *info, void *context);

/* ---- stack.c ---- */

/* Calls it there; one thread at a time.  No signal may come but those of faults. */
void card_on_own_stack(void (*function)(void *), void *ctx);
/* Does the same for functions that the program calls: signals wait meanwhile. */
void card_in_peace(void (*function)(void *), void *ctx);

/* ---- fault.c ---- */

void card_on_signal(int number, siginfo_t *info, void *context);
/* Returns true if all of that is BAR0, mapped for that. Then *address is where it begins. */
bool card_may(uint64_t from, size_t size, bool write, uint64_t *address);
/* Reads or writes a buffer there; false: it is not all of BAR0. */
bool card_exchange(uint64_t from, size_t size, bool write, uint8_t *bytes);

/* ---- update.c, gather.c, step.c: instructions at a fault, which are done ---- */

struct decoded;
struct insn;

void card_update(ucontext_t *c, const struct decoded *d, uint64_t address);
/* Gathers or scatters an element; false: it is another instruction. */
bool card_gather(const struct insn *x, ucontext_t *c, uint64_t at);
/* Moves a string, from BAR0 to BAR0; false: it is another one, or one of them is memory. */
bool card_move_string(const struct insn *x, ucontext_t *c);

/* The instruction is executed on a copy of what it looks at; false: it cannot be. */
bool card_step_begin(const struct insn *x, ucontext_t *c, uint64_t at);
bool card_is_stepping(void);
/* After it: what it has written goes to the card. */
void card_step_end(ucontext_t *c);
/* If there is a step: a fault within it is not of the card, and all is as before. */
void card_step_undo(ucontext_t *c);

#endif
