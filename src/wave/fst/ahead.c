/* SPDX-License-Identifier: MIT */
/*
 * The next block of the file, loaded by the calling thread while others still work on the present
 * one, so that nobody waits where a block ends.  It is loaded into the
 * struct fst_loaded of a second struct fst, which changes places with that of the first.
 */
#include "wave/fst/direct.h"

bool fst_ahead_open(struct fst *f)
{
    f->ahead = pc_calloc(&f->alloc, 1, sizeof *f->ahead);
    if (!f->ahead)
        return false;
    f->ahead->loaded.packed_clock = &f->direct->packed_clock[1];
    return true;
}

void fst_ahead_free(struct fst *f)
{
    if (!f->ahead)
        return;
    fst_free_loaded(f, &f->ahead->loaded);
    pc_free(&f->alloc, f->ahead, sizeof *f->ahead);
    f->ahead = NULL;
}

/*
 * Where most of a block is chains, a second block in memory costs more than the waiting.  A table
 * in chunks has an inflater that both would want.
 */
static bool may_load(const struct fst *f)
{
    return f->ahead && !f->is_ahead && f->loaded.now.mostly_times && f->loaded.table.chunks == 0 &&
           f->loaded.now.block + 1 < f->blocks;
}

void fst_ahead_load(struct fst *f)
{
    struct fst *n = f->ahead;
    struct pc_error err;

    if (!may_load(f))
        return;
    const struct fst_loaded own = n->loaded;
    *n = *f; /* all else is the same */
    n->loaded = own;
    f->is_ahead = fst_load_block(n, f->loaded.now.block + 1, &err) == PC_OK;
}

enum pc_status fst_ahead_take(struct fst *f, struct pc_error *err)
{
    const bool is_ahead = f->is_ahead;

    f->is_ahead = false;
    if (!is_ahead)
        return fst_load_block(f, f->loaded.now.block + 1, err);
    const struct fst_loaded before = f->loaded;
    f->loaded = f->ahead->loaded;
    f->ahead->loaded = before;
    return PC_OK;
}
