/* SPDX-License-Identifier: MIT */
/*
 * pcounter check WAVE: resets that begin and end between two edges of the clock, as of a core whose
 * clock is gated.  No sample shows them, but the reset is asynchronous: every register is 0 at the
 * next edge.  So where the design has nothing but zeros, and the model does not, rst_ni is looked
 * at in a read of its own, as far as the edge.
 */
#include "check_wave.h"

/* The clock as stream 0, falls of rst_ni as stream 1, and its value at each time as stream 2. */
enum { EDGE = 1, FALL = 2, VALUE = 4 };

static enum pc_status open_falls(const struct core *c, struct pc_wave **out, struct pc_error *err)
{
    const struct core_source *clock = &c->port[CORE_CLOCK], *reset = &c->port[CORE_RESET];
    const struct pc_wave_clock edge[3] = {
        { .edge = clock->inverted ? PC_EDGE_NEG : PC_EDGE_POS, .clock = clock->bit[0] },
        { .edge = reset->inverted ? PC_EDGE_POS : PC_EDGE_NEG, .clock = reset->bit[0] },
        { .edge = PC_EDGE_EVERY },
    };
    const struct pc_wave_desc desc = cli_wave_desc(c->options->read, c->options->path);
    enum pc_status status = cli_wave_open(&desc, out, err);
    unsigned stream;

    for (unsigned i = 0; i < 3 && status == PC_OK; i++)
        status = pc_wave_bind(*out, &edge[i], &reset->bit[0], 1, &stream, err);
    return status;
}

/*
 * The next instant.  A fall at the time of an edge is after it: the edge still sees what was
 * before.  As at an edge, a reset that is unknown is one: where it begins or ceases to be 1 by way
 * of x there is no fall.  If it is 1 again at the time of an edge, that edge has seen the reset,
 * and the next is not asked for.
 */
static bool next_instant(struct wave_falls *f)
{
    struct pc_wave_instant now;
    struct pc_error err;

    if (pc_wave_step(f->wave, &now, &err) != PC_OK)
        return false;
    if (now.streams & EDGE) {
        f->edges++;
        f->before = f->behind;
        f->behind = false;
    }
    f->behind = f->behind || now.streams & FALL;
    if (now.streams & VALUE) {
        const bool runs = !(now.unknown[2][0] & 1) && (now.value[2][0] & 1) == !f->inverted;
        f->behind = f->behind || runs != f->ran;
        f->ran = runs;
    }
    return true;
}

/* Does rst_ni begin or end before this edge, and after the one before?  Edges ascend. */
static bool falls_before(const struct core *c, struct wave_falls *f, uint64_t edge)
{
    struct pc_error err;
    bool more = true;

    if (!f->opened) {
        f->opened = true;
        f->inverted = c->port[CORE_RESET].inverted;
        more = open_falls(c, &f->wave, &err) == PC_OK;
    }
    while (more && f->wave && f->edges <= edge)
        more = next_instant(f);
    if (!more)
        wave_close_falls(f);
    return f->edges == edge + 1 && f->before;
}

void wave_close_falls(struct wave_falls *f)
{
    pc_wave_close(f->wave);
    f->wave = NULL;
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

    if (!reset->present || reset->constant)
        return false;
    if (cli_read_once(k->core.options->path)) {
        if (k->result.unasked++ == 0)
            k->result.unasked_edge = edge;
        return false;
    }
    return falls_before(&k->core, &k->falls, edge);
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

    if (edge == 0 || !zero_in_design(k))
        return false;
    if (is_between(k, edge))
        return true;
    if (!is_assumed(k))
        return false;
    if (k->result.assumed++ == 0)
        k->result.assumed_edge = edge;
    return true;
}
