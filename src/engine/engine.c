/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run: between two writes a stretch has a head and a tail that are stepped, and a
 * middle of whole words.  The head lasts until nothing that a write or pulse left is pending
 * and a word of the planes begins; the tail leaves all that the unit remembers of its last
 * cycles (vector, synchronisers, histories) to the reference.
 *
 * In the middle each wide domain is counted by itself: it looks at no other domain.  A domain
 * that cannot go wide is stepped alone if it imports nothing either, else all are stepped
 * together.
 */
#include "engine/engine.h"

#include <string.h>

enum { TAIL = 8, SETTLE = 8 };

/* --- the handle --- */

enum pc_status pc_engine_create(const struct pc_engine_desc *desc, struct pc_engine **out,
                                struct pc_error *err)
{
    const struct pc_kernel *kernel = pc_kernel_best(), *k;
    struct pc_alloc alloc = pc_alloc_or_libc(desc ? desc->alloc : NULL);

    if (desc && desc->kernel) {
        kernel = NULL;
        for (size_t i = 0; (k = pc_kernel_at(i)) != NULL; i++)
            if (strcmp(k->name, desc->kernel) == 0)
                kernel = k;
        if (!kernel || !kernel->usable())
            return pc_fail(err, 414, "the kernel \"%s\" %s", desc->kernel,
                           kernel ? "needs another CPU" : "does not exist");
    }
    struct pc_engine *e = pc_calloc(&alloc, 1, sizeof *e);
    if (!e)
        return pc_fail(err, 100, "no memory for the engine (%zu bytes)", sizeof *e);
    e->alloc = alloc;
    e->kernel = kernel;
    memset(e->ones, 0xff, sizeof e->ones);
    *out = e;
    return PC_OK;
}

void pc_engine_destroy(struct pc_engine *e)
{
    if (!e)
        return;
    struct pc_alloc alloc = e->alloc;
    pc_free(&alloc, e, sizeof *e);
}

const char *pc_engine_kernel(const struct pc_engine *e)
{
    return e->kernel->name;
}

/* --- stepping --- */

void eg_gather(const struct pc_run_domain *r, uint64_t t, uint64_t raw[PC_SIG_WORDS])
{
    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        raw[w] = r->level ? r->level[w] : 0;
    for (unsigned s = 0; r->plane && s < PC_MAX_SIGNALS; s++)
        if (r->plane[s]) {
            uint64_t bit = UINT64_C(1) << (s % 64);
            raw[s / 64] &= ~bit;
            raw[s / 64] |= r->plane[s][t / 64] >> (t % 64) & 1 ? bit : 0;
        }
}

/* The signals of a domain that have planes. */
struct planes {
    unsigned n;
    uint8_t signal[PC_MAX_SIGNALS];
};

static void find_planes(const struct pc_run_domain *r, struct planes *p)
{
    p->n = 0;
    for (unsigned s = 0; r->plane && s < PC_MAX_SIGNALS; s++)
        if (r->plane[s])
            p->signal[p->n++] = (uint8_t)s;
}

/* eg_gather(), where the levels stand in raw already. */
static void gather_planes(const struct pc_run_domain *r, const struct planes *p, uint64_t t,
                          uint64_t raw[PC_SIG_WORDS])
{
    for (unsigned i = 0; i < p->n; i++) {
        unsigned s = p->signal[i];
        uint64_t level = r->plane[s][t / 64] >> (t % 64) & 1;
        raw[s / 64] = (raw[s / 64] & ~(UINT64_C(1) << (s % 64))) | level << (s % 64);
    }
}

/* Cycles [from, to) by the reference. */
void eg_step(struct pc_unit *u, const struct pc_run *run, uint32_t mask, uint64_t from, uint64_t to)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct planes planes[PC_MAX_DOMAINS];

    if (from >= to)
        return;
    memset(raw, 0, sizeof raw);
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (mask >> x & 1) {
            find_planes(&run->domain[x], &planes[x]);
            eg_gather(&run->domain[x], from, raw[x]);
        }
    for (uint64_t t = from; t < to; t++) {
        for (unsigned x = 0; x < u->chip->domains; x++)
            if (mask >> x & 1)
                gather_planes(&run->domain[x], &planes[x], t, raw[x]);
        pc_unit_step(u, mask, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
}

/* Is a pulse on its way, or a user signal that falls by itself? */
bool eg_unsettled(const struct pc_unit *u, uint32_t mask)
{
    for (unsigned x = 0; x < u->chip->domains; x++) {
        const struct pc_domain *d = &u->state.domain[x];
        if (!(mask >> x & 1))
            continue;
        if (d->pulse[0] || d->pulse[1])
            return true;
        for (unsigned i = 0; i < 4; i++)
            if (d->user_pulse[i] && d->user[i])
                return true;
    }
    return false;
}

/* --- words --- */

void eg_count_block(struct eg_block *b)
{
    switch ((enum pc_mode)b->d->control.mode) {
    case PC_MODE_QUAD:
        eg_quad(b);
        break;
    case PC_MODE_SINGLE:
        eg_single(b);
        break;
    case PC_MODE_RECORD:
        eg_record(b);
        break;
    case PC_MODE_STREAM:
        eg_stream(b);
        break;
    default:
        break;
    }
}

/* Words [first, end) of one domain; stepped where the machine leaves its state. */
static void run_domain(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run, unsigned x,
                       size_t first, size_t end)
{
    while (first < end) {
        first = eg_solo(u, e, run, x, first, end);
        if (first == end)
            break;
        struct eg_block b = { .e = e,
                              .k = e->kernel,
                              .u = u,
                              .d = &u->state.domain[x],
                              .domain = x,
                              .run = &run->domain[x],
                              .first = first };
        b.words = end - first < EG_WORDS ? end - first : EG_WORDS;
        eg_block_planes(&b);
        if (b.d->control.mode == PC_MODE_SINGLE) {
            size_t words = eg_single_words(&b);
            if (words < b.words) {
                b.words = words;
                if (words > 0)
                    eg_block_planes(&b);
            }
        }
        if (b.words == 0) {
            eg_step(u, run, 1u << x, (uint64_t)first * 64, (uint64_t)first * 64 + 64);
            first++;
            continue;
        }
        eg_count_block(&b);
        eg_block_remember(&b);
        e->wide_cycles += (uint64_t)b.words * 64;
        first += b.words;
    }
}

/* The domains that go wide; *alone: the others can be stepped one by one. */
static uint32_t wide_domains(const struct pc_unit *u, uint32_t mask, bool *alone)
{
    uint32_t wide = 0;

    *alone = true;
    for (unsigned x = 0; x < u->chip->domains; x++) {
        const char *why;
        if (!(mask >> x & 1))
            continue;
        if (eg_plan(u, x, &why) == PC_RUN_WIDE)
            wide |= 1u << x;
        else
            *alone = *alone && eg_independent(u, x);
    }
    return wide;
}

/* Cycles [from, to), with no write in between. */
void eg_stretch(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run, uint32_t mask,
                uint64_t from, uint64_t to)
{
    uint64_t head = from + SETTLE;
    bool alone;

    head += (64 - head % 64) % 64;
    if (to - from < 256) {
        eg_step(u, run, mask, from, to);
        return;
    }
    eg_step(u, run, mask, from, head);
    while (eg_unsettled(u, mask) && head + 64 + TAIL < to) {
        eg_step(u, run, mask, head, head + 64);
        head += 64;
    }
    size_t end = (size_t)((to - TAIL) / 64);
    uint32_t wide = wide_domains(u, mask, &alone);
    if (eg_unsettled(u, mask) || !alone || (size_t)(head / 64) >= end) {
        eg_step(u, run, mask, head, to);
        return;
    }
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (wide >> x & 1)
            run_domain(u, e, run, x, (size_t)(head / 64), end);
        else if (mask >> x & 1)
            eg_step(u, run, 1u << x, head, (uint64_t)end * 64);
    eg_step(u, run, mask, (uint64_t)end * 64, to);
}

void pc_unit_run(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run)
{
    uint32_t mask = 0;
    uint64_t t = 0;
    size_t next = 0;

    for (unsigned x = 0; x < u->chip->domains; x++)
        mask |= (uint32_t)!run->domain[x].still << x;
    while (t < run->cycles) {
        while (next < run->writes && run->write[next].cycle <= t) {
            pc_unit_write(u, run->write[next].address, run->write[next].value);
            next++;
        }
        uint64_t end = run->cycles;
        if (next < run->writes && run->write[next].cycle < end)
            end = run->write[next].cycle;
        eg_stretch(u, e, run, mask, t, end);
        t = end;
    }
    for (; next < run->writes; next++)
        pc_unit_write(u, run->write[next].address, run->write[next].value);
}
