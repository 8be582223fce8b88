/* SPDX-License-Identifier: MIT */
/*
 * Starts that wait for their ends, in a queue for each identifier, first in first out.  What is
 * open is a pool of cycles, linked within their queues; a queue that is empty and has no
 * distribution goes when the table of queues is made anew.
 */
#include "lang/measure/wide.h"

#include "base/alloc.h"
#include "base/error.h"

#define NONE UINT32_MAX

enum { MOST_OPEN = 1 << 20, MOST_IDS = 4096 };

struct open {
    uint64_t cycle;
    uint32_t next; /* in its queue, or of the free ones; NONE: the last */
};

struct queue {
    bool taken; /* else a free slot */
    uint64_t id;
    uint32_t first, last; /* NONE: empty */
    uint32_t dist;        /* NONE: none of its own */
};

struct of_id {
    uint64_t id;
    struct pc_dist *dist;
};

struct pc_latency {
    struct pc_latency_desc desc;
    struct pc_alloc alloc;
    struct pc_latency_figures figures;
    struct pc_dist *dist, *outstanding;
    struct open *open;
    size_t open_capacity, open_made; /* of which some are free */
    uint32_t free;
    uint64_t outstanding_now;
    struct queue *queue; /* slots, a power of two */
    size_t queues, queues_used;
    struct of_id *of_id;
    size_t of_id_capacity;
};

static enum pc_status no_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "no memory for the starts of a latency");
}

enum pc_status pc_latency_create(const struct pc_latency_desc *desc, struct pc_latency **out,
                                 struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(desc->alloc);

    if (desc->start_id_bits > 64 || desc->end_id_bits > 64)
        return pc_fail(err, 1801, "an identifier has up to 64 bits, not %u",
                       desc->start_id_bits > 64 ? desc->start_id_bits : desc->end_id_bits);
    struct pc_latency *l = pc_calloc(&a, 1, sizeof *l);
    if (!l)
        return no_memory(err);
    l->desc = *desc;
    l->alloc = a;
    l->desc.most_open = desc->most_open ? desc->most_open : MOST_OPEN;
    l->desc.most_ids = desc->most_ids ? desc->most_ids : MOST_IDS;
    l->free = NONE;
    l->figures.all_ids = true;
    l->queues = 16;
    l->queue = pc_calloc(&a, l->queues, sizeof *l->queue);
    enum pc_status status = l->queue ? pc_dist_create(&a, false, &l->dist, err) : no_memory(err);
    if (status == PC_OK)
        status = pc_dist_create(&a, false, &l->outstanding, err);
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
    for (size_t i = 0; i < l->figures.ids; i++)
        pc_dist_destroy(l->of_id[i].dist);
    pc_free(&a, l->of_id, l->of_id_capacity * sizeof *l->of_id);
    pc_free(&a, l->queue, l->queues * sizeof *l->queue);
    pc_free(&a, l->open, l->open_capacity * sizeof *l->open);
    pc_dist_destroy(l->dist);
    pc_dist_destroy(l->outstanding);
    pc_free(&a, l, sizeof *l);
}

/* ---- queues ---- */

static struct queue *slot_of(struct queue *queue, size_t queues, uint64_t id)
{
    size_t at = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (queues - 1);

    while (queue[at].taken && queue[at].id != id)
        at = (at + 1) & (queues - 1);
    return &queue[at];
}

static bool is_needed(const struct queue *q)
{
    return q->taken && (q->first != NONE || q->dist != NONE);
}

static bool remake_queues(struct pc_latency *l)
{
    size_t needed = 0, queues = 16;

    for (size_t i = 0; i < l->queues; i++)
        needed += is_needed(&l->queue[i]);
    while (queues < 4 * needed)
        queues *= 2;
    struct queue *queue = pc_calloc(&l->alloc, queues, sizeof *queue);
    if (!queue)
        return false;
    for (size_t i = 0; i < l->queues; i++)
        if (is_needed(&l->queue[i]))
            *slot_of(queue, queues, l->queue[i].id) = l->queue[i];
    pc_free(&l->alloc, l->queue, l->queues * sizeof *l->queue);
    l->queue = queue;
    l->queues = queues;
    l->queues_used = needed;
    return true;
}

/* A distribution of its own, as long as there are few. */
static enum pc_status add_id(struct pc_latency *l, struct queue *q, struct pc_error *err)
{
    const size_t n = l->figures.ids;

    q->dist = NONE;
    if (l->desc.start_id_bits + l->desc.end_id_bits == 0)
        return PC_OK;
    if (n >= l->desc.most_ids) {
        l->figures.all_ids = false;
        return PC_OK;
    }
    if (!pc_grow(&l->alloc, (void **)&l->of_id, &l->of_id_capacity, n + 1, sizeof *l->of_id))
        return no_memory(err);
    l->of_id[n].id = q->id;
    const enum pc_status status = pc_dist_create(&l->alloc, false, &l->of_id[n].dist, err);
    if (status)
        return status;
    q->dist = (uint32_t)n;
    l->figures.ids++;
    return PC_OK;
}

static enum pc_status queue_for(struct pc_latency *l, uint64_t id, struct queue **out,
                                struct pc_error *err)
{
    struct queue *q = slot_of(l->queue, l->queues, id);

    if (!q->taken && 2 * l->queues_used >= l->queues) {
        if (!remake_queues(l))
            return no_memory(err);
        q = slot_of(l->queue, l->queues, id);
    }
    *out = q;
    if (q->taken)
        return PC_OK;
    l->queues_used++;
    *q = (struct queue){ .taken = true, .id = id, .first = NONE, .last = NONE };
    return add_id(l, q, err);
}

/* ---- what happens ---- */

static enum pc_status start(struct pc_latency *l, uint64_t cycle, uint64_t id, struct pc_error *err)
{
    struct queue *q = NULL;
    uint32_t at = l->free;

    if (l->outstanding_now >= l->desc.most_open)
        return pc_fail(err, 1802, "more than %zu starts wait for their end at cycle %llu",
                       l->desc.most_open, (unsigned long long)cycle);
    if (at == NONE) {
        if (!pc_grow(&l->alloc, (void **)&l->open, &l->open_capacity, l->open_made + 1,
                     sizeof *l->open))
            return no_memory(err);
        at = (uint32_t)l->open_made++;
    } else {
        l->free = l->open[at].next;
    }
    const enum pc_status status = queue_for(l, id, &q, err);
    if (status)
        return status;
    l->open[at] = (struct open){ cycle, NONE };
    if (q->first == NONE)
        q->first = at;
    else
        l->open[q->last].next = at;
    q->last = at;
    l->outstanding_now++;
    l->figures.started++;
    return PC_OK;
}

static void end(struct pc_latency *l, uint64_t cycle, uint64_t id)
{
    struct queue *q = slot_of(l->queue, l->queues, id);

    if (!q->taken || q->first == NONE) {
        l->figures.orphans++;
        return;
    }
    const uint32_t at = q->first;
    const uint64_t took = cycle - l->open[at].cycle;
    pc_dist_add(l->dist, took, 1);
    if (q->dist != NONE)
        pc_dist_add(l->of_id[q->dist].dist, took, 1);
    q->first = l->open[at].next;
    l->open[at].next = l->free;
    l->free = at;
    l->outstanding_now--;
    l->figures.completed++;
}

/* ---- a block ---- */

/* An identifier in a cycle; false: a bit of it is unknown. */
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
    return plane[cycle / 64] >> cycle % 64 & 1;
}

/* So many are open before each of these cycles. */
static void pass(struct pc_latency *l, uint64_t cycles)
{
    pc_dist_add(l->outstanding, l->outstanding_now, cycles);
    l->figures.cycles += cycles;
}

/* A cycle of the block in which something happens. */
static enum pc_status happen(struct pc_latency *l, const struct pc_latency_block *b, uint64_t cycle,
                             struct pc_error *err)
{
    const uint64_t now = l->figures.cycles;
    enum pc_status status = PC_OK;
    uint64_t id;

    pass(l, 1);
    if (bit_at(b->start, cycle)) {
        if (id_at(b->start_id, b->start_id_unknown, l->desc.start_id_bits, cycle, &id))
            status = start(l, now, id, err);
        else
            l->figures.unknown_id++;
    }
    if (status == PC_OK && bit_at(b->end, cycle)) {
        if (id_at(b->end_id, b->end_id_unknown, l->desc.end_id_bits, cycle, &id))
            end(l, now, id);
        else
            l->figures.unknown_id++;
    }
    if (l->outstanding_now > l->figures.most_outstanding)
        l->figures.most_outstanding = l->outstanding_now;
    return status;
}

enum pc_status pc_latency_add(struct pc_latency *l, const struct pc_latency_block *b,
                              struct pc_error *err)
{
    uint64_t done = 0;

    for (size_t w = 0; w < (b->cycles + 63) / 64; w++) {
        for (uint64_t events = b->start[w] | b->end[w]; events != 0; events &= events - 1) {
            const uint64_t cycle = 64 * w + (unsigned)__builtin_ctzll(events);
            if (cycle >= b->cycles)
                break;
            pass(l, cycle - done);
            done = cycle + 1;
            const enum pc_status status = happen(l, b, cycle, err);
            if (status)
                return status;
        }
    }
    pass(l, b->cycles - done);
    return PC_OK;
}

/* ---- figures ---- */

void pc_latency_get_figures(const struct pc_latency *l, struct pc_latency_figures *out)
{
    *out = l->figures;
    out->unfinished = l->outstanding_now;
}

struct pc_dist *pc_latency_dist(struct pc_latency *l)
{
    return l->dist;
}

struct pc_dist *pc_latency_outstanding(struct pc_latency *l)
{
    return l->outstanding;
}

struct pc_dist *pc_latency_of_id(struct pc_latency *l, size_t i, uint64_t *id)
{
    if (i >= l->figures.ids)
        return NULL;
    *id = l->of_id[i].id;
    return l->of_id[i].dist;
}
