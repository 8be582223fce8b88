/* SPDX-License-Identifier: MIT */
/*
 * Ports that a map has as the inverse of a signal.  A bit that is unknown stays so, and its value
 * 0, as it is in every plane of a waveform.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

struct core_inverse {
    size_t count;
    uint32_t *wire;                    /* those that are inverted */
    uint64_t (*plane)[PC_BLOCK_WORDS]; /* of each */
    const uint64_t **value;            /* of all wires, in place of the block's */
    uint8_t *still;
};

static size_t count_inverted(const struct core *c)
{
    size_t count = 0;

    for (unsigned i = 0; i < CORE_PORTS; i++)
        if (c->port[i].inverted && core_wanted(c, i))
            count += c->port[i].bits;
    return count;
}

enum pc_status core_invert_open(struct core *c, struct pc_error *err)
{
    const size_t count = count_inverted(c);

    if (count == 0)
        return PC_OK;
    struct core_inverse *v = c->inverse = calloc(1, sizeof *v);
    if (v) {
        v->wire = calloc(count, sizeof *v->wire);
        v->plane = calloc(count, sizeof *v->plane);
        v->value = calloc(c->wires, sizeof *v->value);
        v->still = calloc(c->wires, sizeof *v->still);
    }
    if (!v || !v->wire || !v->plane || !v->value || !v->still)
        return cli_fail(err, 100, "no memory for the inverse of signals");
    for (unsigned i = 0; i < CORE_PORTS; i++)
        for (uint32_t b = 0; c->port[i].inverted && core_wanted(c, i) && b < c->port[i].bits; b++)
            v->wire[v->count++] = c->port[i].wire + b;
    return PC_OK;
}

void core_invert_block(struct core *c)
{
    struct core_inverse *v = c->inverse;
    struct pc_wave_block *block = &c->block;
    const size_t words = (block->cycles + 63) / 64;
    const unsigned rest = block->cycles % 64;

    if (!v)
        return;
    memcpy(v->value, block->value, c->wires * sizeof *v->value);
    if (block->still)
        memcpy(v->still, block->still, c->wires);
    for (size_t i = 0; i < v->count; i++) {
        const uint64_t *value = block->value[v->wire[i]], *unknown = block->unknown[v->wire[i]];
        for (size_t w = 0; w < words; w++)
            v->plane[i][w] = ~(value[w] | unknown[w]);
        if (rest)
            v->plane[i][words - 1] &= UINT64_MAX >> (64 - rest);
        v->value[v->wire[i]] = v->plane[i];
        v->still[v->wire[i]] = PC_STILL_UNKNOWN;
    }
    block->value = v->value;
    block->still = block->still ? v->still : NULL;
}

void core_invert_close(struct core *c)
{
    struct core_inverse *v = c->inverse;

    if (!v)
        return;
    free(v->wire);
    free(v->plane);
    free(v->value);
    free(v->still);
    free(v);
    c->inverse = NULL;
}
