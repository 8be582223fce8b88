/* SPDX-License-Identifier: MIT */
/*
 * Logic operations and their counts: the part of lanes.h that quad mode lives from.  A truth table
 * is a sum modulo 2 of products of its arguments (products.h).  Each number of arguments that
 * matter has loops of its own, which go from the arguments' words to the count, or the plane,
 * without a step through memory.  Four vectors at a time are a GROUP: their ones are added with
 * carry, and only the carries are counted (v_sum_add).
 */
#ifndef PC_KERNEL_TABLES_H
#define PC_KERNEL_TABLES_H

#include "kernel/products.h"

/* CHUNK: words that are added between two v_sum_flush. */
enum { CHUNK = 31 * GROUP };

/* An operation, and its ones so far. */
struct work {
    unsigned n; /* arguments that matter */
    const uint64_t *arg[4];
    vec factor[16]; /* all ones where the product of this set of arguments is in the sum */
    struct v_sum sum;
    vec last, odd; /* where rises count: its last vector, XOR of all rises */
};

/* Computes the operation of the words from `at` on; n is a constant where this is called. */
COPIED vec output(unsigned n, const struct work *work, size_t at)
{
    vec part[8];

    if (n == 0)
        return work->factor[0];
    const vec a = v_load(work->arg[0] + at);
    for (unsigned j = 0; j < 1u << (n - 1); j++)
        part[j] = v_xor(work->factor[2 * j], v_and(a, work->factor[2 * j + 1]));
    for (unsigned k = 1; k < n; k++) {
        const vec x = v_load(work->arg[k] + at);
        for (unsigned j = 0; j < 1u << (n - 1 - k); j++)
            part[j] = v_xor(part[2 * j], v_and(x, part[2 * j + 1]));
    }
    return part[0];
}

/* Asks for a group of each plane: spread through the loop, or the buffers overflow. */
COPIED void ask(unsigned n, const struct work *work, size_t at)
{
    for (unsigned k = 0; k < n; k++)
        for (size_t i = 0; i < GROUP; i += LINE_WORDS)
            v_prefetch(work->arg[k] + at, i);
}

/* Adds the ones of `words` words from `first` on: whole groups, CHUNK at most. */
COPIED void count_n(unsigned n, struct work *work, size_t first, size_t words)
{
    struct v_sum sum = work->sum;

    for (size_t i = first; i < first + words; i += GROUP) {
        ask(n, work, i + AHEAD);
        v_sum_add(&sum, output(n, work, i), output(n, work, i + LANES),
                  output(n, work, i + 2 * LANES), output(n, work, i + 3 * LANES));
    }
    v_sum_flush(&sum);
    work->sum = sum;
}

/* Returns the rises in x, which comes after the vector *last and takes its place. */
static inline vec rises(vec *last, vec x)
{
    return v_andnot(x, v_late(last, x));
}

/* Counts as count_n, and finds whether the number of rises is odd. */
COPIED void edges_n(unsigned n, struct work *work, size_t first, size_t words)
{
    struct v_sum sum = work->sum;
    vec last = work->last, odd = work->odd;

    for (size_t i = first; i < first + words; i += GROUP) {
        vec x[4];
        ask(n, work, i + AHEAD);
        for (unsigned k = 0; k < 4; k++) {
            x[k] = output(n, work, i + k * LANES);
            odd = v_xor(odd, rises(&last, x[k]));
        }
        v_sum_add(&sum, x[0], x[1], x[2], x[3]);
    }
    v_sum_flush(&sum);
    work->sum = sum;
    work->last = last;
    work->odd = odd;
}

/* out = words 0 to words - 1, any number of groups; memory is asked for those `ahead` of them. */
COPIED void store_n(unsigned n, uint64_t *out, const struct work *work, size_t words, size_t ahead)
{
    for (size_t i = 0; i < words; i += GROUP) {
        ask(n, work, i + ahead);
        for (size_t j = i; j < i + GROUP; j += LANES)
            v_store(out + j, output(n, work, j));
    }
}

/* Calls NAME_n with the number of arguments as a constant, which makes its loops straight code. */
#define BY_ARGUMENTS(name, work, ...)                                                              \
    switch ((work)->n) {                                                                           \
    case 0:                                                                                        \
        name##_n(0, __VA_ARGS__);                                                                  \
        break;                                                                                     \
    case 1:                                                                                        \
        name##_n(1, __VA_ARGS__);                                                                  \
        break;                                                                                     \
    case 2:                                                                                        \
        name##_n(2, __VA_ARGS__);                                                                  \
        break;                                                                                     \
    case 3:                                                                                        \
        name##_n(3, __VA_ARGS__);                                                                  \
        break;                                                                                     \
    default:                                                                                       \
        name##_n(4, __VA_ARGS__);                                                                  \
        break;                                                                                     \
    }

static void count_chunk(struct work *work, size_t first, size_t words)
{
    BY_ARGUMENTS(count, work, work, first, words)
}

static void edges_chunk(struct work *work, size_t first, size_t words)
{
    BY_ARGUMENTS(edges, work, work, first, words)
}

static void work_begin(struct work *work, const struct pc_lut_op *op)
{
    const struct pc_products p = pc_products_of(op);

    work->n = p.n;
    for (unsigned k = 0; k < p.n; k++)
        work->arg[k] = p.arg[k];
    for (unsigned i = 0; i < 1u << p.n; i++)
        work->factor[i] = v_set(p.set >> i & 1 ? UINT64_MAX : 0);
    work->sum = v_sum_none();
}

static void lut(uint64_t *out, const struct pc_lut_op *op, size_t words, size_t ahead)
{
    const size_t whole = words - words % GROUP;
    const struct pc_lut_op rest = pc_lut_at(op, whole);
    struct work work;

    work_begin(&work, op);
    BY_ARGUMENTS(store, &work, out, &work, whole, ahead)
    if (whole < words)
        FINISH.lut(out + whole, &rest, words - whole, ahead);
}

static uint64_t count_lut(const struct pc_lut_op *op, size_t words)
{
    const size_t whole = words - words % GROUP;
    const struct pc_lut_op rest = pc_lut_at(op, whole);
    struct work work;

    work_begin(&work, op);
    for (size_t i = 0; i < whole; i += CHUNK)
        count_chunk(&work, i, whole - i < CHUNK ? whole - i : CHUNK);
    const uint64_t ones = v_sum_total(&work.sum);
    return whole < words ? ones + FINISH.count_lut(&rest, words - whole) : ones;
}

static void quad(const struct pc_lut_op op[4], size_t words, uint64_t counts[4],
                 struct pc_rise *edge)
{
    const size_t whole = words - words % GROUP;
    struct pc_lut_op rest[4];
    struct work work[4];

    for (unsigned k = 0; k < 4; k++) {
        work_begin(&work[k], &op[k]);
        rest[k] = pc_lut_at(&op[k], whole);
    }
    work[2].last = v_set(edge->level ? UINT64_MAX : 0);
    work[2].odd = v_set(0);
    for (size_t first = 0; first < whole; first += TILE) {
        const size_t tile = whole - first < TILE ? whole - first : TILE;
        count_chunk(&work[0], first, tile);
        count_chunk(&work[1], first, tile);
        edges_chunk(&work[2], first, tile);
        count_chunk(&work[3], first, tile);
    }
    edge->level = last_bit(work[2].last);
    edge->odd ^= is_odd(work[2].odd);
    for (unsigned k = 0; k < 4; k++)
        counts[k] += v_sum_total(&work[k].sum);
    if (whole < words)
        FINISH.quad(rest, words - whole, counts, edge);
}

#endif
