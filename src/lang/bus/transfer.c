/* SPDX-License-Identifier: MIT */
/*
 * Transactions.  In a cycle what starts is looked at first, then data, then what ends: so an end
 * belongs to the oldest start, or if nothing was open, to the start of its own cycle.
 */
#include "lang/bus/bus.h"

#include "base/error.h"
#include "lang/measure/dist.h"

#define NONE PC_MATCH_NONE

/* Where something happens, of a word. */
struct events {
    uint64_t start, data, last, end, abort, reset;
};

/* ---- open, close ---- */

static enum pc_status add_dist(struct pc_bus *b, struct bus_transfer_state *t, enum pc_bus_dist d,
                               bool is_signed, bool wanted, enum pc_status status,
                               struct pc_error *err)
{
    return status || !wanted ? status : pc_dist_create(&b->alloc, is_signed, &t->dist[d], err);
}

static bool is_there(const struct pc_bus *b, const struct bus_transfer *rule)
{
    for (size_t i = 0; i < sizeof rule->there; i++)
        if (rule->there[i] && b->role[rule->there[i]].width == 0)
            return false;
    return true;
}

static enum pc_status transfer_open(struct pc_bus *b, struct bus_transfer_state *t,
                                    const struct bus_transfer *rule, const struct pc_bus_desc *desc,
                                    struct pc_error *err)
{
    const bool has_ids =
        rule->start_id && b->role[rule->start_id].width > 0 && b->role[rule->end_id].width > 0;
    enum pc_status status =
        pc_match_open(&t->match, &b->alloc, has_ids, desc->most_open, desc->most_ids, err);

    t->rule = rule;
    t->last_slot = NONE;
    t->clean = true;
    const bool data = rule->data.is != BUS_NEVER, owned = rule->flags & BUS_OWNED;
    const bool len = rule->len && b->role[rule->len].width > 0;
    status = add_dist(b, t, PC_BUS_OPEN_AGES, false, true, status, err);
    status = add_dist(b, t, PC_BUS_FIRST_DATA, owned, data, status, err);
    status = add_dist(b, t, PC_BUS_LAST_DATA, false, owned, status, err);
    status = add_dist(b, t, PC_BUS_DELAY, true, rule->flags & BUS_DELAY, status, err);
    status = add_dist(b, t, PC_BUS_LEN, false, len, status, err);
    status = add_dist(b, t, PC_BUS_BEATS, false, rule->flags & BUS_BEATS, status, err);
    status =
        add_dist(b, t, PC_BUS_TRANSACTION_BYTES, false,
                 (data || owned) && pc_bus_has_bytes(b, rule->strobe, rule->width), status, err);
    return add_dist(b, t, PC_BUS_WAIT_STATES, false, rule->flags & BUS_WAITS, status, err);
}

/* Requests that are open where there is another pairing; few where nothing says that each has
 * many responses, so that what does not fit ends soon. */
enum { MOST_OF_ONE = 1 << 10, MOST_OF_MANY = 1 << 8 };

enum pc_status pc_bus_transfers_open(struct pc_bus *b, const struct pc_bus_desc *desc,
                                     struct pc_error *err)
{
    const struct pc_bus_protocol *p = b->protocol;
    struct pc_bus_desc of_many = *desc;
    enum pc_status status = PC_OK;
    size_t count = 0;

    for (size_t i = 0; i < p->transfers; i++)
        count += is_there(b, &p->transfer[i]);
    b->transfer = count ? pc_calloc(&b->alloc, count, sizeof *b->transfer) : NULL;
    if (count > 0 && !b->transfer)
        return pc_fail(err, 100, "no memory for the transactions of a bus");
    for (size_t i = 0; i < p->transfers && status == PC_OK; i++) {
        if (!is_there(b, &p->transfer[i]))
            continue;
        if (count > 1 && p->transfer[i].flags & BUS_PAIRED && !desc->most_open)
            of_many.most_open = p->transfer[i].answers ? MOST_OF_MANY : MOST_OF_ONE;
        status = transfer_open(b, &b->transfer[b->transfers++], &p->transfer[i], &of_many, err);
    }
    return status;
}

static void transfer_close(struct pc_bus *b, struct bus_transfer_state *t)
{
    pc_match_close(&t->match);
    for (size_t i = 0; i < PC_BUS_DISTS; i++)
        pc_dist_destroy(t->dist[i]);
    pc_free(&b->alloc, t->open, t->open_capacity * sizeof *t->open);
    pc_free(&b->alloc, t->burst, t->bursts * sizeof *t->burst);
}

void pc_bus_transfers_close(struct pc_bus *b)
{
    size_t count = 0;

    for (size_t i = 0; b->transfer && i < b->protocol->transfers; i++)
        count += is_there(b, &b->protocol->transfer[i]);
    for (unsigned t = 0; t < b->transfers; t++)
        transfer_close(b, &b->transfer[t]);
    pc_free(&b->alloc, b->transfer, count * sizeof *b->transfer);
}

void pc_bus_transfer_finish(struct pc_bus *b, unsigned n)
{
    struct bus_transfer_state *t = &b->transfer[n];

    t->oldest = (struct pc_bus_longest){ .any = false };
    pc_match_ages(&t->match, b->edges.edges, t->dist[PC_BUS_OPEN_AGES], &t->oldest);
}

/* ---- identifiers ---- */

/* A side without identifiers has one queue. */
static bool id_at(struct pc_bus *b, const struct bus_transfer_state *t, unsigned role,
                  unsigned cycle, uint64_t *id)
{
    *id = 0;
    return !t->match.has_ids || pc_bus_number(b, role, cycle, id);
}

/* ---- starts ---- */

/* The start before has this one after it. */
static void follow(struct bus_transfer_state *t, uint64_t now)
{
    if (t->last_slot != NONE) {
        t->open[t->last_slot].next = now;
        t->open[t->last_slot].has_next = true;
    } else if (t->last_ended) {
        pc_dist_add_small(t->dist[PC_BUS_DELAY], now - t->last_end, 1);
    }
    t->last_slot = NONE;
    t->last_ended = false;
}

/* Takes a beat of a request; false: it is not the first one. */
static bool begin_request(struct pc_bus *b, struct bus_transfer_state *t, unsigned cycle,
                          struct bus_open *open)
{
    if (t->words_left > 0) {
        t->words_left--;
        return false;
    }
    pc_bus_sized_request(b, t->rule, cycle, &t->words_left, &open->len);
    t->words_left--;
    open->has_len = true;
    return true;
}

static enum pc_status start(struct pc_bus *b, struct bus_transfer_state *t, unsigned cycle,
                            struct pc_error *err)
{
    const struct bus_transfer *rule = t->rule;
    const uint64_t now = b->word.first + cycle;
    struct bus_open open = { .first = 0 };
    enum pc_status status = PC_OK;
    uint64_t id, write;
    uint32_t slot;
    const bool known = id_at(b, t, rule->start_id, cycle, &id);

    t->fit.asked = true;
    if (rule->flags & BUS_DELAY)
        follow(t, now);
    open.has_len = pc_bus_number(b, rule->len, cycle, &open.len) || rule->answers > 0;
    open.len += rule->len_plus + rule->answers;
    if (rule->flags & BUS_SIZED && !begin_request(b, t, cycle, &open))
        return PC_OK;
    if (open.has_len && !(rule->flags & BUS_LEN_OF_ENDED))
        pc_dist_add_small(t->dist[PC_BUS_LEN], open.len, 1);
    if (pc_bus_number(b, rule->write, cycle, &write))
        open.way = write ? BUS_WRITE : BUS_READ;
    if (rule->flags & BUS_OWNED)
        status = pc_bus_burst_claim(b, t, &open.burst, known, err);
    if (status)
        return status;
    if (!known) {
        t->match.figures.unknown_id++;
        return PC_OK;
    }
    status = pc_match_start(&t->match, now, id, &slot, err);
    if (status)
        return status;
    if (!pc_grow(&b->alloc, (void **)&t->open, &t->open_capacity, (size_t)slot + 1,
                 sizeof *t->open))
        return pc_fail(err, 100, "no memory for the transactions of a bus");
    t->open[slot] = open;
    if (rule->flags & BUS_DELAY)
        t->last_slot = slot;
    return PC_OK;
}

/* ---- responses ---- */

/* Returns true if the code of this cycle is an error. */
static bool respond(struct pc_bus *b, struct bus_transfer_state *t, unsigned cycle)
{
    uint64_t code;

    if (b->role[t->rule->response].width == 0)
        return false;
    if (!pc_bus_number(b, t->rule->response, cycle, &code)) {
        t->response_unknown++;
        return false;
    }
    t->response[code % PC_BUS_CODES]++;
    return t->rule->errors >> code % PC_BUS_CODES & 1;
}

/* ---- ends ---- */

static void finish_owned(struct bus_transfer_state *t, const struct bus_open *o, uint64_t began,
                         uint64_t now)
{
    const struct bus_burst *burst = pc_bus_burst_end(t, o->burst);

    if (!burst) {
        t->count[PC_BUS_WITHOUT_DATA]++;
        return;
    }
    pc_dist_add_small(t->dist[PC_BUS_FIRST_DATA], burst->first - began, 1);
    pc_dist_add_small(t->dist[PC_BUS_LAST_DATA], now - burst->last, 1);
    pc_dist_add_small(t->dist[PC_BUS_BEATS], burst->beats, 1);
    pc_dist_add_small(t->dist[PC_BUS_TRANSACTION_BYTES], burst->bytes, 1);
    t->count[PC_BUS_LEN_MISMATCH] += o->has_len && o->len != burst->beats;
}

static void finish_data(struct bus_transfer_state *t, const struct bus_open *o, uint64_t began)
{
    pc_dist_add_small(t->dist[PC_BUS_FIRST_DATA], o->first - began, 1);
    if (t->dist[PC_BUS_BEATS])
        pc_dist_add_small(t->dist[PC_BUS_BEATS], o->beats, 1);
    pc_dist_add_small(t->dist[PC_BUS_TRANSACTION_BYTES], o->bytes, 1);
    t->count[PC_BUS_LEN_MISMATCH] += o->has_len && o->len != o->beats;
    if (t->rule->flags & BUS_LEN_OF_ENDED && o->has_len)
        pc_dist_add_small(t->dist[PC_BUS_LEN], o->len, 1);
}

/* The start after it came, or comes some time. */
static void close_delay(struct bus_transfer_state *t, uint32_t slot, uint64_t now)
{
    const struct bus_open *o = &t->open[slot];

    if (o->has_next) {
        pc_dist_add_small(t->dist[PC_BUS_DELAY], o->next - now, 1);
    } else if (slot == t->last_slot) {
        t->last_slot = NONE;
        t->last_ended = true;
        t->last_end = now;
    }
}

static void finish(struct pc_bus *b, struct bus_transfer_state *t, unsigned cycle, uint32_t slot)
{
    const struct bus_transfer *rule = t->rule;
    const uint64_t now = b->word.first + cycle, began = t->match.open[slot].cycle;
    const struct bus_open *o = &t->open[slot];

    if (rule->flags & BUS_OWNED)
        finish_owned(t, o, began, now);
    else if (rule->data.is != BUS_NEVER)
        finish_data(t, o, began);
    if (rule->flags & BUS_DELAY)
        close_delay(t, slot, now);
    if (rule->flags & BUS_WAITS)
        pc_dist_add_small(t->dist[PC_BUS_WAIT_STATES], now - began - 1, 1);
    t->count[PC_BUS_ERRORS] += o->error;
    t->count[PC_BUS_ERRORS_LAST] += o->error_last;
    if (o->way != BUS_UNKNOWN_WAY)
        t->count[o->way == BUS_WRITE ? PC_BUS_WRITES : PC_BUS_READS]++;
    if (rule->retry)
        t->count[PC_BUS_RETRIES] += b->word.one[rule->retry - 1] >> cycle & 1;
}

static void end_slot(struct pc_bus *b, struct bus_transfer_state *t, unsigned cycle, uint64_t id,
                     bool error)
{
    const uint32_t slot = pc_match_end(&t->match, b->word.first + cycle, id);

    if (slot == NONE)
        return;
    t->open[slot].error |= error;
    finish(b, t, cycle, slot);
}

static void end(struct pc_bus *b, struct bus_transfer_state *t, unsigned cycle)
{
    const bool error = respond(b, t, cycle);
    uint64_t id;

    if (id_at(b, t, t->rule->end_id, cycle, &id))
        end_slot(b, t, cycle, id, error);
    else
        t->match.figures.unknown_id++;
}

/* ---- data ---- */

/* Data with an identifier, the last of which are the end. */
static void data(struct pc_bus *b, struct bus_transfer_state *t, unsigned cycle, bool last)
{
    const bool sized = t->rule->flags & BUS_SIZED;
    uint64_t id;

    t->fit.answered = true;
    if (sized && !pc_bus_sized_is_response(b, t->rule, cycle))
        return;
    const bool error = respond(b, t, cycle);
    if (!id_at(b, t, t->rule->end_id, cycle, &id)) {
        t->match.figures.unknown_id++;
        return;
    }
    const uint32_t slot = pc_match_oldest(&t->match, id);
    if (slot == NONE) {
        t->match.figures.orphans++;
        return;
    }
    struct bus_open *o = &t->open[slot];
    if (o->beats == 0 && sized)
        o->len = pc_bus_sized_response(b, t->rule, cycle, o->len);
    if (o->beats++ == 0)
        o->first = b->word.first + cycle;
    o->bytes += pc_bus_bytes(b, t->rule->strobe, t->rule->width, UINT64_C(1) << cycle);
    o->error |= error;
    o->error_last = error;
    if (t->rule->end.is == BUS_BY_LEN ? !o->has_len || o->beats >= o->len : last)
        end_slot(b, t, cycle, id, false);
}

/* ---- a word ---- */

static void reset(struct bus_transfer_state *t)
{
    pc_match_abort(&t->match);
    pc_bus_burst_forget(t);
    t->last_slot = NONE; /* what had ended before has its delay all the same */
    t->clean = true;
    t->fit.asked = false;
    t->words_left = 0;
}

/* Forgets what is in flight, before the cycle is evaluated. */
static void abandon(struct bus_transfer_state *t, const struct events *e, unsigned cycle)
{
    if (e->reset >> cycle & 1) {
        reset(t);
    } else if (e->abort >> cycle & 1) {
        if (t->rule->flags & BUS_DROPPED)
            t->count[PC_BUS_DROPPED] += t->match.outstanding_now;
        pc_match_abort(&t->match);
    }
}

static enum pc_status happen(struct pc_bus *b, struct bus_transfer_state *t, const struct events *e,
                             unsigned cycle, struct pc_error *err)
{
    const struct bus_transfer *rule = t->rule;
    const bool some = t->match.outstanding_now > 0;
    enum pc_status status = PC_OK;

    if (e->reset >> cycle & 1)
        return PC_OK;
    if (e->start >> cycle & 1 && !(rule->start.is == BUS_IF_NONE && some))
        status = start(b, t, cycle, err);
    const bool has_data = e->data >> cycle & 1, owned = rule->flags & BUS_OWNED;
    if (status == PC_OK && has_data && owned)
        status = pc_bus_burst_data(b, t, b->word.first + cycle, e->last >> cycle & 1, err);
    else if (status == PC_OK && has_data)
        data(b, t, cycle, e->end >> cycle & 1);
    if (status == PC_OK && e->end >> cycle & 1 && (owned || rule->data.is == BUS_NEVER) &&
        (rule->end.is != BUS_IF_SOME || some))
        end(b, t, cycle);
    if (rule->flags & BUS_OWNED)
        pc_bus_burst_trim(t);
    pc_match_settle(&t->match);
    t->clean = false;
    return status;
}

/* Returns those that can do something as things stand. */
static uint64_t events_now(const struct bus_transfer_state *t, const struct events *e)
{
    const bool some = t->match.outstanding_now > 0;
    uint64_t now = e->data;

    if (!some || t->rule->start.is != BUS_IF_NONE)
        now |= e->start;
    if (some || t->rule->end.is != BUS_IF_SOME)
        now |= e->end;
    if (some)
        now |= e->abort;
    return t->clean ? now : now | e->reset;
}

/* Too many are open: where there is another pairing this one does not fit. */
static enum pc_status fail(const struct pc_bus *b, struct bus_transfer_state *t, uint64_t edge,
                           enum pc_status status)
{
    if (status != PC_ELIMIT || b->transfers < 2 || !(t->rule->flags & BUS_PAIRED))
        return status;
    t->fit.failed = t->fit.many = true;
    t->fit.failed_at = edge;
    return PC_OK;
}

enum pc_status pc_bus_transfer_word(struct pc_bus *b, unsigned n, struct pc_error *err)
{
    struct bus_transfer_state *t = &b->transfer[n];
    const struct bus_transfer *rule = t->rule;
    const struct bus_word *w = &b->word;

    if (t->fit.failed)
        return PC_OK;
    const struct events e = { pc_bus_event(b, &rule->start), pc_bus_event(b, &rule->data),
                              pc_bus_event(b, &rule->last),  pc_bus_event(b, &rule->end),
                              pc_bus_event(b, &rule->abort), w->cycle & ~w->live };
    uint64_t left = w->cycle, open = w->cycle; /* open: with as many open as now before each */

    for (;;) {
        const uint64_t now = events_now(t, &e) & left, before = t->match.outstanding_now;
        if (now == 0)
            break;
        const unsigned cycle = (unsigned)__builtin_ctzll(now);
        left &= ~bus_before(cycle + 1);
        if ((e.reset | e.abort) >> cycle & 1) {
            pc_match_pass(&t->match, before, pc_ones(w->live & open & bus_before(cycle)));
            open &= ~bus_before(cycle);
            abandon(t, &e, cycle);
        }
        const uint64_t still = t->match.outstanding_now;
        const enum pc_status status = happen(b, t, &e, cycle, err);
        if (status)
            return fail(b, t, w->first + cycle, status);
        if (rule->flags & BUS_PAIRED) {
            pc_bus_pair_look(t, w->first + cycle);
            if (t->fit.failed)
                return PC_OK;
        }
        if (t->match.outstanding_now == still)
            continue;
        pc_match_pass(&t->match, still, pc_ones(w->live & open & ~left));
        open &= left;
    }
    pc_match_pass(&t->match, t->match.outstanding_now, pc_ones(w->live & open));
    t->count[PC_BUS_READ_BEATS] += pc_ones(e.data);
    t->count[PC_BUS_WRITE_BEATS] += pc_ones(pc_bus_event(b, &rule->writes));
    t->count[PC_BUS_BYTES] += pc_bus_bytes(b, rule->strobe, rule->width, e.data);
    t->count[PC_BUS_BUS_BYTES] += pc_bus_bytes(b, 0, rule->width, e.data);
    return PC_OK;
}
