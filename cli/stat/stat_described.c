/* SPDX-License-Identifier: MIT */
/*
 * stat --core FILE: names of a description beside those of the waveform; and values that are no
 * signal, `--value 'a - b'`.  Both are lets of a described core, which calculates their planes.
 * Each such plane has a wire of its own, whose bit in the stream is of no matter.
 *
 * After iff they are asked at each edge, and elsewhere at the edges that are left: prev() is that
 * of the edge before, or of the cycle before.  So they are calculated twice, by two cores.
 */
#include "stat_calculated.h"
#include "core/core.h"
#include "described/described.h"
#include "emit/emit.h"
#include "stat_core.h"
#include "stat_filter.h"
#include "wave/wave_bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct stat_described {
    struct described d;
    struct described_wires w;
    size_t lets;            /* of the file; those of --value follow */
    char *clock;            /* that of the description, as -c has it */
    bool own;               /* ... and no other one was given */
    struct pc_wave_bit any; /* of the clock */
    /* The calculated planes of cycles; those of all edges, for the condition of the clock. */
    struct stat_calculated of_cycles, of_edges, *now; /* now: whose the names are; NULL: none's */
    struct pc_core *edges;                            /* NULL: there is no such condition */
};

/* Returns the name of `--value` number n as a let. */
static char *name_of_value(size_t n)
{
    char name[40];

    return cli_copy(name, (size_t)snprintf(name, sizeof name, "--value %zu", n));
}

static int add_values(struct stat_job *j, struct stat_described *x)
{
    for (size_t i = 0; i < j->measures.count; i++) {
        const char *name, *text = stat_calculated_value(&j->measures, i);
        if (!text)
            continue;
        name = described_keep(&x->d, name_of_value(i));
        if (!name || !described_add_let(&x->d, name, text))
            return cli_no_memory();
    }
    return CLI_OK;
}

static bool has_calculated(const struct stat_measures *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (stat_calculated_value(m, i))
            return true;
    return false;
}

/* ---- the description of a core of CVA6 ---- */

/* In the scope of the waveform that has its ports; NULL, and an exit code in *code. */
static char *text_of_core(const struct stat_job *j, int *code)
{
    const struct core_options options = { .verb = "stat",
                                          .config = j->o->config,
                                          .profile = core_profile(j->o->profile),
                                          .path = j->path,
                                          .scope = j->o->scope,
                                          .inputs_only = true,
                                          .read = &j->o->read };
    struct emit_request r = { .config = j->o->config,
                              .profile = core_profile(j->o->profile),
                              .events_only = true };
    struct core c;
    char *text = NULL;
    size_t size;

    if (cli_read_once(j->path)) {
        *code = cli_usage(
            "stat", "with --core NAME and these options a waveform is read twice, and %s is not",
            cli_input_name(j->path));
        return NULL;
    }
    *code = core_open(&c, &options);
    if (*code == CLI_OK) {
        FILE *file = open_memstream(&text, &size);
        r.wave = c.wave;
        r.scope = c.scope;
        if (file)
            emit_core_events(&r, file);
        if (!file || !cli_collected(file, &text))
            *code = cli_no_memory();
    }
    core_close(&c);
    return text;
}

/* Each event also has its short name. */
static int add_short_names(struct described *d)
{
    for (size_t v = 0; v < d->desc.vectors; v++)
        for (size_t k = 1; k < d->vector[v].elements && k < PC_HPM_EVENTS; k++) {
            const char *name = d->vector[v].called ? d->vector[v].called[k] : NULL;
            if (name && strcmp(name, pc_hpm_event_at(k)->short_name) != 0 &&
                !described_add_let(d, pc_hpm_event_at(k)->short_name, name))
                return cli_no_memory();
        }
    return CLI_OK;
}

static int read_core(struct stat_job *j)
{
    int code;
    char *text = text_of_core(j, &code);

    if (code != CLI_OK) {
        free(text);
        return code;
    }
    code = described_read_text(&j->described->d, "stat", j->o->config->name, text);
    if (code == CLI_OK)
        code = add_short_names(&j->described->d);
    return code;
}

int stat_described_read(struct stat_job *j)
{
    if (!j->o->description && !has_calculated(&j->measures))
        return CLI_OK;
    j->described = calloc(1, sizeof *j->described);
    if (!j->described)
        return cli_no_memory();
    if (j->o->config)
        return read_core(j);
    return j->o->description ? described_read(&j->described->d, "stat", j->o->description) : CLI_OK;
}

const char *stat_described_core(const struct stat_job *j, const char **profile)
{
    const struct stat_described *x = j->o->description ? j->described : NULL;

    *profile = x ? x->d.profile : NULL;
    return x ? x->d.name : NULL;
}

enum stat_names stat_described_names(const struct stat_job *j)
{
    return !j->o->description ? STAT_SIGNALS : j->described->own ? STAT_IN_SCOPE : STAT_DESCRIBED;
}

int stat_described_clock(struct stat_job *j, struct pc_wave *wave)
{
    struct stat_described *x = j->described;

    if (!x || !j->o->description)
        return CLI_OK;
    const int code =
        described_map(&x->w, &x->d, wave, j->o->config ? NULL : j->o->scope, j->o->map);
    if (code || j->clock)
        return code;
    x->clock = described_clock_text(&x->w);
    if (!x->clock)
        return cli_no_memory();
    x->own = true;
    j->clock = x->clock;
    j->clock_label = "the clock of --core";
    return CLI_OK;
}

/* ---- names ---- */

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, int32_t *low, struct pc_error *err)
{
    struct stat_wires *w = ctx;
    struct pc_wave_bit *bit = calloc(PC_CORE_WIDTH, sizeof *bit);
    enum pc_status status =
        bit ? described_bits(&w->described->w, name, bit, PC_CORE_WIDTH, count, err) : PC_ENOMEM;

    for (size_t i = 0; status == PC_OK && i < *count && i < capacity && i < PC_CORE_WIDTH; i++)
        if (!stat_add_wire(w, bit[i], &wires[i]))
            status = PC_ENOMEM;
    if (status == PC_OK)
        *low = described_low(&w->described->w, bit, *count);
    free(bit);
    return status == PC_ENOMEM ? cli_no_memory_of(err, name) : status;
}

/* An error at a let of --value is about what the user wrote there. */
static int fail(const struct stat_job *j, const struct stat_described *x,
                const struct pc_core_place *place, struct pc_error *err)
{
    size_t n = x->lets;

    if (place->what != PC_CORE_LET || place->item < x->lets)
        return described_fail(&x->d, place, err);
    for (size_t i = 0; i < j->measures.count; i++)
        if (stat_calculated_value(&j->measures, i) && n++ == place->item)
            return cli_library_error_at(err, stat_value_place(&j->measures, i));
    return cli_error(err, NULL, NULL);
}

int stat_described_open(struct stat_job *j, struct stat_wires *wires,
                        const struct pc_wave_clock *clock)
{
    struct stat_described *x = j->described;
    struct pc_core_place place = { PC_CORE_NOWHERE, 0, 0 };
    struct pc_error err;

    if (!x)
        return CLI_OK;
    x->any = clock->clock;
    x->lets = x->d.desc.lets;
    int code = add_values(j, x);
    if (code)
        return code;
    if (described_prepare(&x->d, &place, &err))
        return fail(j, x, &place, &err);
    wires->described = x;
    code = j->o->description ? described_begin(&x->w) : CLI_OK;
    if (!j->o->description) {
        x->w = (struct described_wires){ .d = &x->d, .wave = wires->wave };
        pc_core_values(x->d.core, pc_wave_find_value, wires->wave);
    }
    if (code == CLI_OK && pc_core_resolve(x->d.core, look_up, wires, &place, &err))
        code = fail(j, x, &place, &err);
    x->of_cycles.core = x->d.core;
    x->now = &x->of_cycles;
    return code ? code : stat_described_events(j);
}

enum pc_status stat_described_find(struct stat_wires *w, const char *name, uint32_t *out,
                                   size_t capacity, size_t *count, bool *is_signed,
                                   struct pc_error *err)
{
    struct stat_described *x = w->described;
    enum pc_status status =
        x->now ? pc_core_find(x->now->core, name, out, capacity, count, is_signed, err) : PC_ENOENT;
    struct pc_error scoped;
    int32_t low;

    if (status == PC_OK)
        return *count <= capacity ? stat_calculated_wires(x->now, w, x->any, name, out, *count, err)
                                  : PC_OK;
    if (status != PC_ENOENT || !x->w.scope)
        return status;
    *is_signed = false;
    status = look_up(w, name, out, capacity, count, &low, &scoped);
    if (status && status != PC_ENOENT)
        *err = scoped;
    return status;
}

int stat_described_filter(struct stat_job *j, struct stat_wires *wires)
{
    struct stat_described *x = wires->described;
    struct pc_core_place place = { PC_CORE_NOWHERE, 0, 0 };
    struct pc_error err;

    if (!j->filter || !x || !j->o->description)
        return stat_filter_find(j->filter, wires);
    if (x->own) {
        x->now = NULL; /* signals alone, as in a description's reset */
        const int code = stat_filter_find(j->filter, wires);
        x->now = &x->of_cycles;
        return code;
    }
    if (pc_core_create(&x->d.desc, &x->edges, &place, &err) ||
        pc_core_resolve(x->edges, look_up, wires, &place, &err))
        return fail(j, x, &place, &err);
    x->of_edges.core = x->edges;
    x->now = &x->of_edges;
    const int code = stat_filter_find(j->filter, wires);
    x->now = &x->of_cycles;
    return code;
}

enum pc_status stat_described_value(struct stat_wires *w, size_t n, uint32_t *out, size_t capacity,
                                    size_t *count, bool *is_signed, struct pc_error *err)
{
    char *name = name_of_value(n);
    const enum pc_status status =
        name ? stat_described_find(w, name, out, capacity, count, is_signed, err)
             : cli_no_memory_of(err, "a value");

    free(name);
    return status;
}

/* ---- events that are numbers ---- */

enum { MOST_ADDED = 32 }; /* bits of a number: counts have 64 */

/* The expression of a let or an element with a name; NULL: it is none, as registers are none. */
static const char *event_of(const struct stat_described *x, const char *name)
{
    for (size_t i = 0; i < x->lets; i++)
        if (strcmp(x->d.let[i].name, name) == 0)
            return x->d.let[i].value;
    for (size_t i = 0; i < x->d.desc.vectors; i++)
        for (size_t k = 0; k < x->d.vector[i].elements; k++)
            if (x->d.vector[i].called && x->d.vector[i].called[k] &&
                strcmp(x->d.vector[i].called[k], name) == 0)
                return x->d.vector[i].element[k];
    return NULL;
}

/* Who joins the bits of two ports may mean how many of them are 1. */
static void note_joined(const struct stat_event *e, const char *value, size_t count)
{
    const size_t n = strlen(value);

    if (value[0] == '{' && value[n - 1] == '}' && !strchr(value, '\''))
        cli_note(346,
                 "%s is %s, a number of 0 to %" PRIu64
                 ", which is added in each cycle: countones(%s) adds how many of its bits are 1",
                 e->name, value, (UINT64_C(1) << count) - 1, value);
}

/* Why the name of the description is no event; NULL: it is one, of *count bits. */
static const char *why_no_event(const struct stat_described *x, const char *name, size_t *count)
{
    bool is_signed = false;

    if (pc_core_find(x->d.core, name, NULL, 0, count, &is_signed, NULL))
        return "is not in the description";
    return is_signed             ? "can be below 0, and a count cannot"
           : *count > MOST_ADDED ? "has more than 32 bits"
                                 : NULL;
}

int stat_described_sum(struct stat_wires *w, struct stat_event *e)
{
    const struct stat_described *x = w->described;
    struct pc_error err;
    size_t count = 0;
    bool is_signed;

    if (!x || pc_core_find(x->now->core, e->text, NULL, 0, &count, &is_signed, &err) ||
        count == 1 || !event_of(x, e->text))
        return CLI_OK;
    const char *why = why_no_event(x, e->text, &count);
    if (why)
        return cli_error_at(306, &e->place, 1, "--value has the sum and more of any number",
                            "%s %s", e->text, why);
    e->wire = calloc(count, sizeof *e->wire);
    if (!e->wire)
        return cli_no_memory();
    e->bits = (uint32_t)count;
    note_joined(e, event_of(x, e->text), count);
    return stat_described_find(w, e->text, e->wire, count, &count, &is_signed, &err)
               ? cli_library_error_at(&err, &e->place)
               : CLI_OK;
}

/* ---- -e all ---- */

static int add_event(struct stat_job *j, const char *name)
{
    struct stat_event *e;
    const int code = stat_add_event(j, &e);

    if (code)
        return code;
    e->place = (struct cli_place){ "-e all", name, 0 };
    e->group = j->groups++;
    e->name = cli_copy(name, strlen(name));
    e->text = cli_copy(name, strlen(name));
    return e->name && e->text ? CLI_OK : cli_no_memory();
}

/* Leaves out what is not an event, and says so. */
static int add_if_event(struct stat_job *j, const char *name)
{
    size_t count;
    const char *why = why_no_event(j->described, name, &count);

    if (!why)
        return add_event(j, name);
    cli_note(345, "-e all leaves out %s, which %s: --value counts it", name, why);
    return CLI_OK;
}

int stat_described_events(struct stat_job *j)
{
    struct stat_described *x = j->described;
    size_t all = 0;
    int code = CLI_OK;

    while (all < j->events && strcmp(j->event[all].text, "all") != 0)
        all++;
    if (!j->o->description || all == j->events)
        return CLI_OK;
    free(j->event[all].name);
    free(j->event[all].text);
    memmove(&j->event[all], &j->event[all + 1], (j->events - all - 1) * sizeof *j->event);
    j->events--;
    for (size_t i = 0; i < j->events; i++)
        j->event[i].origin = i;
    for (size_t i = 0; i < x->lets && code == CLI_OK && !j->o->config; i++)
        code = add_if_event(j, x->d.let[i].name);
    for (size_t i = 0; i < x->d.desc.vectors; i++)
        for (size_t k = 0; k < x->d.vector[i].elements && code == CLI_OK; k++)
            if (x->d.vector[i].called && x->d.vector[i].called[k])
                code = add_if_event(j, x->d.vector[i].called[k]);
    if (code == CLI_OK && j->events == 0)
        return cli_usage("stat", "%s names no events: lets, or elements of vectors with names",
                         x->d.name);
    return code;
}

/* ---- metrics ---- */

static bool is_named(const char *metric, const char *name)
{
    const size_t n = strlen(name);

    return strncmp(metric, name, n) == 0 && strncmp(metric + n, " = ", 3) == 0;
}

int stat_described_metrics(const struct stat_job *j, struct cli_metric_options *wanted)
{
    const struct described *d = j->described ? &j->described->d : NULL;
    int code = CLI_OK;

    if (!d || d->metrics == 0)
        return CLI_OK;
    for (size_t i = 0; i < wanted->texts; i++)
        for (size_t k = 0; k < d->metrics; k++)
            if (is_named(d->metric[k], wanted->said[i].text))
                wanted->said[i].text = d->metric[k];
    for (size_t k = 0; k < d->metrics && j->o->metric_options.texts == 0 && code == CLI_OK; k++)
        code = cli_metric_text(wanted, NULL, d->metric[k]);
    return code;
}

/* ---- planes ---- */

int stat_described_block(struct stat_job *j, const struct stat_wires *wires,
                         const struct pc_wave_block *block, struct pc_wave_block *out)
{
    return stat_calculated_block(&j->described->of_cycles, wires->count, block, out);
}

int stat_described_edges(struct stat_job *j, const struct stat_wires *wires,
                         const struct pc_wave_block *block, struct pc_wave_block *out)
{
    return stat_calculated_block(&j->described->of_edges, wires->count, block, out);
}

void stat_described_close(struct stat_job *j)
{
    struct stat_described *x = j->described;

    if (!x)
        return;
    described_drop(&x->w);
    described_close(&x->d);
    free(x->clock);
    stat_calculated_free(&x->of_cycles);
    stat_calculated_free(&x->of_edges);
    pc_core_destroy(x->edges);
    free(x);
    j->described = NULL;
}
