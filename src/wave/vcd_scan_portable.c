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

enum { BLANK, HASH, DIGIT, BINARY, UNKNOWN, WORD, CONTROL, NEWLINE, KINDS };

#define BIT(k) (1u << (k))

struct classes {
    uint64_t newline, end, hash, digit, binary, control, odd;
    uint64_t pair, clock;
    bool blanks;
    uint64_t blank, word, unknown;
};

struct rare {
    uint64_t blank, word, unknown;
};

struct strange {
    uint64_t seen;
};

/* Characters below 33 by rule, the others by name. */
static uint8_t kind(uint8_t c)
{
    static const uint8_t named[128] = {
        ['#'] = BIT(HASH),
        ['0'] = BIT(DIGIT) | BIT(BINARY),
        ['1'] = BIT(DIGIT) | BIT(BINARY),
        ['2'] = BIT(DIGIT),
        ['3'] = BIT(DIGIT),
        ['4'] = BIT(DIGIT),
        ['5'] = BIT(DIGIT),
        ['6'] = BIT(DIGIT),
        ['7'] = BIT(DIGIT),
        ['8'] = BIT(DIGIT),
        ['9'] = BIT(DIGIT),
        ['x'] = BIT(UNKNOWN),
        ['X'] = BIT(UNKNOWN),
        ['z'] = BIT(UNKNOWN),
        ['Z'] = BIT(UNKNOWN),
        ['b'] = BIT(WORD),
        ['B'] = BIT(WORD),
        ['r'] = BIT(WORD),
        ['R'] = BIT(WORD),
        ['s'] = BIT(WORD),
        ['S'] = BIT(WORD),
        [' '] = BIT(BLANK),
        ['\n'] = BIT(NEWLINE),
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

static inline bool is_pair(const struct vcd_pairs *pairs, uint8_t c, uint8_t next)
{
    return pairs->first_low[c & 15] & pairs->first_high[c >> 4] & pairs->second_low[next & 15] &
           pairs->second_high[next >> 4];
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

static inline struct classes classify(const uint8_t *p, const struct vcd_sets *sets,
                                      unsigned length, bool thorough, struct strange *strange)
{
    uint64_t mask[KINDS] = { 0 };
    struct classes c = { 0 };

    for (unsigned i = 0; i < 64; i += 8) {
        uint64_t kinds = 0, others = 0;
        for (unsigned j = 0; j < 8; j++) {
            uint8_t character = p[i + j];
            kinds |= (uint64_t)kind(character) << 8 * j;
            others |= (uint64_t)((unsigned)is_pair(&sets->pairs, character, p[i + j + 1]) |
                                 (unsigned)(character == sets->end) << 1 | (character & 1u) << 2)
                      << 8 * j;
        }
        kinds = transpose(kinds);
        others = transpose(others);
        for (unsigned k = 0; k < KINDS; k++)
            mask[k] |= (kinds >> 8 * k & 0xff) << i;
        c.pair |= (others & 0xff) << i;
        c.end |= (others >> 8 & 0xff) << i;
        c.odd |= (others >> 16 & 0xff) << i;
    }
    c.blank = mask[BLANK];
    c.hash = mask[HASH];
    c.digit = mask[DIGIT];
    c.binary = mask[BINARY];
    c.unknown = mask[UNKNOWN];
    c.word = mask[WORD];
    c.newline = mask[NEWLINE];
    c.blanks = c.blank != 0;
    c.control = thorough ? mask[CONTROL] : 0;
    strange->seen |= mask[CONTROL];
    c.clock = clock_lines(p, sets, length, (c.newline << 1 | 1) & mask[BINARY]);
    return c;
}

static inline struct rare rare_masks(const struct classes *c)
{
    return (struct rare){ c->blank, c->word, c->unknown };
}

static inline uint64_t digit_mask(const struct classes *c)
{
    return c->digit;
}

static inline bool any_strange(const struct strange *s)
{
    return s->seen != 0;
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
