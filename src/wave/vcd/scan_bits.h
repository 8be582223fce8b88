/* SPDX-License-Identifier: MIT */
/*
 * Parts that all mask scanners share: places of bits, and the masks of a span of text.
 * Only for files that are compiled for one instruction set.
 */
#ifndef PC_WAVE_VCD_SCAN_BITS_H
#define PC_WAVE_VCD_SCAN_BITS_H

#include "base/bytes.h"
#include "wave/vcd/scan.h"

/* One copy for each constant argument, whatever the compiler thinks of its length. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum {
    SPAN_WORDS = VCD_SPAN_WORDS,
    SPAN = VCD_SPAN,
    SPAN_PLACES = SPAN / 2 + 64, /* of lines, and room for a few more */
    /* So many bytes ahead text is asked for, which may come from memory. */
    AHEAD = 4096,
    AHEAD_OF_LINES = 8192,
};

/*
 * Masks of a span's characters: bit i of word 1 + k is character 64 k + i; word 0 is what the span
 * before ended with.
 */
struct masks {
    uint64_t sign[SPAN_WORDS + 1];  /* one of newline # 0 1: bits 0 and 1 tell which */
    uint64_t odd[SPAN_WORDS + 1];   /* bit 0 of the characters' numbers */
    uint64_t two[SPAN_WORDS + 1];   /* bit 1 */
    uint64_t clock[SPAN_WORDS + 1]; /* the clock's identifier stands after, and ends a line */
    uint64_t filtered_out[SPAN_WORDS + 1]; /* no selected identifier can begin with it */
    /* not for PLAIN: */
    uint64_t blank[SPAN_WORDS + 1];
    uint64_t word[SPAN_WORDS + 1];    /* bBrRsS */
    uint64_t unknown[SPAN_WORDS + 1]; /* xXzZ */
    /* only for FULL: */
    uint64_t control[SPAN_WORDS + 1]; /* control characters but newlines */
    uint64_t end[SPAN_WORDS + 1];     /* what ends the last word of a line */
    /* made of them: */
    uint64_t newline[SPAN_WORDS + 1];
    uint64_t stamps[SPAN_WORDS + 1];
    uint64_t front[SPAN_WORDS + 1];  /* characters in front of identifiers */
    uint64_t words[SPAN_WORDS + 1];  /* lines of a word */
    uint64_t high[SPAN_WORDS + 1];   /* where the clock is high */
    uint64_t inside[SPAN_WORDS + 1]; /* where a line of a word waits for its blank */
    uint64_t bad[SPAN_WORDS + 1];
};

/* A line of a vector: its character i is want[i] in the bits of mask[i]. */
enum { SHAPE_MOST = 96, SHAPE_ROOM = 128 };

struct shape {
    uint8_t mask[SHAPE_ROOM], want[SHAPE_ROOM];
    size_t length;         /* with the newline; 0: none yet */
    size_t id_at, id_last; /* the first and the last character of the identifier */
};

/* State that a span leaves to the next, besides word 0 of the masks. */
struct carry {
    uint64_t inside; /* 1: of a line of a word, whose blank is due */
    uint64_t high;   /* 1: the clock's level */
    bool any;        /* no line of the clock yet, and its level may be what suits it */
    uint32_t edges;  /* so far */
    size_t lines;
};

/* How much a span's text is asked for: it may be that there is nothing but #digits, 0id, 1id. */
enum how { PLAIN, WORDY, FULL };

/* Results of classify() for a span; with PLAIN, either may mean both. */
enum { SEEN_BLANK = 1, SEEN_CONTROL = 2 };

static inline unsigned lowest(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}

static inline unsigned highest(uint64_t x)
{
    return 63 - (unsigned)__builtin_clzll(x);
}

static inline uint64_t below(size_t bit)
{
    return ((uint64_t)1 << bit) - 1;
}

static inline uint32_t bits_in(uint64_t bits)
{
    return (uint32_t)__builtin_popcountll(bits);
}

/* Part 2 of pass 1, word after word: levels, and how many edges and newlines there are. */
ALWAYS_INLINE void levels_by_word(struct masks *m, size_t words, const enum how how,
                                  struct vcd_marks *restrict mark, struct carry *carry)
{
    uint64_t high = carry->high, inside = carry->inside;
    uint32_t edges = carry->edges;
    size_t lines = carry->lines;

    for (size_t i = 0; carry->any && i < words; i++) {
        if (mark->clocks[i]) {
            carry->any = false;
            high = ~m->odd[i + 1] >> lowest(mark->clocks[i]) & 1;
        }
    }
    for (size_t i = 0; i < words; i++) {
        m->high[i + 1] -= high;
        high = m->high[i + 1] >> 63;
        if (how != PLAIN) {
            m->inside[i + 1] -= inside;
            inside = m->inside[i + 1] >> 63;
        }
        mark->before[i] = edges;
        edges += (uint32_t)__builtin_popcountll(mark->edges[i]);
        lines += (size_t)__builtin_popcountll(m->newline[i + 1]);
    }
    *carry = (struct carry){ inside, high, carry->any, edges, lines };
}

#endif
