/* SPDX-License-Identifier: MIT */
/* Inside of timelines: what a format is. */
#ifndef PC_CLI_TIMELINE_WRITER_H
#define PC_CLI_TIMELINE_WRITER_H

#include "timeline.h"

struct timeline {
    struct timeline_desc desc;
    const struct timeline_writer *writer;
    uint64_t rows; /* and those that they stand for */
    bool begun;
    struct timeline_time begin, end; /* of the first row, of the last one */
    void *own;                       /* the format's */
};

struct timeline_writer {
    const char *name;
    bool (*open)(struct timeline *t);  /* makes what it owns; false: no memory; NULL: nothing */
    void (*begin)(struct timeline *t); /* NULL: all is written in the end */
    void (*add)(struct timeline *t, const struct timeline_row *row);
    void (*end)(struct timeline *t, const struct timeline_summary *summary);
    void (*close)(struct timeline *t); /* frees what it owns, NULL: nothing */
};

extern const struct timeline_writer timeline_vcd, timeline_perfetto, timeline_html;

/* A number that was measured? */
bool timeline_measured(const struct timeline_column *column, const struct timeline_value *value);

#endif
