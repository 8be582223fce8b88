/* SPDX-License-Identifier: MIT */
/*
 * Finds what the columns of a CSV hold, where their names do not say it, by the rows of the first
 * 64 KiB tell.  Anything that is no number makes a string, a fraction a real; neither has bits.
 * A decimal number makes 64 bits, since the next may be larger; 0 and 1 alone make one, and so do
 * 0.0 and 1.0, as numpy and pandas write them; NaN is unknown.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <string.h>

enum form {
    FORM_NONE,    /* an empty field, or one character for any width */
    FORM_PREFIX,  /* 0x, 0b */
    FORM_BINARY,  /* 0101, 1x1 */
    FORM_EITHER,  /* 10, 111 */
    FORM_DECIMAL, /* 17, -1, 007 */
    FORM_WORD,    /* HIGH, false */
    FORM_LEVEL,   /* 0.0, 1.0 */
    FORM_NAN,
    FORM_REAL,
    FORM_TEXT
};

/* Cells that have been seen in a column. */
struct seen {
    unsigned forms;       /* set of enum form */
    uint32_t least, most; /* digits of BINARY and EITHER */
    uint32_t prefix;      /* bits of PREFIX */
    uint32_t digits;      /* of the longest cell */
};

static size_t count_of(const char *p, size_t length, const char *set)
{
    size_t n = 0;

    for (size_t i = 0; i < length; i++)
        n += pc_is_one_of(p[i], set);
    return n;
}

static bool is_real(const char *p, size_t length)
{
    size_t sign = length > 0 && (p[0] == '-' || p[0] == '+');

    return count_of(p + sign, length - sign, "0123456789") > 0 &&
           count_of(p + sign, length - sign, "0123456789.,eE+-") == length - sign;
}

static enum form form_of(const char *p, size_t length)
{
    size_t minus = length > 1 && p[0] == '-', unknown = 0, binary = 0;
    const bool plus = length > 1 && p[0] == '+' && pc_is_digit(p[1]);

    p += plus;
    length -= plus;
    if (length == 0 || (length == 1 && wv_state_of(p[0])))
        return FORM_NONE;
    if (length > 2 && p[0] == '0' &&
        ((pc_is_one_of(p[1], "xX") &&
          count_of(p + 2, length - 2, "0123456789abcdefABCDEF") == length - 2) ||
         (pc_is_one_of(p[1], "bB") && count_of(p + 2, length - 2, "01xXzZ") == length - 2)))
        return FORM_PREFIX;
    for (size_t i = 0; i < length; i++) {
        bool level = wv_state_of(p[i]) && p[i] != '-';
        binary += level;
        unknown += level && p[i] != '0' && p[i] != '1';
    }
    if (binary == length)
        return p[0] == '0' || unknown ? FORM_BINARY : FORM_EITHER;
    if (count_of(p + minus, length - minus, "0123456789") == length - minus)
        return FORM_DECIMAL;
    if (csv_level_word(p, length))
        return FORM_WORD;
    if (csv_is_nan(p + minus, length - minus))
        return FORM_NAN;
    if (csv_level_number(p, length))
        return FORM_LEVEL;
    return is_real(p, length) ? FORM_REAL : FORM_TEXT;
}

static void look(struct seen *s, const char *p, size_t length)
{
    enum form form = form_of(p, length);
    uint32_t digits = length < UINT32_MAX / 4 ? (uint32_t)length : UINT32_MAX / 4;

    if (digits > s->digits)
        s->digits = digits;

    if (form == FORM_BINARY || form == FORM_EITHER) {
        if (s->most == 0 || digits < s->least)
            s->least = digits;
        if (digits > s->most)
            s->most = digits;
    } else if (form == FORM_PREFIX) {
        uint32_t bits = (digits - 2) * (pc_lower(p[1]) == 'x' ? 4 : 1);
        if (bits > s->prefix)
            s->prefix = bits;
    }
    s->forms |= 1u << form;
}

static bool has(const struct seen *s, enum form form)
{
    return s->forms >> form & 1;
}

/* A row of units tells what the digits mean; cells of 0 and 1 are one bit. */
static void decide_by_radix(const struct seen *s, struct csv_column *column, uint32_t *width)
{
    const uint32_t per = column->radix == 16 ? 4 : column->radix == 8 ? 3 : 1;

    column->kind = column->radix == CSV_ASCII ? PC_VAR_STRING : PC_VAR_BITS;
    if (column->radix == CSV_ASCII)
        *width = 0;
    else if (*width == 0)
        *width = s->forms == 1u << FORM_NONE ? 1 : column->radix == 10 ? 64 : s->digits * per;
}

/* Binary digits of one length are a value of that many bits; else they are decimal ones. */
static void decide(const struct seen *s, struct csv_column *column, uint32_t *width)
{
    bool binary = has(s, FORM_BINARY) && s->least == s->most && !has(s, FORM_DECIMAL);
    bool decimal = has(s, FORM_DECIMAL) || has(s, FORM_EITHER) || has(s, FORM_BINARY);

    column->kind = PC_VAR_BITS;
    if (*width > 0)
        return;
    const bool word = has(s, FORM_WORD);
    const bool levels = has(s, FORM_LEVEL) && !decimal && !has(s, FORM_PREFIX) && !column->analog;
    const bool real =
        has(s, FORM_REAL) || (has(s, FORM_LEVEL) && !levels) || s->forms == 1u << FORM_NAN;
    const bool number = decimal || real || levels || has(s, FORM_PREFIX);
    const bool text = has(s, FORM_TEXT) || (word && number);
    if (text || real) {
        column->kind = text ? PC_VAR_STRING : PC_VAR_REAL;
        *width = text ? 0 : 64;
        return;
    }
    *width = binary ? s->most : decimal ? 64 : 1;
    if (s->prefix > *width)
        *width = s->prefix;
}

/* Facts for notes of how the file was read. */
struct told {
    bool words, levels, nan, commas;
};

/* Times without a unit that have a point are seconds; dates and units in the cells say so. */
static void look_at_time(struct csv *c, const struct csv_field *f, struct told *told)
{
    int exponent = 0;
    const enum csv_form form = csv_time_form(c, f, &exponent);

    told->commas |= c->separator != ',' && form != CSV_FORM_DATE &&
                    memchr(c->text.buf + f->at, ',', f->length) != NULL;
    c->fine = c->fine || exponent < -12;
    if (form == CSV_FORM_DATE && c->rows == 0 && c->time != CSV_IGNORED) {
        c->time = CSV_DATE;
        wv_note(&c->base.hier, "times are dates and times of day, counted from the first row, %.*s",
                (int)f->length, c->text.buf + f->at);
    }
    if (c->time == CSV_TICKS && (form == CSV_FORM_FRACTION || form == CSV_FORM_UNIT)) {
        c->time = CSV_UNIT;
        c->unit = 0;
    }
}

static void tell(struct csv *c, const struct told *told)
{
    if (told->words)
        wv_note(&c->base.hier, "TRUE, HIGH and ON are read as 1, FALSE, LOW and OFF as 0");
    if (told->levels)
        wv_note(&c->base.hier, "columns of nothing but 0.0 and 1.0 are levels");
    if (told->nan)
        wv_note(&c->base.hier, "NaN is read as x");
    if (told->commas)
        wv_note(&c->base.hier, "times have decimal commas");
}

/* Reads the rows from `at` on. */
static enum pc_status look_at_rows(struct csv *c, size_t at, struct seen *seen, struct told *told,
                                   struct pc_error *err)
{
    const size_t limit = c->text.at + CSV_FIRST;
    enum pc_status status;
    bool first = true;

    while ((status = csv_split(c, at, limit, err)) == PC_OK) {
        const struct csv_row *r = &c->row;
        if (!csv_fields_fit(c))
            break; /* reading on will say so */
        if (c->time != CSV_NO_TIME && (first || c->time != CSV_DATE))
            look_at_time(c, &r->field[c->time_at], told);
        first = false;
        for (size_t i = 0; i < c->columns; i++) {
            const struct csv_field *f = &r->field[csv_field_of(c, i)];
            look(&seen[i], c->text.buf + f->at, f->length);
        }
        at = r->next;
    }
    return status;
}

enum pc_status csv_kinds(struct csv *c, size_t at, uint32_t *width, struct pc_error *err)
{
    struct seen *seen = pc_calloc(&c->alloc, c->columns, sizeof *seen);
    struct told told = { .words = false };

    if (!seen)
        return pc_fail(err, 100, "not enough memory for %zu columns", c->columns);
    enum pc_status status = look_at_rows(c, at, seen, &told, err);
    for (size_t i = 0; i < c->columns; i++) {
        if (c->column[i].radix)
            decide_by_radix(&seen[i], &c->column[i], &width[i]);
        else
            decide(&seen[i], &c->column[i], &width[i]);
        const bool bits = c->column[i].kind == PC_VAR_BITS;
        told.words |= bits && has(&seen[i], FORM_WORD);
        told.levels |= bits && has(&seen[i], FORM_LEVEL);
        told.nan |= bits && has(&seen[i], FORM_NAN);
    }
    tell(c, &told);
    pc_free(&c->alloc, seen, c->columns * sizeof *seen);
    return status == PC_ENOMEM ? status : PC_OK; /* a row that is wrong is met again */
}
