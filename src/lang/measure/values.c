/* SPDX-License-Identifier: MIT */
/*
 * The value of a vector in each cycle, in runs of cycles in which it stays: a word of the planes in
 * which no bit changes is one step for 64 cycles.
 */
#include "lang/measure/wide.h"

#include "base/alloc.h"
#include "base/error.h"

struct pc_values {
    struct pc_alloc alloc;
    unsigned width;
    bool is_signed;
    struct pc_dist *dist;
    uint64_t unknown;
    /* The sample of now, and how often it has been without having been added. */
    uint64_t now, run;
    bool now_unknown;
};

enum pc_status pc_values_create(const struct pc_alloc *alloc, unsigned width, bool is_signed,
                                struct pc_values **out, struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(alloc);

    if (width == 0 || width > PC_VALUES_WIDTH)
        return pc_fail(err, 1800, "a value has 1 to %d bits, not %u", PC_VALUES_WIDTH, width);
    struct pc_values *v = pc_calloc(&a, 1, sizeof *v);
    if (!v)
        return pc_fail(err, 100, "no memory for the values of a vector");
    v->alloc = a;
    v->width = width;
    v->is_signed = is_signed;
    const enum pc_status status = pc_dist_create(&a, is_signed, &v->dist, err);
    if (status) {
        pc_values_destroy(v);
        return status;
    }
    *out = v;
    return PC_OK;
}

void pc_values_destroy(struct pc_values *v)
{
    if (!v)
        return;
    const struct pc_alloc a = v->alloc;
    pc_dist_destroy(v->dist);
    pc_free(&a, v, sizeof *v);
}

/* Adds the value that has stayed since it was noted. */
static void end_run(struct pc_values *v)
{
    if (v->run == 0)
        return;
    if (v->now_unknown)
        v->unknown += v->run;
    else
        pc_dist_add(v->dist, v->now, v->run);
    v->run = 0;
}

/* The planes of a block */
struct planes {
    const uint64_t *const *value, *const *unknown;
};

/* Cycles of word w in which some bit is not what it was a cycle before, and the block's first. */
static uint64_t changes(const struct pc_values *v, const struct planes *p, size_t w)
{
    uint64_t changed = w == 0;

    for (unsigned k = 0; k < v->width; k++) {
        const uint64_t value = p->value[k][w], unknown = p->unknown[k][w];
        const uint64_t value_before = w > 0 ? p->value[k][w - 1] >> 63 : 0;
        const uint64_t unknown_before = w > 0 ? p->unknown[k][w - 1] >> 63 : 0;
        changed |=
            (value ^ (value << 1 | value_before)) | (unknown ^ (unknown << 1 | unknown_before));
    }
    return changed;
}

static void look(struct pc_values *v, const struct planes *p, size_t w, unsigned bit)
{
    uint64_t value = 0, unknown = 0;

    for (unsigned k = 0; k < v->width; k++) {
        value |= (p->value[k][w] >> bit & 1) << k;
        unknown |= p->unknown[k][w] >> bit & 1;
    }
    if (v->is_signed && value >> (v->width - 1) & 1 && v->width < 64)
        value |= UINT64_MAX << v->width;
    v->now = value;
    v->now_unknown = unknown != 0;
}

/* Bits from `from` up to, not including, `to`; to > from. */
static uint64_t bits_between(unsigned from, unsigned to)
{
    return (to < 64 ? (UINT64_C(1) << to) - 1 : UINT64_MAX) & UINT64_MAX << from;
}

void pc_values_add(struct pc_values *v, const uint64_t *const *value,
                   const uint64_t *const *unknown, const uint64_t *when, uint64_t cycles)
{
    const struct planes p = { value, unknown };

    for (size_t w = 0; w < (cycles + 63) / 64; w++) {
        const unsigned end = cycles - 64 * w < 64 ? (unsigned)(cycles - 64 * w) : 64;
        const uint64_t counts = (when ? when[w] : UINT64_MAX) & bits_between(0, end);
        uint64_t changed = changes(v, &p, w) & bits_between(0, end);
        unsigned at = 0;
        while (changed != 0) {
            const unsigned next = (unsigned)__builtin_ctzll(changed);
            if (next > at)
                v->run += (uint64_t)__builtin_popcountll(counts & bits_between(at, next));
            end_run(v);
            look(v, &p, w, next);
            at = next;
            changed &= changed - 1;
        }
        v->run += (uint64_t)__builtin_popcountll(counts & bits_between(at, end));
    }
    end_run(v);
}

struct pc_dist *pc_values_dist(struct pc_values *v)
{
    return v->dist;
}

uint64_t pc_values_unknown(const struct pc_values *v)
{
    return v->unknown;
}

void pc_values_next(struct pc_values *v)
{
    pc_dist_clear(v->dist);
    v->unknown = 0;
}
