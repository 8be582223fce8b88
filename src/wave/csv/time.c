/* SPDX-License-Identifier: MIT */
/*
 * Times of a CSV: numbers, perhaps with a unit in the cell ("-52.43 us"), and dates of ISO 8601
 * ("2022-03-01T10:00:00.000001+01:00", or the time of day alone), which count from the first row.
 */
#include "wave/csv/csv.h"
#include "base/decimal.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- units ---- */

/* Writes lower case, without blanks, and u for a micro sign: either of UTF-8's, or the one of
 * Latin-1. */
size_t csv_plain(const char *p, size_t length, char out[64])
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

bool csv_time_unit(const char *name, int *exponent)
{
    static const struct {
        const char *name;
        int exponent;
    } unit[] = {
        { "sec", 0 },
        { "sec.", 0 },
        { "seconds", 0 },
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
            *exponent = unit[i].exponent;
            return true;
        }
    }
    return pc_time_unit_find(name, strlen(name), exponent);
}

/* ---- numbers ---- */

/* Reads "-52.43e-6"; returns what is after it, NULL if there is none. */
static const char *parse_decimal(const char *p, const char *end, bool comma, struct pc_digits *d)
{
    const bool minus = p < end && *p == '-';

    p += p < end && (*p == '-' || *p == '+');
    p = pc_digits_read(p, end, comma, d);
    d->minus = minus;
    return p ? pc_exponent_read(p, end, &d->exponent) : NULL;
}

/* Converts digits * 10^(exponent + shift), *rounded to a whole number; false if it is too large. */
static bool to_whole(const struct pc_digits *d, int shift, int64_t *out, bool *rounded)
{
    int zeros = d->exponent + shift;
    unsigned digits = d->digits;
    uint64_t n = 0;
    bool up = false;

    if (zeros < 0) {
        unsigned drop = (unsigned)-zeros;
        up = drop <= digits && drop > 0 && d->digit[digits - drop] >= '5';
        for (unsigned i = drop < digits ? digits - drop : 0; i < digits; i++)
            *rounded = *rounded || d->digit[i] != '0';
        digits = drop < digits ? digits - drop : 0;
        zeros = 0;
    }
    if (digits == 0)
        zeros = 0;
    if (digits + (unsigned)zeros > 18)
        return false;
    for (unsigned i = 0; i < digits; i++)
        n = 10 * n + (uint64_t)(d->digit[i] - '0');
    for (; zeros > 0; zeros--)
        n *= 10;
    n += up;
    *out = d->minus ? -(int64_t)n : (int64_t)n;
    return true;
}

uint64_t csv_rate_of(const char *p, size_t length, bool comma)
{
    struct pc_digits d;
    uint64_t n, one = 1;
    int exponent;

    if (parse_decimal(p, p + length, comma, &d) != p + length || d.minus ||
        !pc_digits_number(&d, &n, &exponent) || n == 0 || exponent < -18)
        return 0;
    for (int e = exponent; e < 0; e++)
        one *= 10;
    return one % n == 0 && one / n <= UINT64_C(1000000000000000) ? one / n : 0;
}

uint64_t csv_rate_of_step(const char *p, size_t length)
{
    char text[64], unit[64];
    size_t n = csv_plain(p, length, text), digits = n;
    int exponent = 0;

    while (digits > 0 && !pc_is_digit(text[digits - 1]))
        digits--;
    if (digits < n && !csv_time_unit(text + digits, &exponent))
        return 0;
    n = (size_t)snprintf(unit, sizeof unit, "%.*se%d", (int)digits, text, exponent);
    return csv_rate_of(unit, n < sizeof unit ? n : 0, false);
}

/* ---- dates ---- */

/* `digits` of them at *p, and `then` after ('\0': nothing). */
static bool take_digits(const char **p, const char *end, int digits, char then, int64_t *out)
{
    *out = 0;
    for (; digits > 0; digits--, ++*p) {
        if (*p == end || !pc_is_digit(**p))
            return false;
        *out = 10 * *out + (**p - '0');
    }
    if (then == '\0')
        return true;
    return *p < end && *(*p)++ == then;
}

/* Days since 1970-01-01; years begin in March, so that the odd day is their last. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month < 3;
    month += month < 3 ? 9 : -3;
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719469;
}

/* Takes "Z", "+01:00", "-0530", "+01", or nothing. */
static bool take_zone(const char *p, const char *end, int64_t *seconds)
{
    int64_t hours = 0, minutes = 0;

    if (p == end || (pc_lower(*p) == 'z' && p + 1 == end))
        return true;
    const bool west = *p == '-';
    if (!west && *p != '+')
        return false;
    p++;
    if (!take_digits(&p, end, 2, '\0', &hours))
        return false;
    p += p < end && *p == ':';
    if (p < end && !take_digits(&p, end, 2, '\0', &minutes))
        return false;
    *seconds += (west ? 1 : -1) * (3600 * hours + 60 * minutes);
    return p == end;
}

/* Seconds since 1970, or of the day if there is no date, and a fraction. */
static bool parse_date(const char *p, size_t length, int64_t *seconds, struct pc_digits *fraction)
{
    const char *end = p + length;
    int64_t year, month, day, hour, minute, second;

    *seconds = 0;
    *fraction = (struct pc_digits){ .minus = false };
    if (length > 10 && p[4] == '-') {
        if (!take_digits(&p, end, 4, '-', &year) || !take_digits(&p, end, 2, '-', &month) ||
            !take_digits(&p, end, 2, '\0', &day) || month < 1 || month > 12 || day < 1 || day > 31)
            return false;
        if (p == end || !pc_is_one_of(*p++, "Tt "))
            return false;
        *seconds = 86400 * days_of(year, month, day);
    }
    if (!take_digits(&p, end, 2, ':', &hour) || !take_digits(&p, end, 2, ':', &minute) ||
        !take_digits(&p, end, 2, '\0', &second) || hour > 24 || minute > 59 || second > 60)
        return false;
    *seconds += 3600 * hour + 60 * minute + second;
    if (p + 1 < end && pc_is_one_of(*p, ".,") && pc_is_digit(p[1])) {
        const char *from = p++;
        while (p < end && pc_is_digit(*p))
            p++;
        if (parse_decimal(from, p, true, fraction) != p)
            return false;
    }
    return take_zone(p, end, seconds);
}

static enum pc_status take_date(struct csv *c, const struct csv_field *f, int64_t *out,
                                bool *rounded, struct pc_error *err)
{
    const int64_t most = 1000000; /* seconds, of which 10^12 are below 10^18 */
    int64_t seconds, part = 0, scale = 1;
    struct pc_digits fraction;
    char text[48];

    if (!parse_date(c->text.buf + f->at, f->length, &seconds, &fraction))
        return csv_fail(c, f->at, err, 765, "\"%s\" is not a date and time, as the first one is",
                        csv_quote(c, f, text));
    if (c->rows == 0)
        c->epoch = seconds;
    if (seconds - c->epoch > most || c->epoch - seconds > most)
        return csv_fail(c, f->at, err, 765, "%s is more than 10^18 picoseconds from the first time",
                        csv_quote(c, f, text));
    (void)to_whole(&fraction, -csv_step(c), &part, rounded);
    for (int e = csv_step(c); e < 0; e++)
        scale *= 10;
    *out = (seconds - c->epoch) * scale + part;
    return PC_OK;
}

/* ---- cells ---- */

enum csv_form csv_time_form(const struct csv *c, const struct csv_field *f, int *exponent)
{
    const char *p = c->text.buf + f->at, *end = p + f->length;
    struct pc_digits d;
    int64_t seconds;
    char unit[64];

    if (f->length >= 8 && parse_date(p, f->length, &seconds, &d))
        return CSV_FORM_DATE;
    const char *rest = parse_decimal(p, end, c->separator != ',', &d);
    if (!rest)
        return CSV_FORM_NONE;
    if (rest == end)
        return d.exponent != 0 || memchr(p, '.', f->length) ? CSV_FORM_FRACTION : CSV_FORM_WHOLE;
    return csv_plain(rest, (size_t)(end - rest), unit) && csv_time_unit(unit, exponent)
               ? CSV_FORM_UNIT
               : CSV_FORM_NONE;
}

/* Compares two decimals exactly: below 0, 0, above 0. */
static int compare(const struct pc_digits *a, const struct pc_digits *b)
{
    const unsigned most = a->digits > b->digits ? a->digits : b->digits;
    const int sign = a->minus ? -1 : 1;

    if (a->digits == 0 || b->digits == 0) /* one is zero */
        return (a->digits ? sign : 0) - (b->digits ? b->minus ? -1 : 1 : 0);
    if (a->minus != b->minus)
        return sign;
    const int top = (int)a->digits + a->exponent, other = (int)b->digits + b->exponent;
    if (top != other)
        return top > other ? sign : -sign;
    for (unsigned i = 0; i < most; i++) {
        const char x = i < a->digits ? a->digit[i] : '0', y = i < b->digits ? b->digit[i] : '0';
        if (x != y)
            return x > y ? sign : -sign;
    }
    return 0;
}

/* Reads a cell as whole seconds of a date, or as a decimal in seconds of its unit. */
static bool parse_time(const struct csv *c, const struct csv_field *f, int64_t *seconds,
                       struct pc_digits *d)
{
    const char *p = c->text.buf + f->at, *end = p + f->length;
    char unit[64];
    int exponent = 0;

    *seconds = 0;
    if (f->length >= 8 && parse_date(p, f->length, seconds, d))
        return true;
    *seconds = 0;
    const char *rest = parse_decimal(p, end, c->separator != ',', d);
    if (!rest || (rest < end && (!csv_plain(rest, (size_t)(end - rest), unit) ||
                                 !csv_time_unit(unit, &exponent))))
        return false;
    d->exponent += exponent;
    return true;
}

bool csv_time_order(const struct csv *c, const struct csv_field *a, const struct csv_field *b,
                    int *order)
{
    struct pc_digits x, y;
    int64_t s, t;

    if (!parse_time(c, a, &s, &x) || !parse_time(c, b, &t, &y))
        return false;
    *order = s != t ? (s > t) - (s < t) : compare(&x, &y);
    return true;
}

int csv_step(const struct csv *c)
{
    return c->unit < -12 || c->fine ? -15 : -12;
}

const char *csv_step_name(const struct csv *c)
{
    return csv_step(c) == -12 ? "picoseconds" : "femtoseconds";
}

/* The cell's own unit, or that of the column. */
static enum pc_status take_number(const struct csv *c, const struct csv_field *f, int64_t *out,
                                  bool *rounded, struct pc_error *err)
{
    const char *p = c->text.buf + f->at, *end = p + f->length, *rest;
    char text[48], name[64];
    int unit = c->unit;
    struct pc_digits d;

    rest = parse_decimal(p, end, c->separator != ',', &d);
    if (!rest || (rest < end && (!csv_plain(rest, (size_t)(end - rest), name) ||
                                 !csv_time_unit(name, &unit) || c->time != CSV_UNIT)))
        return csv_fail(c, f->at, err, 765, "\"%s\" is not a time", csv_quote(c, f, text));
    if (c->time == CSV_TICKS && d.exponent != 0)
        return csv_fail(c, f->at, err, 765, "%s is not a whole number, as the first times are",
                        csv_quote(c, f, text));
    if (!to_whole(&d, c->time == CSV_UNIT ? unit - csv_step(c) : 0, out, rounded))
        return csv_fail(c, f->at, err, 765, "%s is too large for a time%s%s", csv_quote(c, f, text),
                        c->time == CSV_UNIT ? " of less than 10^18 " : "",
                        c->time == CSV_UNIT ? csv_step_name(c) : "");
    return PC_OK;
}

enum pc_status csv_time(struct csv *c, const struct csv_field *f, int64_t *out,
                        struct pc_error *err)
{
    bool rounded = false;
    char text[48];
    enum pc_status status = c->time == CSV_DATE ? take_date(c, f, out, &rounded, err)
                                                : take_number(c, f, out, &rounded, err);

    if (status == PC_OK && rounded && !c->rounded)
        wv_warn(&c->base.hier,
                "time %s in line %" PRIu64 " is rounded to whole %s, as all with more digits are",
                csv_quote(c, f, text), c->text.line, csv_step_name(c));
    c->rounded = c->rounded || rounded;
    return status;
}
