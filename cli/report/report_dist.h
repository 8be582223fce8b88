/* SPDX-License-Identifier: MIT */
/*
 * A distribution as a kind of field: count, sum, min, mean, the ranks of enum pc_rank, max.  Trees,
 * rows of CSV, formulas, `merge` and tables have its members by these names.
 */
#ifndef PC_CLI_REPORT_DIST_H
#define PC_CLI_REPORT_DIST_H

#include "pcounter/measure.h"
#include "report/report.h"

enum {
    REP_DIST_COUNT,
    REP_DIST_SUM,
    REP_DIST_MIN,
    REP_DIST_MEAN,
    REP_DIST_RANK,
    REP_DIST_MAX = REP_DIST_RANK + PC_RANKS,
    REP_DIST_CELLS
};
/* "count", "p95" */
const char *rep_dist_name(unsigned member);
/* Finds the member of that name; REP_DIST_CELLS: it is none. */
unsigned rep_dist_find(const char *name);

/* clang-format off: rows */
/* A row a rank; if_none: what min to max are of no value. */
#define REP_RANK_FIELDS(kind_, if_none)                                                            \
    { "p50", kind_, .adds = REP_FOLLOWS,                                                           \
      .about = "the value that 50 % do not exceed, by nearest rank; null: not known, "             \
               "as of too many different values",                                                  \
      .flags = (if_none) | REP_NULL },                                                             \
        { "p90", kind_, .adds = REP_FOLLOWS, .about = "as p50, of 90 %",                           \
          .flags = (if_none) | REP_NULL },                                                         \
        { "p95", kind_, .adds = REP_FOLLOWS, .about = "as p50, of 95 %",                           \
          .flags = (if_none) | REP_NULL },                                                         \
    {                                                                                              \
        "p99", kind_, .adds = REP_FOLLOWS, .about = "as p50, of 99 %",                             \
                      .flags = (if_none) | REP_NULL                                                \
    }
#define REP_DIST_FIELDS(kind_, if_none)                                                            \
    { "count", REP_COUNT, .adds = REP_SUM, .unit = "count",                                        \
      .about = "values; of 0 there is no min to max" },                                            \
        { "sum", kind_, .adds = REP_SUM, .about = "of all of them, exact" },                       \
        { "min", kind_, .adds = REP_LEAST, .about = "the smallest", .flags = (if_none) },          \
        { "mean", REP_NUMBER, .adds = REP_FOLLOWS, .about = "sum / count", .flags = (if_none) },   \
        REP_RANK_FIELDS(kind_, if_none),                                                           \
    {                                                                                              \
        "max", kind_, .adds = REP_GREATEST, .about = "the largest", .flags = (if_none)             \
    }
/* Columns of CSV with a name before each. */
#define REP_DIST_COLUMNS(name, kind_)                                                              \
    { name "_count", REP_COUNT, .flags = REP_NO_JSON },                                            \
        { name "_min", kind_, .flags = REP_NO_JSON },                                              \
        { name "_mean", REP_NUMBER, .flags = REP_NO_JSON },                                        \
        { name "_p50", kind_, .flags = REP_NO_JSON },                                              \
        { name "_p90", kind_, .flags = REP_NO_JSON },                                              \
        { name "_p95", kind_, .flags = REP_NO_JSON },                                              \
        { name "_p99", kind_, .flags = REP_NO_JSON },                                              \
    {                                                                                              \
        name "_max", kind_, .flags = REP_NO_JSON                                                   \
    }
#define REP_DIST_HEAD(name)                                                                        \
    name "_count," name "_min," name "_mean," name "_p50," name "_p90," name "_p95," name          \
         "_p99," name "_max"
/* clang-format on */

/* Cells of the members, with the digits of those that are longer than 64 bits. */
struct rep_dist {
    char text[REP_DIST_CELLS][PC_WIDE_TEXT];
    struct rep_cell cell[REP_DIST_CELLS];
};
/* Without a value min to max are `none`; the mean has 15 digits, or all. */
void rep_dist_cells(const struct pc_dist_figures *f, struct rep_cell none, bool exact,
                    struct rep_dist *out);

#endif
