/* SPDX-License-Identifier: MIT */
/* Drawings of a timeline's bins, as SVG within a page. */
#ifndef PC_CLI_TIMELINE_PLOT_H
#define PC_CLI_TIMELINE_PLOT_H

#include "timeline_bins.h"
#include "timeline_scale.h"

/* Pixels of a drawing; the axis of values is at its left. */
enum {
    PLOT_LEFT = 56,
    PLOT_WIDTH = TIMELINE_BINS,
    PLOT_RIGHT = PLOT_LEFT + PLOT_WIDTH,
    PLOT_ALL = PLOT_RIGHT + 8,
    PLOT_TOP = 10,
    PLOT_BOTTOM = 74,
    PLOT_HEIGHT = PLOT_BOTTOM + 10
};

/* The axis that all plots of a page share. */
struct timeline_places {
    struct timeline_time begin;
    double span;         /* units of the axis, more than 0 */
    const char *unit;    /* of the labels */
    int exponent;        /* it is 10^this seconds; of cycles 0 */
    bool relative;       /* labels count from the begin */
    double origin, each; /* label of the begin; labels' units in one of the axis */
    struct timeline_ticks ticks;
};

struct timeline_plot {
    FILE *out;
    const struct timeline_desc *desc;
    const struct timeline_bins *bins;
    struct timeline_places places;
};

/* There is a bin. */
void timeline_plot_open(struct timeline_plot *p, const struct timeline_desc *desc,
                        const struct timeline_bins *bins);
void timeline_plot_column(const struct timeline_plot *p, size_t column);
/* The axis, and what it is: "time, ms". */
void timeline_plot_axis(const struct timeline_plot *p);
void timeline_plot_axis_name(const struct timeline_plot *p);

/* --- timeline_xml.c --- */

/* For a page: < > & and quotes, and what no text of XML can have as \xHH. */
void timeline_put(FILE *out, const char *text);

/* --- timeline_spread.c --- */

/* A table of the columns' figures and histograms, if there is a whole row; spread: NULL, none. */
void timeline_put_spread(const struct timeline *t, const struct cli_spread *spread);

#endif
