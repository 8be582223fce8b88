/* SPDX-License-Identifier: MIT */
/* Where a trace's card has its registers, for all who read traces. */
#ifndef PC_CLI_REPLAY_CARD_H
#define PC_CLI_REPLAY_CARD_H

#include "cli.h"
#include "pcounter/unstable/trace.h"

#define CARD_REGISTERS UINT64_C(0x1000000) /* bytes of BAR0 that are registers */
#define PMC_BOOT_ID    0u
#define PGRAPH_DEBUG_1 0x400084u /* PM_TRIGGER */

struct card_place {
    bool found;
    uint64_t base;
    uint32_t line; /* where it was found, 0: it was given */
};

/* The gaps that a trace declares (D-96). */
struct card_gaps {
    uint64_t lost;    /* events, at least */
    bool more;        /* some mark does not say how many */
    uint64_t unknown; /* accesses that the kernel did not understand */
    uint32_t line;    /* the first that says so; 0: there is none */
};
void card_take_gap(struct card_gaps *gaps, const struct pc_trace_event *e);
/* Warnings about them, and about an odd end of the file; true: something is missing. */
bool card_tell_gaps(const struct card_gaps *gaps, const struct pc_trace *trace, const char *path);

/* A line PCIDEV. BAR0 is the first one of an NVIDIA device with room for all registers; PC-E1205
 * for a second card. */
enum pc_status card_take_pcidev(struct card_place *card, const struct pc_trace_event *e,
                                struct pc_error *err);

/* The chip of a value of PMC_BOOT_ID; NULL: none that is known. */
const struct pc_chip *card_chip(uint32_t boot_id);

/*
 * Takes the chip that the file names: keeps it in *chip, or fails with PC-E1207 if --chip or an
 * earlier line names another one.  Returns an exit code.
 */
int card_take_chip(const struct pc_chip **chip, const struct pc_chip *said, const char *by,
                   const char *path, uint32_t line);

/* An access before it is known where the registers are; an exit code.  Hint NULL: --base. */
int card_not_found(const char *path, const struct pc_trace_event *e, const char *hint);

/* An error in a line of the trace; an exit code. */
int card_fail(const char *path, enum pc_status status, unsigned code, uint32_t line,
              const char *fmt, ...) PC_PRINTF(5, 6);

#endif
