/* SPDX-License-Identifier: MIT */
/* The buses of a call: what the names of the waveform say, or a map; those that a pattern names. */
#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

#include "text/regs_text.h"
#include "wave/wave_bits.h"

struct bus_item *bus_add_item(struct bus_run *run)
{
    void *array = run->item;

    if (!cli_grow(&array, &run->capacity, run->items + 1, sizeof *run->item))
        return NULL;
    run->item = array;
    struct bus_item *item = &run->item[run->items++];
    *item = (struct bus_item){ .name = NULL };
    return item;
}

const char *bus_protocol_name(const struct bus_item *item)
{
    return item->own ? bus_own_name(item->own) : pc_bus_protocol_name(item->protocol);
}

void bus_free_item(struct bus_item *item)
{
    for (size_t i = 0; i < PC_BUS_ROLES; i++)
        free(item->role[i]);
    for (size_t i = 0; i < item->aliases; i++) {
        free(item->alias[i].name);
        free(item->alias[i].signal);
    }
    free(item->alias);
    free(item->name);
    free(item->snap);
    free(item->clock);
    free(item->reset);
    bus_free_proof(item);
    pc_bus_destroy(item->bus);
    pc_bus_destroy(item->other);
}

void bus_free_items(struct bus_run *run)
{
    for (size_t i = 0; i < run->items; i++)
        bus_free_item(&run->item[i]);
    for (size_t i = 0; i < run->streams; i++) {
        bus_own_close_stream(&run->stream[i]);
        free(run->stream[i].bit);
    }
    bus_own_close(run);
    if (run->copy)
        fclose(run->copy);
    free(run->item);
    free(run->stream);
}

/* ---- by names ---- */

/* Constants and numbers of a testbench are no signals of a bus. */
static bool may_be_of_bus(const struct pc_wave_var *v)
{
    static const char *const others[] = { "parameter", "integer", "int",     "shortint",
                                          "longint",   "time",    "natural", "positive" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(v->type, others[i]) == 0)
            return false;
    return v->kind == PC_VAR_BITS && v->width > 0;
}

static bool signals_of(const struct pc_wave *wave, struct bus_signals *out)
{
    struct cli_wave_vars vars;
    struct pc_wave_var v;
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    out->count = 0;
    out->signal = calloc(info.vars + 1, sizeof *out->signal);
    out->place = calloc(info.vars + 1, sizeof *out->place);
    cli_wave_vars_begin(&vars, wave);
    while (out->signal && out->place && cli_wave_vars_next(&vars, &v))
        if (may_be_of_bus(&v)) {
            out->place[out->count] = (struct bus_signal_place){ vars.first, vars.bits };
            out->signal[out->count++] =
                (struct pc_bus_signal){ v.name, v.width, v.msb, v.lsb, v.code };
        }
    return out->signal && out->place;
}

static bool copy(char **out, const char *text)
{
    *out = text ? strdup(text) : NULL;
    return *out || !text;
}

static bool add_found(struct bus_run *run, const struct pc_bus_found *found)
{
    struct bus_item *item = bus_add_item(run);
    bool done = item && copy(&item->name, found->name) && copy(&item->clock, found->clock) &&
                copy(&item->reset, found->reset) && bus_take_proof(item, found);

    for (size_t i = 0; done && i < PC_BUS_ROLES; i++)
        done = copy(&item->role[i], found->role[i]);
    if (!done)
        return false;
    item->protocol = found->protocol;
    item->reset_low = found->reset_low;
    item->no_clock = !found->clock;
    return true;
}

static int find_among(struct bus_run *run, const struct bus_signals *of)
{
    struct pc_bus_list *list = NULL;
    struct pc_bus_found found;
    struct pc_error err;
    bool done = true;

    if (pc_bus_find(NULL, of->signal, of->count, &list, &err))
        return cli_error(&err, NULL, NULL);
    int code = bus_prove(run, list, of);
    for (size_t i = 0; code == CLI_OK && done && pc_bus_list_at(list, i, &found) == PC_OK; i++)
        done = add_found(run, &found);
    pc_bus_list_destroy(list);
    return done ? code : cli_no_memory();
}

static int find_by_names(struct bus_run *run)
{
    struct bus_signals of = { .signal = NULL };
    const int code = signals_of(run->wave, &of) ? find_among(run, &of) : cli_no_memory();

    free(of.signal);
    free(of.place);
    return code;
}

/* ---- patterns ---- */

static void drop_others(struct bus_run *run)
{
    size_t kept = 0;

    for (size_t i = 0; i < run->items; i++) {
        if (cli_matches_one(run->o->glob, run->o->globs, run->item[i].name))
            run->item[kept++] = run->item[i];
        else
            bus_free_item(&run->item[i]);
    }
    run->items = kept;
}

/* Two of one name are told apart by numbers. */
static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct bus_item *)a)->name, ((const struct bus_item *)b)->name);
}

static int number_names(struct bus_run *run)
{
    for (size_t i = 0, first = 0; i < run->items; i++) {
        if (i == 0 || strcmp(run->item[i].name, run->item[first].name) != 0) {
            first = i;
            continue;
        }
        const size_t size = strlen(run->item[i].name) + 24;
        char *name = malloc(size);
        if (!name)
            return cli_no_memory();
        snprintf(name, size, "%s#%zu", run->item[i].name, i - first + 1);
        free(run->item[i].name);
        run->item[i].name = name;
    }
    return CLI_OK;
}

static int nothing_found(const struct bus_run *run)
{
    const char *file = cli_input_name(run->o->file);
    struct pc_error err;

    if (run->o->globs > 0) {
        cli_note(502, "%s: no bus matches \"%s\"", file, run->o->glob[0]);
        return CLI_NO;
    }
    cli_fail(&err, 1834, "no bus was found by the names of the signals");
    return cli_error(&err, file, NULL);
}

int bus_find_items(struct bus_run *run)
{
    int code = run->o->map ? bus_read_map(run) : find_by_names(run);

    if (code)
        return code;
    if (run->items > 0 && !run->o->map) {
        qsort(run->item, run->items, sizeof *run->item, by_name);
        code = number_names(run);
    }
    drop_others(run);
    return code == CLI_OK && run->items == 0 ? nothing_found(run) : code;
}
