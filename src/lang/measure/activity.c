/* SPDX-License-Identifier: MIT */
/* Measures nets over time: their rows, before and after all changes (activity_add.c). */
#include "lang/measure/activity.h"

#include "base/error.h"

#include <string.h>

/* ---- making ---- */

static bool make_rows(struct pc_activity *a, const struct pc_activity_desc *desc)
{
    a->net = pc_calloc(&a->alloc, a->nets + 1, sizeof *a->net);
    for (size_t i = 0; a->net && i < a->nets; i++) {
        struct net *n = &a->net[i];
        const uint32_t width = desc->width[i];
        *n = (struct net){ .row = a->rows, .word = a->words, .width = width };
        n->event = width > 0 && desc->event && desc->event[i];
        a->rows += width > 1 && !a->bits ? 1 : width;
        a->words += (a->cycles ? PLANES_OF_CYCLES : PLANES) * words_of(width);
    }
    if (!a->net)
        return false;
    if (a->cycles)
        a->of_cycles = pc_calloc(&a->alloc, a->rows + 1, sizeof *a->of_cycles);
    if ((a->cycles && !a->of_cycles) || !pc_activity_make_pulses(a, desc))
        return false;
    a->row = pc_calloc(&a->alloc, a->rows + 1, sizeof *a->row);
    a->word = pc_calloc(&a->alloc, a->words + 1, sizeof *a->word);
    if (a->widths)
        a->dist = pc_calloc(&a->alloc, a->rows + 1, DISTS * sizeof(struct pc_dist *));
    return a->row && a->word && (a->dist || !a->widths);
}

static void drop_dists(struct pc_activity *a)
{
    for (size_t i = 0; a->dist && i < DISTS * a->rows; i++) {
        pc_dist_destroy(a->dist[i]);
        a->dist[i] = NULL;
    }
}

void pc_activity_destroy(struct pc_activity *a)
{
    if (!a)
        return;
    const struct pc_alloc alloc = a->alloc;
    drop_dists(a);
    pc_activity_free_marks(a);
    pc_activity_free_pulses(a);
    pc_free(&alloc, a->of_cycles, (a->rows + 1) * sizeof *a->of_cycles);
    pc_free(&alloc, a->dist, (a->rows + 1) * DISTS * sizeof(struct pc_dist *));
    pc_free(&alloc, a->word, (a->words + 1) * sizeof *a->word);
    pc_free(&alloc, a->row, (a->rows + 1) * sizeof *a->row);
    pc_free(&alloc, a->net, (a->nets + 1) * sizeof *a->net);
    pc_free(&alloc, a, sizeof *a);
}

enum pc_status pc_activity_create(const struct pc_activity_desc *desc, struct pc_activity **out,
                                  struct pc_error *err)
{
    const struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_activity *a = pc_calloc(&alloc, 1, sizeof *a);

    if (a)
        *a = (struct pc_activity){ .alloc = alloc,
                                   .bits = desc->bits,
                                   .widths = desc->widths,
                                   .marked = desc->marked || desc->cycles,
                                   .cycles = desc->cycles,
                                   .from = desc->from,
                                   .to = desc->to ? desc->to : UINT64_MAX,
                                   .nets = desc->nets };
    if (!a || !make_rows(a, desc)) {
        pc_activity_destroy(a);
        return pc_fail(err, 100, "no memory for the activity of %zu nets", desc->nets);
    }
    const size_t share = ALL_DISTINCT / (DISTS * a->rows + 1);
    a->most = share < LEAST_DISTINCT ? LEAST_DISTINCT : share;
    pc_activity_clear(a);
    *out = a;
    return PC_OK;
}

/* Sets all of a net to x; no value waits. */
static void forget_values(struct pc_activity *a, struct net *n)
{
    const size_t words = words_of(n->width);
    uint64_t *word = &a->word[n->word];

    n->waits = n->pending = false;
    n->cycle = n->section = n->mark = 0;
    memset(word, 0, (a->cycles ? PLANES_OF_CYCLES : PLANES) * words * sizeof *word);
    for (size_t w = 0; w < words; w++) {
        const uint32_t left = n->width - (uint32_t)(64 * w);
        word[WAS_UNKNOWN * words + w] = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    }
}

void pc_activity_clear(struct pc_activity *a)
{
    drop_dists(a);
    a->no_memory = false;
    a->first = a->end = 0;
    a->start = a->origin = a->marked ? 0 : a->from;
    pc_activity_clear_marks(a);
    pc_activity_clear_pulses(a);
    memset(a->row, 0, a->rows * sizeof *a->row);
    for (size_t i = 0; i < a->rows; i++) {
        a->row[i].level = LX;
        a->row[i].is[LX] = 1;
    }
    for (size_t i = 0; i < a->nets; i++) {
        forget_values(a, &a->net[i]);
        if (is_sum(a, &a->net[i]))
            a->row[a->net[i].row].is[LX] = a->net[i].width;
    }
}

void pc_activity_begin(struct pc_activity *a, uint64_t time)
{
    a->first = time;
    a->start = a->end = a->origin = a->marked ? 0 : later(a->from, time);
}

/* ---- figures ---- */

static enum pc_status check_times(const struct pc_activity *a, struct pc_error *err)
{
    const uint64_t duration = a->end - a->start;

    for (size_t i = 0; i < a->nets; i++)
        if (is_sum(a, &a->net[i]) && duration > UINT64_MAX / a->net[i].width)
            return pc_fail(err, 1803,
                           "the times of %lu bits over %llu time units are more than 64 bits",
                           (unsigned long)a->net[i].width, (unsigned long long)duration);
    return PC_OK;
}

enum pc_status pc_activity_end(struct pc_activity *a, uint64_t time, struct pc_error *err)
{
    a->end = later(a->start, a->marked ? pc_activity_passed(a, time) : time);
    for (size_t i = 0; i < a->nets; i++) {
        struct net *n = &a->net[i];
        if (n->waits)
            pc_activity_settle(a, n);
        if (is_sum(a, n))
            pc_activity_pass(a, &a->row[n->row], a->end);
        for (size_t b = 0; !is_sum(a, n) && b < n->width; b++) {
            struct row *r = &a->row[n->row + b];
            r->t[r->level] += a->end - later(r->began, a->start);
        }
    }
    pc_activity_pulse_end(a);
    if (a->no_memory)
        return pc_fail(err, 100, "no memory for the widths of pulses");
    return check_times(a, err);
}

static void get_cycles(const struct pc_activity *a, const struct net *n, uint32_t bit,
                       struct pc_activity_figures *out)
{
    const struct of_cycles *c = &a->of_cycles[n->row + bit];
    const uint64_t *toggled = &a->word[n->word + TOGGLED * words_of(n->width)];
    const bool open = n->pending && (is_sum(a, n) || (toggled[bit / 64] >> bit % 64 & 1));

    out->settled = c->settled;
    out->outside = c->outside + (open ? out->rises + out->falls - c->before : 0);
}

void pc_activity_get(const struct pc_activity *a, size_t net, uint32_t bit,
                     struct pc_activity_figures *out)
{
    const size_t row = a->net[net].row + bit;
    const struct row *r = &a->row[row];

    *out = (struct pc_activity_figures){
        .duration = a->end - a->start,
        .t0 = r->t[L0],
        .t1 = r->t[L1],
        .tx = r->t[LX],
        .tz = r->t[LZ],
        .rises = r->rises,
        .falls = r->falls,
        .x_to_1 = r->x_to_1,
        .x_to_0 = r->x_to_0,
        .known_to_x = r->known_to_x,
    };
    if (a->net[net].event)
        *out = (struct pc_activity_figures){ .duration = out->duration, .triggers = r->rises };
    else if (a->of_cycles)
        get_cycles(a, &a->net[net], bit, out);
    if (a->dist) {
        out->period = a->dist[DISTS * row + PERIOD];
        out->high = a->dist[DISTS * row + HIGH];
        out->low = a->dist[DISTS * row + LOW];
    }
    if (a->judged && !is_sum(a, &a->net[net])) {
        out->pulses = &a->judged[a->rules * row];
        out->bounces = a->pulse[row].bounces;
    }
}

void pc_activity_get_cycles(const struct pc_activity *a, struct pc_activity_cycles *out)
{
    *out = (struct pc_activity_cycles){ .time = a->end - a->start,
                                        .begun = a->begun,
                                        .whole = a->whole };
}

void pc_activity_next(struct pc_activity *a)
{
    drop_dists(a);
    a->start = a->end;
    a->begun = a->whole = 0;
    for (size_t i = 0; i < a->rows; i++) {
        struct row *r = &a->row[i];
        if (a->of_cycles)
            a->of_cycles[i] = (struct of_cycles){ .settled = 0 };
        if (a->pulse)
            a->pulse[i].bounces = 0;
        for (size_t k = 0; k < a->rules; k++)
            a->judged[a->rules * i + k] = (struct pc_activity_pulses){ .valid = 0 };
        memset(r->t, 0, sizeof r->t);
        r->rises = r->falls = r->x_to_1 = r->x_to_0 = r->known_to_x = 0;
    }
}
