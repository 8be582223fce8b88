/* SPDX-License-Identifier: MIT */
/*
 * The edges of a capture, one after the other: blocks of planes with a cycle for each timestamp,
 * of which 64 are looked at at once.
 */
#include "diff/diff_align.h"

#include "wave/time_unit.h"

#include <stdlib.h>
#include <string.h>

int align_side_open(struct align_side *s, const struct align_options *o, const char *path)
{
    const struct pc_wave_desc desc = cli_wave_desc(&o->read, path);
    struct pc_error err;

    pc_wave_close(s->wave);
    s->wave = NULL;
    s->path = path;
    if (cli_wave_open(&desc, &s->wave, &err))
        return cli_error(&err, path, NULL);
    pc_wave_get_info(s->wave, &s->info);
    return CLI_OK;
}

void align_side_close(struct align_side *s)
{
    pc_wave_close(s->wave);
    free(s->bit);
    free(s->level);
    free(s->queue);
    free(s->initial);
    memset(s, 0, sizeof *s);
}

int align_side_begin(struct align_side *s, const struct align_options *o,
                     const struct align_names *n)
{
    const struct pc_wave_clock clock = { .edge = PC_EDGE_EVERY, .times = true };
    struct pc_error err;
    unsigned stream;

    if (s->begun || s->ended) {
        const int code = align_side_open(s, o, s->path);
        if (code)
            return code;
    }
    s->names = n;
    s->begun = s->ended = false;
    s->block.cycles = s->word = s->at = s->cycle = 0;
    memset(s->begin, 0, sizeof s->begin);
    if (!s->level)
        s->level = malloc(n->bits + 1);
    if (!s->queue)
        s->queue = calloc(64 * n->bits + 1, sizeof *s->queue);
    if (!s->initial)
        s->initial = calloc(n->signals + 1, sizeof *s->initial);
    if (!s->level || !s->queue || !s->initial)
        return cli_no_memory();
    if (pc_wave_bind(s->wave, &clock, s->bit, n->bits, &stream, &err))
        return cli_error(&err, s->path, NULL);
    return CLI_OK;
}

/* --- words --- */

static int time_of(struct align_side *s, uint32_t cycle, int64_t *out)
{
    const bool sample = s->info.sampled || !s->block.time;
    const uint64_t time = sample ? s->block.first_cycle + cycle : s->block.time[cycle];
    struct pc_error err;
    uint64_t scaled;

    if (cli_time_scaled(&s->scale, time, &scaled) && scaled <= INT64_MAX / 4) {
        *out = (int64_t)scaled;
        return CLI_OK;
    }
    cli_fail(&err, 1704, "its times are more than 2^61 units of 10^%d s", s->scale.exponent);
    return cli_error(&err, s->path, NULL);
}

/* The cycles of the word at which a bit is another than before. */
static uint64_t changes_of(struct align_side *s, size_t bit, uint64_t there)
{
    const uint64_t value = s->block.value[bit][s->word], unknown = s->block.unknown[bit][s->word];
    const uint8_t was = s->level[bit];

    return ((value ^ (value << 1 | (was & 1))) | (unknown ^ (unknown << 1 | was >> 1))) & there;
}

static void set_levels(struct align_side *s, unsigned cycles)
{
    for (size_t bit = 0; bit < s->names->bits; bit++)
        s->level[bit] = (uint8_t)((s->block.value[bit][s->word] >> (cycles - 1) & 1) |
                                  (s->block.unknown[bit][s->word] >> (cycles - 1) & 1) << 1);
}

/* Lists the signals that change in each cycle of the word. */
static void queue_word(struct align_side *s, unsigned cycles)
{
    const struct align_names *n = s->names;
    const uint64_t there = cycles == 64 ? UINT64_MAX : (UINT64_C(1) << cycles) - 1;
    uint32_t count[64] = { 0 }, end[64];

    for (size_t i = 0; i < n->signals; i++) {
        uint64_t any = 0;
        for (uint32_t b = 0; b < n->signal[i].width; b++)
            any |= changes_of(s, n->signal[i].first + b, there);
        for (; any; any &= any - 1)
            count[__builtin_ctzll(any)]++;
    }
    s->begin[0] = 0;
    for (unsigned t = 0; t < 64; t++) {
        end[t] = s->begin[t];
        s->begin[t + 1] = s->begin[t] + count[t];
    }
    for (size_t i = 0; i < n->signals && s->begin[64] > 0; i++) {
        uint64_t any = 0;
        for (uint32_t b = 0; b < n->signal[i].width; b++)
            any |= changes_of(s, n->signal[i].first + b, there);
        for (; any; any &= any - 1)
            s->queue[end[__builtin_ctzll(any)]++] = (uint32_t)i;
    }
    s->at = s->cycle = 0;
}

/* Reads the value of a signal in a cycle of the word. */
static void value_of(const struct align_side *s, uint32_t cycle, struct align_edge *e)
{
    const struct align_signal *g = &s->names->signal[e->signal];
    uint64_t value = 0, unknown = 0;

    for (uint32_t b = 0; b < g->width; b++) {
        const uint64_t v = s->block.value[g->first + b][s->word] >> cycle & 1;
        const uint64_t x = s->block.unknown[g->first + b][s->word] >> cycle & 1;
        if (g->width <= 64) {
            value |= v << b;
            unknown |= x << b;
        } else {
            value = (value ^ (v | x << 1)) * UINT64_C(0x100000001b3) + 1;
        }
    }
    e->value = value;
    e->unknown = unknown;
}

/* The first cycle has levels, and no edge. */
static int begin_side(struct align_side *s)
{
    for (size_t bit = 0; bit < s->names->bits; bit++)
        s->level[bit] =
            (uint8_t)((s->block.value[bit][0] & 1) | (s->block.unknown[bit][0] & 1) << 1);
    for (uint32_t i = 0; i < s->names->signals; i++) {
        s->initial[i].signal = i;
        value_of(s, 0, &s->initial[i]);
    }
    s->begun = true;
    return time_of(s, 0, &s->first);
}

/* The next word with its list; ended: there is none. */
static int next_word(struct align_side *s)
{
    struct pc_error err;

    if (s->block.cycles > 0) {
        const uint32_t over = s->block.cycles - 64 * s->word;
        set_levels(s, over < 64 ? over : 64);
        s->word++;
    }
    if (64 * s->word >= s->block.cycles) {
        const enum pc_status status = pc_wave_next(s->wave, &s->block, &err);
        s->word = 0;
        s->begin[64] = 0;
        s->ended = status == PC_END;
        if (status)
            s->block.cycles = 0;
        if (status && status != PC_END)
            return cli_error(&err, s->path, NULL);
        if (status == PC_END)
            return CLI_OK;
        int code = s->begun ? CLI_OK : begin_side(s);
        if (code == CLI_OK)
            code = time_of(s, s->block.cycles - 1, &s->last);
        if (code)
            return code;
    }
    const uint32_t left = s->block.cycles - 64 * s->word;
    queue_word(s, left < 64 ? left : 64);
    return CLI_OK;
}

int align_side_next(struct align_side *s, struct align_edge *out)
{
    while (!s->ended && s->at == s->begin[64]) {
        const int code = next_word(s);
        if (code)
            return code;
    }
    out->signal = UINT32_MAX;
    if (s->ended)
        return CLI_OK;
    while (s->at == s->begin[s->cycle + 1])
        s->cycle++;
    out->signal = s->queue[s->at++];
    value_of(s, s->cycle, out);
    return time_of(s, 64 * s->word + s->cycle, &out->time);
}
