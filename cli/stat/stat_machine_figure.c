/* SPDX-License-Identifier: MIT */
/*
 * The results of a state machine as figures with names: rows of CSV, and words of formulas.
 *
 * An unknown value may be any state.  The bounds of a figure are known nevertheless: an unknown
 * cycle is a cycle of the state or not, a stretch of them may join two stays, or have visits of its
 * own.
 */
#include "stat_machine.h"
#include "wave/share.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- one figure --- */

enum what { VISITS, CYCLES, SHARE, LEAVES, SHORTEST, MEAN, LONGEST, OF_STATE, MOVE };
static const struct {
    const char *name, *unit;
} figures[] = {
    [VISITS] = { "visits", "count" },      [CYCLES] = { "cycles", "cycles" },
    [SHARE] = { "share", "ratio" },        [LEAVES] = { "transitions", "count" },
    [SHORTEST] = { "stay.min", "cycles" }, [MEAN] = { "stay.mean", "cycles" },
    [LONGEST] = { "stay.max", "cycles" },
};

static void set_count(struct stat_figure *f, uint64_t value)
{
    snprintf(f->text, sizeof f->text, "%" PRIu64, value);
    f->number = (double)value;
    f->known = true;
}

static void set_number(struct stat_figure *f, double value)
{
    snprintf(f->text, sizeof f->text, "%.15g", value);
    f->number = value;
    f->known = true;
}

static void set_bounds(struct stat_figure *f, const struct stat_machine *k, double least,
                       double most)
{
    f->bounded = f->sure = k->f.unknown > 0 && !k->part;
    f->bound = (struct pc_bound){ least, most };
}

/* A number of transitions: each stretch of unknown cycles may have one more than it has cycles. */
static void set_transitions(struct stat_figure *f, const struct stat_machine *k, uint64_t count)
{
    set_count(f, count);
    set_bounds(f, k, (double)count, (double)(count + k->f.unknown + k->f.unknown_runs));
}

static double share_of(const struct stat_machine *k, uint64_t cycles)
{
    return (double)cycles / (double)k->f.cycles;
}

static void set_figure(struct stat_figure *f, const struct stat_machine *k, enum what what,
                       const struct pc_states_state *s)
{
    const uint64_t unknown = k->f.unknown, runs = k->f.unknown_runs;
    const bool stays = s->visits > 0 && !k->part;

    f->unit = figures[what].unit;
    switch (what) {
    case VISITS:
        set_count(f, s->visits);
        set_bounds(f, k, s->visits > runs ? (double)(s->visits - runs) : s->visits > 0,
                   (double)(s->visits + unknown));
        break;
    case CYCLES:
        set_count(f, s->cycles);
        set_bounds(f, k, (double)s->cycles, (double)(s->cycles + unknown));
        break;
    case SHARE:
        if (k->f.cycles > 0) {
            set_number(f, share_of(k, s->cycles));
            set_bounds(f, k, f->number, share_of(k, s->cycles + unknown));
        }
        break;
    case LEAVES:
        set_transitions(f, k, s->leaves);
        break;
    case MEAN:
        if (stays)
            set_number(f, (double)s->cycles / (double)s->visits);
        break;
    default:
        if (stays)
            set_count(f, what == SHORTEST ? s->shortest : s->longest);
    }
}

/* --- all of them --- */

enum { SAMPLES, UNKNOWN, TRANSITIONS, STATES, OF_ALL };

static void figure_of_all(const struct stat_machine *k, size_t i, struct stat_figure *out)
{
    static const char *const names[] = { "samples", "unknown", "transitions", "states" };
    const size_t there = k->there;

    snprintf(out->name, sizeof out->name, "%s", names[i]);
    out->unit = "count";
    if (i == TRANSITIONS)
        set_transitions(out, k, k->f.transitions);
    else
        set_count(out, i == SAMPLES ? k->f.cycles : i == UNKNOWN ? k->f.unknown : there);
    if (i != TRANSITIONS)
        set_bounds(out, k, out->number, out->number + (i == STATES ? (double)k->f.unknown : 0));
}

static void figure_of_state(const struct stat_machine *k, const struct stat_node *row,
                            enum what what, struct stat_figure *out)
{
    snprintf(out->name, sizeof out->name, "%s.%s", stat_state_text(row), figures[what].name);
    set_figure(out, k, what, &row->f);
}

bool stat_machine_figure(const struct stat_measure *m, size_t i, struct stat_figure *out)
{
    const struct stat_machine *k = m->machine;

    if (i < OF_ALL) {
        figure_of_all(k, i, out);
        return true;
    }
    i -= OF_ALL;
    if (i < k->there * OF_STATE) {
        figure_of_state(k, &k->row[k->order[i / OF_STATE]], (enum what)(i % OF_STATE), out);
        return true;
    }
    i -= k->there * OF_STATE;
    if (i < k->rows - k->there) {
        figure_of_state(k, &k->row[k->order[k->there + i]], VISITS, out);
        return true;
    }
    i -= k->rows - k->there;
    if (i >= k->moves)
        return false;
    const struct stat_move *move = &k->move[i];
    snprintf(out->name, sizeof out->name, "%s.%s.transitions", stat_state_text(&k->row[move->from]),
             stat_state_text(&k->row[move->to]));
    out->unit = "count";
    set_transitions(out, k, move->count);
    return true;
}

/* --- in formulas --- */

/* A name that the machine has, or a number that fits into it. */
static bool find_value(const struct stat_machine *k, const char *text, size_t size, uint64_t *out)
{
    const unsigned bits = k->is_signed ? k->width - 1 : k->width;
    uint64_t n = 0;

    for (size_t i = 0; i < k->names; i++)
        if (strlen(k->name[i].text) == size && memcmp(k->name[i].text, text, size) == 0) {
            *out = k->name[i].value;
            return true;
        }
    for (size_t i = 0; i < size; i++)
        if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, text[i] - '0', &n))
            return false;
    *out = n;
    return size > 0 && (bits == 64 || n >> bits == 0);
}

/* Characters of the name before ".visits", and which figure that is; 0: it is none. */
static size_t before_figure(const char *name, enum what *what)
{
    const size_t n = strlen(name);

    for (*what = VISITS; *what < OF_STATE; (*what)++) {
        const size_t end = strlen(figures[*what].name);
        if (n > end + 1 && name[n - end - 1] == '.' &&
            strcmp(name + n - end, figures[*what].name) == 0)
            return n - end - 1;
    }
    return 0;
}

bool stat_machine_find(const struct stat_measure *m, const char *name, struct stat_wanted *out)
{
    const struct stat_machine *k = m->machine;
    enum what what;
    const size_t n = before_figure(name, &what);

    if (n == 0)
        return false;
    out->what = what;
    if (find_value(k, name, n, &out->value[0]))
        return true;
    for (size_t dot = 1; what == LEAVES && dot + 1 < n; dot++) {
        if (name[dot] != '.' || !find_value(k, name, dot, &out->value[0]) ||
            !find_value(k, name + dot + 1, n - dot - 1, &out->value[1]))
            continue;
        out->what = MOVE;
        return true;
    }
    return false;
}

void stat_machine_figure_of(const struct stat_measure *m, const struct stat_wanted *wanted,
                            struct stat_figure *out)
{
    static const struct pc_states_state never = { .visits = 0 };
    const struct stat_machine *k = m->machine;
    const struct stat_node *row = stat_machine_row(k, wanted->value[0]);

    *out = (struct stat_figure){ .known = false };
    if (wanted->what != MOVE) {
        set_figure(out, k, (enum what)wanted->what, row ? &row->f : &never);
        return;
    }
    const struct stat_node *to = stat_machine_row(k, wanted->value[1]);
    uint64_t count = 0;
    for (size_t i = 0; row && to && i < k->moves; i++)
        if (&k->row[k->move[i].from] == row && &k->row[k->move[i].to] == to)
            count = k->move[i].count;
    out->unit = "count";
    set_transitions(out, k, count);
}

int stat_machine_no_figure(const struct stat_measures *all, const struct cli_place *place,
                           const char *name)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct stat_measure *m = &all->item[i];
        const size_t n = strlen(m->name);
        char hint[200] = "", near[100] = "";
        enum what what;
        if (m->kind != STAT_STATES || strncmp(name, m->name, n) != 0 || name[n] != '.')
            continue;
        const size_t size = before_figure(name + n + 1, &what);
        if (size == 0)
            continue;
        const char **names = calloc(m->machine->names + 1, sizeof *names);
        char *state = cli_copy(name + n + 1, size);
        for (size_t s = 0; names && s < m->machine->names; s++)
            names[s] = m->machine->name[s].text;
        if (names && state)
            cli_near(state, names, near, sizeof near);
        if (near[0])
            snprintf(hint, sizeof hint, "did you mean %s?", near);
        else if (m->machine->names == 0)
            snprintf(hint, sizeof hint,
                     "no names of states are known: write numbers, or give --names FILE");
        const int code = cli_error_at(1807, place, 1, hint[0] ? hint : NULL,
                                      "%.80s has no state \"%.80s\"", m->name, state ? state : "");
        free(names);
        free(state);
        return code;
    }
    return CLI_OK;
}

/* --- shares --- */

int stat_machine_shares(const struct stat_measures *all, const struct stat_options *o,
                        struct pc_metrics **out)
{
    struct cli_shares s = { .count = 0 };
    int code = CLI_OK;

    for (size_t i = 0; i < all->count && code == CLI_OK; i++) {
        const struct stat_measure *m = &all->item[i];
        if (!strchr(m->text, '*') &&
            (m->kind == STAT_STATES || (m->kind == STAT_LEVEL && m->capacity > 0)))
            code = cli_share_of(&s, m->name, m->kind == STAT_LEVEL);
    }
    for (size_t i = 0; i < o->metric_options.texts && code == CLI_OK; i++)
        code = cli_share_words(&s, o->metric_options.said[i].text);
    for (size_t i = 0; i < o->expect.texts && code == CLI_OK; i++)
        code = cli_share_words(&s, o->expect.said[i].text);
    const int ended = cli_shares_end(&s, out);
    return code ? code : ended;
}
