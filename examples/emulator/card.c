/* SPDX-License-Identifier: MIT */
/*
 * A whole card on an emulator's bus: the two hooks of its BAR0 have the shape that QEMU, xemu and
 * others give to those of a memory region, and each access takes a microsecond of the card's time.
 * The guest is a tool that does not know the model: it finds out which signals of the first
 * domain show accesses, and what the domain's clock is, for each chip in the arguments.
 */
#include "pcounter-model.h"

#include <stdio.h>
#include <stdlib.h>

enum { ACCESS_NS = 1000, CLOCK_HZ = 575000000 };

struct card {
    struct pc_gpu *gpu;
    uint64_t accesses;
};

/* ---- the emulator's side ---- */

static void must(enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static void takes_time(struct card *card)
{
    struct pc_error err;

    card->accesses++;
    must(pc_gpu_elapse(card->gpu, ACCESS_NS, &err), &err);
}

static uint64_t bar0_read(void *opaque, uint64_t address, unsigned size)
{
    struct card *card = opaque;
    uint64_t value = pc_gpu_read(card->gpu, (uint32_t)address, size);

    takes_time(card);
    return value;
}

static void bar0_write(void *opaque, uint64_t address, uint64_t value, unsigned size)
{
    struct card *card = opaque;

    pc_gpu_write(card->gpu, (uint32_t)address, size, value);
    takes_time(card);
}

static struct card plug_in(const char *chip)
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find(chip), .ptimer = true };
    struct card card = { .gpu = NULL };
    struct pc_error err;

    if (!desc.chip) {
        fprintf(stderr, "no chip has the name %s\n", chip);
        exit(1);
    }
    must(pc_gpu_create(&desc, &card.gpu, &err), &err);
    pc_gpu_latency(card.gpu, 0, 0); /* the bus has the time */
    must(pc_gpu_clock_hz(card.gpu, PC_DOM_EVERY, CLOCK_HZ, &err), &err);
    return card;
}

/* ---- the guest, which has only these two ---- */

static uint32_t in(struct card *card, uint32_t address)
{
    return (uint32_t)bar0_read(card, address, 4);
}

static void out(struct card *card, uint32_t address, uint32_t value)
{
    bar0_write(card, address, value, 4);
}

/* Of domain 0, in the layout of NV40 to GT21x */
enum {
    SRC = 0xa400, /* PRE, START, EVENT, STOP: 0x40 apart */
    OP = 0xa420,
    CTR_CYCLES = 0xa600,
    CTRL = 0xa7c0,
    QUAD = 1,
    TRIGGER = 0x400084,
    OTHER = 0xa464, /* START_OP of domain 1 */
    TIME_LOW = 0x9400
};
static const uint32_t counter[4] = { 0xa700, 0xa6c0, 0xa680, 0xa740 };

static void swap(struct card *card)
{
    out(card, TRIGGER, in(card, TRIGGER) | 0x20);
}

static void count_signals(struct card *card, unsigned first)
{
    out(card, CTRL, QUAD);
    for (unsigned s = 0; s < 4; s++) {
        out(card, SRC + 0x40 * s, first + s);
        out(card, OP + 0x40 * s, 0xaaaa);
    }
    swap(card);
}

/* 1000 reads and 200 writes, of 1 to 8 bytes, most of them across registers: each is one access. */
static void stimulus(struct card *card)
{
    for (unsigned i = 0; i < 1000; i++)
        (void)bar0_read(card, OTHER + i % 7, 1u << i % 4);
    for (unsigned i = 0; i < 200; i++)
        bar0_write(card, OTHER + i % 7, 0, 1u << i % 4);
}

/* The swap at the end is a read and a write more. */
static const char *meaning(uint32_t count)
{
    return count == 1001   ? "each read"
           : count == 201  ? "each write"
           : count == 1202 ? "each access"
           : count == 3003 ? "each read, three cycles"
           : count > 10000 ? "bit 12 of PTIMER"
                           : "?";
}

static void find_signals(struct card *card)
{
    for (unsigned first = 0; first < 0x100; first += 4) {
        count_signals(card, first);
        stimulus(card);
        swap(card);
        const uint32_t cycles = in(card, CTR_CYCLES);
        for (unsigned s = 0; s < 4; s++) {
            const uint32_t count = in(card, counter[s]);
            if (count > 1 && count < cycles - 1)
                printf("  signal %02x  %5u  %s\n", first + s, (unsigned)count, meaning(count));
        }
    }
}

static void measure_clock(struct card *card)
{
    count_signals(card, 0);
    const uint32_t from = in(card, TIME_LOW);
    while (in(card, TIME_LOW) - from < 10000000)
        ;
    const uint32_t ns = in(card, TIME_LOW) - from;
    swap(card);
    printf("  clock      %.0f MHz\n", in(card, CTR_CYCLES) * 1000.0 / ns);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct card card = plug_in(argv[i]);
        printf("%s, PMC.BOOT_0 %08x\n", argv[i], (unsigned)in(&card, 0));
        find_signals(&card);
        measure_clock(&card);
        printf("  accesses   %llu\n", (unsigned long long)card.accesses);
        pc_gpu_destroy(card.gpu);
    }
    return 0;
}
