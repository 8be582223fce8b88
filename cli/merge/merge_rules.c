/* SPDX-License-Identifier: MIT */
/* The rules by which members of a report add. */
#include "merge/merge_rules.h"

#include <string.h>

#include "report/report_dist.h"

/* Members that add otherwise than their kind says, by their names. */
static const struct rule {
    enum op op;
    const char *names; /* with commas */
} rules[] = {
    { NAMES, "trace,waveform" },
    { SAME, "passes,pass,domain,width,clock_number,reset_active,credit_init,"
            "sample_rate,nets,capacity" },
    { LEAST, "first_cycle,first_time,start,min,first_edge,stuck_since,"
             "stuck_edge" },
    { GREATEST, "last_time,end,max,open_wait,waits,stuck" },
    { FIRST, "first" },
    { LAST, "last" },
    { WORST, "state" },
    { SAME_OR_NULL, "cycle_seconds,mean_period" },
    { BOTH, "all_ids,met" },
    { ADDS, "seconds" },
    { LATER, "delta,percentiles,distinct,why,verdict,left,right,plan,parts" },
    { LONGER, "longest,oldest" },
    { SAME_OR_NONE, "from,to" },
};

static bool is_listed(const char *names, const char *name)
{
    const size_t n = strlen(name);

    for (; *names; names += strcspn(names, ","), names += *names == ',')
        if (strcspn(names, ",") == n && memcmp(names, name, n) == 0)
            return true;
    return false;
}

enum op merge_op_of(const struct rep_tree *node)
{
    const unsigned member = rep_dist_find(node->field->name);
    enum op op = BY_KIND;

    if (member >= REP_DIST_RANK && member < REP_DIST_MAX)
        return LATER;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && op == BY_KIND; i++)
        if (is_listed(rules[i].names, node->field->name))
            op = rules[i].op;
    if ((op == LEAST || op == GREATEST) && node->field->kind == REP_TEXT)
        op = SAME; /* what starts a latency */
    if (op != BY_KIND)
        return op;
    switch (node->field->kind) {
    case REP_COUNT:
    case REP_INT:
        return ADDS;
    case REP_NUMBER:
        return FOLLOWS;
    default:
        return SAME;
    }
}
