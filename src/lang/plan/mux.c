/* SPDX-License-Identifier: MIT */
/*
 * Registers outside of the counters.  What two events want of one register is in conflict
 * where both care about a bit and want it different; fields that do not overlap go together.
 * "TPC[*]" is written to all units at once: it is in conflict with another value of one of
 * them, unless the same event sets that one itself.
 */
#include "lang/plan/plan.h"

#include <string.h>

static bool is_array(const char *reg)
{
    return strchr(reg, '*') != NULL;
}

/* Returns true if "TPC[*].X" covers "TPC[3].X". */
static bool covers(const char *array, const char *one)
{
    while (*array && *one) {
        if (*array == '*') {
            array++;
            while (*one && *one != *array)
                one++;
        } else if (*array++ != *one++) {
            return false;
        }
    }
    return *array == '\0' && *one == '\0';
}

/* Returns the event's last setting of a register that it or another one names. */
static const struct pc_plan_mux *effective(const struct pc_plan_event *e, const char *reg)
{
    const struct pc_plan_mux *found = NULL;

    for (size_t i = 0; i < e->muxes; i++)
        if (strcmp(e->mux[i].reg, reg) == 0)
            found = &e->mux[i];
    for (size_t i = 0; i < e->muxes && !found; i++)
        if (is_array(e->mux[i].reg) && !is_array(reg) && covers(e->mux[i].reg, reg))
            found = &e->mux[i];
    return found;
}

/* Entries for one register add up: bits that a later one names again have the later value. */
static void bits_of(const struct pc_plan_event *e, const struct pc_plan_mux *last, uint32_t *mask,
                    uint32_t *value, uint32_t *unknown)
{
    *mask = *value = *unknown = 0;
    for (size_t i = 0; i < e->muxes; i++) {
        const struct pc_plan_mux *m = &e->mux[i];
        if (strcmp(m->reg, last->reg) != 0)
            continue;
        *value = (*value & ~m->mask) | (m->value & m->mask);
        *mask |= m->mask;
        *unknown = (*unknown & ~m->mask) | (m->unknown ? m->mask : 0);
    }
}

static const struct pc_plan_mux *against(const struct pc_plan_event *a,
                                         const struct pc_plan_event *b,
                                         const struct pc_plan_mux **other)
{
    for (size_t i = 0; i < a->muxes; i++) {
        const struct pc_plan_mux *own = effective(a, a->mux[i].reg);
        const struct pc_plan_mux *its = effective(b, a->mux[i].reg);
        uint32_t mask[2], value[2], unknown[2];
        if (!its)
            continue;
        bits_of(a, own, &mask[0], &value[0], &unknown[0]);
        bits_of(b, its, &mask[1], &value[1], &unknown[1]);
        if (mask[0] & mask[1] & ((value[0] ^ value[1]) | unknown[0] | unknown[1])) {
            *other = its;
            return own;
        }
    }
    return NULL;
}

const struct pc_plan_mux *pl_mux_conflict(const struct pc_plan_event *a,
                                          const struct pc_plan_event *b,
                                          const struct pc_plan_mux **other)
{
    const struct pc_plan_mux *found = against(a, b, other);

    if (found)
        return found;
    found = against(b, a, other);
    if (!found)
        return NULL;
    const struct pc_plan_mux *of_a = *other;
    *other = found;
    return of_a;
}

bool pl_mux_equal(const struct pc_plan_event *a, const struct pc_plan_event *b)
{
    if (a->muxes != b->muxes)
        return false;
    for (size_t i = 0; i < a->muxes; i++)
        if (strcmp(a->mux[i].reg, b->mux[i].reg) != 0 || a->mux[i].mask != b->mux[i].mask ||
            a->mux[i].value != b->mux[i].value || a->mux[i].unknown || b->mux[i].unknown)
            return false;
    return true;
}
