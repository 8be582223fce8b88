/* SPDX-License-Identifier: MIT */
/*
 * A time table on its way: where one bound stream alone goes through the blocks, a long table is
 * unpacked in chunks into slots that are used again, as a task beside those that use what is there.
 */
#include "wave/fst/direct.h"

enum { HEAD = 16 }; /* before a slot: the begin of a number that the chunk before it ends in */

/* Opens the table in chunks, from the begin on. */
static enum pc_status open_chunks(struct fst *f, struct pc_error *err)
{
    struct fst_table *t = &f->loaded.table;
    const size_t slot = t->size < FST_CHUNK ? (size_t)t->size + 1 : FST_CHUNK;

    t->slot = HEAD + slot;
    t->chunks = t->size > 0 ? (t->size - 1) / FST_CHUNK + 1 : 1;
    if (!pc_grow(&f->alloc, (void **)&f->loaded.time.data, &f->loaded.time.capacity,
                 FST_SLOTS * t->slot, 1) ||
        !fst_unpack_begin(&f->zlib[f->zlibs - 1]))
        return fst_no_memory(err, "time table");
    f->loaded.now.time = fst_cursor_on(f->loaded.time.data + HEAD, 0, t->packed.origin);
    f->loaded.now.time.packed = true;
    return PC_OK;
}

enum pc_status fst_table_open(struct fst *f, const struct fst_cursor *packed, uint64_t size,
                              struct pc_error *err)
{
    f->loaded.table = (struct fst_table){ .packed = *packed, .at = packed->at, .size = size };
    f->loaded.table.whole =
        size <= f->whole_table && pc_grow(&f->alloc, (void **)&f->loaded.time.data,
                                          &f->loaded.time.capacity, (size_t)size + 1, 1);
    if (f->loaded.table.whole)
        wv_ask_for_large_pages(f->loaded.time.data, (size_t)size);
    return f->loaded.table.whole ? PC_OK : open_chunks(f, err);
}

void fst_table_unpack(struct fst *f)
{
    struct fst_table *t = &f->loaded.table;

    t->whole = t->whole && fst_unpack_at_once(&f->zlib[f->zlibs - 1], &t->packed,
                                              f->loaded.time.data, (size_t)t->size);
}

static uint8_t *slot_of(const struct fst *f, uint64_t chunk)
{
    return f->loaded.time.data + (size_t)(chunk % FST_SLOTS) * f->loaded.table.slot + HEAD;
}

static size_t chunk_size(const struct fst_table *t, uint64_t chunk)
{
    return chunk + 1 < t->chunks ? FST_CHUNK : (size_t)(t->size - chunk * FST_CHUNK);
}

/* Makes chunks up to `end`. */
static void make_until(struct fst *f, uint64_t end)
{
    struct fst_table *t = &f->loaded.table;

    for (t->next = t->made; t->next < t->chunks && t->next < end; t->next++) {
        t->next_status =
            fst_unpack_part(&f->zlib[f->zlibs - 1], &t->packed, &t->at, slot_of(f, t->next),
                            chunk_size(t, t->next), t->next * FST_CHUNK, t->size, &t->error);
        if (t->next_status)
            break;
    }
}

/* Makes the chunks visible to all threads. */
static void publish(struct fst *f)
{
    struct fst_table *t = &f->loaded.table;

    t->made = t->next;
    t->status = t->next_status;
}

/* Returns true if there is more to be had. */
static bool goes_on(const struct fst_table *t)
{
    return t->made < t->chunks && !t->status;
}

bool fst_table_low(const struct fst *f, uint64_t used, uint64_t want)
{
    const struct fst_table *t = &f->loaded.table;

    return goes_on(t) && t->made < used + (want < FST_SLOTS ? want : FST_SLOTS);
}

void fst_table_make(struct fst *f)
{
    make_until(f, f->loaded.table.made + f->loaded.table.batch);
}

void fst_table_made(struct fst *f)
{
    publish(f);
}

/* A table that is not there as a whole is long, or damaged, which its parts will show. */
enum pc_status fst_table_begin(struct fst *f, struct pc_error *err)
{
    struct fst_table *t = &f->loaded.table;
    enum pc_status status = PC_OK;

    if (t->whole) {
        f->loaded.now.time = fst_cursor_on(f->loaded.time.data, (size_t)t->size, t->packed.origin);
        f->loaded.now.time.packed = true;
        return PC_OK;
    }
    if (t->chunks == 0)
        status = open_chunks(f, err);
    if (status)
        return status;
    make_until(f, 2);
    publish(f);
    if (t->made == 0) {
        *err = t->error;
        return t->status;
    }
    f->loaded.now.time.end += chunk_size(t, 0);
    return PC_OK;
}

/* The rest belongs to no time, but must be unpacked. */
enum pc_status fst_table_end(struct fst *f, struct pc_error *err)
{
    const struct fst_table *t = &f->loaded.table;

    if (goes_on(t)) {
        make_until(f, t->chunks);
        publish(f);
    }
    if (t->status && err)
        *err = t->error;
    return t->status;
}

enum fst_more fst_table_more(const struct fst *f, struct fst_times *times)
{
    const struct fst_table *t = &f->loaded.table;
    const size_t left = fst_left(&times->c);
    struct fst_cursor *c = &times->c;

    if (t->chunks == 0 || left >= FST_NUMBER_MAX || times->chunk + 1 == t->chunks)
        return FST_HERE;
    if (times->chunk + 1 == times->made)
        return times->broken ? FST_BROKEN : FST_LATER;
    uint8_t *slot = slot_of(f, times->chunk + 1);
    memcpy(slot - left, c->at, left);
    c->skipped += (uint64_t)(c->at - c->begin);
    c->begin = c->at = slot - left;
    c->end = slot + chunk_size(t, ++times->chunk);
    return FST_HERE;
}
