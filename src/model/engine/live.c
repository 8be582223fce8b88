/* SPDX-License-Identifier: MIT */
/* The live step: quick where nothing is out of the ordinary, else the reference. */
#include "model/engine/live.h"

#include <string.h>

#include "base/cpu.h"

enum pc_status pc_live_open(struct pc_unit *unit, struct pc_live **out, struct pc_error *err)
{
    struct pc_live *live = (struct pc_live *)pc_calloc(&unit->alloc, 1, sizeof *live);

    if (!live)
        return pc_fail(err, 100, "no memory for the live step (%zu bytes)", sizeof *live);
    live->unit = unit;
    live->step = live_slow_step;
    live->steps = &pc_live_steps_any;
#if defined(__x86_64__) && !defined(PC_PORTABLE)
    if (pc_cpu_has_v3())
        live->steps = &pc_live_steps_v3;
#endif
    for (unsigned i = 0; i < LIVE_REGISTERS; i++)
        live->reg[i] = (struct live_register){ .address = UINT32_MAX, .often_read = UINT32_MAX };
    *out = live;
    return PC_OK;
}

void pc_live_close(struct pc_live *live)
{
    if (!live)
        return;
    live_leave(live);
    struct pc_alloc alloc = live->unit->alloc;
    pc_free(&alloc, live, sizeof *live);
}

void pc_live_step(struct pc_live *live, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS])
{
    live->step(live, edges, raw);
}

void live_disturb(struct pc_live *live)
{
    live_leave(live);
    live->calm = 0;
    live->aborted = 0;
}

void pc_live_pulse(struct pc_live *live, enum pc_pulse pulse, uint32_t delay)
{
    live_leave(live);
    pc_unit_pulse(live->unit, pulse, delay);
}

void pc_live_record_done(struct pc_live *live, unsigned domain, bool fault)
{
    live_leave(live);
    pc_unit_record_done(live->unit, domain, fault);
}

struct pc_unit *pc_live_unit(struct pc_live *live)
{
    live_disturb(live);
    return live->unit;
}
