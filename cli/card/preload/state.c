/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "state.h"

#include <cpuid.h>
#include <stdbool.h>
#include <string.h>

/* The legacy part of the area, and what the kernel says of the rest of it (<asm/sigcontext.h>) */
enum {
    ST = 32,
    XMM = 160,
    MAGIC_AT = 464,
    FEATURES_AT = 472,
    PRESENT_AT = 512,
    MAGIC = 0x46505853,
    /* components */
    OF_SSE = 1,
    OF_YMM = 2, /* bytes 16 to 31 of 0 to 15 */
    OF_MASKS = 5,
    OF_ZMM = 6, /* bytes 32 to 63 of those */
    OF_HIGH = 7 /* 16 to 31 */
};

static uint8_t *area_of(const ucontext_t *c)
{
    return (uint8_t *)c->uc_mcontext.fpregs;
}

static uint64_t word_at(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

/* Returns true if the area has more than what FXSAVE has. */
static bool has_component(const uint8_t *area, unsigned component)
{
    uint32_t magic;

    memcpy(&magic, area + MAGIC_AT, sizeof magic);
    return magic == MAGIC && word_at(area + FEATURES_AT) >> component & 1;
}

/* Returns where a component is, of `size` bytes; 0: there is none. */
static unsigned place_of(unsigned component, unsigned *size)
{
    unsigned bytes = 0, place = 0, c, d;

    __cpuid_count(0xd, component, bytes, place, c, d);
    (void)c, (void)d;
    *size = bytes;
    return place;
}

/* Reads bytes of a component; false: all are 0. */
static bool read_part(const ucontext_t *c, unsigned component, unsigned at, void *out,
                      unsigned size)
{
    const uint8_t *area = area_of(c);
    unsigned whole, place;

    memset(out, 0, size);
    if (!has_component(area, component) || !(word_at(area + PRESENT_AT) >> component & 1) ||
        !(place = place_of(component, &whole)) || at + size > whole)
        return false;
    memcpy(out, area + place + at, size);
    return true;
}

static void write_part(ucontext_t *c, unsigned component, unsigned at, const void *in,
                       unsigned size)
{
    uint8_t *area = area_of(c);
    unsigned whole, place;

    if (!has_component(area, component) || !(place = place_of(component, &whole)) ||
        at + size > whole)
        return;
    uint64_t present = word_at(area + PRESENT_AT);
    if (!(present >> component & 1)) { /* what is not there is 0 */
        memset(area + place, 0, whole);
        present |= UINT64_C(1) << component;
        memcpy(area + PRESENT_AT, &present, sizeof present);
    }
    memcpy(area + place + at, in, size);
}

/* xmm0 to xmm15 are 0 if the kernel says that SSE is as at the start. */
static bool sse_is_there(const uint8_t *area)
{
    return !has_component(area, OF_SSE) || word_at(area + PRESENT_AT) >> OF_SSE & 1;
}

void state_vector(const ucontext_t *c, unsigned number, uint8_t out[STATE_VECTOR])
{
    const uint8_t *area = area_of(c);

    memset(out, 0, STATE_VECTOR);
    if (number >= 16) {
        read_part(c, OF_HIGH, (number - 16) * 64, out, 64);
        return;
    }
    if (sse_is_there(area))
        memcpy(out, area + XMM + 16 * number, 16);
    read_part(c, OF_YMM, number * 16, out + 16, 16);
    read_part(c, OF_ZMM, number * 32, out + 32, 32);
}

void state_set_vector(ucontext_t *c, unsigned number, const uint8_t in[STATE_VECTOR])
{
    uint8_t *area = area_of(c);

    if (number >= 16) {
        write_part(c, OF_HIGH, (number - 16) * 64, in, 64);
        return;
    }
    if (!sse_is_there(area)) {
        const uint64_t present = word_at(area + PRESENT_AT) | UINT64_C(1) << OF_SSE;
        memset(area + XMM, 0, 16 * 16);
        memcpy(area + PRESENT_AT, &present, sizeof present);
    }
    memcpy(area + XMM + 16 * number, in, 16);
    write_part(c, OF_YMM, number * 16, in + 16, 16);
    write_part(c, OF_ZMM, number * 32, in + 32, 32);
}

uint64_t state_mask(const ucontext_t *c, unsigned number)
{
    uint64_t value;

    read_part(c, OF_MASKS, number * 8, &value, sizeof value);
    return value;
}

void state_set_mask(ucontext_t *c, unsigned number, uint64_t value)
{
    write_part(c, OF_MASKS, number * 8, &value, sizeof value);
}

uint64_t state_mmx(const ucontext_t *c, unsigned number)
{
    return word_at(area_of(c) + ST + 16 * number);
}
