/* SPDX-License-Identifier: MIT */
#include "planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum pc_status design_look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, int32_t *low, struct pc_error *err)
{
    const struct design *d = ctx;
    const size_t length = strcspn(name, "[");
    uint32_t plane = 0;

    for (size_t i = 0; d->signal[i].name; plane += d->signal[i].width, i++) {
        if (strlen(d->signal[i].name) != length || memcmp(d->signal[i].name, name, length) != 0)
            continue;
        unsigned hi = d->signal[i].width - 1, lo = 0;
        if (name[length] && sscanf(name + length, "[%u:%u]", &hi, &lo) == 1)
            lo = hi;
        *count = hi - lo + 1;
        *low = 0;
        for (uint32_t b = lo; b <= hi && b - lo < capacity; b++)
            wires[b - lo] = plane + b;
        return PC_OK;
    }
    if (err) {
        memset(err, 0, sizeof *err);
        err->status = PC_ENOENT;
        snprintf(err->text, sizeof err->text, "no signal %s", name);
    }
    return PC_ENOENT;
}

static bool differs(void *ctx, const struct pc_core_difference *difference)
{
    struct design *d = ctx;

    if (d->differences + d->checks == 0)
        d->first = difference->edge;
    *(difference->of_check ? &d->checks : &d->differences) += 1;
    if (!difference->of_check && d->tolds < sizeof d->told / sizeof d->told[0])
        d->told[d->tolds++] = (struct told){
            .edge = difference->edge,
            .item = difference->item,
            .written = difference->written,
            .written_edge = difference->written_edge,
            .written_value = difference->written ? difference->written_value.value[0] : 0,
        };
    return true;
}

/* Signals to planes, from cycle `from` on. */
static void turn(struct design *d, size_t from, size_t cycles)
{
    uint32_t plane = 0;

    memset(d->plane, 0, sizeof d->plane);
    memset(d->dark, 0, sizeof d->dark);
    for (size_t i = 0; d->signal[i].name; i++)
        for (uint32_t b = 0; b < d->signal[i].width; b++, plane++)
            for (size_t t = 0; t < cycles; t++) {
                const uint64_t dark = d->unknown[i][from + t] >> b & 1;
                d->plane[plane][t / 64] |= (d->value[i][from + t] >> b & ~dark & 1) << t % 64;
                d->dark[plane][t / 64] |= dark << t % 64;
            }
}

void design_run(struct design *d, struct pc_core *core, struct test_rng *rng)
{
    const struct pc_core_watch counts = { .differs = differs, .ctx = d };
    const uint64_t *value[PLANES], *unknown[PLANES];
    struct pc_error err;

    d->differences = d->checks = d->first = 0;
    d->tolds = 0;
    for (size_t i = 0; i < PLANES; i++) {
        value[i] = d->plane[i];
        unknown[i] = d->dark[i];
    }
    for (size_t at = 0, cycles; at < CYCLES; at += cycles) {
        cycles = rng ? 1 + test_rand(rng) % 1500 : CYCLES;
        if (cycles > CYCLES - at)
            cycles = CYCLES - at;
        turn(d, at, cycles);
        if (pc_core_run(core, cycles, value, unknown, d->watch ? d->watch : &counts, &err) != PC_OK)
            fail_msg("%s", err.text);
    }
}

struct pc_core *design_core(struct design *d, const struct pc_core_desc *desc)
{
    struct pc_core_place place;
    struct pc_core *core = NULL;
    struct pc_error err;

    if (pc_core_create(desc, &core, &place, &err) != PC_OK)
        fail_msg("create: %s (%d, %zu, %zu)", err.text, (int)place.what, place.item, place.part);
    if (pc_core_resolve(core, design_look_up, d, &place, &err) != PC_OK)
        fail_msg("resolve: %s (%d, %zu, %zu)", err.text, (int)place.what, place.item, place.part);
    return core;
}
