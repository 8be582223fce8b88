/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of the device.  Behind a head stand, one after the other:
 *   struct body       the device's own registers, its time, the idle counters, MAIN
 *   struct clock      of each domain
 *   a unit's state    of each unit, as pc_unit_save() has it
 *   struct player     of each signal that plays, with the levels that are still to come
 *   struct pc_page    of record memory, as they were first written
 * What comes from outside is checked, and memory asked for, before anything is changed.
 */
#include "gpu/gpu.h"
#include "model/pdaemon.h"

#include <string.h>

struct head {
    char magic[8];
    uint32_t layout;
    uint16_t chip, units;
    uint64_t players, pages;
};
static const char magic[8] = "pcgpu001";
static const uint32_t layout =
#include "state_layout.inc"
    ;

struct body {
    struct pc_idle_state idle;
    struct pc_pma pma;
    uint64_t packets, passed;
    uint64_t idle_period, idle_next, idle_cycles;
    uint32_t idle_signals;
    uint32_t pmc_enable, pdaemon_enable, pgraph_debug1;
    uint32_t platform[sizeof((struct pc_gpu *)0)->platform / sizeof(uint32_t)];
    uint32_t undecoded_address;
    uint8_t bus_pending, bus_cycles;
    bool ended, bus_begun, pulse_pending, undecoded, full;
};

struct clock {
    uint64_t period, next_edge;
    uint64_t level[PC_SIG_WORDS];
};

struct player {
    uint64_t levels; /* bytes that follow */
    uint8_t domain, signal;
};

/* ---- saving ---- */

static size_t left_of(const struct pc_play *p)
{
    return p->count - p->at;
}

size_t pc_gpu_state_size(const struct pc_gpu *gpu)
{
    size_t size = sizeof(struct head) + sizeof(struct body) + gpu->domains * sizeof(struct clock) +
                  gpu->plays * sizeof(struct player) + gpu->memory.used * sizeof(struct pc_page);

    for (unsigned i = 0; i < gpu->units; i++)
        size += pc_unit_state_size(gpu->unit[i]);
    for (size_t i = 0; i < gpu->plays; i++)
        size += left_of(&gpu->play[i]);
    return size;
}

static void put(uint8_t **to, const void *from, size_t size)
{
    memcpy(*to, from, size);
    *to += size;
}

static void put_body(const struct pc_gpu *gpu, uint8_t **to)
{
    struct body b;

    memset(&b, 0, sizeof b);
    if (gpu->idle)
        pc_idle_get_state(gpu->idle, &b.idle);
    b.pma = gpu->pma;
    b.packets = gpu->packets;
    b.passed = gpu->passed;
    b.idle_period = gpu->idle_period;
    b.idle_next = gpu->idle_next;
    b.idle_cycles = gpu->idle_cycles;
    b.idle_signals = gpu->idle_signals;
    b.pmc_enable = gpu->pmc_enable;
    b.pdaemon_enable = gpu->pdaemon_enable;
    b.pgraph_debug1 = gpu->pgraph_debug1;
    memcpy(b.platform, gpu->platform, sizeof b.platform);
    b.undecoded_address = gpu->undecoded_address;
    b.bus_pending = gpu->bus_pending;
    b.bus_cycles = gpu->bus_cycles;
    b.ended = gpu->ended;
    b.bus_begun = gpu->bus_begun;
    b.pulse_pending = gpu->pulse_pending;
    b.undecoded = gpu->undecoded;
    b.full = gpu->memory.full;
    put(to, &b, sizeof b);
}

static void put_domains(const struct pc_gpu *gpu, uint8_t **to)
{
    for (unsigned x = 0; x < gpu->domains; x++) {
        const struct pc_gpu_domain *d = &gpu->domain[x];
        struct clock c = { .period = d->period, .next_edge = d->next_edge };
        memcpy(c.level, d->level, sizeof c.level);
        put(to, &c, sizeof c);
    }
    for (unsigned i = 0; i < gpu->units; i++) {
        pc_unit_save(gpu->unit[i], *to);
        *to += pc_unit_state_size(gpu->unit[i]);
    }
}

void pc_gpu_save(const struct pc_gpu *gpu, void *state)
{
    struct head head = { .layout = layout,
                         .chip = (uint16_t)gpu->chip->order,
                         .units = (uint16_t)gpu->units,
                         .players = gpu->plays,
                         .pages = gpu->memory.used };
    uint8_t *to = state;

    memcpy(head.magic, magic, sizeof magic);
    put(&to, &head, sizeof head);
    put_body(gpu, &to);
    put_domains(gpu, &to);
    for (size_t i = 0; i < gpu->plays; i++) {
        const struct pc_play *p = &gpu->play[i];
        struct player player;
        memset(&player, 0, sizeof player);
        player.levels = left_of(p);
        player.domain = p->domain;
        player.signal = p->signal;
        put(&to, &player, sizeof player);
        put(&to, p->levels + p->at, left_of(p));
    }
    if (gpu->memory.used > 0)
        put(&to, gpu->memory.pool, gpu->memory.used * sizeof *gpu->memory.pool);
}

/* ---- what was read, and is not the device's yet ---- */

struct loaded {
    const uint8_t *at; /* bytes that were not taken yet */
    size_t left;
    struct head head;
    struct body body;
    const uint8_t *clocks, *units, *pages;
    struct pc_play *play; /* head.players of them, so many with levels: */
    size_t plays;
    uint32_t *slot; /* of the pages */
};

/* The next bytes; NULL if there are not so many. */
static const uint8_t *take(struct loaded *l, size_t size)
{
    const uint8_t *from = l->at;

    if (size > l->left)
        return NULL;
    l->at += size;
    l->left -= size;
    return from;
}

static bool take_into(struct loaded *l, void *to, size_t size)
{
    const uint8_t *from = take(l, size);

    if (from)
        memcpy(to, from, size);
    return from != NULL;
}

static enum pc_status fail_short(struct pc_error *err)
{
    return pc_fail(err, 406, "the state of the device ends early");
}

static enum pc_status fail_damaged(const char *what, struct pc_error *err)
{
    return pc_fail(err, 406, "the state of the device is damaged: %s", what);
}

static bool bools_ok(const struct body *b)
{
    const bool *bools[] = { &b->ended,     &b->bus_begun, &b->pulse_pending, &b->undecoded,
                            &b->pma.bound, &b->full,      &b->pma.overflow };
    uint8_t byte;

    for (size_t i = 0; i < sizeof bools / sizeof bools[0]; i++) {
        memcpy(&byte, bools[i], 1);
        if (byte > 1)
            return false;
    }
    return true;
}

/* As pc_gpu_clock() and time leave it: the next edge has not been, and is no period or phase away.
 */
static bool clock_ok(uint64_t passed, uint64_t period, uint64_t next_edge)
{
    return period > 0 && period <= UINT32_MAX && next_edge >= passed &&
           next_edge - passed <= UINT32_MAX;
}

/* Heads of packets are multiples of their 32 bytes. */
static bool ring_ok(const struct pc_pma *p)
{
    return p->start % 32 == 0 && p->limit % 32 == 0 && p->head % 32 == 0 && p->bytes % 16 == 0 &&
           p->high <= 0xff && p->bytes <= p->limit && (p->head < p->limit || p->head == 0);
}

static enum pc_status check_body(const struct pc_gpu *gpu, const struct body *b,
                                 struct pc_error *err)
{
    if (!bools_ok(b))
        return fail_damaged("a byte that is neither 0 nor 1", err);
    if (b->passed > PC_GPU_TIME_END + 1 ||
        (gpu->idle && !clock_ok(b->passed, b->idle_period, b->idle_next)))
        return fail_damaged("its time", err);
    if (!ring_ok(&b->pma))
        return fail_damaged("the ring of MAIN", err);
    if (b->bus_pending > PC_BUS_WRITE || b->bus_cycles > PC_BUS_CYCLES ||
        (b->bus_pending && (b->bus_cycles == 0 || !pc_host_bus(gpu->chip))))
        return fail_damaged("the access on the bus", err);
    if (b->pgraph_debug1 & ~pc_gpu_debug1_mask(gpu->chip))
        return fail_damaged("DEBUG_1", err);
    return gpu->idle ? pc_idle_check_state(gpu->idle, &b->idle, err) : PC_OK;
}

static bool is_raw(const struct pc_gpu *gpu, unsigned domain, unsigned signal)
{
    const struct pc_gpu_domain *d = &gpu->domain[domain];

    return pc_chip_signal(d->unit->chip, d->domain, signal).kind == PC_SIG_RAW;
}

static enum pc_status take_clocks(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    l->clocks = l->at;
    for (unsigned x = 0; x < gpu->domains; x++) {
        struct clock c;
        if (!take_into(l, &c, sizeof c))
            return fail_short(err);
        if (!clock_ok(l->body.passed, c.period, c.next_edge))
            return fail_damaged("the clock of a domain", err);
        for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
            if ((c.level[s / 64] >> s % 64 & 1) && !is_raw(gpu, x, s))
                return fail_damaged("the level of a signal that nobody drives", err);
    }
    return PC_OK;
}

static enum pc_status take_units(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    l->units = l->at;
    for (unsigned i = 0; i < gpu->units; i++) {
        struct pc_state unused;
        const size_t size = pc_unit_state_size(gpu->unit[i]);
        const uint8_t *state = take(l, size);
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
    const uint8_t *levels = NULL;

    if (take_into(l, &player, sizeof player) && player.levels <= l->left)
        levels = take(l, (size_t)player.levels);
    if (!levels)
        return fail_short(err);
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

    if (l->head.players > l->left / sizeof(struct player))
        return fail_short(err);
    if (l->head.players == 0)
        return PC_OK;
    l->play = pc_calloc(&gpu->alloc, (size_t)l->head.players, sizeof *l->play);
    if (!l->play)
        return pc_fail(err, 100, "no memory for the signals that play");
    while (l->plays < l->head.players && status == PC_OK)
        status = take_play(gpu, l, err);
    return status;
}

static enum pc_status take_pages(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    const struct pc_memory *m = &gpu->memory;

    if (l->head.pages > m->pages)
        return pc_fail(err, 410, "the state has %llu pages of record memory, the device %zu",
                       (unsigned long long)l->head.pages, m->pages);
    l->pages = take(l, (size_t)l->head.pages * sizeof(struct pc_page));
    if (!l->pages)
        return fail_short(err);
    l->slot = pc_calloc(&gpu->alloc, m->slots, sizeof *l->slot);
    if (!l->slot)
        return pc_fail(err, 100, "no memory for the pages of record memory");
    return pc_memory_index(m, l->pages, (size_t)l->head.pages, l->slot)
               ? PC_OK
               : fail_damaged("a page of record memory", err);
}

static enum pc_status take_head(const struct pc_gpu *gpu, struct loaded *l, struct pc_error *err)
{
    if (!take_into(l, &l->head, sizeof l->head))
        return fail_short(err);
    if (memcmp(l->head.magic, magic, sizeof magic) != 0 || l->head.layout != layout)
        return pc_fail(err, 406, "this is not a device's state of this version of the program");
    if (l->head.chip != gpu->chip->order || l->head.units != gpu->units)
        return pc_fail(err, 406, "the state was saved for another chip than %s", gpu->chip->name);
    if (!take_into(l, &l->body, sizeof l->body))
        return fail_short(err);
    return check_body(gpu, &l->body, err);
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
        status = pc_fail(err, 406, "%zu bytes stand behind the state of the device", l->left);
    return status;
}

/* ---- what was read becomes the device's, which cannot fail ---- */

static void set_body(struct pc_gpu *gpu, const struct body *b)
{
    gpu->pma = b->pma;
    gpu->packets = b->packets;
    gpu->passed = b->passed;
    gpu->idle_period = b->idle_period;
    gpu->idle_next = b->idle_next;
    gpu->idle_cycles = b->idle_cycles;
    gpu->idle_signals = b->idle_signals;
    gpu->pmc_enable = b->pmc_enable;
    gpu->pdaemon_enable = b->pdaemon_enable;
    gpu->pgraph_debug1 = b->pgraph_debug1;
    memcpy(gpu->platform, b->platform, sizeof gpu->platform);
    gpu->undecoded_address = b->undecoded_address;
    gpu->bus_pending = b->bus_pending;
    gpu->bus_cycles = b->bus_cycles;
    gpu->ended = b->ended;
    gpu->bus_begun = b->bus_begun;
    gpu->pulse_pending = b->pulse_pending;
    gpu->undecoded = b->undecoded;
    gpu->memory.full = b->full;
}

static void set_domains(struct pc_gpu *gpu, const struct loaded *l)
{
    const uint8_t *clock = l->clocks, *state = l->units;

    for (unsigned x = 0; x < gpu->domains; x++, clock += sizeof(struct clock)) {
        struct clock c;
        memcpy(&c, clock, sizeof c);
        gpu->domain[x].period = c.period;
        gpu->domain[x].next_edge = c.next_edge;
        memcpy(gpu->domain[x].level, c.level, sizeof c.level);
    }
    for (unsigned i = 0; i < gpu->units; i++) {
        const size_t size = pc_unit_state_size(gpu->unit[i]);
        enum pc_status status = pc_unit_load(gpu->unit[i], state, size, NULL);
        (void)status; /* it was checked */
        state += size;
    }
    if (gpu->idle) {
        enum pc_status status = pc_idle_set_state(gpu->idle, &l->body.idle, NULL);
        (void)status;
    }
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

    set_body(gpu, &l->body);
    set_domains(gpu, l);
    free_plays(&gpu->alloc, gpu->play, gpu->plays, gpu->plays_capacity);
    gpu->play = l->play;
    gpu->plays = gpu->plays_capacity = l->plays;
    pc_free(&gpu->alloc, m->slot, m->slots * sizeof *m->slot);
    m->slot = l->slot;
    m->used = (size_t)l->head.pages;
    if (m->used > 0)
        memcpy(m->pool, l->pages, m->used * sizeof *m->pool);
}

enum pc_status pc_gpu_load(struct pc_gpu *gpu, const void *state, size_t size, struct pc_error *err)
{
    struct loaded l = { .at = state, .left = size };
    enum pc_status status = take_all(gpu, &l, err);

    if (status == PC_OK) {
        set_all(gpu, &l);
        return PC_OK;
    }
    free_plays(&gpu->alloc, l.play, l.plays, (size_t)l.head.players);
    if (l.slot)
        pc_free(&gpu->alloc, l.slot, gpu->memory.slots * sizeof *l.slot);
    return status;
}
