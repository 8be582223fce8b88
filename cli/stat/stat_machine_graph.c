/* SPDX-License-Identifier: MIT */
/*
 * The graph has a row for each state, in the order of the values: transitions go down at the right
 * and up at the left.
 */
#include "stat_machine_graph.h"
#include "timeline/timeline_plot.h"

#include <string.h>

enum {
    ROW = 30,     /* pixels of a row */
    BOX = 20,     /* ... of the box in it */
    LETTER = 8,   /* of a character */
    LONGEST = 28, /* characters of a name that are drawn */
    NEAR = 16,    /* of an arc to the next row; and for each row beyond */
    STEP = 40,
    MOST_SIDE = 640 /* of all arcs at a side */
};

void stat_graph_lay(struct stat_graph *g)
{
    struct stat_graph_move m;
    size_t longest = 4;

    for (size_t i = 0; i < g->states; i++) {
        const size_t n = cli_columns(g->state[i].name);
        longest = n > longest ? n : longest;
    }
    for (size_t i = 0; i < g->moves; i++)
        if (g->move(g, i, &m))
            g->most = m.count > g->most ? m.count : g->most;
    g->step = g->states * STEP > MOST_SIDE ? (double)MOST_SIDE / (double)g->states : STEP;
    g->left = NEAR + (int)(g->step * (double)g->states) + 8;
    g->box = LETTER * (int)(longest < LONGEST ? longest : LONGEST) + 16;
}

void stat_graph_name(FILE *out, const char *name)
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

static double middle(size_t place)
{
    return ROW * (double)place + ROW / 2.0;
}

static void put_box(FILE *out, const struct stat_graph *g, size_t place)
{
    const struct stat_graph_state *s = &g->state[place];
    const double share = g->samples ? (double)s->cycles / (double)g->samples : 0.0;

    fprintf(out, "<g><title>");
    timeline_put(out, s->name);
    if (!s->entered)
        fputs(": never entered", out);
    else
        fprintf(out, ": %s, %s, %.2f %%", cli_count(s->visits, "visit"),
                cli_count(s->cycles, "cycle"), 100 * share);
    fprintf(out,
            "</title><rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"4\" "
            "fill=\"#14558a\" fill-opacity=\"%.3f\" stroke=\"currentColor\"%s/>"
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"currentColor\">",
            g->left, middle(place) - BOX / 2.0, g->box, BOX, 0.05 + 0.45 * share,
            !s->entered ? " stroke-dasharray=\"3 3\"" : "", g->left + g->box / 2.0,
            middle(place) + 4);
    stat_graph_name(out, s->name);
    fputs("</text></g>\n", out);
}

static void put_arc(FILE *out, const struct stat_graph *g, const struct stat_graph_move *move)
{
    const size_t from = move->from, to = move->to;
    const bool down = to > from;
    const double span = down ? (double)(to - from) : (double)(from - to);
    const double side = down ? 1 : -1, x = down ? g->left + g->box : g->left;
    const double far = x + side * (NEAR + g->step * span);
    const double y = middle(from) + side * 4, end = middle(to) - side * 4;

    fputs("<g><title>", out);
    timeline_put(out, g->state[from].name);
    fputs(" to ", out);
    timeline_put(out, g->state[to].name);
    fprintf(out,
            ": %s</title><path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" "
            "stroke=\"currentColor\" stroke-opacity=\"0.6\" stroke-width=\"%.2f\"/>"
            "<path d=\"M%.1f %.1fl%.1f -4v8z\" fill=\"currentColor\"/>",
            cli_count(move->count, "time"), x, y, far, y, far, end, x + side * 6, end,
            1 + 3 * (double)move->count / (double)g->most, x, end, side * 7);
    if (g->step >= STEP)
        fprintf(out,
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"%s\" "
                "fill=\"currentColor\" "
                "style=\"paint-order:stroke;stroke:Canvas;stroke-width:3px\">%s</text>",
                x + 0.75 * (far - x) + side * 4, (y + end) / 2 + 3, down ? "start" : "end",
                cli_grouped(move->count));
    fputs("</g>\n", out);
}

void stat_graph_put(FILE *out, const struct stat_graph *g)
{
    const int width = 2 * g->left + g->box, height = ROW * (int)g->states;
    struct stat_graph_move m;

    fprintf(out,
            "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" style=\"max-width:100%%\" "
            "role=\"img\" aria-label=\"transitions\" font-size=\"12\">\n",
            width, height, width, height);
    for (size_t i = 0; i < g->moves; i++)
        if (g->move(g, i, &m))
            put_arc(out, g, &m);
    for (size_t i = 0; i < g->states; i++)
        put_box(out, g, i);
    fputs("</svg>\n", out);
}

void stat_graph_title(FILE *out, const char *name, uint64_t all)
{
    fputs("<h2>States of ", out);
    timeline_put(out, name);
    fputs("</h2>\n<p>Transitions go down at the right and up at the left, with how often; the "
          "darker a state, the longer it was there. Point at one for its figures.</p>\n",
          out);
    if (all > STAT_LANES)
        fprintf(out, "<p>The first %d states that were entered are drawn, of %s.</p>\n", STAT_LANES,
                cli_grouped(all));
}

void stat_graph_never(FILE *out, bool first, bool entered, const char *name)
{
    fputs(!first ? ", " : entered ? "<p>Never entered: " : "<p>Never left: ", out);
    timeline_put(out, name);
}

/* --- of a report that was read --- */

static uint64_t count_of(const struct rep_tree *object, const char *name)
{
    return (uint64_t)tree_count(object, name);
}

static void put_never(FILE *out, const struct rep_tree *machine, bool entered)
{
    const struct rep_tree *item;
    size_t i = 0;

    for (; (item = tree_item(machine, entered ? "never_entered" : "never_left", i)) != NULL; i++)
        stat_graph_never(out, i == 0, entered, item->text);
    fputs(i > 0 ? "</p>\n" : "", out);
}

/* Finds the state of that name that was entered; one that is not drawn comes after all. */
static size_t find(const struct stat_graph *g, const char *name)
{
    size_t i = 0;

    while (i < g->states && (!g->state[i].entered || strcmp(g->state[i].name, name) != 0))
        i++;
    return i;
}

static uint64_t take_states(struct stat_graph *g, const struct rep_tree *machine)
{
    const struct rep_tree *item;
    size_t all = 0, never = 0;

    for (; (item = tree_item(machine, "states", all)) != NULL; all++)
        if (g->states < STAT_LANES)
            g->state[g->states++] = (struct stat_graph_state){ .name = tree_text(item, "state"),
                                                               .visits = count_of(item, "visits"),
                                                               .cycles = count_of(item, "cycles"),
                                                               .entered = true };
    while (tree_item(machine, "never_entered", never))
        never++;
    for (size_t i = 0; i < never && all + never <= STAT_LANES; i++)
        g->state[g->states++].name = tree_item(machine, "never_entered", i)->text;
    return all;
}

static bool move_of(const struct stat_graph *g, size_t i, struct stat_graph_move *out)
{
    const struct rep_tree *item = tree_item(g->ctx, "transitions", i);

    *out = (struct stat_graph_move){ find(g, tree_text(item, "from")),
                                     find(g, tree_text(item, "to")), count_of(item, "count") };
    return out->from < g->states && out->to < g->states;
}

static void put_machine(FILE *out, const struct rep_tree *machine)
{
    struct stat_graph g = { .samples = count_of(machine, "samples"),
                            .move = move_of,
                            .ctx = machine };

    while (tree_item(machine, "transitions", g.moves))
        g.moves++;
    stat_graph_title(out, tree_text(machine, "name"), take_states(&g, machine));
    put_never(out, machine, true);
    put_never(out, machine, false);
    stat_graph_lay(&g);
    stat_graph_put(out, &g);
    fputs("<p>A report has no times of states, so there is no timeline of them.</p>\n", out);
}

void stat_graph_of_report(FILE *out, const void *ctx)
{
    const struct rep_tree *machine;

    for (size_t i = 0; (machine = tree_item(ctx, "states", i)) != NULL; i++)
        put_machine(out, machine);
}
