/* SPDX-License-Identifier: MIT */
/*
 * The reader of CSV files as wave.c sees it (parts: csv.h).  Every row is a timestamp, and its
 * changes are the values that differ from the row before.  All columns are read, wanted or
 * not: a wrong value is an error wherever it stands.
 */
#include "wave/csv/csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/digest.h"

/* A text in quotes that has quotes itself is unknown. */
static void take_text(struct csv *c, const struct csv_field *f)
{
    const char *text = c->text.buf + f->at;

    if (f->quoted && memchr(text, '"', f->length))
        memset(c->next, 'x', WV_TEXT_BITS);
    else
        wv_put_text(text, f->length, false, c->next);
}

/* An empty cell, and what is no number, are unknown. */
static void take_real(const struct csv *c, const struct csv_field *f, char *digits)
{
    char text[100];
    double value = NAN;
    size_t n = f->length < sizeof text ? f->length : 0;

    memcpy(text, c->text.buf + f->at, n);
    for (size_t i = 0; i < n && c->separator != ','; i++)
        text[i] = text[i] == ',' ? '.' : text[i];
    if (!wv_read_real(text, n, &value))
        value = NAN;
    wv_put_real(value, digits);
}

/* A text or a real: does it differ from the row before? */
static __attribute__((noinline)) bool take_other(struct csv *c, size_t i, const struct csv_field *f)
{
    const uint64_t sum = pc_digest(PC_DIGEST, c->text.buf + f->at, f->length);
    const bool changed = sum != c->sum[i];

    c->sum[i] = sum;
    if (changed && c->base.hier.code[i].coding == WV_CODED_REAL)
        take_real(c, f, c->now + c->column[i].bits);
    return changed;
}

/* Takes a value: does the value of column i differ from that of the row before? Keeps the new
 * one. */
static enum pc_status take_value(struct csv *c, size_t i, const struct csv_field *f, bool *changed,
                                 struct pc_error *err)
{
    const struct csv_column *column = &c->column[i];

    if (column->kind != PC_VAR_BITS) {
        *changed = take_other(c, i, f);
        return PC_OK;
    }
    char *now = c->now + column->bits;
    if (column->width == 1 && f->length == 1 && wv_state_of(c->text.buf[f->at])) {
        char level = wv_state_of(c->text.buf[f->at]);
        *changed = level != *now;
        *now = level;
        return PC_OK;
    }
    enum pc_status status = PC_OK;
    if (column->text)
        take_text(c, f);
    else
        status = csv_value(c, f, column, c->next, err);
    *changed = status == PC_OK && memcmp(now, c->next, column->width) != 0;
    if (*changed)
        memcpy(now, c->next, column->width);
    return status;
}

/* A row that is not later than the one before; its time becomes that of the latter. */
static enum pc_status take_early(struct csv *c, int64_t *time, struct pc_error *err)
{
    const struct csv_field *f = &c->row.field[c->time_at];
    char text[48];

    if (*time == c->last) {
        c->same++;
        return PC_OK;
    }
    csv_quote(c, f, text);
    if (!c->base.tolerate_time_backwards)
        return csv_fail(c, f->at, err, 766, "time %s is earlier than that of the row before", text);
    c->backwards++;
    *time = c->last;
    return PC_OK;
}

/* Takes the stamp's time; the file's times may be negative, and count from the first row then. */
static enum pc_status take_time(struct csv *c, struct wv_group *out, struct pc_error *err)
{
    int64_t time = (int64_t)c->rows;

    if (c->time > CSV_IGNORED) {
        enum pc_status status = csv_time(c, &c->row.field[c->time_at], &time, err);
        if (status)
            return status;
        if (c->rows == 0 && time < 0)
            wv_warn(&c->base.hier, "times begin below zero, and are counted from the first row");
        if (c->rows == 0)
            c->first = time < 0 || c->time == CSV_DATE ? time : 0;
        if (c->rows > 0 && time <= c->last)
            status = take_early(c, &time, err);
        if (status)
            return status;
    }
    c->last = time;
    out->time = (uint64_t)time - (uint64_t)c->first;
    return PC_OK;
}

static enum pc_status check_fields(const struct csv *c, struct pc_error *err)
{
    const size_t want = csv_fields(c), got = c->row.fields;

    if (csv_fields_fit(c))
        return PC_OK;
    return csv_fail(c, c->row.field[got > want ? want : got - 1].at, err, 762,
                    "the row has %zu field%s, the line of names %zu", got, got == 1 ? "" : "s",
                    want);
}

static enum pc_status take_row(struct csv *c, struct wv_group *out, struct pc_error *err)
{
    enum pc_status status = check_fields(c, err);

    if (status == PC_OK)
        status = take_time(c, out, err);
    out->change = c->change;
    out->bits = c->now;
    for (size_t i = 0; status == PC_OK && i < c->columns; i++) {
        bool changed = false;
        status = take_value(c, i, &c->row.field[csv_field_of(c, i)], &changed, err);
        if (!changed)
            continue;
        out->records++;
        if (c->wanted[i])
            c->change[out->changes++] = (struct wv_change){ (uint32_t)i, c->column[i].bits };
    }
    return status;
}

/* Splits the next row; empty lines may come after the last one only. */
static enum pc_status split_row(struct csv *c, struct pc_error *err)
{
    const struct csv_row *r = &c->row;
    enum pc_status status = csv_split(c, c->text.at, 0, err);
    bool gap = false;

    while (status == PC_OK && r->fields == 1 && r->field[0].length == 0 && !r->field[0].quoted) {
        gap = true;
        csv_consume(c);
        status = csv_split(c, c->text.at, 0, err);
    }
    if (status == PC_OK && gap)
        return csv_fail(c, c->text.at, err, 762, "there is an empty line before this row");
    return status;
}

static void tell_early(struct csv *c)
{
    if (c->backwards > 0)
        wv_warn(&c->base.hier, "%" PRIu64 " %s not later than the one before", c->backwards,
                c->backwards == 1 ? "row was" : "rows were");
    if (c->same > 0)
        wv_note(&c->base.hier, "%" PRIu64 " %s the time of the row before, and %s as in the file",
                c->same, c->same == 1 ? "row has" : "rows have",
                c->same == 1 ? "follows it" : "follow it");
    c->backwards = c->same = 0;
}

/* Returns true if the file ends inside the row that was split. A first row may be no CSV at all. */
static bool row_is_cut(const struct csv *c)
{
    const struct csv_text *t = &c->text;
    const size_t got = c->row.fields;

    if (c->rows == 0 || c->row.next < t->end || t->buf[t->end - 1] == '\n')
        return false;
    return got < csv_fields(c) ? !csv_fields_fit(c)
                               : !c->trailing && t->buf[t->end - 1] == c->separator;
}

static enum pc_status csv_next(struct wv_reader *r, struct wv_group *out, struct pc_error *err)
{
    struct csv *c = (struct csv *)r;
    enum pc_status status = split_row(c, err);

    if (status == PC_OK && row_is_cut(c)) {
        c->base.info.unfinished = true;
        wv_warn(&c->base.hier, "the file ends inside a row, which is left out");
        csv_consume(c);
        status = PC_END;
    }
    if (status == PC_END)
        tell_early(c);
    if (status == PC_OK)
        status = take_row(c, out, err);
    if (status)
        return status;
    c->rows++;
    csv_consume(c);
    return PC_OK;
}

static enum pc_status csv_select(struct wv_reader *r, const uint8_t *wanted, struct pc_error *err)
{
    struct csv *c = (struct csv *)r;

    (void)err;
    memcpy(c->wanted, wanted, c->columns);
    return PC_OK;
}

static void csv_progress(const struct wv_reader *r, uint64_t *done, uint64_t *total)
{
    wv_input_progress(((const struct csv *)r)->in, done, total);
}

static void csv_close(struct wv_reader *r)
{
    struct csv *c = (struct csv *)r;
    struct pc_alloc a = c->alloc;

    wv_input_close(c->in);
    if (c->text.buf)
        pc_free(&a, c->text.buf, CSV_WINDOW);
    pc_free(&a, c->row.field, c->row.capacity * sizeof *c->row.field);
    pc_free(&a, c->channels, c->channels_capacity);
    pc_free(&a, c->comment, c->comment_capacity);
    pc_free(&a, c->column, c->columns * sizeof *c->column);
    pc_free(&a, c->now, c->bits + 1);
    pc_free(&a, c->next, c->bits + 1);
    pc_free(&a, c->sum, c->columns * sizeof *c->sum);
    pc_free(&a, c->wanted, c->columns);
    pc_free(&a, c->change, c->columns * sizeof *c->change);
    pc_free(&a, c, sizeof *c);
}

static bool csv_waits(const struct wv_reader *r)
{
    const struct csv *c = (const struct csv *)r;
    const struct csv_text *t = &c->text;

    return !t->eof && !memchr(t->buf + t->at, '\n', t->end - t->at) && wv_input_waits(c->in);
}

static const struct wv_reader_ops ops = {
    .select = csv_select,
    .next = csv_next,
    .waits = csv_waits,
    .progress = csv_progress,
    .close = csv_close,
};

/* No row has been read: any first value is a change. */
static enum pc_status allocate(struct csv *c, struct pc_error *err)
{
    const struct pc_alloc *a = &c->alloc;

    c->now = pc_calloc(a, c->bits + 1, 1);
    c->next = pc_calloc(a, c->bits + 1, 1);
    c->sum = pc_calloc(a, c->columns, sizeof *c->sum);
    c->wanted = pc_calloc(a, c->columns, 1);
    c->change = pc_calloc(a, c->columns, sizeof *c->change);
    if (!c->now || !c->next || !c->sum || !c->wanted || !c->change)
        return pc_fail(err, 100, "not enough memory for %zu columns", c->columns);
    return PC_OK;
}

static void tell(struct csv *c)
{
    struct pc_wave_info *info = &c->base.info;

    info->format = PC_WAVE_CSV;
    info->encoding = wv_input_encoding(c->in);
    info->version = c->writer ? c->base.hier.names + c->writer : "";
    if (c->time == CSV_NO_TIME || c->time == CSV_IGNORED) {
        wv_sampled(info, c->rate);
    } else if (c->time != CSV_TICKS) {
        info->timescale_factor = 1;
        info->timescale_exponent = csv_step(c);
    }
}

enum pc_status wv_csv_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_wave_limits limits = wv_limits(&desc->limits);
    struct csv *c = pc_calloc(&alloc, 1, sizeof *c);

    if (!c) {
        wv_input_close(in);
        return pc_fail(err, 100, "not enough memory to open a CSV");
    }
    c->alloc = alloc;
    c->in = in;
    c->base.ops = &ops;
    c->base.tolerate_time_backwards = desc->tolerate_time_backwards;
    wv_hier_init(&c->base.hier, &alloc, &limits);
    c->base.hier.texts = desc->texts;
    enum pc_status status = csv_text_open(c, err);
    if (status == PC_OK)
        status = csv_header(c, err);
    if (status == PC_OK)
        status = allocate(c, err);
    if (status) {
        struct wv_hier hier = c->base.hier;
        csv_close(&c->base);
        wv_hier_free(&hier);
        return status;
    }
    tell(c);
    *out = &c->base;
    return PC_OK;
}
