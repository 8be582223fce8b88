/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const scene_engines[ENGINES] = { "GR", "PVLD", "PPDEC", "PPPP", "MC", "PCOPY0" };
const char *const scene_modes[4] = { "never", "all", "not-all", "always" };
static const unsigned bits_gt215[ENGINES] = { 0, 4, 5, 6, 8, 19 };
static const unsigned bits_gk20a[ENGINES] = { 0, 4, 5, 6, 7, 19 };
static const char *const x_names[] = { "taint", "zero", "one" };

unsigned scene_bit(const struct scene *s, unsigned engine)
{
    return (s->gk20a ? bits_gk20a : bits_gt215)[engine];
}

unsigned scene_counters(const struct scene *s)
{
    return s->gk20a ? 8 : 4;
}

static void make_signals(struct scene *s, struct test_rng *rng)
{
    uint64_t time = 10;
    bool regular = test_rand_below(rng, 2);

    s->clocks = 1 + test_rand_below(rng, test_rand_below(rng, 4) ? 300 : CLOCKS_MAX);
    for (size_t t = 0; t < s->clocks; t++) {
        s->time[t] = time;
        time += regular ? 10 : 4 + test_rand_below(rng, 12);
        if (!regular && test_rand_below(rng, 150) == 0)
            time += test_rand_below(rng, 2000);
    }
    for (unsigned e = 0; e < ENGINES; e++) {
        uint32_t hold = 1 + test_rand_below(rng, test_rand_below(rng, 2) ? 5 : 150);
        uint8_t level = (uint8_t)test_rand_below(rng, 2);
        for (size_t t = 0; t < s->clocks; t++) {
            if (test_rand_below(rng, hold) == 0)
                level = (uint8_t)(test_rand_below(rng, 12) ? test_rand_below(rng, 2) : 2);
            s->level[e][t] = level;
        }
        s->inverted[e] = test_rand_below(rng, 2);
    }
}

static void make_settings(struct scene *s, struct test_rng *rng)
{
    uint64_t span = s->time[s->clocks - 1] + 1;

    s->engines = 1 + test_rand_below(rng, ENGINES);
    s->x = test_rand_below(rng, 3);
    s->exact = test_rand_below(rng, 2);
    s->cleared = test_rand_below(rng, 3) == 0;
    s->absent_idle = test_rand_below(rng, 3) == 0;
    s->clock_window = s->time_window = 0;
    switch (test_rand_below(rng, 3)) {
    case 0:
        s->clock_window = 1 + test_rand_below(rng, (uint32_t)s->clocks + 3);
        break;
    case 1:
        s->time_window = 1 + span / 1500 + test_rand_below(rng, (uint32_t)(span + 9));
        break;
    default:
        break;
    }
    s->governed = (s->clock_window || s->time_window) && test_rand_below(rng, 2);
    s->own_counters = test_rand_below(rng, 2);
    memset(s->counter, 0, sizeof s->counter);
    for (unsigned n = 1 + test_rand_below(rng, scene_counters(s)); s->own_counters && n > 0; n--) {
        unsigned i = test_rand_below(rng, scene_counters(s));
        s->counter[i].used = true;
        s->counter[i].mode = s->governed && n == 1 ? 2 : test_rand_below(rng, 4);
        s->counter[i].mask = 0;
        for (unsigned e = 0; e < ENGINES; e++)
            s->counter[i].mask |= test_rand_below(rng, 2) << scene_bit(s, e);
    }
}

/* Signals change at the time before the edge that samples them. */
void scene_write(const struct scene *s)
{
    char *text = malloc(400 + s->clocks * (ENGINES * 3 + 60));
    size_t n = 0;

    assert_non_null(text);
    n += (size_t)sprintf(text + n, "$timescale 1ns $end\n$scope module top $end\n"
                                   "$var wire 1 ! clk $end\n");
    for (unsigned e = 0; e < ENGINES; e++)
        n += (size_t)sprintf(text + n, "$var wire 1 %c e%u $end\n", 'a' + (int)e, e);
    n += (size_t)sprintf(text + n, "$upscope $end\n$enddefinitions $end\n#0\n0!\n");
    for (size_t t = 0; t < s->clocks; t++) {
        n += (size_t)sprintf(text + n, "#%" PRIu64 "\n", s->time[t] - 1);
        for (unsigned e = 0; e < ENGINES; e++)
            if (t == 0 || s->level[e][t] != s->level[e][t - 1])
                n += (size_t)sprintf(text + n, "%c%c\n", "01x"[s->level[e][t]], 'a' + (int)e);
        n += (size_t)sprintf(text + n, "#%" PRIu64 "\n1!\n#%" PRIu64 "\n0!\n", s->time[t],
                             s->time[t] + 1);
    }
    made_write("made.vcd", text, n);
    free(text);
}

void scene_call(const struct scene *s, const char *format, struct made_call *c)
{
    *c = (struct made_call){ .args = 0 };
    made_add(c, "idle");
    made_add(c, "--clock=clk");
    made_add(c, "--format=%s", format);
    made_add(c, "--chip=%s", s->gk20a ? "GK20A" : "GT215");
    made_add(c, "--x=%s", x_names[s->x]);
    for (unsigned e = 0; e < s->engines; e++)
        made_add(c, "--map=%s=%stop.e%u", scene_engines[e], s->inverted[e] ? "!" : "", e);
    if (s->exact)
        made_add(c, "--exact");
    if (s->cleared)
        made_add(c, "--option=idle-not-all=cleared");
    if (s->absent_idle)
        made_add(c, "--option=idle-absent=idle");
    if (s->clock_window)
        made_add(c, "--window=%" PRIu64 "c", s->clock_window);
    if (s->time_window)
        made_add(c, "--window=%" PRIu64 "ns", s->time_window);
    if (s->governed)
        made_add(c, "--governor=gk20a");
    for (unsigned i = 0; i < scene_counters(s); i++)
        if (s->counter[i].used)
            made_add(c, "--counter=%u:mask=0x%" PRIx32 ",mode=%s", i, s->counter[i].mask,
                     scene_modes[s->counter[i].mode]);
    made_add(c, "%s", made_path("made.vcd"));
}

void scene_make(struct scene *s, struct test_rng *rng)
{
    s->gk20a = test_rand_below(rng, 2);
    make_signals(s, rng);
    make_settings(s, rng);
}
