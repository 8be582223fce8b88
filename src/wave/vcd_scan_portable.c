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

enum { BLANK, HASH, DIGIT, BINARY, VALUE, WORD, CONTROL, NEWLINE, KINDS };

#define BIT(k) (1u << (k))

struct classes {
    uint64_t newline, end, blank, hash, digit, value, word, control, odd;
    uint64_t single, first, second, clock;
    bool words; /* perhaps a word or a blank */
};

struct strange {
    uint64_t seen;
};

/* Characters below 33 by rule, the others by name. */
static uint8_t kind(uint8_t c)
{
    static const uint8_t named[128] = {
        ['#'] = BIT(HASH),
        ['0'] = BIT(DIGIT) | BIT(BINARY) | BIT(VALUE),
        ['1'] = BIT(DIGIT) | BIT(BINARY) | BIT(VALUE),
        ['2'] = BIT(DIGIT),
        ['3'] = BIT(DIGIT),
        ['4'] = BIT(DIGIT),
        ['5'] = BIT(DIGIT),
        ['6'] = BIT(DIGIT),
        ['7'] = BIT(DIGIT),
        ['8'] = BIT(DIGIT),
        ['9'] = BIT(DIGIT),
        ['x'] = BIT(VALUE),
        ['X'] = BIT(VALUE),
        ['z'] = BIT(VALUE),
        ['Z'] = BIT(VALUE),
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

static inline bool in_set(const uint8_t *set, uint8_t c)
{
    return c < 128 && (set[c & 15] >> (c >> 4) & 1);
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
        uint64_t kinds = 0, sets_of = 0;
        for (unsigned j = 0; j < 8; j++) {
            uint8_t character = p[i + j];
            kinds |= (uint64_t)kind(character) << 8 * j;
            sets_of |= (uint64_t)((unsigned)in_set(sets->first, character) |
                                  (unsigned)in_set(sets->second, character) << 1 |
                                  (unsigned)(character == sets->end) << 2 | (character & 1u) << 3 |
                                  (unsigned)in_set(sets->single, character) << 4)
                       << 8 * j;
        }
        kinds = transpose(kinds);
        sets_of = transpose(sets_of);
        for (unsigned k = 0; k < KINDS; k++)
            mask[k] |= (kinds >> 8 * k & 0xff) << i;
        c.first |= (sets_of & 0xff) << i;
        c.second |= (sets_of >> 8 & 0xff) << i;
        c.end |= (sets_of >> 16 & 0xff) << i;
        c.odd |= (sets_of >> 24 & 0xff) << i;
        c.single |= (sets_of >> 32 & 0xff) << i;
    }
    c.blank = mask[BLANK];
    c.hash = mask[HASH];
    c.digit = mask[DIGIT];
    c.value = mask[VALUE];
    c.word = mask[WORD];
    c.newline = mask[NEWLINE];
    c.words = (c.blank | c.word) != 0;
    c.control = thorough ? mask[CONTROL] : 0;
    strange->seen |= mask[CONTROL];
    c.clock = clock_lines(p, sets, length, (c.newline << 1 | 1) & mask[BINARY]);
    return c;
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
