/* SPDX-License-Identifier: MIT */
/* Guesses clocks from their regularity and events from names and activity. */
#include "wave/suggest.h"
#include "wave/wave_bits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_RISES 8

static const char *const telling_words[] = {
    "valid", "ready", "req",   "ack",   "stall", "hit",    "miss",  "busy",
    "full",  "empty", "grant", "event", "error", "retire", "flush", "irq",
};

/* `word` in the last part of a path, whatever the case. */
static bool contains(const char *path, const char *word)
{
    const char *dot = strrchr(path, '.');
    size_t n = strlen(word);

    for (const char *p = dot ? dot + 1 : path; *p; p++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)p[i]) == word[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

static bool is_telling(const char *path)
{
    for (size_t i = 0; i < sizeof telling_words / sizeof telling_words[0]; i++)
        if (contains(path, telling_words[i]))
            return true;
    return false;
}

static bool is_clock(const struct pc_var_activity *a)
{
    return a->rises >= CLOCK_RISES && a->min_period == a->max_period && a->min_period > 0;
}

/* A suggestion and what it is sorted by; qsort has no room for a context. */
struct ranked {
    struct cli_suggestion s;
    uint64_t rises;
};

static int compare(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    if (a->s.telling != b->s.telling)
        return a->s.telling ? -1 : 1;
    if (a->rises != b->rises)
        return a->rises > b->rises ? -1 : 1;
    return (a->s.var > b->s.var) - (a->s.var < b->s.var);
}

/* Sorts, and leaves the suggestions alone in an array of their own; NULL if none. */
static bool finish(struct ranked *r, size_t count, struct cli_suggestion **out)
{
    *out = NULL;
    if (count == 0)
        return true;
    *out = calloc(count, sizeof **out);
    if (!*out)
        return false;
    qsort(r, count, sizeof *r, compare);
    for (size_t i = 0; i < count; i++)
        (*out)[i] = r[i].s;
    return true;
}

/* Splits the one-bit streams, but for bits of vectors; clocks fill `r` from its beginning, events
 * from its end. */
static void collect(const struct pc_wave *wave, const struct pc_var_activity *activity,
                    uint8_t *seen, struct ranked *r, size_t capacity, size_t *clocks,
                    size_t *events)
{
    struct cli_wave_vars at;
    struct pc_wave_var v;

    cli_wave_vars_begin(&at, wave);
    while (cli_wave_vars_next(&at, &v)) {
        if (v.kind != PC_VAR_BITS || v.width != 1 || seen[v.code])
            continue;
        seen[v.code] = 1;
        const struct pc_var_activity *a = &activity[v.code];
        struct ranked row = { { .var = at.first, .code = v.code }, a->rises };
        if (is_clock(a)) {
            r[(*clocks)++] = row;
        } else if (a->rises > 0) {
            row.s.telling = is_telling(v.name);
            r[capacity - ++*events] = row;
        }
    }
}

bool cli_suggest(const struct pc_wave *wave, const struct pc_var_activity *activity,
                 struct cli_suggestions *out)
{
    struct pc_wave_info info;

    memset(out, 0, sizeof *out);
    pc_wave_get_info(wave, &info);
    uint8_t *seen = calloc(info.codes + 1, 1);
    struct ranked *r = calloc(info.codes + 1, sizeof *r);
    size_t capacity = info.codes + 1;
    bool ok = seen && r;
    if (ok) {
        collect(wave, activity, seen, r, capacity, &out->clocks, &out->events);
        ok = finish(r, out->clocks, &out->clock) &&
             finish(r + capacity - out->events, out->events, &out->event);
    }
    free(seen);
    free(r);
    if (!ok)
        cli_suggest_free(out);
    return ok;
}

void cli_suggest_free(struct cli_suggestions *s)
{
    free(s->clock);
    free(s->event);
    memset(s, 0, sizeof *s);
}
