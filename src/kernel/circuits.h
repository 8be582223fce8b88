/* SPDX-License-Identifier: MIT */
/*
 * Logic operations and their counts: the part of lanes.h that quad mode lives from.  Each of
 * the circuits of data/circuits.csv is a loop of its own, which goes from the arguments' words
 * to the count, or the plane, without a step through memory.  Four vectors at a time are
 * a GROUP: their ones are added with carry, and only the carries are counted (v_sum_add).
 */
#ifndef PC_KERNEL_CIRCUITS_H
#define PC_KERNEL_CIRCUITS_H

/* CHUNK: words that are added between two v_sum_flush. */
enum { CHUNK = 31 * GROUP };

/* An operation: struct pc_lut_plan for vectors, and its ones so far. */
struct work {
    const uint64_t *arg[4];
    vec inverse[4], inverted; /* of the result */
    struct v_sum sum;
    vec last, odd; /* where rises count: its last vector, XOR of all rises */
};

typedef vec circuit_fn(vec a, vec b, vec c, vec d);
/* Adds the ones of words first to first + words to the sum, where the result is not inverted:
 * whole groups, CHUNK at most. */
typedef void count_fn(struct work *work, size_t first, size_t words);
/* out = words 0 to words - 1, any number of groups; memory is asked for those `ahead` of them. */
typedef void store_fn(uint64_t *out, const struct work *work, size_t words, size_t ahead);

COPIED vec input(const struct work *work, unsigned k, size_t at)
{
    return v_xor(v_load(work->arg[k] + at), work->inverse[k]);
}

/* uses: bit k where the circuit has input k; constants where this is called. */
COPIED vec output(unsigned uses, circuit_fn *circuit, const struct work *work, size_t at)
{
    const vec none = v_set(0);

    return circuit(uses & 1 ? input(work, 0, at) : none, uses & 2 ? input(work, 1, at) : none,
                   uses & 4 ? input(work, 2, at) : none, uses & 8 ? input(work, 3, at) : none);
}

/* Asks for a group of each plane: spread through the loop, or the buffers overflow. */
COPIED void ask(unsigned uses, const struct work *work, size_t at)
{
    for (unsigned k = 0; k < 4; k++)
        for (size_t i = 0; uses >> k & 1 && i < GROUP; i += LINE_WORDS)
            v_prefetch(work->arg[k] + at, i);
}

COPIED void count_circuit(unsigned uses, circuit_fn *circuit, struct work *into, size_t first,
                          size_t words)
{
    struct work work = *into; /* in registers, as nothing else points to it */

    for (size_t i = first; i < first + words; i += GROUP) {
        ask(uses, &work, i + AHEAD);
        v_sum_add(&work.sum, output(uses, circuit, &work, i),
                  output(uses, circuit, &work, i + LANES),
                  output(uses, circuit, &work, i + 2 * LANES),
                  output(uses, circuit, &work, i + 3 * LANES));
    }
    v_sum_flush(&work.sum);
    into->sum = work.sum;
}

/* The rises in x, which comes after the vector *last and takes its place. */
static inline vec rises(vec *last, vec x)
{
    return v_andnot(x, v_late(last, x));
}

COPIED void edges_circuit(unsigned uses, circuit_fn *circuit, struct work *into, size_t first,
                          size_t words)
{
    struct work work = *into;

    for (size_t i = first; i < first + words; i += GROUP) {
        vec x[4];
        ask(uses, &work, i + AHEAD);
        for (unsigned k = 0; k < 4; k++) {
            x[k] = v_xor(output(uses, circuit, &work, i + k * LANES), work.inverted);
            work.odd = v_xor(work.odd, rises(&work.last, x[k]));
        }
        v_sum_add(&work.sum, x[0], x[1], x[2], x[3]);
    }
    v_sum_flush(&work.sum);
    into->sum = work.sum;
    into->last = work.last;
    into->odd = work.odd;
}

COPIED void store_circuit(unsigned uses, circuit_fn *circuit, uint64_t *out,
                          const struct work *from, size_t words, size_t ahead)
{
    const struct work work = *from;

    for (size_t i = 0; i < words; i += GROUP) {
        ask(uses, &work, i + ahead);
        for (size_t j = i; j < i + GROUP; j += LANES)
            v_store(out + j, v_xor(output(uses, circuit, &work, j), work.inverted));
    }
}

#define KIND(plan)
#define CIRCUIT(number, uses, gates, result)                                                       \
    COPIED vec circuit_##number(vec a, vec b, vec c, vec d)                                        \
    {                                                                                              \
        (void)a, (void)b, (void)c, (void)d;                                                        \
        gates return result;                                                                       \
    }                                                                                              \
    static void count_##number(struct work *work, size_t first, size_t words)                      \
    {                                                                                              \
        count_circuit(uses, circuit_##number, work, first, words);                                 \
    }                                                                                              \
    static void edges_##number(struct work *work, size_t first, size_t words)                      \
    {                                                                                              \
        edges_circuit(uses, circuit_##number, work, first, words);                                 \
    }                                                                                              \
    static void store_##number(uint64_t *out, const struct work *work, size_t words, size_t ahead) \
    {                                                                                              \
        store_circuit(uses, circuit_##number, out, work, words, ahead);                            \
    }
#include "circuits.inc"

#undef CIRCUIT
#define CIRCUIT(number, uses, gates, result) count_##number,
static count_fn *const COUNT[PC_CIRCUITS] = {
#include "circuits.inc"
};

#undef CIRCUIT
#define CIRCUIT(number, uses, gates, result) edges_##number,
static count_fn *const EDGES[PC_CIRCUITS] = {
#include "circuits.inc"
};

#undef CIRCUIT
#define CIRCUIT(number, uses, gates, result) store_##number,
static store_fn *const STORE[PC_CIRCUITS] = {
#include "circuits.inc"
};

static void work_begin(struct work *work, const struct pc_lut_op *op,
                       const struct pc_lut_plan *plan)
{
    static const uint64_t LEVEL[2] = { 0, UINT64_MAX };

    for (unsigned k = 0; k < 4; k++) {
        work->arg[k] = op->arg[plan->order >> 2 * k & 3];
        work->inverse[k] = v_set(LEVEL[plan->inverse >> k & 1]);
    }
    work->inverted = v_set(LEVEL[plan->inverted]);
    work->sum = v_sum_none();
}

static void edges_begin(struct work *work, bool level)
{
    work->last = v_set(level ? UINT64_MAX : 0);
    work->odd = v_set(0);
}

/* The last level, and whether the number of rises is odd. */
static void edges_end(const struct work *work, struct pc_rise *edge)
{
    edge->level = last_bit(work->last);
    edge->odd ^= is_odd(work->odd);
}

static void lut(uint64_t *out, const struct pc_lut_op *op, size_t words, size_t ahead)
{
    const struct pc_lut_plan plan = pc_lut_plan(op);
    const size_t whole = words - words % GROUP;
    const struct pc_lut_op rest = pc_lut_at(op, whole);
    struct work work;

    work_begin(&work, op, &plan);
    STORE[plan.circuit](out, &work, whole, ahead);
    if (whole < words)
        FINISH.lut(out + whole, &rest, words - whole, ahead);
}

/* What the sum means if it is of so many words. */
static uint64_t counted(const struct pc_lut_plan *plan, const struct work *work, size_t words)
{
    const uint64_t ones = v_sum_total(&work->sum);

    return plan->inverted ? (uint64_t)words * 64 - ones : ones;
}

static uint64_t count_lut(const struct pc_lut_op *op, size_t words)
{
    const size_t whole = words - words % GROUP;
    const struct pc_lut_plan plan = pc_lut_plan(op);
    const struct pc_lut_op rest = pc_lut_at(op, whole);
    struct work work;

    work_begin(&work, op, &plan);
    for (size_t i = 0; i < whole; i += CHUNK)
        COUNT[plan.circuit](&work, i, whole - i < CHUNK ? whole - i : CHUNK);
    const uint64_t ones = counted(&plan, &work, whole);
    return whole < words ? ones + FINISH.count_lut(&rest, words - whole) : ones;
}

static void quad(const struct pc_lut_op op[4], size_t words, uint64_t counts[4],
                 struct pc_rise *edge)
{
    const size_t whole = words - words % GROUP;
    struct pc_lut_op rest[4];
    struct pc_lut_plan plan[4];
    struct work work[4];

    for (unsigned k = 0; k < 4; k++) {
        plan[k] = pc_lut_plan(&op[k]);
        work_begin(&work[k], &op[k], &plan[k]);
        rest[k] = pc_lut_at(&op[k], whole);
    }
    edges_begin(&work[2], edge->level);
    for (size_t first = 0; first < whole; first += TILE) {
        const size_t tile = whole - first < TILE ? whole - first : TILE;
        COUNT[plan[0].circuit](&work[0], first, tile);
        COUNT[plan[1].circuit](&work[1], first, tile);
        EDGES[plan[2].circuit](&work[2], first, tile);
        COUNT[plan[3].circuit](&work[3], first, tile);
    }
    edges_end(&work[2], edge);
    plan[2].inverted = false; /* what was counted was inverted before */
    for (unsigned k = 0; k < 4; k++)
        counts[k] += counted(&plan[k], &work[k], whole);
    if (whole < words)
        FINISH.quad(rest, words - whole, counts, edge);
}

#endif
