/* SPDX-License-Identifier: MIT */
/*
 * CTR_MODE by name, and which counters still count their input in a special mode (PC.MODE.1 to
 * PC.MODE.5, D-38, D-39, D-64).
 */
#include "lang/plan/plan.h"

#include <string.h>

#define PRE   (1u << PC_SLOT_PRE)
#define START (1u << PC_SLOT_START)
#define EVENT (1u << PC_SLOT_EVENT)
#define STOP  (1u << PC_SLOT_STOP)

static const struct {
    const char *name;
    unsigned plain;
    uint32_t feature;
} modes[PL_MODES] = {
    [PL_SIMPLE] = { "SIMPLE", PRE | START | EVENT | STOP, 0 },
    [PL_B4] = { "EVENT_B4", PRE | START | STOP, 0 },
    [PL_B6] = { "EVENT_B6", PRE | START | STOP, PC_F_WIDE_MODES },
    [PL_EXTRA_B4] = { "EXTRA_B4", PRE | EVENT | STOP, PC_F_WIDE_MODES },
    [PL_EXTRA_B6] = { "EXTRA_B6_EVENT_B2", PRE | STOP, PC_F_WIDE_MODES },
    [PL_MODE_5] = { "5", 0, PC_F_GF100 },
    [PL_MODE_6] = { "6", EVENT | STOP, PC_F_GF100 },
    [PL_MODE_7] = { "7", PRE | STOP, PC_F_GF100 },
};

const char *pl_mode_name(unsigned mode)
{
    return modes[mode < PL_MODES ? mode : PL_SIMPLE].name;
}

unsigned pl_mode_plain(unsigned mode)
{
    return modes[mode < PL_MODES ? mode : PL_SIMPLE].plain;
}

enum pc_status pl_find_mode(const struct pc_plan *p, const char *name, size_t number, uint8_t *out,
                            struct pc_error *err)
{
    if (!name)
        name = modes[PL_SIMPLE].name;
    for (unsigned m = 0; m < PL_MODES; m++)
        if (strcmp(modes[m].name, name) == 0) {
            *out = (uint8_t)m;
            if (modes[m].feature && !(p->request.chip->features & modes[m].feature))
                return pc_fail_at(err, 345, (uint32_t)number + 1, 0, "%s has no CTR_MODE %s",
                                  p->request.chip->name, name);
            return PC_OK;
        }
    return pc_fail_at(err, 1500, (uint32_t)number + 1, 0, "there is no CTR_MODE %s", name);
}
