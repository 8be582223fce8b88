/* SPDX-License-Identifier: MIT */
/* Timelines: the formats behind one interface. */
#include "timeline_writer.h"

#include <stdlib.h>

/* The units that a VCD can have, 10 to this of a second. */
enum { COARSEST = 2, FINEST = -15 };

static const struct timeline_writer *const writers[] = { [TIMELINE_VCD] = &timeline_vcd };

bool timeline_fits(enum timeline_format format, const struct timeline_axis *axis)
{
    return format != TIMELINE_VCD ||
           (axis->decimals == 0 && axis->exponent >= FINEST && axis->exponent <= COARSEST);
}

struct timeline *timeline_open(const struct timeline_desc *desc)
{
    struct timeline *t = calloc(1, sizeof *t);

    if (t)
        *t = (struct timeline){ .desc = *desc, .writer = writers[desc->format] };
    return t;
}

static void begin(struct timeline *t)
{
    if (!t->begun)
        t->writer->begin(t);
    t->begun = true;
}

void timeline_add(struct timeline *t, const struct timeline_row *row)
{
    begin(t);
    t->writer->add(t, row);
}

void timeline_end(struct timeline *t)
{
    begin(t);
    t->writer->end(t);
}

void timeline_close(struct timeline *t)
{
    free(t);
}
