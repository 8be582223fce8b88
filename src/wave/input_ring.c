/* SPDX-License-Identifier: MIT */
/*
 * Decompression on a thread of its own, into a ring of bytes that the reader empties.  The
 * ring is all the memory that this takes.  An error waits after the bytes in front of it, so
 * that it comes where it would have come without a thread.
 *
 * The caller's allocator need not be fit for threads: what the decoder wants of it is done by
 * the reader's thread, when that comes for bytes or closes.
 */
#include "wave/input_ring.h"

#include "wave/team.h"

#include <pthread.h>
#include <string.h>

#define RING_SIZE ((size_t)1 << 20)
#define RING_STEP (RING_SIZE / 8) /* free room that is worth to be decoded into */

/* A request of the decoder for the allocator. */
struct wish {
    bool open;
    void *p;
    size_t old_size, new_size;
};

struct wv_ring {
    struct wv_decoder *decoder;
    struct pc_alloc alloc; /* for the reader's thread */
    struct wv_team *team;
    uint8_t *bytes; /* RING_SIZE of them */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* anything below */
    uint64_t head, tail;    /* bytes that were put in and taken out, in all */
    uint64_t consumed;
    struct wish wish;
    bool stop, over;
    enum pc_status status; /* when it is over */
    struct pc_error error;
};

static void grant(struct wv_ring *r)
{
    struct wish *w = &r->wish;

    if (!w->open)
        return;
    w->p = r->alloc.resize(r->alloc.ctx, w->p, w->old_size, w->new_size);
    w->open = false;
    pthread_cond_broadcast(&r->changed);
}

/* Resizes memory as the decoder's allocator while the thread runs. */
static void *resize_by_reader(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct wv_ring *r = ctx;

    pthread_mutex_lock(&r->lock);
    r->wish = (struct wish){ true, p, old_size, new_size };
    pthread_cond_broadcast(&r->changed);
    while (r->wish.open)
        pthread_cond_wait(&r->changed, &r->lock);
    p = r->wish.p;
    pthread_mutex_unlock(&r->lock);
    return p;
}

static bool wanted(void *ctx)
{
    struct wv_ring *r = ctx;

    pthread_mutex_lock(&r->lock);
    const bool stop = r->stop;
    pthread_mutex_unlock(&r->lock);
    return !stop;
}

/* Returns the room up to the ring's end; 0: no more is wanted. */
static size_t wait_for_room(struct wv_ring *r)
{
    size_t room;

    pthread_mutex_lock(&r->lock);
    while (!r->stop && RING_SIZE - (size_t)(r->head - r->tail) < RING_STEP)
        pthread_cond_wait(&r->changed, &r->lock);
    room = RING_SIZE - (size_t)(r->head - r->tail);
    if (room > RING_SIZE - r->head % RING_SIZE)
        room = RING_SIZE - r->head % RING_SIZE;
    room = r->stop ? 0 : room;
    pthread_mutex_unlock(&r->lock);
    return room;
}

static enum pc_status decode_all(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    struct wv_ring *r = ctx;
    size_t room, got = 1;

    (void)worker;
    (void)task;
    while (got > 0 && (room = wait_for_room(r)) > 0) {
        struct pc_error error = { 0 };
        enum pc_status status =
            wv_decoder_read(r->decoder, r->bytes + r->head % RING_SIZE, room, &got, &error);
        pthread_mutex_lock(&r->lock);
        if (status)
            got = 0;
        r->head += got;
        r->consumed = wv_decoder_consumed(r->decoder);
        r->status = status;
        r->error = error;
        r->over = got == 0;
        pthread_cond_broadcast(&r->changed);
        pthread_mutex_unlock(&r->lock);
    }
    pthread_mutex_lock(&r->lock);
    r->over = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    (void)err;
    return PC_OK;
}

/* Lends the decoder to the thread, or takes it back. */
static void lend(struct wv_ring *r, bool on)
{
    struct wv_decoder *d = r->decoder;

    d->alloc = on ? (struct pc_alloc){ resize_by_reader, r } : r->alloc;
    d->file->wanted = on ? wanted : NULL;
    d->file->wanted_ctx = on ? r : NULL;
}

struct wv_ring *wv_ring_start(struct wv_decoder *d)
{
    const struct pc_alloc alloc = d->alloc;
    struct wv_ring *r = pc_calloc(&alloc, 1, sizeof *r);

    if (!r)
        return NULL;
    r->decoder = d;
    r->alloc = alloc;
    r->consumed = wv_decoder_consumed(d);
    r->bytes = alloc.resize(alloc.ctx, NULL, 0, RING_SIZE);
    r->team = r->bytes ? wv_team_create(&alloc, 2) : NULL;
    if (!r->team || wv_team_size(r->team) < 2) {
        wv_team_destroy(r->team);
        pc_free(&alloc, r->bytes, RING_SIZE);
        pc_free(&alloc, r, sizeof *r);
        return NULL;
    }
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    lend(r, true);
    wv_team_begin(r->team, decode_all, r);
    return r;
}

void wv_ring_stop(struct wv_ring *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->changed);
    while (!r->over) {
        grant(r);
        if (!r->over)
            pthread_cond_wait(&r->changed, &r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    wv_team_end(r->team);
    wv_team_destroy(r->team);
    lend(r, false);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    const struct pc_alloc alloc = r->alloc;
    pc_free(&alloc, r->bytes, RING_SIZE);
    pc_free(&alloc, r, sizeof *r);
}

enum pc_status wv_ring_read(struct wv_ring *r, uint8_t *to, size_t size, size_t *got,
                            struct pc_error *err)
{
    enum pc_status status = PC_OK;

    pthread_mutex_lock(&r->lock);
    while (r->head == r->tail && !r->over) {
        grant(r);
        if (r->head == r->tail && !r->over)
            pthread_cond_wait(&r->changed, &r->lock);
    }
    const size_t at = (size_t)(r->tail % RING_SIZE), left = (size_t)(r->head - r->tail);
    size_t n = size < left ? size : left;
    if (n > RING_SIZE - at)
        n = RING_SIZE - at;
    if (left == 0 && r->status) {
        status = r->status;
        if (err)
            *err = r->error;
    }
    pthread_mutex_unlock(&r->lock);
    *got = n;
    if (n == 0)
        return status;
    memcpy(to, r->bytes + at, n); /* it is not touched before the tail has moved */
    pthread_mutex_lock(&r->lock);
    r->tail += n;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    return PC_OK;
}

uint64_t wv_ring_consumed(struct wv_ring *r)
{
    pthread_mutex_lock(&r->lock);
    const uint64_t n = r->consumed;
    pthread_mutex_unlock(&r->lock);
    return n;
}
