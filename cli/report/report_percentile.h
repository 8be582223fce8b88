/* SPDX-License-Identifier: MIT */
/* --percentile: percentiles of distributions beside those of enum pc_rank. */
#ifndef PC_CLI_REPORT_PERCENTILE_H
#define PC_CLI_REPORT_PERCENTILE_H

#include "pcounter/measure.h"
#include "report/report.h"
#include "report/report_tree.h"

enum { REP_PERCENTILES = 8 };
struct rep_percentiles {
    size_t count;
    struct {
        uint32_t rank; /* in millionths */
        char text[12]; /* "99.9" */
    } of[REP_PERCENTILES];
};

/* The kind of the option; its field is a struct rep_percentiles. */
extern const struct opt_kind rep_opt_percentile;

/* clang-format off: a row */
#define REP_PERCENTILE_FIELD(value_)                                                               \
    {                                                                                              \
        "percentiles", REP_MAP,                                                                    \
            .adds = REP_FOLLOWS, .about = "those of --percentile, by nearest rank",                \
            .flags = REP_MAYBE, .pattern = "^[0-9]+([.][0-9]+)?$", .value = value_                 \
    }
/* clang-format on */

/* Reads "99.9" in millionths; 0: it is none. */
uint32_t rep_percentile_rank(const char *text);
/* Finds a percentile by nearest rank; false: it is not known, or there is no value. */
bool rep_percentile_of(const struct pc_dist *dist, const struct pc_dist_figures *f, uint32_t rank,
                       struct pc_wide *out);
/* Is "p95" one that every distribution has, without --percentile? */
bool rep_is_rank(const char *name);
/* Puts the members of such a field; p NULL: none. */
void rep_put_percentiles(struct rep *rep, unsigned field, const struct pc_dist *dist,
                         const struct pc_dist_figures *f, const struct rep_percentiles *p);
/* Has a report that was written or read percentiles in such a member? */
bool rep_has_percentiles(const struct rep_tree *map);
/* Prints them and ends the line: " p99.9 12, p99.99 13 cycles". */
void rep_print_percentiles(FILE *out, const struct rep_tree *map, const char *unit);

#endif
