/* SPDX-License-Identifier: MIT */
/*
 * What the conformance tests of the whole GF100+ card share: a device whose accesses take no
 * time.
 */
#ifndef PC_CONFORM_GF100_CARD_H
#define PC_CONFORM_GF100_CARD_H

#include "gf100.h"

static inline struct pc_gpu *card_open(const char *name)
{
    struct pc_error err = { 0 };
    struct pc_gpu_desc desc = { .chip = pc_chip_find(name) };
    struct pc_gpu *gpu = NULL;

    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    pc_gpu_latency(gpu, 0, 0);
    return gpu;
}

#endif
