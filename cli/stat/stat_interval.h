/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat -I: where intervals end, and what is printed of each (docs/adr/005).
 */
#ifndef PC_CLI_STAT_INTERVAL_H
#define PC_CLI_STAT_INTERVAL_H

#include "stat.h"
#include "wave/time_unit.h"

/* Time units of a waveform, and parts of one: `part` of `per`. */
struct stat_tick {
    uint64_t whole, part;
};

/* (whole.part) * 10^exponent seconds, with `decimals` digits of the part. */
struct stat_long_time {
    struct stat_tick tick; /* whole: 0, this is not used */
    int exponent, decimals;
};

/* An interval that is over. */
struct stat_interval {
    uint64_t number; /* from 0 */
    uint64_t span;   /* how many it stands for: more than one only if they have no cycle */
    uint64_t first, cycles;
    bool timed;               /* is it known when it began? */
    struct stat_tick tick;    /* that, in units of the timeline */
    double time;              /* seconds of the waveform */
    struct stat_long_time at; /* the same, where a double has not enough digits */
    double seconds;           /* its length; 0: not known */
    double off;               /* so much of it dumping was off */
    bool partial;
};

/* Intervals without a cycle that follow each other have rows of their own up to this many. */
enum { STAT_EMPTY_ROWS = 1000 };

/* --- stat_time.c: when an interval began --- */

enum { STAT_TIME_TEXT = 80 };

/* Whole digits that every double has. */
#define STAT_LONG_TIME UINT64_C(1000000000000000)

/* All digits of it in seconds: "9007199.254740993". */
void stat_time_text(const struct stat_interval *interval, char out[STAT_TIME_TEXT]);
/* Rounded to that many decimals of a unit of 10^exponent seconds. */
void stat_time_in(const struct stat_interval *interval, int exponent, int decimals,
                  char out[STAT_TIME_TEXT]);

/* --- stat_interval.c: a timeline --- */

/* Intervals are cycles, or times: then a cycle belongs to the time of its edge. */
struct stat_timeline {
    bool by_time;
    bool sampled;          /* each cycle is a sample, and lasts one */
    bool timed;            /* edges have times */
    bool begun;            /* the first edge is there */
    bool closed;           /* the next edge is as if there were one at --to */
    uint64_t edge;         /* the next one, */
    const uint64_t *times; /* its time and those after it, */
    uint64_t left;         /* that many; 0: the next one is not read yet, or there is none */
    uint64_t last_time;    /* of the one before it */
    const struct pc_wave *wave;
    const struct cli_window *window;
    const char *path;
    uint64_t length;       /* cycles, not by_time */
    struct stat_tick step; /* by_time: from one interval to the next */
    uint64_t per;
    uint64_t number, single;      /* of the open interval; empty ones yet to be told one by one */
    uint64_t first;               /* cycle of the open interval */
    struct stat_tick begin, end;  /* by_time: the open interval */
    uint64_t first_time;          /* of its first edge */
    uint64_t origin, origin_time; /* the first edge of all */
    uint64_t to;                  /* --to, if both are times; else UINT64_MAX */
    double unit;                  /* seconds; 0: times are not known */
    bool decimal;                 /* it is 10^exponent seconds */
    int exponent;
    bool merged; /* some rows stand for several intervals */
};

/* Does -I take the times of edges?  Then the clock tells them. */
bool stat_timeline_times(const struct stat_job *j, const struct pc_wave_info *info,
                         const struct pc_wave_clock *clock);
/* Does a metric or an expectation use seconds? */
bool stat_wants_seconds(const struct stat_job *j);
/* An exit code. */
int stat_timeline_open(struct stat_timeline *t, const struct stat_job *j,
                       const struct pc_wave *wave, const struct pc_wave_clock *clock);
/*
 * Cycles [first, first + cycles) are next, whose first may be before the window, with their times,
 * if edges have some, which stay where they are until stat_timeline_pass().
 */
void stat_timeline_feed(struct stat_timeline *t, uint64_t first, const uint64_t *times,
                        uint64_t cycles);
void stat_timeline_pass(struct stat_timeline *t, uint64_t end);
/* Where the open interval ends, if that is a cycle below `limit`; else UINT64_MAX. */
uint64_t stat_timeline_end(struct stat_timeline *t, uint64_t limit);
/* It ended before cycle `end`, and the next one opens. */
void stat_timeline_next(struct stat_timeline *t, uint64_t end, struct stat_interval *out);
/* Ends the open interval if it has no cycle; false if it has one. */
bool stat_timeline_empty(struct stat_timeline *t, struct stat_interval *out);
/* The last one that has a cycle; it ends with the count, before cycle `end`. */
void stat_timeline_last(struct stat_timeline *t, uint64_t end, struct stat_interval *out);
/* Makes the interval that is left up to --to, if the waveform goes on there; false if none is. */
bool stat_timeline_rest(struct stat_timeline *t, struct stat_interval *out);

#endif
