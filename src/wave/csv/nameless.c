/* SPDX-License-Identifier: MIT */
/*
 * A CSV whose first line has values.  The names are those of the last comment, as numpy writes
 * them, or of a list of channels; without them columns are called column2, column3, ... if the
 * first one is evidently the time.  Anything else is refused: it may lose a sample.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Tells whether the line is 0,1,2: the values of a row, or columns that pandas numbered. */
static bool are_indices(const struct csv *c)
{
    for (size_t i = 0; i < c->row.fields; i++) {
        char index[24];
        const struct csv_field *f = &c->row.field[i];
        const int n = snprintf(index, sizeof index, "%zu", i);
        if (f->length != (size_t)n || memcmp(c->text.buf + f->at, index, f->length) != 0)
            return false;
    }
    return true;
}

/* Takes the first column for the time if its cells are those of one. */
static enum pc_status take_growing(struct csv *c, size_t rows, bool whole, struct pc_error *err)
{
    struct csv_trend t;
    const enum pc_status status = csv_trend(c, rows, 0, &t, err);

    if (status || !t.grows ||
        !(t.stamps || (t.rows > 2 && (t.fractions || (whole && t.strictly && t.over_one)))))
        return status;
    c->time_at = 0;
    csv_unit_of_rate(c);
    if (t.fractions)
        c->time = CSV_TICKS; /* seconds, or what the cells say */
    return PC_OK;
}

/* Makes the list of channels, of which there is none: column2, column3, ... */
static bool number_columns(struct csv *c, size_t count)
{
    const size_t size = count * 32;
    size_t used = 0;
    char *list = pc_calloc(&c->alloc, size, 1);

    if (!list)
        return false;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(list + used, size - used, "%scolumn%zu", i ? "," : "",
                                 csv_field_of(c, i) + 1);
    c->channels = list;
    c->channels_size = used;
    c->channels_capacity = size;
    c->channels_between = ',';
    return true;
}

static enum pc_status refuse(const struct csv *c, const struct csv_names *n, struct pc_error *err)
{
    if (c->channels) /* which one is a time, or the trigger? */
        return csv_fail(c, c->text.at, err, 760,
                        "the first line holds %zu values, not names, and the comment lists %zu "
                        "channels",
                        n->count, csv_channels(c));
    return csv_fail(c, c->text.at, err, 760, "the first line holds values, not names");
}

static void take_list(struct csv *c, struct csv_names *n)
{
    for (size_t i = 0; i < n->count; i++)
        csv_channel(c, i, &n->field[i]);
    n->text = c->channels;
}

/* Takes the names, and perhaps the time, from the last comment. */
static enum pc_status name_by_comment(struct csv *c, struct csv_names *n, struct pc_error *err)
{
    take_list(c, n);
    wv_note(&c->base.hier, "the names of the columns are those of the last comment, %.*s",
            (int)(c->channels_size < 60 ? c->channels_size : 60), c->channels);
    enum pc_status status = csv_find_time(c, n, err);
    if (status == PC_OK && c->time == CSV_NO_TIME)
        status = take_growing(c, n->rows, false, err);
    csv_drop_fields(c, n);
    return status;
}

static enum pc_status name_by_place(struct csv *c, struct csv_names *n, struct pc_error *err)
{
    const bool indices = are_indices(c), listed = c->channels != NULL;
    enum pc_status status = PC_OK;

    if (!indices)
        status = take_growing(c, n->rows, !listed, err);
    if (status == PC_OK)
        status = csv_split(c, c->text.at, 0, err);
    if (status)
        return status;
    n->count -= c->time != CSV_NO_TIME;
    if (n->count > 0 && !listed && c->time != CSV_NO_TIME) {
        if (!number_columns(c, n->count))
            return pc_fail(err, 100, "not enough memory for a list of channels");
        wv_note(&c->base.hier, "the first line holds values: the first column, which grows, is the "
                               "time, and others are called by their places, column2");
    } else if (n->count == 0 || csv_channels(c) != n->count) {
        return refuse(c, n, err);
    }
    take_list(c, n);
    return PC_OK;
}

enum pc_status csv_nameless(struct csv *c, struct csv_names *n, struct pc_error *err)
{
    enum pc_status status = csv_channels_of_comment(c, n->count) ? name_by_comment(c, n, err)
                                                                 : name_by_place(c, n, err);

    if (status == PC_OK && n->count == 0)
        return csv_fail(c, c->text.at, err, 760, "there is no column but the time");
    return status;
}
