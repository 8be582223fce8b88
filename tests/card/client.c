/* SPDX-License-Identifier: MIT */
/*
 * A tool over stock libpciaccess, which knows nothing of the model: by the method of envytools'
 * nvacounter it finds the signals of the first domain that tell of accesses, and by that of
 * nvatiming a clock.
 *   client signals [aligned]   a line for each count that tells something: it, the signal
 *   client clock               MHz of the domain, measured for 0.5 s of the wall clock
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

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void measure_clock(void)
{
    const struct timespec pause = { .tv_nsec = 500000000 };

    count_signals(0);
    const uint64_t from = now_ns();
    nanosleep(&pause, NULL);
    swap();
    const uint64_t ns = now_ns() - from;
    printf("%.0f\n", in(CTR_CYCLES)*1000.0 / (double)ns);
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
        measure_clock();
    pci_device_unmap_range(device, at, device->regions[0].size);
    pci_iterator_destroy(i);
    pci_system_cleanup();
    return 0;
}
