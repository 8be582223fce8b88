/* SPDX-License-Identifier: MIT */
/*
 * The line of names of a CSV: the separator, which is the one of , ; tab that it has most of,
 * and the names, one of which may be that of the time.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL_BITS ((uint64_t)64 << 20)

/* ---- names ---- */

static void choose_separator(struct csv *c)
{
    static const char candidates[3] = { ',', ';', '\t' };
    const char *p = c->text.buf + c->text.at, *end = c->text.buf + c->text.end;
    const char *begin = p;
    size_t count[3] = { 0 }, decimal = 0, best = 0;
    bool quoted = false;

    if (c->separator)
        return; /* sep=; */
    for (; p < end && (*p != '\n' || quoted); p++) {
        quoted ^= *p == '"';
        for (size_t k = 0; k < 3 && !quoted; k++)
            count[k] += *p == candidates[k];
        decimal += !quoted && *p == ',' && p > begin && p + 1 < end && pc_is_digit(p[-1]) &&
                   pc_is_digit(p[1]);
    }
    if (count[1] + count[2] > 0)
        count[0] -= decimal; /* 0,5;1,5 */
    for (size_t k = 1; k < 3; k++)
        if (count[k] > count[best])
            best = k;
    c->separator = candidates[best];
}

/* Returns true if the line of names holds those of the list. */
static bool names_listed(const struct csv *c)
{
    struct csv_field name;

    for (size_t i = 0; i < c->row.fields; i++)
        if (!csv_channel(c, i, &name) || name.length != c->row.field[i].length ||
            memcmp(c->channels + name.at, c->text.buf + c->row.field[i].at, name.length) != 0)
            return false;
    return true;
}

static bool is_called(const struct csv *c, const struct csv_field *f, const char *name)
{
    return f->length == strlen(name) && memcmp(c->text.buf + f->at, name, f->length) == 0;
}

/* sigrok labels columns by their units, or not at all, and lists the names in a comment. */
static enum pc_status use_list(struct csv *c, struct csv_names *n, struct pc_error *err)
{
    const struct csv_field *first = &n->field[0];

    /* it leaves out the column of the trigger, which is the last one */
    if (csv_channels(c) + 1 == n->count && is_called(c, first, "logic") &&
        is_called(c, first + n->count - 1, "Trigger") && !csv_add_channel(c, "Trigger"))
        return pc_fail(err, 100, "not enough memory for a list of channels");
    if (csv_channels(c) != n->count || !is_called(c, first, "logic"))
        return PC_OK;
    for (size_t i = 0; i < n->count; i++)
        csv_channel(c, i, &n->field[i]);
    n->text = c->channels;
    return PC_OK;
}

/* Tells whether a name ends in a unit of analog values: "CH1 (V)". */
static bool has_analog_unit(const char *p, size_t length)
{
    size_t at = length;

    while (at > 0 && !pc_is_one_of(p[at - 1], "(["))
        at--;
    return at > 0 && csv_unit_at(p + at - 1, length - at + 1, '\0', 0).what == CSV_UNIT_OTHER;
}

/* Takes what units say of columns: in the row of units, or at the end of names. */
static void take_column_units(struct csv *c, const struct csv_names *n)
{
    for (size_t i = 0; i < c->columns; i++) {
        struct csv_unit u = { .what = CSV_UNIT_NONE };
        if (n->units_length)
            u = csv_unit_of(c, n, csv_field_of(c, i));
        c->column[i].radix = u.radix;
        c->column[i].analog = u.what == CSV_UNIT_OTHER ||
                              has_analog_unit(n->text + n->field[i].at, n->field[i].length);
    }
}

/* ---- columns ---- */

/* Reads "[7:0]" at the end; 0 if there is none. */
static uint64_t declared_width(const char *p, size_t length)
{
    uint64_t bound[2] = { 0 }, scale = 1;
    size_t i = length, k = 0;

    if (length == 0 || p[--i] != ']')
        return 0;
    for (; i > 0 && p[i - 1] != '['; i--) {
        char ch = p[i - 1];
        if (ch == ':' && k == 0 && scale > 1) {
            k = 1;
            scale = 1;
        } else if (ch >= '0' && ch <= '9' && scale < 1000000000) {
            bound[k] += scale * (uint64_t)(ch - '0');
            scale *= 10;
        } else if (ch != ' ') {
            return 0;
        }
    }
    if (i < 2 || k == 0 || scale == 1)
        return 0;
    return (bound[0] > bound[1] ? bound[0] - bound[1] : bound[1] - bound[0]) + 1;
}

/* Makes a copy with doubled quotes made single; NULL if memory runs out. */
static char *copy_name(const struct csv *c, const struct csv_names *n, size_t i, size_t *length)
{
    const struct csv_field *f = &n->field[i];
    char *to = pc_calloc(&c->alloc, f->length + 1, 1);
    size_t used = 0;

    for (size_t k = 0; to && k < f->length; k++) {
        to[used++] = n->slashes && n->text[f->at + k] == '/' ? '.' : n->text[f->at + k];
        k += f->quoted && n->text[f->at + k] == '"';
    }
    *length = used;
    return to;
}

static enum pc_status declare(struct csv *c, const struct csv_names *n, size_t i, uint32_t width,
                              struct pc_error *err)
{
    static const char *const types[] = { "logic", "real", "string", "event" };
    const enum pc_var_kind kind = (enum pc_var_kind)c->column[i].kind;
    size_t length;
    uint32_t code;
    char *name = copy_name(c, n, i, &length);

    if (!name)
        return pc_fail(err, 100, "not enough memory for the name of a column");
    const char *type = types[c->column[i].text ? PC_VAR_STRING : kind];
    enum pc_status status = wv_add_code(&c->base.hier, width, kind, &code, err);
    if (status == PC_OK) {
        c->base.hier.code[code].coding = c->column[i].text ? WV_CODED_TEXT : WV_PLAIN;
        status =
            wv_add_var(&c->base.hier, name, length, type, strlen(type), kind, width, code, err);
    }
    pc_free(&c->alloc, name, n->field[i].length + 1);
    return status;
}

static enum pc_status check_names(const struct csv *c, const struct csv_names *n,
                                  struct pc_error *err)
{
    for (size_t i = 0; i < n->count; i++)
        if (n->field[i].length == 0)
            return csv_fail(c, n->text == c->text.buf ? n->field[i].at : c->text.at, err, 761,
                            "signal %zu has no name", i + 1);
    return PC_OK;
}

struct sorted {
    const char *name;
    size_t column;
};

static int by_name(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->column > y->column) - (x->column < y->column);
}

static enum pc_status check_twice(const struct csv *c, const struct csv_names *n,
                                  struct pc_error *err)
{
    const struct wv_hier *h = &c->base.hier;
    struct sorted *s = pc_calloc(&c->alloc, n->count, sizeof *s);
    enum pc_status status = PC_OK;

    if (!s)
        return pc_fail(err, 100, "not enough memory for %zu names", n->count);
    for (size_t i = 0; i < n->count; i++)
        s[i] = (struct sorted){ h->names + h->var[i].name, i };
    qsort(s, n->count, sizeof *s, by_name);
    for (size_t i = 1; i < n->count && status == PC_OK; i++)
        if (strcmp(s[i - 1].name, s[i].name) == 0)
            status = csv_fail(c, n->text == c->text.buf ? n->field[s[i].column].at : c->text.at,
                              err, 761, "signals %zu and %zu are both called %.100s",
                              s[i - 1].column + 1, s[i].column + 1, s[i].name);
    pc_free(&c->alloc, s, n->count * sizeof *s);
    return status;
}

/* Widths by name, then by values; places of the values; declarations. */
static enum pc_status make_columns(struct csv *c, const struct csv_names *n, size_t rows,
                                   struct pc_error *err)
{
    uint32_t *width = pc_calloc(&c->alloc, n->count, sizeof *width);
    uint64_t bits = 0;
    enum pc_status status = PC_OK;

    c->columns = n->count;
    c->column = pc_calloc(&c->alloc, n->count, sizeof *c->column);
    if (!width || !c->column)
        status = pc_fail(err, 100, "not enough memory for %zu columns", n->count);
    if (status == PC_OK)
        take_column_units(c, n);
    for (size_t i = 0; status == PC_OK && i < n->count; i++) {
        uint64_t w = declared_width(n->text + n->field[i].at, n->field[i].length);
        if (w > c->base.hier.limits.max_width) {
            status = pc_fail(err, 514, "a column is %llu bits wide, more than %lu",
                             (unsigned long long)w, (unsigned long)c->base.hier.limits.max_width);
            wv_hint_width(&c->base.hier, err);
        }
        width[i] = (uint32_t)w;
    }
    if (status == PC_OK)
        status = csv_kinds(c, rows, width, err);
    for (size_t i = 0; status == PC_OK && i < n->count; i++) {
        c->column[i].text = c->base.hier.texts && c->column[i].kind == PC_VAR_STRING;
        if (c->column[i].text) {
            c->column[i].kind = PC_VAR_BITS;
            width[i] = WV_TEXT_BITS;
        }
        c->column[i].width = width[i];
        c->column[i].bits = (uint32_t)bits;
        bits += c->column[i].kind == PC_VAR_BITS   ? width[i]
                : c->column[i].kind == PC_VAR_REAL ? WV_REAL_BITS
                                                   : 0;
        if (bits > TOTAL_BITS)
            status = pc_fail(err, 768, "all columns together have more than 64 Mi bits");
        else
            status = declare(c, n, i, width[i], err);
    }
    c->bits = (size_t)bits;
    pc_free(&c->alloc, width, n->count * sizeof *width);
    return status;
}

/* ---- the line of names ---- */

static void find_units(struct csv *c, struct csv_names *n)
{
    const char *text = c->text.buf + n->rows;
    size_t behind, size = c->text.end - n->rows;

    while (size > 0 && pc_is_one_of(*text, "\r\n")) {
        text++;
        size--;
    }
    if (!csv_units(text, size, c->separator, &n->units_length, &behind))
        n->units_length = 0;
    else
        n->rows = (size_t)(text - c->text.buf) + behind;
    n->units = text;
}

/* Says what can be done where no column has bits, as in files of oscilloscopes. */
static void tell_analog(struct csv *c)
{
    const char separator[] = { c->separator == '\t' ? '\\' : c->separator,
                               c->separator == '\t' ? 't' : '\0', '\0' };
    const struct wv_hier *h = &c->base.hier;
    char levels[400] = "";
    size_t used = 0, reals = 0, real = 0;

    for (size_t i = 0; i < c->columns; i++) {
        const size_t at = csv_field_of(c, i) + 1;
        if (c->column[i].kind == PC_VAR_BITS)
            return;
        if (c->column[i].kind != PC_VAR_REAL)
            continue;
        real = reals++ == 0 ? i : real;
        if (used < sizeof levels - 64)
            used += (size_t)snprintf(levels + used, sizeof levels - used,
                                     "$%zu = $%zu + 0 > 1.65; ", at, at);
    }
    if (reals > 0)
        wv_note(&c->base.hier,
                "%.60s%s with fractions, as an analog channel has, and no bits to count; a level "
                "makes 0 and 1 of them: awk -F'%s' -v OFS='%s' 'NR > %" PRIu64
                " { %s%.*s } 1' FILE | pcounter ... -",
                h->names + h->var[real].name,
                c->columns > 1 ? " and others hold numbers" : " holds numbers", separator,
                separator, c->text.line - 1, c->separator == ',' ? "" : "gsub(/,/, \".\"); ",
                (int)used - 2, levels);
}

/* Takes the time out of the names of the line, which are in n; the rest may be in a comment. */
static enum pc_status take_line(struct csv *c, struct csv_names *n, struct pc_error *err)
{
    find_units(c, n);
    enum pc_status status = csv_find_time(c, n, err);
    if (status)
        return status;
    csv_drop_fields(c, n);
    if (n->count == 0)
        return csv_fail(c, c->text.at, err, 760, "the time is the only column");
    return use_list(c, n, err);
}

/* Takes the names, in c->row, as columns. */
static enum pc_status take_names(struct csv *c, struct csv_names *n, struct pc_error *err)
{
    const size_t fields = c->row.fields;

    c->trailing = fields > 1 && c->row.field[fields - 1].length == 0;
    n->text = c->text.buf;
    n->has_line = !csv_looks_like_row(c) || names_listed(c);
    n->rows = n->has_line ? c->row.next : c->text.at;
    n->count = n->capacity = fields - c->trailing;
    n->field = pc_calloc(&c->alloc, n->capacity, sizeof *n->field);
    if (!n->field)
        return pc_fail(err, 100, "not enough memory for %zu names", n->capacity);
    memcpy(n->field, c->row.field, n->count * sizeof *n->field);
    enum pc_status status = n->has_line ? take_line(c, n, err) : csv_nameless(c, n, err);
    if (status == PC_OK)
        status = check_names(c, n, err);
    if (status == PC_OK)
        status = make_columns(c, n, n->rows, err);
    if (status == PC_OK)
        status = check_twice(c, n, err);
    if (status == PC_OK && n->has_line) {
        c->row.next = n->rows;
        csv_consume(c);
    }
    if (status == PC_OK)
        tell_analog(c);
    return status;
}

enum pc_status csv_header(struct csv *c, struct pc_error *err)
{
    struct csv_names n = { .field = NULL };
    enum pc_status status = csv_fill(c, 3, err);

    if (status == PC_OK && c->text.end >= 3 && memcmp(c->text.buf, "\xef\xbb\xbf", 3) == 0)
        c->text.at = 3; /* a byte order mark */
    if (status == PC_OK)
        status = csv_comments(c, err);
    if (status == PC_OK)
        status = csv_fill(c, CSV_FIRST, err);
    if (status)
        return status;
    choose_separator(c);
    status = csv_split(c, c->text.at, 0, err);
    if (status == PC_OK)
        status = take_names(c, &n, err);
    if (n.field)
        pc_free(&c->alloc, n.field, n.capacity * sizeof *n.field);
    return status;
}
