/* SPDX-License-Identifier: MIT */
/*
 * Outstanding starts are a pool of cycles, linked within their queues; a queue that is empty and
 * has no distribution goes when the table of queues is made anew.
 */
#include "lang/measure/match.h"

#include "base/error.h"
#include "lang/measure/dist.h"

#define NONE PC_MATCH_NONE

enum { MOST_OPEN = 1 << 20, MOST_IDS = 4096 };

static enum pc_status no_memory(struct pc_error *err)
{
    return pc_fail(err, 100, "no memory for the starts of a latency");
}

enum pc_status pc_match_open(struct pc_match *m, const struct pc_alloc *alloc, bool has_ids,
                             size_t most_open, size_t most_ids, struct pc_error *err)
{
    m->alloc = *alloc;
    m->has_ids = has_ids;
    m->most_open = most_open ? most_open : MOST_OPEN;
    m->most_ids = most_ids ? most_ids : MOST_IDS;
    m->free = NONE;
    m->figures.all_ids = true;
    m->queues = 16;
    m->queue = pc_calloc(alloc, m->queues, sizeof *m->queue);
    const enum pc_status status =
        m->queue ? pc_dist_create(alloc, false, &m->dist, err) : no_memory(err);

    return status ? status : pc_dist_create(alloc, false, &m->outstanding, err);
}

void pc_match_close(struct pc_match *m)
{
    for (size_t i = 0; i < m->figures.ids; i++)
        pc_dist_destroy(m->of_id[i].dist);
    pc_free(&m->alloc, m->of_id, m->of_id_capacity * sizeof *m->of_id);
    pc_free(&m->alloc, m->queue, m->queues * sizeof *m->queue);
    pc_free(&m->alloc, m->open, m->open_capacity * sizeof *m->open);
    pc_dist_destroy(m->dist);
    pc_dist_destroy(m->outstanding);
}

/* ---- queues ---- */

static struct pc_match_queue *place_of(struct pc_match_queue *queue, size_t queues, uint64_t id)
{
    size_t at = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (queues - 1);

    while (queue[at].taken && queue[at].id != id)
        at = (at + 1) & (queues - 1);
    return &queue[at];
}

static bool is_needed(const struct pc_match_queue *q)
{
    return q->taken && (q->first != NONE || q->dist != NONE);
}

static bool remake_queues(struct pc_match *m)
{
    size_t needed = 0, queues = 16;

    for (size_t i = 0; i < m->queues; i++)
        needed += is_needed(&m->queue[i]);
    while (queues < 4 * needed)
        queues *= 2;
    struct pc_match_queue *queue = pc_calloc(&m->alloc, queues, sizeof *queue);
    if (!queue)
        return false;
    for (size_t i = 0; i < m->queues; i++)
        if (is_needed(&m->queue[i]))
            *place_of(queue, queues, m->queue[i].id) = m->queue[i];
    pc_free(&m->alloc, m->queue, m->queues * sizeof *m->queue);
    m->queue = queue;
    m->queues = queues;
    m->queues_used = needed;
    return true;
}

/* Adds an identifier, with a distribution of its own as long as there are few. */
static enum pc_status add_id(struct pc_match *m, struct pc_match_queue *q, struct pc_error *err)
{
    const size_t n = m->figures.ids;

    q->dist = NONE;
    if (!m->has_ids)
        return PC_OK;
    if (n >= m->most_ids) {
        m->figures.all_ids = false;
        return PC_OK;
    }
    if (!pc_grow(&m->alloc, (void **)&m->of_id, &m->of_id_capacity, n + 1, sizeof *m->of_id))
        return no_memory(err);
    m->of_id[n].id = q->id;
    const enum pc_status status = pc_dist_create(&m->alloc, false, &m->of_id[n].dist, err);
    if (status)
        return status;
    q->dist = (uint32_t)n;
    m->figures.ids++;
    return PC_OK;
}

static enum pc_status queue_for(struct pc_match *m, uint64_t id, struct pc_match_queue **out,
                                struct pc_error *err)
{
    struct pc_match_queue *q = place_of(m->queue, m->queues, id);

    if (!q->taken && 2 * m->queues_used >= m->queues) {
        if (!remake_queues(m))
            return no_memory(err);
        q = place_of(m->queue, m->queues, id);
    }
    *out = q;
    if (q->taken)
        return PC_OK;
    m->queues_used++;
    *q = (struct pc_match_queue){ .taken = true, .id = id, .first = NONE, .last = NONE };
    return add_id(m, q, err);
}

/* ---- what happens ---- */

void pc_match_pass(struct pc_match *m, uint64_t open, uint64_t cycles)
{
    if (cycles > 0)
        pc_dist_add_small(m->outstanding, open, cycles);
    m->figures.cycles += cycles;
}

static uint64_t time_at(const struct pc_match *m, uint64_t cycle)
{
    return m->time ? m->time[cycle - m->time_from] : 0;
}

enum pc_status pc_match_start(struct pc_match *m, uint64_t cycle, uint64_t id, uint32_t *slot,
                              struct pc_error *err)
{
    struct pc_match_queue *q = NULL;
    uint32_t at = m->free;

    if (m->outstanding_now >= m->most_open)
        return pc_fail(err, 1802, "more than %zu starts wait for their end at cycle %llu",
                       m->most_open, (unsigned long long)cycle);
    if (at == NONE) {
        if (!pc_grow(&m->alloc, (void **)&m->open, &m->open_capacity, m->open_made + 1,
                     sizeof *m->open))
            return no_memory(err);
        at = (uint32_t)m->open_made++;
    } else {
        m->free = m->open[at].next;
    }
    const enum pc_status status = queue_for(m, id, &q, err);
    if (status)
        return status;
    m->open[at] = (struct pc_match_open){ cycle, time_at(m, cycle), NONE };
    if (q->first == NONE)
        q->first = at;
    else
        m->open[q->last].next = at;
    q->last = at;
    m->outstanding_now++;
    m->figures.started++;
    *slot = at;
    return PC_OK;
}

uint32_t pc_match_oldest(struct pc_match *m, uint64_t id)
{
    const struct pc_match_queue *q = place_of(m->queue, m->queues, id);

    return q->taken ? q->first : NONE;
}

uint32_t pc_match_end(struct pc_match *m, uint64_t cycle, uint64_t id)
{
    struct pc_match_queue *q = place_of(m->queue, m->queues, id);

    if (!q->taken || q->first == NONE) {
        m->figures.orphans++;
        return NONE;
    }
    const uint32_t at = q->first;
    const uint64_t took = cycle - m->open[at].cycle;
    pc_dist_add_small(m->dist, took, 1);
    if (q->dist != NONE)
        pc_dist_add_small(m->of_id[q->dist].dist, took, 1);
    if (took > m->longest.latency || !m->longest.any)
        m->longest = (struct pc_bus_longest){ .any = true,
                                              .id = id,
                                              .latency = took,
                                              .start = m->open[at].cycle,
                                              .start_time = m->open[at].time,
                                              .end_time = time_at(m, cycle) };
    q->first = m->open[at].next;
    m->open[at].next = m->free;
    m->free = at;
    m->outstanding_now--;
    m->figures.completed++;
    return at;
}

void pc_match_ages(const struct pc_match *m, uint64_t end, struct pc_dist *ages,
                   struct pc_bus_longest *oldest)
{
    for (size_t i = 0; i < m->queues; i++) {
        const struct pc_match_queue *q = &m->queue[i];
        for (uint32_t at = q->taken ? q->first : NONE; at != NONE; at = m->open[at].next) {
            const struct pc_match_open *o = &m->open[at];
            const uint64_t age = end - 1 - o->cycle;
            if (ages)
                pc_dist_add_small(ages, age, 1);
            if (oldest && (!oldest->any || age > oldest->latency))
                *oldest = (struct pc_bus_longest){ .any = true,
                                                   .id = q->id,
                                                   .latency = age,
                                                   .start = o->cycle,
                                                   .start_time = o->time };
        }
    }
}

void pc_match_settle(struct pc_match *m)
{
    if (m->outstanding_now > m->figures.most_outstanding)
        m->figures.most_outstanding = m->outstanding_now;
}

void pc_match_abort(struct pc_match *m)
{
    if (m->outstanding_now == 0)
        return;
    for (size_t i = 0; i < m->queues; i++)
        m->queue[i].first = m->queue[i].last = NONE;
    m->free = NONE;
    m->open_made = 0;
    m->aborted += m->outstanding_now;
    m->outstanding_now = 0;
}
