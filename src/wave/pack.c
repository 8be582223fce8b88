/* SPDX-License-Identifier: MIT */
#include "wave/pack.h"

#include "base/bytes.h"

/* Reads eight characters, the leftmost lowest, of '0', '1', 'x', 'z': their low bits as a byte. */
static uint64_t low_bits(uint64_t eight)
{
    return (eight & UINT64_C(0x0101010101010101)) * UINT64_C(0x8040201008040201) >> 56;
}

/* Packs up to 64 characters, the last one being bit 0. */
static void pack_word(const char *bits, size_t count, uint64_t *value, uint64_t *unknown)
{
    uint64_t v = 0, u = 0;
    size_t i = 0;

    for (; i + 8 <= count; i += 8) {
        const uint64_t eight = pc_load_low_first((const uint8_t *)bits + i);
        const uint64_t odd = eight >> 6; /* of x and z, not of 0 and 1 */
        v = v << 8 | low_bits((eight & ~odd) | (eight >> 1 & odd));
        u = u << 8 | low_bits(odd);
    }
    for (; i < count; i++) {
        const bool odd = bits[i] > '1';
        v = v << 1 | (odd ? bits[i] == 'z' : bits[i] == '1');
        u = u << 1 | odd;
    }
    *value = v;
    *unknown = u;
}

/* Packs bits that are all 0 or 1; false: they are not. */
static bool pack_known(const char *bits, size_t count, uint64_t *value)
{
    uint64_t v = 0, all = 0;
    size_t i = 0;

    for (; i + 8 <= count; i += 8) {
        const uint64_t eight = pc_load_low_first((const uint8_t *)bits + i);
        v = v << 8 | low_bits(eight);
        all |= eight;
    }
    for (; i < count; i++) {
        v = v << 1 | (bits[i] & 1);
        all |= (uint8_t)bits[i];
    }
    *value = v;
    return (all & UINT64_C(0x4040404040404040)) == 0;
}

bool wv_pack(const char *bits, uint32_t width, uint64_t *value, uint64_t *unknown)
{
    uint64_t any = 0;

    for (size_t w = 0, left = width; left > 0; w++) {
        const size_t count = left < 64 ? left : 64;
        left -= count;
        unknown[w] = 0;
        if (!pack_known(bits + left, count, &value[w]))
            pack_word(bits + left, count, &value[w], &unknown[w]);
        any |= unknown[w];
    }
    return any != 0;
}
