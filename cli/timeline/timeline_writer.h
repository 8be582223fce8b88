/* SPDX-License-Identifier: MIT */
/* Inside of timelines: what a format is. */
#ifndef PC_CLI_TIMELINE_WRITER_H
#define PC_CLI_TIMELINE_WRITER_H

#include "timeline.h"

struct timeline {
    struct timeline_desc desc;
    const struct timeline_writer *writer;
    bool begun;
    uint64_t end; /* VCD: of the last row */
};

struct timeline_writer {
    void (*begin)(struct timeline *t);
    void (*add)(struct timeline *t, const struct timeline_row *row);
    void (*end)(struct timeline *t);
};

extern const struct timeline_writer timeline_vcd;

#endif
