/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner in plain C, for any CPU: each character's classes are a byte of a table,
 * and eight such bytes are transposed into eight bits of each mask.
 */
#include "wave/vcd_scan_bits.h"
#include <string.h>

static bool usable(void)
{
    return true;
}

enum { BLANK, HASH, BINARY, UNKNOWN, WORD, CONTROL, NEWLINE, KINDS };

#define BIT(k) (1u << (k))

/* Characters below 33 by rule, the others by name. */
static uint8_t kind(uint8_t c)
{
    static const uint8_t named[128] = {
        ['#'] = BIT(HASH),    ['0'] = BIT(BINARY),  ['1'] = BIT(BINARY),   ['x'] = BIT(UNKNOWN),
        ['X'] = BIT(UNKNOWN), ['z'] = BIT(UNKNOWN), ['Z'] = BIT(UNKNOWN),  ['b'] = BIT(WORD),
        ['B'] = BIT(WORD),    ['r'] = BIT(WORD),    ['R'] = BIT(WORD),     ['s'] = BIT(WORD),
        ['S'] = BIT(WORD),    [' '] = BIT(BLANK),   ['\n'] = BIT(NEWLINE),
    };

    return (uint8_t)((c < 128 ? named[c] : 0) | (c < ' ' && c != '\n' ? BIT(CONTROL) : 0));
}

/* Byte i bit k becomes byte k bit i. */
static inline uint64_t transpose(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aau;

    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000ccccu;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0u;
    return x ^ t ^ t << 28;
}

/* May an identifier that is selected begin at p? */
static inline bool is_look(const struct vcd_looks *looks, const uint8_t *p)
{
    return looks->first_low[p[0] & 15] & looks->first_high[p[0] >> 4] &
           looks->second_low[p[1] & 15] &
           looks->other[p[looks->other_at] >> looks->other_shift & 15];
}

/* Looks at every character of a line's beginning; the first may be one as well. */
static inline uint64_t clock_lines(const uint8_t *p, const struct vcd_sets *sets, unsigned length,
                                   uint64_t line)
{
    uint64_t found = 0;

    for (; line; line &= line - 1) {
        const uint8_t *id = p + lowest(line) + 1;
        if (id[0] == sets->clock[0] && id[length] == sets->end &&
            memcmp(id, sets->clock, length) == 0)
            found |= line & (0 - line);
    }
    return found;
}

/* Word i of each mask. */
static void classify_word(const uint8_t *p, const struct vcd_sets *sets, unsigned length,
                          struct masks *m, size_t i)
{
    uint64_t mask[KINDS] = { 0 }, look = 0, end = 0, odd = 0;

    for (unsigned at = 0; at < 64; at += 8) {
        uint64_t kinds = 0, others = 0;
        for (unsigned j = 0; j < 8; j++) {
            const uint8_t *c = p + at + j;
            kinds |= (uint64_t)kind(*c) << 8 * j;
            others |= (uint64_t)((unsigned)is_look(&sets->looks, c) |
                                 (unsigned)(*c == sets->end) << 1 | (*c & 1u) << 2)
                      << 8 * j;
        }
        kinds = transpose(kinds);
        others = transpose(others);
        for (unsigned k = 0; k < KINDS; k++)
            mask[k] |= (kinds >> 8 * k & 0xff) << at;
        look |= (others & 0xff) << at;
        end |= (others >> 8 & 0xff) << at;
        odd |= (others >> 16 & 0xff) << at;
    }
    m->newline[i] = mask[NEWLINE];
    m->hash[i] = mask[HASH];
    m->binary[i] = mask[BINARY];
    m->odd[i] = odd;
    m->clock[i] = clock_lines(p, sets, length, (mask[NEWLINE] << 1 | 1) & mask[BINARY]);
    m->no_look[i] = ~look;
    m->blank[i] = mask[BLANK];
    m->word[i] = mask[WORD];
    m->unknown[i] = mask[UNKNOWN];
    m->control[i] = mask[CONTROL];
    m->end[i] = end;
}

/* All masks, whatever is asked for. */
static inline unsigned classify(const uint8_t *p, size_t words, const struct vcd_sets *sets,
                                unsigned length, enum how how, struct masks *m)
{
    uint64_t blanks = 0, controls = 0;

    (void)how;
    for (size_t i = 1; i <= words; i++) {
        classify_word(p + 64 * (i - 1), sets, length, m, i);
        blanks |= m->blank[i];
        controls |= m->control[i];
    }
    return (blanks ? SEEN_BLANK : 0u) | (controls ? SEEN_CONTROL : 0u);
}

/* lowest() of what may be 0: then any number up to 64. */
static inline unsigned lowest_or_any(uint64_t x)
{
    return lowest(x | UINT64_C(1) << 63);
}

static inline uint64_t prefix_xor(uint64_t x)
{
    for (unsigned n = 1; n < 64; n *= 2)
        x ^= x << n;
    return x;
}

#define KERNEL        vcd_scan_portable
#define KERNEL_NAME   "portable"
#define KERNEL_USABLE usable
#include "wave/vcd_scan_loop.h"
