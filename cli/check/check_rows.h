/* SPDX-License-Identifier: MIT */
/* CVA6's vector files: their header, and rows as numbers; vectors' README has the format. */
#ifndef PC_CLI_CHECK_ROWS_H
#define PC_CLI_CHECK_ROWS_H

#include "check.h"

enum { ROW_MAX_FIELDS = 32 };

/* The parameters of the second line. */
struct vectors_head {
    bool csr; /* csr_regfile and perf_counters; else perf_counters alone */
    char unit[64];
    char core[64]; /* the name that the file gives its configuration, or its parameters */
    struct pc_hpm_config config;
    uint64_t announced; /* rows; 0: not said */
};
/* Is it the first line of a file of vectors? */
bool vectors_is_head(const char *line);
enum pc_status vectors_read_head(struct check_input *in, struct vectors_head *out,
                                 struct pc_error *err);

/* One row: what it starts with, and its fields. */
struct vectors_row {
    char type; /* N X R S, # for a comment, 0 for an empty line */
    unsigned count;
    uint64_t field[ROW_MAX_FIELDS];
};

/* Where the fields of a clock are, and what each may be at most. */
struct vectors_layout {
    unsigned ports;                 /* index of the first port's ack */
    unsigned after;                 /* index of what follows the ports */
    unsigned count;                 /* fields of a clock */
    unsigned state_count;           /* fields of an S row */
    uint64_t limit[ROW_MAX_FIELDS]; /* of a clock */
    const char *name[ROW_MAX_FIELDS];
    uint64_t state_limit[ROW_MAX_FIELDS];
    const char *state_name[ROW_MAX_FIELDS];
};
void vectors_layout(const struct vectors_head *head, struct vectors_layout *out);

enum pc_status vectors_parse_row(const struct check_input *in, const char *line,
                                 const struct vectors_layout *layout, struct vectors_row *out,
                                 struct pc_error *err);

#endif
