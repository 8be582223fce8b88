/* SPDX-License-Identifier: MIT */
/* A made-up run of a small design, told to whoever writes it down: as VCD, or as FST. */
#ifndef PC_TEST_FST_SCENE_H
#define PC_TEST_FST_SCENE_H

#include <stdbool.h>
#include <stdint.h>

struct scene_signal {
    const char *name;
    uint32_t width;
    unsigned rate; /* in how many of 256 cycles it changes */
    bool states;   /* it is x and z at times */
    int like;      /* always the same as that signal; -1: as none */
};
enum { SCENE_SIGNALS = 12 };
extern const struct scene_signal scene_signals[SCENE_SIGNALS];

struct scene_sink {
    void (*time)(void *ctx, uint64_t time);
    void (*change)(void *ctx, unsigned signal, const char *bits);
    void *ctx;
};
/* Everything from time 0 on: a rising edge at 10 c + 5, what changes then, the falling edge. */
void scene_play(const struct scene_sink *sink, unsigned cycles);

/* As VCD; ends the test if it cannot be written. */
void scene_write_vcd(const char *path, unsigned cycles);

/*
 * By the format's reference code, where that was there to be built.  Not in its parallel mode,
 * which now and then writes a file that its own reader misreads.
 */
struct scene_writer {
    const char *name;
    unsigned pack;        /* 0 zlib, 1 FastLZ, 2 LZ4 */
    bool wrap;            /* the whole file packed once more */
    unsigned flush_every; /* cycles of a block of the file; 0: as it pleases */
    bool leave;           /* it is never closed */
};
void scene_write_fst(const char *path, unsigned cycles, const struct scene_writer *how);

#endif
