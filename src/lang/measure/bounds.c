/* SPDX-License-Identifier: MIT */
/* Bounds of figures while some of their values are not known yet. */
#include "pcounter/measure.h"

#include <math.h>

static double first_of(const struct pc_dist_figures *f)
{
    return f->count ? pc_wide_double(f->min) : INFINITY;
}

/* Returns the nearest rank of `all` values of which those in `done` are known and the rest are
 * beyond any number. */
static double most_at(const struct pc_dist *done, uint64_t all, unsigned percent)
{
    const uint64_t rank = all / 100 * percent + (all % 100 * percent + 99) / 100;
    struct pc_wide value;
    uint64_t times, before = 0;

    for (size_t i = 0; pc_dist_value(done, i, &value, &times); i++)
        if ((before += times) >= rank)
            return pc_wide_double(value);
    return INFINITY;
}

static bool find(struct pc_dist *done, struct pc_dist *open, struct pc_dist *both,
                 struct pc_dist_bounds *out)
{
    struct pc_dist_figures d, o, b;

    pc_dist_add_all(both, done);
    pc_dist_add_all(both, open);
    if (pc_dist_get_figures(done, &d, NULL) || pc_dist_get_figures(open, &o, NULL) ||
        pc_dist_get_figures(both, &b, NULL) || !b.complete || b.count == 0)
        return false;
    const bool any = o.count > 0;
    out->open = o.count;
    out->min = (struct pc_bound){ pc_wide_double(b.min), first_of(&d) };
    out->mean = (struct pc_bound){ b.mean, any ? INFINITY : b.mean };
    for (unsigned r = 0; r < PC_RANKS; r++)
        out->rank[r] = (struct pc_bound){ pc_wide_double(b.rank[r]),
                                          most_at(done, b.count, pc_rank_percent(r)) };
    out->max = (struct pc_bound){ pc_wide_double(b.max), any ? INFINITY : pc_wide_double(b.max) };
    return true;
}

bool pc_dist_get_bounds(struct pc_dist *done, struct pc_dist *open, struct pc_dist_bounds *out)
{
    struct pc_dist *both = NULL;

    *out = (struct pc_dist_bounds){ .open = 0 };
    if (pc_dist_create(NULL, false, &both, NULL))
        return false;
    const bool found = find(done, open, both, out);
    pc_dist_destroy(both);
    return found;
}
