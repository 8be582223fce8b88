/* SPDX-License-Identifier: MIT */
/* Which candidates are buses: each net is of one, under the name of the highest scope. */
#include "lang/bus/find.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pc_bus_list {
    struct pc_alloc alloc;
    char *text; /* of all names */
    size_t texts, text_capacity;
    struct pc_bus_found *bus;
    size_t buses, capacity;
    bool no_memory;
};

/* Roles of the protocols of pairs and of requests, by name. */
static size_t role_named(const struct pc_bus_protocol *p, const char *name)
{
    size_t role = 0;

    return pc_bus_role_find(p, name, &role, NULL) == PC_OK ? role : 0;
}

/* ---- nets ---- */

/* Of each net: whose valid it is. */
struct claims {
    unsigned char *taken; /* 1: of a protocol, 2: of a pair */
    uint32_t *ready;      /* of a pair: the net of its ready */
    size_t nets;
};

static uint32_t net_of(const struct bus_finder *f, const struct bus_candidate *c, size_t role)
{
    return f->signal[f->reading[c->role[role]].signal].net;
}

static bool is_valid(const struct pc_bus_role *r)
{
    return r->needed || strstr(r->name, "valid") || strcmp(r->name, "write") == 0;
}

/* Takes its nets; false: another bus has them. */
static bool claim(const struct bus_finder *f, struct claims *claims, const struct bus_candidate *c)
{
    struct pc_bus_role r;
    bool fresh = false;

    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++)
        if (c->role[i] != SIZE_MAX && r.most == 1 && is_valid(&r))
            fresh = fresh || claims->taken[net_of(f, c, i)] != 1;
    if (!fresh)
        return false;
    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++)
        if (c->role[i] != SIZE_MAX && r.most == 1 && is_valid(&r))
            claims->taken[net_of(f, c, i)] = 1;
    return true;
}

static bool claim_pair(const struct bus_finder *f, struct claims *claims,
                       const struct bus_candidate *c)
{
    const uint32_t valid = net_of(f, c, 0), ready = net_of(f, c, 1);

    if (claims->taken[valid] == 1 || (claims->taken[valid] == 2 && claims->ready[valid] == ready))
        return false;
    claims->taken[valid] = 2;
    claims->ready[valid] = ready;
    return true;
}

/* A valid without a ready counts where the name says stream. */
static bool claim_valid(const struct bus_finder *f, struct claims *claims, struct bus_candidate *c)
{
    const uint32_t valid = net_of(f, c, 0);

    if (!strstr(c->key, "axis_") || claims->taken[valid] ||
        pc_bus_protocol_find("valid", &c->protocol, NULL) != PC_OK)
        return false;
    claims->taken[valid] = 2;
    return true;
}

/* ---- requests and responses ---- */

static struct bus_candidate *pair_of_key(struct bus_finder *f, const char *key, unsigned char side,
                                         size_t from)
{
    for (size_t i = from; i < f->candidates; i++)
        if (f->candidate[i].side == side && strcmp(f->candidate[i].key, key) == 0)
            return &f->candidate[i];
    return NULL;
}

/* "iBus_rsp" of "iBus_cmd" */
static struct bus_candidate *response_of(struct bus_finder *f, const struct bus_candidate *c,
                                         size_t pairs)
{
    static const char *const asks[] = { "cmd_", "req_" }, *const answers[] = { "rsp_", "resp_" };
    const size_t length = strlen(c->key);
    const unsigned char side = c->side ? (unsigned char)(3 - c->side) : 0;
    struct bus_candidate *found = NULL;

    for (size_t a = 0; a < 2 && !found; a++) {
        const bool bare = length >= 5 && strchr(" \t", c->key[length - 5]);
        if (length < 5 || strcmp(c->key + length - 4, asks[a]) != 0 || (bare && a == 0))
            continue; /* "cmd" without a stem may belong to any response */
        for (size_t r = 0; r < 2 && !found; r++) {
            char key[4096];
            if (length + 2 < sizeof key) {
                snprintf(key, sizeof key, "%.*s%s", (int)length - 4, c->key, answers[r]);
                found = pair_of_key(f, key, side, pairs);
            }
        }
    }
    return found && found->lanes == c->lanes && found != c ? found : NULL;
}

static uint32_t width_of(const struct bus_finder *f, const struct bus_candidate *c, size_t role)
{
    return c->role[role] == SIZE_MAX ? 0 : f->signal[f->reading[c->role[role]].signal].width;
}

/* The pair and its response become one bus. */
static void join(const struct bus_finder *f, struct bus_candidate *c, struct bus_candidate *answer)
{
    static const char *const names[][3] = { { "valid", "valid", "rvalid" },
                                            { "ready", "ready", "rready" },
                                            { "data", "payload", "rdata" },
                                            { "id", "id", "rid" } };
    const struct pc_bus_protocol *pair = c->protocol, *both = NULL;
    struct bus_candidate out = *c;

    if (pc_bus_protocol_find("request-response", &both, NULL) != PC_OK)
        return;
    out.protocol = both;
    for (size_t i = 0; i < PC_BUS_ROLES; i++)
        out.role[i] = SIZE_MAX;
    for (size_t i = 0; i < 4; i++) {
        const size_t from = role_named(pair, names[i][0]);
        if (i == 3 && width_of(f, c, from) != width_of(f, answer, from))
            continue;
        out.role[role_named(both, names[i][1])] = c->role[from];
        out.role[role_named(both, names[i][2])] = answer->role[from];
    }
    *c = out;
    answer->taken = true;
}

/* ---- payload without a word ---- */

static int by_key(const void *a, const void *b)
{
    return strcmp((*(struct bus_candidate *const *)a)->key,
                  (*(struct bus_candidate *const *)b)->key);
}

/* Pairs that have no data, in the order of their keys. */
static struct bus_candidate **without_data(struct bus_finder *f, size_t *count)
{
    struct bus_candidate **bare =
        pc_calloc(&f->alloc, f->candidates, sizeof(struct bus_candidate *));

    *count = 0;
    for (size_t i = 0; bare && i < f->candidates; i++) {
        struct bus_candidate *c = &f->candidate[i];
        if (c->family == FAMILY_PAIR && c->role[role_named(c->protocol, "data")] == SIZE_MAX)
            bare[(*count)++] = c;
    }
    if (*count > 0)
        qsort(bare, *count, sizeof(struct bus_candidate *), by_key);
    return bare;
}

static void give_data(struct bus_finder *f, struct bus_candidate *c, size_t signal)
{
    if (!pc_grow(&f->alloc, (void **)&f->reading, &f->reading_capacity, f->readings + 1,
                 sizeof *f->reading)) {
        f->no_memory = true;
        return;
    }
    f->reading[f->readings] = (struct bus_reading){ .signal = signal };
    c->role[role_named(c->protocol, "data")] = f->readings++;
}

/* "req_q" of req_valid_q, "request_put" of EN_request_put: what is called as the pair is. */
static void find_bare(struct bus_finder *f)
{
    const size_t texts = f->texts;
    size_t count;
    struct bus_candidate **bare = without_data(f, &count);

    f->no_memory = f->no_memory || (!bare && f->candidates > 0);
    for (size_t s = 0; s < f->signals && count > 0 && !f->no_memory; s++, f->texts = texts) {
        const size_t key = pc_bus_bare_key(f, s);
        size_t low = 0, high = count;
        if (key == SIZE_MAX)
            continue;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (strcmp(bare[middle]->key, f->text + key) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < count && strcmp(bare[low]->key, f->text + key) == 0; low++)
            if (!bare[low]->lanes || f->signal[s].width % bare[low]->lanes == 0)
                give_data(f, bare[low], s);
    }
    pc_free(&f->alloc, bare, f->candidates * sizeof(struct bus_candidate *));
}

/* ---- choosing ---- */

static bool is_whole_pair(const struct bus_candidate *c)
{
    return c->role[0] != SIZE_MAX && c->role[1] != SIZE_MAX;
}

static void choose(struct bus_finder *f, struct claims *claims)
{
    size_t pairs = 0;

    for (; pairs < f->candidates && f->candidate[pairs].family != FAMILY_PAIR; pairs++)
        f->candidate[pairs].taken = !claim(f, claims, &f->candidate[pairs]);
    for (size_t i = pairs; i < f->candidates; i++) { /* requests with their responses first */
        struct bus_candidate *c = &f->candidate[i];
        struct bus_candidate *answer = is_whole_pair(c) ? response_of(f, c, pairs) : NULL;
        if (!answer || answer->taken || c->taken || claims->taken[net_of(f, c, 0)])
            continue;
        join(f, c, answer);
        claim(f, claims, c);
    }
    for (size_t i = pairs; i < f->candidates; i++) {
        struct bus_candidate *c = &f->candidate[i];
        if (!c->taken && strcmp(pc_bus_protocol_name(c->protocol), "valid-ready") == 0)
            c->taken = !(is_whole_pair(c) ? claim_pair(f, claims, c) : claim_valid(f, claims, c));
    }
}

/* ---- the list ---- */

/* Offsets of texts plus 1, while these may still move; 0: there is none. */
struct offsets {
    size_t name, role[PC_BUS_ROLES], clock, reset;
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

/* A signal, or what a lane has of it. */
static size_t keep_role(struct pc_bus_list *list, const struct bus_finder *f,
                        const struct bus_candidate *c, size_t role, uint32_t lane)
{
    const struct bus_reading *r = &f->reading[c->role[role]];
    const struct pc_bus_signal *s = &f->signal[r->signal];
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

static size_t keep_name(struct pc_bus_list *list, const struct bus_finder *f,
                        const struct bus_candidate *c, bool lanes, uint32_t lane)
{
    const char *name = f->text + c->name;
    const size_t size = strlen(name) + 40;
    char *text = pc_calloc(&list->alloc, size, 1);

    if (!text) {
        list->no_memory = true;
        return 0;
    }
    snprintf(text, size, "%s", name);
    if (lanes)
        snprintf(text + strlen(text), 40, "[%u]", lane);
    const size_t at = keep(list, text);
    pc_free(&list->alloc, text, size);
    return at;
}

static void add_bus(struct pc_bus_list *list, struct offsets **offsets, size_t *capacity,
                    const struct bus_finder *f, const struct bus_candidate *c, uint32_t lane)
{
    const size_t clock = pc_bus_clock_of(f, c, false), reset = pc_bus_clock_of(f, c, true);

    if (!pc_grow(&list->alloc, (void **)offsets, capacity, list->buses + 1, sizeof **offsets) ||
        !pc_grow(&list->alloc, (void **)&list->bus, &list->capacity, list->buses + 1,
                 sizeof *list->bus)) {
        list->no_memory = true;
        return;
    }
    struct offsets *o = &(*offsets)[list->buses];
    struct pc_bus_found *bus = &list->bus[list->buses++];
    *o = (struct offsets){ .name = keep_name(list, f, c, c->lanes > 0, lane) };
    *bus = (struct pc_bus_found){ .protocol = c->protocol };
    for (size_t i = 0; i < PC_BUS_ROLES; i++)
        if (c->role[i] != SIZE_MAX)
            o->role[i] = keep_role(list, f, c, i, lane);
    if (clock != SIZE_MAX)
        o->clock = keep(list, f->signal[f->clock[clock].signal].name);
    if (reset != SIZE_MAX) {
        o->reset = keep(list, f->signal[f->clock[reset].signal].name);
        bus->reset_low = f->clock[reset].low;
    }
}

static const char *text_at(const struct pc_bus_list *list, size_t at)
{
    return at ? list->text + at - 1 : NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pc_bus_found *)a)->name, ((const struct pc_bus_found *)b)->name);
}

static void make_list(struct pc_bus_list *list, const struct bus_finder *f)
{
    struct offsets *offsets = NULL;
    size_t capacity = 0;

    for (size_t i = 0; i < f->candidates && !list->no_memory; i++) {
        const struct bus_candidate *c = &f->candidate[i];
        for (uint32_t lane = 0; !c->taken && lane < (c->lanes ? c->lanes : 1); lane++)
            add_bus(list, &offsets, &capacity, f, c, lane);
    }
    for (size_t b = 0; b < list->buses && !list->no_memory; b++) {
        struct pc_bus_found *bus = &list->bus[b];
        bus->name = text_at(list, offsets[b].name);
        bus->clock = text_at(list, offsets[b].clock);
        bus->reset = text_at(list, offsets[b].reset);
        for (size_t i = 0; i < PC_BUS_ROLES; i++)
            bus->role[i] = text_at(list, offsets[b].role[i]);
    }
    pc_free(&list->alloc, offsets, capacity * sizeof *offsets);
    if (list->buses > 0 && !list->no_memory)
        qsort(list->bus, list->buses, sizeof *list->bus, by_name);
}

/* ---- the interface ---- */

static bool make_claims(const struct bus_finder *f, struct claims *claims)
{
    for (size_t i = 0; i < f->signals; i++)
        if (f->signal[i].net >= claims->nets)
            claims->nets = (size_t)f->signal[i].net + 1;
    claims->taken = pc_calloc(&f->alloc, claims->nets + 1, sizeof *claims->taken);
    claims->ready = pc_calloc(&f->alloc, claims->nets + 1, sizeof *claims->ready);
    return claims->taken && claims->ready;
}

static bool find_all(struct bus_finder *f, struct pc_bus_list *list)
{
    struct claims claims = { .nets = 0 };

    for (size_t i = 0; i < f->signals && !f->no_memory; i++) {
        pc_bus_read_clock(f, i);
        pc_bus_read_signal(f, i);
    }
    pc_bus_group(f);
    pc_bus_sort_clocks(f);
    bool done = !f->no_memory && make_claims(f, &claims);
    if (done) {
        find_bare(f);
        choose(f, &claims);
        make_list(list, f);
    }
    pc_free(&f->alloc, claims.taken, (claims.nets + 1) * sizeof *claims.taken);
    pc_free(&f->alloc, claims.ready, (claims.nets + 1) * sizeof *claims.ready);
    return done && !f->no_memory && !list->no_memory;
}

enum pc_status pc_bus_find(const struct pc_alloc *alloc, const struct pc_bus_signal *signal,
                           size_t count, struct pc_bus_list **out, struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(alloc);
    struct bus_finder f = { .alloc = a, .signal = signal, .signals = count };
    struct pc_bus_list *list = pc_calloc(&a, 1, sizeof *list);
    bool done = list != NULL;

    if (done) {
        list->alloc = a;
        done = find_all(&f, list);
    }
    pc_free(&a, f.text, f.text_capacity);
    pc_free(&a, f.reading, f.reading_capacity * sizeof *f.reading);
    pc_free(&a, f.candidate, f.candidate_capacity * sizeof *f.candidate);
    pc_free(&a, f.clock, f.clock_capacity * sizeof *f.clock);
    if (!done) {
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
