/* SPDX-License-Identifier: MIT */
/*
 * One value change block: where its parts are, which chain belongs to which stream, and
 * the chains of wanted streams unpacked, or left to who walks along them.  From the front:
 *
 *     u64 begin, end, memory
 *     number size, packed size, streams of the frame; the frame
 *     number streams; u8 packing; chains
 *
 * and from the back: u64 size, packed size and count of the time table, the table before
 * them; u64 size of the position table, the table before it.
 *
 * Position tables give each stream in turn nothing, a chain of its own (by its distance
 * from the one before) or the chain of an earlier stream:
 *
 *     kind 1, 5   number: 2 n   the next n streams have no changes
 *                         2 d+1 a chain, d bytes behind the last
 *                         0     (kind 5) number h: the chain of stream h - 1
 *     kind 8      as above but the odd ones are signed: d > 0 a chain, d < 0 the chain of
 *                         stream -d - 1, d = 0 the same stream's as last time
 */
#include "wave/fst.h"

/* Front part; leaves f->now.chains from the packing's byte to the end of the block. */
static enum pc_status read_front(struct fst *f, struct fst_now *n, struct fst_cursor *c,
                                 struct pc_error *err)
{
    fst_take(c, 24);
    n->frame_size = fst_number(c);
    uint64_t packed = fst_number(c);
    n->frame_streams = fst_number(c);
    uint64_t frame_at = c->origin + (uint64_t)(c->at - c->begin);
    const uint8_t *frame = fst_take(c, packed);
    n->streams = fst_number(c);
    enum pc_status status = fst_check(c, err, "value change block");
    if (status)
        return status;
    n->frame = fst_cursor_on(frame, (size_t)packed, frame_at);
    uint64_t most = n->streams > n->frame_streams ? n->streams : n->frame_streams;
    if (most > f->streams)
        return fst_fail(c, err, 711, "the block has %llu value streams, %zu are declared",
                        (unsigned long long)most, f->streams);
    return PC_OK;
}

static enum fst_packing packing_of(uint8_t letter)
{
    return letter == '4' ? FST_LZ4 : letter == 'F' ? FST_FASTLZ : FST_ZLIB;
}

/* Takes the last `size` bytes off a cursor, as a cursor of their own. */
static bool split_end(struct fst_cursor *c, uint64_t size, struct fst_cursor *out)
{
    if (size > fst_left(c))
        return false;
    c->end -= size;
    *out = fst_cursor_on(c->end, (size_t)size, c->origin + (uint64_t)(c->end - c->begin));
    return true;
}

static enum pc_status check_times(const struct fst *f, const struct fst_cursor *table,
                                  uint64_t size, struct pc_error *err)
{
    if (f->now.times <= size)
        return PC_OK;
    return fst_fail(table, err, 713, "the time table claims %llu times in %llu bytes",
                    (unsigned long long)f->now.times, (unsigned long long)size);
}

/* Holds the sizes against each other; what is packed is unpacked with the chains. */
static enum pc_status place_times(struct fst *f, const struct fst_cursor *table, uint64_t size,
                                  struct pc_error *err)
{
    struct fst_now *n = &f->now;

    n->time = n->packed_time = *table;
    n->time_packed = size != fst_left(table);
    f->table.chunks = 0;
    if (n->time_packed) {
        enum pc_status status = fst_room(table, FST_ZLIB, size, &n->budget, err, "time table");
        if (status == PC_OK && f->on_the_way)
            status = fst_table_open(f, table, size, err);
        if (status || f->on_the_way)
            return status ? status : check_times(f, table, size, err);
        if (!pc_grow(&f->alloc, (void **)&f->time.data, &f->time.capacity, (size_t)size + 1, 1))
            return fst_no_memory(err, "time table");
        n->time = fst_cursor_on(f->time.data, (size_t)size, table->origin);
        n->time.packed = true;
    }
    return check_times(f, table, size, err);
}

/* Back part; `c` stands on the packing's byte and is left with the chains alone. */
static enum pc_status read_back(struct fst *f, struct fst_cursor *c, struct pc_error *err)
{
    struct fst_now *n = &f->now;
    struct fst_cursor tail, times, head;

    if (!split_end(c, 24, &tail))
        return fst_fail(c, err, 701, "value change block: no room for the time table's sizes");
    uint64_t size = fst_u64(&tail), packed = fst_u64(&tail);
    n->times = fst_u64(&tail);
    if (!split_end(c, packed, &times))
        return fst_fail(&tail, err, 713, "the time table claims %llu bytes, %zu are left",
                        (unsigned long long)packed, fst_left(c));
    if (!split_end(c, 8, &head))
        return fst_fail(c, err, 701, "value change block: no room for the position table's size");
    uint64_t position = fst_u64(&head);
    if (!split_end(c, position, &n->position))
        return fst_fail(&head, err, 711, "the position table claims %llu bytes, %zu are left",
                        (unsigned long long)position, fst_left(c));
    n->chains = fst_cursor_on(c->at, fst_left(c), c->origin + (uint64_t)(c->at - c->begin));
    n->packing = packing_of(fst_u8(c));
    enum pc_status status = fst_check(c, err, "value change block");
    return status ? status : place_times(f, &times, size, err);
}

enum pc_status fst_block_packing(const struct fst *f, size_t block, enum fst_packing *out,
                                 struct pc_error *err)
{
    struct fst_cursor c = fst_file_cursor(f, f->block[block].at, f->block[block].size);

    fst_take(&c, 24);
    fst_number(&c);
    uint64_t packed = fst_number(&c);
    fst_number(&c);
    fst_take(&c, packed);
    fst_number(&c);
    *out = packing_of(fst_u8(&c));
    return fst_check(&c, err, "value change block");
}

/* The position table being read. */
struct table {
    struct fst_cursor c, entry; /* entry: where the current one begins, for errors */
    uint64_t streams, done;
    uint64_t at;    /* position of the last chain */
    uint64_t alias; /* stream + 1 of the last alias, 0: none yet */
};

static enum pc_status add_chain(struct fst *f, struct table *t, uint64_t distance,
                                struct pc_error *err)
{
    uint64_t room = fst_left(&f->now.chains);

    if (distance == 0 || distance >= room - t->at)
        return fst_fail(&t->entry, err, 711, "a chain %llu bytes behind position %llu of %llu",
                        (unsigned long long)distance, (unsigned long long)t->at,
                        (unsigned long long)room);
    if (!pc_grow(&f->alloc, (void **)&f->chain, &f->chain_capacity, f->chains + 1,
                 sizeof *f->chain))
        return fst_no_memory(err, "the position table");
    t->at += distance;
    uint64_t at = f->now.chains.origin + t->at;
    if (f->chains > 1)
        f->chain[f->chains - 1].stored = at - f->chain[f->chains - 1].at;
    f->chain[f->chains] =
        (struct fst_chain){ .at = at, .stored = f->now.chains.origin + room - at };
    f->chain_of[t->done++] = (uint32_t)f->chains++;
    return PC_OK;
}

/* CVE-2023-35969 and 35970: an alias leads to a stream that is already known, or nowhere. */
static enum pc_status add_alias(struct fst *f, struct table *t, uint64_t stream_plus_1,
                                struct pc_error *err)
{
    if (stream_plus_1 == 0 || stream_plus_1 > t->done)
        return fst_fail(&t->entry, err, 712,
                        "value stream %llu is to have the chain of stream %lld, not an earlier one",
                        (unsigned long long)t->done, (long long)stream_plus_1 - 1);
    t->alias = stream_plus_1;
    f->chain_of[t->done++] = f->chain_of[stream_plus_1 - 1];
    return PC_OK;
}

static enum pc_status add_nothing(struct fst *f, struct table *t, uint64_t run,
                                  struct pc_error *err)
{
    if (run > t->streams - t->done)
        return fst_fail(&t->entry, err, 711, "%llu streams without changes, %llu are left",
                        (unsigned long long)run, (unsigned long long)(t->streams - t->done));
    memset(f->chain_of + t->done, 0, (size_t)run * sizeof *f->chain_of);
    t->done += run;
    return PC_OK;
}

static enum pc_status read_entry(struct fst *f, struct table *t, uint8_t type, struct pc_error *err)
{
    if (type == FST_CHANGES_ALIAS2 && *t->c.at & 1) {
        int64_t value = fst_signed(&t->c);
        int64_t d = value >= 0 ? value / 2 : (value - 1) / 2;
        if (t->c.fault)
            return PC_OK; /* the caller looks */
        if (t->done == t->streams)
            return fst_fail(&t->entry, err, 711, "an entry for more than %llu value streams",
                            (unsigned long long)t->streams);
        if (d > 0)
            return add_chain(f, t, (uint64_t)d, err);
        return add_alias(f, t, d < 0 ? (uint64_t)-d : t->alias, err);
    }
    uint64_t value = fst_number(&t->c);
    bool alias = value == 0 && type == FST_CHANGES_ALIAS;
    uint64_t stream = alias ? fst_number(&t->c) : 0;
    if (t->c.fault)
        return PC_OK;
    if ((alias || value & 1) && t->done == t->streams)
        return fst_fail(&t->entry, err, 711, "an entry for more than %llu value streams",
                        (unsigned long long)t->streams);
    if (alias)
        return add_alias(f, t, stream, err);
    return value & 1 ? add_chain(f, t, value >> 1, err) : add_nothing(f, t, value >> 1, err);
}

static enum pc_status read_positions(struct fst *f, struct pc_error *err)
{
    struct table t = { .c = f->now.position, .streams = f->now.streams };
    uint8_t type = f->block[f->now.block].type;
    enum pc_status status = PC_OK;

    if (!pc_grow(&f->alloc, (void **)&f->chain_of, &f->chain_of_capacity, f->streams + 1,
                 sizeof *f->chain_of) ||
        !pc_grow(&f->alloc, (void **)&f->chain, &f->chain_capacity, 1, sizeof *f->chain))
        return fst_no_memory(err, "the position table");
    f->chain[0] = (struct fst_chain){ 0 };
    f->chains = 1;
    while (status == PC_OK && fst_left(&t.c) > 0) {
        t.entry = t.c;
        status = read_entry(f, &t, type, err);
    }
    if (status == PC_OK)
        status = fst_check(&t.c, err, "position table");
    if (status == PC_OK && t.done != t.streams)
        status = fst_fail(&t.c, err, 711, "the position table has %llu of %llu value streams",
                          (unsigned long long)t.done, (unsigned long long)t.streams);
    for (uint64_t i = t.done; status == PC_OK && i < f->streams; i++)
        f->chain_of[i] = 0; /* declared later than this block */
    return status;
}

/* How long the records are and how they are stored: a number before them, 0: as they are. */
static enum pc_status measure_chain(struct fst *f, struct fst_chain *chain, size_t *total,
                                    struct pc_error *err)
{
    struct fst_cursor c = fst_file_cursor(f, chain->at, chain->stored);
    uint64_t size = fst_number(&c);

    enum pc_status status = fst_check(&c, err, "chain");
    if (status)
        return status;
    chain->wanted = true;
    chain->packed = size > 0;
    chain->at += (uint64_t)(c.at - c.begin);
    chain->stored = fst_left(&c);
    chain->size = (size_t)chain->stored;
    if (!chain->packed)
        return PC_OK;
    status = fst_room(&c, f->now.packing, size, &f->now.budget, err, "chain");
    if (status)
        return status;
    chain->size = (size_t)size;
    return pc_size_add(*total, chain->size, total) ? PC_OK : fst_no_memory(err, "chains");
}

enum pc_status fst_unpack_chain(struct fst *f, unsigned worker, struct fst_chain *chain,
                                struct pc_error *err)
{
    struct fst_cursor c = fst_file_cursor(f, chain->at, chain->stored);
    uint8_t *to = f->unpacked.data + chain->place;
    enum pc_status status =
        fst_unpack(&f->zlib[worker], &c, f->now.packing, to, chain->size, err, "chain");

    if (status == PC_OK)
        chain->data = to;
    return status;
}

/* What is read of a file of gigabytes is not to stay in memory until it is closed. */
static enum pc_status forget_before(const struct fst *f)
{
    const struct fst_block *b = f->now.block > 0 ? &f->block[f->now.block - 1] : NULL;

    if (b && !f->wrapped)
        wv_input_forget(f->in, b->at, b->size);
    return PC_OK;
}

/* Task 0 is the time table, if that is packed; then the chains, and the block that is behind us. */
static enum pc_status unpack_task(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    struct fst *f = ctx;

    if (task == f->packeds + f->now.time_packed)
        return forget_before(f);
    if (f->now.time_packed && task == 0)
        return f->table.chunks > 0
                   ? fst_table_begin(f, err)
                   : fst_unpack(&f->zlib[worker], &f->now.packed_time, FST_ZLIB, f->time.data,
                                fst_left(&f->now.time), err, "time table");
    return fst_unpack_chain(f, worker, &f->chain[f->packed[task - f->now.time_packed]], err);
}

static enum pc_status unpack_chains(struct fst *f, size_t total, struct pc_error *err)
{
    size_t used = 0;

    if (!pc_grow(&f->alloc, (void **)&f->unpacked.data, &f->unpacked.capacity, total, 1))
        return fst_no_memory(err, "chains");
    f->packeds = 0;
    for (size_t i = 1; i < f->chains; i++) {
        struct fst_chain *chain = &f->chain[i];
        if (!chain->wanted || !chain->packed) {
            chain->data = f->data + chain->at;
            continue;
        }
        chain->place = used;
        used += chain->size;
        if (!chain->early)
            continue;
        if (!pc_grow(&f->alloc, (void **)&f->packed, &f->packed_capacity, f->packeds + 1,
                     sizeof *f->packed))
            return fst_no_memory(err, "chains");
        f->packed[f->packeds++] = (uint32_t)i;
    }
    return wv_team_run(f->team, unpack_task, f, f->packeds + f->now.time_packed + 1, err);
}

static bool is_early(const struct fst *f, uint32_t code)
{
    return !fst_chains_later(f) || code == f->early[0] || code == f->early[1];
}

static enum pc_status begin_walks(struct fst *f, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    size_t total = 0;

    f->walks = 0;
    for (size_t i = 0; i < f->wanteds && status == PC_OK; i++) {
        uint32_t chain = f->chain_of[f->wanted[i]];
        if (chain == 0)
            continue;
        if (!pc_grow(&f->alloc, (void **)&f->walk, &f->walk_capacity, f->walks + 1,
                     sizeof *f->walk))
            return fst_no_memory(err, "chains");
        f->walk[f->walks++] = (struct fst_walk){ .code = f->wanted[i], .chain = chain };
        f->chain[chain].early |= is_early(f, f->wanted[i]);
        if (!f->chain[chain].wanted)
            status = measure_chain(f, &f->chain[chain], &total, err);
    }
    if (status == PC_OK)
        status = unpack_chains(f, total, err);
    for (size_t i = 0; i < f->walks && status == PC_OK; i++)
        if (f->chain[f->walk[i].chain].data)
            status = fst_walk_begin(f, &f->walk[i], err);
    return status;
}

enum pc_status fst_load_block(struct fst *f, size_t block, struct pc_error *err)
{
    const struct fst_block *b = &f->block[block];
    struct fst_cursor c = fst_file_cursor(f, b->at, b->size);

    f->now = (struct fst_now){ .block = block, .budget = fst_budget(f, b->size) };
    f->window.begin = f->window.end = 0;
    if (b->begin > b->end)
        return pc_fail_byte(err, 713, b->at, "the block begins at time %llu and ends at %llu",
                            (unsigned long long)b->begin, (unsigned long long)b->end);
    enum pc_status status = read_front(f, &f->now, &c, err);
    if (status == PC_OK)
        status = read_back(f, &c, err);
    if (status == PC_OK)
        status = read_positions(f, err);
    if (status == PC_OK)
        status = begin_walks(f, err);
    return status || f->now.times == 0 ? status : fst_read_time(f, err);
}
