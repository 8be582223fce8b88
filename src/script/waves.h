/* SPDX-License-Identifier: MIT */
/*
 * Inside of the wave of a script: names and streams (waves_bind.c), time from it (waves.c), or
 * samples for whoever plays them (waves_samples.c).
 */
#ifndef PC_SCRIPT_WAVES_H
#define PC_SCRIPT_WAVES_H

#include "script/waves_block.h"

#define SC_STREAMS 32 /* of pc_wave_bind(), which refuses more */

/* The part of the wave that a domain of the device has. */
struct sc_binding {
    bool has_clock;
    struct pc_wave_clock clock;
    struct pc_wave_bit bit[PC_MAX_SIGNALS];
    uint8_t signal[PC_MAX_SIGNALS]; /* driven by bit[i] */
    size_t count;
    size_t first;    /* bit of the stream that is bit[0] */
    uint64_t cycles; /* edges so far */
};

struct sc_waves {
    const struct pc_script_desc *desc;
    struct pc_alloc alloc;
    struct pc_gpu *gpu;
    const struct pc_chip *chip;
    struct pc_wave *wave;
    char *path;
    size_t path_size;
    uint32_t line;                   /* of `wave` */
    bool started;                    /* the first run has come */
    bool running;                    /* a run asks for time, not an access */
    bool ended;                      /* the wave has no more instants */
    bool over;                       /* `run end` was done: cycles go on without the wave */
    uint64_t clocked;                /* domains whose clock is bound */
    bool blocks;                     /* there is one stream, which is read in blocks */
    struct pc_wave_block at;         /* of them: this one */
    uint64_t used;                   /* and that many cycles of it are in the past */
    uint64_t taken;                  /* cycles of all blocks that are */
    uint64_t domains_of[SC_STREAMS]; /* of a stream of the wave */
    unsigned streams;
    struct sc_binding binding[PC_GPU_DOMAINS];
    struct sc_block *block; /* from the first run on */
    struct pc_error fault;  /* first error while time passed; its status PC_OK if none */
};

/* Reports the error of the wave at a place of the script: the place in the wave becomes text. */
enum pc_status sc_waves_blame(const struct sc_waves *w, uint32_t line, uint32_t column,
                              enum pc_status status, struct pc_error *err);
/* Opens the file again. */
enum pc_status sc_waves_reopen(const struct sc_waves *w, struct pc_wave **out,
                               struct pc_error *err);
/* Binds everything as streams of the wave, one for each clock. */
enum pc_status sc_waves_streams(struct sc_waves *w, struct pc_wave *wave, struct pc_error *err);

#endif
