/* SPDX-License-Identifier: MIT */
/*
 * The chains of wanted streams: read from the file and unpacked, or left to who walks along them.
 * Small ones that lie near each other are read at once; of a large one only its size is read
 * at first, the rest by the thread that unpacks it.
 */
#include "wave/fst/fst.h"
#include "wave/wave.h"

#define GAP   4096u /* bytes between chains that are rather read than left out */
#define SMALL 4096u /* bytes of a chain */

/*
 * Returns the last of the wanted chains from `first`, which is one, on that are read at once, with
 * what little is between them; the last of them.
 */
static size_t last_of_range(const struct fst *f, size_t first)
{
    size_t last = first;

    for (size_t i = first + 1; i < f->loaded.chains && f->loaded.chain[last].stored <= SMALL; i++) {
        if (!f->loaded.chain[i].wanted)
            continue;
        if (f->loaded.chain[i].stored > SMALL ||
            f->loaded.chain[i].at - (f->loaded.chain[last].at + f->loaded.chain[last].stored) > GAP)
            break;
        last = i;
    }
    return last;
}

/* Reads into memory that follows, if the file is not there as a whole. */
static enum pc_status read_range(struct fst *f, size_t first, size_t last, uint8_t *to,
                                 struct pc_error *err)
{
    const uint64_t at = f->loaded.chain[first].at,
                   end = f->loaded.chain[last].at + f->loaded.chain[last].stored;
    const bool later = !f->data && f->loaded.chain[first].stored > SMALL;
    struct fst_cursor c;

    enum pc_status status = fst_read(f, at, later ? FST_NUMBER_MAX : end - at, to, &c, err);
    f->loaded.chain[first].later = later;
    for (size_t i = first; i <= last; i++)
        f->loaded.chain[i].from = c.at + (f->loaded.chain[i].at - at);
    return status;
}

static enum pc_status read_chains(struct fst *f, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    size_t total = 0, last;

    for (size_t i = 1; i < f->loaded.chains && !f->data; i = last + 1) {
        last = i;
        if (!f->loaded.chain[i].wanted)
            continue;
        last = last_of_range(f, i);
        const uint64_t size =
            f->loaded.chain[last].at + f->loaded.chain[last].stored - f->loaded.chain[i].at;
        if (size > SIZE_MAX || !pc_size_add(total, (size_t)size, &total))
            return fst_no_memory(err, "chains");
    }
    if (!pc_grow(&f->alloc, (void **)&f->loaded.stored.data, &f->loaded.stored.capacity, total, 1))
        return fst_no_memory(err, "chains");
    total = 0;
    for (size_t i = 1; i < f->loaded.chains && status == PC_OK; i = last + 1) {
        last = i;
        if (!f->loaded.chain[i].wanted)
            continue;
        last = last_of_range(f, i);
        status = read_range(f, i, last, f->data ? NULL : f->loaded.stored.data + total, err);
        total += (size_t)(f->loaded.chain[last].at + f->loaded.chain[last].stored -
                          f->loaded.chain[i].at);
    }
    return status;
}

/* Measures how long the records are and how they are stored: a number before them, 0: as they
 * are. */
static enum pc_status measure_chain(struct fst *f, struct fst_chain *chain, size_t *total,
                                    struct pc_error *err)
{
    struct fst_cursor c = fst_cursor_on(chain->from, (size_t)chain->stored, chain->at);
    uint64_t size = fst_number(&c);

    enum pc_status status = fst_check(&c, err, "chain");
    if (status)
        return status;
    chain->measured = true;
    chain->packed = size > 0;
    chain->at += (uint64_t)(c.at - c.begin);
    chain->from = c.at;
    chain->stored = fst_left(&c);
    chain->size = (size_t)chain->stored;
    if (!chain->packed)
        return PC_OK;
    status = fst_room(&c, f->loaded.now.packing, size, &f->loaded.now.budget, err, "chain");
    if (status)
        return status;
    chain->size = (size_t)size;
    return pc_size_add(*total, chain->size, total) ? PC_OK : fst_no_memory(err, "chains");
}

enum pc_status fst_unpack_chain(struct fst *f, unsigned worker, struct fst_chain *chain,
                                struct pc_error *err)
{
    struct fst_cursor c = fst_cursor_on(chain->from, (size_t)chain->stored, chain->at);
    uint8_t *to = f->loaded.unpacked.data + chain->place;
    enum pc_status status = PC_OK;

    if (chain->later)
        status = wv_input_take_at(f->in, chain->at,
                                  f->loaded.stored.data + (c.at - f->loaded.stored.data),
                                  (size_t)chain->stored, err);
    if (status == PC_OK && chain->packed)
        status =
            fst_unpack(&f->zlib[worker], &c, f->loaded.now.packing, to, chain->size, err, "chain");
    if (status == PC_OK)
        chain->data = chain->packed ? to : c.at;
    return status;
}

/* Task 0 is the time table, if that is packed; then the chains. */
static enum pc_status unpack_task(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    struct fst *f = ctx;

    if (f->loaded.now.time_packed && task == 0 && f->on_the_way) {
        fst_table_unpack(f);
        return PC_OK;
    }
    if (f->loaded.now.time_packed && task == 0)
        return fst_unpack(&f->zlib[worker], &f->loaded.now.packed_time, FST_ZLIB,
                          f->loaded.time.data, fst_left(&f->loaded.now.time), err, "time table");
    return fst_unpack_chain(
        f, worker, &f->loaded.chain[f->loaded.packed[task - f->loaded.now.time_packed]], err);
}

/* Streams of the same values share a chain. */
static bool is_shared(const struct fst *f, uint32_t chain)
{
    size_t users = 0;

    for (size_t i = 0; i < f->loaded.walks; i++)
        users += f->loaded.walk[i].chain == chain;
    return users > 1;
}

/* The clock's chain may not have to be unpacked. */
static enum pc_status look_at_clock(struct fst *f, size_t *total, struct pc_error *err)
{
    const uint32_t number = f->clock_alone ? f->loaded.chain_of[f->early[0]] : 0;
    struct fst_chain *chain = &f->loaded.chain[number];

    if (!fst_chains_later(f) || f->loaded.now.packing != FST_LZ4 || !chain->packed ||
        is_shared(f, number))
        return PC_OK;
    struct fst_cursor c = fst_cursor_on(chain->from, (size_t)chain->stored, chain->at);
    if (chain->later) {
        enum pc_status status = wv_input_take_at(
            f->in, chain->at, f->loaded.stored.data + (c.at - f->loaded.stored.data),
            (size_t)chain->stored, err);
        if (status)
            return status;
        chain->later = false;
    }
    chain->left_packed = fst_leave_packed(f, &c, chain->size);
    if (chain->left_packed)
        *total -= chain->size;
    return PC_OK;
}

static enum pc_status unpack_chains(struct fst *f, size_t total, struct pc_error *err)
{
    size_t used = 0;

    enum pc_status first = look_at_clock(f, &total, err);
    if (first)
        return first;
    if (!pc_grow(&f->alloc, (void **)&f->loaded.unpacked.data, &f->loaded.unpacked.capacity, total,
                 1))
        return fst_no_memory(err, "chains");
    wv_ask_for_large_pages(f->loaded.unpacked.data, total);
    /* nothing can be begun before the table is there: others are not to wait for it */
    const bool all = f->on_the_way && f->loaded.now.time_packed && f->loaded.table.size >= total;
    f->loaded.packeds = 0;
    for (size_t i = 1; i < f->loaded.chains; i++) {
        struct fst_chain *chain = &f->loaded.chain[i];
        if (chain->left_packed)
            continue;
        if (!chain->wanted || (!chain->packed && !chain->later)) {
            chain->data = chain->from;
            continue;
        }
        chain->place = used;
        used += chain->packed ? chain->size : 0;
        if (!chain->early && !all)
            continue;
        if (!pc_grow(&f->alloc, (void **)&f->loaded.packed, &f->loaded.packed_capacity,
                     f->loaded.packeds + 1, sizeof *f->loaded.packed))
            return fst_no_memory(err, "chains");
        f->loaded.packed[f->loaded.packeds++] = (uint32_t)i;
    }
    struct pc_error other;
    enum pc_status chains =
        wv_team_run(f->team, unpack_task, f, f->loaded.packeds + f->loaded.now.time_packed, &other);
    if (f->loaded.now.time_packed && f->on_the_way) {
        enum pc_status status = fst_table_begin(f, err);
        if (status)
            return status;
    }
    if (chains && err)
        *err = other;
    return chains;
}

static bool is_early(const struct fst *f, uint32_t code)
{
    return !fst_chains_later(f) || code == f->early[0] || code == f->early[1];
}

/* Adds a walk for each wanted stream that changes in the block. */
static enum pc_status add_walks(struct fst *f, struct pc_error *err)
{
    f->loaded.walks = 0;
    for (size_t i = 0; i < f->wanteds; i++) {
        uint32_t chain = f->loaded.chain_of[f->wanted[i]];
        if (chain == 0)
            continue;
        if (!pc_grow(&f->alloc, (void **)&f->loaded.walk, &f->loaded.walk_capacity,
                     f->loaded.walks + 1, sizeof *f->loaded.walk))
            return fst_no_memory(err, "chains");
        f->loaded.walk[f->loaded.walks++] =
            (struct fst_walk){ .code = f->wanted[i], .chain = chain };
        f->loaded.chain[chain].early |= is_early(f, f->wanted[i]);
        f->loaded.chain[chain].wanted = true;
    }
    return PC_OK;
}

enum pc_status fst_load_chains(struct fst *f, struct pc_error *err)
{
    enum pc_status status = add_walks(f, err);
    size_t total = 0;

    if (status == PC_OK)
        status = read_chains(f, err);
    for (size_t i = 0; i < f->loaded.walks && status == PC_OK; i++) {
        struct fst_chain *chain = &f->loaded.chain[f->loaded.walk[i].chain];
        if (!chain->measured)
            status = measure_chain(f, chain, &total, err);
    }
    if (status == PC_OK)
        status = unpack_chains(f, total, err);
    for (size_t i = 0; i < f->loaded.walks && status == PC_OK; i++)
        if (f->loaded.chain[f->loaded.walk[i].chain].left_packed)
            status = fst_begin_packed_clock(f, &f->loaded.walk[i], err);
        else if (f->loaded.chain[f->loaded.walk[i].chain].data)
            status = fst_walk_begin(f, &f->loaded.walk[i], err);
    return status;
}
