/* SPDX-License-Identifier: MIT */
/* The names of the states of counts and of the ways of counting, in all formats. */
#include "stat.h"

const char *stat_state_name(enum stat_state state)
{
    static const char *const names[] = { "exact", "tainted", "saturated", "lost" };

    return names[state];
}

char stat_mark(enum stat_state state)
{
    static const char marks[] = {
        [STAT_EXACT] = ' ', [STAT_TAINTED] = '*', [STAT_SATURATED] = '+', [STAT_LOST] = '!'
    };

    return marks[state];
}

const char *stat_x_name(const struct stat_job *j)
{
    return opt_unknowns[j->o->x];
}

const char *stat_sampling(const struct stat_job *j)
{
    return j->edge == PC_EDGE_EVERY                       ? "every"
           : j->o->post_edge || j->edge == PC_EDGE_PERIOD ? "post-edge"
                                                          : "pre-edge";
}
