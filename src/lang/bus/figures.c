/* SPDX-License-Identifier: MIT */
/* The figures of a monitor. */
#include "lang/bus/bus.h"

void pc_bus_get_edges(const struct pc_bus *b, struct pc_bus_edges *out)
{
    *out = b->edges;
}

const char *pc_bus_count_name(enum pc_bus_count count)
{
    static const char *const name[PC_BUS_COUNTS] = {
        "beat",      "stall",         "starve",       "setup",        "blocked",     "idle",
        "unknown",   "dropped",       "unstable",     "overrun",      "open_wait",   "bytes",
        "bus_bytes", "partial_beats", "started",      "completed",    "aborted",     "unfinished",
        "orphans",   "unknown_id",    "without_data", "len_mismatch", "errors",      "errors_last",
        "retries",   "writes",        "reads",        "read_beats",   "write_beats",
    };

    return name[count];
}

const char *pc_bus_dist_name(enum pc_bus_dist dist)
{
    static const char *const name[PC_BUS_DISTS] = {
        "runs",     "gaps",    "wait",        "bursts",     "credits",   "beats",
        "duration", "latency", "outstanding", "first_data", "last_data", "delay",
        "len",      "beats",   "wait_states", "bytes_each", "open_ages",
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
    give(g, PC_BUS_OPEN_WAIT, rule->flags & BUS_WAITING, c->waiting);
    g->count[PC_BUS_OPEN_WAIT] = c->waiting; /* also where it is the age of a transaction */
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
    g->oldest = t->oldest;
}

bool pc_bus_is_told(const struct pc_bus *b, unsigned t)
{
    return !b->finished || !(b->transfer[t].rule->flags & BUS_PAIRED) || t == b->chosen;
}

/* Finds channels, then packets, then transactions; NULL, NULL past the end. */
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
    for (unsigned t = 0; t < b->transfers; t++)
        if (pc_bus_is_told(b, t) && i-- == 0) {
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
    out->place = i;
    if (transfer && b->finished && transfer->rule->flags & BUS_PAIRED)
        out->place += b->chosen;
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

/* ---- the end ---- */

/* Checks whether the sender that waits since then is the one that waits longest. */
static void look_at_wait(struct pc_bus_end *out, struct bus_mark from, uint64_t cycles)
{
    out->waited = cycles > out->waited ? cycles : out->waited;
    if (out->waits && from.edge >= out->since)
        return;
    out->waits = true;
    out->since = from.edge;
    out->since_time = from.time;
}

void pc_bus_get_end(const struct pc_bus *b, struct pc_bus_end *out)
{
    const struct bus_mark *moved = &b->moved;

    *out = (struct pc_bus_end){ .waits = false };
    for (unsigned c = 0; c < b->protocol->channels; c++)
        if (b->channel[c].rule && b->channel[c].waiting > 0)
            look_at_wait(out, b->channel[c].waits_from, b->channel[c].waiting);
    for (unsigned t = 0; t < b->transfers; t++) {
        const struct pc_bus_longest *o = &b->transfer[t].oldest;
        if (o->any && pc_bus_is_told(b, t))
            look_at_wait(out, (struct bus_mark){ o->start, o->start_time }, o->latency);
    }
    if (out->waits && moved->edge > out->since) {
        out->since = moved->edge;
        out->since_time = moved->time;
    }
    out->stuck = out->waits && b->edges.edges - out->since > b->edges.edges / 2;
}

void pc_bus_get_pairing(const struct pc_bus *b, struct pc_bus_pairing *out)
{
    const bool paired = b->transfers > 0 && b->transfer[0].rule->flags & BUS_PAIRED;

    *out = (struct pc_bus_pairing){ .guessed = paired && b->finished, .fits = true };
    if (!out->guessed)
        return;
    out->fits = b->chosen < b->transfers;
    out->how = out->fits ? b->transfer[b->chosen].rule->how : NULL;
    out->why = out->fits ? NULL : b->why;
}
