/* SPDX-License-Identifier: MIT */
/*
 * The mask scanner in plain C, for any CPU: classes of characters are bits of a byte, found by a
 * loop that compilers make vectors of, and gathered into masks eight at a time by a
 * multiplication.  What only counts where a line or an identifier begins is looked at there.
 */
#include "base/cpu.h"
#include "wave/vcd/scan_bits.h"

#include <string.h>

enum { ODD = 1, TWO = 2, SIGN = 4, BLANK = 8, CONTROL = 16, WORD = 32, UNKNOWN = 64 };

/* A bit of byte i becomes bit i: `x` is moved so that it is bit 0. */
static inline uint64_t gather(uint64_t x)
{
    return ((x & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080)) >> 56;
}

static inline uint8_t if_so(bool so, uint8_t bit)
{
    return so ? bit : 0;
}

/* Classes of 64 characters. */
static inline void find_kinds(const uint8_t *restrict p, const bool rare, uint8_t *restrict kind)
{
    for (unsigned j = 0; j < 64; j++) {
        const uint8_t c = p[j];
        uint8_t k = c & (ODD | TWO);
        k |= if_so((c == '\n') | (c == '#') | ((uint8_t)(c | 1) == '1'), SIGN);
        k |= if_so(c == ' ', BLANK) | if_so((c < ' ') & (c != '\n'), CONTROL);
        if (rare) {
            k |= if_so((uint8_t)(c | 0x20) == 'b', WORD) | if_so((uint8_t)(c | 0x21) == 's', WORD);
            k |= if_so((uint8_t)(c | 0x22) == 'z', UNKNOWN);
        }
        kind[j] = k;
    }
}

static inline uint64_t passes(const struct vcd_id_filter *filter, const uint8_t *p)
{
    return (filter->whole[0][p[0]] & filter->whole[1][p[1]] & filter->whole[2][p[2]]) != 0;
}

/* Of the characters at `places`, those that identifiers that are selected may begin with. */
static inline uint64_t find_passing(const uint8_t *p, const struct vcd_id_filter *filter,
                                    uint64_t places)
{
    uint64_t found = 0;

    for (; places; places &= places - 1)
        found |= passes(filter, p + lowest(places)) << lowest(places);
    return found;
}

/* Of the first characters of lines, those after which the clock's identifier ends the line. */
static inline uint64_t find_clock_lines(const uint8_t *p, const struct vcd_sets *sets,
                                        unsigned length, uint64_t lines)
{
    uint64_t found = 0;

    for (; lines; lines &= lines - 1) {
        const uint8_t *id = p + lowest(lines) + 1;
        if (id[0] == sets->clock[0] && id[length] == sets->end &&
            memcmp(id, sets->clock, length) == 0)
            found |= lines & (0 - lines);
    }
    return found;
}

/* What PLAIN does not ask for, of 8 characters at `at` of word i. */
ALWAYS_INLINE void classify_rare(struct masks *m, size_t i, unsigned at, uint64_t kinds,
                                 const enum how how, const uint8_t *p, uint8_t end)
{
    m->blank[i] |= gather(kinds >> 3) << at;
    m->word[i] |= gather(kinds >> 5) << at;
    m->unknown[i] |= gather(kinds >> 6) << at;
    if (how != FULL)
        return;
    m->control[i] |= gather(kinds >> 4) << at;
    for (unsigned j = 0; j < 8; j++)
        m->end[i] |= (uint64_t)(p[j] == end) << (at + j);
}

/* Word i of each mask; returns kinds that were seen. */
ALWAYS_INLINE uint64_t classify_word(const uint8_t *p, const struct vcd_sets *sets,
                                     const unsigned length, const enum how how, struct masks *m,
                                     size_t i)
{
    uint64_t signs = 0, odds = 0, twos = 0, seen = 0;
    uint8_t kind[64];

    find_kinds(p, how != PLAIN, kind);
    if (how != PLAIN)
        m->blank[i] = m->word[i] = m->unknown[i] = m->control[i] = m->end[i] = 0;
    for (unsigned at = 0; at < 64; at += 8) {
        const uint64_t kinds = pc_load_low_first(kind + at);
        odds |= gather(kinds) << at;
        twos |= gather(kinds >> 1) << at;
        signs |= gather(kinds >> 2) << at;
        seen |= kinds;
        if (how != PLAIN)
            classify_rare(m, i, at, kinds, how, p + at, sets->end);
    }
    const uint64_t lines = (signs & twos & ~odds) << 1 | 1;
    uint64_t fronts = lines & signs & ~twos;
    m->sign[i] = signs;
    m->odd[i] = odds;
    m->two[i] = twos;
    m->clock[i] = find_clock_lines(p, sets, length, fronts);
    if (how != PLAIN)
        fronts |= (lines & m->unknown[i]) | m->blank[i];
    m->filtered_out[i] = ~find_passing(p, &sets->filter, fronts << 1 | 1);
    return seen;
}

ALWAYS_INLINE unsigned classify(const uint8_t *p, size_t words, const struct vcd_sets *sets,
                                const unsigned length, const enum how how, struct masks *m)
{
    uint64_t seen = 0;

    for (size_t i = 1; i <= words; i++, p += 64)
        seen |= classify_word(p, sets, length, how, m, i);
    return (gather(seen >> 3) ? SEEN_BLANK : 0u) | (gather(seen >> 4) ? SEEN_CONTROL : 0u);
}

/* Which of 64 characters are digits 0 1 x z; those that are 1, and those that are x or z. */
static inline uint64_t digits_at(const uint8_t *restrict p, uint64_t *one, uint64_t *unknown)
{
    uint64_t all = 0;
    uint8_t kind[64];

    for (unsigned j = 0; j < 64; j++) {
        const uint8_t c = p[j];
        kind[j] = if_so(c == '1', 1) | if_so((uint8_t)(c | 0x22) == 'z', 2) | if_so(c == '0', 4);
    }
    *one = *unknown = 0;
    for (unsigned at = 0; at < 64; at += 8) {
        const uint64_t kinds = pc_load_low_first(kind + at);
        *one |= gather(kinds) << at;
        *unknown |= gather(kinds >> 1) << at;
        all |= gather(kinds | kinds >> 1 | kinds >> 2) << at;
    }
    return all;
}

enum { SHAPE_BLOCK = 32 };

/* The first `blocks` blocks of characters. */
ALWAYS_INLINE bool like_shape(const uint8_t *p, const struct shape *like, const size_t blocks)
{
    uint64_t x = 0;

    for (size_t i = 0; i < blocks * SHAPE_BLOCK; i += 8)
        x |= (pc_load_low_first(p + i) & pc_load_low_first(like->mask + i)) ^
             pc_load_low_first(like->want + i);
    return x == 0;
}

/* lowest() of what may be 0: then any number up to 64. */
static inline size_t lowest_or_any(uint64_t x)
{
    return lowest(x | UINT64_C(1) << 63);
}

/* The last eight digits of a stamp, as text whose order is that of numbers. */
static inline uint64_t last_digits(const uint8_t *digit, size_t digits)
{
    return digits < 8 ? pc_load_high_first(digit) >> (64 - 8 * digits)
                      : pc_load_high_first(digit + digits - 8);
}

/* Stamps of `size` characters each; those that do not count are 0 in `fronts`. */
ALWAYS_INLINE bool later_ones(const uint8_t *stamps, size_t n, size_t digits, const size_t size,
                              const uint8_t *like, uint64_t fronts)
{
    const uint64_t zeros = 0x3030303030303030u >> (digits < 8 ? 64 - 8 * digits : 0);
    uint64_t last = last_digits(stamps, digits), others = 0, strange = 0;
    bool ok = true;

    for (size_t i = 1; i <= n; i++) {
        const uint8_t *digit = stamps + i * size;
        const uint64_t now = last_digits(digit, digits), value = now ^ zeros;
        ok &= now > last;
        last = now;
        strange |= value | (value + 0x7676767676767676u); /* bit 7 if it is not below 10 */
        others |= pc_load_low_first(digit) ^ pc_load_low_first(like);
    }
    return ok && (strange & 0x8080808080808080u) == 0 && (others & fronts) == 0;
}

/*
 * Of n stamps after the first one of `stamps`, eight characters each, of which `digits` count:
 * has each nothing but digits, and is it later than the one before?
 */
static inline bool all_later(const uint8_t *stamps, size_t n, size_t digits)
{
    return later_ones(stamps, n, digits, 8, stamps, 0);
}

/*
 * The same of VCD_SCAN_DIGITS characters, of which more than eight count; those in front of the
 * last eight must be like those of `like`.
 */
static inline bool all_later_long(const uint8_t *stamps, size_t n, size_t digits,
                                  const uint8_t *like)
{
    return later_ones(stamps, n, digits, VCD_SCAN_DIGITS, like, UINT64_MAX >> (128 - 8 * digits));
}

#include "wave/vcd/scan_plain.h"

#define KERNEL        vcd_scan_portable
#define KERNEL_NAME   "portable"
#define KERNEL_USABLE pc_cpu_is_any
#include "wave/vcd/scan_loop.h"
