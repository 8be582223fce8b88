/* SPDX-License-Identifier: MIT */
/* The node riscv,pmu of a device tree: as it is read from source or blob, and what is wrong. */
#ifndef PC_CLI_DEVICETREE_H
#define PC_CLI_DEVICETREE_H

#include "emit/emit.h"

enum { DT_MAX_CELLS = 4096, DT_MAX_OTHERS = 32, DT_NAME = 64 };

enum dt_property { DT_SELECTORS, DT_COUNTERS, DT_RAW, DT_PROPERTIES };
/* "riscv,event-to-mhpmevent" ... and how many cells a row of it has. */
const char *dt_property_name(enum dt_property property);
unsigned dt_row_cells(enum dt_property property);

struct dt_cells {
    bool present;
    size_t count;
    uint32_t cell[DT_MAX_CELLS];
    uint32_t line[DT_MAX_CELLS]; /* of the source; 0 from a blob */
};

/* A property that is none of the three, nor "compatible". */
struct dt_other {
    char name[DT_NAME]; /* one that is longer ends in "..." */
    uint32_t line;      /* of the source; 0 from a blob */
};

struct dt_pmu {
    bool compatible; /* the node says "riscv,pmu"; else it only has the properties */
    uint32_t line;   /* where it starts; 0 from a blob */
    struct dt_cells property[DT_PROPERTIES];
    struct dt_other other[DT_MAX_OTHERS];
    size_t others; /* all of them; those beyond DT_MAX_OTHERS are not kept */
};
void dt_add_other(struct dt_pmu *pmu, const char *name, size_t length, uint32_t line);
/* The property that OpenSBI of 2021 had by this name ("pmu,..."); DT_PROPERTIES: none. */
enum dt_property dt_old_property(const char *name, size_t length);

/* Finds and reads the node.  PC_ENOENT-like errors say what is missing. */
enum pc_status dts_read(const char *text, size_t size, struct dt_pmu *pmu, struct pc_error *err);
enum pc_status dtb_read(const void *blob, size_t size, struct dt_pmu *pmu, struct pc_error *err);

/* Fills in an error with a place in the source (line 0: none). */
enum pc_status dt_fail(struct pc_error *err, unsigned code, uint32_t line, uint32_t column,
                       const char *fmt, ...) PC_PRINTF(5, 6);

/* ---- what is wrong ---- */

struct dt_hazard {
    const char *name; /* "unmapped-event" */
    bool note;        /* worth knowing, not wrong */
    uint32_t line;    /* of the source; 0: none */
    char text[240];   /* what is there */
    char why[240];    /* what OpenSBI and CVA6 make of it */
};

/* Calls found() for each hazard, in the order of the properties and their rows. */
struct dt_report {
    void (*found)(void *ctx, const struct dt_hazard *hazard);
    void *ctx;
};
void dt_check(const struct dt_pmu *pmu, const struct emit_request *r,
              const struct dt_report *report);

/* ---- the verb ---- */

/* Do the arguments of `pcounter check` ask for this kind of check?  And the check itself. */
extern const struct opt_line check_devicetree_line;
int check_devicetree(const struct cli_verb *verb, int argc, char **argv);

#endif
