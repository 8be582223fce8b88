/* SPDX-License-Identifier: MIT */
/* Which candidates are buses: each net is of one, under the name of the highest scope. */
#include "lang/bus/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Roles of the protocols of pairs and of requests, by name. */
static size_t role_named(const struct pc_bus_protocol *p, const char *name)
{
    size_t role = 0;

    return pc_bus_role_find(p, name, &role, NULL) == PC_OK ? role : 0;
}

/* ---- nets ---- */

/* The bus whose valid each net is. */
struct claims {
    unsigned char *taken; /* 1: of a protocol, 2: of a pair */
    uint32_t *ready;      /* of a pair: the net of its ready */
    uint32_t *owner;      /* its candidate, plus 1 */
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

/* Returns true if it is the other one under other names. */
static bool is_same(const struct bus_finder *f, const struct bus_candidate *a,
                    const struct bus_candidate *b)
{
    struct pc_bus_role r;

    if (a->protocol != b->protocol || a->lanes != b->lanes)
        return false;
    for (size_t i = 0; pc_bus_role_at(a->protocol, i, &r); i++)
        if (r.most == 1 && a->role[i] != SIZE_MAX && b->role[i] != SIZE_MAX &&
            net_of(f, a, i) != net_of(f, b, i))
            return false;
    return true;
}

/* Adds one more name to the owner of this net. */
static void add_alias(struct bus_finder *f, const struct claims *claims, struct bus_candidate *c,
                      uint32_t net)
{
    struct bus_candidate *owner = claims->owner[net] ? &f->candidate[claims->owner[net] - 1] : NULL;

    if (!owner || owner == c || !is_same(f, owner, c))
        return;
    c->alias = owner->aliases;
    owner->aliases = (size_t)(c - f->candidate);
}

/* Takes its nets; false: another bus has them. */
static bool claim(struct bus_finder *f, struct claims *claims, struct bus_candidate *c)
{
    uint32_t net = 0;
    struct pc_bus_role r;
    bool fresh = false;

    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++)
        if (c->role[i] != SIZE_MAX && r.most == 1 && is_valid(&r)) {
            net = net_of(f, c, i);
            fresh = fresh || claims->taken[net] != 1;
        }
    if (!fresh) {
        add_alias(f, claims, c, net);
        return false;
    }
    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++)
        if (c->role[i] != SIZE_MAX && r.most == 1 && is_valid(&r)) {
            claims->taken[net_of(f, c, i)] = 1;
            claims->owner[net_of(f, c, i)] = (uint32_t)(c - f->candidate) + 1;
        }
    return true;
}

static bool claim_pair(struct bus_finder *f, struct claims *claims, struct bus_candidate *c)
{
    const uint32_t valid = net_of(f, c, 0), ready = net_of(f, c, 1);

    if (claims->taken[valid] == 1 || (claims->taken[valid] == 2 && claims->ready[valid] == ready)) {
        add_alias(f, claims, c, valid);
        return false;
    }
    claims->taken[valid] = 2;
    claims->ready[valid] = ready;
    claims->owner[valid] = (uint32_t)(c - f->candidate) + 1;
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

static int by_key(const void *a, const void *b)
{
    return strcmp((*(struct bus_candidate *const *)a)->key,
                  (*(struct bus_candidate *const *)b)->key);
}

/* Some candidates in the order of their keys. */
struct keys {
    struct bus_candidate **of;
    size_t count;
};

static bool sort_keys(const struct bus_finder *f, struct keys *keys,
                      bool (*is)(const struct bus_candidate *c))
{
    keys->of = pc_calloc(&f->alloc, f->candidates + 1, sizeof(struct bus_candidate *));
    keys->count = 0;
    for (size_t i = 0; keys->of && i < f->candidates; i++)
        if (is(&f->candidate[i]))
            keys->of[keys->count++] = &f->candidate[i];
    if (keys->count > 0)
        qsort(keys->of, keys->count, sizeof(struct bus_candidate *), by_key);
    return keys->of != NULL;
}

static void free_keys(const struct bus_finder *f, struct keys *keys)
{
    pc_free(&f->alloc, keys->of, (f->candidates + 1) * sizeof(struct bus_candidate *));
}

/* Returns the first one with this key, or where it would be. */
static size_t first_of_key(const struct keys *keys, const char *key)
{
    size_t low = 0, high = keys->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(keys->of[middle]->key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct bus_candidate *pair_of_key(const struct keys *pairs, const char *key,
                                         unsigned char side)
{
    for (size_t i = first_of_key(pairs, key);
         i < pairs->count && strcmp(pairs->of[i]->key, key) == 0; i++)
        if (pairs->of[i]->side == side)
            return pairs->of[i];
    return NULL;
}

/* Returns "iBus_rsp" for "iBus_cmd". */
static struct bus_candidate *response_of(const struct keys *pairs, const struct bus_candidate *c)
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
                found = pair_of_key(pairs, key, side);
            }
        }
    }
    return found && found->lanes == c->lanes && found != c ? found : NULL;
}

static uint32_t width_of(const struct bus_finder *f, const struct bus_candidate *c, size_t role)
{
    return c->role[role] == SIZE_MAX ? 0 : f->signal[f->reading[c->role[role]].signal].width;
}

/* Joins the pair and its response into one bus. */
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

/* Pairs that have no data. */
static bool lacks_data(const struct bus_candidate *c)
{
    return c->family == FAMILY_PAIR && c->role[role_named(c->protocol, "data")] == SIZE_MAX;
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

/* Finds a signal that is named as the pair is, "req_q" of req_valid_q, "request_put" of
 * EN_request_put: what is called as the pair is: what is called as the pair is. */
static void find_bare(struct bus_finder *f)
{
    const size_t texts = f->texts;
    struct keys bare;

    f->no_memory = !sort_keys(f, &bare, lacks_data) || f->no_memory;
    for (size_t s = 0; s < f->signals && bare.count > 0 && !f->no_memory; s++, f->texts = texts) {
        const size_t key = pc_bus_bare_key(f, s);
        if (key == SIZE_MAX)
            continue;
        for (size_t i = first_of_key(&bare, f->text + key);
             i < bare.count && strcmp(bare.of[i]->key, f->text + key) == 0; i++)
            if (!bare.of[i]->lanes || f->signal[s].width % bare.of[i]->lanes == 0)
                give_data(f, bare.of[i], s);
    }
    free_keys(f, &bare);
}

/* ---- choosing ---- */

static bool is_whole_pair(const struct bus_candidate *c)
{
    return c->role[0] != SIZE_MAX && c->role[1] != SIZE_MAX;
}

static bool is_pair(const struct bus_candidate *c)
{
    return c->family == FAMILY_PAIR;
}

static void claim_all(struct bus_finder *f, struct claims *claims)
{
    struct keys keys;
    size_t pairs = 0;

    for (; pairs < f->candidates && f->candidate[pairs].family != FAMILY_PAIR; pairs++)
        f->candidate[pairs].taken = !claim(f, claims, &f->candidate[pairs]);
    f->no_memory = !sort_keys(f, &keys, is_pair) || f->no_memory;
    for (size_t i = pairs; i < f->candidates && keys.of;
         i++) { /* requests with their responses first */
        struct bus_candidate *c = &f->candidate[i];
        struct bus_candidate *answer = is_whole_pair(c) ? response_of(&keys, c) : NULL;
        if (!answer || answer->taken || c->taken || claims->taken[net_of(f, c, 0)])
            continue;
        join(f, c, answer);
        claim(f, claims, c);
    }
    free_keys(f, &keys);
    for (size_t i = pairs; i < f->candidates; i++) {
        struct bus_candidate *c = &f->candidate[i];
        if (!c->taken && strcmp(pc_bus_protocol_name(c->protocol), "valid-ready") == 0)
            c->taken = !(is_whole_pair(c) ? claim_pair(f, claims, c) : claim_valid(f, claims, c));
    }
}

static bool make_claims(const struct bus_finder *f, struct claims *claims)
{
    for (size_t i = 0; i < f->signals; i++)
        if (f->signal[i].net >= claims->nets)
            claims->nets = (size_t)f->signal[i].net + 1;
    claims->taken = pc_calloc(&f->alloc, claims->nets + 1, sizeof *claims->taken);
    claims->ready = pc_calloc(&f->alloc, claims->nets + 1, sizeof *claims->ready);
    claims->owner = pc_calloc(&f->alloc, claims->nets + 1, sizeof *claims->owner);
    return claims->taken && claims->ready && claims->owner;
}

bool pc_bus_choose(struct bus_finder *f)
{
    struct claims claims = { .nets = 0 };
    const bool done = make_claims(f, &claims);

    for (size_t i = 0; i < f->candidates; i++)
        f->candidate[i].alias = f->candidate[i].aliases = SIZE_MAX;
    if (done) {
        find_bare(f);
        claim_all(f, &claims);
    }
    pc_free(&f->alloc, claims.taken, (claims.nets + 1) * sizeof *claims.taken);
    pc_free(&f->alloc, claims.ready, (claims.nets + 1) * sizeof *claims.ready);
    pc_free(&f->alloc, claims.owner, (claims.nets + 1) * sizeof *claims.owner);
    return done && !f->no_memory;
}
