/* SPDX-License-Identifier: MIT */
/*
 * Events of a core over windows of a waveform: one model for six events, as the hardware has
 * counters, all of them over the same read.  The counters are set to 0 where a window opens
 * and read where it ends; nothing is scaled.
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
    struct pc_hpm *pass[STAT_CORE_PASSES];
    struct pc_hpm *other; /* of the other profile */
    size_t passes;
    uint64_t from, to; /* edges, half-open */
    struct stat_core_window now;
    bool open;
    uint64_t active[PC_BLOCK_WORDS], unknown[PC_BLOCK_WORDS];
};

/* ---- models ---- */

static enum pc_status make_pass(const struct stat_core_options *o, size_t p, struct pc_hpm **out,
                                struct pc_error *err)
{
    const struct pc_hpm_desc desc = { .config = o->core.config,
                                      .profile = o->core.profile,
                                      .quirks_on = o->core.quirks_on,
                                      .quirks_off = o->core.quirks_off };
    struct pc_hpm_state state = { .inhibit = 0 };
    enum pc_status status = pc_hpm_create(&desc, out, err);

    for (size_t i = 0; i < STAT_CORE_COUNTERS; i++)
        if (p * STAT_CORE_COUNTERS + i < o->events)
            state.selector[PC_HPM_FIRST + i] = (uint8_t)o->event[p * STAT_CORE_COUNTERS + i]->id;
    return status == PC_OK ? pc_hpm_set_state(*out, &state, err) : status;
}

static enum pc_status make_models(struct run *k, struct pc_error *err)
{
    struct pc_hpm_desc desc = { .config = k->o->core.config };
    enum pc_status status = PC_OK;

    k->passes = (k->o->events + STAT_CORE_COUNTERS - 1) / STAT_CORE_COUNTERS;
    if (k->passes == 0)
        k->passes = 1; /* mcycle and minstret */
    for (size_t p = 0; p < k->passes && status == PC_OK; p++)
        status = make_pass(k->o, p, &k->pass[p], err);
    desc.profile = pc_hpm_profile_at(k->o->core.profile == core_profile(NULL) ? 1 : 0);
    k->r->other_profile = desc.profile;
    if (status)
        return status;
    k->r->quirks = pc_hpm_get_quirks(k->pass[0]);
    return pc_hpm_create(&desc, &k->other, err);
}

/* Every counter of every pass becomes 0; selectors stay. */
static void clear_counters(struct run *k)
{
    struct pc_hpm_state s;

    for (size_t p = 0; p < k->passes; p++) {
        pc_hpm_get_state(k->pass[p], &s);
        memset(s.counter, 0, sizeof s.counter);
        if (pc_hpm_set_state(k->pass[p], &s, NULL) != PC_OK)
            pc_hpm_reset(k->pass[p]); /* a state that was got can be set */
    }
}

/* ---- windows ---- */

static bool close_window(struct run *k)
{
    struct stat_core_result *r = k->r;
    struct stat_core_window *w = &k->now;
    struct pc_hpm_state s;

    if (!k->open)
        return true;
    k->open = false;
    for (size_t i = 0; i < k->o->events; i++) {
        pc_hpm_get_state(k->pass[i / STAT_CORE_COUNTERS], &s);
        w->value[i] = s.counter[PC_HPM_FIRST + i % STAT_CORE_COUNTERS];
        r->all.value[i] += w->value[i];
    }
    pc_hpm_get_state(k->pass[0], &s);
    w->cycles = s.counter[0];
    w->instructions = s.counter[2];
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

static uint64_t ones_between(const uint64_t *words, uint64_t from, uint64_t to)
{
    uint64_t ones = 0;

    for (uint64_t w = from / 64; 64 * w < to; w++) {
        uint64_t word = words[w];
        if (64 * w < from)
            word &= UINT64_MAX << from % 64;
        if (to - 64 * w < 64)
            word &= ~(UINT64_MAX << to % 64);
        ones += cli_ones(word);
    }
    return ones;
}

/* Clocks `from` to `to` of the block belong to a window. */
static bool count(struct run *k, uint64_t from, uint64_t to)
{
    const uint64_t first = k->c->block.first_cycle + from;
    struct pc_hpm_block part = k->c->in;

    if (k->open && k->o->while_enabled && first != k->now.end && !close_window(k))
        return false;
    if (!k->open) {
        clear_counters(k);
        k->now = (struct stat_core_window){ .first = first };
        k->open = true;
    }
    part.first = from;
    part.cycles = to - from;
    for (size_t p = 0; p < k->passes; p++)
        pc_hpm_run(k->pass[p], &part);
    pc_hpm_count(k->other, &part, &k->r->other);
    k->now.edges += to - from;
    k->now.unknown += ones_between(k->unknown, from, to);
    k->now.end = k->c->block.first_cycle + to;
    return true;
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

    for (size_t w = 0; w < words; w++) {
        uint64_t mask = core_out_of_reset(c, w) & in_range(k, c->block.first_cycle + 64 * w);
        if (w == words - 1 && c->block.cycles % 64)
            mask &= (UINT64_C(1) << c->block.cycles % 64) - 1;
        for (unsigned b = 0; b < 32 && k->o->while_enabled; b++) {
            const uint64_t *inhibit = core_plane(c, CORE_INHIBIT, b);
            mask &= inhibit ? ~inhibit[w] : UINT64_MAX;
        }
        k->active[w] = mask;
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
    enum pc_status status = make_models(k, &err);

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
    for (size_t p = 0; p < STAT_CORE_PASSES; p++)
        pc_hpm_destroy(k.pass[p]);
    pc_hpm_destroy(k.other);
    return code;
}
