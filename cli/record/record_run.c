/* SPDX-License-Identifier: MIT */
/*
 * One read of the waveform through record mode of the model (pc_unit_run), whose packets become
 * rows.  What the counters have after the last STOP is in no packet: when all is read, STOP_OP is
 * made 1 for one more cycle, in which no event is, and that packet shows it.
 *
 * A window begins where RECORD_RESET ends: before it the delays see what was there.  Each event is
 * also evaluated as an expression, for what is derived, for unknown values, and for a second count
 * that must be the same.
 */
#include "process/interrupt.h"
#include "process/progress.h"
#include "record.h"
#include "stat/stat_count.h"
#include "stat/stat_filter.h"
#include "text/ones.h"
#include "wave/time_counted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    struct record_options *o;
    struct record_plan *plan;
    struct stat_wires *wires;
    struct pc_engine *engine;
    struct record_sheet sheet;
    struct record_times times;
    struct pc_wave_block block;
    FILE *dump;
    uint64_t *bits, *taint, *ones; /* events' and STOP's planes; of wires with --x one */
    const uint64_t **value, **unknown;
    const uint64_t *(*plane)[PC_MAX_SIGNALS];
    uint64_t *ones_of; /* of each event and STOP, by the expression */
    /* cycles of a domain's open packet that depend on unknown values: of its events, of STOP */
    uint64_t *tainted, stop_tainted[PC_MAX_DOMAINS];
    /* the part of a block that is run */
    uint64_t base, from, to; /* its first cycle; the window in it */
    uint64_t done[PC_MAX_DOMAINS];
    bool looked;
    bool counting; /* RECORD_RESET is 0 */
    bool ending;
    uint64_t end;    /* cycles that were read */
    uint64_t cycles; /* that were counted */
    uint64_t stops;  /* that came in packets, of the first domain */
};

enum { WORDS = PC_BLOCK_WORDS };

static size_t stop_index(const struct run *r)
{
    return r->o->of.events;
}

/* --- packets --- */

/* Returns the ones of a plane in cycles [from, to). */
static uint64_t ones_between(const uint64_t *plane, uint64_t from, uint64_t to)
{
    uint64_t sum = 0;

    for (; from < to && from % 64; from++)
        sum += plane[from / 64] >> from % 64 & 1;
    if (from == to)
        return sum;
    sum += pc_plane_ones(plane + from / 64, (size_t)((to - from) / 64));
    return to % 64 ? sum + cli_ones(plane[to / 64] & ~(UINT64_MAX << to % 64)) : sum;
}

/* Adds the cycles in which a domain's events are tainted, up to a cycle of the block. */
static void add_tainted(struct run *r, unsigned i, uint64_t to)
{
    const size_t first = (size_t)i * RECORD_INPUTS;

    for (size_t k = 0; r->looked && k < RECORD_INPUTS && first + k < r->o->of.events; k++)
        r->tainted[first + k] += ones_between(r->taint + (first + k) * WORDS, r->done[i], to);
    if (r->looked)
        r->stop_tainted[i] += ones_between(r->taint + stop_index(r) * WORDS, r->done[i], to);
    r->done[i] = to;
}

static unsigned place_of(const struct run *r, unsigned domain)
{
    unsigned i = 0;

    while (r->plan->domain[i].domain != domain)
        i++;
    return i;
}

static void take_packet(struct run *r, unsigned domain, struct pc_packet *p)
{
    const unsigned i = place_of(r, domain);
    uint64_t *tainted = r->tainted + (size_t)i * RECORD_INPUTS;

    if (!r->ending)
        add_tainted(r, i, pc_engine_packet_cycle(r->engine, domain) + 1);
    const struct record_unknown unknown = { tainted, r->stop_tainted[i] };
    if (r->ending) {
        p->cycles--; /* the cycle that was made for it */
        record_sheet_rest(&r->sheet, domain, p, &unknown);
    } else {
        record_sheet_packet(&r->sheet, domain, p, &unknown);
        r->stops += i == 0 ? p->stop : 0;
    }
    memset(tainted, 0, RECORD_INPUTS * sizeof *tainted);
    r->stop_tainted[i] = 0;
}

static enum pc_mem_result write_packet(void *ctx, unsigned domain, uint64_t address,
                                       const uint8_t *data, size_t size)
{
    struct run *r = ctx;
    struct pc_packet packet;

    (void)address;
    if (r->dump && !r->ending)
        fwrite(data, 1, size, r->dump);
    if (pc_packet_decode(data, size, &packet))
        take_packet(r, domain, &packet);
    return PC_MEM_OK;
}

/* --- a block --- */

/* Takes the wires' planes from a word of the block on, with what --x makes of unknown values. */
static void take_planes(struct run *r, const struct pc_wave_block *block, size_t word)
{
    const size_t words = (block->cycles + 63) / 64 - word;

    for (size_t i = 0; i < r->wires->count; i++) {
        r->value[i] = block->value[i] + word;
        r->unknown[i] = block->unknown[i] + word;
        if (!block->any_unknown || r->o->said.x != OPT_X_ONE)
            continue;
        for (size_t w = 0; w < words; w++)
            r->ones[i * WORDS + w] = r->value[i][w] | r->unknown[i][w];
        r->value[i] = r->ones + i * WORDS;
    }
}

static int unknown_matters(const struct run *r, const struct stat_event *e, size_t n)
{
    const uint64_t *taint = r->taint + n * WORDS;
    uint64_t t = r->from;

    if (r->o->said.x != OPT_X_ERROR || ones_between(taint, r->from, r->to) == 0)
        return CLI_OK;
    while (!(taint[t / 64] >> t % 64 & 1))
        t++;
    return cli_error_at(335, &e->place, 1, NULL,
                        "%s depends on an unknown value in cycle %" PRIu64 " (counted from 0)",
                        e->name, r->base + t);
}

/* Returns where the event's cycles are; a signal as it is is not copied. */
static const uint64_t *plane_of(const struct run *r, const struct stat_event *e, size_t n)
{
    const uint32_t wire = pc_expr_signal(e->expr);

    return wire != PC_NO_WIRE ? r->value[wire] : r->bits + n * WORDS;
}

static int evaluate(struct run *r, const struct stat_event *e, size_t n, uint32_t cycles)
{
    const size_t words = (cycles + 63) / 64;

    if (r->looked || pc_expr_signal(e->expr) == PC_NO_WIRE)
        pc_expr_eval(e->expr, r->value, r->looked ? r->unknown : NULL, words, cycles,
                     r->bits + n * WORDS, r->looked ? r->taint + n * WORDS : NULL);
    r->ones_of[n] += ones_between(plane_of(r, e, n), r->from, r->to);
    return r->looked ? unknown_matters(r, e, n) : CLI_OK;
}

static int evaluate_all(struct run *r, uint32_t cycles)
{
    int code = CLI_OK;

    for (size_t n = 0; n < r->o->of.events && code == CLI_OK; n++)
        code = evaluate(r, &r->o->of.event[n], n, cycles);
    return code == CLI_OK ? evaluate(r, &r->o->stop, stop_index(r), cycles) : code;
}

/* Connects the signals of the domains to the planes of the events. */
static void wire_up(struct run *r, struct pc_run_domain domains[PC_MAX_DOMAINS])
{
    const struct record_plan *p = r->plan;

    memset(r->plane, 0, PC_MAX_DOMAINS * sizeof *r->plane);
    for (unsigned d = 0; d < PC_MAX_DOMAINS; d++)
        domains[d] = (struct pc_run_domain){ .plane = r->plane[d], .still = !(p->edges >> d & 1) };
    for (size_t n = 0; n < r->o->of.events; n++) {
        const struct record_domain *d = &p->domain[n / RECORD_INPUTS];
        r->plane[d->domain][d->raw[n % RECORD_INPUTS]] = plane_of(r, &r->o->of.event[n], n);
    }
    for (unsigned i = 0; i < p->domains; i++) {
        const struct record_domain *d = &p->domain[i];
        for (unsigned k = 0; k < RECORD_STOPS && !p->stop_derived; k++)
            if (p->stop.source[k] != PC_NO_WIRE)
                r->plane[d->domain][d->raw[RECORD_INPUTS + k]] = r->value[p->stop.source[k]];
        if (p->stop_derived)
            r->plane[d->domain][d->raw[RECORD_INPUTS]] = plane_of(r, &r->o->stop, stop_index(r));
    }
}

static void run_cycles(struct run *r)
{
    struct pc_run_domain domains[PC_MAX_DOMAINS];
    const bool begins = !r->counting && r->from < r->to;
    const struct pc_run_write release = { .cycle = r->from, .address = r->plan->gctrl };
    const struct pc_run run = {
        .cycles = r->to, .domain = domains, .write = &release, .writes = begins
    };

    wire_up(r, domains);
    for (unsigned i = 0; i < r->plan->domains; i++)
        r->done[i] = r->from;
    pc_unit_run(r->plan->unit, r->engine, &run);
    for (unsigned i = 0; i < r->plan->domains; i++)
        add_tainted(r, i, r->to);
    r->counting |= begins;
    r->cycles += r->to - r->from;
}

/*
 * From the cycles that delays may remember where the window begins, to its end; all begins with
 * a word of the block.
 */
static int take_block(struct run *r, const struct pc_wave_block *block)
{
    struct cli_window *w = &r->o->of.window;
    const uint64_t lead = 64 * STAT_LEAD, first = block->first_cycle, after = first + block->cycles;
    const bool by_time = w->from.text && !w->from.in_cycles; /* it can begin with any cycle */
    const uint64_t start = !by_time && w->first > lead ? w->first - lead : 0;

    cli_window_look(w, block);
    const size_t word = start > first ? (size_t)((start - first) / 64) : 0;

    r->end = after;
    if (after <= start || first >= w->end)
        return CLI_OK;
    r->base = first + 64 * word;
    r->to = (after < w->end ? after : w->end) - r->base;
    r->from = w->first > r->base ? w->first - r->base : 0;
    r->from = r->from < r->to ? r->from : r->to;
    r->looked = block->any_unknown && (r->o->said.x == OPT_X_TAINT || r->o->said.x == OPT_X_ERROR);
    take_planes(r, block, word);
    int code = evaluate_all(r, (uint32_t)r->to);
    if (code == CLI_OK && !r->counting && r->from < r->to)
        record_sheet_begin(&r->sheet, r->base + r->from);
    if (code == CLI_OK)
        run_cycles(r);
    return code ? code : r->sheet.code;
}

/* --- all of it --- */

static bool stopped(const struct run *r)
{
    return cli_interrupted() || !rep_is_read(r->sheet.rep) || (r->dump && ferror(r->dump));
}

/* The writer of a pipe takes its time: what is known goes out before it is waited for. */
static void show_all(const struct run *r)
{
    rep_flush(r->sheet.rep);
    if (r->dump)
        cli_flush(r->dump);
}

/*
 * Reads until a block has cycles that count; its first time completes rows that end with the block
 * before.
 */
static enum pc_status next_block(struct run *r, struct pc_error *err)
{
    struct stat_filter *filter = r->o->of.filter;
    struct pc_wave_block raw;
    enum pc_status status;

    do
        status = pc_wave_next(r->wires->wave, filter ? &raw : &r->block, err);
    while (status == PC_OK && filter && !stat_filter_block(filter, &raw, &r->block) && !stopped(r));
    r->times.block = status == PC_OK && r->block.cycles > 0 ? &r->block : NULL;
    if (status != PC_OK || r->times.block)
        record_sheet_know(&r->sheet, status == PC_OK ? r->block.first_time : UINT64_MAX);
    return status;
}

static int read_all(struct run *r)
{
    struct pc_wave *wave = r->wires->wave;
    struct cli_progress progress;
    struct pc_error err;
    enum pc_status status = PC_OK;
    int code = CLI_OK;

    cli_progress_begin(&progress);
    if (isatty(STDOUT_FILENO))
        progress.on = false; /* rows stand there */
    while (code == CLI_OK && status == PC_OK && !stopped(r) && r->end < r->o->of.window.end) {
        status = next_block(r, &err);
        if (status)
            break;
        cli_progress_wave(&progress, wave, r->block.first_cycle);
        if (r->times.block)
            code = take_block(r, &r->block);
        if (r->o->of.live)
            show_all(r);
    }
    cli_progress_end(&progress);
    if (code == CLI_OK && status != PC_OK && status != PC_END && !stopped(r))
        code = cli_error(&err, r->o->of.path, NULL);
    return code;
}

/* The counters come out, by a STOP in one more cycle. */
static void end_all(struct run *r)
{
    static const uint64_t nothing[PC_MAX_DOMAINS][PC_SIG_WORDS];

    r->ending = true;
    for (unsigned i = 0; i < r->plan->domains; i++)
        pc_unit_write(r->plan->unit, r->plan->domain[i].stop_op, 0xffff);
    pc_unit_step(r->plan->unit, r->plan->edges, nothing);
}

/* Checks that the two counts of each event are the same, and those of STOP. */
static int settle(const struct run *r)
{
    for (size_t n = 0; n < r->o->of.events; n++)
        if (r->sheet.sum[n].value != r->ones_of[n])
            return cli_error_at(337, &r->o->of.event[n].place, 1, NULL,
                                "%s: the model counts %" PRIu64 ", the expression %" PRIu64,
                                r->o->of.event[n].name, r->sheet.sum[n].value, r->ones_of[n]);
    return r->stops == r->ones_of[stop_index(r)]
               ? CLI_OK
               : cli_error_at(337, &r->o->stop.place, 1, NULL,
                              "STOP: the model counts %" PRIu64 ", the expression %" PRIu64,
                              r->stops, r->ones_of[stop_index(r)]);
}

static void note_rest(const struct run *r, const struct pc_wave_clock *clock)
{
    for (size_t n = 0; n < r->o->of.events; n++)
        if (r->sheet.sum[n].tainted > 0) {
            stat_note_tainted(&r->o->of, r->wires->wave, clock, r->o->of.event[n].name,
                              r->sheet.sum[n].tainted);
            break;
        }
    if (r->stops == 0)
        cli_note(1601, "STOP never came: no packet ends a period, and a card would have shown %s",
                 r->sheet.packets ? "early packets only" : "nothing");
}

static int open_run(struct run *r, const struct pc_wave_clock *clock, struct rep *rep)
{
    const size_t events = r->o->of.events + 1, wires = r->wires->count + 1;
    struct pc_error err;
    unsigned stream;

    r->bits = malloc(events * WORDS * sizeof *r->bits);
    r->taint = malloc(events * WORDS * sizeof *r->taint);
    r->ones = r->o->said.x == OPT_X_ONE ? malloc(wires * WORDS * sizeof *r->ones) : NULL;
    r->value = malloc(wires * sizeof *r->value);
    r->unknown = malloc(wires * sizeof *r->unknown);
    r->plane = malloc(PC_MAX_DOMAINS * sizeof *r->plane);
    r->ones_of = calloc(events, sizeof *r->ones_of);
    r->tainted = calloc((size_t)PC_MAX_DOMAINS * RECORD_INPUTS, sizeof *r->tainted);
    if (!r->bits || !r->taint || (r->o->said.x == OPT_X_ONE && !r->ones) || !r->value ||
        !r->unknown || !r->plane || !r->ones_of || !r->tainted)
        return cli_no_memory();
    struct pc_wave_clock bound = *clock;
    record_times_open(&r->times, r->wires->wave, clock);
    bound.times = r->times.known && !r->times.sampled;
    if (stat_filter_open(r->o->of.filter, r->wires, true, &bound))
        return CLI_LIMIT;
    if (pc_engine_create(NULL, &r->engine, &err) ||
        pc_wave_bind(r->wires->wave, &bound, r->wires->bit, r->wires->count, &stream, &err))
        return cli_error(&err, r->o->of.path, NULL);
    const int code = record_program(r->o, r->plan, write_packet, r);
    return code == CLI_OK ? record_sheet_open(&r->sheet, rep, r->o, &r->times, r->plan->edges)
                          : code;
}

static void close_run(struct run *r)
{
    record_sheet_close(&r->sheet);
    pc_engine_destroy(r->engine);
    free(r->bits);
    free(r->taint);
    free(r->ones);
    free(r->value);
    free(r->unknown);
    free(r->plane);
    free(r->ones_of);
    free(r->tainted);
}

int record_run(struct record_options *o, struct record_plan *plan, struct stat_wires *wires,
               const struct pc_wave_clock *clock, struct rep *rep, FILE *dump, bool *partial)
{
    struct run r = { .o = o, .plan = plan, .wires = wires, .dump = dump };
    int code = open_run(&r, clock, rep);

    if (code == CLI_OK) {
        cli_catch_interrupt(o->of.path);
        code = read_all(&r);
        r.sheet.partial = *partial = stopped(&r);
    }
    if (code == CLI_OK && r.cycles > 0) {
        end_all(&r);
        if (r.sheet.lates > 0 && !r.sheet.partial)
            (void)next_block(&r, NULL); /* after the window */
        record_sheet_know(&r.sheet, UINT64_MAX);
        code = r.sheet.code ? r.sheet.code : settle(&r);
    }
    cli_wave_warnings(wires->wave, o->of.path);
    if (code == CLI_OK)
        cli_note_uneven(wires->wave, o->of.path);
    if (code == CLI_OK && r.cycles == 0 && !*partial)
        code = stat_no_cycle(&o->of, wires->wave, r.end);
    if (code == CLI_OK) {
        code = record_sheet_end(&r.sheet, r.cycles);
        note_rest(&r, clock);
    } else {
        record_sheet_cut(&r.sheet, r.cycles);
    }
    close_run(&r);
    return code;
}
