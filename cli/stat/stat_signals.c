/* SPDX-License-Identifier: MIT */
/* Names to wires: those of events, in the waveform or in a bound domain, and those of the clock. */
#include "stat_filter.h"
#include "text/chars.h"
#include "wave/wave_bits.h"

#include <stdlib.h>
#include <string.h>

/* The waveform does not have the name, as *err says: a signal of a bound domain? */
static enum pc_status lookup_bound(struct stat_wires *w, const char *name, uint32_t *out,
                                   size_t *count, struct pc_error *err)
{
    struct pc_wave_bit bit;
    enum pc_status status = stat_bind_find(w->binds, name, &bit, err);

    if (status)
        return status;
    *count = 1;
    return stat_add_wire(w, bit, out) ? PC_OK : cli_no_memory_of(err, name);
}

enum pc_status stat_lookup(void *wires, const char *name, uint32_t *out, size_t capacity,
                           size_t *count, bool *is_signed, struct pc_error *err)
{
    struct stat_wires *w = wires;
    struct pc_wave_bit *bit = malloc((capacity + 1) * sizeof *bit); /* few of them are used */

    if (!bit)
        return cli_no_memory_of(err, name);
    enum pc_status status = w->described
                                ? stat_described_find(w, name, out, capacity, count, is_signed, err)
                                : PC_ENOENT;
    if (status != PC_ENOENT) {
        free(bit);
        return status;
    }
    status = stat_find_bits(w->wave, name, bit, capacity, count, err);
    if (status == PC_ENOENT && w->binds->count > 0) {
        status = lookup_bound(w, name, out, count, err);
    } else if (status == PC_OK) {
        for (size_t i = 0; i < *count && i < capacity && status == PC_OK; i++)
            if (!stat_add_wire(w, bit[i], &out[i]))
                status = cli_no_memory_of(err, name);
        *is_signed = pc_wave_is_signed(w->wave, name);
    }
    free(bit);
    return status;
}

/* A signal of one bit; the clock, or its condition. */
static int find_bit(struct pc_wave *wave, const char *name, const struct cli_place *place,
                    bool is_clock, struct pc_wave_bit *out)
{
    struct pc_error err;
    size_t count;

    if (stat_find_bits(wave, name, out, 1, &count, &err)) {
        if (is_clock)
            cli_near_clock(name, &err);
        err.line = 1;
        err.column = 1;
        return cli_library_error_at(&err, place);
    }
    if (count > 1)
        return cli_error_at(306, place, 1, "name one bit of it",
                            "\"%s\" has %zu bits where one is needed", name, count);
    return CLI_OK;
}

static int find_period(const struct pc_wave *wave, const char *text, const struct cli_place *place,
                       struct pc_wave_clock *out)
{
    struct pc_error err;

    return pc_wave_parse_period(wave, text, strlen(text), out, &err)
               ? cli_library_error_at(&err, place)
               : CLI_OK;
}

/* Is the condition an expression, and no signal's name, whatever characters that has? */
static bool is_expression(const struct pc_wave *wave, const struct stat_clock *c,
                          enum stat_names names)
{
    struct pc_wave_bit bit;
    size_t count;

    if (c->more || names == STAT_IN_SCOPE)
        return true;
    return (names == STAT_DESCRIBED ||
            strpbrk(c->condition + (c->condition[0] == '!'), "!&|^~=<>?(){}")) &&
           stat_find_bits(wave, c->iff, &bit, 1, &count, NULL) == PC_ENOENT;
}

/* A signal is the reader's, an expression a filter's. */
static int find_condition(struct pc_wave *wave, const struct stat_clock *c, struct cli_place *place,
                          enum stat_names names, struct pc_wave_clock *out,
                          struct stat_filter **filter)
{
    if (is_expression(wave, c, names)) {
        place->offset = c->condition_offset;
        return stat_filter_make(place, c->condition, filter);
    }
    place->offset = c->iff_offset;
    return find_bit(wave, c->iff, place, false, &out->iff);
}

int stat_find_clock(struct pc_wave *wave, const char *label, const char *text,
                    enum stat_names names, struct pc_wave_clock *out, struct stat_filter **filter)
{
    struct cli_place place = { label, text, 0 };
    struct stat_clock c;
    int code = stat_parse_clock(label, text, &c);

    *out = (struct pc_wave_clock){ .edge = c.edge, .has_iff = c.has_iff, .iff_low = c.iff_low };
    place.offset = c.clock_offset;
    if (code == CLI_OK && c.edge == PC_EDGE_PERIOD)
        code = find_period(wave, c.clock, &place, out);
    else if (code == CLI_OK && c.clock)
        code = find_bit(wave, c.clock, &place, true, &out->clock);
    if (code == CLI_OK && c.iff)
        code = find_condition(wave, &c, &place, names, out, filter);
    stat_free_clock(&c);
    return code;
}

struct names {
    struct stat_wires *wires;
    size_t count;
};

static enum pc_status look_up_name(void *names, const char *name, uint32_t *out, size_t capacity,
                                   size_t *count, bool *is_signed, struct pc_error *err)
{
    struct names *n = names;

    n->count++;
    return stat_lookup(n->wires, name, out, capacity, count, is_signed, err);
}

/* Logic analysers have channels called 0, 1, ...: in an event without a signal they are meant. */
static void note_number(const char *text, const struct pc_wave *wave)
{
    while (*text != '\0') {
        char number[24];
        size_t n = 0, var;
        uint32_t hi, lo;

        while (cli_is_digit(text[n]))
            n++;
        if (n > 0 && n < sizeof number) {
            snprintf(number, sizeof number, "%.*s", (int)n, text);
            if (pc_wave_find(wave, number, &var, &hi, &lo, NULL) == PC_OK) {
                cli_note(302,
                         "%s is a number here; the signal of that name is written \\%s, with a "
                         "blank after it",
                         number, number);
                return;
            }
        }
        text += n ? n : 1;
    }
}

/* Who writes what cannot come true means another signal, or one that the writer cut short. */
static void note_decided(const struct stat_event *e)
{
    struct pc_expr_comparison c;

    if (pc_expr_decided(e->expr, &c))
        cli_note(304, "%s: %.*s is %d in every cycle: the signal has %s, and the comparison is %s",
                 e->name, (int)(c.end - c.begin), e->text + c.begin, c.value,
                 cli_count(c.width, "bit"), c.is_signed ? "signed" : "unsigned");
    if (pc_expr_mixed(e->expr, &c))
        cli_note(340,
                 "%s: in %.*s one side is unsigned, so the other is also taken as unsigned, and a "
                 "number below 0 as a large one: write $signed(x) for a signal, and 10, not 'd10 "
                 "or 0xa, for a number",
                 e->name, (int)(c.end - c.begin), e->text + c.begin);
}

/* Who writes "valid = 1" for a comparison has counted 1, in every cycle, by the name of the signal.
 */
static void note_name(const struct stat_event *e, const struct pc_wave *wave)
{
    size_t var;
    uint32_t hi, lo;

    if (strstr(e->text, e->name))
        return;
    const enum pc_status status = pc_wave_find(wave, e->name, &var, &hi, &lo, NULL);
    if (status == PC_OK || status == PC_EAMBIG)
        cli_note(
            305,
            "%s is a signal, and here the name of an event that counts %s and does not look at "
            "it: equality is written ==",
            e->name, e->text);
}

/* A formula's word that is neither event nor signal may be another metric. */
static void hint_of_metric(const struct cli_metrics *m, const char *text, struct pc_error *err)
{
    for (size_t i = 0; i < m->count && err->code == 520; i++)
        if (strcmp(m->metric[i].info.name, text) == 0)
            snprintf(err->hint, sizeof err->hint,
                     "%.60s is a metric: formulas are of events and signals; write its formula "
                     "in parentheses",
                     text);
}

/* An event that is an event variable and nothing else counts its triggers; a chip's counter counts
 * cycles. */
static int count_triggers(struct stat_event *e, struct stat_wires *wires)
{
    const uint32_t wire = pc_expr_signal(e->expr);
    struct pc_wave_var info;

    if (wire == PC_NO_WIRE || pc_wave_get_var(wires->wave, wires->bit[wire].var, &info) ||
        info.kind != PC_VAR_EVENT)
        return CLI_OK;
    const size_t var = wires->bit[wire].var;
    e->wire = calloc(32, sizeof *e->wire);
    if (!e->wire)
        return cli_no_memory();
    for (e->bits = 0; e->bits < 32; e->bits++)
        if (!stat_add_wire(wires, (struct pc_wave_bit){ var, PC_WAVE_TRIGGERS + e->bits },
                           &e->wire[e->bits]))
            return cli_no_memory();
    return CLI_OK;
}

void stat_add_last_triggers(struct stat_job *j, const struct stat_wires *wires, unsigned stream)
{
    for (size_t n = 0; n < j->events; n++) {
        struct stat_event *e = &j->event[n];
        const uint32_t left = e->wire ? pc_wave_triggers_left(wires->wave, stream, e->wire[0]) : 0;
        if (left == 0)
            continue;
        if (!j->filter)
            e->popcount += left;
        cli_note(347, "%s: %s after the last edge of the clock: %s", e->name,
                 cli_count(left, "trigger"),
                 j->filter ? "not counted, because it is not known if the clock's condition holds"
                           : "also counted");
    }
}

int stat_compile_event(const struct stat_job *j, struct stat_event *e, struct stat_wires *wires)
{
    struct names names = { wires, 0 };
    const size_t given = wires->given;
    struct pc_error err;
    const int code = stat_described_sum(wires, e);

    if (code || e->wire)
        return code;
    if (pc_expr_parse(NULL, e->text, &e->expr, &err))
        return cli_library_error_at(&err, &e->place);
    if (stat_resolve(e->expr, look_up_name, &names, wires, &err)) {
        hint_of_metric(&j->metrics, e->text, &err);
        return cli_library_error_at(&err, &e->place);
    }
    if (names.count == 0 && wires->given == given)
        note_number(e->text, wires->wave);
    if (e->origin == (size_t)(e - j->event)) {
        note_decided(e);
        note_name(e, wires->wave);
    }
    return j->chip ? CLI_OK : count_triggers(e, wires);
}
