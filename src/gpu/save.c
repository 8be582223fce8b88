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
#include "gpu/save.h"
#include "model/pdaemon.h"

#include <stddef.h>
#include <string.h>

static const char magic[8] = "pcgpu001";
static const uint32_t layout =
#include "state_layout.inc"
    ;

/*
 * What the body has as the device has it; its idle counters are the rest of it.  Of a member with
 * another size on the other side there is an array of -1.
 */
#define SIZE(in, member) sizeof((struct in *)0)->member
#define MEMBER(of_device, of_body)                                                                 \
    {                                                                                              \
        offsetof(struct pc_gpu, of_device), offsetof(struct body, of_body),                        \
            sizeof(char[SIZE(pc_gpu, of_device) == SIZE(body, of_body) ? 1 : -1]) *                \
                SIZE(body, of_body)                                                                \
    }
static const struct {
    size_t in_device, in_body, size;
} members[] = {
    MEMBER(pma, pma),
    MEMBER(packets, packets),
    MEMBER(passed, passed),
    MEMBER(idle_period, idle_period),
    MEMBER(idle_next, idle_next),
    MEMBER(idle_cycles, idle_cycles),
    MEMBER(idle_signals, idle_signals),
    MEMBER(pmc_enable, pmc_enable),
    MEMBER(pdaemon_enable, pdaemon_enable),
    MEMBER(pgraph_debug1, pgraph_debug1),
    MEMBER(platform, platform),
    MEMBER(undecoded_address, undecoded_address),
    MEMBER(bus_pending, bus_pending),
    MEMBER(bus_cycles, bus_cycles),
    MEMBER(ended, ended),
    MEMBER(bus_begun, bus_begun),
    MEMBER(undecoded, undecoded),
    MEMBER(memory.full, full),
};
enum { MEMBERS = sizeof members / sizeof members[0] };

/* ---- saving ---- */

struct saving {
    uint8_t *to; /* NULL: it is only measured */
    size_t size; /* so far */
};

static void put(struct saving *s, const void *from, size_t size)
{
    if (s->to && size > 0)
        memcpy(s->to + s->size, from, size);
    s->size += size;
}

static void put_head(const struct pc_gpu *gpu, struct saving *s)
{
    struct head head = { .layout = layout,
                         .chip = (uint16_t)gpu->chip->order,
                         .units = (uint16_t)gpu->units,
                         .players = gpu->plays,
                         .pages = gpu->memory.used };

    memcpy(head.magic, magic, sizeof magic);
    put(s, &head, sizeof head);
}

static void put_body(const struct pc_gpu *gpu, struct saving *s)
{
    struct body b;

    memset(&b, 0, sizeof b);
    if (gpu->idle)
        pc_idle_get_state(gpu->idle, &b.idle);
    for (size_t i = 0; i < MEMBERS; i++)
        memcpy((char *)&b + members[i].in_body, (const char *)gpu + members[i].in_device,
               members[i].size);
    put(s, &b, sizeof b);
}

static void put_domains(const struct pc_gpu *gpu, struct saving *s)
{
    for (unsigned x = 0; x < gpu->domains; x++) {
        const struct pc_gpu_domain *d = &gpu->domain[x];
        struct clock c = { .period = d->period, .next_edge = d->next_edge };
        memcpy(c.level, d->level, sizeof c.level);
        put(s, &c, sizeof c);
    }
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
        const size_t left = p->count - p->at;
        struct player player;
        memset(&player, 0, sizeof player);
        player.levels = left;
        player.domain = p->domain;
        player.signal = p->signal;
        put(s, &player, sizeof player);
        put(s, p->levels + p->at, left);
    }
}

static size_t put_all(const struct pc_gpu *gpu, uint8_t *to)
{
    struct saving s = { .to = to };

    put_head(gpu, &s);
    put_body(gpu, &s);
    put_domains(gpu, &s);
    put_plays(gpu, &s);
    put(&s, gpu->memory.pool, gpu->memory.used * sizeof *gpu->memory.pool);
    return s.size;
}

size_t pc_gpu_state_size(const struct pc_gpu *gpu)
{
    return put_all(gpu, NULL);
}

void pc_gpu_save(const struct pc_gpu *gpu, void *state)
{
    put_all(gpu, state);
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
    const bool *bools[] = { &b->ended,     &b->bus_begun, &b->undecoded,
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
    for (size_t i = 0; i < MEMBERS; i++)
        memcpy((char *)gpu + members[i].in_device, (const char *)b + members[i].in_body,
               members[i].size);
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
