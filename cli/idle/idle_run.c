/* SPDX-License-Identifier: MIT */
/*
 * Clocks and windows of pcounter idle.
 *
 * Maps are evaluated 64 clocks a word; clocks with the same wires go to the counters in
 * one piece.  Windows in clocks cut the blocks of the waveform; windows in time need the
 * time of every clock, so the waveform is read instant by instant and the blocks are built
 * here.  Windows in time begin at multiples of their length; one without a clock was not
 * polled by anyone: its counts are unmeasured and the governor keeps still.
 */
#include "idle.h"
#include "process/interrupt.h"
#include "text/ones.h"
#include "process/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_CLOCKS (PC_BLOCK_WORDS * 64u)

struct run {
    const struct idle_options *o;
    struct idle_plan *plan;
    struct idle_wires *wires;
    struct idle_report *report;
    struct idle_totals *totals;
    /* the window that is open */
    uint64_t start, clocks;
    bool clearing; /* the next clock goes to the clear of a poll */
    bool unread;   /* rows do not go out any more */
    struct pc_governor_state governor;
    /* wires of the last clocks, not yet given to the counters */
    uint32_t word;
    uint64_t pending;
    /* of the current block, PC_BLOCK_WORDS for each engine */
    uint64_t *bits, *taint;
    bool any_taint;
    /* planes of the wires: made here, or of the waveform's block */
    const uint64_t **value, **unknown;
    uint64_t *planes;
    uint32_t filled; /* clocks in them */
    struct cli_progress progress;
};

/* Nobody reads on: Ctrl-C, or rows do not go out any more (`| head`, a disk that is full). */
static bool stopped(const struct run *r)
{
    return cli_interrupted() || r->unread;
}

static uint64_t low_bits(unsigned n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* --- the end of a window --- */

static void count_states(struct run *r)
{
    for (size_t i = 0; i < r->plan->meters; i++) {
        const struct idle_meter *m = &r->plan->meter[i];
        r->totals->wrapped += m->state == IDLE_WRAPPED || m->state == IDLE_SATURATED;
        r->totals->tainted += m->tainted > 0;
    }
}

static void flush(struct run *r)
{
    idle_advance(r->plan, r->word, r->pending);
    r->pending = 0;
}

/* The window [r->start, end) is over. */
static int close_window(struct run *r, uint64_t end, bool whole)
{
    struct idle_result w = { .start = r->start, .end = end, .clocks = r->clocks, .whole = whole };
    int code = CLI_OK;

    if (r->totals->windows >= r->o->max_windows)
        return idle_fail(1106, NULL, 0, NULL, "more than %" PRIu32 " windows", r->o->max_windows);
    w.number = ++r->totals->windows;
    r->totals->cut |= !whole && !stopped(r);
    r->totals->clocks = idle_add(r->totals->clocks, r->clocks);
    flush(r);
    if (r->clocks > 0) {
        idle_poll(r->o, r->plan);
        r->clearing = !r->o->exact;
    } else {
        for (size_t i = 0; i < r->plan->meters; i++) {
            r->plan->meter[i].value = 0;
            r->plan->meter[i].state = IDLE_UNMEASURED;
        }
    }
    if (r->o->governed)
        code = idle_govern(r->o, r->plan, &r->governor, r->totals, &w);
    count_states(r);
    cli_progress_end(&r->progress);
    if (code == CLI_OK)
        idle_report_window(r->report, &w);
    if (r->o->live)
        rep_flush(r->report->rep);
    r->unread = !rep_is_read(r->report->rep);
    for (size_t i = 0; i < r->plan->meters; i++)
        r->plan->meter[i].clocks = r->plan->meter[i].tainted = 0;
    r->start = end;
    r->clocks = 0;
    return code;
}

/* --- clocks with constant wires --- */

static void give(struct run *r, uint32_t word, uint64_t clocks)
{
    if (word != r->word)
        flush(r);
    r->word = word;
    r->pending += clocks;
    r->clocks += clocks;
}

/* The wires that no map drives (D-84 is about those that the chip lacks). */
static uint32_t open_wires(const struct run *r)
{
    return r->o->absent_idle ? ~r->o->mapped : 0;
}

/* Clocks [from, to) of word w of the block. */
static void give_bits(struct run *r, size_t w, unsigned from, unsigned to)
{
    while (from < to) {
        uint32_t word = open_wires(r);
        uint64_t change = 0;
        for (size_t e = 0; e < r->o->engines; e++) {
            uint64_t plane = r->bits[e * PC_BLOCK_WORDS + w] >> from;
            word |= (uint32_t)(plane & 1) << r->o->engine[e].bit;
            change |= plane & 1 ? ~plane : plane;
        }
        unsigned n = 1;
        if (!(change & low_bits(to - from)))
            n = to - from;
        while (n < to - from && !(change >> n & 1))
            n++;
        give(r, word, n);
        from += n;
    }
}

/*
 * Clocks [from, to) of word w in which the result of a meter depends on an unknown wire:
 * a wire that is known busy settles "all idle", and one that is known idle "all busy".
 */
static void taint_bits(struct run *r, size_t w, unsigned from, unsigned to)
{
    uint64_t mask = low_bits(to - from) << from;

    for (size_t i = 0; i < r->plan->meters; i++) {
        struct idle_meter *m = &r->plan->meter[i];
        uint64_t unknown = 0, settled = 0;
        bool cleared = m->mode == PC_IDLE_NOT_ALL && r->o->cleared_rule;
        if (m->mode != PC_IDLE_ALL && m->mode != PC_IDLE_NOT_ALL)
            continue;
        uint32_t open = m->mask & ~r->o->mapped;
        if (open && (cleared ? r->o->absent_idle : !r->o->absent_idle))
            continue;
        for (size_t e = 0; e < r->o->engines; e++) {
            if (!(m->mask >> r->o->engine[e].bit & 1))
                continue;
            uint64_t u = r->taint[e * PC_BLOCK_WORDS + w], v = r->bits[e * PC_BLOCK_WORDS + w];
            unknown |= u;
            settled |= ~u & (cleared ? v : ~v);
        }
        m->tainted += cli_ones(unknown & ~settled & mask);
    }
}

static void give_range(struct run *r, uint32_t from, uint32_t to)
{
    while (from < to) {
        unsigned first = from % 64, n = to - from < 64 - first ? to - from : 64 - first;
        if (r->any_taint && n > r->clearing)
            taint_bits(r, from / 64, first + r->clearing, first + n);
        r->clearing = false;
        give_bits(r, from / 64, first, first + n);
        from += n;
    }
}

/* --- blocks --- */

static int unknown_error(const struct run *r, size_t e, uint32_t clocks)
{
    const uint64_t *plane = r->taint + e * PC_BLOCK_WORDS;
    uint32_t t = 0;

    while (t < clocks && !(plane[t / 64] >> t % 64 & 1))
        t++;
    return idle_fail(1112, &r->o->engine[e].place, 1, NULL,
                     "%s is unknown in clock %" PRIu64 " (counted from 0)", r->o->engine[e].name,
                     r->totals->clocks + r->clocks + t);
}

/* Every map over the block's planes. */
static int evaluate(struct run *r, const uint64_t *const *value, const uint64_t *const *unknown,
                    uint32_t clocks)
{
    size_t words = (clocks + 63) / 64;
    bool look = r->o->x == IDLE_X_TAINT || r->o->x == IDLE_X_ERROR;

    r->any_taint = false;
    for (size_t e = 0; e < r->o->engines; e++) {
        uint64_t *taint = r->taint + e * PC_BLOCK_WORDS, any = 0;
        pc_expr_eval(r->o->engine[e].expr, value, look ? unknown : NULL, words, clocks,
                     r->bits + e * PC_BLOCK_WORDS, taint);
        for (size_t w = 0; w < words; w++)
            any |= taint[w];
        if (any && r->o->x == IDLE_X_ERROR)
            return unknown_error(r, e, clocks);
        r->any_taint |= any != 0;
    }
    return CLI_OK;
}

/* --x one: a copy of the planes with unknown bits 1. */
static void make_ones(struct run *r, const uint64_t *const *value, const uint64_t *const *unknown,
                      size_t words)
{
    for (size_t i = 0; i < r->wires->count; i++) {
        uint64_t *plane = r->planes + 2 * i * PC_BLOCK_WORDS;
        for (size_t w = 0; w < words; w++)
            plane[w] = value[i][w] | unknown[i][w];
        r->value[i] = plane;
    }
}

/* A block of clocks, cut where windows of clocks end. */
static int run_block(struct run *r, const uint64_t *const *value, const uint64_t *const *unknown,
                     uint32_t clocks)
{
    if (r->o->x == IDLE_X_ONE) {
        make_ones(r, value, unknown, (clocks + 63) / 64);
        value = r->value;
    }
    int code = evaluate(r, value, unknown, clocks);
    for (uint32_t at = 0; at < clocks && code == CLI_OK;) {
        uint64_t room = clocks - at;
        if (r->o->window.in_clocks && r->o->window.number - r->clocks < room)
            room = r->o->window.number - r->clocks;
        give_range(r, at, at + (uint32_t)room);
        at += (uint32_t)room;
        if (r->o->window.in_clocks && r->clocks == r->o->window.number)
            code = close_window(r, r->start + r->clocks, true);
    }
    return code;
}

static int read_error(const struct run *r, const struct pc_error *err)
{
    return cli_error(err, r->o->path, NULL);
}

static void show_progress(struct run *r)
{
    cli_progress_wave(&r->progress, r->wires->wave, idle_add(r->totals->clocks, r->clocks));
}

/* Windows of clocks, or the whole trace. */
static int read_blocks(struct run *r)
{
    struct pc_wave_block block;
    struct pc_error err;
    int code = CLI_OK;

    while (code == CLI_OK && !stopped(r)) {
        enum pc_status status = pc_wave_next(r->wires->wave, &block, &err);
        if (status == PC_END || (status && stopped(r)))
            break;
        if (status)
            return read_error(r, &err);
        show_progress(r);
        code = run_block(r, block.value, block.unknown, block.cycles);
    }
    if (code == CLI_OK && r->clocks > 0)
        code = close_window(r, r->start + r->clocks, !r->o->window.text && !stopped(r));
    return code;
}

/* --- windows of time --- */

static int flush_instants(struct run *r)
{
    uint32_t clocks = r->filled;

    if (clocks == 0)
        return CLI_OK;
    show_progress(r);
    r->filled = 0;
    int code = run_block(r, r->value, r->unknown, clocks);
    for (size_t i = 0; i < 2 * r->wires->count; i++)
        memset(r->planes + i * PC_BLOCK_WORDS, 0, (clocks + 63) / 64 * sizeof *r->planes);
    return code;
}

static void keep_instant(struct run *r, const struct pc_wave_instant *now)
{
    uint32_t t = r->filled++;
    uint64_t bit = UINT64_C(1) << t % 64;

    for (size_t i = 0; i < r->wires->count; i++) {
        uint64_t *plane = r->planes + 2 * i * PC_BLOCK_WORDS + t / 64;
        if (now->value[0][i / 64] >> i % 64 & 1)
            plane[0] |= bit;
        if (now->unknown[0][i / 64] >> i % 64 & 1)
            plane[PC_BLOCK_WORDS] |= bit;
    }
}

/* Closes the windows that end at or before `time`. */
static int close_until(struct run *r, uint64_t time)
{
    uint64_t ticks = r->o->window.ticks;
    int code = CLI_OK;

    if (time - r->start >= ticks)
        code = flush_instants(r);
    while (code == CLI_OK && !stopped(r) && time - r->start >= ticks)
        code = close_window(r, r->start + ticks, true);
    return code;
}

static int read_instants(struct run *r)
{
    struct pc_wave_instant now;
    struct pc_error err;
    uint64_t last = 0, distance = 0, ticks = r->o->window.ticks;
    bool any = false;
    int code = CLI_OK;

    while (code == CLI_OK && !stopped(r)) {
        enum pc_status status = pc_wave_step(r->wires->wave, &now, &err);
        if (status == PC_END || (status && stopped(r)))
            break;
        if (status)
            return read_error(r, &err);
        if (!any)
            r->start = now.time - now.time % ticks;
        else
            distance = now.time - last;
        any = true;
        last = now.time;
        code = close_until(r, now.time);
        keep_instant(r, &now);
        if (code == CLI_OK && r->filled == BLOCK_CLOCKS)
            code = flush_instants(r);
    }
    if (code == CLI_OK)
        code = flush_instants(r);
    if (code || r->clocks == 0)
        return code;
    /* the last window is whole if the next clock would have been beyond it */
    bool whole = !stopped(r) && idle_add(last - r->start, distance) >= ticks && distance > 0;
    return close_window(r, idle_add(r->start, ticks), whole);
}

/* --- all of it --- */

static bool allocate(struct run *r)
{
    size_t engines = r->o->engines ? r->o->engines : 1;
    size_t wires = r->wires && r->wires->count ? r->wires->count : 1;

    r->bits = calloc(engines, PC_BLOCK_WORDS * sizeof *r->bits);
    r->taint = calloc(engines, PC_BLOCK_WORDS * sizeof *r->taint);
    r->planes = calloc(wires, 2 * PC_BLOCK_WORDS * sizeof *r->planes);
    r->value = calloc(wires, sizeof *r->value);
    r->unknown = calloc(wires, sizeof *r->unknown);
    if (!r->bits || !r->taint || !r->planes || !r->value || !r->unknown)
        return false;
    for (size_t i = 0; i < wires; i++) {
        r->value[i] = r->planes + 2 * i * PC_BLOCK_WORDS;
        r->unknown[i] = r->value[i] + PC_BLOCK_WORDS;
    }
    return true;
}

static void release(struct run *r)
{
    free(r->bits);
    free(r->taint);
    free(r->planes);
    free(r->value);
    free(r->unknown);
}

static void begin(struct run *r)
{
    *r->totals = (struct idle_totals){ .windows = 0 };
    r->governor = r->o->start;
    cli_catch_interrupt(r->o->path);
}

static int end(struct run *r, int code)
{
    r->totals->interrupted = cli_interrupted();
    r->totals->failed = code != CLI_OK;
    if (code == CLI_OK && !stopped(r) && r->totals->clocks == 0)
        code =
            idle_fail(1107, NULL, 0, NULL, "%s never has the edge that was asked for", r->o->clock);
    return code;
}

int idle_run_wave(const struct idle_options *o, struct idle_plan *plan, struct idle_wires *wires,
                  const struct pc_wave_clock *clock, struct idle_report *report,
                  struct idle_totals *totals)
{
    struct run r = { .o = o, .plan = plan, .wires = wires, .report = report, .totals = totals };
    struct pc_error err;
    unsigned stream;
    int code;

    if (pc_wave_bind(wires->wave, clock, wires->bit, wires->count, &stream, &err))
        return cli_error(&err, o->path, NULL);
    begin(&r);
    cli_progress_begin(&r.progress);
    if (!allocate(&r))
        code = cli_no_memory();
    else
        code = o->window.text && !o->window.in_clocks ? read_instants(&r) : read_blocks(&r);
    cli_progress_end(&r.progress);
    release(&r);
    return end(&r, code);
}

int idle_run_script(const struct idle_options *o, struct idle_plan *plan,
                    struct idle_report *report, struct idle_totals *totals)
{
    struct run r = { .o = o, .plan = plan, .report = report, .totals = totals };
    int code = CLI_OK;

    begin(&r);
    for (size_t i = 0; i < o->steps && code == CLI_OK && !stopped(&r); i++) {
        uint64_t left = o->step[i].clocks;
        while (left > 0 && code == CLI_OK && !stopped(&r)) {
            uint64_t n = left;
            if (o->window.text && o->window.number - r.clocks < n)
                n = o->window.number - r.clocks;
            give(&r, o->step[i].word, n);
            left -= n;
            if (o->window.text && r.clocks == o->window.number)
                code = close_window(&r, r.start + r.clocks, true);
        }
    }
    if (code == CLI_OK && r.clocks > 0)
        code = close_window(&r, r.start + r.clocks, !o->window.text && !stopped(&r));
    return end(&r, code);
}
