/* SPDX-License-Identifier: MIT */
/* Latencies out of planes: which cycles have a start or an end, and of which identifier. */
#include "lang/measure/match.h"

#include "base/error.h"

struct pc_latency {
    struct pc_latency_desc desc;
    struct pc_alloc alloc;
    struct pc_match match;
    struct pc_dist *ages; /* of what is open, when it was asked for */
    uint64_t past;        /* cycles before those that are counted by themselves */
};

enum pc_status pc_latency_create(const struct pc_latency_desc *desc, struct pc_latency **out,
                                 struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(desc->alloc);

    if (desc->start_id_bits > 64 || desc->end_id_bits > 64)
        return pc_fail(err, 1801, "an identifier has up to 64 bits, not %u",
                       desc->start_id_bits > 64 ? desc->start_id_bits : desc->end_id_bits);
    struct pc_latency *l = pc_calloc(&a, 1, sizeof *l);
    if (!l)
        return pc_fail(err, 100, "no memory for the starts of a latency");
    l->desc = *desc;
    l->alloc = a;
    const enum pc_status status =
        pc_match_open(&l->match, &a, desc->start_id_bits + desc->end_id_bits > 0, desc->most_open,
                      desc->most_ids, err);
    if (status) {
        pc_latency_destroy(l);
        return status;
    }
    *out = l;
    return PC_OK;
}

void pc_latency_destroy(struct pc_latency *l)
{
    if (!l)
        return;
    const struct pc_alloc a = l->alloc;
    pc_match_close(&l->match);
    pc_dist_destroy(l->ages);
    pc_free(&a, l, sizeof *l);
}

/* ---- a block ---- */

/* Reads an identifier in a cycle; false: a bit of it is unknown. */
static bool id_at(const uint64_t *const *plane, const uint64_t *const *unknown, unsigned bits,
                  uint64_t cycle, uint64_t *id)
{
    bool known = true;

    *id = 0;
    for (unsigned k = 0; k < bits; k++) {
        *id |= (plane[k][cycle / 64] >> cycle % 64 & 1) << k;
        known = known && !(unknown[k][cycle / 64] >> cycle % 64 & 1);
    }
    return known;
}

static bool bit_at(const uint64_t *plane, uint64_t cycle)
{
    return plane && plane[cycle / 64] >> cycle % 64 & 1;
}

static uint64_t word_at(const uint64_t *plane, size_t w)
{
    return plane ? plane[w] : 0;
}

/* Handles a cycle of the block in which something happens. */
static enum pc_status happen(struct pc_latency *l, const struct pc_latency_block *b, uint64_t cycle,
                             struct pc_error *err)
{
    const uint64_t now = l->match.figures.cycles;
    const bool reset = bit_at(b->reset, cycle);
    enum pc_status status = PC_OK;
    uint64_t id;
    uint32_t slot;

    if (reset || bit_at(b->until, cycle))
        pc_match_abort(&l->match);
    pc_match_pass(&l->match, l->match.outstanding_now, 1);
    if (reset)
        return PC_OK;
    if (bit_at(b->start, cycle)) {
        if (id_at(b->start_id, b->start_id_unknown, l->desc.start_id_bits, cycle, &id))
            status = pc_match_start(&l->match, now, id, &slot, err);
        else
            l->match.figures.unknown_id++;
    }
    if (status == PC_OK && bit_at(b->end, cycle)) {
        if (id_at(b->end_id, b->end_id_unknown, l->desc.end_id_bits, cycle, &id))
            pc_match_end(&l->match, now, id);
        else
            l->match.figures.unknown_id++;
    }
    pc_match_settle(&l->match);
    return status;
}

/* Handles cycles without a start or an end: after a part began, the first may have the most
 * open. */
static void stay(struct pc_latency *l, uint64_t cycles)
{
    if (cycles > 0)
        pc_match_settle(&l->match);
    pc_match_pass(&l->match, l->match.outstanding_now, cycles);
}

enum pc_status pc_latency_add(struct pc_latency *l, const struct pc_latency_block *b,
                              struct pc_error *err)
{
    uint64_t done = 0;

    l->match.time = b->time;
    l->match.time_from = l->match.figures.cycles;
    for (size_t w = 0; w < (b->cycles + 63) / 64; w++) {
        const uint64_t drops = word_at(b->until, w) | word_at(b->reset, w);
        for (uint64_t events = b->start[w] | b->end[w] | drops; events != 0; events &= events - 1) {
            const uint64_t cycle = 64 * w + (unsigned)__builtin_ctzll(events);
            if (cycle >= b->cycles)
                break;
            stay(l, cycle - done);
            done = cycle + 1;
            const enum pc_status status = happen(l, b, cycle, err);
            if (status)
                return status;
        }
    }
    stay(l, b->cycles - done);
    return PC_OK;
}

/* ---- figures ---- */

void pc_latency_get_figures(const struct pc_latency *l, struct pc_latency_figures *out)
{
    *out = l->match.figures;
    out->cycles -= l->past;
    out->unfinished = l->match.outstanding_now;
    out->aborted = l->match.aborted;
}

void pc_latency_next(struct pc_latency *l)
{
    struct pc_latency_figures *f = &l->match.figures;

    pc_dist_clear(l->match.dist);
    pc_dist_clear(l->match.outstanding);
    l->past = f->cycles;
    l->match.aborted = 0;
    *f = (struct pc_latency_figures){ .cycles = f->cycles, .ids = f->ids, .all_ids = f->all_ids };
}

struct pc_dist *pc_latency_dist(struct pc_latency *l)
{
    return l->match.dist;
}

struct pc_dist *pc_latency_outstanding(struct pc_latency *l)
{
    return l->match.outstanding;
}

struct pc_dist *pc_latency_open_ages(struct pc_latency *l)
{
    pc_dist_destroy(l->ages);
    l->ages = NULL;
    if (pc_dist_create(&l->alloc, false, &l->ages, NULL) == PC_OK)
        pc_match_ages(&l->match, l->match.figures.cycles, l->ages, NULL);
    return l->ages;
}

void pc_latency_get_longest(const struct pc_latency *l, struct pc_latency_longest *out)
{
    struct pc_bus_longest oldest = { .any = false };

    pc_match_ages(&l->match, l->match.figures.cycles, NULL, &oldest);
    const bool open =
        oldest.any && (!l->match.longest.any || oldest.latency > l->match.longest.latency);
    const struct pc_bus_longest *is = open ? &oldest : &l->match.longest;
    *out = (struct pc_latency_longest){ .any = is->any,
                                        .open = open,
                                        .id = is->id,
                                        .cycles = is->latency,
                                        .start = is->start,
                                        .start_time = is->start_time,
                                        .end_time = open ? 0 : is->end_time };
}

struct pc_dist *pc_latency_of_id(struct pc_latency *l, size_t i, uint64_t *id)
{
    if (i >= l->match.figures.ids)
        return NULL;
    *id = l->match.of_id[i].id;
    return l->match.of_id[i].dist;
}
