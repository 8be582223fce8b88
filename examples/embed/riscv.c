/* SPDX-License-Identifier: MIT */
/*
 * An instruction set simulator with CVA6's counters (pcounter/hpm.h): it says which instructions
 * retire in a clock, executes CSR instructions through the counters, and keeps them in snapshots.
 */
#include "pcounter-model.h"

#include <inttypes.h>
#include <stdio.h>

/* A loop's instructions, and those of its counters. */
#define LD                0x0000b283u
#define ADD               0x00b50533u
#define BRANCH            0xfe0798e3u
#define CSRW_MHPMEVENT3   0x32351073u
#define CSRR_MHPMCOUNTER3 0xb0302573u
#define CSRR_MINSTRET     0xb0202573u

static const struct pc_hpm_mode machine = { .privilege = 3 };

/* Executes a CSR instruction; returns the value for rd. */
static uint64_t csr(struct pc_hpm *hpm, uint32_t insn, uint64_t rs1)
{
    struct pc_hpm_access access;
    uint64_t value = 0;

    if (!pc_hpm_csr_decode(insn, rs1, &access) ||
        pc_hpm_csr(hpm, machine, &access, &value) != PC_HPM_NO_TRAP)
        fprintf(stderr, "%08" PRIx32 " traps\n", insn);
    return value;
}

static enum pc_status loop(struct pc_hpm *hpm, unsigned turns, struct pc_error *err)
{
    static const uint32_t body[] = { LD, ADD, BRANCH };
    enum pc_status status = PC_OK;

    for (unsigned i = 0; i < turns && status == PC_OK; i++) {
        for (unsigned k = 0; k < 3 && status == PC_OK; k++)
            status = pc_hpm_retire(hpm, machine, &body[k], 1, 0, err);
        if (status == PC_OK) /* a clock in which nothing retires: the load missed */
            status = pc_hpm_retire(hpm, machine, NULL, 0, 1u << PC_HPM_DCACHE_MISS, err);
    }
    return status;
}

int main(void)
{
    const struct pc_hpm_desc desc = { .config = pc_hpm_config_find("cv64a6_imafdc_sv39") };
    uint8_t snapshot[PC_HPM_STATE_SIZE];
    const struct pc_hpm_event *event;
    struct pc_hpm *hpm;
    struct pc_error err;

    if (pc_hpm_create(&desc, &hpm, &err) != PC_OK ||
        pc_hpm_event_find("L1D_MISS", &event, &err) != PC_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    csr(hpm, CSRW_MHPMEVENT3, event->id);
    if (loop(hpm, 100, &err) != PC_OK)
        return 1;
    printf("%" PRIu64 " misses, ", csr(hpm, CSRR_MHPMCOUNTER3, 0));
    printf("%" PRIu64 " instructions\n", csr(hpm, CSRR_MINSTRET, 0));
    pc_hpm_save(hpm, snapshot);
    if (loop(hpm, 50, &err) != PC_OK)
        return 1;
    printf("later %" PRIu64 " misses\n", csr(hpm, CSRR_MHPMCOUNTER3, 0));
    if (pc_hpm_load(hpm, snapshot, sizeof snapshot, &err) != PC_OK)
        return 1;
    printf("back at the snapshot %" PRIu64 " misses\n", csr(hpm, CSRR_MHPMCOUNTER3, 0));
    pc_hpm_destroy(hpm);
    return 0;
}
