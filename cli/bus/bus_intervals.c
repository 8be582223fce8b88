/* SPDX-License-Identifier: MIT */
/* Blocks of the waveform into the monitors; with -I cut where intervals end, and what is told of
 * these. */
#include "bus/bus_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/page.h"
#include "text/table.h"
#include "wave/wave_bits.h"

enum { MOST_SNAPS = 1 << 20 }; /* of all buses */
enum { STARTED = BUS_STATES, COMPLETED, ABORTED, ERRORS };
static const enum pc_bus_count of_transfers[] = { PC_BUS_STARTED, PC_BUS_COMPLETED, PC_BUS_ABORTED,
                                                  PC_BUS_ERRORS };

/* ---- where an interval ends ---- */

static enum pc_bus_count count_at(unsigned i)
{
    return i < BUS_STATES ? (enum pc_bus_count)(PC_BUS_BEAT + i) : of_transfers[i - BUS_STATES];
}

static size_t groups_of(struct pc_bus *bus)
{
    struct pc_bus_group g;
    size_t n = 0;

    while (pc_bus_group_at(bus, n, &g) == PC_OK)
        n++;
    return n;
}

static void take_snaps(struct bus_item *item, struct pc_bus *bus, uint64_t time)
{
    struct pc_bus_edges e;
    struct pc_bus_group g;

    pc_bus_get_edges(bus, &e);
    for (size_t i = 0; pc_bus_group_at(bus, i, &g) == PC_OK; i++) {
        struct bus_snap *s = &item->snap[item->snaps++];
        *s = (struct bus_snap){ .edges = e.edges, .cycles = e.cycles, .time = time };
        for (unsigned c = 0; c < BUS_SNAPS; c++)
            s->count[c] = g.count[count_at(c)];
    }
}

static int end_interval(struct bus_run *run, struct bus_item *item)
{
    void *array = item->snap;

    item->groups = groups_of(item->bus) + (item->other ? groups_of(item->other) : 0);
    if ((run->snaps += item->groups) > MOST_SNAPS)
        return cli_error_at(910, NULL, 0, "take longer intervals, or name some of the buses",
                            "-I %s makes more than %d rows", run->o->interval.text, MOST_SNAPS);
    if (!cli_grow(&array, &item->snap_capacity, item->snaps + item->groups, sizeof *item->snap))
        return cli_no_memory();
    item->snap = array;
    take_snaps(item, item->bus, run->stream[item->stream].snap_time);
    if (item->other)
        take_snaps(item, item->other, run->stream[item->stream].snap_time);
    return CLI_OK;
}

/* ---- blocks ---- */

/* The planes from cycle `from` on, that many cycles. */
static bool cut(struct bus_run *run, const struct pc_wave_block *b, uint64_t from, uint64_t cycles)
{
    struct bus_piece *p = &run->piece;
    const size_t bits = run->stream[b->stream].bits, words = (b->cycles + 63) / 64;

    if (bits > p->bits) {
        free(p->plane);
        free(p->value);
        p->plane = calloc(bits * 2, PC_BLOCK_WORDS * sizeof *p->plane);
        p->value = calloc(bits * 2, sizeof *p->value);
        p->unknown = p->value ? p->value + bits : NULL;
        p->bits = p->plane && p->value ? bits : 0;
        if (p->bits == 0)
            return false;
        for (size_t i = 0; i < 2 * bits; i++)
            p->value[i] = p->plane + i * PC_BLOCK_WORDS;
    }
    for (size_t i = 0; i < 2 * bits; i++) {
        const uint64_t *in = i < bits ? b->value[i] : b->unknown[i - bits];
        uint64_t *out = p->plane + (i < bits ? i : p->bits + i - bits) * PC_BLOCK_WORDS;
        const size_t skip = from / 64;
        const unsigned shift = from % 64;
        for (size_t w = 0; w * 64 < cycles; w++) {
            out[w] = in[skip + w] >> shift;
            if (shift && skip + w + 1 < words)
                out[w] |= in[skip + w + 1] << (64 - shift);
        }
        if (cycles % 64)
            out[cycles / 64] &= (UINT64_C(1) << cycles % 64) - 1;
    }
    return true;
}

/* Too many strobes without an answer: it is not of that kind. */
static enum pc_status add_to_other(struct bus_item *item, uint64_t cycles, const uint64_t *time,
                                   const uint64_t *const *value, const uint64_t *const *unknown,
                                   struct pc_error *err)
{
    pc_bus_times(item->other, time);
    const enum pc_status status = pc_bus_add(item->other, cycles, value, unknown, err);
    item->not_other = status == PC_ELIMIT;
    return item->not_other ? PC_OK : status;
}

static int add_cycles(struct bus_run *run, unsigned stream, uint64_t cycles, const uint64_t *time,
                      const uint64_t *const *value, const uint64_t *const *unknown)
{
    struct pc_error err, told;

    for (size_t i = 0; i < run->items; i++) {
        struct bus_item *item = &run->item[i];
        if (!item->bus || item->stream != stream)
            continue;
        pc_bus_times(item->bus, time);
        enum pc_status status = pc_bus_add(item->bus, cycles, value, unknown, &err);
        if (status == PC_OK && item->other && !item->not_other)
            status = add_to_other(item, cycles, time, value, unknown, &err);
        if (status == PC_OK)
            continue;
        told = err;
        cli_fail(&told, err.code, "%s, %s: %s", item->name, pc_bus_protocol_name(item->protocol),
                 err.text);
        if (err.code == 1802)
            snprintf(told.hint, sizeof told.hint,
                     "its ends are not seen: --list shows of which signals they are");
        else
            memcpy(told.hint, err.hint, sizeof told.hint);
        return cli_error(&told, cli_input_name(run->o->map ? run->o->map : run->o->file), NULL);
    }
    return CLI_OK;
}

static int end_intervals(struct bus_run *run, unsigned stream)
{
    int code = CLI_OK;

    run->stream[stream].since = 0;
    run->stream[stream].end += run->step;
    for (size_t i = 0; i < run->items && code == CLI_OK; i++)
        if (run->item[i].bus && run->item[i].stream == stream)
            code = end_interval(run, &run->item[i]);
    return code;
}

/* How many edges of the block from `from` on, of `most`, are of the open interval. */
static uint64_t edges_in(const struct bus_run *run, const struct pc_wave_block *b, uint64_t from,
                         uint64_t most)
{
    const struct bus_stream *s = &run->stream[b->stream];
    uint64_t n = 0;

    if (!run->o->interval.text)
        return most;
    if (run->step == 0)
        return most < run->o->interval.number - s->since ? most
                                                         : run->o->interval.number - s->since;
    if (b->last_time < s->end)
        return most;
    while (n < most && b->time[from + n] < s->end)
        n++;
    return n;
}

/* Is the interval over before edge `at` of the block, or after what it has? */
static bool is_over(const struct bus_run *run, const struct pc_wave_block *b, uint64_t at)
{
    const struct bus_stream *s = &run->stream[b->stream];

    if (!run->o->interval.text)
        return false;
    return run->step ? at < b->cycles && b->time[at] >= s->end
                     : s->since == run->o->interval.number;
}

static int add_piece(struct bus_run *run, const struct pc_wave_block *b, uint64_t from, uint64_t n)
{
    run->stream[b->stream].since += n;
    if (n == 0)
        return CLI_OK;
    if (n == b->cycles)
        return add_cycles(run, b->stream, n, b->time, b->value, b->unknown);
    return cut(run, b, from, n)
               ? add_cycles(run, b->stream, n, b->time + from, run->piece.value, run->piece.unknown)
               : cli_no_memory();
}

int bus_add_block(struct bus_run *run, const struct pc_wave_block *b)
{
    const struct cli_window *w = &run->stream[b->stream].window;
    const uint64_t first = b->first_cycle, end = first + b->cycles;
    const uint64_t to = w->end < end ? w->end > first ? w->end - first : 0 : b->cycles;
    uint64_t from = w->first <= first ? 0 : w->first < end ? w->first - first : b->cycles;
    int code = CLI_OK;

    while (from < to && code == CLI_OK) {
        const uint64_t n = edges_in(run, b, from, to - from);
        code = add_piece(run, b, from, n);
        from += n;
        if (n > 0 && b->time)
            run->stream[b->stream].snap_time = b->time[from - 1];
        while (code == CLI_OK && is_over(run, b, from) && (run->step == 0 || from < to))
            code = end_intervals(run, b->stream);
    }
    return code;
}

int bus_check_intervals(struct bus_run *run)
{
    const struct bus_options *o = run->o;
    const char *file = cli_input_name(o->file);
    struct cli_ticks ticks;

    if (!o->interval.text || o->interval.in_cycles)
        return CLI_OK;
    if (run->info.timescale_factor == 0)
        return cli_error_at(910, NULL, 0, NULL,
                            "%s does not define its time unit: give -I in edges", file);
    if (!cli_span_ticks(&o->interval, &run->info, &ticks) || ticks.part > 0 || ticks.whole == 0)
        return cli_error_at(910, NULL, 0, NULL, "-I %s is not a whole number of time units of %s",
                            o->interval.text, file);
    run->step = ticks.whole;
    if (o->window.from.text && !o->window.from.in_cycles &&
        cli_span_ticks(&o->window.from, &run->info, &ticks))
        run->origin = ticks.whole + (ticks.part > 0);
    return CLI_OK;
}

int bus_end_intervals(struct bus_run *run)
{
    int code = CLI_OK;

    for (size_t i = 0; run->o->interval.text && i < run->items && code == CLI_OK; i++) {
        if (run->item[i].bus && run->stream[run->item[i].stream].since > 0)
            code = end_interval(run, &run->item[i]);
    }
    free(run->piece.plane);
    free(run->piece.value);
    run->piece = (struct bus_piece){ .bits = 0 };
    return code;
}

/* ---- what is told ---- */

/* Returns the counts of intervals `first` to `last` - 1, in group `g`. */
struct bus_snap bus_interval_of(const struct bus_item *item, size_t first, size_t last, size_t g)
{
    struct bus_snap s = item->snap[(last - 1) * item->groups + g];

    if (first == 0)
        return s;
    const struct bus_snap *before = &item->snap[(first - 1) * item->groups + g];
    s.edges -= before->edges;
    s.cycles -= before->cycles;
    for (unsigned c = 0; c < BUS_SNAPS; c++)
        s.count[c] -= before->count[c];
    return s;
}

uint64_t bus_interval_start(const struct bus_run *run, const struct bus_item *item, size_t i)
{
    const uint64_t first = run->stream[item->stream].window.first;

    return i == 0 ? first : first + item->snap[(i - 1) * item->groups].edges;
}

uint64_t bus_interval_time(const struct bus_run *run, size_t i)
{
    return run->origin + i * run->step;
}

uint64_t bus_interval_edge_time(const struct bus_run *run, const struct bus_item *item, size_t i)
{
    return i == 0 ? run->stream[item->stream].first_time : item->snap[(i - 1) * item->groups].time;
}

const char *bus_interval_length(const struct bus_run *run, size_t count, char out[64])
{
    const struct cli_span *span = &run->o->interval;

    if (run->step == 0)
        snprintf(out, 64, "%s", cli_count(count * span->number, "edge"));
    else if (count == 1)
        snprintf(out, 64, "%.40s", span->text);
    else
        snprintf(out, 64, "%s times %.30s", cli_grouped(count), span->text);
    return out;
}

uint64_t bus_open_at_end(const struct bus_item *item, size_t i, size_t g)
{
    const struct bus_snap *s = &item->snap[i * item->groups + g];

    return s->count[STARTED] - s->count[COMPLETED] - s->count[ABORTED];
}

size_t bus_intervals_of(const struct bus_item *item)
{
    return item->groups ? item->snaps / item->groups : 0;
}

void bus_find_groups(struct bus_row *row)
{
    const char *transaction = row->part[0] ? row->part : "transactions";
    struct pc_bus_group g;

    for (size_t i = 0; pc_bus_group_at(row->item->bus, i, &g) == PC_OK; i++) {
        if (g.kind == PC_BUS_TRANSACTIONS && strcmp(g.name, transaction) == 0)
            row->of_transaction = i;
        if (g.kind == PC_BUS_CHANNEL && row->channel && strcmp(g.name, row->channel->key) == 0)
            row->of_channel = i;
    }
}

static bool has(const struct pc_bus_group *g, unsigned c)
{
    return g->has >> count_at(c) & 1;
}

static void put_interval(const struct bus_run *run, const struct bus_item *item, size_t i,
                         size_t number, const struct pc_bus_group *g)
{
    const struct bus_snap s = bus_interval_of(item, i, i + 1, number);
    struct rep_cell cell[5 + BUS_SNAPS + 2] = { rep_text(item->name), rep_text(g->name),
                                                rep_count(bus_interval_start(run, item, i)),
                                                rep_count(s.edges), rep_count(s.cycles) };

    for (unsigned c = 0; c < BUS_SNAPS; c++)
        cell[5 + c] = has(g, c) ? rep_count(s.count[c]) : rep_absent();
    cell[5 + BUS_SNAPS] =
        g->kind == PC_BUS_TRANSACTIONS ? rep_count(bus_open_at_end(item, i, number)) : rep_absent();
    cell[6 + BUS_SNAPS] = run->step ? rep_count(bus_interval_time(run, i)) : rep_absent();
    rep_row(run->report, BUS_INTERVALS, (struct rep_cells){ cell, 5 + BUS_SNAPS + 2 });
}

static void put_row(const struct bus_run *run, const struct bus_item *item,
                    const struct pc_bus_group *g, const char *figure, uint64_t value, size_t i)
{
    rep_row(run->report, BUS_INTERVAL_ROWS,
            REP_CELLS(rep_text(item->name), rep_text(g->name), rep_text(figure), rep_count(value),
                      rep_count(bus_interval_start(run, item, i)),
                      run->step ? rep_count(bus_interval_time(run, i)) : rep_absent()));
}

static void put_rows(const struct bus_run *run, const struct bus_item *item, size_t i,
                     size_t number, const struct pc_bus_group *g)
{
    const struct bus_snap s = bus_interval_of(item, i, i + 1, number);

    put_row(run, item, g, "edges", s.edges, i);
    put_row(run, item, g, "cycles", s.cycles, i);
    for (unsigned c = 0; c < BUS_SNAPS; c++)
        if (has(g, c))
            put_row(run, item, g, pc_bus_count_name(count_at(c)), s.count[c], i);
    if (g->kind == PC_BUS_TRANSACTIONS)
        put_row(run, item, g, "open", bus_open_at_end(item, i, number), i);
}

static void each(const struct bus_run *run,
                 void (*put)(const struct bus_run *run, const struct bus_item *item, size_t i,
                             size_t number, const struct pc_bus_group *g))
{
    struct pc_bus_group g;

    for (size_t k = 0; k < run->items; k++)
        for (size_t i = 0; i < bus_intervals_of(&run->item[k]); i++)
            for (size_t n = 0; pc_bus_group_at(run->item[k].bus, n, &g) == PC_OK; n++)
                if (g.kind != PC_BUS_PACKETS)
                    put(run, &run->item[k], i, n, &g);
}

void bus_put_intervals(const struct bus_run *run)
{
    each(run, put_interval);
}

void bus_put_interval_rows(const struct bus_run *run)
{
    each(run, put_rows);
}

/* ---- for people ---- */

enum { BAR = 40 };

/* Writes a character for each fortieth of the cycles, between bars. */
static void bar_of(const struct bus_snap *s, char out[BAR + 3])
{
    static const char mark[BUS_STATES + 1] = "#!.:! ?"; /* by the states */
    uint64_t sum = 0;
    int at = 0;

    for (unsigned c = 0; c < BUS_STATES; c++) {
        sum += s->count[c];
        const int to = s->cycles ? (int)((double)sum / (double)s->cycles * BAR + 0.5) : 0;
        for (; at < to && at < BAR; at++)
            out[1 + at] = mark[c];
    }
    memset(out + 1 + at, ' ', (size_t)(BAR - at));
    out[0] = out[BAR + 1] = '|';
    out[BAR + 2] = '\0';
}

/* In time units, or in edges. */
static uint64_t start_of(const struct bus_run *run, const struct bus_item *item, size_t i)
{
    return run->step ? bus_interval_time(run, i) : bus_interval_start(run, item, i);
}

static struct cli_table *open_timeline(const struct bus_run *run, const struct bus_row *row,
                                       FILE *out)
{
    static const struct cli_column of_beats[] = { { .head = "beats", .width = 6 },
                                                  { .head = "stalled", .width = 7 },
                                                  { .head = "starved", .width = 7 },
                                                  { .head = "idle", .width = 6 } };
    static const struct cli_column of_transactions[] = { { .head = "ended", .width = 5 },
                                                         { .head = "in flight", .width = 9 } };
    const size_t n = bus_intervals_of(row->item);
    struct cli_table *t = cli_table_open(out, &(struct cli_look){ .gap = 2, .streams = true });

    cli_table_column(
        t, &(struct cli_column){
               .head = run->step ? "time" : "edge",
               .width = n ? (int)strlen(cli_grouped(start_of(run, row->item, n - 1))) : 0 });
    cli_table_columns(t, of_beats, 4);
    cli_table_columns(t, of_transactions, row->transaction ? 2 : 0);
    cli_table_column(t, &(struct cli_column){ .left = true, .drawn = true });
    cli_table_head(t);
    return t;
}

static void put_times(struct cli_table *t, const struct bus_run *run, const struct bus_row *row,
                      size_t i)
{
    const struct bus_snap s = bus_interval_of(row->item, i, i + 1, row->of_channel);
    const uint64_t waits = s.count[PC_BUS_STALL] + s.count[PC_BUS_BLOCKED];
    char bar[BAR + 3];

    cli_cell_count(t, start_of(run, row->item, i));
    cli_cell_count(t, s.count[PC_BUS_BEAT]);
    cli_cell_print(t, "%.1f%%", 100 * bus_share(waits, s.cycles));
    cli_cell_print(t, "%.1f%%", 100 * bus_share(s.count[PC_BUS_STARVE], s.cycles));
    cli_cell_print(t, "%.1f%%", 100 * bus_share(s.count[PC_BUS_IDLE], s.cycles));
    if (row->transaction) {
        cli_cell_count(t,
                       bus_interval_of(row->item, i, i + 1, row->of_transaction).count[COMPLETED]);
        cli_cell_count(t, bus_open_at_end(row->item, i, row->of_transaction));
    }
    bar_of(&s, bar);
    cli_cell(t, bar);
    cli_row_end(t);
}

int bus_timeline_text(const struct bus_run *run, const struct bus_row *row, FILE *out)
{
    const size_t n = bus_intervals_of(row->item);
    char length[64];

    fputs("\ntimeline of ", out);
    bus_put_name(out, row);
    if (row->channel && row->channel->key[0])
        fprintf(out, ", channel %s", row->channel->key);
    fprintf(out, ", %s each", bus_interval_length(run, 1, length));
    cli_page_text_alone(out);
    fputs(": # beat, ! stalled, . starved, blank idle", out);
    cli_page_text_alone(out);
    fputc('\n', out);
    struct cli_table *t = open_timeline(run, row, out);
    for (size_t i = 0; i < n; i++)
        put_times(t, run, row, i);
    return cli_table_close(t);
}
