/* SPDX-License-Identifier: MIT */
/*
 * See team.h.  Tasks are taken in ascending order, so that every task before the first
 * failing one has been taken when it fails, and its error is the same in every run.  If the
 * system gives fewer threads than asked for, the team is smaller.
 */
#include "wave/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct member {
    struct wv_team *team;
    pthread_t thread;
    unsigned number;
};

struct wv_team {
    struct pc_alloc alloc;
    unsigned size;
    struct member member[WV_TEAM_MAX]; /* [0] is the caller */
    pthread_mutex_t lock;              /* of all that follows but `next` */
    pthread_cond_t work, done;
    uint64_t job; /* number of the present one */
    unsigned busy;
    bool leave;
    wv_task_fn *fn;
    void *ctx;
    size_t tasks;
    atomic_size_t next;
    size_t failed; /* the first task that did, SIZE_MAX: none */
    enum pc_status status;
    struct pc_error error;
};

static void take_tasks(struct wv_team *t, unsigned worker)
{
    struct pc_error err;

    for (;;) {
        size_t task = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
        if (task >= t->tasks)
            return;
        enum pc_status status = t->fn(t->ctx, worker, task, &err);
        if (status == PC_OK)
            continue;
        pthread_mutex_lock(&t->lock);
        if (task < t->failed) {
            t->failed = task;
            t->status = status;
            t->error = err;
        }
        pthread_mutex_unlock(&t->lock);
        atomic_store_explicit(&t->next, t->tasks, memory_order_relaxed);
        return;
    }
}

static void *run_member(void *arg)
{
    const struct member *m = arg;
    struct wv_team *t = m->team;
    uint64_t seen = 0;

    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (t->job == seen && !t->leave)
            pthread_cond_wait(&t->work, &t->lock);
        if (t->leave)
            break;
        seen = t->job;
        pthread_mutex_unlock(&t->lock);
        take_tasks(t, m->number);
        pthread_mutex_lock(&t->lock);
        if (--t->busy == 0)
            pthread_cond_signal(&t->done);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Signals are for the program's own threads. */
static void start_members(struct wv_team *t, unsigned threads)
{
    sigset_t all, before;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return;
    while (t->size < threads) {
        struct member *m = &t->member[t->size];
        *m = (struct member){ .team = t, .number = t->size };
        if (pthread_create(&m->thread, NULL, run_member, m) != 0)
            break;
        t->size++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct wv_team *wv_team_create(const struct pc_alloc *alloc, unsigned threads)
{
    struct wv_team *t = pc_calloc(alloc, 1, sizeof *t);

    if (!t)
        return NULL;
    t->alloc = *alloc;
    t->size = 1;
    t->failed = SIZE_MAX;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->work, NULL);
    pthread_cond_init(&t->done, NULL);
    start_members(t, threads < WV_TEAM_MAX ? threads : WV_TEAM_MAX);
    return t;
}

void wv_team_destroy(struct wv_team *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->leave = true;
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
    for (unsigned i = 1; i < t->size; i++)
        pthread_join(t->member[i].thread, NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->work);
    pthread_mutex_destroy(&t->lock);
    struct pc_alloc alloc = t->alloc;
    pc_free(&alloc, t, sizeof *t);
}

unsigned wv_team_size(const struct wv_team *t)
{
    return t->size;
}

static void start_job(struct wv_team *t, wv_task_fn *fn, void *ctx, size_t tasks)
{
    pthread_mutex_lock(&t->lock);
    t->fn = fn;
    t->ctx = ctx;
    t->tasks = tasks;
    t->failed = SIZE_MAX;
    atomic_store_explicit(&t->next, 0, memory_order_relaxed);
    if (t->size > 1 && tasks > 0) {
        t->busy = t->size - 1;
        t->job++;
        pthread_cond_broadcast(&t->work);
    }
    pthread_mutex_unlock(&t->lock);
}

/* What the first failing task said. */
static enum pc_status end_job(struct wv_team *t, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    pthread_mutex_lock(&t->lock);
    while (t->busy > 0)
        pthread_cond_wait(&t->done, &t->lock);
    if (t->failed != SIZE_MAX) {
        status = t->status;
        if (err)
            *err = t->error;
    }
    pthread_mutex_unlock(&t->lock);
    return status;
}

enum pc_status wv_team_run(struct wv_team *t, wv_task_fn *fn, void *ctx, size_t tasks,
                           struct pc_error *err)
{
    enum pc_status status = PC_OK;

    if (t->size == 1 || tasks < 2) {
        for (size_t i = 0; i < tasks && status == PC_OK; i++)
            status = fn(ctx, 0, i, err);
        return status;
    }
    wv_team_start(t, fn, ctx, tasks);
    return wv_team_finish(t, err);
}

void wv_team_start(struct wv_team *t, wv_task_fn *fn, void *ctx, size_t tasks)
{
    start_job(t, fn, ctx, tasks);
}

enum pc_status wv_team_finish(struct wv_team *t, struct pc_error *err)
{
    take_tasks(t, 0);
    return end_job(t, err);
}

void wv_team_begin(struct wv_team *t, wv_task_fn *fn, void *ctx)
{
    start_job(t, fn, ctx, t->size - 1);
}

void wv_team_end(struct wv_team *t)
{
    (void)end_job(t, NULL);
}
