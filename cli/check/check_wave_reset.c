/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE: resets that begin and end between two edges of the clock, as of a core whose
 * clock is gated.  No sample shows them, but the reset is asynchronous: every register is 0 at the
 * next edge.  So where the design has nothing but zeros, and the model does not, rst_ni is looked
 * at in a read of its own, as far as the edge.
 */
#include "check_wave.h"

static enum pc_status find(const void *ctx, const char *name, struct pc_wave_bit *bits,
                           size_t capacity, size_t *count, struct pc_error *err)
{
    const struct core *c = ctx;

    (void)name, (void)err; /* the expression has no other name */
    *count = 1;
    if (capacity > 0)
        bits[0] = c->port[CORE_RESET].bit[0];
    return PC_OK;
}

void wave_resets_begin(struct wave_check *k)
{
    const struct core_source *clock = &k->core.port[CORE_CLOCK], *reset = &k->core.port[CORE_RESET];

    k->resets = (struct described_resets){
        .reset = reset->inverted ? "rst_ni" : "!rst_ni",
        .clock = { .edge = clock->inverted ? PC_EDGE_NEG : PC_EDGE_POS, .clock = clock->bit[0] },
        .find = find,
        .ctx = &k->core,
        .read = k->core.options->read,
        .path = k->core.options->path,
    };
}

/* Every register that the waveform has is 0 at the edge. */
static bool zero_in_design(const struct wave_check *k)
{
    struct pc_core_value v;

    for (unsigned r = 0; r < WAVE_REGS; r++)
        if ((k->outputs & ~WAVE_ANSWERS) >> r & 1 && k->item_of[r] != SIZE_MAX) {
            pc_core_get_value(k->d.core, k->item_of[r], false, &v);
            if (v.value[0] | v.unknown[0])
                return false;
        }
    return true;
}

static bool is_between(struct wave_check *k, uint64_t edge)
{
    const struct core_source *reset = &k->core.port[CORE_RESET];

    return reset->present && !reset->constant && described_reset_between(&k->resets, edge);
}

static bool is_assumed(const struct wave_check *k)
{
    const struct core_source *reset = &k->core.port[CORE_RESET];
    unsigned now_set = 0, before_set = 0;

    if (reset->present && !reset->around)
        return false;
    for (unsigned r = 0; r < WAVE_REGS; r++)
        if ((k->outputs & ~WAVE_ANSWERS) >> r & 1) {
            now_set += wave_value(k, r, WAVE_MODEL) != 0;
            before_set += wave_value(k, r, WAVE_BEFORE) != 0;
        }
    return before_set == 0 || now_set > 1;
}

bool wave_reset_between(void *ctx, uint64_t edge)
{
    struct wave_check *k = ctx;

    if (edge == 0)
        return !cli_read_once(k->core.options->path) && is_between(k, edge);
    if (!zero_in_design(k))
        return false;
    if (is_between(k, edge))
        return true;
    if (!is_assumed(k))
        return false;
    if (k->result.assumed++ == 0)
        k->result.assumed_edge = edge;
    return true;
}
