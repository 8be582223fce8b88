/* SPDX-License-Identifier: MIT */
/*
 * Host-bus activity as signals (PC.HOST, D-34): where the chip's host domain has known signals for
 * reads and writes of a BAR, an access pulses them for one cycle of that domain, and the one
 * that counts a read three times (some chips have it) for three.
 */
#include "model/gpu/gpu.h"

#include <string.h>

static const struct pc_host_bus_row host_bus[] = {
#include "host_bus.inc"
};

const struct pc_host_bus_row *pc_host_bus(const struct pc_chip *chip)
{
    for (size_t i = 0; i < sizeof host_bus / sizeof host_bus[0]; i++)
        if (strcmp(host_bus[i].chip, chip->name) == 0)
            return &host_bus[i];
    return NULL; /* its host domain is in no document, or there is none: U-012 */
}

uint8_t pc_bus_cycles(const struct pc_gpu *gpu, uint8_t kind)
{
    const struct pc_host_bus_row *bus = pc_host_bus(gpu->chip);

    if (!bus || gpu->options.host_bus == PC_HOST_BUS_OFF)
        return 0;
    const struct pc_domain *d = &gpu->unit[0]->state.domain[bus->domain];
    uint8_t cycles = gpu->options.host_bus == PC_HOST_BUS_ALWAYS;

    for (unsigned n = 0; n <= PC_IN_STOP; n++) {
        for (unsigned i = 0; i < 4; i++) {
            int signal = d->src[n] >> (8 * i) & 0xff;
            if (signal == bus->read_triple && kind == PC_BUS_READ)
                return 3;
            if (signal == bus->read || signal == bus->write || signal == bus->any ||
                signal == bus->read_triple)
                cycles = 1;
        }
    }
    return cycles;
}

static void set(uint64_t *level, unsigned signal)
{
    level[signal / 64] |= UINT64_C(1) << (signal % 64);
}

/*
 * Makes the pulses of an access, from the host domain's next cycle on (PC.HOST, D-34): reads,
 * writes and any have one; the signal that counts a read three times stays for three cycles.
 */
void pc_bus_edge(struct pc_gpu *gpu, uint64_t edges, uint64_t (*raw)[PC_SIG_WORDS])
{
    const struct pc_host_bus_row *bus = pc_host_bus(gpu->chip);

    if (!bus || !(edges >> bus->domain & 1) || gpu->bus_pending == 0)
        return;
    bool read = gpu->bus_pending == PC_BUS_READ;
    if (!gpu->bus_begun) {
        set(raw[bus->domain], bus->any);
        set(raw[bus->domain], read ? bus->read : bus->write);
    }
    if (read && bus->read_triple >= 0)
        set(raw[bus->domain], (unsigned)bus->read_triple);
    gpu->bus_begun = --gpu->bus_cycles > 0;
    if (gpu->bus_cycles == 0)
        gpu->bus_pending = 0;
}

bool pc_bus_waits(const struct pc_gpu *gpu, const struct pc_run_domain *domain)
{
    const struct pc_host_bus_row *bus = pc_host_bus(gpu->chip);

    return bus && gpu->bus_pending != 0 && !domain[bus->domain].still;
}
