/* SPDX-License-Identifier: MIT */
/*
 * Which column of a CSV is the time: that of such a name, that with a unit of time below its name,
 * or the first one where its cells say so.  What looks like a time and is not used is warned about.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <string.h>

#define ROWS_OF_A_TREND 3 /* two numbers grow as often as not */

static bool is_called(const struct csv_names *n, size_t field, const char *name)
{
    const struct csv_field *f = &n->field[field];

    return f->length == strlen(name) && memcmp(n->text + f->at, name, f->length) == 0;
}

static bool is_plainly(const struct csv_names *n, size_t field, const char *name)
{
    char plain[64];

    return csv_plain(n->text + n->field[field].at, n->field[field].length, plain) > 0 &&
           strcmp(plain, name) == 0;
}

/* ---- a row of units ---- */

struct csv_unit csv_unit_of(const struct csv *c, const struct csv_names *n, size_t field)
{
    return csv_unit_at(n->units, n->units_length, c->separator, field);
}

/* Reads Rigol's form: the rows are numbered, the last two columns have begin and step of times. */
static void take_sequence(struct csv *c, const struct csv_names *n)
{
    const size_t step = n->count - 1;

    if (csv_unit_of(c, n, 0).what != CSV_UNIT_SEQUENCE)
        return;
    c->time = CSV_IGNORED;
    c->time_at = 0;
    if (n->count < 4 || !is_called(n, step - 1, "Start") || !is_called(n, step, "Increment"))
        return;
    c->extra = 2;
    c->rate = csv_rate_at(n->units, n->units_length, c->separator, step);
    if (c->rate == 0)
        wv_note(&c->base.hier,
                "the increment of the times is not a whole sample rate: a sample is of "
                "unknown length");
}

/* Takes the time from the row of units: of several such columns the one that is called time. */
static void take_units(struct csv *c, struct csv_names *n)
{
    const bool named = c->time != CSV_NO_TIME;
    bool found = false;

    if (n->units_length == 0)
        return;
    n->slashes = csv_unit_of(c, n, 0).what == CSV_UNIT_RADIX;
    wv_note(&c->base.hier, "the line below the names is one of %s",
            n->slashes ? "radixes: digits under HEX are hexadecimal; slashes in names are dots"
                       : "units, and no sample");
    take_sequence(c, n);
    for (size_t i = 0; i < n->count && c->time != CSV_IGNORED; i++) {
        const struct csv_unit u = csv_unit_of(c, n, i);
        if (u.what != CSV_UNIT_TIME || (named && c->time_at != i) ||
            (found && !is_plainly(n, i, "time")))
            continue;
        c->time = CSV_UNIT;
        c->unit = u.exponent;
        c->time_at = i;
        found = true;
    }
    if (found && c->time_at > 0)
        wv_note(&c->base.hier, "times are those of column %zu, %.*s", c->time_at + 1,
                (int)n->field[c->time_at].length, n->text + n->field[c->time_at].at);
}

/* ---- names and cells ---- */

/* Looks for a time after the first column. */
static enum pc_status find_later(struct csv *c, const struct csv_names *n, struct pc_error *err)
{
    const enum pc_status status = csv_split(c, n->rows, c->text.at + CSV_FIRST, err);

    for (size_t i = 1; status == PC_OK && i < n->count; i++) {
        const struct csv_field *cell = i < c->row.fields ? &c->row.field[i] : NULL;
        const struct csv_field *f = &n->field[i];
        if (!csv_is_later_time(c, n->text + f->at, f->length, cell))
            continue;
        c->time_at = i;
        wv_note(&c->base.hier, "times are those of column %zu, %.*s", i + 1, (int)f->length,
                n->text + f->at);
        break;
    }
    return status == PC_ENOMEM ? status : PC_OK;
}

/* Takes the first column for the time if each of its cells is a date, or has a unit of time. */
static void take_stamps(struct csv *c, const struct csv_trend *first)
{
    if (!first->stamps || !first->grows)
        return;
    c->time = CSV_TICKS; /* the cells say more */
    c->time_at = 0;
}

/* Returns true if the name of the first column, which is a likely one, has cells of a time below
 * it. */
static bool is_likely(const struct csv_names *n, const struct csv_trend *t)
{
    const bool x = is_plainly(n, 0, "x") || is_plainly(n, 0, "x-axis");

    return t->grows &&
           (t->fractions || t->stamps || (!x && t->strictly && t->rows >= ROWS_OF_A_TREND));
}

/* Warns of a column that grows as times do: the first one, or one with "time" in its name. */
static enum pc_status tell_missed(struct csv *c, const struct csv_names *n, bool first_told,
                                  struct pc_error *err)
{
    struct csv_trend t;

    for (size_t i = first_told ? 1 : 0; i < n->count; i++) {
        const struct csv_field *f = &n->field[i];
        char plain[64];
        if (i > 0 && !(csv_plain(n->text + f->at, f->length, plain) && strstr(plain, "time")))
            continue;
        const enum pc_status status = csv_trend(c, n->rows, i, &t, err);
        if (status)
            return status;
        if (!t.strictly || !(t.fractions || t.stamps) || t.rows < ROWS_OF_A_TREND - (i > 0))
            continue;
        wv_warn(&c->base.hier,
                "column %zu, %.*s, grows like a time, but is not read as a time: it is a signal, "
                "and each row a sample; name it time [s], or with another unit, if it is one",
                i + 1, (int)(f->length < 60 ? f->length : 60), n->text + f->at);
        break;
    }
    return PC_OK;
}

static enum pc_status find_time(struct csv *c, struct csv_names *n, struct pc_error *err)
{
    const struct csv_field *f = &n->field[0];
    const enum csv_time_name name = csv_time_name(c, n->text + f->at, f->length);
    const enum csv_time number = c->time;
    struct csv_trend first = { 0 };
    enum pc_status status = PC_OK;

    if (name == CSV_NAME_LIKELY || name == CSV_NAME_OTHER)
        status = csv_trend(c, n->rows, 0, &first, err);
    if (name == CSV_NAME_NUMBER || (name == CSV_NAME_LIKELY && !is_likely(n, &first)))
        c->time = CSV_NO_TIME;
    else if (name == CSV_NAME_LIKELY && n->units_length == 0)
        wv_note(&c->base.hier, "the first column, %.*s, grows, and is the time", (int)f->length,
                n->text + f->at);
    take_units(c, n);
    if (status == PC_OK && c->time == CSV_NO_TIME)
        status = find_later(c, n, err);
    if (c->time == CSV_NO_TIME)
        take_stamps(c, &first);
    if (c->time == CSV_NO_TIME && name == CSV_NAME_NUMBER)
        c->time = number;
    if (c->time == CSV_NO_TIME && name == CSV_NAME_UNKNOWN)
        wv_warn(
            &c->base.hier,
            "%.*s is read as a signal, and each row as a sample: units of a time are s, ms, us, "
            "ns, ps and fs",
            (int)f->length, n->text + f->at);
    if (status == PC_OK && n->has_line && (c->time == CSV_NO_TIME || c->time == CSV_IGNORED))
        status = tell_missed(c, n, name == CSV_NAME_UNKNOWN, err);
    return status;
}

enum pc_status csv_find_time(struct csv *c, struct csv_names *n, struct pc_error *err)
{
    const enum pc_status status = find_time(c, n, err);

    return status ? status : csv_split(c, c->text.at, 0, err); /* the first line again */
}

void csv_drop_fields(struct csv *c, struct csv_names *n)
{
    n->count -= c->extra;
    if (c->time == CSV_NO_TIME)
        return;
    n->count--;
    memmove(n->field + c->time_at, n->field + c->time_at + 1,
            (n->count - c->time_at) * sizeof *n->field);
}
