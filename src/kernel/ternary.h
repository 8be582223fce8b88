/* SPDX-License-Identifier: MIT */
/*
 * Logic operations and their counts with AVX-512, which has any function of three inputs as an
 * instruction, with its table in the instruction itself.  A table of four inputs is one such
 * function where the fourth is 0 and another where it is 1: a jump to the one, a jump to the other,
 * and a third to choose.  Four vectors go through each at a time, a GROUP; of jobs, each of which
 * jumps elsewhere, eight.  Tables of two inputs need no jump.
 */
#ifndef PC_KERNEL_TERNARY_H
#define PC_KERNEL_TERNARY_H

enum { VECTORS = GROUP / LANES, WIDE = 8, WIDE_WORDS = WIDE * LANES };

/* Where rises count: the vector before, and the XOR of all rises. */
struct rises {
    vec last, odd;
};

#define FOUR(M, n)    M(n) M(n + 1) M(n + 2) M(n + 3)
#define SIXTEEN(M, n) FOUR(M, n) FOUR(M, n + 4) FOUR(M, n + 8) FOUR(M, n + 12)
#define SIXTY(M, n)   SIXTEEN(M, n) SIXTEEN(M, n + 16) SIXTEEN(M, n + 32) SIXTEEN(M, n + 48)
#define ALL(M)        SIXTY(M, 0) SIXTY(M, 64) SIXTY(M, 128) SIXTY(M, 192)

#define OF_THREE(n)                                                                                \
    case n:                                                                                        \
        for (unsigned k = 0; k < vectors; k++)                                                     \
            c[k] = _mm512_ternarylogic_epi64(c[k], b[k], a[k], n);                                 \
        break;

/* -1 where the bit is 1 */
COPIED vec level_of(unsigned bit)
{
    return v_set((uint64_t)0 - (bit & 1));
}

/* p ^ (q & r) */
COPIED vec v_xor_and(vec p, vec q, vec r)
{
    return _mm512_ternarylogic_epi64(p, q, r, 0x78);
}

/*
 * x = bit 2b + a of `table`, as a sum modulo 2 of 1, a, b and ab: as many as three operations, but
 * no jump, which is dear where each job has another table.
 */
COPIED void of_two(unsigned vectors, vec *x, unsigned table, const vec *a, const vec *b)
{
    const vec one = level_of(table), with_a = level_of(table ^ table >> 1);
    const vec with_b = level_of(table ^ table >> 2);
    const vec with_ab = level_of(table ^ table >> 1 ^ table >> 2 ^ table >> 3);

    for (unsigned k = 0; k < vectors; k++)
        x[k] = v_xor_and(v_xor_and(one, with_a, a[k]), v_xor_and(with_b, with_ab, a[k]), b[k]);
}

/* c becomes bit 4c + 2b + a of `table`, in its place, as the instruction has it. */
COPIED void of_three(unsigned vectors, vec *c, uint8_t table, const vec *a, const vec *b)
{
    switch (table) {
        ALL(OF_THREE)
    }
}

COPIED void load_group(unsigned vectors, vec *x, const uint64_t *at)
{
    for (unsigned k = 0; k < vectors; k++)
        x[k] = v_load(at + k * LANES);
}

/*
 * The group from word `at` on of an operation over its first `inputs` arguments, which is a
 * constant where this is called.
 */
COPIED void evaluate(unsigned inputs, unsigned vectors, const struct pc_lut_op *op, size_t at,
                     vec *x)
{
    const vec first = level_of(op->table), differs = level_of(op->table ^ op->table >> 1);
    vec a[WIDE], b[WIDE], high[WIDE];

    if (inputs == 0)
        for (unsigned k = 0; k < vectors; k++)
            x[k] = first;
    if (inputs > 0)
        load_group(vectors, a, op->arg[0] + at);
    if (inputs == 1)
        for (unsigned k = 0; k < vectors; k++)
            x[k] = v_xor(v_and(a[k], differs), first);
    if (inputs > 1)
        load_group(vectors, b, op->arg[1] + at);
    if (inputs == 2)
        of_two(vectors, x, op->table, a, b);
    if (inputs < 3)
        return;
    load_group(vectors, x, op->arg[2] + at);
    for (unsigned k = 0; k < vectors; k++)
        high[k] = x[k];
    of_three(vectors, x, (uint8_t)op->table, a, b);
    if (inputs == 3)
        return;
    of_three(vectors, high, (uint8_t)(op->table >> 8), a, b);
    for (unsigned k = 0; k < vectors; k++)
        x[k] = _mm512_ternarylogic_epi64(v_load(op->arg[3] + at + k * LANES), high[k], x[k], 0xca);
}

/* Asks for a group of each plane: spread through the loop, or the buffers overflow. */
COPIED void ask(unsigned inputs, const struct pc_lut_op *op, size_t at)
{
    for (unsigned k = 0; k < inputs; k++)
        for (size_t i = 0; i < GROUP; i += LINE_WORDS)
            v_prefetch(op->arg[k] + at, i);
}

COPIED vec ones_of_group(unsigned vectors, vec sum, const vec *x)
{
    for (unsigned k = 0; k < vectors; k += 2)
        sum = v_add(sum, v_add(v_ones(x[k]), v_ones(x[k + 1])));
    return sum;
}

COPIED vec count_inputs(unsigned inputs, const struct pc_lut_op *op, vec ones, size_t first,
                        size_t words)
{
    vec x[VECTORS];

    for (size_t i = first; i < first + words; i += GROUP) {
        ask(inputs, op, i + AHEAD);
        evaluate(inputs, VECTORS, op, i, x);
        ones = ones_of_group(VECTORS, ones, x);
    }
    return ones;
}

COPIED void rises_of_group(unsigned vectors, struct rises *rises, const vec *x)
{
    for (unsigned k = 0; k < vectors; k++) {
        const vec behind = v_behind(k > 0 ? x[k - 1] : rises->last, x[k]);
        const vec before = _mm512_shldi_epi64(x[k], behind, 1);
        rises->odd = /* ^ (x & ~before) */
            _mm512_ternarylogic_epi64(rises->odd, x[k], before, 0xb4);
    }
    rises->last = x[vectors - 1];
}

COPIED vec edges_inputs(unsigned inputs, const struct pc_lut_op *op, vec ones, struct rises *rises,
                        size_t first, size_t words)
{
    struct rises now = *rises;
    vec x[VECTORS];

    for (size_t i = first; i < first + words; i += GROUP) {
        ask(inputs, op, i + AHEAD);
        evaluate(inputs, VECTORS, op, i, x);
        rises_of_group(VECTORS, &now, x);
        ones = ones_of_group(VECTORS, ones, x);
    }
    *rises = now;
    return ones;
}

/*
 * Jobs of one kind, with all that is theirs in one loop; of a wide group nothing stays in a vector,
 * since its four arguments take all registers.  Both numbers of one that has rises come from one
 * sum.
 */
COPIED void jobs_inputs(unsigned inputs, bool edges, struct pc_lut_job *job, size_t n, size_t first,
                        size_t words)
{
    for (struct pc_lut_job *end = job + n; job < end; job++)
        for (size_t i = first; i < first + words; i += WIDE_WORDS) {
            vec x[WIDE];
            evaluate(inputs, WIDE, &job->op, i, x);
            vec ones = ones_of_group(WIDE, v_set(0), x);
            if (edges) {
                struct rises rises = { level_of(job->edge.level), v_set(0) };
                rises_of_group(WIDE, &rises, x);
                ones = v_add(ones, v_left(v_ones(rises.odd), 32));
                job->edge.level = last_bit(rises.last);
            }
            const uint64_t sum = v_total(ones);
            job->ones += edges ? (uint32_t)sum : sum;
            job->edge.odd ^= edges && (sum >> 32 & 1);
        }
}

COPIED void store_inputs(unsigned inputs, uint64_t *out, const struct pc_lut_op *op, size_t words,
                         size_t ahead)
{
    vec x[VECTORS];

    for (size_t i = 0; i < words; i += GROUP) {
        ask(inputs, op, i + ahead);
        evaluate(inputs, VECTORS, op, i, x);
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
    edge->level = last_bit(rises->last);
    edge->odd ^= is_odd(rises->odd);
}

static void lut(uint64_t *out, const struct pc_lut_op *op, size_t words, size_t ahead)
{
    const size_t whole = words - words % GROUP;
    const struct pc_lut_op least = pc_lut_least(op), rest = pc_lut_at(op, whole);

    STORE[pc_lut_inputs(&least)](out, &least, whole, ahead);
    if (whole < words)
        FINISH.lut(out + whole, &rest, words - whole, ahead);
}

/* The last GROUP of each, where there is no wide one. */
static void last_group(struct pc_lut_job *job, size_t n, size_t first)
{
    for (struct pc_lut_job *end = job + n; job < end; job++) {
        struct rises rises = rises_begin(job->edge.level);
        if (job->edges) {
            job->ones += v_total(EDGES[job->inputs](&job->op, v_set(0), &rises, first, GROUP));
            rises_end(&rises, &job->edge);
        } else {
            job->ones += v_total(COUNT[job->inputs](&job->op, v_set(0), first, GROUP));
        }
    }
}

static void whole_jobs(struct pc_lut_job *job, size_t n, size_t first, size_t words)
{
    const size_t wide = words - words % WIDE_WORDS;

    for (size_t i = 0, end; wide > 0 && i < n; i = end) {
        for (end = i + 1; end < n && job[end].inputs == job[i].inputs; end++)
            if (job[end].edges != job[i].edges)
                break;
        JOBS[job[i].edges][job[i].inputs](job + i, end - i, first, wide);
    }
    if (wide < words)
        last_group(job, n, first + wide);
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
