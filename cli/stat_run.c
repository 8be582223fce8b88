/* SPDX-License-Identifier: MIT */
/*
 * One read of the waveform through the counters of all passes, a block of cycles at a time.
 *
 * PM_TRIGGER ends a period well before a 32-bit counter could: the swap comes before
 * counting (D-53), so the cycle of the swap belongs to the next period and no cycle is
 * lost.  One more cycle behind the last one makes the last period visible.
 *
 * Each event is also evaluated as an expression: that gives the derived signals, the
 * cycles in which an unknown input mattered, and a second count that must be the same.
 */
#include "stat.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct run {
    struct stat_options *o;
    struct stat_plan *plan;
    struct stat_wires *wires;
    uint64_t since_swap;
    uint64_t cycles;
    /* planes of the current block: of the wires, and of the events as expressions */
    const uint64_t *const *value, *const *unknown;
    uint64_t *event_bits; /* PC_BLOCK_WORDS for each event */
    uint64_t *taint;      /* PC_BLOCK_WORDS */
    uint64_t *ones;       /* --x one: PC_BLOCK_WORDS for each wire */
    const uint64_t **ones_planes;
    uint64_t (*raw)[PC_MAX_DOMAINS][PC_SIG_WORDS]; /* 64 cycles of one pass */
    struct pc_engine *engine;
    const uint64_t *(*plane)[PC_MAX_SIGNALS]; /* of each domain of one pass */
};

/* --- Ctrl-C --- */

static volatile sig_atomic_t interrupted;
static int end_of_input = -1; /* a descriptor that reads nothing */

/* Standard input ends here, so that a reader waiting for more of it comes back. */
static void on_interrupt(int number)
{
    int saved = errno;

    (void)number;
    interrupted = 1;
    if (end_of_input >= 0)
        (void)dup2(end_of_input, STDIN_FILENO);
    errno = saved;
}

/* The first Ctrl-C ends the count, a second one the program. */
static void catch_interrupt(bool is_stdin)
{
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };

    if (is_stdin)
        end_of_input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigaction(SIGINT, &action, NULL);
}

static unsigned ones_in(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);

    word -= word >> 1 & 0x55 * ones;
    word = (word & 0x33 * ones) + (word >> 2 & 0x33 * ones);
    word = (word + (word >> 4)) & 0x0f * ones;
    return (unsigned)(word * ones >> 56);
}

/* --- the end of a period --- */

static void add_counter(struct stat_event *e, uint32_t value)
{
    e->value += value;
    if (value == UINT32_MAX)
        e->state = STAT_SATURATED;
}

/* What has become visible, then the ack. */
static void read_domain(struct run *r, struct stat_pass *pass, struct stat_domain *d)
{
    bool valid = (pc_unit_read(pass->unit, d->ctrl) >> d->state_shift & 3) == 1;

    for (unsigned s = 0; s < STAT_SLOTS; s++) {
        if (d->event[s] < 0)
            continue;
        struct stat_event *e = &r->o->event[d->event[s]];
        add_counter(e, pc_unit_read(pass->unit, d->counter[s]));
        if (!valid)
            e->state = STAT_LOST;
    }
    pc_unit_write(pass->unit, d->ack, UINT32_C(1) << d->ack_bit);
}

static void read_counters(struct run *r)
{
    for (size_t p = 0; p < r->plan->passes; p++)
        for (unsigned d = 0; d < r->o->chip->domains; d++)
            if (r->plan->pass[p].edges >> d & 1)
                read_domain(r, &r->plan->pass[p], &r->plan->pass[p].domain[d]);
}

static void trigger_swap(struct run *r)
{
    for (size_t p = 0; p < r->plan->passes; p++)
        pc_unit_pulse(r->plan->pass[p].unit, PC_PULSE_PM_TRIGGER, 0);
}

static void last_swap(struct run *r)
{
    static const uint64_t nothing[PC_MAX_DOMAINS][PC_SIG_WORDS];

    trigger_swap(r);
    for (size_t p = 0; p < r->plan->passes; p++)
        pc_unit_step(r->plan->pass[p].unit, r->plan->pass[p].edges, nothing);
    read_counters(r);
}

/* --- cycles --- */

/* Raw signals of a pass for the 64 cycles of word w. */
static void fill_raw(struct run *r, const struct stat_pass *pass, size_t w)
{
    memset(r->raw, 0, 64 * sizeof *r->raw);
    for (unsigned d = 0; d < r->o->chip->domains; d++) {
        const struct stat_domain *domain = &pass->domain[d];
        for (size_t i = 0; i < domain->pins; i++) {
            const struct stat_pin *pin = &domain->pin[i];
            uint64_t bits = pin->derived ? r->event_bits[pin->index * PC_BLOCK_WORDS + w]
                                         : r->value[pin->index][w];
            for (unsigned t = 0; bits; t++, bits >>= 1)
                r->raw[t][d][pin->signal / 64] |= (bits & 1) << (pin->signal % 64);
        }
    }
}

static void step(struct run *r, struct stat_pass *pass, unsigned from, unsigned to)
{
    for (unsigned t = from; t < to; t++)
        pc_unit_step(pass->unit, pass->edges, (const uint64_t(*)[PC_SIG_WORDS])r->raw[t]);
}

/* Whole words from word `first` on, as planes. */
static void run_planes(struct run *r, struct stat_pass *pass, size_t first, uint64_t cycles)
{
    struct pc_run_domain domains[PC_MAX_DOMAINS];
    const struct pc_run run = { .cycles = cycles, .domain = domains };

    memset(r->plane, 0, PC_MAX_DOMAINS * sizeof *r->plane);
    for (unsigned d = 0; d < PC_MAX_DOMAINS; d++) {
        const struct stat_domain *domain = &pass->domain[d];
        bool present = d < r->o->chip->domains && (pass->edges >> d & 1);
        domains[d] = (struct pc_run_domain){ .plane = r->plane[d], .still = !present };
        for (size_t i = 0; present && i < domain->pins; i++) {
            const struct stat_pin *pin = &domain->pin[i];
            r->plane[d][pin->signal] =
                first +
                (pin->derived ? r->event_bits + pin->index * PC_BLOCK_WORDS : r->value[pin->index]);
        }
    }
    pc_unit_run(pass->unit, r->engine, &run);
}

/* Cycles [from, to) of the block in every pass; nothing is read or triggered in between. */
static void run_cycles(struct run *r, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t word_end = (from / 64 + 1) * 64;
        uint64_t end = from % 64 ? (word_end < to ? word_end : to) : to;
        for (size_t p = 0; p < r->plan->passes; p++) {
            struct stat_pass *pass = &r->plan->pass[p];
            if (from % 64 == 0) {
                run_planes(r, pass, (size_t)(from / 64), end - from);
                continue;
            }
            fill_raw(r, pass, (size_t)(from / 64));
            step(r, pass, (unsigned)(from % 64), (unsigned)(from % 64 + end - from));
        }
        from = end;
    }
}

/*
 * A block in every pass.  A period that ends inside of it ends in all passes before any
 * counter is read.
 */
static void run_periods(struct run *r, uint64_t cycles)
{
    for (uint64_t from = 0; from < cycles;) {
        bool swap = r->since_swap == r->o->period;
        uint64_t left = swap ? 1 : r->o->period - r->since_swap;
        uint64_t to = left < cycles - from ? from + left : cycles;
        if (swap)
            trigger_swap(r);
        run_cycles(r, from, to);
        if (swap) {
            read_counters(r);
            r->since_swap = 0;
        }
        r->since_swap += to - from;
        from = to;
    }
}

/* --- blocks --- */

static int unknown_error(const struct run *r, const struct stat_event *e, size_t words)
{
    size_t w = 0;
    unsigned bit = 0;

    while (w < words && !r->taint[w])
        w++;
    while (!(r->taint[w] >> bit & 1))
        bit++;
    return stat_error(335, &e->place, 1, NULL,
                      "%s depends on an unknown value in cycle %" PRIu64 " (counted from 0)",
                      e->name, r->cycles + 64 * w + bit);
}

/* Every event as an expression. */
static int evaluate(struct run *r, const struct pc_wave_block *block)
{
    size_t words = (block->cycles + 63) / 64;
    bool look = block->any_unknown && (r->o->x == STAT_X_TAINT || r->o->x == STAT_X_ERROR);

    for (size_t n = 0; n < r->o->events; n++) {
        struct stat_event *e = &r->o->event[n];
        uint64_t *bits = r->event_bits + n * PC_BLOCK_WORDS, tainted = 0;
        pc_expr_eval(e->expr, r->value, look ? r->unknown : NULL, words, block->cycles, bits,
                     r->taint);
        for (size_t w = 0; w < words; w++) {
            e->popcount += ones_in(bits[w]);
            tainted += ones_in(r->taint[w]);
        }
        if (tainted && r->o->x == STAT_X_ERROR)
            return unknown_error(r, e, words);
        e->tainted += tainted;
    }
    return CLI_OK;
}

/* --x one: unknown bits count as 1. */
static void make_ones(struct run *r, const struct pc_wave_block *block)
{
    size_t words = (block->cycles + 63) / 64;

    for (size_t i = 0; i < r->wires->count; i++) {
        uint64_t *plane = r->ones + i * PC_BLOCK_WORDS;
        for (size_t w = 0; w < words; w++)
            plane[w] = block->value[i][w] | block->unknown[i][w];
        r->ones_planes[i] = plane;
    }
    r->value = r->ones_planes;
}

static int run_block(struct run *r, const struct pc_wave_block *block)
{
    r->value = block->value;
    r->unknown = block->unknown;
    if (r->o->x == STAT_X_ONE && block->any_unknown)
        make_ones(r, block);
    int code = evaluate(r, block);
    if (code)
        return code;
    run_periods(r, block->cycles);
    r->cycles += block->cycles;
    return CLI_OK;
}

/* --- progress --- */

struct progress {
    bool on, shown;
    struct timespec start, last;
};

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static void progress_begin(struct progress *p)
{
    *p = (struct progress){ .on = isatty(STDERR_FILENO) && !cli_quiet };
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->last = p->start;
}

/* After half a second, then five times a second. */
static void progress_show(struct progress *p, const struct pc_wave *wave, uint64_t cycles)
{
    struct timespec now;
    uint64_t done, total;

    if (!p->on)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (seconds(&p->start, &now) < 0.5 || (p->shown && seconds(&p->last, &now) < 0.2))
        return;
    p->last = now;
    p->shown = true;
    pc_wave_progress(wave, &done, &total);
    fprintf(stderr, "\r\033[K%s cycles", cli_grouped(cycles));
    if (total)
        fprintf(stderr, "  %.0f %% read", 100.0 * (double)done / (double)total);
    fflush(stderr);
}

static void progress_end(const struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
}

/* --- all of it --- */

static bool allocate(struct run *r)
{
    size_t events = r->o->events ? r->o->events : 1, wires = r->wires->count ? r->wires->count : 1;

    r->event_bits = calloc(events, PC_BLOCK_WORDS * sizeof *r->event_bits);
    r->taint = calloc(PC_BLOCK_WORDS, sizeof *r->taint);
    r->raw = calloc(64, sizeof *r->raw);
    r->plane = calloc(PC_MAX_DOMAINS, sizeof *r->plane);
    if (!r->plane || pc_engine_create(NULL, &r->engine, NULL) != PC_OK)
        return false;
    if (r->o->x == STAT_X_ONE) {
        r->ones = calloc(wires, PC_BLOCK_WORDS * sizeof *r->ones);
        r->ones_planes = calloc(wires, sizeof *r->ones_planes);
        return r->event_bits && r->taint && r->raw && r->ones && r->ones_planes;
    }
    return r->event_bits && r->taint && r->raw;
}

static void release(struct run *r)
{
    free(r->event_bits);
    free(r->taint);
    free(r->raw);
    free(r->plane);
    pc_engine_destroy(r->engine);
    free(r->ones);
    free(r->ones_planes);
}

static int read_all(struct run *r)
{
    struct pc_wave_block block;
    struct pc_error err;
    struct progress progress;
    int code = CLI_OK;

    progress_begin(&progress);
    while (code == CLI_OK && !interrupted) {
        enum pc_status status = pc_wave_next(r->wires->wave, &block, &err);
        if (status == PC_END || (status && interrupted))
            break;
        progress_show(&progress, r->wires->wave, r->cycles);
        if (status) {
            progress_end(&progress);
            return cli_error(&err, r->o->path, NULL);
        }
        code = run_block(r, &block);
    }
    progress_end(&progress);
    return code;
}

/* The two counts of each event are the same, unless the hardware says that it lost some. */
static int settle(struct run *r)
{
    for (size_t n = 0; n < r->o->events; n++) {
        struct stat_event *e = &r->o->event[n];
        if (e->state == STAT_EXACT && e->value != e->popcount)
            return stat_error(337, &e->place, 1, NULL,
                              "%s: the model counts %" PRIu64 ", the expression %" PRIu64, e->name,
                              e->value, e->popcount);
        if (e->state == STAT_EXACT && e->tainted)
            e->state = STAT_TAINTED;
    }
    return CLI_OK;
}

/* Oddities of the file that the reader tolerated. */
static void show_warnings(const struct pc_wave *wave, const char *path)
{
    const char *text;

    for (size_t i = 0; (text = pc_wave_warning(wave, i)) != NULL; i++)
        cli_warning(501, "%s: %s", path, text);
}

int stat_run(struct stat_options *o, struct stat_plan *plan, struct stat_wires *wires,
             const struct pc_wave_clock *clock, struct stat_result *out)
{
    struct run r = { .o = o, .plan = plan, .wires = wires };
    struct pc_error err;
    unsigned stream;

    if (pc_wave_bind(wires->wave, clock, wires->bit, wires->count, &stream, &err))
        return cli_error(&err, o->path, NULL);
    if (!allocate(&r)) {
        release(&r);
        return stat_no_memory();
    }
    catch_interrupt(strcmp(o->path, "-") == 0);
    int code = read_all(&r);
    if (code == CLI_OK && r.cycles > 0) {
        last_swap(&r);
        code = settle(&r);
    }
    release(&r);
    show_warnings(wires->wave, o->path);
    if (code == CLI_OK && r.cycles == 0 && !interrupted) {
        struct stat_place place = { "--clock", o->clock, 0 };
        code = stat_error(332, &place, 1, NULL, "the clock has no edge in %s", o->path);
    }
    *out = (struct stat_result){ .cycles = r.cycles, .partial = interrupted != 0 };
    return code;
}
