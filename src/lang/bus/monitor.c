/* SPDX-License-Identifier: MIT */
/* A monitor as a whole: its roles, words of its blocks, and its figures. */
#include "lang/bus/bus.h"

#include "base/error.h"

/* ---- open, close ---- */

static enum pc_status take_roles(struct pc_bus *b, const struct pc_bus_desc *desc,
                                 struct pc_error *err)
{
    struct pc_bus_role r;

    for (size_t i = 0; pc_bus_role_at(b->protocol, i, &r); i++) {
        const struct pc_bus_wires *from = &desc->role[i];
        struct bus_wires *to = &b->role[i + 1];
        if (from->width > r.most)
            return pc_fail(err, 1833, "%s of %s has up to %u bit%s, not %u", r.name,
                           b->protocol->name, r.most, r.most > 1 ? "s" : "", from->width);
        to->width = from->width;
        to->inverted = from->inverted;
        if (!from->wire || from->width == 0 || r.use == PC_BUS_FOR_NOTHING)
            continue;
        to->wire = pc_calloc(&b->alloc, from->width, sizeof *to->wire);
        to->plane = pc_calloc(&b->alloc, from->width, sizeof *to->plane);
        if (!to->wire || !to->plane)
            return pc_fail(err, 100, "no memory for a bus");
        for (uint32_t k = 0; k < from->width; k++)
            to->wire[k] = from->wire[k];
    }
    return PC_OK;
}

/* One of the two sets of needed roles is whole. */
static enum pc_status check_needed(const struct pc_bus *b, struct pc_error *err)
{
    const struct bus_role *role = b->protocol->role;
    const char *missing[2] = { NULL, NULL };
    bool has[2] = { false, false }, is[2] = { false, false };

    for (size_t i = 0; role[i].name; i++)
        for (unsigned set = 0; set < 2; set++) {
            if (!(role[i].needed >> set & 1))
                continue;
            is[set] = true;
            has[set] = has[set] || b->role[i + 1].width > 0;
            if (b->role[i + 1].width == 0 && !missing[set])
                missing[set] = role[i].name;
        }
    if ((is[0] && !missing[0]) || (is[1] && !missing[1]))
        return PC_OK;
    return pc_fail(err, 1832, "%s wants the signal %s", b->protocol->name,
                   missing[!has[0] && has[1]]);
}

static enum pc_status open_parts(struct pc_bus *b, const struct pc_bus_desc *desc,
                                 struct pc_error *err)
{
    enum pc_status status = take_roles(b, desc, err);

    if (status == PC_OK)
        status = check_needed(b, err);
    for (unsigned c = 0; c < b->protocol->channels && status == PC_OK; c++)
        status = pc_bus_channel_open(b, c, err);
    for (unsigned t = 0; t < b->protocol->transfers && status == PC_OK; t++)
        status = pc_bus_transfer_open(b, t, desc, err);
    return status;
}

enum pc_status pc_bus_create(const struct pc_bus_desc *desc, struct pc_bus **out,
                             struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(desc->alloc);
    struct pc_bus *b = pc_calloc(&a, 1, sizeof *b);

    if (!b)
        return pc_fail(err, 100, "no memory for a bus");
    b->alloc = a;
    b->protocol = desc->protocol;
    b->has_reset = desc->has_reset;
    b->reset_low = desc->reset_low;
    b->reset = desc->reset;
    b->credit_init = desc->credit_init;
    const enum pc_status status = open_parts(b, desc, err);
    if (status) {
        pc_bus_destroy(b);
        return status;
    }
    *out = b;
    return PC_OK;
}

void pc_bus_destroy(struct pc_bus *b)
{
    if (!b)
        return;
    const struct pc_alloc a = b->alloc;
    for (unsigned c = 0; c < BUS_CHANNELS; c++)
        pc_bus_channel_close(b, c);
    for (unsigned t = 0; t < 2; t++)
        pc_bus_transfer_close(b, t);
    for (size_t i = 0; i <= PC_BUS_ROLES; i++) {
        pc_free(&a, b->role[i].wire, b->role[i].width * sizeof *b->role[i].wire);
        pc_free(&a, b->role[i].plane, b->role[i].width * sizeof *b->role[i].plane);
    }
    pc_free(&a, b, sizeof *b);
}

/* ---- words ---- */

static void look_at_reset(struct pc_bus *b)
{
    struct bus_word *w = &b->word;
    uint64_t unknown = 0, active = 0;

    if (b->has_reset) {
        const uint64_t value = b->value[b->reset][w->at];
        unknown = b->unknown[b->reset][w->at] & w->cycle;
        active = (b->reset_low ? ~value : value) & w->cycle;
    }
    w->live = w->cycle & ~(active | unknown);
    b->edges.edges += w->cycles;
    b->edges.reset_edges += bus_popcount(w->cycle & ~w->live);
    b->edges.reset_unknown += bus_popcount(unknown);
    b->edges.cycles += bus_popcount(w->live);
}

static enum pc_status add_word(struct pc_bus *b, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    look_at_reset(b);
    pc_bus_look(b);
    for (unsigned c = 0; c < b->protocol->channels; c++)
        if (b->channel[c].rule)
            pc_bus_channel_word(b, c);
    for (unsigned t = 0; t < b->protocol->transfers && status == PC_OK; t++)
        if (b->transfer[t].rule)
            status = pc_bus_transfer_word(b, t, err);
    return status;
}

enum pc_status pc_bus_add(struct pc_bus *b, uint64_t cycles, const uint64_t *const *value,
                          const uint64_t *const *unknown, struct pc_error *err)
{
    b->value = value;
    b->unknown = unknown;
    for (unsigned n = 0; n < 2; n++) {
        b->transfer[n].match.time = b->time;
        b->transfer[n].match.time_from = b->edges.edges;
    }
    b->time = NULL;
    for (uint64_t done = 0; done < cycles; done += 64) {
        const uint64_t left = cycles - done;
        b->word.at = (size_t)(done / 64);
        b->word.cycles = left < 64 ? (unsigned)left : 64;
        b->word.cycle = bus_before(b->word.cycles);
        b->word.first = b->edges.edges;
        b->words++;
        const enum pc_status status = add_word(b, err);
        if (status)
            return status;
    }
    for (unsigned c = 0; c < b->protocol->channels && cycles > 0; c++)
        pc_bus_channel_block_end(b, c);
    return PC_OK;
}

void pc_bus_times(struct pc_bus *b, const uint64_t *time)
{
    b->time = time;
}

void pc_bus_finish(struct pc_bus *b)
{
    for (unsigned c = 0; c < b->protocol->channels; c++)
        if (b->channel[c].rule)
            pc_bus_channel_finish(b, c);
}

/* ---- figures ---- */

void pc_bus_get_edges(const struct pc_bus *b, struct pc_bus_edges *out)
{
    *out = b->edges;
}

const char *pc_bus_count_name(enum pc_bus_count count)
{
    static const char *const name[PC_BUS_COUNTS] = {
        "beat",          "stall",        "starve",       "setup",       "blocked",     "idle",
        "unknown",       "dropped",      "unstable",     "overrun",     "bytes",       "bus_bytes",
        "partial_beats", "started",      "completed",    "aborted",     "unfinished",  "orphans",
        "unknown_id",    "without_data", "len_mismatch", "errors",      "errors_last", "retries",
        "writes",        "reads",        "read_beats",   "write_beats",
    };

    return name[count];
}

const char *pc_bus_dist_name(enum pc_bus_dist dist)
{
    static const char *const name[PC_BUS_DISTS] = {
        "runs",      "gaps",     "wait",    "bursts",      "credits",
        "beats",     "duration", "latency", "outstanding", "first_data",
        "last_data", "delay",    "len",     "beats",       "wait_states",
    };

    return name[dist];
}

static void give(struct pc_bus_group *g, enum pc_bus_count c, bool has, uint64_t count)
{
    if (!has)
        return;
    g->has |= UINT32_C(1) << c;
    g->count[c] = count;
}

static void tell_channel(const struct pc_bus *b, const struct bus_channel_state *c,
                         struct pc_bus_group *g)
{
    const struct bus_channel *rule = c->rule;
    uint32_t states = UINT32_C(1) << PC_BUS_UNKNOWN;

    g->name = rule->name;
    g->kind = PC_BUS_CHANNEL;
    for (size_t i = 0; i < rule->states; i++)
        states |= UINT32_C(1) << rule->state[i].state;
    if (rule->flags & BUS_CREDIT)
        states |= 1u << PC_BUS_BEAT | 1u << PC_BUS_BLOCKED | 1u << PC_BUS_IDLE;
    for (unsigned s = 0; s < BUS_STATES; s++)
        give(g, (enum pc_bus_count)s, states >> s & 1, c->count[s]);
    give(g, PC_BUS_DROPPED, rule->flags & BUS_DROPS, c->count[PC_BUS_DROPPED]);
    give(g, PC_BUS_UNSTABLE, rule->flags & BUS_UNSTABLE && c->looks_at_payload,
         c->count[PC_BUS_UNSTABLE]);
    give(g, PC_BUS_OVERRUN, rule->flags & BUS_CREDIT, c->count[PC_BUS_OVERRUN]);
    give(g, PC_BUS_BYTES, pc_bus_has_bytes(b, rule->strobe, rule->data), c->count[PC_BUS_BYTES]);
    for (size_t d = 0; d < PC_BUS_PACKET_BEATS; d++)
        g->dist[d] = c->dist[d];
}

static void tell_packets(const struct bus_channel_state *c, struct pc_bus_group *g)
{
    g->name = "packets";
    g->kind = PC_BUS_PACKETS;
    give(g, PC_BUS_PARTIAL_BEATS, true, c->count[PC_BUS_PARTIAL_BEATS]);
    g->dist[PC_BUS_PACKET_BEATS] = c->dist[PC_BUS_PACKET_BEATS];
    g->dist[PC_BUS_DURATION] = c->dist[PC_BUS_DURATION];
}

static void tell_counts(const struct pc_bus *b, const struct bus_transfer_state *t,
                        struct pc_bus_group *g)
{
    const struct bus_transfer *rule = t->rule;
    const struct pc_latency_figures *f = &t->match.figures;
    const bool way = rule->write && b->role[rule->write].width > 0;
    const bool both = rule->flags & BUS_BOTH_BEATS, owned = rule->flags & BUS_OWNED;

    give(g, PC_BUS_STARTED, true, f->started);
    give(g, PC_BUS_COMPLETED, true, f->completed);
    give(g, PC_BUS_ABORTED, true, t->match.aborted);
    give(g, PC_BUS_UNFINISHED, true, t->match.outstanding_now);
    give(g, PC_BUS_ORPHANS, true, f->orphans);
    give(g, PC_BUS_UNKNOWN_ID, true, f->unknown_id);
    give(g, PC_BUS_WITHOUT_DATA, owned, t->count[PC_BUS_WITHOUT_DATA]);
    give(g, PC_BUS_LEN_MISMATCH, t->dist[PC_BUS_LEN] && t->dist[PC_BUS_BEATS],
         t->count[PC_BUS_LEN_MISMATCH]);
    give(g, PC_BUS_ERRORS, true, t->count[PC_BUS_ERRORS]);
    give(g, PC_BUS_ERRORS_LAST, rule->flags & BUS_ERRORS_LAST, t->count[PC_BUS_ERRORS_LAST]);
    give(g, PC_BUS_RETRIES, rule->flags & BUS_RETRIES, t->count[PC_BUS_RETRIES]);
    give(g, PC_BUS_DROPPED, rule->flags & BUS_DROPPED, t->count[PC_BUS_DROPPED]);
    give(g, PC_BUS_WRITES, way, t->count[PC_BUS_WRITES]);
    give(g, PC_BUS_READS, way, t->count[PC_BUS_READS]);
    give(g, PC_BUS_READ_BEATS, both, t->count[PC_BUS_READ_BEATS]);
    give(g, PC_BUS_WRITE_BEATS, both, t->count[PC_BUS_WRITE_BEATS]);
    give(g, PC_BUS_BYTES, pc_bus_has_bytes(b, rule->strobe, rule->width), t->count[PC_BUS_BYTES]);
    give(g, PC_BUS_BUS_BYTES, rule->strobe && rule->width && b->role[rule->width].width > 0,
         t->count[PC_BUS_BUS_BYTES]);
}

static void tell_transfer(const struct pc_bus *b, const struct bus_transfer_state *t,
                          struct pc_bus_group *g)
{
    g->name = t->rule->name;
    g->kind = PC_BUS_TRANSACTIONS;
    tell_counts(b, t, g);
    for (size_t d = PC_BUS_FIRST_DATA; d < PC_BUS_DISTS; d++)
        g->dist[d] = t->dist[d];
    g->dist[PC_BUS_LATENCY] = t->match.dist;
    g->dist[PC_BUS_OUTSTANDING] = t->match.outstanding;
    g->most_outstanding = t->match.figures.most_outstanding;
    g->has_responses = t->rule->flags & BUS_CODES && b->role[t->rule->response].width > 0;
    for (size_t i = 0; i < PC_BUS_CODES; i++)
        g->response[i] = t->response[i];
    g->response_unknown = t->response_unknown;
    g->ids = t->match.figures.ids;
    g->has_ids = t->match.has_ids;
    g->longest = t->match.longest;
}

/* Channels, then packets, then transactions; NULL, NULL past the end. */
static void find_group(struct pc_bus *b, size_t i, struct bus_channel_state **channel,
                       bool *is_packets, struct bus_transfer_state **transfer)
{
    *channel = NULL;
    *transfer = NULL;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned c = 0; c < b->protocol->channels; c++) {
            struct bus_channel_state *s = &b->channel[c];
            if (!s->rule || (pass && !s->dist[PC_BUS_PACKET_BEATS]) || i-- > 0)
                continue;
            *channel = s;
            *is_packets = pass == 1;
            return;
        }
    for (unsigned t = 0; t < b->protocol->transfers; t++)
        if (b->transfer[t].rule && i-- == 0) {
            *transfer = &b->transfer[t];
            return;
        }
}

enum pc_status pc_bus_group_at(struct pc_bus *b, size_t i, struct pc_bus_group *out)
{
    struct bus_channel_state *channel;
    struct bus_transfer_state *transfer;
    bool is_packets = false;

    find_group(b, i, &channel, &is_packets, &transfer);
    if (!channel && !transfer)
        return PC_END;
    *out = (struct pc_bus_group){ .has = 0 };
    if (transfer)
        tell_transfer(b, transfer, out);
    else if (is_packets)
        tell_packets(channel, out);
    else
        tell_channel(b, channel, out);
    return PC_OK;
}

struct pc_dist *pc_bus_of_id(struct pc_bus *b, size_t group, size_t i, uint64_t *id)
{
    struct bus_channel_state *channel;
    struct bus_transfer_state *transfer;
    bool is_packets;

    find_group(b, group, &channel, &is_packets, &transfer);
    if (!transfer || i >= transfer->match.figures.ids)
        return NULL;
    *id = transfer->match.of_id[i].id;
    return transfer->match.of_id[i].dist;
}
