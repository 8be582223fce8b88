/* SPDX-License-Identifier: MIT */
/*
 * FastLZ levels 1 and 2.  The top three bits of the first byte are level - 1; then come
 * instructions:
 *
 *     000LLLLL                      L + 1 literal bytes follow
 *     MMMRRRRR D                    M in 1..6: copy M + 2 bytes from distance 256 R + D + 1
 *     111RRRRR N D                  copy N + 9 bytes; at level 2 N goes on while it is 255
 *     ...11111 ... 255 H L          level 2: distance 256 H + L + 8192
 *
 * The first instruction is always a literal run: its top bits hold the level.
 */
#include "wave/fst/fastlz.h"

#include <string.h>

struct fastlz {
    const uint8_t *in, *in_end;
    uint8_t *out, *out_begin, *out_end;
    bool level2;
};

static bool literal(struct fastlz *z, unsigned control)
{
    size_t run = control + 1u;

    if (run > (size_t)(z->in_end - z->in) || run > (size_t)(z->out_end - z->out))
        return false;
    memcpy(z->out, z->in, run);
    z->in += run;
    z->out += run;
    return true;
}

/* Byte by byte: source and target may overlap, which repeats a pattern. */
static bool copy(struct fastlz *z, size_t distance, size_t run)
{
    if (distance > (size_t)(z->out - z->out_begin) || run > (size_t)(z->out_end - z->out))
        return false;
    const uint8_t *from = z->out - distance;
    while (run--)
        *z->out++ = *from++;
    return true;
}

static bool match(struct fastlz *z, unsigned control)
{
    size_t run = (control >> 5) + 2u;
    size_t high = control & 31;
    uint8_t more = 255;

    if (control >> 5 == 7)
        do {
            if (z->in == z->in_end)
                return false;
            more = *z->in++;
            run += more;
        } while (z->level2 && more == 255);
    if (z->in == z->in_end)
        return false;
    size_t distance = (high << 8) + *z->in++;
    if (z->level2 && distance == 8191) {
        if (z->in_end - z->in < 2)
            return false;
        distance += ((size_t)z->in[0] << 8) + z->in[1];
        z->in += 2;
    }
    return copy(z, distance + 1, run);
}

bool fst_fastlz_unpack(const uint8_t *from, size_t length, uint8_t *to, size_t size)
{
    if (length == 0 || from[0] >> 5 > 1)
        return false;
    struct fastlz z = { .in = from + 1,
                        .in_end = from + length,
                        .out = to,
                        .out_begin = to,
                        .out_end = to + size,
                        .level2 = from[0] >> 5 == 1 };
    unsigned control = from[0] & 31;

    for (;;) {
        if (!(control < 32 ? literal(&z, control) : match(&z, control)))
            return false;
        if (z.in == z.in_end)
            return z.out == z.out_end;
        control = *z.in++;
    }
}
