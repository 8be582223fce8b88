/* SPDX-License-Identifier: MIT */
/* A replay of vectors: check_vectors.c makes it, check_vectors_tell.c reports it. */
#ifndef PC_CLI_CHECK_REPLAY_H
#define PC_CLI_CHECK_REPLAY_H

#include "check_rows.h"

enum { MOST_SHOWN = 20 };

struct replay {
    struct check_input *in;
    FILE *page; /* of the report for people; NULL: not wanted */
    const struct check_options *options;
    struct vectors_head head;
    struct vectors_layout layout;
    struct pc_hpm *hpm;
    const char *line;   /* the row at hand */
    char scenario[120]; /* last comment before it, "" if none */
    uint64_t rows, states;
    uint64_t values; /* compared */
    uint64_t differences;
    bool stop;
    /* the first difference, for machines */
    uint64_t first_line;
    char first_what[32];
    uint64_t first_model, first_file;
    const char *first_clause;
};

/* Prints the summary for people. */
void check_replay_print(const struct replay *r);
void check_replay_put(struct rep *rep, const struct replay *r);

#endif
