/* SPDX-License-Identifier: MIT */
/* See fst_scene.h. */
#include "fst_scene.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

enum { WIDEST = 70 };

const struct scene_signal scene_signals[SCENE_SIGNALS] = {
    { "clk", 1, 0, false, -1 },      { "en", 1, 20, false, -1 },   { "s0", 1, 128, false, -1 },
    { "s1", 1, 40, false, -1 },      { "s2", 1, 3, false, -1 },    { "mirror", 1, 0, false, 2 },
    { "x0", 1, 60, true, -1 },       { "v4", 4, 50, false, -1 },   { "v32", 32, 60, false, -1 },
    { "v70", WIDEST, 25, true, -1 }, { "still", 8, 0, false, -1 }, { "again", 32, 0, false, 8 },
};

static void roll_bits(struct test_rng *rng, const struct scene_signal *s, char *bits)
{
    const bool odd = s->states && test_rand_below(rng, 4) == 0;

    for (uint32_t i = 0; i < s->width; i++)
        bits[i] = odd ? "01xz"[test_rand_below(rng, 4)] : test_rand_below(rng, 2) ? '1' : '0';
    bits[s->width] = '\0';
}

static void change_some(const struct scene_sink *sink, struct test_rng *rng, bool all)
{
    char bits[SCENE_SIGNALS][WIDEST + 1];
    bool changed[SCENE_SIGNALS];

    for (unsigned i = 1; i < SCENE_SIGNALS; i++) {
        const struct scene_signal *s = &scene_signals[i];
        if (s->like >= 0) {
            changed[i] = changed[s->like];
            memcpy(bits[i], bits[s->like], sizeof bits[i]);
        } else {
            changed[i] = all || test_rand_below(rng, 256) < s->rate;
            roll_bits(rng, s, bits[i]);
        }
        if (changed[i])
            sink->change(sink->ctx, i, bits[i]);
    }
}

void scene_play(const struct scene_sink *sink, unsigned cycles)
{
    struct test_rng rng = { .state = 99 };

    sink->time(sink->ctx, 0);
    sink->change(sink->ctx, 0, "0");
    change_some(sink, &rng, true);
    for (unsigned c = 0; c < cycles; c++) {
        sink->time(sink->ctx, 10 * (uint64_t)c + 5);
        sink->change(sink->ctx, 0, "1");
        change_some(sink, &rng, false);
        sink->time(sink->ctx, 10 * (uint64_t)c + 10);
        sink->change(sink->ctx, 0, "0");
    }
}

static void vcd_time(void *ctx, uint64_t time)
{
    fprintf(ctx, "#%llu\n", (unsigned long long)time);
}

static void vcd_change(void *ctx, unsigned signal, const char *bits)
{
    const bool wide = scene_signals[signal].width > 1;

    fprintf(ctx, "%s%s%s%c\n", wide ? "b" : "", bits, wide ? " " : "", '!' + (char)signal);
}

void scene_write_vcd(const char *path, unsigned cycles)
{
    FILE *f = fopen(path, "w");
    const struct scene_sink sink = { vcd_time, vcd_change, f };

    assert_non_null(f);
    fputs("$timescale 1ns $end\n$scope module top $end\n", f);
    for (unsigned i = 0; i < SCENE_SIGNALS; i++)
        fprintf(f, "$var wire %u %c %s $end\n", (unsigned)scene_signals[i].width, '!' + (char)i,
                scene_signals[i].name);
    fputs("$upscope $end\n$enddefinitions $end\n", f);
    scene_play(&sink, cycles);
    assert_int_equal(fclose(f), 0);
}
