/* SPDX-License-Identifier: MIT */
/*
 * Inflating as in RFC 1950 and 1951.  A match is copied by doubling what is repeated, so that 258
 * equal bytes take hardly longer than one.  Presets and all that is
 * not as it has to be give false.
 */
#include "wave/fst_inflate.h"

#include <string.h>
#include <zlib.h>

enum { LITERALS = 286, DISTANCES = 30, END_OF_BLOCK = 256, BEFORE = FST_INFLATE_PART };

/* ---- bits ---- */

static void refill(struct fst_inflate *z)
{
    if (z->end - z->at >= 8) {
        const uint8_t *p = z->at;
        const uint64_t eight = p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
                               (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
                               (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
        z->bits |= eight << z->count;
        z->at += (63 - z->count) / 8;
        z->count |= 56;
        return;
    }
    for (; z->count < 56 && z->at < z->end; z->count += 8)
        z->bits |= (uint64_t)*z->at++ << z->count;
}

/* The next n < 32 bits, after refill(). */
static bool take(struct fst_inflate *z, unsigned n, uint32_t *value)
{
    if (n > z->count)
        return false;
    *value = (uint32_t)(z->bits & ((UINT64_C(1) << n) - 1));
    z->bits >>= n;
    z->count -= n;
    return true;
}

static bool take_symbol(struct fst_inflate *z, const struct fst_codes *c, uint32_t *symbol)
{
    const unsigned entry = c->symbol[z->bits & ((1u << c->bits) - 1)], bits = entry & 15;

    *symbol = entry >> 4;
    if (bits == 0 || bits > z->count)
        return false;
    z->bits >>= bits;
    z->count -= bits;
    return true;
}

/* ---- codes ---- */

static unsigned mirrored(unsigned code, unsigned bits)
{
    unsigned out = 0;

    for (unsigned i = 0; i < bits; i++)
        out |= (code >> i & 1) << (bits - 1 - i);
    return out;
}

/* Codes from how long they are; single: one of one bit alone is fine, or none. */
static bool make_codes(struct fst_codes *c, const uint8_t *length, unsigned symbols, bool single)
{
    unsigned count[16] = { 0 }, next[16] = { 0 }, most = 15;
    int left = 1;

    for (unsigned i = 0; i < symbols; i++)
        count[length[i]]++;
    while (most > 0 && count[most] == 0)
        most--;
    count[0] = 0;
    for (unsigned b = 1; b <= 15; b++) {
        next[b] = (next[b - 1] + count[b - 1]) << 1;
        left = 2 * left - (int)count[b];
        if (left < 0)
            return false;
    }
    if (left > 0 && !(single && most <= 1))
        return false;
    c->bits = most > 0 ? most : 1;
    memset(c->symbol, 0, sizeof c->symbol[0] << c->bits);
    for (unsigned i = 0; i < symbols; i++) {
        if (length[i] == 0)
            continue;
        const unsigned step = 1u << length[i];
        for (unsigned k = mirrored(next[length[i]]++, length[i]); k >> c->bits == 0; k += step)
            c->symbol[k] = (uint16_t)(i << 4 | length[i]);
    }
    return true;
}

static bool fixed_codes(struct fst_inflate *z)
{
    uint8_t length[288];

    memset(length, 8, 144);
    memset(length + 144, 9, 112);
    memset(length + 256, 7, 24);
    memset(length + 280, 8, 8);
    if (!make_codes(&z->codes, length, 288, false))
        return false;
    memset(length, 5, 32);
    return make_codes(&z->distances, length, 32, false);
}

/* Lengths of codes, themselves in codes: 16 to 18 repeat. */
static bool read_lengths(struct fst_inflate *z, uint8_t *length, unsigned symbols)
{
    uint32_t symbol, extra;

    for (unsigned i = 0; i < symbols;) {
        refill(z);
        if (!take_symbol(z, &z->distances, &symbol))
            return false;
        if (symbol < 16) {
            length[i++] = (uint8_t)symbol;
            continue;
        }
        if ((symbol == 16 && i == 0) || !take(z, symbol == 16 ? 2 : symbol == 17 ? 3 : 7, &extra))
            return false;
        const unsigned times = extra + (symbol == 18 ? 11 : 3);
        if (times > symbols - i)
            return false;
        memset(length + i, symbol == 16 ? length[i - 1] : 0, times);
        i += times;
    }
    return true;
}

static bool dynamic_codes(struct fst_inflate *z)
{
    static const uint8_t order[19] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                       11, 4,  12, 3, 13, 2, 14, 1, 15 };
    uint8_t length[LITERALS + DISTANCES], small[19] = { 0 };
    uint32_t literals, distances, lengths, bits;

    refill(z);
    if (!take(z, 5, &literals) || !take(z, 5, &distances) || !take(z, 4, &lengths))
        return false;
    literals += 257;
    distances++;
    if (literals > LITERALS || distances > DISTANCES)
        return false;
    for (unsigned i = 0; i < lengths + 4; i++) {
        refill(z);
        if (!take(z, 3, &bits))
            return false;
        small[order[i]] = (uint8_t)bits;
    }
    return make_codes(&z->distances, small, 19, false) &&
           read_lengths(z, length, literals + distances) && length[END_OF_BLOCK] != 0 &&
           make_codes(&z->codes, length, literals, true) &&
           make_codes(&z->distances, length + literals, distances, true);
}

/* ---- bytes ---- */

/* A copy of what was made `distance` before, as far as there is room; *out is behind it. */
static void copy(struct fst_inflate *z, uint8_t **out, const uint8_t *end)
{
    const size_t room = (size_t)(end - *out), all = z->length < room ? z->length : room;
    const uint8_t *const from = *out - z->distance;
    uint8_t *to = *out;

    if (z->distance == 1) {
        memset(to, *from, all);
        to += all;
    }
    for (size_t left = (size_t)(*out + all - to), n; left > 0; left -= n, to += n) {
        n = (size_t)(to - from);
        n -= n % z->distance; /* whole repetitions */
        n = n < left ? n : left;
        memcpy(to, from, n);
    }
    z->length -= (uint32_t)all;
    *out += all;
}

static bool begin_copy(struct fst_inflate *z, uint32_t symbol, uint64_t made)
{
    static const uint16_t base[29] = { 3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                       67, 83, 99, 115, 131, 163, 195, 227, 258 };
    static const uint8_t more[29] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
    uint32_t extra, far;

    if (symbol - 257 >= 29 || !take(z, more[symbol - 257], &extra))
        return false;
    z->length = base[symbol - 257] + extra;
    if (!take_symbol(z, &z->distances, &far) || far >= DISTANCES)
        return false;
    const unsigned bits = far < 2 ? 0 : far / 2 - 1;
    if (!take(z, bits, &extra))
        return false;
    z->distance = (far < 2 ? far : (2 + far % 2) << bits) + 1 + extra;
    return z->distance <= made;
}

/* Up to `end`, or to the end of the block. */
static bool unpack(struct fst_inflate *z, uint8_t **out, const uint8_t *end)
{
    const uint8_t *const begin = *out;
    uint32_t symbol;

    while (*out < end) {
        if (z->length > 0) {
            copy(z, out, end);
            continue;
        }
        refill(z); /* 48 bits at most are taken */
        if (!take_symbol(z, &z->codes, &symbol))
            return false;
        if (symbol < END_OF_BLOCK) {
            *(*out)++ = (uint8_t)symbol;
        } else if (symbol == END_OF_BLOCK) {
            z->inside = false;
            return true;
        } else if (!begin_copy(z, symbol, z->total + (uint64_t)(*out - begin))) {
            return false;
        }
    }
    return true;
}

/* Bytes as they are: what is in `bits` is given back first. */
static bool begin_stored(struct fst_inflate *z)
{
    uint32_t size, not_size;

    z->bits >>= z->count % 8;
    z->count -= z->count % 8;
    refill(z);
    if (!take(z, 16, &size) || !take(z, 16, &not_size) || (size ^ not_size) != 0xffff)
        return false;
    z->at -= z->count / 8;
    z->bits = z->count = 0;
    z->stored = size;
    z->inside = size > 0;
    return (size_t)(z->end - z->at) >= size;
}

static void copy_stored(struct fst_inflate *z, uint8_t **out, const uint8_t *end)
{
    const size_t room = (size_t)(end - *out), n = z->stored < room ? z->stored : room;

    memcpy(*out, z->at, n);
    z->at += n;
    *out += n;
    z->stored -= (uint32_t)n;
    z->inside = z->stored > 0;
}

static bool begin_block(struct fst_inflate *z)
{
    uint32_t last, kind;

    refill(z);
    if (!take(z, 1, &last) || !take(z, 2, &kind))
        return false;
    z->last = last;
    z->inside = true;
    return kind == 0   ? begin_stored(z)
           : kind == 1 ? fixed_codes(z)
           : kind == 2 ? dynamic_codes(z)
                       : false;
}

/* The end of the block, the last one, and the sum. */
static bool ends(struct fst_inflate *z)
{
    uint32_t symbol, byte, sum = 0;

    while (z->inside || !z->last) {
        if (!z->inside && !begin_block(z))
            return false;
        refill(z);
        if (z->inside && (z->stored > 0 || z->length > 0 || !take_symbol(z, &z->codes, &symbol) ||
                          symbol != END_OF_BLOCK))
            return false;
        z->inside = false;
    }
    z->bits >>= z->count % 8;
    z->count -= z->count % 8;
    refill(z);
    for (unsigned i = 0; i < 4; i++) {
        if (!take(z, 8, &byte))
            return false;
        sum = sum << 8 | byte;
    }
    return sum == z->sum;
}

bool fst_inflate_begin(struct fst_inflate *z, const uint8_t *data, size_t size)
{
    if (size < 2 || (data[0] & 15) != 8 || data[0] >> 4 > 7 || data[1] & 0x20 ||
        (data[0] << 8 | data[1]) % 31 != 0)
        return false;
    z->at = data + 2;
    z->end = data + size;
    z->bits = z->count = 0;
    z->inside = z->last = false;
    z->stored = z->length = 0;
    z->sum = 1;
    z->total = 0;
    return true;
}

bool fst_inflate_next(struct fst_inflate *z, uint8_t *to, size_t size, bool last)
{
    uint8_t *out = z->window + BEFORE;
    const uint8_t *const end = out + size;

    while (out < end) {
        const uint8_t *const before = out;
        if (!z->inside && (z->last || !begin_block(z)))
            return false;
        if (z->stored > 0)
            copy_stored(z, &out, end);
        else if (z->inside && !unpack(z, &out, end))
            return false;
        z->total += (uint64_t)(out - before);
    }
    memcpy(to, z->window + BEFORE, size);
    z->sum = (uint32_t)adler32(z->sum, to, (uInt)size);
    memmove(z->window, z->window + size, BEFORE);
    return !last || ends(z);
}
