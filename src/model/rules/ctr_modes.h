/* SPDX-License-Identifier: MIT */
/*
 * Counter modes (PC.MODE.*, PC.GF.31 to 34, D-39, D-63, D-64): what each counter adds in a cycle.
 * One table, which the step, the wide engine, the compiler, the planner and the registers read.
 */
#ifndef PC_RULES_CTR_MODES_H
#define PC_RULES_CTR_MODES_H

#include <stdbool.h>
#include <stdint.h>

enum pc_ctr_mode {
    PC_CTR_SIMPLE,
    PC_CTR_EVENT_B4,
    PC_CTR_EVENT_B6,
    PC_CTR_EXTRA_B4,
    PC_CTR_EXTRA_B6_EVENT_B2,
    PC_CTR_KEPLER_5, /* as traced on GK1xx and GM2xx (D-64) */
    PC_CTR_KEPLER_6,
    PC_CTR_KEPLER_7,
    PC_CTR_NONE, /* EVENT counts nothing: reserved values under a switch (D-40) */
    PC_CTR_MODES
};

/* Names of the values of CTR_MODE in that order, as far as chips of a generation have them. */
#define PC_CTR_NAMES_NV10  "SIMPLE", "EVENT_B4"
#define PC_CTR_NAMES_NV40  PC_CTR_NAMES_NV10, "EVENT_B6", "EXTRA_B4", "EXTRA_B6_EVENT_B2"
#define PC_CTR_NAMES_GK104 PC_CTR_NAMES_NV40, "KEPLER_5", "KEPLER_6", "KEPLER_7"
extern const char *const pc_ctr_mode_names[PC_CTR_NONE];

/* The counters of quad mode, in the order of their inputs; and CTR_PRE of single mode. */
enum pc_ctr { PC_CTR_PRE, PC_CTR_START, PC_CTR_EVENT, PC_CTR_STOP, PC_CTR_EXTRA, PC_CTRS };

#define PC_NUMBER_BITS 6
enum pc_gate {
    PC_GATE_PRE, /* in the cycles of this input */
    PC_GATE_START,
    PC_GATE_EVENT,
    PC_GATE_STOP,
    PC_GATE_NEVER
};

/* The number that a counter adds, and in which cycles. */
struct pc_number {
    uint8_t gate; /* enum pc_gate */
    bool loose;   /* in every cycle, but for GF100+, which has the gate (D-39, D-63) */
    uint8_t bits; /* of the number; 0: it is 1 */
    /* The selected source bits that it is made of, lowest first: 4 * input + place, as SRC_STATUS
     * has them.  Never delayed. */
    uint8_t bit[PC_NUMBER_BITS];
};

/* Chips that have the mode. */
enum pc_ctr_since { PC_CTR_SINCE_NV10, PC_CTR_SINCE_NV40, PC_CTR_SINCE_GK104 };

struct pc_ctr_mode_row {
    enum pc_ctr_since since;
    struct pc_number of[PC_CTRS];
};

extern const struct pc_ctr_mode_row pc_ctr_modes[PC_CTR_MODES];

/* Returns true if the gate matters. `gated`: GF100+. */
static inline bool pc_number_is_loose(const struct pc_number *n, bool gated)
{
    return n->loose && !gated;
}

#endif
