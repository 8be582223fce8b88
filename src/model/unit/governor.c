/* SPDX-License-Identifier: MIT */
/*
 * DVFS governors that poll the PDAEMON idle counters.  gk20a is that of nouveau: counter 0
 * counts GR or copy engine 2 busy, counter 7 every clock, and at each poll
 *
 *   load    = busy * 100 / total            0 if total is 0
 *   average = (smooth * average + load) / (smooth + 1)
 *   level  += levels / 3                    if the average is above the ceiling
 *   level  += ((average - target) * 10 / target) / 2     else
 *
 * kept between 0 and levels - 1.  All divisions cut towards zero, so with a target of 70
 * an average of 57 to 83 changes nothing.  load and average are 32 bits wide and wrap: a
 * busy counter far ahead of the time base gives the load that the driver would see.
 *
 * Not modelled: that the first poll comes after 2 s and the others every 100 ms (the
 * caller has the time), limits by temperature or by the user, and the change of the clock
 * itself, which takes no time here.
 */
#include "base/error.h"
#include "base/text.h"

#define TARGET_MAX  10000u
#define CEILING_MAX 1000000u
#define SMOOTH_MAX  1000u

static const struct pc_governor governors[] = {
    { .name = "gk20a",
      .target = 70,
      .ceiling = 90,
      .smooth = 1,
      .levels = 15,
      .khz = { 72000, 108000, 180000, 252000, 324000, 396000, 468000, 540000, 612000, 648000,
               684000, 708000, 756000, 804000, 852000 } },
};
#define GOVERNOR_COUNT (sizeof governors / sizeof governors[0])

const struct pc_governor *pc_governor_at(size_t i)
{
    return i < GOVERNOR_COUNT ? &governors[i] : NULL;
}

const struct pc_governor *pc_governor_find(const char *name)
{
    for (size_t i = 0; name && i < GOVERNOR_COUNT; i++)
        if (pc_same_text(governors[i].name, name))
            return &governors[i];
    return NULL;
}

static enum pc_status check_governor(const struct pc_governor *g,
                                     const struct pc_governor_state *state, struct pc_error *err)
{
    if (g->target == 0 || g->target > TARGET_MAX || g->ceiling > CEILING_MAX ||
        g->smooth > SMOOTH_MAX)
        return pc_fail(err, 1120,
                       "target %u, ceiling %u, smooth %u: a governor works with targets of 1 to "
                       "%u, ceilings up to %u and a smooth up to %u",
                       g->target, g->ceiling, g->smooth, TARGET_MAX, CEILING_MAX, SMOOTH_MAX);
    if (g->levels == 0 || g->levels > PC_GOVERNOR_LEVELS || state->level >= g->levels)
        return pc_fail(err, 1120, "level %u of %u; there are 1 to %u levels, counted from 0",
                       state->level, g->levels, (unsigned)PC_GOVERNOR_LEVELS);
    return PC_OK;
}

/* The average is at most the ceiling in the second branch, so int32_t is wide enough. */
static uint32_t next_level(const struct pc_governor *g, uint32_t average, uint32_t level)
{
    int32_t top = (int32_t)g->levels - 1, next = (int32_t)level;

    if (average > g->ceiling) {
        next += (int32_t)g->levels / 3;
    } else {
        int32_t target = (int32_t)g->target;
        next += ((int32_t)average - target) * 10 / target / 2;
    }
    return (uint32_t)(next < 0 ? 0 : next > top ? top : next);
}

enum pc_status pc_governor_step(const struct pc_governor *governor, uint32_t busy, uint32_t total,
                                struct pc_governor_state *state, uint32_t *load,
                                struct pc_error *err)
{
    if (!governor || !state || !load)
        return pc_fail(err, 1120, "a governor needs its numbers, a state and a place for the load");
    enum pc_status status = check_governor(governor, state, err);
    if (status)
        return status;
    uint32_t now = total ? (uint32_t)((uint64_t)busy * 100 / total) : 0;
    uint32_t average = (governor->smooth * state->average + now) / (governor->smooth + 1);
    state->level = next_level(governor, average, state->level);
    state->average = average;
    *load = now;
    return PC_OK;
}
