/* SPDX-License-Identifier: MIT */
/* What rows are made of: columns, counters, the events that a row has. */
#include "record.h"

const char *record_column(const struct record_sheet *s, size_t column)
{
    return column == 0 ? "cycles" : s->of->event[column - 1].name;
}

struct record_slot record_slot(size_t input)
{
    static const char *const names[] = { "PRE", "START", "EVENT" };
    struct record_slot slot;

    snprintf(slot.text, sizeof slot.text, "%s[%u]", names[input / 4 % 3], (unsigned)(input % 4));
    return slot;
}

bool record_in_row(const struct record_sheet *s, const struct record_row *row, size_t event)
{
    return !s->o->packets || s->o->of.event[event].domain == row->domain;
}
