/* SPDX-License-Identifier: MIT */
#include "stat_calculated.h"
#include "pcounter/unstable/core.h"
#include "wave/wave_bits.h"

#include <stdlib.h>

static enum pc_status add(struct stat_calculated *c, struct stat_wires *w, struct pc_wave_bit any,
                          const char *name, uint32_t of, struct pc_error *err)
{
    void *array = c->of;

    if (!cli_grow(&array, &c->of_capacity, c->count + 1, sizeof *c->of))
        return cli_no_memory_of(err, name);
    c->of = array;
    array = c->wire;
    if (!cli_grow(&array, &c->wire_capacity, c->count + 1, sizeof *c->wire))
        return cli_no_memory_of(err, name);
    c->wire = array;
    c->of[c->count] = of;
    if (!stat_add_room(w, any, &c->wire[c->count]))
        return cli_no_memory_of(err, name);
    c->count++;
    return PC_OK;
}

enum pc_status stat_calculated_wires(struct stat_calculated *c, struct stat_wires *w,
                                     struct pc_wave_bit any, const char *name, uint32_t *wires,
                                     size_t count, struct pc_error *err)
{
    const size_t signals = pc_core_signal_wires(c->core);

    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        if (wires[i] < signals)
            continue;
        while (n < c->count && c->of[n] != wires[i])
            n++;
        const enum pc_status status = n < c->count ? PC_OK : add(c, w, any, name, wires[i], err);
        if (status)
            return status;
        wires[i] = c->wire[n];
    }
    return PC_OK;
}

static bool make_room(struct stat_calculated *c, size_t wires)
{
    c->wires = wires;
    c->room = calloc(2 * c->count * PC_BLOCK_WORDS + 1, sizeof *c->room);
    c->value_room = calloc(c->count + 1, sizeof *c->value_room);
    c->unknown_room = calloc(c->count + 1, sizeof *c->unknown_room);
    c->value = calloc(wires + 1, sizeof *c->value);
    c->unknown = calloc(wires + 1, sizeof *c->unknown);
    if (!c->room || !c->value_room || !c->unknown_room || !c->value || !c->unknown)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        c->value_room[i] = c->room + 2 * i * PC_BLOCK_WORDS;
        c->unknown_room[i] = c->value_room[i] + PC_BLOCK_WORDS;
    }
    return true;
}

int stat_calculated_block(struct stat_calculated *c, size_t wires,
                          const struct pc_wave_block *block, struct pc_wave_block *out)
{
    *out = *block;
    if (c->count == 0)
        return CLI_OK;
    if (!c->room && !make_room(c, wires))
        return cli_no_memory();
    pc_core_planes(c->core, block->cycles, block->value, block->unknown, c->count, c->of,
                   c->value_room, c->unknown_room);
    for (size_t i = 0; i < c->wires; i++) {
        c->value[i] = block->value[i];
        c->unknown[i] = block->unknown[i];
    }
    for (size_t i = 0; i < c->count; i++) {
        c->value[c->wire[i]] = c->value_room[i];
        c->unknown[c->wire[i]] = c->unknown_room[i];
        for (size_t k = 0; k < PC_BLOCK_WORDS && !out->any_unknown; k++)
            out->any_unknown = c->unknown_room[i][k] != 0;
    }
    out->value = c->value;
    out->unknown = c->unknown;
    out->still = NULL;
    return CLI_OK;
}

void stat_calculated_free(struct stat_calculated *c)
{
    free(c->of);
    free(c->wire);
    free(c->room);
    free(c->value_room);
    free(c->unknown_room);
    free(c->value);
    free(c->unknown);
}
