/* SPDX-License-Identifier: MIT */
/*
 * A file as memory, noted where the caller's signal handler finds it (pc_wave_maps).
 */
#ifndef PC_WAVE_INPUT_MAP_H
#define PC_WAVE_INPUT_MAP_H

#include "base/error.h"
#include "pcounter/pcounter.h"

struct wv_map;

/* The first `size` bytes, which the file has.  NULL: it has to be read. */
struct wv_map *wv_map_create(struct pc_wave_maps *maps, int fd, uint64_t size);
void wv_map_destroy(struct wv_map *m);
const uint8_t *wv_map_bytes(const struct wv_map *m);
/* Some of it was cut off, and became zeros. */
bool wv_map_gone(const struct wv_map *m);
/* What is in front of `at` may be let go. */
void wv_map_past(struct wv_map *m, uint64_t at);

#endif
