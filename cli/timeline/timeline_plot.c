/* SPDX-License-Identifier: MIT */
/*
 * A column of a timeline as a step plot: up to TIMELINE_BINS rows as they are, of more the area
 * between the smallest and the largest value of those that share a bin.
 */
#include "timeline_plot.h"
#include "text/ten.h"

#include <inttypes.h>

/* Beyond that many of its spans an axis counts from where it begins. */
#define FAR 1e5

/* The axis of values. */
struct values {
    double low, high;
    struct timeline_ticks ticks;
};

/* --- the axis of times --- */

static double units_from(const struct timeline_axis *axis, struct timeline_time a,
                         struct timeline_time b)
{
    const struct timeline_time d = timeline_between(axis, a, b);

    return (double)d.whole + cli_times_ten_to((double)d.part, -axis->decimals);
}

void timeline_plot_open(struct timeline_plot *p, const struct timeline_desc *desc,
                        const struct timeline_bins *bins)
{
    const struct timeline_axis *axis = &desc->axis;
    struct timeline_places *x = &p->places;

    p->out = desc->out;
    p->desc = desc;
    p->bins = bins;
    *x = (struct timeline_places){ .begin = bins->bin[0].begin, .unit = "cycle", .each = 1 };
    x->span = units_from(axis, x->begin, bins->bin[bins->count - 1].end);
    x->span = x->span > 0 ? x->span : 1;
    if (!axis->cycles) {
        x->unit = timeline_unit(cli_times_ten_to(x->span, axis->exponent), &x->exponent);
        x->each = cli_times_ten_to(1, axis->exponent - x->exponent);
    }
    x->origin = units_from(axis, (struct timeline_time){ 0, 0 }, x->begin) * x->each;
    x->relative = x->origin > FAR * x->span * x->each;
    if (x->relative)
        x->origin = 0;
    x->ticks = timeline_ticks(x->origin, x->origin + x->span * x->each, 10);
    x->ticks.plain = true;
}

static double x_of(const struct timeline_plot *p, struct timeline_time time)
{
    const struct timeline_places *x = &p->places;

    return PLOT_LEFT + PLOT_WIDTH * units_from(&p->desc->axis, x->begin, time) / x->span;
}

static double x_of_tick(const struct timeline_places *x, double tick)
{
    return PLOT_LEFT + PLOT_WIDTH * (tick - x->origin) / (x->span * x->each);
}

/* The number of a tick, from 0; a little more than the last one is still it. */
static bool tick_at(const struct timeline_ticks *t, int i, double *value)
{
    *value = t->first + i * t->step;
    return *value <= t->last + t->step * 1e-6;
}

/* --- the axis of values --- */

static struct values values_of(const struct timeline_plot *p, size_t column)
{
    const struct timeline_column *c = &p->desc->column[column];
    const struct timeline_range *all = &p->bins->all[column];
    struct values v = { .high = c->top };

    if (all->measured > 0) {
        const double low = timeline_number(c, &all->low), high = timeline_number(c, &all->high);
        v.low = low < 0 ? low : 0;
        v.high = high > v.high ? high : v.high;
    }
    if (!(v.high > v.low))
        v.high = v.low + 1;
    v.ticks = timeline_ticks(v.low, v.high, 3);
    if (c->kind != TIMELINE_METRIC && v.ticks.step < 1) { /* there is no half of a count */
        v.ticks.step = 1;
        v.ticks.decimals = 0;
    }
    /* up to a tick, and down to one */
    if (v.ticks.first > v.low)
        v.low = v.ticks.first -= v.ticks.step;
    for (double tick = v.ticks.first; tick < v.high - v.ticks.step * 1e-6;)
        v.ticks.last = tick += v.ticks.step;
    v.high = v.ticks.last;
    return v;
}

static double y_of(const struct values *v, double value)
{
    return PLOT_BOTTOM - (PLOT_BOTTOM - PLOT_TOP) * (value - v->low) / (v->high - v->low);
}

static double y_low(const struct timeline_plot *p, const struct values *v, size_t column, size_t n)
{
    return y_of(
        v, timeline_number(&p->desc->column[column], &timeline_bins_at(p->bins, column, n)->low));
}

static double y_high(const struct timeline_plot *p, const struct values *v, size_t column, size_t n)
{
    return y_of(
        v, timeline_number(&p->desc->column[column], &timeline_bins_at(p->bins, column, n)->high));
}

/* --- the frame --- */

static void put_grid(const struct timeline_plot *p, const struct values *v)
{
    char text[TIMELINE_TEXT];
    double tick;

    fputs("<path class=\"g\" d=\"", p->out);
    for (int i = 0; tick_at(&p->places.ticks, i, &tick); i++)
        fprintf(p->out, "M%.1f %dV%d", x_of_tick(&p->places, tick), PLOT_TOP, PLOT_BOTTOM);
    for (int i = 0; tick_at(&v->ticks, i, &tick); i++)
        fprintf(p->out, "M%d %.1fH%d", PLOT_LEFT, y_of(v, tick), PLOT_RIGHT);
    fputs("\"/>\n", p->out);
    for (int i = 0; tick_at(&v->ticks, i, &tick); i++) {
        timeline_tick_text(&v->ticks, tick, text);
        fprintf(p->out, "<text class=\"y\" x=\"%d\" y=\"%.1f\">%s</text>\n", PLOT_LEFT - 7,
                y_of(v, tick) + 4, text);
    }
}

/* "hits: 25 intervals, 424 to 1,492 count" for those who do not see it. */
static void put_label(const struct timeline_plot *p, size_t column)
{
    const struct timeline_column *c = &p->desc->column[column];
    const struct timeline_range *all = &p->bins->all[column];
    char low[TIMELINE_TEXT], high[TIMELINE_TEXT];

    timeline_value_text(c, &all->low, low);
    timeline_value_text(c, &all->high, high);
    timeline_put(p->out, c->name);
    if (all->measured == 0)
        fputs(": not measured", p->out);
    else
        fprintf(p->out, ": %s from %s to %s %s", cli_count(all->measured, p->desc->row), low, high,
                c->unit);
    if (all->inexact > 0)
        fprintf(p->out, ", %s not exact", cli_grouped(all->inexact));
}

/* --- values --- */

static bool same(struct timeline_time a, struct timeline_time b)
{
    return a.whole == b.whole && a.part == b.part;
}

static bool measured(const struct timeline_plot *p, size_t column, size_t n)
{
    return timeline_bins_at(p->bins, column, n)->measured > 0;
}

/* After the bins from `from` on that were measured and follow each other without a gap. */
static size_t end_of_run(const struct timeline_plot *p, size_t column, size_t from)
{
    size_t n = from + 1;

    while (n < p->bins->count && measured(p, column, n) &&
           same(p->bins->bin[n - 1].end, p->bins->bin[n].begin))
        n++;
    return n;
}

/* Returns the place of the mean of the values of a bin. */
static double y_mean(const struct timeline_plot *p, const struct values *v, size_t column, size_t n)
{
    const struct timeline_range *r = timeline_bins_at(p->bins, column, n);

    return y_of(v, r->sum / (double)r->measured);
}

typedef double y_fn(const struct timeline_plot *p, const struct values *v, size_t column, size_t n);

/* Steps from the begin of bin `from` to the end of the bin before `end`. */
static void put_steps(const struct timeline_plot *p, const struct values *v, size_t column,
                      size_t from, size_t end, y_fn *y)
{
    for (size_t n = from; n < end; n++)
        fprintf(p->out, "V%.1fH%.1f", y(p, v, column, n), x_of(p, p->bins->bin[n].end));
}

/* A line with an area below it, or in the area between smallest and largest. */
static void put_run(const struct timeline_plot *p, const struct values *v, size_t column,
                    size_t from, size_t end)
{
    const double left = x_of(p, p->bins->bin[from].begin), base = y_of(v, v->low < 0 ? 0 : v->low);
    const bool single = p->bins->group == 1;

    fprintf(p->out, "<path class=\"%s\" d=\"M%.1f %.1f", single ? "a" : "e", left,
            single ? base : y_low(p, v, column, from));
    put_steps(p, v, column, from, end, y_high);
    if (single)
        fprintf(p->out, "V%.1f", base);
    for (size_t n = end; !single && n-- > from;)
        fprintf(p->out, "V%.1fH%.1f", y_low(p, v, column, n), x_of(p, p->bins->bin[n].begin));
    fprintf(p->out, "Z\"/>\n<path class=\"l\" d=\"M%.1f %.1f", left, y_mean(p, v, column, from));
    put_steps(p, v, column, from, end, y_mean);
    fputs("\"/>\n", p->out);
}

/* Bins in which there is a state of `mask`. */
static void put_marks(const struct timeline_plot *p, size_t column, unsigned mask,
                      const char *pattern)
{
    size_t end;

    for (size_t n = 0; n < p->bins->count; n = end) {
        end = n + 1;
        if (!(timeline_bins_at(p->bins, column, n)->states & mask))
            continue;
        while (end < p->bins->count && timeline_bins_at(p->bins, column, end)->states & mask)
            end++;
        const double left = x_of(p, p->bins->bin[n].begin);
        const double width = x_of(p, p->bins->bin[end - 1].end) - left;
        fprintf(p->out,
                "<rect class=\"m\" fill=\"url(#%s)\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" "
                "height=\"%d\"/>\n",
                pattern, left, PLOT_TOP, width < 1 ? 1 : width, PLOT_BOTTOM - PLOT_TOP);
    }
}

/* Rows that were cut short. */
static void put_partial(const struct timeline_plot *p)
{
    for (size_t n = 0; n < p->bins->count; n++) {
        const struct timeline_bin *bin = &p->bins->bin[n];
        const double left = x_of(p, bin->begin), width = x_of(p, bin->end) - left;
        if (bin->partial)
            fprintf(p->out,
                    "<rect class=\"p\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", left,
                    PLOT_TOP, width < 1 ? 1 : width, PLOT_BOTTOM - PLOT_TOP);
    }
}

static void put_states(FILE *out, unsigned states)
{
    for (unsigned s = PC_VALUE_TAINTED; s < PC_VALUE_UNMEASURED; s++)
        if (states >> s & 1)
            fprintf(out, ", %s", pc_value_state_name((enum pc_value_state)s));
}

/*
 * "hits: 424 count", or of several rows "hits: 424 to 1,492 count in 2 intervals,
 * mean 958".
 */
static void put_value(const struct timeline_plot *p, size_t column, size_t n)
{
    const struct timeline_column *c = &p->desc->column[column];
    const struct timeline_range *r = timeline_bins_at(p->bins, column, n);
    const struct timeline_bin *bin = &p->bins->bin[n];
    char low[TIMELINE_TEXT], high[TIMELINE_TEXT];

    timeline_value_text(c, &r->low, low);
    timeline_value_text(c, &r->high, high);
    timeline_put(p->out, c->name);
    if (r->measured == 0)
        fputs(": not measured", p->out);
    else if (bin->rows == 1)
        fprintf(p->out, ": %s %s", low, c->unit);
    else
        fprintf(p->out, ": %s to %s %s in %s, mean %.6g", low, high, c->unit,
                cli_count(bin->rows, p->desc->row), r->sum / (double)r->measured);
    put_states(p->out, r->states);
    if (r->measured > 0 && r->measured < bin->rows)
        fprintf(p->out, ", %s not measured", cli_grouped(bin->rows - r->measured));
    if (bin->partial)
        fputs(", partial", p->out);
}

static void put_hover(const struct timeline_plot *p, size_t column)
{
    const struct timeline_axis *axis = &p->desc->axis;
    char begin[TIMELINE_TEXT], end[TIMELINE_TEXT];

    fputs("<g class=\"h\">\n", p->out);
    for (size_t n = 0; n < p->bins->count; n++) {
        const struct timeline_bin *bin = &p->bins->bin[n];
        const double left = x_of(p, bin->begin), width = x_of(p, bin->end) - left;
        timeline_text(axis, bin->begin, p->places.exponent, begin);
        timeline_text(axis, bin->end, p->places.exponent, end);
        fprintf(p->out, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>", left,
                PLOT_TOP, width < 0.5 ? 0.5 : width, PLOT_BOTTOM - PLOT_TOP);
        put_value(p, column, n);
        fprintf(p->out, "; %s to %s %s</title></rect>\n", begin, end, p->places.unit);
    }
    fputs("</g>\n", p->out);
}

void timeline_plot_column(const struct timeline_plot *p, size_t column)
{
    const struct values v = values_of(p, column);
    size_t end;

    fprintf(p->out, "<svg role=\"img\" viewBox=\"0 0 %d %d\" aria-label=\"", PLOT_ALL, PLOT_HEIGHT);
    put_label(p, column);
    fputs("\">\n", p->out);
    put_grid(p, &v);
    for (size_t n = 0; n < p->bins->count; n = end) {
        end = n + 1;
        if (!measured(p, column, n))
            continue;
        end = end_of_run(p, column, n);
        put_run(p, &v, column, n, end);
    }
    put_partial(p);
    put_marks(p, column, ~(1u << PC_VALUE_EXACT | 1u << PC_VALUE_UNMEASURED), "inexact");
    put_marks(p, column, 1u << PC_VALUE_UNMEASURED, "unmeasured");
    put_hover(p, column);
    fputs("</svg>\n", p->out);
}

/* --- the axis below them --- */

void timeline_plot_axis(const struct timeline_plot *p)
{
    const struct timeline_places *x = &p->places;
    char text[TIMELINE_TEXT];
    double tick;

    fprintf(p->out,
            "<svg role=\"img\" aria-label=\"axis of %s\" viewBox=\"0 0 %d 24\">\n"
            "<path class=\"t\" d=\"M%d 0.5H%d",
            p->desc->axis.cycles ? "cycles" : "times", PLOT_ALL, PLOT_LEFT, PLOT_RIGHT);
    for (int i = 0; tick_at(&x->ticks, i, &tick); i++)
        fprintf(p->out, "M%.1f 0.5v4", x_of_tick(x, tick));
    fputs("\"/>\n", p->out);
    for (int i = 0; tick_at(&x->ticks, i, &tick); i++) {
        timeline_tick_text(&x->ticks, tick, text);
        fprintf(p->out, "<text class=\"x\" x=\"%.1f\" y=\"16\">%s</text>\n", x_of_tick(x, tick),
                text);
    }
    fputs("</svg>\n", p->out);
}

void timeline_plot_axis_name(const struct timeline_plot *p)
{
    const struct timeline_places *x = &p->places;
    char text[TIMELINE_TEXT];

    fprintf(p->out, "%s", p->desc->axis.cycles ? "clock cycles" : "time, ");
    if (!p->desc->axis.cycles)
        fputs(x->unit, p->out);
    if (!x->relative)
        return;
    timeline_text(&p->desc->axis, x->begin, x->exponent, text);
    fprintf(p->out, " from %s %s on", text, x->unit);
}
