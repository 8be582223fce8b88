/* SPDX-License-Identifier: MIT */
/* The graph of a state machine on a page: of a run, or of a report that was read. */
#ifndef PC_CLI_STAT_MACHINE_GRAPH_H
#define PC_CLI_STAT_MACHINE_GRAPH_H

#include "stat_machine.h"
#include "report/report_tree.h"

struct stat_graph_state {
    const char *name;
    uint64_t visits, cycles;
    bool entered;
};
struct stat_graph_move {
    size_t from, to; /* states of the graph */
    uint64_t count;
};
struct stat_graph {
    struct stat_graph_state state[STAT_LANES];
    size_t states;
    /* Finds a transition, from 0 to `moves`; false: it is not drawn. */
    bool (*move)(const struct stat_graph *g, size_t i, struct stat_graph_move *out);
    size_t moves;
    const void *ctx;
    uint64_t samples;
    /* stat_graph_lay() */
    double step;   /* of arcs */
    int left, box; /* where boxes begin, and how wide they are */
    uint64_t most; /* the largest count of a transition */
};

/* Finds where things are drawn. */
void stat_graph_lay(struct stat_graph *g);
void stat_graph_put(FILE *out, const struct stat_graph *g);
/* Writes the head of the machine; `all`: states that were entered. */
void stat_graph_title(FILE *out, const char *name, uint64_t all);
/* Writes an item of the list of states that were never entered, or left. */
void stat_graph_never(FILE *out, bool first, bool entered, const char *name);
/* Writes a name in a drawing; a long one ends with ..., and its title has all of it. */
void stat_graph_name(FILE *out, const char *name);
/* Draws all machines of a report that was read, whose root is ctx. */
void stat_graph_of_report(FILE *out, const void *ctx);

#endif
