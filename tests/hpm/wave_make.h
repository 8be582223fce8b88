/* SPDX-License-Identifier: MIT */
/*
 * A small perf_counters of the tests' own, as the RTL behaves, run on random wires and
 * written as VCD; with one defect at one clock if asked for.  It shares nothing with the model.
 */
#ifndef PC_TESTS_HPM_WAVE_MAKE_H
#define PC_TESTS_HPM_WAVE_MAKE_H

#include <stdbool.h>
#include <stdint.h>

enum wave_defect {
    WAVE_SOUND,
    WAVE_FLIP,           /* a bit of a counter changes by itself */
    WAVE_EXTRA,          /* a counter adds 1 more */
    WAVE_LOST_WRITE,     /* a write of a counter is dropped */
    WAVE_SELECTOR,       /* a bit of a selector changes by itself */
    WAVE_READ,           /* data_o is wrong for one clock */
    WAVE_UNKNOWN,        /* a counter is x for one clock */
    WAVE_LONG_UNKNOWN,   /* and for 100 */
    WAVE_MCYCLE,         /* mcycle misses a clock */
    WAVE_IGNORE_INHIBIT, /* from the clock on: counters do not look at mcountinhibit */
    WAVE_DEBUG_COUNTS,   /* from the clock on: nor at debug mode */
    WAVE_NO_FREEZE       /* from the clock on: a write holds its own counter alone */
};

struct wave_plan {
    unsigned clocks, reset; /* the first `reset` clocks are in reset */
    uint64_t seed;
    bool rv32;
    unsigned ways;         /* of the D-cache; 0: 8 */
    const char *instance;  /* of perf_counters; NULL: perf_counters_i */
    unsigned cores;        /* 0: 1; a second one has the same wires */
    const char *omit[8];   /* ports that are not in the file */
    bool wide_selectors;   /* written with a bit above those that selectors keep */
    bool wide_registers;   /* rd and rs1 have 6 bits, of which the highest is used, too */
    unsigned mcycle_write; /* not 0: the clock in which a csrw sets mcycle */
    unsigned mcycle_op;    /* ... by this operation; of a read, 34, it is the design's mistake */
    bool mcycle_high;      /* ... and in it mcycleh instead, as the RTL does: the low half ticks */
    bool no_changes;       /* the clock stands still */
    unsigned pulse;        /* not 0: rst_ni falls and rises in that clock, before its edge */
    const char *pulse_by;  /* ... by way of these values: "x0"; NULL: "0" */
    bool pulse_ignored;    /* ... and the registers take no notice */
    unsigned unknown_miss; /* not 0: the clock in which l1_icache_miss_i is x */
    unsigned unknown_ways; /* not 0: the clock from which on miss_vld_bits_i[1] is x */
    unsigned calm;         /* not 0: so rarely are there writes, changes of inhibit, debug */
    enum wave_defect defect;
    unsigned at; /* the clock in which it happens; seen at the edge after it, a read at once */
};

/* What the maker knows about it. */
struct wave_made {
    char path[64];
    /* registers whose increment the documents want otherwise, by the quirk that tells it */
    uint64_t or_ports, ret_any_rs1, evict_ff, others, shadow3h, trap_freezes;
    uint64_t event[23];    /* clocks out of reset in which the line of the event is 1 */
    uint64_t enabled[23];  /* those of them in which mcountinhibit is 0 */
    uint64_t ways_unknown; /* D-cache misses out of reset while miss_vld_bits_i[1] is x */
    uint64_t instructions;
    uint64_t hit;         /* the clock at which the defect did something; UINT64_MAX: never */
    unsigned hit_counter; /* and the register: 3..8 */
};

void wave_make(const struct wave_plan *plan, struct wave_made *out);
void wave_remove(const struct wave_made *made);

#endif
