/* SPDX-License-Identifier: MIT */
/*
 * Decides which time counts and where cycles begin: follows the signals of --when and --clock
 * through a section before all else is measured in it.
 */
#ifndef PC_CLI_ACTIVITY_WATCH_H
#define PC_CLI_ACTIVITY_WATCH_H

#include "activity/activity.h"
#include "stat/stat.h"

/* A value stream, with its changes of the present section. */
struct watched {
    uint32_t code, width;
    uint64_t *time, *value, *unknown;
    size_t words, count, time_capacity, value_capacity, unknown_capacity;
    size_t at;     /* the next change */
    uint64_t *now; /* value and unknown */
};

/* An expression over the present values. */
struct watch_expr {
    struct pc_expr *expr; /* NULL: there is none */
    bool value, unknown;
};

struct activity_watch {
    const struct activity_run *run;
    struct stat_wires wires;
    struct stat_binds no_binds;
    struct watch_expr when, iff;
    bool has_clock, falling;
    uint32_t clock_wire;
    struct watched *stream;
    size_t streams;
    uint8_t *first;         /* by value stream */
    uint32_t *of_wire;      /* the stream of each wire */
    uint64_t *bit;          /* planes of one cycle: values, unknown ones */
    const uint64_t **plane; /* the same */
    struct pc_activity_mark *mark;
    size_t marks, capacity;
    bool begun;        /* the first time that counts is in the past; */
    uint64_t begin;    /* it */
    uint64_t seen;     /* so far is known whether --when holds, */
    uint64_t unknown;  /* and in that many time units it is not */
    bool held, cycles; /* --when held, or a cycle began, in the time that is measured */
    bool no_memory;
};

/* NULL: neither is given.  Exit codes; *out is closed by the caller whatever happened. */
int activity_watch_open(struct activity_run *run, struct activity_watch **out);
void activity_watch_close(struct activity_watch *w);
/* Forgets what was told. */
void activity_watch_forget(struct activity_watch *w);
/* Takes changes of one of the signals. */
void activity_watch_take(struct activity_watch *w, const struct pc_wave_changes *c);
/* The first time that counts. */
void activity_watch_begin(struct activity_watch *w, uint64_t time);
/* Makes the marks of a section; an exit code. */
int activity_watch_marks(struct activity_watch *w, uint64_t last);
/* The last time was read. */
void activity_watch_end(struct activity_watch *w, uint64_t time);
/* Hands over the changes of the section, which are then forgotten. */
void activity_watch_tell(struct activity_watch *w,
                         void (*tell)(void *ctx, const struct pc_wave_changes *c), void *ctx);

#endif
