/* SPDX-License-Identifier: MIT */
/* The parts of a row: columns, counters, and the events that it has. */
#include "record.h"

const char *record_column(const struct record_sheet *s, size_t column)
{
    return column == 0 ? "cycles" : s->of->event[column - 1].name;
}

const char *record_slot(size_t input)
{
    static const char *const names[RECORD_INPUTS] = {
        "PRE[0]",   "PRE[1]",   "PRE[2]",   "PRE[3]",   "START[0]", "START[1]",
        "START[2]", "START[3]", "EVENT[0]", "EVENT[1]", "EVENT[2]", "EVENT[3]",
    };

    return names[input];
}

bool record_in_row(const struct record_sheet *s, const struct record_row *row, size_t event)
{
    return !s->o->packets || s->o->of.event[event].domain == row->domain;
}
