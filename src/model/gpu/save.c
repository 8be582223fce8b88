/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of the device.  After a head stand, one after the other:
 *   counts            of what follows below
 *   body              the device's own registers, its time, MAIN
 *   idle counters     if the chip has some
 *   clock             of each domain, with held levels
 *   a unit's state    of each unit, as pc_unit_save() has it
 *   player            of each signal that plays, with the levels that are still to come
 *   page              of record memory, as they were first written
 * A snapshot is checked, and its memory allocated, before anything is changed.
 */
#include "base/saved.h"
#include "model/gpu/gpu.h"
#include "model/unit/pdaemon.h"

#include <string.h>

enum { VERSION = 2 }; /* of all rows, but for those of units */

struct counts {
    uint64_t players, pages;
};
static const struct pc_row counts_rows[] = {
    PC_ROW(counts, players, 8, 1, PC_ANY),
    PC_ROW(counts, pages, 8, 1, PC_ANY),
};

#define ROW(member, width)        PC_ROW(pc_gpu, member, width, 1, PC_ANY)
#define UPTO(member, width, last) PC_ROW(pc_gpu, member, width, 1, last)
#define BOOL(member)              PC_ROW(pc_gpu, member, 1, 1, 1)

static const struct pc_row body_rows[] = {
    ROW(pma.control, 4),
    ROW(pma.chan, 4),
    ROW(pma.start, 4),
    UPTO(pma.high, 4, 0xff),
    ROW(pma.limit, 4),
    ROW(pma.vstatus, 4),
    ROW(pma.slcg, 4),
    ROW(pma.head, 4),
    ROW(pma.bytes, 4),
    BOOL(pma.bound),
    BOOL(pma.overflow),
    PC_ROW(pc_gpu, pma.unknown, 4, 0x80, PC_ANY),
    ROW(packets, 8),
    UPTO(passed, 8, PC_GPU_TIME_END + 1),
    BOOL(ended),
    UPTO(unit_hz, 8, PC_GPU_UNIT_HZ_LAST),
    UPTO(rest, 8, 999999999),
    ROW(ns_before, 8),
    UPTO(idle_period, 8, UINT32_MAX),
    ROW(idle_next, 8),
    ROW(idle_cycles, 8),
    ROW(idle_signals, 4),
    ROW(pmc_enable, 4),
    ROW(pdaemon_enable, 4),
    ROW(pgraph_debug1, 4),
    PC_ROW(pc_gpu, platform, 4, 32, PC_ANY),
    ROW(ptimer.divisor, 4),
    ROW(ptimer.factor, 4),
    ROW(ptimer.time, 8),
    ROW(ptimer.since, 8),
    UPTO(bus_pending, 1, PC_BUS_WRITE),
    UPTO(bus_cycles, 1, PC_BUS_CYCLES),
    BOOL(bus_begun),
    BOOL(undecoded),
    ROW(undecoded_address, 4),
    BOOL(memory.full),
};

static const struct pc_row idle_rows[] = {
    PC_ROW(pc_idle_state, signals, 4, 1, PC_ANY),
    PC_ROW(pc_idle_state, mask, 4, PC_IDLE_COUNTERS, PC_ANY),
    PC_ROW(pc_idle_state, count, 4, PC_IDLE_COUNTERS, PC_ANY),
    PC_ROW(pc_idle_state, mode, 4, PC_IDLE_COUNTERS, PC_ANY),
    PC_ROW(pc_idle_state, clear, 4, 1, PC_ANY),
    PC_ROW(pc_idle_state, overflowed, 4, 1, PC_ANY),
};

static const struct pc_row clock_rows[] = {
    PC_ROW(pc_gpu_domain, period, 8, 1, UINT32_MAX),
    PC_ROW(pc_gpu_domain, next_edge, 8, 1, PC_ANY),
    PC_ROW(pc_gpu_domain, level, 8, PC_SIG_WORDS, PC_ANY),
};

struct player {
    uint64_t levels; /* bytes that follow */
    uint8_t domain, signal;
};
static const struct pc_row player_rows[] = {
    PC_ROW(player, levels, 8, 1, PC_ANY),
    PC_ROW(player, domain, 1, 1, PC_ANY),
    PC_ROW(player, signal, 1, 1, PC_ANY),
};

static const struct pc_row page_rows[] = {
    PC_ROW(pc_page, number, 8, 1, PC_ANY),
    PC_ROW(pc_page, written, 8, PC_PAGE_BYTES / 16 / 64, PC_ANY),
    PC_ROW(pc_page, bytes, 1, PC_PAGE_BYTES, PC_ANY),
};

static struct pc_saved head_of_device(const struct pc_gpu *gpu)
{
    return (struct pc_saved){
        .magic = "PCDEVICE", .of = "a device", .version = VERSION, .chip = gpu->chip->name
    };
}

/* ---- saving ---- */

struct saving {
    uint8_t *to; /* NULL: it is only measured */
    size_t size; /* so far */
};

static void put_rows(struct saving *s, const struct pc_row *row, size_t rows, const void *from)
{
    if (s->to)
        pc_rows_put(row, rows, from, s->to + s->size);
    s->size += pc_rows_size(row, rows);
}

static void put_head(const struct pc_gpu *gpu, struct saving *s)
{
    const struct pc_saved head = head_of_device(gpu);
    const struct counts n = { .players = gpu->plays, .pages = gpu->memory.used };

    if (s->to)
        pc_saved_put(&head, s->to);
    s->size += PC_SAVED_HEAD;
    put_rows(s, PC_ROWS(counts_rows), &n);
}

static void put_body(const struct pc_gpu *gpu, struct saving *s)
{
    put_rows(s, PC_ROWS(body_rows), gpu);
    if (gpu->idle)
        put_rows(s, PC_ROWS(idle_rows), &gpu->idle->s);
}

static void put_domains(const struct pc_gpu *gpu, struct saving *s)
{
    for (unsigned x = 0; x < gpu->domains; x++)
        put_rows(s, PC_ROWS(clock_rows), &gpu->domain[x]);
    for (unsigned i = 0; i < gpu->units; i++) {
        if (s->to)
            pc_unit_save(gpu->unit[i], s->to + s->size);
        s->size += pc_unit_state_size(gpu->unit[i]);
    }
}

static void put_plays(const struct pc_gpu *gpu, struct saving *s)
{
    for (size_t i = 0; i < gpu->plays; i++) {
        const struct pc_play *p = &gpu->play[i];
        const struct player player = { .levels = p->count - p->at,
                                       .domain = p->domain,
                                       .signal = p->signal };
        put_rows(s, PC_ROWS(player_rows), &player);
        if (s->to)
            memcpy(s->to + s->size, p->levels + p->at, p->count - p->at);
        s->size += p->count - p->at;
    }
}

static size_t put_all(const struct pc_gpu *gpu, uint8_t *to)
{
    struct saving s = { .to = to };

    put_head(gpu, &s);
    put_body(gpu, &s);
    put_domains(gpu, &s);
    put_plays(gpu, &s);
    for (size_t i = 0; i < gpu->memory.used; i++)
        put_rows(&s, PC_ROWS(page_rows), &gpu->memory.pool[i]);
    return s.size;
}

size_t pc_gpu_state_size(const struct pc_gpu *gpu)
{
    return put_all(gpu, NULL);
}

void pc_gpu_save(const struct pc_gpu *gpu, void *state)
{
    put_all(gpu, (uint8_t *)state);
}

/* ---- what was read, and is not the device's yet ---- */

struct loaded {
    const uint8_t *at; /* bytes that were not taken yet */
    size_t left;
    struct pc_gpu gpu; /* with members of the state, and else as it is */
    struct pc_idle_state idle;
    struct counts n;
    const uint8_t *units, *pages;
    struct pc_play *play; /* n.players of them, that many with levels: */
    size_t plays;
    uint32_t *slot; /* of the pages */
};

/* Takes the next bytes; NULL if there are not so many. */
static const uint8_t *take_bytes(struct loaded *l, size_t size)
{
    const uint8_t *from = l->at;

    if (size > l->left)
        return NULL;
    l->at += size;
    l->left -= size;
    return from;
}

static enum pc_status fail_short(struct pc_error *err)
{
    return pc_fail(err, 406, "the state of the device ends early");
}

static enum pc_status fail_damaged(const char *what, struct pc_error *err)
{
    return pc_fail(err, 406, "the state of the device is damaged: %s", what);
}

static enum pc_status take_rows(struct loaded *l, const struct pc_row *row, size_t rows, void *to,
                                struct pc_error *err)
{
    const uint8_t *from = take_bytes(l, pc_rows_size(row, rows));

    if (!from)
        return fail_short(err);
    row = pc_rows_take(row, rows, from, to);
    return row ? fail_damaged(row->member, err) : PC_OK;
}

/* As pc_gpu_clock() and time leave it: the next edge has not been, and is no period or phase away.
 */
static bool clock_ok(uint64_t passed, uint64_t period, uint64_t next_edge)
{
    return period > 0 && next_edge >= passed && next_edge - passed <= UINT32_MAX;
}

/* Heads of packets are multiples of their 32 bytes. */
static bool ring_ok(const struct pc_pma *p)
{
    return p->start % 32 == 0 && p->limit % 32 == 0 && p->head % 32 == 0 && p->bytes % 16 == 0 &&
           p->bytes <= p->limit && (p->head < p->limit || p->head == 0);
}

static enum pc_status check_body(const struct pc_gpu *b, const struct pc_idle_state *idle,
                                 struct pc_error *err)
{
    if (b->idle && !clock_ok(b->passed, b->idle_period, b->idle_next))
        return fail_damaged("its time", err);
    if (b->unit_hz == 0)
        return fail_damaged("its unit of time", err);
    if (!ring_ok(&b->pma))
        return fail_damaged("the ring of MAIN", err);
    if (b->bus_pending && (b->bus_cycles == 0 || !pc_host_bus(b->chip)))
        return fail_damaged("the access on the bus", err);
    if (b->pgraph_debug1 & ~pc_gpu_debug1_mask(b->chip))
        return fail_damaged("DEBUG_1", err);
    return b->idle ? pc_idle_check_state(b->idle, idle, err) : PC_OK;
}

static bool is_raw(const struct pc_gpu *gpu, unsigned domain, unsigned signal)
{
    const struct pc_gpu_domain *d = &gpu->domain[domain];

    return pc_chip_signal(d->unit->chip, d->domain, signal).kind == PC_SIG_RAW;
}

static enum pc_status take_clocks(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    for (unsigned x = 0; x < gpu->domains; x++) {
        struct pc_gpu_domain *d = &l->gpu.domain[x];
        enum pc_status status = take_rows(l, PC_ROWS(clock_rows), d, err);
        if (status)
            return status;
        if (!clock_ok(l->gpu.passed, d->period, d->next_edge))
            return fail_damaged("the clock of a domain", err);
        for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
            if ((d->level[s / 64] >> s % 64 & 1) && !is_raw(gpu, x, s))
                return fail_damaged("the level of an undriven signal", err);
    }
    return PC_OK;
}

static enum pc_status take_units(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    l->units = l->at;
    for (unsigned i = 0; i < gpu->units; i++) {
        struct pc_state unused;
        const size_t size = pc_unit_state_size(gpu->unit[i]);
        const uint8_t *state = take_bytes(l, size);
        if (!state)
            return fail_short(err);
        enum pc_status status = pc_unit_check_state(gpu->unit[i], state, size, &unused, err);
        if (status)
            return status;
    }
    return PC_OK;
}

static enum pc_status take_play(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    struct player player;
    enum pc_status status = take_rows(l, PC_ROWS(player_rows), &player, err);

    if (status)
        return status;
    if (player.levels > l->left)
        return fail_short(err);
    const uint8_t *levels = take_bytes(l, (size_t)player.levels);
    if (player.levels == 0 || player.domain >= gpu->domains ||
        !is_raw(gpu, player.domain, player.signal))
        return fail_damaged("a signal that plays", err);
    if (!pc_play_make(&gpu->alloc, player.domain, player.signal, levels, (size_t)player.levels,
                      &l->play[l->plays]))
        return pc_fail(err, 100, "no memory for the levels of a signal");
    l->plays++;
    return PC_OK;
}

static enum pc_status take_plays(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    if (l->n.players > l->left / pc_rows_size(PC_ROWS(player_rows)))
        return fail_short(err);
    if (l->n.players == 0)
        return PC_OK;
    l->play = (struct pc_play *)pc_calloc(&gpu->alloc, (size_t)l->n.players, sizeof *l->play);
    if (!l->play)
        return pc_fail(err, 100, "no memory for the signals that play");
    while (l->plays < l->n.players && status == PC_OK)
        status = take_play(gpu, l, err);
    return status;
}

static enum pc_status take_pages(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    const struct pc_memory *m = &gpu->memory;
    const size_t size = pc_rows_size(PC_ROWS(page_rows));

    if (l->n.pages > m->pages)
        return pc_fail(err, 410, "the state has %llu pages of record memory, the device %zu",
                       (unsigned long long)l->n.pages, m->pages);
    l->pages = take_bytes(l, (size_t)l->n.pages * size);
    if (!l->pages)
        return fail_short(err);
    l->slot = (uint32_t *)pc_calloc(&gpu->alloc, m->slots, sizeof *l->slot);
    if (!l->slot)
        return pc_fail(err, 100, "no memory for the pages of record memory");
    return pc_memory_index(m, l->pages, size, (size_t)l->n.pages, l->slot)
               ? PC_OK
               : fail_damaged("a page of record memory", err);
}

static enum pc_status take_head(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    const struct pc_saved head = head_of_device(gpu);
    enum pc_status status = pc_saved_check(&head, l->at, l->left, err);

    if (status)
        return status;
    (void)take_bytes(l, PC_SAVED_HEAD);
    status = take_rows(l, PC_ROWS(counts_rows), &l->n, err);
    if (status == PC_OK)
        status = take_rows(l, PC_ROWS(body_rows), &l->gpu, err);
    if (status == PC_OK && gpu->idle)
        status = take_rows(l, PC_ROWS(idle_rows), &l->idle, err);
    return status ? status : check_body(&l->gpu, &l->idle, err);
}

static enum pc_status take_all(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    enum pc_status status = take_head(gpu, l, err);

    if (status == PC_OK)
        status = take_clocks(gpu, l, err);
    if (status == PC_OK)
        status = take_units(gpu, l, err);
    if (status == PC_OK)
        status = take_plays(gpu, l, err);
    if (status == PC_OK)
        status = take_pages(gpu, l, err);
    if (status == PC_OK && l->left > 0)
        status = pc_fail(err, 406, "%zu bytes follow the state of the device", l->left);
    return status;
}

/* ---- what was read becomes the device's, which cannot fail ---- */

static void set_units(struct pc_gpu *gpu, const struct loaded *l)
{
    const uint8_t *state = l->units;

    for (unsigned i = 0; i < gpu->units; i++) {
        const size_t size = pc_unit_state_size(gpu->unit[i]);
        enum pc_status status = pc_unit_load(gpu->unit[i], state, size, NULL);
        (void)status; /* it was checked */
        state += size;
    }
    if (gpu->idle)
        gpu->idle->s = l->idle;
}

static void free_plays(const struct pc_alloc *alloc, struct pc_play *play, size_t plays,
                       size_t capacity)
{
    for (size_t i = 0; i < plays; i++)
        pc_play_free(alloc, &play[i]);
    pc_free(alloc, play, capacity * sizeof *play);
}

static void set_all(struct pc_gpu *gpu, struct loaded *l)
{
    struct pc_memory *m = &gpu->memory;

    set_units(gpu, l);
    free_plays(&gpu->alloc, gpu->play, gpu->plays, gpu->plays_capacity);
    pc_free(&gpu->alloc, m->slot, m->slots * sizeof *m->slot);
    *gpu = l->gpu;
    gpu->play = l->play;
    gpu->plays = gpu->plays_capacity = l->plays;
    m->slot = l->slot;
    m->used = (size_t)l->n.pages;
    for (size_t i = 0; i < m->used; i++)
        (void)pc_rows_take(PC_ROWS(page_rows), l->pages + i * pc_rows_size(PC_ROWS(page_rows)),
                           &m->pool[i]); /* any bytes are a page */
}

enum pc_status pc_gpu_load(struct pc_gpu *gpu, const void *state, size_t size, struct pc_error *err)
{
    struct loaded l = { .at = (const uint8_t *)state, .left = size, .gpu = *gpu };
    enum pc_status status = take_all(gpu, &l, err);

    if (status == PC_OK) {
        set_all(gpu, &l);
        pc_ptimer_drive(gpu);
        return PC_OK;
    }
    free_plays(&gpu->alloc, l.play, l.plays, (size_t)l.n.players);
    if (l.slot)
        pc_free(&gpu->alloc, l.slot, gpu->memory.slots * sizeof *l.slot);
    return status;
}
