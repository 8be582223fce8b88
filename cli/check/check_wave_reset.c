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

static uint64_t value_of(const struct wave_clock *c, unsigned r)
{
    return wave_value_in(&c->module, &c->fixed, r);
}

/* Every register that the waveform has is 0 in clock t of the word, and one of the model's is not.
 */
static bool zero_in_design_alone(const struct wave_check *k, unsigned t,
                                 const struct wave_clock *now)
{
    uint64_t model = 0;

    for (unsigned r = 0; r < WAVE_REGS; r++)
        if ((k->outputs & ~WAVE_ANSWERS) >> r & 1) {
            if (k->word.out[r][t] != 0 || k->word.unknown[r] >> t & 1)
                return false;
            model |= value_of(now, r);
        }
    return model != 0;
}

bool wave_reset_between(struct wave_check *k, unsigned t, const struct wave_clock *now)
{
    const struct core_source *reset = &k->core.port[CORE_RESET];

    if (!k->has_before || !reset->present || reset->constant || !zero_in_design_alone(k, t, now))
        return false;
    if (cli_read_once(k->core.options->path)) {
        if (k->result.unasked++ == 0)
            k->result.unasked_edge = k->result.edges;
        return false;
    }
    return falls_before(&k->core, &k->falls, k->result.edges);
}

bool wave_reset_assumed(const struct wave_check *k, unsigned t, const struct wave_clock *now)
{
    const struct core *c = &k->core;
    unsigned now_set = 0, before_set = 0;

    if ((c->port[CORE_RESET].present && !c->port[CORE_RESET].around) || !k->has_before ||
        !zero_in_design_alone(k, t, now))
        return false;
    for (unsigned r = 0; r < WAVE_REGS; r++)
        if ((k->outputs & ~WAVE_ANSWERS) >> r & 1) {
            now_set += value_of(now, r) != 0;
            before_set += value_of(&k->before, r) != 0;
        }
    return before_set == 0 || now_set > 1;
}
