/* SPDX-License-Identifier: MIT */
/*
 * The loops of kernel/lanes.h over eight words in plain C: what AVX-512 does, for CPUs without
 * it.  Only the one-line wrappers of its instructions remain unproven there.
 */
#include "kernel/kernel.h"

#define LANES  8
#define AHEAD  32
#define FINISH pc_kernel_portable
#define COPIED static /* not really: it would take the compiler minutes */

typedef struct {
    uint64_t lane[LANES];
} vec;

#define EACH(k) for (unsigned k = 0; k < LANES; k++)

static inline vec v_load(const uint64_t *at)
{
    vec x;

    EACH(k) x.lane[k] = at[k];
    return x;
}

static inline void v_store(uint64_t *at, vec x)
{
    EACH(k) at[k] = x.lane[k];
}

static inline vec v_set(uint64_t value)
{
    vec x;

    EACH(k) x.lane[k] = value;
    return x;
}

static inline vec v_and(vec a, vec b)
{
    EACH(k) a.lane[k] &= b.lane[k];
    return a;
}

static inline vec v_or(vec a, vec b)
{
    EACH(k) a.lane[k] |= b.lane[k];
    return a;
}

static inline vec v_xor(vec a, vec b)
{
    EACH(k) a.lane[k] ^= b.lane[k];
    return a;
}

static inline vec v_andnot(vec a, vec b)
{
    EACH(k) a.lane[k] &= ~b.lane[k];
    return a;
}

static inline vec v_add(vec a, vec b)
{
    EACH(k) a.lane[k] += b.lane[k];
    return a;
}

static inline vec v_sub(vec a, vec b)
{
    EACH(k) a.lane[k] -= b.lane[k];
    return a;
}

static inline vec v_prefix(vec x)
{
    EACH(k)
    {
        bool level = false;
        uint64_t out = 0;
        for (unsigned i = 0; i < 64; i++) {
            level ^= x.lane[k] >> i & 1;
            out |= (uint64_t)level << i;
        }
        x.lane[k] = out;
    }
    return x;
}

static inline vec v_ones(vec x)
{
    vec ones = v_set(0);

    EACH(k) for (unsigned i = 0; i < 64; i++) ones.lane[k] += x.lane[k] >> i & 1;
    return ones;
}

static inline vec v_left(vec x, unsigned n)
{
    EACH(k) x.lane[k] <<= n;
    return x;
}

static inline uint64_t v_total(vec x)
{
    uint64_t total = 0;

    EACH(k) total += x.lane[k];
    return total;
}

typedef struct {
    uint64_t word[4];
} v_row;

static inline v_row v_row_load(const uint64_t row[4])
{
    return (v_row){ { row[0], row[1], row[2], row[3] } };
}

static inline v_row v_rows(v_row last, vec a, vec b, vec c, uint64_t (*row)[4])
{
    uint64_t lane[3][LANES];

    v_store(lane[0], a);
    v_store(lane[1], b);
    v_store(lane[2], c);
    for (unsigned k = 0; k < LANES; k++) {
        for (unsigned i = 0; i < 3; i++)
            last.word[i] += lane[i][k];
        for (unsigned i = 0; i < 4; i++)
            row[k][i] = last.word[i];
    }
    return last;
}

struct v_sum {
    vec lanes;
};

static inline struct v_sum v_sum_none(void)
{
    return (struct v_sum){ v_set(0) };
}

static inline void v_sum_add(struct v_sum *sum, vec a, vec b, vec c, vec d)
{
    const vec first = v_add(v_ones(a), v_ones(b)), second = v_add(v_ones(c), v_ones(d));

    sum->lanes = v_add(sum->lanes, v_add(first, second));
}

static inline void v_sum_flush(struct v_sum *sum)
{
    (void)sum;
}

static inline uint64_t v_sum_total(const struct v_sum *sum)
{
    return v_total(sum->lanes);
}

static inline vec v_right(vec x, unsigned n)
{
    EACH(k) x.lane[k] >>= n;
    return x;
}

static inline vec v_behind(vec last, vec x)
{
    vec before;

    EACH(k) before.lane[k] = k > 0 ? x.lane[k - 1] : last.lane[LANES - 1];
    return before;
}

static inline unsigned v_top(vec x)
{
    unsigned mask = 0;

    EACH(k) mask |= (unsigned)(x.lane[k] >> 63) << k;
    return mask;
}

static inline unsigned v_full(vec x)
{
    unsigned mask = 0;

    EACH(k) mask |= (unsigned)(x.lane[k] == UINT64_MAX) << k;
    return mask;
}

static inline vec v_spread(unsigned mask)
{
    vec x;

    EACH(k) x.lane[k] = (uint64_t)0 - (mask >> k & 1);
    return x;
}

#include "kernel/lanes.h"
#include "kernel/circuits.h"
#include "kernel/sums.h"
#include "kernel_check.h"

static bool usable(void)
{
    return true;
}

/* Has nothing to do with how many words are taken at once. */
static void turn(uint64_t out[64], const uint64_t row[64], uint64_t bits)
{
    FINISH.turn(out, row, bits);
}

static void turn_bytes(uint64_t out[8], const uint8_t row[64])
{
    FINISH.turn_bytes(out, row);
}

const struct pc_kernel kernel_eight = {
    .name = "eight words",
    .usable = usable,
    .tile = 64,
    .lut = lut,
    .count_lut = count_lut,
    .jobs = jobs,
    .pairs = pairs,
    .quad = quad,
    .count = count,
    .count_and = count_and,
    .weigh = weigh,
    .sums = sums,
    .rows = rows,
    .before = before,
    .odd_rises = odd_rises,
    .marks = marks,
    .uniform = uniform,
    .late = late,
    .toggle = toggle,
    .flag = flag,
    .affine = affine,
    .turn = turn,
    .turn_bytes = turn_bytes,
};
