/* SPDX-License-Identifier: MIT */
/* Rows for people: a bus, of AXI a direction of it, worst first. */
#ifndef PC_CLI_BUS_ROWS_H
#define PC_CLI_BUS_ROWS_H

#include "bus/bus.h"

/* A direction of a bus, or all of it: its channels, and its transactions. */
struct bus_row {
    const struct bus_item *item;
    const char *part;                  /* "read", "write"; "": all */
    const char *clock;                 /* as little of its path as tells the clocks apart */
    struct pc_bus_group channel;       /* that waits most */
    struct pc_bus_group transaction;   /* of has_transaction */
    size_t of_channel, of_transaction; /* numbers of these groups */
    bool has_transaction;
    uint64_t cycles, beats, waits;
    struct pc_dist_figures latency;
};

/* How many; *out is free()d.  NULL: no memory, and it has been said. */
size_t bus_make_rows(struct bus_run *run, struct bus_row **out);
void bus_put_name(FILE *out, const struct bus_row *row);
/* Is the channel of this direction, "": of any? */
bool bus_is_of(const char *part, const char *channel);
/* bus_notes.c: what is odd, open, stuck or guessed, a text each. */
void bus_each_note(const struct bus_run *run, const struct bus_row *row, size_t rows,
                   void (*tell)(void *ctx, const struct bus_row *row, const char *text), void *ctx);
/* The one that took longest, or the oldest that is open if it is older than that. */
const struct pc_bus_longest *bus_longest(const struct bus_row *row);
/* Returns the signal that starts its transactions. */
const char *bus_start_signal(const struct bus_row *row);
/* Cycles in which a sender waited. */
uint64_t bus_waits(const struct pc_bus_group *g);
/* 0 of no cycles. */
double bus_share(uint64_t count, uint64_t cycles);

/* bus_intervals.c: how many there are; of those from `first` to before `last` what was counted in a
 * group; how many transactions are open at the end of one; the timeline of a row. */
size_t bus_intervals_of(const struct bus_item *item);
struct bus_snap bus_interval_of(const struct bus_item *item, size_t first, size_t last, size_t g);
uint64_t bus_open_at_end(const struct bus_item *item, size_t i, size_t g);
/* The first edge of one; with -I as a time when it begins, in time units; "1,000 edges", "10us". */
uint64_t bus_interval_start(const struct bus_run *run, const struct bus_item *item, size_t i);
uint64_t bus_interval_time(const struct bus_run *run, size_t i);
/* When its first edge, or the last one before it, was. */
uint64_t bus_interval_edge_time(const struct bus_run *run, const struct bus_item *item, size_t i);
const char *bus_interval_length(const struct bus_run *run, size_t count, char out[64]);
void bus_timeline_text(struct bus_run *run, const struct bus_row *row, FILE *out);

#endif
