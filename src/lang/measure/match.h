/* SPDX-License-Identifier: MIT */
/*
 * Starts that wait for their ends, in a queue for each identifier, first in first out: what
 * pc_latency and the transactions of buses are made of.  A start that is open has a slot, by which
 * its user can keep more of it.
 */
#ifndef PC_MEASURE_MATCH_H
#define PC_MEASURE_MATCH_H

#include "base/alloc.h"
#include "pcounter/unstable/bus.h"
#include "pcounter/measure.h"

#define PC_MATCH_NONE UINT32_MAX

struct pc_match_open {
    uint64_t cycle, time;
    uint32_t next; /* in its queue, or of the free ones; NONE: the last */
};

struct pc_match_queue {
    bool taken; /* else a free place */
    uint64_t id;
    uint32_t first, last; /* NONE: empty */
    uint32_t dist;        /* NONE: none of its own */
};

struct pc_match_id {
    uint64_t id;
    struct pc_dist *dist;
};

struct pc_match {
    struct pc_alloc alloc;
    bool has_ids;
    size_t most_open, most_ids;
    struct pc_latency_figures figures;
    struct pc_dist *dist, *outstanding;
    uint64_t aborted;
    struct pc_match_open *open;
    size_t open_capacity, open_made; /* of which some are free */
    uint32_t free;
    uint64_t outstanding_now;
    const uint64_t *time; /* of cycles from `time_from` on; NULL: not known */
    uint64_t time_from;
    struct pc_bus_longest longest;
    struct pc_match_queue *queue; /* places, a power of two */
    size_t queues, queues_used;
    struct pc_match_id *of_id;
    size_t of_id_capacity;
};

/* Opens a matcher of zeroes; 0: the default of struct pc_latency_desc. */
enum pc_status pc_match_open(struct pc_match *m, const struct pc_alloc *alloc, bool has_ids,
                             size_t most_open, size_t most_ids, struct pc_error *err);
void pc_match_close(struct pc_match *m);
/* Adds the number that is, or was, open before each of these cycles. */
void pc_match_pass(struct pc_match *m, uint64_t open, uint64_t cycles);
enum pc_status pc_match_start(struct pc_match *m, uint64_t cycle, uint64_t id, uint32_t *slot,
                              struct pc_error *err);
/* Returns the oldest one that is open; NONE: there is none. */
uint32_t pc_match_oldest(struct pc_match *m, uint64_t id);
/* Its end; NONE: that is an orphan.  The slot is free after that, and as it was until a start. */
uint32_t pc_match_end(struct pc_match *m, uint64_t cycle, uint64_t id);
/* Settles after the starts and ends of a cycle. */
void pc_match_settle(struct pc_match *m);
/* Forgets all that is open. */
void pc_match_abort(struct pc_match *m);
/* Adds the age of each open start before cycle `end` to `ages`, and finds the oldest; either may be
 * NULL. */
void pc_match_ages(const struct pc_match *m, uint64_t end, struct pc_dist *ages,
                   struct pc_bus_longest *oldest);

#endif
