/* SPDX-License-Identifier: MIT */
/* A made waveform with busy and idle engines, and how it is to be measured. */
#ifndef PC_TEST_IDLE_SCENE_H
#define PC_TEST_IDLE_SCENE_H

#include "made.h"

enum { ENGINES = 6, CLOCKS_MAX = 3000 };

struct scene {
    bool gk20a;
    size_t clocks;
    uint64_t time[CLOCKS_MAX];
    uint8_t level[ENGINES][CLOCKS_MAX]; /* of the signal: 0, 1, 2 is x */
    unsigned engines;                   /* mapped: the first ones */
    bool inverted[ENGINES];
    unsigned x;
    bool exact, cleared, absent_idle, governed, own_counters;
    uint64_t clock_window, time_window; /* one of them, or neither */
    struct {
        bool used;
        uint32_t mask;
        unsigned mode;
    } counter[8];
};

extern const char *const scene_engines[ENGINES]; /* "GR", ... */
extern const char *const scene_modes[4];

unsigned scene_bit(const struct scene *s, unsigned engine); /* of COUNTER_SIGNALS */
unsigned scene_counters(const struct scene *s);
void scene_make(struct scene *s, struct test_rng *rng);
void scene_write(const struct scene *s); /* made.vcd */
void scene_call(const struct scene *s, const char *format, struct made_call *c);

#endif
