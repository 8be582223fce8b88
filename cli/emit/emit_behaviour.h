/* SPDX-License-Identifier: MIT */
/* Finds the clock, the reset and registers of a scope by what its signals do in a waveform. */
#ifndef PC_CLI_EMIT_BEHAVIOUR_H
#define PC_CLI_EMIT_BEHAVIOUR_H

#include "emit.h"

enum { EMIT_CLOCKS = 8 };

struct emit_signal {
    size_t var;
    const char *name; /* in the scope; lives as long as the waveform */
    const char *type; /* "reg", "wire" ... */
    uint32_t width;
    size_t first;            /* of its bits among those that are read */
    size_t clock;            /* number among those that are called like clocks; else EMIT_CLOCKS */
    uint64_t changes, rises; /* rises: of one bit */
    /* changes at the rises of that one, before it falls again; and when the reset changes */
    uint64_t at_rise[EMIT_CLOCKS], before_fall[EMIT_CLOCKS], at_reset;
    bool is_reset, is_counter; /* by its name */
    bool is_register;
    bool has_reset; /* what it is at edges in reset is known: */
    uint64_t reset;
};
struct emit_behaviour {
    struct emit_signal *signal;
    size_t signals, capacity;
    struct pc_wave_bit *bit;
    size_t bits, bit_capacity;
    const struct emit_signal *clock, *reset; /* NULL: none was found */
    bool reset_low;                          /* active low */
    uint64_t changes_at_clock;               /* of registers */
    uint64_t edges, edges_in_reset;
};

/* Reads the waveform; an exit code.  Dropped by the caller whatever happened. */
int emit_behaviour_find(struct emit_behaviour *b, const struct emit_request *r);
void emit_behaviour_drop(struct emit_behaviour *b);

#endif
