/* SPDX-License-Identifier: MIT */
/* The state of the idle counters for snapshots: a plain value, of which each member is checked. */
#include "base/error.h"
#include "model/unit/pdaemon.h"

void pc_idle_get_state(const struct pc_idle *idle, struct pc_idle_state *out)
{
    *out = idle->s;
}

static enum pc_status check_counter(const struct pc_idle *idle, const struct pc_idle_state *s,
                                    unsigned i, struct pc_error *err)
{
    if (i >= idle->counters && (s->mask[i] || s->count[i] || s->mode[i]))
        return pc_fail(err, 1115, "%s has %u idle counters, there is no number %u",
                       idle->chip->name, idle->counters, i);
    if (s->count[i] > COUNT_MASK)
        return pc_fail(err, 1115, "COUNTER_COUNT[%u] has 31 bits, not 0x%x", i,
                       (unsigned)s->count[i]);
    if (s->mode[i] & ~pc_idle_mode_bits(idle))
        return pc_fail(err, 1115, "COUNTER_MODE[%u] of %s cannot be 0x%x", i, idle->chip->name,
                       (unsigned)s->mode[i]);
    return PC_OK;
}

enum pc_status pc_idle_check_state(const struct pc_idle *idle, const struct pc_idle_state *state,
                                   struct pc_error *err)
{
    const uint32_t wires = idle->absent_high ? UINT32_MAX : idle->present; /* D-84 */

    for (unsigned i = 0; i < PC_IDLE_COUNTERS; i++) {
        enum pc_status status = check_counter(idle, state, i, err);
        if (status)
            return status;
    }
    if ((state->clear | state->overflowed) >> idle->counters)
        return pc_fail(err, 1115, "a counter was cleared or passed its end that %s does not have",
                       idle->chip->name);
    if (state->signals & ~wires)
        return pc_fail(err, 1115, "COUNTER_SIGNALS of %s cannot be 0x%x", idle->chip->name,
                       (unsigned)state->signals);
    return PC_OK;
}

enum pc_status pc_idle_set_state(struct pc_idle *idle, const struct pc_idle_state *state,
                                 struct pc_error *err)
{
    enum pc_status status = pc_idle_check_state(idle, state, err);

    if (status == PC_OK)
        idle->s = *state;
    return status;
}
