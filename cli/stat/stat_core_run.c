/* SPDX-License-Identifier: MIT */
/*
 * Events of a core over windows of a waveform, all of them over the same read: by the expressions
 * of their rows, which a description has too.  Nothing is scaled.
 */
#include "text/ones.h"
#include "process/progress.h"
#include "stat_core.h"

#include <stdlib.h>
#include <string.h>

struct run {
    const struct stat_core_options *o;
    struct core *c;
    struct stat_core_result *r;
    struct core_counting *own, *other; /* other: of the other profile */
    bool stops;                        /* in debug mode */
    uint64_t from, to;                 /* edges, half-open */
    struct stat_core_window now;
    bool open;
    uint64_t active[PC_BLOCK_WORDS], unknown[PC_BLOCK_WORDS];
    uint64_t counts[PC_BLOCK_WORDS]; /* active, and not stopped */
};

static enum pc_status open_counting(struct run *k, struct pc_error *err)
{
    const struct core_options *o = &k->o->core;
    const struct pc_hpm_profile *other =
        pc_hpm_profile_at(o->profile == core_profile(NULL) ? 1 : 0);

    k->r->other_profile = other;
    k->r->quirks = core_quirks(o);
    k->stops = o->config->debug && !(k->r->quirks & PC_HPM_Q_DEBUG_RUNS);
    const enum pc_status status = core_counting_open(k->c, k->r->quirks, &k->own, err);
    return status ? status : core_counting_open(k->c, other->quirks, &k->other, err);
}

/* ---- windows ---- */

static bool close_window(struct run *k)
{
    struct stat_core_result *r = k->r;
    struct stat_core_window *w = &k->now;

    if (!k->open)
        return true;
    k->open = false;
    for (size_t i = 0; i < k->o->events; i++)
        r->all.value[i] += w->value[i];
    r->all.cycles += w->cycles;
    r->all.instructions += w->instructions;
    r->all.edges += w->edges;
    r->all.unknown += w->unknown;
    if (r->windows == 0)
        r->all.first = w->first;
    r->all.end = w->end;
    if (r->windows == r->capacity) {
        size_t grown = r->capacity ? 2 * r->capacity : 16;
        void *p = grown <= SIZE_MAX / sizeof *w ? realloc(r->window, grown * sizeof *w) : NULL;
        if (!p)
            return false;
        r->window = p;
        r->capacity = grown;
    }
    r->window[r->windows++] = *w;
    return true;
}

/* How many bits of the plane are 1 from `from` to `to`, of those of the mask (NULL: all). */
static uint64_t ones_between(const uint64_t *words, const uint64_t *mask, uint64_t from,
                             uint64_t to)
{
    uint64_t ones = 0;

    for (uint64_t w = from / 64; 64 * w < to; w++) {
        uint64_t word = mask ? words[w] & mask[w] : words[w];
        if (64 * w < from)
            word &= UINT64_MAX << from % 64;
        if (to - 64 * w < 64)
            word &= ~(UINT64_MAX << to % 64);
        ones += cli_ones(word);
    }
    return ones;
}

/* Adds what the event adds from `from` to `to`; false: no memory. */
static bool add(const struct run *k, struct core_counting *by, unsigned what, uint64_t from,
                uint64_t to, uint64_t *sum)
{
    const uint64_t *plane[2];

    if (!core_counting_planes(by, what, plane))
        return false;
    *sum += ones_between(plane[0], k->counts, from, to);
    *sum += ones_between(plane[1], k->counts, from, to);
    return true;
}

static bool add_event(struct run *k, size_t i, uint64_t from, uint64_t to)
{
    const unsigned e = k->o->event[i]->id;
    uint64_t own = 0;

    if (!add(k, k->own, e, from, to, &own))
        return false;
    k->now.value[i] += own;
    if (!core_counts_same(k->own, k->other, e))
        return add(k, k->other, e, from, to, &k->r->other[i]);
    k->r->other[i] += own;
    return true;
}

/* Clocks `from` to `to` of the block belong to a window. */
static bool count(struct run *k, uint64_t from, uint64_t to)
{
    const uint64_t first = k->c->block.first_cycle + from;

    if (k->open && k->o->while_enabled && first != k->now.end && !close_window(k))
        return false;
    if (!k->open) {
        k->now = (struct stat_core_window){ .first = first };
        k->open = true;
    }
    for (size_t i = 0; i < k->o->events; i++)
        if (!add_event(k, i, from, to))
            return false;
    k->now.cycles += ones_between(k->counts, NULL, from, to);
    k->now.edges += to - from;
    k->now.unknown += ones_between(k->unknown, NULL, from, to);
    k->now.end = k->c->block.first_cycle + to;
    return add(k, k->own, CORE_INSTRUCTIONS, from, to, &k->now.instructions);
}

/* ---- blocks ---- */

/* The clocks of the word that lie between --from and --to. */
static uint64_t in_range(const struct run *k, uint64_t start)
{
    uint64_t mask = UINT64_MAX;

    if (k->to <= start || k->from >= start + 64)
        return 0;
    if (k->from > start)
        mask &= UINT64_MAX << (k->from - start);
    if (k->to < start + 64)
        mask &= UINT64_MAX >> (start + 64 - k->to);
    return mask;
}

static void find_active(struct run *k)
{
    const struct core *c = k->c;
    const size_t words = (c->block.cycles + 63) / 64;
    const uint64_t *debug = core_plane(c, CORE_DEBUG, 0);

    for (size_t w = 0; w < words; w++) {
        uint64_t mask = core_out_of_reset(c, w) & in_range(k, c->block.first_cycle + 64 * w);
        if (w == words - 1 && c->block.cycles % 64)
            mask &= (UINT64_C(1) << c->block.cycles % 64) - 1;
        for (unsigned b = 0; b < 32 && k->o->while_enabled; b++) {
            const uint64_t *inhibit = core_plane(c, CORE_INHIBIT, b);
            mask &= inhibit ? ~inhibit[w] : UINT64_MAX;
        }
        k->active[w] = mask;
        k->counts[w] = k->stops && debug ? mask & ~debug[w] : mask;
        k->unknown[w] = core_unknown(c, w);
    }
}

/* The first clock from `at` on that is active, or is not; the end of the block if none is. */
static uint64_t find(const struct run *k, uint64_t at, bool active)
{
    const uint64_t end = k->c->block.cycles;

    while (at < end) {
        uint64_t rest = (active ? k->active[at / 64] : ~k->active[at / 64]) >> (at % 64);
        if (rest == 0) {
            at = (at / 64 + 1) * 64;
            continue;
        }
        for (; !(rest & 1); rest >>= 1)
            at++;
        break;
    }
    return at < end ? at : end;
}

static bool run_block(struct run *k)
{
    find_active(k);
    for (uint64_t at = find(k, 0, true); at < k->c->block.cycles;) {
        const uint64_t end = find(k, at, false);
        if (!count(k, at, end))
            return false;
        at = find(k, end, true);
    }
    return true;
}

/* ---- all of it ---- */

static int no_window(const struct run *k)
{
    struct pc_error err;

    cli_fail(&err, 1039, "%s",
             k->o->while_enabled ? "mcountinhibit is never 0 there: nothing was counted"
                                 : "no clock out of reset lies there: nothing was counted");
    return cli_error(&err, k->o->core.path, NULL);
}

static int read_all(struct run *k)
{
    struct cli_progress progress;
    struct pc_error err;
    enum pc_status status = open_counting(k, &err);

    cli_progress_begin(&progress);
    while (status == PC_OK) {
        status = core_next(k->c, &err);
        cli_progress_wave(&progress, k->c->wave, k->c->block.first_cycle);
        if (status == PC_OK && !run_block(k))
            status = cli_fail(&err, 100, "no memory for a window");
        if (status == PC_OK && k->c->block.first_cycle + k->c->block.cycles >= k->to)
            break;
    }
    cli_progress_end(&progress);
    if (status != PC_OK && status != PC_END)
        return cli_error(&err, k->o->core.path, NULL);
    if (!close_window(k)) {
        cli_fail(&err, 100, "no memory for a window");
        return cli_error(&err, NULL, NULL);
    }
    return k->r->windows ? CLI_OK : no_window(k);
}

int stat_core_run(const struct stat_core_options *o, struct core *c, struct stat_core_result *out)
{
    struct run k = { .o = o, .c = c, .r = out, .from = o->window.first, .to = o->window.end };

    *out = (struct stat_core_result){ .has_instructions = c->port[CORE_ACK].present };
    int code = read_all(&k);
    core_counting_close(k.own);
    core_counting_close(k.other);
    return code;
}
