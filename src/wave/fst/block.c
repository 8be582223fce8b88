/* SPDX-License-Identifier: MIT */
/*
 * One value change block: where its parts are, and which chain belongs to which stream.  From the
 * front:
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
 *                         2 d+1 a chain, d bytes after the last
 *                         0     (kind 5) number h: the chain of stream h - 1
 *     kind 8      as above but the odd ones are signed: d > 0 a chain, d < 0 the chain of
 *                         stream -d - 1, d = 0 the same stream's as last time
 */
#include "wave/fst/next_time.h"

static enum fst_packing packing_of(uint8_t letter)
{
    return letter == '4' ? FST_LZ4 : letter == 'F' ? FST_FASTLZ : FST_ZLIB;
}

/* Reads the front part; leaves f->loaded.now.chains from the packing's byte to the end of the
 * block. */
static enum pc_status read_front(const struct fst *f, const struct fst_block *b, struct fst_now *n,
                                 struct pc_error *err)
{
    const uint64_t end = b->at + b->size;
    uint8_t room[24 + 3 * FST_NUMBER_MAX];
    struct fst_cursor c;

    enum pc_status status = fst_read(f, b->at, fst_least(b->size, sizeof room), room, &c, err);
    if (status)
        return status;
    fst_take(&c, 24);
    n->frame_size = fst_number(&c);
    n->frame.size = fst_number(&c);
    n->frame_streams = fst_number(&c);
    n->frame.at = b->at + (uint64_t)(c.at - c.begin);
    if (c.fault == FST_NO_FAULT && n->frame.size > end - n->frame.at)
        fst_stop(&c, c.at, FST_ENDS);
    status = fst_check(&c, err, "value change block");
    if (status)
        return status;
    const uint64_t behind = n->frame.at + n->frame.size;
    status = fst_read(f, behind, fst_least(end - behind, FST_NUMBER_MAX + 1), room, &c, err);
    if (status)
        return status;
    n->streams = fst_number(&c);
    n->chains.at = behind + (uint64_t)(c.at - c.begin);
    n->chains.size = end - n->chains.at;
    if (c.fault == FST_NO_FAULT)
        n->packing = packing_of(fst_left(&c) > 0 ? *c.at : 0);
    return fst_check(&c, err, "value change block");
}

static enum pc_status check_streams(const struct fst *f, struct pc_error *err)
{
    const struct fst_now *n = &f->loaded.now;
    const uint64_t most = n->streams > n->frame_streams ? n->streams : n->frame_streams;

    if (most > f->streams)
        return pc_fail_byte(err, 711, n->chains.at,
                            "the block has %llu value streams, %zu are declared",
                            (unsigned long long)most, f->streams);
    return PC_OK;
}

/* The block ends where the letter of the packing should be. */
static enum pc_status no_packing(const struct fst_now *n, struct pc_error *err)
{
    const uint8_t none = 0;
    struct fst_cursor c = fst_cursor_on(&none, 0, n->chains.at);

    fst_stop(&c, c.at, FST_ENDS);
    return fst_check(&c, err, "value change block");
}

/* Takes the last `size` bytes off. */
static bool split_end(struct fst_span *s, uint64_t size, struct fst_span *out)
{
    if (size > s->size)
        return false;
    s->size -= size;
    *out = (struct fst_span){ s->at + s->size, size };
    return true;
}

static enum pc_status check_times(const struct fst *f, const struct fst_cursor *table,
                                  uint64_t size, struct pc_error *err)
{
    if (f->loaded.now.times <= size)
        return PC_OK;
    return fst_fail(table, err, 713, "the time table claims %llu times in %llu bytes",
                    (unsigned long long)f->loaded.now.times, (unsigned long long)size);
}

/* Holds the sizes against each other; what is packed is unpacked with the chains. */
static enum pc_status place_times(struct fst *f, const struct fst_cursor *table, uint64_t size,
                                  struct pc_error *err)
{
    struct fst_now *n = &f->loaded.now;

    n->time = n->packed_time = *table;
    n->time_packed = size != fst_left(table);
    f->loaded.table.chunks = 0;
    if (n->time_packed) {
        enum pc_status status = fst_room(table, FST_ZLIB, size, &n->budget, err, "time table");
        if (status == PC_OK && f->on_the_way)
            status = fst_table_open(f, table, size, err);
        if (status || f->on_the_way)
            return status ? status : check_times(f, table, size, err);
        if (!pc_grow(&f->alloc, (void **)&f->loaded.time.data, &f->loaded.time.capacity,
                     (size_t)size + 1, 1))
            return fst_no_memory(err, "time table");
        n->time = fst_cursor_on(f->loaded.time.data, (size_t)size, table->origin);
        n->time.packed = true;
    }
    return check_times(f, table, size, err);
}

/* Reads the end of the block: sizes of the time table, and the place of that. */
static enum pc_status read_tail(struct fst *f, uint64_t *size, struct fst_span *table,
                                struct pc_error *err)
{
    struct fst_now *n = &f->loaded.now;
    uint8_t room[24];
    struct fst_cursor c;
    struct fst_span tail;

    if (!split_end(&n->chains, sizeof room, &tail))
        return pc_fail_byte(err, 701, n->chains.at,
                            "value change block: no room for the time table's sizes");
    enum pc_status status = fst_read(f, tail.at, tail.size, room, &c, err);
    if (status)
        return status;
    *size = fst_u64(&c);
    const uint64_t packed = fst_u64(&c);
    n->times = fst_u64(&c);
    if (!split_end(&n->chains, packed, table))
        return pc_fail_byte(err, 713, tail.at + sizeof room,
                            "the time table claims %llu bytes, %llu are left",
                            (unsigned long long)packed, (unsigned long long)n->chains.size);
    return PC_OK;
}

/* Reads the back part; leaves f->loaded.now.chains to the chains alone. */
static enum pc_status read_back(struct fst *f, struct pc_error *err)
{
    struct fst_now *n = &f->loaded.now;
    struct fst_span table = { 0 }, head, place;
    struct fst_cursor c;
    uint64_t size = 0;

    enum pc_status status = read_tail(f, &size, &table, err);
    if (status)
        return status;
    if (!split_end(&n->chains, 8, &head))
        return pc_fail_byte(err, 701, n->chains.at,
                            "value change block: no room for the position table's size");
    head.size += table.size; /* which is after it */
    status = fst_read_buffer(f, head, &f->loaded.times, &c, err);
    if (status)
        return status;
    const uint64_t position = fst_u64(&c);
    if (!split_end(&n->chains, position, &place))
        return pc_fail_byte(err, 711, table.at,
                            "the position table claims %llu bytes, %llu are left",
                            (unsigned long long)position, (unsigned long long)n->chains.size);
    status = fst_read_buffer(f, place, &f->loaded.positions, &n->position, err);
    if (status)
        return status;
    if (n->chains.size == 0)
        return no_packing(n, err);
    c = fst_cursor_on(c.at, fst_left(&c), table.at);
    return place_times(f, &c, size, err);
}

enum pc_status fst_block_packing(const struct fst *f, size_t block, enum fst_packing *out,
                                 struct pc_error *err)
{
    struct fst_now n = { 0 };
    enum pc_status status = read_front(f, &f->block[block], &n, err);

    *out = n.packing;
    return status || n.chains.size > 0 ? status : no_packing(&n, err);
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
    uint64_t room = f->loaded.now.chains.size;

    if (distance == 0 || distance >= room - t->at)
        return fst_fail(&t->entry, err, 711, "a chain %llu bytes after position %llu of %llu",
                        (unsigned long long)distance, (unsigned long long)t->at,
                        (unsigned long long)room);
    if (!pc_grow(&f->alloc, (void **)&f->loaded.chain, &f->loaded.chain_capacity,
                 f->loaded.chains + 1, sizeof *f->loaded.chain))
        return fst_no_memory(err, "the position table");
    t->at += distance;
    uint64_t at = f->loaded.now.chains.at + t->at;
    if (f->loaded.chains > 1)
        f->loaded.chain[f->loaded.chains - 1].stored =
            at - f->loaded.chain[f->loaded.chains - 1].at;
    f->loaded.chain[f->loaded.chains] =
        (struct fst_chain){ .at = at, .stored = f->loaded.now.chains.at + room - at };
    f->loaded.chain_of[t->done++] = (uint32_t)f->loaded.chains++;
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
    f->loaded.chain_of[t->done++] = f->loaded.chain_of[stream_plus_1 - 1];
    return PC_OK;
}

static enum pc_status add_nothing(struct fst *f, struct table *t, uint64_t run,
                                  struct pc_error *err)
{
    if (run > t->streams - t->done)
        return fst_fail(&t->entry, err, 711, "%llu streams without changes, %llu are left",
                        (unsigned long long)run, (unsigned long long)(t->streams - t->done));
    memset(f->loaded.chain_of + t->done, 0, (size_t)run * sizeof *f->loaded.chain_of);
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
    struct table t = { .c = f->loaded.now.position, .streams = f->loaded.now.streams };
    uint8_t type = f->block[f->loaded.now.block].type;
    enum pc_status status = PC_OK;

    if (!pc_grow(&f->alloc, (void **)&f->loaded.chain_of, &f->loaded.chain_of_capacity,
                 f->streams + 1, sizeof *f->loaded.chain_of) ||
        !pc_grow(&f->alloc, (void **)&f->loaded.chain, &f->loaded.chain_capacity, 1,
                 sizeof *f->loaded.chain))
        return fst_no_memory(err, "the position table");
    f->loaded.chain[0] = (struct fst_chain){ 0 };
    f->loaded.chains = 1;
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
        f->loaded.chain_of[i] = 0; /* declared later than this block */
    return status;
}

enum pc_status fst_load_block(struct fst *f, size_t block, struct pc_error *err)
{
    const struct fst_block *b = &f->block[block];

    f->loaded.now = (struct fst_now){ .block = block, .budget = fst_budget(f, b->size) };
    f->window.begin = f->window.end = 0;
    if (b->begin > b->end)
        return pc_fail_byte(err, 713, b->at, "the block begins at time %llu and ends at %llu",
                            (unsigned long long)b->begin, (unsigned long long)b->end);
    enum pc_status status = read_front(f, b, &f->loaded.now, err);
    if (status == PC_OK)
        status = check_streams(f, err);
    if (status == PC_OK)
        status = read_back(f, err);
    if (status == PC_OK)
        status = read_positions(f, err);
    if (status == PC_OK)
        status = fst_load_chains(f, err);
    struct fst_now *n = &f->loaded.now;
    return status || n->times == 0 ? status : fst_read_time(f, &n->time, &n->clock, err);
}

void fst_free_loaded(const struct fst *f, struct fst_loaded *b)
{
    const struct pc_alloc *a = &f->alloc;

    pc_free(a, b->chain, b->chain_capacity * sizeof *b->chain);
    pc_free(a, b->chain_of, b->chain_of_capacity * sizeof *b->chain_of);
    pc_free(a, b->packed, b->packed_capacity * sizeof *b->packed);
    pc_free(a, b->walk, b->walk_capacity * sizeof *b->walk);
    fst_free_buffer(f, &b->positions);
    fst_free_buffer(f, &b->times);
    fst_free_buffer(f, &b->stored);
    fst_free_buffer(f, &b->time);
    fst_free_buffer(f, &b->unpacked);
}
