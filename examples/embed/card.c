/* SPDX-License-Identifier: MIT */
/*
 * What an emulator of a card (pcounter/gpu.h) can ask beside its registers: a snapshot of PDAEMON's
 * idle counters and which of them overflowed, why a unit counts nothing, and who has the TV-out
 * port.
 */
#include "pcounter-model.h"

#include <inttypes.h>
#include <stdio.h>

enum { MASK = 0x10a504, COUNT = 0x10a508, MODE = 0x10a50c }; /* counter 0 */

/* PDAEMON: counter 0 counts the clocks in which PGRAPH (wire 0) is idle. */
static int idle_counters(struct pc_gpu *gpu, struct pc_error *err)
{
    struct pc_idle *idle = pc_gpu_idle(gpu);
    struct pc_idle_state state;

    pc_gpu_write32(gpu, MASK, 1);
    pc_gpu_write32(gpu, MODE, PC_IDLE_ALL);
    if (pc_gpu_set_idle(gpu, 1, err) != PC_OK ||
        pc_gpu_run(gpu, PC_DOM_PDAEMON, 1000, err) != PC_OK)
        return 1;
    pc_idle_get_state(idle, &state);
    printf("idle clocks %" PRIu32 ", and in the snapshot %" PRIu32 "\n", pc_gpu_read32(gpu, COUNT),
           state.count[0]);
    if (pc_gpu_run(gpu, PC_DOM_PDAEMON, UINT64_C(1) << 31, err) != PC_OK)
        return 1;
    printf("later %" PRIu32 ", overflowed counters %" PRIx32 "\n", pc_gpu_read32(gpu, COUNT),
           pc_idle_overflowed(idle));
    if (pc_idle_set_state(idle, &state, err) != PC_OK)
        return 1;
    printf("back at the snapshot %" PRIu32 ", overflowed counters %" PRIx32 "\n",
           pc_gpu_read32(gpu, COUNT), pc_idle_overflowed(idle));
    return 0;
}

/* A driver for another chip selects a signal that this one lacks: the registers do not say so. */
static int missing_signal(struct pc_gpu *gpu, struct pc_error *err)
{
    const struct pc_unit *unit = pc_gpu_unit(gpu);

    pc_gpu_write32(gpu, 0xa40c, 0x60); /* PRE_SRC[3] */
    pc_gpu_write32(gpu, 0xa42c, 0xaaaa);
    if (pc_gpu_run(gpu, 3, 10, err) != PC_OK)
        return 1;
    if (pc_unit_diagnostics(unit, 3) & PC_DIAG_NO_SIGNAL)
        printf("domain 3 has no signal %02x\n", (unsigned)pc_unit_no_signal(unit, 3));
    return 0;
}

/* An old card puts PCOUNTER's debug pins on its TV-out port: the encoder has to let go of it. */
static int tv_port(struct pc_gpu *gpu, struct pc_error *err)
{
    (void)err;
    printf("TV-out: %d, ", pc_unit_tvout(pc_gpu_unit(gpu)));
    pc_gpu_write32(gpu, 0xa73c, 3); /* CTRL: TVOUT_DEBUG_ENABLE, TVOUT_DEBUG_SEL */
    printf("then %d\n", pc_unit_tvout(pc_gpu_unit(gpu)));
    return 0;
}

static int with_card(const char *chip, int (*look)(struct pc_gpu *gpu, struct pc_error *err))
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find(chip) };
    struct pc_gpu *gpu;
    struct pc_error err;

    if (pc_gpu_create(&desc, &gpu, &err) != PC_OK || look(gpu, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    pc_gpu_destroy(gpu);
    return 0;
}

int main(void)
{
    return with_card("GT215", idle_counters) || with_card("GT215", missing_signal) ||
           with_card("NV20", tv_port);
}
