/* SPDX-License-Identifier: MIT */
/* Planes that a described core calculates, as wires of stat: each has one of its own. */
#ifndef PC_CLI_STAT_CALCULATED_H
#define PC_CLI_STAT_CALCULATED_H

#include "stat.h"

struct stat_calculated {
    struct pc_core *core; /* not its own */
    uint32_t *of, *wire;  /* wires of the core, and what they are called among those of stat */
    size_t count, of_capacity, wire_capacity;
    uint64_t *room; /* planes of a block */
    uint64_t **value_room, **unknown_room;
    const uint64_t **value, **unknown; /* of all wires */
    size_t wires;
};

/* Wires of the core become wires of stat, at `any` bit of the stream. */
enum pc_status stat_calculated_wires(struct stat_calculated *c, struct stat_wires *w,
                                     struct pc_wave_bit any, const char *name, uint32_t *wires,
                                     size_t count, struct pc_error *err);
/* The block with what is calculated from it, the same one if that is nothing; an exit code. */
int stat_calculated_block(struct stat_calculated *c, size_t wires,
                          const struct pc_wave_block *block, struct pc_wave_block *out);
void stat_calculated_free(struct stat_calculated *c);

#endif
