/* SPDX-License-Identifier: MIT */
/*
 * What the columns of a CSV hold, where their names do not say it: the rows of the first
 * 64 KiB tell.  Anything that is no number makes a string, a fraction a real; neither has bits.
 * A decimal number makes 64 bits, since the next may be larger; 0 and 1 alone make one.
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
    FORM_REAL,
    FORM_TEXT
};

/* What has been seen in a column. */
struct seen {
    unsigned forms;       /* set of enum form */
    uint32_t least, most; /* digits of BINARY and EITHER */
    uint32_t prefix;      /* bits of PREFIX */
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
    return is_real(p, length) ? FORM_REAL : FORM_TEXT;
}

static void look(struct seen *s, const char *p, size_t length)
{
    enum form form = form_of(p, length);
    uint32_t digits = length < UINT32_MAX / 4 ? (uint32_t)length : UINT32_MAX / 4;

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

/* Binary digits of one length are a value of that many bits; else they are decimal ones. */
static void decide(const struct seen *s, struct csv_column *column, uint32_t *width)
{
    bool binary = has(s, FORM_BINARY) && s->least == s->most && !has(s, FORM_DECIMAL);
    bool decimal = has(s, FORM_DECIMAL) || has(s, FORM_EITHER) || has(s, FORM_BINARY);

    column->kind = PC_VAR_BITS;
    if (*width > 0)
        return;
    if (has(s, FORM_TEXT) || has(s, FORM_REAL)) {
        column->kind = has(s, FORM_TEXT) ? PC_VAR_STRING : PC_VAR_REAL;
        *width = has(s, FORM_TEXT) ? 0 : 64;
        return;
    }
    *width = binary ? s->most : decimal ? 64 : 1;
    if (s->prefix > *width)
        *width = s->prefix;
}

/* Times without a unit that have a point are seconds. */
static void look_at_time(struct csv *c, const struct csv_field *f)
{
    const char *set = c->separator == ',' ? ".eE" : ".,eE";

    if (c->time == CSV_TICKS && count_of(c->text.buf + f->at, f->length, set) > 0) {
        c->time = CSV_UNIT;
        c->unit = 0;
    }
}

enum pc_status csv_kinds(struct csv *c, size_t at, uint32_t *width, struct pc_error *err)
{
    const size_t limit = c->text.at + CSV_FIRST, times = c->time != CSV_NO_TIME;
    struct seen *seen = pc_calloc(&c->alloc, c->columns, sizeof *seen);

    if (!seen)
        return pc_fail(err, 100, "not enough memory for %zu columns", c->columns);
    enum pc_status status;
    while ((status = csv_split(c, at, limit, err)) == PC_OK) {
        const struct csv_row *r = &c->row;
        if (r->fields != times + c->columns + c->trailing)
            break; /* reading on will say so */
        if (times)
            look_at_time(c, &r->field[0]);
        for (size_t i = 0; i < c->columns; i++)
            look(&seen[i], c->text.buf + r->field[times + i].at, r->field[times + i].length);
        at = r->next;
    }
    for (size_t i = 0; i < c->columns; i++)
        decide(&seen[i], &c->column[i], &width[i]);
    pc_free(&c->alloc, seen, c->columns * sizeof *seen);
    return status == PC_ENOMEM ? status : PC_OK; /* a row that is wrong is met again */
}
