/* SPDX-License-Identifier: MIT */
/*
 * A tool over stock libpciaccess, which knows nothing of the model: by the method of envytools'
 * nvacounter it finds the signals of the first domain that tell of accesses, and by that of
 * nvatiming a clock.
 *   client signals    a line for each count that is neither of the swap alone nor of all cycles:
 * it, the signal client clock      MHz of the domain, measured for 0.5 s of the wall clock
 */
#include <pciaccess.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile uint8_t *bar0;

static uint32_t in(uint32_t address)
{
    return *(volatile uint32_t *)(bar0 + address);
}

static void out(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(bar0 + address) = value;
}

/* Of domain 0, in the layout of NV40 to GT21x */
enum {
    SRC = 0xa400, /* PRE, START, EVENT, STOP: 0x40 apart */
    OP = 0xa420,
    CTR_CYCLES = 0xa600,
    CTRL = 0xa7c0,
    QUAD = 1,
    TRIGGER = 0x400084,
    OTHER = 0xa464 /* START_OP of domain 1 */
};
static const uint32_t counter[4] = { 0xa700, 0xa6c0, 0xa680, 0xa740 };

static void swap(void)
{
    out(TRIGGER, in(TRIGGER) | 0x20);
}

static void count_signals(unsigned first)
{
    out(CTRL, QUAD);
    for (unsigned s = 0; s < 4; s++) {
        out(SRC + 0x40 * s, first + s);
        out(OP + 0x40 * s, 0xaaaa);
    }
    swap();
}

/* 1000 reads and 200 writes of 1 to 8 bytes, most at odd addresses: each is one access. */
static void stimulus(void)
{
    for (unsigned i = 0; i < 1000; i++) {
        volatile void *at = bar0 + OTHER + i % 7;
        switch (i % 4) {
        case 0:
            (void)*(volatile uint8_t *)at;
            break;
        case 1:
            (void)*(volatile uint16_t *)at;
            break;
        case 2:
            (void)*(volatile uint32_t *)at;
            break;
        default:
            (void)*(volatile uint64_t *)at;
            break;
        }
    }
    for (unsigned i = 0; i < 200; i++) {
        volatile void *at = bar0 + OTHER + i % 7;
        switch (i % 4) {
        case 0:
            *(volatile uint8_t *)at = 0;
            break;
        case 1:
            *(volatile uint16_t *)at = 0;
            break;
        case 2:
            *(volatile uint32_t *)at = 0;
            break;
        default:
            *(volatile uint64_t *)at = 0;
            break;
        }
    }
}

static void find_signals(void)
{
    for (unsigned first = 0; first < 0x100; first += 4) {
        count_signals(first);
        stimulus();
        swap();
        const uint32_t cycles = in(CTR_CYCLES);
        for (unsigned s = 0; s < 4; s++) {
            const uint32_t count = in(counter[s]);
            if (count > 1 && count < cycles - 1)
                printf("%u %02x\n", (unsigned)count, first + s);
        }
    }
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
        find_signals();
    else
        measure_clock();
    pci_device_unmap_range(device, at, device->regions[0].size);
    pci_iterator_destroy(i);
    pci_system_cleanup();
    return 0;
}
