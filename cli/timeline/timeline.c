/* SPDX-License-Identifier: MIT */
/* Timelines: the formats have one interface. */
#include "timeline_writer.h"

#include <math.h>
#include <stdlib.h>

/* The units that a VCD can have, 10 to this of a second. */
enum { COARSEST = 2, FINEST = -15 };

static const struct timeline_writer *const writers[] = { [TIMELINE_VCD] = &timeline_vcd,
                                                         [TIMELINE_PERFETTO] = &timeline_perfetto,
                                                         [TIMELINE_HTML] = &timeline_html };

const char *timeline_name(enum timeline_format format)
{
    return writers[format]->name;
}

bool timeline_fits(enum timeline_format format, const struct timeline_axis *axis)
{
    if (axis->cycles)
        return format == TIMELINE_HTML;
    return format != TIMELINE_VCD ||
           (axis->decimals == 0 && axis->exponent >= FINEST && axis->exponent <= COARSEST);
}

struct timeline_axis timeline_axis_of_samples(double seconds)
{
    return (struct timeline_axis){ .exponent = seconds < 1e-3 ? -12 : -9 };
}

bool timeline_fits_samples(double seconds)
{
    return seconds >= 1e-12 && seconds <= 1;
}

bool timeline_measured(const struct timeline_column *column, const struct timeline_value *value)
{
    return value->state != PC_VALUE_UNMEASURED &&
           (column->kind != TIMELINE_METRIC || isfinite(value->number));
}

struct timeline *timeline_open(const struct timeline_desc *desc)
{
    struct timeline *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    *t = (struct timeline){ .desc = *desc, .writer = writers[desc->format] };
    if (t->writer->open && !t->writer->open(t)) {
        timeline_close(t);
        return NULL;
    }
    return t;
}

static void begin(struct timeline *t)
{
    if (!t->begun && t->writer->begin)
        t->writer->begin(t);
    t->begun = true;
}

void timeline_add(struct timeline *t, const struct timeline_row *row)
{
    begin(t);
    if (t->rows == 0)
        t->begin = row->begin;
    t->rows += 1 + row->more;
    t->end = timeline_end_of(&t->desc.axis, row);
    t->writer->add(t, row);
}

void timeline_end(struct timeline *t, const struct timeline_summary *summary)
{
    begin(t);
    t->writer->end(t, summary);
}

void timeline_close(struct timeline *t)
{
    if (t && t->own && t->writer->close)
        t->writer->close(t);
    free(t);
}
