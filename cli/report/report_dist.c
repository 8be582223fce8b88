/* SPDX-License-Identifier: MIT */
/* See report_dist.h. */
#include "report/report_dist.h"

#include <string.h>

const char *rep_dist_name(unsigned member)
{
    switch (member) {
    case REP_DIST_COUNT:
        return "count";
    case REP_DIST_SUM:
        return "sum";
    case REP_DIST_MIN:
        return "min";
    case REP_DIST_MEAN:
        return "mean";
    case REP_DIST_MAX:
        return "max";
    default:
        return pc_rank_name((enum pc_rank)(member - REP_DIST_RANK));
    }
}

unsigned rep_dist_find(const char *name)
{
    unsigned i = 0;

    while (i < REP_DIST_CELLS && strcmp(rep_dist_name(i), name) != 0)
        i++;
    return i;
}

static void set(struct rep_dist *out, unsigned member, struct pc_wide value)
{
    if (value.high == 0) {
        out->cell[member] = rep_count(value.low);
    } else if (value.high == -1 && value.low >> 63) {
        out->cell[member] = rep_minus(-value.low);
    } else {
        pc_wide_text(value, out->text[member]);
        out->cell[member] = rep_digits(out->text[member]);
    }
}

void rep_dist_cells(const struct pc_dist_figures *f, struct rep_cell none, bool exact,
                    struct rep_dist *out)
{
    for (unsigned i = 0; i < REP_DIST_CELLS; i++)
        out->cell[i] = none;
    out->cell[REP_DIST_COUNT] = rep_count(f->count);
    set(out, REP_DIST_SUM, f->sum);
    if (f->count == 0)
        return;
    set(out, REP_DIST_MIN, f->min);
    set(out, REP_DIST_MAX, f->max);
    out->cell[REP_DIST_MEAN] = exact ? rep_exact(f->mean) : rep_number(f->mean, 15);
    for (unsigned r = 0; r < PC_RANKS; r++)
        if (f->complete)
            set(out, REP_DIST_RANK + r, f->rank[r]);
        else
            out->cell[REP_DIST_RANK + r] = rep_null();
}
