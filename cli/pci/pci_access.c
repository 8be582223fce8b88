/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, nanosleep */
#include "pci/pci.h"

#include <inttypes.h>
#include <time.h>

enum { BOOT_ID = 0, PTIMER_TIME_LOW = 0x9400 };
#define NOTHING UINT32_MAX /* what the bus reads without an answer */
#define SECOND  UINT64_C(1000000000)
/* PTIMER stands if it makes no step for so many ns and reads: a process may be held for longer */
#define STANDING       UINT64_C(10000000)
#define STANDING_READS 256
#define NAP            UINT64_C(1000000)

/* A register may be all ones; the boot id never is. */
static enum pc_status answer(struct pci_card *card, uint32_t value, uint32_t address,
                             struct pc_error *err)
{
    if (value != NOTHING || card->bar[BOOT_ID] != NOTHING)
        return PC_OK;
    card->gone = true;
    return cli_fail(err, 2105, "0x%06" PRIx32 " and the boot id read ffffffff", address);
}

enum pc_status pci_read(struct pci_card *card, uint32_t address, uint32_t *value,
                        struct pc_error *err)
{
    *value = card->bar[address / 4];
    return answer(card, *value, address, err);
}

enum pc_status pci_write(struct pci_card *card, uint32_t address, unsigned size, uint32_t value,
                         struct pc_error *err)
{
    (void)err; /* a write is not answered */
    for (size_t i = 0; i < card->count; i++)
        card->saved[i].written |= card->saved[i].address == (address & ~3u);
    card->written = true;
    if (size == 1)
        ((volatile uint8_t *)card->bar)[address] = (uint8_t)value;
    else if (size == 2)
        ((volatile uint16_t *)card->bar)[address / 2] = (uint16_t)value;
    else
        card->bar[address / 4] = value;
    return PC_OK;
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

enum pc_status pci_wait_ns(struct pci_card *card, uint64_t ns, struct pc_error *err)
{
    const struct timespec nap = { .tv_nsec = NAP };
    const uint64_t begin = now_ns();
    uint64_t now = begin, moved = begin, passed = 0, reads = 0;
    uint32_t last = card->bar[PTIMER_TIME_LOW / 4];

    while (!pci_stopped()) {
        const uint32_t time = card->bar[PTIMER_TIME_LOW / 4];
        const enum pc_status status = answer(card, time, PTIMER_TIME_LOW, err);
        if (status)
            return status;
        now = now_ns();
        reads++;
        if (time != last) {
            moved = now;
            reads = 0;
        }
        passed += (uint32_t)(time - last); /* it wraps after 4 s */
        last = time;
        const bool stands = now - moved > STANDING && reads >= STANDING_READS;
        if (now - begin >= ns && (passed >= ns || stands)) {
            card->stands |= passed < ns;
            break;
        }
        /* Sleep as long as PTIMER goes on as this machine's clock does. */
        if (ns - begin > now + 2 * NAP && ns > passed + 2 * NAP && passed > (now - begin) / 2)
            nanosleep(&nap, NULL);
    }
    return PC_OK;
}

uint64_t pci_hz(const struct pci_card *card)
{
    return card->options.hz ? card->options.hz : PCI_HZ;
}

enum pc_status pci_wait(struct pci_card *card, uint64_t cycles, struct pc_error *err)
{
    const uint64_t hz = pci_hz(card), seconds = cycles / hz;
    const uint64_t ns = seconds > UINT32_MAX
                            ? UINT32_MAX * SECOND
                            : seconds * SECOND + (cycles % hz * SECOND + hz - 1) / hz;

    const enum pc_status status = pci_wait_ns(card, ns, err);
    if (!status && !pci_stopped())
        card->cycles += cycles;
    return status;
}
