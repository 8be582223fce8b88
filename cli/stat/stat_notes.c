/* SPDX-License-Identifier: MIT */
/* Notes on counts that are easily misread: other clocks, cycles excluded by `iff`, unknown values.
 */
#include "stat.h"
#include "process/ranks.h"
#include "wave/other_clock.h"

#include <stdlib.h>
#include <string.h>

#define OTHERS_TOLD 3 /* events of other clocks */

/* The first of an event's names that belongs to another clock. */
struct find_other {
    struct stat_wires *wires;
    const size_t *other; /* by wire */
    size_t clock;        /* CLI_NO_CLOCK: none yet */
    char name[200];
};

static enum pc_status look_up(void *ctx, const char *name, uint32_t *out, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    struct find_other *f = ctx;
    const enum pc_status status = stat_lookup(f->wires, name, out, capacity, count, is_signed, err);

    for (size_t i = 0; status == PC_OK && i < *count && i < capacity; i++)
        if (f->clock == CLI_NO_CLOCK && f->other[out[i]] != CLI_NO_CLOCK) {
            f->clock = f->other[out[i]];
            snprintf(f->name, sizeof f->name, "%s", name);
        }
    return status;
}

static const char *name_of(const struct pc_wave *wave, size_t var)
{
    struct pc_wave_var v;

    return pc_wave_get_var(wave, var, &v) == PC_OK ? v.name : "";
}

/* The n-th of the events and `more`, NULL after the last; a repeated one is told of once. */
static const struct stat_event *event_at(const struct stat_job *j, const struct stat_event *more,
                                         size_t n)
{
    return n < j->events ? &j->event[n] : n == j->events ? more : NULL;
}

static bool is_repeated(const struct stat_job *j, size_t n)
{
    return n < j->events && j->event[n].origin != n;
}

static void note_other(const struct stat_event *e, const struct find_other *f,
                       const struct pc_wave_clock *clock)
{
    const char *own = name_of(f->wires->wave, clock->clock.var);
    const char *other = name_of(f->wires->wave, f->clock);
    char what[300] = "";

    if (strcmp(e->name, f->name) != 0)
        snprintf(what, sizeof what, "%s: ", e->name);
    cli_note(342,
             "%s%s changes with %s, but is counted by %s: a value that lasts for several edges of "
             "%s is counted at each, and one between two edges is missed",
             what, f->name, other, own, own);
}

static void note_others(const struct stat_job *j, const struct stat_event *more,
                        struct stat_wires *wires, const struct pc_wave_clock *clock,
                        const size_t *other)
{
    const struct stat_event *event;
    size_t told = 0;

    for (size_t n = 0; (event = event_at(j, more, n)) != NULL; n++) {
        struct find_other f = { .wires = wires, .other = other, .clock = CLI_NO_CLOCK };
        struct pc_expr *e = NULL;
        if (!is_repeated(j, n) && pc_expr_parse(NULL, event->text, &e, NULL) == PC_OK) {
            pc_expr_values(e, pc_wave_find_value, wires->wave);
            (void)!pc_expr_resolve(e, look_up, &f, NULL); /* as it was before */
        }
        pc_expr_free(e);
        if (f.clock != CLI_NO_CLOCK && told++ < OTHERS_TOLD)
            note_other(event, &f, clock);
    }
    if (told > OTHERS_TOLD)
        cli_note(342, "so do the signals of %s more", cli_count(told - OTHERS_TOLD, "event"));
}

static void note_iff(const struct stat_job *j, const struct stat_event *more)
{
    const struct stat_event *event;

    for (size_t n = 0; (event = event_at(j, more, n)) != NULL; n++) {
        if (event->wire || !pc_expr_looks_back(event->expr))
            continue;
        cli_note(343,
                 "%s: rise, fall, edge and prev compare with the last counted cycle, and do not "
                 "see cycles that iff leaves out",
                 event->name);
        return;
    }
}

/* The signals of events; of those that are compared it is the bits that change. */
static bool find_signals(const struct stat_job *j, const struct stat_event *more,
                         struct stat_wires *wires)
{
    const struct stat_event *event;

    for (size_t n = 0; (event = event_at(j, more, n)) != NULL; n++) {
        struct pc_expr *e = NULL;
        bool ok = pc_expr_parse(NULL, event->text, &e, NULL) == PC_OK;
        if (ok)
            pc_expr_values(e, pc_wave_find_value, wires->wave);
        ok = ok && (pc_expr_resolve(e, stat_lookup, wires, NULL) == PC_OK || event->wire);
        pc_expr_free(e);
        if (!ok)
            return false;
    }
    return true;
}

void stat_note_events(const struct stat_job *j, const struct stat_event *more,
                      struct stat_wires *counted, const struct pc_wave_clock *clock)
{
    struct stat_wires bits = { .wave = counted->wave, .binds = counted->binds };
    struct stat_wires *wires = counted->given ? &bits : counted;
    const struct pc_wave_desc desc = cli_wave_desc(&j->o->read, j->path);

    if (cli_quiet || !cli_ranks_first() || !event_at(j, more, 0))
        return;
    if (clock->has_iff)
        note_iff(j, more);
    const bool found = !counted->given || find_signals(j, more, &bits);
    size_t *other = calloc(wires->count + 1, sizeof *other);
    if (found && other &&
        cli_other_clocks(wires->wave, &desc, clock, wires->bit, wires->count, other))
        note_others(j, more, wires, clock, other);
    free(other);
    stat_free_wires(&bits);
}

/* A signal of the waveform that is called as resets are; `low`: it is 0 during reset. */
static const char *find_reset(const struct pc_wave *wave, bool *low)
{
    static const char *const names[] = {
        "rst_n", "rst_ni",  "rstn", "resetn", "reset_n", "nreset",
        "nrst",  "aresetn", "rst",  "rst_i",  "reset",   "reset_i"
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct pc_wave_bit bit;
        size_t count;
        if (pc_wave_find_bits(wave, names[i], &bit, 1, &count, NULL) != PC_OK || count != 1)
            continue;
        *low = strchr(names[i], 'n') != NULL;
        return names[i];
    }
    return NULL;
}

void stat_note_tainted(const struct stat_job *j, const struct pc_wave *wave,
                       const struct pc_wave_clock *clock, const char *name, uint64_t cycles)
{
    bool low = false;
    const char *reset = clock->has_iff ? NULL : find_reset(wave, &low);
    char help[200] = "";

    if (reset)
        snprintf(help, sizeof help, "; cycles of a reset are left out by --clock '%.100s iff %s%s'",
                 j->clock, low ? "" : "!", reset);
    else if (!clock->has_iff)
        snprintf(help, sizeof help,
                 "; if these are cycles of a reset, --clock '%.100s iff SIGNAL' leaves them out",
                 j->clock);
    cli_note(341,
             "%s is tainted: in %s the result depends on unknown values (x, z), which were taken "
             "as 0%s",
             name, cli_count(cycles, "cycle"), help);
}
