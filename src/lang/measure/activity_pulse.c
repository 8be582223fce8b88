/* SPDX-License-Identifier: MIT */
/*
 * Pulses with limits.  A level holds once it has lasted as long as the debounce time, from when it
 * came; what is shorter is a bounce, and the level before goes on.  A pulse lasts from the level
 * that holds to the next one.
 */
#include "lang/measure/activity.h"

#include <string.h>

bool pc_activity_make_pulses(struct pc_activity *a, const struct pc_activity_desc *desc)
{
    if (desc->pulses == 0)
        return true;
    a->rules = desc->pulses;
    a->debounce = desc->debounce;
    a->rule = pc_calloc(&a->alloc, a->rules, sizeof *a->rule);
    a->pulse = pc_calloc(&a->alloc, a->rows + 1, sizeof *a->pulse);
    a->judged = pc_calloc(&a->alloc, a->rules * a->rows + 1, sizeof *a->judged);
    if (!a->rule || !a->pulse || !a->judged)
        return false;
    memcpy(a->rule, desc->pulse, a->rules * sizeof *a->rule);
    return true;
}

void pc_activity_free_pulses(struct pc_activity *a)
{
    pc_free(&a->alloc, a->rule, a->rules * sizeof *a->rule);
    pc_free(&a->alloc, a->pulse, (a->rows + 1) * sizeof *a->pulse);
    pc_free(&a->alloc, a->judged, (a->rules * a->rows + 1) * sizeof *a->judged);
}

void pc_activity_clear_pulses(struct pc_activity *a)
{
    for (size_t i = 0; a->pulse && i < a->rows; i++)
        a->pulse[i] = (struct pulse){ .level = LX };
    if (a->judged)
        memset(a->judged, 0, a->rules * a->rows * sizeof *a->judged);
}

static void judge(struct pc_activity *a, size_t row, enum pc_activity_width which, uint64_t width)
{
    for (size_t i = 0; i < a->rules; i++) {
        const struct pc_activity_pulse *rule = &a->rule[i];
        struct pc_activity_pulses *to = &a->judged[a->rules * row + i];
        if (rule->width != which)
            continue;
        if (width >= rule->least && width <= rule->most)
            to->valid++;
        else
            to->other++;
    }
}

/* The level holds, from that time on. */
static void hold(struct pc_activity *a, size_t row, uint8_t level, uint64_t from)
{
    struct pulse *p = &a->pulse[row];

    if (level == p->level)
        return;
    const bool rise = p->level == L0 && level == L1, fall = p->level == L1 && level == L0;
    if ((rise || fall) && p->edge)
        judge(a, row, rise ? PC_ACTIVITY_LOW : PC_ACTIVITY_HIGH, from - p->began);
    if (rise && p->has_risen)
        judge(a, row, PC_ACTIVITY_PERIOD, from - p->rose);
    if (rise)
        p->rose = from;
    p->edge = rise || fall;
    p->has_risen = rise || (fall && p->has_risen);
    p->level = level;
    p->began = from;
}

void pc_activity_pulse_step(struct pc_activity *a, size_t row, uint8_t level,
                            const struct moment *m)
{
    struct pulse *p = &a->pulse[row];

    if (m->counts) {
        const uint64_t since = later(p->since, a->origin);
        if (m->at - since >= a->debounce)
            hold(a, row, level, since);
        else if (level < LX)
            p->bounces++;
    }
    p->since = m->at;
}

void pc_activity_pulse_end(struct pc_activity *a)
{
    for (size_t i = 0; a->pulse && i < a->rows; i++) {
        const uint64_t since = later(a->pulse[i].since, a->origin);
        if (a->end - since >= a->debounce)
            hold(a, i, a->row[i].level, since);
    }
}
