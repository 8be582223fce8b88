/* SPDX-License-Identifier: MIT */
/* The signals of the buses as planes of a stream each clock, and the waveform once through. */
#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

#include "wave/wave_bits.h"

/* ---- names to wires ---- */

/* Where a name stands, for errors. */
struct name {
    const struct bus_run *run;
    const struct bus_item *item;
    const char *role, *text;
    struct bus_place place;
};

static int wrong_name(const struct name *n, struct pc_error *err)
{
    const struct bus_options *o = n->run->o;
    struct pc_error told = *err;

    cli_fail(&told, err->code, "%s, %s: %s", n->item->name, n->role, err->text);
    memcpy(told.hint, err->hint, sizeof told.hint);
    *err = told;
    err->line = n->place.line;
    err->column = n->place.column;
    return cli_error(err, cli_input_name(o->map ? o->map : o->file), NULL);
}

int bus_wrong_name(const struct bus_run *run, const struct bus_item *item, const char *role,
                   struct bus_place place, struct pc_error *err)
{
    const struct name n = { run, item, role, "", place };

    return wrong_name(&n, err);
}

static const char *without_mark(const char *name, bool *inverted)
{
    *inverted = *name == '!' || *name == '~';
    return name + *inverted;
}

/* Adds the bits of the name to the stream; an exit code. */
static int add_bits(struct bus_stream *s, const struct name *n, size_t *count, bool *inverted)
{
    const char *name = without_mark(n->text, inverted);
    struct pc_error err;
    void *array = s->bit;

    if (cli_find_bits(n->run->wave, name, NULL, 0, count, 1835, &err))
        return wrong_name(n, &err);
    if (!cli_grow(&array, &s->capacity, s->bits + *count, sizeof *s->bit))
        return cli_no_memory();
    s->bit = array;
    if (cli_find_bits(n->run->wave, name, s->bit + s->bits, *count, count, 1835, &err))
        return wrong_name(n, &err);
    s->bits += *count;
    return CLI_OK;
}

/* ---- streams ---- */

static int stream_of(struct bus_run *run, struct bus_item *item)
{
    const struct name n = { run, item, "clock", item->clock, item->of_clock };
    struct bus_stream clock = { .clock = { .edge = PC_EDGE_POS } };
    struct pc_wave_var var;
    bool inverted;
    size_t count;
    void *array = run->stream;
    int code = add_bits(&clock, &n, &count, &inverted);
    const struct pc_wave_bit bit = code == CLI_OK ? clock.bit[0] : (struct pc_wave_bit){ 0, 0 };

    free(clock.bit);
    if (code)
        return code;
    if (count != 1) {
        struct pc_error err;
        cli_fail(&err, 1833, "a clock is one bit, and %s has %zu", item->clock, count);
        return wrong_name(&n, &err);
    }
    clock = (struct bus_stream){ .clock = { .edge = inverted ? PC_EDGE_NEG : PC_EDGE_POS,
                                            .clock = bit } };
    clock.code = pc_wave_get_var(run->wave, bit.var, &var) == PC_OK ? var.code : 0;
    for (item->stream = 0; item->stream < run->streams; item->stream++) {
        const struct bus_stream *s = &run->stream[item->stream];
        if (s->code == clock.code && s->clock.clock.bit == bit.bit &&
            s->clock.edge == clock.clock.edge)
            return CLI_OK;
    }
    if (!cli_grow(&array, &run->stream_capacity, run->streams + 1, sizeof *run->stream))
        return cli_no_memory();
    run->stream = array;
    run->stream[run->streams++] = clock;
    return CLI_OK;
}

/* ---- monitors ---- */

/* The planes of a role, or its width alone. */
static int take_role(struct bus_run *run, struct bus_item *item, size_t i,
                     const struct pc_bus_role *role, struct pc_bus_wires *out)
{
    struct bus_stream *s = &run->stream[item->stream];
    const struct name n = { run, item, role->name, item->role[i], item->of_role[i] };
    const size_t first = s->bits;
    size_t count;
    int code = add_bits(s, &n, &count, &out->inverted);

    if (code)
        return code;
    out->width = (uint32_t)count;
    if (role->use != PC_BUS_FOR_FIGURES && (!run->o->payload || role->use == PC_BUS_FOR_NOTHING)) {
        s->bits = first;
        return CLI_OK;
    }
    uint32_t *wire = calloc(count + 1, sizeof *wire);
    for (size_t k = 0; wire && k < count; k++)
        wire[k] = (uint32_t)(first + k);
    out->wire = wire;
    return wire ? CLI_OK : cli_no_memory();
}

static int take_reset(struct bus_run *run, struct bus_item *item, struct pc_bus_desc *desc)
{
    struct bus_stream *s = &run->stream[item->stream];
    const struct name n = { run, item, "reset", item->reset, item->of_reset };
    bool inverted;
    size_t count;

    desc->has_reset = true;
    desc->reset = (uint32_t)s->bits;
    int code = add_bits(s, &n, &count, &inverted);
    desc->reset_low = item->reset_low != inverted;
    if (code == CLI_OK && count != 1) {
        struct pc_error err;
        cli_fail(&err, 1833, "a reset is one bit, and %s has %zu", item->reset, count);
        code = wrong_name(&n, &err);
    }
    return code;
}

/* False: it failed. */
static bool make_other(struct bus_item *item, const struct pc_bus_desc *desc, struct pc_error *err)
{
    struct pc_bus_desc other = *desc;

    other.protocol = bus_pair_other(item);
    other.most_open = 2; /* more is not of that kind */
    return !other.protocol || pc_bus_create(&other, &item->other, err) == PC_OK;
}

static int make_monitor(struct bus_run *run, struct bus_item *item)
{
    struct pc_bus_desc desc = { .protocol = item->protocol, .credit_init = item->credit_init };
    struct pc_bus_role role;
    struct pc_error err;
    int code = item->reset ? take_reset(run, item, &desc) : CLI_OK;

    for (size_t i = 0; code == CLI_OK && pc_bus_role_at(item->protocol, i, &role); i++)
        if (item->role[i])
            code = item->own && role.most == 1 ? bus_own_take(run, item, i, &desc.role[i])
                                               : take_role(run, item, i, &role, &desc.role[i]);
    if (code == CLI_OK)
        code = bus_own_check(run, item);
    if (code == CLI_OK &&
        (pc_bus_create(&desc, &item->bus, &err) || !make_other(item, &desc, &err))) {
        const struct name n = { run, item, pc_bus_protocol_name(item->protocol), "", item->place };
        code = wrong_name(&n, &err);
    }
    for (size_t i = 0; i < PC_BUS_ROLES; i++)
        free((void *)(uintptr_t)desc.role[i].wire);
    return code;
}

int bus_bind(struct bus_run *run)
{
    struct pc_error err;
    size_t measured = 0, unsure = 0;
    int code = CLI_OK;

    for (size_t i = 0; i < run->items && code == CLI_OK; i++) {
        struct bus_item *item = &run->item[i];
        if (item->no_clock) {
            cli_warning(512, "%s: %s has no clock in its scope or above: it is not measured",
                        cli_input_name(run->o->file), item->name);
            continue;
        }
        unsure += bus_is_unsure(item);
        if (bus_is_unsure(item))
            continue;
        measured++;
        code = stream_of(run, item);
        if (code == CLI_OK)
            code = make_monitor(run, item);
    }
    if (code == CLI_OK && measured + unsure == 0) {
        cli_fail(&err, 1836, "no bus has a clock in its scope or above");
        return cli_error(&err, cli_input_name(run->o->file), NULL);
    }
    for (size_t i = 0; i < run->streams && code == CLI_OK; i++) {
        struct bus_stream *s = &run->stream[i];
        s->window = run->o->window;
        s->end = run->origin + run->step;
        s->clock.times = true;
        code = cli_window_begin(&s->window, &run->info, cli_input_name(run->o->file), &s->clock,
                                run->o->window.from.text || run->o->window.to.text);
        if (code)
            break;
        if (pc_wave_bind(run->wave, &s->clock, s->bit, s->bits, &s->stream, &err))
            code = cli_error(&err, cli_input_name(run->o->file), NULL);
    }
    return code;
}

/* ---- reading ---- */

static int add_block(struct bus_run *run, const struct pc_wave_block *block, uint64_t *cycles)
{
    struct bus_stream *s = &run->stream[block->stream];

    if (block->cycles == 0)
        return CLI_OK;
    cli_window_look(&s->window, block);
    if (!s->any)
        s->first_time = block->first_time;
    s->any = true;
    s->last_time = block->last_time;
    if (s->window.timed) {
        s->first_time = s->window.first_time;
        s->last_time = s->window.last_time;
    }
    *cycles += block->cycles;
    cli_progress_wave(run->progress, run->wave, *cycles);
    struct pc_wave_block whole = *block;
    return bus_own_block(s, &whole) ? bus_add_block(run, &whole) : cli_no_memory();
}

/* Percentiles of too many different values are not known; PC_ENOMEM. */
static enum pc_status look_at(const struct bus_run *run, const struct bus_item *item,
                              struct pc_dist *dist, const char *name, struct pc_error *err)
{
    struct pc_dist_figures f;
    const enum pc_status status = dist ? pc_dist_get_figures(dist, &f, err) : PC_OK;

    if (dist && status == PC_OK && !f.complete)
        cli_warning(504,
                    "%s: %s of %s has too many different values, so its percentiles are not known",
                    cli_input_name(run->o->file), name, item->name);
    return status;
}

/* All distributions once, so that later nothing can fail. */
static enum pc_status finish(const struct bus_run *run, struct bus_item *item, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    struct pc_bus_group g;
    uint64_t id;

    pc_bus_finish(item->bus);
    if (item->other)
        pc_bus_finish(item->other);
    bus_pair_choose(item);
    for (size_t i = 0; status == PC_OK && pc_bus_group_at(item->bus, i, &g) == PC_OK; i++) {
        for (unsigned d = 0; d < PC_BUS_DISTS && status == PC_OK; d++)
            status = look_at(run, item, g.dist[d], pc_bus_dist_name((enum pc_bus_dist)d), err);
        for (size_t k = 0; k < g.ids && status == PC_OK; k++)
            status = look_at(run, item, pc_bus_of_id(item->bus, i, k, &id), "an identifier", err);
    }
    return status;
}

/* Warns of a bus without cycles, which has no figures, and of a bus that is stuck. */
static void warn_of_none(const struct bus_run *run, const struct bus_item *item)
{
    const char *file = cli_input_name(run->o->file);
    struct pc_bus_edges e;
    struct pc_bus_end end;
    char text[BUS_NOTE];

    pc_bus_get_edges(item->bus, &e);
    pc_bus_get_end(item->bus, &end);
    if (e.edges == 0 && cli_window_given(&run->o->window))
        cli_warning(514, "%s: %s has no cycle: its clock %s has no edge in the window", file,
                    item->name, item->clock);
    else if (e.edges == 0)
        cli_warning(514, "%s: %s has no cycle: its clock %s has no edge", file, item->name,
                    item->clock);
    else if (e.cycles == 0)
        cli_warning(514, "%s: %s has no cycle: its reset %s is active, or unknown, at all of %s",
                    file, item->name, item->reset, cli_count(e.edges, "edge"));
    else if (end.stuck)
        cli_warning(516, "%s: %s is %s", file, item->name,
                    bus_stuck_text(&run->info, end.since_time,
                                   run->stream[item->stream].window.first + end.since, text));
}

/* Are all cycles of --to read? */
static bool is_over(const struct bus_run *run)
{
    for (size_t i = 0; i < run->streams; i++)
        if (!run->stream[i].window.ended)
            return false;
    return run->streams > 0;
}

int bus_measure(struct bus_run *run)
{
    struct pc_wave_block block;
    enum pc_status status;
    struct pc_error err;
    uint64_t cycles = 0;
    int code = CLI_OK;

    if (run->streams == 0) /* all are unsure */
        return CLI_OK;
    cli_progress_begin(run->progress);
    while (code == CLI_OK && !is_over(run) &&
           (status = pc_wave_next(run->wave, &block, &err)) != PC_END)
        code = status ? cli_error(&err, cli_input_name(run->o->file), NULL)
                      : add_block(run, &block, &cycles);
    cli_progress_end(run->progress);
    if (code == CLI_OK)
        code = bus_end_intervals(run);
    for (size_t i = 0; i < run->items && code == CLI_OK; i++)
        if (run->item[i].bus && finish(run, &run->item[i], &err))
            code = cli_error(&err, NULL, NULL);
    for (size_t i = 0; i < run->items && code == CLI_OK; i++)
        if (run->item[i].bus)
            warn_of_none(run, &run->item[i]);
    if (code == CLI_OK)
        cli_wave_warnings(run->wave, cli_input_name(run->o->file));
    return code;
}
