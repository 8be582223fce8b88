/* SPDX-License-Identifier: MIT */
/*
 * Stretches of cycles through the counters of all passes.
 *
 * PM_TRIGGER ends a period well before a 32-bit counter could: the swap comes before
 * counting (D-53), so the cycle of the swap belongs to the next period and no cycle is
 * lost.  One more cycle after the last one makes the last period visible.
 *
 * Each event is also evaluated as an expression: that gives the derived signals, the
 * cycles in which an unknown input mattered, and a second count that must be the same.
 */
#include "stat_count.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

/* Expressions carry their last cycle, so every thread has its own. */
static bool copy_expressions(struct stat_hand *hand, const struct stat_job *j,
                             struct stat_wires *wires)
{
    struct pc_error err;

    for (size_t n = 0; n < j->events; n++)
        if (!j->event[n].wire && (pc_expr_parse(NULL, j->event[n].text, &hand->expr[n], &err) ||
                                  stat_resolve(hand->expr[n], stat_lookup, wires, wires, &err)))
            return false;
    return true;
}

size_t stat_count_planes(struct stat_job *j)
{
    size_t planes = 0;

    for (size_t n = 0; n < j->events; n++) {
        j->event[n].plane = planes;
        planes += j->event[n].wire ? j->event[n].bits : 1;
    }
    return planes;
}

/* Returns the counts of a job whose planes were counted. */
static size_t planes_of(const struct stat_job *j)
{
    const struct stat_event *last = j->events ? &j->event[j->events - 1] : NULL;

    return last ? last->plane + (last->wire ? last->bits : 1) : 0;
}

bool stat_hand_open(struct stat_hand *hand, const struct stat_job *j, struct stat_wires *copies,
                    size_t words)
{
    struct pc_error err;

    *hand = (struct stat_hand){ .owns = copies != NULL };
    hand->expr = calloc(j->events + 1, sizeof *hand->expr);
    hand->taint = malloc(words * sizeof *hand->taint);
    hand->plane = malloc(PC_MAX_DOMAINS * sizeof *hand->plane);
    if (!hand->expr || !hand->taint || !hand->plane ||
        (j->chip && pc_engine_create(NULL, &hand->engine, &err) != PC_OK))
        return false;
    if (copies)
        return copy_expressions(hand, j, copies);
    for (size_t n = 0; n < j->events; n++)
        hand->expr[n] = j->event[n].expr;
    return true;
}

void stat_hand_close(struct stat_hand *hand, const struct stat_job *j)
{
    for (size_t n = 0; hand->expr && hand->owns && n < j->events; n++)
        pc_expr_free(hand->expr[n]);
    free(hand->expr);
    free(hand->taint);
    free(hand->plane);
    pc_engine_destroy(hand->engine);
}

bool stat_stretch_open(struct stat_stretch *s, const struct stat_job *j, size_t passes,
                       size_t words)
{
    const bool kept = stat_keeps_bits(j);

    s->stride = kept ? words : 0;
    s->passes = passes;
    s->bits = malloc((kept ? planes_of(j) + 1 : 1) * words * sizeof *s->bits);
    s->popcount = calloc(j->events + 1, sizeof *s->popcount);
    s->tainted = calloc(j->events + 1, sizeof *s->tainted);
    s->seen = calloc(j->events + 1, sizeof *s->seen);
    if (j->o->interval.text)
        s->taint = malloc((j->events + 1) * words * sizeof *s->taint);
    if (j->o->interval.text && !s->taint)
        return false;
    return s->bits && s->popcount && s->tainted && s->seen;
}

void stat_stretch_close(struct stat_stretch *s)
{
    free(s->bits);
    free(s->taint);
    free(s->popcount);
    free(s->tainted);
    free(s->seen);
}

bool stat_count_open(struct stat_count *c, size_t words)
{
    c->raw = malloc(64 * sizeof *c->raw);
    return c->raw && stat_hand_open(&c->hand, c->j, NULL, words);
}

void stat_count_close(struct stat_count *c)
{
    free(c->raw);
    stat_hand_close(&c->hand, c->j);
}

/* --- the events as expressions --- */

/* The first cycle in which an unknown input matters to the event, if none was found earlier. */
static void note_unknown(const uint64_t *taint, struct stat_stretch *s, size_t event, size_t none,
                         size_t words)
{
    size_t w = s->lead;
    unsigned bit = 0;

    while (w < words && !taint[w])
        w++;
    while (!(taint[w] >> bit & 1))
        bit++;
    uint64_t cycle = 64 * (w - s->lead) + bit;
    if (s->bad_event == none || cycle < s->bad_cycle) {
        s->bad_event = event;
        s->bad_cycle = cycle;
    }
}

/* Cycles of the stretch that lie before the window. */
static uint64_t uncounted(const struct stat_stretch *s)
{
    uint64_t left = s->before > s->first ? s->before - s->first : 0;

    return left < s->cycles ? left : s->cycles;
}

/* The first bits of a plane become 0. */
static void forget_bits(uint64_t *plane, uint64_t count)
{
    for (; count >= 64; count -= 64)
        *plane++ = 0;
    if (count)
        *plane &= UINT64_MAX << count;
}

/* Counts the 1s of an event in the turns of its pass; turns begin with the window. */
static uint64_t seen(const struct stat_job *j, const struct stat_stretch *s, size_t n,
                     const uint64_t *bits, size_t words)
{
    const uint64_t round = j->o->slice * s->passes;
    uint64_t first = s->first;

    if (round > 0 && first < s->before)
        first += (s->before + round - 1) / round * round;
    return stat_seen(j->o->slice, s->passes, j->event[n].pass, first - s->before, bits, words);
}

/*
 * An event's cycles, and into `taint`, if it is not NULL, those that depend on unknown values. What
 * is a signal as it is, with nothing to be left out, is not copied, unless intervals ask for it.
 */
static const uint64_t *evaluate(struct stat_hand *hand, const struct stat_job *j,
                                const struct stat_stretch *s, size_t n, uint64_t cycles,
                                uint64_t *taint)
{
    const uint32_t wire = pc_expr_signal(hand->expr[n]);
    const size_t words = (size_t)((cycles + 63) / 64);
    uint64_t *bits = s->bits + j->event[n].plane * s->stride;

    if (wire != PC_NO_WIRE && !taint && !s->taint && uncounted(s) == 0)
        return s->value[wire];
    if (s->first == 0 || s->lead > 0)
        pc_expr_restart(hand->expr[n]);
    pc_expr_eval(hand->expr[n], s->value, taint ? s->unknown : NULL, words, (uint32_t)cycles, bits,
                 taint);
    forget_bits(bits + s->lead, uncounted(s));
    if (taint)
        forget_bits(taint + s->lead, uncounted(s));
    return bits;
}

/*
 * Adds up a number that is added in each cycle, bit by bit.  With -I this is asked for interval by
 * interval.
 */
static uint64_t add_up(const struct stat_event *e, const struct stat_stretch *s, uint64_t cycles,
                       uint64_t *taint)
{
    const size_t words = (size_t)((cycles + 63) / 64);
    uint64_t sum = 0;

    if (taint)
        memset(taint, 0, words * sizeof *taint);
    for (uint32_t b = 0; b < e->bits; b++) {
        uint64_t *bits = s->bits + (s->stride ? e->plane + b : 0) * s->stride;
        for (size_t w = 0; w < words; w++) {
            const uint64_t unknown = s->any_unknown ? s->unknown[e->wire[b]][w] : 0;
            bits[w] = s->value[e->wire[b]][w] & ~unknown;
            if (taint)
                taint[w] |= unknown;
        }
        if (cycles % 64) {
            bits[words - 1] &= UINT64_MAX >> (64 - cycles % 64);
            if (taint)
                taint[words - 1] &= UINT64_MAX >> (64 - cycles % 64);
        }
        forget_bits(bits + s->lead, uncounted(s));
        if (!s->taint)
            sum += pc_plane_ones(bits + s->lead, words - s->lead) << b;
    }
    if (taint)
        forget_bits(taint + s->lead, uncounted(s));
    return sum;
}

void stat_evaluate(struct stat_hand *hand, const struct stat_job *j, struct stat_stretch *s)
{
    const uint64_t cycles = 64 * s->lead + s->cycles;
    const size_t words = (size_t)((cycles + 63) / 64);
    const bool look = s->any_unknown && (j->o->x == OPT_X_TAINT || j->o->x == OPT_X_ERROR);

    s->bad_event = j->events;
    s->evaluated = true;
    for (size_t n = 0; n < j->events; n++) {
        uint64_t *taint = s->taint ? s->taint + n * s->stride : hand->taint;
        if (j->event[n].wire) {
            s->popcount[n] = add_up(&j->event[n], s, cycles, look ? taint : NULL);
        } else {
            const uint64_t *bits = evaluate(hand, j, s, n, cycles, look ? taint : NULL);
            s->popcount[n] = s->taint ? 0 : pc_plane_ones(bits + s->lead, words - s->lead);
            if (j->o->multiplex)
                s->seen[n] = seen(j, s, n, bits + s->lead, words - s->lead);
        }
        s->tainted[n] = look ? pc_plane_ones(taint + s->lead, words - s->lead) : 0;
        if (s->tainted[n] && j->o->x == OPT_X_ERROR)
            note_unknown(taint, s, n, j->events, words);
    }
    s->looked = look;
}

/* --- planes of a pass --- */

/* Connects the domains of the pass to the stretch's planes from word `first` on. */
static void fill_domains(const struct stat_hand *hand, const struct stat_job *j,
                         const struct stat_pass *pass, const struct stat_stretch *s, size_t first,
                         struct pc_run_domain domains[PC_MAX_DOMAINS])
{
    memset(hand->plane, 0, PC_MAX_DOMAINS * sizeof *hand->plane);
    for (unsigned d = 0; d < PC_MAX_DOMAINS; d++) {
        const struct stat_domain *domain = &pass->domain[d];
        bool present = d < j->chip->domains && (pass->edges >> d & 1);
        domains[d] = (struct pc_run_domain){ .plane = hand->plane[d], .still = !present };
        for (size_t i = 0; present && i < domain->pins; i++) {
            const struct stat_pin *pin = &domain->pin[i];
            hand->plane[d][pin->signal] =
                first + (pin->derived ? s->bits + pin->index * s->stride : s->value[pin->index]);
        }
    }
}

/* --- the end of a period --- */

/* Is the unit read where an interval ends, or at the end of all? */
static bool reads_intervals(const struct stat_count *c)
{
    return c->timeline && c->j->o->step;
}

static void add_counter(const struct stat_count *c, struct stat_event *e, uint32_t value,
                        bool valid)
{
    const bool all = c->timeline && !reads_intervals(c);
    enum stat_state *state = all ? &e->sum.state : &e->state;

    *(all ? &e->sum.value : &e->value) += value;
    if (value == UINT32_MAX)
        *state = STAT_SATURATED;
    if (!valid)
        *state = STAT_LOST;
}

/* Reads the counts that have become visible, then acknowledges them. */
static void read_domain(struct stat_count *c, struct stat_pass *pass, struct stat_domain *d)
{
    bool valid = (pc_unit_read(pass->unit, d->ctrl) >> d->state_shift & 3) == 1;

    for (unsigned s = 0; s < STAT_SLOTS; s++) {
        if (d->event[s] < 0 || c->forget)
            continue;
        add_counter(c, &c->j->event[d->event[s]], pc_unit_read(pass->unit, d->counter[s]), valid);
    }
    pc_unit_write(pass->unit, d->ack, UINT32_C(1) << d->ack_bit);
}

static void read_counters(struct stat_count *c)
{
    for (size_t p = 0; p < c->plan->passes; p++)
        for (unsigned d = 0; d < c->j->chip->domains; d++)
            if (c->plan->pass[p].edges >> d & 1)
                read_domain(c, &c->plan->pass[p], &c->plan->pass[p].domain[d]);
    c->forget = false;
}

static void trigger_swap(struct stat_count *c)
{
    for (size_t p = 0; p < c->plan->passes; p++)
        pc_unit_pulse(c->plan->pass[p].unit, PC_PULSE_PM_TRIGGER, 0);
}

int stat_finish(struct stat_count *c, bool partial)
{
    static const uint64_t nothing[PC_MAX_DOMAINS][PC_SIG_WORDS];

    trigger_swap(c);
    for (size_t p = 0; p < c->plan->passes; p++)
        pc_unit_step(c->plan->pass[p].unit, c->plan->pass[p].edges, nothing);
    read_counters(c);
    return c->timeline ? stat_end_last(c, partial) : stat_settle(c->j);
}

/* --- cycles --- */

/* Raw signals of a pass for cycles [from, to) of the 64 of word w of the planes. */
static void fill_raw(struct stat_count *c, const struct stat_pass *pass,
                     const struct stat_stretch *s, size_t w, unsigned from, unsigned to)
{
    const uint64_t mask = UINT64_MAX >> (63 - (to - 1));

    memset(c->raw + from, 0, (to - from) * sizeof *c->raw);
    for (unsigned d = 0; d < c->j->chip->domains; d++) {
        const struct stat_domain *domain = &pass->domain[d];
        for (size_t i = 0; i < domain->pins; i++) {
            const struct stat_pin *pin = &domain->pin[i];
            uint64_t bits =
                pin->derived ? s->bits[pin->index * s->stride + w] : s->value[pin->index][w];
            bits = (bits & mask) >> from;
            for (unsigned t = from; bits; t++, bits >>= 1)
                c->raw[t][d][pin->signal / 64] |= (bits & 1) << (pin->signal % 64);
        }
    }
}

static void step(struct stat_count *c, struct stat_pass *pass, unsigned from, unsigned to)
{
    for (unsigned t = from; t < to; t++)
        pc_unit_step(pass->unit, pass->edges, (const uint64_t(*)[PC_SIG_WORDS])c->raw[t]);
}

/*
 * Cycles [from, to) of the stretch in one pass; nothing is read or triggered in between.  What
 * begins inside of a word is stepped, and with --engine step all is.
 */
static void run_pass(struct stat_count *c, struct stat_pass *pass, const struct stat_stretch *s,
                     uint64_t from, uint64_t to)
{
    struct pc_run_domain domains[PC_MAX_DOMAINS];

    while (from < to && (from % 64 || c->j->o->step)) {
        const uint64_t word_end = (from / 64 + 1) * 64, end = word_end < to ? word_end : to;
        const unsigned first = (unsigned)(from % 64), behind = (unsigned)(first + end - from);
        fill_raw(c, pass, s, s->lead + (size_t)(from / 64), first, behind);
        step(c, pass, first, behind);
        from = end;
    }
    if (from == to)
        return;
    const struct pc_run run = { .cycles = to - from, .domain = domains };
    fill_domains(&c->hand, c->j, pass, s, s->lead + (size_t)(from / 64), domains);
    pc_unit_run(pass->unit, c->hand.engine, &run);
}

/* The cycles before the window are a period that is forgotten when it ends. */
static uint64_t run_before(struct stat_count *c, struct stat_stretch *s)
{
    const uint64_t cycles = uncounted(s);

    if (cycles == 0)
        return 0;
    if (!s->evaluated)
        stat_evaluate(&c->hand, c->j, s);
    for (size_t p = 0; p < c->plan->passes; p++)
        run_pass(c, &c->plan->pass[p], s, 0, cycles);
    c->since_swap = c->j->o->period;
    c->forget = true;
    return cycles;
}

/*
 * Cycles [from, to) of the stretch in every pass; `swap`: an interval ends before them.  A period
 * that ends inside ends in all passes before any counter is read.
 */
static void run_periods(struct stat_count *c, struct stat_stretch *s, uint64_t from, uint64_t to,
                        bool swap)
{
    if (!s->evaluated)
        stat_evaluate(&c->hand, c->j, s);
    while (from < to) {
        swap |= c->since_swap == c->j->o->period;
        const uint64_t left = swap ? 1 : c->j->o->period - c->since_swap;
        const uint64_t end = left < to - from ? from + left : to;
        if (swap)
            trigger_swap(c);
        for (size_t p = 0; p < c->plan->passes; p++)
            run_pass(c, &c->plan->pass[p], s, from, end);
        if (swap) {
            read_counters(c);
            c->since_swap = 0;
        }
        c->since_swap += end - from;
        from = end;
        swap = false;
    }
}

/* The stretch from a cycle on, cut into intervals; a unit that is read for each runs them here. */
static int take_intervals(struct stat_count *c, struct stat_stretch *s, uint64_t from)
{
    const uint64_t base = c->start + s->first;
    int code = stat_measure_stretch(c->j, c->wires, s, 0, from, false);

    stat_timeline_feed(c->timeline, base, s->time, s->cycles);
    if (code == CLI_OK && from < s->cycles && !c->begun) {
        code = stat_tell_empty(c);
        c->begun = true;
    }
    while (code == CLI_OK && from < s->cycles) {
        const uint64_t end = stat_timeline_end(c->timeline, base + s->cycles);
        const bool ends = end == base + from;
        uint64_t to = end - base < s->cycles ? end - base : s->cycles;
        if (ends)
            to = from + reads_intervals(c); /* whose first cycle shows what was counted before */
        if (reads_intervals(c))
            run_periods(c, s, from, to, ends);
        if (ends)
            code = stat_end_interval(c, end);
        if (from < to)
            stat_add_ones(c, s, from, to);
        if (code == CLI_OK)
            code = stat_measure_stretch(c->j, c->wires, s, from, to, true);
        from = to;
    }
    stat_timeline_pass(c->timeline, base + s->cycles);
    return code;
}

int stat_take(struct stat_count *c, struct stat_stretch *s)
{
    const struct stat_job *j = c->j;
    int code = CLI_OK;

    if (s->bad_event < j->events) {
        const struct stat_event *e = &j->event[s->bad_event];
        return cli_error_at(335, &e->place, 1, NULL,
                            "%s depends on an unknown value in cycle %" PRIu64 " (counted from 0)",
                            e->name, c->start + s->first + s->bad_cycle);
    }
    for (size_t n = 0; n < j->events && !c->timeline; n++) {
        j->event[n].popcount += s->popcount[n];
        j->event[n].tainted += s->tainted[n];
        j->event[n].seen += s->seen[n];
    }
    const uint64_t from = run_before(c, s);
    if (!reads_intervals(c))
        run_periods(c, s, from, s->cycles, false);
    if (c->timeline)
        code = take_intervals(c, s, from);
    c->cycles += s->cycles;
    return code;
}
