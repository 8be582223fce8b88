/* SPDX-License-Identifier: MIT */
/* Instants of a wave, until there are enough of them for pc_gpu_edges(). */
#ifndef PC_SCRIPT_WAVES_BLOCK_H
#define PC_SCRIPT_WAVES_BLOCK_H

#include "script/script.h"

struct sc_block;

enum pc_status sc_block_create(const struct pc_alloc *alloc, struct pc_gpu *gpu,
                               struct sc_block **out, struct pc_error *err);
void sc_block_destroy(struct sc_block *b); /* NULL is fine */
/* Adds a domain that has edges; bit first + i of its stream is signal[i]. `signal` must live on. */
enum pc_status sc_block_domain(struct sc_block *b, unsigned domain, const uint8_t *signal,
                               size_t signals, size_t first, struct pc_error *err);

/* Adds a cycle of a domain in this instant; NULL: its samples are those of its last cycle. */
void sc_block_cycle(struct sc_block *b, unsigned domain, const uint64_t *value,
                    const uint64_t *unknown);
/* Completes the instant; now and then all of them go to the device. */
void sc_block_instant(struct sc_block *b);
/*
 * Instants [from, from + cycles) of a block of the wave, at each of which all domains have an edge;
 * nothing is collected.
 */
void sc_block_take(struct sc_block *b, const struct pc_wave_block *wave, uint64_t from,
                   uint64_t cycles);
/* Makes all that are left; the device is about to be looked at. */
void sc_block_flush(struct sc_block *b);

#endif
