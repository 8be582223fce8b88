/* SPDX-License-Identifier: MIT */
/*
 * State machines of stat: visits, cycles and transitions add up, the shortest and the longest stay
 * are those of all, and shares and means follow.  A report need not have the states of the other
 * one.  A stay that is cut by the end of a report is one in each of the two.
 */
#include "merge/merge.h"
#include "stat/stat_figures.h"

void merge_finish_states(struct rep_tree *machine)
{
    const double samples = (double)tree_count(machine, "samples");
    struct rep_tree *left = tree_value(machine, "never_left", TREE_LIST);
    const struct rep_tree *state;

    if (!tree_member(machine, "never_left"))
        return;
    for (size_t i = 0; (state = tree_item(machine, "states", i)) != NULL; i++) {
        const double cycles = (double)tree_count(state, "cycles"),
                     visits = (double)tree_count(state, "visits");
        merge_set_real(tree_member(state, "share"), samples > 0, cycles / samples);
        merge_set_real(tree_at(state, "stay.mean"), visits > 0, cycles / visits);
    }
    for (size_t i = left ? left->children : 0; i > 0; i--)
        if (stat_leaves(machine, left->child[i - 1].text) > 0)
            tree_drop(left, i - 1);
}
