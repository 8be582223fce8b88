/* SPDX-License-Identifier: MIT */
/*
 * nouveau's PERFMON over stock libpciaccess: what its engine writes and reads for an object with
 * four signals in a domain (init, next, sample, read), register by register.  It knows nothing of
 * the model.
 *   perfmon FAMILY DOMAIN SIZE SIGNAL...
 * FAMILY is nv40 (to GT21x: a domain's number) or gf100 (the domain's address); numbers are
 * hexadecimal, SIZE is that of the domain, which gf100 needs.  Prints a line for each signal, its
 * count, and the cycles of the period.
 */
#include <pciaccess.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTERS = 4, OWN = 0xaaaa, TRIGGER = 0x400084, PERIODS = 3, WORK = 500 };

static volatile uint32_t *bar0;

static uint32_t in(uint32_t address)
{
    return bar0[address / 4];
}

static void out(uint32_t address, uint32_t value)
{
    bar0[address / 4] = value;
}

struct domain {
    uint32_t at, size;
};

/* ---- NV40 to GT21x ---- */

static void nv40_init(const struct domain *d, const uint32_t *signal)
{
    for (uint32_t s = 0; s < COUNTERS; s++) {
        out(0xa7c0 + 4 * d->at, 1);
        out(0xa400 + 4 * d->at + 0x40 * s, signal[s]);
        out(0xa420 + 4 * d->at + 0x40 * s, OWN);
    }
}

static void nv40_next(const struct domain *d)
{
    (void)d;
    out(TRIGGER, 0x20);
}

static uint32_t nv40_read(const struct domain *d, uint32_t *count)
{
    static const uint32_t counter[COUNTERS] = { 0xa700, 0xa6c0, 0xa680, 0xa740 };

    for (uint32_t s = 0; s < COUNTERS; s++)
        count[s] = in(counter[s] + 4 * d->at);
    return in(0xa600 + 4 * d->at);
}

/* ---- GF100 and later ---- */

static void gf100_init(const struct domain *d, const uint32_t *signal)
{
    for (uint32_t s = 0; s < COUNTERS; s++) {
        out(d->at + 0x9c, 0x00040002);
        out(d->at + 0x100, 0);
        out(d->at + 0x40 + 8 * s, signal[s]);
        out(d->at + 0x44 + 8 * s, OWN);
    }
    out(d->at + 0x6c, 0xffffffe7); /* the object knows no size yet */
}

static void gf100_next(const struct domain *d)
{
    out(d->at + 0x6c, d->size - 0x40 + 0x27);
    out(d->at + 0xec, 0x11);
}

static uint32_t gf100_read(const struct domain *d, uint32_t *count)
{
    static const uint32_t counter[COUNTERS] = { 0x8c, 0x88, 0x80, 0x90 };

    for (uint32_t s = 0; s < COUNTERS; s++)
        count[s] = in(d->at + counter[s]);
    return in(d->at + 0x70);
}

static const struct family {
    const char *name;
    void (*init)(const struct domain *d, const uint32_t *signal);
    void (*next)(const struct domain *d);
    uint32_t (*read)(const struct domain *d, uint32_t *count);
} families[] = { { "nv40", nv40_init, nv40_next, nv40_read },
                 { "gf100", gf100_init, gf100_next, gf100_read } };

static void *map_card(void)
{
    const struct pci_id_match nvidia = { 0x10de, PCI_MATCH_ANY, PCI_MATCH_ANY, PCI_MATCH_ANY, 0, 0,
                                         0 };
    void *at = NULL;

    if (pci_system_init() != 0)
        return NULL;
    struct pci_device *device = pci_device_next(pci_id_match_iterator_create(&nvidia));
    if (!device || pci_device_probe(device) != 0 ||
        pci_device_map_range(device, device->regions[0].base_addr, device->regions[0].size,
                             PCI_DEV_MAP_FLAG_WRITABLE, &at) != 0)
        return NULL;
    return at;
}

/* A sample is the last period; the driver asks again where there is none, -EAGAIN. */
static int measure(const struct family *f, const struct domain *d, const uint32_t *signal,
                   int signals)
{
    uint32_t count[COUNTERS], cycles = 0;

    f->init(d, signal);
    f->next(d);
    for (int i = 0; i < PERIODS; i++) {
        for (int work = 0; work < WORK; work++)
            (void)in(0);
        f->next(d);
        cycles = f->read(d, count);
        if (cycles == 0) {
            printf("again\n");
            return 1;
        }
    }
    for (int s = 0; s < signals; s++)
        printf("%x %u %u\n", (unsigned)signal[s], (unsigned)count[s], (unsigned)cycles);
    return 0;
}

int main(int argc, char **argv)
{
    uint32_t signal[COUNTERS] = { 0 };
    const struct family *f = families;

    if (argc < 5 || argc > 4 + COUNTERS)
        return 2;
    if (strcmp(argv[1], f->name) != 0)
        f++;
    const struct domain d = { (uint32_t)strtoul(argv[2], NULL, 16),
                              (uint32_t)strtoul(argv[3], NULL, 16) };
    for (int i = 4; i < argc; i++)
        signal[i - 4] = (uint32_t)strtoul(argv[i], NULL, 16);
    bar0 = map_card();
    if (!bar0) {
        fprintf(stderr, "no card\n");
        return 2;
    }
    return measure(f, &d, signal, argc - 4);
}
