/* SPDX-License-Identifier: MIT */
/* Shared by the rules for a node riscv,pmu: the node, and how a hazard is reported. */
#ifndef PC_CLI_CHECK_DEVICETREE_RULES_H
#define PC_CLI_CHECK_DEVICETREE_RULES_H

#include "devicetree.h"

struct dt_checking {
    const struct dt_pmu *pmu;
    const struct emit_request *r;
    const struct dt_report *report;
    uint32_t *selected; /* event indices with a selector row, ascending */
    size_t selected_count;
};

void dt_found(const struct dt_checking *c, const char *name, bool note, uint32_t line,
              const char *why, const char *fmt, ...) PC_PRINTF(6, 7);

const struct dt_cells *dt_cells_of(const struct dt_checking *c, enum dt_property p);
/* Whole rows of a property, and row i of them. */
size_t dt_rows_of(const struct dt_checking *c, enum dt_property p);
const uint32_t *dt_row_of(const struct dt_checking *c, enum dt_property p, size_t i,
                          uint32_t *line);

/* "0x10009 (L1-icache-load-misses)" */
struct dt_event_text {
    char text[64];
};
struct dt_event_text dt_event_text(const struct dt_checking *c, uint32_t index);
/* Returns what a counter counts when this is written to its selector. */
const char *dt_counts_as(uint32_t value);

/* ---- check_devicetree_names.c ---- */

/* Properties that nothing reads, and a node without any that is read. */
void dt_check_names(const struct dt_checking *c);
/* Selector row i: is its event counted by a selector that another event of the node should have? */
void dt_check_meaning(const struct dt_checking *c, uint32_t line, const uint32_t *row);

#endif
