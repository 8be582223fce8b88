/* SPDX-License-Identifier: MIT */
/*
 * The changes of nets.  The last change of a net waits until there is one at a later time, since
 * only the last value of a time counts; then the step from the value before it is taken.
 */
#include "lang/measure/activity.h"

void pc_activity_settle(struct pc_activity *a, struct net *n)
{
    if (end_wait(a, n))
        pc_activity_take(a, n, moment_of(a, n->at));
}

void pc_activity_before(struct pc_activity *a, size_t net, const uint64_t *value,
                        const uint64_t *unknown)
{
    struct net *n = &a->net[net];
    const size_t rows = is_sum(a, n) ? 1 : n->width;

    for (size_t i = 0; i < rows; i++)
        a->row[n->row + i].before = true;
    pc_activity_put(a, n, 0, value, unknown);
    n->waits = false;
    pc_activity_take(a, n, (struct moment){ .at = 0 });
}

/* Adds changes of several bits, as long as some are unknown. */
static void add_any(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
                    const uint64_t *value, const uint64_t *unknown)
{
    const size_t words = words_of(n->width);

    for (size_t i = 0; i < count; i++) {
        if (!unknown && is_sum(a, n) && pc_activity_knows_all(a, n)) {
            pc_activity_add_known(a, n, count - i, time + i, value + i * words);
            return;
        }
        if (n->waits && time[i] != n->at)
            pc_activity_settle(a, n);
        pc_activity_put(a, n, time[i], value + i * words, unknown ? unknown + i * words : NULL);
    }
}

static void add_triggers(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time)
{
    for (size_t i = 0; i < count; i++)
        a->row[n->row].rises +=
            a->marked ? pc_activity_mark_at(a, n, time[i])->counts : time[i] >= a->from;
}

void pc_activity_add(struct pc_activity *a, size_t net, size_t count, const uint64_t *time,
                     const uint64_t *value, const uint64_t *unknown)
{
    struct net *n = &a->net[net];

    while (count > 0 && time[count - 1] >= a->to)
        count--;
    if (n->event)
        add_triggers(a, n, count, time);
    else if (a->marked)
        pc_activity_add_marked(a, n, count, time, value, unknown);
    else if (n->width == 1)
        pc_activity_add_bit(a, n, count, time, value, unknown);
    else if (!unknown && is_sum(a, n) && pc_activity_knows_all(a, n))
        pc_activity_add_known(a, n, count, time, value);
    else
        add_any(a, n, count, time, value, unknown);
}
