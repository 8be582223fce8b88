/* SPDX-License-Identifier: MIT */
/* Reports --states to programs: objects of JSON. */
#include "stat_machine.h"
#include "stat_report.h"

/* --- trees --- */

static const struct rep_field stay_fields[] = {
    { "min", REP_COUNT, .adds = REP_LEAST, .about = "the shortest", .least = 1 },
    { "mean", REP_NUMBER, .adds = REP_FOLLOWS, .about = "cycles / visits" },
    { "max", REP_COUNT, .adds = REP_GREATEST, .about = "the longest", .least = 1 },
    { .name = NULL },
};

#define STATE_FIELDS                                                                               \
    { "state", REP_TEXT, .adds = REP_KEY, .about = "its name, or the number as text" },            \
        { "visits", REP_COUNT, .adds = REP_SUM, .unit = "count", .about = "stays that began" },    \
        { "cycles", REP_COUNT, .adds = REP_SUM, .unit = "cycles",                                  \
          .about = "edges at which it was there" },                                                \
    {                                                                                              \
        "share", REP_NUMBER, .adds = REP_FOLLOWS, .unit = "ratio",                                 \
                             .about = "cycles of all samples, unknown ones as well"                \
    }

enum { STAY = 4 };
static const struct rep_field state_fields[] = {
    STATE_FIELDS,
    [STAY] = { "stay", REP_OBJECT,
               .about = "cycles of a stay: edges with this value that follow each other; those at "
                        "the begin and the end count as far as they were seen",
               .field = stay_fields },
    { .name = NULL },
};

static const struct rep_field interval_state_fields[] = {
    STATE_FIELDS,
    { .name = NULL },
};

static const struct rep_field transition_fields[] = {
    { "from", REP_TEXT, .adds = REP_KEY, .about = "the state at an edge" },
    { "to", REP_TEXT, .adds = REP_KEY, .about = "that at the next edge" },
    { "count", REP_COUNT, .adds = REP_SUM, .about = "how often" },
    { .name = NULL },
};

static const struct rep_field name_of_state = { .name = "state",
                                                .kind = REP_TEXT,
                                                .about = "the name of a state" };

#define SAMPLE_FIELDS                                                                              \
    { "samples", REP_COUNT, .adds = REP_SUM, .unit = "count",                                      \
      .about = "edges at which it was sampled" },                                                  \
    {                                                                                              \
        "unknown", REP_COUNT,                                                                      \
            .unit = "count", .adds = REP_SUM,                                                      \
            .about = "of these, with an unknown bit: such an edge ends a stay, and is in no "      \
                     "transition"                                                                  \
    }

enum { STATES = 6, TRANSITIONS, NEVER_ENTERED, NEVER_LEFT };
const struct rep_field stat_machine_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "its name" },
    { "clock", REP_TEXT, .adds = REP_SAME,
      .about = "the name of its clock, where clocks have names", .flags = REP_MAYBE },
    { "vector", REP_TEXT, .adds = REP_SAME,
      .about = "the vector whose values are the states, as it was given" },
    { "signed", REP_BOOL, .adds = REP_SAME, .about = "true: its values have a sign" },
    SAMPLE_FIELDS,
    [STATES] = { "states", REP_LIST, .adds = REP_ANY,
                 .about = "the states that were there, by their values", .field = state_fields,
                 .item = "a state" },
    [TRANSITIONS] = { "transitions", REP_LIST, .adds = REP_ANY, .about = "those that were there",
                      .field = transition_fields, .item = "from a state to another one" },
    [NEVER_ENTERED] = { "never_entered", REP_LIST, .adds = REP_COMMON,
                        .about = "states that have a name and were not there", .flags = REP_MAYBE,
                        .value = &name_of_state },
    [NEVER_LEFT] = { "never_left", REP_LIST, .adds = REP_ONCE,
                     .about = "the state that was there from its first edge up to the end",
                     .value = &name_of_state },
    { .name = NULL },
};

enum { PART_STATES = 3, PART_TRANSITIONS };
const struct rep_field stat_interval_machine_fields[] = {
    { "name", REP_TEXT, .about = "its name" },
    SAMPLE_FIELDS,
    [PART_STATES] = { "states", REP_LIST, .about = "the states that were there in this interval",
                      .field = interval_state_fields, .item = "a state in this interval" },
    [PART_TRANSITIONS] = { "transitions", REP_LIST,
                           .about = "those whose second edge is in this interval",
                           .field = transition_fields, .item = "from a state to another one" },
    { .name = NULL },
};

/* --- JSON --- */

static struct rep_cell share_of(const struct stat_machine *k, const struct stat_node *row)
{
    return rep_number((double)row->f.cycles / (double)k->f.cycles, 15);
}

static void put_states(struct rep *rep, unsigned field, const struct stat_machine *k)
{
    for (size_t i = 0; i < k->rows; i++) {
        const struct stat_node *row = &k->row[i];
        if (row->f.cycles == 0)
            continue;
        rep_begin(rep, field,
                  REP_CELLS(rep_text(stat_state_text(row)), rep_count(row->f.visits),
                            rep_count(row->f.cycles), share_of(k, row)));
        if (!k->part)
            rep_row(rep, STAY,
                    REP_CELLS(rep_count(row->f.shortest),
                              rep_number((double)row->f.cycles / (double)row->f.visits, 15),
                              rep_count(row->f.longest)));
        rep_end(rep);
    }
}

static void put_transitions(struct rep *rep, unsigned field, const struct stat_machine *k)
{
    for (size_t i = 0; i < k->moves; i++)
        if (k->move[i].count > 0)
            rep_row(rep, field,
                    REP_CELLS(rep_text(stat_state_text(&k->row[k->move[i].from])),
                              rep_text(stat_state_text(&k->row[k->move[i].to])),
                              rep_count(k->move[i].count)));
}

void stat_machine_put(struct rep *rep, const struct stat_measure *m, const char *clock)
{
    const struct stat_machine *k = m->machine;

    rep_begin(
        rep, STAT_MACHINES,
        REP_CELLS(
            rep_text(m->name), clock ? rep_text(clock) : rep_absent(), rep_text(m->piece[0].text),
            rep_bool(k->is_signed), rep_count(k->f.cycles),
            rep_count(k->f.unknown), [NEVER_ENTERED] = k->names > 0 ? rep_empty() : rep_absent()));
    put_states(rep, STATES, k);
    put_transitions(rep, TRANSITIONS, k);
    for (size_t i = 0; i < k->rows; i++)
        if (k->row[i].state == STAT_NO_STATE)
            rep_item(rep, NEVER_ENTERED, rep_text(stat_state_text(&k->row[i])));
    for (size_t i = 0; i < k->rows; i++)
        if (stat_machine_stays(k, i))
            rep_item(rep, NEVER_LEFT, rep_text(stat_state_text(&k->row[i])));
    rep_end(rep);
}

void stat_machine_put_interval(struct rep *rep, const struct stat_measure *m)
{
    const struct stat_machine *k = m->machine;

    rep_begin(rep, STAT_INTERVAL_MACHINES,
              REP_CELLS(rep_text(m->name), rep_count(k->f.cycles), rep_count(k->f.unknown)));
    put_states(rep, PART_STATES, k);
    put_transitions(rep, PART_TRANSITIONS, k);
    rep_end(rep);
}
