/* SPDX-License-Identifier: MIT */
/* Puts signals together that read as those of one bus, and finds its protocol. */
#include "lang/bus/find.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 64 };

static int by_key(const void *a, const void *b)
{
    const struct bus_reading *x = a, *y = b;
    const int order = strcmp(x->key_text, y->key_text);

    if (order)
        return order;
    if (x->family != y->family)
        return x->family < y->family ? -1 : 1;
    return x->signal < y->signal ? -1 : x->signal > y->signal;
}

/* ---- roles ---- */

static const struct pc_bus_protocol *protocol(const char *name)
{
    const struct pc_bus_protocol *p = NULL;

    return pc_bus_protocol_find(name, &p, NULL) == PC_OK ? p : NULL;
}

static bool has(const struct bus_candidate *c, const char *names)
{
    struct pc_bus_role r;

    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++) {
        const char *at = strstr(names, r.name);
        const size_t n = strlen(r.name);
        if (c->role[i] != SIZE_MAX && at && (at == names || at[-1] == ' ') &&
            (at[n] == '\0' || at[n] == ' '))
            return true;
    }
    return false;
}

static bool has_all(const struct bus_candidate *c, const char *const *names)
{
    for (; *names; names++)
        if (!has(c, *names))
            return false;
    return true;
}
#define HAS(c, ...) has_all(c, (const char *const[]){ __VA_ARGS__, NULL })

static void drop(struct bus_candidate *c, const char *names)
{
    struct pc_bus_role r;

    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++)
        if (strstr(names, r.name))
            c->role[i] = SIZE_MAX;
}

/* ---- widths ---- */

static uint32_t width_of(const struct bus_finder *f, const struct bus_candidate *c, size_t role)
{
    return f->signal[f->reading[c->role[role]].signal].width;
}

/* Handshakes are bits, or vectors of as many lanes. */
static bool has_lanes(const struct bus_finder *f, struct bus_candidate *c)
{
    struct pc_bus_role r;
    uint32_t lanes = 1;

    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++)
        if (c->role[i] != SIZE_MAX && r.most == 1 && width_of(f, c, i) > lanes)
            lanes = width_of(f, c, i);
    if (lanes > MOST_LANES)
        return false;
    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &r); i++) {
        if (c->role[i] == SIZE_MAX)
            continue;
        const uint32_t width = width_of(f, c, i);
        const bool shared = lanes > 1 && width == 1 && c->family != FAMILY_PAIR;
        const bool fits = width % lanes == 0 && width / lanes <= r.most && width > 0;
        if (!fits && !shared && r.most == 1)
            return false;
        if (!fits && !shared)
            c->role[i] = SIZE_MAX;
    }
    c->lanes = lanes > 1 ? lanes : 0;
    return true;
}

/* ---- is it a bus? ---- */

static bool is_axi(struct bus_candidate *c)
{
    bool reads = HAS(c, "arvalid", "arready", "rvalid");
    bool writes = HAS(c, "awvalid", "awready", "wvalid", "bvalid");
    const bool full = has(c, "arlen awlen rlast wlast");

    if (!reads && !writes)
        return false;
    if (full) {
        reads = reads && has(c, "rlast");
        writes = writes && has(c, "wlast");
    } else if (!has(c, "araddr awaddr rdata wdata rresp bresp")) {
        return false; /* it cannot be determined which AXI it is */
    }
    if (!reads)
        drop(c, "arid araddr arlen arvalid arready rid rdata rresp rlast rvalid rready");
    if (!writes)
        drop(c, "awid awaddr awlen awvalid awready wdata wstrb wlast wvalid wready bid bresp "
                "bvalid bready");
    if (!full)
        c->protocol = protocol("axi4-lite");
    c->handshakes = (reads ? 2u : 0u) + (writes ? 3u : 0u);
    return reads || writes;
}

static bool is_wishbone(struct bus_candidate *c)
{
    if (!HAS(c, "stb", "ack") || !has(c, "cyc we adr sel"))
        return false;
    if (!has(c, "stall"))
        c->protocol = protocol("wishbone");
    return true;
}

/*
 * "full", "req" and "stall" without a stem belong to anything, as to an arbiter or a pipeline. "_n"
 * at one of two is not a next value: it is active at 0, or of another thing.
 */
static bool is_pair(const struct bus_finder *f, struct bus_candidate *c)
{
    const size_t *role = c->role;
    const char *stem = c->key + strcspn(c->key, " \t") + 1;

    if (role[0] == SIZE_MAX || role[1] == SIZE_MAX)
        return role[0] != SIZE_MAX; /* as a response it can be */
    const struct bus_reading *valid = &f->reading[role[0]], *ready = &f->reading[role[1]];
    if (valid->next != ready->next)
        return false;
    if (valid->rank >= BUS_ENABLE && ready->rank >= 3 && ready->rank < BUS_FULL)
        return false; /* an enable and a stall of a pipeline are no handshake */
    return stem[0] || (valid->rank < 3 && ready->rank < 3);
}

static bool is_bus(const struct bus_finder *f, struct bus_candidate *c)
{
    c->handshakes = 1;
    switch ((enum bus_family)c->family) {
    case FAMILY_AXI:
        return is_axi(c);
    case FAMILY_AHB:
        return HAS(c, "htrans", "hready");
    case FAMILY_APB:
        return HAS(c, "psel", "penable");
    case FAMILY_WISHBONE:
        return is_wishbone(c);
    case FAMILY_AVALON:
        return HAS(c, "read", "readdatavalid") || HAS(c, "write", "waitrequest");
    case FAMILY_TILELINK:
        return HAS(c, "valid", "ready", "rvalid", "id rid");
    case FAMILY_OBI:
        return HAS(c, "valid", "ready", "rvalid");
    case FAMILY_STREAM:
        return HAS(c, "valid", "ready") || (has(c, "valid") && !c->side);
    case FAMILY_PAIR:
    case FAMILIES:
        break;
    }
    return is_pair(f, c);
}

/* ---- candidates ---- */

static bool is_better(const struct bus_finder *f, size_t old, size_t next)
{
    return old == SIZE_MAX || f->reading[next].rank < f->reading[old].rank;
}

/* Returns whether the signals of a struct come from several scopes. */
static bool is_spread(const struct bus_finder *f, const struct bus_candidate *c)
{
    const char *scope = NULL;
    size_t length = 0;

    for (size_t i = 0; i < PC_BUS_ROLES; i++) {
        if (c->role[i] == SIZE_MAX)
            continue;
        const char *name = f->signal[f->reading[c->role[i]].signal].name;
        const size_t n = (size_t)(strrchr(name, '.') - name);
        if (scope && (n != length || strncmp(name, scope, n) != 0))
            return true;
        scope = name;
        length = n;
    }
    return false;
}

/* Takes the signals of a side, for roles that have none yet; no handshakes if not wanted. */
static void take_side(const struct bus_finder *f, size_t first, size_t end, unsigned char side,
                      bool handshakes, struct bus_candidate *c)
{
    struct pc_bus_role role;
    size_t found[PC_BUS_ROLES];

    for (size_t i = 0; i < PC_BUS_ROLES; i++)
        found[i] = SIZE_MAX;
    for (size_t i = first; i < end; i++) {
        const struct bus_reading *r = &f->reading[i];
        if (r->side == side && r->role < PC_BUS_ROLES && is_better(f, found[r->role], i))
            found[r->role] = i;
    }
    for (size_t i = 0; pc_bus_role_at(c->protocol, i, &role); i++)
        if (c->role[i] == SIZE_MAX && (handshakes || role.most > 1))
            c->role[i] = found[i];
}

/*
 * Tries the signals of a side, and those of no side where it has none; but no handshakes of these
 * if they are a bus of their own. Is it one?
 */
static bool try_side(struct bus_finder *f, size_t first, size_t end, unsigned char side,
                     bool handshakes)
{
    struct bus_candidate c = { .family = f->reading[first].family,
                               .side = side,
                               .key = f->reading[first].key_text,
                               .is_struct = f->reading[first].is_struct };
    size_t any = 0;

    c.protocol = protocol(pc_bus_family_protocol((enum bus_family)c.family));
    for (size_t i = 0; i < PC_BUS_ROLES; i++)
        c.role[i] = SIZE_MAX;
    take_side(f, first, end, side, true, &c);
    if (side)
        take_side(f, first, end, 0, handshakes, &c);
    if (!has_lanes(f, &c) || !is_bus(f, &c) || (c.is_struct && !is_spread(f, &c)))
        return false;
    while (c.role[any] == SIZE_MAX)
        any++;
    c.name = f->reading[c.role[any]].name;
    for (const char *s = c.key; *s && *s != ' ' && *s != '\t'; s++)
        c.depth += *s == '.';
    if (!pc_grow(&f->alloc, (void **)&f->candidate, &f->candidate_capacity, f->candidates + 1,
                 sizeof *f->candidate))
        f->no_memory = true;
    else
        f->candidate[f->candidates++] = c;
    return c.family != FAMILY_PAIR || (c.role[0] != SIZE_MAX && c.role[1] != SIZE_MAX);
}

static int by_turn(const void *a, const void *b)
{
    const struct bus_candidate *x = a, *y = b;

    if (x->family != y->family)
        return x->family < y->family ? -1 : 1;
    if (x->handshakes != y->handshakes)
        return x->handshakes > y->handshakes ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->is_struct != y->is_struct)
        return x->is_struct ? 1 : -1;
    const int order = strcmp(x->key, y->key);
    return order ? order : (int)x->side - (int)y->side;
}

/* Texts stay where they are from now on, with room for one more key at a time. */
static void settle_texts(struct bus_finder *f)
{
    size_t longest = 0;

    for (size_t i = 0; i < f->signals; i++)
        if (strlen(f->signal[i].name) > longest)
            longest = strlen(f->signal[i].name);
    if (!pc_grow(&f->alloc, (void **)&f->text, &f->text_capacity, f->texts + longest + 4 * BUS_LEAF,
                 1))
        f->no_memory = true;
}

void pc_bus_group(struct bus_finder *f)
{
    settle_texts(f);
    if (f->no_memory)
        return;
    for (size_t i = 0; i < f->readings; i++)
        f->reading[i].key_text = f->text + f->reading[i].key;
    if (f->readings > 0)
        qsort(f->reading, f->readings, sizeof *f->reading, by_key);
    for (size_t first = 0, end; first < f->readings; first = end) {
        const struct bus_reading *r = &f->reading[first];
        unsigned sides = 0;
        for (end = first; end < f->readings && f->reading[end].family == r->family &&
                          strcmp(f->reading[end].key_text, r->key_text) == 0;
             end++)
            sides |= 1u << f->reading[end].side;
        bool whole = false;
        for (unsigned char side = 0; side < 3 && !f->no_memory; side++)
            if (sides >> side & 1)
                whole = (try_side(f, first, end, side, !whole) && side == 0) || whole;
    }
    if (f->candidates > 0)
        qsort(f->candidate, f->candidates, sizeof *f->candidate, by_turn);
}
