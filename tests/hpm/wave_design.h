/* SPDX-License-Identifier: MIT */
/* The tests' own perf_counters: what the RTL does with its wires, shared with nothing. */
#ifndef PC_TESTS_HPM_WAVE_DESIGN_H
#define PC_TESTS_HPM_WAVE_DESIGN_H

#include <stdbool.h>
#include <stdint.h>

struct design_port {
    unsigned ack, fu, op, rd, rs1;
};
struct design_wires {
    unsigned line[17]; /* as enum pc_hpm_line */
    unsigned debug, we, addr, inhibit, ways[3];
    uint64_t wdata;
    struct design_port port[2];
};
struct design {
    uint64_t counter[6], mcycle, minstret;
    unsigned selector[6];
    bool rv32;
};

/*
 * What a clock adds for event e: two matches count once with or_ports, returns of any register
 * with any_rs1, and a set of the D-cache is full if its valid bits are `full`.
 */
unsigned design_increment(const struct design_wires *w, unsigned e, bool or_ports, bool any_rs1,
                          unsigned full);
/* data_o */
uint64_t design_read(const struct design *d, unsigned addr);
/* The counter that a write of data_i to the address leaves, if it is one of counter i. */
uint64_t design_written(const struct design *d, unsigned i, unsigned addr, uint64_t data);
/* Does the address belong to a counter, 0 to 5 of *i? */
bool design_is_counter(const struct design *d, unsigned addr, unsigned *i);

#endif
