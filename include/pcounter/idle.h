/* SPDX-License-Identifier: MIT */
/* Idle: the PDAEMON idle counters of GT215 and later (see pcounter.h) */
#ifndef PCOUNTER_IDLE_H
#define PCOUNTER_IDLE_H

#include "pcounter/chips.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Counters that sample one wire for each engine (1: idle) in every PDAEMON clock.  The mask
 * selects wires, the mode says when to count; software polls and clears the counters.
 */
struct pc_idle;

/* MODE, bits 1:0 */
enum pc_idle_mode {
    PC_IDLE_NEVER,   /* 0 */
    PC_IDLE_ALL,     /* INCR_IF_ALL: every selected engine is idle */
    PC_IDLE_NOT_ALL, /* INCR_IF_NOT_ALL: at least one is not (D-76a) */
    PC_IDLE_ALWAYS   /* both bits: every cycle */
};

/* The two address spaces: BAR0 (0x10a500 ..) and I[] of the PDAEMON's own processor (0x14000 ..,
 * GF119+: 0x500 ..). */
enum pc_idle_space { PC_IDLE_HOST, PC_IDLE_IO };

struct pc_idle_desc {
    const struct pc_chip *chip;
    const struct pc_alloc *alloc;
};
/* Creates idle counters; PC_ENOUNIT if the chip has none. */
PC_API PC_MUST_CHECK enum pc_status pc_idle_create(const struct pc_idle_desc *desc,
                                                   struct pc_idle **out, struct pc_error *err);
PC_API void pc_idle_destroy(struct pc_idle *idle); /* NULL is fine */
PC_API void pc_idle_reset(struct pc_idle *idle);   /* every register 0 */
/* Switches of the idle counters (pc_option_at()).  PC_ENOENT for an unknown name, PC_EARG for a bad
 * value or an option of another part. */
PC_API PC_MUST_CHECK enum pc_status pc_idle_option(struct pc_idle *idle, const char *name,
                                                   const char *value, struct pc_error *err);
/* Writes and reads a register; false if nothing is at the address, and a read is then 0. */
PC_API bool pc_idle_write(struct pc_idle *idle, enum pc_idle_space space, uint32_t address,
                          uint32_t value);
PC_API bool pc_idle_read(const struct pc_idle *idle, enum pc_idle_space space, uint32_t address,
                         uint32_t *value);
/* Gets the address, in the other space, of the register at this address; false if nothing is
 * there. */
PC_API bool pc_idle_address(const struct pc_chip *chip, enum pc_idle_space space, uint32_t address,
                            uint32_t *other);
/* Runs `cycles` PDAEMON clocks with constant wires; bits of engines that the chip lacks are
 * ignored. Cost: O(1). */
PC_API void pc_idle_run(struct pc_idle *idle, uint32_t signals, uint64_t cycles);
/* Returns a mask: bit i is set if counter i has passed its 31 bits since pc_idle_reset(). Hardware
 * does not show this. */
PC_API uint32_t pc_idle_overflowed(const struct pc_idle *idle);

#define PC_IDLE_COUNTERS 8 /* at most; pc_chip.idle_counters */

/* All of it but the options, for snapshots.  Members of counters that the chip lacks are 0. */
struct pc_idle_state {
    uint32_t signals; /* COUNTER_SIGNALS of the last clock */
    uint32_t mask[PC_IDLE_COUNTERS], count[PC_IDLE_COUNTERS], mode[PC_IDLE_COUNTERS];
    uint32_t clear;      /* bit i: the next clock clears counter i */
    uint32_t overflowed; /* pc_idle_overflowed() */
};
/* Gets and sets the state, which takes no time. */
PC_API void pc_idle_get_state(const struct pc_idle *idle, struct pc_idle_state *out);
/* Sets the state; PC_EINPUT for a value that the registers of this chip cannot have, and nothing
 * has changed then. */
PC_API PC_MUST_CHECK enum pc_status
pc_idle_set_state(struct pc_idle *idle, const struct pc_idle_state *state, struct pc_error *err);

/* Wires of COUNTER_SIGNALS that the chip has; NULL past the end. */
struct pc_idle_signal {
    unsigned bit;
    const char *name;  /* "GR_IDLE" */
    const char *range; /* chips that have it: "GK104-" */
};
PC_API const struct pc_idle_signal *pc_idle_signal_at(const struct pc_chip *chip, size_t i);
/*
 * Converts "GR|PCOPY0", with or without _IDLE, or a number, to a mask. PC_ENOENT with similar names
 * and the column for a wire that the chip does not have.
 */
PC_API PC_MUST_CHECK enum pc_status pc_idle_mask(const struct pc_chip *chip, const char *text,
                                                 uint32_t *mask, struct pc_error *err);

/*
 * A driver's use of the counters: at each poll a governor turns busy and total
 * clocks into a load and moves the clock of the engines one or more levels, in the
 * driver's own integer arithmetic.  Both structs are plain values; for a governor of your own, copy
 * one and change its numbers.
 */
#define PC_GOVERNOR_LEVELS 64
struct pc_governor {
    const char *name; /* "gk20a" */
    uint32_t target;  /* load to aim at, percent: 1 to 10000 */
    uint32_t ceiling; /* above it the level jumps by a third of the levels: at most 1000000 */
    uint32_t smooth;  /* weight of the past against 1 of the present: at most 1000 */
    uint32_t levels;  /* 1 to PC_GOVERNOR_LEVELS */
    uint32_t khz[PC_GOVERNOR_LEVELS]; /* clock of each level, for the caller: the arithmetic ignores
                                         it */
};
struct pc_governor_state {
    uint32_t average; /* percent; 0 at first */
    uint32_t level;
};
/* Finds a governor by name, case-insensitive; NULL if there is none, and of NULL.
 * pc_governor_at(i): NULL past the end. */
PC_API const struct pc_governor *pc_governor_find(const char *name);
PC_API const struct pc_governor *pc_governor_at(size_t i);
/*
 * Makes one poll: *load (percent) is that of this poll, *state the average and the level from now
 * on. PC_EARG for numbers or a level out of the bounds above.
 */
PC_API PC_MUST_CHECK enum pc_status pc_governor_step(const struct pc_governor *governor,
                                                     uint32_t busy, uint32_t total,
                                                     struct pc_governor_state *state,
                                                     uint32_t *load, struct pc_error *err);

#ifdef __cplusplus
}
#endif

#endif
