/* SPDX-License-Identifier: MIT */
/*
 * Accesses of the card's MMIO: which register stands at an address, and what a transaction of 1, 2,
 * 4 or 8 bytes makes of it.
 *
 * Bus signals (host_bus.c): two accesses cannot share a cycle of the bus, so an access waits
 * for the pulses before it.  By default (option host-bus=auto) this is done only while the host
 * domain selects one of these signals; otherwise an access takes just the cycles that
 * pc_gpu_latency() says.
 *
 * Not modelled: PGRAPH method 0140 (U-011).
 */
#include "model/gpu/gpu.h"

#include "model/regs/regs.h"

#define PMC_ID         UINT32_C(0x000000)
#define PGRAPH_DEBUG_1 UINT32_C(0x400084)
#define PM_TRIGGER_BIT UINT32_C(0x20)
#define GCTRL_PGRAPH   UINT32_C(0x100) /* no field: what it does is not established (D-90) */

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

/* ---- what stands where ---- */

#define READS_UNDECODED UINT32_C(0xbadf1100)

enum access_what {
    NOTHING, /* of this device */
    HOLE,    /* no register, in the range of PCOUNTER */
    STORED,  /* a row of platform.c */
    COUNTER, /* a register of a unit, or of MAIN */
    OFF,     /* PCOUNTER is, and hides its registers */
    BOOT_0,
    SWITCH, /* of engines */
    DEBUG_1,
    HOW_MANY, /* GPCs and partitions there are */
    PTIMER,
    IDLE_COUNTERS /* PDAEMON's */
};

struct access_place {
    enum access_what what;
    int row;               /* STORED */
    struct pc_reg_hit hit; /* COUNTER */
    struct pc_unit *unit;  /* COUNTER; NULL: MAIN's */
    uint32_t value;        /* of HOW_MANY, IDLE */
};

/* Reads how many GPCs and partitions there are, and which are disabled: none. PC.GF.5. */
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

static struct pc_unit *unit_of(const struct pc_gpu *gpu, const struct pc_reg_hit *hit)
{
    if (gpu->chip->layout != PC_LAYOUT_GF100)
        return gpu->unit[0];
    for (unsigned i = 0; i < gpu->units; i++)
        if ((uint8_t)gpu->unit[i]->set == hit->set && gpu->unit[i]->index == hit->unit)
            return gpu->unit[i];
    return NULL;
}

static bool in_pcounter(const struct pc_gpu *gpu, uint32_t address)
{
    if (gpu->chip->layout == PC_LAYOUT_GF100)
        return address >= PC_REG_GF100_BEGIN && address < PC_REG_GF100_END;
    return address >= PC_REG_BEGIN && address < PC_REG_END;
}

static void find_counter(const struct pc_gpu *gpu, uint32_t address, struct access_place *p)
{
    p->what = HOLE;
    if (!pc_gpu_pcounter_on(gpu)) {
        p->what = OFF;
    } else if (pc_regs_hit(gpu->chip, address, &p->hit)) {
        p->what = COUNTER;
        p->unit = unit_of(gpu, &p->hit);
    }
}

/* `address`: a multiple of 4 */
static struct access_place place_of(const struct pc_gpu *gpu, uint32_t address)
{
    struct access_place p = { .what = NOTHING, .row = pc_platform_at(gpu, address) };

    if (p.row >= 0)
        p.what = STORED;
    else if (in_pcounter(gpu, address))
        find_counter(gpu, address, &p);
    else if (address == PMC_ID)
        p.what = BOOT_0;
    else if (pc_gpu_gate_at(gpu, address))
        p.what = SWITCH;
    else if (address == PGRAPH_DEBUG_1 && gpu->chip->layout != PC_LAYOUT_GF100)
        p.what = DEBUG_1;
    else if (pc_ptimer_at(gpu, address))
        p.what = PTIMER;
    else if (read_counts(gpu, address, &p.value))
        p.what = HOW_MANY;
    else if (pc_gpu_pdaemon_read(gpu, PC_IDLE_HOST, address, &p.value))
        p.what = IDLE_COUNTERS;
    return p;
}

bool pc_gpu_decodes(const struct pc_gpu *gpu, uint32_t address)
{
    const struct access_place p = place_of(gpu, address & ~UINT32_C(3));

    return p.what != NOTHING && p.what != HOLE;
}

/* ---- a register is read ---- */

static uint32_t read_nothing(struct pc_gpu *gpu, uint32_t address, unsigned lane)
{
    uint32_t value = 0;

    if (gpu->other && gpu->other(gpu->other_ctx, address, false, &value))
        return value;
    undecoded(gpu, address + lane);
    return 0;
}

/* D-51: 0 inside a block that is there, badf1100 outside.  PC.GF.3 */
static uint32_t read_hole(struct pc_gpu *gpu, uint32_t address, unsigned lane)
{
    undecoded(gpu, address + lane);
    if (gpu->chip->layout != PC_LAYOUT_GF100)
        return 0;
    return pc_regs_block(gpu->chip, address) ? 0 : READS_UNDECODED;
}

/* `lane`: of its bytes, the first that the access is about */
static uint32_t read_register(struct pc_gpu *gpu, uint32_t address, unsigned lane)
{
    const struct access_place p = place_of(gpu, address);

    switch (p.what) {
    case NOTHING:
        return read_nothing(gpu, address, lane);
    case HOLE:
        return read_hole(gpu, address, lane);
    case STORED:
        return gpu->platform[p.row];
    case COUNTER:
        return p.unit ? pc_unit_read(p.unit, address) : pc_pma_read(&gpu->pma, &p.hit);
    case OFF: /* D-51, PC.GF.4 */
        return PC_GPU_DISABLED;
    case BOOT_0:
        return gpu->boot_0;
    case SWITCH:
        return *pc_gpu_gate_at(gpu, address);
    case DEBUG_1:
        return gpu->pgraph_debug1;
    case PTIMER:
        return pc_ptimer_read(gpu, address);
    case HOW_MANY:
    case IDLE_COUNTERS:
        break;
    }
    return p.value;
}

/* ---- a register is written ---- */

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

static void write_counter(struct pc_gpu *gpu, const struct access_place *p, uint32_t address,
                          uint32_t value)
{
    if (gpu->chip->layout != PC_LAYOUT_GF100 && p->hit.id == PC_R_GCTRL)
        gctrl_written(gpu, value);
    if (p->unit)
        pc_unit_write(p->unit, address, value);
    else
        pc_pma_write(&gpu->pma, &p->hit, value);
}

/* A unit before GF100 also has a diagnostic for it. */
static void write_hole(struct pc_gpu *gpu, uint32_t address, unsigned lane, uint32_t value)
{
    undecoded(gpu, address + lane);
    if (gpu->units > 0 && gpu->chip->layout != PC_LAYOUT_GF100)
        pc_unit_write(gpu->unit[0], address, value);
}

static void write_register(struct pc_gpu *gpu, uint32_t address, unsigned lane, uint32_t value)
{
    const struct access_place p = place_of(gpu, address);

    switch (p.what) {
    case NOTHING:
        if (!gpu->other || !gpu->other(gpu->other_ctx, address, true, &value))
            undecoded(gpu, address + lane);
        break;
    case HOLE:
        write_hole(gpu, address, lane, value);
        break;
    case STORED:
        gpu->platform[p.row] = value;
        break;
    case COUNTER:
        write_counter(gpu, &p, address, value);
        break;
    case SWITCH:
        pc_gpu_gate_write(gpu, address, value);
        break;
    case DEBUG_1:
        debug1_written(gpu, value);
        break;
    case PTIMER:
        pc_ptimer_write(gpu, address, value);
        break;
    case IDLE_COUNTERS:
        (void)pc_gpu_pdaemon_write(gpu, PC_IDLE_HOST, address, value);
        break;
    case OFF:
    case BOOT_0:
    case HOW_MANY: /* dropped */
        break;
    }
}

/* ---- accesses ---- */

/* The registers that a transaction reaches: the first one's address, and how many.  `lane`: the
 * first byte's place in the first of them. */
struct reach {
    uint32_t word;
    unsigned lane, words, size;
};

static struct reach reach_of(uint32_t address, unsigned size)
{
    struct reach r = { .word = address & ~UINT32_C(3), .lane = address & 3, .size = size };

    r.size = size == 0 ? 1 : size > 8 ? 8 : size;
    r.words = (r.lane + r.size + 3) / 4;
    return r;
}

uint64_t pc_gpu_read(struct pc_gpu *gpu, uint32_t address, unsigned size)
{
    const struct reach r = reach_of(address, size);
    uint64_t value = 0;

    bus_access(gpu, PC_BUS_READ);
    for (unsigned i = 0; i < r.words; i++) {
        uint64_t word = read_register(gpu, r.word + 4 * i, i == 0 ? r.lane : 0);
        value |= i == 0 ? word >> 8 * r.lane : word << 8 * (4 * i - r.lane);
    }
    pc_gpu_let_pass(gpu, gpu->read_cycles);
    return r.size == 8 ? value : value & ((UINT64_C(1) << 8 * r.size) - 1);
}

/* Writes the bytes of the i-th register that the transaction writes: their bits. */
static uint32_t written_bits(const struct reach *r, unsigned i)
{
    uint32_t bits = 0;

    for (unsigned byte = 0; byte < 4; byte++)
        if (4 * i + byte >= r->lane && 4 * i + byte < r->lane + r->size)
            bits |= UINT32_C(0xff) << 8 * byte;
    return bits;
}

void pc_gpu_write(struct pc_gpu *gpu, uint32_t address, unsigned size, uint64_t value)
{
    const struct reach r = reach_of(address, size);

    bus_access(gpu, PC_BUS_WRITE);
    for (unsigned i = 0; i < r.words; i++) {
        const uint32_t bits = written_bits(&r, i), at = r.word + 4 * i;
        const unsigned lane = i == 0 ? r.lane : 0;
        uint32_t word =
            (uint32_t)(i == 0 ? value << 8 * r.lane : value >> 8 * (4 * i - r.lane)) & bits;
        if (bits != UINT32_MAX) /* the other bytes stay as they read: U-028 */
            word |= read_register(gpu, at, lane) & ~bits;
        write_register(gpu, at, lane, word);
    }
    pc_gpu_let_pass(gpu, gpu->write_cycles);
}

void pc_gpu_write32(struct pc_gpu *gpu, uint32_t address, uint32_t value)
{
    pc_gpu_write(gpu, address, 4, value);
}

uint32_t pc_gpu_read32(struct pc_gpu *gpu, uint32_t address)
{
    return (uint32_t)pc_gpu_read(gpu, address, 4);
}
