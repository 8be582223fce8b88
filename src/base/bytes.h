/* SPDX-License-Identifier: MIT */
/* Bytes as numbers, on any machine; of eight the compiler makes one load. */
#ifndef PC_BASE_BYTES_H
#define PC_BASE_BYTES_H

#include <stdint.h>

/* Returns the value of bytes of which the first is the lowest. */
static inline uint64_t pc_load_low_first(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

/* Returns the value of bytes of which the first is the highest: numbers in the order of texts. */
static inline uint64_t pc_load_high_first(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | p[7];
}

/* Returns the value of 1 to 8 bytes, of which the first is the lowest. */
static inline uint64_t pc_get_bytes(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static inline void pc_put_bytes(uint8_t *to, unsigned bytes, uint64_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

#endif
