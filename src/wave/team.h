/* SPDX-License-Identifier: MIT */
/*
 * A team of threads for readers: the caller's and `threads - 1` of its own, which sleep
 * between jobs.  A job is a row of less than 2^32 tasks, the largest first: those of the team take
 * them from the front, the caller, who comes late or has other things to do, from the back.
 * The threads block all signals but SIGBUS, and never allocate.
 */
#ifndef PC_WAVE_TEAM_H
#define PC_WAVE_TEAM_H

#include "base/alloc.h"
#include "base/error.h"

#define WV_TEAM_MAX 64

struct wv_team;

/* `worker` is below wv_team_size() and in use by one task at a time. */
typedef enum pc_status wv_task_fn(void *ctx, unsigned worker, size_t task, struct pc_error *err);

/* threads 0 and 1 give a team of the caller alone.  NULL: no memory. */
struct wv_team *wv_team_create(const struct pc_alloc *alloc, unsigned threads);
void wv_team_destroy(struct wv_team *team); /* NULL is fine */
unsigned wv_team_size(const struct wv_team *team);

/* Runs all tasks.  If some fail, the error is that of the first of them, whoever was faster. */
enum pc_status wv_team_run(struct wv_team *team, wv_task_fn *fn, void *ctx, size_t tasks,
                           struct pc_error *err);

/*
 * Tasks that come up as others are done, in no rounds: who is free takes the next one that can be
 * done, and sleeps only if there is none.  All but run() is called with the team's lock.
 */
struct wv_flow {
    /* The next task, for that worker; with `task` NULL: is there one? */
    bool (*take)(void *ctx, unsigned worker, size_t *task);
    void (*run)(void *ctx, unsigned worker, size_t task);
    void (*done)(void *ctx, size_t task);
    /* Returns whether the caller has what it waits for. */
    bool (*reached)(const void *ctx);
};

/* One at a time; jobs come first.  wv_team_flow_end() waits for the tasks that were begun. */
void wv_team_flow_begin(struct wv_team *team, const struct wv_flow *flow, void *ctx);
void wv_team_flow_end(struct wv_team *team);
/* The caller works too, until it is reached. */
void wv_team_flow_until(struct wv_team *team);
/* Around changes that the caller makes to what the flow looks at. */
void wv_team_enter(struct wv_team *team);
void wv_team_leave(struct wv_team *team);

/*
 * Lets each of the team's own threads run one task for as long as it takes, while the caller
 * goes on; there are size - 1 of them.  The team does nothing else before wv_team_end(),
 * which waits for them all.  Their status is not used.
 */
void wv_team_begin(struct wv_team *team, wv_task_fn *fn, void *ctx);
void wv_team_end(struct wv_team *team);

#endif
