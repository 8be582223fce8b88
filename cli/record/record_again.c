/* SPDX-License-Identifier: MIT */
/*
 * A report of record that was read, or the sum of some, by the printers of the verb: its rows are
 * those of a sheet again.  What the last STOP of a part left over is a row of the kind rest; where
 * the next part goes on with the next cycle, both are the one row that the cut splits.
 */
#include "record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row whose counts are kept. */
struct kept {
    struct record_row row;
    uint64_t to; /* the time of its end; UINT64_MAX: not known */
    struct record_count *count;
};

struct again {
    struct rep_tree *root;
    const char *path;
    struct record_options o;
    struct record_times times;
    struct record_sheet sheet;
    struct record_count *counts;      /* of all that are kept, and of one row */
    struct kept rest[PC_MAX_DOMAINS]; /* that may go on, in the order of their ends */
    size_t rests;
    uint64_t end[PC_MAX_DOMAINS], last[PC_MAX_DOMAINS]; /* of the rows so far: cycle, time */
};

static int PC_PRINTF(3, 4) no(const struct again *a, unsigned code, const char *fmt, ...)
{
    char text[300];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return cli_error_at(code, NULL, 0, NULL, "%s: %s", cli_input_name(a->path), text);
}

/* Finds the number of a word; a negative one: it is none of them. */
static int word(const char *const *words, const char *text)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    return -1;
}

static uint64_t count_of(const struct rep_tree *object, const char *name)
{
    return (uint64_t)tree_count(object, name);
}

/* --- what was recorded, and how --- */

static char *text_of(const struct rep_tree *object, const char *name)
{
    const struct rep_tree *node = tree_value(object, name, TREE_TEXT);

    return node ? node->text : NULL;
}

static int read_event(struct again *a, const struct rep_tree *item)
{
    static char none[] = "";
    struct stat_event *e = &a->o.of.event[a->o.of.events++];
    char *text = text_of(item, "expression");

    *e = (struct stat_event){ .name = text_of(item, "name"),
                              .text = text ? text : none,
                              .domain = (unsigned)count_of(item, "domain"),
                              .derived = tree_is(item, "derived") };
    a->o.slots |= text_of(item, "slot") != NULL;
    return e->name && tree_count(item, "domain") < PC_MAX_DOMAINS
               ? CLI_OK
               : no(a, 1701, "an event has no name, or a domain that no chip has");
}

static int read_events(struct again *a)
{
    const struct rep_tree *list = tree_value(a->root, "events", TREE_LIST);
    const size_t n = list ? list->children : 0;
    int code = CLI_OK;

    a->o.of.event = calloc(n + 1, sizeof *a->o.of.event);
    a->counts = calloc((PC_MAX_DOMAINS + 1) * (n + 1), sizeof *a->counts);
    if (!a->o.of.event || !a->counts)
        return cli_no_memory();
    for (size_t i = 0; i < PC_MAX_DOMAINS; i++)
        a->rest[i].count = a->counts + (i + 1) * (n + 1);
    for (size_t i = 0; i < n && code == CLI_OK; i++)
        code = read_event(a, &list->child[i]);
    return code;
}

static void read_times(struct again *a)
{
    struct pc_wave_info info = tree_time_info(a->root);
    const char *scale = tree_text(a->root, "timescale");

    info.sample_rate = count_of(a->root, "sample_rate");
    info.sampled = info.sample_rate > 0;
    a->times.unit = cli_time_unit(&info);
    a->times.known = a->times.unit.seconds > 0;
    a->times.rate = info.sample_rate;
    snprintf(a->times.scale, sizeof a->times.scale, "%s", scale);
}

static int read_head(struct again *a)
{
    static const char *const edges[] = { RECORD_EDGES, NULL };
    struct record_options *o = &a->o;
    const int edge = word(edges, tree_text(a->root, "edge"));
    const int x = word(opt_unknowns, tree_text(a->root, "x"));
    const char *chip = text_of(a->root, "chip");

    o->of.o = &o->said;
    o->of.path = tree_text(a->root, "trace");
    o->of.clock = text_of(a->root, "clock");
    o->decode = !o->of.clock;
    o->of.edge = edge < 0 ? PC_EDGE_POS : (enum pc_edge)edge;
    o->said.post_edge = strcmp(tree_text(a->root, "sample"), "post-edge") == 0;
    o->said.x = x < 0 ? 0 : x;
    o->stop.text = text_of(a->root, "stop");
    o->program = text_of(a->root, "program");
    o->has_chip = o->slots = chip != NULL;
    o->of.chip = chip ? pc_chip_find(chip) : NULL;
    o->is_short = strcmp(tree_text(a->root, "packet_format"), "SHORT") == 0;
    o->clock_hz = tree_real(a->root, "clock_hz");
    o->of.window.from.text = text_of(a->root, "from");
    o->of.window.to.text = text_of(a->root, "to");
    if ((chip || o->program) && !o->of.chip)
        return no(a, 1701, "\"%.60s\" is not the name of a chip", chip ? chip : "");
    if (!o->decode && (edge < 0 || x < 0 || !o->stop.text))
        return no(a, 1701, "a report of a waveform without edge, x and stop");
    read_times(a);
    return read_events(a);
}

/* Finds whether each row is a packet, and which domains there are. */
static uint32_t find_domains(struct again *a)
{
    const struct rep_tree *list = tree_value(a->root, "rows", TREE_LIST);
    uint32_t domains = 0;

    for (size_t i = 0; list && i < list->children; i++) {
        a->o.packets |= strcmp(tree_text(&list->child[i], "kind"), "packet") == 0 ||
                        tree_value(&list->child[i], "domain", TREE_INT);
        domains |= UINT32_C(1) << count_of(&list->child[i], "domain") % PC_MAX_DOMAINS;
    }
    for (size_t n = 0; n < a->o.of.events; n++)
        domains |= UINT32_C(1) << a->o.of.event[n].domain;
    return a->o.packets && a->o.of.events == 0 ? domains : domains | (a->o.of.events == 0);
}

/* --- rows --- */

static int read_counts(struct again *a, const struct rep_tree *item, struct kept *k)
{
    const struct rep_tree *c = tree_item(item, "events", 0);
    size_t i = 0;

    for (size_t n = 0; n < a->o.of.events; n++) {
        k->count[n] = (struct record_count){ .state = STAT_EXACT };
        if (!record_in_row(&a->sheet, &k->row, n))
            continue;
        const int state = c ? word(record_states, tree_text(c, "state")) : -1;
        if (state < 0 || strcmp(tree_text(c, "name"), a->o.of.event[n].name) != 0)
            return no(a, 1701, "the events of row %" PRIu64 " are not those of the report",
                      count_of(item, "row"));
        k->count[n] =
            (struct record_count){ .value = count_of(c, "value"), .state = (enum stat_state)state };
        c = tree_item(item, "events", ++i);
    }
    return c ? no(a, 1701, "row %" PRIu64 " has more events than the report", count_of(item, "row"))
             : CLI_OK;
}

/* Reads a time as a whole number of the waveform's units; false: it has more digits than that. */
static bool read_ticks(const struct again *a, const struct rep_tree *item, const char *name,
                       uint64_t *out)
{
    const double units = tree_real(item, name) / a->times.unit.seconds;
    const struct rep_tree *node = tree_member(item, name);

    *out = UINT64_MAX;
    if (!a->times.known || !node || node->what == TREE_NULL)
        return true;
    if (!(units >= 0 && units < (double)STAT_LONG_TIME))
        return false;
    *out = (uint64_t)(units + 0.5);
    return true;
}

static int read_row(struct again *a, const struct rep_tree *item, struct kept *k)
{
    const int kind = word(record_kinds, tree_text(item, "kind"));
    const int state = word(record_states, tree_text(item, "stop_state"));
    const uint64_t number = count_of(item, "row");
    uint64_t length;

    if (kind < 0 || state < 0 || tree_count(item, "domain") >= PC_MAX_DOMAINS ||
        tree_count(item, "first_cycle") + tree_count(item, "cycles") > (tree_int)INT64_MAX)
        return no(a, 1701, "row %" PRIu64 " has a kind, state, domain or cycles that no row has",
                  number);
    k->row = (struct record_row){ .kind = (enum record_kind)kind,
                                  .domain = (unsigned)count_of(item, "domain"),
                                  .when.first = count_of(item, "first_cycle"),
                                  .when.cycles = count_of(item, "cycles"),
                                  .stops = count_of(item, "stops"),
                                  .stop_state = (enum stat_state)state,
                                  .count = k->count };
    if (a->o.packets ? kind == RECORD_PERIOD : kind == RECORD_PACKET)
        return no(
            a, 1703,
            "some rows are packets, others are periods: make all parts with --packets, or without");
    if (!read_ticks(a, item, "time", &k->row.ticks) || !read_ticks(a, item, "seconds", &length))
        return no(a, 1703, "row %" PRIu64 " has a time below 0 or of more than 15 digits", number);
    k->to = length == UINT64_MAX || k->row.ticks == UINT64_MAX ? UINT64_MAX : k->row.ticks + length;
    return read_counts(a, item, k);
}

static uint64_t end_of(const struct kept *k)
{
    return k->row.when.first + k->row.when.cycles;
}

/* Prints a row, which is after those of its domain. */
static int put(struct again *a, struct kept *k)
{
    const unsigned d = a->o.packets ? k->row.domain : 0;
    const bool timed = k->row.ticks != UINT64_MAX;

    if (k->row.when.first < a->end[d] || (timed && k->row.ticks < a->last[d]))
        return no(a, 1701, "the row of cycle %" PRIu64 " is not after the one before it",
                  k->row.when.first);
    a->end[d] = end_of(k);
    a->last[d] = timed ? k->row.ticks : a->last[d];
    record_sheet_row(&a->sheet, &k->row, k->to);
    return a->sheet.code;
}

/* Removes one of those that may go on. */
static void drop(struct again *a, size_t i)
{
    struct record_count *count = a->rest[i].count;

    a->rests--;
    memmove(&a->rest[i], &a->rest[i + 1], (a->rests - i) * sizeof *a->rest);
    a->rest[a->rests].count = count;
}

/* Makes one row of what a cut left over and of the row that goes on. */
static int join(const struct again *a, const struct kept *rest, struct kept *k)
{
    for (size_t n = 0; n < a->o.of.events; n++) {
        struct record_count *c = &k->count[n];
        c->value += rest->count[n].value;
        c->state = rest->count[n].state > c->state ? rest->count[n].state : c->state;
        if (a->o.packets && c->value >= PC_PACKET_FLUSH)
            return no(
                a, 1703,
                "the packet that is cut at cycle %" PRIu64 " has %" PRIu64
                " of %.60s, and a counter sends it at 61440: make the parts without --packets",
                k->row.when.first, c->value, a->o.of.event[n].name);
    }
    k->row.stop_state =
        rest->row.stop_state > k->row.stop_state ? rest->row.stop_state : k->row.stop_state;
    k->row.when.cycles += rest->row.when.cycles;
    k->row.when.first = rest->row.when.first;
    k->row.ticks = rest->row.ticks;
    return CLI_OK;
}

/* Joins the row with what the part before left over, if it goes on there. */
static int go_on(struct again *a, struct kept *k)
{
    int code = CLI_OK;

    while (a->rests > 0 && end_of(&a->rest[0]) < k->row.when.first && code == CLI_OK) {
        code = put(a, &a->rest[0]);
        drop(a, 0);
    }
    for (size_t i = 0; i < a->rests && code == CLI_OK; i++) {
        const struct kept *rest = &a->rest[i];
        if ((a->o.packets && rest->row.domain != k->row.domain) ||
            end_of(rest) != k->row.when.first)
            continue;
        code = join(a, rest, k);
        drop(a, i);
        break;
    }
    return code;
}

/* Keeps a row that may go on. */
static int keep(struct again *a, const struct kept *k)
{
    if (a->rests == PC_MAX_DOMAINS)
        return no(a, 1701, "more rows after the last STOP than there are domains");
    struct kept *to = &a->rest[a->rests++];
    struct record_count *count = to->count;

    *to = *k;
    to->count = memcpy(count, k->count, (a->o.of.events + 1) * sizeof *count);
    to->row.count = count;
    return CLI_OK;
}

static int put_rows(struct again *a)
{
    struct kept k = { .count = a->counts };
    const struct rep_tree *item;
    int code = CLI_OK;

    for (size_t i = 0; code == CLI_OK && (item = tree_item(a->root, "rows", i)) != NULL; i++) {
        code = read_row(a, item, &k);
        if (code == CLI_OK)
            code = go_on(a, &k);
        if (code == CLI_OK)
            code = k.row.kind == RECORD_REST ? keep(a, &k) : put(a, &k);
    }
    for (size_t i = 0; i < a->rests && code == CLI_OK; i++)
        code = put(a, &a->rest[i]);
    return code;
}

/* --- sums --- */

/* The sums are those of the rows, and say of how many cycles unknown inputs decide. */
static int take_sums(struct again *a)
{
    const struct rep_tree *sum;

    for (size_t n = 0; n < a->o.of.events; n++) {
        sum = tree_item(a->root, "sums", n);
        const int state = sum ? word(record_states, tree_text(sum, "state")) : -1;
        if (state < 0 || a->sheet.sum[n].value != count_of(sum, "value"))
            return no(a, 1701, "the rows do not add up to the sum of %.60s", a->o.of.event[n].name);
        a->sheet.sum[n].tainted = count_of(sum, "tainted_cycles");
        a->sheet.sum[n].state = (enum stat_state)state;
    }
    a->sheet.packets = count_of(a->root, "packets");
    a->sheet.bytes = count_of(a->root, "bytes");
    return CLI_OK;
}

int record_again(struct rep *rep, struct rep_tree *root, const char *path, size_t reports)
{
    struct again *a = calloc(1, sizeof *a);
    int code;

    if (!a)
        return cli_no_memory();
    *a = (struct again){ .root = root, .path = path };
    code = read_head(a);
    if (code == CLI_OK) {
        const uint32_t domains = find_domains(a);
        code = record_sheet_open(&a->sheet, rep, &a->o, a->o.decode ? NULL : &a->times, domains);
        a->sheet.reports = reports;
        a->sheet.parts = tree_value(root, "parts", TREE_LIST);
        record_sheet_begin(&a->sheet, count_of(root, "first_cycle"));
        if (code == CLI_OK)
            code = put_rows(a);
        if (code == CLI_OK)
            code = take_sums(a);
        if (code == CLI_OK)
            code = record_sheet_end(&a->sheet, count_of(root, "cycles"));
        else
            record_sheet_cut(&a->sheet, count_of(root, "cycles"));
        record_sheet_close(&a->sheet);
    }
    free(a->o.of.event);
    free(a->counts);
    free(a);
    return code;
}
