/* SPDX-License-Identifier: MIT */
/*
 * What can be done next for a lane.  There are three kinds of tasks: a chunk of the time table is
 * unpacked; a piece is made of chunks that are there; a group of tracks is walked along a piece.
 * Chunks follow each other, and pieces; a group goes on with the next piece as soon as that
 * is made, whatever others do, if there are planes for the block of samples that it is in.
 *
 * The first two keep the others busy, and come first.
 */
#include "wave/fst_direct.h"

enum {
    TASK_TABLE,
    TASK_PIECE,
    TASK_GROUP, /* the first; taken pieces by their place, and in them by group */
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

/* The next group of the first piece that some have not taken, if that may begin. */
static bool can_walk(struct fst_lane *l)
{
    if (l->taken == l->made || l->taken > l->fails)
        return false;
    const struct fst_piece *p = piece_at(l, l->taken);
    const struct fst_group *g = &l->group[p->taken];
    return p->status == PC_OK && p->block < l->back + l->sets && !g->busy && g->pieces == l->taken;
}

/* Pieces in which no group has anything to do count as taken. */
static void skip_taken(struct fst_lane *l)
{
    while (l->taken < l->made && piece_at(l, l->taken)->taken == l->groups)
        l->taken++;
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

static bool take(void *ctx, size_t *task)
{
    struct fst_lane *l = ctx;
    const bool alone = wv_team_size(l->f->team) == 1, walk = can_walk(l), make = can_make(l);
    const bool store = can_unpack(l, alone ? NEED : STORE);
    size_t now;

    if (store)
        now = TASK_TABLE;
    else if (make)
        now = TASK_PIECE;
    else if (walk)
        now = TASK_GROUP;
    else if (!alone && can_unpack(l, FST_SLOTS))
        now = TASK_TABLE;
    else
        return false;
    if (!task)
        return true;
    *task = now == TASK_GROUP ? begin_group(l) : now;
    if (now == TASK_TABLE)
        l->f->table.running = true;
    else if (now == TASK_PIECE)
        begin_piece(l);
    return true;
}

/* ---- doing it ---- */

/* The error is noted by who did it; `failed` of the piece is the first of them. */
static void walk_group(struct fst_lane *l, unsigned worker, size_t task)
{
    const size_t number = task % l->groups;
    struct fst_piece *p = &l->piece[task / l->groups];
    struct fst_group *g = &l->group[number];
    struct fst_rows *rows = &l->f->direct->rows[worker];

    g->status = PC_OK;
    for (size_t i = g->begin; i < g->end && g->status == PC_OK; i++)
        g->status = fst_track_run(l->f, l, &l->track[i], p, rows, &g->error);
}

static void run(void *ctx, unsigned worker, size_t task)
{
    struct fst_lane *l = ctx;

    if (task == TASK_TABLE)
        fst_table_make(l->f);
    else if (task == TASK_PIECE)
        fst_make_piece(l->f, l, piece_at(l, l->made));
    else
        walk_group(l, worker, task - TASK_GROUP);
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
    } else {
        end_group(l, task - TASK_GROUP);
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
static uint64_t weight_of(const struct fst_track *t)
{
    const struct fst_walk *w = &t->walk;

    return 64 + (w->now.next == FST_NEVER ? 0 : (uint64_t)(w->end - w->now.at)) * t->parts;
}

void fst_flow_groups(struct fst_lane *l, unsigned threads)
{
    uint64_t all = 0, here = 0;

    for (size_t i = 0; i < l->tracks; i++)
        all += weight_of(&l->track[i]);
    const uint64_t most = threads > 1 ? all / (8 * threads) : all;
    l->groups = 0;
    for (size_t i = 0; i < l->tracks; i++) {
        const uint64_t weight = weight_of(&l->track[i]);
        if (l->groups == 0 || here + weight > most) {
            l->group[l->groups++] = (struct fst_group){ .begin = i };
            here = 0;
        }
        here += weight;
        l->group[l->groups - 1].end = i + 1;
    }
}
