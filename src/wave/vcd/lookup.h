/* SPDX-License-Identifier: MIT */
/* From an identifier in the text to its value stream, for those who parse values. */
#ifndef PC_WAVE_VCD_LOOKUP_H
#define PC_WAVE_VCD_LOOKUP_H

#include "base/bytes.h"
#include "wave/vcd/vcd.h"

/*
 * Returns the stream of an identifier of one to four characters, lowest byte first, without a
 * branch that depends on how many there are.
 */
static inline uint32_t vcd_short_code(const struct vcd_ids *ids, uint64_t text, unsigned length)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    const uint64_t mask = (UINT64_C(1) << 8 * length) - 1;
    const uint64_t id = text & mask, filled = id | (ones * '!' & ~mask);
    const unsigned gap = ids->order == VCD_LOW_FIRST ? 0 : 8 * (4 - length);

    if ((filled | (filled + ones) | (filled - ones * '!')) & tops)
        return VCD_NO_CODE; /* a character is none of those */
    const uint32_t digits = (uint32_t)((id - (ones * ' ' & mask)) << gap);
    const uint32_t a = digits & 0xff, b = digits >> 8 & 0xff, c = digits >> 16 & 0xff,
                   d = digits >> 24,
                   n = ids->order == VCD_LOW_FIRST ? a + 94 * (b + 94 * (c + 94 * d))
                                                   : d + 94 * (c + 94 * (b + 94 * a));
    return n < ids->directs ? ids->direct[n] - 1 : VCD_NO_CODE;
}

/* Looks up an identifier of any length. */
static inline uint32_t vcd_long_lookup(const struct vcd_ids *ids, const uint8_t *p,
                                       const uint8_t **end)
{
    const uint8_t *q = p;

    while (*q > ' ')
        q++;
    *end = q;
    if (ids->order != VCD_HASH)
        return VCD_NO_CODE;
    return vcd_ids_find(ids, (const char *)p, (size_t)(q - p));
}

/*
 * Reads an identifier; *end is set after it.  VCD_NO_CODE if it was not declared.  Eight bytes may
 * be read.
 */
static inline uint32_t vcd_lookup(const struct vcd_ids *ids, const uint8_t *p, const uint8_t **end)
{
    const uint64_t text = pc_load_low_first(p);
    const uint64_t blanks =
        (text - UINT64_C(0x2121212121212121)) & ~text & UINT64_C(0x8080808080808080);

    /* none at all: 0 characters are number 0, which is not used */
    if (ids->order == VCD_HASH || !(blanks & UINT64_C(0x8080808000)))
        return vcd_long_lookup(ids, p, end);
    const unsigned length = (unsigned)__builtin_ctzll(blanks) / 8;
    *end = p + length;
    return vcd_short_code(ids, text, length);
}

#endif
