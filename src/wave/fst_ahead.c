/* SPDX-License-Identifier: MIT */
/*
 * The next block of the file, loaded by the calling thread while others still work on the present
 * one, so that nobody waits where a block ends.  It is loaded into what belongs to a block in a
 * second struct fst, which changes places with that of the first.
 */
#include "wave/fst_direct.h"

/* All that fst_load_block() makes. */
static void copy_block(struct fst *to, const struct fst *from)
{
    to->now = from->now;
    to->table = from->table;
    to->chain = from->chain;
    to->chains = from->chains;
    to->chain_capacity = from->chain_capacity;
    to->chain_of = from->chain_of;
    to->chain_of_capacity = from->chain_of_capacity;
    to->packed = from->packed;
    to->packeds = from->packeds;
    to->packed_capacity = from->packed_capacity;
    to->walk = from->walk;
    to->walks = from->walks;
    to->walk_capacity = from->walk_capacity;
    to->positions = from->positions;
    to->times = from->times;
    to->stored = from->stored;
    to->time = from->time;
    to->unpacked = from->unpacked;
    to->turns = from->turns;
}

bool fst_ahead_open(struct fst *f)
{
    f->ahead = pc_calloc(&f->alloc, 1, sizeof *f->ahead);
    if (!f->ahead)
        return false;
    f->ahead->turns = &f->direct->turns[1];
    return true;
}

void fst_ahead_free(struct fst *f)
{
    struct fst *n = f->ahead;
    const struct pc_alloc *a = &f->alloc;

    if (!n)
        return;
    pc_free(a, n->chain, n->chain_capacity * sizeof *n->chain);
    pc_free(a, n->chain_of, n->chain_of_capacity * sizeof *n->chain_of);
    pc_free(a, n->packed, n->packed_capacity * sizeof *n->packed);
    pc_free(a, n->walk, n->walk_capacity * sizeof *n->walk);
    fst_free_buffer(f, &n->positions);
    fst_free_buffer(f, &n->times);
    fst_free_buffer(f, &n->stored);
    fst_free_buffer(f, &n->time);
    fst_free_buffer(f, &n->unpacked);
    pc_free(a, n, sizeof *n);
    f->ahead = NULL;
}

/*
 * Where most of a block is chains, a second block in memory costs more than the waiting.  A table
 * in chunks has an inflater that both would want.
 */
static bool may_load(const struct fst *f)
{
    return f->ahead && !f->is_ahead && f->now.mostly_times && f->table.chunks == 0 &&
           f->now.block + 1 < f->blocks;
}

void fst_ahead_load(struct fst *f)
{
    struct fst *n = f->ahead;
    struct pc_error err;

    if (!may_load(f))
        return;
    const struct fst own = *n;
    *n = *f; /* all else is the same */
    copy_block(n, &own);
    f->is_ahead = fst_load_block(n, f->now.block + 1, &err) == PC_OK;
}

enum pc_status fst_ahead_take(struct fst *f, struct pc_error *err)
{
    const bool is_ahead = f->is_ahead;

    f->is_ahead = false;
    if (!is_ahead)
        return fst_load_block(f, f->now.block + 1, err);
    const struct fst before = *f;
    copy_block(f, f->ahead);
    copy_block(f->ahead, &before);
    return PC_OK;
}
