/* SPDX-License-Identifier: MIT */
/*
 * Data of writes have no identifier: the n-th start since the reset owns the n-th burst since the
 * reset.  Either can be first, and a transaction can end before its data do.
 */
#include "lang/bus/bus.h"

#include "base/error.h"

enum { MOST_BURSTS = 1 << 20 };

static struct bus_burst *burst_at(struct bus_transfer_state *t, uint64_t number)
{
    return &t->burst[number & (t->bursts - 1)];
}

/* Makes room for burst `number`, and all before it. */
static enum pc_status make_room(struct pc_bus *b, struct bus_transfer_state *t, uint64_t number,
                                struct pc_error *err)
{
    const uint64_t needed = number + 1 - t->first_burst;
    size_t bursts = t->bursts ? t->bursts : 16;

    if (needed <= t->bursts)
        return PC_OK;
    if (needed > MOST_BURSTS)
        return pc_fail(err, 1802, "more than %d bursts of data wait for their start or end",
                       MOST_BURSTS);
    while (bursts < needed)
        bursts *= 2;
    struct bus_burst *burst = pc_calloc(&b->alloc, bursts, sizeof *burst);
    if (!burst)
        return pc_fail(err, 100, "no memory for the bursts of a bus");
    for (uint64_t i = 0; i < t->bursts; i++)
        burst[(t->first_burst + i) & (bursts - 1)] = *burst_at(t, t->first_burst + i);
    pc_free(&b->alloc, t->burst, t->bursts * sizeof *t->burst);
    t->burst = burst;
    t->bursts = bursts;
    return PC_OK;
}

enum pc_status pc_bus_burst_claim(struct pc_bus *b, struct bus_transfer_state *t, uint64_t *number,
                                  bool owned, struct pc_error *err)
{
    const enum pc_status status = make_room(b, t, t->starts, err);

    if (status)
        return status;
    *number = t->starts++;
    burst_at(t, *number)->done = !owned;
    return PC_OK;
}

enum pc_status pc_bus_burst_data(struct pc_bus *b, struct bus_transfer_state *t, uint64_t cycle,
                                 bool last, struct pc_error *err)
{
    const enum pc_status status = make_room(b, t, t->burst_now, err);

    if (status)
        return status;
    struct bus_burst *burst = burst_at(t, t->burst_now);
    if (burst->beats++ == 0)
        burst->first = cycle;
    burst->bytes +=
        pc_bus_bytes(b, t->rule->strobe, t->rule->width, UINT64_C(1) << (cycle - b->word.first));
    burst->last = cycle;
    burst->ended = last;
    t->burst_now += last;
    return PC_OK;
}

const struct bus_burst *pc_bus_burst_end(struct bus_transfer_state *t, uint64_t number)
{
    struct bus_burst *burst = burst_at(t, number);

    burst->done = true;
    return burst->ended ? burst : NULL;
}

void pc_bus_burst_trim(struct bus_transfer_state *t)
{
    while (t->first_burst < t->starts && t->first_burst < t->burst_now &&
           burst_at(t, t->first_burst)->done) {
        *burst_at(t, t->first_burst) = (struct bus_burst){ .beats = 0 };
        t->first_burst++;
    }
}

void pc_bus_burst_forget(struct bus_transfer_state *t)
{
    for (size_t i = 0; i < t->bursts; i++)
        t->burst[i] = (struct bus_burst){ .beats = 0 };
    t->first_burst = t->starts = t->burst_now = 0;
}
