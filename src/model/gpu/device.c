/* SPDX-License-Identifier: MIT */
/*
 * The MMIO device around a PCOUNTER unit: PMC boot id and enable, the PGRAPH trigger
 * register, what drivers look at besides (platform.c), and host-bus activity as signals
 * (D-34).  Its registers are decoded in access.c.
 *
 * C51 has no unit, but two registers that keep what is written at 00a7f4 and 00a7f8, and so has
 * MCP73 beside its unit (D-09; option igp-pair).
 *
 * GF100+: one unit a domain set, MAIN, unit counts.  What switches engines on and off is in gate.c.
 */
#include "model/gpu/gpu.h"
#include "model/unit/option.h"

#include <string.h>

#include "model/regs/regs.h"

#define STEPPING     UINT32_C(0xa1)    /* D-95 */
#define STEPPING_MAX UINT32_C(0xfffff) /* below the chip's number */

uint32_t pc_gpu_debug1_mask(const struct pc_chip *chip)
{
    static const struct {
        const char *family;
        uint32_t mask;
    } rows[] = { { "celsius", 0xfe11f701 },
                 { "kelvin", 0x0011f7c1 },
                 { "rankine", 0x7012f7c1 },
                 { "curie", 0x7010c7c1 } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].family, chip->family) == 0)
            return rows[i].mask;
    return 0;
}

static enum pc_mem_result write_memory(void *ctx, unsigned domain, uint64_t address,
                                       const uint8_t *data, size_t size)
{
    struct pc_gpu *gpu = (struct pc_gpu *)ctx;

    if (gpu->window.keeps)
        return pc_gpu_keep(gpu, domain, data, size);
    gpu->packets++;
    if (gpu->chip->layout == PC_LAYOUT_GF100)
        return pc_pma_packet(gpu, domain, data, size);
    return pc_gpu_store(gpu, domain, address, data, size);
}

static enum pc_status add_unit(struct pc_gpu *gpu, enum pc_set set, unsigned index,
                               struct pc_error *err)
{
    struct pc_unit_desc desc = { .chip = gpu->chip,
                                 .set = set,
                                 .index = index,
                                 .alloc = &gpu->alloc,
                                 .mem_write = write_memory,
                                 .mem_ctx = gpu };
    struct pc_unit *unit = NULL;
    enum pc_status status = pc_unit_create(&desc, &unit, err);

    if (status != PC_OK)
        return status;
    gpu->unit[gpu->units++] = unit;
    for (unsigned x = 0; x < unit->chip->domains; x++)
        gpu->domain[gpu->domains++] =
            (struct pc_gpu_domain){ .unit = unit, .domain = (uint8_t)x, .period = 1 };
    return PC_OK;
}

/* Adds one unit, or on GF100+ one a domain set: hub, GPCs, partitions (PC.GF.1); they share nothing
 * (PC.GF.9). */
static enum pc_status add_units(struct pc_gpu *gpu, struct pc_error *err)
{
    const struct pc_set_info *info;

    if (gpu->chip->layout == PC_LAYOUT_NONE && pc_gpu_possible(gpu->chip))
        return PC_OK;
    if (gpu->chip->layout != PC_LAYOUT_GF100)
        return add_unit(gpu, PC_SET_ALL, 0, err);
    for (size_t i = 0; (info = pc_chip_set(gpu->chip, i)) != NULL; i++) {
        for (unsigned n = 0; n < info->units; n++) {
            enum pc_status status = add_unit(gpu, info->set, n, err);
            if (status != PC_OK)
                return status;
        }
    }
    return gpu->units > 0 ? PC_OK
                          : pc_fail(err, 402, "the domains of %s are not known", gpu->chip->name);
}

/* Makes room for what several units do in a window of time; it is touched only as far as it is
 * used. */
static enum pc_status add_window(struct pc_gpu *gpu, struct pc_error *err)
{
    size_t bytes = PC_GPU_PACKETS * sizeof *gpu->window.packet;

    if (gpu->units <= 1)
        return PC_OK;
    gpu->before = (struct pc_state *)pc_calloc(&gpu->alloc, gpu->units, sizeof *gpu->before);
    gpu->window.packet = (struct pc_gpu_packet *)gpu->alloc.resize(gpu->alloc.ctx, NULL, 0, bytes);
    return gpu->before && gpu->window.packet
               ? PC_OK
               : pc_fail(err, 100, "no memory for the packets of %u units", gpu->units);
}

static enum pc_status add_parts(struct pc_gpu *gpu, size_t memory_limit, struct pc_error *err)
{
    struct pc_idle_desc idle = { .chip = gpu->chip, .alloc = &gpu->alloc };
    const struct pc_engine_desc engine = { .alloc = &gpu->alloc };
    enum pc_status status = add_units(gpu, err);

    if (status == PC_OK)
        status = add_window(gpu, err);
    if (status == PC_OK && gpu->chip->idle_counters > 0)
        status = pc_idle_create(&idle, &gpu->idle, err);
    if (status == PC_OK)
        status = pc_engine_create(&engine, &gpu->engine, err);
    if (status != PC_OK)
        return status;
    status = pc_memory_create(&gpu->memory, &gpu->alloc, memory_limit);
    return status == PC_OK ? PC_OK : pc_fail(err, 100, "no memory for the record memory");
}

enum pc_status pc_gpu_create(const struct pc_gpu_desc *desc, struct pc_gpu **out,
                             struct pc_error *err)
{
    if (!desc || !desc->chip)
        return pc_fail(err, 400, "no chip was given");
    if (desc->stepping > STEPPING_MAX)
        return pc_fail(err, 480, "a stepping of 0x%x: PMC.BOOT_0 has 20 bits for it",
                       (unsigned)desc->stepping);

    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_gpu *gpu = (struct pc_gpu *)pc_calloc(&alloc, 1, sizeof *gpu);
    if (!gpu)
        return pc_fail(err, 100, "no memory for the device (%zu bytes)", sizeof *gpu);
    gpu->alloc = alloc;
    gpu->chip = desc->chip;
    gpu->boot_0 = (uint32_t)desc->chip->id << 20 | (desc->stepping ? desc->stepping : STEPPING);
    gpu->mem_write = desc->mem_write;
    gpu->mem_ctx = desc->mem_ctx;
    gpu->other = desc->other;
    gpu->other_ctx = desc->other_ctx;
    gpu->options.pm_latency = 4;
    gpu->write_cycles = 1;
    gpu->idle_period = 1;
    gpu->ptimer.on = desc->ptimer;
    pc_gpu_hertz_begin(gpu);
    pc_ptimer_reset(gpu);
    pc_gpu_gates_open(gpu);
    pc_platform_reset(gpu);
    enum pc_status status =
        add_parts(gpu, desc->memory_limit ? desc->memory_limit : 64u << 20, err);
    if (status != PC_OK) {
        pc_gpu_destroy(gpu);
        return status;
    }
    pc_ptimer_drive(gpu);
    *out = gpu;
    return PC_OK;
}

void pc_gpu_destroy(struct pc_gpu *gpu)
{
    if (!gpu)
        return;
    struct pc_alloc alloc = gpu->alloc;
    for (size_t i = 0; i < gpu->plays; i++)
        pc_play_free(&alloc, &gpu->play[i]);
    pc_free(&alloc, gpu->play, gpu->plays_capacity * sizeof *gpu->play);
    pc_memory_destroy(&gpu->memory, &alloc);
    pc_free(&alloc, gpu->window.packet, PC_GPU_PACKETS * sizeof *gpu->window.packet);
    pc_free(&alloc, gpu->before, gpu->units * sizeof *gpu->before);
    pc_idle_destroy(gpu->idle);
    pc_engine_destroy(gpu->engine);
    for (unsigned i = 0; i < gpu->units; i++)
        pc_unit_destroy(gpu->unit[i]);
    pc_free(&alloc, gpu, sizeof *gpu);
}

void pc_gpu_reset(struct pc_gpu *gpu)
{
    for (unsigned i = 0; i < gpu->units; i++)
        pc_unit_reset(gpu->unit[i]);
    pc_pma_reset(&gpu->pma);
    if (gpu->idle)
        pc_idle_reset(gpu->idle);
    gpu->idle_cycles = 0;
    pc_gpu_gates_open(gpu);
    pc_platform_reset(gpu);
    pc_ptimer_reset(gpu);
    gpu->pgraph_debug1 = 0;
    gpu->bus_pending = gpu->bus_cycles = 0;
    gpu->bus_begun = false;
    pc_ptimer_drive(gpu);
}

const struct pc_chip *pc_gpu_chip(const struct pc_gpu *gpu)
{
    return gpu->chip;
}

struct pc_unit *pc_gpu_unit(struct pc_gpu *gpu)
{
    return gpu->unit[0];
}

unsigned pc_gpu_domain_count(const struct pc_gpu *gpu)
{
    return gpu->domains;
}

void pc_gpu_get_domain_info(const struct pc_gpu *gpu, unsigned domain,
                            struct pc_gpu_domain_info *out)
{
    const struct pc_gpu_domain *d = &gpu->domain[domain < gpu->domains ? domain : 0];

    *out = (struct pc_gpu_domain_info){ NULL, PC_SET_ALL, 0, 0 };
    if (gpu->domains == 0)
        return;
    *out = (struct pc_gpu_domain_info){ d->unit, d->unit->set, d->unit->index, d->domain };
}

enum pc_status pc_gpu_find_domain(const struct pc_gpu *gpu, const char *name, unsigned *domain,
                                  struct pc_error *err)
{
    if (!gpu->idle || strcmp(name, "pdaemon") != 0)
        return pc_chip_find_domain(gpu->chip, name, domain, err);
    *domain = PC_DOM_PDAEMON;
    return PC_OK;
}

enum pc_status pc_gpu_option(struct pc_gpu *gpu, const char *name, const char *value,
                             struct pc_error *err)
{
    if (strncmp(name, "idle-", 5) == 0) {
        const struct pc_option_row *row;
        uint32_t number;
        if (gpu->idle)
            return pc_idle_option(gpu->idle, name, value, err);
        enum pc_status known = pc_option_look_up(name, value, &row, &number, err);
        return known ? known : pc_gpu_no_idle(gpu, err);
    }

    enum pc_status status = PC_OK;
    if (gpu->units == 0)
        status = pc_device_option(name, value, &gpu->options, NULL, err);
    for (unsigned i = 0; i < gpu->units && status == PC_OK; i++)
        status = pc_device_option(name, value, &gpu->options, gpu->unit[i], err);
    return status;
}
