/* SPDX-License-Identifier: MIT */
/*
 * PCOUNTER of xemu's NV2A, in place of the stub that reads 0.  For xemu's sources: copy it as
 * hw/xbox/nv2a/pcounter.c, beside the two files of the models; add 'pcounter.c' and
 * 'pcounter-model.c' to the files of meson.build there; take DEFINE_STUB(pcounter, NV_PCOUNTER) out
 * of stubs.c; give NV2AState (nv2a_int.h)
 *
 *   struct pc_gpu *counters;
 *   int64_t counters_ns;
 *   uint8_t *counters_saved;
 *   uint32_t counters_saved_size;
 *
 * and declare these functions and vmstate_nv2a_pcounter there, and use them:
 *
 *   pcounter_init(d)                    at the end of nv2a_realize()
 *   pcounter_reset(d)                   in nv2a_reset(), after pramdac.core_clock_freq is set
 *   pcounter_exit(d)                    in nv2a_exitfn()
 *   pcounter_pgraph_write(d, addr, val) in pgraph_write(): PM_TRIGGER ends a period
 *   vmstate_nv2a_pcounter               in vmstate_nv2a, so that snapshots have the counters:
 *       .subsections = (const VMStateDescription *const[]){ &vmstate_nv2a_pcounter, NULL },
 * A snapshot without it, of an xemu that had no counters, can be loaded: the counters begin at 0.
 */
#include "nv2a_int.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "pcounter-model.h"

static void follow_the_clock(NV2AState *d)
{
    const int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    if (now > d->counters_ns) {
        (void)!pc_gpu_elapse(d->counters, now - d->counters_ns, NULL);
    }
    d->counters_ns = now;
}

uint64_t pcounter_read(void *opaque, hwaddr addr, unsigned int size)
{
    NV2AState *d = opaque;

    follow_the_clock(d);
    const uint64_t value = pc_gpu_read(d->counters, 0xa000 + addr, size);
    nv2a_reg_log_read(NV_PCOUNTER, addr, size, value);
    return value;
}

void pcounter_write(void *opaque, hwaddr addr, uint64_t val, unsigned int size)
{
    NV2AState *d = opaque;

    nv2a_reg_log_write(NV_PCOUNTER, addr, size, val);
    follow_the_clock(d);
    pc_gpu_write(d->counters, 0xa000 + addr, size, val);
}

/* DEBUG_1 of PGRAPH is the only other register that affects the counters. */
void pcounter_pgraph_write(NV2AState *d, hwaddr addr, uint64_t val)
{
    if (addr == 0x84) {
        follow_the_clock(d);
        pc_gpu_write(d->counters, 0x400084, 4, val);
    }
}

void pcounter_reset(NV2AState *d)
{
    struct pc_error err;

    pc_gpu_reset(d->counters);
    if (pc_gpu_clock_hz(d->counters, PC_DOM_EVERY, d->pramdac.core_clock_freq, &err) != PC_OK) {
        error_report("%s", err.text);
    }
}

static int pcounter_pre_save(void *opaque)
{
    NV2AState *d = opaque;

    d->counters_saved_size = pc_gpu_state_size(d->counters);
    d->counters_saved = g_malloc(d->counters_saved_size);
    pc_gpu_save(d->counters, d->counters_saved);
    return 0;
}

static int forget_saved(void *opaque)
{
    NV2AState *d = opaque;

    g_free(d->counters_saved);
    d->counters_saved = NULL;
    return 0;
}

static int pcounter_post_load(void *opaque, int version_id)
{
    NV2AState *d = opaque;
    struct pc_error err;
    const bool loaded =
        pc_gpu_load(d->counters, d->counters_saved, d->counters_saved_size, &err) == PC_OK;

    forget_saved(d);
    if (!loaded) {
        error_report("%s", err.text);
    }
    return loaded ? 0 : -EINVAL;
}

/* Saves the counters and the time up to which they have counted, which is the guest's time of the
 * snapshot. */
const VMStateDescription vmstate_nv2a_pcounter = {
    .name = "nv2a/pcounter",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = pcounter_pre_save,
    .post_save = forget_saved,
    .post_load = pcounter_post_load,
    .fields =
        (const VMStateField[]){
            VMSTATE_INT64(counters_ns, NV2AState),
            VMSTATE_UINT32(counters_saved_size, NV2AState),
            VMSTATE_VBUFFER_ALLOC_UINT32(counters_saved, NV2AState, 1, NULL, counters_saved_size),
            VMSTATE_END_OF_LIST(),
        },
};

void pcounter_init(NV2AState *d)
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find("NV2A") };
    struct pc_error err;

    if (pc_gpu_create(&desc, &d->counters, &err) != PC_OK) {
        error_setg(&error_fatal, "%s", err.text);
    }
    pc_gpu_latency(d->counters, 0, 0);
    d->counters_ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

void pcounter_exit(NV2AState *d)
{
    pc_gpu_destroy(d->counters);
}
