/* SPDX-License-Identifier: MIT */
/* Numbers of formulas.  strtod's point depends on the locale; the digits do not. */
#include "base/text.h"
#include "lang/metric/parser.h"

#include <float.h>

static char look(const struct me_parser *p)
{
    return p->at < p->size ? p->line[p->at] : '\0';
}

/* Takes digits with at most one point: their value without it, and how many come after it. */
static enum pc_status take_digits(struct me_parser *p, double *value, int *decimals)
{
    size_t n = 0;
    bool dot = false;

    *value = 0;
    *decimals = 0;
    for (; p->at + n < p->size; n++) {
        const char c = p->line[p->at + n];
        if (c == '.' && dot)
            return me_fail(p, p->at + n, "a number has one point");
        if (c != '.' && !pc_is_digit(c))
            break;
        if (c == '.') {
            dot = true;
            continue;
        }
        *value = *value * 10 + (c - '0');
        *decimals += dot;
    }
    if (n >= 64 || (n == 1 && dot))
        return me_fail(p, p->at, "expected a number of up to 63 digits");
    p->at += n;
    return PC_OK;
}

/* Takes "e3", "E-6" after the digits, or nothing. */
static enum pc_status take_exponent(struct me_parser *p, int *exponent)
{
    bool negative = false;

    *exponent = 0;
    if (pc_lower(look(p)) != 'e')
        return PC_OK;
    p->at++;
    if (look(p) == '+' || look(p) == '-')
        negative = p->line[p->at++] == '-';
    if (!pc_is_digit(look(p)))
        return me_fail(p, p->at, "an exponent is a whole number: 1e3, 2.5e-6");
    for (; pc_is_digit(look(p)); p->at++)
        if (*exponent < 1000) /* more makes no difference */
            *exponent = *exponent * 10 + (look(p) - '0');
    if (look(p) == '.')
        return me_fail(p, p->at, "an exponent is a whole number: 1e3, 2.5e-6");
    if (negative)
        *exponent = -*exponent;
    return PC_OK;
}

/* In one step as far as powers of ten are exact, so that 2.5e-6 is the double nearest to it. */
double me_decimal(double value, int exponent)
{
    while (exponent != 0) {
        const int n = exponent > 22 ? 22 : exponent < -22 ? -22 : exponent;
        double power = 1;
        for (int i = 0; i < n || i < -n; i++)
            power *= 10;
        value = n < 0 ? value / power : value * power;
        exponent -= n;
    }
    return value;
}

enum pc_status me_take_number(struct me_parser *p, struct me_step *out)
{
    const size_t begin = p->at;
    double digits, value;
    int decimals, exponent;

    *out = (struct me_step){ .op = ME_NUMBER };
    enum pc_status status = take_digits(p, &digits, &decimals);

    if (status == PC_OK)
        status = take_exponent(p, &exponent);
    if (status)
        return status;
    exponent -= decimals;
    value = me_decimal(digits, exponent);
    if (value > DBL_MAX)
        return me_fail(p, begin, "a number is less than 1.8e308");
    if (value < DBL_MIN && digits > 0)
        return me_fail(p, begin, "a number is 0, or 2.3e-308 and more");
    p->last.begin = begin;
    p->last.end = p->at;
    p->last.has_unit = false;
    *out = (struct me_step){ .op = ME_NUMBER, .number = value, .digits = digits, .ten = exponent };
    return PC_OK;
}
