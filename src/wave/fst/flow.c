/* SPDX-License-Identifier: MIT */
/*
 * Chooses what is done next for a bound stream.  There are four kinds of tasks: some of the time
 * table is unpacked; a piece is made of chunks that are there; the chains of a group of tracks are
 * unpacked; the group is walked along a piece.  Chunks follow each other, and pieces; a group goes
 * on with the next piece as soon as that is made, whatever others do, if there are planes for the
 * block of samples that it is in.
 *
 * The first two keep the others busy, and come first; but the table, whose parts must follow each
 * other, is rather for those who do nothing else than the caller, who also looks at the samples.  A
 * group stays with who has its planes and chains in its cache, as long as that one keeps up.
 */
#include "wave/fst/direct.h"

enum {
    TASK_TABLE,
    TASK_PIECE,
    TASK_GROUP,  /* the first */
    NEED = 2,    /* chunks that a piece is begun with, if the table has them */
    STORE = 9,   /* ... that are unpacked before anything else */
    BATCH = 4,   /* ... at once, if the first is not waited for */
    SMALL = 4096 /* bytes of a group for a piece: less than the work of waking somebody */
};

static struct fst_piece *piece_at(struct fst_bound_stream *l, uint64_t number)
{
    return &l->piece[number % l->pieces];
}

/* ---- may it be done? ---- */

static bool can_unpack(const struct fst_bound_stream *l, uint64_t want)
{
    return !l->f->loaded.table.running && fst_table_low(l->f, l->used, want);
}

static bool can_make(const struct fst_bound_stream *l)
{
    return !l->making && !l->complete && l->made - l->ended < l->pieces &&
           !fst_table_low(l->f, l->used, NEED);
}

/* Returns whether a group can be opened, or walked along its next piece. */
static bool can_go(struct fst_bound_stream *l, size_t number)
{
    const struct fst_group *g = &l->group[number];

    if (g->busy || !g->open)
        return !g->busy;
    if (g->pieces == l->made || g->pieces > l->fails || (g->shares && number >= l->opened))
        return false;
    const struct fst_piece *p = piece_at(l, g->pieces);
    return p->status == PC_OK && p->block < l->back + l->sets;
}

/*
 * Returns the group that is least far, of those of the worker if one of them can go, else of all;
 * l->groups: there is none.
 */
static size_t next_group(struct fst_bound_stream *l, unsigned worker)
{
    size_t best = l->groups;
    bool own = false;

    for (size_t i = 0; i < l->groups; i++) {
        const struct fst_group *g = &l->group[i];
        const bool mine = g->owner == worker;
        if ((own && !mine) || !can_go(l, i))
            continue;
        if (best == l->groups || mine > own || g->pieces < l->group[best].pieces ||
            (g->pieces == l->group[best].pieces && g->open > l->group[best].open))
            best = i;
        own |= mine;
    }
    return best;
}

static size_t begin_group(struct fst_bound_stream *l, unsigned worker, size_t number)
{
    l->group[number].busy = true;
    l->group[number].owner = worker;
    return TASK_GROUP + number;
}

static size_t begin_piece(struct fst_bound_stream *l)
{
    l->making = true;
    l->times.made = l->f->loaded.table.made;
    l->times.broken = l->f->loaded.table.status != PC_OK;
    return TASK_PIECE;
}

static size_t begin_table(struct fst_bound_stream *l)
{
    const bool urgent = fst_table_low(l->f, l->used, NEED);
    const uint64_t room = l->used + FST_SLOTS - l->f->loaded.table.made;

    l->f->loaded.table.running = true;
    l->f->loaded.table.batch = urgent ? 1 : room < BATCH ? room : BATCH;
    return TASK_TABLE;
}

/* Pieces that all groups are past, and the caller is still to come to. */
static uint64_t count_ready(const struct fst_bound_stream *l)
{
    uint64_t behind = l->made;

    for (size_t i = 0; i < l->groups; i++)
        behind = fst_least(behind, l->group[i].pieces);
    return behind - l->ended;
}

/*
 * Who sleeps is not woken for one block of samples after the other while the caller has enough of
 * them: that takes as long as to fill one.
 */
static bool is_worth_waking(const struct fst_bound_stream *l)
{
    return l->sets <= 2 || 2 * count_ready(l) <= l->sets;
}

static bool take(void *ctx, unsigned worker, size_t *task)
{
    struct fst_bound_stream *l = ctx;
    const bool alone = wv_team_size(l->f->team) == 1;
    const bool store = can_unpack(l, worker == 0 ? NEED : STORE), make = can_make(l);
    const size_t group = store || make ? l->groups : next_group(l, worker);
    const bool more = !alone && can_unpack(l, FST_SLOTS);

    if (!store && !make && group == l->groups && !more)
        return false;
    if (!task && worker > 0 && !is_worth_waking(l))
        return false;
    if (task && store)
        *task = begin_table(l);
    else if (task && make)
        *task = begin_piece(l);
    else if (task && group < l->groups)
        *task = begin_group(l, worker, group);
    else if (task)
        *task = begin_table(l);
    return true;
}

/* ---- doing it ---- */

/* Chains that no group before this one has. */
static void open_group(struct fst_bound_stream *l, unsigned worker, size_t number)
{
    struct fst_group *g = &l->group[number];

    for (size_t i = g->begin; i < g->end && g->status == PC_OK; i++) {
        struct fst_chain *chain = &l->f->loaded.chain[l->track[i].walk.chain];
        if (chain->group == number + 1 && !chain->data)
            g->status = fst_unpack_chain(l->f, worker, chain, &g->error);
        g->bad = i;
    }
}

/* Begins its first record. Errors come in the order of the tracks, however these are grouped. */
static enum pc_status begin_track(struct fst *f, const struct fst_group *g, struct fst_track *t,
                                  bool bad, struct pc_error *err)
{
    const struct fst_chain *chain = &f->loaded.chain[t->walk.chain];

    if (bad)
        return g->status; /* and *err is there */
    if (t->walk.end || t->walk.now.next == FST_NEVER)
        return PC_OK;
    if (!chain->data)
        return pc_fail_byte(err, 705, chain->at, "the chain did not unpack for another stream");
    t->walk.end = chain->data + chain->size;
    return fst_walk_begin(f, &t->walk, err);
}

/* The error is noted by who did it; `failed` of the piece is the first of them. */
static void walk_group(struct fst_bound_stream *l, unsigned worker, size_t number)
{
    struct fst_group *g = &l->group[number];
    const struct fst_piece *p = piece_at(l, g->pieces);
    struct fst_rows *rows = &l->f->direct->rows[worker];
    const size_t bad = g->pieces == 0 && g->status ? g->bad : SIZE_MAX;
    enum pc_status status = PC_OK;

    for (size_t i = g->begin; i < g->end && status == PC_OK; i++) {
        struct fst_track *t = &l->track[i];
        if (g->pieces == 0)
            status = begin_track(l->f, g, t, i == bad, &g->error);
        if (status == PC_OK)
            status = fst_track_run(l->f, l, t, p, rows, &g->error);
    }
    g->status = status;
}

static void run(void *ctx, unsigned worker, size_t task)
{
    struct fst_bound_stream *l = ctx;

    if (task == TASK_TABLE)
        fst_table_make(l->f);
    else if (task == TASK_PIECE)
        fst_make_piece(l->f, l, piece_at(l, l->made));
    else if (l->group[task - TASK_GROUP].open)
        walk_group(l, worker, task - TASK_GROUP);
    else
        open_group(l, worker, task - TASK_GROUP);
}

/* Ends a task of a group; errors of its chains are reported when it is walked along the first
 * piece. */
static void end_group(struct fst_bound_stream *l, size_t number)
{
    struct fst_group *g = &l->group[number];
    struct fst_piece *p = piece_at(l, g->pieces);

    g->busy = false;
    if (!g->open) {
        g->open = true;
        while (l->opened < l->groups && l->group[l->opened].open)
            l->opened++;
        return;
    }
    if (g->status && l->fails > g->pieces)
        l->fails = g->pieces;
    if (g->status && number < p->failed) {
        p->failed = number;
        p->walk_status = g->status;
        p->walk_error = g->error;
    }
    g->pieces++;
    p->ended++;
}

void fst_flow_add(struct fst_bound_stream *l)
{
    struct fst_piece *p = piece_at(l, l->made);

    p->ended = 0;
    p->failed = SIZE_MAX;
    l->made++;
}

static void done(void *ctx, size_t task)
{
    struct fst_bound_stream *l = ctx;

    if (task == TASK_TABLE) {
        fst_table_made(l->f);
        l->f->loaded.table.running = false;
    } else if (task == TASK_PIECE) {
        const struct fst_piece *p = piece_at(l, l->made);
        l->making = false;
        l->complete = p->status || p->end == l->f->loaded.now.times;
        l->used = l->times.chunk;
        fst_flow_add(l);
    } else {
        end_group(l, task - TASK_GROUP);
    }
}

/* ---- waiting for it ---- */

static bool is_whole(const void *ctx)
{
    const struct fst_bound_stream *l = ctx;
    const struct fst_piece *p = &l->piece[l->ended % l->pieces];

    return l->made > l->ended && (p->status || p->ended == l->groups);
}

void fst_flow_piece(struct fst_bound_stream *l)
{
    static const struct wv_flow flow = { take, run, done, is_whole };

    if (!l->flowing)
        wv_team_flow_begin(l->f->team, &flow, l);
    l->flowing = true;
    wv_team_flow_until(l->f->team);
}

void fst_flow_end(struct fst_bound_stream *l)
{
    if (l->flowing)
        wv_team_flow_end(l->f->team);
    l->flowing = false;
}

/* ---- groups ---- */

/* Returns the work of a track in the block of the file: bytes, and some for being there. */
static uint64_t weight_of(const struct fst_bound_stream *l, const struct fst_track *t)
{
    const struct fst_walk *w = &t->walk;

    return 64 +
           (w->now.next == FST_NEVER ? 0 : (uint64_t)l->f->loaded.chain[w->chain].size * t->parts);
}

/* Which group unpacks what was left packed: the first that wants it. */
static void share_chains(struct fst_bound_stream *l)
{
    const bool later = fst_chains_later(l->f);

    for (size_t g = 0; g < l->groups; g++) {
        l->group[g].open = !later;
        for (size_t i = l->group[g].begin; i < l->group[g].end; i++) {
            struct fst_chain *chain = &l->f->loaded.chain[l->track[i].walk.chain];
            if (chain->data || !chain->wanted)
                continue;
            if (chain->group == 0)
                chain->group = g + 1;
            l->group[g].shares |= chain->group != g + 1;
        }
    }
    l->opened = later ? 0 : l->groups;
}

void fst_flow_groups(struct fst_bound_stream *l, unsigned threads)
{
    const uint64_t pieces = 1 + l->f->loaded.now.times / (2 * WV_BLOCK_CYCLES);
    uint64_t all = 0, here = 0, before = 0;

    for (size_t i = 0; i < l->tracks; i++)
        all += weight_of(l, &l->track[i]);
    uint64_t most = threads > 1 ? all / (4 * threads) : all;
    if (most < SMALL * pieces) /* but no less of them than threads */
        most = all / threads < SMALL * pieces ? all / threads : SMALL * pieces;
    l->groups = 0;
    for (size_t i = 0; i < l->tracks; i++) {
        const uint64_t weight = weight_of(l, &l->track[i]);
        if (l->groups == 0 || here + weight > most) {
            l->group[l->groups++] =
                (struct fst_group){ .begin = i,
                                    .owner = (unsigned)(before / (all / threads + 1)) % threads };
            here = 0;
        }
        here += weight;
        before += weight;
        l->group[l->groups - 1].end = i + 1;
    }
    share_chains(l);
}
