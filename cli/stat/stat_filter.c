/* SPDX-License-Identifier: MIT */
/*
 * --clock 'clk iff EXPRESSION': all edges are read, and of each block the cycles are kept at which
 * the expression is known to be 1, as a reader keeps those of one signal.
 */
#include "stat_filter.h"

#include <stdlib.h>
#include <string.h>

struct stat_filter {
    struct cli_place place;
    struct pc_expr *expr;
    uint64_t *room; /* planes: the expression, what of it is not known, and those of all wires */
    const uint64_t **plane;
    uint64_t *time;
    size_t wires;
    uint64_t cycles; /* that were kept */
};

int stat_filter_make(const struct cli_place *place, const char *text, struct stat_filter **out)
{
    struct stat_filter *f = calloc(1, sizeof *f);
    struct pc_error err;

    *out = f;
    if (!f)
        return cli_no_memory();
    f->place = *place;
    return pc_expr_parse(NULL, text, &f->expr, &err) ? cli_library_error_at(&err, place) : CLI_OK;
}

void stat_filter_free(struct stat_filter *f)
{
    if (!f)
        return;
    pc_expr_free(f->expr);
    free(f->room);
    free(f->plane);
    free(f->time);
    free(f);
}

int stat_filter_find(struct stat_filter *f, struct stat_wires *wires)
{
    struct pc_error err;

    return f && pc_expr_resolve(f->expr, stat_lookup, wires, &err)
               ? cli_library_error_at(&err, &f->place)
               : CLI_OK;
}

int stat_filter_open(struct stat_filter *f, const struct stat_wires *wires, bool times,
                     struct pc_wave_clock *clock)
{
    if (!f)
        return CLI_OK;
    clock->has_iff = false; /* of the reader */
    clock->times |= times;
    f->wires = wires->count;
    f->room = calloc((2 * f->wires + 2) * PC_BLOCK_WORDS, sizeof *f->room);
    f->plane = calloc(2 * f->wires + 1, sizeof *f->plane);
    f->time = calloc(64 * PC_BLOCK_WORDS, sizeof *f->time);
    return f->room && f->plane && f->time ? CLI_OK : cli_no_memory();
}

static uint64_t *plane_at(const struct stat_filter *f, size_t n)
{
    return f->room + n * PC_BLOCK_WORDS;
}

/* The bits of `in` where `kept` is 1, one after the other. */
static void keep(uint64_t *out, const uint64_t *in, const uint64_t *kept, size_t words)
{
    uint64_t at = 0;

    memset(out, 0, PC_BLOCK_WORDS * sizeof *out);
    for (size_t w = 0; w < words; w++)
        for (uint64_t left = kept[w]; left != 0;) {
            const unsigned from = (unsigned)__builtin_ctzll(left);
            const uint64_t gone = ~(left >> from);
            const unsigned n = gone ? (unsigned)__builtin_ctzll(gone) : 64;
            const uint64_t bits = in[w] >> from & (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX);
            out[at / 64] |= bits << at % 64;
            if (at % 64 && at % 64 + n > 64)
                out[at / 64 + 1] |= bits >> (64 - at % 64);
            at += n;
            left = from + n < 64 ? left & UINT64_MAX << (from + n) : 0;
        }
}

/* Keeps the times of the cycles, if there are any; returns how many cycles are kept. */
static uint32_t keep_times(const struct stat_filter *f, const uint64_t *time, const uint64_t *kept,
                           size_t words)
{
    uint32_t n = 0;

    for (size_t w = 0; w < words && !time; w++)
        n += (uint32_t)__builtin_popcountll(kept[w]);
    for (size_t w = 0; w < words && time; w++)
        for (uint64_t left = kept[w]; left != 0; left &= left - 1)
            f->time[n++] = time[64 * w + (unsigned)__builtin_ctzll(left)];
    return n;
}

static bool keeps_all(const uint64_t *kept, uint64_t cycles)
{
    size_t w = 0;

    while (w < cycles / 64 && kept[w] == UINT64_MAX)
        w++;
    return w == cycles / 64 && (cycles % 64 == 0 || ~kept[w] << (64 - cycles % 64) == 0);
}

bool stat_filter_block(struct stat_filter *f, const struct pc_wave_block *in,
                       struct pc_wave_block *out)
{
    uint64_t *kept = plane_at(f, 0), *unknown = plane_at(f, 1);
    const size_t words = (in->cycles + 63) / 64;

    pc_expr_eval(f->expr, in->value, in->any_unknown ? in->unknown : NULL, words, in->cycles, kept,
                 in->any_unknown ? unknown : NULL);
    for (size_t w = 0; w < words && in->any_unknown; w++)
        kept[w] &= ~unknown[w];
    if (keeps_all(kept, in->cycles)) { /* most blocks of a reset's condition */
        *out = *in;
        out->first_cycle = f->cycles;
        f->cycles += in->cycles;
        return true;
    }
    const uint32_t cycles = keep_times(f, in->time, kept, words);
    for (size_t i = 0; i < 2 * f->wires; i++) {
        const bool value = i < f->wires;
        uint64_t *plane = plane_at(f, 2 + i);
        f->plane[i] = plane;
        if (value || in->any_unknown)
            keep(plane, value ? in->value[i] : in->unknown[i - f->wires], kept, words);
        else
            memset(plane, 0, words * sizeof *plane);
    }
    *out = (struct pc_wave_block){ .stream = in->stream,
                                   .first_cycle = f->cycles,
                                   .cycles = cycles,
                                   .value = f->plane,
                                   .unknown = f->plane + f->wires,
                                   .any_unknown = in->any_unknown,
                                   .first_time = in->time ? f->time[0] : in->first_time,
                                   .last_time = !in->time ? in->last_time
                                                : cycles  ? f->time[cycles - 1]
                                                          : 0,
                                   .time = in->time ? f->time : NULL };
    f->cycles += cycles;
    return cycles > 0;
}
