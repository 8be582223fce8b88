/* SPDX-License-Identifier: MIT */
/*
 * The idle counters of PDAEMON as a part of the device: the host reaches them through its bus, and
 * PDAEMON's own processor by I[], which no other engine sees.
 */
#include "model/gpu/gpu.h"

struct pc_idle *pc_gpu_idle(struct pc_gpu *gpu)
{
    return gpu->idle;
}

enum pc_status pc_gpu_no_idle(const struct pc_gpu *gpu, struct pc_error *err)
{
    return pc_fail(err, 412, "%s has no PDAEMON idle counters", gpu->chip->name);
}

enum pc_status pc_gpu_set_idle(struct pc_gpu *gpu, uint32_t signals, struct pc_error *err)
{
    if (!gpu->idle)
        return pc_gpu_no_idle(gpu, err);
    gpu->idle_signals = signals;
    return PC_OK;
}

/* Which registers there are does not depend on whether it is on: U-024. */
bool pc_gpu_pdaemon_read(const struct pc_gpu *gpu, enum pc_idle_space space, uint32_t address,
                         uint32_t *value)
{
    if (!gpu->idle || !pc_idle_read(gpu->idle, space, address, value))
        return false;
    if (!pc_gpu_pdaemon_on(gpu))
        *value = gpu->chip->layout == PC_LAYOUT_GF100 ? PC_GPU_DISABLED : 0;
    return true;
}

bool pc_gpu_pdaemon_write(struct pc_gpu *gpu, enum pc_idle_space space, uint32_t address,
                          uint32_t value)
{
    uint32_t hidden;

    if (!pc_gpu_pdaemon_on(gpu))
        return pc_gpu_pdaemon_read(gpu, space, address, &hidden);
    return gpu->idle && pc_idle_write(gpu->idle, space, address, value);
}

void pc_gpu_io_write32(struct pc_gpu *gpu, uint32_t address, uint32_t value)
{
    (void)pc_gpu_pdaemon_write(gpu, PC_IDLE_IO, address, value);
    pc_gpu_let_pass(gpu, gpu->write_cycles);
}

uint32_t pc_gpu_io_read32(struct pc_gpu *gpu, uint32_t address)
{
    uint32_t value = 0;

    (void)pc_gpu_pdaemon_read(gpu, PC_IDLE_IO, address, &value);
    pc_gpu_let_pass(gpu, gpu->read_cycles);
    return value;
}
