/* SPDX-License-Identifier: MIT */
/*
 * Stream-out, GF100+'s MODE 5: four 32-bit counters that go to the ring of MAIN at each
 * STOP (D-75).  As documented for GK20A, unverified on Fermi.
 *
 *   dword 0  timestamp 31:0
 *   dword 1  7:0 timestamp 39:32, 15:8 domain, 27:16 STOP count, 31:28 zero
 *   dword 2  EVENT   3  PRE   4  START   5  STOP   6, 7  zero
 */
#include "model/unit/state.h"

#include <string.h>

#define STAMP_MASK ((UINT64_C(1) << 40) - 1)
#define HIGH_MASK  (UINT64_C(0xff) << 32)

static void put32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Which domain a packet is from; the numbering is ours (U-015).  PC.GF.42 */
static uint32_t perfmon_id(const struct pc_unit *u, unsigned domain)
{
    return ((uint32_t)u->set - PC_SET_HUB) << 6 | (u->index & 7) << 3 | domain;
}

/* PC.GF.41: a packet is eight words, the low byte first. */
void pc_stream_send(struct pc_unit *u, unsigned domain, struct pc_domain *d)
{
    uint8_t packet[32] = { 0 };

    put32(packet, (uint32_t)d->record.cycles);
    put32(packet + 4, (uint32_t)(d->record.cycles >> 32 & 0xff) | perfmon_id(u, domain) << 8 |
                          (uint32_t)d->record.stop << 16);
    put32(packet + 8, (uint32_t)d->shadow.event);
    put32(packet + 12, (uint32_t)d->shadow.pre);
    put32(packet + 16, (uint32_t)d->shadow.start);
    put32(packet + 20, (uint32_t)d->shadow.stop);
    if (!u->mem_write || u->mem_write(u->mem_ctx, domain, 0, packet, sizeof packet) != PC_MEM_OK)
        d->diagnostics |= PC_DIAG_RECORD_LOST;
    d->shadow = (struct pc_counters){ .cycles = d->shadow.cycles };
    d->record.stop = 0;
}

/* The timestamp is CTR_CYCLES_NEXT_HIGH and CTR_CYCLES_NEXT; packets do not clear it. */
void pc_stream_tick(struct pc_domain *d, uint64_t cycles)
{
    uint64_t stamp = (d->record.cycles & HIGH_MASK) | (d->shadow.cycles & UINT32_MAX);

    d->record.cycles = (stamp + cycles) & STAMP_MASK;
    d->shadow.cycles = d->record.cycles & UINT32_MAX;
}

/* A STOP sends a packet with its own cycle in it (PC.GF.40); RECORD_RESET is the set's (PC.GF.16).
 */
enum pc_flag_action pc_stream_cycle(struct pc_unit *u, unsigned domain, struct pc_domain *d)
{
    struct pc_increment inc = pc_domain_increment(u, d);

    if (PC_GET(u->state.gctrl, GCTRL, RECORD_RESET)) {
        d->shadow = (struct pc_counters){ 0 };
        d->record.cycles = 0;
        d->record.stop = 0;
        return PC_FLAG_LISTENS;
    }
    pc_stream_tick(d, 1);
    pc_count(u, d, &d->shadow.event, inc.event, true);
    pc_count(u, d, &d->shadow.start, inc.start, true);
    pc_count(u, d, &d->shadow.pre, inc.pre, false);
    pc_count(u, d, &d->shadow.stop, inc.stop, false);
    if (d->in.stop && d->record.stop < PC_RECORD_STOP_MAX)
        d->record.stop++;
    if (d->record.stop != 0)
        pc_stream_send(u, domain, d);
    return PC_FLAG_LISTENS;
}
