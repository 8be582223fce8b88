/* SPDX-License-Identifier: MIT */
/* A state machine on a page: its graph, and a timeline with the same rows. */
#include "stat_machine_graph.h"
#include "timeline/timeline_plot.h"

enum { LANE = 18, WIDTH = STAT_BINS };

struct drawing {
    FILE *out;
    const struct stat_measure *m;
    const struct stat_machine *k;
    struct stat_graph graph;
    size_t row[STAT_LANES];   /* of the machine, that are drawn */
    size_t place[STAT_LANES]; /* by states of pc_states: where it is drawn */
};

static bool is_drawn(const struct stat_machine *k, const struct stat_node *row)
{
    return row->state == STAT_NO_STATE ? k->rows <= STAT_LANES : row->state < STAT_LANES;
}

static bool move_of(const struct stat_graph *g, size_t i, struct stat_graph_move *out)
{
    const struct drawing *d = g->ctx;
    const struct stat_move *move = &d->k->move[i];
    const struct stat_node *from = &d->k->row[move->from], *to = &d->k->row[move->to];

    if (from->state >= STAT_LANES || to->state >= STAT_LANES)
        return false;
    *out = (struct stat_graph_move){ d->place[from->state], d->place[to->state], move->count };
    return true;
}

static void begin(struct drawing *d)
{
    const struct stat_machine *k = d->k;
    struct stat_graph *g = &d->graph;

    g->samples = k->f.cycles;
    g->move = move_of;
    g->moves = k->moves;
    g->ctx = d;
    for (size_t i = 0; i < k->rows && g->states < STAT_LANES; i++) {
        const struct stat_node *row = &k->row[i];
        if (!is_drawn(k, row))
            continue;
        if (row->state != STAT_NO_STATE)
            d->place[row->state] = g->states;
        d->row[g->states] = i;
        g->state[g->states++] = (struct stat_graph_state){ .name = stat_state_text(row),
                                                           .visits = row->f.visits,
                                                           .cycles = row->f.cycles,
                                                           .entered = row->state != STAT_NO_STATE };
    }
    stat_graph_lay(g);
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
                d->graph.box + scale * (double)(i * b->each), lane->y + 2, scale * (double)all,
                LANE - 4, full / 10.0);
        timeline_put(d->out, lane->name);
        fprintf(d->out, ": %s of cycles %s to %s</title></rect>", cli_grouped(cycles),
                cli_grouped(first + i * b->each), cli_grouped(first + i * b->each + all - 1));
    }
}

static void put_lane_name(const struct drawing *d, const char *name, double y)
{
    fprintf(d->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"currentColor\">",
            d->graph.box - 8, y + LANE - 5);
    stat_graph_name(d->out, name);
    fputs("</text>\n", d->out);
}

static void put_axis(const struct drawing *d, double y, uint64_t first)
{
    const double cycles = (double)d->k->bins->cycles, from = (double)first;
    const struct timeline_ticks ticks = timeline_ticks(from, from + cycles, 8);
    char text[TIMELINE_TEXT];

    for (double at = ticks.first; at <= ticks.last; at += ticks.step) {
        const double x = d->graph.box + WIDTH * (at - from) / cycles;
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
    const size_t lanes = d->graph.states + others + unknown;
    struct lane lane = { .y = 0 };

    fprintf(d->out,
            "<svg viewBox=\"0 0 %d %zu\" width=\"%d\" height=\"%zu\" style=\"max-width:100%%\" "
            "role=\"img\" aria-label=\"states over cycles\" font-size=\"12\">\n",
            d->graph.box + WIDTH + 40, lanes * LANE + 20, d->graph.box + WIDTH + 40,
            lanes * LANE + 20);
    for (size_t i = 0; i < d->graph.states; i++, lane.y += LANE) {
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
        stat_graph_never(d->out, !any, entered, stat_state_text(&k->row[i]));
        any = true;
    }
    fputs(any ? "</p>\n" : "", d->out);
}

static void put_text(const struct drawing *d)
{
    const struct stat_bins *b = d->k->bins;

    stat_graph_title(d->out, d->m->name, d->k->f.states);
    put_never(d, true);
    put_never(d, false);
    stat_graph_put(d->out, &d->graph);
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
