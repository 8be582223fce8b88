/* SPDX-License-Identifier: MIT */
/*
 * The loops over bit planes that take the time: bit i of word w is cycle 64 w + i.  Each
 * instruction set provides the same functions with the same results (tests/engine/kernels.c
 * holds all of them to a bit-by-bit reading of the rules); nothing here knows registers or
 * modes.
 *
 * Planes are whole words without alignment; any number of words is fine, also none.  What
 * lies after a block's last cycle is the caller's to mask.  `out` may be one of the inputs
 * itself, but must not overlap one otherwise.
 */
#ifndef PC_KERNEL_KERNEL_H
#define PC_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A logic operation: bit ARG3 ARG2 ARG1 ARG0 of `table`.  PC.IN.8 */
struct pc_lut_op {
    uint16_t table;
    const uint64_t *arg[4]; /* not read, and may be NULL, where the table does not depend on it */
};

struct pc_rise {
    bool level, odd;
};

/* A flag between two cycles. */
struct pc_flag {
    bool next, cur; /* its register, and what that was a cycle before: the next cycle's signal */
    struct pc_rise shown; /* its signal */
};

/* Where one operation goes through a long block before the next one; 0: somebody else asks. */
#define PC_AHEAD_FAR 256

struct pc_kernel {
    const char *name;
    bool (*usable)(void); /* has this CPU the instructions? */

    /* out = op of each cycle; meanwhile memory is asked for what lies that many words ahead. */
    void (*lut)(uint64_t *out, const struct pc_lut_op *op, size_t words, size_t ahead);
    /* Cycles in which op is 1. */
    uint64_t (*count_lut)(const struct pc_lut_op *op, size_t words);
    /*
     * Four operations at once, straight from memory; added to counts[].  edge: what
     * op[2] was before, and whether it rose an odd number of times; both go on from here.
     */
    void (*quad)(const struct pc_lut_op op[4], size_t words, uint64_t counts[4],
                 struct pc_rise *edge);

    uint64_t (*count)(const uint64_t *plane, size_t words);
    /* Sum over the cycles of mask (NULL: all) of the number whose bit k is plane[k]; n <= 6
     * (PC.MODE.2, PC.MODE.3, PC.MODE.5). */
    uint64_t (*weigh)(const uint64_t *mask, const uint64_t *const *plane, unsigned n, size_t words);
    /* sum[k] = cycles of plane[k] that are 1 in cycles from to to - 1, for n planes; from < to. */
    void (*sums)(const uint64_t *const *plane, unsigned n, uint64_t from, uint64_t to,
                 uint32_t *sum);
    /*
     * Twelve planes, four to a word with 16 bits each: row[w][g] = row[0][g] + the ones of planes
     * 4g to 4g + 3 in words before w, for each w up to `words`; row[w][3] = row[0][3].
     */
    void (*rows)(const uint64_t *const plane[12], size_t words, uint64_t (*row)[4]);
    /* Such a row for any cycle: the ones before it, from those of its word. */
    void (*before)(const uint64_t *const plane[12], uint64_t (*row)[4], uint64_t cycle,
                   uint64_t sum[3]);
    /* Does the signal rise an odd number of times?  `level` is what it was before. */
    bool (*odd_rises)(const uint64_t *plane, bool level, size_t words);
    /* Bit w of marks: word w is not 0; bits after the last word are 0. */
    void (*marks)(uint64_t *marks, const uint64_t *plane, size_t words);
    /* True if all words are `value`. */
    bool (*uniform)(const uint64_t *plane, uint64_t value, size_t words);

    /*
     * Loops with a state: `carry` is the state before the first cycle, the result the one after
     * the last cycle.
     */
    /* out = in, one cycle late */
    bool (*late)(uint64_t *out, const uint64_t *in, bool carry, size_t words);
    /* out = state after each cycle; a 1 of in inverts it: from changes to levels */
    bool (*toggle)(uint64_t *out, const uint64_t *in, bool carry, size_t words);
    /* out = COUNTING in each cycle: start sets, stop clears, both invert.  PC.SINGLE.4-6 */
    bool (*affine)(uint64_t *out, const uint64_t *start, const uint64_t *stop, bool carry,
                   size_t words);
    /*
     * out = the flag's signal in each cycle: its register, where clear wins over set, one cycle
     * late (D-23).  *flag goes on from here.  PC.FLAG.1 PC.FLAG.2 PC.FLAG.3
     */
    void (*flag)(uint64_t *out, const uint64_t *set, const uint64_t *clear, struct pc_flag *flag,
                 size_t words);

    /* Bit r of out[j] = bit j of row[r], for each j of `bits`; other out[j] may be anything. */
    void (*turn)(uint64_t out[64], const uint64_t row[64], uint64_t bits);
    /* Bit r of out[j] = bit j of row[r]. */
    void (*turn_bytes)(uint64_t out[8], const uint8_t row[64]);
};

/* Returns the fastest kernel of this CPU: its features are asked for, never its model. */
const struct pc_kernel *pc_kernel_best(void);
/* Returns a kernel of this build, slowest first, usable here or not; NULL past the end. */
const struct pc_kernel *pc_kernel_at(size_t i);

extern const struct pc_kernel pc_kernel_portable;
#if defined(__x86_64__)
extern const struct pc_kernel pc_kernel_avx2;
#endif

#endif
