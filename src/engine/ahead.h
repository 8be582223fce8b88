/* SPDX-License-Identifier: MIT */
/*
 * Running ahead of what is not known yet: the answers of a memory that takes packets of several
 * domains in the order of time, and whether a domain stops listening, for good, within a window
 * of time.  ahead.c says how, and what happens where it was wrong.
 */
#ifndef PC_ENGINE_AHEAD_H
#define PC_ENGINE_AHEAD_H

#include "model/state.h"

#define EG_PACKETS 4096 /* more than 64 instants can have */

struct eg_packet {
    uint64_t cycle; /* of the domain, in the run */
    uint64_t address;
    uint32_t next; /* of the same domain: index + 1; 0: none */
    uint8_t domain, size;
    uint8_t data[32];
};

/* Where a lane was; what was shown before that is in two words. */
struct eg_mark {
    uint64_t at, base;
    uint64_t shown[4][2];
};

struct eg_ahead {
    pc_mem_write_fn *memory; /* the unit's own */
    void *ctx;
    enum pc_mem_result guess[PC_MAX_DOMAINS]; /* OK, or FAULT: what it said last */

    /* Packets of the window so far */
    uint32_t packets, first[PC_MAX_DOMAINS], last[PC_MAX_DOMAINS]; /* index + 1 */
    bool full;
    /* Packets from the window's beginning on that the memory has had; its answer to the last of
     * them was not what was guessed. */
    uint64_t delivered;
    /* Of a domain that is alone: packets of the window, of which none is kept; was one not answered
     * as guessed? */
    uint64_t sent;
    bool wrong;
    enum pc_mem_result answer;

    /* As it was when the window began */
    uint64_t wide_cycles, relaxed_cycles;
    struct eg_mark mark[PC_MAX_DOMAINS];
    struct pc_state state;

    struct eg_packet packet[EG_PACKETS];
};

#endif
