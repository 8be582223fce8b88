/* SPDX-License-Identifier: MIT */
/*
 * What can be done next for a lane.  There are four kinds of tasks: a chunk of the time table is
 * unpacked; a piece is made of chunks that are there; the chains of a group of tracks are unpacked;
 * the group is walked along a piece.  Chunks follow each other, and pieces; a group goes on with
 * the next piece as soon as that is made, whatever others do, if there are planes for the block of
 * samples that it is in.
 *
 * The first two keep the others busy, and come first.  A chain that several groups walk along is
 * unpacked with the first of these, so a group waits for those before it.
 */
#include "wave/fst_direct.h"

enum {
    TASK_TABLE,
    TASK_PIECE,
    TASK_GROUP, /* the first; taken pieces by their place, and in them by group; then chains */
    NEED = 3,   /* chunks that a piece is begun with, if the table has them */
    STORE = 5   /* ... that are unpacked before anything else */
};

static struct fst_piece *piece_at(struct fst_lane *l, uint64_t number)
{
    return &l->piece[number % l->pieces];
}

/* ---- may it be done? ---- */

static bool can_unpack(const struct fst_lane *l, uint64_t want)
{
    return !l->f->table.running && fst_table_low(l->f, l->used, want);
}

static bool can_make(const struct fst_lane *l)
{
    return !l->making && !l->complete && l->made - l->ended < l->pieces &&
           !fst_table_low(l->f, l->used, NEED);
}

static bool can_open(const struct fst_lane *l)
{
    return l->opening < l->groups;
}

/* The next group of the first piece that some have not taken, if that may begin. */
static bool can_walk(struct fst_lane *l)
{
    if (l->taken == l->made || l->taken > l->fails)
        return false;
    const struct fst_piece *p = piece_at(l, l->taken);
    const struct fst_group *g = &l->group[p->taken];
    return p->status == PC_OK && p->block < l->back + l->sets && p->taken < l->opened && !g->busy &&
           g->pieces == l->taken;
}

/* Pieces in which no group has anything to do count as taken. */
static void skip_taken(struct fst_lane *l)
{
    while (l->taken < l->made && piece_at(l, l->taken)->taken == l->groups)
        l->taken++;
}

static size_t open_task(const struct fst_lane *l, size_t group)
{
    return TASK_GROUP + (size_t)l->pieces * l->groups + group;
}

static size_t begin_group(struct fst_lane *l)
{
    const uint64_t number = l->taken;
    struct fst_piece *p = piece_at(l, number);
    const size_t task = TASK_GROUP + (size_t)(number % l->pieces) * l->groups + p->taken;

    l->group[p->taken++].busy = true;
    skip_taken(l);
    return task;
}

static void begin_piece(struct fst_lane *l)
{
    l->making = true;
    l->times.made = l->f->table.made;
    l->times.broken = l->f->table.status != PC_OK;
}

/* One that keeps the others busy is there, or it is better than nothing. */
static bool wants_chunk(const struct fst_lane *l, bool nothing_else)
{
    const bool alone = wv_team_size(l->f->team) == 1;

    return nothing_else ? !alone && can_unpack(l, FST_SLOTS) : can_unpack(l, alone ? NEED : STORE);
}

static bool take(void *ctx, size_t *task)
{
    struct fst_lane *l = ctx;
    const bool store = wants_chunk(l, false), make = !store && can_make(l),
               walk = !store && !make && can_walk(l), open = !walk && can_open(l);

    if (!store && !make && !walk && !open && !wants_chunk(l, true))
        return false;
    if (!task)
        return true;
    if (make) {
        begin_piece(l);
        *task = TASK_PIECE;
    } else if (walk) {
        *task = begin_group(l);
    } else if (open && !store) {
        *task = open_task(l, l->opening++);
    } else {
        l->f->table.running = true;
        *task = TASK_TABLE;
    }
    return true;
}

/* ---- doing it ---- */

/* Chains that no group before this one has. */
static void open_group(struct fst_lane *l, unsigned worker, size_t number)
{
    struct fst_group *g = &l->group[number];

    for (size_t i = g->begin; i < g->end && g->status == PC_OK; i++) {
        struct fst_chain *chain = &l->f->chain[l->track[i].walk.chain];
        if (chain->packed && chain->group == number + 1 && !chain->data)
            g->status = fst_unpack_chain(l->f, worker, chain, &g->error);
    }
}

/* Its first records. */
static enum pc_status begin_track(struct fst *f, struct fst_track *t, struct pc_error *err)
{
    const struct fst_chain *chain = &f->chain[t->walk.chain];

    if (t->walk.end || t->walk.now.next == FST_NEVER)
        return PC_OK;
    if (!chain->data)
        return pc_fail_byte(err, 705, chain->at, "the chain did not unpack for another stream");
    t->walk.end = chain->data + chain->size;
    return fst_walk_begin(f, &t->walk, err);
}

/* The error is noted by who did it; `failed` of the piece is the first of them. */
static void walk_group(struct fst_lane *l, unsigned worker, size_t task)
{
    const size_t number = task % l->groups;
    struct fst_piece *p = &l->piece[task / l->groups];
    struct fst_group *g = &l->group[number];
    struct fst_rows *rows = &l->f->direct->rows[worker];

    for (size_t i = g->begin; i < g->end && g->pieces == 0 && g->status == PC_OK; i++)
        g->status = begin_track(l->f, &l->track[i], &g->error);
    for (size_t i = g->begin; i < g->end && g->status == PC_OK; i++)
        g->status = fst_track_run(l->f, l, &l->track[i], p, rows, &g->error);
}

/* A task that is neither of the table nor a piece: of groups along pieces, or of their chains. */
static bool is_walk(const struct fst_lane *l, size_t task)
{
    return task < open_task(l, 0);
}

static void run(void *ctx, unsigned worker, size_t task)
{
    struct fst_lane *l = ctx;

    if (task == TASK_TABLE)
        fst_table_make(l->f);
    else if (task == TASK_PIECE)
        fst_make_piece(l->f, l, piece_at(l, l->made));
    else if (is_walk(l, task))
        walk_group(l, worker, task - TASK_GROUP);
    else
        open_group(l, worker, task - open_task(l, 0));
}

static void end_group(struct fst_lane *l, size_t task)
{
    const size_t number = task % l->groups;
    struct fst_piece *p = &l->piece[task / l->groups];
    struct fst_group *g = &l->group[number];

    if (g->status && l->fails > g->pieces)
        l->fails = g->pieces;
    if (g->status && number < p->failed) {
        p->failed = number;
        p->walk_status = g->status;
        p->walk_error = g->error;
    }
    g->busy = false;
    g->pieces++;
    p->ended++;
}

void fst_flow_add(struct fst_lane *l)
{
    struct fst_piece *p = piece_at(l, l->made);

    p->taken = p->ended = 0;
    p->failed = SIZE_MAX;
    l->made++;
    skip_taken(l);
}

static void done(void *ctx, size_t task)
{
    struct fst_lane *l = ctx;

    if (task == TASK_TABLE) {
        fst_table_made(l->f);
        l->f->table.running = false;
    } else if (task == TASK_PIECE) {
        const struct fst_piece *p = piece_at(l, l->made);
        l->making = false;
        l->complete = p->status || p->end == l->f->now.times;
        l->used = l->times.chunk;
        fst_flow_add(l);
    } else if (is_walk(l, task)) {
        end_group(l, task - TASK_GROUP);
    } else {
        l->group[task - open_task(l, 0)].open = true;
        while (l->opened < l->groups && l->group[l->opened].open)
            l->opened++;
    }
}

/* ---- waiting for it ---- */

static bool is_whole(const void *ctx)
{
    const struct fst_lane *l = ctx;
    const struct fst_piece *p = &l->piece[l->ended % l->pieces];

    return l->made > l->ended && (p->status || p->ended == l->groups);
}

void fst_flow_piece(struct fst_lane *l)
{
    static const struct wv_flow flow = { take, run, done, is_whole };

    if (!l->flowing)
        wv_team_flow_begin(l->f->team, &flow, l);
    l->flowing = true;
    wv_team_flow_until(l->f->team);
}

void fst_flow_end(struct fst_lane *l)
{
    if (l->flowing)
        wv_team_flow_end(l->f->team);
    l->flowing = false;
}

/* ---- groups ---- */

/* What a track has to do in the block of the file: bytes, and that it is there at all. */
static uint64_t weight_of(const struct fst_lane *l, const struct fst_track *t)
{
    const struct fst_walk *w = &t->walk;

    return 64 + (w->now.next == FST_NEVER ? 0 : (uint64_t)l->f->chain[w->chain].size * t->parts);
}

/* Which group unpacks what was left packed. */
static void share_chains(struct fst_lane *l)
{
    const bool later = fst_chains_later(l->f);

    for (size_t g = 0; g < l->groups; g++)
        for (size_t i = l->group[g].begin; i < l->group[g].end; i++) {
            struct fst_chain *chain = &l->f->chain[l->track[i].walk.chain];
            if (chain->group == 0)
                chain->group = g + 1;
        }
    l->opening = l->opened = later ? 0 : l->groups;
}

void fst_flow_groups(struct fst_lane *l, unsigned threads)
{
    uint64_t all = 0, here = 0;

    for (size_t i = 0; i < l->tracks; i++)
        all += weight_of(l, &l->track[i]);
    const uint64_t most = threads > 1 ? all / (8 * threads) : all;
    l->groups = 0;
    for (size_t i = 0; i < l->tracks; i++) {
        const uint64_t weight = weight_of(l, &l->track[i]);
        if (l->groups == 0 || here + weight > most) {
            l->group[l->groups++] = (struct fst_group){ .begin = i };
            here = 0;
        }
        here += weight;
        l->group[l->groups - 1].end = i + 1;
    }
    share_chains(l);
}
