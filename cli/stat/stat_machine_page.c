/* SPDX-License-Identifier: MIT */
/*
 * A state machine on a page.  The graph has a row for each state, in the order of the values:
 * transitions go down at the right and up at the left.  The timeline has the same rows.
 */
#include "stat_machine.h"
#include "timeline/timeline_plot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROW = 30,     /* pixels of a row */
    BOX = 20,     /* ... of the box in it */
    LETTER = 8,   /* of a character */
    LONGEST = 28, /* characters of a name that are drawn */
    NEAR = 16,    /* of an arc to the next row; and for each row beyond */
    STEP = 40,
    MOST_SIDE = 640, /* of all arcs at a side */
    LANE = 18,
    WIDTH = STAT_BINS
};

struct drawing {
    FILE *out;
    const struct stat_measure *m;
    const struct stat_machine *k;
    size_t row[STAT_LANES]; /* of the machine, that are drawn */
    size_t rows;
    size_t place[STAT_LANES]; /* by states of pc_states: where it is drawn */
    double step;              /* of arcs */
    int left, box;            /* where boxes begin, and how wide they are */
    uint64_t most;            /* the largest count of a transition */
};

static bool is_drawn(const struct stat_machine *k, const struct stat_node *row)
{
    return row->state == STAT_NO_STATE ? k->rows <= STAT_LANES : row->state < STAT_LANES;
}

static void begin(struct drawing *d)
{
    const struct stat_machine *k = d->k;
    size_t longest = 4;

    for (size_t i = 0; i < k->rows && d->rows < STAT_LANES; i++) {
        const size_t n = cli_columns(stat_state_text(&k->row[i]));
        if (!is_drawn(k, &k->row[i]))
            continue;
        if (k->row[i].state != STAT_NO_STATE)
            d->place[k->row[i].state] = d->rows;
        longest = n > longest ? n : longest;
        d->row[d->rows++] = i;
    }
    for (size_t i = 0; i < k->moves; i++)
        d->most = k->move[i].count > d->most ? k->move[i].count : d->most;
    d->step = d->rows * STEP > MOST_SIDE ? (double)MOST_SIDE / (double)d->rows : STEP;
    d->left = NEAR + (int)(d->step * (double)d->rows) + 8;
    d->box = LETTER * (int)(longest < LONGEST ? longest : LONGEST) + 16;
}

/* A name in a drawing; a long one ends with ..., and its title has all of it. */
static void put_name(FILE *out, const char *name)
{
    char text[LONGEST * 4 + 1];
    size_t columns = cli_columns(name), n = 0;

    if (columns <= LONGEST) {
        timeline_put(out, name);
        return;
    }
    for (size_t left = LONGEST - 3; name[n] && n + 5 < sizeof text; n++) {
        left -= left > 0 && ((unsigned char)name[n] & 0xc0) != 0x80;
        if (left == 0)
            break;
        text[n] = name[n];
    }
    text[n] = '\0';
    timeline_put(out, text);
    fputs("...", out);
}

/* --- the graph --- */

static double middle(size_t place)
{
    return ROW * (double)place + ROW / 2.0;
}

static void put_box(const struct drawing *d, size_t place)
{
    const struct stat_node *row = &d->k->row[d->row[place]];
    const double share = d->k->f.cycles ? (double)row->f.cycles / (double)d->k->f.cycles : 0.0;

    fprintf(d->out, "<g><title>");
    timeline_put(d->out, stat_state_text(row));
    if (row->state == STAT_NO_STATE)
        fputs(": never entered", d->out);
    else
        fprintf(d->out, ": %s, %s, %.2f %%", cli_count(row->f.visits, "visit"),
                cli_count(row->f.cycles, "cycle"), 100 * share);
    fprintf(d->out,
            "</title><rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"4\" "
            "fill=\"#14558a\" fill-opacity=\"%.3f\" stroke=\"currentColor\"%s/>"
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"currentColor\">",
            d->left, middle(place) - BOX / 2.0, d->box, BOX, 0.05 + 0.45 * share,
            row->state == STAT_NO_STATE ? " stroke-dasharray=\"3 3\"" : "", d->left + d->box / 2.0,
            middle(place) + 4);
    put_name(d->out, stat_state_text(row));
    fputs("</text></g>\n", d->out);
}

static void put_arc(const struct drawing *d, const struct stat_move *move, size_t from, size_t to)
{
    const bool down = to > from;
    const double span = down ? (double)(to - from) : (double)(from - to);
    const double side = down ? 1 : -1, x = down ? d->left + d->box : d->left;
    const double far = x + side * (NEAR + d->step * span);
    const double y = middle(from) + side * 4, end = middle(to) - side * 4;

    fputs("<g><title>", d->out);
    timeline_put(d->out, stat_state_text(&d->k->row[move->from]));
    fputs(" to ", d->out);
    timeline_put(d->out, stat_state_text(&d->k->row[move->to]));
    fprintf(d->out,
            ": %s</title><path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" "
            "stroke=\"currentColor\" stroke-opacity=\"0.6\" stroke-width=\"%.2f\"/>"
            "<path d=\"M%.1f %.1fl%.1f -4v8z\" fill=\"currentColor\"/>",
            cli_count(move->count, "time"), x, y, far, y, far, end, x + side * 6, end,
            1 + 3 * (double)move->count / (double)d->most, x, end, side * 7);
    if (d->step >= STEP)
        fprintf(d->out,
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"%s\" "
                "fill=\"currentColor\" "
                "style=\"paint-order:stroke;stroke:Canvas;stroke-width:3px\">%s</text>",
                x + 0.75 * (far - x) + side * 4, (y + end) / 2 + 3, down ? "start" : "end",
                cli_grouped(move->count));
    fputs("</g>\n", d->out);
}

static void put_graph(const struct drawing *d)
{
    const struct stat_machine *k = d->k;
    const int width = 2 * d->left + d->box, height = ROW * (int)d->rows;

    fprintf(d->out,
            "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" style=\"max-width:100%%\" "
            "role=\"img\" aria-label=\"transitions\" font-size=\"12\">\n",
            width, height, width, height);
    for (size_t i = 0; i < k->moves; i++) {
        const struct stat_node *from = &k->row[k->move[i].from], *to = &k->row[k->move[i].to];
        if (from->state < STAT_LANES && to->state < STAT_LANES)
            put_arc(d, &k->move[i], d->place[from->state], d->place[to->state]);
    }
    for (size_t i = 0; i < d->rows; i++)
        put_box(d, i);
    fputs("</svg>\n", d->out);
}

/* --- the timeline --- */

static uint64_t cycles_of(const struct stat_bins *b, size_t bin)
{
    const uint64_t left = b->cycles - bin * b->each;

    return left < b->each ? left : b->each;
}

/* Tenths of a bin that the lane has, rounded up; 10: all of it. */
static unsigned tenths(const struct stat_bins *b, size_t bin, size_t lane)
{
    const uint64_t n = b->lane[bin][lane], all = cycles_of(b, bin);

    return n == all ? 10 : n == 0 ? 0 : 1 + (unsigned)(9 * (double)n / (double)all);
}

struct lane {
    const char *name;
    size_t number; /* of the bins */
    double y;
};

/* Bins that follow each other and are as full are one rectangle. */
static void put_lane(const struct drawing *d, const struct lane *lane, uint64_t first)
{
    const struct stat_bins *b = d->k->bins;
    const size_t bins = (size_t)((b->cycles + b->each - 1) / b->each);
    const double scale = WIDTH / (double)b->cycles;

    for (size_t i = 0, end; i < bins; i = end) {
        const unsigned full = tenths(b, i, lane->number);
        uint64_t cycles = 0, all = 0;
        for (end = i; end < bins && tenths(b, end, lane->number) == full; end++) {
            cycles += b->lane[end][lane->number];
            all += cycles_of(b, end);
        }
        if (full == 0)
            continue;
        fprintf(d->out,
                "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"#14558a\" "
                "fill-opacity=\"%.1f\"><title>",
                d->box + scale * (double)(i * b->each), lane->y + 2, scale * (double)all, LANE - 4,
                full / 10.0);
        timeline_put(d->out, lane->name);
        fprintf(d->out, ": %s of cycles %s to %s</title></rect>", cli_grouped(cycles),
                cli_grouped(first + i * b->each), cli_grouped(first + i * b->each + all - 1));
    }
}

static void put_lane_name(const struct drawing *d, const char *name, double y)
{
    fprintf(d->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"currentColor\">",
            d->box - 8, y + LANE - 5);
    put_name(d->out, name);
    fputs("</text>\n", d->out);
}

static void put_axis(const struct drawing *d, double y, uint64_t first)
{
    const double cycles = (double)d->k->bins->cycles, from = (double)first;
    const struct timeline_ticks ticks = timeline_ticks(from, from + cycles, 8);
    char text[TIMELINE_TEXT];

    for (double at = ticks.first; at <= ticks.last; at += ticks.step) {
        const double x = d->box + WIDTH * (at - from) / cycles;
        timeline_tick_text(&ticks, at, text);
        fprintf(d->out,
                "<path d=\"M%.1f 0V%.1f\" stroke=\"currentColor\" stroke-opacity=\"0.2\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"10\" "
                "fill=\"currentColor\">%s</text>\n",
                x, y + 4, x, y + 16, text);
    }
}

static void put_timeline(const struct drawing *d, uint64_t first)
{
    const bool others = d->k->f.states > STAT_LANES, unknown = d->k->f.unknown > 0;
    const size_t lanes = d->rows + others + unknown;
    struct lane lane = { .y = 0 };

    fprintf(d->out,
            "<svg viewBox=\"0 0 %d %zu\" width=\"%d\" height=\"%zu\" style=\"max-width:100%%\" "
            "role=\"img\" aria-label=\"states over cycles\" font-size=\"12\">\n",
            d->box + WIDTH + 40, lanes * LANE + 20, d->box + WIDTH + 40, lanes * LANE + 20);
    for (size_t i = 0; i < d->rows; i++, lane.y += LANE) {
        const struct stat_node *row = &d->k->row[d->row[i]];
        lane.name = stat_state_text(row);
        lane.number = row->state;
        if (row->state != STAT_NO_STATE)
            put_lane(d, &lane, first);
        put_lane_name(d, lane.name, lane.y);
    }
    if (others) {
        put_lane(d, &(struct lane){ "others", STAT_LANE_OTHERS, lane.y }, first);
        put_lane_name(d, "others", lane.y);
        lane.y += LANE;
    }
    if (unknown) {
        put_lane(d, &(struct lane){ "unknown", STAT_LANE_UNKNOWN, lane.y }, first);
        put_lane_name(d, "unknown", lane.y);
    }
    put_axis(d, (double)(lanes * LANE), first);
    fputs("</svg>\n", d->out);
}

/* --- all of it --- */

static void put_never(const struct drawing *d, bool entered)
{
    const struct stat_machine *k = d->k;
    bool any = false;

    for (size_t i = 0; i < k->rows; i++) {
        if (entered ? k->row[i].state != STAT_NO_STATE : !stat_machine_stays(k, i))
            continue;
        fputs(any ? ", " : entered ? "<p>Never entered: " : "<p>Never left: ", d->out);
        timeline_put(d->out, stat_state_text(&k->row[i]));
        any = true;
    }
    fputs(any ? "</p>\n" : "", d->out);
}

static void put_text(const struct drawing *d)
{
    const struct stat_bins *b = d->k->bins;

    fputs("<h2>States of ", d->out);
    timeline_put(d->out, d->m->name);
    fputs("</h2>\n<p>Transitions go down at the right and up at the left, with how often; the "
          "darker a state, the longer it was there. Point at one for its figures.</p>\n",
          d->out);
    if (d->k->f.states > STAT_LANES)
        fprintf(d->out, "<p>The first %d states that were entered are drawn, of %s.</p>\n",
                STAT_LANES, cli_grouped(d->k->f.states));
    put_never(d, true);
    put_never(d, false);
    put_graph(d);
    fprintf(d->out, "<p>Cycles of the clock from left to right, %s to a column%s.</p>\n",
            cli_count(b->each, "cycle"),
            b->each > 1 ? ": paler where it was in the state for a part of them" : "");
}

void stat_machine_draw(FILE *out, const void *job)
{
    const struct stat_job *j = job;

    for (size_t i = 0; i < j->measures.count; i++) {
        const struct stat_measure *m = &j->measures.item[i];
        if (!m->machine || !m->machine->bins || m->machine->bins->cycles == 0)
            continue;
        struct drawing d = { .out = out, .m = m, .k = m->machine };
        begin(&d);
        put_text(&d);
        put_timeline(&d, j->parts ? j->part[m->clock].job.window.first : j->window.first);
    }
}
