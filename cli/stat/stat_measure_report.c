/* SPDX-License-Identifier: MIT */
/* Reports measurements to programs: objects of JSON. */
#include "stat_machine.h"
#include "stat_report.h"
#include "report/report_dist.h"
#include "text/cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- trees --- */

enum { MOST_HIST = 400 }; /* values that JSON lists */

static const struct rep_field times = { .name = "times",
                                        .kind = REP_COUNT,
                                        .about = "how often the value was there" };

static const struct rep_field ranked_value = { .name = "value",
                                               .kind = REP_INT,
                                               .adds = REP_FOLLOWS,
                                               .about = "null: not known, or there is no value",
                                               .flags = REP_NULL };

/* Members of a distribution; those that are known late stand where they are told. */
#define DIST_FIELDS                                                                                \
    REP_DIST_FIELDS(REP_INT, REP_NULL),                                                            \
        { "distinct",                                                                              \
          REP_COUNT,                                                                               \
          .adds = REP_FOLLOWS,                                                                     \
          .unit = "count",                                                                         \
          .about = "more than 400 different values: how many; null: more than 1048576",            \
          .flags = REP_MAYBE | REP_NULL },                                                         \
        { "hist",                                                                                  \
          REP_MAP,                                                                                 \
          .adds = REP_ANY,                                                                         \
          .about = "up to 400 different values: how often each was there",                         \
          .flags = REP_MAYBE,                                                                      \
          .pattern = "^-?[0-9]+$",                                                                 \
          .value = &times },                                                                       \
        REP_PERCENTILE_FIELD(&ranked_value)
enum { DISTINCT = REP_DIST_CELLS, HIST, PERCENTILES, DIST_MEMBERS };

static const struct rep_field dist_fields[] = { DIST_FIELDS, { .name = NULL } };

/* Fields that the totals and an interval share. */
#define NAME_FIELD                                                                                 \
    {                                                                                              \
        "name", REP_TEXT, .adds = REP_KEY, .about = "its name"                                     \
    }
#define CLOCK_FIELD                                                                                \
    {                                                                                              \
        "clock", REP_TEXT, .adds = REP_SAME,                                                       \
                           .about = "the name of its clock, where clocks have names",              \
                           .flags = REP_MAYBE                                                      \
    }
#define SAMPLE_FIELDS                                                                              \
    { "unknown", REP_COUNT, .adds = REP_SUM, .unit = "count",                                      \
      .about = "samples with an unknown bit, which are in no figure" },                            \
        DIST_FIELDS,                                                                               \
        { "first", REP_INT, .adds = REP_FIRST, .about = "the first that is known; null: none is",  \
          .flags = REP_NULL },                                                                     \
        { "last", REP_INT, .adds = REP_LAST, .about = "the last that is known; null: none is",     \
          .flags = REP_NULL },                                                                     \
    {                                                                                              \
        "delta", REP_INT, .adds = REP_FOLLOWS, .about = "last - first; null: none is known",       \
                          .flags = REP_NULL                                                        \
    }
#define TAINTED_FIELD                                                                              \
    {                                                                                              \
        "tainted", REP_OBJECT, .about = "what depends on unknown values", .field = tainted_fields  \
    }
#define REST_FIELDS                                                                                \
    { "orphans", REP_COUNT, .adds = REP_SUM, .unit = "count",                                      \
      .about = "ends without an outstanding start" },                                              \
        { "unknown_id", REP_COUNT, .adds = REP_SUM, .unit = "count",                               \
          .about = "starts and ends whose identifier has an unknown bit" },                        \
        { "throughput",                                                                            \
          REP_NUMBER,                                                                              \
          .adds = REP_FOLLOWS,                                                                     \
          .unit = "count/cycle",                                                                   \
          .about = "completed per cycle; null: no cycle",                                          \
          .flags = REP_NULL },                                                                     \
        { "latency", REP_OBJECT, .unit = "cycles",                                                 \
          .about = "cycles from start to end, of those that were completed",                       \
          .field = dist_fields },                                                                  \
    {                                                                                              \
        "outstanding", REP_OBJECT,                                                                 \
            .unit = "count",                                                                       \
            .about =                                                                               \
                "number outstanding before each cycle; max: the largest number after a cycle",     \
            .field = dist_fields                                                                   \
    }

const struct rep_field stat_value_fields[] = {
    NAME_FIELD,
    CLOCK_FIELD,
    { "vector", REP_TEXT, .adds = REP_SAME, .about = "what it is the value of, as it was given" },
    { "signed", REP_BOOL, .adds = REP_SAME, .about = "true: its values have a sign" },
    SAMPLE_FIELDS,
    { .name = NULL },
};

const struct rep_field stat_interval_value_fields[] = {
    NAME_FIELD,
    SAMPLE_FIELDS,
    { .name = NULL },
};

static const struct rep_field vector = { .name = "vector", .kind = REP_TEXT, .about = "a vector" };
static const struct rep_field tainted_fields[] = {
    { "start", REP_COUNT, .adds = REP_SUM, .compares = REP_NOT,
      .about = "cycles in which unknown values decide whether it starts" },
    { "end", REP_COUNT, .adds = REP_SUM, .compares = REP_NOT, .about = "the same of the end" },
    { .name = NULL },
};

static const struct rep_field age = { "age", REP_COUNT, .about = "cycles" };

enum { BY = 4, TAINTED, LATENCY = 13, OUTSTANDING, BY_ID, ALL_IDS, OPEN_AGES = ALL_IDS + 5 };
const struct rep_field stat_latency_fields[] = {
    NAME_FIELD,
    CLOCK_FIELD,
    { "start", REP_TEXT, .adds = REP_SAME, .about = "what starts it, as it was given" },
    { "end", REP_TEXT, .adds = REP_SAME, .about = "what ends it" },
    { "by", REP_LIST, .adds = REP_SAME, .about = "the vectors that match ends with starts",
      .flags = REP_MAYBE, .value = &vector },
    TAINTED_FIELD,
    { "started", REP_COUNT, .adds = REP_SUM, .unit = "count", .about = "starts" },
    { "completed", REP_COUNT, .adds = REP_SUM, .unit = "count",
      .about = "starts that have an end" },
    { "aborted", REP_COUNT, .adds = REP_SUM, .unit = "count",
      .about = "starts that `until` or a reset dropped" },
    { "unfinished", REP_COUNT, .adds = REP_SUM, .unit = "count", .about = "starts without an end" },
    REST_FIELDS,
    { "by_id", REP_MAP, .adds = REP_ANY, .about = "the latencies of each identifier",
      .flags = REP_MAYBE, .pattern = "^[0-9]+$", .field = dist_fields,
      .item = "the latencies of an identifier" },
    { "all_ids", REP_BOOL, .adds = REP_BOTH,
      .about = "false: there were more identifiers, which are not listed", .flags = REP_MAYBE },
    { "cycle_seconds", REP_NUMBER, .adds = REP_SAME_OR_NULL,
      .about = "how long a cycle is, where the clock is regular; else null", .flags = REP_NULL },
    { "until", REP_TEXT, .adds = REP_SAME,
      .about = "the condition that drops what is in flight, as given", .flags = REP_MAYBE },
    { "reset", REP_TEXT, .adds = REP_SAME, .about = "of --reset", .flags = REP_MAYBE },
    { "expression", REP_TEXT, .adds = REP_FIRST,
      .about = "all of it, as it was given, without its name" },
    { "open_ages", REP_LIST, .adds = REP_DOWN,
      .about = "of those that are unfinished how many cycles ago they started, oldest first, 400 "
               "at most: no distribution has them",
      .value = &age },
    { .name = NULL },
};

const struct rep_field stat_interval_latency_fields[] = {
    NAME_FIELD,
    TAINTED_FIELD,
    { "started", REP_COUNT, .unit = "count", .about = "starts in this interval" },
    { "completed", REP_COUNT, .unit = "count",
      .about = "that ended in this interval, wherever they started" },
    { "unfinished", REP_COUNT, .unit = "count", .about = "starts that are outstanding at its end" },
    REST_FIELDS,
    { "aborted", REP_COUNT, .unit = "count",
      .about = "that `until` or a reset dropped in this interval" },
    { .name = NULL },
};

#define FULL_FIELDS                                                                                \
    { "full",                                                                                      \
      REP_NUMBER,                                                                                  \
      .adds = REP_FOLLOWS,                                                                         \
      .unit = "ratio",                                                                             \
      .about = "share of cycles at the capacity, or above it; null: no capacity was given",        \
      .flags = REP_NULL },                                                                         \
        { "full_cycles",           REP_COUNT,        .adds = REP_SUM, .unit = "cycles",            \
          .about = "these cycles", .flags = REP_NULL },                                            \
    {                                                                                              \
        "tainted", REP_COUNT, .adds = REP_SUM,                                                     \
                              .about = "cycles in which unknown values decide what comes or goes"  \
    }

enum { LEVEL_DIST = 4, FULL = LEVEL_DIST + DIST_MEMBERS };
const struct rep_field stat_level_fields[] = {
    NAME_FIELD,
    CLOCK_FIELD,
    { "level", REP_TEXT, .adds = REP_SAME, .about = "what comes in and goes out, as it was given" },
    { "capacity", REP_COUNT, .adds = REP_SAME, .about = "that at which it is full, if it was given",
      .flags = REP_MAYBE, .least = 1 },
    DIST_FIELDS,
    FULL_FIELDS,
    { .name = NULL },
};

enum { LEVEL_PART_DIST = 1, PART_FULL = LEVEL_PART_DIST + DIST_MEMBERS };
const struct rep_field stat_interval_level_fields[] = {
    NAME_FIELD,
    DIST_FIELDS,
    FULL_FIELDS,
    { .name = NULL },
};

/* --- JSON --- */

struct dist_cells {
    struct rep_dist dist;
    struct rep_cell cell[DIST_MEMBERS];
    bool listed; /* its values are */
};

static void find_cells(const struct stat_dist *dist, struct dist_cells *out)
{
    const struct pc_dist_figures *f = &dist->f;

    rep_dist_cells(f, rep_null(), false, &out->dist);
    memcpy(out->cell, out->dist.cell, sizeof out->dist.cell);
    out->listed = f->count == 0 || (f->complete && f->distinct <= MOST_HIST);
    out->cell[DISTINCT] = out->listed   ? rep_absent()
                          : f->complete ? rep_count(f->distinct)
                                        : rep_null();
    out->cell[HIST] = out->listed && f->count == 0 ? rep_empty() : rep_absent();
    out->cell[PERCENTILES] = rep_absent();
}

static void put_hist(struct rep *rep, unsigned field, struct pc_dist *dist, bool listed)
{
    char text[PC_WIDE_TEXT];
    struct pc_wide value;
    uint64_t count;

    for (size_t i = 0; listed && pc_dist_value(dist, i, &value, &count); i++) {
        pc_wide_text(value, text);
        rep_named(rep, field, text, rep_count(count));
    }
}

static void put_percentiles(struct rep *rep, unsigned field, const struct stat_dist *dist,
                            const struct rep_percentiles *p)
{
    rep_put_percentiles(rep, field, dist->dist, &dist->f, p);
}

/* most: instead of its largest value; NULL: that.  p: NULL, none are told. */
static void put_dist(struct rep *rep, unsigned field, const char *name,
                     const struct stat_dist *dist, const uint64_t *most,
                     const struct rep_percentiles *p)
{
    struct dist_cells d;

    find_cells(dist, &d);
    if (most)
        d.cell[REP_DIST_MAX] = rep_count(*most);
    rep_begin_named(rep, field, name, (struct rep_cells){ d.cell, DIST_MEMBERS });
    put_hist(rep, HIST, dist->dist, d.listed);
    put_percentiles(rep, PERCENTILES, dist, p);
    rep_end(rep);
}

/* first, last and delta; `end` has their digits. */
static void find_ends(const struct stat_measure *m, struct stat_figure end[3],
                      struct rep_cell cell[3])
{
    static const char *const ends[] = { "first", "last", "delta" };
    struct stat_figure figure;

    for (size_t i = 0; stat_figure_at(m, i, &figure); i++)
        for (unsigned k = 0; k < 3; k++)
            if (strcmp(figure.name, ends[k]) == 0) {
                end[k] = figure;
                cell[k] = figure.known ? rep_digits(end[k].text) : rep_null();
            }
}

static void put_value(struct rep *rep, const struct stat_measure *m, const char *clock)
{
    enum { DIST = 5, ENDS = DIST + DIST_MEMBERS, MEMBERS = ENDS + 3 };
    struct rep_cell cell[MEMBERS] = { rep_text(m->name), clock ? rep_text(clock) : rep_absent(),
                                      rep_text(m->piece[0].text), rep_bool(m->piece[0].is_signed),
                                      rep_count(m->out.unknown) };
    struct stat_figure end[3];
    struct dist_cells d;

    find_cells(&m->out.dist, &d);
    memcpy(cell + DIST, d.cell, sizeof d.cell);
    find_ends(m, end, cell + ENDS);
    rep_begin(rep, STAT_VALUES, (struct rep_cells){ cell, MEMBERS });
    put_hist(rep, DIST + HIST, m->out.dist.dist, d.listed);
    put_percentiles(rep, DIST + PERCENTILES, &m->out.dist, m->percentile);
    rep_end(rep);
}

static struct rep_cell throughput_of(const struct stat_out *o)
{
    return o->cycles ? rep_number((double)o->completed / (double)o->cycles, 15) : rep_null();
}

static void put_ids(struct rep *rep, const struct stat_measure *m)
{
    struct stat_dist d;
    struct pc_error err;
    char text[24];
    uint64_t id;

    for (size_t i = 0; m->pieces > 2 && (d.dist = pc_latency_of_id(m->latency, i, &id)); i++) {
        if (pc_dist_get_figures(d.dist, &d.f, &err)) /* stat_measure_end() has seen to it */
            continue;
        snprintf(text, sizeof text, "%" PRIu64, id);
        put_dist(rep, BY_ID, text, &d, NULL, m->percentile);
    }
}

static struct rep_cell drop_cell(const struct stat_measure *m, unsigned drop)
{
    return m->drop[drop].text ? rep_text(m->drop[drop].text) : rep_absent();
}

static void put_ages(struct rep *rep, struct pc_dist *ages)
{
    struct pc_dist_figures f;
    struct pc_wide value;
    uint64_t often, left = MOST_HIST;

    if (!ages || pc_dist_get_figures(ages, &f, NULL))
        return;
    for (size_t i = f.distinct; i > 0 && pc_dist_value(ages, i - 1, &value, &often); i--)
        for (; often > 0 && left > 0; often--, left--)
            rep_item(rep, OPEN_AGES, rep_count(value.low));
}

static void put_latency(struct rep *rep, const struct stat_measure *m, const char *clock)
{
    const struct stat_piece *p = m->piece;
    const struct stat_out *o = &m->out;
    struct pc_latency_figures f;

    pc_latency_get_figures(m->latency, &f);
    rep_begin(
        rep, STAT_LATENCIES,
        REP_CELLS(rep_text(m->name), clock ? rep_text(clock) : rep_absent(),
                  rep_text(p[STAT_START].text), rep_text(p[STAT_END].text),
                  [TAINTED + 1] = rep_count(o->started), rep_count(o->completed),
                  rep_count(o->aborted), rep_count(o->unfinished), rep_count(o->orphans),
                  rep_count(o->unknown_id),
                  throughput_of(o), [ALL_IDS] = m->pieces > 2 ? rep_bool(f.all_ids) : rep_absent(),
                  m->cycle_seconds > 0 ? rep_number(m->cycle_seconds, 15) : rep_null(),
                  drop_cell(m, STAT_UNTIL), drop_cell(m, STAT_RESET), rep_text(m->text)));
    for (unsigned k = STAT_START_ID; k < m->pieces; k++)
        rep_item(rep, BY, rep_text(p[k].text));
    rep_row(rep, TAINTED, REP_CELLS(rep_count(o->tainted[0]), rep_count(o->tainted[1])));
    put_dist(rep, LATENCY, NULL, &o->dist, NULL, m->percentile);
    put_dist(rep, OUTSTANDING, NULL, &o->outstanding, &o->most, m->percentile);
    put_ids(rep, m);
    put_ages(rep, o->ages);
    rep_end(rep);
}

/* full, full_cycles and tainted */
static void find_full(const struct stat_measure *m, struct rep_cell cell[3])
{
    const uint64_t count = m->out.dist.f.count;
    const bool known = m->capacity > 0;

    cell[0] = known && count ? rep_number((double)m->out.full / (double)count, 15) : rep_null();
    cell[1] = known ? rep_count(m->out.full) : rep_null();
    cell[2] = rep_count(m->out.tainted[0]);
}

/* Puts a level into a list: its distribution from cell `dist` on, its share at full from `full` on.
 */
static void put_level_into(struct rep *rep, unsigned list, const struct stat_measure *m,
                           struct rep_cell *cell, unsigned dist, unsigned full)
{
    struct dist_cells d;

    find_cells(&m->out.dist, &d);
    memcpy(cell + dist, d.cell, sizeof d.cell);
    find_full(m, cell + full);
    rep_begin(rep, list, (struct rep_cells){ cell, full + 3 });
    put_hist(rep, dist + HIST, m->out.dist.dist, d.listed);
    put_percentiles(rep, dist + PERCENTILES, &m->out.dist, m->percentile);
    rep_end(rep);
}

static void put_level(struct rep *rep, const struct stat_measure *m, const char *clock)
{
    struct rep_cell cell[FULL + 3] = { rep_text(m->name), clock ? rep_text(clock) : rep_absent(),
                                       rep_text(m->text),
                                       m->capacity ? rep_count(m->capacity) : rep_absent() };

    put_level_into(rep, STAT_LEVELS, m, cell, LEVEL_DIST, FULL);
}

/* --- JSON of an interval --- */

static void put_level_of_interval(struct rep *rep, const struct stat_measure *m)
{
    struct rep_cell cell[PART_FULL + 3] = { rep_text(m->name) };

    put_level_into(rep, STAT_INTERVAL_LEVELS, m, cell, LEVEL_PART_DIST, PART_FULL);
}

static void put_value_of_interval(struct rep *rep, const struct stat_measure *m)
{
    enum { DIST = 2, ENDS = DIST + DIST_MEMBERS, MEMBERS = ENDS + 3 };
    struct rep_cell cell[MEMBERS] = { rep_text(m->name), rep_count(m->out.unknown) };
    struct stat_figure end[3];
    struct dist_cells d;

    find_cells(&m->out.dist, &d);
    memcpy(cell + DIST, d.cell, sizeof d.cell);
    find_ends(m, end, cell + ENDS);
    rep_begin(rep, STAT_INTERVAL_VALUES, (struct rep_cells){ cell, MEMBERS });
    put_hist(rep, DIST + HIST, m->out.dist.dist, d.listed);
    put_percentiles(rep, DIST + PERCENTILES, &m->out.dist, m->percentile);
    rep_end(rep);
}

static void put_latency_of_interval(struct rep *rep, const struct stat_measure *m)
{
    enum { TAINTED_HERE = 1, DIST = 8 };
    const struct stat_out *o = &m->out;

    rep_begin(rep, STAT_INTERVAL_LATENCIES,
              REP_CELLS(rep_text(m->name), [TAINTED_HERE + 1] = rep_count(o->started),
                        rep_count(o->completed), rep_count(o->unfinished), rep_count(o->orphans),
                        rep_count(o->unknown_id), throughput_of(o),
                        [DIST + 2] = rep_count(o->aborted)));
    rep_row(rep, TAINTED_HERE, REP_CELLS(rep_count(o->tainted[0]), rep_count(o->tainted[1])));
    put_dist(rep, DIST, NULL, &o->dist, NULL, m->percentile);
    put_dist(rep, DIST + 1, NULL, &o->outstanding, &o->most, m->percentile);
    rep_end(rep);
}

const char *stat_measure_word(const struct stat_measure *m)
{
    static const char *const words[] = { [STAT_VALUE] = "value",
                                         [STAT_LATENCY] = "latency",
                                         [STAT_STATES] = "states",
                                         [STAT_LEVEL] = "level" };

    return words[m->kind];
}

/* The order of their lists */
static const enum stat_measure_kind lists[] = { STAT_VALUE, STAT_LATENCY, STAT_STATES, STAT_LEVEL };

void stat_measure_put_interval(struct rep *rep, const struct stat_job *j)
{
    static void (*const put[])(struct rep * rep, const struct stat_measure *m) = {
        [STAT_VALUE] = put_value_of_interval,
        [STAT_LATENCY] = put_latency_of_interval,
        [STAT_STATES] = stat_machine_put_interval,
        [STAT_LEVEL] = put_level_of_interval
    };
    const struct stat_measures *all = &j->measures;

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (size_t i = 0; i < all->count; i++)
            if (all->item[i].kind == lists[k])
                put[lists[k]](rep, &all->item[i]);
}

void stat_measure_put(struct rep *rep, const struct stat_job *j)
{
    static void (*const put[])(struct rep * rep, const struct stat_measure *m,
                               const char *clock) = { [STAT_VALUE] = put_value,
                                                      [STAT_LATENCY] = put_latency,
                                                      [STAT_STATES] = stat_machine_put,
                                                      [STAT_LEVEL] = put_level };
    const struct stat_measures *all = &j->measures;

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (size_t i = 0; i < all->count; i++)
            if (all->item[i].kind == lists[k])
                put[lists[k]](rep, &all->item[i], stat_clock_name(j, all->item[i].clock));
}
