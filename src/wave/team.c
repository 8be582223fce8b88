/* SPDX-License-Identifier: MIT */
/*
 * See team.h.  All tasks are run even if one fails, so that the first failing one, and
 * its error, is the same in every run.  If the system gives fewer threads than asked for, the
 * team is smaller.
 */
#include "wave/team.h"

#include <pthread.h>
#include <signal.h>

struct member {
    struct wv_team *team;
    pthread_t thread;
    unsigned number;
};

struct job {
    wv_task_fn *fn;
    void *ctx;
    size_t tasks;
    size_t front, back; /* taken by members, by the caller */
    size_t running;
};

struct wv_team {
    struct pc_alloc alloc;
    unsigned size;
    struct member member[WV_TEAM_MAX]; /* [0] is the caller */
    pthread_mutex_t lock;              /* of all that follows */
    pthread_cond_t work, done;
    struct job job;
    const struct wv_flow *flow; /* NULL: none */
    void *flow_ctx;
    size_t flowing;  /* tasks of it that are being run */
    unsigned asleep; /* members */
    bool waiting;    /* the caller, for `done` */
    bool leave;
    size_t failed; /* the first task that did, SIZE_MAX: none */
    enum pc_status status;
    struct pc_error error;
};

static bool has_tasks(const struct job *j)
{
    return j->front + j->back < j->tasks;
}

static void keep_error(struct wv_team *t, size_t task, enum pc_status status,
                       const struct pc_error *err)
{
    if (status == PC_OK || task >= t->failed)
        return;
    t->failed = task;
    t->status = status;
    t->error = *err;
}

/* Runs one task of a job that has some; the lock is held before and after. */
static void run_task(struct wv_team *t, unsigned worker)
{
    struct job *j = &t->job;
    const struct job now = *j;
    const size_t task = worker == 0 ? now.tasks - 1 - j->back++ : j->front++;
    struct pc_error err;

    j->running++;
    pthread_mutex_unlock(&t->lock);
    const enum pc_status status = now.fn(now.ctx, worker, task, &err);
    pthread_mutex_lock(&t->lock);
    keep_error(t, task, status, &err);
    if (--j->running == 0 && !has_tasks(j) && worker > 0)
        pthread_cond_signal(&t->done);
}

/* Wakes somebody who sleeps, if there is a task that no one is about to take. */
static void wake_one(struct wv_team *t)
{
    if (t->asleep > 0 && t->flow && t->flow->take(t->flow_ctx, 1, NULL))
        pthread_cond_signal(&t->work);
}

/* Runs one task of the flow, if it has one; the lock is held before and after. */
static bool run_flow(struct wv_team *t, unsigned worker)
{
    const struct wv_flow *flow = t->flow;
    void *ctx = t->flow_ctx;
    size_t task;

    if (!flow || !flow->take(ctx, worker, &task))
        return false;
    t->flowing++;
    wake_one(t);
    pthread_mutex_unlock(&t->lock);
    flow->run(ctx, worker, task);
    pthread_mutex_lock(&t->lock);
    flow->done(ctx, task);
    t->flowing--;
    if (t->waiting && (t->flowing == 0 || flow->reached(ctx) || flow->take(ctx, 0, NULL)))
        pthread_cond_signal(&t->done);
    return true;
}

static void wait_until_done(struct wv_team *t)
{
    t->waiting = true;
    pthread_cond_wait(&t->done, &t->lock);
    t->waiting = false;
}

static void *run_member(void *arg)
{
    const struct member *m = arg;
    struct wv_team *t = m->team;

    pthread_mutex_lock(&t->lock);
    while (!t->leave) {
        if (has_tasks(&t->job)) {
            run_task(t, m->number);
        } else if (!run_flow(t, m->number)) {
            t->asleep++;
            pthread_cond_wait(&t->work, &t->lock);
            t->asleep--;
        }
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Also where the caller's limit of the stack is lower. */
enum { STACK = 1 << 20 };

/* Signals are for the program's own threads. */
static void start_members(struct wv_team *t, unsigned threads)
{
    sigset_t all, before;
    pthread_attr_t room;

    sigfillset(&all);
    if (pthread_attr_init(&room) != 0)
        return;
    if (pthread_attr_setstacksize(&room, STACK) != 0 ||
        pthread_sigmask(SIG_SETMASK, &all, &before) != 0) {
        pthread_attr_destroy(&room);
        return;
    }
    while (t->size < threads) {
        struct member *m = &t->member[t->size];
        *m = (struct member){ .team = t, .number = t->size };
        if (pthread_create(&m->thread, &room, run_member, m) != 0)
            break;
        t->size++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&room);
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
    t->job = (struct job){ .fn = fn, .ctx = ctx, .tasks = tasks };
    t->failed = SIZE_MAX;
    if (t->size > 1 && tasks > 1)
        pthread_cond_broadcast(&t->work);
    else if (t->size > 1 && tasks > 0)
        pthread_cond_signal(&t->work);
    pthread_mutex_unlock(&t->lock);
}

/* Ends the job, with the help of the caller, or without. */
static void end_job(struct wv_team *t, bool help)
{
    const struct job *j = &t->job;

    pthread_mutex_lock(&t->lock);
    while (help && has_tasks(j))
        run_task(t, 0);
    while (has_tasks(j) || j->running > 0)
        pthread_cond_wait(&t->done, &t->lock);
    pthread_mutex_unlock(&t->lock);
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
    start_job(t, fn, ctx, tasks);
    end_job(t, true);
    if (t->failed == SIZE_MAX)
        return PC_OK;
    if (err)
        *err = t->error;
    return t->status;
}

void wv_team_begin(struct wv_team *t, wv_task_fn *fn, void *ctx)
{
    start_job(t, fn, ctx, t->size - 1);
}

void wv_team_end(struct wv_team *t)
{
    end_job(t, false);
}

void wv_team_flow_begin(struct wv_team *t, const struct wv_flow *flow, void *ctx)
{
    pthread_mutex_lock(&t->lock);
    t->flow = flow;
    t->flow_ctx = ctx;
    pthread_mutex_unlock(&t->lock);
}

void wv_team_flow_end(struct wv_team *t)
{
    pthread_mutex_lock(&t->lock);
    t->flow = NULL;
    while (t->flowing > 0)
        wait_until_done(t);
    pthread_mutex_unlock(&t->lock);
}

void wv_team_flow_until(struct wv_team *t)
{
    pthread_mutex_lock(&t->lock);
    while (!t->flow->reached(t->flow_ctx))
        if (!run_flow(t, 0))
            wait_until_done(t);
    pthread_mutex_unlock(&t->lock);
}

void wv_team_enter(struct wv_team *t)
{
    pthread_mutex_lock(&t->lock);
}

void wv_team_leave(struct wv_team *t)
{
    wake_one(t);
    pthread_mutex_unlock(&t->lock);
}
