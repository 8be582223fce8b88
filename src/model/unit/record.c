/* SPDX-License-Identifier: MIT */
/*
 * Record mode: twelve 16-bit event counters, a 12-bit STOP counter and a 48-bit cycles
 * counter, written to memory as packets (clauses PC.REC.*, decisions D-65 to D-74).  "The same
 * underlying storage is used internally": which of them show in registers is not said, and none do
 * (D-68a, U-026).
 *
 *   packet, little-endian 16-bit words:
 *   0-2 cycles   3 STOP (12 bits)   4-7 PRE_SRC   8-11 START_SRC   12-15 EVENT_SRC
 *   SHORT is the first eight words.
 */
#include "model/unit/state.h"

#include <string.h>

#include "model/regs/regs.h"

static void put64(uint8_t *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t four(const uint16_t counter[4])
{
    return counter[0] | (uint64_t)counter[1] << 16 | (uint64_t)counter[2] << 32 |
           (uint64_t)counter[3] << 48;
}

static void clear_events(struct pc_record *r)
{
    memset(r->event, 0, sizeof r->event);
    r->stop = 0;
}

/*
 * D-70a: the slot stays busy for ever (PC.REC.20), and by default the domain hangs (PC.REC.21,
 * pc_hangs()); it is reported (PC.DIAG.3).
 */
static void faulted(const struct pc_unit *u, struct pc_domain *d)
{
    d->record.fault = true;
    d->diagnostics |= PC_DIAG_RECORD_FAULT;
    if (u->options.record_fault != PC_FAULT_DROP)
        d->record.wedged = true;
}

/*
 * D-74a: the position wraps within its 4 GiB, so a long packet at the last 16 bytes of them goes
 * on at the first.  PC.REC.25
 */
static enum pc_mem_result write_packet(const struct pc_unit *u, unsigned domain, uint64_t high,
                                       uint32_t position, const uint8_t *packet, size_t size)
{
    const size_t room = UINT32_MAX - position + (size_t)1;
    const size_t first = room < size ? room : size;
    enum pc_mem_result result, rest;

    if (!u->mem_write)
        return PC_MEM_OK;
    result = u->mem_write(u->mem_ctx, domain, high | position, packet, first);
    if (first == size || result == PC_MEM_FAULT)
        return result;
    rest = u->mem_write(u->mem_ctx, domain, high, packet + first, size - first);
    return rest == PC_MEM_OK ? result : rest;
}

/*
 * Puts the packet of the current counters, long (PC.REC.1) or short (PC.REC.2), on its way: first
 * the address is used, then compared with the limit (PC.REC.14, PC.REC.15; D-69), and without a
 * valid buffer the packet is lost (PC.REC.16); the position wraps at 4 GiB (PC.REC.18, PC.REC.19;
 * D-73); the format is the one of this moment (PC.REC.23, D-74).
 */
void pc_record_send(struct pc_unit *u, unsigned domain, struct pc_domain *d)
{
    struct pc_record *r = &d->record;
    size_t size = d->control.record_short ? 16 : 32;
    uint8_t packet[32];

    if (!r->valid) {
        d->diagnostics |= PC_DIAG_RECORD_LOST;
        return;
    }
    put64(packet, (r->cycles & PC_RECORD_CYCLES_MASK) | (uint64_t)r->stop << 48);
    for (unsigned i = 0; i < 3; i++)
        put64(packet + 8 + 8 * i, four(r->event + 4 * i));

    uint64_t high = pc_has(u, PC_F_RECORD_HIGH) ? (uint64_t)(d->record_high & 0xff) << 32 : 0;
    enum pc_mem_result result = PC_MEM_FAULT; /* D-71: no bind, no memory */
    if (u->state.bound)
        result = write_packet(u, domain, high, r->position, packet, size);
    if (result == PC_MEM_FAULT) { /* nothing was written, and the position stays: U-006 */
        faulted(u, d);
        return;
    }
    if (r->position >= d->record_limit)
        r->valid = false;
    r->position += (uint32_t)size;
    if (result == PC_MEM_PENDING) /* it was not: the slot was free */
        r->pending = true;
    r->busy = u->options.record_latency; /* U-007 */
}

/*
 * D-68: entering record mode after counting in another mode (PC.REC.12), with a valid buffer and no
 * RECORD_RESET (PC.REC.13).  Which counters the twelve are from is ours: U-005.  Like any other
 * packet it leaves the cycles alone (PC.REC.3): only RECORD_START and RECORD_RESET clear them.
 */
static void bogus_packet(struct pc_unit *u, unsigned domain, struct pc_domain *d)
{
    struct pc_record *r = &d->record;
    const uint64_t source[3] = { d->visible.pre, d->visible.start, d->visible.event };
    uint64_t cycles = r->cycles;

    r->cycles = d->visible.cycles;
    for (unsigned i = 0; i < 12; i++)
        r->event[i] = (uint16_t)source[i / 4];
    r->stop =
        d->visible.stop & PC_RECORD_STOP_MAX ? (uint16_t)(d->visible.stop & PC_RECORD_STOP_MAX) : 1;
    d->diagnostics |= PC_DIAG_BOGUS_PACKET;
    pc_record_send(u, domain, d);
    r->cycles = cycles;
    clear_events(r);
}

/* Counts up to `end`, where a counter stays. */
static void bump(struct pc_domain *d, uint16_t *counter, uint16_t end)
{
    if (*counter < end)
        ++*counter;
    else
        d->diagnostics |= PC_DIAG_SATURATED;
}

/*
 * D-65: events (PC.REC.4), STOP and cycles (PC.REC.3) of this cycle are added, up to the counters'
 * ends (PC.REC.8), before the trigger is looked at (PC.REC.5, PC.REC.6).
 */
static bool count_record(struct pc_domain *d)
{
    struct pc_record *r = &d->record;
    bool flush = false;

    r->cycles = (r->cycles + 1) & PC_RECORD_CYCLES_MASK;
    for (unsigned i = 0; i < 12; i++) {
        if (d->selected >> i & 1)
            bump(d, &r->event[i], PC_RECORD_EVENT_MAX);
        flush |= r->event[i] >= PC_RECORD_EVENT_FLUSH;
    }
    if (d->in.stop)
        bump(d, &r->stop, PC_RECORD_STOP_MAX);
    return flush || r->stop != 0;
}

/* Counting goes on while a packet is outgoing (PC.REC.7), and is none during RECORD_RESET
 * (PC.REC.22). */
enum pc_flag_action pc_record_cycle(struct pc_unit *u, unsigned domain, struct pc_domain *d)
{
    struct pc_record *r = &d->record;
    bool was_dirty = r->dirty, entry = d->pending.record_entry;
    bool busy = r->wedged || r->pending || r->busy > 0;

    r->dirty = false;
    pc_slot_pass(d, 1);
    if (PC_GET(u->state.gctrl, GCTRL, RECORD_RESET)) { /* D-72: a level */
        r->cycles = 0;
        clear_events(r);
        return PC_FLAG_LISTENS;
    }
    if (entry && was_dirty && !u->options.no_bogus_packet && !busy && r->valid) {
        bogus_packet(u, domain, d);
        busy = true; /* D-66: the slot is free again in the next cycle at the earliest */
    }
    if (!count_record(d) || busy)
        return PC_FLAG_LISTENS;
    if (!r->valid && u->options.record_invalid_holds)
        return PC_FLAG_LISTENS;
    pc_record_send(u, domain, d);
    clear_events(r);
    return PC_FLAG_LISTENS;
}

void pc_unit_record_done(struct pc_unit *unit, unsigned domain, bool fault)
{
    if (domain >= unit->chip->domains || !unit->state.domain[domain].record.pending)
        return;
    struct pc_domain *d = &unit->state.domain[domain];
    d->record.pending = false;
    pc_awake(unit);
    if (fault)
        faulted(unit, d);
}
