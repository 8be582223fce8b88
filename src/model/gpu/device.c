/* SPDX-License-Identifier: MIT */
/*
 * The MMIO device around a PCOUNTER unit: PMC boot id and enable, the PGRAPH trigger
 * register, what drivers look at besides (platform.c), and host-bus activity as signals
 * (D-34).
 *
 * Bus signals (host_bus.c): two accesses cannot share a cycle of the bus, so an access waits
 * for the pulses before it.  By default (option
 * host-bus=auto) this is done only while the host domain selects one of these signals;
 * otherwise an access takes just the cycles that pc_gpu_latency() says.
 *
 * C51 has no unit, but two registers that keep what is written at 00a7f4 and 00a7f8, and so has
 * MCP73 beside its unit (D-09; option igp-pair).
 *
 * GF100+: one unit a domain set, MAIN, unit counts.  What switches engines on and off is in gate.c.
 *
 * Not modelled: PGRAPH method 0140 (U-011).
 */
#include "model/gpu/gpu.h"
#include "model/unit/option.h"

#include <string.h>

#include "model/regs/regs.h"

#define PMC_ID         UINT32_C(0x000000)
#define STEPPING       UINT32_C(0xa1)    /* D-95 */
#define STEPPING_MAX   UINT32_C(0xfffff) /* below the chip's number */
#define PGRAPH_DEBUG_1 UINT32_C(0x400084)
#define PM_TRIGGER_BIT UINT32_C(0x20)
#define GCTRL_PGRAPH   UINT32_C(0x100) /* no field: what it does is not established (D-90) */

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
    struct pc_gpu *gpu = ctx;

    if (gpu->window.keeps)
        return pc_gpu_keep(gpu, domain, data, size);
    gpu->packets++;
    if (gpu->chip->layout == PC_LAYOUT_GF100)
        return pc_pma_packet(gpu, data, size);
    return pc_memory_write(&gpu->memory, address, data, size);
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

/* One unit, or on GF100+ one a domain set: hub, GPCs, partitions; they share nothing.
 * PC.GF.1 PC.GF.9 */
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

/* Room for what several units do in a window of time; it is touched only as far as it is used. */
static enum pc_status add_window(struct pc_gpu *gpu, struct pc_error *err)
{
    size_t bytes = PC_GPU_PACKETS * sizeof *gpu->window.packet;

    if (gpu->units <= 1)
        return PC_OK;
    gpu->before = pc_calloc(&gpu->alloc, gpu->units, sizeof *gpu->before);
    gpu->window.packet = gpu->alloc.resize(gpu->alloc.ctx, NULL, 0, bytes);
    return gpu->before && gpu->window.packet
               ? PC_OK
               : pc_fail(err, 100, "no memory for the packets of %u units", gpu->units);
}

static enum pc_status add_parts(struct pc_gpu *gpu, size_t memory_limit, struct pc_error *err)
{
    struct pc_idle_desc idle = { .chip = gpu->chip, .alloc = &gpu->alloc };
    enum pc_status status = add_units(gpu, err);

    if (status == PC_OK)
        status = add_window(gpu, err);
    if (status == PC_OK && gpu->chip->idle_counters > 0)
        status = pc_idle_create(&idle, &gpu->idle, err);
    if (status == PC_OK)
        status =
            pc_engine_create(&(struct pc_engine_desc){ .alloc = &gpu->alloc }, &gpu->engine, err);
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
    struct pc_gpu *gpu = pc_calloc(&alloc, 1, sizeof *gpu);
    if (!gpu)
        return pc_fail(err, 100, "no memory for the device (%zu bytes)", sizeof *gpu);
    gpu->alloc = alloc;
    gpu->chip = desc->chip;
    gpu->boot_0 = (uint32_t)desc->chip->id << 20 | (desc->stepping ? desc->stepping : STEPPING);
    gpu->options.pm_latency = 4;
    gpu->write_cycles = 1;
    gpu->idle_period = 1;
    pc_gpu_gates_open(gpu);
    pc_platform_reset(gpu);
    enum pc_status status =
        add_parts(gpu, desc->memory_limit ? desc->memory_limit : 64u << 20, err);
    if (status != PC_OK) {
        pc_gpu_destroy(gpu);
        return status;
    }
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

void pc_gpu_domain_info(const struct pc_gpu *gpu, unsigned domain, struct pc_gpu_domain_info *out)
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
        enum pc_option_id id;
        uint32_t number;
        if (gpu->idle)
            return pc_idle_option(gpu->idle, name, value, err);
        enum pc_status known = pc_option_look_up(name, value, &id, &number, err);
        return known ? known : pc_gpu_no_idle(gpu, err);
    }

    enum pc_status status = PC_OK;
    if (gpu->units == 0)
        status = pc_device_option(name, value, &gpu->options, NULL, err);
    for (unsigned i = 0; i < gpu->units && status == PC_OK; i++)
        status = pc_device_option(name, value, &gpu->options, gpu->unit[i], err);
    return status;
}

bool pc_gpu_undecoded(const struct pc_gpu *gpu, uint32_t *address)
{
    if (gpu->undecoded && address)
        *address = gpu->undecoded_address;
    return gpu->undecoded;
}

/* Before an access: the pulses of the one before have their cycles; then this one is due. */
static void bus_access(struct pc_gpu *gpu, uint8_t kind)
{
    uint8_t cycles = pc_bus_cycles(gpu, kind);

    if (cycles == 0) {
        gpu->bus_pending = 0;
        return;
    }
    /* Time can end (a wave does); the pulse is then lost with it. */
    if (gpu->bus_pending) {
        enum pc_status status =
            pc_gpu_advance(gpu, pc_host_bus(gpu->chip)->domain, gpu->bus_cycles, NULL);
        (void)status;
    }
    gpu->bus_pending = kind;
    gpu->bus_cycles = cycles;
    gpu->bus_begun = false;
}

static void undecoded(struct pc_gpu *gpu, uint32_t address)
{
    if (!gpu->undecoded)
        gpu->undecoded_address = address;
    gpu->undecoded = true;
}

/* ---- GF100+ ---- */

#define READS_UNDECODED UINT32_C(0xbadf1100)

static bool in_gf100(const struct pc_gpu *gpu, uint32_t address)
{
    return gpu->chip->layout == PC_LAYOUT_GF100 && address >= PC_REG_GF100_BEGIN &&
           address < PC_REG_GF100_END;
}

static struct pc_unit *unit_of(const struct pc_gpu *gpu, const struct pc_reg_hit *hit)
{
    for (unsigned i = 0; i < gpu->units; i++)
        if ((uint8_t)gpu->unit[i]->set == hit->set && gpu->unit[i]->index == hit->unit)
            return gpu->unit[i];
    return NULL;
}

static void write_gf100(struct pc_gpu *gpu, uint32_t address, uint32_t value)
{
    struct pc_reg_hit hit;

    if (!pc_gpu_pcounter_on(gpu))
        return;
    if (!pc_regs_hit(gpu->chip, address, &hit)) {
        undecoded(gpu, address);
        return;
    }
    struct pc_unit *unit = unit_of(gpu, &hit);
    if (unit)
        pc_unit_write(unit, address, value);
    else
        pc_pma_write(&gpu->pma, &hit, value);
}

/* D-51: 0 inside a block that is there, badf1100 outside, badf1200 when disabled.
 * PC.GF.3 PC.GF.4 */
static uint32_t read_gf100(struct pc_gpu *gpu, uint32_t address)
{
    struct pc_reg_hit hit;

    if (!pc_gpu_pcounter_on(gpu))
        return PC_GPU_DISABLED;
    if (!pc_regs_hit(gpu->chip, address, &hit)) {
        undecoded(gpu, address);
        return pc_regs_block(gpu->chip, address) ? 0 : READS_UNDECODED;
    }
    struct pc_unit *unit = unit_of(gpu, &hit);
    return unit ? pc_unit_read(unit, address) : pc_pma_read(&gpu->pma, &hit);
}

/* How many GPCs and partitions there are, and which are disabled: none.  PC.GF.5 */
static bool read_counts(const struct pc_gpu *gpu, uint32_t address, uint32_t *value)
{
    static const struct {
        uint32_t address;
        enum pc_set set; /* PC_SET_ALL: a mask of disabled units */
    } rows[] = { { 0x022430, PC_SET_GPC }, { 0x022438, PC_SET_PART }, { 0x022504, PC_SET_ALL },
                 { 0x022584, PC_SET_ALL }, { 0x022548, PC_SET_ALL },  { 0x0225c8, PC_SET_ALL } };
    const struct pc_set_info *info;

    *value = 0;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (gpu->chip->layout != PC_LAYOUT_GF100 || rows[r].address != address)
            continue;
        for (size_t i = 0; (info = pc_chip_set(gpu->chip, i)) != NULL; i++)
            if (info->set == rows[r].set)
                *value = info->units;
        return true;
    }
    return false;
}

/* Registers around the units that drop writes, and are registers all the same. */
static bool read_only(const struct pc_gpu *gpu, uint32_t address)
{
    uint32_t value;

    return address == PMC_ID || read_counts(gpu, address, &value);
}

/* ---- accesses ---- */

static bool in_pcounter(const struct pc_gpu *gpu, uint32_t address)
{
    return gpu->chip->layout != PC_LAYOUT_GF100 && address >= PC_REG_BEGIN && address < PC_REG_END;
}

static void debug1_written(struct pc_gpu *gpu, uint32_t value)
{
    gpu->pgraph_debug1 = value & pc_gpu_debug1_mask(gpu->chip);
    if (value & PM_TRIGGER_BIT && gpu->units > 0) /* a write-one trigger, never stored */
        pc_unit_pulse(gpu->unit[0], PC_PULSE_PM_TRIGGER, gpu->options.pm_latency);
}

/* With a switch (D-90): the pair of pulses that PGRAPH sends.  What other engines send, bits 9 to
 * 12 and 18, is no signal of any trailer. */
static void gctrl_written(struct pc_gpu *gpu, uint32_t value)
{
    if (!gpu->options.gctrl_trigger || !(value & GCTRL_PGRAPH))
        return;
    pc_unit_pulse(gpu->unit[0], PC_PULSE_PM_TRIGGER, gpu->options.pm_latency);
    pc_unit_pulse(gpu->unit[0], PC_PULSE_WRCACHE_FLUSH, gpu->options.pm_latency);
}

static void write_pcounter(struct pc_gpu *gpu, uint32_t address, uint32_t value)
{
    struct pc_reg_hit hit;

    if (!pc_regs_hit(gpu->chip, address, &hit))
        undecoded(gpu, address);
    else if (hit.id == PC_R_GCTRL)
        gctrl_written(gpu, value);
    if (gpu->units > 0)
        pc_unit_write(gpu->unit[0], address, value);
}

static void write_register(struct pc_gpu *gpu, uint32_t address, uint32_t value)
{
    int row = pc_platform_at(gpu, address);
    uint32_t *gate = pc_gpu_gate_at(gpu, address);

    if (row >= 0) {
        gpu->platform[row] = value;
    } else if (in_pcounter(gpu, address)) {
        write_pcounter(gpu, address, value);
    } else if (in_gf100(gpu, address)) {
        write_gf100(gpu, address, value);
    } else if (address == PGRAPH_DEBUG_1 && gpu->chip->layout != PC_LAYOUT_GF100) {
        debug1_written(gpu, value);
    } else if (gate) {
        pc_gpu_gate_write(gpu, gate, value);
    } else if (!read_only(gpu, address) &&
               !pc_gpu_pdaemon_write(gpu, PC_IDLE_HOST, address, value)) {
        undecoded(gpu, address);
    }
}

void pc_gpu_write32(struct pc_gpu *gpu, uint32_t address, uint32_t value)
{
    bus_access(gpu, PC_BUS_WRITE);
    write_register(gpu, address, value);
    pc_gpu_let_pass(gpu, gpu->write_cycles);
}

static uint32_t read_register(struct pc_gpu *gpu, uint32_t address)
{
    int row = pc_platform_at(gpu, address);
    const uint32_t *gate = pc_gpu_gate_at(gpu, address);
    struct pc_reg_hit hit;
    uint32_t value = 0;

    if (row >= 0)
        return gpu->platform[row];
    if (in_pcounter(gpu, address)) {
        if (!pc_regs_hit(gpu->chip, address, &hit))
            undecoded(gpu, address);
        return gpu->units > 0 ? pc_unit_read(gpu->unit[0], address) : 0;
    }
    if (in_gf100(gpu, address))
        return read_gf100(gpu, address);
    if (address == PMC_ID)
        return gpu->boot_0;
    if (gate)
        return *gate;
    if (address == PGRAPH_DEBUG_1 && gpu->chip->layout != PC_LAYOUT_GF100)
        return gpu->pgraph_debug1;
    if (read_counts(gpu, address, &value))
        return value;
    if (!pc_gpu_pdaemon_read(gpu, PC_IDLE_HOST, address, &value))
        undecoded(gpu, address);
    return value;
}

uint32_t pc_gpu_read32(struct pc_gpu *gpu, uint32_t address)
{
    bus_access(gpu, PC_BUS_READ);
    uint32_t value = read_register(gpu, address);
    pc_gpu_let_pass(gpu, gpu->read_cycles);
    return value;
}
