/* SPDX-License-Identifier: MIT */
/* The list of what was found, with its texts. */
#include "lang/bus/list.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

/* Offsets of texts plus 1, while these may still move; 0: there is none. */
struct offsets {
    size_t name, role[PC_BUS_ROLES], clock, reset, other, pair[2], alias, refused;
};

static size_t keep(struct pc_bus_list *list, const char *text)
{
    const size_t length = strlen(text) + 1, at = list->texts;

    if (list->no_memory ||
        !pc_grow(&list->alloc, (void **)&list->text, &list->text_capacity, at + length, 1)) {
        list->no_memory = true;
        return 0;
    }
    memcpy(list->text + at, text, length);
    list->texts += length;
    return at + 1;
}

/* Adds a signal, or what a lane has of it. */
static size_t keep_role(struct pc_bus_list *list, const struct bus_candidate *c, size_t role,
                        uint32_t lane)
{
    const struct bus_reading *r = &list->f.reading[c->role[role]];
    const struct pc_bus_signal *s = &list->f.signal[r->signal];
    const size_t size = strlen(s->name) + 60;
    char *text = pc_calloc(&list->alloc, size, 1);
    const uint32_t part = c->lanes ? s->width / c->lanes : 0;
    const bool falls = s->msb >= s->lsb;
    const int64_t low = (falls ? s->lsb : s->msb) + (int64_t)lane * part, high = low + part - 1;

    if (!text) {
        list->no_memory = true;
        return 0;
    }
    snprintf(text, size, "%s%s", r->inverted ? "!" : "", s->name);
    if (part == 1)
        snprintf(text + strlen(text), 50, "[%lld]", (long long)low);
    else if (part > 1)
        snprintf(text + strlen(text), 50, "[%lld:%lld]", (long long)(falls ? high : low),
                 (long long)(falls ? low : high));
    const size_t at = keep(list, text);
    pc_free(&list->alloc, text, size);
    return at;
}

static size_t keep_name(struct pc_bus_list *list, const struct bus_candidate *c, uint32_t lane)
{
    const char *name = list->f.text + c->name;
    const size_t size = strlen(name) + 40;
    char *text = pc_calloc(&list->alloc, size, 1);

    if (!text) {
        list->no_memory = true;
        return 0;
    }
    snprintf(text, size, "%s", name);
    if (c->lanes)
        snprintf(text + strlen(text), 40, "[%u]", lane);
    const size_t at = keep(list, text);
    pc_free(&list->alloc, text, size);
    return at;
}

static size_t keep_clock(struct pc_bus_list *list, size_t clock)
{
    return clock == SIZE_MAX ? 0 : keep(list, list->f.signal[list->f.clock[clock].signal].name);
}

static void add_bus(struct pc_bus_list *list, const struct bus_entry *e, struct offsets *o)
{
    const struct bus_candidate *c = &list->f.candidate[e->candidate];
    struct pc_bus_found *bus = &list->bus[list->buses++];

    *o = (struct offsets){ .name = keep_name(list, c, e->lane) };
    *bus = (struct pc_bus_found){
        .protocol = c->protocol, .reset_low = e->reset_low, .values = e->values, .proof = e->proof
    };
    for (size_t i = 0; i < PC_BUS_ROLES; i++)
        if (c->role[i] != SIZE_MAX)
            o->role[i] = keep_role(list, c, i, e->lane);
    for (size_t a = c->aliases; a != SIZE_MAX; a = list->f.candidate[a].alias, bus->aliases++) {
        const size_t at = keep_name(list, &list->f.candidate[a], e->lane);
        o->alias = o->alias ? o->alias : at;
    }
    o->clock = keep_clock(list, e->clock);
    o->reset = keep_clock(list, e->reset);
    o->other = keep_clock(list, e->other);
    o->refused = keep_clock(list, e->refused);
    o->pair[0] = keep_clock(list, e->pair[0]);
    o->pair[1] = keep_clock(list, e->pair[1]);
    bus->proof.unsure = e->unsure;
}

static const char *text_at(const struct pc_bus_list *list, size_t at)
{
    return at ? list->text + at - 1 : NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pc_bus_found *)a)->name, ((const struct pc_bus_found *)b)->name);
}

static void set_texts(const struct pc_bus_list *list, const struct offsets *o,
                      struct pc_bus_found *bus)
{
    bus->name = text_at(list, o->name);
    bus->clock = text_at(list, o->clock);
    bus->reset = text_at(list, o->reset);
    bus->alias = text_at(list, o->alias);
    bus->proof.refused = text_at(list, o->refused);
    bus->proof.other = text_at(list, o->other);
    bus->proof.candidate[0] = text_at(list, o->pair[0]);
    bus->proof.candidate[1] = text_at(list, o->pair[1]);
    for (size_t i = 0; i < PC_BUS_ROLES; i++)
        bus->role[i] = text_at(list, o->role[i]);
}

void pc_bus_list_make(struct pc_bus_list *list)
{
    struct offsets *offset = pc_calloc(&list->alloc, list->entries + 1, sizeof *offset);

    list->buses = list->texts = 0;
    if (!offset || !pc_grow(&list->alloc, (void **)&list->bus, &list->capacity, list->entries + 1,
                            sizeof *list->bus))
        list->no_memory = true;
    for (size_t i = 0; i < list->entries && !list->no_memory; i++)
        if (!list->entry[i].counts)
            add_bus(list, &list->entry[i], &offset[list->buses]);
    for (size_t b = 0; b < list->buses && !list->no_memory; b++)
        set_texts(list, &offset[b], &list->bus[b]);
    pc_free(&list->alloc, offset, (list->entries + 1) * sizeof *offset);
    if (list->buses > 0 && !list->no_memory)
        qsort(list->bus, list->buses, sizeof *list->bus, by_name);
}

/* ---- the interface ---- */

static void add_entries(struct pc_bus_list *list)
{
    const struct bus_finder *f = &list->f;

    for (size_t i = 0; i < f->candidates && !list->no_memory; i++) {
        const struct bus_candidate *c = &f->candidate[i];
        const size_t clock = c->taken ? SIZE_MAX : pc_bus_clock_of(f, c, false),
                     reset = c->taken ? SIZE_MAX : pc_bus_clock_of(f, c, true);
        for (uint32_t lane = 0; !c->taken && lane < (c->lanes ? c->lanes : 1); lane++) {
            if (!pc_grow(&list->alloc, (void **)&list->entry, &list->entry_capacity,
                         list->entries + 1, sizeof *list->entry)) {
                list->no_memory = true;
                return;
            }
            list->entry[list->entries++] = (struct bus_entry){
                .candidate = i,
                .lane = lane,
                .clock = clock,
                .reset = reset,
                .reset_low = reset != SIZE_MAX && f->clock[reset].low,
                .other = SIZE_MAX,
                .pair = { SIZE_MAX, SIZE_MAX },
                .refused = SIZE_MAX,
            };
        }
    }
}

static bool find_all(struct pc_bus_list *list)
{
    struct bus_finder *f = &list->f;

    for (size_t i = 0; i < f->signals && !f->no_memory; i++) {
        pc_bus_read_clock(f, i);
        pc_bus_read_signal(f, i);
    }
    pc_bus_group(f);
    pc_bus_sort_clocks(f);
    if (f->no_memory || !pc_bus_choose(f))
        return false;
    add_entries(list);
    if (!list->no_memory)
        pc_bus_list_make(list);
    return !list->no_memory;
}

enum pc_status pc_bus_find(const struct pc_alloc *alloc, const struct pc_bus_signal *signal,
                           size_t count, struct pc_bus_list **out, struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(alloc);
    struct pc_bus_list *list = pc_calloc(&a, 1, sizeof *list);

    if (list) {
        list->alloc = a;
        list->f = (struct bus_finder){ .alloc = a, .signal = signal, .signals = count };
    }
    if (!list || !find_all(list) || !pc_bus_watch_open(list)) {
        pc_bus_list_destroy(list);
        return pc_fail(err, 100, "no memory to find buses");
    }
    *out = list;
    return PC_OK;
}

void pc_bus_list_destroy(struct pc_bus_list *list)
{
    if (!list)
        return;
    const struct pc_alloc a = list->alloc;
    struct bus_finder *f = &list->f;
    pc_bus_watch_close(list);
    pc_free(&a, f->text, f->text_capacity);
    pc_free(&a, f->reading, f->reading_capacity * sizeof *f->reading);
    pc_free(&a, f->candidate, f->candidate_capacity * sizeof *f->candidate);
    pc_free(&a, f->clock, f->clock_capacity * sizeof *f->clock);
    pc_free(&a, list->entry, list->entry_capacity * sizeof *list->entry);
    pc_free(&a, list->text, list->text_capacity);
    pc_free(&a, list->bus, list->capacity * sizeof *list->bus);
    pc_free(&a, list, sizeof *list);
}

enum pc_status pc_bus_list_at(const struct pc_bus_list *list, size_t i, struct pc_bus_found *out)
{
    if (i >= list->buses)
        return PC_END;
    *out = list->bus[i];
    return PC_OK;
}
