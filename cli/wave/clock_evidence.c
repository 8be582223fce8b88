/* SPDX-License-Identifier: MIT */
/* See clock_evidence.h. */
#include "wave/clock_evidence.h"
#include "pcounter/unstable/bus.h"
#include "wave/pairs.h"
#include "wave/read_options.h"
#include "wave/wave_bits.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { STAMPS = 32768, BITS = 4096, WORDS = BITS / 64, LEAST_RISES = 3, LEAST_CHANGES = 16 };

struct look {
    struct cli_clock_evidence *out;
    struct pc_wave_bit bit[BITS]; /* those of the clocks first */
    size_t bits;
    uint64_t was[WORDS], was_unknown[WORDS];
    uint64_t rise[CLI_PROVED]; /* the time of the last one */
    bool has_risen[CLI_PROVED];
    struct pc_delays (*delays)[BITS]; /* by clock */
    uint64_t slack;                   /* of two delays that are one */
};

static void add_clock(struct look *l, const struct cli_suggestion *s, bool is_found)
{
    struct cli_clock_evidence *e = l->out;

    if (e->clocks == CLI_PROVED)
        return;
    e->clock[e->clocks++] = (struct cli_clock_proof){ .var = s->var, .is_found = is_found };
    l->bit[l->bits++] = (struct pc_wave_bit){ s->var, 0 };
}

/* Returns true if it is a clock, or one under another name. */
static bool is_one(const struct look *l, const struct pc_wave *wave,
                   const struct pc_var_activity *activity, const struct pc_wave_var *v)
{
    struct pc_wave_var clock;

    for (size_t i = 0; i < l->out->clocks; i++)
        if (pc_wave_get_var(wave, l->out->clock[i].var, &clock) == PC_OK &&
            (clock.code == v->code ||
             cli_compare_activity(&activity[clock.code], &activity[v->code]) == 0))
            return true;
    return false;
}

/* Collects the bits of all other streams that are not integers. */
static bool collect(struct look *l, const struct pc_wave *wave,
                    const struct pc_var_activity *activity)
{
    struct pc_wave_info info;
    struct pc_wave_var v;

    pc_wave_get_info(wave, &info);
    l->slack = info.sampled ? 1 : 0;
    uint8_t *seen = calloc(info.codes + 1, 1);
    if (!seen)
        return false;
    for (size_t i = 0; l->bits < BITS && pc_wave_get_var(wave, i, &v) == PC_OK; i++) {
        const bool is_signal = v.kind == PC_VAR_BITS && strcmp(v.type, "integer") != 0 &&
                               strcmp(v.type, "int") != 0 && strcmp(v.type, "parameter") != 0;
        if (!is_signal || seen[v.code] || activity[v.code].changes < 2 ||
            (v.width == 1 && pc_bus_is_clock_name(v.name)) || is_one(l, wave, activity, &v))
            continue;
        seen[v.code] = 1;
        for (uint32_t b = 0; b < v.width && l->bits < BITS; b++)
            l->bit[l->bits++] = (struct pc_wave_bit){ i, b };
    }
    free(seen);
    return true;
}

static void look_at_change(struct look *l, size_t bit, uint64_t time)
{
    for (size_t c = 0; c < l->out->clocks; c++) {
        struct cli_clock_proof *p = &l->out->clock[c];
        if (!l->has_risen[c])
            continue;
        const uint64_t delay = time - l->rise[c];
        p->changes++;
        p->with += delay == 0;
        pc_delays_add(&l->delays[c][bit], delay, l->slack);
    }
}

/* The first change at a delay says nothing: whatever it is, it is one. */
static void explain(struct look *l)
{
    for (size_t c = 0; c < l->out->clocks; c++)
        for (size_t i = l->out->clocks; i < l->bits; i++) {
            uint64_t delay = 0;
            const uint64_t most = pc_delays_most(&l->delays[c][i], &delay);
            l->out->clock[c].explained += most - (most > 0 && delay > l->slack);
        }
}

/* Looks at one timestamp: first the clocks, which are in word 0, then the others. */
static void look_at(void *ctx, const struct pc_wave_instant *now, bool first)
{
    struct look *l = ctx;

    for (size_t w = 0; w < (l->bits + 63) / 64; w++) {
        const uint64_t is = now->value[0][w], unknown = now->unknown[0][w];
        uint64_t changed = first ? 0 : (is ^ l->was[w]) & ~unknown & ~l->was_unknown[w];
        l->was[w] = is;
        l->was_unknown[w] = unknown;
        for (; changed; changed &= changed - 1) {
            const size_t bit = 64 * w + (size_t)__builtin_ctzll(changed);
            if (bit >= l->out->clocks) {
                look_at_change(l, bit, now->time);
            } else if (is >> bit & 1) {
                l->rise[bit] = now->time;
                l->has_risen[bit] = true;
            }
        }
    }
}

/* Warns that the file could not be read again, and why; returns false. */
static bool not_read_again(const char *path, const struct pc_error *err)
{
    cli_warning(517, "%s: its beginning could not be read again: %s", cli_input_name(path),
                err->text);
    return false;
}

bool cli_read_stamps(const struct pc_wave_desc *desc, const struct pc_wave_bit *bit, size_t bits,
                     unsigned stamps,
                     void (*look)(void *ctx, const struct pc_wave_instant *now, bool first),
                     void *ctx)
{
    const struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    struct pc_wave_desc plain = *desc;
    struct pc_wave_instant now;
    struct pc_wave *wave;
    struct pc_error err;
    unsigned stream;

    plain.live = false;
    plain.threads = 1;
    plain.progress = NULL;
    enum pc_status status = cli_wave_open(&plain, &wave, &err);
    if (status != PC_OK)
        return not_read_again(desc->path, &err);
    status = pc_wave_bind(wave, &every, bit, bits, &stream, &err);
    for (unsigned n = 0; status == PC_OK && n < stamps; n++) {
        status = pc_wave_step(wave, &now, &err);
        if (status == PC_OK)
            look(ctx, &now, n == 0);
    }
    pc_wave_close(wave);
    return status == PC_OK || status == PC_END || not_read_again(desc->path, &err);
}

bool cli_prove_clocks(const struct pc_wave *wave, const struct pc_wave_desc *desc,
                      const struct pc_var_activity *activity, const struct cli_suggestions *found,
                      struct cli_clock_evidence *out)
{
    memset(out, 0, sizeof *out);
    if (found->clocks == 0 || cli_read_once(desc->path))
        return false;
    struct look *l = calloc(1, sizeof *l);
    if (!l)
        return false;
    l->out = out;
    for (size_t i = 0; i < found->clocks; i++)
        add_clock(l, &found->clock[i], true);
    for (size_t i = 0; i < found->events; i++)
        if (found->event[i].named && activity[found->event[i].code].rises >= LEAST_RISES)
            add_clock(l, &found->event[i], false);
    l->delays = calloc(out->clocks, sizeof *l->delays);
    const bool ok = l->delays && collect(l, wave, activity) &&
                    cli_read_stamps(desc, l->bit, l->bits, STAMPS, look_at, l);
    if (ok)
        explain(l);
    free(l->delays);
    free(l);
    return ok;
}

bool cli_is_contradicted(const struct cli_clock_proof *clock)
{
    return clock->changes >= LEAST_CHANGES && clock->explained < clock->changes / 2;
}

const struct cli_clock_proof *cli_rival_of(const struct cli_clock_evidence *e, size_t i)
{
    const struct cli_clock_proof *own = &e->clock[i];

    for (size_t c = 0; c < e->clocks; c++)
        if (c != i && own->explained > 0 && e->clock[c].explained >= own->explained &&
            e->clock[c].with >= own->with)
            return &e->clock[c];
    return NULL;
}

void cli_proof_text(const struct cli_clock_proof *clock, char *out, size_t size)
{
    snprintf(out, size, "explains %.3g %% of %s",
             100 * (double)clock->explained / (double)clock->changes,
             cli_count(clock->changes, "change"));
}
