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

/* Checks that one of the two sets of needed roles is complete. */
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
    return status ? status : pc_bus_transfers_open(b, desc, err);
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
    pc_bus_transfers_close(b);
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
    b->edges.reset_edges += pc_ones(w->cycle & ~w->live);
    b->edges.reset_unknown += pc_ones(unknown);
    b->edges.cycles += pc_ones(w->live);
    if (w->cycle & ~w->live)
        b->moved = pc_bus_mark(b, w->first + 63 - (unsigned)__builtin_clzll(w->cycle & ~w->live));
}

static enum pc_status add_word(struct pc_bus *b, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    look_at_reset(b);
    pc_bus_look(b);
    for (unsigned c = 0; c < b->protocol->channels; c++)
        if (b->channel[c].rule)
            pc_bus_channel_word(b, c);
    for (unsigned t = 0; t < b->transfers && status == PC_OK; t++)
        status = pc_bus_transfer_word(b, t, err);
    return status;
}

enum pc_status pc_bus_add(struct pc_bus *b, uint64_t cycles, const uint64_t *const *value,
                          const uint64_t *const *unknown, struct pc_error *err)
{
    b->value = value;
    b->unknown = unknown;
    for (unsigned n = 0; n < b->transfers; n++) {
        b->transfer[n].match.time = b->time;
        b->transfer[n].match.time_from = b->edges.edges;
    }
    b->block_time = b->time;
    b->block_first = b->edges.edges;
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
    pc_bus_pair_choose(b);
    b->finished = true;
    for (unsigned t = 0; t < b->transfers; t++)
        if (pc_bus_is_told(b, t))
            pc_bus_transfer_finish(b, t);
}
