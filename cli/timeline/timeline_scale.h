/* SPDX-License-Identifier: MIT */
/* Axes: ticks at round numbers, and numbers as people read them. */
#ifndef PC_CLI_TIMELINE_SCALE_H
#define PC_CLI_TIMELINE_SCALE_H

#include "timeline.h"

/* Ticks at first, first + step, ... up to `last`. */
struct timeline_ticks {
    double first, step, last;
    int decimals; /* that tell them apart */
    bool plain;   /* no "2.5 M": all digits */
};

/* Steps of 1, 2 or 5 times a power of ten, no more of them than `most`. */
struct timeline_ticks timeline_ticks(double from, double to, int most);
/* "1,500", "2.5 M": of a tick. */
void timeline_tick_text(const struct timeline_ticks *ticks, double value, char out[TIMELINE_TEXT]);

/* "s", ..., "fs", in which a span of that many seconds has between 1 and 1000; its exponent. */
const char *timeline_unit(double seconds, int *exponent);
/* All digits of a value: "1,916", "5.584"; "not measured". */
void timeline_value_text(const struct timeline_column *column, const struct timeline_value *value,
                         char out[TIMELINE_TEXT]);

#endif
