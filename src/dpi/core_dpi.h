/* SPDX-License-Identifier: MIT */
/* A described core beside its design: core_text.c reads the description, core_dpi.c runs it. */
#ifndef PC_DPI_CORE_DPI_H
#define PC_DPI_CORE_DPI_H

#include "pcounter/pcounter.h"
#include "pcounter/unstable/core.h"

struct core_signal {
    const char *name;
    uint32_t first, bits; /* its wires, and how many */
    int32_t low;          /* declared index of the first */
};

/* The lines of a description and what they say; all of it points into `lines`. */
struct core_text {
    char *lines;
    size_t length, capacity;
    bool failed; /* no memory */
    bool async;  /* a reset between two edges counts */
    struct pc_core_desc desc;
    struct pc_core_let *let;
    struct pc_core_vector *vector;
    const char **element, **called;
    struct pc_core_register *reg;
    struct pc_core_rule *rule;
    const char **rule_told; /* as messages have the rules, in the order of all */
    struct pc_core_check *check;
    const char **check_told;
    struct core_signal *signal;
    size_t signals;
};

void core_text_add(struct core_text *t, const char *line);
/* Reads the parts of the lines, which are split; false: no memory, or no lines of a description. */
bool core_text_read(struct core_text *t);
void core_text_drop(struct core_text *t);

#endif
