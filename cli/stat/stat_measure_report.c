/* SPDX-License-Identifier: MIT */
/* What --value and --latency tell: tables of figures, histograms, objects of JSON. */
#include "stat_report.h"
#include "text/cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- trees --- */

enum { MOST_HIST = 400 }; /* values that JSON lists */

static const struct rep_field times = { .name = "times",
                                        .kind = REP_COUNT,
                                        .about = "how often the value was there" };

#define UNKNOWN_TOO "; null: not known, or there is no value"
/* Members of a distribution; those that are known late stand where they are told. */
#define DIST_FIELDS                                                                                \
    { "count", REP_COUNT, .about = "values that were there" },                                     \
        { "sum", REP_INT, .about = "their sum, exact" },                                           \
        { "min", REP_INT, .about = "the smallest" UNKNOWN_TOO, .flags = REP_NULL },                \
        { "mean", REP_NUMBER, .about = "sum / count" UNKNOWN_TOO, .flags = REP_NULL },             \
        { "p50", REP_INT, .about = "nearest rank: a value that was there" UNKNOWN_TOO,             \
          .flags = REP_NULL },                                                                     \
        { "p90", REP_INT, .about = "the same of 90 %" UNKNOWN_TOO, .flags = REP_NULL },            \
        { "p99", REP_INT, .about = "the same of 99 %" UNKNOWN_TOO, .flags = REP_NULL },            \
        { "max", REP_INT, .about = "the largest" UNKNOWN_TOO, .flags = REP_NULL },                 \
        { "distinct", REP_COUNT,                                                                   \
          .about = "more than 400 different values: how many; null: more than 1048576",            \
          .flags = REP_MAYBE | REP_NULL },                                                         \
    {                                                                                              \
        "hist", REP_MAP, .about = "up to 400 different values: how often each was there",          \
                         .flags = REP_MAYBE, .pattern = "^-?[0-9]+$", .value = &times              \
    }
enum { MIN = 2, MAX = 7, DISTINCT, HIST, DIST_MEMBERS };

static const struct rep_field dist_fields[] = { DIST_FIELDS, { .name = NULL } };

const struct rep_field stat_value_fields[] = {
    { "name", REP_TEXT, .about = "its name" },
    { "clock", REP_TEXT, .about = "the name of its clock, where clocks have names",
      .flags = REP_MAYBE },
    { "vector", REP_TEXT, .about = "what it is the value of, as it was given" },
    { "signed", REP_BOOL, .about = "true: its values have a sign" },
    { "unknown", REP_COUNT, .about = "samples with an unknown bit, which are in no figure" },
    DIST_FIELDS,
    { "first", REP_INT, .about = "the first that is known; null: none is", .flags = REP_NULL },
    { "last", REP_INT, .about = "the last that is known; null: none is", .flags = REP_NULL },
    { "delta", REP_INT, .about = "last - first; null: none is known", .flags = REP_NULL },
    { .name = NULL },
};

static const struct rep_field vector = { .name = "vector", .kind = REP_TEXT, .about = "a vector" };
static const struct rep_field tainted_fields[] = {
    { "start", REP_COUNT, .about = "cycles in which unknown values decide whether it starts" },
    { "end", REP_COUNT, .about = "the same of the end" },
    { .name = NULL },
};

enum { BY = 4, TAINTED, LATENCY = 13, OUTSTANDING, BY_ID, ALL_IDS };
const struct rep_field stat_latency_fields[] = {
    { "name", REP_TEXT, .about = "its name" },
    { "clock", REP_TEXT, .about = "the name of its clock, where clocks have names",
      .flags = REP_MAYBE },
    { "start", REP_TEXT, .about = "what starts it, as it was given" },
    { "end", REP_TEXT, .about = "what ends it" },
    { "by", REP_LIST, .about = "the vectors that tell which end belongs to which start",
      .flags = REP_MAYBE, .value = &vector },
    { "tainted", REP_OBJECT, .about = "what depends on unknown values", .field = tainted_fields },
    { "started", REP_COUNT, .about = "starts" },
    { "completed", REP_COUNT, .about = "starts that have an end" },
    { "aborted", REP_COUNT, .about = "starts that were given up: none, no reset is looked at" },
    { "unfinished", REP_COUNT, .about = "starts without an end" },
    { "orphans", REP_COUNT, .about = "ends with nothing open" },
    { "unknown_id", REP_COUNT, .about = "starts and ends whose identifier has an unknown bit" },
    { "throughput", REP_NUMBER, .about = "completed a cycle; null: there is no cycle",
      .flags = REP_NULL },
    { "latency", REP_OBJECT, .about = "cycles from start to end, of those that were completed",
      .field = dist_fields },
    { "outstanding", REP_OBJECT,
      .about = "how many were open before each cycle; max: after one, at most",
      .field = dist_fields },
    { "by_id", REP_MAP, .about = "the latencies of each identifier", .flags = REP_MAYBE,
      .pattern = "^[0-9]+$", .field = dist_fields, .item = "the latencies of an identifier" },
    { "all_ids", REP_BOOL, .about = "false: there were more identifiers, which are not listed",
      .flags = REP_MAYBE },
    { "cycle_seconds", REP_NUMBER,
      .about = "how long a cycle is, where the clock is regular; else null", .flags = REP_NULL },
    { .name = NULL },
};

/* --- JSON --- */

struct dist_cells {
    char text[DIST_MEMBERS][PC_WIDE_TEXT];
    struct rep_cell cell[DIST_MEMBERS];
    bool listed; /* its values are */
};

static struct rep_cell wide_cell(struct pc_wide value, char text[PC_WIDE_TEXT])
{
    pc_wide_text(value, text);
    return rep_digits(text);
}

static void find_cells(struct pc_dist *dist, struct dist_cells *out)
{
    struct pc_dist_figures f = { .count = 0 };
    struct pc_error err;

    (void)!pc_dist_get_figures(dist, &f, &err); /* stat_measure_end() has seen to it */
    const bool some = f.count > 0, ranks = some && f.complete;
    const struct pc_wide ranked[] = { f.p50, f.p90, f.p99 };
    out->cell[0] = rep_count(f.count);
    out->cell[1] = wide_cell(f.sum, out->text[1]);
    out->cell[MIN] = some ? wide_cell(f.min, out->text[MIN]) : rep_null();
    out->cell[MIN + 1] = some ? rep_number(f.mean, 15) : rep_null();
    for (unsigned i = 0; i < 3; i++)
        out->cell[MIN + 2 + i] = ranks ? wide_cell(ranked[i], out->text[MIN + 2 + i]) : rep_null();
    out->cell[MAX] = some ? wide_cell(f.max, out->text[MAX]) : rep_null();
    out->listed = !some || (f.complete && f.distinct <= MOST_HIST);
    out->cell[DISTINCT] = out->listed  ? rep_absent()
                          : f.complete ? rep_count(f.distinct)
                                       : rep_null();
    out->cell[HIST] = out->listed && !some ? rep_empty() : rep_absent();
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

/* most: instead of its largest value; NULL: that. */
static void put_dist(struct rep *rep, unsigned field, const char *name, struct pc_dist *dist,
                     const uint64_t *most)
{
    struct dist_cells d;

    find_cells(dist, &d);
    if (most)
        d.cell[MAX] = rep_count(*most);
    rep_begin_named(rep, field, name, (struct rep_cells){ d.cell, DIST_MEMBERS });
    put_hist(rep, HIST, dist, d.listed);
    rep_end(rep);
}

static void put_value(struct rep *rep, const struct stat_measure *m, const char *clock)
{
    static const char *const ends[] = { "first", "last", "delta" };
    enum { DIST = 5, ENDS = DIST + DIST_MEMBERS, MEMBERS = ENDS + 3 };
    struct rep_cell cell[MEMBERS] = { rep_text(m->name), clock ? rep_text(clock) : rep_absent(),
                                      rep_text(m->piece[0].text), rep_bool(m->piece[0].is_signed),
                                      rep_count(pc_values_unknown(m->values)) };
    struct stat_figure f[3], figure;
    struct dist_cells d;

    find_cells(pc_values_dist(m->values), &d);
    memcpy(cell + DIST, d.cell, sizeof d.cell);
    for (size_t i = 0; stat_figure_at(m, i, &figure); i++)
        for (unsigned k = 0; k < 3; k++)
            if (strcmp(figure.name, ends[k]) == 0) {
                f[k] = figure;
                cell[ENDS + k] = figure.known ? rep_digits(f[k].text) : rep_null();
            }
    rep_begin(rep, STAT_VALUES, (struct rep_cells){ cell, MEMBERS });
    put_hist(rep, DIST + HIST, pc_values_dist(m->values), d.listed);
    rep_end(rep);
}

static void put_latency(struct rep *rep, const struct stat_measure *m, const char *clock)
{
    const struct stat_piece *p = m->piece;
    struct pc_latency_figures f;
    struct pc_dist *dist;
    char id_text[24];
    uint64_t id;

    pc_latency_get_figures(m->latency, &f);
    rep_begin(
        rep, STAT_LATENCIES,
        REP_CELLS(rep_text(m->name), clock ? rep_text(clock) : rep_absent(),
                  rep_text(p[STAT_START].text), rep_text(p[STAT_END].text),
                  [TAINTED + 1] = rep_count(f.started), rep_count(f.completed), rep_count(0),
                  rep_count(f.unfinished), rep_count(f.orphans), rep_count(f.unknown_id),
                  m->cycles ? rep_number((double)f.completed / (double)m->cycles, 15) : rep_null(),
                  [ALL_IDS] = m->pieces > 2 ? rep_bool(f.all_ids) : rep_absent(),
                  m->cycle_seconds > 0 ? rep_number(m->cycle_seconds, 15) : rep_null()));
    for (unsigned k = STAT_START_ID; k < m->pieces; k++)
        rep_item(rep, BY, rep_text(p[k].text));
    rep_row(rep, TAINTED,
            REP_CELLS(rep_count(p[STAT_START].tainted), rep_count(p[STAT_END].tainted)));
    put_dist(rep, LATENCY, NULL, pc_latency_dist(m->latency), NULL);
    put_dist(rep, OUTSTANDING, NULL, pc_latency_outstanding(m->latency), &f.most_outstanding);
    for (size_t i = 0; m->pieces > 2 && (dist = pc_latency_of_id(m->latency, i, &id)); i++) {
        snprintf(id_text, sizeof id_text, "%" PRIu64, id);
        put_dist(rep, BY_ID, id_text, dist, NULL);
    }
    rep_end(rep);
}

void stat_measure_put(struct rep *rep, const struct stat_job *j)
{
    const struct stat_measures *all = &j->measures;

    for (size_t i = 0; i < all->count; i++)
        if (all->item[i].kind == STAT_VALUE)
            put_value(rep, &all->item[i], stat_clock_name(j, all->item[i].clock));
    for (size_t i = 0; i < all->count; i++)
        if (all->item[i].kind == STAT_LATENCY)
            put_latency(rep, &all->item[i], stat_clock_name(j, all->item[i].clock));
}

/* --- histograms --- */

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static wide to_wide(struct pc_wide v)
{
    return (wide)((unsigned_wide)(uint64_t)v.high << 64 | v.low);
}

static struct pc_wide from_wide(wide v)
{
    return (struct pc_wide){ .low = (uint64_t)v, .high = (int64_t)(v >> 64) };
}

/* "12", "4..7" */
static void name_bucket(wide low, wide high, char out[STAT_BUCKET])
{
    char a[PC_WIDE_TEXT], b[PC_WIDE_TEXT];

    pc_wide_text(from_wide(low), a);
    pc_wide_text(from_wide(high), b);
    if (low == high)
        snprintf(out, STAT_BUCKET, "%s", a);
    else
        snprintf(out, STAT_BUCKET, "%s..%s", a, b);
}

/* Up to so many different values as they are, of more that many equal pieces of their range. */
static size_t find_buckets(struct pc_dist *dist, struct stat_bucket out[STAT_BUCKETS])
{
    struct pc_dist_figures f;
    struct pc_error err;
    struct pc_wide value;
    uint64_t count;

    if (pc_dist_get_figures(dist, &f, &err) || f.count == 0 || !f.complete)
        return 0;
    const wide low = to_wide(f.min), high = to_wide(f.max);
    const bool each = f.distinct <= STAT_BUCKETS;
    const wide width = each ? 1 : (high - low) / STAT_BUCKETS + 1;
    const size_t n = each ? f.distinct : (size_t)((high - low) / width) + 1;
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct stat_bucket){ .count = 0 };
        if (!each)
            name_bucket(low + (wide)i * width, i + 1 < n ? low + (wide)(i + 1) * width - 1 : high,
                        out[i].text);
    }
    for (size_t i = 0; pc_dist_value(dist, i, &value, &count); i++) {
        const wide v = to_wide(value);
        struct stat_bucket *b = &out[each ? i : (size_t)((v - low) / width)];
        b->count += count;
        b->share += (double)count / (double)f.count;
        if (each)
            name_bucket(v, v, b->text);
    }
    return n;
}

void stat_measure_buckets(const struct stat_job *j, stat_bucket_fn *tell, void *ctx)
{
    struct stat_bucket bucket[STAT_BUCKETS];
    char name[600];

    for (size_t i = 0; j->measures.histogram && i < j->measures.count; i++) {
        const struct stat_measure *m = &j->measures.item[i];
        struct pc_dist *dist[2] = {
            m->kind == STAT_VALUE ? pc_values_dist(m->values) : pc_latency_dist(m->latency),
            m->kind == STAT_VALUE ? NULL : pc_latency_outstanding(m->latency)
        };
        for (unsigned k = 0; k < 2 && dist[k]; k++) {
            snprintf(name, sizeof name, "%s%s", m->name, k ? ".outstanding" : "");
            tell(ctx, m, name, bucket, find_buckets(dist[k], bucket));
        }
    }
}

static void print_buckets(void *ctx, const struct stat_measure *m, const char *name,
                          const struct stat_bucket *bucket, size_t count)
{
    static const char bar[] = "########################################";
    FILE *out = ctx;
    int width[2] = { 0, 0 };
    double most = 0;

    (void)m;
    fputc('\n', out);
    cli_print_name(out, name);
    fputs(count ? "\n" : ": no value, or too many different ones\n", out);
    for (size_t i = 0; i < count; i++) {
        width[0] = cli_larger(width[0], (int)strlen(bucket[i].text));
        width[1] = cli_larger(width[1], (int)strlen(cli_grouped(bucket[i].count)));
        most = bucket[i].share > most ? bucket[i].share : most;
    }
    for (size_t i = 0; i < count; i++) {
        const int length = (int)((double)(sizeof bar - 1) * bucket[i].share / most + 0.5);
        fprintf(out, "  %*s  %*s  %6.2f %%%s%.*s\n", width[0], bucket[i].text, width[1],
                cli_grouped(bucket[i].count), 100 * bucket[i].share, length ? "  " : "", length,
                bar);
    }
}

/* --- tables of text --- */

enum { COLUMNS = 13, ROWS = 2 * STAT_MOST_MEASURES + 1 };
struct table {
    const char *name[ROWS]; /* "": none */
    char cell[ROWS][COLUMNS][CLI_QUANTITY];
    size_t rows, columns;
};

/* "-1234567" as "-1,234,567" */
static void group(const char *digits, char out[CLI_QUANTITY])
{
    const bool minus = digits[0] == '-';
    const size_t n = strlen(digits + minus);
    size_t used = 0;

    if (minus)
        out[used++] = '-';
    for (size_t i = 0; i < n && used + 2 < CLI_QUANTITY; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[minus + i];
    }
    out[used] = '\0';
}

static void set_cell(struct table *t, size_t column, const struct stat_figure *f)
{
    char *cell = t->cell[t->rows][column];

    if (!f->known)
        snprintf(cell, CLI_QUANTITY, "-");
    else if (f->text[strspn(f->text, "-0123456789")] == '\0')
        group(f->text, cell);
    else
        cli_quantity_digits(f->number, "", 4, false, cell);
}

/* The figures of one by their names. */
static void add_row(struct table *t, const struct stat_measure *m, const char *const *names)
{
    struct stat_figure f;

    t->name[t->rows] = m->name;
    for (size_t i = 0; stat_figure_at(m, i, &f); i++)
        for (size_t c = 0; names[c]; c++)
            if (strcmp(names[c], f.name) == 0)
                set_cell(t, c, &f);
    t->rows++;
}

/* The same in time, of those that are cycles. */
static void add_times(struct table *t, const struct stat_measure *m, const char *const *names)
{
    struct stat_figure f;

    if (!(m->cycle_seconds > 0))
        return;
    t->name[t->rows] = "";
    for (size_t i = 0; stat_figure_at(m, i, &f); i++)
        for (size_t c = 0; names[c]; c++)
            if (strcmp(names[c], f.name) == 0 && strcmp(f.unit, "cycles") == 0 && f.known)
                cli_quantity_digits(f.number * m->cycle_seconds, "s", 6, false,
                                    t->cell[t->rows][c]);
    t->rows++;
}

static void print_table(FILE *out, const struct table *t, const char *head,
                        const char *const *heads)
{
    int first = (int)strlen(head), width[COLUMNS] = { 0 };

    for (size_t r = 0; r < t->rows; r++)
        first = cli_larger(first, (int)cli_columns(t->name[r]));
    for (size_t c = 0; heads[c]; c++) {
        width[c] = (int)strlen(heads[c]);
        for (size_t r = 0; r < t->rows; r++)
            width[c] = cli_larger(width[c], (int)cli_columns(t->cell[r][c]));
    }
    fprintf(out, "\n%-*s", first, head);
    for (size_t c = 0; heads[c]; c++)
        fprintf(out, "  %*s", width[c], heads[c]);
    fputc('\n', out);
    for (size_t r = 0; r < t->rows; r++) {
        size_t last = 0;
        for (size_t c = 0; heads[c]; c++)
            last = t->cell[r][c][0] ? c + 1 : last;
        cli_print_padded(out, t->name[r], (size_t)first);
        for (size_t c = 0; c < last; c++)
            cli_print_right(out, t->cell[r][c], width[c] + 2);
        fputc('\n', out);
    }
}

static void print_kind(FILE *out, const struct stat_job *j, enum stat_measure_kind kind)
{
    static const char *const figures[][COLUMNS] = {
        { "count", "unknown", "min", "mean", "p50", "p90", "p99", "max", "sum", "first", "last",
          "delta", NULL },
        { "completed", "min", "mean", "p50", "p90", "p99", "max", "outstanding.mean",
          "outstanding.max", "unfinished", "orphans", "unknown_id", NULL }
    };
    static const char *const heads[][COLUMNS] = {
        { "samples", "unknown", "min", "mean", "p50", "p90", "p99", "max", "sum", "first", "last",
          "delta", NULL },
        { "completed", "min", "mean", "p50", "p90", "p99", "max", "mean open", "most open",
          "unfinished", "orphans", "unknown ids", NULL }
    };
    const struct stat_measures *all = &j->measures;
    struct table *t = all->table; /* one at a time */

    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < all->count; i++) {
        if (all->item[i].kind != kind)
            continue;
        add_row(t, &all->item[i], figures[kind]);
        if (kind == STAT_LATENCY)
            add_times(t, &all->item[i], figures[kind]);
    }
    if (t->rows > 0)
        print_table(out, t, kind == STAT_VALUE ? "value" : "latency, cycles", heads[kind]);
}

static void print_tainted(FILE *out, const struct stat_measures *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct stat_measure *m = &all->item[i];
        const uint64_t cycles = m->kind == STAT_VALUE
                                    ? pc_values_unknown(m->values)
                                    : m->piece[STAT_START].tainted + m->piece[STAT_END].tainted;
        if (cycles == 0)
            continue;
        fputs("tainted: ", out);
        cli_print_name(out, m->name);
        fprintf(out,
                m->kind == STAT_VALUE ? ": unknown in %s, which are in no figure\n"
                                      : ": unknown inputs matter in %s of its start or end\n",
                cli_count(cycles, m->kind == STAT_VALUE ? "sample" : "cycle"));
    }
}

size_t stat_measure_table_size(void)
{
    return sizeof(struct table);
}

void stat_measure_text(FILE *out, const struct stat_job *j)
{
    if (j->measures.count == 0)
        return;
    print_kind(out, j, STAT_VALUE);
    print_kind(out, j, STAT_LATENCY);
    print_tainted(out, &j->measures);
    stat_measure_buckets(j, print_buckets, out);
}
