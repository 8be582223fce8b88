/* SPDX-License-Identifier: MIT */
/* The value of a vector in each cycle, in runs of cycles in which it stays. */
#include "lang/measure/runs.h"

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

void pc_values_add(struct pc_values *v, const uint64_t *const *value,
                   const uint64_t *const *unknown, const uint64_t *when, uint64_t cycles)
{
    const struct pc_runs r = { v->width, v->is_signed, value, unknown };

    for (size_t w = 0; w < (cycles + 63) / 64; w++) {
        const unsigned end = cycles - 64 * w < 64 ? (unsigned)(cycles - 64 * w) : 64;
        const uint64_t counts = (when ? when[w] : UINT64_MAX) & pc_bits_between(0, end);
        uint64_t changed = pc_runs_changes(&r, w) & pc_bits_between(0, end);
        unsigned at = 0;
        while (changed != 0) {
            const unsigned next = (unsigned)__builtin_ctzll(changed);
            if (next > at)
                v->run += (uint64_t)__builtin_popcountll(counts & pc_bits_between(at, next));
            end_run(v);
            v->now = pc_runs_value(&r, w, next, &v->now_unknown);
            at = next;
            changed &= changed - 1;
        }
        v->run += (uint64_t)__builtin_popcountll(counts & pc_bits_between(at, end));
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
