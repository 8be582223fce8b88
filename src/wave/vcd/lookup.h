/* SPDX-License-Identifier: MIT */
/* From an identifier in the text to its value stream, for those who parse values. */
#ifndef PC_WAVE_VCD_LOOKUP_H
#define PC_WAVE_VCD_LOOKUP_H

#include "wave/vcd/vcd.h"

/* Reads an identifier; *end is set after it.  VCD_NO_CODE if it was not declared. */
static inline uint32_t vcd_lookup(const struct vcd_ids *ids, const uint8_t *p, const uint8_t **end)
{
    static const uint32_t weight[4] = { 1, 94, 94 * 94, 94 * 94 * 94 };
    const uint8_t *q = p;
    uint32_t n = 0;

    if (ids->order == VCD_LOW_FIRST) {
        for (; (uint8_t)(*q - '!') < 94 && q - p < 4; q++)
            n += (uint32_t)(*q - ' ') * weight[q - p];
    } else if (ids->order == VCD_HIGH_FIRST) {
        for (; (uint8_t)(*q - '!') < 94 && q - p < 4; q++)
            n = n * 94 + (uint32_t)(*q - ' ');
    }
    if (*q <= ' ' && q > p) {
        *end = q;
        return n < ids->directs ? ids->direct[n] - 1 : VCD_NO_CODE;
    }
    while (*q > ' ')
        q++;
    *end = q;
    if (ids->order != VCD_HASH)
        return VCD_NO_CODE;
    return vcd_ids_find(ids, (const char *)p, (size_t)(q - p));
}

#endif
