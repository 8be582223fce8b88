/* SPDX-License-Identifier: MIT */
/*
 * Values and times of a CSV.  A value of w bits is one of
 *     0 1 x z (h l u w - ? as in VCD), for all bits if it is unknown; empty: unknown
 *     0x1f      0b101x      exactly w binary digits, if w > 1      17, -1
 * in that order: 0x1 is hexadecimal in a column of three bits, too.  Decimal digits with zeros
 * in front that could be binary ones are refused.
 */
#include "wave/csv/csv.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static enum pc_status fail_value(const struct csv *c, const struct csv_field *f, unsigned code,
                                 const struct csv_column *column, struct pc_error *err)
{
    char text[48];

    csv_quote(c, f, text);
    if (code == 764)
        return csv_fail(c, f->at, err, 764, "%s does not fit into %lu bit%s", text,
                        (unsigned long)column->width, column->width == 1 ? "" : "s");
    return csv_fail(c, f->at, err, code, "\"%s\" is no value of %lu bit%s", text,
                    (unsigned long)column->width, column->width == 1 ? "" : "s");
}

/* Digits of `per` bits each, from the right; what sticks out on the left must be 0. */
static unsigned take_digits(const char *p, size_t length, unsigned per, uint32_t width, char *bits)
{
    size_t left = width;
    char fill = '0';

    for (size_t i = length; i-- > 0;) {
        unsigned digit = per == 4 ? (unsigned)pc_hex_digit(p[i]) : 0;
        char level = per == 1 ? wv_state_of(p[i]) : '0';
        if (digit > 15 || level == '\0')
            return 763;
        for (unsigned b = 0; b < per; b++) {
            char bit = per == 1 ? level : digit >> b & 1 ? '1' : '0';
            if (left > 0)
                bits[--left] = bit;
            else if (bit != '0')
                return 764;
        }
    }
    if (per == 1 && length > 0 && (wv_state_of(p[0]) == 'x' || wv_state_of(p[0]) == 'z'))
        fill = wv_state_of(p[0]); /* as VCD extends on the left */
    memset(bits, fill, left);
    return 0;
}

static bool is_binary(const char *p, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (wv_state_of(p[i]) == '\0' || p[i] == '-')
            return false;
    return true;
}

/* 763, 764, or 0 */
static unsigned take_decimal(const char *p, size_t length, uint32_t width, char *bits)
{
    const bool minus = length > 1 && p[0] == '-';
    uint64_t n = 0;

    for (size_t i = minus; i < length; i++) {
        if (p[i] < '0' || p[i] > '9')
            return 763;
        if (n > (UINT64_MAX - (uint64_t)(p[i] - '0')) / 10)
            return 764;
        n = 10 * n + (uint64_t)(p[i] - '0');
    }
    const uint64_t top = width < 64 ? UINT64_C(1) << width : 0; /* 0: 2^64 or more */
    if (minus ? (top ? n > top / 2 : n > UINT64_C(1) << 63) : top && n >= top)
        return 764;
    uint64_t value = minus ? 0 - n : n;
    for (uint32_t i = 0; i < width; i++)
        bits[width - 1 - i] = (i < 64 ? value >> i & 1 : minus && n) ? '1' : '0';
    return 0;
}

enum pc_status csv_value(const struct csv *c, const struct csv_field *f,
                         const struct csv_column *column, char *bits, struct pc_error *err)
{
    const char *p = c->text.buf + f->at;
    const uint32_t width = column->width;
    unsigned code;

    if (f->length == 1 && wv_state_of(p[0])) {
        char level = wv_state_of(p[0]);
        memset(bits, level == '1' || level == '0' ? '0' : level, width);
        bits[width - 1] = level;
        return PC_OK;
    }
    if (f->length == 0) {
        memset(bits, 'x', width);
        return PC_OK;
    }
    if (f->length > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && pc_is_hex(p[2]))
        code = take_digits(p + 2, f->length - 2, 4, width, bits);
    else if (f->length > 2 && p[0] == '0' && (p[1] == 'b' || p[1] == 'B'))
        code = take_digits(p + 2, f->length - 2, 1, width, bits);
    else if (f->length == width && is_binary(p, width))
        code = take_digits(p, width, 1, width, bits);
    else if (p[0] == '0' && is_binary(p, f->length))
        code = 763;
    else
        code = take_decimal(p, f->length, width, bits);
    return code ? fail_value(c, f, code, column, err) : PC_OK;
}

/* ---- times ---- */

/* A decimal number: significant digits, and the power of ten of the last one. */
struct decimal {
    char digit[40];
    unsigned digits;
    int exponent;
    bool minus;
};

static bool parse_exponent(const char *p, const char *end, int *exponent)
{
    bool minus = p < end && *p == '-';
    int n = 0;

    p += p < end && (*p == '-' || *p == '+');
    if (p == end)
        return false;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9')
            return false;
        n = n < 10000 ? 10 * n + (*p - '0') : n;
    }
    *exponent += minus ? -n : n;
    return true;
}

static bool parse_decimal(const struct csv *c, const struct csv_field *f, struct decimal *d)
{
    const char *p = c->text.buf + f->at, *end = p + f->length;
    bool point = false, any = false;

    *d = (struct decimal){ .minus = p < end && *p == '-' };
    p += p < end && (*p == '-' || *p == '+');
    for (; p < end; p++) {
        if (*p == '.' || (*p == ',' && c->separator != ',')) {
            if (point)
                return false;
            point = true;
            continue;
        }
        if (*p < '0' || *p > '9')
            break;
        any = true;
        d->exponent -= point;
        if (d->digits == 0 && *p == '0')
            continue;
        if (d->digits < sizeof d->digit)
            d->digit[d->digits++] = *p;
        else
            d->exponent++; /* more digits than anything here can tell apart */
    }
    if (p < end && (*p == 'e' || *p == 'E'))
        return any && parse_exponent(p + 1, end, &d->exponent);
    return any && p == end;
}

/* digits * 10^(exponent + shift), *rounded to a whole number; false if it is too large. */
static bool to_whole(const struct decimal *d, int shift, int64_t *out, bool *rounded)
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

int csv_step(const struct csv *c)
{
    return c->unit < -12 ? -15 : -12;
}

const char *csv_step_name(const struct csv *c)
{
    return csv_step(c) == -12 ? "picoseconds" : "femtoseconds";
}

enum pc_status csv_time(struct csv *c, const struct csv_field *f, int64_t *out,
                        struct pc_error *err)
{
    bool rounded = false;
    char text[48];
    struct decimal d;

    if (!parse_decimal(c, f, &d))
        return csv_fail(c, f->at, err, 765, "\"%s\" is no time", csv_quote(c, f, text));
    if (c->time == CSV_TICKS && d.exponent != 0)
        return csv_fail(c, f->at, err, 765, "%s is no whole number, as the first times are",
                        csv_quote(c, f, text));
    if (!to_whole(&d, c->time == CSV_UNIT ? c->unit - csv_step(c) : 0, out, &rounded))
        return csv_fail(c, f->at, err, 765, "%s is too large for a time%s%s", csv_quote(c, f, text),
                        c->time == CSV_UNIT ? " of less than 10^18 " : "",
                        c->time == CSV_UNIT ? csv_step_name(c) : "");
    if (rounded && !c->rounded)
        wv_warn(&c->base.hier,
                "time %s in line %" PRIu64 " is rounded to whole %s, as all with more digits are",
                csv_quote(c, f, text), c->text.line, csv_step_name(c));
    c->rounded = c->rounded || rounded;
    return PC_OK;
}
