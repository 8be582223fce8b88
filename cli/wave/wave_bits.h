/* SPDX-License-Identifier: MIT */
/* Finds the bits of a signal of a waveform by its name, for all verbs, or reports an error. */
#ifndef PC_CLI_WAVE_BITS_H
#define PC_CLI_WAVE_BITS_H

#include "pcounter/pcounter.h"

/*
 * As pc_wave_find_bits(), but what has no bits (a real, a string, an event, 0 bits) is the error
 * `code`, that of the verb.
 */
enum pc_status cli_find_bits(const struct pc_wave *wave, const char *name, struct pc_wave_bit *bits,
                             size_t capacity, size_t *count, unsigned code, struct pc_error *err);

/*
 * Calls `take` for each signal that an expression names, until that returns false for want of
 * memory.  A vector where one bit is expected is not an error here.
 */
enum pc_status cli_each_signal(const struct pc_wave *wave, const char *expression,
                               bool (*take)(void *ctx, const char *name), void *ctx,
                               struct pc_error *err);

/* There is no memory for a signal. */
enum pc_status cli_no_memory_of(struct pc_error *err, const char *signal);

/*
 * Variables as users take them: a vector that is declared bit by bit is one, in the place of its
 * first bit.
 */
struct cli_wave_vars {
    const struct pc_wave *wave;
    size_t var, vector;      /* the next ones */
    size_t first, bits;      /* of the present one: variables */
    size_t ahead;            /* the next vector's first variable; SIZE_MAX: there is none */
    struct pc_wave_var next; /* that vector */
};
void cli_wave_vars_begin(struct cli_wave_vars *v, const struct pc_wave *wave);
/* false after the last one. */
bool cli_wave_vars_next(struct cli_wave_vars *v, struct pc_wave_var *out);

#endif
