/* SPDX-License-Identifier: MIT */
/*
 * Resets that begin and end between two edges of the clock, as of a core whose clock is gated: a
 * second read of the waveform, as far as it is asked for.
 */
#include "described/described.h"

#include <stdlib.h>
#include <string.h>

#include "wave/event_list.h"
#include "wave/wave_bits.h"

enum { EDGE = 1, VALUE = 2 };

static enum pc_status find(const void *ctx, const char *name, struct pc_wave_bit *bits,
                           size_t capacity, size_t *count, struct pc_error *err)
{
    return described_bits(ctx, name, bits, capacity, count, err);
}

void described_resets_begin(struct described_resets *r, const struct described_wires *w,
                            const struct cli_read_options *read, const char *path)
{
    *r = (struct described_resets){ .reset = w->d->desc.reset,
                                    .clock = w->clock,
                                    .find = find,
                                    .ctx = w,
                                    .read = read,
                                    .path = path };
}

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    struct described_resets *r = ctx;
    void *array = r->bit;

    *is_signed = false;
    enum pc_status status = r->find(r->ctx, name, NULL, 0, count, err);
    if (status)
        return status;
    if (!cli_grow(&array, &r->capacity, r->bits + *count, sizeof *r->bit))
        return cli_no_memory_of(err, name);
    r->bit = array;
    status = r->find(r->ctx, name, r->bit + r->bits, *count, count, err);
    for (size_t i = 0; i < *count && i < capacity; i++)
        wires[i] = (uint32_t)(r->bits + i);
    r->bits += *count;
    return status;
}

static bool open_again(struct described_resets *r)
{
    const struct pc_wave_desc desc = cli_wave_desc(r->read, r->path);
    const struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    struct pc_error err;
    unsigned stream;

    return pc_expr_parse(NULL, r->reset, &r->expr, &err) == PC_OK &&
           pc_expr_resolve(r->expr, look_up, r, &err) == PC_OK &&
           cli_wave_open(&desc, &r->wave, &err) == PC_OK &&
           pc_wave_bind(r->wave, &r->clock, r->bit, r->bits, &stream, &err) == PC_OK &&
           pc_wave_bind(r->wave, &every, r->bit, r->bits, &stream, &err) == PC_OK;
}

/* Is the reset active at this instant, or unknown? */
static bool is_active(struct described_resets *r, const struct pc_wave_instant *now)
{
    uint64_t value[64], unknown[64], out, tainted;
    const uint64_t *v[64], *u[64];

    if (r->bits > 64)
        return false;
    for (size_t i = 0; i < r->bits; i++) {
        value[i] = now->value[1][i / 64] >> i % 64 & 1;
        unknown[i] = now->unknown[1][i / 64] >> i % 64 & 1;
        v[i] = &value[i];
        u[i] = &unknown[i];
    }
    pc_expr_eval(r->expr, v, u, 1, 1, &out, &tainted);
    return (out | tainted) & 1;
}

/* Steps to the next change.  A change at the time of an edge comes after the edge, which still sees
 * the value before. */
static bool next_instant(struct described_resets *r)
{
    struct pc_wave_instant now;
    struct pc_error err;

    if (pc_wave_step(r->wave, &now, &err) != PC_OK)
        return false;
    if (now.streams & EDGE) {
        r->edges++;
        r->before = r->since;
        r->since = false;
    }
    if (now.streams & VALUE)
        r->since = r->since || is_active(r, &now);
    return true;
}

bool described_reset_between(void *resets, uint64_t edge)
{
    struct described_resets *r = resets;
    bool more = true;

    if (cli_read_once(r->path)) {
        if (r->unasked++ == 0)
            r->unasked_edge = edge;
        return false;
    }
    if (!r->opened) {
        r->opened = true;
        more = open_again(r);
    }
    while (more && r->wave && r->edges <= edge)
        more = next_instant(r);
    if (!more)
        described_resets_close(r);
    return r->edges == edge + 1 && r->before;
}

void described_resets_close(struct described_resets *r)
{
    pc_wave_close(r->wave);
    pc_expr_free(r->expr);
    free(r->bit);
    r->wave = NULL;
    r->expr = NULL;
    r->bit = NULL;
}
