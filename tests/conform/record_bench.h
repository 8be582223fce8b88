/* SPDX-License-Identifier: MIT */
/*
 * What the two record chapters share: a bound channel, a buffer, twelve events and the fields
 * of a packet.  Events k = 0..11 are PRE_SRC0..3, START_SRC0..3, EVENT_SRC0..3; STOP is the
 * signal after them.
 */
#ifndef PC_CONFORM_RECORD_BENCH_H
#define PC_CONFORM_RECORD_BENCH_H

#include "support.h"

enum { EVENTS = 12, STOP_LINE = 12, RECORD_SIGNALS = 13, BUFFER = 0x00100000 };
enum { RECORD_RESET = 1 };
#define CHAN_VALID 0x80000000u

/* Rows of a case table: in every domain, or once a chip. */
#define RECORD(fn)                                                                                 \
    {                                                                                              \
        .name = #fn, .run = fn, .need = PC_F_RECORD, .signals = RECORD_SIGNALS                     \
    }
#define RECORD_ONCE(fn)                                                                            \
    {                                                                                              \
        .name = #fn, .run = fn, .need = PC_F_RECORD, .signals = RECORD_SIGNALS, .flags = CASE_UNIT \
    }

static inline unsigned packet_half(const struct packet *p, unsigned i)
{
    assert_true(2 * i + 1 < p->size);
    return p->data[2 * i] | (unsigned)p->data[2 * i + 1] << 8;
}

static inline uint64_t packet_cycles(const struct packet *p)
{
    return packet_half(p, 0) | (uint64_t)packet_half(p, 1) << 16 |
           (uint64_t)packet_half(p, 2) << 32;
}

static inline unsigned packet_stop(const struct packet *p)
{
    return packet_half(p, 3);
}

static inline unsigned packet_event(const struct packet *p, unsigned k)
{
    return packet_half(p, 4 + k);
}

static inline void record_bind(struct rig *rig)
{
    rig_write(rig, RECORD_DMA, 0x1234);
    rig_write(rig, RECORD_CHAN, CHAN_VALID | 5);
}

static inline void record_wire(struct rig *rig)
{
    static const enum reg src[] = { PRE_SRC, START_SRC, EVENT_SRC };

    for (unsigned i = 0; i < 3; i++)
        rig_select(rig, src[i], rig_raw(rig, 4 * i), rig_raw(rig, 4 * i + 1),
                   rig_raw(rig, 4 * i + 2), rig_raw(rig, 4 * i + 3));
    rig_select(rig, STOP_SRC, rig_raw(rig, STOP_LINE), 0, 0, 0);
    rig_write(rig, STOP_OP, OP_ARG0);
}

/* Record mode, bound and wired, the buffer at BUFFER without an end; all counters are 0. */
static inline void record_start(struct rig *rig, uint32_t ctrl)
{
    record_bind(rig);
    record_wire(rig);
    rig_ctrl(rig, MODE_RECORD, SIMPLE, ctrl);
    rig_step(rig, 1); /* the buffer is not valid yet: no bogus packet */
    rig_write(rig, RECORD_LIMIT, 0xfffffff0);
    rig_write(rig, RECORD_START, BUFFER);
}

/* Cycles with the given events (bit k: event k) and STOP. */
static inline void record_cycle(struct rig *rig, unsigned events, bool stop)
{
    for (unsigned k = 0; k < EVENTS; k++)
        rig_line(rig, k, events >> k & 1);
    rig_line(rig, STOP_LINE, stop);
    rig_step(rig, 1);
}

static inline void record_cycles(struct rig *rig, unsigned n, unsigned events)
{
    if (n == 0)
        return;
    record_cycle(rig, events, false);
    rig_step(rig, n - 1);
}

static inline uint32_t record_position(const struct rig *rig)
{
    return rig_read(rig, RECORD_STATUS) & 0xfffffff0;
}

static inline bool record_fault(const struct rig *rig)
{
    return rig_read(rig, RECORD_STATUS) & 1;
}

#endif
