/* SPDX-License-Identifier: MIT */
/*
 * A tool over stock libpciaccess, which knows nothing of the model: by the method of envytools'
 * nvacounter it finds the signals of the first domain that tell of accesses, and by that of
 * nvatiming a clock.
 *   client signals [aligned]   a line for each count that tells something: it, the signal
 *   client clock [DOMAIN]      the least and the most kHz that a domain may have by its cycles and
 *                              PTIMER; DOMAIN is its address on GF100 and later
 */
#include <pciaccess.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile uint8_t *bar0;

#include "finder.h"

static void tell(uint32_t count, unsigned signal)
{
    printf("%u %02x\n", (unsigned)count, signal);
}

/* PTIMER, in ns */
static uint64_t card_ns(void)
{
    uint32_t high, low;

    do {
        high = in(0x9410);
        low = in(0x9400);
    } while (in(0x9410) != high);
    return (uint64_t)high << 32 | low;
}

/* On GF100 and later a counter of all cycles is cleared, and read as it runs. */
static uint64_t begin(uint32_t domain)
{
    if (domain) {
        out(domain + 0x9c, 0x40002);
        out(domain + 0x44, 0xffff);
        out(domain + 0xa8, 0);
    } else {
        count_signals(0);
    }
    return card_ns();
}

/* Cycles since, at some time between the two of *ns. */
static uint32_t end(uint32_t domain, uint64_t ns[2])
{
    uint32_t cycles;

    ns[0] = card_ns();
    if (domain) {
        cycles = in(domain + 0xa8);
    } else {
        swap();
        cycles = in(CTR_CYCLES);
    }
    ns[1] = card_ns();
    return cycles;
}

/* The clock is between these two, whenever this program was stopped: kHz. */
static void measure_clock(uint32_t domain)
{
    const struct timespec pause = { .tv_nsec = 200000000 };
    uint64_t ns[2];

    const uint64_t before = card_ns(), after = begin(domain);
    nanosleep(&pause, NULL);
    const uint32_t cycles = end(domain, ns);
    printf("%.0f %.0f\n", cycles * 1e6 / (double)(ns[1] - before),
           cycles * 1e6 / (double)(ns[0] - after));
}

int main(int argc, char **argv)
{
    const struct pci_id_match nvidia = { 0x10de, PCI_MATCH_ANY, PCI_MATCH_ANY, PCI_MATCH_ANY, 0, 0,
                                         0 };
    void *at;

    if (argc < 2 || pci_system_init() != 0)
        return 1;
    struct pci_device_iterator *i = pci_id_match_iterator_create(&nvidia);
    struct pci_device *device = pci_device_next(i);
    if (!device || pci_device_probe(device) != 0 ||
        pci_device_map_range(device, device->regions[0].base_addr, device->regions[0].size,
                             PCI_DEV_MAP_FLAG_WRITABLE, &at) != 0) {
        fprintf(stderr, "no card\n");
        return 1;
    }
    bar0 = at;
    fprintf(stderr, "%04x %08x\n", (unsigned)device->device_id, (unsigned)in(0));
    if (strcmp(argv[1], "signals") == 0)
        find_signals(argc > 2 && strcmp(argv[2], "aligned") == 0, tell);
    else
        measure_clock(argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 16) : 0);
    pci_device_unmap_range(device, at, device->regions[0].size);
    pci_iterator_destroy(i);
    pci_system_cleanup();
    return 0;
}
