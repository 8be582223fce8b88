/* SPDX-License-Identifier: MIT */
/*
 * Rows for people: a bus, of AXI a direction of it, worst first.  They are made of a report, that
 * of a run or one that `merge` has read.
 */
#ifndef PC_CLI_BUS_ROWS_H
#define PC_CLI_BUS_ROWS_H

#include "bus/bus.h"
#include "report/report_tree.h"

/* A report to be printed. */
struct bus_view {
    const struct rep_tree *root;
    size_t reports;            /* that are added up in it; 0: it is of a run */
    const struct bus_run *run; /* -I: it has the intervals; NULL: there are none */
};

/* A direction of a bus, or all of it: its channels, and its transactions. */
struct bus_row {
    const struct rep_tree *bus;
    const char *name, *part;            /* part: "read", "write"; "": all */
    const char *clock;                  /* as little of its path as tells the clocks apart */
    const struct rep_tree *channel;     /* that waits most */
    const struct rep_tree *transaction; /* NULL: there is none */
    uint64_t cycles, beats, waits;
    struct pc_dist_figures latency;
    const struct bus_item *item;       /* -I: whose intervals; NULL: there are none */
    size_t of_channel, of_transaction; /* its groups */
};

/* A transaction: the longest, or the oldest that is open. */
struct bus_extreme {
    bool open;
    uint64_t latency, start_time;
};

/* Finds how many; *out is free()d.  NULL: no memory, and it has been said. */
size_t bus_make_rows(const struct bus_view *view, struct bus_row **out);
void bus_put_name(FILE *out, const struct bus_row *row);
/* Is the channel of this direction, "": of any? */
bool bus_is_of(const char *part, const char *channel);
/* bus_notes.c: what is odd, open, stuck or guessed, a text each. */
void bus_each_note(const struct bus_view *view, const struct bus_row *row, size_t rows,
                   void (*tell)(void *ctx, const struct bus_row *row, const char *text), void *ctx);
/* Finds the one that took longest, or the oldest that is open if it is older than that. */
bool bus_longest(const struct bus_row *row, struct bus_extreme *out);
/* Returns the signal that starts its transactions. */
const char *bus_start_signal(const struct bus_row *row);
/* Returns the signal whose 0 is the wait: the ready of the channel, or what the protocol has for
 * it; NULL: none is known. */
const char *bus_awaited(const struct bus_row *row);
uint64_t bus_count(const struct rep_tree *group, const char *name);
/* Returns 0 of no cycles. */
double bus_share(uint64_t count, uint64_t cycles);
/* Puts a row of CSV of each figure of a report (bus_tell.c). */
void bus_put_figures(struct rep *rep, const struct rep_tree *root);
/* Prints a report that is read or kept; exit codes. */
int bus_text(const struct bus_view *view, FILE *out);
int bus_page(const struct bus_view *view, FILE *out);
/* Writes the file of --goto; an exit code. */
int bus_goto(const struct bus_run *run, const struct bus_view *view);

/* bus_lanes.c: states as a page stacks them, what is in none of the first four in the last; buses
 * over time, a lane each; how many transactions of a bus were outstanding. */
enum {
    BUS_PAGE_BEAT,
    BUS_PAGE_STALL,
    BUS_PAGE_STARVE,
    BUS_PAGE_IDLE,
    BUS_PAGE_OTHER,
    BUS_PAGE_STATES
};
extern const char *const bus_page_state[BUS_PAGE_STATES], *const bus_page_word[BUS_PAGE_STATES];
void bus_page_stack(const uint64_t *count, uint64_t cycles, uint64_t out[BUS_PAGE_STATES]);
void bus_page_times(const struct bus_run *run, FILE *out, const struct bus_row *row, size_t rows);
void bus_page_outstanding(const struct bus_run *run, FILE *out, const struct bus_row *row);
/* Begins a plot that is so wide; bus_bars.c draws a distribution. */
void bus_open_plot(FILE *out, unsigned width);
void bus_put_histogram(FILE *out, const struct rep_tree *dist, const char *what);

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
int bus_timeline_text(const struct bus_run *run, const struct bus_row *row, FILE *out);
/* Finds the groups of the row among those of its bus. */
void bus_find_groups(struct bus_row *row);

#endif
