/* SPDX-License-Identifier: MIT */
/*
 * What snapshots of the device are made of; save.c says in which order.  A snapshot is refused when
 * the text of this file is not the one that it was saved with (cmake/tables.cmake).
 */
#ifndef PC_GPU_SAVE_H
#define PC_GPU_SAVE_H

#include "gpu/gpu.h"

struct head {
    char magic[8];
    uint32_t layout;
    uint16_t chip, units;
    uint64_t players, pages;
};

struct body {
    struct pc_idle_state idle;
    struct pc_pma pma;
    uint64_t packets, passed;
    uint64_t idle_period, idle_next, idle_cycles;
    uint32_t idle_signals;
    uint32_t pmc_enable, pdaemon_enable, pgraph_debug1;
    uint32_t platform[sizeof((struct pc_gpu *)0)->platform / sizeof(uint32_t)];
    uint32_t undecoded_address;
    uint8_t bus_pending, bus_cycles;
    bool ended, bus_begun, undecoded, full;
};

struct clock {
    uint64_t period, next_edge;
    uint64_t level[PC_SIG_WORDS];
};

struct player {
    uint64_t levels; /* bytes that follow */
    uint8_t domain, signal;
};

#endif
