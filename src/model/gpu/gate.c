/* SPDX-License-Identifier: MIT */
/*
 * Switches of whole engines: PMC.ENABLE bit 28 of PCOUNTER and bit 13 of PDAEMON on GF100+, 022210
 * bit 0 of PDAEMON before (PC.GF.4, PD.ENABLE.1).  All are on at first.  An engine that
 * is off is held in reset, and hidden.
 */
#include "model/gpu/gpu.h"

#define PMC_ENABLE          UINT32_C(0x000200)
#define PMC_ENABLE_PCOUNTER (UINT32_C(1) << PC_PMC_PCOUNTER_BIT)
#define PMC_ENABLE_PDAEMON  (UINT32_C(1) << PC_PMC_PDAEMON_BIT)
#define PDAEMON_ENABLE      (UINT32_C(1) << PC_PDAEMON_ENABLE_BIT)

void pc_gpu_gates_open(struct pc_gpu *gpu)
{
    gpu->pmc_enable = UINT32_MAX;
    gpu->pdaemon_enable = PDAEMON_ENABLE;
}

bool pc_gpu_pcounter_on(const struct pc_gpu *gpu)
{
    return gpu->chip->layout != PC_LAYOUT_GF100 || gpu->pmc_enable & PMC_ENABLE_PCOUNTER;
}

bool pc_gpu_pdaemon_on(const struct pc_gpu *gpu)
{
    if (gpu->chip->layout == PC_LAYOUT_GF100)
        return gpu->pmc_enable & PMC_ENABLE_PDAEMON;
    return gpu->pdaemon_enable & PDAEMON_ENABLE;
}

const uint32_t *pc_gpu_gate_at(const struct pc_gpu *gpu, uint32_t address)
{
    if (address == PMC_ENABLE)
        return &gpu->pmc_enable;
    if (address == 0x022210 && gpu->idle && gpu->chip->layout != PC_LAYOUT_GF100)
        return &gpu->pdaemon_enable;
    return NULL;
}

/* Bit 28 low hides PCOUNTER and holds all of it in reset (PC.GF.4, D-88); so does PDAEMON's switch
 * (PD.ENABLE.1, U-024). */
void pc_gpu_gate_write(struct pc_gpu *gpu, uint32_t address, uint32_t value)
{
    bool pcounter = pc_gpu_pcounter_on(gpu), pdaemon = pc_gpu_pdaemon_on(gpu);

    *(address == PMC_ENABLE ? &gpu->pmc_enable : &gpu->pdaemon_enable) = value;
    if (gpu->idle && pdaemon != pc_gpu_pdaemon_on(gpu))
        pc_idle_reset(gpu->idle);
    if (pcounter == pc_gpu_pcounter_on(gpu))
        return;
    for (unsigned i = 0; i < gpu->units; i++)
        pc_unit_reset(gpu->unit[i]);
    pc_pma_reset(&gpu->pma);
}
