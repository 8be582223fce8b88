/* SPDX-License-Identifier: MIT */
/*
 * The line of names of a CSV: the separator, which is the one of , ; tab that it has most of,
 * and the names, of which the first may be that of the time.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define TOTAL_BITS ((uint64_t)64 << 20)

/* ---- names ---- */

static void choose_separator(struct csv *c)
{
    static const char candidates[3] = { ',', ';', '\t' };
    const char *p = c->text.buf + c->text.at, *end = c->text.buf + c->text.end;
    size_t count[3] = { 0 }, best = 0;
    bool quoted = false;

    for (; p < end && (*p != '\n' || quoted); p++) {
        quoted ^= *p == '"';
        for (size_t k = 0; k < 3 && !quoted; k++)
            count[k] += *p == candidates[k];
    }
    for (size_t k = 1; k < 3; k++)
        if (count[k] > count[best])
            best = k;
    c->separator = candidates[best];
}

/* Lower case, without blanks, and u for a micro sign: either of UTF-8's, or the one of Latin-1. */
static size_t plain(const char *p, size_t length, char out[64])
{
    size_t n = 0;

    for (size_t i = 0; i < length; i++) {
        bool micro = i + 1 < length &&
                     (memcmp(p + i, "\xc2\xb5", 2) == 0 || memcmp(p + i, "\xce\xbc", 2) == 0);
        char ch = micro || p[i] == '\xb5' ? 'u' : pc_lower(p[i]);
        i += micro;
        if (csv_is_blank(ch))
            continue;
        if (n == 63)
            return 0; /* no name of a time is that long */
        out[n++] = ch;
    }
    out[n] = '\0';
    return n;
}

static bool take_unit(struct csv *c, const char *name)
{
    static const struct {
        const char *name;
        int exponent;
    } unit[] = {
        { "s", 0 },
        { "sec", 0 },
        { "sec.", 0 },
        { "seconds", 0 },
        { "ms", -3 },
        { "us", -6 },
        { "ns", -9 },
        { "ps", -12 },
        { "fs", -15 },
        { "msec", -3 },
        { "usec", -6 },
        { "nsec", -9 },
        { "psec", -12 },
        { "fsec", -15 },
        { "milliseconds", -3 },
        { "microseconds", -6 },
        { "nanoseconds", -9 },
        { "picoseconds", -12 },
        { "femtoseconds", -15 },
    };

    for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++) {
        if (strcmp(unit[i].name, name) == 0) {
            c->time = CSV_UNIT;
            c->unit = unit[i].exponent;
            return true;
        }
    }
    return false;
}

/* sigrok counts in the power of 1000 that the rate does not exceed. */
static void unit_of_rate(struct csv *c)
{
    uint64_t scale = 1;
    int unit = 0;

    c->time = CSV_TICKS;
    if (c->rate == 0)
        return;
    for (; scale < c->rate; scale *= 1000)
        unit -= 3;
    c->time = CSV_UNIT;
    c->unit = unit;
}

static bool ends_in(const char *name, size_t length, const char *word)
{
    const size_t n = strlen(word);

    return length >= n && memcmp(name + length - n, word, n) == 0;
}

/* "Zeit [ms]", "elapsed time (us)", "t(us)": but V(s) is a voltage. */
static bool take_bracketed(struct csv *c, char *name, size_t length)
{
    const char close = name[length - 1];
    char *open = close == ']' ? strrchr(name, '[') : close == ')' ? strrchr(name, '(') : NULL;

    if (!open)
        return false;
    const size_t before = (size_t)(open - name);
    if (close == ')' && !ends_in(name, before, "time") && !ends_in(name, before, "timestamp") &&
        !(before == 1 && name[0] == 't'))
        return false;
    name[length - 1] = '\0';
    const bool taken = take_unit(c, open + 1);
    name[length - 1] = close;
    return taken;
}

/* "time", "t_us", "time_ns", "timestamp/ms", "Time, s" */
static bool take_word(struct csv *c, const char *name)
{
    static const char *const words[] = { "timestamp", "time", "t" };

    for (size_t i = 0; i < 3; i++) {
        const char *rest = name + strlen(words[i]);
        if (strncmp(name, words[i], strlen(words[i])) != 0)
            continue;
        if (*rest == '\0') {
            unit_of_rate(c);
            return true;
        }
        if (pc_is_one_of(*rest, "_/,") && take_unit(c, rest + 1))
            return true;
    }
    return false;
}

/* It is called a time, in what nobody knows: "Time (min)", "time in us". */
static bool has_other_unit(const char *p, size_t length)
{
    static const char word[] = "time";
    const size_t n = sizeof word - 1;

    for (size_t i = 0; i < n; i++)
        if (i == length || pc_lower(p[i]) != word[i])
            return false;
    return length > n + 1 && pc_is_one_of(p[n], "[(/, ") && !pc_is_digit(p[n + 1]);
}

/* Is this the name of a time?  "time", "Time [s]", "t(us)", "time_ns", "nanoseconds" ... */
static void look_for_time(struct csv *c, const struct csv_field *f)
{
    char name[64];
    size_t length = plain(c->text.buf + f->at, f->length, name);

    if (length == 0)
        return;
    if (strcmp(name, "samples") == 0)
        c->time = CSV_IGNORED;
    else if (strcmp(name, "sample") == 0)
        c->time = CSV_TICKS;
    else if (!(length > 3 && take_unit(c, name)) && !take_bracketed(c, name, length) &&
             !take_word(c, name) && has_other_unit(c->text.buf + f->at, f->length))
        wv_warn(
            &c->base.hier,
            "%.*s is read as a signal, and each row as a sample: units of a time are s, ms, us, "
            "ns, ps and fs",
            (int)f->length, c->text.buf + f->at);
}

static bool is_number(const struct csv *c, const struct csv_field *f)
{
    for (size_t i = 0; i < f->length; i++)
        if (!pc_is_one_of(c->text.buf[f->at + i], "0123456789"))
            return false;
    return f->length > 0;
}

/*
 * All fields are values of one bit, and none is quoted: rather a row than names.  Where a comment
 * lists the names a number is a value, too: a time.
 */
static bool looks_like_row(const struct csv *c)
{
    for (size_t i = 0; i < c->row.fields; i++) {
        const struct csv_field *f = &c->row.field[i];
        const bool bit = f->length == 1 && pc_is_one_of(c->text.buf[f->at], "01xXzZ");
        if (f->quoted || !(bit || (c->channels && is_number(c, f))))
            return false;
    }
    return true;
}

/* Does the line of names hold those of the list? */
static bool names_listed(const struct csv *c)
{
    struct csv_field name;

    for (size_t i = 0; i < c->row.fields; i++)
        if (!csv_channel(c, i, &name) || name.length != c->row.field[i].length ||
            memcmp(c->channels + name.at, c->text.buf + c->row.field[i].at, name.length) != 0)
            return false;
    return true;
}

/* What becomes the names of the columns. */
struct names {
    struct csv_field *field;
    size_t count;
    const char *text; /* that the fields lie in */
    bool has_line;    /* the file has a line of names */
};

static bool is_called(const struct csv *c, const struct csv_field *f, const char *name)
{
    return f->length == strlen(name) && memcmp(c->text.buf + f->at, name, f->length) == 0;
}

/* sigrok labels columns by their units, or not at all, and lists the names in a comment. */
static enum pc_status use_list(struct csv *c, struct names *n, struct pc_error *err)
{
    const struct csv_field *first = &c->row.field[c->time != CSV_NO_TIME];

    /* it leaves out the column of the trigger, which is the last one */
    if (csv_channels(c) + 1 == n->count && is_called(c, first, "logic") &&
        is_called(c, first + n->count - 1, "Trigger") && !csv_add_channel(c, "Trigger"))
        return pc_fail(err, 100, "not enough memory for a list of channels");
    const bool listed = csv_channels(c) == n->count;
    if (looks_like_row(c) && !names_listed(c)) {
        if (!listed && c->channels) /* which one is a time, or the trigger? */
            return csv_fail(c, c->text.at, err, 760,
                            "the first line holds %zu values, not names, and the comment lists %zu "
                            "channels",
                            n->count, csv_channels(c));
        if (!listed)
            return csv_fail(c, c->text.at, err, 760, "the first line holds values, not names");
        n->has_line = false;
    } else if (!listed || !is_called(c, first, "logic")) {
        return PC_OK;
    }
    for (size_t i = 0; i < n->count; i++)
        csv_channel(c, i, &n->field[i]);
    n->text = c->channels;
    return PC_OK;
}

/* "[7:0]" at the end; 0 if there is none. */
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

/* A copy with doubled quotes made single; NULL if memory runs out. */
static char *copy_name(const struct csv *c, const struct names *n, size_t i, size_t *length)
{
    const struct csv_field *f = &n->field[i];
    char *to = pc_calloc(&c->alloc, f->length + 1, 1);
    size_t used = 0;

    for (size_t k = 0; to && k < f->length; k++) {
        to[used++] = n->text[f->at + k];
        k += f->quoted && n->text[f->at + k] == '"';
    }
    *length = used;
    return to;
}

static enum pc_status declare(struct csv *c, const struct names *n, size_t i, uint32_t width,
                              struct pc_error *err)
{
    static const char *const types[] = { "logic", "real", "string", "event" };
    const enum pc_var_kind kind = (enum pc_var_kind)c->column[i].kind;
    size_t length;
    uint32_t code;
    char *name = copy_name(c, n, i, &length);

    if (!name)
        return pc_fail(err, 100, "not enough memory for the name of a column");
    enum pc_status status = wv_add_code(&c->base.hier, width, kind, &code, err);
    if (status == PC_OK)
        status = wv_add_var(&c->base.hier, name, length, types[kind], strlen(types[kind]), kind,
                            width, code, err);
    pc_free(&c->alloc, name, n->field[i].length + 1);
    return status;
}

static enum pc_status check_names(const struct csv *c, const struct names *n, struct pc_error *err)
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

static enum pc_status check_twice(const struct csv *c, const struct names *n, struct pc_error *err)
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
static enum pc_status make_columns(struct csv *c, const struct names *n, size_t rows,
                                   struct pc_error *err)
{
    uint32_t *width = pc_calloc(&c->alloc, n->count, sizeof *width);
    uint64_t bits = 0;
    enum pc_status status = PC_OK;

    c->columns = n->count;
    c->column = pc_calloc(&c->alloc, n->count, sizeof *c->column);
    if (!width || !c->column)
        status = pc_fail(err, 100, "not enough memory for %zu columns", n->count);
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
        c->column[i].width = width[i];
        c->column[i].bits = (uint32_t)bits;
        bits += c->column[i].kind == PC_VAR_BITS ? width[i] : 0;
        if (bits > TOTAL_BITS)
            status = pc_fail(err, 768, "all columns together have more than 64 Mi bits");
        else
            status = declare(c, n, i, width[i], err);
    }
    c->bits = (size_t)bits;
    pc_free(&c->alloc, width, n->count * sizeof *width);
    return status;
}

/* The names, in c->row, become columns. */
static enum pc_status take_names(struct csv *c, struct names *n, struct pc_error *err)
{
    const size_t fields = c->row.fields;

    c->trailing = fields > 1 && c->row.field[fields - 1].length == 0;
    look_for_time(c, &c->row.field[0]);
    const size_t times = c->time != CSV_NO_TIME;
    n->count = fields - times - c->trailing;
    if (n->count == 0)
        return csv_fail(c, c->text.at, err, 760, "there is no column but the time");
    n->text = c->text.buf;
    n->has_line = true;
    n->field = pc_calloc(&c->alloc, n->count, sizeof *n->field);
    if (!n->field)
        return pc_fail(err, 100, "not enough memory for %zu names", n->count);
    memcpy(n->field, c->row.field + times, n->count * sizeof *n->field);
    const size_t behind_names = c->row.next;
    enum pc_status status = use_list(c, n, err);
    if (status == PC_OK)
        status = check_names(c, n, err);
    if (status == PC_OK)
        status = make_columns(c, n, n->has_line ? behind_names : c->text.at, err);
    if (status == PC_OK)
        status = check_twice(c, n, err);
    if (status == PC_OK && n->has_line) {
        c->row.next = behind_names;
        csv_consume(c);
    }
    return status;
}

enum pc_status csv_header(struct csv *c, struct pc_error *err)
{
    struct names n = { .field = NULL };
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
        pc_free(&c->alloc, n.field, n.count * sizeof *n.field);
    return status;
}
