/* SPDX-License-Identifier: MIT */
/*
 * Logic operations and their counts with AVX-512, which has any function of three inputs as an
 * instruction, with its table in the instruction itself.  A table of four inputs is one such
 * function where the fourth is 0 and another where it is 1: a jump to the one, a jump to the other,
 * and a third to choose.  Four vectors go through each at a time, a GROUP.  Tables of two inputs
 * have less to load.
 */
#ifndef PC_KERNEL_TERNARY_H
#define PC_KERNEL_TERNARY_H

enum { VECTORS = GROUP / LANES };

/* Where rises count: the vector before, and the XOR of all rises. */
struct rises {
    vec last, odd;
};

#define FOUR(M, n)    M(n) M(n + 1) M(n + 2) M(n + 3)
#define SIXTEEN(M, n) FOUR(M, n) FOUR(M, n + 4) FOUR(M, n + 8) FOUR(M, n + 12)
#define SIXTY(M, n)   SIXTEEN(M, n) SIXTEEN(M, n + 16) SIXTEEN(M, n + 32) SIXTEEN(M, n + 48)
#define ALL(M)        SIXTY(M, 0) SIXTY(M, 64) SIXTY(M, 128) SIXTY(M, 192)

#define OF_TWO(n)                                                                                  \
    case n:                                                                                        \
        for (unsigned k = 0; k < VECTORS; k++)                                                     \
            x[k] = _mm512_ternarylogic_epi64(b[k], b[k], a[k], ((n)&3) | ((n) << 4 & 0xc0));       \
        break;
#define OF_THREE(n)                                                                                \
    case n:                                                                                        \
        for (unsigned k = 0; k < VECTORS; k++)                                                     \
            c[k] = _mm512_ternarylogic_epi64(c[k], b[k], a[k], n);                                 \
        break;

/* x = bit 2b + a of `table` */
COPIED void of_two(vec *x, unsigned table, const vec *a, const vec *b)
{
    switch (table & 15) {
        SIXTEEN(OF_TWO, 0)
    }
}

/* c becomes bit 4c + 2b + a of `table`, in its place, as the instruction has it. */
COPIED void of_three(vec *c, uint8_t table, const vec *a, const vec *b)
{
    switch (table) {
        ALL(OF_THREE)
    }
}

COPIED void load_group(vec *x, const uint64_t *at)
{
    for (unsigned k = 0; k < VECTORS; k++)
        x[k] = v_load(at + k * LANES);
}

/* The last bit of a vector. */
COPIED bool level_after(vec last)
{
    return v_top(last) >> (LANES - 1) & 1;
}

/* -1 where the bit is 1 */
COPIED vec level_of(unsigned bit)
{
    return v_set((uint64_t)0 - (bit & 1));
}

/*
 * The group from word `at` on of an operation over its first `inputs` arguments, which is a
 * constant where this is called.
 */
COPIED void evaluate(unsigned inputs, const struct pc_lut_op *op, size_t at, vec x[VECTORS])
{
    const vec first = level_of(op->table), differs = level_of(op->table ^ op->table >> 1);
    vec a[VECTORS], b[VECTORS], high[VECTORS];

    if (inputs == 0)
        for (unsigned k = 0; k < VECTORS; k++)
            x[k] = first;
    if (inputs > 0)
        load_group(a, op->arg[0] + at);
    if (inputs == 1)
        for (unsigned k = 0; k < VECTORS; k++)
            x[k] = v_xor(v_and(a[k], differs), first);
    if (inputs > 1)
        load_group(b, op->arg[1] + at);
    if (inputs == 2)
        of_two(x, op->table, a, b);
    if (inputs < 3)
        return;
    load_group(x, op->arg[2] + at);
    for (unsigned k = 0; k < VECTORS; k++)
        high[k] = x[k];
    of_three(x, (uint8_t)op->table, a, b);
    if (inputs == 3)
        return;
    of_three(high, (uint8_t)(op->table >> 8), a, b);
    for (unsigned k = 0; k < VECTORS; k++)
        x[k] = _mm512_ternarylogic_epi64(v_load(op->arg[3] + at + k * LANES), high[k], x[k], 0xca);
}

/* Asks for a group of each plane: spread through the loop, or the buffers overflow. */
COPIED void ask(unsigned inputs, const struct pc_lut_op *op, size_t at)
{
    for (unsigned k = 0; k < inputs; k++)
        for (size_t i = 0; i < GROUP; i += LINE_WORDS)
            v_prefetch(op->arg[k] + at, i);
}

COPIED vec ones_of_group(vec sum, const vec x[VECTORS])
{
    const vec first = v_add(v_ones(x[0]), v_ones(x[1])), second = v_add(v_ones(x[2]), v_ones(x[3]));

    return v_add(sum, v_add(first, second));
}

COPIED vec count_inputs(unsigned inputs, const struct pc_lut_op *op, vec ones, size_t first,
                        size_t words)
{
    vec x[VECTORS];

    for (size_t i = first; i < first + words; i += GROUP) {
        ask(inputs, op, i + AHEAD);
        evaluate(inputs, op, i, x);
        ones = ones_of_group(ones, x);
    }
    return ones;
}

COPIED void rises_of_group(struct rises *rises, const vec x[VECTORS])
{
    for (unsigned k = 0; k < VECTORS; k++) {
        const vec behind = v_behind(k > 0 ? x[k - 1] : rises->last, x[k]);
        const vec before = _mm512_shldi_epi64(x[k], behind, 1);
        rises->odd = /* ^ (x & ~before) */
            _mm512_ternarylogic_epi64(rises->odd, x[k], before, 0xb4);
    }
    rises->last = x[VECTORS - 1];
}

COPIED vec edges_inputs(unsigned inputs, const struct pc_lut_op *op, vec ones, struct rises *rises,
                        size_t first, size_t words)
{
    struct rises now = *rises;
    vec x[VECTORS];

    for (size_t i = first; i < first + words; i += GROUP) {
        ask(inputs, op, i + AHEAD);
        evaluate(inputs, op, i, x);
        rises_of_group(&now, x);
        ones = ones_of_group(ones, x);
    }
    *rises = now;
    return ones;
}

/*
 * Jobs of one kind, with all that is theirs in one loop.  Both numbers of one that has rises come
 * from one sum: its ones are fewer than 2^32.
 */
COPIED void jobs_inputs(unsigned inputs, bool edges, struct pc_lut_job *job, size_t n, size_t first,
                        size_t words)
{
    for (struct pc_lut_job *end = job + n; job < end; job++) {
        struct rises rises = { v_set(0), v_set(0) };
        vec ones = v_set(0), x[VECTORS];
        if (edges)
            rises.last = level_of(job->edge.level);
        for (size_t i = first; i < first + words; i += GROUP) {
            evaluate(inputs, &job->op, i, x);
            if (edges)
                rises_of_group(&rises, x);
            ones = ones_of_group(ones, x);
        }
        if (edges)
            ones = v_add(ones, v_left(v_ones(rises.odd), 32));
        const uint64_t sum = v_total(ones);
        job->ones += edges ? (uint32_t)sum : sum;
        if (edges) {
            job->edge.odd ^= sum >> 32 & 1;
            job->edge.level = level_after(rises.last);
        }
    }
}

COPIED void store_inputs(unsigned inputs, uint64_t *out, const struct pc_lut_op *op, size_t words,
                         size_t ahead)
{
    vec x[VECTORS];

    for (size_t i = 0; i < words; i += GROUP) {
        ask(inputs, op, i + ahead);
        evaluate(inputs, op, i, x);
        for (unsigned k = 0; k < VECTORS; k++)
            v_store(out + i + k * LANES, x[k]);
    }
}

/* `ones` and those of each lane in words first to first + words - 1: whole groups.  Memory is asked
 * for what comes later. */
typedef vec count_fn(const struct pc_lut_op *op, vec ones, size_t first, size_t words);
typedef vec edges_fn(const struct pc_lut_op *op, vec ones, struct rises *rises, size_t first,
                     size_t words);
/* out = words 0 to words - 1, any number of groups; memory is asked for those `ahead` of them. */
typedef void store_fn(uint64_t *out, const struct pc_lut_op *op, size_t words, size_t ahead);
/* Whole groups of jobs of one kind, whose planes are near. */
typedef void jobs_fn(struct pc_lut_job *job, size_t n, size_t first, size_t words);

#define INPUTS(n)                                                                                  \
    static vec count_##n(const struct pc_lut_op *op, vec ones, size_t first, size_t words)         \
    {                                                                                              \
        return count_inputs(n, op, ones, first, words);                                            \
    }                                                                                              \
    static vec edges_##n(const struct pc_lut_op *op, vec ones, struct rises *rises, size_t first,  \
                         size_t words)                                                             \
    {                                                                                              \
        return edges_inputs(n, op, ones, rises, first, words);                                     \
    }                                                                                              \
    static void store_##n(uint64_t *out, const struct pc_lut_op *op, size_t words, size_t ahead)   \
    {                                                                                              \
        store_inputs(n, out, op, words, ahead);                                                    \
    }                                                                                              \
    static void count_jobs_##n(struct pc_lut_job *job, size_t jobs, size_t first, size_t words)    \
    {                                                                                              \
        jobs_inputs(n, false, job, jobs, first, words);                                            \
    }                                                                                              \
    static void edges_jobs_##n(struct pc_lut_job *job, size_t jobs, size_t first, size_t words)    \
    {                                                                                              \
        jobs_inputs(n, true, job, jobs, first, words);                                             \
    }
INPUTS(0)
INPUTS(1)
INPUTS(2)
INPUTS(3)
INPUTS(4)

#define OF_EACH(f)                                                                                 \
    {                                                                                              \
        f##_0, f##_1, f##_2, f##_3, f##_4                                                          \
    }
static count_fn *const COUNT[5] = OF_EACH(count);
static edges_fn *const EDGES[5] = OF_EACH(edges);
static store_fn *const STORE[5] = OF_EACH(store);
static jobs_fn *const JOBS[2][5] = { OF_EACH(count_jobs), OF_EACH(edges_jobs) };

static struct rises rises_begin(bool level)
{
    return (struct rises){ .last = level_of(level), .odd = v_set(0) };
}

/* The last level, and whether the number of rises is odd. */
static void rises_end(const struct rises *rises, struct pc_rise *edge)
{
    edge->level = level_after(rises->last);
    edge->odd ^= v_total(v_ones(rises->odd)) & 1;
}

static void lut(uint64_t *out, const struct pc_lut_op *op, size_t words, size_t ahead)
{
    const size_t whole = words - words % GROUP;
    const struct pc_lut_op least = pc_lut_least(op), rest = pc_lut_at(op, whole);

    STORE[pc_lut_inputs(&least)](out, &least, whole, ahead);
    if (whole < words)
        FINISH.lut(out + whole, &rest, words - whole, ahead);
}

static void whole_jobs(struct pc_lut_job *job, size_t n, size_t first, size_t words)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && job[end].inputs == job[i].inputs; end++)
            if (job[end].edges != job[i].edges)
                break;
        JOBS[job[i].edges][job[i].inputs](job + i, end - i, first, words);
    }
}

#include "kernel/jobs.h"

static uint64_t count_lut(const struct pc_lut_op *op, size_t words)
{
    const size_t whole = words - words % GROUP;
    const struct pc_lut_op least = pc_lut_least(op), rest = pc_lut_at(op, whole);
    const uint64_t ones = v_total(COUNT[pc_lut_inputs(&least)](&least, v_set(0), 0, whole));

    return whole < words ? ones + FINISH.count_lut(&rest, words - whole) : ones;
}

/*
 * Words of each plane that one operation of a quad takes before the next one's turn.  Few planes
 * beside each other come from memory faster than 16; those that two operations share must still be
 * near when the second one looks at them.
 */
static size_t quad_turn(const struct pc_lut_op least[4])
{
    enum { FAR_TURN = 65536, FEW = 8 };
    unsigned planes = 0;

    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < 4 && least[k].arg[i]; i++, planes++)
            for (unsigned other = 0; other < k; other++)
                for (unsigned j = 0; j < 4; j++)
                    if (least[other].arg[j] == least[k].arg[i])
                        return TILE;
    return planes > FEW ? FAR_TURN : TILE;
}

static void quad(const struct pc_lut_op op[4], size_t words, uint64_t counts[4],
                 struct pc_rise *edge)
{
    const size_t whole = words - words % GROUP;
    struct rises rises = rises_begin(edge->level);
    struct pc_lut_op least[4], rest[4];
    unsigned inputs[4];
    vec ones[4];

    for (unsigned k = 0; k < 4; k++) {
        least[k] = pc_lut_least(&op[k]);
        inputs[k] = pc_lut_inputs(&least[k]);
        rest[k] = pc_lut_at(&op[k], whole);
        ones[k] = v_set(0);
    }
    const size_t most = quad_turn(least);
    for (size_t at = 0; at < whole; at += most) {
        const size_t now = whole - at < most ? whole - at : most;
        ones[0] = COUNT[inputs[0]](&least[0], ones[0], at, now);
        ones[1] = COUNT[inputs[1]](&least[1], ones[1], at, now);
        ones[2] = EDGES[inputs[2]](&least[2], ones[2], &rises, at, now);
        ones[3] = COUNT[inputs[3]](&least[3], ones[3], at, now);
    }
    rises_end(&rises, edge);
    for (unsigned k = 0; k < 4; k++)
        counts[k] += v_total(ones[k]);
    if (whole < words)
        FINISH.quad(rest, words - whole, counts, edge);
}

#endif
