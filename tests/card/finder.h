/* SPDX-License-Identifier: MIT */
/*
 * By the method of envytools' nvacounter: which signals of the first domain tell of accesses.  In
 * the layout of NV40 to GT21x, through BAR0 alone; the includer has bar0.
 */
#ifndef FINDER_H
#define FINDER_H

#include <stdbool.h>
#include <stdint.h>

static uint32_t in(uint32_t address)
{
    return *(volatile uint32_t *)(bar0 + address);
}

static void out(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(bar0 + address) = value;
}

/* Registers of domain 0 */
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

/* 1000 reads and 200 writes of 1 to 8 bytes, each of them one access; most are at odd addresses, or
 * all at 0 in 1 to 4 bytes. */
static void stimulus(bool aligned)
{
    for (unsigned i = 0; i < 1000; i++) {
        volatile void *at = bar0 + OTHER + (aligned ? 0 : i % 7);
        switch (aligned ? i % 3 : i % 4) {
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
        volatile void *at = bar0 + OTHER + (aligned ? 0 : i % 7);
        switch (aligned ? i % 3 : i % 4) {
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

/* Each count that is neither of the swap alone nor of all cycles */
static void find_signals(bool aligned, void (*found)(uint32_t count, unsigned signal))
{
    for (unsigned first = 0; first < 0x100; first += 4) {
        count_signals(first);
        stimulus(aligned);
        swap();
        const uint32_t cycles = in(CTR_CYCLES);
        for (unsigned s = 0; s < 4; s++) {
            const uint32_t count = in(counter[s]);
            if (count > 1 && count < cycles - 1)
                found(count, first + s);
        }
    }
}

#endif
